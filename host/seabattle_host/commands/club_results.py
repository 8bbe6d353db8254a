"""`seabattle club table`, `games`, `show` and `export`: the club's results."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from seabattle_host.club.conduct import KINDS, Conduct
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.store import FINISHED, RESULTS, Game, Store
from seabattle_host.club.wording import ending, result_words
from seabattle_host.commands.text_table import align_columns
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import cell_name
from seabattle_host.sniff.capture import Chunk, Header
from seabattle_host.sniff.form_writers import JsonForm
from seabattle_host.sniff.session import Session
from seabattle_host.whole_file import write_whole


def run_table(args: argparse.Namespace) -> int:
    """Print the players by rating."""
    with Store(args.db, make=False) as store:
        ratings, accounts, conduct = Ratings.of_store(store), store.accounts(), Conduct(store.endings())
    names = ("place", "name", "id", "rating", "within", "games", "won", "lost", *KINDS)
    lines = [[tr(f"club_column_{name}") for name in names]]
    for place, player in enumerate((player for player in ratings.order() if player in accounts), 1):
        one = ratings.standing(player)
        name = accounts[player].display_name
        numbers = (
            f"{one.rating:.0f}",
            f"±{2 * one.deviation:.0f}",
            one.games,
            one.won,
            one.lost,
            *conduct.counts_of(player).values(),
        )
        lines.append([str(place), name, str(player), *map(str, numbers)])
    if len(lines) == 1:
        print(tr("club_no_rated"))
    else:
        print(*align_columns(lines), sep="\n")
    return 0


def run_games(args: argparse.Namespace) -> int:
    """Print the games, the newest last."""
    with Store(args.db, make=False) as store:
        games = store.games(args.most)
    if not games:
        print(tr("club_no_games"))
        return 0
    names = ("game", "started", "players", "winner", "ending", "shots")
    lines = [[tr(f"club_column_{name}") for name in names]]
    for game in reversed(games):
        winner = "" if game.winner is None else game.players[game.winner].display_name
        how = result_words(game) if game.winner is None else ending(game)
        lines.append([str(game.id), _when(game), _players(game), winner, how, str(game.count)])
    print(*align_columns(lines), sep="\n")
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Print a game, move by move."""
    with Store(args.db, make=False) as store:
        game = store.game(args.number)
    print(tr("show_title", number=game.id, when=_when(game), players=_players(game)))
    if game.size:
        print(words.parameters(game.size, *game.fleet))
    for number, move in enumerate(game.moves, 1):
        cell = cell_name(move.x, move.y, words.russian())
        name = game.players[move.player].display_name
        print(tr("show_move", number=number, name=name, cell=cell, result=tr(f"result_{RESULTS[move.result]}")))
    print(result_words(game) if game.stage == FINISHED else tr("show_going"))
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write a game as JSON, or its capture."""
    with Store(args.db, make=False) as store:
        game = store.game(args.number)
        captured = store.captured(args.number) if args.capture else []
    if not args.capture:
        data = json.dumps(game.to_json(), ensure_ascii=False, indent=1) + "\n"
    elif not captured:
        raise UserError(tr("no_capture", number=game.id))
    else:
        data = capture_lines(game, captured)
    if args.output in (None, "-"):
        sys.stdout.write(data)
        return 0
    try:
        write_whole(Path(args.output), data)
    except OSError as error:
        raise UserError(tr("bad_file", file=args.output, reason=why(error))) from None
    return 0


def capture_lines(game: Game, captured: Sequence[tuple[int, int, bytes]]) -> str:
    """Return a capture as `seabattle decode` reads it, one JSON object a line. A is the master, B the slave."""
    form = JsonForm()
    names = (game.players[0].display_name, game.players[1].display_name)
    lines = [form.head(Header(names=names, settings="club", mode="club", began=captured[0][0]))]
    session = Session()
    records = session.run(Chunk(at, side, data) for at, side, data in captured)
    lines += [form.record(record) for record in records]
    return b"".join(lines).decode()


def _when(game: Game) -> str:
    return game.started.astimezone().strftime("%Y-%m-%d %H:%M")


def _players(game: Game) -> str:
    return f"{game.players[0].display_name} - {game.players[1].display_name}"
