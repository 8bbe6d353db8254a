"""The gunner: it shoots only where a ship may be, finishes what it has found, and is as good as its level says."""

from lots import EveryLot, chances, is_even, often
from placement import along_wall, heap_lock, heap_unlock

from seabattle import gunner
from seabattle.field import HIT, MISS, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_each_level_aims_as_it_says_with_the_classic_fleet",
    "test_each_level_aims_as_it_says_on_a_field_that_is_no_square",
    "test_mean_shots_of_each_level_on_the_classic_fleet",
    "test_each_level_aims_as_it_says_where_walls_count",
    "test_each_level_aims_as_it_says_beside_walls_with_less_and_less_room",
)

LEVELS = (RANDOM, HUNT, DENSITY, SHARP)


class Range:
    """A field, a radar and a gunner, for one game after another without an allocation."""

    def __init__(self, made, level, seed):
        self.fleet = made
        self.sea = Field(100)
        self.radar = Radar(100)
        # Fields have a generator of their own, so that every level shoots at the same ones.
        self.lots = Rng(seed)
        self.gunner = Gunner(self.radar, Rng(seed + 1000), level)
        self.faults = 0

    def game(self):
        """Shots that a game takes; counts shots at cells that may not be shot at, and accusations."""
        sea = self.sea
        radar = self.radar
        sea.reset(self.fleet)
        radar.reset(self.fleet)
        if not sea.random(self.lots):
            self.faults += 1
            return 0
        shots = 0
        while not sea.lost() and shots < 200:
            cell = self.gunner.aim()
            if not radar.can_shoot(cell):
                self.faults += 1
                return 0
            if radar.answer(cell, sea.shoot(cell)):
                self.faults += 1
            shots += 1
        return shots


def test_a_field_that_breaks_the_strict_rule_on_walls_is_shot_to_its_end():
    # Placed by the lenient reading, and what is along the walls is more than the strict one allows.
    made = Fleet()
    made.protocol(8, 1, 2, 3, 4)
    for level in LEVELS:
        sea = Field(64)
        other = Fleet()
        other.custom(8, 8, 0, 1, 2, 3, 4, False, True)
        sea.reset(other)
        for x, y, length, vertical in (
            (0, 0, 4, 1),
            (2, 0, 3, 1),
            (4, 0, 3, 1),
            (6, 0, 2, 1),
            (0, 6, 2, 1),
            (2, 6, 2, 1),
        ):
            assert sea.place(x, y, length, vertical) == 0
        for x, y in ((4, 4), (6, 4), (5, 6), (2, 4)):
            assert sea.place(x, y, 1, False) == 0
        radar = Radar(64)
        radar.reset(made)
        g = Gunner(radar, Rng(level), level)
        shots = 0
        while not sea.lost():
            cell = g.aim()
            assert radar.can_shoot(cell)
            assert radar.answer(cell, sea.shoot(cell)) == 0
            shots += 1
        assert shots <= 64


def test_without_a_cell_to_shoot_at_there_is_no_aim():
    made = Fleet()
    made.custom(3, 3, 0, 0, 0, 0, 2, False, False)
    for level in LEVELS:
        radar = Radar(9)
        radar.reset(made)
        for cell in range(9):
            radar.answer(cell, MISS)
        g = Gunner(radar, Rng(1), level)
        assert g.aim() == -1
        g.aim_start()
        for _ in range(100):
            assert g.aim_step() == gunner.BUSY


def test_random_shoots_anywhere():
    made = Fleet()
    made.protocol(6, 0, 1, 2, 2)
    radar = Radar(36)
    radar.reset(made)
    lots = EveryLot()
    assert is_even(chances(lots, Gunner(radar, lots, RANDOM).aim), list(range(36)))


# Where each level shoots, held against the plainest way to find the same cells. Heats are the same to the last unit:
# the reference keeps nothing, but divides where the gunner does, and asserts by how much that may be off.


def places(radar, length, taken):
    """Every place of a ship on cells that hold one of `taken`, as its cells; those of one deck lie across alone."""
    found = []
    width = radar.width
    for cell in range(width * radar.height):
        if cell % width + length <= width:
            found.append(range(cell, cell + length))
        if length > 1 and cell // width + length <= radar.height:
            found.append(range(cell, cell + length * width, width))
    return [place for place in found if all([radar.cell[c] in taken for c in place])]


