"""The games at one screen in a terminal of their own: full screen or lines; the terminal is restored afterwards."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from seabattle_host.records.archive import UNFINISHED, Archive

if os.name != "posix":
    pytest.skip("left out: needs pseudo-terminals, which Windows lacks", allow_module_level=True)

from tests.terminal import Terminal

ALTERNATE_SCREEN = b"\x1b[?1049h"


@pytest.fixture
def homes(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}


@pytest.mark.parametrize(("kind", "way"), [("classic", "F10"), ("melee", "SIGTERM")])
def test_a_terminal_is_drawn_on_and_given_back(tmp_path: Path, homes: dict[str, str], kind: str, way: str):
    with Terminal(kind, "--seed", "4", **homes) as terminal:
        terminal.until(b"leave")
        if kind == "classic":
            terminal.insist(b"\x1b[18~", b"the fleet is whole")
            terminal.insist(b"\x1b[19~", b"your turn")
        if way == "F10":
            terminal.insist(b"\x1b[21~", b"unfinished")
            terminal.type(b"y")
        else:
            terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 0
        assert terminal.restored()
    with Archive(tmp_path / "seabattle" / "games.sqlite") as archive:
        game = archive.games()[-1]
    assert (game.kind, game.result, game.ending) == (kind, UNFINISHED, "left_by_us")


@pytest.mark.parametrize(("arguments", "changes"), [(["--lines"], {}), ([], {"TERM": "dumb"})])
def test_lines_where_they_are_wanted_or_nothing_else_will_do(
    homes: dict[str, str], arguments: list[str], changes: dict[str, str]
):
    with Terminal("melee", "--seed", "4", *arguments, **{**homes, **changes}) as terminal:
        terminal.until(b"A> ")
        terminal.type(b"b3\n")
        terminal.until(b"A B3: hit")
        terminal.type(b"quit\n")
        assert terminal.end() == 0
        assert ALTERNATE_SCREEN not in terminal.shown
