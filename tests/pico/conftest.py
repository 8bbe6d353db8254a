"""Fixtures of the emulated board. Without Node.js these tests are skipped with one line, except in CI."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from seabattle_host.boards import device
from seabattle_host.commands import flash
from tests.pico import fetch
from tests.pico.rig import Rig


def reason_to_leave_out() -> str:
    """Return why the emulated board is not available here; empty if it is."""
    if fetch.node_program() is None:
        return f"Node.js {fetch.NODE_OLDEST} or newer is missing; install it (Debian: apt-get install nodejs npm)"
    try:
        fetch.fetch()
    except fetch.FetchError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def emulator() -> None:
    """Makes sure that the emulator is there, or skips the test."""
    reason = reason_to_leave_out()
    if not reason:
        return
    if os.environ.get("CI"):
        pytest.fail(f"the emulated Pico is not available: {reason}", pytrace=False)
    pytest.skip(f"left out: the tests on the emulated Pico: {reason}")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes commands wait as long as the emulator needs on a busy machine."""
    monkeypatch.setattr(device, "_ANSWER_SECONDS", 60.0)
    monkeypatch.setattr(flash, "_START_SECONDS", 100.0)


@pytest.fixture
def rig(emulator: None) -> Iterator[Rig]:
    """An emulated board, not yet powered."""
    with Rig() as board:
        yield board
