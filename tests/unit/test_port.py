"""Ports: every failure to open names its cause, reads do not block, a lost port comes back; and network ports."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import socketserver
import stat
import subprocess
import sys
import termios
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from serial import rfc2217, serialutil
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from seabattle_host.errors import PortError, PortLost
from seabattle_host.language import words
from seabattle_host.line import port as ports
from seabattle_host.line import port_errors
from seabattle_host.line.port import Port
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.player import session as sessions
from tests.calls import Seabattle
from tests.lines import Cable, Listening

pytestmark = pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks")

SOON = 60.0
"""Seconds after which a wait is given up."""


@pytest.fixture
def cable() -> Iterator[Cable]:
    words.use("en")
    with Cable() as joined:
        yield joined


def read_until(port: Port, length: int) -> bytes:
    """Read until `length` bytes have come."""
    got = b""
    deadline = time.monotonic() + SOON
    while len(got) < length and time.monotonic() < deadline:
        got += port.read(0.1)
    return got


def refusal(url: str, settings: Settings | None = None) -> str:
    """Return the one-line error of a port that does not open."""
    with pytest.raises(PortError) as caught:
        Port(url, settings)
    line = str(caught.value)
    assert caught.value.status == 2
    assert "\n" not in line and "Errno" not in line and "Traceback" not in line
    return line


# Opening.


def test_a_pseudo_terminal_opens_at_9600_8E2(cable: Cable):
    with Port(cable.a) as port:
        assert str(port.settings) == "9600 8E2"
        fd = os.open(cable.a, os.O_RDWR | os.O_NOCTTY)
        _iflag, _oflag, cflag, lflag, ispeed, ospeed, _cc = termios.tcgetattr(fd)
        os.close(fd)
        assert port.errors is None, "it counts no line errors"
    assert ispeed == ospeed == termios.B9600
    assert cflag & termios.CSIZE == termios.CS8 and cflag & termios.CSTOPB
    assert not lflag & (termios.ICANON | termios.ECHO)
    assert Settings().byte_time == pytest.approx(0.00125), "twelve bit times"
    assert Settings(baud=1200, parity="N", stopbits=1).byte_time == pytest.approx(10 / 1200)


def test_every_byte_value_passes_both_ways_also_when_the_port_was_opened_again(cable: Cable):
    every = bytes(range(256))
    for _ in range(3):
        with Port(cable.a) as a, Port(cable.b) as b:
            a.write(every)
            assert read_until(b, 256) == every
            b.write(every[::-1])
            assert read_until(a, 256) == every[::-1]


def test_a_port_that_does_not_exist_is_named_beside_those_that_do(cable: Cable, monkeypatch, tmp_path: Path):
    # as another terminal may be open whose number only begins with this one's, no digit
    line = refusal(cable.a + "x")
    assert f"port {cable.a}x does not exist" in line
    assert cable.a in line.replace(cable.a + "x", "")
    monkeypatch.setattr(port_errors.list_ports, "comports", list)
    monkeypatch.setattr(port_errors, "SYSFS", tmp_path)
    assert "no serial port was found" in refusal(str(tmp_path / "ttyUSB0"))


@pytest.mark.skipif(sys.platform != "linux", reason="left out: the ports of Linux are looked up in its sysfs")
def test_ports_are_those_with_hardware_whether_pyserial_knows_them_or_not(monkeypatch, tmp_path: Path):
    """As Linux 6.1 and 6.12 show them on a Raspberry Pi 3 and a PC."""
    for name, kind, tree in (("ttyS0", "4", False), ("ttyS3", "0", False), ("tty", None, True), ("tty1", None, False)):
        (tmp_path / name / "device" / ("of_node" if tree else "")).mkdir(parents=True)
        if kind is not None:
            (tmp_path / name / "type").write_text(f"{kind}\n", encoding="ascii")
    monkeypatch.setattr(port_errors, "SYSFS", tmp_path)
    monkeypatch.setattr(
        port_errors.list_ports,
        "comports",
        lambda: [
            types.SimpleNamespace(device=f"/dev/{name}", name=name, description=about)
            for name, about in (("ttyS3", "n/a"), ("ttyS0", "n/a"), ("ttyUSB7", "FT232R"))
        ],
    )
    assert port_errors.found_ports() == [("/dev/tty", ""), ("/dev/ttyS0", ""), ("/dev/ttyUSB7", "FT232R")]
    # a name without its folder, and a port without hardware
    assert "there is /dev/ttyUSB7 (FT232R)" in refusal("ttyUSB7")
    line = port_errors.why_not_opened(OSError(5, ""), "/dev/ttyS3", "", Settings())
    assert line.startswith("port /dev/ttyS3 has no hardware behind it; there is /dev/ttyS0, ")


def test_what_cannot_be_opened_is_called_by_its_name(tmp_path: Path, cable: Cable):
    (tmp_path / "board").symlink_to("/dev/pts/no-such")
    (tmp_path / "notes.txt").touch()
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as between:
        between.bind(str(tmp_path / "socket"))
    server = Listening()
    server.close()
    for url, says in (
        (str(tmp_path / "board"), "leads to /dev/pts/no-such, which is gone"),
        (str(tmp_path / "notes.txt"), "it is a plain file"),
        (str(tmp_path), "it is a folder"),
        ("/dev/null", "not a serial port"),
        (str(tmp_path / "pipe"), "it is a pipe"),
        (str(tmp_path / "socket"), "it is a socket"),
        (server.url, "nobody listens there"),
        (server.url.replace("socket", "rfc2217"), "nobody listens there"),
    ):
        assert says in refusal(url)
    assert "does not take 9600 4E2" in refusal(cable.a, Settings(bytesize=4))


@contextlib.contextmanager
def other(script: str, device: str) -> Iterator[tuple[int, str]]:
    """Run a script in another process until the end of the test; returns its process id and the line it printed."""
    command = [sys.executable, "-c", f"import os, sys; {script}; sys.stdin.read()", device]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().strip()
        process.communicate()


def test_a_busy_port_names_the_program_that_holds_it(cable: Cable):
    script = "import fcntl, termios; port = open(sys.argv[1], 'r+b', 0); fcntl.ioctl(port, termios.TIOCEXCL)"
    with other(f"{script}; fcntl.flock(port, fcntl.LOCK_EX); print(flush=True)", cable.a) as (pid, _):
        line = refusal(cable.a)
        assert f"port {cable.a} is in use by" in line
        if sys.platform.startswith("linux"):
            assert f"({pid})" in line
    Port(cable.a).close()


def test_a_port_without_permission_names_the_remedy(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    dialout = os.stat(cable.a)
    root = os.geteuid() == 0
    os.chmod(cable.a, 0o000 if not root else 0o600)
    try:
        if root:
            os.seteuid(65534)
        assert "no permission" in refusal(cable.a)
        # how a serial adapter's device looks to a user outside its group
        denied = types.SimpleNamespace(st_mode=stat.S_IFCHR | 0o660, st_uid=0, st_gid=dialout.st_gid or 5)
        monkeypatch.setattr(os, "stat", lambda path: denied)
        monkeypatch.setattr("getpass.getuser", lambda: "ann")
        assert "sudo usermod -aG" in port_errors._why_denied(cable.a)
        assert port_errors._why_denied(cable.a).endswith(" ann")
    finally:
        monkeypatch.undo()
        if root:
            os.seteuid(0)
        os.chmod(cable.a, 0o620)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("foo://x", "'foo://' is unknown"),
        ("socket://localhost", "give a host and a number"),
        ("socket://localhost:ssh", "give a host and a number"),
        ("socket://:4000", "give a host and a number"),
        ("rfc2217://localhost:99999", "give a host and a number"),
        ("", "the name of the port is empty"),
        ("hwgrep://no such adapter", "no port matches 'no such adapter'"),
        ("hwgrep://(", "no port matches '('"),
        ("loop://?speed=1", "after the question mark"),
        ("socket://localhost:4000?speed=1", "after the question mark"),
    ],
)
def test_a_malformed_url_is_explained(url: str, says: str):
    assert says in refusal(url)


# Bytes.


@pytest.mark.parametrize("kind", ["pty", "loop", "pty without poll"])
def test_a_read_waits_for_the_first_byte_or_a_wake(cable: Cable, kind: str, monkeypatch: pytest.MonkeyPatch):
    if kind == "pty without poll":
        monkeypatch.setattr(sys, "platform", "darwin")
    with Port("loop://" if kind == "loop" else cable.a) as port:
        assert port.read(0) == b""
        if kind == "loop":
            port.write(b"\xaa\x01")
            assert read_until(port, 2) == b"\xaa\x01"
        began = time.monotonic()
        assert port.read(0.05) == b""
        assert time.monotonic() - began >= 0.045
        waker = threading.Timer(0.05, port.wake)
        waker.start()
        began = time.monotonic()
        assert port.read(SOON) == b""
        waker.join()
        if kind == "pty":
            port.wake()
            assert port.read(SOON) == b"", "a wake before the read is not lost"
        assert time.monotonic() - began < SOON / 2


def test_a_line_that_takes_nothing_drops_bytes_and_blocks_nobody(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    def full(fd: int, data: bytes) -> int:
        raise BlockingIOError

    with Port(cable.a) as port:
        monkeypatch.setattr(os, "write", full)
        for _ in range(10):
            port.write(b"\xaa" * 100)
        assert port.dropped == 1000 - port.unsent
        assert not port.drain(0.05)
        monkeypatch.undo()
        assert port.drain(SOON)


def test_bytes_that_had_to_wait_go_out_in_order_during_reads():
    master, slave = os.openpty()
    with Port(os.ttyname(slave)) as port:
        sent = bytearray()
        while not port.dropped:
            chunk = bytes([len(sent) // 64 & 255]) * 64
            port.write(chunk)
            if not port.dropped:
                sent += chunk
        arrived = bytearray()
        while len(arrived) < len(sent):
            port.read(0)
            arrived += os.read(master, 65536)
        assert arrived[: len(sent)] == sent
        assert port.drain(SOON)
    os.close(master)
    os.close(slave)


# Losing a port.


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("noticed_by", ["read", "read without poll", "write"])
def test_a_pulled_cable_is_named_and_the_port_given_back(tmp_path: Path, noticed_by: str, monkeypatch):
    if noticed_by == "read without poll":
        monkeypatch.setattr(sys, "platform", "darwin")
    # by links: anybody's next pseudo-terminal gets the number of one that has gone
    with Cable(tmp_path) as cable, Port(str(tmp_path / "a")) as port, Port(str(tmp_path / "b")) as other:
        other.write(b"\xaa\x01")
        assert read_until(port, 2) == b"\xaa\x01"
        cable.pull()
        with pytest.raises(PortLost, match=r"has gone: was it unplugged\?") as caught:
            port.write(b"\xaa") if noticed_by == "write" else read_until(port, 1)
        assert caught.value.status == 1
        assert not port.is_open and port.errors is None
        for again in (lambda: port.read(0), lambda: port.write(b"x")):
            with pytest.raises(PortLost):
                again()


def test_a_port_comes_back_under_its_name(tmp_path: Path):
    with Cable(links=tmp_path) as cable, Port(str(tmp_path / "a")) as port:
        port.write(b"old")
        cable.pull()
        with pytest.raises(PortLost):
            read_until(port, 1)
        assert not port.reopen()
        cable.plug()
        assert port.reopen()
        assert port.is_open
        with Port(str(tmp_path / "b")) as other:
            port.write(b"\xaa")
            assert read_until(other, 1) == b"\xaa"


DISCONNECTED = "device reports readiness to read but returned no data (disconnected?)"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(5, "Input/output error"), "hung up"),
        (OSError(5, "an adapter's"), "was it unplugged"),
        (OSError(6, "Device not configured"), "Device not configured"),
        (ports.serial.SerialException(DISCONNECTED), "hung up"),
        (ports.serial.SerialException("ClearCommError failed (PermissionError(13, 'Access is denied.'))"), "stopped"),
        (None, r"minicom \(42\) reads it too"),
    ],
)
def test_the_ways_in_which_systems_show_a_loss(cable: Cable, error: Exception | None, says: str, monkeypatch):
    """None: a port that says it is ready has nothing to read."""
    monkeypatch.setattr(port_errors, "processes_using", lambda device: "" if error else "minicom (42)")
    real = os.read

    def broken(fd: int, size: int) -> bytes:
        if fd == port._fd and error:
            raise error
        return b"" if fd == port._fd else real(fd, size)

    with Port(cable.a) as port, Port(cable.b) as other:
        monkeypatch.setattr(os, "read", broken)
        if "adapter" in str(error):
            monkeypatch.setattr(port_errors, "is_pty", lambda _: False)
        other.write(b"x")
        with pytest.raises(PortLost, match=says):
            read_until(port, 1)
        # a reader of the bytes waiting for us takes nothing else away; a pseudo-terminal that is gone is not reopened
        assert port.reopen() == (error is None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="left out: /proc is Linux's")
def test_other_programs_at_a_port_are_found_by_name_but_not_the_one_that_made_it(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
):
    """The creator of a pseudo-terminal, like socat, keeps both ends open: it is the peer, no second reader."""
    with other("f = open(sys.argv[1], 'rb'); print(flush=True)", cable.a) as (pid, _):
        assert f"({pid})" in port_errors.processes_using(cable.a)
        with Port(cable.a) as port, Port(cable.b) as alone:
            assert f"({pid}) has port {cable.a} open too" in "".join(port.warnings_at_open())
            assert not alone.warnings_at_open()
        session = sessions.Session(
            cable.a, Settings(), role=1, nick=b"", on_event=lambda _event: None, on_line=lambda _lost: None
        )
        assert f"({pid}) has port {cable.a} open too" in session.status().wrong
    # the line goes when that program does
    monkeypatch.setattr(sessions, "_SHARED_SECONDS", 0)
    assert "open too" not in session.status().wrong
    session.close(0)
    with other("near, far = os.openpty(); print(os.ttyname(far), flush=True)", cable.a) as (_, made):
        assert port_errors.processes_using(made) == ""
    assert port_errors.processes_using("/dev/pts/no-such") == ""


@pytest.mark.parametrize("scheme", ["spy", "alt", "hwgrep"])
def test_a_device_is_taken_for_us_alone_by_whatever_url_it_is_opened(cable: Cable, scheme: str, monkeypatch):
    url = f"{scheme}://{cable.a}"
    info = ListPortInfo(cable.a)
    monkeypatch.setattr(list_ports, "comports", lambda *_: [info])
    with Port(url, Settings(parity="N")) as port:
        port.write(b"\xaa")
        assert port.device == (cable.a if scheme == "hwgrep" else url)
        assert f"port {cable.a} is in use by" in refusal(cable.a)
        assert f"port {cable.a} is in use by" in refusal(url, Settings(parity="N"))
    assert "does not exist" in refusal(f"{scheme}:///dev/ttyNONE") or scheme == "hwgrep"


# The settings that a driver reports.


@pytest.mark.skipif(sys.platform != "linux", reason="left out: answers of Linux drivers")
@pytest.mark.parametrize(
    ("wanted", "cflag", "code", "speed", "line"),
    [
        # as read from Linux 6.1: an adapter (ftdi_sio), a UART (8250), and the mini UART of a Raspberry Pi
        (Settings(), 0o6775, 0o15, 9600, ""),
        (Settings(12345), 0o16760, 0o10000, 12345, ""),
        (Settings(10_000_000), 0o6775, 0o15, 9600, "runs at 9600 8E2"),
        (Settings(9600, 8, "M", 1), 0o10000007675, 0o15, 9600, ""),
        (Settings(), 0o6275, 0o15, 9600, "runs at 9600 8N1"),
        (Settings(300, 7), 0o6255, 0o15, 9600, "runs at 9600 7N1"),
        # speeds that a driver rounds, here by 1 % and by 5 %
        (Settings(12345), 0o16760, 0o10000, 12468, ""),
        (Settings(12345), 0o16760, 0o10000, 12962, "runs at 12962 8E2"),
    ],
)
def test_what_the_driver_has_applied_is_read_back(
    wanted: Settings, cflag: int, code: int, speed: int, line: str, cable: Cable, monkeypatch: pytest.MonkeyPatch
):
    import fcntl

    with Port(cable.a) as port:
        port.settings = wanted
        monkeypatch.setattr(port_errors, "is_pty", lambda _: False)
        monkeypatch.setattr(termios, "tcgetattr", lambda _: [0, 0, cflag, 0, code, code, []])
        monkeypatch.setattr(fcntl, "ioctl", lambda *_: bytes(40) + speed.to_bytes(4, sys.byteorder))
        said = port.unsupported_settings()
        monkeypatch.undo()
    assert line in "".join(said) and bool(line) == bool(said)
    # whatever the driver makes of it, the protocol does not fit into fewer bits
    assert ("8 bits, and 7 do not" in "".join(said)) == (wanted.bytesize == 7)


# Line errors.


def test_line_errors_are_counted_from_the_opening(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    import fcntl
    import struct

    counted = [0, 0, 0, 0, 100, 100, 3, 2, 7, 1, 4]  # the last five: framing, overrun, parity, breaks, buffer overrun
    real = fcntl.ioctl

    def ioctl(fd: int, request: int, *rest: Any) -> Any:
        if request == ports._TIOCGICOUNT:
            return struct.pack("11i", *counted) + bytes(36)
        return real(fd, request, *rest)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    with Port(cable.a) as port:
        assert port.errors == LineErrors()
        counted[6:11] = [4, 4, 8, 1, 5]
        assert port.errors == LineErrors(parity=1, framing=1, overrun=3, breaks=0)
        assert str(port.errors) == "line errors: 1 parity, 1 framing, 3 overrun, 0 break"


class Manager(rfc2217.PortManager):
    """An RFC 2217 server, except for a fault."""

    fault = ""

    def rfc2217_send_subnegotiation(self, option: bytes, value: bytes = b"") -> None:
        if self.fault == "parity" and option == rfc2217.SERVER_SET_PARITY:
            value = b"\x01"
        if self.fault != "deaf" or option != rfc2217.SERVER_SET_CONTROL:
            super().rfc2217_send_subnegotiation(option, value)


class Line(socketserver.StreamRequestHandler):
    """A connection to a server of serial ports; `fault` is its misbehaviour.

    `deaf`: does not answer when control lines are set. `parity`: keeps its own. `plain`: passes bytes only.
    `leaves`: closes each connection. `refuses`: says why, and closes it.
    """

    fault = ""

    def handle(self) -> None:
        if self.fault == "leaves":
            return
        if self.fault == "refuses":
            self.wfile.write(b"\xff\xfd\x2cPort already in use\r\n")  # as ser2net does
            return
        manager = None if self.fault == "plain" else Manager(serial.serial_for_url("loop://"), self.wfile)
        while data := self.request.recv(4096):
            if manager is not None:
                manager.fault = self.fault
                list(manager.filter(data))


@pytest.fixture
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial's timeouts pass in the turns of their own loop, at 50 ms each, also if the machine is held up."""
    turns = itertools.count()
    monkeypatch.setattr(serialutil.Timeout, "TIME", lambda _timeout: next(turns) * 0.05)


