"""`seabattle history`: the games played on this computer, listed, replayed on the screen, or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.records.paths import archive_path
from seabattle_host.whole_file import write_whole

if TYPE_CHECKING:
    from seabattle_host.records.archive import Game


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("history_about")
    parser = subparsers.add_parser("history", help=about, description=f"{about} {archive_path()}")
    options.add_lang(parser)
    parser.set_defaults(run=run, action="list")
    actions = parser.add_subparsers(metavar="show|export", dest="action")
    show = actions.add_parser("show", help=tr("help_history_show"))
    show.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    options.add_lang(show)
    export = actions.add_parser("export", help=tr("help_history_export"))
    export.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    export.add_argument("-o", "--output", metavar="FILE", help=tr("help_history_output"))
    options.add_lang(export)


def run(args: argparse.Namespace) -> int:
    """List, show or export; return the exit status."""
    options.preferences(args)
    if not archive_path().exists():
        if args.action in (None, "list"):
            print(tr("play_no_games"))
            return 0
        raise UserError(tr("play_no_games"))
    from seabattle_host.records.archive import Archive

    with Archive() as archive:
        if args.action in (None, "list"):
            print_list(archive.games())
            for number in archive.damaged:
                print(tr("archive_damaged", number=number, file=archive.path), file=sys.stderr)
            return 0
        game = archive.game(args.number)
    if args.action == "export":
        export(game, args.output)
    else:
        show(game)
    return 0


def print_list(games: list[Game]) -> None:
    """Print one line per game, in columns, the newest last."""
    if not games:
        print(tr("play_no_games"))
        return
    from seabattle_host.commands.text_table import align_columns
    from seabattle_host.games.history import columns, row

    print("\n".join(align_columns([columns(), *(row(game) for game in games)])))


def export(game: Game, output: str | None) -> None:
    """Write the game as JSON, to a file or to standard output. Raises UserError if the file cannot be written."""
    text = json.dumps(game.to_json(), ensure_ascii=False, indent=1) + "\n"
    if output in (None, "-"):
        sys.stdout.write(text)
        return
    try:
        write_whole(Path(output), text)
    except OSError as error:
        raise UserError(tr("bad_file", file=output, reason=why(error))) from None


def show(game: Game) -> None:
    """Replay the game on the screen; without a terminal, print its moves."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from seabattle_host.records.settings import Preferences
        from seabattle_host.tui.app import SeabattleApp
        from seabattle_host.tui.start_options import StartOptions

        SeabattleApp(StartOptions(replay=game), Preferences.load(), None, "").run()
        return
    from seabattle_host.games import review
    from seabattle_host.games.history import move_words, outcome, statistics, when
    from seabattle_host.language.words import duration

    print(tr("replay_title", number=game.number, when=when(game), players=" - ".join(review.names(game))))
    for number in range(1, len(game.moves) + 1):
        print(move_words(game, number))
    print("\n".join([outcome(game), *statistics(game), tr("game_took", time=duration(game.length))]))
