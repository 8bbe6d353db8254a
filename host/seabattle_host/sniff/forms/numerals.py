"""Bytes as text: hex in all notations, decimal, octal, strings with escapes; and text columns of dumps."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import lru_cache

HEX, DECIMAL, OCTAL, BITS, BASE64 = 16, 10, 8, 2, 64
BASES = (HEX, DECIMAL, OCTAL, BITS)
"""Notations of bytes, hex first."""

REMEMBERED = 1 << 13
"""How many results are remembered of what is parsed: the same text is tried in many ways."""

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
_ESCAPED = r"\\(?:x([0-9A-Fa-f]{1,2})|u00([0-9A-Fa-f]{2})|(%s)|(M?\^[?-_]|M-[ -~])|(.))"
_ESCAPE = re.compile(_ESCAPED % "[0-7]{1,3}", re.DOTALL)
_ESCAPE_DECIMAL = re.compile(_ESCAPED % r"\d{1,3}", re.DOTALL)

NUMBER = re.compile(r"0[xX]([0-9A-Fa-f]{1,2})(?![0-9A-Fa-f])|0[oO]?([0-7]{3})|(\d{1,3})")


def unescape(text: str, decimal: bool = False) -> bytes | None:
    """Decode a string literal with C escapes; None for characters that are no bytes. decimal: its numbers are."""
    out = bytearray()
    place = 0
    try:
        while place < len(text):
            escape = (_ESCAPE_DECIMAL if decimal else _ESCAPE).match(text, place)
            if escape is None:
                out += text[place].encode("latin-1")
                place += 1
                continue
            if escape[1] or escape[2]:
                out.append(int(escape[1] or escape[2], 16))
            elif escape[3]:
                out.append(int(escape[3], 10 if decimal else 8))
            elif escape[4]:
                out.append(_caret(escape[4]))
            else:
                out.append(_SIMPLE[escape[5]])
            place = escape.end()
    except (ValueError, KeyError, UnicodeEncodeError):
        return None
    return bytes(out)


_NAMES = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split()
_NAMED = {name: value for value, name in enumerate(_NAMES)} | {"TAB": 9, "NL": 10, "NP": 12, "DEL": 127, "SP": 32}
_BRACKETED = r"{0}(?:0[xX])?([0-9A-Fa-f]{{2}})[hH]?{1}"
_BY_NAME = 32
_HEX_PAIR = r"([0-9A-Fa-f]{2})"

LETTERS: dict[str, tuple[re.Pattern[str], int]] = {
    name: (re.compile(pattern), base)
    for name, pattern, base in (
        ("<AA>", _BRACKETED.format("<", ">"), HEX),
        ("[AA]", _BRACKETED.format(r"\[", r"\]"), HEX),
        ("{AA}", _BRACKETED.format(r"\{", r"\}"), HEX),
        ("<SOH>", r"[<{\[]([A-Z][A-Z0-9]{1,2}|[0-9A-Fa-f]{2})[>}\]]", _BY_NAME),
        ("<170>", r"[<{\[](\d{1,3})[>}\]]", DECIMAL),
        ("#170", r"#(\d{1,3})(?!\d)", DECIMAL),
        ("&#170;", r"&#(\d{1,3});", DECIMAL),
        ("&#xAA;", r"&#[xX]([0-9A-Fa-f]{1,2});", HEX),
        ("\\xAA", r"\\(?:[xX]|u00)" + _HEX_PAIR, HEX),
        ("\\252", r"\\([0-3][0-7]{2})", OCTAL),
        ("\\170", r"\\(\d{1,3})", DECIMAL),
        ("\\x{AA}", r"\\x\{([0-9A-Fa-f]{1,2})\}", HEX),
        ("\\AA", r"\\([0-9A-F]{2})", HEX),
        ("%AA", "%" + _HEX_PAIR, HEX),
        ("=AA", "=" + _HEX_PAIR, HEX),
        ("$AA", r"\$" + _HEX_PAIR, HEX),
        ("~A", r"~?\^[?-_]|~[ -~]", 0),
        ("^A", r"(?:M-)?\^[?-_]|M-[ -~]", 0),
    )
}
"""Notations of text in which only what is no letter is written as a number."""


_OPENED = re.compile(r"[<\[{](?:0[xX])?[0-9A-Fa-f]")
"""A number of which the end is missing."""


def of_letters(text: str, notation: str) -> bytes | None:
    """Decode a text in such a notation; None if it is not in it."""
    pattern, base = LETTERS[notation]
    out = bytearray()
    place = 0
    while place < len(text):
        found = pattern.match(text, place)
        if found is None:
            if not " " <= text[place] <= "~" or _OPENED.match(text, place):
                return None
            out += text[place].encode()
            place += 1
            continue
        value = _caret(found[0]) if not base else _letter_value(found[1], base)
        if value is None or value > 255:
            return None
        out.append(value)
        place = found.end()
    return bytes(out)


def _letter_value(text: str, base: int) -> int | None:
    if base == _BY_NAME:
        return _NAMED.get(text, offset(text, HEX))
    return int(text, base)


def _caret(text: str) -> int:
    """Return a byte as `cat -v` shows it: `^A`, `M-*`, `M-^A`; or kdump: `M^A`; or kermit: `~*`, `~^A`."""
    high = text[:1] in ("M", "~")
    bare = re.sub("^(?:M-?|~)", "", text)
    value = ord(bare[1]) ^ 64 if len(bare) == 2 else ord(bare)
    return value | 128 * high


def of_digits(text: str) -> bytes | None:
    """Decode a text of hex digits only, two per byte; None if it is none."""
    return bytes.fromhex(text) if len(text) % 2 == 0 and re.fullmatch(r"[0-9A-Fa-f]*", text) else None


def shown_beside(data: bytes, text: str) -> bool:
    """Return whether a text is a dump's text column for these bytes.

    Printable ones stand there as they are, others as a placeholder.
    """
    text = text.rstrip("\r\n")
    for quotes in ("||", "><", "[]", "''", '""', "()"):
        if len(text) >= 2 and text[0] == quotes[0] and text.rstrip()[-1] == quotes[1]:
            text = text.rstrip()[1:-1]
            break
    if len(text) > len(data) or not data:
        # spaces after a short last line
        if text[len(data) :].strip() or not data:
            return False
        text = text[: len(data)]
    if len(text) < len(data) and data[len(text) :].strip(b" "):
        return False
    return all(
        letter == chr(byte) if 33 <= byte < 127 else not (letter.isascii() and letter.isalnum())
        for letter, byte in zip(text, data, strict=False)
    )


BRACKETS = dict(zip("|><[('\"`{│", "|<>])'\"`}│", strict=True))


def shown_first(data: bytes, text: str) -> int:
    """Return how many characters of a text are a dump's text column for these bytes.

    It stands after a wide gap or in brackets.
    """
    bare = text.lstrip(" \t\xa0")
    place = len(text) - len(bare)
    wide = place > 1 or text[:1] == "\t"
    closing = BRACKETS.get(bare[:1], "")
    for begin in (1,) * bool(closing) + (0,) * wide:
        shown, behind = bare[begin : begin + len(data)], bare[begin + len(data) :][:1]
        good = behind == closing if begin else not behind.isalnum()
        if good and len(shown) == len(data) and shown_beside(data, shown):
            return place + begin + len(data) + begin
    return len(text) if wide and shown_beside(data, bare) else 0


_JOINED = re.compile(
    r"(?<![\w./])(?=[\d_./]*[A-Fa-f])[0-9A-Fa-f]{2}(?:([_./])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2})*(?![\w./])"
)
"""Bytes joined by dots, strokes or underscores; the protocol's first frames all contain a hex letter."""

