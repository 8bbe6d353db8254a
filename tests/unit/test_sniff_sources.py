"""From ports to a capture: the driver's marks, the adapters' latency timers, two lines merged in order."""

from __future__ import annotations

import importlib.util
import itertools
import signal
import threading
import time
import types
from pathlib import Path

import pytest

from seabattle_host.commands.sniff_run import Sniffer
from seabattle_host.line.parity_marks import MarkDecoder
from seabattle_host.sniff import lua_translator, sources
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk, Fault, Lost
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.sources import HOLD_US, Latency, Orderer, Taker
from seabattle_host.sniff.timing import TickTimer
from tests.captures import BATTLE, SYNCED, TICK, written
from tests.command import wait_until

pytestmark = pytest.mark.usefixtures("english")

# Marks.

DAMAGED = Fault.PARITY | Fault.FRAMING


@pytest.mark.parametrize(
    ("raw", "values", "faults"),
    [
        (b"\xaa\x01", b"\xaa\x01", []),
        (b"\xff\xff", b"\xff", []),
        (b"\xff\x00\xaa", b"\xaa", [DAMAGED]),
        (b"\x01\xff\x00\x00\x02", b"\x01\x00\x02", [0, DAMAGED | Fault.BREAK, 0]),
        (b"\xff\xff\xff\x00\xff\xff\xff", b"\xff\xff\xff", [0, DAMAGED, 0]),
    ],
)
def test_marks_become_faults_wherever_a_read_ends(raw: bytes, values: bytes, faults: list[int]):
    for cut in range(len(raw) + 1):
        unmarker = MarkDecoder()
        parts = [unmarker.feed(part) for part in (raw[:cut], raw[cut:])]
        assert b"".join(part[0] for part in parts) == values
        told = list(itertools.chain.from_iterable(part[1] or bytes(len(part[0])) for part in parts))
        assert told == (faults or [0] * len(values))


# The latency timer.


def test_the_latency_timer_is_lowered_and_put_back_and_one_that_is_low_or_not_there_left_alone(tmp_path: Path):
    timer = tmp_path / "ttyUSB7" / "latency_timer"
    timer.mkdir(parents=True)
    assert Latency("/dev/ttyUSB7", tmp_path).old == 0, "it cannot be read"
    timer.rmdir()
    timer.write_text("16\n")
    latency = Latency("/dev/ttyUSB7", tmp_path)
    assert latency.old == 16 and timer.read_text() == f"{latency.new}\n"
    latency.restore()
    assert timer.read_text() == "16\n"
    timer.write_text("1\n")
    for url in ("/dev/ttyUSB7", "/dev/ttyS0", "socket://localhost:1"):
        latency = Latency(url, tmp_path)
        assert latency.old == 0
        latency.restore()
    assert timer.read_text() == "1\n"


# The order of a tap.


def test_a_reply_that_nobody_asked_for_is_held_back_and_then_shown_at_once_where_there_is_a_gap():
    reply, lost = Chunk(0, 1, b"\x0c"), Lost(5, "gone")
    orderer = Orderer(Session().watch.waits)
    orderer.put(reply)
    assert orderer.get(HOLD_US, False) == []
    assert orderer.get(HOLD_US + 1, False) == [reply]
    orderer = Orderer(Session().watch.waits)
    orderer.put(reply)
    assert orderer.put(lost) == [reply, lost]


def test_time_does_not_run_ahead_of_what_is_held_back():
    now = 0
    found: list[Record] = []
    session = Session()
    sides = types.SimpleNamespace(
        clock=lambda: now, put=found.extend, show=lambda _records: None, bytes=lambda _items: None
    )
    sniffer = Sniffer(sides, session, sides, sides, "tap")  # type: ignore[arg-type]
    chunks = written(BATTLE + "m C0 01 01 +60 m A0 s 0A " + SYNCED)
    for chunk in chunks:
        now = chunk.at
        sniffer._deal([chunk])
        if chunk.data == b"\xa0":
            # the shot still waits, so it is held back until the next tick is long due
            now += 2 * TICK
            sniffer._pass_time()
    sniffer._take(sniffer._ordered(0, True) + session.finish())
    assert [(r.kind, r.op) for r in found] == [(r.kind, r.op) for r in Session().run(chunks)]


