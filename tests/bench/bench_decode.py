"""Reading captures back.

`seabattle decode --check` in a process of its own, over different games one after another (`varied_games.py`:
computers, people who think, chat, programs of others, a damaged byte now and then): processor time a byte, and the most
memory that it took; for two lengths of a capture, since memory must not grow with it. The relay's session takes one
game after another in simulated time: what a day more takes when it has heard so many already.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from seabattle_host.sniff.capture import Chunk, Header
from seabattle_host.sniff.file_seals import Part
from seabattle_host.sniff.form_writers import JsonForm
from seabattle_host.sniff.session import Session
from tests.bench import Figure, resident
from tests.bench.varied_games import games
from tests.captures import played, written

RUN = """\
import resource, sys
from seabattle_host import cli
status = cli.main(["decode", "--check", "--lang", "en", sys.argv[1]])
used = resource.getrusage(resource.RUSAGE_SELF)
try:
    # a process that was forked from a large one inherits its maximum, but not this
    most = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
except (OSError, StopIteration):
    most = used.ru_maxrss
print(used.ru_utime + used.ru_stime, most)
"""


RELAY = """\
import sys
from tests.bench.bench_decode import heard
print(*heard(int(sys.argv[1])))
"""


def heard(count: int) -> Iterator[int]:
    """Yield this process's kilobytes after half of the games, and after all; then the bytes of the line."""
    game = parted()
    step = game[-1].at - game[0].at + 10**6
    session = Session()
    for i in range(count):
        for chunk in game:
            session.feed(replace(chunk, at=chunk.at + i * step))
        if i + 1 in (count // 2, count):
            yield resident()
    yield len(game) * count


def parted() -> list[Chunk]:
    """Return a game, and the goodbye after it."""
    game = played()
    rest = written("+9 m AA s 01 +1 m A7 s 7A +9 m AA s 01")
    return game + [replace(chunk, at=chunk.at - rest[0].at + game[-1].at + 10**6) for chunk in rest]


def late(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield chunks as a computer reads them: each up to 0.9 ms late, so that no two replies take the same time."""
    lots = random.Random(1)
    at = 0
    for chunk in chunks:
        at = max(at, chunk.at + lots.randrange(900))
        yield replace(chunk, at=at)


def captures(count: int) -> Iterator[tuple[str, bytes, int]]:
    """Yield name, content, and bytes of the line."""
    form = JsonForm()
    found = list(Session().run(late(games(range(count)))))
    size = sum(len(record.raw) for record in found)
    yield "raw", b"".join(record.raw for record in found), size
    lines = form.head(Header(), Part("bench")) + b"".join(map(form.record, found))
    yield "json", lines + form.tail(True), size


def run(path: Path) -> tuple[float, int]:
    """Return seconds of processor time, and kilobytes."""
    done = subprocess.run([sys.executable, "-c", RUN, str(path)], capture_output=True, text=True, check=True)
    took, most = done.stdout.split()[-2:]
    return float(took), int(most)


def relay(count: int) -> Iterator[Figure]:
    """Measure the session of a relay."""
    done = subprocess.run([sys.executable, "-c", RELAY, str(count)], capture_output=True, text=True, check=True)
    half, whole, size = map(int, done.stdout.split())
    yield Figure("relay: memory of its session", whole / 1024, "MB", f"after {count:,} games, {size:,} bytes")
    yield Figure("relay: of that, since half of them", (whole - half) / 1024, "MB")


def figures(quick: bool = False) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for count in (1, 2) if quick else (160, 1600):
            for name, data, size in captures(count):
                path = Path(folder) / f"{name}.{count}"
                path.write_bytes(data)
                files.append((name, size, path))
        # other programs slow it down, often for minutes: each in turn, and the fastest of all turns
        turns = [[run(path) for _name, _size, path in files] for _ in range(1 if quick else 5)]
        found: dict[str, list[tuple[int, float, int]]] = {}
        for (name, size, _path), runs in zip(files, zip(*turns, strict=True), strict=True):
            found.setdefault(name, []).append((size, min(took for took, _ in runs), max(most for _, most in runs)))
        for name, ((less, first, _little), (more, last, most)) in found.items():
            note = f"between {less:,} and {more:,} bytes of the line"
            yield Figure(f"{name}: processor time", (last - first) / (more - less) * 1e6, "us a byte", note)
            yield Figure(f"{name}: memory", most / 1024, "MB", f"for {more:,} bytes of the line")
    yield from relay(2 if quick else 6000)