_GROUPED = re.compile(
    r"(?<![\w.])(?:0[xX](?P<hex>[0-9A-Fa-f]{2}(?:_[0-9A-Fa-f]{2})+)"
    r"|(?P<bits>[01]{8}(?:_[01]{8})+)|0[bB](?P<halves>[01]{4}(?:_?[01]{4})+))(?![\w.])"
)
"""Underscores of program text between digits: `0xAA_01`, `0b1010_1010`, `10101010_00000001`."""

_RUN = re.compile(
    r"(?<!\w)(?:(?:[0-9A-Fa-f]{2}[hH]){2,}|(?:0[xX][0-9A-Fa-f]{2}){2,}|(?<![^\s:=,\[(>])(?:\\[0-3][0-7]{2}){2,})(?!\w)"
)
_TAIL = re.compile(
    r"(?:^|(?<=[\s\"':=,;|\[(]))((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}))[\"',;)\]}|\s]*$"
)


_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_AROUND = re.compile(r"(?:\w+[=:](?!=*$))?[\"'(\[<]*(.*?)[\"')\]>,;]*")


def base64_word(line: str, number: int) -> tuple[int, bytes] | None:
    """Return where the word of this number begins, if it is base64, and its bytes; None if it is not."""
    for n, word in enumerate(re.finditer(r"\S+", line)):
        if n == number:
            bare = _AROUND.fullmatch(word[0])
            good = bare is not None and _BASE64.fullmatch(bare[1])
            return (word.start(), base64.b64decode(bare[1])) if bare and good else None
    return None


def base64_tail(line: str) -> tuple[int, bytes] | None:
    """Return where base64 at the end of a line begins, and its bytes; None if there is none."""
    found = _TAIL.search(line)
    return (found.start(1), base64.b64decode(found[1])) if found else None


