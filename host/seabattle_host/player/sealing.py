"""The hash and the lots by which a field is sealed; see seabattle.fair."""

from __future__ import annotations

import hashlib
import secrets


class Sealer:
    """What a FairPlayer needs from its owner to seal fields and to check seals."""

    def salt(self, out: bytearray) -> None:
        """Fill `out` with bytes that nobody can guess."""
        out[:] = secrets.token_bytes(len(out))

    def digest(self, text: bytes | bytearray, n: int) -> bytes:
        """The SHA-256 of the first n bytes of `text`."""
        return hashlib.sha256(text[:n]).digest()
