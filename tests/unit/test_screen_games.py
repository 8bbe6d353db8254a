"""Classic, melee and salvo at one screen and by chat: what each player is shown, what is refused, who leaves."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import pytest
from rich import console

from seabattle import jury, variants
from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.field import MISS
from seabattle.melee import CELLS, SIZE, Melee
from seabattle.rng import Rng
from seabattle.salvo import NONE, Salvo
from seabattle.variants import VariantField, Variants
from seabattle_host.games import review
from seabattle_host.games import ui as ui
from seabattle_host.games.classic import verdict
from seabattle_host.language.text import COLUMNS_EN, cell_name
from seabattle_host.player.parameters import LEVELS
from seabattle_host.records.archive import Archive, Game
from tests.calls import Seabattle

pytestmark = pytest.mark.usefixtures("home")


SEED = 4
Play = Callable[..., list[str]]


@pytest.fixture
def play(seabattle: Seabattle) -> Play:
    return seabattle.game


def melee() -> Melee:
    """Return the command's game before the first shot."""
    game = Melee(Rng(SEED))
    game.start(False)
    game.deploy()
    return game


def name(cell: int, width: int = SIZE) -> str:
    return cell_name(cell % width + 1, cell // width + 1)


def fleet(game: Melee, *players: int) -> list[str]:
    return [name(cell) for cell in range(CELLS) if game.ship[cell] and (game.ship[cell] - 1) // 10 in players]


def water(game: Melee) -> list[str]:
    return [name(cell) for cell in range(CELLS) if not game.ship[cell]]


def board_cells(lines: list[str], player: str) -> str:
    """Return all cells of all fields shown to a player, without the numbers of rows."""
    rows = [re.match(rf"{player}: +\d+ (.*)", line) for line in lines]
    return "".join(row[1] for row in rows if row)


GAMES = ("classic", "melee", "salvo")
PLACED = "random|ready|random|ready"
"""Input of two players up to the battle."""


@pytest.mark.parametrize("command", GAMES)
@pytest.mark.parametrize(("lang", "leaves"), [("en", "'quit'"), ("ru", "'выйти'")])
def test_help_says_what_can_be_typed(play: Play, command: str, lang: str, leaves: str):
    before = play(f"{command} --chat --lang {lang}")
    for word in ("help", "?", "A: HELP"):
        lines = play(f"{command} --chat --lang {lang}", word)
        added = [line for line in lines if line not in before] or [line for line in before if lines.count(line) > 1]
        assert added and all(line.startswith("A: ") and leaves in line for line in added)


# Melee.


def test_refusals_tell_the_reason_to_the_player_alone_and_keep_the_turn(play: Play):
    game = melee()
    own, other, miss = fleet(game, 0)[0], fleet(game, 1)[0], water(game)[-1]
    lines = play("melee --chat --people 2", f"B: {miss}|{own}|P7|A16|hello|{other}|{other}|C: {miss}|{miss}")
    told = [line for line in lines if not re.match(r"[AB]: ( |\d+  |\.|your turn|shoot again|B 4x1)", line)]
    assert told[1] == "B: it is A's turn"
    assert told[2] == f"A: {own} is your own ship"
    assert told[3:5] == [f"A: {cell} is off the field of 15x15" for cell in ("P7", "A16")]
    assert told[5].startswith("A: 'hello' is not a cell")
    assert re.match(rf"\*: A {other}: (hit|sunk), a ship of B", told[6])
    assert told[7].startswith(f"A: {other} is open")
    assert told[8] == "A: nobody here plays as C"
    assert told[9] == f"*: A {miss}: miss"


def test_nothing_of_a_persons_view_is_on_the_screen_when_the_next_one_comes(play: Play, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(console, "Console", functools.partial(console.Console, force_terminal=True, no_color=True))
    monkeypatch.setattr(ui, "CURTAIN_SECONDS", 0)
    shot, other = water(melee())[:2]
    shown = "\n".join(play("melee --people 2", f"|{shot}||{other}"))
    screens = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screen) for screen in shown.split("\x1b[2J")]
    curtain, field = (next(s for s in screens if mark in s) for mark in ("B's turn", " b"))
    assert "\x1b[3J" in shown
    assert f"A {shot}: miss" in curtain and f"A {shot}: miss" in field
    assert not re.search(r"^ *\d+ ", curtain, re.MULTILINE) and not re.search(r"^ *\d+ .* a", field, re.MULTILINE)


# Salvo.


def salvo() -> Salvo:
    """Return the command's game after `random`."""
    game = Salvo(Rng(SEED))
    game.fill(0)
    game.fill(1)
    return game


def cells_of(player: int, *, ships: bool) -> list[str]:
    """Return the cells of a player of a salvo that have a ship, or those that have none."""
    own = salvo().views[player].own
    return [name(cell, 10) for cell in range(100) if (own[cell] != NONE) == ships]


def test_two_people_fire_at_once_and_sinking_both_fleets_in_a_round_is_a_draw(play: Play):
    pairs = list(zip(cells_of(0, ships=True), cells_of(1, ships=True), strict=True))
    shots = "|".join(f"A: {other}|B: {mine}" for mine, other in pairs)
    lines = play("salvo --chat --people 2", f"random|ready|B: random|B: ready|{shots}")
    assert lines[-1] == "*: a draw: both fleets sank in the same round"
    assert lines[-3].startswith(f"*: round {len(pairs)}: A fired 1 shot, hit 1 (")
    assert re.search(r"hit 1 \((\w+) x1\), sank \1$", lines[-3])


def test_a_bad_salvo_is_refused_whole_with_the_reason(play: Play):
    lines = play("salvo --chat", "random|ready|A1 A2 A1|A1 A2 A3 A4 A5 A6 A7|A1 Z9|A1 A2|A3 A1|withdraw")
    text = "\n".join(lines)
    assert "A: the salvo is refused: A1 was fired at before, or is named twice" in text
    assert "A: the salvo is refused: at most 6 shots" in text and "A: Z9 is off the field of 10x10" in text
    assert lines[-1] == "*: A withdraws: B has won"
    assert "*: round 1: A fired 2" in text and "*: round 2" not in text


@pytest.mark.parametrize(
    ("game", "typed"), [("salvo", "В1"), ("salvo", "С1"), ("classic --letters latin", "Е5"), ("melee", "М3")]
)
def test_a_letter_that_looks_like_one_of_the_columns_is_told_and_no_shot(play: Play, game: str, typed: str):
    text = "\n".join(play(f"{game} --chat", f"random|ready|{typed}"))
    assert f"{typed}: this {typed[0]} is of another alphabet than the columns" in text
    assert "off the field" not in text


@pytest.mark.parametrize("typed", ["B 7 c-8 d9", "7B, 8 C, 9-d", "б7;в8;г9", "7б 8В 9Г", "B7 8C D 9"])
def test_several_cells_may_be_typed_in_many_ways(play: Play, typed: str):
    lines = play("salvo --chat", f"random|ready|{typed}")
    fired = lines[max(i for i, line in enumerate(lines) if line == "A: your shots, by round") :]
    shown = [row[1].split() for line in fired if (row := re.match(r"A: +\d+ (.*)", line))]
    marked = [(x, y) for y, row in enumerate(shown) for x, sign in enumerate(row) if sign == "1"]
    assert marked == [(1, 6), (2, 7), (3, 8)]


@pytest.mark.parametrize(
    "placed",
    [
        "carrier B2 se|destroyer C3 e|destroyer J10 e|destroyer J1 s|remove destroyer|авианосец B2 e",
        "авианосец B2 юв|эсминец C3 в|эсминец J10 в|эсминец J1 ю|снять эсминец|carrier B2 В",
    ],
)
def test_ships_are_placed_by_hand_diagonally_too(play: Play, placed: str):
    lines = play("salvo --chat", f"{placed}|board|random|ready")
    assert lines.count("A: another ship is there or touches it") == 1
    assert lines.count("A: that is off the field") == 1
    assert lines.count("A: this ship is placed already; take it back with 'remove'") == 1
    shown = [line.split() for line in lines if re.match(r"A: +\d+ ", line)][:10]
    assert [row[2 + i] for i, row in enumerate(shown[1:6], 1)] == ["C"] * 5


def test_at_the_end_of_a_salvo_two_people_are_told_the_last_round_and_see_both_fleets(play: Play):
    """And the curtain is down until the other player is at the screen."""
    placed = "|random|ready"
    lines = play("salvo --people 2", placed)
    assert "B's turn" in lines[-2] and lines[-1].startswith("the game was left unfinished")
    pairs = list(zip(cells_of(0, ships=True), cells_of(1, ships=True), strict=True))
    lines = play("salvo --people 2", f"{placed}|{placed}||" + "||".join(f"{other}||{mine}" for mine, other in pairs))
    told = [line for line in lines if re.search(rf"[AB]: round {len(pairs)}: (your hits|received)", line)]
    assert len(told) == 4
    end = "\n".join(lines[lines.index(told[-1]) :])
    # the letters of the carrier: once for each fleet and deck, hit or not
    assert all(letter in end for letter in "CBRSD")


# Classic.


def classic() -> Variants:
    """Return the command's game after `random`: A shoots first."""
    game = Variants(Rng(SEED))
    game.start()
    assert game.turn == 0 and game.random(0) and game.random(1)
    return game


def ships(field: VariantField) -> list[str]:
    return [name(cell, field.width) for cell in range(field.cells) if field.ship[cell]]


def test_who_begins_is_drawn_or_agreed(play: Play, seabattle: Seabattle):
    for first in "AB":
        lines = play(f"classic --chat --people 2 --first {first}", PLACED)
        assert f"*: {first} shoots first" in lines and f"{first}: your turn" in lines
    placed = PLACED.split("|")
    told = [seabattle.told(f"classic --chat --people 2 --seed {seed}", typed=placed) for seed in range(8)]
    firsts = {line for out in told for line in out.splitlines() if "shoots first" in line}
    assert firsts == {"*: A shoots first", "*: B shoots first"}


def test_the_first_to_sink_all_wins_and_may_have_the_others_field_judged(play: Play):
    decks = ships(classic().fields[1])
    lines = play("classic --chat", f"random|ready|{'|'.join(decks)}|show")
    assert sum(bool(re.match(r"\*: A \w+: (hit|sunk)$", line)) for line in lines) == len(decks)
    assert "*: A has won" in lines
    assert lines[-1] == "A: the jury: B is clean; field and answers keep the rules"
    assert board_cells(lines[-12:], "A").count("#") == len(decks)


def after_the_end(play: Play, typed: str) -> list[str]:
    """Return the output from A's victory on, with this input."""
    lines = play("classic --chat --people 2", "|".join([PLACED, *ships(classic().fields[1]), typed]))
    return lines[lines.index("*: A has won") :]


def test_what_others_say_uses_up_nobodys_right_to_look(play: Play):
    end = after_the_end(play, "A: hello|A: show|B: show|B: show|A: show")
    assert end.count("A: it is B's turn") == 2 and end.count("B: it is A's turn") == 1
    assert [line[0] for line in end if "jury" in line] == ["B", "A"]


def test_the_loser_is_asked_first_and_then_the_winner(play: Play):
    assert [line for line in after_the_end(play, "show|show") if "jury" in line or "'show'" in line] == [
        "B: 'show' shows the field of A and the verdict; anything else continues",
        "B: the jury: A is clean; field and answers keep the rules",
        "A: 'show' shows the field of B and the verdict; anything else continues",
        "A: the jury: B is clean; field and answers keep the rules",
    ]


def test_what_is_typed_while_placing_is_told_to_nobody_else(play: Play):
    for typed in ("A1:D1", "a1 : a4", "Ann: A1 A2"):
        lines = play("classic --chat --people 2", typed)
        assert not any("1" in line and not line.startswith("A: ") for line in lines), typed


@pytest.mark.parametrize(("people", "typed"), [(1, "random|ready|a1 b1|c1"), (2, f"{PLACED}|a1 b1|a1 b1|c1|c1")])
def test_the_history_of_a_salvo_under_way_tells_no_shot(play: Play, people: int, typed: str, monkeypatch):
    held: list[int] = []
    ask = ui.GameUI.ask

    def looked(ui: ui.GameUI, player: int, want: ui.Want, others: object = None) -> tuple[int, str]:
        if ui.keeper.game is not None:
            held.append(len(ui.keeper.archive.game(1).moves) if ui.keeper.archive else -1)
        return ask(ui, player, want, others)  # type: ignore[arg-type]

    monkeypatch.setattr(ui.GameUI, "ask", looked)
    play(f"salvo --chat --people {people}", typed)
    assert set(held) == {0} and len(held) > 2


def test_ships_are_placed_by_their_cells_bent_where_that_is_agreed(play: Play):
    typed = "A1 A2 B1|A1 A2 A3|A3 A4|D9 E9 F9 G9|J1 J2 J3 J4 J5|remove A2|Убрать A2|K1|board"
    lines = play("classic --chat", typed)
    assert lines.count("A: this is no ship of the fleet") == 2
    for once in ("another ship is there or touches it", "there is no ship on A2", "K1 is off the field of 10x10"):
        assert lines.count(f"A: {once}") == 1
    assert board_cells(lines, "A").count("@") == 4
    assert board_cells(play("classic --chat --bent", "A1 A2 B1|board"), "A").count("@") == 3


def test_no_more_than_half_of_the_ships_are_placed_along_walls_where_that_is_agreed(play: Play):
    typed = "A1|C1|E1|G1|A3 A4|A6 A7|board"
    assert not any("along a wall" in line for line in play("classic --chat", typed))
    lines = play("classic --chat --walls", typed)
    assert sum("no more ships may stand along a wall" in line for line in lines) == 1
    assert board_cells(lines, "A").count("@") == 6


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--field 5x9", "5x9"),
        ("--field ten", "ten"),
        ("--ships 1,2,3", "1,2,3"),
        ("--ships 0,0,0,0,0", "1..250"),
        ("--field 6x6 --ships 3,3,0,0,0", "3,3,0,0,0"),
    ],
)
def test_rules_that_cannot_be_played_are_one_line(seabattle: Seabattle, arguments: str, named: str):
    assert named in seabattle.refused(f"classic {arguments}")


