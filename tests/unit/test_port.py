"""Ports: opened with the cause of every failure, read without blocking, lost with a cause, and back again."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seabattle_host.errors import PortError, PortLost
from seabattle_host.language import words
from seabattle_host.line import causes
from seabattle_host.line import port as ports
from seabattle_host.line.port import Port
from seabattle_host.line.settings import LineErrors, Settings
from tests.lines import Cable, Listening

pytestmark = pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks")

SOON = 10.0
"""Seconds after which a wait for what must happen is given up."""


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
    """The one line with which a port does not open."""
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
    assert ispeed == ospeed == termios.B9600
    assert cflag & termios.CSIZE == termios.CS8
    assert cflag & termios.CSTOPB
    assert not lflag & (termios.ICANON | termios.ECHO)


def test_the_protocols_byte_takes_twelve_bit_times():
    assert Settings().byte_time == pytest.approx(0.00125)
    assert Settings(baud=1200, parity="N", stopbits=1).byte_time == pytest.approx(10 / 1200)


def test_a_port_opens_again_after_it_was_closed(cable: Cable):
    for _ in range(3):
        with Port(cable.a) as port, Port(cable.b) as other:
            port.write(b"\xaa")
            assert read_until(other, 1) == b"\xaa"


def test_a_port_that_does_not_exist_is_named_beside_those_that_do(cable: Cable):
    line = refusal(cable.a + "1")
    assert f"port {cable.a}1 does not exist" in line
    assert cable.a in line.replace(cable.a + "1", "")


def test_a_machine_without_ports_is_said_to_have_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(causes.list_ports, "comports", list)
    assert "no serial port was found" in refusal(str(tmp_path / "ttyUSB0"))


def test_a_link_to_a_device_that_has_gone_says_where_it_leads(tmp_path: Path):
    link = tmp_path / "board"
    link.symlink_to("/dev/pts/no-such")
    assert "leads to /dev/pts/no-such, which is gone" in refusal(str(link))


def test_a_busy_port_names_the_program_that_holds_it(cable: Cable):
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; sys.path[:0] = sys.argv[2:]\n"
            "from seabattle_host.line.port import Port\n"
            "port = Port(sys.argv[1]); print('open', flush=True); sys.stdin.read()",
            cable.a,
            *sys.path,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "open\n"
        line = refusal(cable.a)
        assert f"port {cable.a} is in use by" in line
        if sys.platform.startswith("linux"):
            assert f"({holder.pid})" in line
    finally:
        holder.communicate()
    Port(cable.a).close()


def test_a_port_without_permission_names_the_remedy(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    dialout = os.stat(cable.a)
    root = os.geteuid() == 0
    os.chmod(cable.a, 0o000 if not root else 0o600)
    try:
        if root:
            os.seteuid(65534)
        assert "no permission" in refusal(cable.a)
        monkeypatch.setattr(os, "stat", lambda path: Denied(dialout))
        monkeypatch.setattr("getpass.getuser", lambda: "ann")
        assert "sudo usermod -aG" in causes._why_denied(cable.a)
        assert causes._why_denied(cable.a).endswith(" ann")
    finally:
        monkeypatch.undo()
        if root:
            os.seteuid(0)
        os.chmod(cable.a, 0o620)


class Denied:
    """What a device of a serial adapter looks like to somebody outside its group."""

    def __init__(self, real: os.stat_result):
        self.st_mode = stat.S_IFCHR | 0o660
        self.st_uid = 0
        self.st_gid = real.st_gid or 5


def test_what_is_no_serial_port_is_called_by_its_name(tmp_path: Path):
    plain = tmp_path / "notes.txt"
    plain.write_text("")
    assert "it is a plain file" in refusal(str(plain))
    assert "it is a folder" in refusal(str(tmp_path))
    assert "not a serial port" in refusal("/dev/null")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "it is a pipe" in refusal(str(pipe))
    with socket.socket(socket.AF_UNIX) as between:
        between.bind(str(tmp_path / "socket"))
    assert "it is a socket" in refusal(str(tmp_path / "socket"))


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


def test_a_server_that_is_not_there():
    server = Listening()
    server.close()
    assert "nobody listens there" in refusal(server.url)
    assert "nobody listens there" in refusal(server.url.replace("socket", "rfc2217"))


def test_settings_that_a_port_does_not_take(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    assert "does not take 9600 4E2" in refusal(cable.a, Settings(bytesize=4))


# Bytes.


def test_every_byte_value_passes_both_ways(cable: Cable):
    every = bytes(range(256))
    with Port(cable.a) as a, Port(cable.b) as b:
        a.write(every)
        assert read_until(b, 256) == every
        b.write(every[::-1])
        assert read_until(a, 256) == every[::-1]


def test_a_socket_is_a_port_too():
    server = Listening()
    with Port(server.url) as port:
        connection = server.accept()
        port.write(b"\xaa")
        assert connection.recv(1) == b"\xaa"
        connection.sendall(b"\x01")
        assert read_until(port, 1) == b"\x01"
        connection.close()
        with pytest.raises(PortLost, match="hung up"):
            read_until(port, 1)
        assert not port.is_open
    server.close()


def test_a_loop_gives_back_what_was_sent():
    with Port("loop://") as port:
        port.write(b"\xaa\x01")
        assert read_until(port, 2) == b"\xaa\x01"
        assert port.read(0.01) == b""


@pytest.mark.parametrize("kind", ["pty", "loop", "pty without poll"])
def test_a_read_waits_for_the_first_byte_or_a_wake(cable: Cable, kind: str, monkeypatch: pytest.MonkeyPatch):
    if kind == "pty without poll":
        monkeypatch.setattr(sys, "platform", "darwin")
    with Port("loop://" if kind == "loop" else cable.a) as port:
        assert port.read(0) == b""
        began = time.monotonic()
        assert port.read(0.05) == b""
        assert time.monotonic() - began >= 0.045
        waker = threading.Timer(0.05, port.wake)
        waker.start()
        began = time.monotonic()
        assert port.read(SOON) == b""
        assert time.monotonic() - began < SOON / 2
        waker.join()


def test_a_wake_before_the_read_is_not_lost(cable: Cable):
    with Port(cable.a) as port:
        port.wake()
        began = time.monotonic()
        assert port.read(SOON) == b""
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


def test_a_pulled_cable_is_named_and_the_port_given_back(cable: Cable):
    port = Port(cable.a)
    cable.pull()
    with pytest.raises(PortLost, match=r"has gone: was it unplugged\?") as caught:
        read_until(port, 1)
    assert caught.value.status == 1
    assert not port.is_open
    assert port.errors is None
    for again in (lambda: port.read(0), lambda: port.write(b"x")):
        with pytest.raises(PortLost):
            again()
    port.close()


def test_a_pulled_cable_is_noticed_where_poll_does_not_know_devices(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with Port(cable.a) as port, Port(cable.b) as other:
        other.write(b"\xaa\x01")
        assert read_until(port, 2) == b"\xaa\x01"
        cable.pull()
        with pytest.raises(PortLost, match="unplugged"):
            read_until(port, 1)


def test_a_write_to_a_pulled_cable_loses_the_port_too(cable: Cable):
    with Port(cable.a) as port:
        cable.pull()
        with pytest.raises(PortLost):
            port.write(b"\xaa")


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


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(5, "Input/output error"), "hung up"),
        (OSError(6, "Device not configured"), "Device not configured"),
        (
            ports.serial.SerialException("device reports readiness to read but returned no data (disconnected?)"),
            "hung up",
        ),
        (ports.serial.SerialException("ClearCommError failed (PermissionError(13, 'Access is denied.'))"), "stopped"),
    ],
)
def test_the_ways_in_which_systems_show_a_loss(
    cable: Cable, error: Exception, says: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(causes, "holders", lambda device: "")

    def broken(fd: int, size: int) -> bytes:
        if fd != port._fd:
            return real(fd, size)
        raise error

    real = os.read
    with Port(cable.a) as port, Port(cable.b) as other:
        monkeypatch.setattr(os, "read", broken)
        other.write(b"x")
        with pytest.raises(PortLost, match=says):
            read_until(port, 1)


def test_empty_reads_from_a_port_that_says_it_is_ready_are_a_loss(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(causes, "holders", lambda device: "minicom (42)")
    real = os.read
    with Port(cable.a) as port, Port(cable.b) as other:
        monkeypatch.setattr(os, "read", lambda fd, size: b"" if fd == port._fd else real(fd, size))
        other.write(b"x")
        with pytest.raises(PortLost, match=r"minicom \(42\) reads it too"):
            read_until(port, 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="left out: /proc is Linux's")
def test_other_programs_at_a_port_are_found_by_name(cable: Cable):
    other = subprocess.Popen(
        [sys.executable, "-c", "import sys; f = open(sys.argv[1], 'rb'); print(flush=True); sys.stdin.read()", cable.a],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert other.stdout is not None
    other.stdout.readline()
    found = causes.holders(cable.a)
    other.communicate()
    assert f"({other.pid})" in found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="left out: /proc is Linux's")
def test_the_program_that_made_a_pseudo_terminal_is_its_other_end_and_no_other_reader():
    # as socat does, it keeps both ends open
    script = "import os, sys; near, far = os.openpty(); print(os.ttyname(far), flush=True); sys.stdin.read()"
    maker = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert maker.stdout is not None
    assert causes.holders(maker.stdout.readline().strip()) == ""
    maker.communicate()
    assert causes.holders("/dev/pts/no-such") == ""


# Line errors.


def test_a_pseudo_terminal_counts_no_line_errors(cable: Cable):
    with Port(cable.a) as port:
        assert port.errors is None
        port.write(b"\xaa")


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


def test_one_thread_may_write_while_another_reads(cable: Cable):
    """Every byte arrives once and in order, and neither thread stumbles over the other."""
    data = bytes(i & 255 for i in range(60_000))
    got = bytearray()
    with Port(cable.a) as a, Port(cable.b) as b:
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                a.read(0.001)

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            deadline = time.monotonic() + 30
            sent = 0
            while len(got) < len(data):
                assert time.monotonic() < deadline
                if sent < len(data) and sent - len(got) < 400:
                    a.write(data[sent : sent + 7])
                    sent += 7
                else:
                    got += b.read(0.01)
        finally:
            done.set()
            listener.join()
    assert got == data
