"""The marks by which a driver reports a byte damaged on the line."""

from __future__ import annotations

DAMAGED = 3
"""Parity or framing, indistinguishable here: flags of `seabattle_host.sniff.capture.Fault`."""
BREAK = 8


class MarkDecoder:
    """Decodes the marks of termios PARMRK: FF FF is a byte FF, FF 00 X is the damaged byte X."""

    def __init__(self) -> None:
        self._marks = 0

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Return the bytes as they were on the line, and the driver's flags for each (empty if it has none)."""
        if not self._marks and 0xFF not in data:
            return data, b""
        values, faults = bytearray(), bytearray()
        for byte in data:
            fault = 0
            if self._marks == 2:
                # a break is read as a damaged zero, and cannot be told from one
                fault = DAMAGED | (BREAK if not byte else 0)
                self._marks = 0
            elif self._marks == 1:
                if byte == 0:
                    self._marks = 2
                    continue
                self._marks = 0
            elif byte == 0xFF:
                self._marks = 1
                continue
            values.append(byte)
            faults.append(fault)
        return bytes(values), bytes(faults) if any(faults) else b""
