"""A port is restored as it was found, locked while it is open, and reopened only if it is the same one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from seabattle_host import signals
from seabattle_host.errors import PortLost
from seabattle_host.line import device_identity
from seabattle_host.line.device_identity import Identity
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings
from tests.command import SOON
from tests.lines import Cable

TIOCGEXCL = 0x80045440


class Terminals:
    """Pseudo-terminals whose numbers the test chooses."""

    def __init__(self) -> None:
        self._open: list[int] = []

    def make(self) -> str:
        near, far = os.openpty()
        tty.setraw(far)
        self._open += [near, far]
        return os.ttyname(far)

    def end(self) -> None:
        for fd in self._open:
            os.close(fd)
        self._open.clear()


@pytest.fixture
def terminals() -> Iterator[Terminals]:
    made = Terminals()
    yield made
    made.end()


def exclusive(fd: int) -> bool:
    return sys.platform == "linux" and int.from_bytes(fcntl.ioctl(fd, TIOCGEXCL, bytes(4)), sys.byteorder) != 0


def test_nobody_else_may_open_a_port_until_it_is_given_back_with_the_settings_that_it_had():
    with Cable() as cable:
        watching = os.open(cable.a, os.O_RDWR | os.O_NOCTTY)
        try:
            before = termios.tcgetattr(watching)
            before[4] = before[5] = termios.B19200
            before[3] |= termios.ECHO
            termios.tcsetattr(watching, termios.TCSANOW, before)
            before = termios.tcgetattr(watching)
            with Port(cable.a, Settings(baud=4800)):
                assert termios.tcgetattr(watching)[4] == termios.B4800
                # only Linux tells whether a device is exclusive
                assert exclusive(watching) or sys.platform != "linux"
            assert termios.tcgetattr(watching) == before and not exclusive(watching)
        finally:
            os.close(watching)


@pytest.mark.parametrize(("number", "ignored"), [("SIGTERM", False), ("SIGHUP", False), ("SIGHUP", True)])
def test_a_signal_gives_the_port_back_as_ctrl_c_does_and_nohup_is_heeded(number: str, ignored: bool):
    told = getattr(signal, number)
    started = signal.signal(told, signal.SIG_IGN if ignored else signal.SIG_DFL)
    try:
        with Cable() as cable:
            fd = os.open(cable.a, os.O_RDWR | os.O_NOCTTY)
            before = termios.tcgetattr(fd)
            outcome = contextlib.nullcontext() if ignored else pytest.raises(SystemExit, match=str(128 + told))
            with outcome, signals.exit_on_signal(), Port(cable.a, Settings(baud=4800)):
                os.kill(os.getpid(), told)
                assert ignored
            assert termios.tcgetattr(fd) == before
            os.close(fd)
    finally:
        signal.signal(told, started)


def test_a_pseudo_terminal_of_somebody_else_with_the_same_number_is_not_taken(terminals: Terminals):
    for _ in range(1000):  # the system gives the number out again, but also to other programs
        first = terminals.make()
        with Port(first) as port:
            terminals.end()
            with pytest.raises(PortLost):
                port.read(SOON)
            again = terminals.make()
            assert not port.reopen()
        terminals.end()
        if again == first:
            return
    raise AssertionError("the number was never given out again")


def test_only_a_link_that_was_made_anew_leads_to_the_next_pseudo_terminal(terminals: Terminals, tmp_path: Path):
    link = tmp_path / "line"
    link.symlink_to(terminals.make())
    with Port(str(link)) as port:
        terminals.end()
        with pytest.raises(PortLost):
            port.read(SOON)
        new = terminals.make()
        # as a rule the new one has its number, or else nobody or somebody else has it
        assert not port.reopen(), "a stale link leads to a number that is somebody else's now"
        link.unlink()
        link.symlink_to(new)
        assert port.reopen()


def adapter(device: str, serial: str | None, location: str) -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=0x0403, pid=0x6001, serial_number=serial, location=location)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        # the same adapter, under its name and under another
        ([("U0", "A1", "1-1")], [("U0", "A1", "1-2")], "U0"),
        ([("U0", "A1", "1-1")], [("U0", "B2", "1-1"), ("U1", "A1", "1-2")], "U1"),
        # another one in its place
        ([("U0", "A1", "1-1")], [("U0", "B2", "1-1")], None),
        # without a serial number the USB socket decides
        ([("U0", None, "1-1")], [("U1", None, "1-1"), ("U0", None, "1-2")], "U1"),
        ([("U0", None, "1-1")], [], None),
        # several adapters with one number: the socket decides as well, as far as it was seen that there are several
        ([("U0", "1", "1-1"), ("U1", "1", "1-2")], [("U0", "1", "1-2")], None),
        ([("U0", "1", "1-1"), ("U1", "1", "1-2")], [("U0", "1", "1-2"), ("U1", "1", "1-1")], "U1"),
        ([("U0", "1", "1-1")], [("U1", "1", "1-2"), ("U2", "1", "1-3")], None),
        # an adapter with several ports, the first of them and another
        ([("U0", "A1", "1-1:1.0"), ("U1", "A1", "1-1:1.1")], [("U4", "A1", "1-2:1.0"), ("U5", "A1", "1-2:1.1")], "U4"),
        ([("U1", "A1", "1-1:1.0"), ("U0", "A1", "1-1:1.1")], [("U4", "A1", "1-2:1.0"), ("U5", "A1", "1-2:1.1")], "U5"),
        ([("U0", None, "1-1:1.1")], [("U0", None, "1-1:1.0"), ("U1", None, "1-1:1.1")], "U1"),
    ],
)
def test_an_adapter_is_known_by_its_number_or_its_socket(
    before: list[tuple], after: list[tuple], found: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def plugged(ports: list[tuple]) -> None:
        at = [adapter(str(tmp_path / name), *rest) for name, *rest in ports]
        monkeypatch.setattr(device_identity.list_ports, "comports", lambda: at)

    (tmp_path / "U0").touch()
    plugged(before)
    known = Identity.read(str(tmp_path / "U0"))
    plugged(after)
    assert known.find() == (found and str(tmp_path / found))
