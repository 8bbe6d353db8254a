"""The outcome of a check, and what was not understood.

The session keeps the protocol, breaks it, or it cannot be said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from seabattle import watch, wire
from seabattle.watch_state import GAME
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import SIDES
from seabattle_host.sniff.frame_contents import LETTERS, OTHERS, WHOLE, is_senseless
from seabattle_host.sniff.oddities import after_reply
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.session import Session

KEEPS, BROKE, CANNOT_SAY = 0, 1, 3
"""Exit statuses of a check; 2 is for an invalid file or argument."""

NAMES = {KEEPS: "keeps", BROKE: "broke", CANNOT_SAY: "cannot say"}


_NOT_ITS_OWN = {
    watch.R_ECHOED: "unread_echo",
    watch.R_SHARED: "unread_shared",
    watch.R_TWO_PAIRS: "unread_pairs",
}
"""Reasons for bytes on a side's wire that the side did not send -> key in the catalogue."""

_OFF_FIELD = ("unread_off_a", "unread_off_b")
_OFF_FIELD_FEW = 3
"""Shots off the field up to here are only named where they are, as losses explain so many."""

_OFF_FIELD_PART = 100
"""... and so are fewer than one in this many shots of a side: a bad line explains them."""

_LINES_OF_PART = 1000
"""Bytes that a side did not send tell what its wire carries if one in this many frames of it is so."""


@dataclass
class Unread:
    """What was not understood, by kind: count, and first place (number of the record, its time)."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines_of: set[int] = field(default_factory=set)
    """Sides whose wires carry bytes of others, too."""
    frames: list[int] = field(default_factory=lambda: [0] * 512)
    """Number of frames by opcode, plus 256 for side 1."""

    def take(self, record: Record) -> None:
        """Process a record."""
        if record.kind == watch.STRAY:
            self._add("unread_noise", record, len(record.raw))
        elif record.kind == watch.CUT:
            self._add("unread_cut", record)
        elif record.kind == LOST:
            self._add("unread_harmed" if words.harm(record.text) else "unread_lost", record)
        elif record.kind == watch.FRAME and record.reason == watch.R_UNMATCHED and record.verdict != watch.DOUBT:
            self._add("unread_unmatched", record)
        if record.faults:
            self._add("unread_damage", record, sum(map(bool, record.faults)))
        if record.reason in _NOT_ITS_OWN:
            self._add(_NOT_ITS_OWN[record.reason], record)
            self.lines_of.add(record.side)
        elif record.verdict == watch.DOUBT:
            self._add("unread_suspected" if record.maybe else "unread_doubt", record)
        if record.unsure:
            self._add("unread_unsure", record)
            if record.misfit:
                self._add("unread_misfit", record)
        elif record.op == wire.SHOT and record.reason in (wire.R_CELL, watch.R_FROM_ZERO):
            # most of them may count as consequences of the first
            self._add(_OFF_FIELD[record.side], record)

    def _add(self, what: str, record: Record, count: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + count
        self.first.setdefault(what, (record.number, record.at))

    def lines(self, began: int, timed: bool) -> list[str]:
        """Return it in words; one line to say so if everything was understood."""
        out = []
        for what, count in self.counts.items():
            if self._is_few(what, count):
                continue
            number, at = self.first[what]
            place = (
                tr("unread_at", number=number, time=rendering.seconds(at - began))
                if timed
                else tr("unread_in", number=number)
            )
            out.append(tr("unread", what=tr(what, count=count, sides=self.sides()), place=place))
        return out or [tr("unread_none")]

    def sides(self) -> str:
        """Return the letters of `lines_of`."""
        return ", ".join(SIDES[side] for side in sorted(self.lines_of))

    def as_json(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {
            what.removeprefix("unread_"): {"count": count, "first": self.first[what][0]}
            for what, count in self.counts.items()
            if not self._is_few(what, count)
        }

    def _is_few(self, what: str, count: int) -> bool:
        """Return whether these are so few shots off the field that nothing can be said of them together."""
        if what not in _OFF_FIELD:
            return False
        shots = self.frames[wire.SHOT + 256 * _OFF_FIELD.index(what)]
        return count <= _OFF_FIELD_FEW or count * _OFF_FIELD_PART < shots

    def odd_lines(self) -> str:
        """Return why the lines carry what their sides did not send: `pairs`, `echo` or `shared`; empty if unknown."""
        received = sum(sum(self.frames[256 * side : 256 * side + 256]) for side in self.lines_of)
        for kind in ("pairs", "echo", "shared"):
            if self.counts.get(f"unread_{kind}", 0) * _LINES_OF_PART > received:
                return kind
        return ""


_NEUTRAL = (wire.SYNC, wire.NICK, wire.CHAT)
"""Commands allowed in any state."""

_TELLS_NOTHING = (wire.SYNC, wire.TIMED_OUT)
"""Commands whose answer does not show that the two have met."""

_NOISE_PARTS = 10
"""A session with more than one byte of noise in this many cannot be said to keep the protocol."""


_OF_ROLE: tuple[list[int], list[int]] = ([], [])
"""The opcodes that only a master sends, and only a slave."""
for _op in (wire.SYNC, wire.MEET, wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SLAVE_READY):
    _is_master = wire.exchange(_op)[wire.SENDER] == wire.MASTER
    _OF_ROLE[not _is_master].append(_op)
    _OF_ROLE[_is_master].append(int(wire.exchange(_op)[wire.REPLY]))

_IDLE = b"\x00\xff"
"""What is heard of a wire to which nothing is connected."""

_OFTEN, _ODD_SHOWN = 3, 8
"""Noise after so many frames of a kind, and after at least half of them, is not the line's. The most bytes shown."""


