"""Panels of a board: the driver's bytes make the controller show the intended content, in slices, and no more."""

from __future__ import annotations

import itertools

import pytest

from seabattle_host.line.panels import GRAPHIC
from tests.desk import PANELS, Desk, squeezed

from seaboard import panel as panels  # isort: skip  (tests.desk has made the firmware importable)
from seaboard.lcd import Lcd  # isort: skip


MOST_IN_A_STEP = {"20x4": 2, "16x2": 2, "128x64": 19, "84x48": 14}
"""Bytes that one step may send, so that it takes less than the time of a byte on the line: an address and a letter, or
a place and a chunk of the picture.
"""


def bring(desk: Desk) -> int:
    """Send everything to the display, without the screens; return the steps it took."""
    most = 2 if isinstance(desk.panel, Lcd) else desk.panel.chip.chunk + 3
    for n in itertools.count():
        assert n < 20_000, "a panel that never comes to rest"
        before = desk.bus.sent
        more = desk.panel.step()
        assert desk.bus.sent - before <= most
        if not more:
            return n
    raise AssertionError


def write(desk: Desk, y: int, text: str) -> None:
    desk.panel.row(y)
    data = text.encode("cp866")
    desk.panel.letters(data, 0, len(data))
    desk.panel.rest()
    desk.panel.changed()


def shown(desk: Desk, y: int, text: str) -> str:
    """Return a row's content after a text was written there and all was sent to the display."""
    write(desk, y, text)
    bring(desk)
    return desk.text()[y]


def blank(desk: Desk) -> Desk:
    desk.panel.layout(panels.TEXT)
    desk.panel.inverse = 0
    for y in range(desk.panel.rows):
        write(desk, y, "")
    bring(desk)
    return desk


ALPHABET = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"


@pytest.mark.parametrize("panel", [*GRAPHIC, "20x4"])
def test_all_russian_letters_are_shown_with_a_russian_rom(panel: str):
    desk = blank(Desk(panel, rom="MT"))
    for letters in (ALPHABET, ALPHABET.upper()):
        for start in range(0, len(letters), 8):
            part = letters[start : start + 8]
            assert squeezed(shown(desk, 1, part)) == squeezed(part)


def test_custom_characters_are_given_up_and_loaded_again_and_where_they_are_too_few_there_are_likenesses():
    desk = blank(Desk("20x4", rom="A00"))
    for text in ("ГДЖИЛПФЦ", "ШЩЪЫЭЮЯБ", "ГДЖИЛПФЦ"):
        assert shown(desk, 1, text).rstrip() == text
    # after a custom character the next letter goes to the display again
    desk = blank(Desk("20x4", rom="A00"))
    for text in ("Ж1", "Ж2Д", "xЖД", "ЖДx"):
        assert shown(desk, 3, text).rstrip() == text
    desk = blank(Desk("20x4", rom="A00"))
    write(desk, 1, "ГДЖИЛПФЦШЩ")
    assert shown(desk, 2, "ЪЫЭЮЯБ").strip()
    assert desk.text()[1][:8] == "ГДЖИЛПФЦ" and "·" not in desk.text()[1]


@pytest.mark.parametrize("panel", PANELS)
def test_only_what_changed_is_sent(panel: str):
    desk = blank(Desk(panel))
    before = desk.bus.sent
    bring(desk)
    assert desk.bus.sent == before
    shown(desk, 0, "x")
    assert 0 < desk.bus.sent - before <= MOST_IN_A_STEP[panel]


# -- fields on character panels: two cells, one above the other, in one character


def cell_pixels(desk: Desk, x: int, y: int) -> list[str]:
    """Return three rows of five pixels of a cell in a field at the left, `#` where one is on."""
    rows = desk.display.rows[4 * y : 4 * y + 3]
    return ["".join(".#"[pixel] for pixel in row[6 * x : 6 * x + 5]) for row in rows]


def put_field(desk: Desk, side: int, looks: list[int], size: int) -> None:
    desk.panel.fields[side][: size * size] = bytes(looks)
    for y in range(size):
        desk.panel.field_row(side, y)
    desk.panel.changed()
    bring(desk)


NONE, FULL = ["....."] * 3, ["#####"] * 3


def test_a_field_that_is_longer_than_the_panel_scrolls_with_the_cursor():
    desk = blank(Desk("20x4"))
    desk.panel.layout(panels.BATTLE, 10)
    looks = [panels.WATER] * 99 + [panels.HIT]
    put_field(desk, panels.ITS, looks, 10)
    assert cell_pixels(desk, 9, 7) == NONE
    assert desk.panel.look_at(panels.ITS, 9)
    put_field(desk, panels.ITS, looks, 10)
    assert cell_pixels(desk, 9, 7) == FULL
    assert not desk.panel.look_at(panels.ITS, 5) and desk.panel.look_at(panels.ITS, 0)
