"""A player at a serial game: what it does with each event, and what it refuses."""

from endpoint import PARAMS, PlayerEndpoint, slave
from talks import hold
from told import cell_of, cells_of

from seabattle import field, wire
from seabattle import link as L
from seabattle.field import MISS
from seabattle.player import NO_CELL
from seabattle.radar import EMPTY, UNKNOWN


class Seat(PlayerEndpoint):
    """A player, with the steps of a talk."""

    def do_ready(self, words):
        self.order(self.player.ready(), words)

    def do_fire(self, words):
        """Shoot at cells: one that is sent, or several that are all refused."""
        for word in [word for word in words if not hasattr(L, word)]:
            cell = {"before": -1, "behind": 36, "far": 99, "none": NO_CELL}.get(word)
            self.order(self.player.shoot(cell_of(word, 6) if cell is None else cell), words)

    def order(self, said, words):
        assert said == (getattr(L, words[-1]) if words and hasattr(L, words[-1]) else L.DONE), said

    def do_place(self, words):
        for cells in [cells_of(word, 6) for word in words]:
            down = len(cells) > 1 and cells[1] > cells[0] + 1
            assert self.player.field.place(cells[0] % 6, cells[0] // 6, len(cells), down) == 0

    def do_random(self, _words):
        assert self.player.field.random(self.player.rng)

    def do_mine(self, words):
        """Check the last own shot, its answer, and the number of shots."""
        p = self.player
        told(words, p.my_last, p.my_result, p.my_shots)

    def do_its(self, words):
        """The same for the other side."""
        p = self.player
        told(words, p.its_last, p.its_result, p.its_shots)

    def do_against(self, words):
        """Check the earlier answer that the last event names as contradicted."""
        cell = cell_of(words[0], 16)
        found = tuple(self.link.details[6:8])
        assert found == (cell + 0x11, wire.MISS + (getattr(field, words[1]) << 4)), found

    def do_sees(self, words):
        """Check what is known of a cell of the other's field, or the number of hits."""
        if words[0] == "hits":
            assert self.player.radar.hits == int(words[1])
        else:
            assert self.player.radar.cell[cell_of(words[0], 6)] == {"EMPTY": EMPTY, "UNKNOWN": UNKNOWN}[words[1]]

    def do_fleet(self, words):
        """Check width, height, ships, decks, and one-deck ships of the fleet, with the wall rule."""
        fleet = self.player.fleet
        found = [fleet.width, fleet.height, fleet.ships, fleet.decks, fleet.count[1]]
        assert found == [int(word) for word in words] and fleet.walls and self.player.field.width == fleet.width

    def do_water(self, _words):
        """The own field has no ships."""
        assert not bytes(self.player.field.ship).strip(b"\0")


def told(words, last, result, shots):
    if words[0] == "none":
        assert (last, shots) == (NO_CELL, 0), (last, shots)
    else:
        want = cell_of(words[0], 6), getattr(field, words[1]), int(words[2])
        assert (last, result, shots) == want, (last, result, shots)


# In the battle with one two-deck ship at A1-B1 and two of one deck, so that a ship may be hit and not sunk.
MASTERS = """M1: offer 6 0 0 1 2 > B2 06 00 00 01 02; < 2B 06 00 00 01 02 > A2; < 2A > B3 01 20; < 3B;
        place A1-B1 E3 C5; ready > A3; < 3A; < A4 > 4A; rest"""
SLAVES = """S1: < B2 06 00 00 01 02 > 2B 06 00 00 01 02; < A2 > 2A B3 01 20; < 3B; place A1-B1 E3 C5; ready;
        < A3 > 3A A4; < 4A; rest"""


def test_what_a_player_does():
    hold(
        """
The agreed parameters are the player's fleet, which its generator places.
    MS2: fleet 6 6 2 2 2; random
    S2: random; ready; < A3 > 3A A4
Readiness is refused while ships are missing.
    M2: ready NOT_NOW; place A1; ready NOT_NOW; = whole 0; place E4; ready > A3; ready NOT_NOW
    S3: ready NOT_NOW; place A1; ready NOT_NOW; = whole 0; place E4; ready > A4; ready NOT_NOW
Shots of the peer are answered from the field, column, then row, from 1.
    SLAVES; its none; < C0 01 01 > 1C; its A1 HIT 1; < C0 02 01 > 2C; its B1 SUNK 2; < C0 05 03 > 2C; its E3 SUNK 3;
        < C0 04 06 > 0C; its D6 MISS 4; mine none
    SLAVES; < C0 01 01 > 1C; rest; < C0 01 01 > 3C; its A1 REPEAT 2
    SLAVES; < C0 01 01 C0 01 01 > 1C 1C; its A1 HIT 1; rest; < C0 02 01 C0 02 01 > 2C 2C; its B1 SUNK 2
Answers to our shots are kept.
    MASTERS; fire C5 > C0 03 05
    MASTERS; fire C3 > C0 03 03; ~2; < 1C; mine C3 HIT 1; fire D3; ~2 > C0 04 03; < 2C; mine D3 SUNK 2; sees hits 2;
        sees E3 EMPTY; fire F6; ~2 > C0 06 06; < 0C; mine F6 MISS 3; its none
A false answer is called by its reason: no ship longer than two is left that this could belong to.
    MASTERS; fire C3 > C0 03 03; ~2; < 2C; fire F3; ~2 > C0 06 03; < 1C; fire E3; ~2 > C0 05 03;
        < 1C > A8 ? BROKEN C0 R_NOT_SUNK; against C3 SUNK
No shot while it is not ours, off the field, nor where it tells nothing.
    SLAVES; fire A1 NOT_NOW
    S2: fire A1 NOT_NOW
    MASTERS; fire B2 > C0 02 02; fire C2 NOT_NOW
    MASTERS; fire before behind far none OUT_OF_RANGE; fire C3 > C0 03 03; ~2; < 2C; fire C3 B3 B2 OUT_OF_RANGE;
        fire B6; ~2 > C0 02 06; < 2C; fire F3; ~2 > C0 06 03; < 0C; mine F3 MISS 3
A new game begins with everything blank.
    MASTERS; fire C3 > C0 03 03; ~2; < 0C; < C0 01 01 > 1C; mine C3 MISS 1; its A1 HIT 1; < A6 > 6A; = state 9;
        restart > A5; < 5A; offer > PARAMS; < ECHO > A2; < 2A; mine none; its none; water; sees C3 UNKNOWN; sees hits 0
""".replace("MASTERS", MASTERS).replace("SLAVES", SLAVES),
        Seat,
    )
    p = PlayerEndpoint(wire.SLAVE).player
    assert (p.my_last, p.its_last, p.my_shots, p.its_shots) == (NO_CELL, NO_CELL, 0, 0)
    assert (p.my_result, p.its_result) == (MISS, MISS) and NO_CELL > 99


def test_own_ships_stand_by_the_strict_reading_wherever_they_can():
    for text, lenient in (
        (PARAMS, False),
        ("B2 06 00 00 00 04", False),
        ("B2 07 00 00 00 09", False),
        ("B2 0A 01 02 05 0A", False),
        ("B2 06 00 01 04 02", True),  # what only the lenient reading allows
    ):
        s = slave(1, PlayerEndpoint)
        assert s.hear(text)[:2] == "2B"
        assert s.player.fleet.lenient == lenient, text
