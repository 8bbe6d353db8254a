"""What a link remembers, what its owner may look at of it, and its queues of bytes and events."""

from . import wire
from .const import TYPE_CHECKING
from .link_codes import (
    BROKEN_OFF,
    EV_SHOT,
    EVENT_ROOM,
    NICK_SHOWN,
    TOLD_ANSWER,
    TOLD_BYTES,
    TOLD_CELL,
    TOLD_EARLIER,
    TOLD_EARLIER_ANSWER,
    TOLD_ROLE,
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
    """rng: see Link."""

    def __init__(self, rng: "Rng") -> None:
        self.rng = rng
        self.reader = wire.Reader()
        self.v = bytearray(V_TOP)
        self.out = bytearray(256)
        self.queue = bytearray(EVENT_ROOM)
        self.a = 0
        self.b = 0
        self.told = bytearray(TOLD_BYTES)
        self.games = 0  # battles that have ended, modulo 256; open() leaves it alone
        self.peer_nick = bytearray(NICK_SHOWN)
        self.peer_nick_len = 0
        self.text = bytearray(256)
        self.text_len = 0
        # Sends a byte at once: for an owner whose replies must not wait until it asks tx().
        self.urgent: Callable[[int], object] | None = None
        # Calls answer() for the shot in `asked`, and does no more: for the same owner.
        self.judge: Callable[[], object] | None = None
        self.tagged = False  # send the ship counts of B2 tagged with the deck number
        self._nick = bytearray(wire.NICK_MAX)
        self._nick_len = 0
        self._chat_text = bytearray(wire.TEXT_MAX)
        self._chat_size = 0
        # Counters for diagnostics, in events since open().
        self.noise = 0  # bytes that begin nothing
        self.dropped = 0  # frames that were not finished within 4 ticks
        self.damaged = 0  # bytes that the receiver has marked, each dropped with its frame
        self.strays = 0  # replies that nobody waited for, commands that state 0 ignores
        self.repeats = 0  # commands that came twice and were answered twice
        self.deviations = 0  # what real programs do and we put up with

    # What an owner may look at.

    @property
    def state(self) -> int:
        """0..4, 9, or BROKEN_OFF (8) while a key is awaited after an A8."""
        return self.v[V_STATE]

    @property
    def role(self) -> int:
        """wire.MASTER or wire.SLAVE; wire.NOBODY while an AUTO still listens."""
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
        """True in the battle while the turn is ours, also while our shot is under way."""
        v = self.v
        return v[V_STATE] == 4 and v[V_TURN] == v[V_ROLE]

    @property
    def hung(self) -> bool:
        """True after EV_TIMEOUT, until the key or EV_RESUMED."""
        return self.v[V_HUNG] != 0

    @property
    def key_awaited(self) -> bool:
        """True while only key() (or, after a timeout, what is missing) leads on."""
        return self.v[V_HUNG] != 0 or self.v[V_STATE] == BROKEN_OFF

    @property
    def busy(self) -> int:
        """The opcode of our command that waits for its reply, or 0."""
        return self.v[V_BUSY]

    @property
    def waited(self) -> int:
        """Ticks since that command was sent; 255 and more are 255."""
        return self.v[V_AGE]

    @property
    def quiet(self) -> int:
        """Ticks since a whole frame was heard; 255 and more are 255."""
        return self.v[V_QUIET]

    @property
    def chat(self) -> int:
        """CHAT_UNKNOWN, CHAT_PROBING, CHAT_YES or CHAT_NO."""
        return self.v[V_CHAT]

    @property
    def agreed(self) -> bool:
        """True once there are valid parameters."""
        return self.v[V_VALID] != 0

    @property
    def size(self) -> int:
        """Cells a side, 6..10; 0 before the parameters are known."""
        return self.v[V_SIZE]

    def ships(self, decks: int) -> int:
        """How many ships of 1..4 decks a side has."""
        return self.v[V_N1 + 1 - decks]

    @property
    def decks(self) -> int:
        """Decks of the whole fleet of a side."""
        return self.v[V_DECKS]

    @property
    def my_losses(self) -> int:
        """Decks of mine that are hit."""
        return self.v[V_MY_LOSS]

    @property
    def its_losses(self) -> int:
        """Decks of the peer's that are hit."""
        return self.v[V_ITS_LOSS]

    @property
    def winner(self) -> int:
        """The role that has hit every deck of the other, or wire.NOBODY."""
        return self.v[V_WINNER]

    @property
    def wants_calm(self) -> bool:
        """True while calm() would let something go on."""
        return self.v[V_GUARD] != 0 or self.reader.lost

    @property
    def asked(self) -> int:
        """The peer's shot that answer() has not answered yet: 16 * row + column, both from 1; 0 if there is none."""
        return self.v[V_OWED]

    @property
    def pending(self) -> bool:
        """True while event() has something to tell."""
        v = self.v
        return v[V_EV_HEAD] != v[V_EV_TAIL]

    @property
    def closed(self) -> bool:
        """True after EV_CLOSED."""
        return self.v[V_CLOSED] != 0

    # Bytes to be sent, and events to be told.

    def _peer(self) -> int:
        return wire.BOTH ^ self.v[V_ROLE]

    def tx(self) -> int:
        """The next byte to send, or -1."""
        v = self.v
        i = v[V_OUT_TAIL]
        if i == v[V_OUT_HEAD]:
            return -1
        v[V_OUT_TAIL] = (i + 1) & 255
        return self.out[i]

    def _send(self, byte: int) -> None:
        """A frame of one byte; not sent where there is no room, see _room()."""
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
                # behind what waits already
                byte = self.tx()
                while byte >= 0:
                    urgent(byte)
                    byte = self.tx()

    def _room(self, n: int) -> bool:
        """True if a frame of n bytes fits; else it is not sent at all, as if the line had lost it."""
        v = self.v
        return ((v[V_OUT_TAIL] - v[V_OUT_HEAD] - 1) & 255) >= n

    def _put(self, byte: int) -> None:
        v = self.v
        i = v[V_OUT_HEAD]
        self.out[i] = byte
        v[V_OUT_HEAD] = (i + 1) & 255

    def _event(self, code: int, a: int, b: int, cell: int = 0, answer: int = 0) -> int:
        """Queue an event; where it is in the queue, for what else it has to tell. If there is no room it is lost."""
        v = self.v
        i = v[V_EV_HEAD]
        q = self.queue
        q[i] = code
        q[i + 1] = a
        q[i + 2] = b
        q[i + TOLD_ROLE] = v[V_ROLE]
        q[i + TOLD_CELL] = cell
        q[i + TOLD_ANSWER] = answer
        q[i + TOLD_EARLIER] = q[i + TOLD_EARLIER_ANSWER] = 0
        n = i + TOLD_BYTES
        if n == EVENT_ROOM:
            n = 0
        if n != v[V_EV_TAIL]:
            v[V_EV_HEAD] = n
        return i

    def _queued(self, code: int) -> bool:
        """Whether an event of this code is still to be told."""
        v = self.v
        i = v[V_EV_TAIL]
        while i != v[V_EV_HEAD]:
            if self.queue[i] == code:
                return True
            i += TOLD_BYTES
            if i == EVENT_ROOM:
                i = 0
        return False

    def _told_answer(self, cell: int, code: int) -> None:
        """The shot at the cell is answered: its event tells that too."""
        v = self.v
        told = self.told
        if told[0] == EV_SHOT and told[TOLD_CELL] == cell and not told[TOLD_ANSWER]:
            told[TOLD_ANSWER] = code
        i = v[V_EV_TAIL]
        q = self.queue
        while i != v[V_EV_HEAD]:
            if q[i] == EV_SHOT and not q[i + TOLD_ANSWER]:
                q[i + TOLD_ANSWER] = code
            i += TOLD_BYTES
            if i == EVENT_ROOM:
                i = 0
