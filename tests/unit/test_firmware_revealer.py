"""A board shows its field to an opponent that asks for it after a battle, and never before."""

from __future__ import annotations

from seabattle import link as links
from seabattle import reveal, wire
from tests.desk import Desk

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
    assert desk.other is not None
    desk.other.place()
    desk.until(lambda: desk.other is not None and desk.other.link.state == 4)
    return desk


def ask(desk: Desk, text: bytes = b"#show") -> list[bytes]:
    """Say something to the board; what it has written when it has confirmed that, and some time after."""
    other = desk.other
    assert other is not None
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
    other, field = desk.other, desk.app.player.field
    assert other is not None
    assert other.link.surrender() == links.DONE
    desk.until(lambda: other.link.state == 9)
    for _ in range(2):
        (line,) = ask(desk)
        decks = bytearray(36)
        assert reveal.take_field(line, len(line), 6, decks)
        assert [bool(deck) for deck in decks] == [bool(ship) for ship in field.ship[:36]]
        assert line.split()[3] == b"-"
    assert not desk.app.ui.chat_due


def test_a_board_shows_nothing_before_the_end():
    desk = at_the_placing()
    assert ask(desk) == []
    desk = in_the_battle()
    assert ask(desk) == []
    assert not desk.app.revealer.owed


def test_a_board_shows_nothing_of_a_game_that_never_came_to_its_battle():
    desk = at_the_placing()
    other = desk.other
    assert other is not None and other.link.surrender() == links.DONE
    desk.until(lambda: other.link.state == 9)
    assert ask(desk) == []


def test_lines_about_fields_are_kept_from_the_chat_and_others_are_not():
    desk = in_the_battle()
    desk.app.auto = False
    for line, shown in ((b"#seal " + b"0" * 48, False), (b"#field 6 000000000 -", False), (b"hello", True)):
        ask(desk, line)
        assert desk.app.ui.chat_due == shown


def test_who_has_sealed_is_shown_the_field_unasked_before_the_board_begins_the_next_game():
    desk = Desk()
    desk.app.offer[:] = bytes(OFFER)
    desk.app.play_by_itself(0)
    other = desk.join(wire.SLAVE)
    desk.app.play(words.M_MASTER)
    desk.until(lambda: other.link.state == 2 and other.link.chat == links.CHAT_YES)
    seal = b"#seal " + b"0" * 2 * reveal.HASH_BYTES
    assert other.link.send_chat(seal, len(seal)) == links.DONE
    desk.until(lambda: (links.EV_CHAT_SENT, 0, 0) in other.events)
    other.place()
    desk.until(lambda: other.link.state == 4)
    assert other.link.surrender() == links.DONE
    desk.until(lambda: other.link.state == 1)
    told = [event for event, _, _ in other.events if event in (links.EV_OVER, links.EV_CHAT, links.EV_RESTART)]
    assert told == [links.EV_OVER, links.EV_CHAT, links.EV_RESTART]
    assert bytes(other.link.text[:9]) == b"#field 6 "
