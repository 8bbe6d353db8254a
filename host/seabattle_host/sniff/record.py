"""The data of a session: records, games, sums; and bytes that are no record yet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from seabattle import watch, wire
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Fault

if TYPE_CHECKING:
    from seabattle_host.jury.verdict import Verdict

REPLY_US = wire.REPLY_TICKS * TICK_DIVIDEND / TICK_DIVISOR
"""Maximum time of a reply, microseconds."""

LOST = 5
"""A kind of record in addition to the watcher's: bytes are missing from here on."""

_FINDINGS_MOST = 20_000  # findings whose consequences are counted: more than are listed


@dataclass(slots=True)
class Record:
    """A frame, noise, a cut frame, or something missing.

    Never modified once it is output, but not frozen, which would cost time for each.

    at, end: when its first and last byte were read, microseconds. side: 0 or 1; role: wire.MASTER, SLAVE or NOBODY.
    kind: watch.FRAME, STRAY (noise), CUT, LACK, or LOST. op: the opcode (of a LACK that of the command or sync it is
    about). body: the bytes after the opcode, of a nick or chat those after the length byte. raw: all bytes. verdict,
    reason: of the watcher. maybe: it is a fault of this side, or a byte was lost or changed on the way. follows: number
    of the earlier record because of which it is wrong. state: the sender's before it, watch.UNSURE if unknown. answers:
    the command that a reply answers, 0 for none. reply: microseconds from the end of that command, -1 if it answers
    none. faults: the driver's, by byte. offsets: microseconds from `at` to each byte, empty if all came at once.
    unsure: the side is a guess (one line for both directions), and there is no verdict, unless either side would have
    broken the protocol by it. misfit: the side that was guessed would have. crossed: bytes of the other side came
    between its own. ticked: so did a tick of the watcher, which may affect verdicts. text: of a LOST, why; of a chat
    line that shows fields, its meaning; of a false answer, the cell and the earlier answer that it contradicts.
    """

    number: int
    at: int
    end: int
    side: int
    role: int
    kind: int
    op: int
    body: bytes
    raw: bytes
    verdict: int
    reason: int
    state: int
    answers: int = 0
    reply: int = -1
    faults: bytes = b""
    offsets: tuple[int, ...] = ()
    unsure: bool = False
    text: str = ""
    maybe: bool = False
    follows: int = 0
    crossed: bool = False
    ticked: bool = False
    misfit: bool = False

    @property
    def fault(self) -> Fault:
        """All faults of its bytes together."""
        together = Fault(0)
        for fault in self.faults:
            together |= Fault(fault)
        return together

    @property
    def is_sync(self) -> bool:
        """Whether it is a sync or its reply, with nothing to report."""
        return self.kind == watch.FRAME and self.op in (wire.SYNC, wire.SYNCED) and not self.verdict and not self.faults


_EITHER = (wire.R_STATE, wire.R_NO_PARAMS)


def ruled(record: Record, verdict: int, maybe: bool, is_merged: bool) -> Record:
    """Return a record with the watcher's ruling on it.

    is_merged: the side of a command is that of the role that may send it. A program that breaks the protocol by it may
    as well be the other one, which may never send it. A shot is taken for one of the side whose turn it is, so that of
    an answer that looks false it may be the shot that was not allowed.
    """
    is_either = is_merged and verdict == watch.VIOLATION and record.reason in _EITHER
    is_guess = is_either and wire.exchange(record.op)[wire.SENDER] != wire.BOTH
    if is_merged and wire.R_NEAR_SUNK <= record.reason < wire.REASONS:
        is_guess = verdict in (watch.VIOLATION, watch.DOUBT)
    return replace(record, verdict=verdict, maybe=maybe, unsure=record.unsure or is_guess)


@dataclass
class Game:
    """One game of a session. Sides are 0 and 1, -1 if unknown."""

    began: int
    parameters: tuple[int, ...] = ()
    shots: list[int] = field(default_factory=lambda: [0, 0])
    hits: list[int] = field(default_factory=lambda: [0, 0])
    moves: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Answered shots in order: shooter, column and row from 1, opcode of the answer."""
    seals: list[bytes] = field(default_factory=lambda: [b"", b""])
    """By side, hash of the field sealed before the first shot, empty if none."""
    shown: list[bytes] = field(default_factory=lambda: [b"", b""])
    """By side, the line that showed the field after the game, empty if none."""
    verdict: Verdict | None = None
    """The jury's verdict, once both fields are shown."""
    winner: int = -1
    how: str = ""
    """`shots`, `surrender`, or another ending: `restart`, `goodbye`, `timeout`, `accusation`; empty while it is
    running."""
    moved: int = -1
    """When the last shot was answered or the battle began, microseconds; -1 before."""
    stood: int = 0
    """For how long nobody had shot before its end, microseconds; 0 if a shot had no answer or a side was silent."""


