"""Sessions in simulated time: two endpoints, a line between them, and nothing that waits.

Time is in whole microseconds. Each direction of the line carries one byte in 1.25 ms; each endpoint has its own clock
of 54.925 ms a tick, with a phase of its own. The simulation jumps from one event to the next: a tick of which nothing
comes costs no more than the link's own clock. The same endpoints and seeds give the same session, byte for byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from seabattle import bot as bots
from seabattle import link as links
from seabattle.bot import Bot
from seabattle.link_codes import V_EV_HEAD, V_EV_TAIL, V_OUT_HEAD, V_OUT_TAIL, V_OWED, V_STATE
from seabattle.player import Player

BYTE_US = 1250
"""Microseconds of one byte on the wire: 12 bits at 9600 baud."""

_TICK_DIVIDEND = 65536 * 10**6
_TICK_DIVISOR = 1193182

NEVER = 1 << 62

_BATTLE = 4
"""The state of a link in which most of a game's time passes."""


class Channel:
    """One direction of a line. A faulty one overrides `damage`."""

    __slots__ = ("_bytes", "_free", "_times", "next", "sent")

    def __init__(self) -> None:
        self.next = NEVER
        """When the next byte arrives, NEVER if none is under way."""
        self.sent = 0
        """Bytes that were put on the line."""
        self._free = 0
        self._times: deque[int] = deque()
        self._bytes: deque[int] = deque()

    def damage(self, byte: int) -> tuple[int, ...]:
        """What arrives for a byte sent: nothing, itself, another one, several. A sound line changes nothing."""
        return (byte,)

    def send(self, now: int, byte: int) -> None:
        """Put a byte on the line as soon as it is free."""
        self.sent += 1
        at = max(now, self._free) + BYTE_US
        self._free = at
        for arriving in self.damage(byte):
            self._times.append(at)
            self._bytes.append(arriving)
            if self.next == NEVER:
                self.next = at

    def take(self) -> int:
        """The byte that arrives at `next`."""
        self._times.popleft()
        self.next = self._times[0] if self._times else NEVER
        return self._bytes.popleft()


class Sound(Channel):
    """A line without faults, made for speed."""

    __slots__ = ()

    def send(self, now: int, byte: int) -> None:
        self.sent += 1
        if now > self._free:
            self._free = now
        self._free = at = self._free + BYTE_US
        self._times.append(at)
        self._bytes.append(byte)
        if self.next == NEVER:
            self.next = at


class Endpoint:
    """A player at one end of the line, played by a bot until its game is over.

    phase: microseconds until its first tick, 0..54925. rate: its clock against true time, 1.05 is 5 % fast.
    on_event: called with every event EV_* that the player has dealt with.
    """

    def __init__(
        self,
        player: Player,
        bot: Bot | None,
        phase: int = 0,
        rate: float = 1.0,
        on_event: Callable[[int], None] | None = None,
    ):
        self.player = player
        self.link = player.link
        self.bot = bot
        self.ticks = 0
        self.on_event = on_event
        self.result: int | None = None
        """What EV_OVER said of the game: WE_WON, WE_LOST or NO_RESULT of seabattle.link; None while it goes on."""
        self.how = 0
        """What else EV_OVER said: BY_SHOTS or BY_SURRENDER."""
        self.trouble: list[tuple[int, int, int]] = []
        """Timeouts and broken rules: event, `a`, `b`."""
        self.stuck = False
        self._phase = phase
        self._divisor = round(_TICK_DIVISOR * rate)
        # whoever acts in another way, or lets another bot think, may have something to do at any time
        self._is_plain = type(self).act is Endpoint.act and (bot is None or type(bot) is Bot)

    @property
    def due(self) -> int:
        """When the next tick is due."""
        return self._phase + self.ticks * _TICK_DIVIDEND // self._divisor

    def act(self) -> None:
        """Deal with what the link has to tell, and let the bot think until it has nothing to do."""
        poll = self.player.poll
        while code := poll():
            self._note(code)
        bot = self.bot
        if bot is None or self.result is not None or self.stuck:
            return
        while (step := bot.step()) == bots.BUSY:
            bot.think()
        self.stuck = step == bots.STUCK

    def rests(self) -> bool:
        """After a tick: whether nothing has come of it, so that act() would do nothing and there is nothing to send."""
        v = self.link.v
        return (
            self._is_plain
            and v[V_STATE] == _BATTLE
            and v[V_EV_HEAD] == v[V_EV_TAIL]
            and v[V_OUT_HEAD] == v[V_OUT_TAIL]
            and not v[V_OWED]
            and not self.link.mine
        )

    def _note(self, code: int) -> None:
        link = self.link
        if code == links.EV_OVER:
            self.result, self.how = link.a, link.b
        elif code in TROUBLE:
            self.trouble.append((code, link.a, link.b))
        if self.on_event is not None:
            self.on_event(code)


