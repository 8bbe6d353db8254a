"""Bytes and nothing else: a run of hex, arrays and strings of some language, output of shell tools."""

from __future__ import annotations

import base64
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import evidence, numerals, sides
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source

PROMPT = re.compile(r"(?:[^\s@]+@[^\s:~]+[:~]\S*)?\s*[$%]\s*(?:[a-z]\w*\s.*)?$")
"""The shell command that made a dump."""

_WRAPPING = re.compile(
    r"(?i)/\*.*?\*/|//.*$|^.*\barray\s*\[[^\]]*\]\s*of\s+\w+\s*="
    r"|^\s*(?:(?:static|const|unsigned|signed|char|byte|uint8_t|u8|int|long|size_t|let|var|return|public|private|final|PROGMEM)\b\s*)+"
    r"[\w\s.*&]*(?:\[\s*\w*\s*\])*(?:\s+[A-Z]+)?(?:\s*:\s*[\w\[\]; ]+)?\s*=?(?=\s*[{\[(\"]|\s*$|\s*\d+;)|^\s*\$?\w+\s*=(?=\s*[{\[(\"b])"  # noqa: E501
    r"|\(byte\)|,\s*dtype=[\w.']+|^\s*(?:\w+:\s*)?(?:db|dcb|defb|fcb|dc\.b|\.byte)\s"
    r"|\b(?:bytes|bytearray|bytes\.fromhex|new Uint8Array|Uint8Array(?:\.from|\.of)?|Buffer\.from|(?:np\.|numpy\.)?array|vec!|\[\]byte|\w+\.fromhex)\b(?=\s*[({\[])"  # noqa: E501
)
_ARMOUR = re.compile(r"-{5}(?:BEGIN|END) [A-Z ]+-{5}\s*")
_COLUMNS = re.compile(
    r"(?i)\s*(?:columns? \d+(?: (?:through|thru|to|and) \d+)?:?|ans =|[\d,]+[x×]\d+ .*vector|\d+-element .*:"
    r"|In \[\d+\]:.*)\s*$"
)
"""Headings that Matlab, Octave, Julia and notebooks print above numbers."""
_SIZE_LINE = re.compile(r"(?i)^\s*(?:unsigned|const|static|size_t|int|long)\b.*\b\w*(?:len|size)\w*\s*=\s*\d+\s*;?\s*$")
_LITERAL = re.compile(r"[bB]?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_SPELT = re.compile(r"^[^\"'\\]*[G-Zg-z][^\"']*\\x[0-9A-Fa-f]{2}")
"""Words in front of bytes."""
_SPLIT = re.compile(r"[\s,;:|{}()\[\]<>-]+")
_SPLIT_SIGNED = re.compile(r"[\s,;:|{}()\[\]<>]+")
_SURELY = 1.2
"""How many times as much must be of the protocol where letters stand as they are: prose has letters, too."""

_FRONT = re.compile(r"\s*([A-Fa-f][0-9])\s?[:>]\s")
_NAMED = re.compile(r"\s*(\w{1,40}?)_?\d*\s?:")
_LABELLED = re.compile(r"\s*[AB]\s?[>:)=]")
_BASE64 = re.compile(
    r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)"
)

_BASES = {"decimal": numerals.DECIMAL, "octal": numerals.OCTAL, "bits": numerals.BITS}
_READINGS = ("hex", "decimal", "octal", "words", "bits", "base64", *numerals.LETTERS)


