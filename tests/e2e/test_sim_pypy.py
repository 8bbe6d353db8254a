"""`sim` on PyPy, without any other packages: the figures are those of CPython, byte for byte."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.command import environment
from tests.needs import program


def output(python: str, *options: str) -> bytes:
    arguments = [python, "-m", "seabattle_host", "sim", "--seed", "5", *options]
    return subprocess.run(arguments, env=environment(), check=True, capture_output=True, timeout=60).stdout


@program("pypy3")
@pytest.mark.parametrize("options", [("--games", "2", "--jobs", "2", "--each"), ("--games", "2", "--game", "melee")])
def test_pypy_plays_the_same_games(options: tuple[str, ...]) -> None:
    expected = output(sys.executable, *options)  # first: it compiles the messages, as every installation does
    assert output("pypy3", *options) == expected
