"""PINs: hashing, and slowing down guesses.

A PIN is short, so its hash has to be slow, and guessing fast must be impossible. Wrong PINs are counted for the name
and for the address. After the first few each delays the next one, twice as long as the one before. Only a day without a
wrong PIN resets a counter, neither a right PIN for another name nor a new connection; of more than 10,000 counters the
oldest are dropped.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable

FREE_TRIES = 3
"""Wrong PINs allowed without a delay: people mistype."""
_FIRST_WAIT = 10.0
_LONGEST_WAIT = 3600.0
_FORGOTTEN = 86400.0
_KEPT_MOST = 10_000

_FORM = b"\x02"
_SALT = 16


def make(pin: str) -> bytes:
    """Hash a PIN for storage. Deliberately slow: run it in a thread."""
    salt = secrets.token_bytes(_SALT)
    return _FORM + salt + _hash(pin, salt, 1 << 14)


def matches(pin: str, kept: bytes) -> bool:
    """Return whether the PIN matches the stored hash. As slow as make()."""
    if kept[:1] == _FORM and len(kept) == 1 + _SALT + 64:
        return hmac.compare_digest(kept[1 + _SALT :], _hash(pin, kept[1 : 1 + _SALT], 1 << 14))
    # the format of the first clubs
    return hmac.compare_digest(kept[_SALT:], _hash(pin, kept[:_SALT], 1 << 10))


def outdated(kept: bytes) -> bool:
    """Return whether the hash is of an older kind, faster to guess than make()'s."""
    return len(kept) != 1 + _SALT + 64


def _hash(pin: str, salt: bytes, n: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=8, p=1, maxmem=1 << 26)


class Attempts:
    """Counters of wrong PINs by key. clock: monotonic seconds. free: wrong PINs without a delay."""

    def __init__(self, clock: Callable[[], float], free: int = FREE_TRIES):
        self._clock = clock
        self._free = free
        self._wrong: dict[str, tuple[int, float]] = {}
        """Key -> number of wrong PINs, and time of the last one."""

    def wait(self, *keys: str) -> float:
        """Return the seconds until the next PIN may be tried for all of these keys, 0 for now."""
        return max(0.0, *(self._wait(key) for key in keys))

    def wrong(self, *keys: str) -> None:
        """Count a wrong PIN."""
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
