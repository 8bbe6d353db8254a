"""`seabattle replay`: play one side of a capture to a live peer."""

from __future__ import annotations

import argparse

from seabattle_host.commands import options
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import ROLES
from seabattle_host.sniff.forms import NAMES as FORMATS

_USUAL_WAIT = 5.0


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("replay_about")
    parser = subparsers.add_parser("replay", help=about, description=about)
    parser.add_argument("file", metavar="FILE")
    options.add_port(parser)
    parser.add_argument("--as", dest="role", choices=("master", "slave"), required=True, help=tr("help_as"))
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help=tr("help_replay_speed"))
    parser.add_argument("--wait", type=options.seconds, default=_USUAL_WAIT, metavar="S", help=tr("help_replay_wait"))
    parser.add_argument("--form", "--format", dest="form", choices=FORMATS, metavar="NAME", help=tr("help_format"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay; return the exit status: 1 if the peer behaved differently."""
    from seabattle_host.errors import PortLost
    from seabattle_host.line.port import Port
    from seabattle_host.sniff.replay import Different, Replay, load

    role = ROLES[args.role]
    steps, remarks = load(args.file, role, args.form)
    with Port(args.port, options.settings(args)) as port:
        for remark in remarks:
            print(f"- {remark}", flush=True)
        replay = Replay(port, role, steps, args.speed, args.wait)
        try:
            replay.play()
        except Different as different:
            print(different)
            return different.status
        except PortLost as lost:
            print(lost)
            return lost.status
    print(tr("replay_same", frames=replay.compared))
    return 0


def _speed(value: str) -> float:
    """Parse a number >= 0 (an argument type)."""
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(tr("bad_speed", value=value))
    return number
