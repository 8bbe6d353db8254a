"""Where computers shoot in the games at one screen, by level.

`random` picks any cell that may be shot at. `hunt` finishes a ship that it has hit and is random otherwise; in a salvo,
where nobody knows which shot has hit, it reasons about half of its shots. `density` and `sharp` use the gunner of the
game, the strongest here.
"""

from __future__ import annotations

from seabattle import gunner as levels
from seabattle import melee as melees
from seabattle import radar as radars
from seabattle.melee import Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle.salvo import CELLS, Salvo
from seabattle.salvo_gunner import SalvoGunner
from seabattle.variants import VariantGunner, Variants


def classic(game: Variants, player: int, gunner: VariantGunner, level: int) -> int:
    """Return the cell that a computer shoots at in a classic game or a variant."""
    known = game.radars[player]
    wounded = any(known.cell[cell] == radars.HIT for cell in range(known.cells))
    if level == levels.RANDOM or (level == levels.HUNT and not wounded):
        return _any([cell for cell in range(known.cells) if known.can_shoot(cell)], game.rng)
    return gunner.aim()


def melee(game: Melee, player: int, gunner: MeleeGunner, level: int) -> int:
    """Return the cell that a computer shoots at in a melee."""
    cells = range(melees.CELLS)
    wounded = any(
        game.seen(player, cell) == melees.WOUND and game.owner_seen(player, cell) != player
        for cell in (cells if level == levels.HUNT else ())
    )
    if level == levels.RANDOM or (level == levels.HUNT and not wounded):
        return _any([cell for cell in cells if game.may_shoot(player, cell)], game.rng)
    return gunner.aim()


def salvo(game: Salvo, player: int, gunner: SalvoGunner, level: int) -> list[int]:
    """Return the cells of a computer's salvo."""
    view = game.views[player]
    aimed = list(gunner.cells[: gunner.aim()])
    if level not in (levels.RANDOM, levels.HUNT):
        return aimed
    chosen = aimed[: len(aimed) // 2] if level == levels.HUNT else []
    while len(chosen) < len(aimed):
        chosen.append(_any([cell for cell in range(CELLS) if not view.fired[cell] and cell not in chosen], game.rng))
    return chosen


def salvo_of_one(game: Salvo, level: int) -> list[int]:
    """Return the cells of a salvo of player 0, in a game whose opponent plays elsewhere."""
    return salvo(game, 0, SalvoGunner(game.views[0], game.rng), level)


def _any(cells: list[int], rng: Rng) -> int:
    return cells[rng.below(len(cells))]
