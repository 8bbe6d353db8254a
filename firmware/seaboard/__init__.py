"""The game on a board. `app.App` is the loop; it reaches hardware only through the board object passed to it.

A board (boards/<name>/board.py) has a class `Board` with

    name        bytes in ASCII, for the page about the program
    language    0 English, 1 Russian, None for the saved one
    seed        0..2**30-1, the random seed
    uart        any() -> number of waiting bytes (or just true), readinto(buffer) -> number of bytes read or None,
                write(buffer) -> number of bytes accepted or None; none of them blocks. If it has `damaged`, that
                says whether the byte last returned by a readinto() of one byte was damaged on the line
    ticks()     ticks of 65536/1193182 s since it was made, 0..2**30-1, wraps around
    ms()        a clock in milliseconds, 0..2**29-1, wraps around
    panel       a seaboard.lcd.Lcd or seaboard.pixels.Pixels
    keys        get(ms) -> a key of seaboard.keys, or 0; esc: true if there is a separate BACK key
    store       read(slot, buffer) -> bytes read, write(slot, buffer); slot 0 or 1; or None if nothing can be saved
    beep(kind)  starts a sound, kind 0..3 (miss, hit, sunk, attention); returns at once
    idle()      called when there is nothing to do; may wait for the next byte, key or millisecond
    event(code) called with every event of the session (seabattle.link.EV_*) after it was handled
    notify(what) called with other news of the program (seaboard.app.NOTICE_*)
    held()      whether the game must not start
    begin(app)  called once before the loop
    fault(error)  called with an exception that has stopped the game; if it returns, the panel shows it until a key
    restart()   restarts the board

and, if the player may choose what carries the line, `lines`, names in the order of words.V_UART, `line`, the current
one, and choose_line(name), which saves another and restarts the board.
"""

import sys

VERSION = b"0.1"


def unload(full: str) -> None:
    """Unload a module that is no longer needed, to free the memory of its code.

    full: its dotted name; does nothing if it is not loaded.
    """
    if full not in sys.modules:
        return
    del sys.modules[full]
    package, _, name = full.partition(".")
    try:
        delattr(sys.modules[package], name)
    except (AttributeError, KeyError):
        pass
