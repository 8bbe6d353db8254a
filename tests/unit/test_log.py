"""The log of a line, and the runner of a player at it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.line.log import TextLog
from seabattle_host.line.port import Port
from seabattle_host.player.runner import Event, Runner
from tests.lines import Cable

pytestmark = pytest.mark.usefixtures("english")


class Heard:
    """A log of bytes received this many seconds after its start."""

    def __init__(self, folder: Path):
        self.path = folder / "game.log"
        self.log = TextLog(str(self.path), "a test")

    def hear(self, at: float, sent: bool, data: bytes) -> None:
        self.log.traffic(self.log._began + at, sent, data)

    def lines(self) -> list[str]:
        """Return the lines without the heading, times to the tenth of a second, runs of spaces as one."""
        lines = self.path.read_text(encoding="utf-8").splitlines()[1:]
        return [re.sub(r"^ *(\d+\.\d)\d{5} ", r"\1 ", re.sub("(?<=[^ ]) +", " ", line)) for line in lines]


def test_frames_events_and_noise_get_a_line_each_at_once_dated_by_the_first_byte(tmp_path: Path):
    there = Heard(tmp_path)
    there.hear(0.1, True, b"\xaa\xc0\x02")
    assert there.lines() == ["0.1 > AA sync"]
    there.hear(0.2, False, b"\x01")
    there.hear(0.3, True, b"\x07")
    there.log.remark("a remark")
    there.hear(0.4, False, b"\x1c\x55")
    there.hear(0.5, False, b"\xb3\x02\x8f\xa0")
    assert there.lines()[:3] == ["0.1 > AA sync", "0.2 < 01 here", "0.1 > C0 02 07 shot at B7"]
    assert there.lines()[3].endswith(" - a remark")
    assert there.lines()[4:] == ["0.4 < 1C hit", "0.4 < 55 noise", "0.5 < B3 02 8F A0 chat: Па"]
    there.log.close()
    assert there.path.read_text(encoding="utf-8").startswith("# a test, 20")


def test_a_frame_that_is_not_finished_is_told_apart(tmp_path: Path):
    there = Heard(tmp_path)
    there.hear(0.0, False, b"\xc0\x01")
    there.hear((wire.GAP_TICKS + 2) * words.TICK_SECONDS, False, b"\xaa\xb2")
    there.log.close()
    assert there.lines() == ["0.0 < C0 01 not finished", "0.3 < AA sync", "0.3 < B2 not finished"]


def test_a_log_that_cannot_be_opened_is_bad_input(tmp_path: Path):
    with pytest.raises(UserError, match=r"cannot write .*game\.log: No such file or directory"):
        TextLog(str(tmp_path / "no such folder" / "game.log"), "a test")


@pytest.mark.skipif(os.name == "nt", reason="left out: Windows removes no file that is open")
def test_a_log_that_is_removed_ends_and_says_so(tmp_path: Path):
    there = Heard(tmp_path)
    there.path.unlink()
    there.hear(0.0, True, b"\xaa\xaa")
    assert there.log.take_problem() == f"the log ends here: cannot write {there.path}: it was removed"
    assert there.log.take_problem() == "" and there.log.failed


def test_a_full_disk_ends_the_log_and_nothing_else():
    log = TextLog("/dev/full", "a test")
    for _ in range(10):
        log.traffic(log._began, True, b"\xaa")
    assert "cannot write /dev/full: No space left" in log.problem
    log.close()


SOON = 20.0
TICK_NS = 54_925_494


class Clock:
    """A clock that a test advances."""

    def __init__(self) -> None:
        self.now = 10**12

    def __call__(self) -> int:
        return self.now


def player(role: int, seed: int = 1) -> Player:
    rng = Rng(seed)
    return Player(Link(role, rng), rng)


@pytest.fixture
def cable() -> Iterator[Cable]:
    words.use("en")
    with Cable() as joined:
        yield joined


def test_ticks_follow_the_clock_and_late_ones_are_caught_up(cable: Cable):
    clock = Clock()
    with Port(cable.a) as port:
        runner = Runner(port, player(wire.SLAVE), clock=clock)
        for _ in range(100):
            clock.now += TICK_NS
            runner.turn()
        assert 99 <= runner.ticks <= 100
        assert runner.worst_late < 0.01
        clock.now += 50 * TICK_NS
        for _ in range(200):
            clock.now += 1
            if runner.ticks < 149:
                runner.turn()
        assert 149 <= runner.ticks <= 150
        assert 49 < runner.worst_late <= 51


def test_a_role_that_is_tried_again_and_again_is_told_once(cable: Cable):
    clock = Clock()
    with Port(cable.a) as port, Port(cable.b) as echo:
        events: list[Event] = []
        runner = Runner(port, player(wire.AUTO), on_event=events.append, clock=clock)
        deadline = time.monotonic() + SOON
        while runner.bytes_in < 4 and time.monotonic() < deadline:
            if runner.bytes_out == runner.bytes_in:
                clock.now += TICK_NS
            echo.write(echo.read())
            runner.turn()
        assert runner.bytes_in == 4 and [(event.code, event.a) for event in events] == [(links.EV_ROLE, wire.MASTER)]


def test_a_reply_that_arrived_before_a_late_tick_is_read_before_it(cable: Cable):
    clock = Clock()
    with Port(cable.a) as port, Port(cable.b) as other:
        events: list[Event] = []
        seat = player(wire.SLAVE)
        runner = Runner(port, seat, on_event=events.append, clock=clock)
        other.write(b"\xaa\xa1")
        deadline = time.monotonic() + SOON
        while seat.link.state != 1 and time.monotonic() < deadline:
            clock.now += TICK_NS
            runner.turn()
        # the program was held up for 70 ticks, and the master's syncs wait in the driver
        clock.now += 70 * TICK_NS
        other.write(b"\xaa")
        while port._serial.in_waiting == 0 and time.monotonic() < deadline:
            pass
        runner.turn()
        for _ in range(40):
            runner.turn()
        assert links.EV_TIMEOUT not in [event.code for event in events]
