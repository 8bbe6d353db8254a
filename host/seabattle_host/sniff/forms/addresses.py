"""Lines with the address of a request, of which one value is the bytes: logs of bridges between a line and the web.

`GET /tx?body=%3DAA`: percent-encoded, and inside that quoted-printable, hex, base64, percent-encoded again, or the
bytes themselves. Lines are rewritten as `TIME TX: AA`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from seabattle_host.sniff.forms import evidence, fronts, numerals

_LEAST = 4
_MOST = 400
_LONGEST = 4096
_VALUE = re.compile(r"(?<=[?&])[\w.\[\]-]*=([^&\s\"'#<>]*)")
_ADDRESS = re.compile(r"[?&][\w.\[\]-]+=")
_HEX_WORDS = re.compile(r"(?:(?:0[xX])?[0-9A-Fa-f]{2}[hH]?[ ,;:-]*)+")


def _of_hex(data: bytes) -> bytes | None:
    text = data.decode("latin-1").strip()
    if not _HEX_WORDS.fullmatch(text):
        return None
    return bytes.fromhex("".join(re.findall(r"(?:0[xX])?([0-9A-Fa-f]{2})", text)))


def _of_base64(data: bytes) -> bytes | None:
    try:
        return base64.b64decode(data.replace(b"-", b"+").replace(b"_", b"/"), validate=True)
    except (binascii.Error, ValueError):
        return None


def _of_characters(data: bytes) -> bytes | None:
    """Return bytes that were taken for characters, which are in UTF-8."""
    try:
        return data.decode().encode("latin-1")
    except UnicodeError:
        return None


def _of_printable(data: bytes) -> bytes | None:
    return numerals.of_letters(data.decode("latin-1"), "=AA")


def _of_percent(data: bytes) -> bytes | None:
    return unquote_to_bytes(data) if b"%" in data else None


_DECODERS: tuple[Callable[[bytes], bytes | None], ...] = (
    _of_hex, _of_printable, _of_percent, _of_base64, _of_characters, bytes,
)  # fmt: skip


@dataclass(frozen=True)
class Addresses:
    """Which value of an address is the bytes, and how it is coded; names and place as in `fronts.Front`."""

    index: int
    plus: bool
    decode: Callable[[bytes], bytes | None]
    kind: str
    names: Mapping[str, int]
    place: int | None

    def __call__(self, line: str) -> str:
        time, text = fronts.timed(line, self.kind)
        cut = _cut(text, self.index, self.plus, self.decode)
        side = self.names.get(fronts.named(cut[0], self.place)) if cut is not None else None
        if cut is None or (self.names and side is None):
            return line
        return f"{time} {'' if side is None else ('TX: ', 'RX: ')[side]}{cut[1].hex(' ').upper()}".strip()


def learn(lines: Sequence[str]) -> Addresses | None:
    """Return which values of addresses are bytes of the protocol; None if none are."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    if sum(_ADDRESS.search(line) is not None for line in sample) * 10 < 9 * len(sample) or len(sample) < _LEAST:
        return None
    found = max(_found(sample), key=lambda one: one[0], default=None)
    return found[1] if found is not None else None


def _found(sample: Sequence[str]) -> Iterator[tuple[float, Addresses]]:
    kind = fronts.kind_of(sample)
    texts = [fronts.timed(line, kind)[1] for line in sample]
    plus = not any("%20" in line for line in sample)
    for index in (0, 1, 2, 3, -1):
        for decode in _DECODERS:
            cuts = [cut for text in texts if (cut := _cut(text, index, plus, decode)) is not None and cut[1]]
            data = b"".join(data for _front, data in cuts)
            if len(cuts) * 10 >= 9 * len(texts) and (share := evidence.weigh(data).share) >= evidence.enough():
                names, place = fronts.sides_of(cuts)
                yield share, Addresses(index, plus, decode, kind, names, place)


def _cut(text: str, index: int, plus: bool, decode: Callable[[bytes], bytes | None]) -> tuple[str, bytes] | None:
    """Return a line without this value, and its bytes; None if there is none."""
    values = list(_VALUE.finditer(text, 0, _LONGEST))
    if not -len(values) <= index < len(values):
        return None
    value = values[index]
    coded = value[1].replace("+", " ") if plus else value[1]
    data = decode(unquote_to_bytes(coded))
    return None if data is None else (f"{text[: value.start(1)]} {text[value.end(1) :]}", data)