_UNICODE = re.compile(r"(?<![^\s:=>,\[(])(?:\\u00[0-9A-Fa-f]{2})+(?![^\s,\])])")
_ASSEMBLER = re.compile(r"(?<!\w)0([A-Fa-f][0-9A-Fa-f][hH])(?!\w)")
"""Assemblers require a digit before a letter."""
_OF_RUN = re.compile(r"0[xX]..|\\...|..[hH]")


@lru_cache(REMEMBERED)
def apart(text: str) -> str:
    r"""Separate bytes that are run together, and rewrite some notations as plain hex.

    Run together: `AA.01`, `AA_01`, `AAh01h`, `0xAA0x01`, `\252\001`; rewritten: `\u00aa` and `0AAH`.
    """
    if ")" in text:
        text = _VALUES.sub(lambda run: " " + " ".join(map(_value, _VALUE.findall(run[0]))), text)
    if "0" in text or "1" in text:
        text = _PREFIXED.sub(_whole_byte, text)
    if "dtype=" in text:
        text = _DTYPE.sub("", text)
    if "\\x{" in text:
        text = _PERL.sub(r"0x\1", text)
    if "<Buffer " in text:
        text = text.replace("<Buffer ", "[")
    if "_" in text:
        text = _GROUPED.sub(_ungrouped, text)
    if "." in text or "_" in text or "/" in text:
        text = _JOINED.sub(lambda run: re.sub("[_./]", " ", run[0]), text)
    if any(mark in text for mark in "hHxX\\"):
        text = _ASSEMBLER.sub(r"\1", text)
        text = _RUN.sub(lambda run: " ".join(_OF_RUN.findall(run[0])), text)
    if "\\u00" in text:
        text = _UNICODE.sub(lambda run: run[0].replace("\\u00", " ").lstrip(), text)
    return text


def _ungrouped(run: re.Match[str]) -> str:
    if run["hex"]:
        return run["hex"].replace("_", " ")
    digits = (run["bits"] or run["halves"]).replace("_", "")
    return run[0] if len(digits) % 8 else " ".join(digits[n : n + 8] for n in range(0, len(digits), 8))


def characters(text: str) -> str:
    """Rewrite bytes as slsnif prints them, `A (065) . (010)`, or avrdude, `. [aa] . [01]`, as numbers."""
    if "] " in text:
        text = _BOXES.sub(lambda run: " ".join(_BOX.findall(run[0])), text)
    return _CHARACTERS.sub(lambda run: " ".join(_CHARACTER.findall(run[0])), text) if ")" in text else text


_CHARACTERS = re.compile(r"(?<!\S)\S \(\d{3}\)(?: +\S \(\d{3}\))*(?!\S)")
_CHARACTER = re.compile(r"\((\d{3})\)")
_BOXES = re.compile(r"(?<=\s)[ -~] \[[0-9A-Fa-f]{2}\](?: [ -~] \[[0-9A-Fa-f]{2}\])* ?$")
_BOX = re.compile(r"\[([0-9A-Fa-f]{2})\]")
_DTYPE = re.compile(r",\s*dtype=[\w.']+")
_PREFIXED = re.compile(r"(?<!\w)(?:0[oO]([0-7]{1,3})|0[bB]([01]{1,8})|([01]{4})[_']([01]{4}))(?!\w)")


def _whole_byte(number: re.Match[str]) -> str:
    """Return an octal or binary byte with all digits."""
    if number[1]:
        return "0" + number[1]
    return f"{number[2]:0>8}" if number[2] else number[3] + number[4]


_PERL = re.compile(r"\\x\{([0-9A-Fa-f]{2})\}")
_VALUE = re.compile(r"(?:[A-Z][A-Z\d]{1,2}|\S)?\((\d{3}|0[xX][0-9A-Fa-f]{2})\)")
_VALUES = re.compile(rf"(?<=[>:=])\s+(?:{_VALUE.pattern}\s*)+$")
"""Letters with their values behind them, or these alone: `A(065) SOH(001)`."""


def _value(digits: str) -> str:
    return digits if digits[1] in "xX" else f"0x{int(digits) & 0xFF:02x}"


_HEX_RUN = re.compile(r"(?:0[xX]|\\[xX]|\$|#|&[hH]|h)?([0-9A-Fa-f]+)([hH])?")


def hex_token(word: str, single: bool = False) -> bytes | None:
    """Parse a word in hex: `aa`, `0xAA`, `$AA`, `AAh`, `aa01a1`; with `single` also `a`."""
    match = _HEX_RUN.fullmatch(word)
    if match is None:
        return None
    digits = match[1]
    if match[2] and len(digits) == 3 and digits[0] == "0":
        # assemblers require a digit in front
        digits = digits[1:]
    if len(digits) % 2:
        dressed = len(word) != len(digits)
        if len(digits) == 1 and (single or dressed):
            return bytes((int(digits, 16),))
        return None
    return bytes.fromhex(digits)


