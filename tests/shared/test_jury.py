"""The jury: every kind of forged field and answer is found, the first one is named, and honest games are clean."""

from lots import often

from seabattle import jury as J
from seabattle.field import HIT, MISS, REPEAT, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.jury import Jury, judge, result
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField

HONEST = often(300)


def rules(*numbers, corners=False, bent=False, walls=False, lenient=False):
    r = Rules()
    assert r.custom(*numbers, corners, bent, walls, lenient) == OK
    return r


def serial_rules(size, n4, n3, n2, n1, lenient=True):
    r = Rules()
    r.protocol(size, n4, n3, n2, n1, lenient)
    assert r.check() == OK
    return r


def honest(r, seed, shots=None):
    """A field and the record of random shots at it, to its end or so many of them: decks, cells, answers."""
    f = VariantField(r.width * r.height)
    f.reset(r)
    rng = Rng(seed)
    assert f.random(rng)
    cells = []
    answers = []
    while not f.lost() and len(cells) != shots:
        cell = rng.below(f.cells)
        cells.append(cell)
        answers.append(f.shoot(cell))
    return bytearray(f.ship), cells, answers


def sloppy(r, seed):
    """An honest game by letter with all that its rules permit: senseless shots, and every true way to answer them."""
    f = VariantField(r.width * r.height)
    f.reset(r)
    rng = Rng(seed)
    assert f.random(rng)
    before = {}
    cells = []
    answers = []
    while not f.lost():
        # every third shot goes where one was before; late ones fall beside wrecks by themselves
        cell = cells[rng.below(len(cells))] if cells and not rng.below(3) else rng.below(f.cells)
        if not f.mark[cell]:
            answer = before[cell] = f.shoot(cell)
        elif f.ship[cell]:
            ways = (before[cell], REPEAT, SUNK if f.is_sunk(cell) else HIT, HIT)
            answer = ways[rng.below(4)]
        else:
            answer = (MISS, REPEAT)[rng.below(2)]
        cells.append(cell)
        answers.append(answer)
    return bytearray(f.ship), cells, answers


def check(r, decks, cells=(), answers=(), serial=False):
    j = Jury(r.width * r.height)
    return j.check(r, decks, cells, answers, len(cells), serial), j


def drawn(*rows):
    """Decks of a field as a picture with # for a deck."""
    return bytearray(int(mark == "#") for row in rows for mark in row)


SMALL = (6, 6, 0, 0, 1, 1, 2)
GOOD = ("###...", "......", "##..#.", "......", "......", "#.....")


def test_a_field_of_the_rules_is_clean():
    assert check(rules(*SMALL), drawn(*GOOD))[0] == J.CLEAN


def test_where_nothing_is_found_no_detail_is_left_from_before():
    r = rules(*SMALL)
    j = Jury(36)
    assert j.check(r, drawn(*GOOD), [30, 0], [SUNK, MISS], 2) == J.FALSE_ANSWER
    assert j.check(r, drawn(*GOOD), [30, 0], [SUNK, HIT], 2) == J.CLEAN
    assert (j.cell, j.length, j.shot, j.said, j.truth) == (-1, -1, -1, -1, -1)
    assert j.check(r, bytearray(36), (), (), 0) == J.TOO_FEW
    assert (j.cell, j.shot, j.said, j.truth) == (-1, -1, -1, -1)


def test_the_longest_ship_of_all_is_judged_like_the_others():
    r = rules(6, 6, 1, 0, 0, 0, 1)
    assert check(r, drawn("#####.", "......", "......", "......", "......", "#....."))[0] == J.CLEAN
    found, j = check(rules(*SMALL), drawn("#####.", "......", "##..#.", "......", "......", "#....."))
    assert (found, j.length) == (J.TOO_MANY, 5)


