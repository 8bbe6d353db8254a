"""The rules and whole games of `seabattle conform` against our players, and with one bug each, in simulated time."""

from __future__ import annotations

import functools
import random
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import pytest

from seabattle import wire
from seabattle.bot import BUSY
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.port import Port
from seabattle_host.simulation.engine import Channel
from seabattle_host.sniff import conform
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.conform_peer import Peer
from seabattle_host.sniff.conform_repeats import Repeats, Result
from tests.faults.bugs import BUGS, Buggy, M, S, instead
from tests.faults.study import person
from tests.peers.characters import HastySlave, RudeMaster, RudeSlave
from tests.peers.dialects import Dialect, MasterB, MasterL, SlaveB, SlaveL
from tests.peers.plain import Plain

pytestmark = pytest.mark.usefixtures("english")

_TOLD = {
    "columns from 0": "it counts from 0",
    "rows from 0": "it counts from 0",
    "A8 for nothing": "accused of an error that did not happen",
    "no answer to the third miss": "it was not its turn",
    "says sunk for every hit": "false answer",
    "says sunk for every miss": "it was not its turn",
    "A9 after the first hit": "it says it has won, and has not",
    "the slave takes the first move": "it was not its turn",
    "A3 before A2": "the master must wait for A2",
    "parameters in state 2": "B2 in state 2: not allowed",
    "a shot before 4A": "no reply in time",
    "echo without the parameters": "came without them",
    # this keeps players from a game, and an echo would look the same
    "the slave syncs instead of answering": "both sides are masters",
    "no A9": "did not say so",
}
_VERDICTS = {"the slave syncs instead of answering": conform.OPEN, "no A9": conform.BORNE}
"""Where it is not broken."""


class Seat:
    """A player of ours whose person presses the key at once."""

    def __init__(self, role: int, seed: int) -> None:
        self._end = person(role, random.Random(seed))
        self.rx, self.tick = self._end.link.rx, self._end.link.tick

    def act(self) -> bytes:
        player, bot = self._end.player, self._end.bot
        assert bot is not None
        while player.poll():
            pass
        if player.link.key_awaited:
            player.link.key()
        while bot.step() == BUSY:
            bot.think()
        return bytes(iter(player.link.tx, -1))


class Other:
    """A program by other people, which acts by itself. It is started again a second after it has left."""

    def __init__(self, program: type[Dialect]) -> None:
        self._start = program
        self._gone = 0
        self.starts = 1
        self._now = program()

    def rx(self, byte: int) -> None:
        self._now.rx(byte)

    def tick(self) -> None:
        self._gone += self._now.left
        if self._gone > 18:
            self._gone, self._now = 0, self._start()
            self.starts += 1
        self._now.tick()

    def act(self) -> bytes:
        said = bytes(self._now.out)
        self._now.out.clear()
        return said


class Line:
    """A port with a program at its other end. Reading it advances time."""

    def __init__(self, program: Seat | Other | Plain, back: Channel) -> None:
        self.now = self._due = 0.0
        self._program, self._back = program, back
        self._there: deque[int] = deque()

    def write(self, data: bytes) -> None:
        self._there.extend(data)

    def read(self, timeout: float = 0.0) -> bytes:
        end = self.now + max(timeout, 0.002)
        said = bytearray()
        while not said and self.now < end:
            self.now += 0.002
            while self._there:
                self._program.rx(self._there.popleft())
            while self.now >= self._due:
                self._program.tick()
                self._due += TICK_SECONDS
            self._back.carry(round(self.now * SECOND), self._program.act())
            while self._back.next <= self.now * SECOND:
                said.append(self._back.take())
        return bytes(said)


def tried(program: Seat | Other | Plain, side: int, back: Channel, only: str) -> list[conform.Result]:
    """Return the results of the rules whose names contain these words."""
    line = Line(program, back)
    role = wire.SLAVE if side == M else wire.MASTER
    return list(conform.run(cast(Port, line), role, 2.0, only, clock=lambda: line.now))


def whole_game(program: Seat | Other | Plain, side: int, back: Channel) -> conform.Result:
    (result,) = tried(program, side, back, "whole game")
    return result


