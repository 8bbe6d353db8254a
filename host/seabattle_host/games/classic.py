"""`seabattle classic`: the classic game and its variants, against the computer or two people at one screen or in lines.

After the game the loser, and then the winner, may ask to see the other's field; the jury holds it against the rules
and against every answer of the game.
"""

from __future__ import annotations

import argparse
import re
import secrets

from rich.text import Text

from seabattle import classic as stages
from seabattle import field as fields
from seabattle import jury, radar, variants
from seabattle.classic import OVER
from seabattle.rng import Rng
from seabattle.variants import MAX_LENGTH, VariantField, VariantGunner, VariantRadar, Variants
from seabattle_host import options
from seabattle_host.games.phrases import say
from seabattle_host.games.rules import add_rules, rules_of
from seabattle_host.games.table import Left, Table
from seabattle_host.text import COLUMNS_EN, COLUMNS_RU

NAMES = "AB"

LETTERS = {"latin": COLUMNS_EN, "russian": COLUMNS_RU, "russian-yo": COLUMNS_RU.replace("Е", "ЕЁ")[:-1]}
"""Ways of naming columns -> the letters from the left; the Russian ones without Й, and without or with Ё."""

WATER, SHIP, MISS, EMPTY, HIT, SUNK = ".@o-X#"
"""The signs of a field."""