@dataclass
class Spread:
    """Statistics of durations: a week on the line takes no more memory than a minute."""

    count: int = 0
    total: int = 0
    longest: int = 0
    late: int = 0

    def add(self, us: int, limit: float = float("inf")) -> None:
        """Add a duration. limit: a longer one is late."""
        self.count += 1
        self.total += us
        if us > self.longest:
            self.longest = us
        if us > limit:
            self.late += 1

    def add_all(self, times: list[int], limit: float = float("inf")) -> None:
        """Add many durations."""
        if not times:
            return
        self.count += len(times)
        self.total += sum(times)
        longest = max(times)
        self.longest = max(self.longest, longest)
        if longest > limit:
            self.late += sum(us > limit for us in times)


@dataclass
class Sums:
    """Sums over a session; pairs are for the sides 0 and 1."""

    bytes: list[int] = field(default_factory=lambda: [0, 0])
    frames: list[int] = field(default_factory=lambda: [0, 0])
    syncs: int = 0
    noise: int = 0
    cut: int = 0
    lost: int = 0
    deviations: int = 0
    violations: int = 0
    doubts: int = 0
    """Places where something was lost and nobody is accused."""
    suspected: int = 0
    """Places where a side or the line is at fault."""
    following: Counter[int] = field(default_factory=Counter)
    """Number of a finding -> records that are wrong only because of it; for the first findings."""
    unsure: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    replies: dict[int, Spread] = field(default_factory=dict)
    """Command -> durations until its replies, microseconds."""
    sync_gaps: Spread = field(default_factory=Spread)
    """Microseconds between consecutive commands (syncs included) of the master."""
    games: list[Game] = field(default_factory=list)
    """The last games."""
    earlier: int = 0
    """Number of games before those."""

    def count(self, record: Record) -> None:
        """Count bytes, frames and driver's faults."""
        for fault in record.faults:
            for name in Fault(fault).words:
                self.faults[name] += 1
        self.unsure += record.unsure
        if record.kind == watch.STRAY:
            self.noise += len(record.raw)
        elif record.kind == watch.CUT:
            self.cut += 1
        elif record.kind == watch.FRAME:
            self.frames[record.side] += 1

    def weigh(self, record: Record) -> None:
        """Count a verdict once it is decided."""
        if record.verdict == watch.DEVIATION:
            self.deviations += 1
        elif record.verdict == watch.VIOLATION:
            self.violations += 1
        elif record.verdict == watch.DOUBT:
            self.suspected += record.maybe
            self.doubts += not record.maybe
        elif record.verdict == watch.FOLLOWS and (
            record.follows in self.following or len(self.following) < _FINDINGS_MOST
        ):
            self.following[record.follows] += 1

    @property
    def longest_reply(self) -> int:
        """In microseconds; 0 if there was none."""
        return max((times.longest for times in self.replies.values()), default=0)


class Taken(NamedTuple):
    """Bytes with the times of the first and the last, and the faults and offsets of all."""

    began: int = 0
    end: int = 0
    raw: bytes = b""
    faults: bytes = b""
    offsets: tuple[int, ...] = ()


class Pending:
    """Bytes that are no record yet, with times and faults."""

    def __init__(self) -> None:
        self.raw = bytearray()
        self.began = 0
        self.end = 0
        self.crossed = False
        """Whether bytes of the other side came between these."""
        self._late: list[tuple[int, int]] = []
        """Bytes that came later than the one before: index and time."""
        self._faults: list[tuple[int, int]] = []

    def add(self, at: int, byte: int, fault: int) -> None:
        """Add a byte."""
        if at != self.end or not self.raw:
            if self.raw:
                self._late.append((len(self.raw), at))
            else:
                self.began = at
            self.end = at
        if fault:
            self._faults.append((len(self.raw), fault))
        self.raw.append(byte)

    def put_back(self, taken: Taken) -> None:
        """Add everything that was taken again."""
        offsets = taken.offsets or (0,) * len(taken.raw)
        for i, byte in enumerate(taken.raw):
            self.add(taken.began + offsets[i], byte, taken.faults[i] if taken.faults else 0)

    def take(self, spare: int = 0) -> Taken:
        """Take all but the last `spare` bytes."""
        if spare:
            return self._take_most(spare)
        if not self._late and not self._faults:
            raw = bytes(self.raw)
            self.raw.clear()
            return Taken(self.began, self.end, raw)
        size = len(self.raw)
        faults = bytearray(size if self._faults else 0)
        for place, fault in self._faults:
            faults[place] = fault
        offsets: list[int] = []
        if self._late:
            at = self.began
            for place, later in [*self._late, (size, 0)]:
                offsets += [at - self.began] * (place - len(offsets))
                at = later
            self._late.clear()
        taken = Taken(self.began, self.end, bytes(self.raw), bytes(faults), tuple(offsets))
        self.raw.clear()
        self._faults.clear()
        return taken

    def _take_most(self, spare: int) -> Taken:
        whole = self.take()
        cut = len(whole.raw) - spare
        offsets = whole.offsets or (0,) * len(whole.raw)
        for i in range(cut, len(whole.raw)):
            self.add(whole.began + offsets[i], whole.raw[i], whole.faults[i] if whole.faults else 0)
        kept = whole.offsets[:cut] if any(offsets[:cut]) else ()
        faults = whole.faults[:cut] if any(whole.faults[:cut]) else b""
        return Taken(whole.began, whole.began + offsets[max(cut - 1, 0)], whole.raw[:cut], faults, kept)