def test_every_finding_of_the_jury_is_put_into_words():
    game = classic()
    field, judge = game.fields[1], jury.Jury(100)
    deck = next(cell for cell in range(100) if field.ship[cell])
    found = judge.check(game.fleet, field.ship, [deck], [0], 1)
    line = verdict(judge, found, 10, COLUMNS_EN, "B")
    assert f"shot 1 at {name(deck, 10)} was answered 'miss'" in line and "B cheated" in line
    for finding in range(jury.CLEAN, jury.BROKEN_SEAL + 1):
        assert "B" in verdict(judge, finding, 10, COLUMNS_EN, "B")


def test_an_answer_that_cannot_be_true_ends_the_game_at_the_screen(play: Play, monkeypatch: pytest.MonkeyPatch):
    class Cheat(VariantField):
        def shoot(self, cell: int) -> int:
            return MISS

    monkeypatch.setattr(variants, "VariantField", Cheat)
    lines = play("classic --people 0")
    assert re.fullmatch(r"the answer of ([AB]) at \w+ cannot be true: that ends the game", lines[-2])
    assert lines[-1] == f"{'BA'['AB'.index(lines[-2].split()[3])]} has won"


@pytest.mark.parametrize(("letters", "header"), [("russian", "АБВГДЕЖЗИК"), ("russian-yo", "АБВГДЕЁЖЗИ")])
def test_columns_have_russian_letters_with_or_without_yo(play: Play, letters: str, header: str):
    last = header[-1]
    lines = play(f"classic --chat --letters {letters}", f"{last}1 {last.lower()}2|1а|ж9|board|remove {last}3")
    assert "A:     " + " ".join(header) in lines
    shown = [row[1].split() for line in lines if (row := re.match(r"A: +\d+ (.*)", line))]
    decks = [(x, y) for y, row in enumerate(shown) for x, sign in enumerate(row) if sign == "@"]
    assert decks == [(0, 0), (9, 0), (9, 1), (header.index("Ж"), 8)]
    assert f"A: there is no ship on {last}3" in lines


