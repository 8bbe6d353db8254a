"""Sessions in simulated time: two endpoints, a line between them, and no waiting.

Time is in whole microseconds. Each direction of the line carries one byte in 1.25 ms; each endpoint has its own clock
of 54.925 ms per tick, with its own phase. The simulation jumps from event to event: a tick without effect costs no more
than the link's own clock. The same endpoints and seeds give the same session, byte for byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from seabattle import bot as bots
from seabattle import link as links
from seabattle.bot import Bot
from seabattle.link_codes import (
    V_EV_HEAD,
    V_EV_TAIL,
    V_OUT_HEAD,
    V_OUT_TAIL,
    V_OWED,
    V_ROLE,
    V_STATE,
    V_TURN,
    V_WANT,
    W_WON,
)
from seabattle.player import Player

BYTE_US = 1250
"""Microseconds per byte on the wire: 12 bits at 9600 baud."""

_TICK_DIVIDEND = 65536 * 10**6
_TICK_DIVISOR = 1193182

NEVER = 1 << 62

_BATTLE = 4
"""The link state in which a game spends most of its time."""


class Channel:
    """One direction of a line. To simulate faults override `damage`, or `send`."""

    __slots__ = ("_free", "arriving", "next", "sent", "times")

    def __init__(self) -> None:
        self.next = NEVER
        """When the next byte arrives, NEVER if none is under way."""
        self.sent = 0
        """Bytes put on the line."""
        self.times: deque[int] = deque()
        """Arrival times of the bytes under way,"""
        self.arriving: deque[int] = deque()
        """and those bytes."""
        self._free = 0

    def damage(self, byte: int) -> tuple[int, ...]:
        """Return what arrives for a byte sent: nothing, the byte, another one, several.

        A sound line changes nothing.
        """
        return (byte,)

    def send(self, now: int, byte: int) -> None:
        """Put a byte on the line as soon as it is free."""
        self.sent += 1
        at = max(now, self._free) + BYTE_US
        self._free = at
        for arriving in self.damage(byte):
            self.times.append(at)
            self.arriving.append(arriving)
            if self.next == NEVER:
                self.next = at

    def carry(self, now: int, data: bytes | bytearray) -> None:
        """Put bytes on the line, one after another."""
        for byte in data:
            self.send(now, byte)

    def take(self) -> int:
        """Return the byte that arrives at `next`."""
        times = self.times
        times.popleft()
        self.next = times[0] if times else NEVER
        return self.arriving.popleft()


class Sound(Channel):
    """A line without faults, optimised for speed."""

    __slots__ = ()

    def carry(self, now: int, data: bytes | bytearray) -> None:
        at = self._free
        if now > at:
            at = now
        if self.next == NEVER:
            self.next = at + BYTE_US
        times = self.times
        for _ in data:
            at += BYTE_US
            times.append(at)
        self.arriving.extend(data)
        self.sent += len(data)
        self._free = at


class HastyBot(Bot):
    """A bot that thinks without interruption. It shoots at the same cells."""

    def step(self) -> int:
        link = self.player.link
        if link.mine and not self.games and self.seen == link.games and not link.pending:
            self.player.shoot(self.gunner.aim())
            return bots.IDLE
        return super().step()


class Endpoint:
    """A player at one end of the line, driven by a bot until its game is over.

    phase: microseconds until its first tick, 0..54925. rate: its clock relative to true time, 1.05 is 5 % fast.
    on_event: called with every event EV_* after the player has handled it.
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
        """The result in EV_OVER: WE_WON, WE_LOST or NO_RESULT of seabattle.link; None during the game."""
        self.how = 0
        """How the game ended, from EV_OVER: BY_SHOTS or BY_SURRENDER."""
        self.trouble: list[tuple[int, int, int]] = []
        """Timeouts and protocol violations: event, `a`, `b`."""
        self.stuck = False
        self._phase = phase
        self._divisor = round(_TICK_DIVISOR * rate)
        # with an overridden act, or another kind of bot, there may be work to do at any time
        self._is_plain = type(self).act is Endpoint.act and (bot is None or type(bot) in (Bot, HastyBot))

    @property
    def due(self) -> int:
        """Return when the next tick is due."""
        return self._phase + self.ticks * _TICK_DIVIDEND // self._divisor

    def act(self) -> None:
        """Handle the link's events, and let the bot think until it has nothing to do."""
        v = self.link.v
        is_plain = self._is_plain
        poll = self.player.poll
        while not is_plain or v[V_EV_HEAD] != v[V_EV_TAIL] or v[V_OWED] or v[V_WANT] & W_WON:
            code = poll()
            if not code:
                break
            self._note(code)
        bot = self.bot
        if bot is None or self.result is not None or self.stuck:
            return
        if is_plain and v[V_STATE] == _BATTLE and v[V_TURN] != v[V_ROLE]:
            return
        while (step := bot.step()) == bots.BUSY:
            bot.think()
        self.stuck = step == bots.STUCK

    def rests(self) -> bool:
        """Return whether the last tick changed nothing: act() would be a no-op and there is nothing to send."""
        v = self.link.v
        return (
            self._is_plain
            and v[V_STATE] == _BATTLE
            and v[V_EV_HEAD] == v[V_EV_TAIL]
            and v[V_OUT_HEAD] == v[V_OUT_TAIL]
            and not v[V_OWED]
            and not (v[V_TURN] == v[V_ROLE] and self.link.mine)
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
"""Events that never occur between sound players on a sound line."""


class Listener(Protocol):
    """A tap on the line, such as a sniffer."""

    def feed(self, side: int, byte: int) -> None:
        """Receive a byte sent by endpoint `side` (0 or 1), when it arrives at the other one."""

    def tick(self) -> None:
        """Advance by one tick of 54.925 ms."""


class Simulation:
    """Two endpoints and the two directions of the line between them."""

    def __init__(
        self,
        endpoints: tuple[Endpoint, Endpoint],
        channels: tuple[Channel, Channel] | None = None,
        listener: Listener | None = None,
    ):
        """channels: from endpoint 0 and from endpoint 1; sound ones by default."""
        self.endpoints = endpoints
        self.channels = channels or (Sound(), Sound())
        self.listener = listener
        self.now = 0
        """Microseconds since the beginning."""

    @property
    def over(self) -> bool:
        """Return whether both endpoints know that their game is over."""
        return self.endpoints[0].result is not None and self.endpoints[1].result is not None

    def run(self, until: int, stop: Callable[[], bool] | None = None) -> bool:
        """Run until `until`, until both games are over, or until `stop()` is true after an event.

        until: in microseconds.

        Returns whether it stopped before `until`.
        """
        endpoints = one, two = self.endpoints
        from_one, from_two = self.channels
        rx = self._rx(0), self._rx(1)
        due_one, due_two = one.due, two.due
        self._pass(0)
        self._pass(1)
        while True:
            # the earliest of four; at equal times ticks come first, then endpoint 0
            due = due_one if due_one <= due_two else due_two
            at_one = from_two.next
            at_two = from_one.next
            if at_one < due or at_two < due:
                # a frame, or as much of it as arrives before anything else happens
                if at_one <= at_two:
                    side, line, at, other = 0, from_two, at_one, at_two + 1
                else:
                    side, line, at, other = 1, from_one, at_two, at_one
                if at > until:
                    self.now = until
                    return False
                limit = min(due, other, until + 1)
                give = rx[side]
                reader = endpoints[side].link.reader
                times = line.times
                arriving = line.arriving
                while at < limit:
                    self.now = at
                    times.popleft()
                    line.next = at = times[0] if times else NEVER
                    give(arriving.popleft())
                    if not reader.within:
                        break
                else:
                    continue
                self._pass(side)
            else:
                if due > until:
                    self.now = until
                    return False
                self.now = due
                side = 0 if due_one <= due_two else 1
                endpoint = endpoints[side]
                endpoint.ticks += 1
                if side:
                    due_two = two.due
                else:
                    due_one = one.due
                    if self.listener is not None:
                        self.listener.tick()
                endpoint.link.tick()
                if not endpoint.rests():
                    self._pass(side)
            if one.result is not None and two.result is not None:
                return True
            if stop is not None and stop():
                return True

    def _rx(self, side: int) -> Callable[[int], None]:
        """Return the function to call with a byte that arrives at an endpoint."""
        rx = self.endpoints[side].link.rx
        listener = self.listener
        if listener is None:
            return rx

        def hear(byte: int) -> None:
            listener.feed(1 - side, byte)
            rx(byte)

        return hear

    def _pass(self, side: int) -> None:
        """Let an endpoint act and send."""
        endpoint = self.endpoints[side]
        endpoint.act()
        link = endpoint.link
        v = link.v
        tail = v[V_OUT_TAIL]
        head = v[V_OUT_HEAD]
        if head != tail:
            # what tx() would return byte by byte
            out = link.out
            v[V_OUT_TAIL] = head
            self.channels[side].carry(self.now, out[tail:head] if tail < head else out[tail:] + out[:head])
