"""Pictures of a simulation."""

from __future__ import annotations

import xml.etree.ElementTree
from pathlib import Path

import pytest

from seabattle_host.cli import main

GAMES = ["sim", "--games", "12", "--seed", "1", "--size", "6", "--fleet", "0,0,1,2", "--levels", "hunt,random"]


def test_a_picture_names_both_players_and_their_figures(tmp_path: Path):
    path = tmp_path / "games.svg"
    assert main([*GAMES, "--plot", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    xml.etree.ElementTree.fromstring(text)
    assert "A: hunt" in text and "B: random" in text


def test_png(tmp_path: Path):
    path = tmp_path / "games.png"
    assert main([*GAMES, "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["games.txt", "nowhere/games.png"])
def test_what_cannot_be_drawn_is_said_before_a_game_is_played(name: str, tmp_path: Path, capsys: pytest.CaptureFixture):
    assert main([*GAMES, "--plot", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and err.startswith("seabattle: ")
