"""Foreign JSON is read value by value in any layout, in memory that does not grow with its length."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from seabattle_host.sniff.forms.other_json import BROKEN, objects
from seabattle_host.sniff.forms.source import Source

ROWS = [{"time": n, "data": "AA é"} for n in range(4)]
MANY = [{"time": n, "data": "AA" * 20} for n in range(4000)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (json.dumps(ROWS), ROWS),
        (json.dumps(ROWS, ensure_ascii=False, indent=2), ROWS),
        ("\n".join(map(json.dumps, ROWS)), ROWS),
        (json.dumps({"about": 1, "rows": ROWS}), ROWS),
        (json.dumps({"about": 1, "rows": MANY}, indent=1), MANY),
        (json.dumps(ROWS[0]), ROWS[:1]),
        ('[0.5, "TX"]\n[1, "RX"]\n', [[0.5, "TX"], [1, "RX"]]),
        (json.dumps(MANY), MANY),
        (json.dumps(MANY, indent=1), MANY),
        ('[\n{"a": 1},\n{"a": 2},\n{"a": ', [{"a": 1}, {"a": 2}, BROKEN]),
        ('[\n{"a":\n 1},\n{"a" 2},\n{"a":\n 3}]', [{"a": 1}, BROKEN, {"a": 3}]),
        ('{"a": 1}\nplain text\n{"a": \n{"a": 3}', [{"a": 1}, BROKEN, {"a": 3}]),
        ("[]", []),
    ],
    ids=range(13),
)
def test_all_values_are_read_in_their_order(text: str, values: list[object]):
    assert list(objects(Source("x", text.encode()))) == values


def test_a_long_array_takes_no_memory():
    source = Source("x", json.dumps(MANY * 3).encode())
    tracemalloc.start()
    try:
        assert sum(1 for _ in objects(source)) == len(MANY) * 3
        assert tracemalloc.get_traced_memory()[1] < 500_000 < len(MANY) * 3 * 50
    finally:
        tracemalloc.stop()