class PlainForm:
    """Consecutive bytes: a run of hex, a C array, a Python list, strings with escapes; no offset, side or time."""

    name = "plain"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding:
            return None
        sample = source.beginning()
        fronts = {match[1] for line in sample if (match := _FRONT.match(line))}
        if len(sample) > 3 and len(fronts) == 2 and all(map(_FRONT.match, sample)):
            return None
        if len(sample) > 3 and sum(_LABELLED.match(line) is not None for line in sample) * 10 > 8 * len(sample):
            # the A and B in front name the sides
            return None
        labels = [sides.of_name(match[1]) for line in sample if (match := _NAMED.match(line))]
        if {0, 1} <= set(labels) and len(labels) * 2 > len(sample):
            return None
        if _counting(sample) or are_numbered(sample):
            # the offsets of a dump whose rows were cut, or the numbers of lines
            return None
        best: tuple[float, float, str, bytes] | None = None
        for reading in _READINGS:
            if reading in numerals.LETTERS and not numerals.LETTERS[reading][0].search(sample[0] if sample else ""):
                continue
            made = _all_bare(sample, reading)
            good = sum(data is not None for data in made)
            data = b"".join(data for data in made if data)
            share = good / len(sample) if sample else 0.0
            found = evidence.weigh(data)
            if data and share >= 0.9 and (best is None or (share, found.share) > best[:2]):
                best = (share, found.share, reading, data)
        if best is None:
            return None
        found = evidence.weigh(best[3])
        if not found.is_protocol and best[2] != "hex":
            return None
        if best[2] in numerals.LETTERS and found.share < _SURELY * evidence.enough():
            return None
        if not found.is_protocol and (
            not re.search(r"[A-Fa-f]", "".join(sample[:50]))
            or sum(_SPELT.search(line) is not None for line in sample) * 2 > len(sample)
            or sum(_LITERAL.search(line) is not None for line in sample) * 2 > len(sample)
        ):
            # just numbers, or the texts of a program
            return None
        why = tr("why_plain", count=round(best[0] * len(sample)), of=len(sample), unit=_spoken(best[2]))
        return self._guess(source, found, why, best[2])

    def forced(self, source: Source) -> Guess:
        guess = self.recognise(source)
        return guess or self._guess(source, evidence.weigh(b""), tr("why_forced"), "hex")

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        even = _even(source.head, guess.plan)
        uneven = 0
        for number, (line, _ended) in enumerate(source.lines(), 1):
            if not line.strip():
                continue
            if line.strip() == "*":
                # od without offsets: the number of repetitions of the previous line is unknown
                yield Lost(0, tr("lost_repeated", line=number))
                continue
            data = _bare(line, guess.plan)
            if data is None:
                left.add("left_lines", number)
                uneven = number if re.search(r"\d", line) else 0
            elif data:
                if uneven:
                    yield Lost(0, tr("lost_row", line=uneven))
                yield Chunk(0, 0, data)
                if guess.plan not in numerals.LETTERS and _REPEATED.search(line):
                    yield Lost(0, tr("lost_repeated", line=number))
                uneven = number if even and len(line.rstrip().rstrip(",")) != even else 0
        if source.cut:
            yield Lost(0, tr("lost_tail"))

    def _guess(self, source: Source, found: evidence.Evidence, why: str, reading: str) -> Guess:
        header = Header((source.name, "-"), mode="hex", timed=False)
        merged = found.is_merged or not found.is_protocol
        return Guess(why, header, merged=merged, maybe_merged=True, plan=reading)


def _counting(lines: Sequence[str]) -> bool:
    """Return whether the first number of each line increases by a constant, like offsets."""
    first = [match[1] for line in lines if (match := re.match(r"\s*([0-9A-Fa-f]{4,16})(?![0-9A-Fa-f])", line))]
    if len(first) < 4 or len(first) * 10 < 9 * len(lines):
        return False
    return any(
        len({b - a for a, b in itertools.pairwise(numbers)}) == 1 and numbers[0] != numbers[1]
        for base in (16, 10, 8)
        if (numbers := [number for word in first[:-1] if (number := numerals.offset(word, base)) is not None])
        and len(numbers) == len(first) - 1
    )


_LINE_NUMBERS = (
    re.compile(r"\s*[\[(#]{0,2}(\d{1,6})(?:[\])]\s?[:.]?|[:.])?\s+\S"),
    re.compile(r".*\S\s*(?:[;|(#]|//)\s*#?(\d{1,6})\)?\s*$"),
)
"""The number of a line at its beginning, or behind a sign at its end."""


def are_numbered(lines: Sequence[str]) -> bool:
    """Return whether each line has its number, which is no byte."""
    for place in _LINE_NUMBERS:
        numbers = [int(match[1]) for line in lines if (match := place.match(line))]
        steps = sum(b - a == 1 for a, b in itertools.pairwise(numbers))
        if len(numbers) == len(lines) > _FEW and steps * 10 >= 9 * (len(numbers) - 1):
            return True
    return False


_FEW = 3


