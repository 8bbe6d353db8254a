"""How a board handles its line: lies, damaged bytes, peers that come and leave, requests for its field, its prompt."""

from __future__ import annotations

import importlib.util
import sys
import types

import pytest

from seabattle import link as links
from seabattle import reveal, wire
from seabattle_host import assets
from tests.desk import LANGUAGES, Desk, squeezed
from tests.unit.test_firmware_screens import aim, in_battle, read, there

from seaboard import keys, words  # isort: skip
from seaboard.clock import Clock  # isort: skip


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
    # then who won, and why
    desk.press(keys.OK)
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.result_screen)
    assert squeezed(("It gave a false answer.", "Он дал ложный ответ.")[language]) in read(desk)


def at_the_placing(games: int = 0) -> Desk:
    """Return a board that plays by itself, before the other side has placed its ships."""
    desk = Desk()
    desk.app.play_by_itself(games)
    other = desk.join(wire.MASTER)
    desk.app.play(words.M_SLAVE)
    desk.until(lambda: other.link.state == 1)
    assert other.link.offer(6, 0, 0, 1, 2) == links.DONE
    desk.until(lambda: other.link.chat == links.CHAT_YES and desk.app.link.state in (2, 3))
    return desk


def in_the_battle(games: int = 0) -> Desk:
    desk = at_the_placing(games)
    other = there(desk)
    other.place()
    desk.until(lambda: other.link.state == 4)
    return desk


def test_a_board_that_plays_by_itself_gives_up_when_it_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    desk = in_the_battle(1)
    # its own module: a menu item's module is unloaded again, and another one is loaded next time
    company = desk.app.autoplay
    monkeypatch.setattr(company, "LONE_TICKS", 40)
    there(desk).link.goodbye()
    desk.until(lambda: desk.app.link.state == 0)
    there(desk).deaf = True
    desk.until(lambda: desk.app.off)
    assert company.NOTICE_LONE in desk.notices and desk.app.failed and links.EV_CLOSED in desk.events


def test_a_board_that_nobody_has_met_waits(monkeypatch: pytest.MonkeyPatch):
    desk = Desk()
    desk.app.play_by_itself(1)
    monkeypatch.setattr(desk.app.autoplay, "LONE_TICKS", 40)
    desk.app.play(words.M_SLAVE)
    for _ in range(10_000):
        desk.turn()
    assert not desk.app.off and not desk.notices[1:]


def test_a_line_that_never_falls_silent_leaves_the_keys_and_the_display_their_turn():
    class Flooded(Desk):
        taken = 0

        def any(self) -> int:
            return 1

        def readinto(self, buffer: bytearray) -> int:
            buffer[0] = wire.SYNC
            self.taken += 1
            assert self.taken < 10_000, "it never looks away from the line"
            return 1

    desk = Flooded()
    desk.app.play(words.M_SLAVE)
    drawn = desk.bus.sent
    for _ in range(20):
        desk.app.step()
    assert desk.bus.sent > drawn and desk.app.link.state == 0


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


def ask(desk: Desk, text: bytes = b"#show") -> list[bytes]:
    """Send a text to the board; return what it has written by its confirmation and some time after."""
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


PLAYS = 60_000  # milliseconds within which a new peer has been met


def bare() -> Desk:
    there = Desk("16x2", language=0)
    there.app.play_for_ever()
    return there


@pytest.mark.parametrize("roles", [(wire.MASTER, wire.SLAVE), (wire.SLAVE, wire.MASTER)])
def test_whoever_comes_is_played_with_in_any_role(roles: tuple[int, int]) -> None:
    """A peer leaves without a goodbye, and the next one has the opposite role."""
    board = bare()
    for role in roles:
        board.join(role).ticks = board.ticks()
        board.until(lambda: there(board).link.state > 0, PLAYS, 50)
        board.other = None
        # nobody answers: the board reports that to nobody, and looks for others
        board.until(lambda: board.app.link.state == 0, PLAYS, 50)
    assert not board.app.off


def test_a_slave_that_nobody_calls_any_more_calls_by_itself() -> None:
    board = bare()
    board.incoming.append(wire.SYNC)
    board.until(lambda: wire.SYNCED in board.outgoing)
    board.until(lambda: wire.SYNC in board.outgoing, PLAYS, 50)


# -- the line over USB


class Console:
    """A board's console, as MicroPython gives it to a program."""

    def __init__(self) -> None:
        self.typed = bytearray()
        self.told = bytearray()
        self.interrupt = 3

    def readinto(self, buffer: bytearray) -> int:
        for i in range(len(buffer)):
            buffer[i] = self.typed.pop(0)
        return len(buffer)

    def write(self, data: bytes) -> int:
        self.told += data
        return len(data)


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    there = Console()

    class Poll:
        def register(self, _stream: object, events: int) -> None:
            self.reads = events == 1

        def ipoll(self, _ms: int) -> list:
            return [()] if not self.reads or there.typed else []

    def interrupt(character: int) -> None:
        there.interrupt = character

    select, micropython = types.ModuleType("select"), types.ModuleType("micropython")
    select.__dict__.update(POLLIN=1, POLLOUT=4, poll=Poll)
    micropython.__dict__.update(const=lambda x: x, kbd_intr=interrupt)
    monkeypatch.setitem(sys.modules, "select", select)
    monkeypatch.setitem(sys.modules, "micropython", micropython)
    monkeypatch.delitem(sys.modules, "seaboard.usbline", raising=False)
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=there))
    monkeypatch.setattr(sys, "stdout", types.SimpleNamespace(buffer=there))
    return there


def leads_back(console: Console, typed: bytes) -> bool:
    """Return whether these bytes lead back to the prompt."""
    usbline = importlib.import_module("seaboard.usbline")
    reader = wire.Reader()
    line = usbline.UsbLine()
    line.open(reader)
    assert console.interrupt == -1
    console.typed += typed
    one = bytearray(1)
    try:
        while line.any():
            assert line.readinto(one) == 1
            reader.feed(one[0])
    except KeyboardInterrupt:
        assert console.interrupt == 3
        return True
    return False


@pytest.mark.parametrize("typed", [b"\r\x03", b"\x03\x03", b"\xaa\r\x03", b"\xb1\x01\x03\x03\x03"])
def test_what_leads_back_to_the_prompt(console: Console, typed: bytes) -> None:
    assert leads_back(console, typed)


@pytest.mark.parametrize(
    "typed",
    [b"\x03", b"\r\n\x03 \x03", b"\xb1\x03\r\x03\x03", b"\xc0\x03\x03" * 2, b"\xb3\x02\x03\x03\x03", b"\r\xaa\x03"],
)
def test_what_a_session_may_contain_does_not(console: Console, typed: bytes) -> None:
    """A frame's bytes, and noise."""
    assert not leads_back(console, typed)


def test_a_virtual_board_that_the_computer_has_held_up_does_not_take_the_pause_for_the_other_sides(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.syspath_prepend(str(assets.boards() / "unix"))
    spec = importlib.util.spec_from_file_location("virtual", assets.boards() / "unix" / "board.py")
    assert spec is not None and spec.loader is not None
    virtual = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(virtual)
    now = 0
    clock = Clock(lambda: now, virtual.passed)
    now += 1000
    assert clock.ticks() < wire.GAP_TICKS
    for _ in range(20):
        now += 50
        clock.ticks()
    assert clock.ticks() >= 1000 // 55
