"""`seabattle melee`: three players on one field, any mix of people and computers at one screen or as lines of text."""

from __future__ import annotations

from seabattle import melee as rules
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import NOBODY, PLAYERS, SIZE, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle_host.games import computers, recording
from seabattle_host.games.field_view import NAMES, melee_field
from seabattle_host.games.setup import Setup
from seabattle_host.games.table import SKIP, WITHDRAW, Left, Table, Want
from seabattle_host.language.messages import say


def play(setup: Setup, table: Table) -> None:
    """Place three fleets and play to the end. Raises Left when a person leaves."""
    game = Melee(Rng(setup.seed))
    game.start(setup.lot)
    game.deploy()
    fleets = recording.melee_fleets(game)
    table.keeper.begin(recording.melee_game(game, table.people, table.called), fleets)
    try:
        _play(game, table, setup.level)
    except (Left, KeyboardInterrupt):
        table.keeper.left(fleets)
        raise
    first = game.winner()
    table.keeper.end(fleets, recording.result_for_first(first), "shots", list(game.place))
    # at the screen everybody looks now, so that it is the view of a spectator
    _show(game, table, None)
    second = list(game.place).index(2)
    table.tell(None, say("melee_won", name=table.call(first), second=table.call(second)))


def _play(game: Melee, table: Table, level: int) -> None:
    gunners = [MeleeGunner(game, player, game.rng) for player in range(PLAYERS)]
    order = ", ".join(table.call(player) for player in game.order)
    seats = ", ".join(table.call(player) for player in range(table.people, PLAYERS))
    table.tell(None, say("melee_begin", order=order, computers=seats or say("nobody")))
    shown = NOBODY
    while game.winner() == NOBODY:
        player = game.turn
        if table.apart:
            for seat in range(table.people):
                _show(game, table, seat)
        if player < table.people:
            if shown != player:
                table.turn_begins()
                table.curtain(player)
                _show(game, table, player)
                table.tell(player, say("games_your_turn"))
                shown = player
            if _turn(game, table, player):
                _announce(game, table)
                if game.turn == player and game.winner() == NOBODY:
                    if not table.chat:
                        _show(game, table, player)
                    table.tell(player, say("shoot_again"))
        else:
            game.shoot(player, computers.melee(game, player, gunners[player], level))
            _announce(game, table)
            if table.live:
                # people who sit side by side look at what all may see
                _show(game, table, 0 if table.people == 1 else None)
            table.pause()
        if game.turn != shown:
            shown = NOBODY


def left_of(game: Melee, table: Table, player: int | None) -> str:
    """What is left of the fleets of the others, which everybody knows: every sinking is seen."""
    told = []
    for other in range(PLAYERS):
        if other == player:
            continue
        ships = [f"{length}x{game.afloat(other, length)}" for length in range(4, 0, -1) if game.afloat(other, length)]
        told.append(f"{table.call(other)} {' '.join(ships) or say('left_out')}")
    return " · ".join(told) if table.pretty else "  |  ".join(told)


def _show(game: Melee, table: Table, player: int | None) -> None:
    """The field as a player sees it, or a spectator, for that player or for everybody."""
    viewer, own = (NOBODY, "-") if player is None else (player, NAMES[player].lower())
    legend = say("melee_legend_colours") if table.pretty else say("melee_legend", own=own)
    table.show(player, [melee_field(game, viewer, say("melee_field"))], legend, left_of(game, table, player))


def _turn(game: Melee, table: Table, player: int) -> bool:
    """One command of the person whose turn it is, or of another: whether it was a shot that counts."""
    want = Want(say("melee_help"), shots=1, words=[(WITHDRAW, say("word_withdraw"))], alone=True)
    speaker, typed = table.ask(player, want)
    word = typed.lower()
    if word == SKIP:
        game.skip()
        table.tell(None, say("skipped", name=table.call(player)))
        return False
    if word == WITHDRAW:
        _leave(game, table, speaker)
        return False
    if word == "board":
        _show(game, table, speaker)
        return False
    cell = table.cell(typed, SIZE, SIZE)
    if cell < 0:
        table.tell(speaker, table.no_cell(typed, SIZE, SIZE, say("melee_help")))
        return False
    result = game.shoot(speaker, cell)
    name = table.name(cell, SIZE)
    if result == rules.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=table.call(game.turn)))
    elif result == rules.OWN_SHIP:
        table.tell(speaker, say("own_ship", cell=name))
    elif result == rules.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=name))
    return result in (MISS, HIT, SUNK)


def _leave(game: Melee, table: Table, player: int) -> None:
    """One gives up, and the others play on."""
    if not game.leave(player):
        table.tell(player, say("not_now"))
        return
    kept = table.keeper.game
    if kept is not None:
        gone = [*kept.details.get("left", []), [player, len(kept.moves)]]
        table.keeper.note("left", [list(one) for one in dict(map(tuple, gone)).items()])
    table.tell(None, say("melee_left", name=table.call(player)))


def _announce(game: Melee, table: Table) -> None:
    """The last move, for everybody and for the archive."""
    table.keeper.move(game.last_player, game.last, game.last_result)
    key = {MISS: "melee_miss", HIT: "melee_hit", SUNK: "melee_sunk"}[game.last_result]
    cell = table.name(game.last, SIZE)
    owner = game.owner_seen(NOBODY, game.last)
    whose = "" if owner == NOBODY else table.call(owner)
    table.tell(None, say(key, name=table.call(game.last_player), cell=cell, owner=whose))
    if game.out != NOBODY:
        table.tell(None, say("melee_out", name=table.call(game.out)))
