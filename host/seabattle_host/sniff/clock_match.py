"""Whether two files, one for each side, have times of the same clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seabattle import wire
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk
from seabattle_host.sniff.merge import interleave

_LATEST = wire.REPLY_TICKS * TICK_DIVIDEND // TICK_DIVISOR
"""Maximum time of a reply."""

_FEW = 8
"""Commands and replies without a match that prove nothing."""

_Frame = tuple[int, int, int]
"""Time, side and opcode. The time is that of a command's last byte, of a reply's first."""


def share_a_clock(captures: tuple[Sequence[Chunk], Sequence[Chunk]]) -> bool:
    """Return whether the beginnings of two files have times of the same clock.

    They do not if commands and replies match in protocol order but not in time order, and in protocol order many
    replies come before their commands, far too late, or after the next command.
    """
    frames = (_frames(captures[0], 0), _frames(captures[1], 1))
    unfit, _ = _paired(sorted((*frames[0], *frames[1]), key=lambda frame: frame[0]))
    unfit_by_protocol, steps = _paired(_by_protocol(captures, frames))
    most = sum(op not in (wire.SYNC, wire.SYNCED) for side in frames for _at, _side, op in side)
    if unfit * 4 <= unfit_by_protocol * 5 and unfit * 3 <= most * 2:
        return True
    # a slow program answers as late by another clock
    return steps.count(False) * 10 <= len(steps) and unfit <= 4 * unfit_by_protocol + _FEW


def _frames(chunks: Sequence[Chunk], side: int) -> list[_Frame]:
    times = [chunk.at for chunk in chunks for _byte in chunk.data]
    frames: list[_Frame] = []
    place = 0
    for frame in _interleaved((_bytes(chunks), ())):
        op = frame.data[0]
        last = place + len(frame.data) - 1
        frames.append((times[last if wire.is_command(op) else place], side, op))
        place = last + 1
    return frames


def _by_protocol(
    captures: tuple[Sequence[Chunk], Sequence[Chunk]], frames: tuple[list[_Frame], list[_Frame]]
) -> Iterator[_Frame]:
    following = (iter(frames[0]), iter(frames[1]))
    for chunk in _interleaved((_bytes(captures[0]), _bytes(captures[1]))):
        yield next(following[chunk.side])


def _interleaved(dumps: tuple[Iterable[bytes], Iterable[bytes]]) -> Iterator[Chunk]:
    return (item for item in interleave(dumps) if isinstance(item, Chunk))


def _bytes(chunks: Sequence[Chunk]) -> Iterable[bytes]:
    return (chunk.data for chunk in chunks)


def _paired(frames: Iterable[_Frame]) -> tuple[int, list[bool]]:
    """Return the number of unmatched commands and replies, and which steps are plausible.

    The list says, for each step between matched ones, whether its time is plausible.
    """
    waiting: list[_Frame | None] = [None, None]
    last = [0, 0]
    """By side, its last command that was answered; some send it once more, and some the reply."""
    answered = [0, 0]
    unfit = 0
    steps: list[bool] = []
    for at, side, op in frames:
        if op in (wire.SYNC, wire.SYNCED):
            continue
        if wire.is_command(op):
            before = waiting[side]
            if op == (last[side] if before is None else before[2]):
                # once more, or a new one
                if before is None:
                    waiting[side] = (at, side, op)
                continue
            unfit += before is not None
            steps.append(answered[side] <= at)
            waiting[side] = (at, side, op)
        elif wire.is_reply(op):
            asked = waiting[1 - side]
            if asked is not None and asked[2] == wire.command_of(op):
                steps.append(0 <= at - asked[0] <= _LATEST)
                answered[1 - side] = at
                waiting[1 - side] = None
                last[1 - side] = asked[2]
            else:
                unfit += last[1 - side] != wire.command_of(op)
    return unfit, steps
