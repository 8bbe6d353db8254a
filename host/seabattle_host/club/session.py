"""One connection: greeted by the protocol itself, kept in sync while it waits, talked to where there is chat.

The club takes the role opposite to the visitor's. It listens first, longer than a program that looks for its role
listens: who syncs is a master, and is answered as a slave answers; who is silent is synced, and is a slave if it
answers. Where masters wait and no slave does, a master that has not been met yet is synced as by another master: a
program that takes either role gives way and becomes a slave (D14), another one does not notice.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from seabattle import link as links
from seabattle import wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.club.computers import Computer
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.line import Line
from seabattle_host.club.party import NOTHING
from seabattle_host.club.relay import Relay
from seabattle_host.club.store import Member
from seabattle_host.language import text

SEEKING = "seeking"
"""Not met yet: state 0."""
HERE = "here"
"""Met: in the queue, or being handed over to an opponent."""
PLAYING = "playing"
"""Joined to an opponent."""
PARTING = "parting"
"""The club has said goodbye, or that the rules were broken, and the reply is awaited."""
GONE = "gone"

CLUB_NICK = b"CLUB"

LISTEN_TICKS = 72
"""A program that looks for its role listens for 50 at most, and may begin with that a second after it has connected."""
_AUTO_TICKS = 22
"""A master syncs at once; one whose first sync comes so late has listened first, so it takes either role."""
_YIELD_TICKS = 55
"""Who gives way does so at the first sync, listens for 40 ticks at most, and answers the next."""
_LOST_TICKS = 120
"""A known master that sends no sync for so long is looked for anew."""
_NEWS_TICKS = 30
"""Who was heard within these is about to be met."""
_NUDGE_TICKS = 182
"""So long it may take to meet who is heard."""
_NICK_TICKS = 30
"""So long a nick is waited for."""
_KEY_TICKS = 60
"""Between an error and the key that the club presses by itself: a late reply may still come."""
_SLOW_TICKS = 300
"""The same for a peer that is heard but does not reply: some programs of 2010 take their time."""
_TEXTS_MOST = 12
_SEAL = b"#seal "


class Ticking(Protocol):
    """A player inside this process."""

    def tick(self) -> None:
        """One tick has passed."""


class Club(Protocol):
    """What a visitor needs of the club."""

    limits: Limits
    rng: Rng

    def wants_slave(self, visitor: Visitor) -> bool:
        """Whether masters wait who would have nobody to play with if this one became a master, too."""

    def met(self, visitor: Visitor) -> None:
        """Its nick has come, or will not."""

    def left(self, visitor: Visitor) -> None:
        """It is not in the queue any more."""

    def said(self, visitor: Visitor, words: str) -> None:
        """It has written to the club."""

    def moved(self, visitor: Visitor) -> None:
        """Something has changed between it and the club."""

    def gone(self, visitor: Visitor, why: str) -> None:
        """The connection is over."""

    def there(self, visitor: Visitor) -> bool:
        """Whether it is a slave that has been led to where its master is: what it sends now is for the master."""


class Visitor:
    """line: its connection. number: of the connection. role: the role that it is known to have, else NOBODY.

    computer: the club's own player at the other end, if that is who it is. seat: a player inside this process, whose
    time passes with the club's. room: only who is in the same one is an opponent; empty for the open room.
    """

    def __init__(
        self,
        club: Club,
        line: Line,
        number: int,
        role: int = wire.NOBODY,
        computer: Computer | None = None,
        seat: Ticking | None = None,
        room: str = "",
    ):
        self.line = line
        self.seat = computer or seat
        self.room = room
        self.number = number
        self.computer = computer
        self.phase = SEEKING
        self.role = role
        self.either = False
        """It is known to take either role."""
        self.fixed = False
        """It is known not to give way to another master."""
        self.nick = b""
        self.member: Member | None = None
        self.link: Link | None = None
        """The club's end, while it is not playing."""
        self.relay: Relay | None = None
        self.paired = False
        """It is being handed over."""
        self.queued = True
        """It wants to play."""
        self.waited = 0
        """Ticks in the queue."""
        self.parameters = b""
        """B2 as a master has sent it."""
        self.seal = b""
        """The line by which it has fixed its field (docs/jury.md), meant for its opponent."""
        self.offences = 0
        self.noise = 0
        self.told = ""
        """What it was told last about the queue."""
        self.news = ""
        """What its last game came to, until it has been told."""
        self.was_ready = False
        """What `ready` was when the club looked last."""
        self._club = club
        self._limits = club.limits
        self._budget = float(self._limits.burst)
        self._reader = wire.Reader()
        self._sent = wire.Reader()
        self._sync_open = False
        self._since = 0
        self._quiet = 0
        self._probing = 0
        self._seen = False
        """It has spoken the protocol before."""
        self._key_at = 0
        self._silent = False
        """It is not heard at all."""
        self._texts: deque[bytes] = deque()
        self._held = bytearray()
        """What it has sent for its opponent before the two were joined."""
        self._word = NOTHING
        self._word_at = 0
        self._turning = False
        self._closing = False
        if role:
            self._open(wire.BOTH ^ role)
        line.hear = self.receive
        line.gone = self.lost
        line.back = self.returned

    # How it stands.

    @property
    def name(self) -> str:
        """The nick as people are shown it, or the connection's name."""
        return self.member.shown if self.member else self.line.name

    @property
    def address(self) -> str:
        """Where it comes from, for limits; empty for a serial port and for a computer."""
        return self.line.address

    @property
    def at_rest(self) -> bool:
        """Nothing is outstanding between it and the club, and nothing half said."""
        link = self.link
        return (
            link is not None
            and not link.busy
            and not link.hung
            and not self._texts
            and not link.reader.within
            # the answer to a sync that is held back for the opponent does no harm there
            and not (self._sync_open and not self._held)
        )

    @property
    def has_chat(self) -> bool:
        """It has answered the probe."""
        return self.link is not None and self.link.chat == links.CHAT_YES

    @property
    def waits(self) -> bool:
        """It is in the queue."""
        return self.phase == HERE and self.member is not None and self.queued and not self.paired

    @property
    def ready(self) -> bool:
        """It waits, and can be handed over."""
        link = self.link
        if not self.waits or link is None or link.chat not in (links.CHAT_YES, links.CHAT_NO):
            return False
        if link.role == wire.MASTER:
            return link.state == 1
        return link.state in (2, 3) or (link.state == 1 and not link.agreed)

    # The line.

    def receive(self, data: bytes) -> None:
        """Bytes from the peer."""
        if self.phase == GONE:
            return
        self._budget -= len(data)
        if self._budget < 0 and self.computer is None:
            self.drop("flood")
            return
        i = 0
        while i < len(data) and self.phase != GONE:
            if self.relay is not None:
                i += self.relay.feed(self, data[i:])
                self._flood_of_noise()
            elif self.paired and self._club.there(self):
                self._held += data[i:]
                break
            else:
                self._hear(data[i])
                i += 1
        self.flush()

    def thaw(self) -> None:
        """Take up what was held back, if it need not be any more."""
        if self._held and not (self.paired and self._club.there(self)):
            data = bytes(self._held)
            self._held.clear()
            self._budget += len(data)
            self.receive(data)

    def lost(self, why: str) -> None:
        """The line is gone."""
        if self.phase != GONE:
            self._away(why or "hung up")
            if self.line.lasting:
                self.phase = SEEKING
                self.link = None
                self.member = None

    def returned(self) -> None:
        """A lasting line is back: somebody else may be at it."""
        self._restart(wire.NOBODY)
        self.either = self.fixed = self._seen = False
        self.member = None
        self.nick = b""
        self._club.moved(self)

    def drop(self, why: str) -> None:
        """End the connection; a lasting line only begins anew."""
        if self.phase == GONE:
            return
        if self.line.lasting:
            self._away(why)
            self.returned()
            self._budget = float(self._limits.burst)
            self.noise = 0
            return
        self.line.close()
        self._away(why)

    def _away(self, why: str) -> None:
        self.phase = GONE
        relay, self.relay = self.relay, None
        self.link = None
        if relay is not None:
            relay.lost(self)
        self._club.gone(self, why)

    def flush(self) -> None:
        """Send what the club's end has to say."""
        link = self.link
        if link is None or self.phase == GONE:
            return
        out = bytearray()
        while (byte := link.tx()) >= 0:
            out.append(byte)
            if self._sent.feed(byte) == wire.FRAME and self._sent.op == wire.SYNC:
                self._sync_open = True
        if out:
            self._write(out)

    def _write(self, data: bytes | bytearray) -> None:
        if self.line.unsent + len(data) > self._limits.unsent:
            self.drop("does not read")
        else:
            self.line.send(bytes(data))

    def _hear(self, byte: int) -> None:
        """A byte that is meant for the club."""
        got = self._reader.feed(byte)
        if got == wire.NOISE:
            self.noise += 1
            self._flood_of_noise()
            if self.phase == GONE:
                return
        if got == wire.FRAME:
            op = self._reader.op
            if self.phase == PARTING:
                self._quiet = 0
                if self._word and not self._word_at and op == wire.exchange(self._word)[wire.REPLY]:
                    self._parted()
                return
            if op == wire.SYNCED:
                self._sync_open = False
            elif op == wire.SYNC:
                self._quiet = 0
                if self.phase == SEEKING:
                    self._synced()
            elif op == wire.PARAMS:
                self.parameters = bytes(self._reader.data[: self._reader.size])
        if self.link is not None:
            self.link.rx(byte)
            self._events()
            if self.paired:
                self.flush()
                self._club.moved(self)

    def _flood_of_noise(self) -> None:
        if self.noise > self._limits.noise:
            self.drop("rubbish")

    # Greeting.

    def _open(self, role: int) -> None:
        """Meet the peer as `role`."""
        if self.line.lasting and self.link is None and not self._seen:
            # It may be in the middle of a game that nobody knows of any more.
            self._write(bytes([wire.TIMED_OUT]))
        self.link = Link(role, self._club.rng)
        self.link.nick(CLUB_NICK, len(CLUB_NICK))
        self._sent.reset()
        self._sync_open = self._silent = False
        self._key_at = 0

    def _restart(self, role: int) -> None:
        """Look for the peer anew, in the role that it is known to have."""
        self.phase = SEEKING
        self.relay = None
        self.paired = False
        self._since = self._quiet = self._probing = 0
        self.waited = 0
        self.parameters = self.seal = b""
        self._held.clear()
        self.told = ""
        self._texts.clear()
        self._reader.reset()
        self._word = NOTHING
        self.role = role
        self.link = None
        if role:
            self._open(wire.BOTH ^ role)

    def _synced(self) -> None:
        """A sync from a peer that is not met yet: a master, at least for now."""
        link = self.link
        if link is not None and link.role == wire.SLAVE:
            return
        if link is None and self._since >= _AUTO_TICKS and not self._seen and not self.line.lasting:
            self.either = True
        if self.fixed or not (self._turning or self._club.wants_slave(self)):
            self._open(wire.SLAVE)
        elif not self._probing:
            self._probing = 1
            if link is None:
                self._open(wire.MASTER)
        elif self._probing > _YIELD_TICKS:
            self.fixed = True
            self._turning = self.either = False
            self._probing = 0
            self._open(wire.SLAVE)

    @property
    def leaning(self) -> int:
        """The role that it has or is about to take; NOBODY while that cannot be said, and while it plays."""
        if self._probing or self._turning:
            return wire.SLAVE
        if self.phase == HERE:
            return self.role
        if (
            self.phase == SEEKING
            and self.link is not None
            and self.link.role == wire.SLAVE
            and self._quiet < _NEWS_TICKS
        ):
            return wire.MASTER
        return wire.NOBODY

    @property
    def turning(self) -> bool:
        """It has been told to become a slave."""
        return self._turning

    def turn(self) -> None:
        """A waiting master that takes either role is to become a slave."""
        self._turning = True
        self._part(wire.GOODBYE, False)

    # Time.

    def tick(self) -> None:
        """One tick has passed."""
        if self.phase == GONE:
            return
        self._since += 1
        self._quiet += 1
        self.noise = max(0, self.noise - 2)
        self._budget = min(float(self._limits.burst), self._budget + self._limits.pace * _TICK)
        if self.relay is not None:
            return
        self._reader.tick()
        if self.phase == PARTING:
            self._tick_parting()
        elif self.phase == SEEKING:
            self._tick_seeking()
        else:
            self._tick_here()
        self.flush()

    def _tick_seeking(self) -> None:
        if self._probing:
            self._probing += 1
        if self.link is None:
            if self._since > LISTEN_TICKS:
                self._open(wire.MASTER)
        else:
            self.link.tick()
            self._events()
            if self.link is not None and self.link.role == wire.SLAVE and self._quiet > _LOST_TICKS:
                self._open(wire.MASTER)
        if self._since % _NUDGE_TICKS == 0:
            self._nudge()
        patience = self._limits.returning if self._seen else self._limits.greeting
        if not self.line.lasting and self._since > ticks(patience):
            self.drop("does not speak the protocol" if not self._seen else "does not come back")

    def _nudge(self) -> None:
        """It is heard, and yet it does not meet: it may be in the middle of a game that only it knows of."""
        link = self.link
        if link is None:
            return
        if link.hung:
            link.key()
        elif link.role == wire.SLAVE and self._quiet < _NEWS_TICKS:
            self._write(bytes([wire.GOODBYE if self._since // _NUDGE_TICKS % 2 else wire.TIMED_OUT]))

    def _tick_here(self) -> None:
        link = self.link
        assert link is not None
        link.tick()
        self._events()
        if self.phase != HERE or self.link is None:
            return
        if self.member is None and self._since > _NICK_TICKS:
            self._club.met(self)
        if self.member is not None and link.chat == links.CHAT_UNKNOWN and not link.busy:
            link.probe()
        if self._key_at and self._since >= self._key_at:
            self._key_at = 0
            link.key()
            self._events()
            return
        if not self.paired:
            if link.role == wire.MASTER and link.state > 1:
                # a slave that was led on for an opponent who has left
                link.restart()
            self.waited = self.waited + 1 if self.queued else 0
            if not self.line.lasting and self._since > ticks(self._limits.waiting):
                self.say_goodbye()
                return
        self._say_next()
        self._club.moved(self)
        self.thaw()

    # Events of the club's end.

    def _events(self) -> None:
        while self.link is not None and (code := self.link.event()):
            link = self.link
            if code == links.EV_MET:
                self._meet(link)
            elif code == links.EV_NICK:
                nick = bytes(link.peer_nick[: link.peer_nick_len])
                if nick != self.nick:
                    # another name is another player: a board may have been changed at the same port
                    self.nick = nick
                    self.member = None
                if self.member is None:
                    self._club.met(self)
            elif code == links.EV_CHAT:
                self._read(bytes(link.text[: link.text_len]))
            elif code in (links.EV_PLACING, links.EV_RESTART):
                self.seal = b""
            elif code in (links.EV_CHAT_KNOWN, links.EV_CHAT_SENT, links.EV_CHAT_LOST):
                if link.chat == links.CHAT_NO:
                    self._texts.clear()
                self._say_next()
            elif code == links.EV_TIMEOUT:
                self._silent = not link.a
                self._key_at = self._since + (_KEY_TICKS if self._silent else _SLOW_TICKS)
            elif code == links.EV_RESUMED:
                self._key_at = 0
                self._silent = False
            elif code == links.EV_BROKEN:
                self.offend()
                link.key()
            elif code == links.EV_ACCUSED:
                link.key()
            elif code == links.EV_IDLE and self.phase == HERE:
                silent = self._silent
                self._leave_queue()
                if self.offences >= self._limits.offences:
                    self.drop("offences")
                elif silent:
                    self.drop("stalled")
            elif code in _ENDS:
                self._leave_queue()
            elif code == links.EV_OVER and link.role == wire.MASTER:
                link.restart()

    def _meet(self, link: Link) -> None:
        self.phase = HERE
        if self._probing or self._turning:
            self.either = True
        self._turning = False
        self._probing = 0
        self._seen = True
        self._since = 0
        self.role = wire.BOTH ^ link.role
        if self.member is not None:
            self._club.met(self)

    def _leave_queue(self) -> None:
        self.flush()
        self._club.left(self)
        self._restart(self.role)

    # Chat.

    def _read(self, said: bytes) -> None:
        """A text: for the club, unless it is one of those by which programs show each other their fields."""
        if not said.startswith(b"#"):
            self._club.said(self, text.decode(said))
        elif said.startswith(_SEAL) and len(said) <= wire.TEXT_MAX:
            self.seal = self.seal or said

    def say(self, words: str) -> None:
        """Tell it something, if it has chat; it is sent as soon as it may be."""
        link = self.link
        if self.phase != HERE or link is None or link.chat == links.CHAT_NO:
            return
        for part in text.encode_chat(words):
            if len(self._texts) < _TEXTS_MOST:
                self._texts.append(part)
        self._say_next()

    def _say_next(self) -> None:
        link = self.link
        if not self._texts or link is None or link.busy or link.chat != links.CHAT_YES:
            return
        part = self._texts[0]
        if link.say(part, len(part)) == links.DONE:
            self._texts.popleft()

    # Handed over, and back again.

    def hand_over(self, relay: Relay) -> None:
        """From now on what it sends is for its opponent."""
        self.phase = PLAYING
        self.relay = relay
        self.paired = False
        self.link = None

    def pass_on(self, data: bytes) -> None:
        """Bytes that its opponent has sent."""
        if self.phase == PLAYING:
            self._write(data)

    def offend(self) -> None:
        """It broke the protocol."""
        self.offences += 1

    def let_go(self, word: int, cut: bool) -> None:
        """The relay is over: say the parting word, then greet it again."""
        if self.computer is not None:
            self.drop("over")
        elif self.phase == PLAYING:
            if self.offences >= self._limits.offences and not self.line.lasting:
                self._closing = True
            self._part(word, cut)

    def send_away(self) -> None:
        """What it has offered cannot be played: it has to begin anew."""
        self.offend()
        self._part(wire.GOODBYE, False)

    def say_goodbye(self) -> None:
        """The club wants it to leave for good."""
        self._closing = True
        if self.phase == SEEKING:
            self._parted()
        elif self.phase == GONE:
            return
        elif self.phase != PARTING:
            self._part(wire.GOODBYE, False)

    def _part(self, word: int, cut: bool) -> None:
        if self.phase == HERE:
            self._club.left(self)
        role = self.role
        self._restart(wire.NOBODY)
        self.role = role
        self.phase = PARTING
        if word == NOTHING:
            self._parted()
            return
        self._word = word
        # A frame that will stay unfinished has to be given up by the peer first, or it would swallow the word.
        self._word_at = wire.GAP_TICKS + 3 if cut else 0
        if not cut:
            self._write(bytes([word]))

    def _tick_parting(self) -> None:
        if self._word_at:
            self._word_at -= 1
            if not self._word_at:
                self._write(bytes([self._word]))
                self._since = 0
        elif self._since > wire.REPLY_TICKS:
            self._parted()

    def _parted(self) -> None:
        if self._closing:
            self.line.close()
            self._away("goodbye" if self.offences < self._limits.offences else "offences")
            return
        turning = self._turning
        self._restart(wire.NOBODY if turning else self.role)
        if turning:
            # synced at once, as by another master
            self._probing = 1
            self._open(wire.MASTER)


_TICK = 65536 / 1193182

_ENDS = (
    links.EV_GOODBYE,
    links.EV_LEFT,
    links.EV_IDLE,
    links.EV_PEER_TIMEOUT,
    links.EV_PEER_RESET,
)