_STYLES = {WATER: "dim", SHIP: "bold cyan", MISS: "", EMPTY: "dim", HIT: "bold yellow", SUNK: "bold red"}
_SEEN = {radar.UNKNOWN: WATER, radar.MISS: MISS, radar.HIT: HIT, radar.SUNK: SUNK, radar.EMPTY: EMPTY}
_RESULTS = {fields.MISS: "classic_miss", fields.HIT: "classic_hit", fields.SUNK: "classic_sunk"}
_ANSWERS = {**_RESULTS, fields.REPEAT: "classic_repeat"}
_REFUSALS = {
    variants.BAD_SHAPE: "bad_shape",
    fields.OVERLAP: "touches",
    fields.TOUCH: "touches",
    fields.NONE_LEFT: "none_left",
    stages.NOT_NOW: "not_now",
}
_FINDINGS = {
    jury.CLEAN: "jury_clean",
    jury.BAD_SHIP: "jury_bad_ship",
    jury.TOUCHING: "jury_touching",
    jury.TOO_MANY: "jury_too_many",
    jury.TOO_FEW: "jury_too_few",
    jury.FALSE_ANSWER: "jury_false_answer",
    jury.BAD_RECORD: "jury_bad_record",
}


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("classic_about")
    parser = subparsers.add_parser("classic", help=about, description=about)
    parser.add_argument("--people", type=options.whole(0, 2), default=1, metavar="0..2", help=say("help_people"))
    parser.add_argument("--chat", action="store_true", help=say("help_chat"))
    parser.add_argument("--letters", choices=LETTERS, default="latin", help=say("help_letters"))
    add_rules(parser)
    options.add_seed(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; return the exit status."""
    rules = rules_of(args)
    seed = secrets.randbelow(options.SEED_MOST + 1) if args.seed is None else args.seed
    game = Variants(Rng(seed))
    game.fleet = rules
    game.start()
    table = Table(NAMES, args.people, args.chat, LETTERS[args.letters])
    try:
        play(game, table)
    except Left:
        if game.stage != OVER:
            table.tell(None, say("left"))
    return 0


def play(game: Variants, table: Table) -> None:
    """Place, play and judge a new game. Raises Left when a person leaves."""
    gunners = [VariantGunner(known, game.rng) for known in game.radars]
    record: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for player in (0, 1):
        if player < table.people:
            _place(game, table, player)
        else:
            while not game.random(player):
                pass
            game.ready(player)
    table.tell(None, say("classic_begin", name=NAMES[game.turn]))
    shown = -1
    while game.stage != OVER:
        player = game.turn
        if player >= table.people:
            game.shoot(player, gunners[player].aim())
        else:
            if shown != player:
                table.curtain(player)
                _show(game, table, player)
                table.tell(player, say("your_turn"))
                shown = player
            before = sum(game.shots)
            _turn(game, table, player)
            if sum(game.shots) == before:
                continue
        record[game.last_player].append((game.last, game.last_result))
        cell = table.name(game.last, game.fleet.width)
        table.tell(None, say(_RESULTS[game.last_result], name=NAMES[game.last_player], cell=cell))
        if game.turn != shown:
            shown = -1
    table.tell(None, say("salvo_won", name=NAMES[game.winner]))
    for player in (1 - game.winner, game.winner):
        if player < table.people:
            _judge(game, table, player, record[player])


def picture(field: VariantField | None, known: VariantRadar, own: bool, letters: str = COLUMNS_EN) -> list[Text]:
    """A field, two signs a cell: `own` shows all of `field`, otherwise what `known` has learnt of it."""
    source = field if own and field is not None else known
    lines = [Text("   " + "".join(f" {letter}" for letter in letters[: source.width]))]
    for y in range(source.height):
        line = Text(f"{y + 1:2} ")
        for cell in range(y * source.width, (y + 1) * source.width):
            sign = _own(field, cell) if own and field is not None else _SEEN[known.cell[cell]]
            line.append(f" {sign}", _STYLES[sign])
        lines.append(line)
    return lines


def _own(field: VariantField, cell: int) -> str:
    if not field.ship[cell]:
        return {0: WATER, 1: MISS, 2: EMPTY}[field.mark[cell]]
    return SUNK if field.is_sunk(cell) else HIT if field.is_hit(cell) else SHIP


def verdict(judge: jury.Jury, found: int, cell: str, name: str) -> str:
    """What the jury has found on the field of the player `name`, in words. cell: the name of the cell it found."""
    return say(
        _FINDINGS[found],
        name=name,
        cell=cell,
        length=judge.length,
        shot=judge.shot + 1,
        said=say(_ANSWERS[judge.said], name="", cell="").strip(" :") if judge.said in _ANSWERS else "?",
        truth=say(_ANSWERS[judge.truth], name="", cell="").strip(" :") if judge.truth in _ANSWERS else "?",
    )


def _show(game: Variants, table: Table, player: int) -> None:
    """Both fields as the player sees them, side by side once there is a battle."""
    mine = picture(game.fields[player], game.radars[player], True, table.letters)
    theirs = picture(None, game.radars[player], False, table.letters)
    for left, right in zip(mine, theirs, strict=True):
        line = left.copy()
        if game.stage != stages.PLACING:
            line.append(" " * (3 + 2 * game.fleet.width - len(left)) + "   ")
            line.append_text(right)
        table.tell(player, line)
    table.tell(player, say("classic_legend"))


def _place(game: Variants, table: Table, player: int) -> None:
    field = game.fields[player]
    table.curtain(player)
    table.tell(player, say("classic_place_help"))
    while not field.complete():
        speaker, typed = table.ask(player)
        word = typed.lower()
        if speaker != player:
            table.tell(speaker, say("not_now"))
        elif word == "board":
            _show(game, table, player)
            left = [f"{length} x{field.left(length)}" for length in range(MAX_LENGTH, 0, -1) if field.left(length)]
            table.tell(player, say("classic_left", ships=", ".join(left)))
        elif word == "random":
            if not game.fill(player):
                table.tell(player, say("no_filling"))
        elif word == "clear":
            field.clear()
        else:
            _place_one(game, table, player, typed)
    game.ready(player)
    table.tell(player, say("salvo_placed"))
    _show(game, table, player)


def _place_one(game: Variants, table: Table, player: int, typed: str) -> None:
    """All cells of a ship, or `remove` and one of them."""
    field = game.fields[player]
    names = re.split(r"[\s,;]+", typed.strip(" ,;"))
    removing = names[0].lower() == "remove" and len(names) > 1
    cells = []
    for name in names[1:] if removing else names:
        cell = table.cell(name, field.width, field.height)
        if cell < 0:
            table.tell(player, say("no_cell", text=name, help=say("classic_place_help")))
            return
        cells.append(cell)
    if removing:
        if not field.remove(cells[0]):
            table.tell(player, say("no_ship_there", cell=table.name(cells[0], field.width)))
        return
    cells = sorted(set(cells))
    why = field.place_cells(cells, len(cells))
    if why:
        table.tell(player, say(_REFUSALS[why]))


def _turn(game: Variants, table: Table, player: int) -> None:
    """One command of the person whose turn it is, or of another."""
    speaker, typed = table.ask(player)
    if typed.lower() == "board":
        _show(game, table, speaker)
        return
    field = game.fields[1 - speaker]
    cell = table.cell(typed, field.width, field.height)
    if cell < 0:
        table.tell(speaker, say("no_cell", text=typed, help=say("melee_help")))
        return
    why = game.shoot(speaker, cell)
    if why == stages.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=NAMES[game.turn]))
    elif why == stages.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=table.name(cell, field.width)))


def _judge(game: Variants, table: Table, player: int, record: list[tuple[int, int]]) -> None:
    """Show a person the other's field, if asked for, with what the jury says."""
    table.curtain(player)
    table.tell(player, say("may_see", name=NAMES[1 - player]))
    _speaker, typed = table.ask(player)
    if typed.lower() != "show":
        return
    field = game.fields[1 - player]
    for line in picture(field, game.radars[player], True, table.letters):
        table.tell(player, line)
    judge = jury.Jury()
    cells, answers = [cell for cell, _ in record], [answer for _, answer in record]
    found = judge.check(game.fleet, field.ship, cells, answers, len(record))
    cell = table.name(judge.cell, field.width) if judge.cell >= 0 else ""
    table.tell(player, verdict(judge, found, cell, NAMES[1 - player]))
