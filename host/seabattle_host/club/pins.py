"""PINs: how they are kept, and how slowly they can be tried out.

A PIN is short, so a hash of it has to be slow, and there must be no quick way to try many. Wrong PINs are counted for
the name that they were tried on and for the address that they came from. After the first few each makes the next one
wait, twice as long as the one before. Nothing clears the counters but a day without a wrong PIN: neither a right one
for another name nor a new connection.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable

FREE_TRIES = 3
"""Wrong PINs that cost nothing: fingers slip."""
_FIRST_WAIT = 10.0
_LONGEST_WAIT = 3600.0
_FORGOTTEN = 86400.0
_KEPT_MOST = 10_000

_FORM = b"\x02"
_SALT = 16


def make(pin: str) -> bytes:
    """What is kept of a PIN. Slow on purpose, so it belongs into a thread."""
    salt = secrets.token_bytes(_SALT)
    return _FORM + salt + _hash(pin, salt, 1 << 14)


def matches(pin: str, kept: bytes) -> bool:
    """Whether `kept` was made of this PIN; as slow as make()."""
    if kept[:1] == _FORM and len(kept) == 1 + _SALT + 64:
        return hmac.compare_digest(kept[1 + _SALT :], _hash(pin, kept[1 : 1 + _SALT], 1 << 14))
    # as the first clubs kept them
    return hmac.compare_digest(kept[_SALT:], _hash(pin, kept[:_SALT], 1 << 10))


def outdated(kept: bytes) -> bool:
    """Whether it was kept in a form that is faster to try out than make()'s."""
    return len(kept) != 1 + _SALT + 64


def _hash(pin: str, salt: bytes, n: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=8, p=1, maxmem=1 << 26)


class Attempts:
    """Wrong PINs by what they are counted for. clock: seconds that only grow. free: those that cost nothing."""

    def __init__(self, clock: Callable[[], float], free: int = FREE_TRIES):
        self._clock = clock
        self._free = free
        self._wrong: dict[str, tuple[int, float]] = {}
        """Key -> wrong PINs, and when the last one came."""

    def wait(self, *keys: str) -> float:
        """Seconds until the next PIN may be tried for all of these, 0 for at once."""
        return max(0.0, *(self._wait(key) for key in keys))

    def wrong(self, *keys: str) -> None:
        """A wrong PIN has come."""
        now = self._clock()
        for key in keys:
            count = self._count(key)
            self._wrong.pop(key, None)
            self._wrong[key] = count + 1, now
        while len(self._wrong) > _KEPT_MOST:
            del self._wrong[next(iter(self._wrong))]

    def _count(self, key: str) -> int:
        count, at = self._wrong.get(key, (0, 0.0))
        return count if self._clock() - at < _FORGOTTEN else 0

    def _wait(self, key: str) -> float:
        over = self._count(key) - self._free
        if over < 0:
            return 0.0
        length = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(over, 20))
        return max(0.0, self._wrong[key][1] + length - self._clock())
