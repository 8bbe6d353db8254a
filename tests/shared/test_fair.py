"""Showing the fields after a serial game: what is sent and when, the jury's verdict, and who gets nothing."""

from fair_match import SMALL, DeafLink, Endpoint, LyingLink, Match, Mover, checked

from seabattle import fair as F
from seabattle import jury as J
from seabattle import link as L
from seabattle import reveal, wire
from seabattle.bot import BUSY
from seabattle.fair import FairBot, FairPlayer
from seabattle.field import MISS
from seabattle.gunner import HUNT, Gunner
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_fair_bots_settle_each_game_before_the_next_and_before_they_leave",
    "test_whatever_a_peer_writes_and_whenever_the_game_goes_on",
)

# A two-deck ship in A2-B2, one-deck ones in D4 and E2: one of three along a wall.
SHIPS = ((0, 1, 2, False), (3, 3, 1, False), (4, 1, 1, False))


def match(fair=(True, True), **slave):
    return Match(Endpoint(wire.MASTER, fair[0], seed=1), Endpoint(wire.SLAVE, fair[1], seed=2, **slave))


def sink(t, shooter, ships=SHIPS):
    """Sink the other side's ships at SHIPS, in that order."""
    for x, y, length, vertical in ships:
        for i in range(length):
            t.shoot(shooter, x if vertical else x + i, y + i if vertical else y)


def played(t, mine=SHIPS, its=SHIPS):
    """Play a game that the master wins without a miss."""
    t.begin(mine, its)
    sink(t, t.master)
    t.end()
    assert (L.EV_OVER, L.WE_WON, L.BY_SHOTS) in t.master.seen
    return t


def verdicts(t):
    return [endpoint.player.verdict for endpoint in t.endpoints]


def kinds(endpoint):
    """Return the kinds of lines it has sent."""
    return [reveal.kind(line, len(line)) for line in endpoint.wire]


# The exchange.


def test_two_fair_players_seal_their_fields_before_the_first_shot_and_show_them_after_the_last():
    t = match()
    t.begin(SHIPS, SHIPS)
    for endpoint in t.endpoints:
        assert kinds(endpoint) == [reveal.SEAL]
        assert (F.MY_SEAL, 0) in endpoint.told() and (F.ITS_SEAL, 0) in endpoint.told()
        assert endpoint.player.has_my_seal and endpoint.player.has_its_seal
    sink(t, t.master)
    t.end()
    assert verdicts(t) == [J.NOBODY_CHEATED, J.NOBODY_CHEATED]
    for endpoint, other in ((t.master, t.slave), (t.slave, t.master)):
        assert kinds(endpoint) == [reveal.SEAL, reveal.SHOW, reveal.FIELD]
        assert (F.SHOWN, 0) in endpoint.told()
        assert [bool(endpoint.player.decks[c]) for c in range(36)] == [n > 0 for n in other.player.field.ship[:36]]
        assert endpoint.player.settled() and endpoint.read == []
        # The hash is of the line that is shown.
        seal, _, shown = endpoint.wire
        digest = endpoint.player.sealer.digest(shown, len(shown))
        out = bytearray(64)
        assert seal == bytes(out[: reveal.put_seal(out, digest)])
    # The salt changes with each game.
    assert t.master.link.restart() == L.DONE
    t.begin(SHIPS, SHIPS)
    sink(t, t.master)
    t.end()
    assert verdicts(t) == [J.NOBODY_CHEATED, J.NOBODY_CHEATED]
    for endpoint in t.endpoints:
        first, second = [line for line in endpoint.wire if line.startswith(b"#field")]
        assert first[:-25] == second[:-25] and first[-25:-5] != second[-25:-5]


def test_a_fair_player_is_ready_only_after_its_seal_was_confirmed():
    t = match((True, False))
    t.meet()
    t.master.place(*SHIPS)
    assert t.master.player.ready() == L.DONE and t.master.player.ready() == L.DONE
    t.master.look()
    assert t.master.link.state == 2
    out = []
    while True:
        byte = t.master.link.tx()
        if byte < 0:
            break
        out.append(byte)
    assert out[0] == wire.CHAT and wire.MASTER_READY not in out
    for b in out:
        t.slave.link.rx(b)
    t.ticks(3)
    assert t.master.link.state == 3