@pytest.fixture
def serve() -> Iterator[Callable[[str], str]]:
    """Starts a server with a fault; returns its address."""
    words.use("en")
    servers = []

    def make(fault: str) -> str:
        line = type("Faulty", (Line,), {"fault": fault})
        servers.append(socketserver.ThreadingTCPServer(("127.0.0.1", 0), line))
        servers[-1].daemon_threads = True
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"127.0.0.1:{servers[-1].server_address[1]}"

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("fault", "says", "works"),
    [
        ("deaf", "does not answer when control lines are set", "rfc2217://{}?timeout=0.5&ign_set_control"),
        ("parity", "does not take 9600 8E2 (parity)", ""),
        ("plain", "use socket://", "socket://{}"),
        ("refuses", "refuses it: Port already in use", ""),
        ("leaves", "", ""),
    ],
)
def test_what_a_server_does_wrong_is_told_with_the_address_that_works(
    fault: str, says: str, works: str, serve, own_time: None, monkeypatch: pytest.MonkeyPatch
):
    tracebacks: list[object] = []
    monkeypatch.setattr(threading, "excepthook", tracebacks.append)
    address = serve(fault)
    line = refusal(f"rfc2217://{address}?timeout=0.5")
    works = works.format(address)
    assert says in line and works in line
    if works:
        Port(works).close()
    assert not tracebacks


@pytest.mark.parametrize("command", ["bot --wait 20", "board --autoplay", "flash", "boards"])
def test_a_connection_that_is_closed_at_once_is_a_port_that_did_not_open(command: str, serve, seabattle: Seabattle):
    url = f"socket://{serve('leaves')}"
    status, _, complaint = seabattle(f"{command} --lang en --port", url)
    assert status == 2 and url in complaint and complaint.count("\n") == 1