@pytest.fixture
def chat(seabattle: Seabattle) -> Play:
    """A game by chat."""
    return lambda words, typed="": seabattle.game(f"{words} --chat", typed)


BOTH_PLACED = "A: random|A: ready|B: random|B: ready"
"""Input of two players up to the battle."""


def last() -> Game:
    with Archive() as archive:
        return archive.games()[-1]


@pytest.mark.parametrize("kind", ["classic", "salvo"])
@pytest.mark.parametrize("word", ["withdraw", "surrender", "сдаюсь"])
@pytest.mark.parametrize("loser", [0, 1])
def test_who_surrenders_has_lost_whoevers_turn_it_is(chat: Play, kind: str, word: str, loser: int):
    names = ["Anna", "Boris"]
    lines = chat(f"{kind} --names Anna,Boris", f"{BOTH_PLACED}|{names[loser]}: {word}")
    assert f"*: {names[loser]} withdraws: {names[1 - loser]} has won" in lines
    game = last()
    assert (review.winner(game), game.ending, game.players) == (1 - loser, "surrender", names)


@pytest.mark.parametrize("kind", ["classic", "salvo"])
def test_who_surrenders_before_the_first_shot_has_lost_too(chat: Play, kind: str):
    assert "*: B withdraws: A has won" in chat(f"{kind} --people 2", "A: random|B: withdraw")


