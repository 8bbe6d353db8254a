"""Reading captures back.

`seabattle decode --check` in a process of its own, over games one after another: processor time a byte, and the most
memory that it took; for two lengths of a capture, since memory must not grow with it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from seabattle_host.sniff.capture import Header
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.storage import JsonForm
from tests.bench import Figure
from tests.captures import played

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


def captures(games: int) -> Iterator[tuple[str, bytes, int]]:
    """Name, content, and bytes of the line."""
    game = played()
    step = game[-1].at - game[0].at + 10**6
    items = [replace(chunk, at=chunk.at + i * step) for i in range(games) for chunk in game]
    form = JsonForm()
    found = list(Session().run(items))
    yield "raw", b"".join(record.raw for record in found), len(items)
    yield "json", form.head(Header()) + b"".join(form.record(record) for record in found), len(items)


def run(path: Path) -> tuple[float, int]:
    """Seconds of processor time, and kilobytes."""
    done = subprocess.run([sys.executable, "-c", RUN, str(path)], capture_output=True, text=True, check=True)
    took, most = done.stdout.split()[-2:]
    return float(took), int(most)


def figures(quick: bool = False) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "capture"
        found: dict[str, list[tuple[int, float, int]]] = {}
        for games in (1, 2) if quick else (20, 200):
            for name, data, size in captures(games):
                path.write_bytes(data)
                found.setdefault(name, []).append((size, *run(path)))
        for name, ((less, first, _little), (more, last, most)) in found.items():
            note = f"between {less:,} and {more:,} bytes of the line"
            yield Figure(f"{name}: processor time", (last - first) / (more - less) * 1e6, "us a byte", note)
            yield Figure(f"{name}: memory", most / 1024, "MB", f"for {more:,} bytes of the line")
