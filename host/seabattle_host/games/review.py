"""Views of a stored game after some of its moves, computed by the game's own rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.field import HIT, SUNK
from seabattle.melee import Melee
from seabattle.rng import Rng
from seabattle.salvo import Salvo
from seabattle.variants import MAX_LENGTH, Rules, VariantField, VariantRadar
from seabattle_host.games.field_view import (
    CLASSIC,
    EMPTY,
    LAST,
    MELEE,
    NAMES,
    SALVO,
    WATER,
    FieldView,
    melee_field,
    others_field,
    own_field,
    salvo_fired,
    salvo_own,
)
from seabattle_host.games.field_view import HIT as SIGN_HIT
from seabattle_host.games.field_view import MISS as SIGN_MISS
from seabattle_host.games.field_view import SHIP as SIGN_SHIP
from seabattle_host.language.messages import tr
from seabattle_host.language.text import COLUMNS_EN, LETTERS
from seabattle_host.records.archive import LOST, SERIAL, UNFINISHED, WON, Game, Move, Ship

EVERYTHING = -1
"""In place of a player: a view of all known ships."""


def views(game: Game, moves: Sequence[Move], viewer: int = EVERYTHING) -> list[FieldView]:
    """Return the fields after these moves, as a player or EVERYTHING sees them.

    Raises ValueError for an impossible game.
    """
    if game.kind == SALVO:
        return _salvo(game, moves, viewer)
    if game.kind == MELEE:
        return _melee(game, moves, viewer)
    return _classic(game, moves, viewer)


def rules_of(game: Game) -> Rules:
    """Return the rules of a classic or a serial game. Raises ValueError for invalid ones."""
    rules = Rules()
    counts = [game.fleet.get(length, 0) for length in range(MAX_LENGTH, 0, -1)]
    variant = game.details.get("rules") or (game.width, game.height, *counts)
    if rules.custom(*variant) or (rules.width, rules.height) != (game.width, game.height):
        raise ValueError("no such rules")
    return rules


def letters(game: Game) -> str:
    """Return the column letters chosen for the game; empty for the usual ones of the language."""
    return LETTERS.get(str(game.details.get("letters", "")), "")


def names(game: Game) -> list[str]:
    """Return the players' names, computers marked."""
    if game.kind == SERIAL:
        return game.players
    people = game.details.get("people", len(game.players))
    return [name if i < people else tr("seat_computer", name=name) for i, name in enumerate(game.players)]


def opponents(game: Game) -> str:
    """Describe the first player's opponents in a few words."""
    if game.kind == SERIAL:
        return ", ".join(game.players[1:])
    people = game.details.get("people", len(game.players))
    computers = len(game.players) - max(1, people)
    seats = game.players[1 : max(1, people)]
    if computers:
        seats.append(tr("opponent_computer") if computers == 1 else tr("opponent_computers", count=computers))
    return ", ".join(seats)


def winner(game: Game) -> int | None:
    """Return the winner; None if there is none."""
    places = game.details.get("places")
    if game.kind == MELEE:
        return places.index(1) if places else None
    return {WON: 0, LOST: 1}.get(game.result)


def outcome(game: Game) -> str:
    """Describe how a finished game at one screen ended."""
    first = winner(game)
    if game.kind == MELEE and first is not None:
        return tr("melee_won", name=game.players[first], second=game.players[game.details["places"].index(2)])
    if first is None:
        return tr("salvo_draw")
    if game.ending == "surrender":
        return tr("salvo_withdrew", name=game.players[1 - first], other=game.players[first])
    return tr("salvo_won", name=game.players[first])


def round_of(game: Game, number: int) -> int:
    """Return the round of a move of a salvo, both counted from 1. A round begins when the first player fires again."""
    players = [move.player for move in game.moves[:number]]
    return 1 + sum(before == 1 and now == 0 for before, now in zip([0, *players], players, strict=False))


def _ships(game: Game, player: int) -> list[Ship] | None:
    return game.ships[player] if player < len(game.ships) else None


def _cell(game: Game, move: Move) -> int:
    if not (1 <= move.x <= game.width and 1 <= move.y <= game.height):
        raise ValueError("off the field")
    return (move.y - 1) * game.width + move.x - 1


def _cells(game: Game, ship: Ship) -> list[int]:
    return [_cell(game, Move(0, x, y, 0)) for x, y in ship]


def _classic(game: Game, moves: Iterable[Move], viewer: int) -> list[FieldView]:
    rules = rules_of(game)
    cells = game.width * game.height
    fields = [VariantField(cells), VariantField(cells)]
    radars = [VariantRadar(cells), VariantRadar(cells)]
    last = [-1, -1]
    legal = [True, True]
    for player, field in enumerate(fields):
        field.reset(rules)
        radars[player].reset(rules)
        for ship in _ships(game, player) or ():
            placed = sorted(_cells(game, ship))
            if not placed or field.place_cells(placed, len(placed)):
                legal[player] = False
    for move in moves:
        target, cell = 1 - move.player, _cell(game, move)
        fields[target].shoot(cell)
        # the answer may be false: the radar shows what was answered, the field what is true
        radars[target].answer(cell, move.result)
        last[target] = cell
    seen = []
    columns = letters(game) or COLUMNS_EN
    for player, name in enumerate(names(game)[:2]):
        fleet = _ships(game, player)
        if fleet is None or viewer not in (player, EVERYTHING):
            seen.append(others_field(radars[player], name, columns, last[player]))
        elif legal[player]:
            seen.append(own_field(fields[player], name, columns, last[player]))
        else:
            # an illegal field, as shown by a cheat: what was answered, and its ships
            view = others_field(radars[player], name, columns, last[player])
            decks = {cell for ship in fleet for cell in _cells(game, ship)}
            signs = [SIGN_SHIP if c in decks and sign in (WATER, EMPTY) else sign for c, sign in enumerate(view.signs)]
            seen.append(dataclasses.replace(view, signs=signs))
    return seen


