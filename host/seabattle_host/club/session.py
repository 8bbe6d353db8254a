"""A connection to the club: greeted over the protocol, kept in sync while it waits, chatted with if it has chat.

The club takes the role opposite to the peer's (role_finder.py), and is its other end until it plays an opponent.
"""

from __future__ import annotations

from seabattle import link as links
from seabattle import wire
from seabattle.link import Link
from seabattle_host.club.closing_handshake import ClosingHandshake
from seabattle_host.club.computers import Computer
from seabattle_host.club.connection import Connection
from seabattle_host.club.endpoint import NOTHING
from seabattle_host.club.key_press import KeyPress
from seabattle_host.club.limits import ticks
from seabattle_host.club.line import Line
from seabattle_host.club.outbox import Outbox
from seabattle_host.club.relay import Relay
from seabattle_host.club.role_finder import ENDS, HEARD_TICKS, LISTEN_TICKS, LOST_TICKS, NUDGE_TICKS, RoleFinder
from seabattle_host.club.session_types import GONE, MET, PARTING, PLAYING, SEEKING, LocalPlayer, SessionOwner
from seabattle_host.club.store import Account
from seabattle_host.language import messages, text
from seabattle_host.player import salvo_lines

CLUB_NICK = b"CLUB"

_NICK_TICKS = 30  # wait for a nick
_SEAL = b"#seal "
_SALVO, _SALVO_ASKED = salvo_lines.plain_line(salvo_lines.OFFER), salvo_lines.plain_line(salvo_lines.ASKED).decode()