def seat(side: int, seed: int = 7) -> Seat:
    return Seat(wire.MASTER if side == M else wire.SLAVE, seed)


@pytest.mark.parametrize("side", [M, S])
def test_our_player_keeps_every_rule(side: int):
    found = tried(seat(side), side, Channel(), "")
    assert [(r.name, r.verdict, r.about) for r in found if r.verdict != conform.KEPT] == []
    assert len(found) > 50


@pytest.mark.parametrize(
    ("side", "op", "sent", "only", "verdict", "told"),
    [
        (S, 0x2A, "1A", "A2 -> 2A", conform.BROKEN, "2A did not come"),
        (S, 0x2A, "2A A4", "no A4", conform.BROKEN, "A4 came before A3"),
        (M, 0xC0, "C0 01 0B ..", "C0: it waits for the answer", conform.BROKEN, "C0 before the answer"),
        (M, 0xC0, "C0 01 01 C0 02 01", "its turn", conform.BROKEN, "it was not its turn"),
        (S, 0x3B, "A8", "before 0C", conform.BROKEN, "A8 for it"),
        (M, 0xC0, "C0 01 0B ..", "C0: cells of the field", conform.BROKEN, "a shot off the field"),
        (S, 0x01, "", "AA -> 01", conform.BROKEN, "01 did not come"),
        (S, 0x01, "01" + 9 * " AA", "AA -> 01", conform.BROKEN, "it sends AA, as only a master does"),
        (S, 0x01, 9 * "AA ", "AA -> 01", conform.BROKEN, "it sends AA, as only a master does"),
        # an echo
        (S, 0x01, "AA 01", "AA -> 01", conform.KEPT, ""),
        (S, 0x0C, "", "C0 ...", conform.BROKEN, "0C / 1C / 2C / 3C did not come"),
        (S, 0xC0, "A9", "C0 ...", conform.BROKEN, "it says it has won, and has not"),
        (S, 0x0C, "A8", "C0 ...", conform.BROKEN, "refused with A8"),
        # what is still undecided when the program ends the game by it
        (S, 0x0C, "A8", "whole game", conform.BROKEN, "accused of an error that did not happen"),
        (S, 0xA9, "", "whole game", conform.BORNE, "did not say so"),
        (S, 0x1B, "B1 01 41 ..", "B1 -> 1B without", conform.BORNE, "sends its nick at every nick"),
        # noise convicts nobody, and half a frame does not stop the trials
        (S, 0x2A, "2A FF A4", "no A4", conform.OPEN, "belong to no frame"),
        (S, 0x1A, "1A B1 0A", "A3 -> 3A", conform.KEPT, ""),
    ],
)
def test_a_bug_is_told_by_its_rule(side: int, op: int, sent: str, only: str, verdict: object, told: str):
    (result,) = tried(seat(side), side, Buggy(instead(op, sent)), only)
    assert result.verdict == verdict and told in result.about


class Bad(Seat):
    """A player of ours that dies at one frame, or does not take it for what it is."""

    def __init__(self, at: bytes, reaction: str, role: int = wire.SLAVE) -> None:
        super().__init__(role, 7)
        self._at, self._reaction, self._kept, self._is_dead = at, reaction, b"", False
        self.rx, self._take = self._hear, self.rx

    def _hear(self, byte: int) -> None:
        self._kept = (self._kept + bytes((byte,)))[-len(self._at) :]
        if self._kept == self._at and self._reaction == "dies":
            self._is_dead = True
        elif self._kept != self._at or self._reaction != "deaf":
            self._take(byte)

    def act(self) -> bytes:
        said = super().act()
        return b"" if self._is_dead else said


