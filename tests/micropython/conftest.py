"""The interpreters as a fixture: a test that takes `interpreter` runs once on each."""

from __future__ import annotations

import pytest

from tests.micropython.interpreters import INTERPRETERS, Interpreter


@pytest.fixture(params=INTERPRETERS, ids=str)
def interpreter(request: pytest.FixtureRequest) -> Interpreter:
    if request.param.missing:
        pytest.skip(request.param.missing)
    return request.param