_BITS = re.compile(r"(?:0[bB])?([01]{8})|0[bB]([01]{1,8})")
_OCTAL = re.compile(r"(?:0[oO]?|\\)?([0-3][0-7]{2})")


def token(word: str, base: int) -> bytes | None:
    """Parse a word in a base: 16, 10, 8 (three digits per byte) or 2 (eight); hex with a prefix is accepted in any."""
    if base == HEX or word[:2] in ("0x", "0X") or word[:1] == "$":
        return hex_token(word, single=True)
    if base == DECIMAL:
        value = number_token(word, base)
        return bytes((value,)) if value is not None else None
    match = (_BITS if base == BITS else _OCTAL).fullmatch(word)
    return bytes((int(match[match.lastindex or 1], base),)) if match else None


def number_token(word: str, base: int) -> int | None:
    """Parse a byte in decimal or octal, None if it is none."""
    try:
        value = int(word, base)
    except ValueError:
        return None
    if base == DECIMAL and -128 <= value < 0:
        return value + 256
    return value if 0 <= value <= 255 else None


def odd_word(text: str) -> bytes | None:
    """Parse an incomplete last word of xxd -e: `7aa7a7` stands for A7 A7 7A."""
    return bytes.fromhex(text)[::-1] if len(text) % 2 == 0 else None


def offset(text: str, base: int) -> int | None:
    """Parse a number in a base, None if it is none."""
    try:
        return int(text, base)
    except ValueError:
        return None


_UNIT = r"\s?(us|µs|мкс|ms|мс|ns|нс)(?!\w)"
_BETWEEN_THREES = {",": _UNIT, ".": _UNIT, " ": _UNIT, "'": "()", "\xa0": "()", "\u202f": "()"}
"""Possible thousands separators, and what must follow so that these are no bytes."""
_THREES_MOST = 400
"""Characters of a line in which the number is."""


def thousands(sample: Sequence[str]) -> str:
    """Return the thousands separator.

    Numbers increase from line to line with it, but not if it were a decimal point.
    """
    sample = [line[:_THREES_MOST] for line in sample]
    for between, behind in _BETWEEN_THREES.items():
        number = re.compile(rf"(?<![\w,.'])(\d{{1,3}})((?:{re.escape(between)}\d{{3}})*)(?![\d,.']){behind}")
        found = [match for line in sample if (match := number.search(line))]
        parts = [[match[1], *match[2].split(between)[1:]] for match in found]
        if len(found) * 10 < 9 * len(sample) or max(map(len, parts), default=0) < 2:
            continue
        whole = [int("".join(part)) for part in parts]
        fractions = [float(part[0] + "." + "".join(part[1:])) for part in parts]
        pointed = between in ",." and max(map(len, parts)) == 2 and fractions == sorted(fractions)
        small = found[-1][3] in ("us", "µs", "мкс") and fractions[-1] < _FASTEST * len(parts)
        if whole == sorted(whole) and (small or not pointed):
            return between
    return ""


_FASTEST = 50
"""Microseconds per line; no serial line is faster."""


def thousands_of(cells: Sequence[str], delimiter: str, scale: float) -> str:
    """Return the thousands separator of the times. cells: times of a table; scale: microseconds of their unit."""
    for between in (",", ".", "'", " ", "\xa0", "\u202f"):
        number = re.compile(rf"\d{{1,3}}(?:{re.escape(between)}\d{{3}})*")
        if len(cells) < 3 or between == delimiter or not all(number.fullmatch(cell) for cell in cells):
            continue
        most = max(cell.count(between) for cell in cells)
        whole = [int(cell.replace(between, "")) for cell in cells]
        pointed = [float(cell.replace(between, ".", 1).replace(between, "")) for cell in cells]
        # 0,999 s is a fraction, but 999 followed by 1,250 is not
        if most > 1 or (most and whole == sorted(whole) and (pointed != sorted(pointed) or between not in ",.")):
            return between
        if most and scale <= 1 and pointed[-1] * scale < 50 * len(cells):
            # faster than any serial line
            return between
    return ""


def together(line: str, between: str) -> str:
    """Remove the thousands separators from the first large number of a line."""
    number = re.compile(rf"(?<![\w,.'])[1-9]\d{{0,2}}(?:{re.escape(between)}\d{{3}})+(?![\d,.'])")
    return number.sub(lambda match: match[0].replace(between, ""), line, count=1)


_HALF = re.compile(r"[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})*(?=\s{2}|\t)")


def goes_on(data: bytes | bytearray, text: str) -> bool:
    """Return whether a text after a wide gap is the second half of a row, followed by the text column of both."""
    half = _HALF.match(text)
    return half is not None and shown_first(bytes(data) + bytes.fromhex(half[0]), text[half.end() :]) > 0
