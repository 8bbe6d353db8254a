"""The game on a board. `app.App` is the loop; it knows hardware only through the board object that it is given.

A board (boards/<name>/board.py) has a class `Board` with

    name        bytes in ASCII, for the page about the program
    language    0 English, 1 Russian, None for the one that was saved
    seed        0..2**30-1, for what is drawn by lot
    uart        any() -> bytes that wait (or just true), readinto(buffer) -> how many were read or None, never waiting;
                write(buffer) -> how many bytes were taken or None, never waiting; where it has `damaged`, that
                says whether the byte that readinto() of one byte gave last was damaged on the line
    ticks()     how many ticks of 65536/1193182 s have passed since it was made, 0..2**30-1 and round
    ms()        a clock in milliseconds, 0..2**29-1 and round
    panel       a seaboard.lcd.Lcd or seaboard.pixels.Pixels
    keys        get(ms) -> a key of seaboard.keys, or 0; esc: true if it has a key of its own for BACK
    store       read(slot, buffer) -> bytes read, write(slot, buffer); slot 0 or 1; or None where nothing can be kept
    beep(kind)  a sound, kind 0..3 (miss, hit, sunk, attention); returns at once
    idle()      called when there is nothing to do; may wait for the next byte, key or millisecond
    event(code) told every event of the session (seabattle.link.EV_*) after it was dealt with
    notify(what) told what else the program does (seaboard.app.NOTICE_*)
    held()      whether the game is not to start
    begin(app)  called once before the loop
    fault(error)  told of an exception that has stopped the game; where it returns, the panel shows it, and a key
    restart()   starts the board again

and, where the player may choose what carries the line, `lines`, names in the order of words.V_UART, `line`, the one it
has, and choose_line(name), which keeps another and starts the board again.
"""

import sys

VERSION = b"0.1"


def unload(full: str) -> None:
    """Give up a module whose work is done, so that the memory of its code is free.

    full: its dotted name; nothing happens where it is not loaded.
    """
    if full not in sys.modules:
        return
    del sys.modules[full]
    package, _, name = full.partition(".")
    try:
        delattr(sys.modules[package], name)
    except (AttributeError, KeyError):
        pass
