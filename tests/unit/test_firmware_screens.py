"""A board's screens and keys: the firmware on CPython in simulated time, keys pressed, the display read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from seabattle import fleet, link, wire
from tests.command import ROOT
from tests.desk import LANGUAGES, NARROW, Desk, Opponent, Store, fault, keys, squeezed, words_of
from tests.generate import board_screens

from seaboard import words  # isort: skip  (tests.desk has made the firmware importable)


RUSSIAN = 1
SMALL = (6, 0, 1, 1, 2)
"""Size and fleet of short games: a three-decker, a two-decker, two one-deckers."""


def at_work(
    role: str = "slave",
    panel: str = "128x64",
    language: int = 0,
    offer: tuple[int, ...] = SMALL,
    store: Store | None = None,
) -> Desk:
    """Return a board that has just begun a session from its menu."""
    desk = Desk(panel, language, store=store)
    desk.app.offer[:] = bytes(offer)
    desk.choose({"master": ("Play: master", "Я ведущий"), "slave": ("Play: slave", "Я ведомый")}[role][language])
    return desk


def placing(role: str = "slave", **how: Any) -> Desk:
    """Return a board whose player is about to place the fleet."""
    desk = at_work(role, **how)
    other = desk.join(wire.SLAVE if role == "master" else wire.MASTER)
    desk.until(lambda: desk.app.link.state == 1 and other.link.state == 1)
    if role == "master":
        desk.settle()
        desk.press(keys.OK)
    else:
        assert other.link.offer(*how.get("offer", SMALL)) == link.DONE
    desk.until(lambda: desk.app.link.state == 2 and other.link.state == 2)
    desk.settle()
    return desk


def in_battle(role: str = "slave", **how: Any) -> Desk:
    """Return a board in the battle, all ships placed at random on both sides."""
    desk = placing(role, **how)
    desk.app.ui.menu.session()
    desk.do("back [Наугад]" if desk.language else "back [At random]")
    desk.settle()
    other = there(desk)
    other.place()
    desk.press(keys.OK)
    desk.until(lambda: desk.app.link.state == 4 and other.link.state == 4)
    desk.settle()
    return desk


def there(desk: Desk) -> Opponent:
    assert desk.other is not None
    return desk.other


def ships(opponent: Opponent) -> list[int]:
    return [cell for cell in range(opponent.player.fleet.width**2) if opponent.player.field.ship[cell]]


def field_of(desk: Desk) -> set[int]:
    field = desk.app.player.field
    return {cell for cell in range(field.fleet.width**2) if field.ship[cell]}


def named(desk: Desk, cells: str) -> set[int]:
    """Parse cells like `A1,C3`."""
    width = desk.app.player.field.fleet.width
    return {ord(cell[0]) - ord("A") + (int(cell[1:]) - 1) * width for cell in cells.split(",") if cell}


def aim(desk: Desk, cell: int) -> None:
    """Move the cursor to a cell and press OK."""
    battle = desk.app.ui.battle
    while battle.x != cell % battle.size:
        desk.press(keys.RIGHT if battle.x < cell % battle.size else keys.LEFT)
    while battle.y != cell // battle.size:
        desk.press(keys.DOWN if battle.y < cell // battle.size else keys.UP)
    desk.press(keys.OK)


def their_miss(desk: Desk) -> int:
    """Have the other side shoot at water; return the cell."""
    water = next(cell for cell in range(36) if cell not in field_of(desk))
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    return water


def read(desk: Desk) -> str:
    """Return a whole page, scrolled to its end, as `squeezed` makes it."""

    def seen() -> list[str]:
        desk.settle()
        rows = desk.text()
        # the last row is a hint if there are more than two; the last column shows that there is more
        return [row[:-1] for row in (rows if len(rows) == 2 else rows[:-1])]

    lines = rows = seen()
    for _ in range(40):
        desk.press(keys.DOWN)
        before, rows = rows, seen()
        if rows == before:
            return squeezed("".join(lines))
        lines = [*lines, rows[-1]]
    raise AssertionError("a page without an end:\n" + "\n".join(lines))


# -- actions and checks, in words


def raw(desk: Desk, code: str) -> None:
    """Send bytes from the other end, whose own program is silent from now on."""
    there(desk).deaf = True
    desk.incoming += bytes.fromhex(code)


VERBS: dict[str, Callable[[Desk, str], object]] = {
    # actions of the other end
    "they-join": lambda desk, _: desk.join(wire.MASTER),
    "they-offer": lambda desk, _: there(desk).link.offer(*SMALL),
    "they-miss": lambda desk, _: their_miss(desk),
    "they-surrender": lambda desk, _: there(desk).link.surrender(),
    "they-leave": lambda desk, _: there(desk).link.goodbye(),
    "they-restart": lambda desk, _: there(desk).link.restart(),
    "they-send": lambda desk, code: raw(desk, code),
    "they-fall-silent": lambda desk, _: setattr(there(desk), "deaf", True),
    "they-hold-back": lambda desk, _: setattr(there(desk), "held", True),
    "they-go-on": lambda desk, _: setattr(there(desk), "held", False),
    "they-forget": lambda desk, _: there(desk).heard.clear(),
    "they-have-no-chat": lambda desk, _: desk.app.link.v.__setitem__(34, link.CHAT_NO),
    "they-write": lambda desk, text: there(desk).link.send_chat(text.encode("cp866"), len(text)),
    # conditions waited for
    "my-turn": lambda desk, _: desk.until(lambda: desk.app.link.mine),
    "chat-there": lambda desk, _: desk.until(lambda: desk.app.link.chat == there(desk).link.chat == link.CHAT_YES),
    "hit": lambda desk, _: aim(desk, ships(there(desk))[0]),
    "state": lambda desk, n: desk.until(lambda: desk.app.link.state == int(n)),
    "their-state": lambda desk, n: desk.until(lambda: there(desk).link.state == int(n)),
    "screen": lambda desk, name: desk.until(lambda: desk.app.ui.screen is getattr(desk.app.ui, name)),
    "calling": lambda desk, _: desk.until(lambda: desk.app.link.role == wire.MASTER),
    "switched-off": lambda desk, _: desk.until(lambda: desk.app.off),
    "tested": lambda desk, _: desk.until(lambda: not desk.app.test.running),
    # immediate actions
    "say-ready": lambda desk, _: desk.app.ui.placing.choose(words.G_READY),
    "wire-back": lambda desk, _: setattr(desk, "loop_back", lambda byte: [byte]),
    "with-esc": lambda desk, _: setattr(desk, "esc", True),
    "begin": lambda desk, _: desk.app.ui.battle.begin(),
}
CHECKS: dict[str, Callable[[Desk, str], object]] = {
    "they-heard": lambda desk, code: there(desk).heard == bytes.fromhex(code),
    "they-heard-goodbye": lambda desk, _: (link.EV_GOODBYE, 0, 0) in there(desk).events,
    "they-read": lambda desk, text: bytes(there(desk).link.text[: len(text)]).decode("cp866") == text,
    "their-state-is": lambda desk, n: there(desk).link.state == int(n),
    "ships": lambda desk, cells: field_of(desk) == named(desk, cells),
    "among-ships": lambda desk, cells: field_of(desk) >= named(desk, cells),
    "decks": lambda desk, n: len(field_of(desk)) == int(n),
    "line": lambda desk, name: desk.chosen == name,  # type: ignore[attr-defined]
    "no-test-left": lambda desk, _: desk.app.test is None,
}


def do(desk: Desk, script: str) -> None:
    """Run a script of `Desk.do` with the words of VERBS and CHECKS; `~"text"` is read on a page, down to its end."""
    for word in words_of(script):
        name, _, argument = word.partition("=")
        if name in VERBS:
            VERBS[name](desk, argument)
        elif name in CHECKS:
            desk.settle()
            assert CHECKS[name](desk, argument), word
        elif word[0] == "~":
            assert squeezed(word.strip('~"')) in read(desk), word
        else:
            desk.do(word)


class Wired(Desk):
    """A board whose line can be chosen. It restarts after a change."""

    lines = ("uart", "usb")
    line = "uart"
    chosen = ""

    def choose_line(self, name: str) -> None:
        self.chosen = name


def parameters(**how: Any) -> Desk:
    """Return a master that has met a slave, with a fleet too large for its field."""
    desk = at_work("master", offer=(6, 1, 2, 5, 10), **how)
    desk.join(wire.SLAVE)
    return desk


BEGINNINGS: dict[str, Callable[..., Desk]] = {
    "menu": Desk,
    "menu-of-lines": Wired,
    "parameters": parameters,
    "placing": placing,
    "placing-few": partial(placing, offer=(10, 0, 0, 1, 1)),
    "placing-many": partial(placing, offer=(6, 1, 2, 0, 1)),
    "размещение": partial(placing, language=RUSSIAN),
    "battle": in_battle,
    "бой": partial(in_battle, language=RUSSIAN),
    "battle-of-master": partial(in_battle, "master"),
}
SCRIPTS = {
    "what is awaited is said in every state": (
        'menu: [Play] "Listening: who is there?.." calling "Calling for a slave..." back [Play: slave] '
        '"Waiting for a master..." they-join "The master chooses the game..." "other" they-offer state=2 '
        'back [At random] ok "The opponent is still placing..."'
    ),
    "parameters without room are not sent": 'parameters: "No room!" ok ="No room!" their-state-is=1',
    "a typed cell moves the cursor": "placing-few: =c7 ok ships=C7,D7 =К10 ok ships=C7,D7,J10",
    "the ships along the wall are counted": 'placing: "Wall 0/2" ok "Wall 1/2" =b5 ok "Wall 1/2"',
    "filling keeps what stands and clearing does not": (
        'placing: =b3 ok back [Fill the rest] "Ready!" among-ships=B3,C3,D3 decks=7 back [Clear] "place" ships='
    ),
    "what cannot be filled is said": 'placing-many: =b2 ok =b5 ok back [Fill the rest] "No room for more" decks=7',
    "ready is refused while ships are missing": 'placing: =b3 ok say-ready "Some are missing" state=2',
    "a placement of another fleet is not repeated": 'placing: back [As last time] "None to repeat"',
    "the ships that are left are told by length": (
        'battle-of-master: back [Ships left] "Mine : its" "█    2 : 2" "███   1 : 1" back screen=battle'
    ),
    "the opponent's shot is said": 'battle: they-miss "A1 miss" my-turn',
    "leaving asks a second time and says goodbye": (
        'battle: back [Leave] "Leave game?" down ok "SEA BATTLE" they-heard-goodbye'
    ),
    "switching off in a game says goodbye": "battle: off switched-off they-heard-goodbye",
    "switching off from the menu": "menu: [Switch off] switched-off",
    "a late reply takes the error away": (
        'battle-of-master: they-hold-back =a1 ok "No reply to C0 for 3 s." they-go-on screen=battle !"No reply" state=4'
    ),
    "the key after a timeout sends A0 and looks for the next opponent": (
        'battle: they-fall-silent "Silence on the line" they-forget ok "Waiting for a master..." they-heard=A0'
    ),
    "the result stays until it is acknowledged, and then the goodbye is told": (
        'battle: they-surrender "VICTORY!" they-leave state=0 ="VICTORY!" ok "The opponent said goodbye." ok '
        '"Waiting for a master..."'
    ),
    "without chat there nothing is sent": 'battle: they-have-no-chat back [Chat] "It has no chat"',
    "a text is shown with its sender's nick": (
        'battle: chat-there they-write=Привет! screen=page_screen ~"other: Привет!" ok screen=battle'
    ),
    "ready phrases and typed texts are sent": (
        'бой: chat-there back [Чат] [Удачи!] "Послано" they-read=Удачи! '
        'back [Чат] [Написать...] =Жди erase right down down ok "Послано" they-read=ЖдВ'
    ),
}
ON_NARROW_PANELS = {
    "OK places, then turns, then lifts": (
        'placing: "place" ok "turn" ships=A1,B1,C1 ok "lift" ships=A1,A2,A3 ok "place" ships='
    ),
    "refusals of a ship": 'placing: ok down ok "Touches a ship" =a3 ok decks=5 =a5 ok "Wall is full" decks=5',
    "refusals of a ship in Russian": (
        'размещение: ok down ok "Рядом корабль" =a3 ok decks=5 =a5 ok "У края уже много" decks=5'
    ),
    "the battle begins with how to get to the menu": 'battle: with-esc begin "Esc:" "menu"',
    "refusals of a shot": 'battle: ok "Not yet" they-miss my-turn hit my-turn ok "Known"',
    "surrender asks a second time, and the answer that comes first changes nothing": (
        'battle: back [Surrender] "Surrender?" ok state=4 '
        'back [Surrender] down ok "DEFEAT" ~"You surrendered." their-state=9'
    ),
    "the line is chosen in the settings, and leaving them makes it so unless all is as it was": (
        'menu-of-lines: [Settings] [Line] "USB" [Line] "UART" back line= [Settings] [Line] back line=usb'
    ),
    "the line test is repeated with OK and left with Back": (
        'menu: [Line test] tested ~"Nothing came back." "once more" wire-back ok tested ~"all 256 bytes came back" '
        "back screen=menu no-test-left"
    ),
}
ON_CHARACTERS = {
    "a ship that does not fit is shown the other way": 'placing: =e3 ok "Does not fit" ships= ok ships=E3,E4,E5',
    "whose turn it is, and my field when it is shot at and on demand": (
        'battle: "Wait..." they-miss "My field" "Your turn" back [My field] "My field" left "Your turn"'
    ),
}


@pytest.mark.parametrize(
    ("name", "panel"),
    [(name, "128x64") for name in SCRIPTS]
    + [(name, panel) for name in ON_NARROW_PANELS for panel in NARROW]
    + [(name, "20x4") for name in ON_CHARACTERS],
)
def test_what_is_done_and_seen(name: str, panel: str):
    beginning, _, script = (SCRIPTS | ON_NARROW_PANELS | ON_CHARACTERS)[name].partition(": ")
    do(BEGINNINGS[beginning](panel=panel), script)


# -- a whole game


@pytest.mark.parametrize(("role", "panel"), [("master", "16x2"), ("slave", "84x48")])
def test_a_person_plays_a_whole_game_with_five_keys(role: str, panel: str):
    """The other side misses whenever it may shoot."""
    desk = in_battle(role, panel=panel)
    other = there(desk)
    misses = [cell for cell in range(36) if cell not in field_of(desk)]
    for cell in ships(other):
        while not desk.app.link.mine:
            if other.link.mine:
                miss = misses.pop()
                other.link.shoot(miss % 6 + 1, miss // 6 + 1)
            desk.turn()
        aim(desk, cell)
        desk.until(lambda: not desk.app.link.busy)
    do(desk, f'"VICTORY!" ~"Shots: {len(ships(other))}" ok')
    do(desk, '[Start over] their-state=1 "Start"' if role == "master" else '"The master may"')


def test_alone_against_the_boards_own_gunner():
    desk = Desk("20x4")
    desk.app.offer[:] = bytes(SMALL)
    do(desk, "[Alone] [Sea battle] state=1")
    desk.settle()
    do(desk, "ok state=2")
    desk.settle()
    desk.do("back [At random]")
    desk.settle()
    do(desk, "ok state=4")
    for cell in range(36):
        desk.until(lambda: desk.app.link.mine or desk.app.link.state != 4)
        if desk.app.link.state != 4:
            break
        if desk.app.player.radar.can_shoot(cell):
            aim(desk, cell)
    do(desk, "state=9")
    desk.until(lambda: desk.shows("VICTORY!") or desk.shows("DEFEAT"))
    assert not desk.outgoing, "nothing of a game alone goes out on the line"


# -- parameters


def test_parameters_stay_in_their_ranges_and_are_checked_at_once():
    desk = at_work("master")
    desk.join(wire.SLAVE)
    desk.until(lambda: desk.app.link.state == 1)
    desk.settle()
    ranges = {}
    for name in ("One-deck", "Two-deck", "Three-deck", "Four-deck", "Field"):
        desk.press(keys.UP)
        desk.settle()
        line = next(line for line in desk.text() if name in line)
        assert line.startswith("►")
        seen = set()
        for _ in range(12):
            desk.press(keys.RIGHT)
            desk.settle()
            seen.add(int(next(line for line in desk.text() if name in line).split()[-1]))
            size, *counts = desk.app.offer
            assert desk.shows("No room!") == (fleet.check(size, *counts) != 0)
        ranges[name] = (min(seen), max(seen))
    assert ranges == {
        "Field": (wire.SIZE_MIN, wire.SIZE_MAX),
        "Four-deck": (0, 1),
        "Three-deck": (0, 2),
        "Two-deck": (0, 5),
        "One-deck": (1, 10),
    }


def test_leaving_a_silent_opponent_can_be_hurried():
    desk = in_battle()
    do(desk, 'they-fall-silent back [Leave] down ok "Saying goodbye..."')
    before = desk.now
    desk.do('back "SEA BATTLE"')
    assert desk.now - before < 1000


# -- outcomes and errors: the other end's action -> the board's text


PARAMS = bytes((wire.PARAMS, *SMALL)).hex()
OUTCOMES = {
    "they-surrender": ("The opponent surrendered.", "Соперник сдался."),
    "they-leave": ("The opponent said goodbye.", "Соперник попрощался."),
    "they-fall-silent": ("Silence on the line for 3 s.", "Линия молчит уже 3 с."),
    "they-send=A0": ("The opponent lost patience", "Соперник не дождался нас"),
    "they-send=A8": ("The opponent says that we broke the protocol.", "Соперник говорит, что мы нарушили протокол."),
    "they-send=C00009": ("C0: 0 9 a shot off the field.", "C0: 0 9 выстрел мимо поля."),
    "they-send=A9": ("The opponent broke the protocol with A9: it has not won.", "протокол, A9: он не победил."),
    f"they-send={PARAMS}": ("not allowed now", "сейчас так нельзя"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("happens", OUTCOMES)
def test_every_outcome_and_error_is_said(happens: str, language: int):
    desk = in_battle(panel="16x2", language=language)
    ui = desk.app.ui
    do(desk, happens)
    desk.until(lambda: ui.screen in (ui.page_screen, ui.result_screen))
    assert squeezed(OUTCOMES[happens][language]) in read(desk)
    desk.press(keys.OK)
    desk.settle()
    assert ui.screen not in (ui.page_screen, ui.result_screen)


def test_a_lost_reply_that_would_explain_the_error_is_named():
    desk = in_battle("master")
    do(desk, "they-hold-back =a1 ok they-send=C00101")
    desk.until(lambda: desk.app.ui.screen == desk.app.ui.page_screen)
    assert squeezed("Unless the reply to our C0 got lost.") in read(desk)


def test_a_key_that_was_meant_for_the_screen_before_does_not_dismiss_a_result():
    desk = in_battle()
    there(desk).link.surrender()
    desk.until(lambda: desk.app.ui.result_due)
    desk.pressed += [keys.OK]
    desk.do('"VICTORY!" ="VICTORY!" ok "The master may start a new game"')


# -- settings, statistics, line test


def test_settings_are_kept():
    store = Store()
    desk = Desk("128x64", None, store=store)
    desk.do('[Settings] [Language] "НАСТРОЙКИ" [Имя] left left left left left =Нева ok "Нева" [Бот] "меткий" back')
    Desk("128x64", None, store=store).do('"МОРСКОЙ БОЙ" [Настройки] "Нева" "меткий"')


@pytest.mark.parametrize("panel", NARROW)
@pytest.mark.parametrize(
    ("language", "way"),
    [(0, "[Settings]"), (1, "[Настройки]"), (0, "[Alone] [Variants] down"), (1, "[В одиночку] [Варианты] down")],
)
def test_no_setting_runs_into_its_name(panel: str, language: int, way: str):
    desk = Desk(panel, language)
    desk.do(way)
    settings: Any = desk.app.ui.screen
    for _ in range(settings.n - 1):
        for _ in range(4):
            desk.settle()
            line = next(line for line in desk.text() if line[:1] in ("►", ">"))
            assert " " in line.strip("►> "), line
            desk.press(keys.RIGHT)
            desk.app.texts.choose(language)
        desk.press(keys.DOWN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_is_named_until_ok_is_pressed(language: int):
    desk = Desk("16x2", language)
    seen: list[str] = []

    def idle() -> None:
        desk.now += 10
        if desk.now % 500 == 0:  # a page stays longer
            seen.extend(desk.text())
        if desk.now > 12_000:
            desk.pressed.append(keys.OK)

    desk.idle = idle  # type: ignore[attr-defined]
    fault.show(desk, ValueError("no panel in board.py"))
    told = squeezed("".join(dict.fromkeys(seen)))
    for word in ("ValueError", "no panel", "board.py", ("OK: restart", "ОК: заново")[language]):
        assert squeezed(word) in told


@pytest.mark.parametrize(("as_it_is", "sent"), [(False, b"Yuriy"), (True, "Юрий".encode("cp866"))])
def test_the_nick_goes_out_in_ascii_unless_told_otherwise(as_it_is: bool, sent: bytes):
    desk = Desk()
    desk.app.storage.set_nick("Юрий".encode("cp866"), 4)
    desk.app.storage.letters = as_it_is
    desk.choose("Play: slave")
    other = desk.join(wire.MASTER)
    desk.until(lambda: other.link.peer_nick_len)
    assert bytes(other.link.peer_nick[: other.link.peer_nick_len]) == sent


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (lambda byte: [byte], "Good: all 256 bytes came back."),
        (None, "Nothing came back. Is TX connected to RX?"),
        (lambda byte: [] if byte in (7, 100) else [byte], "2 of 256 bytes were lost."),
        (lambda byte: [byte ^ 0x80 if byte == 50 else byte], "1 bytes came back wrong."),
        (lambda byte: [byte, byte] if byte == 255 else [byte], "1 bytes came that were not sent."),
    ],
)
def test_the_line_test_says_what_is_wrong(line: Callable[[int], list[int]] | None, said: str):
    desk = Desk("128x64")
    desk.loop_back = line
    desk.choose("Line test")
    desk.see(said)


def test_statistics_and_the_last_placement_outlive_the_power():
    store = Store()
    desk = in_battle(store=store)
    placed = field_of(desk)
    do(desk, 'they-surrender "VICTORY!" ok back [Leave] down ok "SEA BATTLE"')
    for board in (desk, Desk("128x64", None, store=store)):
        board.do('[Statistics] "Games: 1" "Won: 1" "Lost: 0" "Broken off: 0" "Shots: 0"')
    again = placing(store=store)
    again.settle()
    again.do('back [As last time] "Ready!"')
    assert field_of(again) == placed


def test_the_page_about_the_program_names_the_board_and_how_its_clock_goes():
    desk = Desk("128x64")
    desk.until(lambda: desk.now > 60_000, turns=61_000)
    desk.do('[About] "desk" "Clock: "')
    drift = int("".join(desk.text()).split("Clock: ")[1].split()[0])
    assert abs(drift) <= 55


@pytest.mark.parametrize(
    ("panel", "language"), [*((panel, 0) for panel in board_screens.PANELS), ("84x48", 1), ("16x2", 1)]
)
def test_the_pictures_are_of_the_firmware_as_it_is(panel: str, language: int) -> None:
    """Russian letters are drawn on a graphic and on a character panel; the others have the same words."""
    same = board_screens.as_kept(panel, language, board_screens.taken(panel, language))
    assert same, "the screens have changed; look at what comes of: python -m tests.generate.board_screens"


def test_every_picture_is_linked_from_the_boards_page() -> None:
    page = (ROOT / "boards" / "README.md").read_text(encoding="utf-8")
    for path in sorted(board_screens.FOLDER.iterdir()):
        assert f"(../docs/screens/board/{path.name})" in page, path.name
