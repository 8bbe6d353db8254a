"""The melee: three players on one field, any mix of people and computers, at one screen or as lines of text."""

from __future__ import annotations

from seabattle import melee as rules
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import NOBODY, PLAYERS, SIZE, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle_host.games import computers, recording
from seabattle_host.games.field_view import NAMES, melee_field
from seabattle_host.games.setup import Setup
from seabattle_host.games.ui import SKIP, WITHDRAW, GameUI, Left, Want
from seabattle_host.language.messages import tr


def play(setup: Setup, ui: GameUI) -> None:
    """Place three fleets and play to the end. Raises Left when a player leaves."""
    game = Melee(Rng(setup.seed))
    game.start(setup.lot)
    game.deploy()
    fleets = recording.melee_fleets(game)
    ui.keeper.begin(recording.melee_game(game, ui.people, ui.called), fleets)
    try:
        _play(game, ui, setup.level)
    except (Left, KeyboardInterrupt):
        ui.keeper.left(fleets)
        raise
    first = game.winner()
    ui.keeper.end(fleets, recording.result_for_first(first), "shots", list(game.place))
    # everybody looks at the screen now, so it is a spectator's view
    _show(game, ui, None)
    second = list(game.place).index(2)
    ui.tell(None, tr("melee_won", name=ui.call(first), second=ui.call(second)))


def _play(game: Melee, ui: GameUI, level: int) -> None:
    gunners = [MeleeGunner(game, player, game.rng) for player in range(PLAYERS)]
    order = ", ".join(ui.call(player) for player in game.order)
    seats = ", ".join(ui.call(player) for player in range(ui.people, PLAYERS))
    ui.tell(None, tr("melee_begin", order=order, computers=seats or tr("nobody")))
    viewer = NOBODY
    while game.winner() == NOBODY:
        player = game.turn
        if ui.apart:
            for seat in range(ui.people):
                _show(game, ui, seat)
        if player < ui.people:
            if viewer != player:
                ui.turn_begins()
                ui.curtain(player)
                _show(game, ui, player)
                ui.tell(player, tr("games_your_turn"))
                viewer = player
            if _turn(game, ui, player):
                _announce(game, ui)
                if game.turn == player and game.winner() == NOBODY:
                    if not ui.chat:
                        _show(game, ui, player)
                    ui.tell(player, tr("shoot_again"))
        else:
            game.shoot(player, computers.melee(game, player, gunners[player], level))
            _announce(game, ui)
            if ui.live:
                # players at one screen see a spectator's view
                _show(game, ui, 0 if ui.people == 1 else None)
            ui.pause()
        if game.turn != viewer:
            viewer = NOBODY


def left_of(game: Melee, ui: GameUI, player: int | None) -> str:
    """Describe what is left of the others' fleets, known to all: every sinking is seen."""
    counts = []
    for other in range(PLAYERS):
        if other == player:
            continue
        ships = [f"{length}x{game.afloat(other, length)}" for length in range(4, 0, -1) if game.afloat(other, length)]
        counts.append(f"{ui.call(other)} {' '.join(ships) or tr('left_out')}")
    return " · ".join(counts) if ui.pretty else "  |  ".join(counts)


def _show(game: Melee, ui: GameUI, player: int | None) -> None:
    """Show the field to a player, or a spectator's view to everybody."""
    viewer, own = (NOBODY, "-") if player is None else (player, NAMES[player].lower())
    legend = tr("melee_legend_colours") if ui.pretty else tr("melee_legend", own=own)
    ui.show(player, [melee_field(game, viewer, tr("melee_field"))], legend, left_of(game, ui, player))


def _turn(game: Melee, ui: GameUI, player: int) -> bool:
    """Carry out one command of the player whose turn it is, or of another; return whether it was a valid shot."""
    want = Want(tr("melee_help"), shots=1, words=[(WITHDRAW, tr("word_withdraw"))], alone=True)
    speaker, typed = ui.ask(player, want)
    word = typed.lower()
    if word == SKIP:
        game.skip()
        ui.tell(None, tr("skipped", name=ui.call(player)))
        return False
    if word == WITHDRAW:
        _leave(game, ui, speaker)
        return False
    if word == "board":
        _show(game, ui, speaker)
        return False
    cell = ui.cell(typed, SIZE, SIZE)
    if cell < 0:
        ui.tell(speaker, ui.no_cell(typed, SIZE, SIZE, tr("melee_help")))
        return False
    result = game.shoot(speaker, cell)
    name = ui.name(cell, SIZE)
    if result == rules.NOT_YOUR_TURN:
        ui.tell(speaker, tr("not_your_turn", name=ui.call(game.turn)))
    elif result == rules.OWN_SHIP:
        ui.tell(speaker, tr("own_ship", cell=name))
    elif result == rules.OPEN_CELL:
        ui.tell(speaker, tr("open_cell", cell=name))
    return result in (MISS, HIT, SUNK)


def _leave(game: Melee, ui: GameUI, player: int) -> None:
    """Let a player give up; the others play on."""
    if not game.leave(player):
        ui.tell(player, tr("not_now"))
        return
    record = ui.keeper.game
    if record is not None:
        gone = [*record.details.get("left", []), [player, len(record.moves)]]
        ui.keeper.note("left", [list(one) for one in dict(map(tuple, gone)).items()])
    ui.tell(None, tr("melee_left", name=ui.call(player)))


def _announce(game: Melee, ui: GameUI) -> None:
    """Announce and save the last move."""
    ui.keeper.move(game.last_player, game.last, game.last_result)
    key = {MISS: "melee_miss", HIT: "melee_hit", SUNK: "melee_sunk"}[game.last_result]
    cell = ui.name(game.last, SIZE)
    owner = game.owner_seen(NOBODY, game.last)
    whose = "" if owner == NOBODY else ui.call(owner)
    ui.tell(None, tr(key, name=ui.call(game.last_player), cell=cell, owner=whose))
    if game.out != NOBODY:
        ui.tell(None, tr("melee_out", name=ui.call(game.out)))
