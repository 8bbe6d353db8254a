"""Errors with causes outside the program, each with one line for the user.

The command line prints `seabattle: LINE` and exits with the error's status; nothing else needs to catch these.
"""

from __future__ import annotations


class SeabattleError(Exception):
    """An error with a one-line message and an exit status."""

    status = 1

    def __init__(self, line: str):
        super().__init__(" ".join(line.split()))


UNWRITTEN = 2
"""Exit status of a command that could not write its output or a file, whatever it found out."""


class UserError(SeabattleError):
    """A request that cannot be carried out: the line names the thing and the remedy."""

    status = 2


class PortError(UserError):
    """A port that cannot be opened."""


class PortLost(SeabattleError):
    """A port that was open and has stopped working (unplugged, hung up, removed)."""

    status = 1