_STRETCH_RECORDS, _STRETCH_BYTES = 3, 8
"""This much noise of a side with nothing else of it in between is a stretch that was not understood: a whole exchange
may be in it. Less is a disturbance, and a frame lost in it shows in what follows."""

_STRETCH_GAP = 2
"""Largest difference between the numbers of its records: at most a frame of the other side, such as a sync, between."""


@dataclass
class _Stretch:
    """Consecutive noise of a side."""

    records: int = 0
    size: int = 0
    begin: int = 0
    """Number of the first record."""
    last: int = -_STRETCH_GAP - 1
    """Number of the last one."""

    def take(self, record: Record) -> bool:
        """Process noise; return whether it is a stretch."""
        if record.number - self.last > _STRETCH_GAP:
            self.records = self.size = 0
            self.begin = record.number
        self.last = record.number
        self.records += 1
        self.size += len(record.raw)
        return self.records >= _STRETCH_RECORDS or self.size >= _STRETCH_BYTES


def _is_senseless(record: Record) -> bool:
    return record.op in LETTERS and is_senseless(record.body)


@dataclass
class Checking:
    """Collects the evidence: `take` each record, then `outcome`."""

    unread: Unread = field(default_factory=Unread)
    answered: list[int] = field(default_factory=lambda: [0, 0])
    """By side, number of answered commands, syncs excluded."""
    frames: list[int] = field(init=False)
    """The same list as `unread.frames`."""
    good: int = 0
    """Bytes in frames that fit into the session."""
    bad: int = 0
    """All other bytes: noise, cut frames, unmatched replies, damaged frames."""
    suspect: Record | None = None
    """The first record that is the fault of a side or of the line."""
    gap: Record | None = None
    """The first place where something was lost."""
    letters: list[int] = field(default_factory=lambda: [0, 0])
    """By side, bytes of a nick or text that looks like noise, but is none if it is answered."""
    first: int = 0
    """The first command, which tells whether the capture starts with the session."""
    before: int = 0
    """Of `bad`, how many came before the first meeting."""
    stretch: int = 0
    """Number of the record in which the first stretch of noise begins that may contain a part of a session; 0: none."""
    _twice: Record | None = None
    """The last answer that came twice."""
    _noise: list[_Stretch] = field(default_factory=lambda: [_Stretch(), _Stretch()])

    def __post_init__(self) -> None:
        self.frames = self.unread.frames

    def take(self, record: Record) -> None:
        """Process a record."""
        if not self.first and record.kind == watch.FRAME and wire.is_command(record.op) and record.op not in _NEUTRAL:
            self.first = record.op
            if not self._lacks_begin():
                self.before, self.stretch = self.bad, 0
                self._noise = [_Stretch(), _Stretch()]
        if record.kind == watch.FRAME and not (
            record.verdict or record.faults or record.unsure or record.op in (wire.NICK, wire.CHAT)
        ):
            # the common case
            self.frames[record.op + 256 * record.side] += 1
            if record.answers and record.answers not in _TELLS_NOTHING:
                self._answered(record)
            self.good += len(record.raw)
            return
        self.unread.take(record)
        if record.reason == watch.R_DOUBLED:
            self._twice = record
        if self.suspect is None:
            # or the answer that came twice and has misled the other side
            misled = self._twice and record.follows == self._twice.number
            self.suspect = record if record.maybe else self._twice if misled else None
        if self.gap is None and (record.kind == LOST or (record.verdict == watch.DOUBT and not record.maybe)):
            self.gap = record
        if record.kind == watch.FRAME:
            self.frames[record.op + 256 * record.side] += 1
            if record.answers and record.answers not in _TELLS_NOTHING:
                self._answered(record)
            senseless = _is_senseless(record)
            if senseless:
                self.letters[record.side] = len(record.raw)
            if record.reason == watch.R_UNMATCHED or record.faults or senseless:
                self.bad += len(record.raw)
            else:
                self.good += len(record.raw)
        elif record.kind in (watch.STRAY, watch.CUT):
            self.bad += len(record.raw)
            # between two sessions it hides nothing
            if self._noise[record.side].take(record) and record.state != 0 and not self.stretch:
                self.stretch = self._noise[record.side].begin

    def count(self, unrecorded: Sequence[int], letters: int, unsure: int) -> None:
        """Process good frames that were counted, not recorded, by opcode, plus 256 for side 1.

        letters: bytes of the nicks and texts among them. unsure: of how many the side is a guess, as of one recorded
        before.
        """
        self.good += letters
        if unsure:
            self.unread.counts["unread_unsure"] += unsure
        for op, size in (WHOLE | OTHERS).items():
            for side in (0, 1):
                count = unrecorded[op + 256 * side]
                self.frames[op + 256 * side] += count
                self.good += count * size
                if wire.is_reply(op) and op != wire.SYNCED:
                    self.answered[1 - side] += count

    def _answered(self, record: Record) -> None:
        side = 1 - record.side
        self.answered[side] += 1
        if record.answers in (wire.NICK, wire.CHAT):
            self.bad -= self.letters[side]
            self.good += self.letters[side]
            self.letters[side] = 0

    @property
    def received(self) -> list[int]:
        """By side, number of frames, syncs and their replies included."""
        return [sum(self.frames[:256]), sum(self.frames[256:])]

    def cut_off(self, session: Session) -> list[str]:
        """Return which ends of the session the capture lacks: `begin`, `end`."""
        lacks = []
        if self._lacks_begin():
            lacks.append("begin")
        if all(self.received) and not (session.watch.may[0] | session.watch.may[1]) & ~GAME:
            lacks.append("end")
        return lacks

    def _lacks_begin(self) -> bool:
        return self.first not in (0, wire.MEET) and wire.exchange(self.first)[wire.NEXT] != 0

    def outcome(self, session: Session) -> tuple[int, str]:
        """Return KEEPS, BROKE or CANNOT_SAY, and a line that explains it."""
        why = self._doubt()
        violations = session.sums.violations
        odd = self.odd(session)
        if why == "cannot_noise" and not (
            odd and session.oddities.size * _NOISE_PARTS >= self.bad * (_NOISE_PARTS - 1)
        ):
            return CANNOT_SAY, tr("check_cannot", why=tr(why, bad=self.bad, all=self.bad + self.good))
        if violations and sum(self.answered):
            return BROKE, tr("check_bad", count=violations)
        if odd:
            return CANNOT_SAY, tr("check_cannot", why=odd[0])
        if why == "cannot_no_session" and self.gap is not None and words.harm(self.gap.text):
            lost = tr("cannot_all_harmed", number=self.gap.number, why=words.harm(self.gap.text))
            return CANNOT_SAY, tr("check_cannot", why=lost)
        if why:
            silent = "A" if not self.received[0] else "B"
            return CANNOT_SAY, tr("check_cannot", why=tr(why, side=silent))
        if violations:
            return BROKE, tr("check_bad", count=violations)
        silent = self._silent()
        if silent:
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_one_side", side=silent))
        kind = self.unread.odd_lines()
        if kind:
            return CANNOT_SAY, tr("check_cannot", why=tr(f"cannot_{kind}", sides=self.unread.sides()))
        if self.suspect is not None:
            who = rendering.the_side(self.suspect.side, self.suspect.role)
            key = "cannot_suspected_one" if self.suspect.unsure else "cannot_suspected"
            return CANNOT_SAY, tr("check_cannot", why=tr(key, number=self.suspect.number, who=who))
        if (self.bad - self.before) * _NOISE_PARTS > self.bad + self.good - self.before:
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_noise", bad=self.bad, all=self.bad + self.good))
        if self.gap is not None:
            lost = tr("cannot_lost", number=self.gap.number)
            if self.gap.kind == LOST:
                done = words.harm(self.gap.text)
                key = "cannot_harmed" if done else "cannot_lost_why"
                lost = tr(key, number=self.gap.number, why=done or self.gap.text)
            return CANNOT_SAY, tr("check_cannot", why=lost)
        if session.sums.following:
            # findings follow from noise: more was lost there than noise
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_lost", number=min(session.sums.following)))
        if session.oddities.broken:
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_lost", number=session.oddities.broken))
        if self.stretch:
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_stretch", number=self.stretch))
        if "unread_misfit" in self.unread.first:
            number, _at = self.unread.first["unread_misfit"]
            return CANNOT_SAY, tr("check_cannot", why=tr("cannot_misfit", number=number))
        line = tr("check_good")
        if self.bad:
            found = self.unread.counts
            key = "check_good_cut" if "unread_cut" in found and "unread_noise" not in found else "check_good_apart"
            key = "check_good_since" if self.bad == self.before else key
            line = tr(key, bad=self.bad, all=self.bad + self.good)
        stood = [game for game in session.sums.games if game.stood]
        if stood:
            line += "; " + rendering.standing_line(stood[0], session.watch, stood[0].stood)
        return KEEPS, line

    def odd(self, session: Session) -> list[str]:
        """Describe noise that came at the same place so often that the line is no explanation."""
        lines = []
        received = self.received
        own: set[int] = set()
        for (side, before, op), place in sorted(session.oddities.places.items(), key=lambda each: after_reply(each[0])):
            if side in own and after_reply((side, before, op)):
                continue
            if not received[side] and not place.raw.strip(_IDLE):
                # nobody is there
                continue
            cut = place.raw[0] == op and side == before
            key = "odd_cut" if cut else "odd_after" if side == before else "odd_reply"
            count = self.frames[op + 256 * before] + (place.count if cut else 0)
            if place.count >= _OFTEN and 2 * place.count >= count:
                if side == before:
                    own.add(side)
                who = rendering.side_name(before, session.watch.role_of(before))
                noisy = rendering.side_name(side, session.watch.role_of(side))
                shown = rendering.hex_text(place.raw, b"", _ODD_SHOWN)
                lines.append(tr(key, count=place.count, all=count, op=f"{op:02X}", who=who, noisy=noisy, bytes=shown))
        return lines

    def _silent(self) -> str:
        """Return the side not heard, if all of it on a merged line is what only the other role sends; or nothing."""
        frames = self.frames
        sent = [[sum(frames[op + 256 * side] for op in ops) for side in (0, 1)] for ops in _OF_ROLE]
        for own, other in (sent, sent[::-1]):
            if sum(own) >= _OFTEN and not any(other):
                return "BA"[own[1] > own[0]]
        return ""

    def _doubt(self) -> str:
        if self.bad > self.good:
            return "cannot_noise"
        if not all(self.received):
            return "cannot_one_side"
        if not sum(self.answered):
            return "cannot_no_session"
        return ""