@pytest.mark.parametrize("word", ["withdraw", "quit"])
def test_in_a_melee_who_gives_up_is_out_and_the_others_play_on(chat: Play, word: str):
    model = Melee(Rng(4))
    model.deploy()
    water = [f"{chr(65 + c % 15)}{c // 15 + 1}" for c in range(melees.CELLS) if not model.ship[c]]
    lines = chat("melee --people 3", f"A: {water[0]}|A: {word}|B: {water[-1]}|C: quit")
    assert "*: A gives up and is out; the ships are open to all" in lines
    assert lines[-1] == "*: B has won, C is second"
    shown = [line for line in lines if line.startswith("C: ")]
    assert any("A out" in line for line in shown) and sum(line.count("#A") for line in shown) >= 20
    game = last()
    assert game.details["places"] == [3, 1, 2] and game.result == "lost"
    assert sum(sign == "#A" for sign in review.views(game, game.moves, 1)[0].signs) == 20
    assert "gives up" in review.move_facts(game, 1)


def test_the_history_of_a_melee_names_the_owner_and_who_went_out(chat: Play):
    chat("melee --people 0")
    game = last()
    facts = [review.move_facts(game, number) for number in range(1, len(game.moves) + 1)]
    assert [bool(fact) for fact in facts] == [bool(move.result) for move in game.moves]
    out = [re.findall(r"(\w) is out", fact)[0] for fact in facts if "is out" in fact]
    assert [game.details["places"]["ABC".index(name)] for name in out] == [3, 2]


