"""Torn frames: bytes that do not belong to the frame in whose middle they came."""

from . import watch_doubt, watch_shared, wire
from .const import TYPE_CHECKING, const
from .watch_state import EARLY, GONE, OUT

if TYPE_CHECKING:
    from .watch import Watch

ECHO = const(0x2B)


def within(w: "Watch", i: int, byte: int) -> None:
    """Check whether a byte in the middle of a frame of side `i` belongs there."""
    v = w.v
    j = 1 - i
    reader = w.reader[i]
    if v[EARLY + i] and wire.is_command(byte):
        # The nick was answered, so it was complete, and this is the next command.
        w.cut(i, 1)
    elif reader.op == ECHO and not reader.size and byte != w.raw[0] and v[OUT + j]:
        if wire.command_of(byte) == v[OUT + j] and v[OUT + j] != wire.PARAMS:
            if v[GONE + j] == wire.PARAMS:
                # The master went on after the opcode of the echo, and was answered: no parameters will follow.
                watch_doubt.bare_echo(w, i)
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
