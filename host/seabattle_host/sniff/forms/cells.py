"""Bytes in a cell of a table, in all notations."""

from __future__ import annotations

import base64
import re
from functools import lru_cache

from seabattle_host.sniff.forms import numerals

LETTERS = 0
"""In place of a base: printable bytes as they are, others in decimal and quotes."""


def _letter(text: str) -> bytes | None:
    inside = re.fullmatch(r"'(\d{1,3})'", text)
    if inside is not None:
        return bytes((int(inside[1]),)) if int(inside[1]) < 256 else None
    text = text.strip("'") or text
    if len(text) == 2 and text[0] == "\\":
        return numerals.unescape(text)
    return text.encode("latin-1") if len(text) == 1 and " " <= text <= "\xff" else None


NOTHING = re.compile(r"-{2,}|[–—]+|(?i:n/?a|none|null|nan)")
"""What stands in a cell without bytes."""

_RUN_AFTER_ONE = re.compile(r"\\x(?:[0-9A-Fa-f]{2})+")
"""As PostgreSQL prints bytes."""


_COMMAND = re.compile(r"\\[a-z]+\{([^{}]*)\}")
r"""LaTeX's `\texttt{AA 01}`."""


@lru_cache(numerals.REMEMBERED)
def bytes_of(text: str, base: int, sized: bool = False) -> bytes | None:
    """Parse the bytes of a cell. sized: preceded by their number."""
    if text == " " and base in (LETTERS, 1):
        return b" "
    text = text.strip().removesuffix("\\\\").rstrip()  # the end of a row in LaTeX
    if text.startswith("\\\\x"):
        # PostgreSQL's COPY
        text = text[1:]
    if len(text) > len(r"\xAA") and _RUN_AFTER_ONE.fullmatch(text):
        return bytes.fromhex(text[2:])
    command = _COMMAND.fullmatch(text)
    if command is not None:
        text = command[1]
    if text[:1] == "'" and text.count("'") == 1 and len(text) > 2:
        # so that a spreadsheet takes it for text
        text = text[1:]
    text = numerals.apart(text)
    counted = re.fullmatch(r"(.*\S)\s*\((\d{1,3})\)", text, re.DOTALL)
    if counted is not None and (data := bytes_of(counted[1], base, sized)) and len(data) == int(counted[2]):
        # followed by their number
        return data
    if sized:
        text = re.sub(r"^\W*\d+\W", "", text)
    if re.fullmatch(r"(?i)comma", text):
        return b","
    if re.fullmatch(r"0[bB][01]{1,8}", text):
        return bytes((int(text, 2),))
    if base == 64:
        return base64.b64decode(text)
    if base == LETTERS:
        return _letter(text)
    twice = re.fullmatch(r"(0x[0-9a-fA-F]{1,2}) ?\(\S{1,5}\)", text)
    if twice is not None:
        return bytes((int(twice[1], 16),))
    quoted = re.fullmatch(r"('.[^']{0,3}'|\S{1,5}|) ?\((0x[0-9a-fA-F]{1,2})\)|'(.)'|\"(.*)\"", text, re.DOTALL)
    if quoted is not None:
        if quoted[2]:
            return bytes((int(quoted[2], 16),))
        if quoted[3]:
            return quoted[3].encode("latin-1", "replace")
        inner = quoted[4] or ""
        return numerals.unescape(inner) if "\\" in inner else bytes_of(inner, base)
    if text.startswith(("b'", 'b"', "\\")):
        if text[0] == "b" and (len(text) < 3 or text[-1] != text[1]):
            return None
        return numerals.unescape(text[2:-1] if text[0] == "b" else text)
    if base == 1:
        return numerals.unescape(text)
    out = bytearray()
    for word in re.split(r"[\s,;:]+", text):
        word = word.strip("[](){}<>'\"")
        if not word:
            continue
        data = numerals.token(word, base)
        if data is None:
            return None
        out += data
    return bytes(out)
