"""The games of a session: started by A2, counted by answered shots, ended by one of several commands."""

from __future__ import annotations

from collections.abc import Sequence

from seabattle import watch, wire
from seabattle.watch_state import GONE, OUT, QUIET, WINNER
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr
from seabattle_host.sniff.cached_watch import CachedWatch
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.record import Game, Sums

_GAMES_WHOLE = 200
"""Number of last games that keep their moves."""

_GAMES_MOST = 2000
"""Number of last games kept at all."""

_HITS = (wire.HIT, wire.SUNK)

ENDINGS = {
    wire.RESTART: "restart",
    wire.GOODBYE: "goodbye",
    wire.TIMED_OUT: "timeout",
    wire.BROKEN: "accusation",
}
"""Commands that end a game without a winner -> ending in a report."""


def follow(
    sums: Sums,
    w: CachedWatch,
    at: int,
    side: int,
    op: int,
    answers: int,
    shots: Sequence[tuple[int, int]],
    verdict: int = 0,
) -> None:
    """Update the sums with a frame's effect on the games. shots: the last cell that each side has shot at."""
    games = sums.games
    going = games[-1] if games and not games[-1].how else None
    if answers == wire.PLACE:
        if going is not None:
            going.how = "restart"
        _begin(sums, Game(at, tuple(w.param(i) for i in range(5)) if w.agreed else ()))
        return
    if answers == wire.SHOT:
        add_answer(sums, w, at, 1 - side, shots[1 - side], op)
        return
    if going is None:
        return
    if answers == wire.SLAVE_READY:
        going.moved = at
    elif answers == wire.WON:
        going.winner, going.how = 1 - side, "shots"
    elif answers == wire.SURRENDER:
        going.stood = standing(going, w, at)
        going.winner, going.how = side, "surrender"
    elif op in ENDINGS and verdict != watch.VIOLATION:
        going.stood = standing(going, w, at)
        going.how = ENDINGS[op]


def standing(game: Game, w: CachedWatch, now: int) -> int:
    """Return for how long nobody has shot, microseconds; 0 if not long, or a shot has no answer or a side is silent."""
    if game.moved < 0 or game.how or now - game.moved < words.STANDING_SECONDS * SECOND:
        return 0
    w.settle()
    v = w.v
    for side in (0, 1):
        if wire.SHOT in (v[OUT + side], v[GONE + side]) or v[QUIET + side] > wire.REPLY_TICKS:
            return 0
    return now - game.moved


def finish(sums: Sums, w: CachedWatch, now: int) -> None:
    """End of the capture."""
    if sums.games and not sums.games[-1].how:
        sums.games[-1].stood = standing(sums.games[-1], w, now)


def add_answer(sums: Sums, w: CachedWatch, at: int, shooter: int, shot: tuple[int, int], op: int) -> None:
    """Update the sums with the answer to a shot."""
    games = sums.games
    if games and not games[-1].how:
        going = games[-1]
    else:
        going = Game(at)
        _begin(sums, going)
    going.shots[shooter] += 1
    going.moves.append((shooter, *shot, op))
    going.moved = at
    if op in _HITS:
        going.hits[shooter] += 1
    if w.v[WINNER] != watch.UNSURE:
        going.winner, going.how = w.winner, "shots"


def contradicted_answer(sums: Sums, shot: tuple[int, int], shooter: int, reason: int, answer: int) -> str:
    """Describe the cell of a false answer, and the earlier answer that it contradicts."""
    x, y = shot
    moves = [move[1:] for move in sums.games[-1].moves if move[0] == shooter] if sums.games else []
    cell = text.cell_name(x, y, words.russian())
    hits = [move for move in moves if move[2] in _HITS]
    if reason in (wire.R_NOT_SHOT_BEFORE, wire.R_CHANGED):
        against = [move for move in moves if move[:2] == (x, y)]
    elif reason in (wire.R_NO_SUCH_SHIP, wire.R_TOO_MANY):
        against = [move for move in hits if move[2] == wire.SUNK]
    else:
        against = [move for move in hits if max(abs(move[0] - x), abs(move[1] - y)) == 1]
    if not against:
        return cell
    column, row, earlier = against[-1]
    name = text.cell_name(column, row, words.russian())
    if reason == wire.R_NOT_SUNK and answer not in _HITS:
        return tr("detail_no_room", cell=cell, other=name)
    return tr("contradicts", cell=cell, other=name, answer=words.frame(earlier))


def _begin(sums: Sums, game: Game) -> None:
    """Add a game; old games are only counted, so that a week takes no more memory than a day."""
    games = sums.games
    games.append(game)
    if len(games) > _GAMES_WHOLE:
        games[-_GAMES_WHOLE - 1].moves.clear()
    if len(games) > _GAMES_MOST:
        del games[0]
        sums.earlier += 1
