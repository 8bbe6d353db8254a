"""The firmware on MicroPython with the heap locked: games against the board, and keys of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk import keys
from tests.micropython.interpreters import INTERPRETERS, PATH, ROOT, Interpreter

WIDE, NARROW = INTERPRETERS
HERE = Path(__file__).parent
FIRMWARE = (*PATH, ROOT / "firmware")


@pytest.mark.parametrize(
    ("interpreter", "panel"),
    # memory left in use shows on 64 bits alone, where it is collected; it does not depend on the panel
    [(WIDE, "128x64"), (WIDE, "20x4"), (NARROW, "84x48"), (NARROW, "16x2")],
    indirect=["interpreter"],
    ids=str,
)
def test_whole_games_allocate_nothing_and_leave_nothing_behind(interpreter: Interpreter, panel: str) -> None:
    collects = ["collects"] if interpreter.bits == 64 else []
    result = interpreter.run(HERE / "desk_games.py", panel, *collects, path=FIRMWARE, deadline=300)
    assert result.status == 0, result.output
    assert result.stdout.splitlines() == ["1 ended", "2 ended", "3 ended"]


def test_every_kind_of_keys_is_heard_with_the_heap_locked(interpreter: Interpreter) -> None:
    result = interpreter.run(HERE / "keys_locked.py", path=FIRMWARE)
    assert result.status == 0, result.output
    up, down, left, right, ok, back = keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT, keys.OK, keys.BACK
    heard = {kind: [*map(int, told)] for kind, *told in map(str.split, result.stdout.splitlines())}
    assert heard == {
        "ladder": [right, up, down, left, ok],
        "matrix": [up, down, left, right, ok, back],
        "touch": [back, up, left, ok, right, down],
        "encoder": [up, down],
    }
