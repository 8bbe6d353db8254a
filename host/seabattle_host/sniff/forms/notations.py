"""Notations of a line's bytes that would be read as other bytes, rewritten as plain hex before a form is looked for.

Percent-encoding, quoted-printable and strings with escapes, where letters stand for themselves; bytes in two halves;
each byte in two bases; words of hex letters, cells and counts beside the bytes. A rewriting is used only if what it
makes of the lines is of the protocol.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from seabattle_host.sniff.forms import evidence, fronts, numerals, sides

Rewrite = Callable[[str], str]

_MOST = 400
_LEAST = 4
"""Lines."""
_LONGEST = 4096
"""Characters of a line of which only percent-encoding and the like is looked for: the others take the square of it."""
_SURELY = 0.97
"""How much of the protocol bytes are that might be read in another way."""


def learn(lines: Sequence[str], before: float, size: int) -> Rewrite | None:
    """Return how to rewrite the lines of a file; None if they need it not.

    before: how much of the protocol is in what is read of them as they are; size: how many bytes that are.
    """
    sample = [line for line in lines[:_MOST] if line.strip()]
    best: tuple[float, Rewrite] | None = None
    for share, count, how in itertools.chain(_coded(sample), _short(sample)):
        better = (share, count) > (before, size)
        if better and share >= evidence.enough() and (best is None or share > best[0]):
            best = (share, how)
    return best[1] if best is not None else None


@dataclass(frozen=True)
class _OfShort:
    """Rewrites lines that are not too long. names: the sides, where the rewriting tells them."""

    how: Rewrite
    names: Mapping[str, int]

    def __call__(self, line: str) -> str:
        return self.how(line) if len(line) <= _LONGEST else line


def _short(lines: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewritings of lines that are not too long, each with how much of the protocol it makes of them."""
    sample = [line for line in lines if len(line) <= _LONGEST]
    if len(sample) * 10 < 9 * len(lines) or not sample:
        return
    for kind in (_in_words, _labelled, _ended, _framed, _dotted, _told, _behind):
        for share, count, how in kind(sample):
            yield share, count, _OfShort(how, getattr(how, "names", {}))


# Letters that stand for themselves.

_DELIMITERS = (r"[ \t]+", '"', "'", ",", ";", r"\|", "=", ":")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_PRINTABLE = re.compile(r"=[0-9A-Fa-f]{2}")
_ESCAPE = re.compile(r"\\(?:(?:x|u00)[0-9A-Fa-f]{2}|[0-3][0-7]{2}|[0abfnrtv])")
_TWICE_ESCAPED = re.compile(r"\\\\(?:(?:x|u00)[0-9A-Fa-f]{2}|[0-3][0-7]{2}|[0abfnrtv])")
"""The same in a string of JSON."""
_LITERAL = re.compile(r"(?:bytearray\(|bytes\()?[bB]?(['\"])(.*)\1\)?\s*")
_QUOTED = re.compile(r"((?:[^\"\\]|\\.)*)(\".*)")
_WORD = re.compile(r"\w{3,}")
"""Without an escape, such a word is no frame: it is the name of a column."""


def _percent(text: str, plus: bool, wide: bool) -> bytes | None:
    """Decode percent-encoding. plus: a plus sign is a space; wide: bytes above 127 are characters in UTF-8."""
    data = numerals.of_letters(text.replace("+", " ") if plus else text, "%AA")
    if data is None or "%" in _PERCENT.sub("", text):
        return None
    try:
        return data.decode().encode("latin-1") if wide else data
    except UnicodeError:
        return None


def _printable(text: str) -> bytes | None:
    return None if "=" in _PRINTABLE.sub("", text) else numerals.of_letters(text, "=AA")


def _json(text: str) -> bytes | None:
    try:
        inside = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return None
    literal = _LITERAL.fullmatch(inside)
    return numerals.unescape(literal[2] if literal is not None else inside)


