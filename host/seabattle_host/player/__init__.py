"""A player at a serial line: the loop that serves the link, the computer opponent, the session behind the screens."""
