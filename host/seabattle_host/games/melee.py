"""`seabattle melee`: three players on one field, any mix of people and computers at one screen or as lines of text."""

from __future__ import annotations

import argparse
import secrets

from rich.text import Text

from seabattle import melee as rules
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import NOBODY, PLAYERS, SIZE, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle_host import options
from seabattle_host.games.phrases import say
from seabattle_host.games.table import Left, Table
from seabattle_host.text import COLUMNS_EN, cell_name, parse_cell

NAMES = "ABC"

LIGHT = ("#87cefa", "#90ee90", "#ffc680")
"""The players' colours: light blue, light green, light orange."""
DARK = ("#1e64b4", "#228b22", "#cc6600")
"""A darker shade of each, for what is hit and sunk."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("melee_about")
    parser = subparsers.add_parser("melee", help=about, description=about)
    parser.add_argument("--people", type=options.whole(0, PLAYERS), default=1, metavar="0..3", help=say("help_people"))
    parser.add_argument("--chat", action="store_true", help=say("help_chat"))
    parser.add_argument("--lot", action="store_true", help=say("help_lot"))
    options.add_seed(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; return the exit status."""
    seed = secrets.randbelow(options.SEED_MOST + 1) if args.seed is None else args.seed
    game = Melee(Rng(seed))
    game.start(args.lot)
    game.deploy()
    table = Table(NAMES, args.people, args.chat)
    try:
        play(game, table)
    except Left:
        table.tell(None, say("left"))
    return 0


def play(game: Melee, table: Table) -> None:
    """Play a game that is deployed to its end. Raises Left when a person leaves."""
    gunners = [MeleeGunner(game, player, game.rng) for player in range(PLAYERS)]
    order = ", ".join(NAMES[player] for player in game.order)
    table.tell(None, say("melee_begin", order=order, computers=", ".join(NAMES[table.people :]) or say("nobody")))
    shown = NOBODY
    while game.winner() == NOBODY:
        player = game.turn
        if player < table.people:
            if shown != player:
                table.curtain(player)
                show(game, table, player)
                table.tell(player, say("your_turn"))
                shown = player
            if _turn(game, table, player):
                _announce(game, table)
        else:
            game.shoot(player, gunners[player].aim())
            _announce(game, table)
        if game.turn != shown:
            shown = NOBODY
    # at the screen everybody looks now, so that it is the view of a spectator
    for line in picture(game, NOBODY, table.pretty):
        table.tell(None, line)
    places = list(game.place)
    table.tell(None, say("melee_won", name=NAMES[game.winner()], second=NAMES[places.index(2)]))


def show(game: Melee, table: Table, player: int) -> None:
    """The field as a player sees it, for that player."""
    for line in picture(game, player, table.pretty):
        table.tell(player, line)


def picture(game: Melee, player: int, pretty: bool = False) -> list[Text]:
    """The field as a player sees it (NOBODY: a spectator), two letters a cell; signs beyond ASCII if `pretty`."""
    lines = [Text("   " + "".join(f" {letter}" for letter in COLUMNS_EN[:SIZE]))]
    for y in range(SIZE):
        line = Text(f"{y + 1:2} ")
        for x in range(SIZE):
            line.append_text(_cell(game, player, y * SIZE + x, pretty))
        lines.append(line)
    own = NAMES[player].lower() if player != NOBODY else "-"
    lines.append(Text(say("melee_legend", own=own)))
    return lines


def _cell(game: Melee, player: int, cell: int, pretty: bool) -> Text:
    seen = game.seen(player, cell)
    owner = game.owner_seen(player, cell)
    last = game.last_mark(cell)
    if seen == rules.UNKNOWN:
        return Text(" .", "dim")
    if seen == rules.WATER:
        if pretty:
            return Text(" •", "red" if last else "")
        return Text("!o" if last else " o")
    if seen == rules.OWN:
        return Text(" " + NAMES[owner].lower(), f"black on {LIGHT[owner]}")
    if seen == rules.WRECK and last:
        return Text("💣" if pretty else "*" + NAMES[owner], f"white on {DARK[owner]}")
    mark = ("!" if last else "#" if seen == rules.WRECK else " ") + NAMES[owner]
    return Text(mark, "white on red" if last else f"white on {DARK[owner]}")


def _turn(game: Melee, table: Table, player: int) -> bool:
    """One command of the person whose turn it is, or of another: whether it was a shot that counts."""
    speaker, typed = table.ask(player)
    if typed.lower() == "board":
        show(game, table, speaker)
        return False
    place = parse_cell(typed, SIZE)
    if place is None:
        table.tell(speaker, say("no_cell", text=typed, help=say("melee_help")))
        return False
    name = cell_name(*place)
    result = game.shoot(speaker, (place[1] - 1) * SIZE + place[0] - 1)
    if result == rules.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=NAMES[game.turn]))
    elif result == rules.OWN_SHIP:
        table.tell(speaker, say("own_ship", cell=name))
    elif result == rules.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=name))
    return result in (MISS, HIT, SUNK)


def _announce(game: Melee, table: Table) -> None:
    """The last move, for everybody."""
    key = {MISS: "melee_miss", HIT: "melee_hit", SUNK: "melee_sunk"}[game.last_result]
    cell = cell_name(game.last % SIZE + 1, game.last // SIZE + 1)
    owner = game.owner_seen(NOBODY, game.last)
    table.tell(None, say(key, name=NAMES[game.last_player], cell=cell, owner="" if owner == NOBODY else NAMES[owner]))
    if game.out != NOBODY:
        table.tell(None, say("melee_out", name=NAMES[game.out]))
