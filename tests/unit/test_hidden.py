"""What one player may not see yet is nowhere that player can look: lines and files.

Two games are played that differ only in what B (in a melee B and C) has hidden: A shoots at cells that are water in
both; a melee goes on until A has one deck left. Everything A can see - the lines for A and for all, the history, the
picture, the files - must then be the same, apart from the times of the moves. At the club's page
tests/e2e/test_club_party.py does the same; tests/e2e/test_tui_local.py looks at the screen between two players.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seabattle.melee import CELLS, SIZE, Melee
from seabattle.rng import Rng
from tests.calls import Seabattle

pytestmark = pytest.mark.usefixtures("home")

CLASSIC_B = (["A6:B6", "D6"], ["E6:F6", "A6"])
SALVO_B = (
    ["carrier A10-E10", "battleship A8-D8", "cruiser A6-C6", "submarine E6-G6", "destroyer G8-H8"],
    ["carrier F10-J10", "battleship A9-D9", "cruiser A7-C7", "submarine E7-G7", "destroyer I7-J8"],
)


def typed(kind: str, which: int) -> list[tuple[str, str]]:
    """Return who types what in the first turns of a game; B's fleet is the first or the second."""
    if kind == "melee":
        return melee_shots()
    if kind == "classic":
        fleets = (["A1:B1", "D1"], CLASSIC_B[which])
        shots = [("A", "A3"), ("B", "A1"), ("B", "A4"), ("A", "B3")]
    else:
        fleets = (["random"], SALVO_B[which])
        shots = [("A", "J1"), ("B", "A1 B1 C1 D1 E1"), ("A", "I1")]
    return [(seat, line) for seat, fleet in zip("AB", fleets, strict=True) for line in (*fleet, "ready")] + shots


def melee_shots() -> list[tuple[str, str]]:
    """Have A shoot at water and the others in turn at the rest of A's fleet, up to its last deck."""
    game = Melee(Rng(4))
    game.deploy()
    water = [cell for cell in range(CELLS) if not game.ship[cell]]
    decks = [cell for cell in range(CELLS) if 0 < game.ship[cell] <= 10]
    typed: list[tuple[str, str]] = []
    while len(decks) > 1:
        seat = game.turn
        cell = water.pop() if seat == 0 or len(typed) % 3 == 0 else decks.pop()
        if game.shoot(seat, cell) >= 0:
            typed.append(("ABC"[seat], f"{chr(65 + cell % SIZE)}{cell // SIZE + 1}"))
    return typed


def other_melee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swap the ships of B and C."""
    deploy = Melee.deploy

    def swapped(game: Melee) -> None:
        deploy(game)
        for cell in range(CELLS):
            if game.ship[cell] > 10:
                game.ship[cell] += 10 if game.ship[cell] <= 20 else -10

    monkeypatch.setattr(Melee, "deploy", swapped)


def by_chat(kind: str, which: int, seabattle: Seabattle) -> list[str]:
    lines = [f"{seat}: {line}" for seat, line in typed(kind, which)]
    options = {
        "classic": "--people 2 --first A --field 6x6 --ships 0,0,0,1,1",
        "salvo": "--people 2",
        "melee": "--people 3",
    }[kind]
    out = seabattle.told(f"{kind} --chat --seed 4 {options}", typed=lines)
    return [line for line in out.splitlines() if line[0] in "A*"]


TIMES = r'"(at|seconds|started)": [^\n]*|game took [^\n]*|\d{4}-\d\d-\d\d \d\d:\d\d'


def files(folder: Path, seabattle: Seabattle) -> list[str]:
    """Return the text of the history and its picture without times, and the lines of placing found in any file."""
    told = []
    if (folder / "seabattle" / "games.sqlite").exists():
        for command in ("history show 1", "history export 1", "picture --game 1 -o -"):
            told.append(re.sub(TIMES, "", seabattle.told(command)))
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        told += [line for fleet in (*CLASSIC_B, *SALVO_B) for line in fleet if len(line) > 3 and line.encode() in data]
    return told


@pytest.mark.parametrize("kind", ["classic", "salvo", "melee"])
def test_nothing_that_a_person_can_get_at_hangs_on_what_another_has_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle, kind: str
):
    got = []
    for which in (0, 1):
        folder = tmp_path / str(which)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            monkeypatch.setenv(name, str(folder))
        if which and kind == "melee":
            other_melee(monkeypatch)
        seen = by_chat(kind, which, seabattle)
        assert len(seen) > 6 and any("J1" in line or "B1" in line or "A3" in line for line in seen)
        if kind == "melee":
            assert sum(bool(re.search(": (hit|sunk)", line)) for line in seen if line[0] == "*") == 19
        got.append([*seen, *files(folder, seabattle)])
    assert got[0] == got[1]
