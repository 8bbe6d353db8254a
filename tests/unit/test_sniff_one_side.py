"""Logs of one side only, and lines with their numbers: nothing but the bytes is taken for bytes or for a side."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import read
from tests.dress import Frame, frames, listed
from tests.faults.bugs import BUGS, sessions


@cache
def spoilt(name: str) -> list[Frame]:
    """Return sessions with a bug, in which frames of a side that follow each other are in one piece."""
    bug = next(bug for bug in BUGS if bug.name == name)
    found: list[Frame] = []
    last = [-(10**6)] * 2
    place = [-1, -1]
    for chunks, _end in sessions(bug, range(1, 4)):
        for chunk in chunks:
            if chunk.at - last[chunk.side] < 3000:
                at, side, raw = found[place[chunk.side]]
                found[place[chunk.side]] = (at, side, raw + chunk.data)
            else:
                place[chunk.side] = len(found)
                found.append((chunk.at, chunk.side, chunk.data))
            last[chunk.side] = chunk.at
    return found


def heard(path: Path) -> bytes:
    return b"".join(item.data for item in read([str(path)]).items if isinstance(item, Chunk))


@pytest.mark.parametrize("name", ["", "never says sunk", "A4 in state 2", "says hit for every miss"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    "form", ["{s} RX: {hex}", "RX({len}): {hex}", "recv {list}", "{date} uart {low}", "rx {hex} |{abc}|"]
)
def test_a_log_of_one_side_is_read_whole(form: str, side: int, name: str, tmp_path: Path):
    some = [frame for frame in (spoilt(name) if name else frames()) if frame[1] == side]
    path = tmp_path / "x.txt"
    path.write_text(listed(form, some))
    assert heard(path) == b"".join(raw for _at, _side, raw in some)
    assert len(read([str(path)]).found[0].sides()) == 1


@pytest.mark.parametrize("name", ["", "never says sunk", "A4 in state 2"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    "form",
    [
        "[{}] {}",
        "{}: {}",
        "#{} {}",
        "({}) {}",
        "{}. {}",
        "{}) {}",
        "{:04} {}",
        "{} {}",
        "{1} ; {0}",
        "{1}  // {0}",
        "{1} #{0}",
    ],
)
def test_the_number_of_a_line_is_no_byte(form: str, first: int, name: str, tmp_path: Path):
    some = spoilt(name) if name else frames()
    path = tmp_path / "x.txt"
    path.write_text("".join(form.format(n, raw.hex(" ")) + "\n" for n, (_at, _side, raw) in enumerate(some, first)))
    assert heard(path) == b"".join(raw for _at, _side, raw in some)


@pytest.mark.parametrize(
    "names", [("{s} RX: {hex}", "{run}"), ("{s},{hex}", "{date} RX {hex}"), ("TX {hex}", "RX {hex}")]
)
def test_two_files_are_the_sides_though_a_bug_spoils_one_of_them(names: tuple[str, str], tmp_path: Path):
    game = [(at, side, b"\x2b" + bytes(5) if raw[0] == 0x2B else raw) for at, side, raw in frames()] * 3
    for side, form in enumerate(names):
        (tmp_path / f"{side}").write_text(listed(form, [frame for frame in game if frame[1] == side]))
    capture = read([str(tmp_path / "0"), str(tmp_path / "1")])
    assert not capture.merged
    items = [item for item in capture.items if isinstance(item, Chunk)]
    for side in (0, 1):
        data = b"".join(item.data for item in items if item.side == side)
        assert data == b"".join(raw for _at, own, raw in game if own == side)
