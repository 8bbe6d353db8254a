"""`seabattle replay`: plays one side of a capture to a live peer and reports the first difference.

Syncs and their replies are not replayed literally: a master syncs while it waits, a slave replies to each sync, as the
protocol requires; only other frames are compared, in the order of each side.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from seabattle import watch, wire
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.line.port import Port
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import SECOND, TICK_DIVIDEND, TICK_DIVISOR
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.session import Session

_TICK = TICK_DIVIDEND / TICK_DIVISOR / SECOND

USUAL_WAIT = 5.0

_SYNCS = (wire.SYNC, wire.SYNCED)


@dataclass(frozen=True)
class Step:
    """A frame of the capture other than syncs. ours: we send it; after: seconds since the previous step."""

    number: int
    ours: bool
    raw: bytes
    after: float


def load(path: str, role: int, form: str | None = None) -> tuple[list[Step], list[str]]:
    """Return the steps of a capture for the side that plays `role`, and remarks on the file.

    Raises UserError if the capture does not show which side that is, or has nothing to play.
    """
    session = Session()
    capture = read([path], form)
    found = list(records(capture, session))
    # not the watcher's at the end: a gap makes it forget the roles
    side = next((record.side for record in reversed(found) if record.kind == watch.FRAME and record.role == role), -1)
    if side < 0:
        raise UserError(tr("replay_no_side", file=path, role=words.role(role)))
    steps: list[Step] = []
    before = -1
    for record in found:
        if record.kind not in (watch.FRAME, watch.STRAY, watch.CUT) or _is_sync(record):
            continue
        after = max(0, record.at - before) / SECOND if before >= 0 else 0.0
        steps.append(Step(record.number, record.side == side, record.raw, after))
        before = record.end
    if not steps:
        raise UserError(tr("replay_empty", file=path))
    gaps = [record for record in found if record.kind == LOST]
    remarks = [*capture.described, *capture.left_out]
    if gaps:
        remarks.append(tr("replay_gaps", number=gaps[0].number, why=gaps[0].text))
    return steps, remarks


def _is_sync(record: Record) -> bool:
    return record.kind == watch.FRAME and record.op in _SYNCS


def _named(raw: bytes) -> str:
    """Return a frame in hex and in words."""
    body = raw[2:] if raw[0] in (wire.NICK, wire.CHAT) else raw[1:]
    return f"{rendering.hex_text(raw)} ({words.frame(raw[0], body)})"


class Different(SeabattleError):
    """The peer behaved differently than in the capture."""


class Replay:
    """port: of the peer. speed: 1 is the pace of the capture, 0 no pauses. wait: seconds to wait for a frame."""

    def __init__(
        self,
        port: Port,
        role: int,
        steps: list[Step],
        speed: float = 1.0,
        wait: float = USUAL_WAIT,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.compared = 0
        """Frames of the peer that matched the capture."""
        self._port = port
        self._role = role
        self._steps = steps
        self._speed = speed
        self._wait = wait
        self._clock = clock
        self._began = clock()
        self._synced = self._began - wire.SYNC_TICKS * _TICK
        self._reader = wire.Reader()
        self._frame = bytearray()
        self._peer_active = False
        self._expected = deque(step for step in steps if not step.ours)

    def play(self) -> None:
        """Play all steps. Raises Different at the first difference, PortLost."""
        self._meet()
        for step in self._steps:
            if step.ours:
                self._pause(step.after / self._speed if self._speed else 0.0)
                self._port.write(step.raw)
                self._synced = self._clock()
                continue
            deadline = self._clock() + self._wait + step.after
            while self._expected and self._expected[0].number <= step.number:
                self._turn()
                if self._clock() > deadline:
                    self._differ(step, tr("replay_nothing", seconds=round(self._wait + step.after, 1)))
        self._port.drain(self._wait)

    def _meet(self) -> None:
        """Sync until the peer replies, as a master; as a slave wait for the first sync."""
        deadline = self._clock() + self._wait
        while not self._peer_active:
            self._turn()
            if self._clock() > deadline:
                raise Different(tr("replay_nobody", seconds=self._wait))

    def _pause(self, seconds: float) -> None:
        until = self._clock() + seconds
        while self._clock() < until:
            self._turn(until - self._clock())

    def _turn(self, most: float = 0.05) -> None:
        """Read, and sync if it is time."""
        now = self._clock()
        due = self._synced + wire.SYNC_TICKS * _TICK
        # no sync between the peer's command and our reply
        if self._role == wire.MASTER and now >= due and not self._frame:
            self._synced = now
            self._port.write(bytes((wire.SYNC,)))
        for byte in self._port.read(max(0.0, min(most, 0.05))):
            self._frame.append(byte)
            if self._reader.feed(byte) != wire.QUIET:
                raw = bytes(self._frame)
                self._frame.clear()
                self._got(raw)

    def _got(self, raw: bytes) -> None:
        if raw[0] in _SYNCS:
            self._peer_active = True
            if raw[0] == wire.SYNC and self._role == wire.SLAVE:
                self._port.write(bytes((wire.SYNCED,)))
            return
        self._peer_active = True
        if not self._expected:
            return
        step = self._expected.popleft()
        if raw != step.raw:
            self._differ(step, _named(raw))
        self.compared += 1

    def _differ(self, step: Step, got: str) -> None:
        raise Different(
            tr(
                "replay_differs",
                number=step.number,
                time=f"{self._clock() - self._began:.3f}",
                expected=_named(step.raw),
                got=got,
            )
        )