def _even(lines: Sequence[str], reading: str) -> int:
    """Return the common length of all lines of bytes but the last, 0 if there is none."""
    rows = [line.rstrip().rstrip(",") for line in lines if re.search(r"[0-9A-Fa-f]{2}", line)][:-1]
    if len(rows) < 4:
        return 0
    length, count = Counter(map(len, rows)).most_common(1)[0]
    usual = next(row for row in rows if len(row) == length)
    return length if len(_bare(usual, reading) or b"") > _FRAMES and count * 10 >= 8 * len(rows) else 0


_FRAMES = 4
"""Bytes of the longest usual line that has only a frame, or a command and its reply; such lines differ in length."""

_REPEATED = re.compile(r"(?<=[0-9A-Fa-f])[,\t ]+\*\s*$")
"""`hexdump -e` without -v puts this behind a byte in place of further bytes like it."""

_LETTERS = re.compile(r"(.*[0-9A-Fa-f])\s+([\[(<'\"].*[\])>'\"])\s*")
"""Bytes and, in brackets, their letters."""


def _spoken(reading: str) -> str:
    """Return a notation in words; one with letters is shown as it is."""
    return reading if reading in numerals.LETTERS else tr(f"notation_{reading}")


def _all_bare(sample: Sequence[str], reading: str) -> list[bytes | None]:
    """Parse lines of only bytes, up to where too many are others."""
    made: list[bytes | None] = []
    others = 0
    for line in sample:
        made.append(_bare(line, reading))
        others += made[-1] is None
        if others * 10 > len(sample):
            break
    return made


_STRINGS = re.compile(r"([bB]?(?<!\\)\"(?:[^\"\\]|\\.)*\"|[bB]?(?<!\\)'(?:[^'\\]|\\.)*')")
"""A quote behind a backslash begins none."""


def _bare(line: str, reading: str) -> bytes | None:
    """Parse a line of only bytes; empty for a line that only opens or closes them, None for any other."""
    if reading in numerals.LETTERS:
        return numerals.of_letters(line, reading)
    if reading == "base64" and _ARMOUR.fullmatch(line):
        return b""
    if reading == "base64":
        return base64.b64decode(line.strip()) if _BASE64.fullmatch(line.strip()) else None
    if (
        _SIZE_LINE.match(line)
        or PROMPT.match(line)
        or _COLUMNS.match(line)
        or _ARMOUR.fullmatch(line)
        or re.match(r"\s*(?:#|//|/\*|\*/|\*\s|;)", line)
    ):
        return b""
    letters = _LETTERS.fullmatch(line)
    if (
        letters is not None
        and (data := _words(letters[1], reading))
        and numerals.shown_beside(data, letters[2].rstrip())
    ):
        return data
    rest = numerals.apart(_WRAPPING.sub(" ", _REPEATED.sub("", line)))
    out = bytearray()
    for piece in _STRINGS.split(rest):
        literal = _LITERAL.fullmatch(piece)
        if literal is not None:
            inside = literal[1][1:-1]
            escaped = "\\" in inside or piece[0] in "bB"
            data = numerals.unescape(inside) if escaped else _words(inside, reading)
        elif piece.startswith("\\x") or "\\x" in piece:
            data = numerals.unescape(piece.strip())
        else:
            data = _words(piece, reading)
        if data is None:
            return None
        out += data
    return bytes(out)


_BESIDE = re.compile(r"([^|\t]*\S)\s*(?:\|{1,2} {0,2}|\t)(.*)")


def _words(text: str, reading: str) -> bytes | None:
    parted = _BESIDE.fullmatch(text) if "|" in text or "\t" in text else None
    if parted is not None and (data := _words(parted[1], reading)) and numerals.shown_beside(data, parted[2].rstrip()):
        # the text column of a dump without offsets
        return data
    out = bytearray()
    for word in (_SPLIT_SIGNED if reading == "decimal" else _SPLIT).split(text):
        if not word:
            continue
        if reading == "words" and not re.match(r"0[xX]|\$", word):
            data = numerals.odd_word(word) if re.fullmatch(r"[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}", word) else None
        else:
            data = numerals.token(word, _BASES.get(reading, numerals.HEX))
        if data is None:
            return None
        out += data
    return bytes(out)
