"""Terminals with few signs, no colours or little room."""

from __future__ import annotations

import asyncio
import os

import pytest

from seabattle_host.cells import EMPTY, HIT, MISS, SHIP, SUNK, UNKNOWN, WATER
from seabattle_host.language import words
from seabattle_host.line import panels
from seabattle_host.line.terminal import Terminal
from seabattle_host.records.settings import Preferences
from seabattle_host.tui import theme
from seabattle_host.tui.app import SeabattleApp
from seabattle_host.tui.start_options import StartOptions

CONSOLE_LACKS = "○▓▀▄□◆►◄▸▐▌…"
"""What most fonts of Debian's console-setup 1.221 have no sign for, by their own tables."""


def test_the_signs_of_a_field_are_in_the_fonts_of_the_linux_console(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "linux")
    drawn = "".join(
        theme.text(state, width, marked)
        for state in (UNKNOWN, WATER, MISS, EMPTY, SHIP, HIT, SUNK)
        for width in (1, 2, 3)
        for marked in (False, True)
    )
    drawn += theme.ghost(True, 2)[0] + theme.ghost(False, 2)[0]
    assert not set(drawn) & set(CONSOLE_LACKS)
    signs = [theme.shape(state) for state in (UNKNOWN, MISS, EMPTY, SHIP, HIT, SUNK)]
    assert len(set(signs)) == len(signs)
    monkeypatch.setenv("TERM", "xterm")
    assert theme.shape(MISS) == "○"


@pytest.mark.parametrize("kind", ["linux", "dumb"])
def test_a_display_is_drawn_with_what_the_terminal_has(
    kind: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("TERM", kind)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((140, 60)))
    panel = panels.make("20x4", "A00")
    for letter in b"Sea":
        panel.take("I", bytes([letter, 1]))
    Terminal(panel, "20x4").draw(["above"], ["below"])
    drawn = capfd.readouterr().out
    assert "█" in drawn
    if kind == "linux":
        assert not set(drawn) & set(CONSOLE_LACKS)
    else:
        assert "97;44" not in drawn


@pytest.mark.parametrize(("size", "told"), [((40, 12), True), ((80, 24), False)])
def test_a_screen_that_does_not_fit_says_so(size: tuple[int, int], told: bool):
    words.use("en")
    app = SeabattleApp(StartOptions(), Preferences(), None, "")

    async def look() -> list[str]:
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            return [each.message for each in app._notifications]

    messages = asyncio.run(look())
    assert any("40x12 is too small" in message for message in messages) == told


def test_what_has_happened_takes_the_rows_that_are_left(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((64, 30)))
    terminal = Terminal(panels.make("20x4", "A00"), "20x4")
    terminal.draw(["above"], ["keys", "a reason " * 12 + "at its end"])
    assert "at its end" in capfd.readouterr().out
    terminal.draw(["above"], ["keys", "short"])
    # the second row of the reason is cleared
    assert capfd.readouterr().out.count("\x1b[K") == 2
