"""`seabattle melee`: three players on one field, any mix of people and computers at one screen or as lines of text."""

from __future__ import annotations

from seabattle import melee as rules
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import NOBODY, PLAYERS, SIZE, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle_host.games import recording
from seabattle_host.games.field_view import NAMES, melee_field
from seabattle_host.games.setup import Setup
from seabattle_host.games.table import Left, Table, Want
from seabattle_host.language.games_phrases import say


def play(setup: Setup, table: Table) -> None:
    """Place three fleets and play to the end. Raises Left when a person leaves."""
    game = Melee(Rng(setup.seed))
    game.start(setup.lot)
    game.deploy()
    fleets = recording.melee_fleets(game)
    table.keeper.begin(recording.melee_game(game, table.people), fleets)
    try:
        _play(game, table)
    except (Left, KeyboardInterrupt):
        table.keeper.end(fleets, *recording.unfinished())
        raise
    first = game.winner()
    table.keeper.end(fleets, recording.result_for_first(first), "shots", list(game.place))
    # at the screen everybody looks now, so that it is the view of a spectator
    _show(game, table, None)
    table.tell(None, say("melee_won", name=NAMES[first], second=NAMES[list(game.place).index(2)]))


def _play(game: Melee, table: Table) -> None:
    gunners = [MeleeGunner(game, player, game.rng) for player in range(PLAYERS)]
    order = ", ".join(NAMES[player] for player in game.order)
    table.tell(None, say("melee_begin", order=order, computers=", ".join(NAMES[table.people :]) or say("nobody")))
    shown = NOBODY
    while game.winner() == NOBODY:
        player = game.turn
        if player < table.people:
            if shown != player:
                table.curtain(player)
                _show(game, table, player)
                table.tell(player, say("your_turn"))
                shown = player
            if _turn(game, table, player):
                _announce(game, table)
                if game.turn == player and game.winner() == NOBODY:
                    if not table.chat:
                        _show(game, table, player)
                    table.tell(player, say("shoot_again"))
        else:
            game.shoot(player, gunners[player].aim())
            _announce(game, table)
            if table.live:
                # people who sit side by side look at what all may see
                _show(game, table, 0 if table.people == 1 else None)
            table.pause()
        if game.turn != shown:
            shown = NOBODY


def _show(game: Melee, table: Table, player: int | None) -> None:
    """The field as a player sees it, or a spectator, for that player or for everybody."""
    viewer, own = (NOBODY, "-") if player is None else (player, NAMES[player].lower())
    legend = say("melee_legend_colours") if table.pretty else say("melee_legend", own=own)
    table.show(player, [melee_field(game, viewer, say("melee_field"))], legend)


def _turn(game: Melee, table: Table, player: int) -> bool:
    """One command of the person whose turn it is, or of another: whether it was a shot that counts."""
    speaker, typed = table.ask(player, Want(say("melee_help"), shots=1))
    if typed.lower() == "board":
        _show(game, table, speaker)
        return False
    cell = table.cell(typed, SIZE, SIZE)
    if cell < 0:
        table.tell(speaker, table.no_cell(typed, SIZE, SIZE, say("melee_help")))
        return False
    result = game.shoot(speaker, cell)
    name = table.name(cell, SIZE)
    if result == rules.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=NAMES[game.turn]))
    elif result == rules.OWN_SHIP:
        table.tell(speaker, say("own_ship", cell=name))
    elif result == rules.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=name))
    return result in (MISS, HIT, SUNK)


def _announce(game: Melee, table: Table) -> None:
    """The last move, for everybody and for the archive."""
    table.keeper.move(game.last_player, game.last, game.last_result)
    key = {MISS: "melee_miss", HIT: "melee_hit", SUNK: "melee_sunk"}[game.last_result]
    cell = table.name(game.last, SIZE)
    owner = game.owner_seen(NOBODY, game.last)
    table.tell(None, say(key, name=NAMES[game.last_player], cell=cell, owner="" if owner == NOBODY else NAMES[owner]))
    if game.out != NOBODY:
        table.tell(None, say("melee_out", name=NAMES[game.out]))
