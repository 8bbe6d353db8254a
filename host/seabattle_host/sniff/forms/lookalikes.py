"""Digits that were typed or recognised as letters that look like them: Cyrillic `АА`, `O1`, `lA`.

No such letter is a hex digit, so that it is certain what each stands for. They are put right only in a file that has
no form without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_LETTERS = "АВСЕОOoIl"
_DIGITS = str.maketrans(_LETTERS, "ABCE00011")
_BYTE = re.compile(rf"(?<!\w)(?:0[xX])?(?=[0-9A-Fa-f]?[{_LETTERS}])[0-9A-Fa-f{_LETTERS}]{{2}}(?!\w)")
_NUMBER = re.compile(r"(?<!\w)(?:[0-9OoIl]+(?:[.,:][0-9OoIl]+)+|[0-9OoIl]{4,}[0-9A-Fa-fOoIl]*)(?!\w)")
"""A time or an offset."""


def normal(line: str) -> str:
    """Return a line with the digits that were meant."""
    for pattern in (_BYTE, _NUMBER):
        line = pattern.sub(lambda found: found[0].translate(_DIGITS), line)
    return line


def are_in(lines: Iterable[str]) -> bool:
    """Return whether lines have such letters where digits may be meant."""
    return any(_BYTE.search(line) for line in lines)
