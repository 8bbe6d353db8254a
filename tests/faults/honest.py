"""Honest games by the thousand, in which the jury and the checks during the game must accuse nobody.

    python -m tests.faults.honest [--cases N] [--jobs J] [--seed S] [--only KIND]

Plays N games, and prints the number of games of each kind, of shots, and of accusations. The exit status is 1 if
there was any. A serial game is played by two computers over a line, with fields that are sealed before it
and shown after it; occasionally one of them repeats a shot or shoots next to a wreck, as real programs do. A classic
game and a variant are played at one screen and judged after it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from seabattle import fair, jury, radar, wire
from seabattle import link as links
from seabattle.classic import OVER, Classic
from seabattle.fair import FairBot
from seabattle.fleet import OK, check
from seabattle.gunner import HUNT, RANDOM, Gunner
from seabattle.rng import Rng
from seabattle.variants import Rules, VariantGunner, Variants
from tests.faults.counting import table
from tests.shared.fair_match import Endpoint, Match

_TICKS = 20_000
_ODD_SHOTS = 8
"""One in this many shots of a serial game is a wasted one."""


class Odd(FairBot):
    """A bot that occasionally wastes a shot: on a cell already shot at, or next to a wreck."""

    def __init__(self, lots: random.Random, *rest: object):
        super().__init__(*rest)
        self._lots = lots

    def step(self) -> int:
        """Like FairBot.step()."""
        player, link = self.player, self.player.link
        # a repeat within four ticks counts as the same shot for the other side, so it is delayed
        if link.mine and player.my_shots and link.waited > wire.GAP_TICKS + 1 and not self._lots.randrange(_ODD_SHOTS):
            cells = player.fleet.width * player.fleet.height
            known = [cell for cell in range(cells) if player.radar.cell[cell] != radar.UNKNOWN]
            if known:
                cell = self._lots.choice(known)
                link.shoot(cell % player.fleet.width + 1, cell // player.fleet.width + 1)
                return 0
        return int(super().step())


def serial(seed: int) -> tuple[int, str]:
    """Play one game over a line; return its shots, and the accusation, empty for none."""
    lots = random.Random(seed)
    offer = parameters(lots)
    endpoints = [Endpoint(role, True, seed=lots.randrange(1 << 30)) for role in (wire.MASTER, wire.SLAVE)]
    bots = []
    for endpoint in endpoints:
        gunner = Gunner(endpoint.player.radar, endpoint.player.rng, lots.choice((RANDOM, HUNT)))
        bots.append(Odd(lots, endpoint.player, gunner, 1, offer))
    match = Match(*endpoints)
    for _ in range(_TICKS):
        busy = True
        while busy:
            # each takes its step, whatever the other does
            busy = sum(bot.step() == 1 for bot in bots) > 0
            match.carry()
        if all(endpoint.link.closed for endpoint in endpoints):
            break
        match.ticks(1)
    shots = sum(endpoint.player.my_shots for endpoint in endpoints)
    for endpoint in endpoints:
        broken = [(event, a, b) for event, a, b in endpoint.seen if event in (links.EV_BROKEN, links.EV_ACCUSED)]
        if broken:
            return shots, f"broken off: {broken}"
        if endpoint.player.verdict != jury.NOBODY_CHEATED:
            told = [(a, b) for event, a, b in endpoint.seen if event == fair.EV_JURY]
            return (
                shots,
                f"verdict {endpoint.player.verdict}, {endpoint.player.mine}, {endpoint.player.its}, told {told}",
            )
    return shots, ""


def classic(seed: int) -> tuple[int, str]:
    """Play a classic game at one screen."""
    lots = random.Random(seed)
    game = Classic(Rng(lots.randrange(1 << 30)))
    if seed % 2:
        size, n4, n3, n2, n1 = parameters(lots)
        game.fleet.protocol(size, n4, n3, n2, n1)
    gunners = [Gunner(game.radars[player], game.rng, lots.choice((RANDOM, HUNT))) for player in (0, 1)]
    return _at_one_screen(game, gunners)


def variant(seed: int) -> tuple[int, str]:
    """Play a game at one screen by a mixture of rules."""
    lots = random.Random(seed)
    game = Variants(Rng(lots.randrange(1 << 30)))
    while True:
        counts = [lots.randint(0, most) for most in (1, 1, 2, 2, 3)]
        width, height = lots.randint(6, 12), lots.randint(6, 12)
        flags = [lots.random() < 0.5 for _ in range(4)]
        if game.fleet.custom(width, height, *counts, *flags) == OK:
            break
    gunners = [VariantGunner(game.radars[player], game.rng) for player in (0, 1)]
    return _at_one_screen(game, gunners if seed % 10 == 0 else [], lots)


def parameters(lots: random.Random) -> tuple[int, int, int, int, int]:
    """Return parameters of the protocol that can be placed by either reading of the wall rule."""
    while True:
        offer = lots.randint(6, 10), lots.randint(0, 1), lots.randint(0, 2), lots.randint(0, 5), lots.randint(1, 10)
        if check(*offer) == OK:
            return offer


def _at_one_screen(game: Classic, gunners: list, lots: random.Random | None = None) -> tuple[int, str]:
    """Play a game to its end, by the gunners or without them at random, and judge it."""
    game.start()
    if not (game.random(0) and game.random(1)):
        return 0, ""  # a fleet for which no placement was found
    game.ready(0)
    game.ready(1)
    cells: tuple[list[int], list[int]] = ([], [])
    answers: tuple[list[int], list[int]] = ([], [])
    orders = [lots.sample(range(field.cells), field.cells) for field in game.fields] if lots else []
    while game.stage != OVER:
        player = game.turn
        if gunners:
            cell = gunners[player].aim()
        else:
            cell = orders[player].pop()
            if game.may_shoot(player, cell):
                continue
        answer = game.shoot(player, cell)
        cells[player].append(cell)
        answers[player].append(answer)
    shots = len(cells[0]) + len(cells[1])
    if game.proof:
        return shots, f"proof {game.proof}"
    rules = game.fleet
    if not isinstance(rules, Rules):
        rules, plain = Rules(), game.fleet
        count = plain.count
        fleet = (count[length] for length in range(5, 0, -1))
        rules.custom(plain.width, plain.height, *fleet, False, False, plain.walls, plain.lenient)
    judge = jury.Jury()
    for player in (0, 1):
        field = game.fields[1 - player]
        found = judge.check(rules, field.ship, cells[player], answers[player], len(cells[player]))
        if found:
            return shots, f"found {found} at {judge.cell}, shot {judge.shot}"
    return shots, ""


KINDS: dict[str, Callable[[int], tuple[int, str]]] = {"serial": serial, "classic": classic, "variant": variant}
"""Kind of a game -> plays the game of a seed."""


def _counted(kind: int, index: int, seed: int) -> dict[str, int]:
    shots, complaint = list(KINDS.values())[kind](index + seed)
    return {"battles": shots > 0, "shots": shots, "accusations": complaint != ""}


if __name__ == "__main__":
    columns = ("battles", "shots", "accusations")
    sys.exit(table(__doc__ or "", list(KINDS), _counted, columns, ("accusations",), 30_000))
