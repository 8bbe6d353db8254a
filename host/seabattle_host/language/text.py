"""Letters between people and the wire, and names of cells.

On the wire a letter is a byte of code page 866. A nick that we send is plain ASCII unless asked otherwise, since
some programs take other bytes for commands. Terminals that cannot show Russian letters get them transliterated.
"""

from __future__ import annotations

import codecs
import contextlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from seabattle import wire

COLUMNS_EN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMNS_RU = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪ"
"""Column letters from the left; the Russian ones leave out Ё and Й."""

LETTERS = {
    "latin": COLUMNS_EN,
    "russian": COLUMNS_RU,
    "russian-yo": COLUMNS_RU.replace("Е", "ЕЁ")[:-1],
    "respublika": "РЕСПУБЛИКА",
    "snegurochka": "СНЕГУРОЧКА",
}
"""The choices of column letters by name; the last two are words in which no letter comes twice."""

_ALIKE = dict(zip("АВЕКМНОРСТУХ" + "ABEKMHOPCTYX", "ABEKMHOPCTYX" + "АВЕКМНОРСТУХ", strict=True))
"""A capital letter -> the one of the other alphabet that looks the same."""

_LATIN = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya".split(),
        strict=True,
    )
)
_LATIN["ъ"] = _LATIN["ь"] = ""
_LATIN.update({"«": '"', "»": '"', "„": '"', "“": '"', "”": '"', "’": "'", "–": "-", "—": "-", "…": "...", "№": "No"})
_LATIN.update({"·": ".", "•": "*", "×": "x", "±": "+-", "\u00a0": " ", "→": "->", "←": "<-", "█": "#", "░": "."})
_LATIN.update(dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+"))
_LATIN.update(dict.fromkeys("─━┄┅┈┉╌╍═╴╶╸╺▁▂▃▄▅▆▇", "-"))
_LATIN.update(dict.fromkeys("│┃┆┇┊┋╎╏║╵╷╹╻▉▊▋▌▍▎▏▐▕", "|"))
_LATIN.update({"●": "*", "○": "o", "▸": ">", "◂": "<", "▲": "^", "▼": "v", "▒": "+", "▓": "+"})
_LATIN.update({"►": ">", "◄": "<", "⇒": "=>", "⇐": "<=", "■": "#", "▀": "-", "⠿": ":", "µ": "u", "¦": "|"})
_LATIN.update({"⛔": "X", "💣": "*"})

_ERROR_HANDLER = "seabattle"

FILE_MOST = 1 << 24
"""Bytes of a game or of fields in a file at the most."""


def read_file(path: Path) -> str:
    """The text of a file in UTF-8, with a byte order mark or without.

    Raises OSError, and ValueError if it is none, or larger than FILE_MOST: a device may have no end.
    """
    with open(path, "rb") as file:
        data = file.read(FILE_MOST + 1)
    if len(data) > FILE_MOST:
        raise ValueError("too large")
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def transliterate(text: str) -> str:
    """`text` in ASCII letters as far as that goes: Russian is transliterated, accents are dropped.

    Lines and blocks of a screen become signs of the same width. What has no ASCII likeness is left as it is.
    """
    out = []
    for char in unicodedata.normalize("NFC", text):
        if char in _LATIN:
            out.append(_LATIN[char])
        elif char.lower() in _LATIN:
            out.append(_LATIN[char.lower()].capitalize())
        elif ord(char) < 128:
            out.append(char)
        else:
            plain = "".join(c for c in unicodedata.normalize("NFKD", char) if ord(c) < 128)
            out.append(plain or char)
    return "".join(out)


def _unencodable(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler for terminals: transliterate, and escape what even that cannot show."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    likeness = transliterate(error.object[error.start : error.end])
    return likeness.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(_ERROR_HANDLER, _unencodable)


_LONG_WORD = re.compile(r"(\S{150})\S{60,}(\S{90})")
"""Longer than the path of a file is: somebody pasted it, or a program made it."""


def in_one_line(text: str) -> str:
    """`text` with everything that is no letter, sign or space as an escape: ends of lines, what moves a cursor.

    Of a very long word only the ends are shown, so that what is said of it does not scroll away.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return _LONG_WORD.sub(r"\1...\2", shown)


def make_printable(stream: object) -> None:
    """Let a text stream print any letter: what its encoding lacks is transliterated instead of raising.

    Streams that cannot be changed (a test's capture, a GUI's console) are left alone.
    """
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors=_ERROR_HANDLER)


def encode_chat(text: str) -> list[bytes]:
    """A chat line as the texts of as many frames as it needs, 1..64 bytes each, cut between words where possible.

    Letters that code page 866 lacks are transliterated or escaped. An empty line, or one of spaces only (which is a
    probe on the wire), gives no frame. What a plain locale could not read of the command line is taken for UTF-8.
    """
    with contextlib.suppress(UnicodeEncodeError):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    words = unicodedata.normalize("NFC", " ".join(text.split()))
    rest = words.encode("cp866", _ERROR_HANDLER)
    parts = []
    while rest:
        cut = len(rest)
        if cut > wire.TEXT_MAX:
            cut = rest.rfind(b" ", 1, wire.TEXT_MAX + 1)
            if cut < 0:
                cut = wire.TEXT_MAX
        parts.append(rest[:cut])
        rest = rest[cut:].lstrip()
    return parts


def decode(data: bytes | bytearray | memoryview) -> str:
    """Bytes of a received nick or text as letters that are safe to show: padding is cut, control codes are dots."""
    text = bytes(data).rstrip(b"\x00 ").decode("cp866")
    return "".join(char if char.isprintable() else "·" for char in text)


def language_of(text: str) -> str:
    """The language that the letters of a text tell of, empty where they tell of none."""
    return "ru" if any("а" <= char <= "я" or char == "ё" for char in text.lower()) else ""


def columns_of(language: str) -> str:
    """The usual letters of the columns in a language."""
    return COLUMNS_RU if language == "ru" else COLUMNS_EN


def cell_name(x: int, y: int, russian: bool = False, letters: str = "") -> str:
    """`B7` or `Б7` for column x and row y, both counted from 1; a column beyond the letters is named by its number.

    letters: of the columns, where they are not the usual ones of the language.
    """
    columns = letters or (COLUMNS_RU if russian else COLUMNS_EN)
    return f"{columns[x - 1]}{y}" if 1 <= x <= len(columns) else f"({x},{y})"


def cell_parts(text: str) -> tuple[str, str]:
    """The capital letter and the digits of a typed cell, in whatever order; two empty strings if it is none."""
    plain = "".join(text.split()).replace("-", "").upper()
    if plain[:1].isdigit():
        plain = plain[-1] + plain[:-1]
    letter, number = plain[:1], plain[1:]
    named = letter.isalpha() and number.isascii() and number.isdigit() and len(number) <= 2
    return (letter, number) if named else ("", "")


def look_alike(text: str, letters: str) -> str:
    """The letter of a typed cell if it is of another alphabet than `letters` but looks like one of them that names
    another column, so that nobody can know which one is meant; else an empty string."""
    letter, _ = cell_parts(text)
    double = _ALIKE.get(letter, "")
    if not letter or letter in letters or not double or double not in letters:
        return ""
    return "" if _usual_column(letter) == letters.index(double) + 1 else letter


def typed_in(cells: Iterable[str], letters: str) -> str:
    """The letters to read cells by that were typed in one line: an empty string for either alphabet where one of them
    can only be of another alphabet than `letters`, so that the others are of that one too."""
    named = {cell_parts(cell)[0] for cell in cells}
    return "" if any(letter and letter not in letters and letter not in _ALIKE for letter in named) else letters


def other_reading(text: str) -> str:
    """A typed cell with its letter as that of the other alphabet which looks the same; an empty string without one."""
    letter, number = cell_parts(text)
    return _ALIKE.get(letter, "") and _ALIKE[letter] + number


def parse_cell(text: str, size: int, letters: str = "") -> tuple[int, int] | None:
    """Column and row, from 1, of a typed cell on a field of `size` cells a side; None if it names none.

    Letter-number or number-letter, upper or lower case, spaces and a hyphen between. letters: of the columns as they
    are shown; a letter of the other alphabet is taken for its usual column, but not one that `look_alike` names.
    Without them a letter of either alphabet is.
    """
    letter, number = cell_parts(text)
    if not letter:
        return None
    if letter in letters:
        x = letters.index(letter) + 1
    elif look_alike(text, letters) or (letters and letters not in (COLUMNS_EN, COLUMNS_RU, LETTERS["russian-yo"])):
        return None
    else:
        x = _usual_column(letter)
    y = int(number)
    return (x, y) if 1 <= x <= size and 1 <= y <= size else None


def _usual_column(letter: str) -> int:
    """The column of a letter, from 1, in whichever alphabet it is; 0 for none."""
    return 1 + (COLUMNS_EN.find(letter) if letter in COLUMNS_EN else COLUMNS_RU.find(letter))
