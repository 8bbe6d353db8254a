"""Starts the game. `board` is the module of the board that this runs on.

Holding OK while the power comes on leaves the board at its prompt, and so does Ctrl-C there at any time.
"""

import gc
import os
import sys

_TIDY = 8192
"""While the modules are loaded, garbage is collected whenever so many bytes more are in use: what is left of the memory
is then in one piece, where otherwise it is strewn all over it, and the games that are loaded later find no room."""


def finish_update() -> None:
    """Put new files in their places, as a list says that an update has left; nothing where there is none.

    A line is a path whose new content lies beside it under the same name and `.new`, or `-` and a path to remove. The
    power may fail at any point: what is done already is passed over the next time.
    """
    update = "seabattle-update.txt"
    try:
        with open(update) as file:
            lines = file.read().split("\n")
    except OSError:
        return
    for line in lines:
        try:
            if line.startswith("-"):
                os.remove(line[1:])
            elif line:
                os.rename(line + ".new", line)
        except OSError:
            pass
    os.remove(update)


def files_first() -> None:
    """Have what `seabattle flash` puts on a board count before what is frozen into its firmware, which otherwise would
    hide it."""
    if ".frozen" in sys.path:
        sys.path.remove(".frozen")
        sys.path.append(".frozen")


def tidy(size: int) -> None:
    """Have garbage collected after every `size` bytes, -1: when the memory is full. CPython has no such thing."""
    if hasattr(gc, "threshold"):
        gc.threshold(size)


def main() -> None:
    finish_update()
    files_first()
    tidy(_TIDY)
    from board import Board

    here = Board()
    if here.held():
        return
    try:
        from seaboard.app import App

        app = App(here, here.seed)
        tidy(-1)
        here.begin(app)
        app.run()
    except Exception as error:
        here.fault(error)
        from seaboard import fault

        fault.show(here, error)
        here.restart()
    finally:
        # the next start loads all of it anew: what is loaded now has given up how its parts are made
        for name in list(sys.modules):
            if name[:3] == "sea":
                del sys.modules[name]


main()
