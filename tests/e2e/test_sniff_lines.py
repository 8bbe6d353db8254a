"""The sniffer on real lines: nothing lost, nobody disturbed, everything stored, whatever happens to it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import re
import select
import signal
import statistics
import termios
import threading
import time
import tty
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host.errors import UserError
from seabattle_host.simulation.engine import BYTE_US
from seabattle_host.sniff.capture import Chunk, Item, Lost
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import Capture, read
from seabattle_host.sniff.session import Session
from tests import needs
from tests.captures import BATTLE, OVER, SMALL, written
from tests.command import SOON, Command, wait_until
from tests.lines import Cable
from tests.sizes import proof
from tests.terminal import Terminal

pytestmark = needs.PTYS

FORMS = ("log", "json", "pcapng")


class Device:
    """The device behind a port: the test writes and reads on its side, the sniffer opens `url`."""

    def __init__(self) -> None:
        self.fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.fd, False)
        self.url = os.ttyname(self._slave)

    def write(self, data: bytes) -> None:
        """Write everything, as fast as it is accepted."""
        view = memoryview(data)
        while view:
            select.select([], [self.fd], [], SOON)
            view = view[os.write(self.fd, view) :]

    def read(self, length: int) -> bytes:
        """Read exactly this many bytes."""
        data = b""
        while len(data) < length:
            ready, _, _ = select.select([self.fd], [], [], SOON)
            assert ready, f"{len(data)} of {length} bytes came"
            data += os.read(self.fd, length - len(data))
        return data

    def silent(self) -> bool:
        """Return whether nothing has come."""
        return not select.select([self.fd], [], [], 0)[0]

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._slave)


@pytest.fixture
def devices() -> Iterator[tuple[Device, Device]]:
    pair = Device(), Device()
    yield pair
    for device in pair:
        device.close()


def relayed(devices: tuple[Device, Device], words: str) -> None:
    """Send a session written as words, each side's part at once when the one before has arrived."""
    for side, chunks in itertools.groupby(written(words), lambda chunk: chunk.side):
        data = b"".join(chunk.data for chunk in chunks)
        devices[side].write(data)
        assert devices[1 - side].read(len(data)) == data


def logged(folder: Path, *forms: str) -> list[str]:
    return [word for form in forms for word in (f"--{form}", str(folder / f"x.{form}"))]


def stop(sniffer: Command) -> tuple[int, str, str]:
    sniffer.process.terminate()
    return sniffer.finish()


def sent(path: Path, side: int) -> bytes:
    """Return what a side has sent according to a capture."""
    return b"".join(i.data for i in read([str(path)]).items if isinstance(i, Chunk) and i.side == side)


def steady(items: Iterable[Item]) -> Iterator[Item]:
    """Return the items without long pauses: a machine that is held up makes some, even inside frames."""
    before = at = 0
    for item in items:
        at += min(item.at - before, 100_000)
        before = item.at
        yield replace(item, at=at)


BYTES = proof(100_000, 1_000_000)


def verdicts(path: Path) -> set[int]:
    return {r.verdict for r in records(read([str(path)]), Session())}


def boards_play(folder: Path, games: int) -> tuple[list[tuple[int, str, str]], Capture]:
    """Return how two boards ended that played through the sniffer, and its capture."""
    fleet = ("--size", str(SMALL.size), "--fleet", ",".join(map(str, SMALL.counts)))
    usual = ("--autoplay", "--games", str(games))
    links = folder / "a", folder / "b"
    with (
        Command("board", *usual, "--role", "master", *fleet, "--link", str(links[0]), "--seed", "1") as master,
        Command("board", *usual, "--role", "slave", "--link", str(links[1]), "--seed", "2") as slave,
    ):
        wait_until(lambda: all(link.is_symlink() for link in links))
        with Command("sniff", *map(str, links), "--quiet", *logged(folder, "json")) as sniffer:
            ends = [board.finish(timeout=300) for board in (master, slave)]
            assert stop(sniffer)[::2] == (0, "")
    return ends, read([str(folder / "x.json")])


