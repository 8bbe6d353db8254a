"""A stored game in words: its row in the list of games, its moves, its outcome, and its statistics."""

from __future__ import annotations

from seabattle import field as fields
from seabattle import link as links
from seabattle_host.games import review
from seabattle_host.games.field_view import MELEE, SALVO
from seabattle_host.jury.verdict import Verdict
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.text import cell_name
from seabattle_host.language.words import duration, result
from seabattle_host.records.archive import LOST, NO_RESULT, SERIAL, WON, Game


def columns() -> list[str]:
    """Return the column heads of the list of games."""
    names = ("number", "when", "peer", "role", "game", "result", "shots", "time")
    return [tr(f"play_column_{name}") for name in names]


def row(game: Game) -> list[str]:
    """Return a game's row in the list of games."""
    role = {"master": words.ROLES[1], "slave": words.ROLES[2]}.get(game.role)
    fleet = ",".join(str(game.fleet.get(length, 0)) for length in range(max(4, *game.fleet), 0, -1))
    kind = tr(f"name_{game.kind}") if game.kind != SERIAL else tr(role) if role else ""
    return [
        str(game.number),
        when(game),
        review.opponents(game),
        kind,
        f"{game.width}x{game.height} {fleet}",
        review.short_result(game) or tr(f"short_{game.result or 'unfinished'}"),
        "-".join(str(game.shots(player)) for player in range(len(game.players))),
        duration(game.length),
    ]


def when(game: Game) -> str:
    """Return when a game began, in local time."""
    return game.started.astimezone().strftime("%Y-%m-%d %H:%M")


def move_words(game: Game, number: int) -> str:
    """Describe a move by its number, from 1."""
    move = game.moves[number - 1]
    cell = cell_name(move.x, move.y, words.russian() and game.kind not in (SALVO, MELEE), review.letters(game))
    turn = f" ({tr('round_short', round=review.round_of(game, number))})" if game.kind == SALVO else ""
    facts = review.move_facts(game, number)
    more = f", {facts}" if facts else ""
    return f"{number}. {game.players[move.player]} {cell}: {result(move.result)}{more}{turn}"


def statistics(game: Game) -> list[str]:
    """Return shots and hits of both sides, and the jury's finding."""
    lines = []
    for player, name in enumerate(game.players):
        shots = game.shots(player)
        hits = sum(move.player == player and move.result in (fields.HIT, fields.SUNK) for move in game.moves)
        sunk = sum(move.player == player and move.result == fields.SUNK for move in game.moves)
        percent = round(100 * hits / shots) if shots else 0
        lines.append(tr("statistics", name=name, shots=shots, hits=hits, percent=percent, sunk=sunk))
    if "proof" in game.details:
        proof = game.details["proof"]
        lines.append(words.false_answer(proof["reason"], proof["shot"], proof["earlier"]))
    if "jury" in game.details:
        lines += Verdict.from_json(game.details["jury"]).lines(game.players)
    return lines


def outcome(game: Game) -> str:
    """Describe how a game ended for player 0; for a game at one screen, who has won."""
    if game.kind != SERIAL and game.finished and game.ending in ("shots", "surrender"):
        return review.outcome(game)
    codes = {WON: links.WE_WON, LOST: links.WE_LOST, NO_RESULT: links.NO_RESULT}
    if game.result in codes:
        if game.ending in ("proof", "jury"):
            return tr(f"outcome_{game.ending}_{game.result}")
        how = links.BY_SURRENDER if game.ending == "surrender" else links.BY_SHOTS
        return tr(words.RESULTS[codes[game.result], how])
    return tr("unfinished", why=tr(f"ending_{game.ending}" if game.ending else "ending_unknown"))
