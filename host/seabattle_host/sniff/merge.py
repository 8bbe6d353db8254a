"""Sides for bytes without them: one line that merges both directions, or two dumps without times.

A frame belongs to the side that may send it then by the table. If both may, the side is a guess and the frame is marked
as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seabattle import watch, wire
from seabattle.watch_state import AGAIN, ASKED, GONE, LAST, PARAMS, SAID, UNKNOWN, X, Y
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, TICK_DIVIDEND, TICK_DIVISOR, Chunk, Item, Lost
from seabattle_host.sniff.frame_contents import ANEW, LETTERS, MASTER_SIDE, SIDE_OF, WHOLE, length
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.tangle import OPCODES, Known, Tangle, intrudes, is_no_parameter

_ECHO = wire.exchange(wire.PARAMS)[wire.REPLY]
_PARAMS = bytes((wire.PARAMS,))
_MEET, _MET = bytes((wire.MEET,)), wire.exchange(wire.MEET)[wire.REPLY]
_FRAME_GAP = (wire.GAP_TICKS + 1) * TICK_DIVIDEND // TICK_DIVISOR
_PAUSE = SECOND // 25
"""After which no frame goes on: adapters hold bytes back for 16 ms."""


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
        records = []
        rest: Chunk | None = item
        while rest is not None:
            rest = self._up_to_tangle(rest, records)
        return records

    def _up_to_tangle(self, item: Chunk, records: list[Record]) -> Chunk | None:
        """Add the records that these bytes complete, up to the end of a tangle; return the bytes after it."""
        if item.at < self._until:
            item = Chunk(self._until, item.side, item.data, item.faults)
        records += self.advance(item.at)
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
                        return None
                    byte = data[begun]
                    size = length(data, begun)
                    if not size or begun + size > end or self.is_mixed(data[begun : begun + size]):
                        break
                    side, sure = sided or self.sided(byte, data[begun : begun + size])
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
                if self._tangle is None and begun < end:
                    return Chunk(item.at, item.side, data[begun:], item.faults[begun:])
                continue
            got = feed(byte)
            if got == wire.QUIET:
                continue
            side, sure = (self.last_side, True) if got == wire.NOISE else self._side_of_read()
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
        return None

    def is_mixed(self, frame: bytes) -> bool:
        """Return whether bytes of the other side may be inside this frame."""
        op = frame[0]
        if op in LETTERS:
            if OPCODES.isdisjoint(frame[1:]):
                return False
            expected = self._session.watch.expected()
            return any(intrudes(op, i, byte, self.last_op, expected) for i, byte in enumerate(frame[1:], 1))
        numbers = frame[1:]
        return max(numbers, default=0) > wire.SIZE_MAX or (
            (self.last_op == wire.SYNC or op != wire.SHOT) and wire.SYNCED in numbers
        )

    def _intrudes(self, byte: int) -> bool:
        """Return whether a byte of the other side may have come inside the frame being read."""
        reader = self._reader
        if not reader.within:
            return False
        op = reader.op
        if op not in LETTERS:
            if 1 < byte <= wire.SIZE_MAX:
                return False
            if byte == wire.SYNC:
                # the master does not wait with its sync while the slave sends
                return op in (_ECHO, wire.SHOT)
            if op != wire.SHOT and is_no_parameter(reader.data, reader.size, byte):
                return True
        return intrudes(op, self._place(), byte, self.last_op, self._session.watch.expected())

    def _place(self) -> int:
        """Return how many bytes of the frame being read have come."""
        reader = self._reader
        return 1 if reader.needs_length else 2 + reader.size if reader.op in LETTERS else 1 + reader.size

    def _open(self, side: int) -> frozenset[int]:
        """Return the commands of a side that are not answered."""
        w = self._session.watch
        return frozenset(filter(None, (w.waits(side), w.v[GONE + side])))

    def _has_sync(self) -> bool:
        """Return whether a sync came inside the frame that was read last, where a cell or a count belongs."""
        reader = self._reader
        return reader.op not in LETTERS and wire.SYNC in reader.data[: reader.size]

    def _both(self, byte: int) -> list[Record]:
        """Take a byte of frames that both sides may have sent at the same time."""
        if self._tangle is None:
            self._tangle = Tangle(self._known())
            for chunk in self._pending:
                for each in chunk.data:
                    self._tangle.feed(each)
        else:
            self._tangle.feed(byte)
        return self._shared_out() if self._tangle.is_over else []

    def _known(self) -> Known:
        """Return what is known of the session before the frame being read."""
        w = self._session.watch
        w.settle()
        v = w.v
        raw = bytes(w.raw) if v[PARAMS] != UNKNOWN else b""
        waits = self._open(0), self._open(1)
        either = (waits[0] | waits[1]) & self.guessed
        return Known(
            waits=(waits[0] | either, waits[1] | either),
            said=(v[SAID], v[SAID + 1]),
            sent=(v[LAST], v[LAST + 1]),
            parameters=(raw, raw),
            syncs=v[ASKED],
            turn=-1 if wire.SHOT in self.guessed else w.shooter(),
            cells=(bytes((v[X], v[Y])), bytes((v[X + 1], v[Y + 1]))),
            is_repeating=w.is_crossed,
            shots=(bytes(w.shots[0]), bytes(w.shots[1])),
        )

    def _shared_out(self) -> list[Record]:
        """Give the pending bytes to the sides that have sent them."""
        tangle = self._tangle
        assert tangle is not None
        is_vague = tangle.is_vague
        if is_vague:
            self._session.watch.stop_judging()
        pending, self._pending, self._tangle = self._pending, [], None
        self._reader.reset()
        bytes_ = [
            Chunk(chunk.at, 0, chunk.data[i : i + 1], chunk.faults[i : i + 1])
            for chunk in pending
            for i in range(len(chunk.data))
        ]
        records: list[Record] = []
        whole = tangle.whole
        if tangle.is_none and not is_vague:
            self._is_plain = True
            for chunk in bytes_[:whole]:
                records += self.feed(chunk)
            self._is_plain = False
        else:
            until = -1
            for chunk, (side, is_sure, is_first) in zip(bytes_, tangle.shares, strict=False):
                if is_first:
                    self._note(chunk.data[0], side, is_sure)
                # distinct times preserve the order in which they came
                until = max(chunk.at, until + 1)
                records += self._session.feed(Chunk(until, side, chunk.data, chunk.faults), is_vague or not is_sure)
            self._until = until
        for chunk in bytes_[whole:]:
            records += self.feed(chunk)
        return records

    def _keep(self, item: Chunk, first: int, last: int) -> None:
        """Store bytes of an item that belong to the frame being read."""
        self._pending.append(Chunk(item.at, 0, item.data[first:last], item.faults[first:last]))

    def advance(self, at: int) -> list[Record]:
        """Let time pass; an incomplete frame times out as in the protocol."""
        if self._pending:
            is_over = self._tangle is not None and self._tangle.is_idle
            if at - self._pending[-1].at <= (_PAUSE if is_over else _FRAME_GAP):
                return []
            records = self._ended()
            records += self._pass_on(self.last_side, False)
            self._reader.reset()
            return records + self._session.advance(at)
        return self._session.advance(at)

    def finish(self) -> list[Record]:
        """Return the remaining records at the end."""
        return self._ended() + self._pass_on(self.last_side, False) + self._session.finish()

    def _ended(self) -> list[Record]:
        """Share out pending bytes after which nothing comes for a while."""
        records: list[Record] = []
        while self._tangle is not None:
            self._tangle.end()
            records += self._shared_out()
        return records

    def _pass_on(self, side: int, unsure: bool) -> list[Record]:
        records: list[Record] = []
        for chunk in self._pending:
            records += self._session.feed(Chunk(chunk.at, side, chunk.data, chunk.faults), unsure)
        self._pending.clear()
        return records

    def sided(self, op: int, raw: bytes) -> tuple[int, bool]:
        """Return the side of the next frame, and whether it is certain."""
        if op == wire.SHOT and self._repeats(raw[1:]):
            w = self._session.watch
            # it is not answered yet, or the master has shot at the same cell
            is_sure = w.waits(1 - MASTER_SIDE) == wire.SHOT and wire.SHOT not in self.guessed
            self._note(op, 1 - MASTER_SIDE, is_sure)
            if not is_sure:
                w.stop_judging()
            return 1 - MASTER_SIDE, is_sure
        return self._plain_side(op) if op in WHOLE else self._side(op)

    def _side_of_read(self) -> tuple[int, bool]:
        """Return the side of the frame that was read last, and whether it is certain."""
        reader = self._reader
        if reader.op == wire.SHOT:
            return self.sided(wire.SHOT, bytes((wire.SHOT, reader.data[0], reader.data[1])))
        return self._side(reader.op)

    def _repeats(self, cell: bytes) -> bool:
        """Return whether a shot at this cell may be the slave's last one again, with which a sync has crossed."""
        w = self._session.watch
        slave = 1 - MASTER_SIDE
        if not w.is_crossed:
            return False
        w.settle()
        return w.v[LAST + slave] == wire.SHOT and cell == bytes((w.v[X + slave], w.v[Y + slave]))

    def _plain_side(self, op: int) -> tuple[int, bool]:
        """Like `_side`, for the most frequent frames."""
        w = self._session.watch
        sure = True
        if op == wire.SHOT:
            side = w.shooter()
            guessed = self.guessed
            if guessed and side >= 0:
                # whose turn it is rests on whose the last shot was
                sure = op not in guessed and w.waits(0) not in guessed and w.waits(1) not in guessed
                if not sure:
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
        self._note(op, side, sure)
        return side, sure

    def _note(self, op: int, side: int, sure: bool) -> None:
        """Note a frame and its side."""
        if wire.is_command(op):
            if sure:
                if op == wire.SHOT and op in self.guessed:
                    self._session.watch.forget_turn()
                self.guessed.discard(op)
            else:
                self.guessed.add(op)
            if op in ANEW:
                self.guessed.discard(wire.SHOT)
        self.last_side, self.last_op = side, op

    def _reply_side(self, op: int) -> tuple[int, bool]:
        w = self._session.watch
        command = wire.command_of(op)
        sender = wire.exchange(command)[wire.SENDER]
        if sender != wire.BOTH:
            return (1 - MASTER_SIDE if sender == wire.MASTER else MASTER_SIDE), True
        asked = [side for side in (0, 1) if w.waits(side) == command]
        if len(asked) == 1:
            return 1 - asked[0], command not in self.guessed
        if command == wire.SHOT and not asked and self.last_op != command:
            # once more, as the slave sends its shot: if it was not that, whose turn it is now is uncertain
            self.guessed.add(command)
            w.settle()
            said = [side for side in (0, 1) if w.v[SAID + side] == op]
            return (said[0] if len(said) == 1 else MASTER_SIDE), False
        if len(asked) > 1:
            # so is the side of the next answer
            self.guessed.add(command)
        return 1 - self.last_side, False

    def _command_side(self, op: int) -> tuple[int, bool]:
        sender = wire.exchange(op)[wire.SENDER]
        if sender != wire.BOTH:
            return (MASTER_SIDE if sender == wire.MASTER else 1 - MASTER_SIDE), True
        w = self._session.watch
        able = w.sender(op)
        if able >= 0:
            # the other side waits for a reply, it is its turn, or it has won, unless that was a guess
            is_guess = op in (wire.SHOT, wire.WON) and wire.SHOT in self.guessed
            return able, not (is_guess or any(w.waits(side) in self.guessed for side in (0, 1)))
        waiting = [side for side in (0, 1) if w.waits(side)]
        if len(waiting) == 1:
            # who waits may give up, but seldom sends anything else
            return (waiting[0] if op == wire.TIMED_OUT else 1 - waiting[0]), False
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
    lost = was_ever_lost = False
    meetings = 0
    """How many A1 are not answered."""
    while heads[0] or heads[1]:
        side, sure = _behind(heads) if lost else -1, False
        if side < 0:
            side, sure = _next_side(w, heads, syncs, sent)
        frame = heads[side]
        # noise may have been a frame that something waits for, but not before the first command
        is_noise = wire.exchange(frame[0]) is None
        if not is_noise and frame[0] not in (wire.SYNC, wire.SYNCED):
            sent[side][wire.is_reply(frame[0])] = frame
        if frame[0] == wire.MEET:
            faults = [0, 0]
        # an A8 for nothing may be the reply to something that the other side's dump has further on
        unfounded = frame[0] == wire.BROKEN and not faults[1 - side]
        unsure = not sure or unfounded or (is_noise and any(map(any, sent)))
        asked = sent[1 - side][0]
        # the echo of other parameters may be that of another session
        is_other = was_ever_lost and frame[0] == _ECHO and asked[:1] == _PARAMS and asked[1:] != frame[1:]
        unsure |= is_other
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
        was_ever_lost |= lost
        if is_other or ((lost or was_lost) and wire.is_command(frame[0]) and frame[0] != wire.SYNC):
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
