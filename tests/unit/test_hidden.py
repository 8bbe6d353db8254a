"""What one player may not see yet is nowhere that player can look: lines, frames of the screen, files.

Two games are played that differ only in what B (in a melee B and C) has hidden: A shoots at cells that are water in
both; in lines a melee goes on until A has one deck left. Everything A can see - the lines for A and for all, the
screen while A is at it and while a curtain is down, the history, the picture, the files - must then be the same,
apart from the times of the moves. At the club's page tests/e2e/test_club_party.py does the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle.melee import CELLS, SIZE, Melee
from seabattle.rng import Rng
from seabattle_host.games.rules import CLASSIC_VARIANT
from seabattle_host.games.setup import Setup
from seabattle_host.language import words
from seabattle_host.tui import local_screen, local_windows
from seabattle_host.tui.app import SeabattleApp
from seabattle_host.tui.field_views import FieldViews
from seabattle_host.tui.local_windows import Curtain
from tests.calls import Seabattle
from tests.e2e.screens import Screens, application, play

CLASSIC_B = (["A6:B6", "D6"], ["E6:F6", "A6"])
SALVO_B = (
    ["carrier A10-E10", "battleship A8-D8", "cruiser A6-C6", "submarine E6-G6", "destroyer G8-H8"],
    ["carrier F10-J10", "battleship A9-D9", "cruiser A7-C7", "submarine E7-G7", "destroyer I7-J8"],
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    yield
    words.use("en")


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


def on_the_screen(kind: str, which: int, monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    frames: list[str] = []
    for module in (local_screen, local_windows):
        monkeypatch.setattr(module, "CURTAIN_SECONDS", 0)
    people = 3 if kind == "melee" else 2
    variant = (6, 6, 0, 0, 0, 1, 1, False, False, False) if kind == "classic" else CLASSIC_VARIANT
    # each line costs a redraw: of a melee the first turns are enough
    lines = typed(kind, which)[: 9 if kind == "melee" else None]
    app: SeabattleApp = application(folder, setup=Setup(kind, people, 4, first="A", variant=variant))

    async def script(screens: Screens) -> None:
        sitting = ""
        for seat, line in [*lines, ("", "")]:
            while True:
                await screens.until(lambda: isinstance(app.screen, Curtain) or getattr(app.screen, "asks", False))
                if not seat:
                    # the last line was accepted, and its move is stored
                    return
                await screens.pilot.pause()
                if isinstance(app.screen, Curtain):
                    frames.append(screens.text())
                    sitting = "ABC"[app.screen.player]
                    await screens.press("enter")
                elif "I have read this" in screens.text():
                    await screens.press("f7")
                else:
                    break
            if sitting == "A":
                assert app.screen.query_one(FieldViews).max_scroll_x == 0, "a small field has room"
                frames.append(screens.text())
            assert sitting == seat
            screen = app.screen
            assert isinstance(screen, local_screen.LocalScreen)
            screen._answer(line)

    play(app, script)
    return frames


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


@pytest.mark.parametrize(
    ("way", "kind"), [(way, kind) for way in ("chat", "screen") for kind in ("classic", "salvo", "melee")]
)
def test_nothing_that_a_person_can_get_at_hangs_on_what_another_has_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle, way: str, kind: str
):
    got = []
    for which in (0, 1):
        folder = tmp_path / str(which)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            monkeypatch.setenv(name, str(folder))
        if which and kind == "melee":
            other_melee(monkeypatch)
        if way == "chat":
            seen = by_chat(kind, which, seabattle)
        else:
            (folder / "seabattle").mkdir(parents=True)
            seen = on_the_screen(kind, which, monkeypatch, folder / "seabattle")
        assert len(seen) > 6 and any("J1" in line or "B1" in line or "A3" in line for line in seen)
        if way == "chat" and kind == "melee":
            assert sum(bool(re.search(": (hit|sunk)", line)) for line in seen if line[0] == "*") == 19
        got.append([*seen, *files(folder, seabattle)])
    assert got[0] == got[1]
