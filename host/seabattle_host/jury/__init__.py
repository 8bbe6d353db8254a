"""The jury: fields held against the rules and against every answer of a game."""
