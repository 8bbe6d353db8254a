"""The last steps of a board's start, when all its parts are there. Given up when they are done."""

import sys

import machine

from seabattle.const import TYPE_CHECKING

from .hardware import ATTEND_USB_HZ, Board
from .panel import Panel

if TYPE_CHECKING:
    from typing import Any, Callable

    from machine import Timer

    from .app import App


def begin(board: "Board", app: "App") -> None:
    """See Board.begin()."""
    board.app = app
    if sys.implementation.name == "micropython":
        _settle(board, app)
    if board.faults:
        print("seabattle: fault", ", ".join(board.faults))
    else:
        print("seabattle: ready", board.name.decode())
    if board.usb:
        # the last word on it that is no frame
        board.usb.open(app.link.reader)
    hz = ATTEND_USB_HZ if board.usb else board.attend_hz
    board.attending = _attending(board.attend_timer, hz, app.attend)
    if board.bare:
        app.play_for_ever()


def _attending(number: int, hz: int, callback: "Callable[[Timer], None]") -> "Timer":
    """A timer that calls back between two instructions of the program, not in an interrupt."""
    if sys.platform == "pyboard":
        return machine.Timer(-1, period=1, callback=callback)
    return machine.Timer(number, freq=hz, callback=callback)


def _settle(board: "Board", app: "App") -> None:
    """Give up how the parts are made of which a board has one each: two kilobytes that no game needs.

    A class stays whole if more of it may be made later, or if what is loaded later has a kind of it.
    """
    ui = app.ui
    panel = board.panel
    chip = getattr(panel, "chip", panel)
    bus = getattr(panel, "bus", getattr(chip, "bus", chip))
    # those of the classes above the panel's and a test's board
    _last(Board)
    _last(Panel)
    for part in (panel, chip, bus, board.keys, board.speaker, app.storage, app.revealer):
        _last(type(part))
    for part in (ui.wait, ui.menu, ui.letters, ui.placing, ui.battle, ui, app):
        _last(type(part))


def _last(kind: "Any") -> None:
    """No more of this class are made."""
    # Deleted, it would stay in the table of the class, in a place that may be used again.
    kind.__init__ = None
