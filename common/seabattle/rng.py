"""A small random number generator: two 15-bit multiply-with-carry generators, xored.

Each keeps a 15-bit state x and a carry c and steps t = a*x + c, x = t & 0x7FFF, c = t >> 15. As a <= 32767, t stays
below 2**30: a small integer on every port, so nothing is ever allocated. Both a*2**15 - 1 and a*2**14 - 1 are prime, so
each has the period a*2**14 - 1, about 2**57.8 together.

Not cryptographic: good for shuffling ships and drawing lots. The same seed gives the same numbers everywhere.
"""

from .const import const

_A = const(30903)
_B = const(28563)
_MASK = const(0x7FFF)


class Rng:
    """Uniform integers from a 30-bit seed; the same sequence on every interpreter."""

    def __init__(self, seed: int = 1) -> None:
        self.seed(seed)

    def seed(self, n: int) -> None:
        """Restart from n, an int of 0..2**30-1. Neighbouring seeds give unrelated sequences."""
        low = n & _MASK
        high = (n >> 15) & _MASK
        # A Feistel network: every bit of the seed affects every bit of both states, and no two seeds collide.
        i = 0
        while i < 8:
            low ^= (((high ^ (i * 3181)) * 20011 + 12345) >> 9) & _MASK
            low, high = high, low
            i += 1
            if i == 4:
                # A carry of 1..a-2 avoids the two states that never change: x = c = 0 and x = 2**15-1, c = a-1.
                self._t = (1 + high % (_A - 2) << 15) + low
        self._u = (1 + high % (_B - 2) << 15) + low

    def below(self, n: int) -> int:
        """Return a uniform integer of 0..n-1, for n of 1..32767."""
        last = 32768 - n
        while True:
            t = self._t
            t = _A * (t & _MASK) + (t >> 15)
            self._t = t
            u = self._u
            u = _B * (u & _MASK) + (u >> 15)
            self._u = u
            r = (t ^ u) & _MASK
            k = r % n
            # Reject numbers from the incomplete last run of n, or small results would be more frequent.
            if r - k <= last:
                return k
