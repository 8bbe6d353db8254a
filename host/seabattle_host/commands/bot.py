"""`seabattle bot`: the computer plays over a line."""

from __future__ import annotations

import argparse
import secrets
from functools import partial

from seabattle_host.commands import options
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS, ROLES, SEED_MOST, nick_bytes

_USUAL_NICK = "seabattle"


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    usual_level = "density"
    levels = ", ".join(LEVELS)
    about = tr("bot_about")
    parser = subparsers.add_parser("bot", help=about, description=about)
    options.add_port(parser)
    parser.add_argument("--role", choices=ROLES, default="auto", help=tr("help_role"))
    options.add_parameters(parser)
    parser.add_argument(
        "--level",
        type=options.level,
        default=LEVELS[usual_level],
        metavar="LEVEL",
        help=tr("help_level", levels=levels, most=len(LEVELS), usual=usual_level),
    )
    parser.add_argument("--games", type=options.whole(0, 10**9), default=1, metavar="N", help=tr("help_games"))
    parser.add_argument("--nick", default=_USUAL_NICK, metavar="NAME", help=tr("help_nick", usual=_USUAL_NICK))
    parser.add_argument("--nick-cp866", action="store_true", help=tr("help_nick_cp866"))
    parser.add_argument("--tagged", action="store_true", help=tr("help_tagged"))
    options.add_seed(parser)
    parser.add_argument("--log", metavar="FILE", help=tr("help_log"))
    parser.add_argument("--chat", metavar="TEXT", default="", help=tr("help_chat"))
    parser.add_argument("--fair", action="store_true", help=tr("help_fair"))
    parser.add_argument("--salvo", action="store_true", help=tr("help_bot_salvo"))
    parser.add_argument("--wait", type=options.seconds, metavar="SECONDS", help=tr("help_wait"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play as the arguments say; return the exit status."""
    from seabattle_host.games import computers
    from seabattle_host.line.log import TextLog
    from seabattle_host.line.port import Port
    from seabattle_host.player.opponent import Opponent

    offer = options.parameters(args)
    nick = nick_bytes(args.nick, args.nick_cp866)
    settings = options.settings(args)
    seed = secrets.randbelow(SEED_MOST + 1) if args.seed is None else args.seed
    with Port(args.port, settings, mark_errors=True) as port:
        log = TextLog(args.log, f"seabattle bot, port {args.port} {settings}, seed {seed}") if args.log else None
        try:
            opponent = Opponent(
                port,
                role=ROLES[args.role],
                offer=offer,
                level=args.level,
                games=args.games,
                nick=nick,
                own_nick=args.nick,
                tagged=args.tagged,
                seed=seed,
                chat=args.chat,
                fair=args.fair,
                salvo=args.salvo,
                aim=partial(computers.salvo_of_one, level=args.level),
                wait=args.wait,
                log=log,
            )
            return opponent.play()
        finally:
            if log is not None:
                log.close()
