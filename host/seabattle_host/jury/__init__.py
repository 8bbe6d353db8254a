"""The jury: checks fields against the rules and against every answer of a game."""
