"""Random programs against the link, the watcher and the reader: no exception, no stuck state, no allocation."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle import link as links
from seabattle import wire
from tests.fuzz import drive
from tests.micropython.interpreters import INTERPRETERS, ROOT, Interpreter
from tests.sizes import proof

ROLES = (wire.MASTER, wire.SLAVE, wire.AUTO)

# Pieces of real sessions, so that random programs get past the first exchange.
PIECES = [
    bytes.fromhex(piece)
    for piece in (
        "AA 01 AAA1 1A B103414243 1B B20600000102 2B0600000102 A2 2A B30120 3B A3 3A A4 4A C00101 C00305 "
        "0C 1C 2C 3C A5 5A A6 6A A7 7A A8 8A A9 9A A0"
    ).split()
]
PIECES += map(
    bytes, ((drive.TICK,), (drive.TICKS, 12), (drive.TICKS, 65), (drive.KEY,), (drive.BOT, 200), (drive.PASTE,))
)
programs = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.binary(max_size=6),
        st.integers(0, 255).map(lambda n: bytes([drive.ORDER, n])),
    ),
    max_size=80,
).map(b"".join)


@pytest.mark.parametrize("path", drive.corpus(), ids=lambda p: p.stem)
def test_what_is_kept_stays_found(path: Path):
    program = path.read_bytes()
    for role in ROLES:
        drive.run_link(program, role)
    drive.run_watch(program)
    drive.run_reader(program)


@pytest.mark.parametrize("role", ROLES)
def test_link(role: int):
    @settings(max_examples=proof(120, 400), deadline=None, derandomize=True)
    @given(programs)
    def run(program: bytes) -> None:
        drive.run_link(program, role)

    run()


@settings(max_examples=proof(120, 400), deadline=None, derandomize=True)
@given(st.one_of(programs, st.binary(max_size=600)))
def test_watch_and_reader(program: bytes):
    drive.run_watch(program)
    drive.run_reader(program)


def test_mutants_of_what_is_kept():
    """The kept programs, cut, spliced and flipped: cheap, and much closer to a session than random bytes."""
    rng = random.Random(1)
    kept = [p.read_bytes() for p in drive.corpus()]
    assert kept
    for _ in range(proof(120, 400)):
        one, two = rng.choice(kept), rng.choice(kept)
        program = bytearray(one[: rng.randrange(len(one) + 1)] + two[rng.randrange(len(two) + 1) :])
        for _ in range(rng.randrange(4)):
            if program:
                program[rng.randrange(len(program))] = rng.choice((0xAA, 0x01, 0xC0, 0xB1, 0xF1, rng.randrange(256)))
        drive.run_link(bytes(program), rng.choice(ROLES))
        drive.run_watch(bytes(program))


def test_a_trap_would_be_found(monkeypatch: pytest.MonkeyPatch):
    """A link that ignores the key while it waits for the answer to its A8 never gets to state 0 in time."""

    def ignores(self: links.Link) -> int:
        return links.NOT_NOW

    monkeypatch.setattr(links.Link, "key", ignores)
    with pytest.raises(AssertionError):
        drive.run_link(b"\xaa\xa1\xa4", wire.SLAVE)


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=str)
def test_nothing_is_allocated_whatever_comes(interpreter: Interpreter, tmp_path: Path):
    if interpreter.missing:
        pytest.skip(interpreter.missing)
    kept = b"".join(p.read_bytes() for p in drive.corpus())
    rng = random.Random(2)
    noise = b"".join(rng.choice(PIECES) for _ in range(6000))
    (tmp_path / "line.py").write_text(f"LINE = {kept + noise!r}\n", encoding="ascii")
    script = tmp_path / "locked.py"
    script.write_text(LOCKED, encoding="ascii")
    result = interpreter.run(script, path=(ROOT / "common", tmp_path), deadline=200)
    assert result.status == 0 and result.stdout.split()[-1:] == ["done"], result.output


LOCKED = """\
import micropython
from line import LINE
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
import seabattle.watch_pairs  # by itself: imports within imports take the stack of a small interpreter
from seabattle.watch import Watch

players = (Player(Link(1, Rng(1)), Rng(2)), Player(Link(2, Rng(3)), Rng(4)), Player(Link(4, Rng(5)), Rng(6)))
watch = Watch()

def run():
    n = 0
    for b in LINE:
        n += 1
        watch.feed(n & 1, b)
        while watch.take():
            pass
        for p in players:
            link = p.link
            if b == 0xF0 or not n % 50:
                link.tick()
                watch.tick()
            elif b == 0xF2 or not n % 333:
                link.key()
            else:
                link.rx(b)
            while p.poll():
                pass
            while link.tx() >= 0:
                pass

micropython.heap_lock()
run()
micropython.heap_unlock()
print("done")
"""