TROUBLE = frozenset((links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED, links.EV_PEER_TIMEOUT, links.EV_PEER_RESET))
"""Events that no session between sound players on a sound line has."""


class Listener(Protocol):
    """Somebody who hears the line, as a sniffer in its middle does."""

    def feed(self, side: int, byte: int) -> None:
        """A byte that endpoint `side` (0 or 1) has sent arrives at the other one."""

    def tick(self) -> None:
        """A tick of 54.925 ms has passed."""


class Simulation:
    """Two endpoints and the two directions of the line between them."""

    def __init__(
        self,
        endpoints: tuple[Endpoint, Endpoint],
        channels: tuple[Channel, Channel] | None = None,
        listener: Listener | None = None,
    ):
        """channels: from endpoint 0 and from endpoint 1; sound ones if not given."""
        self.endpoints = endpoints
        self.channels = channels or (Sound(), Sound())
        self.listener = listener
        self.now = 0
        """Microseconds since the beginning."""

    @property
    def over(self) -> bool:
        """Whether both endpoints know that their game is over."""
        return self.endpoints[0].result is not None and self.endpoints[1].result is not None

    def run(self, until: int, stop: Callable[[], bool] | None = None) -> bool:
        """Let time pass up to `until` microseconds, or until both games are over, or `stop()` is true after an event.

        Returns whether it stopped before `until`.
        """
        one, two = self.endpoints
        from_one, from_two = self.channels
        listener = self.listener
        tick_one, tick_two = one.due, two.due
        self._pass(one, from_one)
        self._pass(two, from_two)
        while True:
            # the earliest of four; at the same moment ticks go first, then endpoint 0
            if tick_one <= tick_two:
                now, what = tick_one, 0
            else:
                now, what = tick_two, 1
            if from_two.next < now:
                now, what = from_two.next, 2
            if from_one.next < now:
                now, what = from_one.next, 3
            if now > until:
                self.now = until
                return False
            self.now = now
            if what == 2:
                byte = from_two.take()
                if listener is not None:
                    listener.feed(1, byte)
                one.link.rx(byte)
                if one.link.reader.within:
                    continue
                self._pass(one, from_one)
            elif what == 3:
                byte = from_one.take()
                if listener is not None:
                    listener.feed(0, byte)
                two.link.rx(byte)
                if two.link.reader.within:
                    continue
                self._pass(two, from_two)
            elif what == 0:
                one.ticks += 1
                tick_one = one.due
                if listener is not None:
                    listener.tick()
                one.link.tick()
                if not one.rests():
                    self._pass(one, from_one)
            else:
                two.ticks += 1
                tick_two = two.due
                two.link.tick()
                if not two.rests():
                    self._pass(two, from_two)
            if one.result is not None and two.result is not None:
                return True
            if stop is not None and stop():
                return True

    def _pass(self, endpoint: Endpoint, out: Channel) -> None:
        """An endpoint's turn to act and to send."""
        endpoint.act()
        tx = endpoint.link.tx
        byte = tx()
        while byte >= 0:
            out.send(self.now, byte)
            byte = tx()
