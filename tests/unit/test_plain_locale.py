"""Python without UTF-8, in the C locale: what the tool says still comes out, letter by letter or transliterated."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def seabattle(*args: str, plain: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the command line with, or without, a plain locale; its output is read as ASCII where that is all there is."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    options = []
    if plain:
        environment.update(LC_ALL="C", PYTHONCOERCECLOCALE="0")
        options = ["-X", "utf8=0"]
    else:
        environment.update(PYTHONUTF8="1")
    command = [sys.executable, *options, "-m", "seabattle_host", *args]
    encoding = "ascii" if plain else "utf-8"
    return subprocess.run(command, env=environment, capture_output=True, encoding=encoding, timeout=60, check=False)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_games_are_played_and_their_figures_printed(language: str) -> None:
    there = seabattle("sim", "--games", "2", "--seed", "1", "--lang", language, plain=False)
    here = seabattle("sim", "--games", "2", "--seed", "1", "--lang", language)
    assert here.returncode == there.returncode == 0, here.stderr + there.stderr
    assert [word for word in here.stdout.split() if word[0].isdigit()] == [
        word for word in there.stdout.split() if word[0].isdigit()
    ]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_complaint_is_one_line(language: str) -> None:
    done = seabattle("bot", "--port", "/dev/нет-такого", "--lang", language)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
