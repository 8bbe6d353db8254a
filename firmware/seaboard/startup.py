"""The last steps of a board's start, after all its parts are made. Unloaded when done."""

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
        # the last console output; from here on frames
        board.usb.open(app.link.reader)
    hz = ATTEND_USB_HZ if board.usb else board.attend_hz
    board.attending = _polling_timer(board.attend_timer, hz, app.attend)
    if board.bare:
        app.play_for_ever()


def _polling_timer(number: int, hz: int, callback: "Callable[[Timer], None]") -> "Timer":
    """Return a timer that calls back between two bytecodes of the program, not in an interrupt."""
    if sys.platform == "pyboard":
        return machine.Timer(-1, period=1, callback=callback)
    return machine.Timer(number, freq=hz, callback=callback)


def _settle(board: "Board", app: "App") -> None:
    """Discard the constructors of parts that a board has only once: two kilobytes that no game needs.

    A class stays intact if more instances may be made later, or if a module loaded later derives from it.
    """
    ui = app.ui
    panel = board.panel
    chip = getattr(panel, "chip", panel)
    bus = getattr(panel, "bus", getattr(chip, "bus", chip))
    # those of the base classes of panels and of a test's board
    _drop_init(Board)
    _drop_init(Panel)
    for part in (panel, chip, bus, board.keys, board.speaker, app.storage, app.revealer):
        _drop_init(type(part))
    for part in (ui.wait, ui.menu, ui.letters, ui.placing, ui.battle, ui, app):
        _drop_init(type(part))


def _drop_init(kind: "Any") -> None:
    """Discard the constructor of this class."""
    # If deleted it would leave an unused entry in the class's table.
    kind.__init__ = None
