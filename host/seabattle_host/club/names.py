"""Names as people read them: which of them can be taken for one another.

The letters that come over the line are those of code page 866. Many of its Cyrillic letters look like Latin ones, and a
space more or less, or another case, makes no other name either.
"""

from __future__ import annotations

import unicodedata

from seabattle import wire
from seabattle_host.language.text import transliterate

_CYRILLIC = "авгеёкмнорстухьпзіїє"
_LATIN = "abreekmhopctyxbn3lle"
"""What a Cyrillic letter looks like, in capitals or in small letters."""

_HASTY = "0i1|!5$"
_READ = "ollllss"
"""What a hasty eye does not tell apart."""

_TWINS = str.maketrans(_CYRILLIC + _HASTY, _LATIN + _READ)


def skeleton(name: str) -> str:
    """A form in which two names that can be taken for one another are equal."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_TWINS)
    return "".join(letter for letter in plain if letter.isalnum())


def as_nick(name: str) -> bytes:
    """A name as the protocol carries it; real programs are happy with ten ASCII letters."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    data = plain.encode("cp866", "ignore") or transliterate(plain).encode("ascii", "ignore")
    return data[: wire.NICK_MAX]