def test_who_is_not_fair_sends_nothing_unasked_and_shows_its_field_when_it_is_asked():
    t = played(match((True, False)))
    assert t.slave.wire[0][:-5].endswith(b" -") and len(t.slave.wire) == 1
    assert verdicts(t) == [J.NOBODY_CHEATED, F.NO_VERDICT_YET]
    assert not t.master.player.has_its_seal
    # a player who was not fair may still ask
    assert t.slave.player.ask() == L.DONE
    t.end()
    assert verdicts(t) == [J.NOBODY_CHEATED, J.NOBODY_CHEATED]
    assert t.slave.player.has_its_seal
    assert t.slave.player.ask() == L.NOT_NOW


def test_a_field_is_never_shown_before_the_end():
    t = match((False, False))
    t.begin(SHIPS, SHIPS)
    assert t.slave.player.ask() == L.NOT_NOW
    assert t.slave.link.send_chat(b"#show", 5) == L.DONE
    t.ticks(5)
    assert t.master.wire == [] and t.master.read == [b"#show"]
    sink(t, t.master)
    t.end()
    assert t.master.wire == []


def test_after_a_surrender_the_fields_are_shown_too_but_there_is_nothing_to_show_before_any_battle():
    t = match()
    t.begin(SHIPS, SHIPS)
    t.shoot(t.master, 0, 1)
    assert t.slave.link.surrender() == L.DONE
    t.end()
    assert verdicts(t) == [J.NOBODY_CHEATED, J.NOBODY_CHEATED]
    t = match()
    t.meet()
    assert t.slave.link.surrender() == L.DONE
    t.ticks(70)
    assert t.master.link.state == 9
    assert t.master.player.ask() == L.NOT_NOW and t.master.player.settled()
    assert t.master.wire == [] and t.slave.wire == []


# When there is no verdict.


def test_to_a_peer_without_chat_nothing_is_sent_and_the_reason_is_told():
    t = match((True, False), link=DeafLink)
    t.begin(SHIPS, SHIPS)
    assert t.master.told() == [(F.NO_SEAL, F.NO_CHAT)]
    sink(t, t.master)
    t.end()
    assert t.master.told()[1:] == [(F.NO_VERDICT, F.NO_CHAT)]
    assert t.master.wire == [] and t.master.player.ask() == L.NO_CHAT
    assert t.master.player.settled()


class Secretive(FairPlayer):
    """Confirms every line and never shows its field."""

    def _text_received(self):
        return L.EV_CHAT


def test_a_peer_that_does_not_show_its_field_is_given_60_ticks_unless_it_leaves():
    t = played(match(player=Secretive))
    assert not t.master.player.settled()
    t.ticks(wire.REPLY_TICKS)
    assert t.master.told()[-1] == (F.NO_VERDICT, F.NOT_SHOWN)
    assert t.master.player.settled() and t.master.player.can_ask()
    t = played(match(player=Secretive))
    assert t.slave.link.goodbye() == L.DONE
    t.ticks(3)
    assert t.master.told()[-1] == (F.NO_VERDICT, F.GONE)
    assert t.master.player.settled()


def test_a_seal_that_comes_too_late_or_twice_does_not_count():
    t = match((False, False))
    t.begin(SHIPS, SHIPS)
    late = checked(b"#seal " + b"0" * 48)
    assert t.slave.link.send_chat(late, len(late)) == L.DONE
    t.ticks(3)
    assert not t.master.player.has_its_seal and t.master.read == [late]
    t = match()
    t.meet()
    t.slave.place(*SHIPS)
    t.slave.player.ready()
    t.ticks(5)
    assert t.slave.link.send_chat(late, len(late)) == L.DONE
    t.ticks(3)
    assert t.master.read == [late]
    t.master.place(*SHIPS)
    assert t.master.player.ready() == L.DONE
    t.ticks(80)
    sink(t, t.master)
    t.end()
    assert verdicts(t) == [J.NOBODY_CHEATED, J.NOBODY_CHEATED]


# Cheats.


def moved(ships, fair):
    class Cheat(Mover):
        pass

    Cheat.ships = ships
    return match(fair, player=Cheat)


