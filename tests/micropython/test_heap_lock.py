"""A locked heap proves something only if it can fail: an allocation is caught, and an integer beyond the small ones."""

from __future__ import annotations

import pytest

from tests.micropython.interpreters import Interpreter


def test_work_without_allocation_passes(interpreter: Interpreter) -> None:
    result = interpreter.run_locked(
        """
        for i in range(10):
            table[i] = i * i
        """,
        setup="table = bytearray(10)",
    )
    assert result.status == 0, result.output


@pytest.mark.parametrize(
    "allocation", ["[1]", "table[2:5]", "(len(table), 1)", "'%d' % len(table)", "len(table) / 3", "lambda: table"]
)
def test_an_allocation_fails_on_both(interpreter: Interpreter, allocation: str) -> None:
    result = interpreter.run_locked(f"made = {allocation}", setup="table = bytearray(10)")
    assert result.status == 1
    assert "MemoryError" in result.output


def test_the_largest_small_integer_passes_on_both(interpreter: Interpreter) -> None:
    result = interpreter.run_locked("made = half - 1 + half", setup="half = 1 << 29")
    assert result.status == 0, result.output


def test_an_intermediate_of_2_to_the_30_fails_on_32_bits_only(interpreter: Interpreter) -> None:
    result = interpreter.run_locked("made = (half + half) >> 4", setup="half = 1 << 29")
    if interpreter.bits == 32:
        assert result.status == 1
        assert "MemoryError" in result.output
    else:
        assert result.status == 0, result.output
