"""A plain form of the gunner, the reference for seabattle.gunner, whose first lines say where each level shoots.

It finds the same cells in the simplest way and caches nothing. Heats are equal to the last unit: it divides where
the gunner does, and asserts the bound on the rounding error. With the same random numbers it shoots at the same cells.
"""

from placement import along_wall

from seabattle.gunner import DENSITY, HIT, HUNT, RANDOM, SHARP, UNKNOWN

ways_to_lie = {}
"""Width, height and length -> every place of a ship, as its cells, and whether it is along a wall by the strict reading
and by the lenient one. One-deck ships lie across only.
"""


class Gunner:
    """Like seabattle.gunner.Gunner, but does not think in steps."""

    def __init__(self, radar, rng, level):
        self.radar = radar
        self.rng = rng
        self.level = level
        self.heat = [0] * len(radar.cell)

    def aim(self):
        radar = self.radar
        heat = expected(radar, self.level) if self.level >= DENSITY else [0] * (radar.width * radar.height)
        self.heat = heat + [0] * (len(self.heat) - len(heat))
        found = targets(radar, self.level, heat)
        if self.level != RANDOM and radar.wounds:
            beside = sides(radar)
            return beside[self.by_lot([heat[c] for c in beside])]
        families = diagonals(radar) if self.level == HUNT else []
        if families:
            found = families[self.by_lot([-len(family) for family in families])]
        return found[self.rng.below(len(found))]

    def by_lot(self, scores):
        """Return the index of the highest score; each tie with the highest so far is decided at random."""
        most = min(scores) - 1
        for i, score in enumerate(scores):
            if score > most:
                most = score
                ties = 0
            if score == most:
                ties += 1
                if ties == 1 or self.rng.below(ties) == 0:
                    best = i
        return best


