"""The hash and the random bytes that seal a field; see seabattle.fair."""

from __future__ import annotations

import hashlib
import secrets


class Sealer:
    """The `sealer` that a FairPlayer needs to seal fields and to check seals."""

    def salt(self, out: bytearray) -> None:
        """Fill `out` with unpredictable bytes."""
        out[:] = secrets.token_bytes(len(out))

    def digest(self, text: bytes | bytearray, n: int) -> bytes:
        """Return the SHA-256 of the first n bytes of `text`."""
        return hashlib.sha256(text[:n]).digest()
