"""The strength of the computers of the games at one screen, by level, and their share of wasted shots.

    python -m tests.levels [GAMES]

Each level plays against SHARP, seats in turn; in a melee it plays alone against two of SHARP. A shot is wasted if its
own view of the game shows that no ship of another can be there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from seabattle import melee as melees
from seabattle import radar as radars
from seabattle.classic import OVER
from seabattle.gunner import SHARP
from seabattle.melee import Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle.salvo import FIRING, WON_BY_0, WON_BY_1, Salvo
from seabattle.salvo_gunner import SalvoGunner
from seabattle.variants import VariantGunner, Variants
from seabattle_host.games import computers
from seabattle_host.player.parameters import LEVELS

GAMES = 300
Played = tuple[float, int, int]
"""The measured seat's result (half for a draw), its shots, and the wasted ones."""


def classic(level: int, seat: int, seed: int) -> Played:
    """Play a classic game."""
    game = Variants(Rng(seed), 100)
    gunners = [VariantGunner(known, Rng(seed + 1 + player), 100) for player, known in enumerate(game.radars)]
    for player in (0, 1):
        game.random(player)
        game.ready(player)
    wasted = 0
    while game.stage != OVER:
        player = game.turn
        cell = computers.classic(game, player, gunners[player], level if player == seat else SHARP)
        wasted += player == seat and game.radars[player].cell[cell] != radars.UNKNOWN
        game.shoot(player, cell)
    return float(game.winner == seat), game.shots[seat], wasted


def salvo(level: int, seat: int, seed: int) -> Played:
    """Play a salvo. A place that the record rules out has no heat."""
    game = Salvo(Rng(seed))
    game.fill(0)
    game.fill(1)
    gunners = [SalvoGunner(view, Rng(seed + 1 + player)) for player, view in enumerate(game.views)]
    shots = wasted = 0
    while game.stage == FIRING:
        for player in (0, 1):
            cells = computers.salvo(game, player, gunners[player], level if player == seat else SHARP)
            if player == seat:
                shots += len(cells)
                wasted += sum(not gunners[player].heat[cell] for cell in cells)
            game.fire_at(player, cells, len(cells))
    won = {WON_BY_0: 0, WON_BY_1: 1}.get(game.outcome)
    return 0.5 if won is None else float(won == seat), shots, wasted


def melee(level: int, seat: int, seed: int) -> Played:
    """Play a melee."""
    game = Melee(Rng(seed))
    game.start(True)
    game.deploy()
    gunners = [MeleeGunner(game, player, Rng(seed + 1 + player)) for player in range(melees.PLAYERS)]
    shots = wasted = 0
    while game.winner() == melees.NOBODY:
        player = game.turn
        cell = computers.melee(game, player, gunners[player], level if player == seat else SHARP)
        if player == seat:
            shots += 1
            gunners[player].aim_start()
            wasted += gunners[player].near[cell]
        game.shoot(player, cell)
    return float(game.winner() == seat), shots, wasted


KINDS: dict[str, tuple[Callable[[int, int, int], Played], int]] = {
    "classic": (classic, 2),
    "salvo": (salvo, 2),
    "melee": (melee, 3),
}


def main() -> None:
    """Print a line for each game and level."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    print(f"{games} games each: won, and shots that the own view shows to be wasted")
    for kind, (play, seats) in KINDS.items():
        for name, level in LEVELS.items():
            results = [play(level, number % seats, 7919 * number + 11) for number in range(games)]
            won = sum(result[0] for result in results) / games
            shots = sum(result[1] for result in results)
            wasted = sum(result[2] for result in results) / shots
            print(f"{kind:8} {name:8} {100 * won:5.1f} %  {shots / games:6.1f} shots  {100 * wasted:5.1f} % wasted")


if __name__ == "__main__":
    main()