def on_edge(radar, place, lenient=False):
    return along_wall([(c % radar.width, c // radar.width) for c in place], radar.width, radar.height, lenient)


def wound(radar):
    """The hits in line with the first that was made of those on ships that are not sunk."""
    found = [radar.wound_y[0] * radar.width + radar.wound_x[0]]
    for step in (1, radar.width):
        for way in (step, -step):
            c = found[0] + way
            while 0 <= c < radar.width * radar.height and radar.cell[c] == gunner.HIT:
                if step == 1 and c // radar.width != found[0] // radar.width:
                    break
                found.append(c)
                c += way
    found.sort()
    return found


def walls(radar, hits):
    """The weight of a place along a wall, 0..16, and whether the strict reading says what that is."""
    made = radar.fleet
    ships = sum([radar.afloat(length) for length in range(1, 6)])
    if not made.walls:
        return 16, False
    room = made.wall_max - radar.walls_strict
    strict = not made.lenient and room >= 0 and not (room == 0 and hits and on_edge(radar, hits[:1]))
    if not strict:
        room = made.wall_max - radar.walls
    return max(0, min(16, -(-16 * room // ships))), strict


def crowding(radar, length):
    """A function that gives for a place how many times as likely others make it, 2 ** n of the module's first lines, in
    4096ths, and how much around it is unknown."""
    count = [radar.afloat(n) * (n + 3) / 4 for n in range(6)]
    own = (length + 3) / 4
    others = sum(count) - count[0] - own
    later = sum(count[1:length]) + (count[length] - own) / 2
    tilt = (0, 46, 69, 69, 46, 46)[length]
    width = radar.width
    size = width * radar.height
    unknown = [radar.cell[c] == gunner.UNKNOWN for c in range(size)]
    free = [not radar.near[c] for c in range(size)]
    all_unknown = sum(unknown)
    all_free = sum(free)

    def count_around(place):
        x0, y0 = place[0] % width, place[0] // width
        x1, y1 = place[-1] % width, place[-1] // width
        u = f = 0
        for y in range(max(0, y0 - 1), min(radar.height, y1 + 2)):
            for x in range(max(0, x0 - 1), min(width, x1 + 2)):
                u += unknown[y * width + x]
                f += free[y * width + x]
        return u, f

    # In 64ths of a sixteenth, both to the whole below: what a free cell adds to n, and an unknown one takes.
    gain = int(64 * tilt * later / all_free)
    loss = int(64 * tilt * others / all_unknown)
    # A place's number of cells, spread as on the whole field.
    area = 3 * (length + 2)
    usual_f = area * all_free // size
    usual_u = area * all_unknown // size

    def weigh(place):
        u, f = count_around(place)
        n = (gain * f - loss * u) // 64 - (gain * usual_f - loss * usual_u) // 64
        # Each of these divisions is off by less than one, so n by less than a sixteenth and what those of gain and
        # loss come to.
        exact = tilt * (later * (f - usual_f) / all_free - others * (u - usual_u) / all_unknown)
        assert abs(n - exact) < 1 + (abs(f - usual_f) + abs(u - usual_u)) / 64
        # Nothing is more or less than so many times as likely: a weight has few bits on a board.
        n = min(max(n, -80), 79)
        return int(128 * 2 ** (n % 16 / 16) + 0.5) * 2 ** (n // 16 + 5), u

    return weigh


def expected(radar, level):
    """The heat by cell."""
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
                if radar.cell[c] == gunner.UNKNOWN:
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
    """The places of a length with their weights, where no ship is wounded."""
    votes = []
    for place in places(radar, length, (gunner.UNKNOWN,)):
        v = wall if wall < 16 and on_edge(radar, place, not strict) else 16
        if weigh:
            times, around = weigh(place)
            if only_ones:
                times = times * (19 + around) // 20
            v = times * v // 16
        votes.append((place, v))
    return votes


def through(radar, length, ships, hits, wall, strict, weigh):
    """The places of a wounded ship with their weights: the walls never rule one out."""
    votes = []
    for place in places(radar, length, (gunner.UNKNOWN, gunner.HIT)):
        step = place[1] - place[0]
        before, after = place[0] - step, place[-1] + step
        if not all([c in place for c in hits]):
            continue
        row = place[0] // radar.width
        if step > 1 or before // radar.width == row:
            if before >= 0 and radar.cell[before] == gunner.HIT:
                continue
        if step > 1 or after // radar.width == row:
            if after < radar.width * radar.height and radar.cell[after] == gunner.HIT:
                continue
        along = on_edge(radar, place, not strict) and not (strict and on_edge(radar, hits[:1]))
        v = ships * (min(16, wall + 1) if along else 16)
        if weigh:
            n = radar.width if step == 1 else radar.height
            v = v * weigh(place)[0] // (radar.width * radar.height * (n - length + 1) // n)
        votes.append((place, v))
    return votes


def targets(radar, level, heat):
    """The cells that are equally likely to be shot at."""
    unknown = [c for c in range(radar.width * radar.height) if radar.cell[c] == gunner.UNKNOWN]
    found = unknown
    if level == RANDOM:
        return found
    if radar.wounds:
        hits = wound(radar)
        width = radar.width
        ways = (1, width) if len(hits) == 1 else (hits[1] - hits[0],)
        ends = [(hits[0] - s, hits[0]) for s in ways] + [(hits[-1] + s, hits[-1]) for s in ways]
        found = [c for c, h in ends if c in unknown and (c % width == h % width or c // width == h // width)]
    if level == HUNT and not radar.wounds:
        longest = max([n for n in range(6) if n and radar.afloat(n)])
        wall, strict = walls(radar, [])
        room = []
        for place in places(radar, longest, (gunner.UNKNOWN,)):
            if wall or not on_edge(radar, place, not strict):
                room += place
        families = [[] for _ in range(longest)]
        for c in unknown:
            if c in room:
                families[(c % radar.width + c // radar.width) % longest].append(c)
        fewest = min([len(family) for family in families if family])
        return [c for family in families if len(family) == fewest for c in family]
    if level != HUNT:
        most = max([heat[c] for c in found])
        found = [c for c in found if heat[c] == most]
    return found


def check(radar, level):
    """Hold what this level makes of what the radar knows against the reference."""
    lots = EveryLot()
    g = Gunner(radar, lots, level)
    cell = g.aim()
    size = radar.width * radar.height
    if level in (DENSITY, SHARP):
        heat = expected(radar, level)
        for c in range(size):
            assert g.heat[c] == heat[c], (level, c, g.heat[c], heat[c])
        assert max(heat) < 2**30
    equal = targets(radar, level, g.heat)
    assert cell in equal
    lots = EveryLot()
    found = chances(lots, Gunner(radar, lots, level).aim, 12)
    assert found is None or is_even(found, equal), (level, found, equal)


def check_games(made, seed, shooter, every):
    """A game of one level, of which now and then a position is looked at by all."""
    at = Range(made, shooter, seed)
    at.sea.reset(made)
    at.radar.reset(made)
    assert at.sea.random(at.lots)
    shots = 0
    while not at.sea.lost():
        if shots % every == 0 or at.radar.unknown < 6:
            for level in LEVELS:
                check(at.radar, level)
        cell = at.gunner.aim()
        assert at.radar.answer(cell, at.sea.shoot(cell)) == 0
        shots += 1


def test_each_level_aims_as_it_says_with_the_classic_fleet():
    check_games(Fleet(), 1, RANDOM, 5)
    check_games(Fleet(), 2, DENSITY, 3)


def test_each_level_aims_as_it_says_where_walls_count():
    seed = 3
    for numbers in ((6, 0, 0, 0, 5), (6, 0, 1, 2, 2), (8, 0, 2, 3, 5), (10, 1, 2, 3, 4)):
        for lenient in (False, True):
            made = Fleet()
            made.protocol(*numbers, lenient)
            for shooter in (RANDOM, HUNT):
                seed += 1
                check_games(made, seed, shooter, 20 // often(4))


def test_each_level_aims_as_it_says_on_a_field_that_is_no_square():
    made = Fleet()
    made.custom(12, 7, 1, 1, 1, 2, 2, False, False)
    check_games(made, 20, RANDOM, 4)
    check_games(made, 21, SHARP, 3)


def test_each_level_aims_as_it_says_beside_walls_with_less_and_less_room():
    # Ones in the corners and at a wall, and twos that end at one, which the strict reading alone counts.
    ones = [((x, y, SUNK),) for x, y in ((0, 0), (7, 0), (0, 7), (7, 7), (0, 5))]
    twos = [((2, 0, HIT), (2, 1, SUNK)), ((5, 7, HIT), (5, 6, SUNK)), ((7, 2, HIT), (6, 2, SUNK))]
    tried = 0
    wounds = ((4, 3), (4, 0), (7, 4), (3, 7), (0, 3)), ((3, 3), (5, 0), (7, 5), (2, 7), (0, 2))
    for lenient in (False, True):
        made = Fleet()
        made.protocol(8, 0, 2, 3, 5, lenient)
        for sunk in (ones[:2], ones[:4], ones, twos + ones[:1], twos + ones[:2], twos + ones[:3], twos + ones):
            answers = [answer for ship in sunk for answer in ship]
            for hits in [()] + [wounds[0][i : i + 1] for i in range(5)] + list(zip(*wounds)):
                radar = Radar(64)
                radar.reset(made)
                why = 0
                for x, y, result in answers + [(x, y, HIT) for x, y in hits]:
                    why = why or radar.answer(y * 8 + x, result)
                if why:
                    continue  # the ship has no room there any more
                tried += 1
                for level in LEVELS:
                    check(radar, level)
    assert tried > 100


# How good they are. The samples are fixed by their seeds; the bounds leave room for other samples of that size.


def test_mean_shots_of_each_level_on_the_classic_fleet():
    for level, games, most in ((RANDOM, 20, 68), (HUNT, 40, 58.5), (DENSITY, 50, 56.5), (SHARP, 50, 56)):
        at = Range(Fleet(), level, 1)
        mean = sum([at.game() for _ in range(games)]) / games
        assert at.faults == 0 and mean < most, (level, mean)


def test_no_allocation_while_aiming():
    made = Fleet()
    made.protocol(10, 1, 2, 3, 4)
    ranges = [Range(made, level, 2) for level in LEVELS] + [Range(Fleet(), level, 2) for level in LEVELS]
    shots = 0
    heap_lock()
    try:
        for at in ranges:
            for _ in range(4):
                shots += at.game()
    finally:
        heap_unlock()
    assert shots > 0
    for at in ranges:
        assert at.faults == 0