@pytest.mark.parametrize(
    ("at", "reaction", "only", "verdict", "told"),
    [
        (b"\xc0\x07\x01", "dies", "C0 off", conform.BROKEN, "silent after it"),
        (b"\x77", "dies", "77", conform.BROKEN, "silent after it"),
        (b"\xa0", "deaf", "A0 ->", conform.BORNE, "1A did not come"),
        (b"\xb1", "deaf", "cut frame", conform.OPEN, "1B did not come"),
    ],
)
def test_what_a_program_does_not_get_over_is_told_by_its_own_rule(
    at: bytes, reaction: str, only: str, verdict: object, told: str
):
    (result,) = tried(Bad(at, reaction), S, Channel(), only)
    assert (result.verdict, result.about) == (verdict, told)


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.name in _TOLD], ids=lambda bug: bug.name)
def test_a_whole_game_names_the_bug_with_its_bytes(bug):
    result = whole_game(seat(bug.side), bug.side, Buggy(bug.change))
    assert result.verdict == _VERDICTS.get(bug.name, conform.BROKEN) and _TOLD[bug.name] in result.about
    assert any(frame.startswith("<") for frame in result.traffic[-2:]) or result.verdict != conform.BROKEN


@pytest.mark.parametrize(
    ("op", "sent", "name", "told"),
    [(0x2B, "2B", "B2 -> 2B", "2B did not come"), (0x0C, "C0", "C0 ... -> 0C/2C", "0C / 1C / 2C / 3C did not come")],
)
def test_what_belongs_to_no_frame_is_the_programs_where_the_line_was_quiet_before(op, sent, name, told):
    line = Line(seat(S), Buggy(instead(op, sent)))
    results = conform.run(cast(Port, line), wire.MASTER, 2.0, clock=lambda: line.now)
    result = next(result for result in results if result.name.startswith(name))
    assert (result.verdict, result.about) == (conform.BROKEN, told) and result.noise


class Losing(Line):
    """A line that loses one frame of thirty, in both directions."""

    def __init__(self, side: int, change: Callable[[bytes, int], bytes], seed: int) -> None:
        lots = random.Random(seed)

        def lost(frame: bytes, n: int) -> bytes:
            return b"" if lots.random() < 1 / 30 else change(frame, n)

        super().__init__(seat(side, seed), Buggy(lost))
        self._lots = lots

    def write(self, data: bytes) -> None:
        if self._lots.random() > 1 / 30:
            super().write(data)


class Slow(Line):
    """A line, or an adapter, that holds every byte back for so many seconds, and for some more by lot."""

    def __init__(self, program: Seat | Other | Plain, delay: float, jitter: float) -> None:
        super().__init__(program, Channel())
        self._delay, self._jitter, self._lots = delay, jitter, random.Random(1)
        self._held: tuple[deque[tuple[float, int]], ...] = (deque(), deque())

    def _hold(self, way: int, data: bytes) -> bytes:
        """Take bytes, and return those whose time has come."""
        held = self._held[way]
        for byte in data:
            at = self.now + self._delay + self._lots.random() * self._jitter
            held.append((max(at, held[-1][0]) if held else at, byte))
        due = bytearray()
        while held and held[0][0] <= self.now:
            due.append(held.popleft()[1])
        return bytes(due)

    def write(self, data: bytes) -> None:
        super().write(self._hold(0, data))

    def read(self, timeout: float = 0.0) -> bytes:
        end = self.now + timeout
        said = b""
        while not said and (self.now < end or not timeout):
            super().write(self._hold(0, b""))
            said = self._hold(1, super().read(0.0))
            if not timeout:
                break
        return said


@pytest.mark.parametrize("side", [M, S])
@pytest.mark.parametrize(("delay", "jitter"), [(0.15, 0.0), (0.3, 0.0), (0.02, 0.15)])
def test_on_a_slow_line_a_sound_program_keeps_every_rule(side: int, delay: float, jitter: float):
    line = Slow(Plain(side == M), delay, jitter)
    role = wire.SLAVE if side == M else wire.MASTER
    found = list(conform.run(cast(Port, line), role, 5.0, clock=lambda: line.now))
    assert [(r.name, r.verdict, r.about) for r in found if r.verdict != conform.KEPT] == []


class Lumpy(Line):
    """An adapter that hands bytes over only every 16 ms, many at once."""

    def read(self, timeout: float = 0.0) -> bytes:
        end = self.now + timeout
        said = bytearray()
        while not said and (first := self.now) < end:
            while self.now < first + 0.016:
                said += super().read()
        return bytes(said)


