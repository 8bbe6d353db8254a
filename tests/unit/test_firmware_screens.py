"""What a person sees and does on a board: the firmware on CPython in simulated time, keys pressed, the display read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from seabattle import fleet, link, wire
from tests.desk import LANGUAGES, PANELS, Desk, Opponent, Store, fault, keys, squeezed, words_of

from seaboard import words  # isort: skip  (tests.desk has made the firmware importable)

RUSSIAN = 1
SMALL = (6, 0, 1, 1, 2)
"""Size and fleet of short games: a three-decker, a two-decker, two one-deckers."""


def at_work(
    role: str, panel: str = "128x64", language: int = 0, offer: tuple[int, ...] = SMALL, store: Store | None = None
) -> Desk:
    """A board that has just begun a session from its menu."""
    desk = Desk(panel, language, store=store)
    desk.app.offer[:] = bytes(offer)
    desk.choose({"master": ("Play: master", "Я ведущий"), "slave": ("Play: slave", "Я ведомый")}[role][language])
    return desk


def placing(
    role: str = "slave",
    panel: str = "128x64",
    language: int = 0,
    offer: tuple[int, ...] = SMALL,
    store: Store | None = None,
) -> Desk:
    """A board whose person is to place the fleet."""
    desk = at_work(role, panel, language, offer, store)
    other = desk.join(wire.SLAVE if role == "master" else wire.MASTER)
    if role == "master":
        desk.until(lambda: desk.app.link.state == 1)
        desk.settle()
        desk.press(keys.OK)
    else:
        desk.until(lambda: other.link.state == 1)
        assert other.link.offer(*offer) == link.DONE
    desk.until(lambda: desk.app.link.state == 2 and other.link.state == 2)
    desk.settle()
    return desk


def in_battle(role: str = "slave", panel: str = "128x64", language: int = 0, store: Store | None = None) -> Desk:
    """A board in the battle, all ships placed at random on both sides."""
    desk = placing(role, panel, language, store=store)
    desk.app.ui.menu.session()
    desk.do("back [Наугад]" if language else "back [At random]")
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
    """Cells like `A1,C3`."""
    width = desk.app.player.field.fleet.width
    return {ord(cell[0]) - ord("A") + (int(cell[1:]) - 1) * width for cell in cells.split(",") if cell}


def aim(desk: Desk, cell: int) -> None:
    """Lead the cursor to a cell and press OK."""
    battle = desk.app.ui.battle
    while battle.x != cell % battle.size:
        desk.press(keys.RIGHT if battle.x < cell % battle.size else keys.LEFT)
    while battle.y != cell // battle.size:
        desk.press(keys.DOWN if battle.y < cell // battle.size else keys.UP)
    desk.press(keys.OK)


def their_miss(desk: Desk) -> int:
    """The other side shoots at water: at which cell."""
    water = next(cell for cell in range(36) if cell not in field_of(desk))
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    return water


def read(desk: Desk) -> str:
    """All of a page, scrolled to its end, as `squeezed` makes it."""

    def seen() -> list[str]:
        desk.settle()
        rows = desk.text()
        # the last row is a hint where there are more than two; the last column says that there is more
        return [row[:-1] for row in (rows if len(rows) == 2 else rows[:-1])]

    lines = rows = seen()
    for _ in range(40):
        desk.press(keys.DOWN)
        before, rows = rows, seen()
        if rows == before:
            return squeezed("".join(lines))
        lines = [*lines, rows[-1]]
    raise AssertionError("a page without an end:\n" + "\n".join(lines))


# -- what is done and seen, in words


def offered(desk: Desk) -> None:
    there(desk).link.offer(*SMALL)


VERBS: dict[str, Callable[[Desk, str], object]] = {
    # what the other end does
    "they-join": lambda desk, _: desk.join(wire.MASTER),
    "they-offer": lambda desk, _: offered(desk),
    "they-miss": lambda desk, _: their_miss(desk),
    "they-surrender": lambda desk, _: there(desk).link.surrender(),
    "they-leave": lambda desk, _: there(desk).link.goodbye(),
    "they-restart": lambda desk, _: there(desk).link.restart(),
    "they-fall-silent": lambda desk, _: setattr(there(desk), "deaf", True),
    "they-hold-back": lambda desk, _: setattr(there(desk), "held", True),
    "they-go-on": lambda desk, _: setattr(there(desk), "held", False),
    "they-forget": lambda desk, _: there(desk).heard.clear(),
    "they-have-no-chat": lambda desk, _: desk.app.link.v.__setitem__(34, link.CHAT_NO),
    # what is waited for
    "my-turn": lambda desk, _: desk.until(lambda: desk.app.link.mine),
    "hit": lambda desk, _: aim(desk, ships(there(desk))[0]),
    "state": lambda desk, n: desk.until(lambda: desk.app.link.state == int(n)),
    "their-state": lambda desk, n: desk.until(lambda: there(desk).link.state == int(n)),
    "screen": lambda desk, name: desk.until(lambda: desk.app.ui.screen is getattr(desk.app.ui, name)),
    "calling": lambda desk, _: desk.until(lambda: desk.app.link.role == wire.MASTER),
    "switched-off": lambda desk, _: desk.until(lambda: desk.app.off),
}
CHECKS: dict[str, Callable[[Desk, str], object]] = {
    "they-heard": lambda desk, code: there(desk).heard == bytes.fromhex(code),
    "they-heard-goodbye": lambda desk, _: (link.EV_GOODBYE, 0, 0) in there(desk).events,
    "ships": lambda desk, cells: field_of(desk) == named(desk, cells),
    "among-ships": lambda desk, cells: field_of(desk) >= named(desk, cells),
    "decks": lambda desk, n: len(field_of(desk)) == int(n),
    "line": lambda desk, name: desk.chosen == name,  # type: ignore[attr-defined]
}


def do(desk: Desk, script: str) -> None:
    """A script of `Desk.do` with what VERBS does, and CHECKS checks; `~"text"` is read on a page, down to its end."""
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
    """A board whose line may be chosen. It starts anew when another one was."""

    lines = ("uart", "usb")
    line = "uart"
    chosen = ""

    def choose_line(self, name: str) -> None:
        self.chosen = name


def waiting(panel: str) -> Desk:
    return at_work("slave", panel)


def to_place(panel: str) -> Desk:
    return placing(panel=panel)


def to_place_few(panel: str) -> Desk:
    return placing(panel=panel, offer=(10, 0, 0, 1, 1))


def to_place_in_russian(panel: str) -> Desk:
    return placing(panel=panel, language=RUSSIAN)


def battle(panel: str) -> Desk:
    return in_battle(panel=panel)


def battle_of_a_master(panel: str) -> Desk:
    return in_battle("master", panel)


SCRIPTS: dict[str, tuple[Callable[[str], Desk], str]] = {
    "what is awaited is said in every state": (
        Desk,
        '[Play] "Listening: who is there?.." calling "Calling for a slave..." back [Play: slave] '
        '"Waiting for a master..." they-join "The master chooses the game..." "other" they-offer state=2 '
        'back [At random] ok "The opponent is still placing..."',
    ),
    "a typed cell moves the cursor": (to_place_few, "=c7 ok ships=C7,D7 =К10 ok ships=C7,D7,J10"),
    "the ships along the wall are counted": (to_place, '"Wall 0/2" ok "Wall 1/2" =b5 ok "Wall 1/2"'),
    "filling keeps what stands and clearing does not": (
        to_place,
        '=b3 ok back [Fill the rest] "Ready!" among-ships=B3,C3,D3 decks=7 back [Clear] "place" ships=',
    ),
    "a placement of another fleet is not repeated": (to_place, 'back [As last time] "None to repeat"'),
    "the ships that are left are told by length": (
        battle_of_a_master,
        'back [Ships left] "Mine : its" "█    2 : 2" "███   1 : 1" back screen=battle',
    ),
    "leaving asks a second time and says goodbye": (
        battle,
        'back [Leave] "Leave game?" down ok "SEA BATTLE" they-heard-goodbye',
    ),
    "switching off in a game says goodbye": (battle, "off switched-off they-heard-goodbye"),
    "switching off from the menu": (Desk, "[Switch off] switched-off"),
    "a late reply takes the error away": (
        battle_of_a_master,
        'they-hold-back =a1 ok "No reply to C0 in 60 ticks." they-go-on screen=battle !"No reply" state=4',
    ),
    "the key after a timeout sends A0 and looks for the next opponent": (
        battle,
        'they-fall-silent "Silence on the line" they-forget ok "Waiting for a master..." they-heard=A0',
    ),
    "the result stays until it is acknowledged, and then the goodbye is told": (
        battle,
        'they-surrender "VICTORY!" they-leave state=0 ="VICTORY!" ok "The opponent said goodbye." ok '
        '"Waiting for a master..."',
    ),
    "without chat there nothing is sent": (battle, 'they-have-no-chat back [Chat] "It has no chat"'),
}
ON_EVERY_PANEL: dict[str, tuple[Callable[[str], Desk], str]] = {
    "OK places, then turns, then lifts": (
        to_place,
        '"place" ok "turn" ships=A1,B1,C1 ok "lift" ships=A1,A2,A3 ok "place" ships=',
    ),
    "refusals of a ship": (to_place, 'ok down ok "Touches a ship" =a3 ok decks=5 =a5 ok "Wall is full" decks=5'),
    "refusals of a ship in Russian": (
        to_place_in_russian,
        'ok down ok "Рядом корабль" =a3 ok decks=5 =a5 ok "У края уже много" decks=5',
    ),
    "refusals of a shot": (battle, 'ok "Not yet" they-miss my-turn hit my-turn ok "Known"'),
    "surrender asks a second time, and the answer that comes first changes nothing": (
        battle,
        'back [Surrender] "Surrender?" ok state=4 back [Surrender] down ok "DEFEAT" ~"You surrendered." their-state=9',
    ),
    "the line is chosen in the settings, and leaving them makes it so unless all is as it was": (
        Wired,
        '[Settings] [Line] "USB" [Line] "UART" back line= [Settings] [Line] back line=usb',
    ),
}
ON_CHARACTERS: dict[str, tuple[Callable[[str], Desk], str]] = {
    "a ship that does not fit is shown the other way": (to_place, '=e3 ok "Does not fit" ships= ok ships=E3,E4,E5'),
    "whose turn it is, and my field when it is shot at and on demand": (
        battle,
        '"Wait..." they-miss "My field" "Your turn" back [My field] "My field" left "Your turn"',
    ),
}


@pytest.mark.parametrize(
    ("name", "panel"),
    [(name, "128x64") for name in SCRIPTS]
    + [(name, panel) for name in ON_EVERY_PANEL for panel in PANELS]
    + [(name, "20x4") for name in ON_CHARACTERS],
)
def test_what_is_done_and_seen(name: str, panel: str):
    begin, script = (SCRIPTS | ON_EVERY_PANEL | ON_CHARACTERS)[name]
    do(begin(panel), script)


# -- the way through a game


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("role", ["master", "slave"])
def test_a_person_plays_a_whole_game_with_five_keys(panel: str, role: str):
    """The other side misses whenever it may shoot."""
    desk = in_battle(role, panel)
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


@pytest.mark.parametrize("panel", PANELS)
def test_alone_against_the_boards_own_gunner(panel: str):
    desk = Desk(panel)
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


def test_parameters_that_have_no_room_are_not_sent():
    desk = at_work("master", offer=(6, 1, 2, 5, 10))
    other = desk.join(wire.SLAVE)
    desk.do('"No room!" ok ="No room!"')
    assert other.link.state == 1


# -- placing


def test_what_cannot_be_filled_is_said():
    # two ships in the middle of a small field leave no room for the others
    desk = placing(offer=(6, 1, 2, 0, 1))
    desk.do("ok =b3 ok back [Fill the rest]")
    desk.until(lambda: desk.shows("No room for more") or desk.shows("Ready!"))
    assert desk.shows("Ready!") == desk.app.player.field.complete()


def test_ready_is_refused_while_ships_are_missing():
    desk = placing()
    desk.do("=b3 ok")
    desk.app.ui.placing.choose(words.G_READY)
    desk.see("Some are missing")
    assert desk.app.link.state == 2


def placed_as_before(desk: Desk) -> set[int]:
    """Where the ships stand after the placement of last time was chosen again."""
    desk.settle()
    desk.do('back [As last time] "Ready!"')
    return field_of(desk)


def test_the_last_placement_can_be_had_again():
    desk = in_battle()
    placed = field_of(desk)
    do(desk, 'they-surrender "VICTORY!" ok they-restart their-state=1 they-offer state=2')
    assert placed_as_before(desk) == placed


# -- the battle


RESULTS = {0: ("miss", "мимо"), 1: ("hit", "ранен"), 2: ("sunk", "убит")}


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_answer_is_said_in_words(panel: str, language: int):
    desk = in_battle("master", panel, language)
    other = there(desk)
    deck = ships(other)
    field = other.player.field
    single = next(cell for cell in deck if [field.ship[c] for c in deck].count(field.ship[cell]) == 1)
    long = next(cell for cell in deck if [field.ship[c] for c in deck].count(field.ship[cell]) > 1)
    water = next(cell for cell in range(36) if not field.ship[cell])
    for cell, result in ((single, 2), (long, 1), (water, 0)):
        desk.until(lambda: desk.app.link.mine)
        if not desk.app.player.radar.can_shoot(cell):
            cell = next(c for c in range(36) if not field.ship[c] and desk.app.player.radar.can_shoot(c))
        aim(desk, cell)
        desk.see(RESULTS[result][language])


def test_the_opponents_shot_is_said_and_counted():
    desk = in_battle()
    water = their_miss(desk)
    desk.see(f"{'ABCDEF'[water % 6]}{water // 6 + 1} miss")
    assert desk.app.link.my_turn


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("esc", [True, False])
def test_the_battle_begins_with_how_to_get_to_the_menu(panel: str, esc: bool):
    desk = in_battle(panel=panel)
    desk.esc = esc
    desk.app.ui.battle.begin()
    desk.do('"Esc:" "menu"' if esc else '"Hold" "menu"')


def test_leaving_a_silent_opponent_can_be_hurried():
    desk = in_battle()
    do(desk, 'they-fall-silent back [Leave] down ok "Saying goodbye..."')
    before = desk.now
    desk.do('back "SEA BATTLE"')
    assert desk.now - before < 1000


# -- outcomes and errors in words: what the other end does -> what the board says


def raw(desk: Desk, *data: int) -> None:
    """Bytes from the other end, whose own program is silent from now on."""
    there(desk).deaf = True
    desk.incoming += bytes(data)


OUTCOMES: list[tuple[Callable[[Desk], object], tuple[str, str]]] = [
    (lambda desk: there(desk).link.surrender(), ("The opponent surrendered.", "Соперник сдался.")),
    (lambda desk: there(desk).link.goodbye(), ("The opponent said goodbye.", "Соперник попрощался.")),
    (raw, ("Silence on the line for 60 ticks.", "Линия молчит 60 тиков.")),
    (lambda desk: raw(desk, wire.TIMED_OUT), ("The opponent lost patience", "Соперник не дождался нас")),
    (
        lambda desk: raw(desk, wire.BROKEN),
        ("The opponent says that we broke the protocol.", "Соперник говорит, что мы нарушили протокол."),
    ),
    *(
        (
            lambda desk, data=data: raw(desk, *data),  # type: ignore[misc]
            (
                f"The opponent broke the protocol with {data[0]:02X}: {en}.",
                f"Соперник нарушил протокол, {data[0]:02X}: {ru}.",
            ),
        )
        for data, en, ru in (
            ((wire.SHOT, 0, 9), "0 9 a shot off the field", "0 9 выстрел мимо поля"),
            ((wire.WON,), "it has not won", "он не победил"),
            ((wire.PARAMS, *SMALL), "not allowed now", "сейчас так нельзя"),
        )
    ),
]


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_and_error_is_said(panel: str, language: int):
    for happens, said in OUTCOMES:
        desk = in_battle("slave", panel, language)
        ui = desk.app.ui
        happens(desk)
        desk.until(lambda ui=ui: ui.screen in (ui.page_screen, ui.result_screen))  # type: ignore[misc]
        assert squeezed(said[language]) in read(desk)
        desk.press(keys.OK)
        desk.settle()
        assert ui.screen not in (ui.page_screen, ui.result_screen), said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_in_both_languages(language: int):
    desk = Desk("128x64", language)
    desk.app.play(2)
    for reason in range(wire.R_SENDER, wire.REASONS):
        desk.app.link.a, desk.app.link.b = wire.SHOT, reason
        desk.app.ui.event(link.EV_BROKEN)
        said = bytes(desk.app.ui.notice.data[: desk.app.ui.notice.size]).decode("cp866")
        assert len(said.partition("C0: ")[2]) > 5


def test_a_key_that_was_meant_for_the_screen_before_does_not_dismiss_a_result():
    desk = in_battle()
    there(desk).link.surrender()
    desk.until(lambda: desk.app.ui.result_due)
    desk.pressed += [keys.OK]
    desk.do('"VICTORY!" ="VICTORY!" ok "The master may start a new game"')


# -- chat


@pytest.mark.parametrize("panel", PANELS)
def test_a_chat_text_in_russian_is_shown_with_its_senders_nick(panel: str):
    desk = in_battle(panel=panel)
    other = there(desk)
    text = "Привет, капитан!".encode("cp866")
    desk.until(lambda: other.link.chat == link.CHAT_YES)
    assert other.link.say(text, len(text)) == link.DONE
    do(desk, 'screen=page_screen ~"other: Привет, капитан!" ok screen=battle')


def test_ready_phrases_and_typed_texts_are_sent():
    desk = in_battle("slave", language=RUSSIAN)
    other = there(desk)
    desk.until(lambda: desk.app.link.chat == link.CHAT_YES)
    for script, sent in (("[Удачи!]", "Удачи!"), ("[Написать...] =Жди erase right down down ok", "ЖдВ")):
        desk.do(f'back [Чат] {script} "Послано"')
        assert bytes(other.link.text[: other.link.text_len]).decode("cp866") == sent


# -- settings, statistics, line test


def test_settings_are_kept():
    store = Store()
    desk = Desk("128x64", None, store=store)
    desk.do('[Settings] [Language] "НАСТРОЙКИ" [Имя] left left left left left =Нева ok "Нева" [Бот] "меткий" back')
    Desk("128x64", None, store=store).do('"МОРСКОЙ БОЙ" [Настройки] "Нева" "меткий"')


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_setting_runs_into_its_name(panel: str, language: int):
    desk = Desk(panel, language)
    desk.app.ui.menu.chosen(words.M_SETTINGS)
    settings: Any = desk.app.ui.screen
    for _ in range(settings.n - 1):
        for _ in range(4):
            desk.settle()
            line = next(line for line in desk.text() if line[:1] in ("►", ">"))
            assert " " in line.strip("►> "), line
            desk.press(keys.RIGHT)
            desk.app.texts.choose(language)
        desk.press(keys.DOWN)


@pytest.mark.parametrize("panel", [panel for panel in PANELS if not panel.endswith("x2")])
def test_a_long_menu_says_that_it_goes_on(panel: str):
    desk = Desk(panel)
    desk.settle()
    assert desk.text()[0].rstrip().endswith(("▼", "v"))
    desk.press(keys.UP)
    assert desk.text()[0].rstrip().endswith(("▲", "^"))


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize(
    ("language", "hints"), [(0, '"letter" "next" "erase" "OK: done"'), (1, '"буква" "ещё" "убрать" "ОК: всё"')]
)
def test_entering_letters_says_what_each_key_does(panel: str, language: int, hints: str):
    desk = Desk(panel, language)
    desk.app.ui.letters.write_nick(desk.app.ui.screen)
    desk.do(hints)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_is_named_until_ok_is_pressed(panel: str, language: int):
    desk = Desk(panel, language)
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


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize(
    ("language", "name", "nothing", "more", "good"),
    [
        (0, "Line test", "Nothing came back.", "once more", "all 256 bytes came back"),
        (1, "Тест линии", "Ничего не вернулось.", "ещё раз", "вернулись все 256 байт"),
    ],
)
def test_the_line_test_is_repeated_with_ok_and_left_with_back(
    panel: str, language: int, name: str, nothing: str, more: str, good: str
):
    desk = Desk(panel, language)
    desk.choose(name)
    desk.until(lambda: not desk.app.test.running)
    do(desk, f'~"{nothing}" "{more}"')
    desk.loop_back = lambda byte: [byte]
    desk.press(keys.OK)
    desk.until(lambda: not desk.app.test.running)
    do(desk, f'~"{good}" back screen=menu')
    assert desk.app.test is None, "nothing of it is left over for a session"


def test_statistics_and_the_last_placement_outlive_the_power():
    store = Store()
    desk = in_battle(store=store)
    placed = field_of(desk)
    do(desk, 'they-surrender "VICTORY!" ok back [Leave] down ok "SEA BATTLE"')
    for board in (desk, Desk("128x64", None, store=store)):
        board.do('[Statistics] "Games: 1" "Won: 1" "Lost: 0" "Broken off: 0" "Shots: 0"')
    assert placed_as_before(placing(store=store)) == placed


def test_the_page_about_the_program_names_the_board_and_how_its_clock_goes():
    desk = Desk("128x64")
    desk.until(lambda: desk.now > 60_000, turns=61_000)
    desk.do('[About] "desk" "Clock: "')
    drift = int("".join(desk.text()).split("Clock: ")[1].split()[0])
    assert abs(drift) <= 55


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_item_of_the_main_menu_can_be_read_on_every_panel(panel: str, language: int):
    desk = Desk(panel, language)
    english = ["Play", "Play: master", "Play: slave", "Alone", "Settings", "Statistics", "Line test", "About"]
    russian = ["Игра по линии", "Я ведущий", "Я ведомый", "В одиночку", "Настройки", "Счёт", "Тест линии"]
    for item in russian if language else english:
        desk.see(item)
        desk.press(keys.DOWN)
