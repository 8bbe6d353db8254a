"""Two real links joined by a line that may misbehave, as one state that can be saved, hashed and restored.

The search in explore.py asks `moves()` what may happen next and `do()`es it. The game is the smallest with turns:
6x6, two ships of one deck. Where a shot lands is the search's choice: a shot in row 2 sinks, one in any other
row misses. A doubled byte can move a shot to another cell, which no receiver can know: the property is that the
shooter receives the very answer that was given.

A byte on a line is a number; one that the receiver marks as damaged is that number and DAMAGED.

Persons: both are willing to play on, and may press any key they have at any moment: be ready, shoot, surrender,
restart, leave with a goodbye, and the key after an error. A person who has left presses no key any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from seabattle import link as links
from seabattle import link_codes as codes
from seabattle import wire
from seabattle.link import Link
from seabattle.rng import Rng

M, S = 0, 1
NAME = ("master", "slave")
GAME = (6, 0, 0, 0, 2)
HIT_ROW = 2
DAMAGED = 256

# Ages beyond these make no difference to a link; states that differ only there are one state.
_CAPS = ((codes.V_AGE, 62), (codes.V_QUIET, 62), (codes.V_SINCE, 10), (codes.V_LAST_AGE, 5))

FREE, FAULT, PERSON = "free", "fault", "person"


@dataclass(frozen=True)
class Bounds:
    """The bounds of the search.

    faults: faults of the line in one run; shots: shots of each side; quits: surrenders and restarts in one
    run; goodbyes: how many of the two may leave; forgetful: both also repeat the cell of their last miss, as a
    fast program without memory does; calm: both have clocks finer than the tick, and report silence.
    """

    faults: int = 1
    shots: int = 3
    quits: int = 1
    goodbyes: int = 0
    forgetful: bool = False
    calm: bool = False
    kinds: tuple[str, ...] = ("drop", "double", "cut", "delay")


class Endpoint:
    """One link, and what its person has seen."""

    def __init__(self, role: int) -> None:
        self.link = Link(role, Rng(1))
        self.shots = 0
        self.missed = 0  # the column of its last shot, while that is a miss
        self.given = 0  # the last answer to a shot of the other's
        self.result = 255  # argument a of EV_OVER, 255 before
        self.broke = 0  # how it broke off: the last event of that kind, 0 none
        self.claimed = 0  # 1: it has called the other's behaviour a violation
        self.asked = 0  # 1: a key was awaited since state 0 was left
        self.left = 0  # 1: its person has said goodbye, 2: its link is closed

    def save(self) -> tuple:
        link = self.link
        reader = link.reader
        v = link.v
        for i, cap in _CAPS:
            if v[i] > cap:
                v[i] = cap
        if v[codes.V_STATE] == 0 or v[codes.V_STATE] == links.BROKEN_OFF:
            v[codes.V_QUIET] = 0
        if not v[codes.V_BUSY]:
            v[codes.V_AGE] = 0
        held = bytes(reader.data[:6]) if reader.within else b""
        if not reader.within and not reader.lost:
            reader.v[:] = bytes(len(reader.v))
        return (
            bytes(v),
            bytes(reader.v),
            reader.sign if reader.within else 0,
            held,
            self.shots,
            self.missed,
            self.given,
            self.result,
            self.broke,
            self.claimed,
            self.asked,
            self.left,
        )

    def load(self, saved: tuple) -> None:
        link = self.link
        link.v[:] = saved[0]
        link.reader.v[:] = saved[1]
        link.reader.sign = saved[2]
        link.reader.data[: len(saved[3])] = saved[3]
        self.shots, self.missed, self.given, self.result, self.broke, self.claimed, self.asked, self.left = saved[4:]


class Broken(AssertionError):
    """A property does not hold."""


@dataclass
class System:
    """The joint state. `lines[M]` carries bytes from the master to the slave, `lines[S]` the other way."""

    bounds: Bounds
    endpoints: tuple[Endpoint, Endpoint] = field(default_factory=lambda: (Endpoint(wire.MASTER), Endpoint(wire.SLAVE)))
    lines: list[tuple[int, ...]] = field(default_factory=lambda: [(), ()])
    faults: int = 0
    quits: int = 0
    goodbyes: int = 0

    def save(self) -> tuple:
        counts = bytes((self.faults, self.quits, self.goodbyes))
        return (self.endpoints[M].save(), self.endpoints[S].save(), self.lines[M], self.lines[S], counts)

    def load(self, saved: tuple) -> None:
        self.endpoints[M].load(saved[0])
        self.endpoints[S].load(saved[1])
        self.lines = [saved[2], saved[3]]
        self.faults, self.quits, self.goodbyes = saved[4]

    # What may happen.

    def moves(self) -> list[tuple]:
        """Return all that may happen next, each as a tuple for do()."""
        out: list[tuple] = []
        for side in (M, S):
            if self.lines[side]:
                out.append((FREE, "deliver", side))
            elif self.bounds.calm and self.endpoints[1 - side].link.wants_calm:
                out.append((FREE, "calm", 1 - side))
        if not self.lines[M] and not self.lines[S]:
            out.append((FREE, "wait", 0))
        if self.faults < self.bounds.faults:
            for side in (M, S):
                # Any byte of the next frame; the bytes after it are the next frame in their turn.
                near = range(min(len(self.lines[side]), 6))
                out += [(FAULT, kind, side, i) for kind in self.bounds.kinds if kind != "delay" for i in near]
            if "delay" in self.bounds.kinds and (self.lines[M] or self.lines[S]):
                out.append((FAULT, "delay", 0, 0))
        for side in (M, S):
            out += [(PERSON, order, side) for order in self._orders(side)]
        return out

    def _orders(self, side: int) -> list[str]:
        endpoint = self.endpoints[side]
        link = endpoint.link
        v = link.v
        out: list[str] = []
        if endpoint.left:
            return out
        if self.goodbyes < self.bounds.goodbyes:
            out.append("goodbye")
        if link.key_awaited:
            return out if v[codes.V_KEY] else [*out, "key"]
        if link.state == 1 and side == M and not link.busy and not v[codes.V_WANT]:
            out.append("offer")
        if link.state == 2 or (link.state == 3 and side == S):
            busy = link.busy in (wire.MASTER_READY, wire.SLAVE_READY)
            if not busy and not v[codes.V_WANT] & codes.W_READY:
                out.append("ready")
        if link.mine and endpoint.shots < self.bounds.shots:
            out += ["miss", "sink"]
            if self.bounds.forgetful and endpoint.missed:
                out.append("again")
        if self.quits < self.bounds.quits:
            if 1 <= link.state <= 4 and not link.winner and not v[codes.V_WANT] & codes.W_SURRENDER:
                out.append("surrender")
            if side == M and link.state in (2, 3, 9) and not v[codes.V_WANT] & codes.W_RESTART:
                out.append("restart")
        return out

    def do(self, move: tuple) -> None:
        """Make a move; raise Broken if a property fails on the way."""
        kind, what, side = move[:3]
        if kind == PERSON:
            self._order(what, side)
        elif kind == FAULT:
            self.faults += 1
            self._fault(what, side, move[3])
        elif what == "deliver":
            self._deliver(side)
        elif what == "calm":
            self.endpoints[side].link.calm(links.CALM_MS)
        else:
            self._wait(11)
        self._collect()

    def _order(self, what: str, side: int) -> None:
        endpoint = self.endpoints[side]
        link = endpoint.link
        if what == "offer":
            link.offer(*GAME)
        elif what == "key":
            link.key()
        elif what == "goodbye":
            endpoint.left = 1
            self.goodbyes += 1
            link.goodbye()
        elif what == "again":
            endpoint.shots += 1
            link.shoot(endpoint.missed, HIT_ROW + 1)
        elif what in ("miss", "sink"):
            endpoint.shots += 1
            endpoint.missed = endpoint.shots if what == "miss" else 0
            link.shoot(endpoint.shots, HIT_ROW if what == "sink" else HIT_ROW + 1)
        else:
            if what != "ready":
                self.quits += 1
            getattr(link, what)()

    def _fault(self, what: str, side: int, i: int) -> None:
        if what == "delay":
            for _ in range(70):
                for endpoint in self.endpoints:
                    endpoint.link.tick()
            return
        line = self.lines[side]
        if what == "drop":
            self.lines[side] = line[:i] + line[i + 1 :]
        elif what == "damage":
            self.lines[side] = (*line[:i], line[i] | DAMAGED, *line[i + 1 :])
        elif what == "double":
            self.lines[side] = line[: i + 1] + line[i:]
        else:
            self.lines[side] = line[:i]

    def _deliver(self, side: int) -> None:
        """Deliver bytes up to the end of a frame to the other side."""
        line = self.lines[side]
        to = self.endpoints[1 - side]
        i = 0
        while i < len(line):
            if line[i] & DAMAGED:
                to.link.rx_damaged()
            else:
                to.link.rx(line[i])
            i += 1
            self._events(1 - side)
            if not to.link.reader.within:
                break
        self.lines[side] = line[i:]

    def _wait(self, ticks: int) -> None:
        """Let time pass on a line that carries everything."""
        master, slave = (endpoint.link for endpoint in self.endpoints)
        lines = self.lines
        for _ in range(ticks):
            master.tick()
            slave.tick()
            if self._silent(master) and self._silent(slave):
                continue
            self._collect()
            while lines[M] or lines[S]:
                for side in (M, S):
                    if lines[side]:
                        self._deliver(side)
                self._collect()

    @staticmethod
    def _silent(link: Link) -> bool:
        """Return whether the last tick changed nothing."""
        v = link.v
        return not (System._tells(v) or v[codes.V_OUT_HEAD] != v[codes.V_OUT_TAIL] or v[codes.V_CLOSED])

    @staticmethod
    def _tells(v: bytearray) -> bool:
        """Return whether asking the link for an event has an effect: there is one, or the link waits to be asked."""
        return v[codes.V_EV_HEAD] != v[codes.V_EV_TAIL] or bool(v[codes.V_WANT] & codes.W_WON)

    def _collect(self) -> None:
        """Read events and put bytes onto the line."""
        for side in (M, S):
            endpoint = self.endpoints[side]
            link = endpoint.link
            v = link.v
            if self._tells(v):
                self._events(side)
            if v[codes.V_OUT_HEAD] != v[codes.V_OUT_TAIL]:
                if endpoint.left == 2:
                    raise Broken(f"{NAME[side]} has left and still sends")
                self.lines[side] += tuple(iter(link.tx, -1))
            if v[codes.V_CLOSED]:
                endpoint.left = 2
            v[codes.V_OUT_HEAD] = v[codes.V_OUT_TAIL] = v[codes.V_EV_HEAD] = v[codes.V_EV_TAIL] = 0

    def _events(self, side: int) -> None:
        endpoint = self.endpoints[side]
        link = endpoint.link
        while True:
            ev = link.event()
            if ev == links.EV_NONE:
                return
            if ev == links.EV_SHOT:
                endpoint.given = wire.SUNK if link.b == HIT_ROW else wire.MISS
                link.answer(endpoint.given)
            elif ev == links.EV_ANSWER:
                truth = self.endpoints[1 - side].given
                if link.a != truth:
                    raise Broken(f"{NAME[side]} takes its shot for {link.a:02X}, the answer was {truth:02X}")
            elif ev == links.EV_OVER:
                endpoint.result = link.a
            elif ev == links.EV_MET or ev == links.EV_RESTART:
                endpoint.shots = endpoint.missed = endpoint.broke = endpoint.asked = 0
                endpoint.result = 255
                self._forget_claims()
            elif ev in (links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED):
                endpoint.broke = ev
                endpoint.asked = 1
                if ev == links.EV_BROKEN:
                    endpoint.claimed = link.b
            elif ev == links.EV_RESUMED:
                endpoint.broke = 0
            elif ev in (links.EV_PEER_TIMEOUT, links.EV_LEFT, links.EV_GOODBYE):
                endpoint.broke = ev
            elif ev == links.EV_IDLE and not endpoint.asked:
                raise Broken(f"{NAME[side]} went to state 0 without asking its person")

    @staticmethod
    def _waits(link: Link) -> bool:
        """Return whether the link may move, waits for something with a timeout, or has ended."""
        return bool(link.my_turn or link.busy or link.key_awaited or link.winner or link.v[codes.V_WANT2])

    def _forget_claims(self) -> None:
        for endpoint in self.endpoints:
            endpoint.claimed = 0

    # What must hold in every state.

    def check(self) -> None:
        """Raise Broken if this state is forbidden."""
        master, slave = self.endpoints[M].link, self.endpoints[S].link
        if self.faults == 0 or self.bounds.kinds == ("damage",):
            for side in (M, S):
                if self.endpoints[side].claimed:
                    raise Broken(
                        f"{NAME[side]} claims a violation on a clean line, reason {self.endpoints[side].claimed}"
                    )
        if self.faults == 0:
            for side in (M, S):
                if self.endpoints[side].link.hung:
                    raise Broken(f"{NAME[side]} has a timeout on a clean line")
                if (
                    self.endpoints[side].link.closed
                    and not self.lines[side]
                    and 0 < self.endpoints[1 - side].link.state < 8
                ):
                    raise Broken(f"{NAME[1 - side]} was not told on a clean line that the {NAME[side]} has left")
        if not self.lines[M] and not self.lines[S]:
            if master.mine and slave.mine:
                raise Broken("both sides may shoot")
            if master.state == slave.state == 4 and not any(self._waits(link) for link in (master, slave)):
                raise Broken("nobody can move: both wait for the other's shot")
        for mine, other in ((master, slave), (slave, master)):
            if mine.state == other.state == 4 and mine.its_losses > other.my_losses:
                raise Broken("a side counts a hit that was none")
        results = (self.endpoints[M].result, self.endpoints[S].result)
        if 255 not in results and links.NO_RESULT not in results and results[M] == results[S]:
            raise Broken("both sides name a different winner")
