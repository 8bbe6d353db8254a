"""A connection to the club over any kind of line: bytes in and out, with limits on floods and noise."""

from __future__ import annotations

from seabattle_host.club.limits import Limits
from seabattle_host.club.line import Line
from seabattle_host.club.session_types import GONE, SEEKING
from seabattle_host.language.words import TICK_SECONDS

_NOISE_FORGIVEN = 2
"""Bytes of noise forgiven per tick."""


class Connection:
    """line: the line of the peer. trusted: the club's own player, exempt from the limit on bytes."""

    def __init__(self, line: Line, limits: Limits, trusted: bool = False):
        self.line = line
        self.phase = SEEKING
        self.offences = 0
        """Violations of the protocol."""
        self.noise = 0
        """Bytes that began no frame, less those forgiven."""
        self._limits = limits
        self._trusted = trusted
        self._budget = float(limits.burst)
        line.hear = self.receive
        line.gone = self.lost
        line.back = self.returned

    @property
    def address(self) -> str:
        """The address that limits count; empty for a serial port and for a computer."""
        return self.line.address

    # Implemented by the session.

    def _take(self, data: bytes) -> None:
        """Process bytes that are within the limits."""
        raise NotImplementedError

    def _ended(self, why: str) -> None:
        """Handle the end of the connection, or, on a lasting line, of the session on it."""
        raise NotImplementedError

    def returned(self) -> None:
        """Start anew on a lasting line that is back: another player may be at it."""
        raise NotImplementedError

    # The line.

    def receive(self, data: bytes) -> None:
        """Receive bytes from the peer."""
        if self.phase == GONE:
            return
        self._budget -= len(data)
        if self._budget < 0 and not self._trusted:
            self.drop("flood")
            return
        self._take(data)

    def lost(self, why: str) -> None:
        """Handle the loss of the line."""
        if self.phase != GONE:
            self._ended(why or "hung up")

    def drop(self, why: str) -> None:
        """End the connection; on a lasting line only start anew."""
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
        """Count a violation of the protocol."""
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
        """Let a tick pass: noise is forgiven, the budget of bytes grows."""
        if not self.noise and self._budget >= self._limits.burst:
            return
        self.noise = max(0, self.noise - _NOISE_FORGIVEN)
        self._budget = min(float(self._limits.burst), self._budget + self._limits.pace * TICK_SECONDS)
