"""Saving games at one screen: every move as it is made, ships when they may be seen.

The archive can be read during the game, so a player's ships are in it from the beginning only if that player is the
only person at the screen; all others are added when the game has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import Melee
from seabattle.salvo import Salvo
from seabattle.variants import MAX_LENGTH, VariantField, Variants
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import CLASSIC, MELEE, NAMES, SALVO
from seabattle_host.games.rules import variant
from seabattle_host.language.messages import tr
from seabattle_host.records.archive import LOST, NO_RESULT, UNFINISHED, WON, Archive, Game, Move, Ship

LEFT = "left_by_us"
"""Ending of a game that a player has left."""

Fleets = Sequence[list[Ship] | None]
"""By player; None for a fleet that was never shown."""


class Keeper:
    """The writer of one game. archive: None to save nowhere. `problem` says why it is not saved, empty if it is.

    resumable: the game can be resumed after it was left, so nothing hidden is revealed then.
    """

    def __init__(self, archive: Archive | None, problem: str = ""):
        self.archive = archive
        self.problem = problem
        self.game: Game | None = None
        self.resumable = False
        self.begun: Callable[[int], None] = lambda number: None
        """Called with the game's number in the archive once it has one."""
        self._began = time.monotonic()
        self._goes_on = False
        self._earlier: list[Move] = []
        """Archived moves of a resumed game, which have to be replayed."""

    def resume(self, number: int) -> None:
        """Continue this game of the archive. Raises UserError if it is not there any more."""
        if self.archive is not None and number:
            game = self.archive.game(number)
            self._earlier = game.moves
            game.moves = []
            self.game = game
            self._goes_on = True

    def begin(self, game: Game, fleets: Fleets) -> None:
        """Begin the battle; fleets: as placed, by player."""
        self._began = time.monotonic()
        if self._goes_on:
            # already in the archive
            self._goes_on = False
            self._began -= self._earlier[-1].at if self._earlier else 0.0
            return
        alone = game.details["people"] == 1
        game.ships = [list(fleet or []) if alone and player == 0 else None for player, fleet in enumerate(fleets)]
        self.game = game
        if self._save(lambda archive: archive.begin(game)):
            self.begun(game.number)

    def move(self, player: int, cell: int, result: int) -> None:
        """Add a shot, cells counted by rows from 0; result of seabattle.field.

        Raises UserError if a replayed shot differs from the one made before the game was left.
        """
        game = self.game
        if game is None:
            return
        x, y = cell % game.width + 1, cell // game.width + 1
        if self._earlier:
            move = self._earlier.pop(0)
            if (move.player, move.x, move.y, move.result) != (player, x, y, result):
                raise UserError(tr("resume_differs", number=game.number))
            game.moves.append(move)
            return
        move = Move(player, x, y, result, time.monotonic() - self._began)
        if not self._save(lambda archive: archive.add(game, move)):
            game.moves.append(move)

    def note(self, key: str, value: object) -> None:
        """Store a detail specific to this kind of game."""
        game = self.game
        if game is not None and game.details.get(key) != value:
            game.details[key] = value
            self._save(lambda archive: archive.reveal(game))

    def end(self, fleets: Fleets, result: str, ending: str, places: Sequence[int] = ()) -> None:
        """End the game (`shots`, `surrender` ...), or with UNFINISHED note that it was left. result: for player 0."""
        game = self.game
        if game is None:
            return
        game.ships = [None if fleet is None else list(fleet) for fleet in fleets]
        if places:
            game.details["places"] = list(places)
        seconds = time.monotonic() - self._began

        def keep(archive: Archive) -> None:
            archive.reveal(game)
            archive.end(game, result, ending, seconds)

        self._save(keep)

    def left(self, fleets: Fleets, moves: Sequence[tuple[int, int, int]] = ()) -> None:
        """Note that a player has left. Hidden ships are revealed only if the game cannot be resumed.

        moves: those held back so far.
        """
        game = self.game
        if game is None:
            return
        if not self.resumable:
            for move in moves:
                self.move(*move)
            self.end(fleets, *unfinished_result())
            return
        self._save(lambda archive: archive.end(game, *unfinished_result(), 0.0))

    def _save(self, work: Callable[[Archive], object]) -> bool:
        """Return whether it could be saved. After a failure, stored in `problem`, the game goes on without saving."""
        if self.archive is None:
            return False
        try:
            work(self.archive)
        except UserError as error:
            self.problem = str(error)
            self.archive = None
            return False
        return True


