"""Whether loss or damage on the way explains a wrong echo of the parameters."""

from . import wire
from .const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from .watch import Watch

PARAMS_SIZE = const(5)  # bytes of the parameters


def is_explained(w: "Watch", j: int) -> bool:
    """Return whether one byte, or noise in all of them, turns the parameters into the echo of side `j`."""
    return _nearly(w, j) or _torn(w, j) or _by_noise(w, j)


def _by_noise(w: "Watch", j: int) -> bool:
    """Return whether the echo of side `j` differs by at most one bit per byte, or by two adjacent bytes swapped."""
    d = w.reader[j].data
    raw = w.raw
    bits = True
    places = 0
    for k in range(PARAMS_SIZE):
        different = d[k] ^ raw[k]
        if different & (different - 1):
            bits = False
        if different:
            places += 1
            if k and d[k] == raw[k - 1] and d[k - 1] == raw[k]:
                places -= 2
    return bits or not places


def _nearly(w: "Watch", j: int) -> bool:
    """Return whether one changed, lost or doubled byte turns the parameters into the echo of side `j`."""
    d = w.reader[j].data
    raw = w.raw
    changed = 0
    k = 4
    while k >= 0:
        if d[k] != raw[k]:
            changed += 1
        k -= 1
    if changed < 2:
        return True
    # bytes equal from the front, and from the back when shifted by one
    front = 0
    while d[front] == raw[front]:
        front += 1
    k = front
    while k < 4 and d[k] == raw[k + 1]:
        k += 1
    if k == 4:
        return True
    k = front + 1
    while k < 5 and d[k] == raw[k - 1]:
        k += 1
    return k == 5


def _torn(w: "Watch", j: int) -> bool:
    """Return whether the echo of side `j` ends in the start of a frame.

    Parameters never do: its own end was lost.
    """
    d = w.reader[j].data
    k = 1
    while k < 5 and wire.exchange(d[k]) is None:
        k += 1
    return k < 5
