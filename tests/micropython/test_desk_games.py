"""The games against the board, on both MicroPython interpreters, played with the heap locked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.micropython.interpreters import INTERPRETERS, PATH, ROOT, Interpreter

WIDE, NARROW = INTERPRETERS
SCRIPT = Path(__file__).with_name("desk_games.py")


@pytest.mark.parametrize(
    ("interpreter", "panel"),
    # memory left in use shows on 64 bits alone, where it is collected; it does not depend on the panel
    [(WIDE, "128x64"), (WIDE, "20x4"), (NARROW, "84x48"), (NARROW, "16x2")],
    indirect=["interpreter"],
    ids=str,
)
def test_whole_games_allocate_nothing_and_leave_nothing_behind(interpreter: Interpreter, panel: str) -> None:
    path = (*PATH, ROOT / "firmware")
    collects = ["collects"] if interpreter.bits == 64 else []
    result = interpreter.run(SCRIPT, panel, *collects, path=path, deadline=300)
    assert result.status == 0, result.output
    assert result.stdout.splitlines() == ["1 ended", "2 ended", "3 ended"]