def test_a_ship_that_is_none_is_named_by_its_first_deck():
    r = rules(*SMALL)
    found, j = check(r, drawn("###...", "......", "##..#.", "#.....", "......", "......"))
    assert (found, j.cell) == (J.BAD_SHIP, 12)
    found, j = check(r, drawn("######", "......", "##..#.", "......", "......", "#....."))
    assert (found, j.cell) == (J.BAD_SHIP, 0)
    bent = rules(*SMALL, bent=True)
    assert check(bent, drawn("##....", "#.....", "...##.", "......", "#....#", "......"))[0] == J.CLEAN
    assert check(r, drawn("##....", "#.....", "...##.", "......", "#....#", "......"))[0] == J.BAD_SHIP


def test_ships_that_touch_by_a_corner_are_named_unless_they_may():
    field = drawn("###...", "...#..", "##....", "......", "......", "#.....")
    found, j = check(rules(*SMALL), field)
    assert (found, j.cell) == (J.TOUCHING, 9)
    assert check(rules(*SMALL, corners=True), field)[0] == J.CLEAN


def test_a_ship_too_many_and_one_too_few_are_named_by_their_length():
    found, j = check(rules(*SMALL), drawn("###...", "......", "##..#.", "......", "..#...", "#....."))
    assert (found, j.length, j.cell) == (J.TOO_MANY, 1, 30)
    found, j = check(rules(*SMALL), drawn("####..", "......", "##..#.", "......", "......", "#....."))
    assert (found, j.length, j.cell) == (J.TOO_MANY, 4, 0)
    found, j = check(rules(*SMALL), drawn("......", "......", "##..#.", "......", "......", "#....."))
    assert (found, j.length, j.cell) == (J.TOO_FEW, 3, -1)
    assert check(rules(*SMALL), bytearray(36))[0] == J.TOO_FEW


def test_a_ship_that_was_moved_after_the_first_shots_is_found():
    r = rules(*SMALL)
    moved = drawn("......", "......", "##..#.", "......", "......", "#..###")
    found, j = check(r, moved, [20, 0], [MISS, HIT])
    assert (found, j.shot, j.cell, j.said, j.truth) == (J.FALSE_ANSWER, 1, 0, HIT, MISS)


def false(cells, answers, i, said):
    """Whether an answer other than the field's own is false by the rules of the game by letter."""
    if said == answers[i]:
        return False
    if answers[i] != REPEAT:
        return True
    before = answers[cells.index(cells[i])]
    if before == REPEAT:  # first shot at when it was beside a wreck
        return said != MISS
    return said != before and not (before == SUNK and said == HIT) and not (before == HIT and said == SUNK)


def test_honest_games_with_every_sloppiness_accuse_nobody():
    for seed in range(1, often(30) + 1):
        r = rules(10, 10, 0, 1, 2, 3, 4, corners=seed % 3 == 1, bent=seed % 5 == 1)
        decks, cells, answers = sloppy(r, seed)
        assert check(r, decks, cells, answers)[0] == J.CLEAN


def test_a_shot_beside_a_wreck_and_a_repeated_miss_are_misses():
    r = rules(*SMALL)
    record = ((30, SUNK), (24, MISS), (31, REPEAT), (20, MISS), (20, MISS), (20, REPEAT), (30, HIT), (30, SUNK))
    decks = drawn(*GOOD)
    assert check(r, decks, [c for c, _ in record], [a for _, a in record])[0] == J.CLEAN
    for cell, said, truth in ((24, HIT, MISS), (30, MISS, SUNK), (20, SUNK, MISS)):
        cells = [c for c, _ in record] + [cell]
        found, j = check(r, decks, cells, [a for _, a in record] + [said])
        assert (found, j.cell, j.said, j.truth) == (J.FALSE_ANSWER, cell, said, truth)


