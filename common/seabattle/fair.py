"""A player in a serial game that exchanges fields after the game and has the jury check both.

`FairPlayer` is a Player (see there) that records the shots, handles the reveal.py lines that arrive in the chat, and
reports on them with EV_JURY. After a battle, never before its end, it shows its field when asked, and unasked to a peer
that has sealed its own. If it is `fair` it seals its field before it declares itself ready, and asks for the peer's by
itself. Nothing is sent to a peer without chat.

A sealed field cannot be changed later without detection. The owner provides the hash and the random bytes as `sealer`:

    salt(out)        fill `out` with unpredictable bytes
    digest(text, n)  the SHA-256 of the first n bytes of `text`

Nothing is allocated after construction, except by the sealer's methods, which are called once before a battle and once
after it.
"""

from . import link as links
from . import reveal, wire
from .bot import Bot
from .const import TYPE_CHECKING, const
from .jury import BROKEN_SEAL, Jury, judge
from .player import Player
from .variants import Rules

if TYPE_CHECKING:
    from typing import Protocol

    from .link import Link
    from .rng import Rng

    class Sealer(Protocol):
        """See above."""

        def salt(self, out: bytearray) -> None: ...

        def digest(self, text: "bytes | bytearray", n: int) -> bytes: ...


EV_JURY = const(64)
"""What poll() returns in addition to the link's events: the link's `a` says what happened, `b` why."""

# `a` of EV_JURY.
MY_SEAL = const(1)  # my field is sealed and the peer has confirmed it
NO_SEAL = const(2)  # my field stays unsealed: `b` is NO_CHAT or NOT_CONFIRMED
ITS_SEAL = const(3)  # the peer has sealed its field
ASKED = const(4)  # the peer has asked for my field, and will get it
SHOWN = const(5)  # both fields are known: `mine`, `its` and `verdict` are valid
NO_VERDICT = const(6)  # there will be no verdict: `b` is one of the following
# `b`.
NO_CHAT = const(1)  # the peer has no chat, so nothing can be asked
NOT_CONFIRMED = const(2)  # the peer did not confirm the line
NOT_SHOWN = const(3)  # the peer confirmed the question but showed no field within 60 ticks
GONE = const(4)  # the peer left, or the next game has begun
REASONS = const(5)  # one past the last

NO_VERDICT_YET = const(255)  # value of `verdict`, `mine` and `its`

# States of a line of mine.
_NOT = const(0)
_WANTED = const(1)
_SENT = const(2)
_DONE = const(3)
_FAILED = const(4)

_CELLS = const(100)
_SHOTS = const(200)  # kept for each side; a peer may repeat its shots for ever
_TEXT = const(64)


