"""Shared by all tests. If CI is set in the environment, nothing is left out; a skip is a failure there."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import gc
import inspect
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seabattle_host.language import words
from tests import chance, jumping
from tests.calls import Seabattle

# Thousands of processes import the same modules: if the machine disables the bytecode cache, half of the time
# would go into compiling them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# What is printed does not depend on the terminal of the person who runs the tests.
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)

SLOW = {
    "test_simulation_engine": "link, player and watcher agree on whole games of any legal parameters",
    "test_architecture": "packages import only downwards, and docs/architecture.md is true",
    "test_bench": "each figure of the documentation can still be measured",
    "test_cli": "each command is quick to start, and says in one line what was asked for wrongly",
    "test_colour_panels": "what the glass shows of what a driver says to its controller is the picture that was meant",
    "test_field_view": "what a player is shown of a field, and nothing that the rules hide",
    "test_firmware_local": "the games alone at a board, with its keys, on every panel",
    "test_firmware_screens": "every screen of a board on every panel, in both languages, and the pictures of it",
    "test_flash_failures": "flash through a real MicroPython that fails in each way",
    "test_fleet_table": "the table of parameters, held against filling, and filling against all ways",
    "test_package": "what mip installs is a game that runs",
    "test_resume": "games go on after they were left, or after the program was killed; whole games by letter",
    "test_minifier": "what is folded, shortened and bundled for a board changes nothing that a module does",
    "test_sim": "the same figures for the same seed, however they are worked out, for all games, and pictures of them",
    "test_sniff_files": "captures in files are read again, and what is cut or edited is noticed",
    "test_sniff_forms": "captures in every dress that people paste: the same frames, sides and times",
    "test_sniff_run_parts": "the files of a run hold together, and a session reads back however it was taken",
    "test_sniff_tools": "logs of terminals, monitors and analysers: the bytes and sides as they were, or refused",
    "test_wheel": "wheel and source distribution, built and installed",
}
"""Modules of tests that take seconds -> what each alone proves. `make quick` leaves them out."""


FIRST = ("pico", "e2e", "micropython", "model", "fuzz", "peers")
"""Folders with the longest tests and those that wait: run first, so that all workers end together."""

TOGETHER = {
    "the emulated board": ("pico/",),
    "a browser": ("e2e/test_club_page_boards", "e2e/test_club_party", "e2e/test_club_play", "e2e/test_club_web"),
}
"""What is slow to start -> the tests that use it, run by one worker."""

APART = tuple(f"{folder}/" for folder in FIRST if folder != "pico")
"""Folders whose tests each go to any free worker; elsewhere a file's tests go to one, since what they have loaded
or compiled serves the next.
"""

SHARES = ("e2e/test_sim_elsewhere", "e2e/test_hostile_places", "e2e/test_club_serving", "e2e/test_sniff_replay")
"""Files in those folders whose tests share something after all."""


def scope(nodeid: str) -> str:
    """Return the name shared by all tests that one worker is to run."""
    place = nodeid.removeprefix("tests/")
    for what, places in TOGETHER.items():
        if place.startswith(places):
            return what
    return nodeid if place.startswith(APART) and not place.startswith(SHARES) else nodeid.split("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope(nodeid)

    return Scheduling(config, log) if config.option.dist == "loadscope" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    sizes = collections.Counter(scope(item.nodeid) for item in items)
    places = {name: place for place, name in enumerate(FIRST)}

    def order(item: pytest.Item) -> tuple[int, bool, bool, int]:
        of = scope(item.nodeid)
        _tests, folder, *_ = item.nodeid.split("/")
        return places.get(folder, len(FIRST)), of not in TOGETHER, item.path.stem not in SLOW, -sizes[of]

    for item in items:
        if item.path.stem in SLOW:
            item.add_marker("slow")
    items.sort(key=order)


_homes = tempfile.TemporaryDirectory(prefix="seabattle-tests-", ignore_cleanup_errors=True)
_numbers = itertools.count(1)


def _move_in() -> None:
    """Store settings, games and logs in a place of its own, for other tests run meanwhile and people play here."""
    number = next(_numbers)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(Path(_homes.name, str(number), name))


_move_in()


@pytest.fixture(autouse=True)
def undisturbed(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test depends on what others have stored, or on chance: what is drawn by lot is the same in each run."""
    _move_in()
    with chance.of_test(request.node.nodeid):
        yield


@pytest.fixture
def english() -> Iterator[None]:
    """The program's language is English, before the test and after it."""
    words.use("en")
    yield
    words.use("en")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: None) -> Path:
    """A new user with nothing stored: no real preferences and games are touched; the test's own are in `tmp_path`."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


@pytest.fixture
def seabattle(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Seabattle:
    """Runs commands in this process."""
    return Seabattle(capsys, monkeypatch)


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """A club, open during the test; the marker `club` has the arguments of `at_club`."""
    from tests.club import at_club

    return at_club(tmp_path, **_how(request))


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """The same with its page, as `at_page` yields it."""
    from tests.club import at_page

    return at_page(tmp_path, **_how(request))


def _how(request: pytest.FixtureRequest) -> dict[str, Any]:
    marker = request.node.get_closest_marker("club")
    return marker.kwargs if marker else {}


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine test in a loop of its own, or the browser's; a club's test with its own clock, too.
    Its arguments stay open while it runs.
    """
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def run() -> None:
        async with contextlib.AsyncExitStack() as stack:
            given: dict[str, Any] = {}
            for name in pyfuncitem._fixtureinfo.argnames:
                value = pyfuncitem.funcargs[name]
                given[name] = await stack.enter_async_context(value) if hasattr(value, "__aenter__") else value
            await pyfuncitem.obj(**given)

    desk: Any = pyfuncitem.funcargs.get("desk")
    if desk:
        desk.loop.run_until_complete(run())
    elif {"house", "site"} & set(pyfuncitem.funcargs) or pyfuncitem.get_closest_marker("club"):
        jumping.run(run())
    else:
        asyncio.run(run())
    return True


def _forbid(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"CI leaves nothing out, but here: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _forbid(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _forbid(report)
    # The firmware collects garbage when it starts, as a board must. What is loaded by then is no garbage: without this
    # line each board of a test would have to scan a hundred thousand objects of others.
    gc.freeze()
    return report
