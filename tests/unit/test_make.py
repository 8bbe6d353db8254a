"""Setting up a checkout: nothing is done twice, and what cannot be installed is one line with its remedy."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import make


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A checkout in `tmp_path` in which commands are recorded instead of run, except those that only query."""
    noted: list[list[str]] = []

    def run(command: list[str]) -> tuple[int, str]:
        if "import pip" in command:
            return (0, "") if make.VENV_PYTHON.exists() else (1, "")
        if "config" in command:
            return 0, os.environ.get("PIP_SAYS", "")
        noted.append(command)
        if "venv" in command:
            make.VENV_PYTHON.parent.mkdir(parents=True, exist_ok=True)
            make.VENV_PYTHON.touch()
        return 0, ""

    (tmp_path / "pyproject.toml").write_text("one", encoding="ascii")
    monkeypatch.setattr(make, "ROOT", tmp_path)
    monkeypatch.setattr(make, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(make, "VENV_PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(make, "STAMP", tmp_path / ".venv" / "stamp")
    monkeypatch.setattr(make, "quiet", run)
    return noted


def test_the_first_time_everything_is_installed_and_the_second_time_nothing(commands: list[list[str]]) -> None:
    make.install("test")
    assert [command[2] for command in commands] == ["venv", "pip", "uv"]
    assert commands[2][-1] == ".[test]"
    commands.clear()
    make.install("test")
    make.install()
    make.install("club")
    assert commands == []


def test_what_tests_need_includes_what_the_club_needs() -> None:
    needs = metadata.requires("seabattle") or []
    club, test = ({need.split(";")[0].strip() for need in needs if f"'{extra}'" in need} for extra in ("club", "test"))
    assert club and club <= test


def test_what_tests_need_or_what_changed_is_installed_and_the_environment_kept(commands, tmp_path: Path) -> None:
    make.install()
    assert commands[-1][-1] == "."
    make.install("test")
    assert commands[-1][-1] == ".[test]"
    commands.clear()
    (tmp_path / "pyproject.toml").write_text("two", encoding="ascii")
    make.install()
    assert [command[2:3] + command[-1:] for command in commands[-1:]] == [["uv", ".[test]"]]


@pytest.mark.parametrize("why", ["another index", "no uv", "uv fails"])
def test_where_uv_cannot_be_had_pip_installs(commands, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    working = make.quiet
    if why == "another index":
        monkeypatch.setenv("PIP_SAYS", "global.index-url='https://example.org/simple'")
    refused = {"no uv": "uv>=0.5,<1", "uv fails": "uv"}.get(why)
    monkeypatch.setattr(make, "quiet", lambda command: (1, "") if refused in command else working(command))
    make.install("test")
    assert (commands[-1][2], commands[-1][-1]) == ("pip", ".[test]")
    asked_for_uv = [command for command in commands if command[-1].startswith("uv")]
    assert len(asked_for_uv) == (why == "uv fails")


def test_what_is_at_fault_is_named_at_the_end(monkeypatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr(make, "command", lambda module, *args: [sys.executable, "-c", *args])
    for name in ("have_venv", "install"):
        monkeypatch.setattr(make, name, lambda *_: None)
    monkeypatch.setattr(make, "programs", lambda: "")
    good, bad = ("", ["x", ""]), ("types", ["x", "print('line 3'); raise SystemExit(1)"])
    monkeypatch.setattr(make, "run", lambda *_: 1)
    monkeypatch.setattr(make, "CHECKS", (good, bad))
    assert make.test([]) == 1
    out, err = capfdbinary.readouterr()
    assert b"== types: faults\nline 3" in out and b"passed" not in out
    assert err == b"make.py: failed: the tests, the check of types; see above\n"
    monkeypatch.setattr(make, "run", lambda *_: 0)
    assert make.test([]) == 1
    assert capfdbinary.readouterr().err == b"make.py: failed: the check of types; see above\n"
    monkeypatch.setattr(make, "CHECKS", (good, good))
    assert make.test([]) == 0
    assert b"== all checks and tests passed in 0 min" in capfdbinary.readouterr().out
    monkeypatch.setattr(make, "CHECKS", (bad, good))
    with pytest.raises(make.Failed, match="the check of types found faults"):
        make.test([])


def test_an_installation_that_failed_is_tried_again(commands, monkeypatch: pytest.MonkeyPatch) -> None:
    working = make.quiet

    def broken(command: list[str]) -> tuple[int, str]:
        return (1, "ERROR: no way\n") if "install" in command else working(command)

    monkeypatch.setattr(make, "quiet", broken)
    with pytest.raises(make.Failed, match=r"the network.*: no way$"):
        make.install()
    monkeypatch.setattr(make, "quiet", working)
    make.install()
    assert "install" in commands[-1]


def test_a_python_that_cannot_make_environments_names_the_debian_package(commands, monkeypatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find(name))
    monkeypatch.setattr(make.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(make.os, "geteuid", lambda: 1000, raising=False)
    package = f"python3.{sys.version_info[1]}-venv"
    with pytest.raises(make.Failed, match=f"sudo apt-get install {package}$"):
        make.install()
    monkeypatch.setattr(make.os, "geteuid", lambda: 0)
    make.install()
    assert package in commands[1]
    assert [command[2] for command in commands[2:]] == ["venv", "pip", "uv"]


@pytest.mark.parametrize("ci", [False, True])
def test_a_program_that_is_missing_leaves_tests_out_but_not_in_ci(commands, monkeypatch, ci: bool) -> None:
    monkeypatch.setattr(make.shutil, "which", lambda name: None)
    monkeypatch.setattr(make, "PROGRAMS", {"saw": "carpenter"})
    if ci:
        monkeypatch.setenv("CI", "true")
        with pytest.raises(make.Failed, match=r"left out.*saw.*carpenter"):
            make.programs()
    else:
        monkeypatch.delenv("CI", raising=False)
        assert "saw" in make.programs()


@pytest.mark.parametrize("arguments", [[], ["plya"]])
def test_an_unknown_target_is_one_line(arguments: list[str]) -> None:
    command = [sys.executable, make.__file__, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "play|club|check|quick|test|bench|setup" in done.stderr