def lies(width, height, length):
    if (width, height, length) not in ways_to_lie:
        found = []
        for cell in range(width * height):
            if cell % width + length <= width:
                found.append(range(cell, cell + length))
            if length > 1 and cell // width + length <= height:
                found.append(range(cell, cell + length * width, width))
        at = [[(c % width, c // width) for c in place] for place in found]
        edges = [tuple([along_wall(cells, width, height, lenient) for lenient in (False, True)]) for cells in at]
        ways_to_lie[width, height, length] = list(zip(found, edges))
    return ways_to_lie[width, height, length]


def places(radar, length, taken):
    """Return every place of a ship on cells that hold one of `taken`, and whether each reading has it along a wall."""
    cells = radar.cell
    return [each for each in lies(radar.width, radar.height, length) if all([cells[c] in taken for c in each[0]])]


def on_edge(radar, cell):
    return lies(radar.width, radar.height, 1)[cell][1][0]


def wound(radar):
    """Return the hits in line with the earliest hit on a ship that is not sunk."""
    found = [radar.wound_y[0] * radar.width + radar.wound_x[0]]
    for step in (1, radar.width):
        for way in (step, -step):
            c = found[0] + way
            while 0 <= c < radar.width * radar.height and radar.cell[c] == HIT:
                if step == 1 and c // radar.width != found[0] // radar.width:
                    break
                found.append(c)
                c += way
    found.sort()
    return found


def walls(radar, hits):
    """Return the weight of a place along a wall, 0..16, and whether the strict reading decides what that is."""
    made = radar.fleet
    ships = sum([radar.afloat(length) for length in range(1, 6)])
    if not made.walls:
        return 16, False
    room = made.wall_max - radar.walls_strict
    strict = not made.lenient and room >= 0 and not (room == 0 and hits and on_edge(radar, hits[0]))
    if not strict:
        room = made.wall_max - radar.walls
    return max(0, min(16, -(-16 * room // ships))), strict


def sums(rows):
    """Return the summed-area table of rows of numbers, with 0 around."""
    found = [[0] * (len(rows[0]) + 1)]
    for row in rows:
        above, total, line = found[-1], 0, [0]
        for i, n in enumerate(row):
            total += n
            line.append(total + above[i + 1])
        found.append(line)
    return found


def crowding(radar, length):
    """Return a function of a place: how many times as likely others make it, 2 ** n of the gunner's first lines, in
    4096ths, and how many cells around it are unknown.
    """
    count = [radar.afloat(n) * (n + 3) / 4 for n in range(6)]
    own = (length + 3) / 4
    others = sum(count) - count[0] - own
    later = sum(count[1:length]) + (count[length] - own) / 2
    tilt = (0, 46, 69, 69, 46, 46)[length]
    width = radar.width
    height = radar.height
    size = width * height
    unknown = sums([[radar.cell[y * width + x] == UNKNOWN for x in range(width)] for y in range(height)])
    free = sums([[not radar.near[y * width + x] for x in range(width)] for y in range(height)])
    all_unknown = unknown[-1][-1]
    all_free = free[-1][-1]
    # In 64ths of a sixteenth, both rounded down: what a free cell adds to n, and an unknown one takes.
    gain = int(64 * tilt * later / all_free)
    loss = int(64 * tilt * others / all_unknown)
    # A place's number of cells, spread as on the whole field.
    area = 3 * (length + 2)
    usual_f = area * all_free // size
    usual_u = area * all_unknown // size

    def weigh(place):
        left, top = max(0, place[0] % width - 1), max(0, place[0] // width - 1)
        right, below = min(width, place[-1] % width + 2), min(height, place[-1] // width + 2)
        u, f = [n[below][right] - n[top][right] - n[below][left] + n[top][left] for n in (unknown, free)]
        n = (gain * f - loss * u) // 64 - (gain * usual_f - loss * usual_u) // 64
        # Each of these divisions is off by less than one, so n by less than a sixteenth plus the rounding errors of
        # gain
        # and loss.
        exact = tilt * (later * (f - usual_f) / all_free - others * (u - usual_u) / all_unknown)
        assert abs(n - exact) < 1 + (abs(f - usual_f) + abs(u - usual_u)) / 64
        # The factor is limited either way: a weight has few bits on a board.
        n = min(max(n, -80), 79)
        return int(128 * 2 ** (n % 16 / 16) + 0.5) * 2 ** (n // 16 + 5), u

    return weigh


def expected(radar, level):
    """Return the heat by cell."""
    heat = [0] * (radar.width * radar.height)
    left = [0] + [radar.afloat(length) for length in range(1, 6)]
    hits = wound(radar) if radar.wounds else []
    wall, strict = walls(radar, hits)
    for length in range(1, 6):
        if not left[length] or length <= len(hits):
            continue
        weigh = crowding(radar, length) if level == SHARP else None
        if hits:
            votes = through(radar, length, left[length], hits, wall, strict, weigh)
        else:
            votes = anywhere(radar, length, wall, strict, weigh, max([n for n in range(6) if left[n]]) == 1)
        own = [0] * len(heat)
        for place, v in votes:
            for c in place:
                if radar.cell[c] == UNKNOWN:
                    own[c] += v
        if hits:
            factor = 256
        elif level == SHARP:
            factor = (left[length] << 26) // (sum([v for _, v in votes]) or 1)
        else:
            # One-deck ships lie across and down, which is the same.
            factor = 512 * left[length]
        for c in range(len(heat)):
            heat[c] += own[c] * factor // 256
    return heat


def anywhere(radar, length, wall, strict, weigh, only_ones):
    """Return the places of a length with their weights when no ship is wounded."""
    votes = []
    for place, along in places(radar, length, (UNKNOWN,)):
        v = wall if wall < 16 and along[not strict] else 16
        if weigh:
            times, around = weigh(place)
            if only_ones:
                times = times * (19 + around) // 20
            v = times * v // 16
        votes.append((place, v))
    return votes


def through(radar, length, ships, hits, wall, strict, weigh):
    """Return the places of a wounded ship with their weights: the walls never rule one out."""
    votes = []
    for place, edges in places(radar, length, (UNKNOWN, HIT)):
        step = place[1] - place[0]
        before, after = place[0] - step, place[-1] + step
        if not all([c in place for c in hits]):
            continue
        row = place[0] // radar.width
        if step > 1 or before // radar.width == row:
            if before >= 0 and radar.cell[before] == HIT:
                continue
        if step > 1 or after // radar.width == row:
            if after < radar.width * radar.height and radar.cell[after] == HIT:
                continue
        along = edges[not strict] and not (strict and on_edge(radar, hits[0]))
        v = ships * (min(16, wall + 1) if along else 16)
        if weigh:
            n = radar.width if step == 1 else radar.height
            v = v * weigh(place)[0] // (radar.width * radar.height * (n - length + 1) // n)
        votes.append((place, v))
    return votes


def sides(radar):
    """Return the unknown cells at the ends of a line of hits: left, right, above, below."""
    hits = wound(radar)
    width = radar.width
    ways = (1, width) if len(hits) == 1 else (hits[1] - hits[0],)
    ends = [end for step in ways for end in ((hits[0] - step, hits[0]), (hits[-1] + step, hits[-1]))]
    on_field = [(c, h) for c, h in ends if 0 <= c < width * radar.height and radar.cell[c] == UNKNOWN]
    return [c for c, h in on_field if c % width == h % width or c // width == h // width]


def diagonals(radar):
    """Return the cells where the longest ship fits, by diagonal; diagonals without any are left out."""
    longest = max([n for n in range(6) if n and radar.afloat(n)])
    wall, strict = walls(radar, [])
    room = set()
    for place, along in places(radar, longest, (UNKNOWN,)):
        if wall or not along[not strict]:
            room.update(place)
    families = [[] for _ in range(longest)]
    for c in sorted(room):
        families[(c % radar.width + c // radar.width) % longest].append(c)
    return [family for family in families if family]


def targets(radar, level, heat):
    """Return the cells that are equally likely to be shot at."""
    found = [c for c in range(radar.width * radar.height) if radar.cell[c] == UNKNOWN]
    if level == RANDOM:
        return found
    if radar.wounds:
        found = sides(radar)
    elif level == HUNT:
        families = diagonals(radar)
        fewest = min([len(family) for family in families] + [len(found)])
        return [c for family in families if len(family) == fewest for c in family] or found
    most = max([heat[c] for c in found])
    return [c for c in found if heat[c] == most]
