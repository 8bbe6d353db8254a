"""The jury: every kind of forged field and answer is found, the first one is named, and honest games are clean."""

from told import answers, cell_of, each, rules

from seabattle import field_codes
from seabattle import jury as J
from seabattle.field import HIT, MISS, REPEAT, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.jury import Jury, judge, result
from seabattle.rng import Rng
from seabattle.variants import VariantField

CPYTHON_ONLY = ("test_every_answer_that_is_forged_is_found_and_the_first_is_named",)

SMALL = "6x6 3:1 2:1 1:2"
CLASSIC = "10x10 4:1 3:2 2:3 1:4"


def hold(text):
    """Run lines `RULES | FIELD | ANSWERS => FINDING`; lines not indented are titles.

    The field is drawn row by row, # for a deck, the rest of a row and of the field is water; without one it is GOOD.
    `serial` before the rules: answers are judged by the protocol's rules. Without a finding all is clean, and no
    detail is set; after one come its details, `cell A3 length 1 shot 0 claimed HIT truth MISS`.
    """

    def otherwise(made, shots):
        made, _, field = made.partition("|")
        shots, _, found = shots.partition("=>")
        serial = made.split()[0] == "serial"
        r = rules(made.replace("serial", ""))
        record = answers(shots, r.width)
        decks = drawn(r, field.strip() or GOOD)
        finding, j = check(r, decks, [c for c, _ in record], [a for _, a in record], serial)
        why, *details = found.split() or ["CLEAN"]
        wrong = finding != getattr(J, why)
        for name, value in zip(details[::2], details[1::2]):
            if hasattr(field_codes, value):
                want = getattr(field_codes, value)
            else:
                want = int(value) if value.isdigit() else cell_of(value, r.width)
            wrong = wrong or getattr(j, name) != want
        return (finding, told(j)) if wrong or (not finding and told(j) != (-1, -1, -1, -1, -1)) else None

    each(text, otherwise)


GOOD = "### / / ##..# / / / #"


def told(j):
    return j.cell, j.length, j.shot, j.claimed, j.truth


def drawn(r, text):
    """Return the decks of a field drawn in a line."""
    decks = bytearray(r.width * r.height)
    rows = [row.strip() for row in text.split("/")]
    for y in range(len(rows)):
        for x in range(len(rows[y])):
            decks[y * r.width + x] = rows[y][x] == "#"
    return decks


def honest(field, made, seed):
    """Return a field and the record of random shots at it, to its end: decks, cells, answers."""
    field.reset(made)
    rng = Rng(seed)
    assert field.random(rng)
    cells = []
    answers = []
    while not field.lost():
        cells.append(rng.below(field.cells))
        answers.append(field.shoot(cells[-1]))
    return bytearray(field.ship), cells, answers


def check(r, decks, cells=(), answers=(), serial=False):
    j = Jury(r.width * r.height)
    return j.check(r, decks, cells, answers, len(cells), *[True] * serial), j


def test_fields():
    hold(
        """
A field of the rules is clean, with the longest ship of all too.
    6x6 3:1 2:1 1:2 | ### / / ##..# / / / # |
    6x6 5:1 1:1 | ##### / / / / / # |
    6x6 3:1 2:1 1:2 | ##### / / ##..# / / / # | => TOO_MANY length 5
A ship that is none is named by its first deck.
    6x6 3:1 2:1 1:2 | ### / / ##..# / # | => BAD_SHIP cell A3
    6x6 3:1 2:1 1:2 | ###### / / ##..# / / / # | => BAD_SHIP cell A1
    6x6 3:1 2:1 1:2 | ## / # / ...## / / #....# | => BAD_SHIP
    6x6 3:1 2:1 1:2 bent | ## / # / ...## / / #....# |
Ships that touch by a corner are named unless they may.
    6x6 3:1 2:1 1:2 | ### / ...# / ## / / / # | => TOUCHING cell D2
    6x6 3:1 2:1 1:2 corners | ### / ...# / ## / / / # |
A ship too many and one too few are named by their length.
    6x6 3:1 2:1 1:2 | ### / / ##..# / / ..# / # | => TOO_MANY length 1 cell A6
    6x6 3:1 2:1 1:2 | #### / / ##..# / / / # | => TOO_MANY length 4 cell A1
    6x6 3:1 2:1 1:2 | / / ##..# / / / # | => TOO_FEW length 3
    6x6 3:1 2:1 1:2 | / | => TOO_FEW
A ship too many along a wall is named where the wall rule holds.
    6x6 2:2 1:1 strict | ##..## / / # | => ALONG_WALL cell E1
    6x6 2:2 1:1 walls | ##..## / / # | => ALONG_WALL cell E1
    6x6 2:2 1:1 | ##..## / / # |
By the lenient reading a ship that only ends at a wall does not count.
    6x6 2:2 1:1 strict | ..# / ..# / / ...## / / # | => ALONG_WALL
    6x6 2:2 1:1 walls | ..# / ..# / / ...## / / # |
Bent ships are counted too, but none lies on one edge with all of it; so are those that touch by corners.
    6x6 3:2 bent strict | ## / # / ...# / ..## |
    6x6 3:2 bent strict | ## / # / / ....## / .....# | => ALONG_WALL
    6x6 3:2 bent walls | ## / # / / ....## / .....# |
    6x6 2:2 corners strict | ## / ..## |
    6x6 2:3 corners strict | ##..## / ..## | => ALONG_WALL
"""
    )


