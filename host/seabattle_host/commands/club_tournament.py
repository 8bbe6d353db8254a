"""`seabattle club tournament`: start, show and stop a tournament."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from seabattle_host.commands import club_admin, options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.club.store import Account
    from seabattle_host.club.tournament import Tournament

_MOST_ROUNDS = 50


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser], alone: club_admin.Alone) -> None:
    """Declare the command. alone: as for club_admin.register()."""
    tournament = actions.add_parser("tournament", help=tr("tournament_about"), description=tr("tournament_about"))
    options.add_lang(tournament)
    orders = tournament.add_subparsers(metavar="start|show|stop", dest="what", required=True)
    start = orders.add_parser("start", help=tr("tournament_start_about"), description=tr("tournament_start_about"))
    start.add_argument("names", nargs="+", metavar="NAME")
    rounds = options.whole(1, _MOST_ROUNDS)
    start.add_argument("--swiss", type=rounds, default=0, metavar="ROUNDS", help=tr("help_swiss"))
    show = orders.add_parser("show", help=tr("tournament_show_about"), description=tr("tournament_show_about"))
    stop = orders.add_parser("stop", help=tr("tournament_stop_about"), description=tr("tournament_stop_about"))
    for parser in (start, show, stop):
        club_admin.add_db(parser)
        options.add_lang(parser)
    start.set_defaults(run=run_start, alone=alone)
    show.set_defaults(run=run_show)
    stop.set_defaults(run=run_stop, alone=alone)


def run_start(args: argparse.Namespace) -> int:
    """Start a tournament, in the open club or in the file of a closed one."""
    print(club_admin.ordered(args.db, args.alone, ["tournament", str(args.swiss), *args.names]))
    return 0


def run_stop(args: argparse.Namespace) -> int:
    """Stop the tournament."""
    print(club_admin.ordered(args.db, args.alone, ["tournament"]))
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Print the table, and the pairs of the current round."""
    from seabattle_host.club.store import Store

    with Store(args.db, make=False) as store:
        found, accounts = store.tournament(), store.accounts()
    if found is None:
        raise UserError(tr("tournament_none"))
    for line in tables(found[0], accounts):
        print(line)
    return 0


def tables(tournament: Tournament, accounts: dict[int, Account]) -> list[str]:
    """Format the table of a tournament and its pairs as lines."""
    from seabattle_host.club.tournament import BYE
    from seabattle_host.commands.text_table import align_columns

    def name(player: int) -> str:
        return accounts[player].display_name if player in accounts else "-"

    rounds = range(1, tournament.rounds + 1)
    lines = [["#", tr("club_column_name"), *map(str, rounds), tr("tournament_points"), tr("tournament_buchholz")]]
    numbers = {player: str(i) for i, player in enumerate(tournament.players, 1)}
    for row in tournament.table():
        results = [
            f"{'+' if won else '-'}{numbers.get(other, '')}" for other, won in zip(row.opponents, row.won, strict=True)
        ]
        results += [""] * (len(rounds) - len(results))
        lines.append([numbers[row.player], name(row.player), *results, str(row.points), str(row.buchholz)])
    rows = align_columns(lines)
    if tournament.over:
        return [*rows, tr("tournament_over", name=name(tournament.table()[0].player))]
    rows.append(tr("tournament_round", number=tournament.round, count=tournament.rounds))
    for one, two in tournament.pairs:
        if BYE in (one, two):
            rows.append(tr("tournament_off", name=name(one or two)))
        else:
            done = tournament.opponent(one) != two
            rows.append(f"{name(one)} - {name(two)}" + (f" ({tr('tournament_played')})" if done else ""))
    return rows
