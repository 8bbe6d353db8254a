"""Whole games of our player against other people's programs, in both roles."""

from __future__ import annotations

import pytest

from seabattle import link as links
from seabattle import watch, wire
from seabattle.bot import BUSY, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.language import words
from tests.peers.dialects import TAGGED, Dialect, MasterB, MasterL, SlaveB, SlaveL
from tests.sizes import proof

OURS, THEIRS = 0, 1
SEEDS = range(1, proof(5, 9))


class Match:
    """Our bot and a peer on one line; every byte is recorded with its tick."""

    def __init__(self, peer: Dialect, role: int, seed: int = 1, games: int = 0) -> None:
        rng = Rng(seed)
        self.seed = seed
        self.peer = peer
        self.link = Link(role, rng)
        self.link.nick(b"BOARD", 5)
        self.player = Player(self.link, rng)
        self.bot = Bot(self.player, Gunner(self.player.radar, rng, HUNT), games)
        self.events: list[tuple[int, int, int]] = []
        self.traffic: list[tuple[int, int, int]] = []
        self.time = 0
        self.thinking = False  # our bot takes its time

    def tick(self) -> None:
        self.time += 1
        self.link.tick()
        self.peer.tick()
        self.settle()

    def settle(self) -> None:
        """Carry bytes until the line is quiet, one each way at a time."""
        while True:
            self.poll()
            b = self.link.tx()
            if b >= 0:
                self.traffic.append((OURS, self.time, b))
                self.peer.rx(b)
            elif not self.peer.out:
                return
            if self.peer.out:
                b = self.peer.out.pop(0)
                self.traffic.append((THEIRS, self.time, b))
                self.link.rx(b)

    def poll(self) -> None:
        while True:
            ev = self.player.poll()
            if ev == links.EV_NONE:
                break
            self.events.append((ev, self.link.a, self.link.b))
        while not self.thinking and self.bot.step() == BUSY:
            pass

    def play(self, ticks: int = 20000, patient: bool = False) -> Match:
        """Play until the game is over on both sides; a patient person presses no key after a timeout."""
        for _ in range(ticks):
            self.tick()
            if (self.link.key_awaited and not patient) or (self.over and (self.peer.left or self.link.state == 0)):
                break
        return self

    @property
    def over(self) -> tuple[int, int] | None:
        ends = [(a, b) for ev, a, b in self.events if ev == links.EV_OVER]
        return ends[-1] if ends else None

    def codes(self) -> list[int]:
        return [e[0] for e in self.events]

    def sent(self, op: int) -> int:
        """Count our bytes of this value."""
        return sum(1 for who, _, b in self.traffic if who == OURS and b == op)


def assert_good_game(t: Match) -> None:
    bad = [e for e in t.events if e[0] in (links.EV_BROKEN, links.EV_ACCUSED, links.EV_TIMEOUT)]
    assert not bad, (t.seed, bad)
    assert not t.peer.complaints
    assert t.over is not None, (t.seed, t.link.state, t.peer.state, t.time)
    assert {links.WE_WON: "lost", links.WE_LOST: "won"}[t.over[0]] == t.peer.result
    assert t.over[1] == links.BY_SHOTS
    assert t.sent(0xA8) == 0


def no_chat(t: Match) -> None:
    """No text reaches a program without chat."""
    assert (links.EV_CHAT_KNOWN, 0, 0) in t.events
    assert t.link.send_chat(b"AB", 2) == links.NO_CHAT
    assert t.sent(wire.CHAT) == 1  # the probe alone


@pytest.mark.parametrize("delay", [1, 30])
@pytest.mark.parametrize("role", [wire.SLAVE, wire.AUTO])
def test_whole_game_with_the_master_L(delay: int, role: int):
    for seed in SEEDS:
        t = Match(MasterL(delay), role, seed).play()
        assert_good_game(t)
        assert t.peer.heard_nick == b"BOARD"
        assert bytes(t.link.peer_nick[: t.link.peer_nick_len]) == b"PROGRAM L "
        no_chat(t)
        # the peer leaves after the game, which is no error
        for _ in range(100):
            t.tick()
        assert t.codes()[-1] == links.EV_LEFT and t.link.state == 0


@pytest.mark.parametrize("delay", [1, 30])
@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("role", [wire.MASTER, wire.AUTO])
def test_whole_game_with_the_slave_L(delay: int, early: bool, role: int):
    for seed in SEEDS:
        t = Match(SlaveL(delay, early), role, seed).play()
        assert_good_game(t)
        # Our nick is sent once: as an answer to a nick it would never end.
        assert t.sent(0xB1) == 1
        no_chat(t)