class Session(Connection):
    """line, number: of the connection.

    role: the peer's, NOBODY if unknown. computer: the club's own player, if that is the peer. local_player: a player
    inside this process. room: opponents share it; empty for the public one.
    """

    def __init__(
        self,
        owner: SessionOwner,
        line: Line,
        number: int,
        role: int = wire.NOBODY,
        computer: Computer | None = None,
        local_player: LocalPlayer | None = None,
        room: str = "",
    ):
        super().__init__(line, owner.limits, trusted=computer is not None)
        self.local_player = computer or local_player
        self.room = room
        self.number = number
        self.computer = computer
        self.role = role
        self.roles = RoleFinder()
        self.nick = b""
        self.account: Account | None = None
        self.link: Link | None = None  # the club's end, while it is not playing
        self.relay: Relay | None = None
        self.paired = False  # being handed over
        self.queued = True  # wants to play
        self.waited = 0  # ticks in the queue
        self.parameters = b""  # B2 as the master sent it
        self.seal = b""  # the seal of its field (docs/jury.md), for the opponent
        self.spoken = ""  # the language it has written in, if known
        self.last_status = ""  # the last text about the queue
        self.last_result = ""  # of its last game, until it is sent
        self.was_ready = False  # `ready` at the last look
        self._owner = owner
        self._reader = wire.Reader()
        self._sent = wire.Reader()
        self._sync_open = False
        self._since = 0
        self._quiet = 0
        self._key_press = KeyPress()
        self._outbox = Outbox()
        self._held = bytearray()  # bytes for the opponent that came before the two were joined
        self._farewell: ClosingHandshake | None = None
        self._closing = False
        if role:
            self._open(wire.BOTH ^ role)

    # Status.

    @property
    def name(self) -> str:
        """The nick to display, or the connection's name."""
        return self.account.display_name if self.account else self.line.name

    @property
    def at_rest(self) -> bool:
        """Whether nothing is outstanding between it and the club, and no frame incomplete."""
        link = self.link
        return (
            link is not None
            and not link.busy
            and not link.hung
            and not self._outbox
            and not link.reader.within
            # a reply to a sync that is held back for the opponent does no harm there
            and not (self._sync_open and not self._held)
        )

    @property
    def has_chat(self) -> bool:
        """Whether it has answered the probe."""
        return self.link is not None and self.link.chat == links.CHAT_YES

    @property
    def waits(self) -> bool:
        """Whether it is in the queue."""
        return self.phase == MET and self.account is not None and self.queued and not self.paired

    @property
    def ready(self) -> bool:
        """Whether it waits and can be handed over."""
        link = self.link
        if not self.waits or link is None or link.chat not in (links.CHAT_YES, links.CHAT_NO):
            return False
        if link.role == wire.MASTER:
            return link.state == 1
        return link.state in (2, 3) or (link.state == 1 and not link.agreed)

    # The line.

    def _take(self, data: bytes) -> None:
        i = 0
        while i < len(data) and self.phase != GONE:
            if self.relay is not None:
                i += self.relay.feed(self, data[i:])
                self._drop_if_noisy()
            elif self.paired and self._owner.is_led_up(self):
                self._held += data[i:]
                break
            else:
                self._hear(data[i])
                i += 1
        self.flush()

    def thaw(self) -> None:
        """Process the bytes held back, if they need not be any more."""
        if self._held and not (self.paired and self._owner.is_led_up(self)):
            data = bytes(self._held)
            self._held.clear()
            self._budget += len(data)
            self.receive(data)

    def lost(self, why: str) -> None:
        """Handle the loss of the line."""
        if self.phase == GONE:
            return
        super().lost(why)
        if self.line.lasting:
            self.phase = SEEKING
            self.link = None
            self.account = None

    def returned(self) -> None:
        """Start anew on a lasting line that is back: another player may be at it."""
        self._restart(wire.NOBODY)
        self.roles = RoleFinder()
        self.account = None
        self.nick = b""
        self._owner.on_change(self)

    def _ended(self, why: str) -> None:
        self.phase = GONE
        relay, self.relay = self.relay, None
        self.link = None
        if relay is not None:
            relay.lost(self)
        self._owner.on_gone(self, why)

    def flush(self) -> None:
        """Send what the club's end has queued."""
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

    def _hear(self, byte: int) -> None:
        """Process a byte that is meant for the club."""
        got = self._reader.feed(byte)
        if got == wire.NOISE:
            self.noise += 1
            self._drop_if_noisy()
            if self.phase == GONE:
                return
        if got == wire.FRAME:
            op = self._reader.op
            if self.phase == PARTING:
                self._quiet = 0
                if self._farewell is not None and self._farewell.is_answered_by(op):
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
                self._owner.on_change(self)

    # Greeting.

    def _open(self, role: int) -> None:
        """Start meeting the peer as `role`."""
        if self.line.lasting and self.link is None and not self.roles.seen:
            # It may be in the middle of an unknown game.
            self._write(bytes([wire.TIMED_OUT]))
        self.link = Link(role, self._owner.rng)
        self.link.nick(CLUB_NICK, len(CLUB_NICK))
        self._sent.reset()
        self._sync_open = False
        self._key_press = KeyPress()

    def _restart(self, role: int) -> None:
        """Start meeting the peer again, in its known role."""
        self.phase = SEEKING
        self.relay = None
        self.paired = False
        self._since = self._quiet = self.roles.probing = 0
        self.waited = 0
        self.parameters = self.seal = b""
        self._held.clear()
        self.last_status = ""
        self._outbox.clear()
        self._reader.reset()
        self._farewell = None
        self.role = role
        self.link = None
        if role:
            self._open(wire.BOTH ^ role)

    def _synced(self) -> None:
        """Handle a sync from a peer not met yet: a master, at least for now."""
        ours = self.link.role if self.link is not None else wire.NOBODY
        role = self.roles.synced(ours, self._since, self.line.lasting, lambda: self._owner.wants_slave(self))
        if role:
            self._open(role)

    @property
    def leaning(self) -> int:
        """The role that it has or is about to take; NOBODY while that is unknown, and while it plays."""
        if self.roles.to_slave:
            return wire.SLAVE
        if self.phase == MET:
            return self.role
        met_as_slave = self.link is not None and self.link.role == wire.SLAVE
        present = self._quiet < HEARD_TICKS
        return wire.MASTER if self.phase == SEEKING and met_as_slave and present else wire.NOBODY

    def turn(self) -> None:
        """Make a waiting auto master a slave."""
        self.roles.turning = True
        self._part(wire.GOODBYE, False)

    # Time.

    def tick(self) -> None:
        """Advance by one tick."""
        if self.phase == GONE:
            return
        self._since += 1
        self._quiet += 1
        self._forgive()
        if self.relay is not None:
            return
        self._reader.tick()
        if self.phase == PARTING:
            self._tick_parting()
        elif self.phase == SEEKING:
            self._tick_seeking()
        else:
            self._tick_met()
        self.flush()

    def _tick_seeking(self) -> None:
        self.roles.tick()
        if self.link is None:
            if self._since > LISTEN_TICKS:
                self._open(wire.MASTER)
        else:
            self.link.tick()
            self._events()
            if self.link is not None and self.link.role == wire.SLAVE and self._quiet > LOST_TICKS:
                self._open(wire.MASTER)
        if self._since % NUDGE_TICKS == 0:
            self._nudge()
        patience = self._limits.returning if self.roles.seen else self._limits.greeting
        if not self.line.lasting and self._since > ticks(patience):
            self.drop("does not speak the protocol" if not self.roles.seen else "does not come back")

    def _nudge(self) -> None:
        """Try to reset a peer that sends but does not meet: it may be in a game known only to itself."""
        link = self.link
        if link is None:
            return
        if link.hung:
            link.key()
        elif link.role == wire.SLAVE and self._quiet < HEARD_TICKS:
            self._write(bytes([wire.GOODBYE if self._since // NUDGE_TICKS % 2 else wire.TIMED_OUT]))

    def _tick_met(self) -> None:
        link = self.link
        assert link is not None
        link.tick()
        self._events()
        if self.phase != MET or self.link is None:
            return
        if self.account is None and self._since > _NICK_TICKS:
            self._owner.on_met(self)
        if self.account is not None and link.chat == links.CHAT_UNKNOWN and not link.busy:
            link.probe()
        if self._key_press.tick():
            link.key()
            self._events()
            return
        if not self.paired:
            if link.role == wire.MASTER and link.state > 1:
                # a slave that was led on for an opponent who has left
                link.restart()
            self.waited = self.waited + 1 if self.queued else 0
            if not self.line.lasting and self._since > ticks(self._limits.waiting):
                self.send_goodbye()
                return
        self._outbox.send(self.link)
        self._owner.on_change(self)
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
                    # a new nick is a new player: the board at the port may have been changed
                    self.nick = nick
                    self.account = None
                if self.account is None:
                    self._owner.on_met(self)
            elif code == links.EV_CHAT:
                self._read(bytes(link.text[: link.text_len]))
            elif code in (links.EV_PLACING, links.EV_RESTART):
                self.seal = b""
            elif code in (links.EV_CHAT_KNOWN, links.EV_CHAT_SENT, links.EV_CHAT_LOST):
                if link.chat == links.CHAT_NO:
                    self._outbox.clear()
                self._outbox.send(self.link)
            elif code == links.EV_TIMEOUT:
                self._key_press.timeout(peer_present=bool(link.a))
            elif code == links.EV_RESUMED:
                self._key_press.resumed()
            elif code == links.EV_BROKEN:
                self.offend()
                link.key()
            elif code == links.EV_ACCUSED:
                link.key()
            elif code == links.EV_IDLE and self.phase == MET:
                silent = self._key_press.silent
                self._leave_queue()
                if self.offences >= self._limits.offences:
                    self.drop("offences")
                elif silent:
                    self.drop("stalled")
            elif code in ENDS:
                self._leave_queue()
            elif code == links.EV_OVER and link.role == wire.MASTER:
                link.restart()

    def _meet(self, link: Link) -> None:
        self.phase = MET
        self.roles.met()
        self._since = 0
        self.role = wire.BOTH ^ link.role
        if self.account is not None:
            self._owner.on_met(self)

    def _leave_queue(self) -> None:
        self.flush()
        self._owner.on_left(self)
        self._restart(self.role)

    # Chat.

    def _read(self, part: bytes) -> None:
        """Read a chat text: for the club, unless programs use it to show each other their fields."""
        if not part.startswith(b"#"):
            self._owner.on_chat(self, text.decode(part))
        elif part.startswith(_SEAL) and len(part) <= wire.TEXT_MAX:
            self.seal = self.seal or part
        elif part == _SALVO and not self.paired:
            # the opponent is asked once there is one (docs/protocol.md, "A salvo over a line")
            self.send_text(_SALVO_ASKED)

    def send_text(self, words: str) -> None:
        """Send a text as soon as possible, if it has chat."""
        link = self.link
        if self.phase != MET or link is None or link.chat == links.CHAT_NO:
            return
        self._outbox.add(words)
        self._outbox.send(link)

    # Handing over, and back.

    def hand_over(self, relay: Relay) -> None:
        """Hand it over to a relay: from now on its bytes are for the opponent."""
        self.phase = PLAYING
        self.relay = relay
        self.paired = False
        self.link = None

    @property
    def language(self) -> str:
        """The language of the club's messages to it: the page's, or the one it has written in; else the club's own."""
        return str(getattr(self.local_player, "language", "")) or self.spoken or messages.language()

    def decks(self) -> list[int] | None:
        """Implement Endpoint."""
        return self.local_player.decks() if self.local_player is not None else None

    def pass_on(self, data: bytes) -> None:
        """Send bytes of the opponent."""
        if self.phase == PLAYING:
            self._write(data)

    def end_relay(self, word: int, cut: bool) -> None:
        """End the relay: send the last word, then greet the peer again."""
        if self.computer is not None:
            self.drop("over")
        elif self.phase == PLAYING:
            if self.offences >= self._limits.offences and not self.line.lasting:
                self._closing = True
            self._part(word, cut)

    def send_away(self) -> None:
        """Make it start over: the parameters it offered cannot be played."""
        self.offend()
        self._part(wire.GOODBYE, False)

    def send_goodbye(self) -> None:
        """Say goodbye and close."""
        self._closing = True
        if self.phase == SEEKING:
            self._parted()
        elif self.phase == GONE:
            return
        elif self.phase != PARTING:
            self._part(wire.GOODBYE, False)

    def _part(self, word: int, cut: bool) -> None:
        if self.phase == MET:
            self._owner.on_left(self)
        role = self.role
        self._restart(wire.NOBODY)
        self.role = role
        self.phase = PARTING
        if word == NOTHING:
            self._parted()
            return
        self._farewell = ClosingHandshake(word, cut)
        if now := self._farewell.due():
            self._write(now)

    def _tick_parting(self) -> None:
        if self._farewell is None or self._farewell.tick():
            self._parted()
        elif word := self._farewell.due():
            self._write(word)

    def _parted(self) -> None:
        if self._closing:
            self.line.close()
            self._ended("goodbye" if self.offences < self._limits.offences else "offences")
            return
        turning = self.roles.turning
        self._restart(wire.NOBODY if turning else self.role)
        if turning:
            # sync at once, as another master would
            self.roles.probing = 1
            self._open(wire.MASTER)
