"""What a person sees and does on a board: the firmware on CPython in simulated time, keys pressed, the display read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from seabattle import fleet, link, wire
from tests.desk import LANGUAGES, PANELS, Desk, Opponent, Store, fault, keys, squeezed

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
    desk.choose({"master": "Play: master", "slave": "Play: slave"}[role] if not language else ROLES[role])
    return desk


ROLES = {"master": "Я ведущий", "slave": "Я ведомый"}


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
    desk.press(keys.BACK)
    desk.choose("Наугад" if language else "At random")
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


def aim(desk: Desk, cell: int) -> None:
    """Lead the cursor to a cell and press OK."""
    battle = desk.app.ui.battle
    while battle.x < cell % battle.size:
        desk.press(keys.RIGHT)
    while battle.x > cell % battle.size:
        desk.press(keys.LEFT)
    while battle.y < cell // battle.size:
        desk.press(keys.DOWN)
    while battle.y > cell // battle.size:
        desk.press(keys.UP)
    desk.press(keys.OK)


def shoot_all(desk: Desk) -> None:
    """The person sinks the whole fleet of the other side, which misses whenever it may shoot."""
    other = there(desk)
    misses = [cell for cell in range(SMALL[0] ** 2) if not desk.app.player.field.ship[cell]]
    for cell in ships(other):
        while not desk.app.link.mine:
            if other.link.mine:
                miss = misses.pop()
                other.link.shoot(miss % SMALL[0] + 1, miss // SMALL[0] + 1)
            desk.turn()
        aim(desk, cell)
        desk.until(lambda: not desk.app.link.busy)


# -- the way through a game


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("role", ["master", "slave"])
def test_a_person_plays_a_whole_game_with_five_keys(panel: str, role: str):
    desk = in_battle(role, panel)
    shoot_all(desk)
    desk.see("VICTORY!")
    assert squeezed(f"Shots: {len(ships(there(desk)))}") in read(desk)
    desk.press(keys.OK)
    if role == "master":
        desk.choose("Start over")
        desk.until(lambda: there(desk).link.state == 1)
        desk.see("Start")
    else:
        desk.see("The master may")


@pytest.mark.parametrize("panel", PANELS)
def test_alone_against_the_boards_own_gunner(panel: str):
    desk = Desk(panel)
    desk.app.offer[:] = bytes(SMALL)
    desk.choose("Alone")
    desk.choose("Sea battle")
    desk.until(lambda: desk.app.link.state == 1)
    desk.settle()
    desk.press(keys.OK)
    desk.until(lambda: desk.app.link.state == 2)
    desk.settle()
    desk.press(keys.BACK)
    desk.choose("At random")
    desk.settle()
    desk.press(keys.OK)
    desk.until(lambda: desk.app.link.state == 4)
    for cell in range(SMALL[0] ** 2):
        desk.until(lambda: desk.app.link.mine or desk.app.link.state != 4)
        if desk.app.link.state != 4:
            break
        if desk.app.player.radar.can_shoot(cell):
            aim(desk, cell)
    desk.until(lambda: desk.app.link.state == 9)
    desk.until(lambda: desk.shows("VICTORY!") or desk.shows("DEFEAT"))
    assert not desk.outgoing, "nothing of a game alone goes out on the line"


def test_what_is_awaited_is_said_in_every_state():
    desk = Desk()
    desk.choose("Play")
    desk.see("Listening: who is there?..")
    desk.until(lambda: desk.app.link.role == wire.MASTER)
    desk.see("Calling for a slave...")
    desk.press(keys.BACK)
    desk.choose("Play: slave")
    desk.see("Waiting for a master...")
    other = desk.join(wire.MASTER)
    desk.see("The master chooses the game...")
    other.link.offer(*SMALL)
    desk.until(lambda: desk.app.link.state == 2)
    desk.settle()
    desk.press(keys.BACK)
    desk.choose("At random")
    desk.settle()
    desk.press(keys.OK)
    desk.see("The opponent is still placing...")


def test_the_opponents_nick_heads_the_waiting_screen():
    desk = at_work("slave")
    desk.join(wire.MASTER)
    desk.see("other")


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
    desk.see("No room!")
    desk.press(keys.OK)
    desk.settle()
    assert other.link.state == 1
    assert desk.shows("No room!")


# -- placing


def field_of(desk: Desk) -> set[int]:
    field = desk.app.player.field
    return {cell for cell in range(field.fleet.width**2) if field.ship[cell]}


@pytest.mark.parametrize("panel", PANELS)
def test_ok_places_then_turns_then_lifts(panel: str):
    desk = placing(panel=panel)
    desk.see("place")
    desk.press(keys.OK)
    desk.see("turn")
    assert field_of(desk) == {0, 1, 2}
    desk.press(keys.OK)
    desk.see("lift")
    assert field_of(desk) == {0, 6, 12}
    desk.press(keys.OK)
    desk.see("place")
    assert field_of(desk) == set()


def test_a_typed_cell_moves_the_cursor():
    desk = placing(offer=(10, 0, 0, 1, 1))
    desk.press(*b"c7", keys.OK)
    assert field_of(desk) == {62, 63}
    desk.press(*"К1".encode("cp866"), *b"0", keys.OK)
    assert field_of(desk) == {62, 63, 99}


def test_a_ship_that_does_not_fit_is_refused_in_words_and_shown_the_other_way():
    desk = placing(panel="20x4")
    desk.press(*b"e3", keys.OK)
    desk.see("Does not fit")
    assert field_of(desk) == set()
    desk.press(keys.OK)
    assert field_of(desk) == {16, 22, 28}


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize(
    ("language", "touches", "full"), [(0, "Touches a ship", "Wall is full"), (1, "Рядом корабль", "У края уже много")]
)
def test_every_refusal_is_said_in_words(panel: str, language: int, touches: str, full: str):
    desk = placing(panel=panel, language=language)
    desk.press(keys.OK, keys.DOWN, keys.OK)
    desk.see(touches)
    desk.press(*b"a3", keys.OK)
    assert len(field_of(desk)) == 5
    desk.press(*b"a5", keys.OK)
    desk.see(full)
    assert len(field_of(desk)) == 5


def test_the_ships_along_the_wall_are_counted_live():
    desk = placing()
    desk.see("Wall 0/2")
    desk.press(keys.OK)
    desk.see("Wall 1/2")
    desk.press(*b"b5", keys.OK)
    desk.see("Wall 1/2")


def test_filling_keeps_what_stands_and_clearing_does_not():
    desk = placing()
    desk.press(*b"b3", keys.OK)
    desk.press(keys.BACK)
    desk.choose("Fill the rest")
    desk.see("Ready!")
    assert {13, 14, 15} <= field_of(desk)
    assert len(field_of(desk)) == 7
    desk.press(keys.BACK)
    desk.choose("Clear")
    desk.see("place")
    assert field_of(desk) == set()


def test_what_cannot_be_filled_is_said():
    # two ships in the middle of a small field leave no room for the others
    desk = placing(offer=(6, 1, 2, 0, 1))
    desk.press(keys.OK)
    desk.press(*b"b3", keys.OK)
    desk.press(keys.BACK)
    desk.choose("Fill the rest")
    desk.until(lambda: desk.shows("No room for more") or desk.shows("Ready!"))
    assert desk.shows("Ready!") == desk.app.player.field.complete()


def test_ready_is_refused_while_ships_are_missing():
    desk = placing()
    desk.press(*b"b3", keys.OK)
    desk.app.ui.placing.choose(desk.app.ui.placing.choose.__globals__["words"].G_READY)
    desk.see("Some are missing")
    assert desk.app.link.state == 2


def placed_as_before(desk: Desk) -> set[int]:
    """Where the ships stand after the placement of last time was chosen again."""
    desk.settle()
    desk.press(keys.BACK)
    desk.choose("As last time")
    desk.see("Ready!")
    return field_of(desk)


def test_the_last_placement_can_be_had_again():
    desk = in_battle()
    placed = field_of(desk)
    there(desk).link.surrender()
    desk.see("VICTORY!")
    desk.press(keys.OK)
    there(desk).link.restart()
    desk.until(lambda: there(desk).link.state == 1)
    there(desk).link.offer(*SMALL)
    desk.until(lambda: desk.app.link.state == 2)
    assert placed_as_before(desk) == placed


def test_a_placement_of_another_fleet_is_not_repeated():
    desk = placing()
    desk.press(keys.BACK)
    desk.choose("As last time")
    desk.see("None to repeat")


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
    water = next(cell for cell in range(SMALL[0] ** 2) if not field.ship[cell])
    for cell, result in ((single, 2), (long, 1), (water, 0)):
        desk.until(lambda: desk.app.link.mine)
        if not desk.app.player.radar.can_shoot(cell):
            cell = next(c for c in range(36) if not field.ship[c] and desk.app.player.radar.can_shoot(c))
        aim(desk, cell)
        desk.see(RESULTS[result][language])


def test_the_opponents_shot_is_said_and_counted():
    desk = in_battle()
    deck = sorted(field_of(desk))
    water = next(cell for cell in range(36) if cell not in deck)
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    desk.see(f"{'ABCDEF'[water % 6]}{water // 6 + 1} miss")
    assert desk.app.link.my_turn


@pytest.mark.parametrize("panel", PANELS)
def test_out_of_turn_and_known_cells_are_refused_in_words(panel: str):
    desk = in_battle("slave", panel)
    desk.press(keys.OK)
    desk.see("Not yet")
    water = next(cell for cell in range(36) if cell not in field_of(desk))
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    desk.until(lambda: desk.app.link.mine)
    deck = ships(there(desk))[0]
    aim(desk, deck)
    desk.until(lambda: desk.app.link.mine)
    desk.press(keys.OK)
    desk.see("Known")


def test_whose_turn_it_is_is_said():
    desk = in_battle("slave", "20x4")
    desk.see("Wait...")
    water = next(cell for cell in range(36) if cell not in field_of(desk))
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    desk.see("Your turn")


def test_the_character_panel_shows_my_field_when_it_is_shot_at_and_on_demand():
    desk = in_battle("slave", "20x4")
    water = next(cell for cell in range(36) if cell not in field_of(desk))
    there(desk).link.shoot(water % 6 + 1, water // 6 + 1)
    desk.see("My field")
    desk.see("Your turn")
    desk.press(keys.BACK)
    desk.choose("My field")
    desk.see("My field")
    desk.press(keys.LEFT)
    desk.see("Your turn")


def test_the_ships_that_are_left_are_told_by_length():
    desk = in_battle("master")
    desk.press(keys.BACK)
    desk.choose("Ships left")
    desk.see("█   I2 It2")
    desk.see("███  I1 It1")
    desk.press(keys.BACK)
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.battle)


# -- surrender, goodbye


@pytest.mark.parametrize("panel", PANELS)
def test_surrender_asks_a_second_time(panel: str):
    desk = in_battle(panel=panel)
    desk.press(keys.BACK)
    desk.choose("Surrender")
    desk.see("Surrender?")
    desk.press(keys.OK)
    desk.settle()
    assert desk.app.link.state == 4, "the answer that comes first changes nothing"
    desk.press(keys.BACK)
    desk.choose("Surrender")
    desk.press(keys.DOWN, keys.OK)
    desk.see("DEFEAT")
    assert squeezed("You surrendered.") in read(desk)
    assert there(desk).link.state == 9


def test_leaving_asks_a_second_time_and_says_goodbye():
    desk = in_battle()
    desk.press(keys.BACK)
    desk.choose("Leave")
    desk.see("Leave game?")
    desk.press(keys.DOWN, keys.OK)
    desk.see("SEA BATTLE")
    assert (link.EV_GOODBYE, 0, 0) in there(desk).events


def test_leaving_a_silent_opponent_can_be_hurried():
    desk = in_battle()
    there(desk).deaf = True
    desk.press(keys.BACK)
    desk.choose("Leave")
    desk.press(keys.DOWN, keys.OK)
    desk.see("Saying goodbye...")
    before = desk.now
    desk.press(keys.BACK)
    desk.see("SEA BATTLE")
    assert desk.now - before < 1000


def test_switching_off_in_a_game_says_goodbye():
    desk = in_battle()
    desk.press(keys.OFF)
    desk.until(lambda: desk.app.off)
    assert (link.EV_GOODBYE, 0, 0) in there(desk).events


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
            ((wire.SHOT, 9, 9), "a shot off the field", "выстрел мимо поля"),
            ((wire.WON,), "it has not won", "он не победил"),
            ((wire.PARAMS, *SMALL), "not allowed now", "сейчас так нельзя"),
        )
    ),
]


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


def test_every_reason_has_words_in_both_languages():
    for language in LANGUAGES:
        desk = Desk("128x64", language)
        desk.app.play(2)
        for reason in range(wire.R_SENDER, wire.REASONS):
            desk.app.link.a, desk.app.link.b = wire.SHOT, reason
            desk.app.ui.event(link.EV_BROKEN)
            said = bytes(desk.app.ui.notice.data[: desk.app.ui.notice.size]).decode("cp866")
            assert "C0: " in said
            assert len(said.split("C0: ")[1]) > 5


def test_a_reply_that_comes_late_takes_the_error_away():
    desk = in_battle("master")
    other = there(desk)
    other.held = True
    aim(desk, 0)
    desk.see("No reply to C0 in 60 ticks.")
    other.held = False
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.battle)
    desk.settle()
    assert desk.app.link.state == 4
    assert not desk.shows("No reply")


def test_the_key_after_a_timeout_sends_a0_and_looks_for_the_next_opponent():
    desk = in_battle("slave")
    there(desk).deaf = True
    desk.see("Silence on the line")
    there(desk).heard.clear()
    desk.press(keys.OK)
    desk.see("Waiting for a master...")
    assert there(desk).heard == bytes([wire.TIMED_OUT])


def test_the_result_stays_until_it_is_acknowledged_and_then_the_goodbye_is_told():
    desk = in_battle()
    there(desk).link.surrender()
    desk.see("VICTORY!")
    there(desk).link.goodbye()
    desk.until(lambda: desk.app.link.state == 0)
    desk.settle()
    assert desk.shows("VICTORY!")
    desk.press(keys.OK)
    desk.see("The opponent said goodbye.")
    desk.press(keys.OK)
    desk.see("Waiting for a master...")


def test_a_key_that_was_meant_for_the_screen_before_does_not_dismiss_a_result():
    desk = in_battle()
    there(desk).link.surrender()
    desk.until(lambda: desk.app.ui.result_due)
    desk.pressed += [keys.OK]
    desk.see("VICTORY!")
    desk.settle()
    assert desk.shows("VICTORY!")
    desk.press(keys.OK)
    desk.see("The master may start a new game")


# -- chat


@pytest.mark.parametrize("panel", PANELS)
def test_a_chat_text_in_russian_is_shown_with_its_senders_nick(panel: str):
    desk = in_battle(panel=panel)
    other = there(desk)
    text = "Привет, капитан!".encode("cp866")
    desk.until(lambda: other.link.chat == link.CHAT_YES)
    assert other.link.say(text, len(text)) == link.DONE
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.page_screen)
    assert squeezed("other: Привет, капитан!") in read(desk)
    desk.press(keys.OK)
    desk.until(lambda: desk.app.ui.screen is desk.app.ui.battle)


def test_ready_phrases_and_typed_texts_are_sent():
    desk = in_battle("slave", language=RUSSIAN)
    other = there(desk)
    desk.until(lambda: desk.app.link.chat == link.CHAT_YES)
    desk.press(keys.BACK)
    desk.choose("Чат")
    desk.choose("Удачи!")
    desk.see("Послано")
    assert bytes(other.link.text[: other.link.text_len]).decode("cp866") == "Удачи!"
    desk.press(keys.BACK)
    desk.choose("Чат")
    desk.choose("Написать...")
    desk.press(*"Жди".encode("cp866"), keys.ERASE, keys.RIGHT, keys.DOWN, keys.DOWN, keys.OK)
    desk.see("Послано")
    assert bytes(other.link.text[: other.link.text_len]).decode("cp866") == "ЖдВ"


def test_without_chat_there_nothing_is_sent():
    desk = in_battle()
    desk.app.link.v[34] = link.CHAT_NO
    desk.press(keys.BACK)
    desk.choose("Chat")
    desk.see("It has no chat")


# -- settings, statistics, line test


def test_settings_are_kept():
    store = Store()
    desk = Desk("128x64", None, store=store)
    desk.choose("Settings")
    desk.choose("Language")
    desk.see("НАСТРОЙКИ")
    desk.choose("Имя")
    desk.press(*[keys.LEFT] * 5, *"Нева".encode("cp866"), keys.OK)
    desk.see("Нева")
    desk.choose("Бот")
    desk.see("меткий")
    desk.press(keys.BACK)
    again = Desk("128x64", None, store=store)
    again.see("МОРСКОЙ БОЙ")
    again.choose("Настройки")
    again.see("Нева")
    again.see("меткий")


class Wired(Desk):
    """A board whose line may be chosen. It starts anew when another one was."""

    lines = ("uart", "usb")
    line = "uart"
    chosen = ""

    def choose_line(self, name: str) -> None:
        self.chosen = name


@pytest.mark.parametrize("panel", PANELS)
def test_the_line_is_chosen_in_the_settings(panel: str):
    """Where there is something to choose; leaving the settings makes it so, unless all is as it was."""
    desk = Wired(panel)
    desk.choose("Settings")
    desk.choose("Line")
    desk.see("USB")
    desk.choose("Line")
    desk.see("UART")
    desk.press(keys.BACK)
    assert desk.chosen == ""
    desk.choose("Settings")
    desk.choose("Line")
    desk.press(keys.BACK)
    assert desk.chosen == "usb"


def opened_settings(desk: Desk) -> Any:
    desk.app.ui.menu.chosen(words.M_SETTINGS)
    return desk.app.ui.screen


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_setting_runs_into_its_name(panel: str, language: int):
    desk = Desk(panel, language)
    settings = opened_settings(desk)
    for _ in range(settings.n - 1):
        values = set()
        for _ in range(4):
            desk.settle()
            line = next(line for line in desk.text() if line[:1] in ("►", ">"))
            assert " " in line.strip("►> "), line
            values.add(line)
            desk.press(keys.RIGHT)
            desk.app.texts.choose(language)
        desk.press(keys.DOWN)


@pytest.mark.parametrize("panel", PANELS)
def test_a_long_menu_says_that_it_goes_on(panel: str):
    desk = Desk(panel)
    desk.settle()
    if desk.panel.rows == 2:
        return
    assert desk.text()[0].rstrip().endswith(("▼", "v"))
    desk.press(keys.UP)
    assert desk.text()[0].rstrip().endswith(("▲", "^"))


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize(
    ("language", "hints"),
    [(0, ("letter", "next", "erase", "OK: done")), (1, ("буква", "ещё", "убрать", "ОК: всё"))],
)
def test_entering_letters_says_what_each_key_does(panel: str, language: int, hints: tuple[str, ...]):
    desk = Desk(panel, language)
    desk.app.ui.letters.write_nick(desk.app.ui.screen)
    for hint in hints:
        desk.see(hint)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("esc", [True, False])
def test_the_battle_begins_with_how_to_get_to_the_menu(panel: str, esc: bool):
    desk = in_battle(panel=panel)
    desk.esc = esc
    desk.app.ui.battle.begin()
    desk.see("Esc:" if esc else "Hold")
    desk.see("menu")


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


def _echo(byte: int) -> list[int]:
    return [byte]


LINE_TESTS: list[tuple[Callable[[int], list[int]] | None, str]] = [
    (_echo, "Good: all 256 bytes came back."),
    (None, "Nothing came back. Is TX connected to RX?"),
    (lambda byte: [] if byte in (7, 100) else [byte], "2 of 256 bytes were lost."),
    (lambda byte: [byte ^ 0x80 if byte == 50 else byte], "1 bytes came back wrong."),
    (lambda byte: [byte, byte] if byte == 255 else [byte], "1 bytes came that were not sent."),
]


@pytest.mark.parametrize(("line", "said"), LINE_TESTS)
def test_the_line_test_says_what_is_wrong(line: Callable[[int], list[int]] | None, said: str):
    desk = Desk("128x64")
    desk.loop_back = line
    desk.choose("Line test")
    desk.see(said)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_test_is_repeated_with_ok_and_left_with_back(panel: str, language: int):
    desk = Desk(panel, language)
    desk.choose("Тест линии" if language else "Line test")
    desk.until(lambda: not desk.app.test.running)
    assert squeezed("Ничего не вернулось." if language else "Nothing came back.") in read(desk)
    desk.see("ещё раз" if language else "once more")
    desk.loop_back = _echo
    desk.press(keys.OK)
    desk.until(lambda: not desk.app.test.running)
    assert squeezed("вернулись все 256 байт" if language else "all 256 bytes came back") in read(desk)
    desk.press(keys.BACK)
    desk.settle()
    assert desk.app.ui.screen is desk.app.ui.menu
    # nothing of it is left over for a session
    assert desk.app.test is None


def test_statistics_and_the_last_placement_outlive_the_power():
    store = Store()
    desk = in_battle(store=store)
    placed = field_of(desk)
    there(desk).link.surrender()
    desk.see("VICTORY!")
    desk.press(keys.OK, keys.BACK)
    desk.choose("Leave")
    desk.press(keys.DOWN, keys.OK)
    desk.see("SEA BATTLE")
    again = Desk("128x64", None, store=store)
    for board in (desk, again):
        board.choose("Statistics")
        for line in ("Games: 1", "Won: 1", "Lost: 0", "Broken off: 0", "Shots: 0"):
            board.see(line)
    assert placed_as_before(placing(store=store)) == placed


def test_the_page_about_the_program_names_the_board_and_how_its_clock_goes():
    desk = Desk("128x64")
    desk.until(lambda: desk.now > 60_000, turns=61_000)
    desk.choose("About")
    desk.see("desk")
    desk.see("Clock: ")
    drift = int("".join(desk.text()).split("Clock: ")[1].split()[0])
    assert abs(drift) <= 55


def test_switch_off_from_the_menu():
    desk = Desk("128x64")
    desk.choose("Switch off")
    desk.until(lambda: desk.app.off)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_item_of_the_main_menu_can_be_read_on_every_panel(panel: str, language: int):
    desk = Desk(panel, language)
    english = ["Play", "Play: master", "Play: slave", "Alone", "Settings", "Statistics", "Line test", "About"]
    russian = ["Игра по линии", "Я ведущий", "Я ведомый", "В одиночку", "Настройки", "Счёт", "Тест линии"]
    for item in russian if language else english:
        desk.see(item)
        desk.press(keys.DOWN)