@pytest.mark.parametrize("side", [M, S])
def test_through_an_adapter_that_collects_bytes_a_sound_program_keeps_every_rule(side: int):
    for program in (Plain(side == M), seat(side)):
        line = Lumpy(program, Channel())
        role = wire.SLAVE if side == M else wire.MASTER
        found = list(conform.run(cast(Port, line), role, 2.0, clock=lambda line=line: line.now))  # type: ignore[misc]
        assert [(r.name, r.verdict, r.about) for r in found if r.verdict != conform.KEPT] == []


def test_tries_that_fail_at_different_places_are_rather_the_lines():
    repeats = Repeats(cast(Peer, None))
    repeats.differed, repeats.asked, repeats._frames = 1, 40, 123
    tries = [
        [Result("", conform.BROKEN, frames=count) for count in counts] for counts in ((2, 18, 4, 40, 22), 5 * (18,))
    ]
    assert [repeats._by_chance(each) < 1e-4 for each in tries] == [False, True]


@pytest.mark.parametrize("side", [M, S])
@pytest.mark.parametrize("bug", ["", "parameters"])
def test_a_line_that_loses_frames_breaks_no_rule_and_is_told(side: int, bug: str):
    op, sent = (0xB2, "B2 0C 01 02 03 04") if side == M else (0x2B, "2B 0A 01 02 03 05")
    line = Losing(side, instead(op, sent) if bug else lambda frame, _n: frame, 3)
    role = wire.SLAVE if side == M else wire.MASTER
    found = list(conform.run(cast(Port, line), role, 2.0, "" if not bug else "B2", clock=lambda: line.now))
    broken = {r.name for r in found if r.verdict == conform.BROKEN}
    wrong = {"B2: parameters in their ranges"} if side == M else {"B2 -> 2B", "B2 06 40 30 20 11 -> 2B"}
    assert broken == (wrong if bug else set())
    assert bug or {conform.UNSTEADY, conform.KEPT} <= {r.verdict for r in found}
    assert found[-1].lost > 0 or any(r.differed for r in found)


def test_a_nick_that_comes_late_is_not_sent_at_every_nick():
    def late(frame: bytes, n: int) -> bytes:
        if frame[0] == wire.NICK:
            return b""
        return frame + b"\xb1\x01A" if (frame[0], n) == (0x1B, 2) else frame

    (result,) = tried(seat(S), S, Buggy(late), "B1 -> 1B without another B1")
    assert (result.verdict, result.about) == (conform.KEPT, "")


def test_a_program_that_adds_bytes_to_each_frame_is_told_so_once():
    line = Line(seat(S), Buggy(lambda frame, _n: frame + b"\r"))
    results = list(conform.run(cast(Port, line), wire.MASTER, 2.0, clock=lambda: line.now))
    assert [r.name for r in results if r.verdict != conform.KEPT] == ["nothing but frames"]
    assert results[-1].verdict == conform.BROKEN


@pytest.mark.parametrize("side", [M, S])
def test_a_sound_player_keeps_it(side: int):
    for seed in range(6):
        result = whole_game(seat(side, seed), side, Channel())
        assert (result.verdict, result.about) == (conform.KEPT, "")
        assert any(frame[2:] == "A9" for frame in result.traffic)


@pytest.mark.parametrize(
    ("program", "side", "kept"), [(MasterL, M, 22), (SlaveL, S, 22), (MasterB, M, 3), (SlaveB, S, 3)]
)
def test_programs_of_other_people_break_nothing(program: type[Dialect], side: int, kept: int):
    found = tried(Other(program), side, Channel(), "")
    assert not [(r.name, r.verdict, r.about) for r in found if r.verdict in (conform.BROKEN, conform.UNSTEADY)]
    assert sum(r.verdict == conform.KEPT for r in found) >= kept
    if kept > 3:
        assert [r.about for r in found if r.verdict == conform.OPEN] == [
            "no A0 came: does it wait for its user, or for ever?"
        ]


def test_a_master_that_ends_at_a_goodbye_gets_none_before_the_first_rule():
    program = Other(MasterL)
    line = Line(program, Channel())
    results = conform.run(cast(Port, line), wire.SLAVE, 2.0, clock=lambda: line.now)
    assert next(results).verdict == conform.KEPT and program.starts == 1


