"""Chat lines by which the two sides show each other their fields, and the jury's verdict for a third party.

The lines are those of seabattle.reveal; a listener has seen every shot and its answer, so there is a verdict as soon as
both fields are shown. The lines of a salvo over a line (player.salvo_lines) are only put into words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from seabattle import jury, reveal, wire
from seabattle import salvo as salvos
from seabattle.salvo import SIZE
from seabattle.variants import Rules
from seabattle_host.jury import verdict
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr
from seabattle_host.player import salvo_lines
from seabattle_host.player.salvo_lines import Line

if TYPE_CHECKING:
    from seabattle_host.sniff.record import Game, Sums

_PLACING = (2, 3)
_OVER = 9


def described(sums: Sums, side: int, line: bytes, state: int, names: Sequence[str]) -> str:
    """Describe a chat text that `side` sends in `state`, for a shown field with the jury's finding; empty for others.

    names: of both sides.
    """
    game = sums.games[-1] if sums.games else None
    known = list(game.shown) if game is not None else []
    said = take(game, side, line, state)
    if game is None or game.shown == known:
        return said
    game.verdict = judge(game)
    if game.verdict is not None:
        return "; ".join([said, *game.verdict.lines(list(names))])
    found = finding(game, side)
    return said if found is None else f"{said}; {found.words(names[side])}"


def take(game: Game | None, side: int, line: bytes, state: int) -> str:
    """Describe a chat text that `side` sends in `state`; empty for ordinary chat.

    game: the running or the last one, which gets what the text reports.
    """
    salvo = salvo_lines.parse(line)
    if salvo is not None:
        return _salvo(salvo)
    kind = reveal.kind(line, len(line))
    if kind == reveal.SHOW:
        return tr("chat_show")
    if game is None or kind == reveal.NONE:
        return ""
    if kind == reveal.SEAL:
        seal = bytearray(reveal.HASH_BYTES)
        if not reveal.take_seal(line, len(line), seal):
            return ""
        if state not in _PLACING or game.seals[side]:
            return tr("chat_seal_late")
        game.seals[side] = bytes(seal)
        return tr("chat_seal")
    if not game.parameters:
        return ""
    size = game.parameters[0]
    decks = bytearray(size * size)
    if state != _OVER or not reveal.take_field(line, len(line), size, decks):
        return ""
    game.shown[side] = game.shown[side] or line
    ships = ", ".join(_ship(ship) for ship in verdict.ships_of(decks, size))
    return tr("chat_field", ships=ships)


def _salvo(line: Line) -> str:
    """Describe a line of a salvo."""
    if line.kind == salvo_lines.DAMAGED:
        return tr("chat_salvo_damaged")
    names = [text.cell_name(cell % SIZE + 1, cell // SIZE + 1, words.russian()) for cell in line.cells]
    ships = " ".join(names)
    if line.kind == salvo_lines.FLEET:
        pairs = zip(_SHIPS, names[::2], names[1::2], strict=True)
        ships = ", ".join(f"{tr(f'ship_{ship}')} {first}-{last}" for ship, first, last in pairs)
    elif line.kind == salvo_lines.HIT:
        ships = ", ".join(f"{tr(f'ship_{ship}')} x{n}" for ship, n in zip(_SHIPS, line.hits, strict=True) if n)
    return tr(f"chat_salvo_{line.kind}", round=line.number, told=ships or "-")


_SHIPS = salvos.NAMES


def judge(game: Game) -> Verdict | None:
    """Return the verdict on a game if both fields are shown; the players are the sides."""
    first, second = (finding(game, side) for side in (0, 1))
    if first is None or second is None:
        return None
    return Verdict((first, second), (bool(game.seals[0]), bool(game.seals[1])))


def finding(game: Game, side: int) -> Finding | None:
    """Return the jury's finding on the field of a side, None if it was not shown."""
    line = game.shown[side]
    if not line:
        return None
    size, n4, n3, n2, n1 = game.parameters
    rules = Rules()
    rules.protocol(size, n4, n3, n2, n1, True)
    decks = bytearray(size * size)
    reveal.take_field(line, len(line), size, decks)
    moves = [move for move in game.moves if move[0] != side]
    cells = [(y - 1) * size + x - 1 for _, x, y, _ in moves]
    answers = [(answer - wire.MISS) >> 4 for *_, answer in moves]
    jurors = jury.Jury(size * size)
    code = jurors.check(rules, decks, cells, answers, len(moves), True)
    seal = game.seals[side]
    if seal and not reveal.is_sealed_by(seal, hashlib.sha256(line).digest()):
        code = jury.BROKEN_SEAL
    return Finding.from_check(code, jurors, size)


def _ship(ship: list[tuple[int, int]]) -> str:
    """Format a ship: `A2-B2`, `D4`; a bent one by all its cells."""
    names = [text.cell_name(x, y, words.russian()) for x, y in ship]
    straight = len({x for x, _ in ship}) == 1 or len({y for _, y in ship}) == 1
    return names[0] if len(ship) == 1 else f"{names[0]}-{names[-1]}" if straight else "+".join(names)
