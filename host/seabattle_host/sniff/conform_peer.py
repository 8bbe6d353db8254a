"""The counterpart of a program under test: brings it into a state, sends, and receives.

The field is 6x6 with one ship of one deck, placed away from the walls: ours is where the program shoots last.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from seabattle import wire
from seabattle_host.language.codes import RULE_VERDICTS
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.port import Port

PARAMETERS = bytes((6, 0, 0, 0, 1))
TAGGED = bytes((6, 0x40, 0x30, 0x20, 0x11))
"""The same, with the number of decks in the high nibbles: some programs understand only this."""
PLACES = frozenset((x, y) for x in range(2, 6) for y in range(2, 6))
"""Possible places of the ship: a ship along a wall would be more than half of the fleet."""
NICK = b"TESTER"

PATIENCE = wire.REPLY_TICKS * TICK_SECONDS
_PAUSE = (wire.GAP_TICKS + 1) * TICK_SECONDS


KEPT, BORNE, BROKEN, OPEN, UNSTEADY = RULE_VERDICTS
"""Verdicts of a trial. BORNE: not according to the protocol, but real programs do it and players tolerate it. OPEN: not
tested, because the program was not in the necessary state. UNSTEADY: not the same each time it was tested."""

NEW_TICKS = 2 * wire.GAP_TICKS
"""After this time the same command is a new one, however the program counts its ticks."""


class NotThere(Exception):
    """The program is not in the state that a trial needs. The message says what was missing."""


class NotMet(NotThere):
    """It does not meet us: it may not be in state 0."""


class Broken(Exception):
    """The program has broken a rule before a trial came to its own. The message says which."""


_ANSWERS = frozenset((wire.MISS, wire.HIT, wire.SUNK, wire.REPEAT))

_BY_USER = frozenset((wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SLAVE_READY, wire.SHOT))
"""Commands for which a program may wait until its user has entered something."""

_FAREWELLS = (int(wire.GOODBYE), int(wire.TIMED_OUT))

_FEW_SYNCS = 5
"""So many syncs of a slave may be left over from before."""


class Peer:
    """The connection to the program.

    role: ours. wait: seconds for a reply. observe: called with whether it was sent, and the bytes.
    """

    def __init__(
        self,
        port: Port,
        role: int,
        wait: float,
        observe: Callable[[bool, bytes], None] = lambda sent, data: None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.role = role
        self.wait = wait
        self.traffic: list[str] = []
        self.frames: list[bytes] = []
        """Received frames not yet processed, syncs excluded."""
        self.syncing = True
        """Send syncs as a master, reply to them as a slave."""
        self.polite = True
        """Reply to nicks, chat, shots and farewells automatically."""
        self.answers_shots = True
        self.noise = 0
        """Bytes of this trial that belong to no frame."""
        self.nicks = 0
        """Nicks received in this trial."""
        self.size = wire.SIZE_MAX
        """Field width, as the master has offered it,"""
        self.counts = b""
        """and the numbers of ships, four-deck first."""
        self._offer = PARAMETERS
        self._port = port
        self._observe = observe
        self.clock = clock
        self.tap: Callable[[bool, bytes], None] | None = None
        """Called like `observe`, for a while."""
        self._reader = wire.Reader()
        self._frame = bytearray()
        self._sent_at = 0.0
        self._shot_here: set[tuple[int, int]] = set()
        self._awaits_answer = False
        """It has shot, and has got no answer."""
        self._shots = 0
        """Shots received."""
        self.heard_at = 0.0
        self.synced = 0
        """Syncs received from a master, replies to them from a slave."""
        self.understood = 0
        """Frames received in this trial."""
        self.noise_kinds: set[int] = set()
        """The different bytes that belonged to no frame so far."""
        self.history: list[tuple[int, int]] = []
        """Frames received in each trial so far, and bytes that belong to none."""
        self.met = False
        """The program has met us before."""
        self._is_new = role == wire.SLAVE
        """It may have been started just now: then it is in state 0, and a goodbye would end some programs."""
        self.by_silence: bool | None = False
        """Whether it returns to state 0 only by its own timeout, not by A7 and A0; None if not even by that."""
        self.arrived = 0
        """Length of `traffic` when the program was brought into the state of this trial."""
        self.proven = False
        """No frame that was lost explains what this trial has found."""
        self._ours_back = 0
        """Received syncs or replies of the kind that only this side sends."""
        self._syncs = 0
        """Syncs sent in this trial."""

    # Bytes.

    def send(self, *data: int) -> None:
        """Send one frame."""
        self._put(bytes(data))

    def transmit(self, raw: bytes) -> None:
        """Send bytes."""
        self._port.write(raw)
        self._notify(True, raw)

    def listen(self, seconds: float) -> bytes:
        """Read bytes and return them unprocessed."""
        received = self._port.read(seconds)
        if received:
            self._notify(False, received)
        return received

    def count(self, sent: bool, op: int) -> None:
        """Count a frame that was processed elsewhere."""
        self._follow_shots(sent, op)
        if not sent:
            self.understood += 1
            self._ours_back += op == (wire.SYNC if self.role == wire.MASTER else wire.SYNCED)

    def _follow_shots(self, sent: bool, op: int) -> None:
        if sent:
            self._awaits_answer &= op not in _ANSWERS
        elif op == wire.SHOT:
            self._awaits_answer = True
            self._shots += 1

    def _notify(self, sent: bool, raw: bytes) -> None:
        self._observe(sent, raw)
        if self.tap is not None:
            self.tap(sent, raw)

    def _put(self, raw: bytes) -> None:
        self.transmit(raw)
        self._sent_at = self.clock()
        self._syncs += raw[0] == wire.SYNC
        self._follow_shots(True, raw[0])
        if raw not in (bytes((wire.SYNC,)), bytes((wire.SYNCED,))):
            self.traffic.append(f"> {raw.hex(' ').upper()}")

    def pump(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Read for this time, or until a condition is true; return whether it is."""
        end = self.clock() + seconds
        over = False
        while not until():
            if over:
                return False
            now = self.clock()
            # after a delay, check once more what has come meanwhile
            over = now >= end
            if self._frame and now - self.heard_at > _PAUSE:
                self._lost()
            due = self._sent_at + wire.SYNC_TICKS * TICK_SECONDS
            if self.syncing and self.role == wire.MASTER and now >= due and not self._frame:
                self.send(wire.SYNC)
            for byte in self.listen(max(0.0, min(0.02, end - now))):
                self._take(byte)
        return True

    def _lost(self) -> None:
        """Drop received bytes that are no frame, as noise."""
        self.noise += len(self._frame)
        self.noise_kinds.update(self._frame)
        self.traffic.append(f"< {self._frame.hex(' ').upper()} ?")
        self._frame.clear()
        self._reader.reset()

    def _take(self, byte: int) -> None:
        self._frame.append(byte)
        self.heard_at = self.clock()
        got = self._reader.feed(byte)
        if got == wire.QUIET:
            return
        if got == wire.NOISE:
            self._lost()
            return
        raw = bytes(self._frame)
        self._frame.clear()
        self.understood += 1
        if raw[0] in (wire.SYNC, wire.SYNCED):
            if (raw[0] == wire.SYNC) == (self.role == wire.MASTER):
                self._ours_back += 1
                return
            self.synced += 1
            if raw[0] == wire.SYNC and self.syncing:
                self.send(wire.SYNCED)
            return
        self.traffic.append(f"< {raw.hex(' ').upper()}")
        self.frames.append(raw)
        self.nicks += raw[0] == wire.NICK
        self.met |= raw[0] in (wire.MEET, 0x1A)
        self._follow_shots(False, raw[0])
        if self.polite:
            self._answer(raw)

    def _answer(self, raw: bytes) -> None:
        op = raw[0]
        if op == wire.SHOT and len(raw) == 3:
            if not self.answers_shots:
                return
            self.send(self.shot_at((raw[1], raw[2])))
        elif op in (wire.NICK, wire.CHAT, wire.GOODBYE, wire.SURRENDER, wire.WON, wire.BROKEN, wire.TIMED_OUT):
            row = wire.exchange(op)
            self.send(int(row[wire.REPLY]))

    def shot_at(self, cell: tuple[int, int]) -> int:
        """Return the answer to a shot: the ship is in the last place shot at."""
        if cell in self._shot_here:
            return wire.REPEAT
        self._shot_here.add(cell)
        return wire.SUNK if cell in PLACES and self._shot_here >= PLACES else wire.MISS

    def expect(self, *ops: int, seconds: float | None = None) -> bytes | None:
        """Return the next frame with one of these opcodes, dropping those before it; None on timeout."""
        found: list[bytes] = []

        def there() -> bool:
            while self.frames:
                frame = self.frames.pop(0)
                if frame[0] in ops:
                    found.append(frame)
                    return True
            return False

        self.pump(self.wait if seconds is None else seconds, there)
        return found[0] if found else None

    def need(self, *ops: int, seconds: float | None = None) -> bytes:
        """The same; raises NotThere on timeout."""
        frame = self.expect(*ops, seconds=seconds)
        if frame is None:
            why = "missing_user" if ops[0] in _BY_USER else "missing"
            raise NotThere(tr(why, what="/".join(f"{op:02X}" for op in ops)))
        return frame

    # States.

    def start(self, *farewells: int) -> None:
        """Bring the program back to state 0, wherever it is. farewells: by what, A7 and A0 if not given."""
        if self.by_silence and not farewells:
            self.silence()
        self.polite = True
        # A master whose sync is answered meets, and some do so only once.
        self.syncing = self.role == wire.MASTER
        self.pump(0.1)
        if self._awaits_answer:
            self.send(wire.MISS)  # real programs are deaf to all else until then
            self.pump(0.3)
        for farewell in farewells or _FAREWELLS:
            before = self._shots
            self.send(farewell)
            self.pump(0.3)
            if self._shots > before:
                # a shot crossed it
                self.send(farewell)
                self.pump(0.3)
        self._clear()

    def _clear(self) -> None:
        """Begin a trial."""
        self._reader.reset()
        self._frame.clear()
        self._shot_here.clear()
        self.frames.clear()
        self.traffic.clear()
        self.noise = self.understood = self.nicks = self._ours_back = self._syncs = 0
        self.syncing = True

    def echoes(self) -> bool:
        """Return whether the line echoes: most of what this trial has sent has come back."""
        sent = [line[2:] for line in self.traffic if line[0] == ">"]
        back = iter([line[2:] for line in self.traffic if line[0] == "<"])
        return self._ours_back > 0 and 0 < len(sent) <= 2 * sum(frame in back for frame in sent)

    def syncs(self) -> bool:
        """Return whether the program, as a slave, syncs: more came than an echo of ours could be."""
        return self.role == wire.MASTER and self._ours_back > 2 * self._syncs + _FEW_SYNCS

    def reach(self, state: int, *farewells: int) -> None:
        """Go from state 0 to 1, 2, 3, 4 or 9. Raises NotThere. farewells: as for `start`."""
        if self._is_new and not farewells:
            self._is_new = False
            self.syncing = False
            self.pump(0.1)
            self._clear()
            with contextlib.suppress(NotThere):
                self._go(state)
                self.arrived = len(self.traffic)
                return
        self.start(*farewells)
        try:
            self._go(state)
        except NotMet:
            if farewells or self.by_silence is not False or not self.met or not self.alive():
                raise
            self.silence()
            self.start()
            self.by_silence = None
            self._go(state)
            self.by_silence = True
        self.arrived = len(self.traffic)

    def silence(self) -> None:
        """Send nothing until the program must have given up the session."""
        self.syncing = self.polite = False
        self.pump(PATIENCE + 1.0)
        self.syncing = self.polite = True

    def _go(self, state: int) -> None:
        if self.role == wire.MASTER:
            self._lead(state)
        else:
            self._follow(state)

    def _lead(self, state: int) -> None:
        before = self.synced
        if not self.pump(self.wait, lambda: self.synced > before):
            raise NotThere(tr("no_synced"))
        if state == 0:
            return
        self.send(wire.MEET)
        self._meet(0x1A)
        self.send(wire.NICK, len(NICK), *NICK)
        self.expect(0x1B, seconds=min(self.wait, 1.0))
        if state == 1:
            return
        self.offer()
        self.send(wire.PLACE)
        self.need(0x2A)
        if state == 2:
            return
        self.send(wire.MASTER_READY)
        self.need(0x3A)
        if state == 3:
            return
        self.need(wire.SLAVE_READY, seconds=max(self.wait, PATIENCE))
        self.send(0x4A)
        if state == 9:
            self.send(wire.SURRENDER)
            self.need(0x6A)

    def offer(self) -> None:
        """Agree with a slave on the parameters. Raises NotThere."""
        self._agreed(PARAMETERS)
        self.send(wire.PARAMS, *self._offer)
        if self.expect(0x2B) is None:
            self.send(wire.PARAMS, *TAGGED)
            self.need(0x2B)
            self._offer = TAGGED

    def _agreed(self, parameters: bytes) -> None:
        self.size, self.counts = parameters[0], bytes(count & 0x0F for count in parameters[1:])

    def _meet(self, op: int) -> None:
        """Wait for this frame, which comes in state 0 only. Raises NotMet."""
        if self.expect(op) is None:
            raise NotMet(tr("missing", what=f"{op:02X}"))

    def _follow(self, state: int) -> None:
        before = self.synced
        if not self.pump(self.wait, lambda: self.synced > before):
            raise NotThere(tr("no_sync"))
        if state == 0:
            return
        self._meet(wire.MEET)
        self.send(0x1A)
        self.send(wire.NICK, len(NICK), *NICK)
        if state == 1:
            return
        echo = self.need(wire.PARAMS, seconds=max(self.wait, PATIENCE))
        self._agreed(echo[1:])
        self.send(0x2B, *echo[1:])
        self.need(wire.PLACE)
        self.send(0x2A)
        if state == 2:
            return
        self.need(wire.MASTER_READY, seconds=max(self.wait, PATIENCE))
        self.send(0x3A)
        if state == 3:
            return
        self.send(wire.SLAVE_READY)
        self.need(0x4A)
        if state == 9:
            self.send(wire.SURRENDER)
            self.need(0x6A)

    def ignored(self) -> tuple[str, str]:
        """Return the verdict on a program that has not reacted, unless it has gone silent."""
        return (BORNE, tr("ignored")) if self.alive() else (BROKEN, tr("conform_silent"))

    def alive(self) -> bool:
        """Return whether it still sends something: a command of a master counts as a sync."""
        before = self.synced, self.understood
        if self.syncing and self.role == wire.MASTER and not self._frame:
            self.send(wire.SYNC)  # another frame may replace the next sync
        return self.pump(self.wait, lambda: (self.synced, self.understood) > before)
