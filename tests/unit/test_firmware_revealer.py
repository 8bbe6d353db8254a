"""A board shows its field to an opponent that asks for it after a battle, and never before.

To one that has sealed its own it shows it unasked: tests/e2e/test_fair.py."""

from __future__ import annotations

from seabattle import link as links
from seabattle import reveal, wire
from tests.desk import Desk
from tests.unit.test_firmware_screens import there

from seaboard import words  # isort: skip  (tests.desk has made the firmware importable)

OFFER = (6, 0, 0, 1, 2)


def at_the_placing() -> Desk:
    desk = Desk()
    desk.app.play_by_itself(0)
    other = desk.join(wire.MASTER)
    desk.app.play(words.M_SLAVE)
    desk.until(lambda: other.link.state == 1)
    assert other.link.offer(*OFFER) == links.DONE
    desk.until(lambda: other.link.chat == links.CHAT_YES and desk.app.link.state in (2, 3))
    return desk


def in_the_battle() -> Desk:
    desk = at_the_placing()
    other = there(desk)
    other.place()
    desk.until(lambda: other.link.state == 4)
    return desk


def ask(desk: Desk, text: bytes = b"#show") -> list[bytes]:
    """Say something to the board; what it has written when it has confirmed that, and some time after."""
    other = there(desk)
    other.link.send_chat(text, len(text))
    del other.heard[:]
    other.events.clear()
    desk.until(lambda: (links.EV_CHAT_SENT, 0, 0) in other.events)
    for _ in range(1500):
        desk.turn()
    reader = wire.Reader()
    frames = [(reader.op, bytes(reader.data[: reader.size])) for b in other.heard if reader.feed(b) == wire.FRAME]
    return [body for op, body in frames if op == wire.CHAT]


def test_a_board_shows_its_field_after_a_battle():
    desk = in_the_battle()
    other, field = there(desk), desk.app.player.field
    assert other.link.surrender() == links.DONE
    desk.until(lambda: other.link.state == 9)
    for _ in range(2):
        (line,) = ask(desk)
        decks = bytearray(36)
        assert reveal.take_field(line, len(line), 6, decks)
        assert [bool(deck) for deck in decks] == [bool(ship) for ship in field.ship[:36]]
        assert line.split()[3] == b"-"
    assert not desk.app.ui.chat_due


def test_a_board_shows_nothing_before_the_end_nor_of_a_game_that_never_came_to_its_battle():
    for desk in (at_the_placing(), in_the_battle()):
        assert ask(desk) == [] and not desk.app.revealer.owed
    desk = at_the_placing()
    other = there(desk)
    assert other.link.surrender() == links.DONE
    desk.until(lambda: other.link.state == 9)
    assert ask(desk) == []


def test_lines_about_fields_are_kept_from_the_chat_and_others_are_not():
    desk = in_the_battle()
    desk.app.auto = False
    for line, shown in ((b"#seal " + b"0" * 48, False), (b"#field 6 000000000 -", False), (b"hello", True)):
        ask(desk, line)
        assert desk.app.ui.chat_due == shown
