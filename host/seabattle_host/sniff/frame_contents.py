"""A good frame's contents: its length and signature, and what the watcher stores of it.

All done by the watcher's own functions, or as these do for such a frame.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from seabattle import watch_shots, wire
from seabattle.watch import Watch
from seabattle.watch_state import BEGUN, CALM_MOST, CHAT, CHAT_YES

ANSWERS = frozenset(op for op, _name in wire.SHOT_REPLIES)
"""Replies to a shot."""

REPLIES = frozenset(filter(wire.is_reply, range(256)))

WHOLE = {op: 1 + len(str(wire.exchange(op)[wire.FIELDS]).split()) for op in (wire.SYNC, wire.SHOT)}
WHOLE |= dict.fromkeys([wire.SYNCED, *(op for op, _name in wire.SHOT_REPLIES)], 1)
"""The frames that nearly all are, and their lengths."""

LETTERS = (wire.NICK, wire.CHAT)
"""Frames with a length byte, followed by that many bytes."""


def is_senseless(letters: bytes) -> bool:
    """Return whether it is a nick or text of nobody: noise starting with their opcode swallows what follows."""
    return len(letters) > wire.TEXT_MAX or min(letters, default=32) < 32


MASTER_SIDE = 0
"""On a single line for both directions, A is the master."""

ANEW = (wire.MEET, wire.PLACE, wire.SLAVE_READY)
"""Commands after which the next shot is the master's."""

_RARE = (wire.TIMED_OUT, wire.BROKEN)
"""Not looked up: the watcher's verdict on these depends on too much."""

OTHERS: dict[int, int] = {}
"""Other frames that are looked up, and their lengths; for frames with letters, without these."""

SIDE_OF = {wire.SYNC: MASTER_SIDE, wire.SYNCED: 1 - MASTER_SIDE}
"""The side of frames that only one role sends."""

for _row in wire.TABLE:
    if _row[wire.OPCODE] in (wire.SYNC, wire.SHOT, *_RARE):
        continue
    OTHERS[_row[wire.OPCODE]] = 1 + len(str(_row[wire.FIELDS]).split()[: 1 if _row[wire.OPCODE] in LETTERS else None])
    OTHERS[_row[wire.REPLY]] = 1 + len(str(_row[wire.REPLY_FIELDS]).split())
    if _row[wire.SENDER] != wire.BOTH:
        SIDE_OF[_row[wire.OPCODE]] = MASTER_SIDE if _row[wire.SENDER] == wire.MASTER else 1 - MASTER_SIDE
        SIDE_OF[_row[wire.REPLY]] = 1 - SIDE_OF[_row[wire.OPCODE]]

SIZES = tuple((WHOLE | OTHERS).items())
"""All frames that are looked up, with their lengths; without letters."""

_LENGTHS = [WHOLE.get(op, OTHERS.get(op, 0)) if op not in LETTERS else 0 for op in range(256)]
"""By opcode; 0 if it has no fixed length or is not looked up."""


def length(data: bytes, begin: int = 0) -> int:
    """Return the length of the frame at `begin` if it is one that is looked up, else 0; `data` may be shorter."""
    op = data[begin]
    if op in LETTERS and begin + 1 < len(data) and data[begin + 1] != op:
        # the same opcode twice: both sides began at once
        return 2 + data[begin + 1]
    return _LENGTHS[op]


def _signed(raw: bytes) -> int:
    reader = wire.Reader()
    for byte in raw:
        reader.feed(byte)
    return reader.sign


SHOTS = {
    raw: ((y - 1) * 10 + x - 1, max(x, y), _signed(raw), (x, y))
    for x in range(1, wire.SIZE_MAX + 1)
    for y in range(1, wire.SIZE_MAX + 1)
    for raw in (bytes((wire.SHOT, x, y)),)
}
"""Shot -> its cell, the larger of column and row, and its signature."""

GUESSED = b"?"
"""Behind a nick whose sender is a guess, on a line that carries both directions."""

