"""`seabattle flash --wifi`: settings of a board's radio, asked for here and stored in a file on the board.

The password is never displayed, and stored in no file on the PC.
"""

from __future__ import annotations

import argparse
import getpass
import sys

from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

FILE = "seabattle-wifi.txt"
"""As in seaboard.tcpline. No file of the game has this name, so a later `flash` leaves it alone."""

_NET_MOST = 32
_PASSWORD = range(8, 64)


def ask() -> bytes:
    """Return the file's content: network, password, host and port, a line each.

    Read it from the terminal, else from the first three lines of the input: network, password, HOST:PORT. Raises
    UserError for invalid values.
    """
    if sys.stdin.isatty():
        try:
            net = input(tr("wifi_net"))
            password = getpass.getpass(tr("wifi_password"))
            where = input(tr("wifi_address"))
        except EOFError:
            raise UserError(tr("wifi_short")) from None
    else:
        lines = sys.stdin.read().splitlines()
        if len(lines) < 3:
            raise UserError(tr("wifi_short"))
        net, password, where = lines[:3]
    if not 0 < len(net.encode()) <= _NET_MOST:
        raise UserError(tr("wifi_bad_net", most=_NET_MOST))
    if password and len(password.encode()) not in _PASSWORD:
        raise UserError(tr("wifi_bad_password", least=_PASSWORD.start, most=_PASSWORD.stop - 1))
    try:
        host, port = options.address(where.strip())
    except argparse.ArgumentTypeError as error:
        raise UserError(str(error)) from None
    return "\n".join((net, password, host, str(port), "")).encode()