def lose_to(t):
    """Have the slave, a cheat, win; the master has shot at C3 first."""
    t.begin(SHIPS, SHIPS)
    t.shoot(t.master, 2, 2)
    sink(t, t.slave)
    t.end()
    return t


AFLOAT = ((0, 3, 2, False), (3, 3, 1, False), (4, 1, 1, False))
"""In cells not shot at: SHIPS with the two-deck one moved from A2 to A4."""


def test_a_ship_that_was_moved_is_found_and_to_where_nobody_shot_by_the_seal_alone():
    for ships, sealed, verdict, its in (
        (AFLOAT, True, J.SECOND_CHEATED, J.BROKEN_SEAL),
        (AFLOAT, False, J.NOBODY_CHEATED, J.CLEAN),  # without a seal nothing contradicts it
        (SHIPS[:2], False, J.SECOND_CHEATED, J.TOO_FEW),
        (SHIPS[1:], False, J.SECOND_CHEATED, J.TOO_FEW),
        (((2, 2, 2, False), (0, 5, 1, False), (4, 4, 1, False)), False, J.SECOND_CHEATED, J.FALSE_ANSWER),
    ):
        player = lose_to(moved(ships, (True, sealed))).master.player
        assert (player.verdict, player.its, player.mine) == (verdict, its, J.CLEAN)


def test_if_both_cheated_there_is_no_result():
    t = Match(Endpoint(wire.MASTER, True, link=LyingLink, seed=1), Endpoint(wire.SLAVE, True, link=LyingLink, seed=2))
    t.begin(SHIPS, SHIPS)
    for endpoint in t.endpoints:
        endpoint.link.lies = {0: wire.MISS}
    t.shoot(t.master, 4, 1)
    t.shoot(t.slave, 4, 1)
    for endpoint in t.endpoints:
        # each program knows its own lines
        endpoint.player.answers[0][0] = MISS
    assert t.slave.link.surrender() == L.DONE
    t.end()
    assert t.master.player.verdict == J.BOTH_CHEATED
    assert t.slave.player.verdict == J.BOTH_CHEATED
    assert J.result(0, t.slave.player.verdict) == J.NO_RESULT


# Bots.


def test_fair_bots_settle_each_game_before_the_next_and_before_they_leave():
    for fair in ((True, True), (True, False), (False, True)):
        t = match(fair)
        for endpoint in t.endpoints:
            player = endpoint.player
            endpoint.bot = FairBot(player, Gunner(player.radar, player.rng, HUNT), 3, SMALL)
        while not (t.master.link.closed and t.slave.link.closed):
            while BUSY in [endpoint.bot.step() for endpoint in t.endpoints]:
                t.carry()
            t.ticks(1)
            assert t.now < 4000
        for i in range(2):
            told = t.endpoints[i].told()
            assert told.count((F.SHOWN, 0)) == (3 if fair[i] else 0), (fair, i, told)
            assert t.endpoints[i].player.verdict in (J.NOBODY_CHEATED, F.NO_VERDICT_YET)
            assert t.endpoints[i].bot.played == 3


def test_whatever_a_peer_writes_and_whenever_the_game_goes_on():
    rng = Rng(9)
    field = b"#field 6 032001000 "
    fields = [checked(field + salt) for salt in (b"-", b"ab" * 10)]
    kinds = [checked(b"#seal " + b"0" * 48), b"#show", b"#field 10 "] + fields
    for state in (2, 4, 9):
        t = match((state != 4, False))
        t.meet()
        if state > 2:
            t.master.place(*SHIPS)
            t.slave.place(*SHIPS)
            t.fight()
        if state == 9:
            sink(t, t.master)
        for _ in range(150):
            text = bytearray(kinds[rng.below(len(kinds))])
            for _ in range(rng.below(3)):
                text[rng.below(len(text))] = rng.below(256)
            n = 1 + rng.below(len(text)) if rng.below(2) else len(text)
            t.slave.link.send_chat(text, n)
            t.ticks(4)
        assert t.master.link.state == state and t.slave.link.state == state
        assert state == 9 or not [line for line in t.master.wire if line.startswith(b"#field")]