class Flood:
    url = device = "socket://flood"
    marking = False
    unsent = count = 0

    def read(self, _timeout: float = 0.0) -> bytes:
        self.count += 1
        return b"\xff" * 10_000

    def write(self, data: bytes) -> None:
        pass

    def wake(self) -> None:
        pass


def test_a_flood_is_not_read_faster_than_it_is_processed():
    flood = Flood()
    taker = Taker((flood,), relay=False)  # type: ignore[arg-type]
    taker.start()
    wait_until(lambda: flood.count >= 25)
    taker.stop()
    assert flood.count < 40
    assert sum(len(item.data) for item in taker.get(0) if isinstance(item, Chunk)) == flood.count * 10_000


def test_a_sniffer_that_was_stopped_says_so_before_what_came_meanwhile(monkeypatch):
    asleep = 0.0
    clocks = {"time_ns": time.time_ns, "monotonic_ns": time.monotonic_ns}
    clock = types.SimpleNamespace(**clocks, monotonic=lambda: time.monotonic() + asleep)
    monkeypatch.setattr(sources, "time", clock)
    done = threading.Event()

    class Slept(Flood):
        def read(self, _timeout: float = 0.0) -> bytes:
            nonlocal asleep
            if asleep:
                done.set()
                return b""
            asleep = 5.0
            return b"\xaa"

    taker = Taker((Slept(),), relay=False)  # type: ignore[arg-type]
    taker.start()
    assert done.wait(5)
    taker.stop()
    told = [item.why if isinstance(item, Lost) else item.data for item in taker.get(0)]
    assert told == ["the sniffer was stopped for a while", b"\xaa"]


def test_a_signal_while_nothing_comes_does_not_stop_the_reading():
    taker = Taker((), False)
    by = time.monotonic() + 0.02

    def outlast(_number: int, _frame: object) -> None:
        while time.monotonic() < by:
            pass

    before = signal.signal(signal.SIGALRM, outlast)
    late = threading.Timer(2, taker._items.put, (Lost(0, "late"),))
    late.start()
    signal.setitimer(signal.ITIMER_REAL, 0.002)
    try:
        # the handler ends after the time is over
        assert taker.get(0.01) == []
    finally:
        late.cancel()
        signal.signal(signal.SIGALRM, before)


# Time.


def test_ticks_come_as_often_as_the_clock_of_the_protocol_ticks_but_not_through_a_long_pause():
    timer = TickTimer()
    timer.begin(0)
    ticks = at = 0
    while at < 3600 * 10**6:
        at += TICK
        timer.begin(at)
        while timer.due(at):
            ticks += 1
    assert ticks == at * TICK_DIVISOR // TICK_DIVIDEND
    timer.begin(10**15)
    assert sum(1 for _ in iter(lambda: timer.due(10**15), False)) < 1000
    assert timer.next > 10**15


# The translation to Lua.


def module(source: str, tmp_path: Path) -> types.ModuleType:
    """Import a source like a module of the shared package."""
    path = tmp_path / "odd.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("seabattle.odd", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize(
    "body",
    [
        *("return {1: 2}", "return [i for i in x]", "x[1:2] = x", "return x[-1]", "with x: pass", "return f(*x)"),
        "print(1)",
    ],
)
def test_python_that_has_no_translation_is_refused_with_its_place(body: str, tmp_path: Path):
    odd = module(f"def f(x):\n    {body}\n", tmp_path)
    with pytest.raises(lua_translator.Untranslatable, match="odd:2"):
        lua_translator.translate([odd])


def test_values_are_written_down_as_lua_has_them():
    assert lua_translator.literal((1, 'a"\n', None, True)) == '{[0]=1, "a\\034\\010", nil, true, n=4}'
    assert lua_translator.literal(b"") == "{n=0}"
