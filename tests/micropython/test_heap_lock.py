"""A locked heap proves something only if it can fail: an allocation is caught, and an integer beyond the small ones."""

from __future__ import annotations

from tests.micropython.interpreters import Interpreter

ALLOCATE = ("[1]", "table[2:5]", "(len(table), 1)", "'%d' % len(table)", "len(table) / 3", "lambda: table")
LARGE = "(half + half) >> 4"
"""2**30 in passing: a small integer where it has 63 bits."""
FREE = ("table[3] * table[4]", "half - 1 + half")

SETUP = """
table = bytearray(10)
half = 1 << 29
"""
TRY = """
try:
    made = WORK
    seen[NUMBER] = 1
except MemoryError:
    seen[NUMBER] = 2
"""


def test_what_allocates_fails_and_nothing_else(interpreter: Interpreter) -> None:
    works = (*ALLOCATE, LARGE, *FREE)
    body = "".join(TRY.replace("WORK", work).replace("NUMBER", str(i)) for i, work in enumerate(works))
    setup = f"{SETUP}seen = bytearray({len(works)})\n"
    result = interpreter.run_locked(f"{body}\nfor outcome in seen:\n    print(outcome)", setup=setup)
    assert result.status == 0, result.output
    large = 2 if interpreter.bits == 32 else 1
    assert [*map(int, result.stdout.split())] == [2] * len(ALLOCATE) + [large] + [1] * len(FREE)


def test_an_allocation_ends_the_script(interpreter: Interpreter) -> None:
    result = interpreter.run_locked("made = [1]")
    assert result.status == 1 and "MemoryError" in result.output
