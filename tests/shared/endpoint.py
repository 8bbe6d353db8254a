"""A test bench for one link, or a player with its link: bytes as hex text, ticks and events by hand."""

from seabattle import link as L
from seabattle import wire
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng

PARAMS = "B2 06 00 00 00 02"  # a small game: 6x6, two ships of one deck
ECHO = "2B 06 00 00 00 02"


def to_bytes(text):
    return bytes([int(h, 16) for h in text.split()])


def to_text(data):
    return " ".join("%02X" % b for b in data)


class Endpoint:
    def __init__(self, role, seed=1, nick=b""):
        self.link = Link(role, Rng(seed))
        if nick:
            assert self.link.nick(nick, len(nick)) == L.DONE
        self.seen = []

    def sent(self):
        """Return what the link has sent since the last call."""
        self.collect()
        out = []
        while True:
            b = self.link.tx()
            if b < 0:
                return to_text(out)
            out.append(b)

    def collect(self):
        while True:
            ev = self.link.event()
            if ev == L.EV_NONE:
                return
            self.seen.append((ev, self.link.a, self.link.b))

    def events(self):
        """Return the events since the last call."""
        self.collect()
        seen = self.seen
        self.seen = []
        return seen

    def codes(self):
        return [e[0] for e in self.events()]

    def hear(self, text):
        """Receive bytes; return what the link sends in response."""
        for b in to_bytes(text):
            self.link.rx(b)
            self.collect()
        return self.sent()

    def ticks(self, n, keep_alive=""):
        """Let n ticks pass, with a keep-alive frame every 8 of them; return what the link sends, without its syncs."""
        out = ""
        for i in range(n):
            if keep_alive and i % 8 == 0:
                self.hear(keep_alive)
            self.link.tick()
            out += " " + self.sent()
        return " ".join([h for h in out.split() if h not in ("AA", "01")])

    def alive(self):
        """Return a frame of the peer's that prevents a timeout."""
        return "AA" if self.link.role == wire.SLAVE else "01"


class PlayerEndpoint(Endpoint):
    """The same with a player, which handles every event."""

    def __init__(self, role, seed=1, nick=b""):
        Endpoint.__init__(self, role, seed, nick)
        self.player = Player(self.link, Rng(seed))

    def do_rest(self, _words):
        """Be calm, see calm()."""
        calm(self)

    def know_whole(self):
        """1 while all ships are placed."""
        return int(self.player.field.complete())

    def collect(self):
        while True:
            ev = self.player.poll()
            if ev == L.EV_NONE:
                return
            self.seen.append((ev, self.link.a, self.link.b))


def master(state, kind=Endpoint, **kw):
    """Return a master that was led to `state` by a slave; it has the turn in state 4."""
    s = kind(wire.MASTER, **kw)
    if state == 0:
        return s
    s.link.tick()
    assert s.sent() == "AA"
    assert s.hear("01") == "A1"
    if s.hear("1A"):
        s.hear("1B")
    if state == 1:
        return calm(s)
    assert s.link.offer(6, 0, 0, 0, 2) == L.DONE
    assert s.sent() == PARAMS
    assert s.hear(ECHO) == "A2"
    assert s.hear("2A") == "B3 01 20"
    s.hear("3B")
    if state == 2:
        return calm(s)
    s.link.ready()
    assert s.sent() == "A3"
    s.hear("3A")
    if state == 3:
        return calm(s)
    assert s.hear("A4") == "4A"
    if state == 9:
        assert s.hear("A6") == "6A"
    return calm(s)


def slave(state, kind=Endpoint, **kw):
    """Return a slave that was led to `state` by a master; the master has the turn in state 4."""
    s = kind(wire.SLAVE, **kw)
    if state == 0:
        return s
    assert s.hear("AA") == "01"
    if s.hear("A1") != "1A":
        s.hear("1B")
    if state == 1:
        return calm(s)
    assert s.hear(PARAMS) == ECHO
    assert s.hear("A2") == "2A B3 01 20"
    s.hear("3B")
    if state == 2:
        return calm(s)
    assert s.hear("A3") == "3A"
    if state == 3:
        return calm(s)
    s.link.ready()
    assert s.sent() == "A4"
    s.hear("4A")
    if state == 9:
        assert s.hear("A6") == "6A"
    return calm(s)


def calm(s):
    """Let 6 ticks pass, so that nothing counts as a repeat, and drop the events so far."""
    s.ticks(6, s.alive())
    s.events()
    return s


def at(role, state):
    return master(state) if role == wire.MASTER else slave(state)