def _salvo(game: Game, moves: Sequence[Move], viewer: int) -> list[FieldView]:
    played = Salvo(Rng(1))
    for player, view in enumerate(played.views):
        for ship, placed in enumerate(_ships(game, player) or ()):
            if ship >= salvos.SHIPS or len(placed) != salvos.LENGTHS[ship]:
                raise ValueError("no such fleet")
            for cell in _cells(game, placed):
                view.own[cell] = ship
        view.stage, view.round = salvos.FIRING, 1
    # an incomplete round shows nothing yet: both fire at once
    end = len(moves)
    while 0 < end < len(game.moves) and not game.moves[end - 1].player > game.moves[end].player:
        end -= 1
    fired: list[list[int]] = [[], []]
    for move in [*moves[:end], None]:
        if fired[1] and (move is None or move.player == 0):
            for player in (0, 1):
                if played.fire_at(player, fired[player], len(fired[player])):
                    raise ValueError("no such salvo")
            fired = [[], []]
        if move is not None:
            fired[move.player].append(_cell(game, move))
    who = names(game)
    if viewer == EVERYTHING:
        return [salvo_own(view, name) for view, name in zip(played.views, who, strict=True)]
    view = played.views[viewer]
    return [salvo_own(view, who[viewer]), salvo_fired(view, tr("salvo_fired_by", name=who[viewer]))]


def _melee(game: Game, moves: Sequence[Move], viewer: int) -> list[FieldView]:
    title = ", ".join(names(game))
    fleets = [_ships(game, player) for player in range(melees.PLAYERS)]
    if any(fleet is None for fleet in fleets):
        return [_half_known(game, moves, fleets, title)]
    played = Melee(Rng(1))
    for owner, fleet in enumerate(fleets):
        for number, ship in enumerate(fleet or ()):
            code = 1 + owner * melees.SHIPS + number
            for cell in _cells(game, ship):
                played.ship[cell] = code
            played.left[code - 1] = len(ship)
    for i, player in enumerate(game.details.get("order", range(melees.PLAYERS))):
        played.order[i] = player
    _replay(game, moves, played)
    everything = viewer == EVERYTHING
    return [melee_field(played, melees.NOBODY if everything else viewer, title, open_all=everything)]


def _replay(game: Game, moves: Sequence[Move], played: Melee) -> None:
    """Replay moves of a melee, players giving up where they did. Raises ValueError for an impossible shot."""
    for number in range(len(moves) + 1):
        for player, after in game.details.get("left", ()):
            if after == number:
                played.leave(player)
        if number < len(moves):
            move = moves[number]
            played.turn = move.player
            if played.shoot(move.player, _cell(game, move)) < 0:
                raise ValueError("no such shot")


def move_facts(game: Game, number: int) -> str:
    """Describe further effects of a move of a melee: whose ship it hit, and who was eliminated or left after it.

    Empty for other games, and as far as the ships are unknown.
    """
    if game.kind != MELEE:
        return ""
    move = game.moves[number - 1]
    facts = []
    fleets = [_ships(game, player) for player in range(melees.PLAYERS)]
    owner = next((i for i, fleet in enumerate(fleets) for ship in fleet or () if (move.x, move.y) in ship), None)
    if move.result in (HIT, SUNK) and owner is not None:
        facts.append(tr("move_of", owner=game.players[owner]))
        shot = {(other.x, other.y) for other in game.moves[:number]}
        if move.result == SUNK and all((x, y) in shot for ship in fleets[owner] or () for x, y in ship):
            facts.append(tr("move_out", name=game.players[owner]))
    for player, after in game.details.get("left", ()):
        if after == number:
            facts.append(tr("melee_left_short", name=game.players[player]))
    return ", ".join(facts)


def _half_known(game: Game, moves: Sequence[Move], fleets: Sequence[list[Ship] | None], title: str) -> FieldView:
    """Return the view of a melee that was broken off before all ships were known: shots, and the known ships."""
    signs = [WATER] * (game.width * game.height)
    for fleet in fleets:
        for ship in fleet or ():
            for cell in _cells(game, ship):
                signs[cell] = SIGN_SHIP
    for i, move in enumerate(moves):
        sign = SIGN_HIT if move.result in (HIT, SUNK) else SIGN_MISS
        signs[_cell(game, move)] = LAST + sign if i == len(moves) - 1 else sign
    return FieldView(CLASSIC, game.width, game.height, signs, title)


def viewers(game: Game) -> dict[str, int]:
    """Return the possible views of a game, by name."""
    return {"all": EVERYTHING, **{NAMES[player]: player for player in range(len(game.players))}}


def short_result(game: Game) -> str:
    """Describe how a game ended in a word or two, for the list of games; empty if described as for a serial game."""
    first = winner(game)
    alone = game.details.get("people") == 1
    if game.kind == SERIAL or alone or game.result == UNFINISHED or first is None:
        return ""
    return tr("salvo_won", name=game.players[first])