@pytest.mark.parametrize("kind", ["classic --first A", "salvo", "melee"])
def test_who_is_away_is_skipped_only_after_the_time_that_was_agreed(chat: Play, kind: str, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(ui.time, "monotonic", lambda: now[0])
    read = ui.GameUI._read

    def later(ui: ui.GameUI) -> str:
        line = read(ui)
        while line.startswith("wait"):
            now[0] += float(line.split()[1])
            line = read(ui)
        return line

    monkeypatch.setattr(ui.GameUI, "_read", later)
    typed = ("" if kind == "melee" else BOTH_PLACED + "|") + "wait 100|B: skip|A: skip|wait 21|A: skip|B: skip|B: board"
    never = chat(f"{kind} --people 2", typed)
    assert sum("players are not skipped" in line for line in never) == 4
    assert not any("away and skipped" in line for line in never)
    lines = chat(f"{kind} --people 2 --away 2", typed)
    assert sum("A may be skipped in 20 seconds" in line for line in lines) == 2
    assert lines.count("A: the game is waiting for you") == 1
    assert lines.count("*: A is away and was skipped") == 1
    if kind != "salvo":
        assert "B: your turn" in lines[lines.index("*: A is away and was skipped") :]


def test_who_is_away_from_the_screen_is_skipped_without_a_look_at_the_field(seabattle: Seabattle):
    typed = ["", "random", "ready", "", "random", "ready", "", "A1", "skip", "", "quit"]
    options = "--people 2 --first A --away 0.000001 --seed 4"
    lines = seabattle.told(f"classic {options}", typed=typed).splitlines()
    at = lines.index("B is away and was skipped")
    shown = next(i for i, line in enumerate(lines) if "A A1: " in line)
    assert not any(re.match(r" *\d+ ", line) for line in lines[shown + 1 : at]), lines[shown:at]


@pytest.mark.parametrize(
    ("names", "named"),
    [("anna,Anna", "anna"), ("B", "B"), ("x1", "x1"), ("a:b", "a:b"), ("A,B,C,D", "4"), ("n" * 21, "n" * 21)],
)
def test_names_that_cannot_be_told_apart_are_one_line(seabattle: Seabattle, names: str, named: str):
    assert named in seabattle.refused(f"classic --names {names}")


def rows_of(lines: list[str]) -> list[list[str]]:
    return [line.split()[2:] for line in lines if re.match(r"A: +\d+ ", line)]


@pytest.mark.parametrize("ends", ["A1-A4", "A1:A4", "a4..a1", "A1 - A4", "A1 A4-A2", "1A-4A", "А1-А4"])
def test_ships_are_given_by_their_ends(chat: Play, ends: str):
    assert [row[0] for row in rows_of(chat("classic", f"{ends}|board"))] == ["@"] * 4 + ["."] * 6


@pytest.mark.parametrize("ends", ["carrier A1-E5", "carrier E5:A1", "carrier A1 E5", "carrier A1 se"])
def test_ships_of_a_salvo_are_given_by_their_ends_diagonally_too(chat: Play, ends: str):
    rows = rows_of(chat("salvo", f"{ends}|board"))
    assert [row.index("C") for row in rows if "C" in row] == [0, 1, 2, 3, 4]


def test_a_fleet_whose_rest_has_no_room_is_not_moved_but_said_to_have_none(chat: Play):
    lines = chat("salvo", "battleship E1-E4|cruiser E7-E9|submarine A5-C5|destroyer H5-I5|random|carrier A1-A5")
    assert any("there is no room for the rest" in line for line in lines)
    assert any("touches" in line for line in lines[-3:]), lines[-3:]


def test_ends_that_are_no_straight_ship_are_told(chat: Play):
    assert "A: A1 and B3 are not the ends of a straight ship" in chat("classic", "A1-B3")
    lines = chat("salvo", "carrier A1-D1|carrier A1-C2|carrier A1-Z1")
    assert "A: carrier has 5 decks, and from A1 to D1 there are 4" in lines
    assert "A: A1 and C2 are not the ends of a straight ship" in lines
    assert any("Z1" in line for line in lines)


@pytest.mark.parametrize("kind", ["classic", "salvo"])
def test_before_the_first_shot_a_ship_may_be_taken_back_and_all_placed_anew(chat: Play, kind: str):
    lines = chat(kind, "random|random|clear|ready|random|ready")
    rows = [line for line in lines if re.match(r"A: +\d+ ", line) and set(line) & set("@C")]
    assert len(set(rows)) > 3
    assert sum("the fleet is whole" in line for line in lines) == 2
    assert any(line.startswith("A: round 1") or line == "A: your turn" or "shoots first" in line for line in lines)


def test_in_a_salvo_by_chat_both_aim_at_once(chat: Play):
    lines = chat("salvo --people 2", f"{BOTH_PLACED}|B: a1|B: b1|A: c1|A: d1")
    assert "B: fired; A is still aiming" in lines and "B: you have fired in this round" in lines
    assert sum(line.startswith("A: round 1: your hits") for line in lines) == 1
    assert "A: round 2: up to 6 shots" in lines and "A: fired; B is still aiming" in lines


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("classic", "left of B: 4x1 3x2 2x3 1x4"),
        ("salvo", "left of B: carrier, battleship, cruiser, submarine, destroyer"),
        ("melee", "B 4x1 3x2 2x3 1x4  |  C 4x1 3x2 2x3 1x4"),
    ],
)
def test_what_is_left_of_each_enemy_fleet_is_always_told(chat: Play, kind: str, left: str):
    placed = "" if kind == "melee" else BOTH_PLACED + "|"
    assert chat(f"{kind} --people 2", f"{placed}A: board").count(f"A: {left}") >= 2


@pytest.mark.parametrize("kind", ["classic", "salvo", "melee"])
@pytest.mark.parametrize("level", LEVELS)
def test_computers_of_every_level_play_to_the_end(chat: Play, kind: str, level: str):
    lines = chat(f"{kind} --people 0 --level {level}")
    assert "has won" in lines[-1] or "a draw" in lines[-1]
    assert all(line.startswith("*: ") for line in lines)


def test_a_failure_of_the_program_ends_a_salvo_without_a_winner(chat: Play, seabattle: Seabattle, monkeypatch):
    def fails(game: Salvo) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Salvo, "_resolve", fails)
    with pytest.raises(ZeroDivisionError):
        chat("salvo", "random|ready|A1")
    assert (last().result, last().ending) == ("none", "failure")
    seabattle.refused("resume")


def test_a_salvo_in_which_all_is_skipped_comes_to_an_end():
    game = Salvo(Rng(1))
    game.fill(0)
    game.fill(1)
    for _ in range(2 * salvos.ROUNDS_MAX):
        game.skip(game.fired[0])
    assert (game.stage, game.outcome) == (salvos.OVER, salvos.ABANDONED)
