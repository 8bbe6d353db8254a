"""What all tests share. Where CI is set in the environment, nothing is left out; a skip is a failure there."""

from __future__ import annotations

import collections
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host.language import words

# Thousands of processes import the same modules: where the machine says not to keep what was compiled, half of the time
# would go into compiling it again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

SLOW = {
    "test_agreement": "link, player and watcher agree on whole games of any legal parameters",
    "test_bench": "each figure of the documentation can still be measured",
    "test_board_pictures": "the pictures in the documentation are of this firmware, letter by letter",
    "test_filling": "a field is filled whenever it can be, held against trying everything",
    "test_firmware_local": "the games alone at a board, with its keys, on every panel",
    "test_firmware_screens": "every screen of a board on every panel, in both languages",
    "test_flash_failures": "flash through a real MicroPython that fails in each way",
    "test_fleet_table": "the table of parameters, held against a second exact method",
    "test_jury_honest": "no honest game by letter is accused, of thousands",
    "test_package": "what mip installs is a game that runs",
    "test_statistics": "whole simulations of the other games",
    "test_wheel": "wheel and source distribution, built and installed",
}
"""Modules of tests that take seconds -> what each alone proves. `make quick` leaves them out."""


FIRST = ("pico", "e2e", "micropython", "model", "fuzz", "peers")
"""Folders with the longest tests and those that wait: with them at the beginning all workers end together."""

BY_FILE = ("unit", "shared", "faults")
"""Folders whose files are each for one worker: what a test has loaded or compiled serves the next."""


def together(item: pytest.Function) -> str:
    """Of what is for one worker alone, what that is called, since it would start the same once more in each."""
    parts = item.path.relative_to(Path(__file__).parent).parts
    if parts[0] == "pico":
        return "pico"
    if "desk" in item.fixturenames:
        return "browser"
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    if parts[0] in BY_FILE or any(found[-1].scope == "module" for found in fixtures):
        return "/".join(parts)
    return ""


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    tests = Path(__file__).parent
    places = {name: place for place, name in enumerate(FIRST)}
    sizes = collections.Counter(item.path for item in items)
    order = {}
    for item in items:
        slow = item.path.stem in SLOW
        if slow:
            item.add_marker("slow")
        group = together(item)
        if group:
            item.add_marker(pytest.mark.xdist_group(group))
        place = places.get(item.path.relative_to(tests).parts[0], len(FIRST))
        order[item] = (place, group not in ("pico", "browser"), not slow, -sizes[item.path] if group else 0)
    items.sort(key=order.__getitem__)


@pytest.fixture
def english() -> Iterator[None]:
    """The program speaks English, before the test and after it."""
    words.use("en")
    yield
    words.use("en")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: None) -> Path:
    """A person who has kept nothing yet: nobody's own preferences and games are touched, in `tmp_path` are theirs."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


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
    # line each board of a test would have to look at a hundred thousand objects of others.
    gc.freeze()
    return report
