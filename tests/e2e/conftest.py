"""Shared by the tests with lines and with browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.command import FASTER, hasten

if TYPE_CHECKING:
    from tests.e2e.people import Desk
    from tests.lines import Cable


@pytest.fixture
def cable(tmp_path: Path, english: None) -> Iterator[Cable]:
    """A cable whose ends have stable names, `a` and `b`, in the test's folder. Both sides use English."""
    from tests.lines import Cable  # Windows, which has no pseudo-terminals, cannot even import it

    with Cable(tmp_path) as joined:
        yield joined


@pytest.fixture
def faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ticks of this process and of its commands are twice as fast: waits are as many ticks long, and end sooner."""
    from seabattle_host.club.lobby import Lobby
    from seabattle_host.player import runner

    monkeypatch.setenv(FASTER, "2")
    monkeypatch.setattr(runner, "TICK_NS_DIVIDEND", runner.TICK_NS_DIVIDEND)
    monkeypatch.setattr(Lobby.__init__, "__kwdefaults__", {**(Lobby.__init__.__kwdefaults__ or {})})
    hasten(2)


@pytest.fixture(scope="session")
def desk() -> Iterator[Desk]:
    """One browser for all tests; a person's tabs have a profile of their own in it."""
    from tests.e2e.people import Desk

    made = Desk()
    yield made
    made.close()


@pytest.fixture
def people(tmp_path: Path, desk: Desk, request: pytest.FixtureRequest) -> Any:
    """A club with its page, and people; the marker `club` has the arguments of `Desk.people`."""
    marker = request.node.get_closest_marker("club")
    return desk.people(tmp_path, **(marker.kwargs if marker else {}))
