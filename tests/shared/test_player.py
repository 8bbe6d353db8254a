"""One seat at a serial game: what a player does with each event, and what it refuses to do."""

from endpoint import ECHO, PARAMS, PlayerEndpoint, calm, master, slave

from seabattle import link as L
from seabattle import wire
from seabattle.field import HIT, MISS, REPEAT, SUNK
from seabattle.fleet import check
from seabattle.player import NO_CELL
from seabattle.radar import EMPTY, UNKNOWN

# One two-deck ship and two of one deck on 6x6, so that a ship may be hit and not sunk.
LONGER = "B2 06 00 00 01 02"
LONGER_ECHO = "2B 06 00 00 01 02"


def battle(role):
    """A player in the battle with its ships at A1-B1, E3 and C5; the master's turn."""
    s = (master if role == wire.MASTER else slave)(1, PlayerEndpoint)
    if role == wire.MASTER:
        s.link.offer(6, 0, 0, 1, 2)
        s.sent()
        s.hear(LONGER_ECHO)
        s.hear("2A")
    else:
        s.hear(LONGER)
        s.hear("A2")
    s.hear("3B")
    place(s.player.field)
    s.player.ready()
    if role == wire.MASTER:
        s.hear("3A")
        s.hear("A4")
    else:
        assert s.hear("A3") == "3A A4"
        s.hear("4A")
    return calm(s)


def place(field):
    assert field.place(0, 0, 2, 0) == 0 and field.place(4, 2, 1, 0) == 0 and field.place(2, 4, 1, 0) == 0


def shoot(s, cell, answer):
    """Our shot, and its answer; returns what is said on the answer."""
    assert s.player.shoot(cell) == L.DONE
    s.ticks(2, s.alive())
    return s.hear(answer)


def test_the_agreed_parameters_are_the_players_fleet():
    for s in (master(2, PlayerEndpoint), slave(2, PlayerEndpoint)):
        fleet = s.player.fleet
        assert (fleet.width, fleet.height, fleet.ships, fleet.decks) == (6, 6, 2, 2)
        assert fleet.count[1] == 2 and fleet.walls
        assert s.player.field.width == 6


def test_each_count_goes_to_ships_of_its_own_length():
    s = slave(1, PlayerEndpoint)
    s.hear("B2 0A 01 02 03 04")
    assert bytes(s.player.fleet.count[1:5]) == b"\x04\x03\x02\x01"


def test_own_ships_stand_by_the_strict_reading_wherever_they_can():
    s = slave(1, PlayerEndpoint)
    s.hear(PARAMS)
    assert not s.player.fleet.lenient
    for text, lenient in (("B2 06 00 00 00 04", False), ("B2 07 00 00 00 09", False), ("B2 0A 01 02 05 0A", False)):
        s = slave(1, PlayerEndpoint)
        s.hear(text)
        assert s.player.fleet.lenient == lenient, text
    only = only_lenient()
    assert only
    for size, n4, n3, n2, n1 in only:
        s = slave(1, PlayerEndpoint)
        assert s.hear("B2 %02X %02X %02X %02X %02X" % (size, n4, n3, n2, n1))[:2] == "2B"
        assert s.player.fleet.lenient


def only_lenient():
    """Some parameters that only the lenient reading allows."""
    found = []
    for n2 in range(6):
        for n1 in range(1, 11):
            if check(6, 0, 1, n2, n1) and not check(6, 0, 1, n2, n1, True):
                found.append((6, 0, 1, n2, n1))
    return found


def test_before_anything_there_is_no_last_shot():
    p = PlayerEndpoint(wire.SLAVE).player
    assert (p.my_last, p.its_last, p.my_shots, p.its_shots) == (NO_CELL, NO_CELL, 0, 0)
    assert (p.my_result, p.its_result) == (MISS, MISS)
    assert NO_CELL > 99


def test_its_generator_places_its_ships():
    s = slave(2, PlayerEndpoint)
    assert s.player.field.random(s.player.rng)
    assert s.player.ready() == L.DONE