signed = lru_cache(maxsize=1024)(_signed)
"""The signature of a frame; cached, as nicks are repeated in each game."""

_may_be = lru_cache(maxsize=256)(lambda sizes: not wire.params_fault(sizes))

USUAL = bytes((10, 1, 2, 3, 4))
_LETTER = bytes((1, 0x20))
SAMPLES = {op: bytes((op,)) for op in (*WHOLE, *OTHERS)}
"""By opcode, a frame with no fault if the parameters are USUAL."""
SAMPLES |= {op: bytes((op, *USUAL)) for op in (wire.PARAMS, wire.exchange(wire.PARAMS)[wire.REPLY])}
SAMPLES |= {op: bytes((op, *_LETTER)) for op in LETTERS}
SAMPLES[wire.SHOT] = bytes((wire.SHOT, 1, 1))


def _is_nick(_w: Watch, _side: int, raw: bytes) -> bool:
    return 1 <= len(raw) - 2 <= wire.NICK_MAX


def _nick(w: Watch, side: int, raw: bytes) -> bool:
    n = len(raw) - 2
    if not _is_nick(w, side, raw):
        return False
    w.nick[side][:n] = raw[2:]
    w.nick_len[side] = n
    return True


def _chat(w: Watch, side: int, raw: bytes) -> bool:
    if min(raw[2:], default=32) < 32:
        return False
    return not w.v[BEGUN] or w.v[CHAT + 1 - side] == CHAT_YES or raw[2:] == b" "


def _parameters(w: Watch, _side: int, raw: bytes) -> bool:
    if not _may_be(raw[1:]):
        return False
    w.raw[:] = raw[1:]
    return True


def _echo(w: Watch, _side: int, raw: bytes) -> bool:
    if raw[1:] != w.raw or not _may_be(raw[1:]):
        return False
    w.agree()
    return True


def _chats(w: Watch, side: int, _raw: bytes) -> bool:
    w.v[CHAT + side] = CHAT_YES
    return True


def _met(w: Watch, side: int, _raw: bytes) -> bool:
    w.sign[1 - side] = wire.MEET
    return True


def _done(does: Callable[[Watch], None]) -> Callable[[Watch, int, bytes], bool]:
    def done(w: Watch, _side: int, _raw: bytes) -> bool:
        does(w)
        return True

    return done


_DEEDS: dict[int, Callable[[Watch, int, bytes], bool]] = {
    wire.NICK: _nick,
    wire.CHAT: _chat,
    wire.PARAMS: _parameters,
    wire.MEET: _done(Watch.begin),
}
_DEEDS |= {
    int(wire.exchange(command)[wire.REPLY]): does
    for command, does in (
        (wire.PARAMS, _echo),
        (wire.CHAT, _chats),
        (wire.MEET, _met),
        (wire.PLACE, _done(watch_shots.place)),
        (wire.RESTART, _done(watch_shots.clear)),
        (wire.GOODBYE, _done(Watch.end_session)),
    )
}


def store_contents(w: Watch, side: int, raw: bytes, last: int) -> bool:
    """Store what the watcher stores of a frame's contents.

    Return False, with nothing done, if the frame may be odd. last: the last command of that side.
    """
    op = raw[0]
    does = _DEEDS.get(op)
    if op in REPLIES:
        if w.calm >= CALM_MOST or (does is not None and not does(w, side, raw)):
            return False
        w.calm += 1
        return True
    sign = signed(raw)
    # the same signature again may be a repeat
    if (last == op and w.sign[side] == sign) or (does is not None and not does(w, side, raw)):
        return False
    w.sign[side] = sign
    return True


def fits(w: Watch, side: int, raw: bytes, last: int) -> bool:
    """Return whether `kept` would accept letters."""
    op = raw[0]
    return not (last == op and w.sign[side] == signed(raw)) and (_is_nick if op == wire.NICK else _chat)(w, side, raw)
