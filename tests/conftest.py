"""What all tests share. Where CI is set in the environment, nothing is left out; a skip is a failure there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host.language import words


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
    return report
