"""Generates seaboard/font.py from letters.txt, and words*.py and local_words*.py from the PC's message catalogues.

The texts are those of the contexts `board` and `board local` there, in the order of words.txt. In a text # stands for a
number and $ for a byte in hexadecimal. The length limits of texts that have to fit into a place of a panel are below.

`python firmware/source/generate.py` writes the files; with `--check` it writes nothing and exits with status 1 if one
is stale. An error in a source is reported in one line with its place, exit status 2.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

import polib

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "seaboard"
LOCALE = HERE.parents[1] / "host/seabattle_host/language/locale"
CATALOGUE = "LC_MESSAGES/seabattle.po"

WIDTH = 5
HEIGHT = 8
# Code ranges that have glyphs: icons, ASCII, А-п, р-я with Ё and ё, №.
RANGES = ((1, 0x0B), (0x20, 0x7F), (0x80, 0xB0), (0xE0, 0xF2), (0xFC, 0xFD))
# Russian letters that look like English ones, one for one.
LIKE = dict(zip("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx", strict=True))

MENU_ITEM = re.compile(r"[MGPS]_|A_(LINE|CLASSIC|SALVO|MELEE)|Q_NO|Q_YES|C_(WRITE|\d)|L_(FIRE|ITS_FIELD|NEW)$")
MENU_MOST = 13
BATTLE_WORD = re.compile(r"B_(MISS|HIT|SUNK|REPEAT)|E_(PLACE|TURN|LIFT|START)")
BATTLE_MOST = 5
# Toasts: one row of the smallest panel, and in battle half a row of the largest.
MOMENT = re.compile(r"E_[A-Z]+(_[A-Z]+)*$|L_(NO_GUNS|FIRED_AT|AIM_FIRST|OWN|TURN)")
MOMENT_MOST = 16
BATTLE_MOMENT = re.compile(r"B_(NOT_NOW|KNOWN)|C_(SENT|LOST)|N_RESUMED|H_MENU_ESC")
BATTLE_MOMENT_MOST = 10
WAITING = re.compile(r"W_")
WAITING_WIDTH, WAITING_LINES = 20, 2  # room on a character panel between heading and hint
NARROW = 7  # the box beside a field on the narrowest graphic panel
# Headings and hints: one row of the narrowest panel. So are toasts over a list.
ROW = re.compile(r"(.*_)?TITLE$|L_(VARIANTS|ASK_FIRE)|Q_|[HX]_(?!FAULT)|N_OK|N_NICK_LOST|CLEARED|A_NO|C_(NONE|LATER)")
ROW_MOST = 14
KEYS = re.compile(r"K_")
KEYS_MOST = 6  # two of them with their signs fit a row of the smallest panel
LIMITS = (
    (KEYS, KEYS_MOST),
    (MENU_ITEM, MENU_MOST),
    (BATTLE_WORD, BATTLE_MOST),
    (BATTLE_MOMENT, BATTLE_MOMENT_MOST),
    (ROW, ROW_MOST),
    (MOMENT, MOMENT_MOST),
)


class Fault(Exception):
    """An error in a source file, with its place."""


def glyphs(text: str) -> tuple[dict[str, bytes], dict[int, str]]:
    """Return two tables of the drawings.

    They are name -> five column bytes (bit 0 on top) of each, and code -> name for names with their own code.
    """
    drawings: dict[str, bytes] = {}
    codes: dict[int, str] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("= "):
            continue
        names = [name for name in line[2:].split(" ") if name]
        rows = [row.split() for row in lines[number + 1 : number + 1 + HEIGHT]]
        if any(len(row) != len(names) or any(len(part) != WIDTH for part in row) for row in rows):
            raise Fault(f"letters.txt:{number + 1}: every row below needs {len(names)} parts of {WIDTH} signs")
        for i, name in enumerate(names):
            if re.fullmatch(r"[0-9A-F]{2}:\w+", name):
                codes[int(name[:2], 16)] = name
            drawings[name] = bytes(sum((rows[y][i][x] == "#") << y for y in range(HEIGHT)) for x in range(WIDTH))
    return drawings, codes


def font(text: str) -> str:
    """Return the source of seaboard/font.py."""
    drawings, codes = glyphs(text)
    rows = []
    for low, high in RANGES:
        for code in range(low, high):
            letter = codes.get(code) or bytes([code]).decode("cp866")
            letter = LIKE.get(letter, letter)
            if letter not in drawings:
                raise Fault(f"letters.txt: no drawing for {letter!r} (code {code:02X})")
            rows.append("".join(f"\\x{byte:02x}" for byte in drawings[letter]))
    packed = "\n".join(f'    b"{"".join(rows[i : i + 5])}"' for i in range(0, len(rows), 5))
    return f'''"""Letters, figures and signs, 5 columns by 8 rows; made from source/letters.txt by generate.py."""

GLYPHS = (
{packed}
)

# The figures 0..10 (ten as X), 3 columns by 5 rows, for the narrow strip between two fields.
SMALL = (
    b"\\x1f\\x11\\x1f\\x00\\x1f\\x00\\x1d\\x15\\x17\\x15\\x15\\x1f\\x07\\x04\\x1f\\x17\\x15\\x1d"
    b"\\x1f\\x15\\x1d\\x01\\x01\\x1f\\x1f\\x15\\x1f\\x17\\x15\\x1f\\x1b\\x04\\x1b"
)


def glyph(code: int) -> int:
    """Return the index in GLYPHS of a code's five columns (bit 0 is the top row).

    Codes are those of code page 866, with our own signs at 1..10; a code without a drawing is shown as `?`.
    """
{places()}
'''


def places() -> str:
    """Return the statements of glyph(): the widest range first, codes without a drawing last."""
    before: dict[tuple[int, int], int] = {}
    for part in RANGES:
        before[part] = sum(high - low for low, high in before)
    lines = []
    for low, high in sorted(RANGES, key=lambda part: part[0] - part[1]):
        test = f"{low} <= code < {high}" if high - low > 1 else f"code == {low}"
        lines += [f"    if {test}:", f"        return (code - {low - before[low, high]}) * {WIDTH}"]
    unknown = next(before[part] + ord("?") - part[0] for part in RANGES if part[0] <= ord("?") < part[1])
    return "\n".join([*lines, f"    return {unknown} * {WIDTH}"])


def groups(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return context -> group and name of each of its texts, in the order of words.txt."""
    found: dict[str, list[tuple[str, str]]] = {}
    context, group = "", ""
    for line in text.splitlines():
        if line.startswith("= "):
            context = line[2:]
            found[context] = []
        elif line.startswith("- "):
            group = line[2:]
        elif context:
            found[context] += [(group, name) for name in line.split()]
    return found


