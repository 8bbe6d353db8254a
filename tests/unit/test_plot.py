"""Pictures of a simulation."""

from __future__ import annotations

import xml.etree.ElementTree
from pathlib import Path

import pytest

from tests.calls import Seabattle

GAMES = "sim --games 4 --seed 1 --size 6 --fleet 0,0,1,2 --levels hunt,random --plot"


def test_a_picture_names_both_players_and_their_figures(tmp_path: Path, seabattle: Seabattle):
    seabattle.told(GAMES, tmp_path / "games.svg")
    text = (tmp_path / "games.svg").read_text(encoding="utf-8")
    xml.etree.ElementTree.fromstring(text)
    assert "A: hunt" in text and "B: random" in text
    seabattle.told(GAMES, tmp_path / "games.png")
    assert (tmp_path / "games.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["games.txt", "nowhere/games.png"])
def test_what_cannot_be_drawn_is_said_before_a_game_is_played(name: str, tmp_path: Path, seabattle: Seabattle):
    seabattle.refused(GAMES, tmp_path / name)
