"""Settings of a serial line, and error counts of its driver; importable without opening ports."""

from __future__ import annotations

from dataclasses import dataclass, fields

from seabattle_host.language.messages import tr


@dataclass(frozen=True)
class Settings:
    """Line settings; the protocol's are 9600 baud, 8 data bits, even parity, 2 stop bits."""

    baud: int = 9600
    bytesize: int = 8
    parity: str = "E"
    stopbits: float = 2

    def __str__(self) -> str:
        return f"{self.baud} {self.bytesize}{self.parity}{self.stopbits:g}"

    @property
    def byte_time(self) -> float:
        """Seconds per byte on the wire."""
        return (1 + self.bytesize + (self.parity != "N") + self.stopbits) / self.baud


@dataclass(frozen=True)
class LineErrors:
    """Damaged bytes counted by the driver since the port was opened."""

    parity: int = 0
    framing: int = 0
    overrun: int = 0
    breaks: int = 0

    def __sub__(self, other: LineErrors) -> LineErrors:
        return LineErrors(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))

    def __str__(self) -> str:
        return tr("line_errors", **self.__dict__)