def _coded(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewritings of coded text, each with how much of the protocol it makes of the lines.

    And how many bytes, if they may be read well as they are; where they cannot, more than any file has.
    """
    # in a form a plus sign is a space, and one of its own is coded
    plus = not any("%20" in line for line in sample)
    kinds: list[tuple[re.Pattern[str], Callable[[str], bytes | None]]] = [
        *((_PERCENT, partial(_percent, plus=plus, wide=wide)) for wide in (False, True)),
        (_PRINTABLE, _printable),
        (_TWICE_ESCAPED, _json),
        (_ESCAPE, numerals.unescape),
    ]
    for escape, decode in kinds:
        coded = [(line, found.start()) for line in sample if (found := escape.search(line))]
        if not coded or len(coded) * 3 < len(sample):
            continue
        for delimiter in map(re.compile, _DELIMITERS):
            counts = Counter(len(delimiter.findall(line[:at].lstrip())) for line, at in coded)
            count, often = counts.most_common(1)[0]
            if often * 10 < 9 * len(coded):
                continue
            rows = [_decoded(line, escape, decode, delimiter, count) for line in sample]
            good = [row[1] for row in rows if row is not None]
            certain = escape in (_PERCENT, _PRINTABLE)
            if len(good) >= (0.9 * len(sample) if certain else len(sample) - 1):
                how = partial(_in_hex, escape=escape, decode=decode, delimiter=delimiter, count=count)
                data = b"".join(good)
                yield evidence.weigh(data).share, sys.maxsize if certain else len(data), how


def _decoded(
    line: str,
    escape: re.Pattern[str],
    decode: Callable[[str], bytes | None],
    delimiter: re.Pattern[str],
    count: int,
) -> tuple[str, bytes, str] | None:
    """Return what is before the coded bytes of a line, the bytes, and what is behind them; None if it has none."""
    place = len(line) - len(line.lstrip())
    for _n in range(count):
        found = delimiter.search(line, place)
        if found is None:
            return None
        place = found.end()
    text, behind = line[place:], ""
    if count and delimiter.pattern == '"' and (quoted := _QUOTED.fullmatch(text)) is not None:
        text, behind = quoted[1], quoted[2]
    elif count and delimiter.pattern == "'" and "'" in text:
        text, behind = text[: text.index("'")], text[text.index("'") :]
    elif (literal := _LITERAL.fullmatch(text)) is not None:
        text = literal[2]
    if text.endswith('\\"') and line[:place].endswith('\\"'):
        text, behind = text[:-2], text[-2:] + behind
    if not text or (not escape.search(text) and _WORD.search(text)):
        return None
    data = decode(text)
    return (line[:place], data, behind) if data else None


def _in_hex(
    line: str,
    escape: re.Pattern[str],
    decode: Callable[[str], bytes | None],
    delimiter: re.Pattern[str],
    count: int,
) -> str:
    found = _decoded(line, escape, decode, delimiter, count)
    return line if found is None else f"{found[0]}{found[1].hex(' ').upper()}{found[2]}"


# Words of hex digits, of which not each is a byte.

_HALVES = re.compile(r"(?<![\w.:-])[0-9A-Fa-f] +[0-9A-Fa-f](?: +[0-9A-Fa-f] +[0-9A-Fa-f])*\s*$")
_HALF_BITS = re.compile(r"(?<![\w.-])[01]{4}[ -][01]{4}(?: +[01]{4}[ -][01]{4})*\s*$")
_TWICE = re.compile(
    r"(?<![\w.:])(?:(?:0[xX])?(?P<hex>[0-9A-Fa-f]{2})[hH]?(?: ?\((?P<dec>\d{1,3})\)|[=/](?P<dec2>\d{1,3})d?)"
    r"|(?P<dec3>\d{1,3}) ?\(0[xX](?P<hex2>[0-9A-Fa-f]{2})\))(?!\w)"
)
_TWICES = re.compile(rf"(?:{re.sub(r'[?]P<[a-z0-9]+>', '?:', _TWICE.pattern)}[ ,]*)+\s*$")


_RUN = re.compile(r"(?<![\w.:-])(?=\d*[A-Fa-f])(?=[A-Fa-f]*\d)(?:[0-9A-Fa-f]{2}){2,}(?!\w)")
"""Bytes run together, among which a word of hex letters may be bytes, too."""
_NAME = re.compile(r"(?<![\w.:-])[A-Fa-f]{3,}(?![\w.-]):?")
_SHOT = re.compile(r"(?i)(?<![\w.:])(?:0x)?c0 (?:0x)?0([1-9a]) (?:0x)?0([1-9a])(?![\w.:])")
_OPCODE = re.compile(r"(?i)(?<![\w.:-])\[?([0-9a-f]{2}) [^\W\d_]+\]?:? +(?=(?:0x)?\1(?:\s|$))")
_OPCODE_BEHIND = re.compile(
    r"(?i)(?<![\w.:-])((?:0x)?([0-9a-f]{2})(?: (?:0x)?[0-9a-f]{2})*) +(?:- |\()?\2 [^\W\d_]+\)?\s*$"
)
_COUNT = re.compile(r"(?<![\w.:-])\(?(\d{1,3}) ?B\)?:?\s+(?=((?:[0-9A-Fa-f]{2} )*[0-9A-Fa-f]{2})\s*$)")
_BYTES = re.compile(r"(?<![\w.:-])(?:0[xX])?[0-9A-Fa-f]{2}(?: (?:0[xX])?[0-9A-Fa-f]{2})*(?![\w.:-])")


def _in_words(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewritings of words of hex digits, each with how much of the protocol it makes of the lines."""
    for found, how in ((_HALVES, _whole), (_HALF_BITS, _whole_bits), (_TWICES, _once)):
        rows = [match for line in sample if (match := found.search(line))]
        if len(rows) * 10 >= 9 * len(sample):
            yield from _sure([how(row.string)[row.start() :] for row in rows], how)
    if any(map(_RUN.search, sample)):
        return
    made = [(line, _without_words(line)) for line in sample]
    if sum(line != bare for line, bare in made) >= _LEAST:
        yield from _sure([runs[-1] for _line, bare in made if (runs := _BYTES.findall(bare))], _without_words)


def _sure(texts: Sequence[str], how: Rewrite) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield a rewriting if it makes only frames of some lines. texts: their bytes."""
    data = bytes.fromhex("".join(re.sub("0[xX]", "", text) for text in texts if _BYTES.fullmatch(text.strip())))
    share = evidence.weigh(data).share
    if share >= _SURELY and len(data) >= _FEW:
        yield share, 0, how


_FEW = 16
"""Bytes that may be frames by chance."""


_LABEL = re.compile(
    r"(?i)(?<![\w.-])(?P<kind>hex|dec(?:imal)?|ascii|text|str(?:ing)?|chars?|oct(?:al)?|bin(?:ary)?|utf-?8)"
    r"\s*(?:[:=]|=>)\s*(?P<value>\"(?:[^\"\\]|\\.)*\"|.*?)"
    r"(?=,?\s+(?:hex|dec|decimal|ascii|text|str|string|chars?|oct|octal|bin|binary|utf-?8)\s*(?:[:=]|=>)|$)"
)


def _labelled(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of bytes that are written in several ways, each with its label: `hex: AA  ascii: .`.

    Those in hex are kept.
    """
    found = [(line, {label["kind"].lower() for label in _LABEL.finditer(line)}) for line in sample]
    hexed = [line for line, kinds in found if "hex" in kinds]
    others = sum(bool(kinds - {"hex"}) for _line, kinds in found)
    if len(hexed) >= _LEAST and others * 2 >= len(hexed):
        texts = (_in_hex_only(line) for line in hexed)
        runs = [some[-1] for text in texts if (some := _BYTES.findall(text))]
        yield from ((share, sys.maxsize, how) for share, _count, how in _sure(runs, _in_hex_only))


def _in_hex_only(line: str) -> str:
    labels = list(_LABEL.finditer(line))
    own = next((label["value"] for label in labels if label["kind"].lower() == "hex"), None)
    if own is not None:
        return line[: labels[0].start()] + own.strip("\"' ")
    return "" if labels and not line[: labels[0].start()].strip("\t -*|") else line


_ENDED = re.compile(r"(.*\S)\s+\(?\[?<?([A-Fa-f]{2,})>?\]?\)?\s*")


def _ended(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of lines that end with the name of their sender, which looks like bytes: `C0 01 03 FACE`."""
    ends = [found for line in sample if (found := _ENDED.fullmatch(line)) is not None]
    names = Counter(found[2].lower() for found in ends)
    both = sorted(name for name, _count in names.most_common(2))
    if len(both) < 2 or sum(names[name] for name in both) * 10 < 9 * len(sample):
        return
    rows = [
        (bytes.fromhex(re.sub("0[xX]| ", "", runs[-1])), found[2].lower())
        for found in ends
        if (runs := _BYTES.findall(found[1]))
    ]
    data, words = [row for row, _word in rows], [word for _row, word in rows]
    if len(rows) >= _LEAST and fronts.are_roles(data, words, both):
        share = evidence.weigh(b"".join(data)).share
        yield share, sys.maxsize, Ended(sides.of_two(both))


@dataclass(frozen=True)
class Ended:
    """Puts the sender of a line in front, whose name is at its end."""

    names: Mapping[str, int]

    def __call__(self, line: str) -> str:
        found = _ENDED.fullmatch(line)
        side = None if found is None else self.names.get(found[2].lower())
        return line if found is None or side is None else f"{('TX', 'RX')[side]}: {found[1]}"


_FRAMED = re.compile(r"\s*(?:(?P<sent>(?:\[[0-9A-Fa-f]{2}\])+)|(?:<[0-9A-Fa-f]{2}>)+)\s*")
"""Bytes as libmodbus prints them: `[AA]` is sent, `<01>` received."""


_DOTTED = re.compile(r"(?<![\w.:/-])\d{1,3}(?:\.\d{1,3})*\s*$")
"""Numbers with points between them, as `%vd` of Go and Perl prints bytes."""


def _dotted(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of decimal numbers with points between them."""
    rows = [found for line in sample if (found := _DOTTED.search(line)) is not None]
    numbers = [list(map(int, found[0].split("."))) for found in rows]
    if (
        len(rows) * 10 < 9 * len(sample)
        or sum(len(some) > 2 for some in numbers) < _LEAST
        or max(map(max, numbers)) > 255
    ):
        return
    cuts = [(found.string[: found.start()], bytes(some)) for found, some in zip(rows, numbers, strict=True)]
    names, place = fronts.sides_of(cuts)
    ones = [
        evidence.weigh(b"".join(data for front, data in cuts if names.get(fronts.named(front, place), 0) == side))
        for side in (0, 1)
    ]
    share = sum(one.covered for one in ones) / sum(one.size for one in ones)
    # what parts the roles are the sides: a player's bug may spoil many frames
    yield max(share, evidence.enough() * bool(names)), sys.maxsize, _undotted


def _undotted(line: str) -> str:
    found = _DOTTED.search(line)
    if found is None:
        return line
    return line[: found.start()] + " ".join(f"{int(number):02X}" for number in found[0].split("."))


_CAN = re.compile(
    r"\s*(?P<time>\d+\.\d+)\s+\d+\s+[0-9A-Fa-f]+x?\s+(?P<side>Rx|Tx)\s+d\s+(?P<count>\d+)\s+(?P<bytes>(?:[0-9A-Fa-f]{2}\s*)+)(?:\s\w+\s=.*)?"
)
"""A message in Vector's log of a bus: time, channel, name, direction, length, bytes."""
_ERLANG = re.compile(r"(?P<front>[^<>]*?)<<(?P<bytes>[\s\d,#A-Fa-f]*)>>[\s}\]).,]*")
_BRACES = re.compile(r"[\s{}\[\]()\",:]+")


def _told(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of lines in which the direction and the bytes are at certain places."""
    for how in (_of_can, _of_erlang):
        made = [row for line in sample if (row := how(line)) is not None]
        if len(made) >= _LEAST and len(made) * 10 >= 8 * len(sample):
            yield 1.0, sys.maxsize, partial(_instead, how=how)


_LAST = re.compile(
    r"(.*?)((?:0[xX])?[0-9A-Fa-f]{2}(?:[ ,:-]?(?:0[xX])?[0-9A-Fa-f]{2})*)\s+[\[(]?(?:0[xX])?([0-9A-Fa-f]+)[\])]?\s*"
)


def _behind(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of lines that end with how many bytes they have, or with a hash of these."""
    found = [match for line in sample if len(line) <= _LAST_LONGEST and (match := _LAST.fullmatch(line)) is not None]
    data = [bytes.fromhex(re.sub(r"0[xX]|[^0-9A-Fa-f]", "", match[2])) for match in found]
    if len(found) < _LEAST or len(found) * 20 < 19 * len(sample):
        return
    if (
        all(match[3] == str(len(part)) for match, part in zip(found, data, strict=True))
        and len(set(map(len, data))) > 1
    ):
        yield 1.0, sys.maxsize, _without_last
    elif len({len(match[3]) for match in found}) == 1 and len(found[0][3]) >= _HASH:
        names, place = fronts.sides_of([(match[1], part) for match, part in zip(found, data, strict=True)])
        share = evidence.weigh(b"".join(data)).share
        yield max(share, evidence.enough() * bool(names and place is not None)), sys.maxsize, _without_last


_HASH = 4
"""Digits of the shortest."""
_LAST_LONGEST = 400
"""Characters of such a line."""


def _without_last(line: str) -> str:
    found = _LAST.fullmatch(line) if len(line) <= _LAST_LONGEST else None
    return line if found is None else found[1] + found[2]


def _of_can(line: str) -> str | None:
    found = _CAN.fullmatch(line)
    if found is None or int(found["count"]) != len(found["bytes"].split()):
        return None
    return f"{found['time']} {found['side']}: {found['bytes'].strip()}"


def _of_erlang(line: str) -> str | None:
    """Return a term with a binary as a line: its numbers, which are times, its words, and the bytes."""
    found = _ERLANG.fullmatch(line)
    words = [word for word in _BRACES.split(found["front"]) if word] if found is not None else []
    bytes_of = [word.strip() for word in found["bytes"].split(",")] if found is not None else []
    if not words or line.lstrip()[:1] not in ("{", "["):
        return None
    try:
        data = bytes(int(word[3:], 16) if word.startswith("16#") else int(word) for word in bytes_of)
    except ValueError:
        return None
    numbers = [word for word in words if word[0].isdigit()]
    return f"{' '.join(numbers)} {' '.join(word for word in words if word not in numbers)}: {data.hex(' ')}".strip()


def _instead(line: str, how: Callable[[str], str | None]) -> str:
    return how(line) or line


_TALK = re.compile(r"\s*[^\W\d]{3,}[.:]*\s*")


def _framed(sample: Sequence[str]) -> Iterator[tuple[float, int, Rewrite]]:
    """Yield the rewriting of lines whose brackets tell the side."""
    found = [match for line in sample if (match := _FRAMED.fullmatch(line)) is not None]
    data = [bytes.fromhex(re.sub(r"\W", "", match[0])) for match in found]
    own = ["1" if match["sent"] is None else "0" for match in found]
    if min(own.count("0"), own.count("1")) >= _LEAST and fronts.are_roles(data, own, ["0", "1"]):
        yield evidence.weigh(b"".join(data)).share, sys.maxsize, _by_frame


def _by_frame(line: str) -> str:
    found = _FRAMED.fullmatch(line)
    if found is None:
        # `Sending`, above what is sent
        return f"// {line}" if _TALK.fullmatch(line) else line
    return f"{'RX' if found['sent'] is None else 'TX'}: {re.sub('[^0-9A-Fa-f]+', ' ', line).strip()}"


def _without_words(line: str) -> str:
    """Return a line without words of hex digits that are no bytes: names, the cell of a shot, an opcode, a count."""
    line = _NAME.sub(" ", _OPCODE_BEHIND.sub(r"\1", _OPCODE.sub(" ", line)))
    shot = _SHOT.search(line)
    if shot is not None:
        x, y = int(shot[1], 16), int(shot[2], 16)
        cell = re.compile(rf"(?<![\w.:-])(?:{chr(64 + x)}{y}|{chr(64 + y)}{x})(?![\w.-]):?", re.IGNORECASE)
        line = cell.sub(" ", line[: shot.start()]) + shot[0] + cell.sub(" ", line[shot.end() :])
    return _COUNT.sub(lambda count: " " if int(count[1]) == len(count[2].split()) else count[0], line)


def _whole(line: str) -> str:
    found = _HALVES.search(line)
    if found is None:
        return line
    digits = found[0].split()
    return line[: found.start()] + " ".join(map("".join, zip(digits[::2], digits[1::2], strict=True))).upper()


def _whole_bits(line: str) -> str:
    found = _HALF_BITS.search(line)
    if found is None:
        return line
    digits = re.findall("[01]{4}", found[0])
    return line[: found.start()] + " ".join(
        f"{int(high + low, 2):02X}" for high, low in zip(digits[::2], digits[1::2], strict=True)
    )


def _once(line: str) -> str:
    found = _TWICES.search(line)
    if found is None:
        return line
    values = [
        (match["hex"] or match["hex2"], int(match["dec"] or match["dec2"] or match["dec3"]))
        for match in _TWICE.finditer(line, found.start())
    ]
    if any(int(digits, 16) != value for digits, value in values):
        return line
    return line[: found.start()] + " ".join(digits.upper() for digits, _value in values)
