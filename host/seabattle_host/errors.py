"""What goes wrong for reasons outside the program, each with one line for a user.

The command line prints the line as `seabattle: LINE` and leaves with the error's exit status; nothing else
needs to catch these.
"""

from __future__ import annotations


class SeabattleError(Exception):
    """An error with one line of words and an exit status."""

    status = 1

    def __init__(self, line: str):
        super().__init__(" ".join(line.split()))


class UserError(SeabattleError):
    """Something that was asked for cannot be done as asked: the line names the thing and the remedy."""

    status = 2


class PortError(UserError):
    """A port that cannot be opened."""


class PortLost(SeabattleError):
    """A port that was open and has stopped working (unplugged, hung up, taken away)."""

    status = 1
