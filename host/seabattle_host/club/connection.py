"""A connection to the club, whatever it carries: bytes in and out, and an end to those that are too many."""

from __future__ import annotations

from seabattle_host.club.limits import Limits
from seabattle_host.club.line import Line
from seabattle_host.club.session_types import GONE, SEEKING
from seabattle_host.language.words import TICK_SECONDS

_NOISE_FORGIVEN = 2
"""Bytes of noise that each tick forgives."""


class Connection:
    """line: where the bytes come from. trusted: it is the club's own player, which may send as much as it likes."""

    def __init__(self, line: Line, limits: Limits, trusted: bool = False):
        self.line = line
        self.phase = SEEKING
        self.offences = 0
        """How often it broke the protocol."""
        self.noise = 0
        """Bytes that began no frame, less those that were forgiven."""
        self._limits = limits
        self._trusted = trusted
        self._budget = float(limits.burst)
        line.hear = self.receive
        line.gone = self.lost
        line.back = self.returned

    @property
    def address(self) -> str:
        """Where it comes from, for limits; empty for a serial port and for a computer."""
        return self.line.address

    # What a session does with it.

    def _take(self, data: bytes) -> None:
        """Bytes have come that are not too many."""
        raise NotImplementedError

    def _ended(self, why: str) -> None:
        """The connection is over, or what lasts of it begins again."""
        raise NotImplementedError

    def returned(self) -> None:
        """A lasting line is back: somebody else may be at it."""
        raise NotImplementedError

    # The line.

    def receive(self, data: bytes) -> None:
        """Bytes from the peer."""
        if self.phase == GONE:
            return
        self._budget -= len(data)
        if self._budget < 0 and not self._trusted:
            self.drop("flood")
            return
        self._take(data)

    def lost(self, why: str) -> None:
        """The line is gone."""
        if self.phase != GONE:
            self._ended(why or "hung up")

    def drop(self, why: str) -> None:
        """End the connection; a lasting line only begins again."""
        if self.phase == GONE:
            return
        if self.line.lasting:
            self._ended(why)
            self.returned()
            self._budget = float(self._limits.burst)
            self.noise = 0
            return
        self.line.close()
        self._ended(why)

    def offend(self) -> None:
        """It broke the protocol."""
        self.offences += 1

    def _write(self, data: bytes | bytearray) -> None:
        if self.line.unsent + len(data) > self._limits.unsent:
            self.drop("does not read")
        else:
            self.line.send(bytes(data))

    def _drop_if_noisy(self) -> None:
        if self.noise > self._limits.noise:
            self.drop("rubbish")

    def _forgive(self) -> None:
        """A tick has passed."""
        if not self.noise and self._budget >= self._limits.burst:
            return
        self.noise = max(0, self.noise - _NOISE_FORGIVEN)
        self._budget = min(float(self._limits.burst), self._budget + self._limits.pace * TICK_SECONDS)