def entries(context: str, locale: Path = LOCALE) -> list[tuple[str, str, str, str]]:
    """Return group, name, English and Russian of every text of a catalogue context, in the order of words.txt."""
    order = groups((HERE / "words.txt").read_text(encoding="utf-8"))[context]
    names = {name for _group, name in order}
    catalogues = []
    for language in ("en", "ru"):
        entries = polib.pofile(str(locale / language / CATALOGUE))
        texts = {entry.msgid: entry.msgstr for entry in entries if entry.msgctxt == context}
        for name in sorted(texts.keys() ^ names):
            raise Fault(
                f"{context}: {name} is in the catalogue {language} and not in words.txt"
                if name in texts
                else f"{context}: {name} of words.txt is not in the catalogue {language}"
            )
        catalogues.append(texts)
    english, russian = catalogues
    return [checked(group, name, english[name], russian[name]) for group, name in order]


def checked(group: str, name: str, english: str, russian: str) -> tuple[str, str, str, str]:
    """Return the text if it fits where it is shown; raise Fault otherwise."""
    if not english or not russian:
        raise Fault(f"{name}: no text")
    if english.count("#") != russian.count("#") or english.count("$") != russian.count("$"):
        raise Fault(f"{name}: both languages need the same # and $")
    most = next((most for pattern, most in LIMITS if pattern.match(name)), 1000)
    for text in (english, russian):
        if len(text) > most:
            raise Fault(f"{name}: {text!r} has more than {most} letters")
        if WAITING.match(name) and len(textwrap.wrap(text, WAITING_WIDTH)) > WAITING_LINES:
            raise Fault(f"{name}: {text!r} takes more than {WAITING_LINES} lines")
        if (name[:2] == "E_" or MOMENT.match(name) and name[:2] == "L_") and max(map(len, text.split())) > NARROW:
            raise Fault(f"{name}: {text!r} has a word of more than {NARROW} letters")
    return group, name, english, russian


def words(found: list[tuple[str, str, str, str]], about: str = "", first: int = 0) -> str:
    """Return the source of seaboard/words.py, or of another module with texts whose numbers begin at `first`."""
    lines = []
    group = None
    for code, (its_group, name, _english, _russian) in enumerate(found, first):
        if its_group != group:
            group = its_group
            lines.append(f"\n# {group[0].upper()}{group[1:]}.")
        lines.append(f"{name} = const({code})")
    names = "\n".join(lines).lstrip()
    return f'''"""Numbers of the board's texts{about}; generated from the catalogues by source/generate.py.

The texts are in the modules with the same name and a language appended.
"""

from seabattle.const import const

{names}

TEXTS = const({first + len(found)})
'''


def texts(found: list[str], about: str, language: str) -> str:
    """Return the source of the module with the texts of a language."""
    return f'''"""The board's texts{about}, in {language}; generated from the catalogues by source/generate.py.

Code page 866, a zero byte after each text.
"""

TEXTS = (
{packed(found)}
)
'''


def packed(texts: list[str]) -> str:
    """Return lines of a bytes literal that holds all the texts."""
    lines = []
    line = ""
    for text in texts:
        for byte in [*text.encode("cp866"), 0]:
            char = chr(byte)
            piece = char if 32 <= byte < 127 and char not in '"\\\\' else f"\\x{byte:02x}"
            if len(line) + len(piece) > 110:
                lines.append(f'    b"{line}"')
                line = ""
            line += piece
    lines.append(f'    b"{line}"')
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Write or check the files; returns the exit status."""
    try:
        made = {"font.py": font((HERE / "letters.txt").read_text(encoding="utf-8"))}
        first = 0
        for module, context, about in (("words", "board", ""), ("local_words", "board local", " in the other games")):
            found = entries(context)
            made[f"{module}.py"] = words(found, about, first)
            made[f"{module}_en.py"] = texts([english for _g, _n, english, _r in found], about, "English")
            made[f"{module}_ru.py"] = texts([russian for _g, _n, _e, russian in found], about, "Russian")
            first += len(found)
    except Fault as fault:
        print(f"generate.py: {fault}", file=sys.stderr)
        return 2
    stale = [name for name, source in made.items() if not same(TARGET / name, source)]
    if "--check" in argv:
        for name in stale:
            print(f"generate.py: seaboard/{name} is stale: run firmware/source/generate.py", file=sys.stderr)
        return bool(stale)
    for name in stale:
        (TARGET / name).write_text(made[name], encoding="utf-8")
    return 0


def same(path: Path, source: str) -> bool:
    """Return whether the file already has this content."""
    return path.exists() and path.read_text(encoding="utf-8") == source


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