def test_answers():
    hold(
        """
A ship that was moved after the first shots is found.
    6x6 3:1 2:1 1:2 | / / ##..# / / / #..### | C4o A1x => FALSE_ANSWER shot 1 cell A1 claimed HIT truth MISS
A shot beside a wreck and a repeated miss are misses.
    6x6 3:1 2:1 1:2 | | A6# A5o B6= C4o C4o C4= A6x A6#
    6x6 3:1 2:1 1:2 | | A6# A5o B6= C4o C4o C4= A6x A6# A5x => FALSE_ANSWER cell A5 claimed HIT truth MISS
    6x6 3:1 2:1 1:2 | | A1x A1# => FALSE_ANSWER shot 1 claimed SUNK truth HIT
    6x6 3:1 2:1 1:2 | | A6# A5o B6= C4o C4o C4= A6x A6# A6o => FALSE_ANSWER cell A6 claimed MISS truth SUNK
    6x6 3:1 2:1 1:2 | | A6# A5o B6= C4o C4o C4= A6x A6# C4# => FALSE_ANSWER cell C4 claimed SUNK truth MISS
In a serial game a shot beside a wreck is a miss and no repeat.
    serial 6x6 3:1 2:1 1:2 | | A6# A5o A5=
    serial 6x6 3:1 2:1 1:2 | | A6# A5x A5= => FALSE_ANSWER shot 1 truth MISS
    serial 6x6 3:1 2:1 1:2 | | A6# A5# A5= => FALSE_ANSWER shot 1 truth MISS
    serial 6x6 3:1 2:1 1:2 | | A6# A5= A5= => FALSE_ANSWER shot 1 truth MISS
A repeated shot there is a repeat or no better than before.
    serial 6x6 3:1 2:1 1:2 | | B2o B2o A1x A1o A6# A6o
    serial 6x6 3:1 2:1 1:2 | | B2o B2= A1x A1x A6# A6x
    serial 6x6 3:1 2:1 1:2 | | A1x A1= A6# A6#
    serial 6x6 3:1 2:1 1:2 | | A6# A6=
    serial 6x6 3:1 2:1 1:2 | | B2o B2x => FALSE_ANSWER shot 1 truth REPEAT
    serial 6x6 3:1 2:1 1:2 | | B2o B2# => FALSE_ANSWER shot 1 truth REPEAT
    serial 6x6 3:1 2:1 1:2 | | A1x A1# => FALSE_ANSWER shot 1 truth REPEAT
The very last deck may be called hit there.
    serial 6x6 2:1 1:1 | ## / / / / / # | A6# A1x B1x
    serial 6x6 2:1 1:1 | ## / / / / / # | A1x B1x A6# => FALSE_ANSWER shot 1 truth SUNK
"""
    )
    # Without a finding no detail is left from before.
    r = rules(SMALL)
    j = Jury(36)
    assert j.check(r, drawn(r, GOOD), [30, 0], [SUNK, MISS], 2) == J.FALSE_ANSWER
    assert j.check(r, drawn(r, GOOD), [30, 0], [SUNK, HIT], 2) == J.CLEAN and told(j) == (-1, -1, -1, -1, -1)
    assert j.check(r, bytearray(36), (), (), 0) == J.TOO_FEW
    assert (j.cell, j.shot, j.claimed, j.truth) == (-1, -1, -1, -1)
    # A shot off the field is a bad record that accuses nobody.
    for cell in (-1, 36):
        assert (j.check(r, drawn(r, GOOD), [20, cell], [MISS, MISS], 2), j.shot) == (J.BAD_RECORD, 1)
    assert judge(J.BAD_RECORD, J.CLEAN) == J.NOBODY_CHEATED


def false(cells, answers, i, claimed):
    """Whether an answer other than the field's own is false by the rules of the game by letter."""
    if claimed == answers[i]:
        return False
    if answers[i] != REPEAT:
        return True
    before = answers[cells.index(cells[i])]
    if before == REPEAT:  # first shot at when it was next to a wreck
        return claimed != MISS
    return claimed != before and not (before == SUNK and claimed == HIT) and not (before == HIT and claimed == SUNK)


def test_every_answer_that_is_forged_is_found_and_the_first_is_named():
    for seed in range(1, 4):
        r = rules(CLASSIC + ("", " corners", " bent")[seed - 1])
        decks, cells, answers = honest(VariantField(100), r, seed)
        assert check(r, decks, cells, answers)[0] == J.CLEAN
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
                assert (found, j.shot, j.claimed) == (J.FALSE_ANSWER, i, forged)
                assert j.truth == answers[i] or answers[i] == REPEAT


def test_every_forged_answer_of_a_serial_game_is_found_but_those_that_are_borne():
    r = rules("8x8 4:1 3:1 2:2 1:3 walls")
    made = Fleet()
    made.protocol(8, 1, 1, 2, 3)
    decks, cells, answers = honest(Field(64), made, 4)
    assert check(r, decks, cells, answers, serial=True)[0] == J.CLEAN
    fresh = [cells[i] not in cells[:i] for i in range(len(cells))]
    forged = 0
    for i in range(len(cells)):
        for claimed in (MISS, HIT, SUNK, REPEAT):
            if claimed == answers[i] or not fresh[i] or i == len(cells) - 1 and claimed == HIT:
                continue
            record = list(answers)
            record[i] = claimed
            found, j = check(r, decks, cells, record, serial=True)
            assert (found, j.shot, j.truth) == (J.FALSE_ANSWER, i, answers[i])
            forged += 1
    assert forged > len(r.count)


def test_the_cheat_loses_and_if_both_cheat_there_is_no_result():
    for winner in (0, 1):
        assert result(winner, judge(J.CLEAN, J.CLEAN)) == winner
        assert result(winner, judge(J.FALSE_ANSWER, J.CLEAN)) == 1
        assert result(winner, judge(J.CLEAN, J.TOO_FEW)) == 0
        assert result(winner, judge(J.TOUCHING, J.BAD_SHIP)) == J.NO_RESULT