def test_shots_of_the_peer_are_answered_from_the_field():
    s = battle(wire.SLAVE)
    p = s.player
    # Column, then row, from 1; the two-deck ship is at A1 and B1.
    for shot, answer, cell, result in (
        ("C0 01 01", "1C", 0, HIT),
        ("C0 02 01", "2C", 1, SUNK),
        ("C0 05 03", "2C", 16, SUNK),
        ("C0 04 06", "0C", 33, MISS),
    ):
        before = p.its_shots
        assert s.hear(shot) == answer
        assert (p.its_last, p.its_result, p.its_shots) == (cell, result, before + 1)
    assert p.my_last == NO_CELL and p.my_shots == 0


def test_a_cell_that_was_shot_before_is_answered_as_a_repeat():
    s = battle(wire.SLAVE)
    assert s.hear("C0 01 01") == "1C"
    calm(s)
    assert s.hear("C0 01 01") == "3C"
    assert (s.player.its_result, s.player.its_shots) == (REPEAT, 2)


def test_answers_to_our_shots_are_kept():
    s = battle(wire.MASTER)
    p = s.player
    n = 0
    for cell, answer, result in ((14, "1C", HIT), (15, "2C", SUNK), (35, "0C", MISS)):
        assert shoot(s, cell, answer) == ""
        n += 1
        assert (p.my_last, p.my_result, p.my_shots) == (cell, result, n)
    assert p.radar.hits == 2 and p.radar.cell[16] == EMPTY
    assert p.its_last == NO_CELL and p.its_shots == 0


def test_the_shot_goes_out_as_column_and_row_from_1():
    s = battle(wire.MASTER)
    assert s.player.shoot(6 * 4 + 2) == L.DONE
    assert s.sent() == "C0 03 05"


def test_a_false_answer_is_called_by_its_reason():
    s = battle(wire.MASTER)
    shoot(s, 14, "2C")
    shoot(s, 17, "1C")
    # No ship longer than two is left that this could belong to.
    assert shoot(s, 16, "1C") == "A8"
    broken = [e for e in s.events() if e[0] == L.EV_BROKEN]
    assert len(broken) == 1 and broken[0][1] == wire.SHOT and wire.R_NEAR_SUNK <= broken[0][2] < wire.REASONS


def test_no_shot_while_it_is_not_ours():
    s = battle(wire.SLAVE)
    assert s.player.shoot(0) == L.NOT_NOW
    s = slave(2, PlayerEndpoint)
    assert s.player.shoot(0) == L.NOT_NOW
    s = battle(wire.MASTER)
    assert s.player.shoot(7) == L.DONE
    assert s.player.shoot(8) == L.NOT_NOW


def test_no_shot_off_the_field_nor_where_it_tells_nothing():
    s = battle(wire.MASTER)
    for cell in (-1, 36, 99, NO_CELL):
        assert s.player.shoot(cell) == L.OUT_OF_RANGE
    shoot(s, 14, "2C")
    for cell in (14, 13, 7):
        assert s.player.shoot(cell) == L.OUT_OF_RANGE
    assert s.sent() == ""
    for cell in (0, 35):
        shoot(s, cell, "2C" if cell == 0 else "0C")
    assert s.player.my_shots == 3


def test_readiness_is_refused_while_ships_are_missing():
    for s, out in ((master(2, PlayerEndpoint), "A3"), (slave(3, PlayerEndpoint), "A4")):
        assert s.player.ready() == L.NOT_NOW and s.sent() == ""
        assert s.player.field.place(0, 0, 1, 0) == 0
        assert s.player.ready() == L.NOT_NOW and s.sent() == ""
        assert s.player.field.place(4, 3, 1, 0) == 0
        assert s.player.ready() == L.DONE and s.sent() == out
        assert s.player.ready() == L.NOT_NOW


def test_a_new_game_begins_with_everything_blank():
    s = battle(wire.MASTER)
    p = s.player
    shoot(s, 14, "0C")
    assert s.hear("C0 01 01") == "1C"
    assert p.my_shots == p.its_shots == 1
    s.hear("A6")
    assert s.link.state == 9
    s.link.restart()
    s.sent()
    s.hear("5A")
    assert s.link.offer(6, 0, 0, 0, 2) == L.DONE
    s.sent()
    s.hear(ECHO)
    s.hear("2A")
    assert (p.my_last, p.its_last, p.my_shots, p.its_shots) == (NO_CELL, NO_CELL, 0, 0)
    assert not p.field.complete() and not bytes(p.field.ship).strip(b"\0")
    assert p.radar.cell[14] == UNKNOWN and p.radar.hits == 0