def test_every_answer_that_is_forged_is_found_and_the_first_is_named():
    for seed in range(1, 4):
        r = rules(10, 10, 0, 1, 2, 3, 4, corners=seed == 2, bent=seed == 3)
        decks, cells, answers = honest(r, seed)
        for i in range(len(answers)):
            for forged in (MISS, HIT, SUNK, REPEAT):
                if not false(cells, answers, i, forged):
                    continue
                if i % 7 and forged != (answers[i] + 1) % 4:
                    continue
                record = list(answers)
                record[i] = forged
                record[-1] = (record[-1] + 1) % 4 if i < len(answers) - 1 else forged
                found, j = check(r, decks, cells, record)
                assert (found, j.shot, j.said) == (J.FALSE_ANSWER, i, forged)
                assert j.truth == answers[i] or answers[i] == REPEAT


def test_every_deck_that_is_taken_off_or_put_on_is_found():
    r = rules(10, 10, 0, 1, 2, 3, 4)
    decks, cells, answers = honest(r, 5)
    for cell in range(100):
        forged = bytearray(decks)
        forged[cell] = 0 if decks[cell] else 1
        assert check(r, forged, cells, answers)[0] != J.CLEAN


def test_a_shot_off_the_field_is_a_bad_record_that_accuses_nobody():
    r = rules(*SMALL)
    for cell in (-1, 36):
        found, j = check(r, drawn(*GOOD), [20, cell], [MISS, MISS])
        assert (found, j.shot) == (J.BAD_RECORD, 1)
        assert judge(found, J.CLEAN) == J.NOBODY_CHEATED


# The wall rule, in both readings.

AT_WALLS = ("##..##", "......", "#.....", "......", "......", "......")  # of three ships two lie along a wall


def test_a_ship_too_many_along_a_wall_is_named_where_the_wall_rule_holds():
    walls = rules(6, 6, 0, 0, 0, 2, 1, walls=True)
    found, j = check(walls, drawn(*AT_WALLS))
    assert (found, j.cell) == (J.ALONG_WALL, 4)
    assert check(rules(6, 6, 0, 0, 0, 2, 1), drawn(*AT_WALLS))[0] == J.CLEAN


def test_by_the_lenient_reading_a_ship_that_only_ends_at_a_wall_does_not_count():
    standing = drawn("..#...", "..#...", "......", "...##.", "......", "#.....")
    for lenient in (False, True):
        r = rules(6, 6, 0, 0, 0, 2, 1, walls=True, lenient=lenient)
        assert check(r, standing)[0] == (J.CLEAN if lenient else J.ALONG_WALL)
        assert check(r, drawn(*AT_WALLS))[0] == J.ALONG_WALL


def test_bent_ships_and_ships_that_touch_by_corners_are_counted_along_walls_too():
    bent = drawn("##....", "#.....", "...#..", "..##..", "......", "......")
    r = rules(6, 6, 0, 0, 2, 0, 0, bent=True, walls=True)
    assert check(r, bent)[0] == J.CLEAN
    corner = drawn("##....", "#.....", "......", "....##", ".....#", "......")
    assert check(r, corner)[0] == J.ALONG_WALL
    r = rules(6, 6, 0, 0, 2, 0, 0, bent=True, walls=True, lenient=True)
    assert check(r, corner)[0] == J.CLEAN, "no bent ship lies on one edge with all of it"
    touching = drawn("##....", "..##..", "......", "......", "......", "......")
    assert check(rules(6, 6, 0, 0, 0, 2, 0, corners=True, walls=True), touching)[0] == J.CLEAN
    touching = drawn("##..##", "..##..", "......", "......", "......", "......")
    assert check(rules(6, 6, 0, 0, 0, 3, 0, corners=True, walls=True), touching)[0] == J.ALONG_WALL


# Serial games: what the protocol makes of an answer.


def test_in_a_serial_game_a_shot_beside_a_wreck_is_a_miss_and_no_repeat():
    r = rules(*SMALL)
    field = drawn(*GOOD)
    for said in (MISS, HIT, SUNK, REPEAT):
        found, j = check(r, field, [30, 24, 24], [SUNK, said, REPEAT], serial=True)
        assert found == (J.CLEAN if said == MISS else J.FALSE_ANSWER)
        if found:
            assert (j.shot, j.truth) == (1, MISS)