def test_whole_game_with_the_master_B():
    for seed in SEEDS:
        t = Match(MasterB(), wire.SLAVE, seed).play(60000, patient=True)
        # It takes 36 ticks a command, so its answers sometimes come after our timeout; the game goes on without a key.
        waits = [e[0] for e in t.events if e[0] in (links.EV_TIMEOUT, links.EV_RESUMED)]
        assert waits and waits == [links.EV_TIMEOUT, links.EV_RESUMED] * (len(waits) // 2)
        t.events = [e for e in t.events if e[0] != links.EV_TIMEOUT]
        assert_good_game(t)
        assert (links.EV_NICK_LOST, 0, 0) in t.events  # B never answers a nick; that is reported, and the game goes on
        assert b"\x2b" + TAGGED[1:] in bytes(b for who, _, b in t.traffic if who == OURS)  # echoed as they came


def test_restart_by_the_master_L_without_new_parameters():
    for state in (2, 3, 4):
        t = Match(MasterL(3, restart_in=state), wire.SLAVE).play()
        assert_good_game(t)
        assert links.EV_RESTART in t.codes()


def test_our_surrender_to_a_slave_L_that_leaves_without_6A():
    t = Match(SlaveL(50, early=False), wire.MASTER)
    while t.link.state != 3:
        t.tick()
    t.link.surrender()
    for _ in range(200):
        t.tick()
    assert t.over == (links.WE_LOST, links.BY_SURRENDER)
    assert links.EV_TIMEOUT not in t.codes() and t.codes()[-1] == links.EV_LEFT


def shooting(peer: Dialect, role: int) -> Match:
    """Return a match whose peer has just shot: the bytes are still in its `out`."""
    t = Match(peer, role)
    while True:
        t.time += 1
        t.link.tick()
        t.peer.tick()
        if t.link.state == 4 and t.peer.waiting:
            return t
        t.settle()


def test_our_goodbye_while_the_master_L_is_deaf():
    t = shooting(MasterL(1), wire.SLAVE)
    t.link.goodbye()
    for _ in range(200):
        t.tick()
    assert t.link.closed and links.EV_TIMEOUT not in t.codes()


def test_the_slave_L_repeats_its_shot_at_every_sync_and_gets_the_same_answer():
    """Our answer is lost once; the shot comes again with the next sync."""
    t = shooting(SlaveL(1), wire.MASTER)
    for b in list(t.peer.out):
        t.link.rx(b)
    t.peer.out.clear()
    t.thinking = True
    t.poll()
    lost = [b for b in iter(t.link.tx, -1) if b != 0xAA]  # our answer is lost
    assert len(lost) == 1 and lost[0] in (0x0C, 0x1C, 0x2C)
    losses = t.link.my_losses
    while t.peer.waiting:
        t.tick()
    t.thinking = False
    assert t.link.my_losses - losses <= 1 and t.link.repeats >= 1
    assert_good_game(t.play())


# Program B as slave cannot keep up with a master that syncs as the protocol asks: the game is possible, and endless.


def with_the_slave_B(tagged: bool = True) -> Match:
    t = Match(SlaveB(), wire.MASTER)
    t.link.tagged = tagged
    return t


def test_the_slave_B_gets_slower_and_slower_and_nobody_is_accused() -> None:
    t = with_the_slave_B()
    waits: list[int] = []
    while len(waits) < 4:
        t.tick()
        if t.codes()[-1:] == [links.EV_TIMEOUT] and t.link.hung:
            began = t.time
            while t.link.hung:
                t.tick()
            waits.append(t.time - began)
    # Parameters, placing, readiness, a shot: each is answered in the end, each later than the one before.
    assert waits == sorted(waits) and waits[-1] > 4 * waits[-2] // 2
    assert t.link.state == 4 and t.peer.state == 4 and not t.peer.complaints
    answer = next(a for ev, a, _ in t.events if ev == links.EV_ANSWER)
    assert answer in (wire.MISS, wire.HIT, wire.SUNK)
    assert t.sent(0xA8) == 0 and not {links.EV_BROKEN, links.EV_ACCUSED} & set(t.codes())


@pytest.mark.parametrize("tagged", [True, False], ids=["tagged", "raw"])
def test_who_does_not_wait_for_the_slave_B_is_told_how_to_leave_and_leaves_in_order(tagged: bool, english: None):
    t = with_the_slave_B(tagged)
    while not t.link.hung:
        t.tick()
    code, a, b = t.events[-1]
    assert (code, a) == (links.EV_TIMEOUT, wire.PARAMS)
    for language, told in (("en", ": give up, or wait"), ("ru", ": прервать игру или ждать")):
        words.use(language)
        said = words.event(code, a, b)
        assert words.frame_name(wire.PARAMS) in said and told in said
    assert t.link.key() == links.DONE
    t.tick()
    assert t.codes()[-1] == links.EV_IDLE and t.link.state == 0 and t.sent(0xA0) == 1
    t.link.goodbye()
    t.tick()
    assert t.link.closed and t.sent(0xA8) == 0


# The sniffer names the deviations of these programs, and calls none a violation.


def judged(t: Match) -> dict[int, set[tuple[int, int, int]]]:
    """Return a watcher's findings on the traffic, by verdict: (who, opcode, reason)."""
    kinds = (watch.DEVIATION, watch.VIOLATION, watch.NOISE, watch.DOUBT, watch.FOLLOWS)
    found: dict[int, set[tuple[int, int, int]]] = {verdict: set() for verdict in kinds}
    w = watch.Watch()
    now = 0
    for who, time, b in t.traffic:
        while now < time:
            w.tick()
            now += 1
            take(w, found)
        w.feed(who, b)
        take(w, found)
    return found


def take(w: watch.Watch, found: dict[int, set[tuple[int, int, int]]]) -> None:
    while w.take():
        if w.verdict != watch.OK and not w.open:
            found[w.verdict].add((w.side, w.op, w.reason))


ANSWERS = (wire.MISS, wire.HIT, wire.SUNK)


@pytest.mark.parametrize(
    ("peer", "role", "odd"),
    [
        (lambda: MasterL(1), wire.SLAVE, set()),
        (lambda: MasterL(3, restart_in=4), wire.SLAVE, {(0xA5, wire.R_STATE)}),
        (lambda: SlaveL(1), wire.MASTER, {(0x2A, watch.R_DOUBLED)}),
        (
            lambda: SlaveL(30, early=False),
            wire.MASTER,
            {(0x2A, watch.R_DOUBLED), (0xC0, watch.R_REPEATED)},
        ),
    ],
    ids=["master L", "master L restarts", "slave L", "slow slave L"],
)
def test_the_sniffer_names_the_deviations_of_L_and_no_violation(peer, role: int, odd: set):
    for seed in range(1, 4):
        t = Match(peer(), role, seed).play()
        assert_good_game(t)
        found = judged(t)
        assert not found[watch.VIOLATION] and not found[watch.NOISE] and not found[watch.DOUBT]
        theirs = {(op, reason) for who, op, reason in found[watch.DEVIATION] if who == THEIRS}
        # A fast opponent leaves no time for a sync between a shot and its answer, so a repeat may be missing.
        assert theirs == odd or theirs | {(0xC0, watch.R_REPEATED)} == odd
        assert not [d for d in found[watch.DEVIATION] if d[0] == OURS]


def test_the_sniffer_names_the_deviations_of_the_master_B():
    for seed in range(1, 4):
        t = Match(MasterB(), wire.SLAVE, seed).play(60000, patient=True)
        found = judged(t)
        assert found[watch.NOISE] == {(THEIRS, 0x00, watch.R_NOISE)}
        theirs = {(op, reason) for who, op, reason in found[watch.DEVIATION] if who == THEIRS}
        assert theirs == {
            (0xA1, watch.R_REPEATED),
            (0xA2, wire.R_SECOND),
            (0xA2, watch.R_REPEATED),
            (0xA3, watch.R_REPEATED),
            (0x4A, watch.R_DOUBLED),
            (0xB1, watch.R_NO_REPLY),
            *((op, watch.R_LATE) for op in ANSWERS),
            # An answer missing after 60 ticks is a timeout until it comes, for the players too; it does come.
            (wire.SHOT, watch.R_NO_REPLY),
        }
        assert not found[watch.VIOLATION]


def test_the_sniffer_names_the_deviations_of_the_slave_B():
    t = with_the_slave_B()
    while not any(ev == links.EV_ANSWER for ev in t.codes()):
        t.tick()
    found = judged(t)
    theirs = {(op, reason) for who, op, reason in found[watch.DEVIATION] if who == THEIRS}
    late = {0x2B, 0x2A, 0x3A}
    assert theirs - {(op, watch.R_LATE) for op in ANSWERS} == {
        (0xB1, watch.R_NO_REPLY),
        (0x3A, watch.R_DOUBLED),
        (0xA4, watch.R_REPEATED),
        *((op, watch.R_LATE) for op in late),
    }
    # Three answers to different commands, missing after twice the time, may have been lost, more were not.
    assert found[watch.DOUBT] == {(THEIRS, op, watch.R_NO_REPLY) for op in (0xB2, 0xA2, 0xA3)}
    assert found[watch.VIOLATION] == {(THEIRS, 0xC0, watch.R_NO_REPLY)}
