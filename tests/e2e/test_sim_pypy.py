"""`sim` on PyPy, without any other packages: the figures are those of CPython, byte for byte."""

from __future__ import annotations

import subprocess

import pytest

from tests.command import environment, output
from tests.needs import program


@program("pypy3")
@pytest.mark.parametrize("options", [("--games", "2", "--jobs", "2", "--each"), ("--games", "2", "--game", "melee")])
def test_pypy_plays_the_same_games(options: tuple[str, ...]) -> None:
    arguments = ("sim", "--seed", "5", *options)
    expected = output(*arguments)  # first: it compiles the messages, as every installation does
    there = subprocess.run(
        ["pypy3", "-m", "seabattle_host", *arguments], env=environment(), check=True, capture_output=True, timeout=60
    )
    assert there.stdout.decode() == expected
