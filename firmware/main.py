"""Starts the game. `board` is the module of the board this runs on.

Holding OK at power-on leaves the board at its prompt, and so does Ctrl-C there at any time.
"""

import gc
import os
import sys

_TIDY = 8192
"""Collect garbage after every this many bytes while the modules are loaded: the free memory then is contiguous, not
fragmented, and games loaded later find room.
"""


def finish_update() -> None:
    """Install the new files named in the list that an update has left; does nothing without one.

    A line is a path whose new content is stored next to it with `.new` appended, or `-` and a path to remove. Power may
    fail at any point: steps already done are skipped the next time.
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
    """Let files that `seabattle flash` puts on a board take precedence over modules frozen into its firmware."""
    if ".frozen" in sys.path:
        sys.path.remove(".frozen")
        sys.path.append(".frozen")


def tidy(size: int) -> None:
    """Run the garbage collector after every `size` allocated bytes, -1: when memory is full. CPython cannot do this."""
    if hasattr(gc, "threshold"):
        gc.threshold(size)


def main() -> None:
    """Start the game, unless OK is held down."""
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
        # the next start reloads everything: the loaded modules have discarded their constructors
        for name in list(sys.modules):
            if name[:3] == "sea":
                del sys.modules[name]


main()
