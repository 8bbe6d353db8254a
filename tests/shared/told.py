"""Fleets, answers and the knowledge of a field, written as text.

Cells are named as players do, B3 in column B, row 3 from the top. The answer follows a shot's cell: `o` a
miss, `x` a hit, `#` sunk, `=` shot before. A ship is at B3 or B3-B5. A fleet is `10x10 5:1 4:2 walls`: a field and
how many ships of a length, without a wall rule, or with its lenient reading, `walls`, or the strict one, `strict`.
"""

from seabattle.field import HIT, MISS, REPEAT, SUNK
from seabattle.fleet import Fleet
from seabattle.variant_rules import OK, Rules

RESULTS = {"o": MISS, "x": HIT, "#": SUNK, "=": REPEAT}


def cell_of(name, width=10):
    return (int(name[1:]) - 1) * width + ord(name[0]) - ord("A")


def cells_of(text, width=10):
    """Parse the cells of a ship, `B3`, `B3-B5` or, if it is bent, `B3+C3+C4`."""
    first, _, last = text.partition("-")
    cells = [cell_of(name, width) for name in first.split("+")]
    if last:
        last = cell_of(last, width)
        step = 1 if last < cells[0] + width else width
        cells = list(range(cells[0], last + 1, step))
    return cells


def answers(text, width=10):
    """Parse `B3x C3#` into cells and results."""
    return [(cell_of(word[:-1], width), RESULTS[word[-1]]) for word in text.split()]


def numbers_of(text):
    """Parse `10x10 5:1 4:2` into the width, the height and the numbers of ships of 5, 4, 3, 2 and 1 decks."""
    size, *ships = text.split()
    counts = dict([ship.split(":") for ship in ships])
    return [int(n) for n in size.split("x")] + [int(counts.get(str(n), 0)) for n in (5, 4, 3, 2, 1)]


def fleet_of(text):
    """Parse a fleet; empty is the classic one."""
    fleet = Fleet()
    words = text.split()
    if words and words[0] != "classic":
        rule = words.pop() if words[-1] in ("walls", "strict") else ""
        fleet.custom(*numbers_of(" ".join(words)), rule != "", rule != "strict")
    return fleet


def each(text, otherwise):
    """Call `otherwise` with the parts of every indented line around its last bar; fail with all that it returns."""
    failed = []
    for line in text.split("\n"):
        if line[:1] == " ":
            left, _, right = line.rpartition("|")
            found = otherwise(left.strip(), right)
            if found is not None:
                failed.append("%s: %s" % (line, found))
    assert not failed, "\n".join(failed)


def go(text, begin, step):
    """Run lines `BEGINNING | STEP; STEP ...`; lines that are not indented are titles.

    A line that ends with a semicolon continues in the next. begin: makes the object for the steps from the words before
    the bar, if any. step: does one, given its words; returns None, or what it found if that differs from them.
    """

    def otherwise(beginning, steps):
        state = begin(beginning)
        for words in steps.split(";"):
            found = step(state, words.split())
            if found is not None:
                return "at '%s': %s" % (words, found)
        return None

    each(text.replace(";\n", ";"), otherwise)


def agreed(r, text):
    """Set Rules from `10x10 4:1 2:2` and any of `corners bent walls strict`; return their result."""
    words = text.split()
    flags = [word for word in words if word.isalpha()]
    numbers = numbers_of(" ".join([word for word in words if not word.isalpha()]))
    walls = "walls" in flags or "strict" in flags
    return r.custom(*numbers, "corners" in flags, "bent" in flags, walls, "strict" not in flags)


def rules(text):
    r = Rules()
    assert agreed(r, text) == OK
    return r


def seen(radar):
    """Return a radar's knowledge as rows: as in answers, `e` for known to be empty, a dot for unknown."""
    marks = [".ox#e"[code] for code in radar.cell[: radar.width * radar.height]]
    return ["".join(marks[y : y + radar.width]) for y in range(0, len(marks), radar.width)]