def test_in_a_serial_game_a_repeated_shot_is_a_repeat_or_no_better_than_before():
    r = rules(*SMALL)
    field = drawn(*GOOD)
    for cells, answers, fine in (
        ([7], [MISS], (MISS, REPEAT)),
        ([0], [HIT], (MISS, HIT, REPEAT)),
        ([30], [SUNK], (MISS, HIT, SUNK, REPEAT)),
    ):
        for said in (MISS, HIT, SUNK, REPEAT):
            found, j = check(r, field, cells + cells, answers + [said], serial=True)
            assert found == (J.CLEAN if said in fine else J.FALSE_ANSWER), (cells, said)
            if found:
                assert (j.shot, j.truth) == (1, REPEAT)


def test_in_a_serial_game_the_very_last_deck_may_be_called_hit():
    r = rules(6, 6, 0, 0, 0, 1, 1)
    field = drawn("##....", "......", "......", "......", "......", "#.....")
    assert check(r, field, [30, 0, 1], [SUNK, HIT, HIT], serial=True)[0] == J.CLEAN
    found, j = check(r, field, [0, 1, 30], [HIT, HIT, SUNK], serial=True)
    assert (found, j.shot, j.truth) == (J.FALSE_ANSWER, 1, SUNK)


def test_every_forged_answer_of_a_serial_game_is_found_but_those_that_are_borne():
    r = serial_rules(8, 1, 1, 2, 3)
    decks, cells, answers = serial_game(r, 4)
    fresh = [cells[i] not in cells[:i] for i in range(len(cells))]
    forged = 0
    for i in range(len(cells)):
        for said in (MISS, HIT, SUNK, REPEAT):
            if said == answers[i] or not fresh[i] or i == len(cells) - 1 and said == HIT:
                continue
            record = list(answers)
            record[i] = said
            found, j = check(r, decks, cells, record, serial=True)
            assert (found, j.shot, j.truth) == (J.FALSE_ANSWER, i, answers[i])
            forged += 1
    assert forged > len(r.count)


def serial_game(r, seed):
    """A field of the protocol as its players place it, and the record of random shots to its end."""
    fleet = Fleet()
    fleet.protocol(r.width, r.count[4], r.count[3], r.count[2], r.count[1])
    f = Field(r.width * r.width)
    f.reset(fleet)
    rng = Rng(seed)
    assert f.random(rng)
    cells = []
    answers = []
    while not f.lost():
        cell = rng.below(f.cells)
        cells.append(cell)
        answers.append(f.shoot(cell))
    return bytearray(f.ship), cells, answers


def test_honest_serial_games_raise_no_accusation():
    j = Jury(100)
    for seed in range(60):
        r = serial_rules(*((10, 1, 2, 3, 4), (6, 0, 1, 2, 2), (8, 1, 1, 3, 5))[seed % 3])
        decks, cells, answers = serial_game(r, seed)
        assert j.check(r, decks, cells, answers, len(cells), True) == J.CLEAN, seed


def test_the_cheat_loses_and_if_both_cheat_there_is_no_result():
    for winner in (0, 1):
        assert result(winner, judge(J.CLEAN, J.CLEAN)) == winner
        assert result(winner, judge(J.FALSE_ANSWER, J.CLEAN)) == 1
        assert result(winner, judge(J.CLEAN, J.TOO_FEW)) == 0
        assert result(winner, judge(J.TOUCHING, J.BAD_SHIP)) == J.NO_RESULT


def test_honest_games_by_all_rules_raise_no_accusation():
    j = Jury(100)
    games = 0
    for seed in range(HONEST):
        r = rules(*(SMALL if seed % 3 else (10, 10, 0, 1, 2, 3, 4)), corners=seed % 2 > 0, bent=seed % 5 > 2)
        decks, cells, answers = honest(r, seed, None if seed % 4 else seed % 50)
        assert j.check(r, decks, cells, answers, len(cells)) == J.CLEAN, seed
        games += 1
    assert games == HONEST
