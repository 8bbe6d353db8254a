"""How merged bytes are split into frames, many at once."""

from __future__ import annotations

import re

from seabattle import wire
from seabattle_host.sniff.frame_contents import LETTERS, SIZES

_ONE_BYTE = bytes(op for op, size in SIZES if size == 1)
_LONGER = [re.escape(bytes((op,))) + b"." * (size - 1) for op, size in SIZES if size > 1 and op not in LETTERS]
_SHOT = re.escape(bytes((wire.SHOT,)))
# with the answer to a sync inside, a byte of it may be left over; it shows in the next one
_LONGER[_LONGER.index(_SHOT + b"..")] = _SHOT + b"(?:[^\x01][^\x01](?![\x02-\x0a])|..(?=[^\x02-\x0a]))"
_BEGINS = re.escape(bytes((*LETTERS, wire.SHOT, wire.SYNC, wire.SYNCED)))
"""Letters that may be of the other side."""
_USUAL_LETTERS = 24
"""Most letters that usual nicks and texts have."""
_LETTERED = b"|".join(
    b"%b[^%b]{%d}" % (re.escape(bytes((count,))), _BEGINS, count) for count in range(1, _USUAL_LETTERS + 1)
)
_LONGER += [re.escape(bytes((op,))) + b"(?:%b)" % _LETTERED for op in LETTERS]
FRAMES = re.compile(b"[%b]|%b|." % (re.escape(_ONE_BYTE), b"|".join(_LONGER)), re.DOTALL)
"""Splits merged bytes into frames; into single bytes what is none, or long letters, or may contain another."""
