"""battleship-tui: its engine with its own computer player on both sides, as in its game against the computer."""

from __future__ import annotations

import random

from battleship.engine import domain, rosters
from battleship.engine.ai import Autoplacer, TargetCaller
from battleship.engine.errors import CannotPlaceShip

from tests.bench.engines.serve import serve

_ROSTER = rosters.get_roster("russian")


def place(game: domain.Game, player: domain.Player) -> None:
    placer = Autoplacer(player.board, game.roster, no_adjacent_ships=True)
    for item in game.roster:
        game.add_ship(player, [cell.to_human() for cell in placer.place(item.type)], item.id)


def set_up() -> domain.Game:
    while True:
        players = [domain.Player(name) for name in "AB"]
        game = domain.Game(*players, _ROSTER, domain.FiringOrder.UNTIL_MISS, no_adjacent_ships=True)
        try:
            for player in players:
                place(game, player)
        except CannotPlaceShip:
            continue  # occasionally its placer leaves no room for the last ship
        return game


def play() -> tuple[int, int]:
    game = set_up()
    callers = {
        player.name: TargetCaller(other.board, no_adjacent_ships=True)
        for player, other in ((game.player_a, game.player_b), (game.player_b, game.player_a))
    }
    shots = {"A": 0, "B": 0}
    while game.winner is None:
        actor = game.actor.name
        caller = callers[actor]
        salvo = game.fire(caller.call_out(count=1))
        caller.provide_feedback(salvo)
        shots[actor] += 1
        game.turn(salvo)
    return sum(shots.values()), shots[game.winner.name]


if __name__ == "__main__":
    random.seed(1)
    serve(play)