class FairPlayer(Player):
    """link, rng: as for Player. sealer: see above; None if nothing can be sealed.

    fair           seal my field, and ask for the peer's after the game
    has_my_seal, has_its_seal   whether the field is sealed in this game
    decks          the peer's field once it is shown: by cell, 1 for a deck
    mine, its      the jury's findings on my field and on the peer's: codes of jury.py
    verdict        NOBODY_CHEATED, FIRST_CHEATED (me), SECOND_CHEATED (the peer) or BOTH_CHEATED
    juries         the Jury objects with the details, for my field and for the peer's
    cells, answers, shots   the recorded shots at my field and at the peer's
    """

    def __init__(self, link: "Link", rng: "Rng", sealer: "Sealer | None" = None) -> None:
        Player.__init__(self, link, rng)
        self.sealer = sealer
        self.fair = False
        self.rules = Rules()
        self.juries = (Jury(_CELLS), Jury(_CELLS))
        self.cells = (bytearray(_SHOTS), bytearray(_SHOTS))
        self.answers = (bytearray(_SHOTS), bytearray(_SHOTS))
        self.shots = bytearray(2)
        self.decks = bytearray(_CELLS)
        self.has_my_seal = self.has_its_seal = False
        self.mine = self.its = self.verdict = NO_VERDICT_YET
        self._salt = bytearray(reveal.SALT_DIGITS)
        self._lots = bytearray(reveal.SALT_DIGITS // 2)
        self._seal = bytearray(reveal.HASH_BYTES)  # the peer's
        self._line = bytearray(_TEXT)
        self._fought = False  # the current or last game has reached its battle
        self._under_way = reveal.NONE  # the line that awaits confirmation
        # States of the three lines.
        self._sealing = _NOT
        self._asking = _NOT
        self._reveal = _NOT
        self._pending = 0  # the next report: `a` of EV_JURY, and its reason
        self._why = 0

    def poll(self) -> int:
        """Like Player.poll(); may also return EV_JURY."""
        ev = Player.poll(self)
        if ev == links.EV_NONE:
            return self._pump()
        if ev == links.EV_SHOT:
            self._note(0, self.its_last, self.its_result)
        elif ev == links.EV_ANSWER:
            self._note(1, self.my_last, self.my_result)
        elif ev == links.EV_PLACING:
            self._begin()
        elif ev == links.EV_BATTLE:
            self._fought = True
        elif ev == links.EV_OVER:
            if self._fought:
                if self.fair and self.verdict == NO_VERDICT_YET:
                    self._asking = _WANTED
                if self.has_its_seal:
                    self._reveal = _WANTED
        elif ev == links.EV_CHAT:
            return self._text_received()
        elif ev == links.EV_CHAT_SENT or ev == links.EV_CHAT_LOST:
            self._confirmed(ev == links.EV_CHAT_SENT)
        return ev

    def ready(self) -> int:
        """Like Player.ready().

        A fair player seals its field first, and is ready once the peer has confirmed the seal.
        """
        link = self.link
        if not self.fair or self.sealer is None or self._sealing >= _DONE:
            return Player.ready(self)
        state = link.state
        if not self.field.complete() or state != 2 and not (state == 3 and link.role == wire.SLAVE):
            return links.NOT_NOW
        if self._sealing == _NOT:
            self._sealing = _WANTED
        return links.DONE

    def ask(self) -> int:
        """Ask the peer for its field.

        Return DONE, NO_CHAT, or NOT_NOW if there was no battle, it is not over, or the answer is already here or under
        way.
        """
        link = self.link
        if link.chat == links.CHAT_NO:
            return links.NO_CHAT
        if not self.can_ask():
            return links.NOT_NOW
        self._asking = _WANTED
        return links.DONE

    def can_ask(self) -> bool:
        """Return whether ask() makes sense now."""
        return self.link.state == 9 and self._fought and self.verdict == NO_VERDICT_YET and not self._waiting()

    def settled(self) -> bool:
        """Return whether the exchange is finished, so that one may leave or start the next game."""
        if self.link.state != 9:
            return True
        return not self._waiting() and self._reveal != _WANTED and self._reveal != _SENT and not self._pending

    # Inside.

    def _begin(self) -> None:
        self.shots[0] = self.shots[1] = 0
        self.has_my_seal = self.has_its_seal = self._fought = False
        self.mine = self.its = self.verdict = NO_VERDICT_YET
        self._sealing = self._asking = self._reveal = _NOT
        self._pending = 0

    def _note(self, side: int, cell: int, answer: int) -> None:
        n = self.shots[side]
        if n < _SHOTS:
            self.cells[side][n] = cell
            self.answers[side][n] = answer
            self.shots[side] = n + 1

    def _report(self, what: int, why: int = 0) -> int:
        self.link.a = what
        self.link.b = why
        return EV_JURY

    def _pump(self) -> int:
        # No event from the link: report what is pending, send what waits. Returns EV_JURY or EV_NONE.
        link = self.link
        if self._pending:
            pending = self._pending
            self._pending = 0
            return self._report(pending, self._why)
        state = link.state
        if self._sealing == _WANTED:
            if state == 2 or state == 3:
                return self._send_seal(link)
            self._sealing = _NOT
        if state != 9 or link.chat == links.CHAT_NO:
            self._reveal = _NOT
        if state != 9:
            if self._waiting():
                self._asking = _FAILED
                return self._report(NO_VERDICT, GONE)
            return links.EV_NONE
        if self._asking == _WANTED:
            if link.chat == links.CHAT_NO:
                self._asking = _FAILED
                return self._report(NO_VERDICT, NO_CHAT)
            if self._send(reveal.put_show(self._line), reveal.SHOW):
                self._asking = _SENT
        elif self._asking == _DONE and not link.busy and link.waited > wire.REPLY_TICKS:
            self._asking = _FAILED
            return self._report(NO_VERDICT, NOT_SHOWN)
        elif self._reveal == _WANTED:
            salt = self._salt if self.has_my_seal else None
            if self._send(reveal.put_field(self._line, self.fleet.width, self.field.ship, salt), reveal.FIELD):
                self._reveal = _SENT
        return links.EV_NONE

    def _send_seal(self, link: "Link") -> int:
        if link.chat == links.CHAT_NO:
            self._sealing = _FAILED
            Player.ready(self)
            return self._report(NO_SEAL, NO_CHAT)
        if link.chat == links.CHAT_YES and not link.busy:
            sealer: Sealer = self.sealer  # type: ignore[assignment]  # ready() has seen that there is one
            sealer.salt(self._lots)
            reveal.put_salt(self._salt, self._lots)
            n = reveal.put_field(self._line, self.fleet.width, self.field.ship, self._salt)
            digest = sealer.digest(self._line, n)
            if self._send(reveal.put_seal(self._line, digest), reveal.SEAL):
                self._sealing = _SENT
                self.has_my_seal = True
        return links.EV_NONE

    def _send(self, n: int, line: int) -> bool:
        # Give the first n bytes of _line to the link; return False if it cannot take them now.
        if self.link.send_chat(self._line, n) != links.DONE:
            return False
        self._under_way = line
        return True

    def _confirmed(self, sent: bool) -> None:
        # A text of mine was confirmed, or was not; the link sends one at a time.
        line = self._under_way
        self._under_way = reveal.NONE
        if line == reveal.SEAL and self._sealing == _SENT:
            # even unconfirmed it may have arrived, so the seal counts
            self._sealing = _DONE if sent else _FAILED
            self._pending = MY_SEAL if sent else NO_SEAL
            self._why = 0 if sent else NOT_CONFIRMED
            Player.ready(self)
        elif line == reveal.SHOW and self._asking == _SENT:
            self._asking = _DONE if sent else _FAILED
            if not sent:
                self._pending = NO_VERDICT
                self._why = NOT_CONFIRMED
        elif line == reveal.FIELD and self._reveal == _SENT:
            self._reveal = _DONE

    def _waiting(self) -> bool:
        return self._asking == _WANTED or self._asking == _SENT or self._asking == _DONE

    def _text_received(self) -> int:
        # Handle a text from the peer: EV_JURY for a reveal line that is allowed now, else EV_CHAT.
        link = self.link
        text = link.text
        n = link.text_len
        state = link.state
        what = reveal.kind(text, n)
        if what == reveal.SEAL:
            if (state == 2 or state == 3) and not self.has_its_seal and reveal.take_seal(text, n, self._seal):
                self.has_its_seal = True
                return self._report(ITS_SEAL)
        elif state != 9 or not self._fought:
            # shown in the middle of a battle a field would no longer be secret
            return links.EV_CHAT
        elif what == reveal.SHOW:
            if self._reveal != _SENT:
                self._reveal = _WANTED
            return self._report(ASKED)
        elif what == reveal.FIELD:
            if self.verdict == NO_VERDICT_YET and reveal.take_field(text, n, self.fleet.width, self.decks):
                self._judge(text, n)
                self._asking = _NOT
                return self._report(SHOWN)
        return links.EV_CHAT

    def _judge(self, text: "bytes | bytearray", n: int) -> None:
        fleet = self.fleet
        count = fleet.count
        # an opponent is judged by the lenient reading of the wall rule
        self.rules.protocol(fleet.width, count[4], count[3], count[2], count[1], True)
        self.mine = self._check(0, self.field.ship)
        self.its = self._check(1, self.decks)
        if self.has_its_seal and self.sealer is not None:
            if not reveal.is_sealed_by(self._seal, self.sealer.digest(text, n)):
                self.its = BROKEN_SEAL
        self.verdict = judge(self.mine, self.its)

    def _check(self, side: int, decks: bytearray) -> int:
        return self.juries[side].check(self.rules, decks, self.cells[side], self.answers[side], self.shots[side], True)


class FairBot(Bot):
    """A Bot for a FairPlayer: waits for the exchange to settle before it leaves or starts the next game."""

    player: FairPlayer

    def step(self) -> int:
        """Like Bot.step()."""
        self.held = not self.player.settled()
        return Bot.step(self)
