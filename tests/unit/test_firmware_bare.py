"""A board with nothing wired, which plays by itself with whoever comes over its cable; and the way to its prompt."""

from __future__ import annotations

import functools
import importlib
import sys
import types

import pytest

from seabattle import wire
from tests import desk

PLAYS = 60_000  # milliseconds in which somebody who comes has been met


def bare() -> desk.Desk:
    there = desk.Desk("16x2", language=0)
    there.app.play_for_ever()
    return there


def met(opponent: desk.Opponent) -> bool:
    return opponent.link.state > 0


@pytest.mark.parametrize("roles", [(wire.MASTER, wire.SLAVE), (wire.SLAVE, wire.MASTER)])
def test_whoever_comes_is_played_with_in_any_role(roles: tuple[int, int]) -> None:
    """One comes, leaves without a word, and another comes who is the opposite."""
    board = bare()
    for role in roles:
        opponent = board.join(role)
        opponent.ticks = board.ticks()
        board.until(functools.partial(met, opponent), PLAYS, 50)
        board.other = None
        # nobody answers: the board says so to nobody, and looks for others
        board.until(lambda: board.app.link.state == 0, PLAYS, 50)
    assert not board.app.off


def test_a_slave_that_nobody_calls_any_more_calls_by_itself() -> None:
    board = bare()
    board.incoming.append(wire.SYNC)
    board.until(lambda: wire.SYNCED in board.outgoing)
    board.until(lambda: wire.SYNC in board.outgoing, PLAYS, 50)


# -- the line over USB


class Console:
    """The console of a board, as MicroPython gives it to a program."""

    def __init__(self) -> None:
        self.typed = bytearray()
        self.told = bytearray()
        self.interrupt = 3

    def readinto(self, buffer: bytearray) -> int:
        for i in range(len(buffer)):
            buffer[i] = self.typed.pop(0)
        return len(buffer)

    def write(self, data: bytes) -> int:
        self.told += data
        return len(data)


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    there = Console()

    class Poll:
        def register(self, _stream: object, events: int) -> None:
            self.reads = events == 1

        def ipoll(self, _ms: int) -> list:
            return [()] if not self.reads or there.typed else []

    def interrupt(character: int) -> None:
        there.interrupt = character

    select, micropython = types.ModuleType("select"), types.ModuleType("micropython")
    select.__dict__.update(POLLIN=1, POLLOUT=4, poll=Poll)
    micropython.__dict__.update(const=lambda x: x, kbd_intr=interrupt)
    monkeypatch.setitem(sys.modules, "select", select)
    monkeypatch.setitem(sys.modules, "micropython", micropython)
    monkeypatch.delitem(sys.modules, "seaboard.usbline", raising=False)
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=there))
    monkeypatch.setattr(sys, "stdout", types.SimpleNamespace(buffer=there))
    return there


def read(console: Console, typed: bytes) -> bool:
    """Whether these bytes lead back to the prompt."""
    usbline = importlib.import_module("seaboard.usbline")
    reader = wire.Reader()
    line = usbline.UsbLine()
    line.open(reader)
    assert console.interrupt == -1
    console.typed += typed
    one = bytearray(1)
    try:
        while line.any():
            assert line.readinto(one) == 1
            reader.feed(one[0])
    except KeyboardInterrupt:
        assert console.interrupt == 3
        return True
    return False


@pytest.mark.parametrize("typed", [b"\r\x03", b"\x03\x03", b"\xaa\r\x03", b"\xb1\x01\x03\x03\x03"])
def test_what_leads_back_to_the_prompt(console: Console, typed: bytes) -> None:
    assert read(console, typed)


@pytest.mark.parametrize(
    "typed",
    [b"\x03", b"\r\n\x03 \x03", b"\xb1\x03\r\x03\x03", b"\xc0\x03\x03" * 2, b"\xb3\x02\x03\x03\x03", b"\r\xaa\x03"],
)
def test_what_a_session_may_contain_does_not(console: Console, typed: bytes) -> None:
    """A frame's own bytes, and noise."""
    assert not read(console, typed)