class Rude(Other):
    """Such a program, with the bad manners of `Manners`."""

    def __init__(self, program: type[RudeMaster | RudeSlave], **manners: Any) -> None:
        super().__init__(cast("type[Dialect]", functools.partial(program, **manners)))


@pytest.mark.parametrize(("program", "side"), [(RudeMaster, M), (RudeSlave, S)])
def test_false_answers_of_a_program_that_ends_no_session_are_confirmed_in_further_games(
    program: type[RudeMaster | RudeSlave], side: int
):
    answer, told = (0x0C, "have no room") if side == M else (0x3C, "nobody had shot at that cell")
    result = whole_game(Rude(program, answer=answer), side, Channel())
    assert result.verdict == conform.BROKEN and told in result.about


def test_a_whole_game_tells_the_first_doubt_and_not_what_comes_of_it():
    result = whole_game(Other(HastySlave), S, Channel())
    assert result.verdict != conform.KEPT and "it says it has won, and has not" in result.about


def test_a_whole_game_tells_deviations_of_each_kind():
    (result,) = tried(Rude(RudeSlave, again=(1, 1)), S, Channel(), "whole game")
    assert result.verdict == conform.BORNE
    assert "the same reply once more" in result.about and "it has shot at this cell before" in result.about


@pytest.mark.parametrize("program", [MasterL, SlaveL])
def test_a_program_without_A8_ignores_what_is_illegal_and_acknowledges_A9_at_any_time(program: type[Dialect]):
    side = M if program is MasterL else S
    for only, told in (
        ("B2 in state 3", "ignored"),
        ("A9 in state 2", "answered with 9A"),
        ("cut frame", "1B did not come"),
    ):
        (result,) = tried(Other(program), side, Channel(), only)
        assert (result.verdict, result.about) == (conform.BORNE, told)


def test_a_master_that_takes_2B_for_the_whole_echo_only_deviates():
    (result,) = tried(Other(MasterB), M, Channel(), "another size")
    assert (result.verdict, result.about) == (conform.BORNE, "A2 before the answer")


@pytest.mark.parametrize("side", [M, S])
@pytest.mark.parametrize("deaf_to", [(0xA7,), (0xA7, 0xA0)])
def test_a_program_that_ignores_goodbyes_is_tried_all_the_same(side: int, deaf_to: tuple[int, ...]):
    program = seat(side)
    hear = program.rx
    program.rx = lambda byte: None if byte in deaf_to else hear(byte)
    found = {r.name: r for r in tried(program, side, Channel(), "-> ") + tried(program, side, Channel(), "A7")}
    assert not [r for r in found.values() if r.verdict not in (conform.KEPT, conform.BORNE)]
    (anew,) = [r for name, r in found.items() if name.startswith("A1 after A7")]
    assert anew.verdict == conform.BORNE and anew.about


def test_why_a_slave_that_is_never_ready_cannot_be_tried_is_told():
    found = tried(seat(S), S, Buggy(instead(0xA4, "")), "in state 4")
    assert {(r.verdict, r.about) for r in found} == {(conform.OPEN, "A4 did not come: does it wait for its user?")}


