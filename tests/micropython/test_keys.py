"""Keys behind resistors, in a matrix, on a touch panel and on an encoder allocate nothing while they are used."""

from __future__ import annotations

from pathlib import Path

from tests.desk import keys
from tests.micropython.interpreters import PATH, ROOT, Interpreter

SCRIPT = Path(__file__).with_name("keys_locked.py")


def test_every_kind_of_keys_is_heard_with_the_heap_locked(interpreter: Interpreter) -> None:
    result = interpreter.run(SCRIPT, path=(*PATH, ROOT / "firmware"))
    assert result.status == 0, result.output
    up, down, left, right, ok, back = keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT, keys.OK, keys.BACK
    heard = {kind: [*map(int, told)] for kind, *told in map(str.split, result.stdout.splitlines())}
    assert heard == {
        "ladder": [right, up, down, left, ok],
        "matrix": [up, down, left, right, ok, back],
        "touch": [back, up, left, ok, right, down],
        "encoder": [up, down],
    }