def classic_game(game: Variants, people: int, letters: str = "latin", names: Sequence[str] = NAMES) -> Game:
    """Return a classic game or a variant, for `Keeper.begin`. letters: the name of the column letters."""
    rules = game.fleet
    return Game(
        list(names[:2]),
        rules.width,
        rules.height,
        {length: rules.count[length] for length in range(MAX_LENGTH, 0, -1) if rules.count[length]},
        kind=CLASSIC,
        details={"people": people, "rules": variant(rules), "letters": letters},
    )


def classic_fleet(field: VariantField) -> list[Ship]:
    """Return the ships of a field, each by its cells from 1."""
    return _ships(field.ship[: field.cells], field.width)


def salvo_game(people: int, names: Sequence[str] = NAMES) -> Game:
    """Return a salvo game, for `Keeper.begin`.

    A round's moves are those of the first player, then those of the second.
    """
    fleet: dict[int, int] = {}
    for length in salvos.LENGTHS:
        fleet[length] = fleet.get(length, 0) + 1
    return Game(list(names[:2]), salvos.SIZE, salvos.SIZE, fleet, kind=SALVO, details={"people": people})


def salvo_fleets(game: Salvo) -> Fleets:
    """Return both fleets, the ships in the order of seabattle.salvo."""
    return [
        _ships(bytes(0 if ship == salvos.NONE else ship + 1 for ship in view.own), salvos.SIZE) for view in game.views
    ]


def salvo_moves(game: Salvo, number: int) -> list[tuple[int, int, int]]:
    """Return the shots of a round: player, cell and result. Of the shots at a ship sunk in it, the last sinks it."""
    moves = []
    for player in (0, 1):
        theirs = game.views[1 - player]
        left = [theirs.own_hits[ship] if theirs.own_sunk_in[ship] == number else 0 for ship in range(salvos.SHIPS)]
        cells = [cell for cell in range(salvos.CELLS) if theirs.received[cell] == number]
        last = {theirs.struck[cell]: cell for cell in cells}
        for cell in cells:
            ship = theirs.struck[cell]
            result = MISS if ship == salvos.NONE else SUNK if left[ship] and last[ship] == cell else HIT
            moves.append((player, cell, result))
    return moves


def melee_game(game: Melee, people: int, names: Sequence[str] = NAMES) -> Game:
    """Return a melee, for `Keeper.begin`."""
    lengths = [game.left[ship] for ship in range(melees.SHIPS)]
    fleet = {length: lengths.count(length) for length in sorted(set(lengths), reverse=True)}
    details = {"people": people, "order": list(game.order)}
    return Game(list(names), melees.SIZE, melees.SIZE, fleet, kind=MELEE, details=details)


def melee_fleets(game: Melee) -> Fleets:
    """Return the three fleets, long ships first."""
    fleets = []
    for owner in range(melees.PLAYERS):
        codes = range(1 + owner * melees.SHIPS, 1 + (owner + 1) * melees.SHIPS)
        fleets.append(_ships(bytes(code if code in codes else 0 for code in game.ship), melees.SIZE))
    return fleets


def result_for_first(winner: int | None) -> str:
    """Return the result for player 0. winner: None for a draw."""
    return NO_RESULT if winner is None else WON if winner == 0 else LOST


def unfinished_result() -> tuple[str, str]:
    """Return result and ending of a game that a player has left."""
    return UNFINISHED, LEFT


def _ships(codes: Sequence[int], width: int) -> list[Ship]:
    ships: dict[int, Ship] = {}
    for cell, code in enumerate(codes):
        if code:
            ships.setdefault(code, []).append((cell % width + 1, cell // width + 1))
    return [ships[code] for code in sorted(ships)]
