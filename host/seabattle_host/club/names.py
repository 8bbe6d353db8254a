"""Names that look alike, and nicks.

Letters on the line are those of code page 866. Many of its Cyrillic letters look like Latin ones; spaces and case do
not distinguish names.
"""

from __future__ import annotations

import unicodedata

from seabattle import wire
from seabattle_host.language.text import transliterate

_CYRILLIC = "авгеёкмнорстухьпзіїє"
_LATIN = "abreekmhopctyxbn3lle"
"""The Latin look-alikes of the Cyrillic letters, capital or small."""

_HASTY = "0i1|!5$"
_READ = "ollllss"
"""Characters that are easily confused."""

_TWINS = str.maketrans(_CYRILLIC + _HASTY, _LATIN + _READ)


def skeleton(name: str) -> str:
    """Return a name's skeleton: equal for names that look alike."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_TWINS)
    return "".join(letter for letter in plain if letter.isalnum())


def as_nick(name: str) -> bytes:
    """Encode a name as a nick of the protocol; real programs handle ten ASCII letters."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    data = plain.encode("cp866", "ignore") or transliterate(plain).encode("ascii", "ignore")
    return data[: wire.NICK_MAX]
