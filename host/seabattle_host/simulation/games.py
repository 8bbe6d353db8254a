"""Many computer games without a line between the players, for `seabattle sim --game`, and their statistics.

Every game is checked for invariants: no cell changes hands, nobody shoots twice at a cell, answers and counts match the
placed ships, and the winner has really won. A game's seeds depend only on the seed and the game's number, so the output
is the same for any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.classic import OVER
from seabattle.field import MISS
from seabattle.melee import Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle.salvo import Salvo
from seabattle.salvo_gunner import SalvoGunner
from seabattle.variants import VariantGunner, Variants
from seabattle_host.games.rules import CLASSIC_VARIANT, Variant
from seabattle_host.language.messages import tr
from seabattle_host.simulation import sim

_CHUNK = 20
_CELLS_LEAST = 100  # the classic game, with which a Variants object starts
_NO_SHIP = melees.NOBODY
_MELEE_DECKS = 20


@dataclass(frozen=True)
class Outcome:
    """A finished game: the winner (None for a draw), shots of each player, and rounds (0 for games without)."""

    winner: int | None
    shots: tuple[int, ...]
    rounds: int = 0


class Wrong(Exception):
    """A game that violated an invariant: a bug in the program."""


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


def classic(seed: int, variant: Variant = CLASSIC_VARIANT) -> Outcome:
    """Play a classic game or a variant of it; who begins is drawn at random."""
    width, height = variant[:2]
    cells = width * height
    game = Variants(Rng(seed), max(cells, _CELLS_LEAST))
    game.fleet.custom(*variant)
    game.start()
    gunners = [
        VariantGunner(known, Rng(sim.derive_seed(seed, player, 2)), cells) for player, known in enumerate(game.radars)
    ]
    for player in (0, 1):
        _must(game.random(player) == 1 and game.ready(player), "a fleet was not placed")
    placed = [bytes(field.ship[:cells]) for field in game.fields]
    shot: list[set[int]] = [set(), set()]
    hits = [0, 0]
    while game.stage != OVER:
        player = game.turn
        cell = gunners[player].aim()
        _must(cell not in shot[player], "a cell was shot at twice")
        result = game.shoot(player, cell)
        _must(result >= 0, "a shot was refused")
        _must((result != MISS) == bool(placed[1 - player][cell]), "a shot was answered falsely")
        shot[player].add(cell)
        hits[player] += result != MISS
    decks = game.fleet.decks
    _must([bytes(field.ship[:cells]) for field in game.fields] == placed, "a cell has changed hands")
    _must(all(sum(map(bool, ships)) == decks for ships in placed), "a fleet has not its decks")
    _must(hits[game.winner] == decks > hits[1 - game.winner], "the winner has not hit all decks, or the loser has")
    _must(game.shots == [len(cells) for cells in shot], "the count of shots is wrong")
    return Outcome(game.winner, tuple(game.shots))


def salvo(seed: int) -> Outcome:
    """Play a salvo game."""
    game = Salvo(Rng(seed))
    gunners = [SalvoGunner(view, Rng(sim.derive_seed(seed, player, 2))) for player, view in enumerate(game.views)]
    for player in (0, 1):
        game.fill(player)
    placed = [bytes(view.own) for view in game.views]
    shot: list[set[int]] = [set(), set()]
    while game.stage == salvos.FIRING:
        guns = [view.guns() for view in game.views]
        for player, gunner in enumerate(gunners):
            shots = gunner.aim()
            salvo = set(gunner.cells[:shots])
            _must(len(salvo) == shots <= guns[player], "more shots than guns, or one twice")
            _must(not salvo & shot[player], "a cell was fired at twice")
            _must(not game.fire_at(player, gunner.cells, shots), "a salvo was refused")
            shot[player] |= salvo
    _must([bytes(view.own) for view in game.views] == placed, "a cell has changed hands")
    _must(all(sum(ship != salvos.NONE for ship in own) == salvos.DECKS for own in placed), "a fleet has not its decks")
    hits = [sum(placed[1 - player][cell] != salvos.NONE for cell in shot[player]) for player in (0, 1)]
    _must([sum(counts) for counts in game.hits_in] == hits, "the record's hits are wrong")
    _must([sum(counts) for counts in game.shots_in] == [len(cells) for cells in shot], "the record's shots are wrong")
    sunk = hits[0] == salvos.DECKS, hits[1] == salvos.DECKS
    ends = {(True, False): salvos.WON_BY_0, (False, True): salvos.WON_BY_1, (True, True): salvos.DRAW}
    _must(ends.get(sunk) == game.outcome, "the outcome is not that of the hits")
    winner = {salvos.WON_BY_0: 0, salvos.WON_BY_1: 1, salvos.DRAW: None}[game.outcome]
    return Outcome(winner, tuple(len(cells) for cells in shot), game.round)


def melee(seed: int) -> Outcome:
    """Play a melee of three; the order of turns is random."""
    game = Melee(Rng(seed))
    game.start(True)
    game.deploy()
    gunners = [MeleeGunner(game, player, Rng(sim.derive_seed(seed, player, 2))) for player in range(melees.PLAYERS)]
    placed = bytes(game.ship)
    owners = [_NO_SHIP if not code else (code - 1) // melees.SHIPS for code in placed]
    whole = [owners.count(player) for player in range(melees.PLAYERS)]
    _must(whole == [_MELEE_DECKS] * melees.PLAYERS, "a fleet has not its decks")
    shots = [0] * melees.PLAYERS
    open_cells: set[int] = set()
    while game.winner() == melees.NOBODY:
        player = game.turn
        cell = gunners[player].aim()
        _must(cell not in open_cells, "a cell was shot at twice")
        _must(owners[cell] != player and whole[player] > 0, "a shot at an own ship, or by one who is out")
        shots[player] += 1
        _must(game.shoot(player, cell) >= 0, "a shot was refused")
        open_cells.add(cell)
        if owners[cell] != _NO_SHIP:
            whole[owners[cell]] -= 1
    _must(bytes(game.ship) == placed, "a cell has changed hands")
    _must(list(game.alive) == whole, "the count of whole decks is wrong")
    _must([player for player, decks in enumerate(whole) if decks] == [game.winner()], "the winner is not who is left")
    _must(sorted(game.place) == [1, 2, 3] and game.shots == sum(shots), "the places or the shots are wrong")
    return Outcome(game.winner(), tuple(shots))


GAMES: dict[str, tuple[Callable[..., Outcome], int]] = {
    "classic": (classic, 2),
    "salvo": (salvo, 2),
    "melee": (melee, 3),
}
"""Name of a game -> function that plays one from a 30-bit seed (classic: and a variant), and its number of players."""


def play(name: str, seed: int, index: int, variant: Variant | None = None) -> Outcome:
    """Play game `index` of a seed. Raises SimError, with how to reproduce it, if it does not end properly.

    variant: of the classic game, None for the default and for other games.
    """
    try:
        more = () if variant is None else (variant,)
        return GAMES[name][0](sim.derive_seed(seed, index, 3), *more)
    except (Wrong, ValueError, KeyError, IndexError) as error:
        raise sim.SimError(tr("stat_broken", game=index, seed=seed, name=name, why=error)) from error


def play_all(
    name: str, seed: int, games: int, jobs: int = 1, variant: Variant | None = None, first: int = 0
) -> Iterator[Outcome]:
    """Yield games first..games-1 in order, played in `jobs` processes."""
    size = 1 if jobs == 1 else _CHUNK
    chunks = ((name, seed, at, min(at + size, games), variant) for at in range(first, games, size))
    for outcomes in sim.spread(_chunk, chunks, jobs):
        yield from outcomes


def _chunk(name: str, seed: int, first: int, last: int, variant: Variant | None) -> list[Outcome]:
    return [play(name, seed, index, variant) for index in range(first, last)]


def report(name: str, seed: int, outcomes: Iterator[Outcome], each: bool = False, first: int = 0) -> Iterator[str]:
    """Yield the statistics as lines of text, preceded with `each` by a line per game; nothing without games.

    first: the number of the first game.
    """
    players = GAMES[name][1]
    wins: Counter[int | None] = Counter()
    winner_shots: Counter[int] = Counter()
    all_shots: Counter[int] = Counter()
    rounds: Counter[int] = Counter()
    for index, outcome in enumerate(outcomes, first):
        wins[outcome.winner] += 1
        all_shots[sum(outcome.shots)] += 1
        if outcome.winner is not None:
            winner_shots[outcome.shots[outcome.winner]] += 1
        if outcome.rounds:
            rounds[outcome.rounds] += 1
        if each:
            who = tr("stat_draw") if outcome.winner is None else "ABC"[outcome.winner]
            yield tr("stat_game", game=index, winner=who, shots=", ".join(map(str, outcome.shots)))
    games = sum(wins.values())
    if not games:
        return
    yield tr("stat_head", games=games, name=name, seed=seed)
    seats: list[tuple[str, int | None]] = [("ABC"[player], player) for player in range(players)]
    if name == "salvo":
        seats.append((tr("stat_draw"), None))
    for who, player in seats:
        yield tr("stat_wins", who=who, wins=wins[player], share=100 * wins[player] / games)
    yield tr("stat_columns")
    for key, counts in (
        ("stat_winner_shots", winner_shots),
        ("stat_shots", all_shots),
        ("stat_rounds", rounds),
    ):
        if counts:
            yield sim.figures(tr(key), counts)
