"""mpremote's transport to a board, in a module of its own because it is slow to import."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mpremote.transport_serial import SerialTransport  # type: ignore[import-untyped]

from seabattle_host.line.saved_settings import SavedSettings

_HEARD_MOST = 256


class Transport(SerialTransport):  # type: ignore[misc]
    """mpremote's transport, with a timeout and with the port's settings restored.

    The timeout is for ports with endless output, as from a GPS receiver or a board in a boot loop.
    """

    def __init__(self, url: str, **settings: Any):
        self.received = b""
        """The end of the data received during the last wait."""
        self._saved = SavedSettings(url)
        try:
            super().__init__(url, **settings)
        except BaseException:
            self._saved.restore()
            raise

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._saved.restore()

    def read_until(
        self,
        min_num_bytes: int,
        ending: bytes,
        timeout: float | None = 10,
        data_consumer: Callable[[bytes], object] | None = None,
        timeout_overall: float | None = None,
    ) -> bytes:
        """Read until `ending` arrives, or the time is up."""
        if timeout_overall is None:
            return bytes(super().read_until(min_num_bytes, ending, timeout, data_consumer))
        end = time.monotonic() + timeout_overall
        data = bytearray()
        while not data.endswith(ending) and time.monotonic() < end:
            data += self.serial.read(1)
        self.received = bytes(data[-_HEARD_MOST:])
        return bytes(data)
