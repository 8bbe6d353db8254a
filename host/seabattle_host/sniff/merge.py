"""Sides for bytes without them: one line that merges both directions, or two dumps without times.

A frame belongs to the side that may send it then by the table. If both may, the side is a guess and the frame is marked
as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seabattle import watch, wire
from seabattle.watch_state import AGAIN, GONE, LAST, X, Y
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk, Item, Lost
from seabattle_host.sniff.frame_contents import LETTERS, MASTER_SIDE, SIDE_OF, WHOLE, length
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.tangle import Tangle, holds_another, intrudes

_ECHO = wire.exchange(wire.PARAMS)[wire.REPLY]
_MEET, _MET = bytes((wire.MEET,)), wire.exchange(wire.MEET)[wire.REPLY]
_FRAME_GAP = (wire.GAP_TICKS + 1) * TICK_DIVIDEND // TICK_DIVISOR


class Sorter:
    """Splits merged bytes into frames and feeds each to a session under the side it belongs to."""

    def __init__(self, session: Session):
        self._session = session
        session.is_merged = True
        self._reader = wire.Reader()
        self._pending: list[Chunk] = []
        self.last_side = MASTER_SIDE
        self.last_op = 0
        """Of the last frame."""
        self.guessed: set[int] = set()
        """Commands whose side was a guess; the side of their reply is one, too."""
        self._tangle: Tangle | None = None
        """Two frames being read at once."""
        self._is_plain = False
        """Whether none are looked for: bytes that looked like two frames are read once more as one."""
        self._until = 0
        """The time given to their last byte: later bytes are not earlier than this."""

    def feed(self, item: Item) -> list[Record]:
        """Return the records that these bytes complete; their own side is ignored."""
        if isinstance(item, Lost):
            records = self.finish()
            self._reader.reset()
            self._until = 0
            return records + self._session.feed(item)
        if item.at < self._until:
            item = Chunk(self._until, item.side, item.data, item.faults)
        records = self.advance(item.at)
        begun = 0
        feed = self._reader.feed
        data, at = item.data, item.at
        is_plain = not item.faults
        session = self._session
        end = len(data)
        for i, byte in enumerate(data):
            if i < begun:
                continue
            if is_plain and begun == i and not self._pending:
                # no frame is begun: nearly always whole frames follow
                while True:
                    begun, sided, is_odd = session.known(data, begun, at, self)
                    if begun == end:
                        return records
                    byte = data[begun]
                    size = length(data, begun)
                    if not size or begun + size > end or self.is_mixed(data[begun : begun + size]):
                        break
                    side, sure = sided or self.sided(byte)
                    plain = session.uncounted if is_odd else session.plain
                    plain(records, at, side, data[begun : begun + size], not sure)
                    begun += size
                if i < begun:
                    continue
            if self._tangle is not None or (not self._is_plain and self._intrudes(byte)):
                if begun < i:
                    self._keep(item, begun, i)
                begun = i + 1
                self._keep(item, i, i + 1)
                records += self._both(byte)
                continue
            got = feed(byte)
            if got == wire.QUIET:
                continue
            side, sure = (self.last_side, True) if got == wire.NOISE else self._side(self._reader.op)
            if side != MASTER_SIDE and got == wire.FRAME and self._has_sync():
                # it need not be the slave that has put it there
                sure = False
            if self._pending:
                self._keep(item, begun, i + 1)
                records += self._pass_on(side, not sure)
            else:
                faults = item.faults[begun : i + 1]
                records += self._session.feed(Chunk(item.at, side, item.data[begun : i + 1], faults), not sure)
            begun = i + 1
        if begun < len(item.data):
            self._keep(item, begun, len(item.data))
        return records

    def is_mixed(self, frame: bytes) -> bool:
        """Return whether bytes of the other side may be inside this frame."""
        return holds_another(frame) or (
            self.last_op == wire.SYNC and wire.SYNCED in frame[1:] and frame[0] == wire.SHOT
        )

    def _intrudes(self, byte: int) -> bool:
        """Return whether a byte of the other side comes inside the frame being read."""
        reader = self._reader
        if not reader.within:
            return False
        if byte == wire.SYNC:
            # the master does not wait with its sync while the slave sends
            slave_shoots = reader.op == wire.SHOT and self._session.watch.shooter() == 1 - MASTER_SIDE
            return slave_shoots or reader.op == _ECHO or reader.op in LETTERS
        if byte == wire.SYNCED:
            # the answer to a sync right before the frame, if it is no number: the bytes that follow tell
            return (reader.op == wire.SHOT or reader.op in LETTERS) and self.last_op == wire.SYNC
        return intrudes(reader, byte, self._is_awaited)

    def _has_sync(self) -> bool:
        """Return whether a sync came inside the frame that was read last, where a cell or a count belongs."""
        reader = self._reader
        return reader.op not in LETTERS and wire.SYNC in reader.data[: reader.size]

    def _both(self, byte: int) -> list[Record]:
        """Take a byte of two frames that both sides sent at the same time."""
        if self._tangle is None:
            self._tangle = Tangle(b"".join(chunk.data for chunk in self._pending[:-1]), byte)
            return []
        tangle = self._tangle
        tangle.feed(byte)
        if tangle.is_none or (tangle.may_be_letter and self._begins(byte)):
            return self._untangled()
        if not tangle.is_over:
            return []
        self._tangle = None
        self._reader.reset()
        chunks: list[Chunk] = []
        for chunk in self._pending:
            for i in range(len(chunk.data)):
                # distinct times preserve the order in which they came
                at = max(chunk.at, chunks[-1].at + 1) if chunks else chunk.at
                chunks.append(Chunk(at, 0, chunk.data[i : i + 1], chunk.faults[i : i + 1]))
        self._pending.clear()
        self._until = chunks[-1].at
        side, is_sure = self._sides_of(tangle.opcodes)
        records: list[Record] = []
        for places in tangle.places:
            for place in places:
                chunk = chunks[place]
                records += self._session.feed(Chunk(chunk.at, side, chunk.data, chunk.faults), not is_sure)
            side = 1 - side
        return records

    def _begins(self, byte: int) -> bool:
        """Return whether a byte begins a frame that may come now."""
        return wire.is_command(byte) or (wire.is_reply(byte) and self._is_awaited(byte))

    def _sides_of(self, opcodes: tuple[int, int]) -> tuple[int, bool]:
        """Return the side of the first of two frames sent at the same time, and whether it is certain."""
        one, two = opcodes
        if one != two:
            side, is_sure = self.sided(one)
            if is_sure:
                return side, True
            side, is_sure = self.sided(two)
            if is_sure:
                self.guessed.discard(one)
                return 1 - side, True
        self.guessed.update(filter(wire.is_command, opcodes))
        return 0, False

    def _untangled(self) -> list[Record]:
        """Read the pending bytes once more, as one frame after another."""
        pending, self._pending, self._tangle = self._pending, [], None
        self._reader.reset()
        self._is_plain = True
        records = [record for chunk in pending for record in self.feed(chunk)]
        self._is_plain = False
        return records

    def _is_awaited(self, op: int) -> bool:
        """Return whether a side waits for this reply, or has not got it and gone on."""
        w = self._session.watch
        command = wire.command_of(op)
        return any(command in (w.waits(side), w.v[GONE + side]) for side in (0, 1))

    def _keep(self, item: Chunk, first: int, last: int) -> None:
        """Store bytes of an item that belong to the frame being read."""
        self._pending.append(Chunk(item.at, 0, item.data[first:last], item.faults[first:last]))

    def advance(self, at: int) -> list[Record]:
        """Let time pass; an incomplete frame times out as in the protocol."""
        if self._pending:
            if at - self._pending[-1].at <= _FRAME_GAP:
                return []
            records = self._untangled() if self._tangle is not None else []
            records += self._pass_on(self.last_side, False)
            self._reader.reset()
            return records + self._session.advance(at)
        return self._session.advance(at)

    def finish(self) -> list[Record]:
        """Return the remaining records at the end."""
        records = self._untangled() if self._tangle is not None else []
        return records + self._pass_on(self.last_side, False) + self._session.finish()

    def _pass_on(self, side: int, unsure: bool) -> list[Record]:
        records: list[Record] = []
        for chunk in self._pending:
            records += self._session.feed(Chunk(chunk.at, side, chunk.data, chunk.faults), unsure)
        self._pending.clear()
        return records

    def sided(self, op: int) -> tuple[int, bool]:
        """Return the side of the next frame, and whether it is certain."""
        return self._plain_side(op) if op in WHOLE else self._side(op)

    def _plain_side(self, op: int) -> tuple[int, bool]:
        """Like `_side`, for the most frequent frames."""
        w = self._session.watch
        sure = True
        if op == wire.SHOT:
            side = w.shooter()
            guessed = self.guessed
            if guessed and side >= 0:
                sure = w.waits(0) not in guessed and w.waits(1) not in guessed
                if sure:
                    guessed.discard(op)
                else:
                    guessed.add(op)
        elif op in SIDE_OF:
            side = SIDE_OF[op]
        else:
            side = w.answerer()
            sure = wire.SHOT not in self.guessed
            if op == wire.REPEAT and w.v[X] == w.v[X + 1] and w.v[Y] == w.v[Y + 1]:
                # it may be the other side that has repeated its last shot
                sure = False
                w.stop_judging()
        if side < 0:
            return self._side(op)
        self.last_side, self.last_op = side, op
        return side, sure

    def _side(self, op: int) -> tuple[int, bool]:
        """Return the side of a frame, and whether that is certain."""
        side, sure = self._reply_side(op) if wire.is_reply(op) else self._command_side(op)
        if wire.is_command(op):
            if sure:
                self.guessed.discard(op)
            else:
                self.guessed.add(op)
        self.last_side, self.last_op = side, op
        return side, sure

    def _reply_side(self, op: int) -> tuple[int, bool]:
        w = self._session.watch
        command = wire.command_of(op)
        sender = wire.exchange(command)[wire.SENDER]
        if sender != wire.BOTH:
            return (1 - MASTER_SIDE if sender == wire.MASTER else MASTER_SIDE), True
        asked = [side for side in (0, 1) if w.waits(side) == command]
        if len(asked) == 1:
            return 1 - asked[0], command not in self.guessed
        return 1 - self.last_side, False

    def _command_side(self, op: int) -> tuple[int, bool]:
        sender = wire.exchange(op)[wire.SENDER]
        if sender != wire.BOTH:
            return (MASTER_SIDE if sender == wire.MASTER else 1 - MASTER_SIDE), True
        w = self._session.watch
        able = w.sender(op)
        if able >= 0:
            # the other side waits for a reply, unless that was a guess
            return able, not any(w.waits(side) in self.guessed for side in (0, 1))
        waiting = [side for side in (0, 1) if w.waits(side)]
        if op == wire.TIMED_OUT and len(waiting) == 1:
            # probably in vain
            return waiting[0], False
        # A slave may answer a sync by a command of its own instead of 01.
        return (1 - MASTER_SIDE if self.last_op == wire.SYNC else MASTER_SIDE), False


def interleave(dumps: tuple[Iterable[bytes], Iterable[bytes]]) -> Iterator[Item]:
    """Merge two dumps without times, one for each side, in a plausible order: replies after their commands.

    Where no order is legal, a gap is reported before each command up to a new meeting: what looks wrong may come
    from the order.
    dumps: their bytes, in pieces.
    """
    frames = tuple(_frames(dump) for dump in dumps)
    heads = [next(source, b"") for source in frames]
    sent = [[b"", b""], [b"", b""]]
    """By side, its last command, syncs excepted, and its last reply."""
    w = watch.Watch()
    syncs = [0, 0]
    faults = [0, 0]
    """What the watcher found since the last meeting, by side."""
    lost = False
    meetings = 0
    """How many A1 are not answered."""
    while heads[0] or heads[1]:
        side, sure = _behind(heads) if lost else -1, False
        if side < 0:
            side, sure = _next_side(w, heads, syncs, sent)
        frame = heads[side]
        if frame[0] not in (wire.SYNC, wire.SYNCED):
            sent[side][wire.is_reply(frame[0])] = frame
        if frame[0] == wire.MEET:
            faults = [0, 0]
        # an A8 for nothing may be the reply to something that the other side's dump has further on
        unfounded = frame[0] == wire.BROKEN and not faults[1 - side]
        # noise may have been a frame that something waits for
        unsure = not sure or unfounded or wire.exchange(frame[0]) is None
        # A1 answers the question which session it is only if all before it are answered
        was_lost, lost = lost, unsure or (lost and (frame[0] != wire.MEET or meetings != 0))
        meetings += (frame[0] == wire.MEET) - (frame[0] == _MET)
        heads[side] = next(frames[side], b"")
        if frame[0] == wire.SYNC:
            syncs[side] += 1
        elif frame[0] == wire.SYNCED and syncs[1 - side]:
            syncs[1 - side] -= 1
        for byte in frame:
            w.feed(side, byte)
            while w.take():
                faults[w.side] += w.verdict != watch.OK
        if (lost or was_lost) and wire.is_command(frame[0]) and frame[0] != wire.SYNC:
            yield Lost(0, tr("lost_which_first"))
        yield Chunk(0, side, frame)


def _behind(heads: list[bytes]) -> int:
    """Return the side that is still in the session before the one that the other begins, or -1."""
    for side in (0, 1):
        other = heads[1 - side]
        if heads[side] == _MEET and other and other[0] not in (wire.MEET, _MET):
            return 1 - side
    return -1


def _next_side(w: watch.Watch, heads: list[bytes], syncs: list[int], sent: list[list[bytes]]) -> tuple[int, bool]:
    """Return the side of the next frame, and whether the protocol allows that frame, or it comes once more."""
    if not heads[0] or not heads[1]:
        return (0 if heads[0] else 1), True
    for side in (0, 1):
        op = heads[side][0]
        if wire.exchange(op) is None or (op == wire.SYNCED and syncs[1 - side]):
            return side, True
        if wire.is_reply(op) and wire.command_of(op) in (w.waits(1 - side), _repeated(w, 1 - side)):
            return side, True
    # no reply is due: a command, preferably one that need not wait
    ready = [side for side in (0, 1) if wire.is_command(heads[side][0]) and not w.waits(side)]
    legal = [side for side in ready if w.legal(side, heads[side][0])]
    master = [side for side in (0, 1) if w.role_of(side) == wire.MASTER]
    if not legal:
        # some send a frame more often than they are asked, and some do not answer nicks or texts
        odd = [side for side in (0, 1) if heads[side] in sent[side] or _may_go_on(w, side, heads[side][0])]
        if odd:
            return min(odd, key=lambda side: wire.is_reply(heads[side][0])), True
    for choice in (legal, ready):
        if len(choice) == 1:
            return choice[0], choice is legal
        if choice:
            return (master[0] if master else choice[0]), choice is legal
    # a reply to what was lost, rather than a command before the reply to the last one; but nobody answers A1 before it
    undue = [side for side in (0, 1) if wire.is_reply(heads[side][0]) and heads[side][0] != _MET]
    return (undue[0] if undue else int(heads[0][0] == _MET)), False


def _may_go_on(w: watch.Watch, side: int, op: int) -> bool:
    """Return whether this side may send the command `op`, although what it has sent before is not answered."""
    first = w.waits(side)
    return bool(first) and wire.exchange(first)[wire.WANTS] != wire.HARD and wire.is_command(op) and w.legal(side, op)


def _repeated(w: watch.Watch, side: int) -> int:
    """Return the command that this side has repeated, so that its reply comes again, or 0."""
    return w.v[LAST + side] if w.v[AGAIN + side] else 0


def _frames(dump: Iterable[bytes]) -> Iterator[bytes]:
    """Split a dump into frames; noise into single bytes; a remainder at the end comes last."""
    reader = wire.Reader()
    left = b""
    for piece in dump:
        begun = 0
        for i, byte in enumerate(piece):
            if reader.feed(byte) != wire.QUIET:
                yield left + piece[begun : i + 1]
                left = b""
                begun = i + 1
        left += piece[begun:]
    if left:
        yield left