def test_games_between_two_virtual_boards_lose_no_byte_and_no_board_notices(tmp_path: Path):
    games = proof(8, 50)
    for turn in "123456789":
        (tmp_path / turn).mkdir()
        ends, capture = boards_play(tmp_path / turn, games)
        session = Session()
        found = list(records(capture, session, steady(capture.items)))
        assert not {watch.CUT, watch.STRAY} & {r.kind for r in found}
        # a machine that was held up in the middle of a frame has spoiled a game: then they play again
        if watch.CUT not in {r.kind for r in records(capture, Session())}:
            break
    for status, out, err in ends:
        assert (status, err) == (0, ""), out[-2000:]
    assert {r.kind for r in found} == {watch.FRAME}
    assert {r.verdict for r in found} == {watch.OK}
    finished = [game for game in session.sums.games if game.how == "shots"]
    assert len(finished) == games
    assert all(game.hits[game.winner] == 4 for game in finished)


def test_many_bytes_each_way_at_full_speed_are_relayed_and_logged_whole(devices: tuple[Device, Device], tmp_path: Path):
    chance = random.Random(5)
    traffic = []
    for _ in devices:
        data = bytearray()
        while len(data) < BYTES:
            data += b"\xb3\xff" + chance.randbytes(255) + chance.randbytes(chance.randrange(4))
        traffic.append(bytes(data[:BYTES]))
    arrived: list[bytes] = [b"", b""]
    with Command("sniff", *(device.url for device in devices), "--quiet", *logged(tmp_path, "json")) as sniffer:
        wait_until(lambda: (tmp_path / "x.json").exists())
        threads = [threading.Thread(target=devices[i].write, args=(traffic[i],)) for i in (0, 1)]

        def take(side: int) -> None:
            arrived[side] = devices[1 - side].read(len(traffic[side]))

        threads += [threading.Thread(target=take, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert stop(sniffer)[::2] == (0, "")
    assert arrived == traffic
    assert [sent(tmp_path / "x.json", side) for side in (0, 1)] == traffic


def test_the_relay_adds_less_than_one_byte_time(devices: tuple[Device, Device]):
    with Command("sniff", *(device.url for device in devices), "--syncs") as sniffer:
        sniffer.line("relay")

        def median() -> float:
            took = []
            for i in range(50):
                began = time.perf_counter()
                devices[i & 1].write(b"\xaa")
                devices[1 - (i & 1)].read(1)
                took.append(time.perf_counter() - began)
            return statistics.median(took)

        # other tests run at the same time: the best of many short rounds is the relay's own delay
        assert any(median() < BYTE_US / 10**6 for _ in range(200))
        stop(sniffer)


def test_killed_in_mid_game_it_loses_at_most_the_last_second(devices: tuple[Device, Device], tmp_path: Path):
    passed = bytearray()

    def shoot(times: int) -> None:
        for _ in range(times):
            shot = bytes((0xC0, 1 + len(passed) % 10, 1))
            devices[0].write(shot)
            assert devices[1].read(3) == shot
            passed.extend(shot)

    def kept(form: str) -> bytes:
        with contextlib.suppress(UserError):  # nothing is in the file yet
            return sent(tmp_path / f"x.{form}", 0)
        return b""

    def seconds() -> float:
        """Return the time from a shot until it is in all files."""
        began = time.monotonic()
        shoot(1)
        wait_until(lambda: all(kept(form) == passed for form in FORMS))
        return time.monotonic() - began

    with Command("sniff", *(device.url for device in devices), "--quiet", *logged(tmp_path, *FORMS)) as sniffer:
        wait_until(lambda: (tmp_path / "x.pcapng").exists())
        shoot(20)
        # other programs may hold it up: the best of some rounds is its own delay
        assert any(seconds() < 1 for _ in range(20))
        before = bytes(passed)
        shoot(20)
        sniffer.process.send_signal(signal.SIGKILL)
        sniffer.process.wait()
    for form in FORMS:
        assert kept(form).startswith(before) and passed.startswith(kept(form)), form


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="left out: needs /dev/full, which only Linux has")
def test_a_log_that_cannot_be_written_is_said_once_and_the_relay_goes_on(
    devices: tuple[Device, Device], tmp_path: Path
):
    missing = tmp_path / "no" / "such" / "x.log"
    logs = ["--log", str(missing), "--json", "/dev/full", "--pcapng", str(tmp_path / "x.pcapng")]
    with Command("sniff", *(device.url for device in devices), "--quiet", *logs) as sniffer:
        wait_until(lambda: (tmp_path / "x.pcapng").exists())
        assert sniffer.process.stderr is not None
        complaints = [sniffer.process.stderr.readline().decode() for _ in range(2)]
        relayed(devices, "m AA s 01 " * 20)
        status, out, err = stop(sniffer)
    assert (status, out, err) == (2, "", "")
    assert f"{missing} is no longer written: No such file or directory; all else goes on" in complaints[0]
    assert "/dev/full is no longer written: No space left on device; all else goes on" in complaints[1]
    assert sent(tmp_path / "x.pcapng", 0) == b"\xaa" * 20


def test_it_goes_on_when_nobody_reads_what_it_shows(devices: tuple[Device, Device], tmp_path: Path):
    with Command("sniff", *(device.url for device in devices), "--syncs", *logged(tmp_path, "json")) as sniffer:
        sniffer.line("relay")
        assert sniffer.process.stdout is not None
        sniffer.process.stdout.close()
        sniffer.process.stdout = open(os.devnull, "rb")  # noqa: SIM115 - closed by Command
        for _ in range(3):
            devices[0].write(b"\xaa" * 10)
            assert devices[1].read(10) == b"\xaa" * 10
        sniffer.process.terminate()
        assert sniffer.process.wait(SOON) == 0
    assert sent(tmp_path / "x.json", 0) == b"\xaa" * 30


def test_the_live_view_in_a_pipe_is_plain_lines_and_the_state_at_the_end(devices: tuple[Device, Device]):
    with Command("sniff", *(device.url for device in devices)) as sniffer:
        sniffer.line("relay")
        relayed(devices, BATTLE + "m C0 01 01 s 1C s C0 02 02")
        wrong = sniffer.line("in doubt")
        out = stop(sniffer)[1]
    assert "slave shoots B2" in wrong and "it was not its turn" in wrong
    assert "\x1b" not in out
    assert re.search(r"A> C0 01 01 +master shoots A1", out)
    assert "1 sync\n" in out
    assert "A master: 4 battle" in out and "field of slave, 1 hit" in out


def test_on_a_terminal_there_is_colour_and_the_state_below_the_lines(devices: tuple[Device, Device]):
    with Terminal("sniff", *(device.url for device in devices)) as terminal:
        terminal.until(b"the space bar stops the lines")
        relayed(devices, BATTLE + "s C0 01 01 m A8")
        terminal.until(b"VIOLATION")
        assert b"\x1b[1;31m" in terminal.shown
        terminal.type(b" ")
        terminal.until(b", 0 new; arrows")
        # the line continues, and new bytes are shown when the space bar is pressed again
        relayed(devices, "m B1 05 4C 41 54 45 52")
        terminal.until(b", 1 new; arrows")
        assert b"nick LATER" not in terminal.shown
        # Ctrl-Z gives a shell its screen and cursor; here nothing stops it, and the keys work again
        terminal.shown = b""
        terminal.type(b"\x1a")
        terminal.until(b"\x1b[?1049h")
        back, _, again = terminal.shown.partition(b"\x1b[?1049l")
        assert b"\x1b[?25h" in back + again
        terminal.type(b" ")
        terminal.until(b"nick LATER")
        # a window of another size wraps what was drawn: all is drawn anew, once
        terminal.shown = b""
        terminal.resize(20, 60)
        terminal.until(b"\x1b[2J")
        terminal.shown = terminal.shown.partition(b"\x1b[2J")[2]
        terminal.until(b"longest")
        assert b"nick LATER" in terminal.shown and terminal.shown.count(b"A master") == 1
        terminal.process.terminate()
        assert terminal.end() == 0 and b"bytes" in terminal.shown
        assert termios.tcgetattr(terminal._slave) == terminal.before


def test_a_tap_only_listens_and_puts_late_commands_before_their_replies(devices: tuple[Device, Device], tmp_path: Path):
    with Command("sniff", "--tap", *(device.url for device in devices), *logged(tmp_path, "json")) as sniffer:
        sniffer.line("tap")
        # the slave's adapter is faster than the master's
        for sender, answer in ((b"\xaa", b"\x01"), (b"\xa1", b"\x1a"), (b"\xb1\x02AB", b"\x1b")):
            devices[1].write(answer)
            devices[0].write(sender)
        sniffer.line("slave: nick received")
        assert devices[0].silent() and devices[1].silent()
        stop(sniffer)
    lines = [json.loads(line) for line in (tmp_path / "x.json").read_text().splitlines()[1:]]
    lines = [line for line in lines if "op" in line]
    order = [line["op"] for line in lines]
    assert {line["verdict"] for line in lines} == {"ok"}
    assert all(
        order.index(command) < order.index(reply) for command, reply in (("AA", "01"), ("A1", "1A"), ("B1", "1B"))
    )


def test_one_line_for_both_directions_is_sorted_by_the_table(devices: tuple[Device, Device], tmp_path: Path):
    with Command("sniff", "--one", devices[0].url, *logged(tmp_path, "json")) as sniffer:
        sniffer.line("one line")
        devices[0].write(b"".join(c.data for c in written(OVER)))
        sniffer.line("slave: win seen")
        stop(sniffer)
    assert verdicts(tmp_path / "x.json") == {watch.OK}
    for side in (0, 1):
        assert sent(tmp_path / "x.json", side) == b"".join(c.data for c in written(OVER) if c.side == side)


def test_a_virtual_port_takes_the_place_of_the_real_one(devices: tuple[Device, Device], tmp_path: Path):
    link = tmp_path / "port"
    with Command("sniff", "--virtual", devices[0].url, "--link", str(link), "--raw") as sniffer:
        assert sniffer.line("connect the program to").endswith(str(link))
        for _ in range(2):
            # a program may come, go and come again
            program = os.open(link, os.O_RDWR | os.O_NOCTTY)
            os.write(program, b"\xaa")
            assert devices[0].read(1) == b"\xaa"
            devices[0].write(b"\x01")
            assert select.select([program], [], [], SOON)[0]
            assert os.read(program, 1) == b"\x01"
            os.close(program)
            # raw bytes are shown as they come
            assert sniffer.line("B> 01")
        assert stop(sniffer)[0] == 0
    assert not link.is_symlink()


def test_a_port_that_goes_and_comes_back_is_a_gap(tmp_path: Path):
    with Cable(tmp_path) as cable, Cable() as other:
        urls = str(tmp_path / "a"), other.a
        with Command("sniff", *urls, *logged(tmp_path, "json")) as sniffer:
            sniffer.line("relay")
            cable.pull()
            assert "(waiting until it is back)" in sniffer.line(str(tmp_path / "a"))
            cable.plug()
            sniffer.line("is back")
            far = os.open(cable.b, os.O_RDWR | os.O_NOCTTY)
            os.write(far, b"\xaa")
            wait_until(lambda: "AA" in (tmp_path / "x.json").read_text())
            os.close(far)
            assert stop(sniffer)[0] == 0
    assert [type(item) for item in read([str(tmp_path / "x.json")]).items] == [Lost, Chunk]


@pytest.mark.parametrize("command", [("bot", "--port"), ("board", "--autoplay", "--port"), ("sniff", "--one")])
def test_a_line_at_another_speed_is_said_to_be_one_while_the_bytes_come(command: tuple[str, ...]):
    from seabattle_host.line.settings import Settings
    from seabattle_host.line.settings_guess import levels, receive

    slow = Settings(4800)
    sync = receive(levels(0xAA, slow), slow.baud, Settings())
    with Cable() as cable, Command(*command, cable.a) as running, open(cable.b, "wb", buffering=0) as other:
        running.line(cable.a)
        for _ in range(12):
            other.write(sync)
        assert "seems to send at 4800 baud" in running.line("make no sense")