class Once(Channel):
    """Changes the byte sent at this moment."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._at = at

    def damage(self, byte: int) -> tuple[int, ...]:
        return (0x0A,) if self.sent == self._at else (byte,)


def test_a_byte_that_the_line_has_changed_breaks_no_rule():
    verdicts = set()
    for at in range(1, 30):
        (result,) = tried(seat(S), S, Once(at), "B2 -> 2B")
        verdicts.add((result.verdict, result.about))
    assert {verdict for verdict, _about in verdicts} <= {conform.KEPT, conform.UNSTEADY}
    assert any("not when it was tried again" in about for _verdict, about in verdicts)


@pytest.mark.parametrize("side", [M, S])
def test_a_program_that_shares_nothing_with_ours_keeps_every_rule(side: int):
    found = tried(Plain(side == M), side, Channel(), "")
    assert [(r.name, r.verdict, r.about) for r in found if r.verdict != conform.KEPT] == []


_PLAIN_BUGS = [
    (S, "no 01 in the battle", "AA in state 4 -> 01", "01 did not come"),
    (S, "no 1B to long nicks", "B1 -> 1B", "1B did not come"),
    (S, "the echo has the counts in the other order", "B2 -> 2B", "the echo is another"),
    (S, "the echo has no tags", "B2 06 40 30 20 11 -> 2B", "the echo is another"),
    (S, "any parameters are taken", "B2 05 00 00 00 01 -> A8", "answered with 2B"),
    (S, "ready before A3", "no A4 before A3", "A4 came before A3"),
    (S, "no 5A", "A5 -> 5A", "5A did not come"),
    (S, "every shot misses", "C0 ... -> 0C/2C, A9 -> 9A", "no ship where one has to be"),
    (S, "never sunk", "C0 ... -> 0C/2C, A9 -> 9A", "the answer was 1C"),
    (S, "a second A1 is answered", "A1 in state 4 -> A8", "answered with 1A"),
    (S, "A3 in state 1 is answered", "A3 in state 1 -> A8", "answered with 3A"),
    (S, "parameters in the battle are taken", "B2 in state 4 -> A8", "answered with 2B"),
    (S, "gives up after 30 ticks", "0C after 40 ticks", "A0 before the answer"),
    (S, "waits for ever", "60 ticks of silence -> state 0", "no A0 came"),
    (M, "no 3C", "C0 at a cell again -> 3C", "the answer was 0C"),
    (M, "a shot off the field misses", "C0 off the field -> A8", "answered with 0C"),
    (M, "believes every answer", "a false 2C or 3C -> A8", "ignored"),
    (M, "a shot in its own turn is answered", "C0 in state 4 -> A8", "answered with 0C"),
    (M, "no answer to the second shot", "a whole game: nothing illegal", "the shot of the slave has no answer yet"),
    (M, "does not say that it has won", "a whole game: nothing illegal", "did not say so"),
    (M, "no 9A", "a whole game: nothing illegal", "expected 9A"),
    (M, "shoots at one cell for ever", "a whole game: nothing illegal", "shot at this cell before"),
    (M, "shoots again after a miss", "C0 after 0C: it waits for its turn", "it was not its turn"),
    (S, "shoots again after a miss", "C0 after 0C: it waits for its turn", "it was not its turn"),
    (M, "shoots off the field", "C0: cells of the field", "a shot off the field"),
    (M, "AA inside its shot", "a whole game: nothing illegal", "a sync in the middle of a frame"),
    (M, "offers a field of 12", "B2: parameters in their ranges", "outside the ranges"),
    (M, "any echo will do", "2B with another size is refused", "answered with A2"),
    (M, "does not wait for replies", "B2: it waits for 2B", "A2 before the answer"),
    (M, "syncs every 25 ticks", "AA every 10 ticks in state 4", "1.37 s between them"),
    (M, "no 6A", "A6 -> 6A", "6A did not come"),
    (M, "A7 is acknowledged and forgotten", "A1 after A7: a new meeting", "A1 did not come"),
    (M, "no nick in the battle", "B1 in state 4 -> 1B", "refused with A8"),
    (M, "chat is an error", "B3 01 20: is there chat?", "A8 for it"),
    (M, "noise is an error", "77 00: noise is skipped", "A8 for it"),
    (M, "a cut frame is kept", "B1 0A 41: a cut frame is dropped", "1B did not come"),
    (M, "a frame may not pause", "C0 01, after 2 ticks 01", "0C did not come"),
    (M, "a nick for every nick", "B1 -> 1B without another B1", "its nick at every nick"),
]


@pytest.mark.parametrize(("side", "bug", "rule", "told"), _PLAIN_BUGS, ids=[bug[1] for bug in _PLAIN_BUGS])
def test_a_bug_of_such_a_program_is_told_by_its_rule(side: int, bug: str, rule: str, told: str):
    found = {r.name: r for r in tried(Plain(side == M, bug), side, Channel(), rule)}
    assert found[rule].verdict != conform.KEPT and told in found[rule].about
