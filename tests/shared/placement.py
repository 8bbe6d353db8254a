"""A plain second implementation of the rules of placing, to check placements; and a locked heap where available."""

try:
    from micropython import heap_lock, heap_unlock
except ImportError:

    def heap_lock():
        pass

    def heap_unlock():
        pass


# Of all 2,818 fleets of the protocol, with either reading of the wall rule, those that take the most work to place:
# found by placing each of them from 100 seeds, and the 60 worst of them from 1,000. Size, ships of 4, 3, 2 and 1,
# lenient.
WORST = (
    (7, 1, 1, 1, 7, True),
    (7, 1, 1, 1, 6, True),
    (8, 0, 2, 5, 7, False),
    (7, 0, 1, 1, 9, True),
    (8, 1, 2, 3, 7, False),
    (6, 0, 0, 4, 4, False),
)


def ships_of(field):
    """Return the field's ships as lists of (x, y), from its cells alone."""
    ships = {}
    for cell in range(field.width * field.height):
        n = field.ship[cell]
        if n:
            ships.setdefault(n, []).append((cell % field.width, cell // field.width))
    return list(ships.values())


def along_wall(cells, width, height, lenient):
    """Strict: some cell is on an edge. Lenient: all cells are on one and the same edge."""
    for axis, size in ((0, width), (1, height)):
        for edge in (0, size - 1):
            on = [cell[axis] == edge for cell in cells]
            if all(on) if lenient else any(on):
                return True
    return False


def is_straight(cells):
    """Whether sorted cells form a line in a row or a column."""
    x, y = cells[0]
    flat = [(x + i, y) for i in range(len(cells))]
    upright = [(x, y + i) for i in range(len(cells))]
    return cells == flat or cells == upright


def is_whole(cells):
    """Whether cells hang together by their sides."""
    found = cells[:1]
    for x, y in found:
        found += [c for c in cells if c not in found and abs(c[0] - x) + abs(c[1] - y) == 1]
    return len(found) == len(cells)


def faults(field, corners=None):
    """List what is wrong with a field that should hold its whole fleet legally; empty when nothing is.

    corners: whether ships may touch by them; where it is not said, as the rules say.
    """
    found = []
    fleet = field.rules if hasattr(field, "rules") else field.fleet
    apart = 2 if (getattr(fleet, "corners", False) if corners is None else corners) else 3
    ships = [sorted(cells) for cells in ships_of(field)]
    for cells in ships:
        if not (is_whole if getattr(fleet, "bent", False) else is_straight)(cells):
            found.append("not straight: %s" % cells)
    for i in range(len(ships)):
        for k in range(i):
            for ax, ay in ships[i]:
                for bx, by in ships[k]:
                    if abs(ax - bx) <= 1 and abs(ay - by) <= 1 and abs(ax - bx) + abs(ay - by) < apart:
                        found.append("touching: %s %s" % (ships[i], ships[k]))
    for length in range(1, 6):
        n = len([cells for cells in ships if len(cells) == length])
        if n != fleet.count[length]:
            found.append("%d ships of %d" % (n, length))
    if fleet.walls:
        n = len([cells for cells in ships if along_wall(cells, field.width, field.height, fleet.lenient)])
        if n > len(ships) // 2:
            found.append("%d of %d along a wall" % (n, len(ships)))
    return found


def picture(field):
    """The field as rows of text: a ship's number modulo 10, a dot for water."""
    rows = []
    for y in range(field.height):
        row = ""
        for x in range(field.width):
            n = field.ship[y * field.width + x]
            row += str(n % 10) if n else "."
        rows.append(row)
    return rows
