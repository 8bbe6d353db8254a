"""Handing over a master and a slave, both greeted by the club, to each other.

Both have met the club itself, in state 1; the master has gone on as far as it can without a slave: it may have sent its
parameters and placed its ships. The club, which answered all that as a slave, now leads the waiting slave through the
same states as a master: the opponents' nicks to both, then the parameters byte for byte as the master sent them, A2,
A3. Once both are in the same state and nothing is outstanding between them and the club, their next bytes are for each
other, and the relay takes over.
"""

from __future__ import annotations

from seabattle import wire
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.session import Session
from seabattle_host.club.store import Game
from seabattle_host.language import text

GOES_ON, DONE, FAILED = range(3)
"""Results of `step`."""


class Pairing:
    """master, slave: sessions in state 1 or later with nothing outstanding. game: theirs."""

    def __init__(self, master: Session, slave: Session, game: Game, limits: Limits):
        self.master = master
        self.slave = slave
        self.game = game
        self._limits = limits
        self.refused = False
        """The master's parameters are invalid for every slave."""
        self._named = False
        self._sealed: set[Session] = set()
        self._age = 0

    def tick(self) -> None:
        """Advance by one tick."""
        self._age += 1

    def step(self) -> int:
        """Do what can be done now; return GOES_ON, DONE or FAILED."""
        one, two = self.master.link, self.slave.link
        if one is None or two is None or not 1 <= one.state <= 3 or not 1 <= two.state <= 3:
            return FAILED
        if self._age > ticks(self._limits.pairing):
            return FAILED
        if not self.master.at_rest or not self.slave.at_rest:
            return GOES_ON
        if not self._named:
            self._named = True
            for session, other in ((self.master, self.slave), (self.slave, self.master)):
                nick = nick_for(other, session)
                assert session.link is not None
                session.link.nick(nick, len(nick))
                session.flush()
            return GOES_ON
        if self._pass_seals():
            return GOES_ON
        if one.state == two.state:
            # a master back in state 1 after a restart may start placing without sending its parameters again
            return GOES_ON if one.state == 1 and one.agreed else DONE
        if two.state > one.state:
            two.restart()
        elif two.state == 1:
            two.tagged = is_tagged(self.master.parameters)
            if two.offer(one.size, *(one.ships(decks) for decks in (4, 3, 2, 1))):
                self.refused = True
                return FAILED
        else:
            two.ready()
        self.slave.flush()
        return GOES_ON

    @property
    def states_match(self) -> bool:
        """Whether the slave is in the master's state, one in which it may go on by itself."""
        one, two = self.master.link, self.slave.link
        return one is not None and two is not None and one.state == two.state and two.state > 1

    def _pass_seals(self) -> bool:
        """Pass a seal to the opponent, as it has to come before the battle; return whether there was one."""
        for session, other in ((self.master, self.slave), (self.slave, self.master)):
            link = other.link
            assert link is not None
            if session.seal and session not in self._sealed and link.state > 1 and other.has_chat:
                self._sealed.add(session)
                link.send_chat(session.seal, len(session.seal))
                other.flush()
                return True
        return False


def nick_for(session: Session, reader: Session) -> bytes:
    """Return the nick of a session for a reader, 1..10 bytes: in ASCII, unless the reader's own nick is not."""
    name = session.account.name if session.account else "?"
    if any(byte > 127 for byte in reader.nick):
        data = name.encode("cp866", "replace")
    else:
        data = text.transliterate(name).encode("ascii", "replace")
    return data[: wire.NICK_MAX]


def is_tagged(parameters: bytes) -> bool:
    """Return whether the ship counts of a B2 have the number of decks in their high nibbles."""
    return any(parameters[1 + i] >> 4 == 4 - i for i in range(4) if len(parameters) > 1 + i)
