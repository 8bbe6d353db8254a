"""Arrays of a program with a frame each: `uint8_t f[] = { /* TX */ 0xAA };`, over as many lines as they take.

The sender is named in the array's name, in the comment above it, inside it or behind it. They are rewritten as a line
each, as `TX: AA`, if such names part the bytes into the two roles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seabattle_host.sniff.forms import fronts, numerals, remarks, sides
from seabattle_host.sniff.forms.interface import OMITTED

_LEAST = 4

_COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)", re.DOTALL)
_ARRAY = re.compile(
    r"(?P<above>(?:^[ \t]*(?://[^\n]*|/\*+[^*\n]*\*/)[ \t]*\n)?)"
    r"^[ \t]*(?P<head>[A-Za-z_][^\n{}\[=;/#]{0,120}?)"
    r"(?:(?::\s*&?)?\[[^\n{}=]{0,40})?(?::?=|:)\s*(?:&?\[\w*\]\w*\s*)?[{\[]"
    r"(?P<body>[^{}\[\]=;]*)[}\]][ \t]*[;,]?(?P<behind>[ \t]*(?://[^\n]*|/\*+[^*\n]*\*/)?)",
    re.MULTILINE,
)
_CLOSED = re.compile(r"[}\]]\s*[;,)]?\s*(?://.*|/\*.*)?$")
_TIME = re.compile(
    r"(?<![\w.])(?:(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?|\d+(?:\.\d+)?\s?(?:us|µs|ms|s)"
    r"|\d+\.\d{3,})(?![\w.])"
)
_WORD = re.compile(r"[^\W\d_]+")
_PEER = re.compile(r"peer([01])_\d+")
"""The name of an array that Wireshark makes of a packet."""
_NUMBER = re.compile(r"(?<!\w)0[xX][0-9A-Fa-f]{1,2}(?!\w)|(?<!\w)\d{1,3}(?!\w)")


@dataclass(frozen=True)
class _Array:
    """The words that may name its sender, by their places; its bytes, None if it has others; where it stands."""

    said: tuple[str, ...]
    data: bytes | None
    begin: int
    end: int


def is_arrays(lines: Sequence[str]) -> bool:
    """Return whether lines may be such arrays."""
    return sum(_CLOSED.search(line) is not None for line in lines) >= _LEAST and any(
        _ARRAY.match(line + "\n" + "\n".join(lines[n + 1 : n + 9])) for n, line in enumerate(lines[:20])
    )


def framed(text: str) -> list[str] | None:
    """Return the arrays of a text as a line each; None if nothing tells their senders."""
    found = [_array(match) for match in _ARRAY.finditer(text)]
    whole = [array for array in found if array.data]
    if len(whole) < _LEAST:
        return None
    for place in range(len(whole[0].said)):
        told = [(array, side) for array in whole if (side := _side(array.said[place])) is not None]
        if len(told) * 10 < 9 * len(whole) or {side for _array, side in told} != {0, 1}:
            continue
        if fronts.are_roles([array.data or b"" for array, _side in told], [str(side) for _a, side in told], ["0", "1"]):
            return list(_lines(text, found, place))
    return None


def _lines(text: str, found: Sequence[_Array], place: int) -> Iterator[str]:
    last = 0
    for array in found:
        if _has_bytes(text[last : array.begin]):
            yield OMITTED
        last = array.end
        side = _side(array.said[place])
        if not array.data or side is None:
            yield OMITTED
            continue
        time = _TIME.search(" ".join(array.said[1:]))
        yield f"{time[0] if time else ''} {('TX', 'RX')[side]}: {array.data.hex(' ').upper()}".strip()
    if _has_bytes(text[last:]):
        yield OMITTED


def _has_bytes(text: str) -> bool:
    return re.search(r"(?<!\w)0[xX][0-9A-Fa-f]{1,2}(?!\w)", _COMMENT.sub(" ", text)) is not None


def _array(match: re.Match[str]) -> _Array:
    inside = " ".join(comment[1] or comment[2] or "" for comment in _COMMENT.finditer(match["body"]))
    bare = _COMMENT.sub(" ", match["body"])
    words = bare.replace(",", " ").split()
    data: bytes | None = None
    if all(map(_NUMBER.fullmatch, words)):
        values = [int(word, 16 if word[:2].lower() == "0x" else numerals.DECIMAL) for word in words]
        data = bytes(values) if max(values, default=0) < 256 else None
    name = re.findall(r"\w+", match["head"])[-1:]
    said = ("".join(name), inside, _bare(match["above"]), _bare(match["behind"]))
    return _Array(said, data, match.start(), match.end())


def _bare(comment: str) -> str:
    return re.sub(r"/\*|\*/|//", " ", comment).strip()


def _side(words: str) -> int | None:
    """Return the sender that a name or a comment tells."""
    if (peer := _PEER.fullmatch(words)) is not None:
        return int(peer[1])
    side = remarks.of_remark(words) if words else None
    return side if side is not None else sides.of_name(" ".join(_WORD.findall(words)))
