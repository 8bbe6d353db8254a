"""Bytes as text: hex in all its dress, decimal, octal, strings with escapes; and the letters that dumps show beside."""

from __future__ import annotations

import re

HEX, DECIMAL, OCTAL = 16, 10, 8

_SIMPLE = {
    "n": 10,
    "r": 13,
    "t": 9,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "0": 0,
    "\\": 92,
    "'": 39,
    '"': 34,
    "e": 27,
    "s": 32,
}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)

NUMBER = re.compile(r"0[xX]([0-9A-Fa-f]{1,2})(?![0-9A-Fa-f])|0[oO]?([0-7]{3})|(\d{1,3})")


def unescape(text: str) -> bytes | None:
    """The bytes of a string literal with C's escapes; None for letters that are no bytes."""
    out = bytearray()
    place = 0
    try:
        while place < len(text):
            escape = _ESCAPE.match(text, place)
            if escape is None:
                out += text[place].encode("latin-1")
                place += 1
                continue
            if escape[1]:
                out.append(int(escape[1], 16))
            elif escape[2]:
                out.append(int(escape[2], 8))
            else:
                out.append(_SIMPLE[escape[3]])
            place = escape.end()
    except (ValueError, KeyError, UnicodeEncodeError):
        return None
    return bytes(out)


def shown_beside(data: bytes, text: str) -> bool:
    """Whether a text is what a dump shows of these bytes: printable ones as they are, others by some stand-in."""
    text = text.rstrip("\r\n")
    for quotes in ("||", "><", "[]", "''", '""', "()"):
        if len(text) >= 2 and text[0] == quotes[0] and text.rstrip()[-1] == quotes[1]:
            text = text.rstrip()[1:-1]
            break
    if len(text) > len(data) or not data:
        # spaces to the right of a short last line
        if text[len(data) :].strip() or not data:
            return False
        text = text[: len(data)]
    if len(text) < len(data) and data[len(text) :].strip(b" "):
        return False
    return all(
        letter == chr(byte) if 33 <= byte < 127 else not (letter.isascii() and letter.isalnum())
        for letter, byte in zip(text, data, strict=False)
    )


_HEX_RUN = re.compile(r"(?:0[xX]|\\[xX]|\$|#|&[hH])?([0-9A-Fa-f]+)([hH])?")


def hex_token(word: str, single: bool = False) -> bytes | None:
    """Bytes of a word in hex: `aa`, `0xAA`, `$AA`, `AAh`, `aa01a1`; with `single` also `a`."""
    match = _HEX_RUN.fullmatch(word)
    if match is None:
        return None
    digits = match[1]
    if match[2] and len(digits) == 3 and digits[0] == "0":
        # assemblers want a digit in front
        digits = digits[1:]
    if len(digits) % 2:
        dressed = len(word) != len(digits)
        if len(digits) == 1 and (single or dressed):
            return bytes((int(digits, 16),))
        return None
    return bytes.fromhex(digits)


def hex_words(text: str) -> bytes | None:
    """Bytes of words in hex with nothing between but spaces, commas, colons or dashes."""
    out = bytearray()
    for word in re.split(r"[\s,:-]+", text.strip()):
        data = hex_token(word, single=True)
        if data is None:
            return None
        out += data
    return bytes(out)


def number_token(word: str, base: int) -> int | None:
    """A byte in decimal or octal, None if it is none."""
    try:
        value = int(word, base)
    except ValueError:
        return None
    if base == DECIMAL and -128 <= value < 0:
        return value + 256
    return value if 0 <= value <= 255 else None
