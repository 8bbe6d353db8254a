"""What the forms of captures have in common: what a recogniser gives back, and what a reader leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Frame, Header, Item
from seabattle_host.sniff.forms.source import Source


@dataclass
class Left:
    """What a file has beside the bytes of a line and is left out: how often, and where first (a line from 1)."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, line: int, count: int = 1) -> None:
        """One more of it, or so many. what: a key of the phrases, `left_...`."""
        self.counts[what] = self.counts.get(what, 0) + count
        self.first.setdefault(what, line)

    def clear(self) -> None:
        """Begin again."""
        self.counts.clear()
        self.first.clear()

    def lines(self) -> list[str]:
        """In words."""
        return [tr(what, count=count, line=self.first[what]) for what, count in self.counts.items()]


_OMITS = re.compile(
    r"(?i)[\W_]*(?:\.{3,}|[…⋮⋯])[\W_]*$"
    r"|.*\b(?:snip(?:ped)?|omitted|skipped|truncated|left out|пропущен|вырезан|опущен|обрезан)"
)


def omits(line: str) -> bool:
    """Whether somebody says in this line that lines were taken out here: `[...]`, `-- 20 lines skipped --`."""
    return _OMITS.match(line) is not None


@dataclass
class Guess:
    """What a recogniser found. why: the evidence, in words.

    merged: its bytes carry no side. maybe_merged: nor do they say whether they are of one side or of both. plan: what
    the reader needs to know, of its own kind.
    """

    why: str
    header: Header = field(default_factory=Header)
    merged: bool = False
    maybe_merged: bool = False
    plan: Any = None


class Form(Protocol):
    """A form of captures: `name` is what `--form` calls it."""

    name: str

    def recognise(self, source: Source) -> Guess | None:
        """The evidence that a file is of this form, None if it is not."""

    def forced(self, source: Source) -> Guess:
        """What to go by where the form is ordered. Raises UserError if it cannot be read as that."""

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item | Frame]:
        """What the file says of the line."""


def recognised(form: Form, source: Source) -> Guess:
    """What to go by where a form is ordered that is read only as it is recognised. Raises UserError if it is not."""
    guess = form.recognise(source)
    if guess is None:
        raise UserError(tr("not_format", file=source.name, format=form.name))
    return guess
