"""Torn frames: bytes that do not belong to the frame in whose middle they came."""

from . import watch_doubt, watch_echo, watch_repeats, watch_shared, watch_shots, wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    AGAIN,
    ASKED,
    CUT,
    DOUBT,
    EARLY,
    FOLLOWS,
    GONE,
    OPEN,
    OPEN_AGE,
    OPEN_ECHOED,
    OPEN_FIRM,
    OPEN_OP,
    OPEN_SIDE,
    OPEN_TAKEN,
    OPEN_WHY,
    OUT,
    QUIET,
    R_BARE_ECHO,
    SAID,
    SHAKY,
    SHAKY_MOST,
    VIOLATION,
    X,
    Y,
)

if TYPE_CHECKING:
    from .watch import Watch

ECHO = const(0x2B)


def within(w: "Watch", i: int, byte: int) -> None:
    """Check whether a byte in the middle of a frame of side `i` belongs there."""
    v = w.v
    j = 1 - i
    reader = w.reader[i]
    if v[EARLY + i] and wire.is_command(byte):
        # The nick or shot was answered, so it was complete, and this is the next command.
        if reader.op == wire.SHOT:
            # its answer was not the last one again
            v[X + i] = v[Y + i] = 0
            watch_shots.answered(w, i, j, v[SAID + j], True)
        w.cut(i, 1)
    elif reader.op == ECHO and not reader.size and byte != w.raw[0] and v[OUT + j]:
        if wire.command_of(byte) == v[OUT + j] and v[OUT + j] != wire.PARAMS:
            if v[GONE + j] == wire.PARAMS:
                # The master went on after the opcode of the echo, and was answered: no parameters will follow.
                _bare_echo(w, i, byte)
                w.agree()
                reader.reset()
            else:
                w.cut(i, 1)
    elif reader.op == wire.NICK and byte == wire.NICK and reader.needs_length:
        w.cut(i, 1)


def misfit(w: "Watch", i: int) -> int:
    """Return how many of the last bytes of a whole frame do not belong to it, by its contents; 0 if all do."""
    reader = w.reader[i]
    op = reader.op
    d = reader.data
    if op == wire.SHOT or op == wire.PARAMS or op == ECHO:
        if d[0] == op:
            return reader.size  # the opcode came twice
    if op == ECHO and w.raw[4] != d[4] and watch_shared.awaited(w, 1 - i, d[4]):
        # A byte of the echo is missing, and the first byte of the next frame took its place.
        k = 0
        while d[k] == w.raw[k]:
            k += 1
        while k < 4 and d[k] == w.raw[k + 1]:
            k += 1
        return 1 if k == 4 else 0
    return 0


def _bare_echo(w: "Watch", i: int, byte: int) -> None:
    """Handle an echo without parameters, if side `i` and the master both go on.

    The byte after its opcode starts a new frame.
    """
    v = w.v
    op = w.reader[i].op
    w.erred(i, R_BARE_ECHO)
    verdict = VIOLATION
    maybe = is_open = 0
    if v[SHAKY] or v[OPEN]:
        verdict = FOLLOWS
    elif watch_shared.is_shared(w, i) or (
        _just_room(w, i) and not watch_repeats.is_repeated(w, i, R_BARE_ECHO, wire.PARAMS)
    ):
        # There was just enough time for the parameters: the tap may have lost them.
        verdict = DOUBT
        maybe = 1
    bit = byte ^ w.raw[0]
    if verdict == VIOLATION and not bit & (bit - 1):
        # or it is the first parameter, changed: the next byte shows it
        is_open = 1
        v[OPEN] = CUT
        v[OPEN_SIDE] = i
        v[OPEN_OP] = op
        v[OPEN_WHY] = R_BARE_ECHO
        v[OPEN_AGE] = v[OPEN_ECHOED] = v[OPEN_TAKEN] = 0
        v[OPEN_FIRM] = 1
    w.put_weighed(CUT, i, op, verdict, R_BARE_ECHO, wire.command_of(op), is_open, maybe, 1)
    v[SHAKY] = SHAKY_MOST


def echoed(w: "Watch", i: int, byte: int) -> None:
    """Decide by the byte after it whether the frame after a bare echo of side `i` is its first parameter, changed."""
    v = w.v
    if v[OPEN] == CUT and v[OPEN_SIDE] == i and v[OPEN_WHY] == R_BARE_ECHO and v[OPEN_FIRM] == 1:
        is_reply = byte == wire.SYNCED and v[ASKED]
        watch_doubt.rule(w, DOUBT if byte == w.raw[1] and not v[QUIET + i] and not is_reply else VIOLATION, True)


def _just_room(w: "Watch", i: int) -> bool:
    """Return whether the parameters, and the master's repeats meanwhile, fit after the opcode of the echo."""
    return w.room > watch_echo.PARAMS_SIZE and (w.room <= 3 * watch_echo.PARAMS_SIZE or w.v[AGAIN + 1 - i] > 0)
