"""Fields and texts on the screen: any size, a shape for every state, and terminals with few characters or colours."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

import pytest
from rich.text import Text
from textual.app import App, ComposeResult
from textual.widgets import Static

from seabattle_host import cells
from seabattle_host.cells import EMPTY, HIT, MISS, SHIP, SUNK, UNKNOWN, WATER
from seabattle_host.language import words
from seabattle_host.language.text import COLUMNS_EN
from seabattle_host.line import panels
from seabattle_host.line.terminal import Terminal
from seabattle_host.records.settings import Preferences
from seabattle_host.tui import theme
from seabattle_host.tui.app import SeabattleApp
from seabattle_host.tui.board_view import LABELS, MOST, BoardView
from seabattle_host.tui.start_options import StartOptions
from seabattle_host.tui.widgets import Plain

STATES = (cells.UNKNOWN, cells.MISS, cells.EMPTY, cells.SHIP, cells.HIT, cells.SUNK)


def drawn(board: BoardView, look: Callable[[BoardView], Awaitable[None]] | None = None) -> list[list[tuple[str, str]]]:
    """Return the lines of the board on a screen that is large enough, each as pieces of (text, background colour)."""
    lines: list[list[tuple[str, str]]] = []

    class Show(App[None]):
        def compose(self) -> ComposeResult:
            yield board

    async def run() -> None:
        app = Show()
        async with app.run_test(size=(120, 60)) as pilot:
            board.focus()
            await pilot.pause()
            if look is not None:
                await look(board)
                await pilot.pause()
            for y in range(board.size.height):
                strip = board.render_line(y)
                lines.append([(s.text, str(s.style.bgcolor) if s.style else "") for s in strip])

    asyncio.run(run())
    return lines


def texts(lines: list[list[tuple[str, str]]]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


@pytest.mark.parametrize(
    ("columns", "rows", "cell_width"), [(6, 6, 3), (10, 10, 1), (15, 15, 2), (7, 20, 2), (MOST, MOST, 1)]
)
def test_any_size_has_its_letters_and_numbers(columns: int, rows: int, cell_width: int):
    lines = texts(drawn(BoardView(columns, rows, cell_width=cell_width)))
    assert len(lines) == rows + 1
    assert lines[0].split() == (list(COLUMNS_EN[:columns]) if cell_width > 1 else [COLUMNS_EN[:columns]])
    assert [line.split()[0] for line in lines[1:]] == [str(n) for n in range(1, rows + 1)]
    assert all(len(line) == LABELS + columns * cell_width for line in lines)


def test_a_field_larger_than_the_letters_is_refused():
    with pytest.raises(ValueError, match=f"{MOST + 1}x1"):
        BoardView(MOST + 1, 1)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_every_state_has_a_shape_of_its_own(width: int, ascii_only: bool):
    shown = [theme.text(state, width, ascii_only=ascii_only) for state in STATES]
    assert len(set(shown)) == len(STATES)
    assert all(len(text) == width for text in shown)
    if width > 1:
        # and the last move differs from the earlier ones
        marked = [theme.text(state, width, True, ascii_only) for state in STATES]
        assert len(set(marked) | set(shown)) == 2 * len(STATES)
    if ascii_only:
        assert all(text.isascii() for text in shown)


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_colours_differ_in_lightness_so_that_no_hue_has_to_be_told_from_another():
    sea = theme.style(cells.WATER).bgcolor.name
    ship = theme.style(cells.SHIP).color.name
    hit, sunk = (theme.style(state).bgcolor.name for state in (cells.HIT, cells.SUNK))
    for one, other in ((sea, ship), (sea, hit), (sea, sunk), (hit, sunk), (ship, sunk)):
        assert contrast(one, other) >= 1.9, f"{one} and {other}"
    for state in (cells.MISS, cells.HIT, cells.SUNK):
        style = theme.style(state)
        assert contrast(style.color.name, style.bgcolor.name) >= 4.5


def test_three_owners_on_one_field_have_their_colours_and_darker_ones_for_what_is_hit():
    owners = (cells.OWNER_A, cells.OWNER_B, cells.OWNER_C)
    ships = [theme.style(cells.SHIP, owner).color.name for owner in owners]
    hits = [theme.style(cells.HIT, owner).bgcolor.name for owner in owners]
    assert len({*ships, *hits}) == 6
    assert all(luminance(hit) < luminance(ship) for ship, hit in zip(ships, hits, strict=True))
    board = BoardView(3, 1)

    async def look(shown: BoardView) -> None:
        shown.show(bytes([cells.HIT] * 3), owners=bytes(owners))
        shown.cursor = 0

    board.can_focus = board.interactive = False
    line = drawn(board, look)[1]
    assert [ground for _, ground in line[2:5]] == [str(theme.style(cells.HIT, o).bgcolor) for o in owners]


def test_heat_lies_over_unknown_cells_only_as_a_number_and_a_colour():
    board = BoardView(3, 1, interactive=False)

    async def look(shown: BoardView) -> None:
        shown.show(bytes([cells.UNKNOWN, cells.MISS, cells.UNKNOWN]))
        shown.show_heat(bytes([9, 9, 0]))

    line = drawn(board, look)[1]
    assert [text for text, _ in line[2:]] == [" 9", " ○", " ·"]
    assert line[2][1] != line[4][1]


def test_cells_grow_with_the_room_and_the_place_of_a_cell_is_where_it_is_drawn():
    board = BoardView(10, 10)
    sizes = {}
    for room in ((13, 11), (23, 11), (33, 11), (43, 21), (200, 60)):
        board.fit(*room)
        sizes[room] = (board.cell_width, board.cell_height)
        assert LABELS + 10 * board.cell_width <= room[0]
        assert 1 + 10 * board.cell_height <= room[1]
        for cell in range(100):
            x, y = board.place_of(cell)
            assert board.cell_at(x, y) == cell
            assert board.cell_at(x + board.cell_width - 1, y + board.cell_height - 1) == cell
        assert board.cell_at(0, 0) is None
        assert board.cell_at(LABELS - 1, 1) is None
    assert list(sizes.values()) == [(1, 1), (2, 1), (3, 1), (4, 2), (4, 2)]


class Lines(App[None]):
    CSS = "#line { height: 1; } #text { height: auto; }"

    def compose(self) -> ComposeResult:
        yield Plain("one", id="line")
        yield Plain("one", id="text")


def test_only_a_text_that_sets_the_size_of_its_widget_lays_out_the_screen(monkeypatch: pytest.MonkeyPatch):
    layouts: list[bool] = []

    async def run() -> None:
        app = Lines()
        async with app.run_test():
            monkeypatch.setattr(Static, "update", lambda _plain, _content, *, layout: layouts.append(layout))
            for name, layout in (("#line", False), ("#text", True)):
                plain = app.query_one(name, Plain)
                layouts.clear()
                plain.update("one")
                assert not layouts
                plain.update("two\nlines")
                plain.update(Text("two\nlines", "bold"))
                assert layouts == [layout, layout]

    asyncio.run(run())


CONSOLE_LACKS = "○▓▀▄□◆►◄▸▐▌…"
"""Characters that most fonts of Debian's console-setup 1.221 lack, by their own tables."""


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
    panel = panels.make_panel("20x4", "A00")
    for letter in b"Sea":
        panel.handle_message("I", bytes([letter, 1]))
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

    async def look() -> tuple[list[str], list[str]]:
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            first = [each.message for each in app._notifications]
            # nothing of the list of ports is hidden beside the other panel
            assert app.screen.query_one("#ports").size.width >= 30
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            return first, [each.message for each in app._notifications]

    messages, enlarged = asyncio.run(look())
    assert any("40x12 is too small" in message for message in messages) == told
    assert not enlarged


def test_what_has_happened_takes_the_rows_that_are_left(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((64, 30)))
    terminal = Terminal(panels.make_panel("20x4", "A00"), "20x4")
    terminal.draw(["above"], ["keys", "a reason " * 12 + "at its end"])
    assert "at its end" in capfd.readouterr().out
    terminal.draw(["above"], ["keys", "short"])
    # the second row of the reason is cleared
    assert capfd.readouterr().out.count("\x1b[K") == 2
