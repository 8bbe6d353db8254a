"""Common types of the forms: the result of a recogniser, and what a reader skips."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Header, Piece
from seabattle_host.sniff.forms.source import Source


@dataclass
class Left:
    """What a file contains besides the line's bytes and is skipped: count, and first place (a line from 1)."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, line: int, count: int = 1) -> None:
        """Count it. what: a key of the catalogue, `left_...`."""
        self.counts[what] = self.counts.get(what, 0) + count
        self.first.setdefault(what, line)

    def clear(self) -> None:
        """Reset."""
        self.counts.clear()
        self.first.clear()

    def lines(self) -> list[str]:
        """Describe it."""
        return [tr(what, count=count, line=self.first[what]) for what, count in self.counts.items()]


_OMITS = re.compile(
    r"(?i)[\W_]*(?:\.{3,}|[…⋮⋯])[\W_]*$"
    r"|.*\b(?:snip(?:ped)?|omitted|skipped|truncated|left out|пропущен|вырезан|опущен|обрезан)"
)


OMITTED = "[...]"
"""A line that says so."""


def omits(line: str) -> bool:
    """Return whether this line says that lines were removed here: `[...]`, `-- 20 lines skipped --`."""
    return _OMITS.match(line) is not None


@dataclass
class Guess:
    """The result of a recogniser. why: the evidence, in words.

    merged: its bytes carry no side. maybe_merged: nor is it known whether they are of one side or of both. plan: the
    reader's own parameters.
    """

    why: str
    header: Header = field(default_factory=Header)
    merged: bool = False
    maybe_merged: bool = False
    plan: Any = None


class Form(Protocol):
    """A form of captures; `name` is its value for `--form`."""

    name: str

    def recognise(self, source: Source) -> Guess | None:
        """Return the evidence that a file has this form, None if it has not."""

    def forced(self, source: Source) -> Guess:
        """Return the guess for a form chosen by the user. Raises UserError if it cannot be read as that."""

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Piece]:
        """Yield the line's bytes in the file."""


def recognised(form: Form, source: Source) -> Guess:
    """Return the guess for a form chosen by the user that can only be read if recognised.

    Raises UserError if it is not.
    """
    guess = form.recognise(source)
    if guess is None:
        raise UserError(tr("not_format", file=source.name, format=form.name))
    return guess
