"""The seal of a line of JSON: a CRC-16 of what stands before it."""

from __future__ import annotations

import json
import re

import crcmod.predefined

JSON_FORMAT = "seabattle-capture"

crc16 = crcmod.predefined.mkCrcFun("crc-ccitt-false")
"""CRC-16 with polynomial 0x1021 and start value 0xFFFF, over the bytes of a line up to its last comma."""


def seal(body: dict[str, object]) -> bytes:
    """An object as one line that ends with the CRC of what stands before it."""
    plain = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    return plain + b',"crc":"%04X"}\n' % crc16(plain)


def unseal(raw: bytes) -> dict[str, object] | None:
    """The object of a line, without its newline, if its CRC is right."""
    plain, comma, tail = raw.rpartition(b',"crc":"')
    if not comma or not re.fullmatch(rb'[0-9A-F]{4}"}', tail) or int(tail[:4], 16) != crc16(plain):
        return None
    body = json.loads(plain + b"}")
    return body if isinstance(body, dict) else None
