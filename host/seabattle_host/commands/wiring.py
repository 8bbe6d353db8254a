"""`seabattle wiring BOARD`: how the line, the keys and a display are connected to a kind of board."""

from __future__ import annotations

import argparse
from pathlib import Path

from seabattle_host.boards import deploy, wiring
from seabattle_host.commands import board_options, options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.whole_file import write_whole


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("wiring_about")
    parser = subparsers.add_parser("wiring", help=about, description=about)
    names = [kind.name for kind in deploy.kinds()]
    which = parser.add_argument("board", metavar="BOARD", help=tr("help_wiring_board", names=", ".join(names)))
    options.with_choices(which, names)
    kits = list(deploy.kits())
    kit = parser.add_argument("--kit", metavar="NAME", help=tr("help_wiring_kit", kits=", ".join(kits)))
    options.with_choices(kit, kits)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.svg", help=tr("help_wiring_output"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the wires, or draw them; return the exit status."""
    kind = deploy.kind_by_name(args.board)
    if args.kit is not None:
        board_options.kit_values(args.kit, kind)
        kind = wiring.with_kit(kind, args.kit)
    if args.output is not None:
        if args.output.suffix.lower() != ".svg":
            raise UserError(tr("wiring_not_svg", path=args.output))
        try:
            write_whole(args.output, wiring.drawing(kind))
        except OSError as error:
            raise UserError(tr("bad_file", file=args.output, reason=why(error))) from None
        return 0
    print(f"{kind.machine.removesuffix(' with')}, {kind.chip}")
    for part in wiring.parts(kind):
        print(f"\n{part.title}")
        width = max(12, *(len(wire.terminal) for wire in part.wires))
        for wire in part.wires:
            print(f"  {wire.terminal:{width}} {wire.pin}")
        if part.note:
            print(f"  ({part.note})")
    return 0
