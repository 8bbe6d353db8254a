"""What a board makes of its line: lies, damaged bytes, an opponent that leaves."""

from __future__ import annotations

import pytest

from seabattle import link as links
from seabattle import wire
from tests.desk import LANGUAGES, Desk, squeezed
from tests.unit.test_firmware_screens import aim, in_battle, read, there

from seaboard import keys, words  # isort: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_false_answer_is_named_with_its_cell_and_what_it_contradicts(language: int):
    desk = in_battle("master", panel="16x2", language=language)
    other = there(desk)
    answer = other.link.answer
    other.link.answer = lambda code: answer(wire.SUNK)  # type: ignore[method-assign]
    for cell in (0, 2, 4):
        # there are two ships of one deck
        aim(desk, cell)
        desk.until(lambda: desk.app.link.mine or desk.app.link.key_awaited)
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.page_screen)
    said = (
        "A false answer: E1 sunk: no such ship is left. Before: A1 sunk.",
        "Ложный ответ: Д1 убит: таких кораблей уже нет. Раньше: А1 убит.",
    )
    assert squeezed(said[language]) in read(desk)
    # then who has won, and why
    desk.press(keys.OK)
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.result_screen)
    assert squeezed(("It gave a false answer.", "Он дал ложный ответ.")[language]) in read(desk)


def by_itself() -> Desk:
    """A board that plays by itself, in the battle."""
    desk = Desk()
    desk.app.play_by_itself(1)
    other = desk.join(wire.MASTER)
    desk.app.play(words.M_SLAVE)
    desk.until(lambda: other.link.state == 1)
    assert other.link.offer(6, 0, 0, 1, 2) == links.DONE
    desk.until(lambda: other.link.state == 2)
    other.place()
    desk.until(lambda: other.link.state == 4)
    return desk


def test_a_board_that_plays_by_itself_gives_up_when_it_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    desk = by_itself()
    # its own module: what is loaded for an item of the menu is given up again, and another one comes the next time
    company = desk.app.company
    monkeypatch.setattr(company, "LONE_TICKS", 40)
    there(desk).link.goodbye()
    desk.until(lambda: desk.app.link.state == 0)
    there(desk).deaf = True
    desk.until(lambda: desk.app.off)
    assert company.NOTICE_LONE in desk.notices and desk.app.failed and links.EV_CLOSED in desk.events


def test_a_board_that_nobody_has_met_waits(monkeypatch: pytest.MonkeyPatch):
    desk = Desk()
    desk.app.play_by_itself(1)
    monkeypatch.setattr(desk.app.company, "LONE_TICKS", 40)
    desk.app.play(words.M_SLAVE)
    for _ in range(10_000):
        desk.turn()
    assert not desk.app.off and not desk.notices[1:]


def test_a_board_takes_no_damaged_byte_where_its_port_tells():
    class Telling(Desk):
        damaged = False

    desk = Telling()
    desk.app.play_by_itself(0)
    other = desk.join(wire.SLAVE)
    desk.app.offer[:] = bytes((6, 0, 0, 1, 2))
    desk.app.play(words.M_MASTER)
    desk.until(lambda: other.link.state == 2)
    other.place()
    desk.until(lambda: desk.app.link.state == 4)
    desk.until(lambda: desk.app.link.busy == wire.SHOT)
    other.held = True
    desk.damaged = True
    desk.incoming += b"\x1c"
    desk.until(lambda: not desk.incoming)
    desk.damaged = False
    assert desk.app.link.damaged == 1 and desk.app.link.busy == wire.SHOT
    assert links.EV_ANSWER not in desk.events
    for _ in range(200):
        desk.turn()
    other.held = False
    desk.until(lambda: links.EV_ANSWER in desk.events)
    assert desk.app.link.state == 4 and links.EV_BROKEN not in desk.events
