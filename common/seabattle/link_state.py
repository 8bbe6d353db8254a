"""The state of a link, its public properties, and its queues of bytes and events."""

from . import wire
from .const import TYPE_CHECKING
from .link_codes import (
    BROKEN_OFF,
    EV_SHOT,
    EVENT_ANSWER,
    EVENT_BYTES,
    EVENT_CELL,
    EVENT_EARLIER,
    EVENT_EARLIER_ANSWER,
    EVENT_ROLE,
    EVENT_ROOM,
    NICK_SHOWN,
    V_AGE,
    V_BUSY,
    V_CHAT,
    V_CLOSED,
    V_DECKS,
    V_EV_HEAD,
    V_EV_TAIL,
    V_GUARD,
    V_HUNG,
    V_ITS_LOSS,
    V_MY_LOSS,
    V_N1,
    V_OUT_HEAD,
    V_OUT_TAIL,
    V_OWED,
    V_QUIET,
    V_ROLE,
    V_SIZE,
    V_STATE,
    V_TOP,
    V_TURN,
    V_VALID,
    V_WANT,
    V_WINNER,
    W_SHOT,
    W_SURRENDER,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rng import Rng


class LinkState:
    """The part of Link that holds its state. rng: see Link."""

    def __init__(self, rng: "Rng") -> None:
        self.rng = rng
        self.reader = wire.Reader()
        self.v = bytearray(V_TOP)
        self.out = bytearray(256)
        self.queue = bytearray(EVENT_ROOM)
        self.a = 0
        self.b = 0
        self.details = bytearray(EVENT_BYTES)
        self.games = 0  # finished battles, modulo 256; open() does not reset it
        self.peer_nick = bytearray(NICK_SHOWN)
        self.peer_nick_len = 0
        self.text = bytearray(256)
        self.text_len = 0
        # Sends a byte at once: for an owner whose replies must not wait for the next tx().
        self.urgent: Callable[[int], object] | None = None
        # Calls answer() for the shot in `asked`, and nothing more: for the same owner.
        self.judge: Callable[[], object] | None = None
        self.tagged = False  # send the ship counts of B2 tagged with the deck number
        self._nick = bytearray(wire.NICK_MAX)
        self._nick_len = 0
        self._chat_text = bytearray(wire.TEXT_MAX)
        self._chat_size = 0
        # Diagnostic counters, since open().
        self.noise = 0  # bytes that begin no frame
        self.dropped = 0  # frames not finished within 4 ticks
        self.damaged = 0  # bytes marked by the receiver, each dropped with its frame
        self.strays = 0  # unexpected replies, and commands ignored in state 0
        self.repeats = 0  # commands received twice and answered twice
        self.deviations = 0  # tolerated deviations of real programs

    # Public properties

    @property
    def state(self) -> int:
        """0..4, 9, or BROKEN_OFF (8) while a key is awaited after an A8."""
        return self.v[V_STATE]

    @property
    def role(self) -> int:
        """wire.MASTER or wire.SLAVE; wire.NOBODY while an AUTO is still listening."""
        return self.v[V_ROLE]

    @property
    def mine(self) -> bool:
        """True if shoot() may be called now."""
        v = self.v
        return (
            v[V_STATE] == 4
            and v[V_TURN] == v[V_ROLE]
            and not v[V_WINNER]
            and v[V_BUSY] != wire.SHOT
            and not v[V_WANT] & (W_SHOT | W_SURRENDER)
            and not v[V_HUNG]
        )

    @property
    def my_turn(self) -> bool:
        """True in battle while the turn is ours, including while our shot is under way."""
        v = self.v
        return v[V_STATE] == 4 and v[V_TURN] == v[V_ROLE]

    @property
    def hung(self) -> bool:
        """True after EV_TIMEOUT, until the key or EV_RESUMED."""
        return self.v[V_HUNG] != 0

    @property
    def key_awaited(self) -> bool:
        """True while only key() (or, after a timeout, the missing frame) lets the session go on."""
        return self.v[V_HUNG] != 0 or self.v[V_STATE] == BROKEN_OFF

    @property
    def busy(self) -> int:
        """The opcode of our command that awaits its reply, or 0."""
        return self.v[V_BUSY]

    @property
    def waited(self) -> int:
        """Ticks since that command was sent; stops at 255."""
        return self.v[V_AGE]

    @property
    def quiet(self) -> int:
        """Ticks since the last whole frame was received; stops at 255."""
        return self.v[V_QUIET]

    @property
    def chat(self) -> int:
        """CHAT_UNKNOWN, CHAT_PROBING, CHAT_YES or CHAT_NO."""
        return self.v[V_CHAT]

    @property
    def agreed(self) -> bool:
        """True once valid parameters are agreed."""
        return self.v[V_VALID] != 0

    @property
    def size(self) -> int:
        """Cells per side, 6..10; 0 before the parameters are known."""
        return self.v[V_SIZE]

    def ships(self, decks: int) -> int:
        """Return how many ships of 1..4 decks each side has."""
        return self.v[V_N1 + 1 - decks]

    @property
    def decks(self) -> int:
        """Decks of one side's whole fleet."""
        return self.v[V_DECKS]

    @property
    def my_losses(self) -> int:
        """My hit decks."""
        return self.v[V_MY_LOSS]

    @property
    def its_losses(self) -> int:
        """The peer's hit decks."""
        return self.v[V_ITS_LOSS]

    @property
    def winner(self) -> int:
        """The role that has hit every deck of the other, or wire.NOBODY."""
        return self.v[V_WINNER]

    @property
    def wants_calm(self) -> bool:
        """True while calm() would let something proceed."""
        return self.v[V_GUARD] != 0 or self.reader.lost

    @property
    def asked(self) -> int:
        """The peer's shot still to be answered with answer(): 16 * row + column, both from 1; 0 for none."""
        return self.v[V_OWED]

    @property
    def pending(self) -> bool:
        """True while event() has an event to return."""
        v = self.v
        return v[V_EV_HEAD] != v[V_EV_TAIL]

    @property
    def closed(self) -> bool:
        """True after EV_CLOSED."""
        return self.v[V_CLOSED] != 0

    # Bytes to send, and queued events

    def _peer(self) -> int:
        return wire.BOTH ^ self.v[V_ROLE]

    def tx(self) -> int:
        """Return the next byte to send, or -1."""
        v = self.v
        i = v[V_OUT_TAIL]
        if i == v[V_OUT_HEAD]:
            return -1
        v[V_OUT_TAIL] = (i + 1) & 255
        return self.out[i]

    def _send(self, byte: int) -> None:
        """Queue a frame of one byte; dropped if there is no room, see _room()."""
        v = self.v
        i = v[V_OUT_HEAD]
        urgent = self.urgent
        if urgent and i == v[V_OUT_TAIL]:
            urgent(byte)
            return
        n = (i + 1) & 255
        if n != v[V_OUT_TAIL]:
            self.out[i] = byte
            v[V_OUT_HEAD] = n
            if urgent:
                # behind what is already queued
                byte = self.tx()
                while byte >= 0:
                    urgent(byte)
                    byte = self.tx()

    def _room(self, n: int) -> bool:
        """Return whether a frame of n bytes fits; if not it is dropped whole, as if lost on the line."""
        v = self.v
        return ((v[V_OUT_TAIL] - v[V_OUT_HEAD] - 1) & 255) >= n

    def _put(self, byte: int) -> None:
        v = self.v
        i = v[V_OUT_HEAD]
        self.out[i] = byte
        v[V_OUT_HEAD] = (i + 1) & 255

    def _event(self, code: int, a: int, b: int, cell: int = 0, answer: int = 0) -> int:
        """Queue an event; return its place in the queue, for further details. It is lost if there is no room."""
        v = self.v
        i = v[V_EV_HEAD]
        q = self.queue
        q[i] = code
        q[i + 1] = a
        q[i + 2] = b
        q[i + EVENT_ROLE] = v[V_ROLE]
        q[i + EVENT_CELL] = cell
        q[i + EVENT_ANSWER] = answer
        q[i + EVENT_EARLIER] = q[i + EVENT_EARLIER_ANSWER] = 0
        n = i + EVENT_BYTES
        if n == EVENT_ROOM:
            n = 0
        if n != v[V_EV_TAIL]:
            v[V_EV_HEAD] = n
        return i

    def _queued(self, code: int) -> bool:
        """Return whether an event of this code is still unread."""
        v = self.v
        i = v[V_EV_TAIL]
        while i != v[V_EV_HEAD]:
            if self.queue[i] == code:
                return True
            i += EVENT_BYTES
            if i == EVENT_ROOM:
                i = 0
        return False

    def _told_answer(self, cell: int, code: int) -> None:
        """Add the answer to the queued event of the shot at the cell."""
        v = self.v
        event = self.details
        if event[0] == EV_SHOT and event[EVENT_CELL] == cell and not event[EVENT_ANSWER]:
            event[EVENT_ANSWER] = code
        i = v[V_EV_TAIL]
        q = self.queue
        while i != v[V_EV_HEAD]:
            if q[i] == EV_SHOT and not q[i + EVENT_ANSWER]:
                q[i + EVENT_ANSWER] = code
            i += EVENT_BYTES
            if i == EVENT_ROOM:
                i = 0
