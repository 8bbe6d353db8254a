"""`seabattle boards`: list the MicroPython boards that are plugged in."""

from __future__ import annotations

import argparse

from seabattle_host.boards import bootsel, deploy, discovery
from seabattle_host.boards.deploy import Kind
from seabattle_host.boards.device import Device, Identity, usb_ports
from seabattle_host.commands import options
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("boards_about")
    parser = subparsers.add_parser("boards", help=about, description=about)
    parser.add_argument("--port", metavar="P", help=tr("help_port_one"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the boards; return the exit status, 1 if there is none."""
    found = False
    for url in [port.url for port in usb_ports()] if args.port is None else [args.port]:
        try:
            with Device(url) as board:
                identity = board.identity()
            found = True
            print(describe(url, identity, deploy.recognise_kind(identity)))
        except SeabattleError as error:
            if args.port is not None:
                raise
            print(error)
    if not found:
        raise no_board_error()
    return 0


def no_board_error() -> UserError:
    """Return the error for no board with MicroPython; it names a board that waits for MicroPython."""
    waiting = bootsel.drives()
    return UserError(tr("board_waits", drive=waiting[0]) if waiting else tr("no_board"))


def describe(url: str, identity: Identity, kind: Kind | None) -> str:
    """Describe a board in one line."""
    about = {"port": url, "machine": identity.machine, "version": identity.version_text}
    if kind is not None:
        return tr("found", board=kind.name, **about)
    names = ", ".join(each.name for each in deploy.kinds_with_same_chip(identity))
    return tr("found_unknown", names=names, **about) if names else tr("found_unknown_chip", **about)


def only_board() -> str:
    """Return the port of the only board plugged in. Raises UserError if there is none, or if it is ambiguous."""
    ports = usb_ports()
    if not ports:
        raise no_board_error()
    url = ports[0].url if len(ports) == 1 else discovery.port_to_flash()
    if not url:
        about = {port.url: port.about for port in ports}
        about.update((candidate, maker) for candidate, _, maker in discovery.candidates())
        named = (f"{port} ({words})" for port, words in about.items())
        raise UserError(tr("many_boards", ports=", ".join(named)))
    return url
