"""Two seats that show their fields after the game, on a line without delay; and the ways to cheat there."""

import hashlib

from seabattle import fair as F
from seabattle import link as L
from seabattle import reveal, wire
from seabattle.crc import crc16
from seabattle.fair import FairPlayer
from seabattle.link import Link
from seabattle.rng import Rng

SMALL = (6, 0, 0, 1, 2)


def checked(text):
    """Append the CRC to a line about fields."""
    return text + (" %04x" % crc16(text, len(text))).encode()


class Sealer:
    """Computes real hashes; its random numbers are a counter, so that a test is repeatable."""

    def __init__(self):
        self.salts = 0

    def salt(self, out):
        self.salts += 1
        for i in range(len(out)):
            out[i] = (i * 37 + self.salts) & 255

    def digest(self, text, n):
        return hashlib.sha256(bytes(text[:n])).digest()


class DeafLink(Link):
    """A program without chat: B3 gets no answer."""

    def _command(self, op):
        if op != wire.CHAT:
            Link._command(self, op)


class LyingLink(Link):
    """Answers the shots whose numbers (from 0) are in `lies` with the codes given there."""

    def __init__(self, role, rng):
        Link.__init__(self, role, rng)
        self.lies = {}
        self.asked_so_far = 0

    def answer(self, code):
        told = self.lies.get(self.asked_so_far, code)
        self.asked_so_far += 1
        return Link.answer(self, told)


class Mover(FairPlayer):
    """After the game removes all ships and places them as told, before it shows them."""

    ships = ()

    def poll(self):
        ev = FairPlayer.poll(self)
        if ev == L.EV_OVER:
            shots = bytearray(self.field.mark)
            self._move()
            for cell in range(len(shots)):
                self.field.mark[cell] = shots[cell]
        return ev

    def _move(self):
        self.field.clear()
        for ship in self.ships:
            self.field.place(*ship)


class Forger(FairPlayer):
    """Shows the field it is told to, whatever its ships."""

    shown = b""

    def _send(self, n, line):
        if line == reveal.FIELD:
            self._line[:9] = b"#field 6 "
            self._line[9:18] = self.shown
            whole = checked(bytes(self._line[: n - 5]))
            self._line[: len(whole)] = whole
        return FairPlayer._send(self, n, line)


def bits_of(rows):
    """Return the digits of a field of 6x6 that these rows draw with # for a deck."""
    bits = "".join(rows).replace(".", "0").replace("#", "1")
    return b"".join([b"%x" % int(bits[i : i + 4], 2) for i in range(0, 36, 4)])


class Endpoint:
    """One side: its player, the events (codes with a and b), and the chat that its player would see."""

    def __init__(self, role, fair, link=Link, player=FairPlayer, seed=1):
        rng = Rng(seed)
        self.link = link(role, rng)
        self.player = player(self.link, rng, Sealer())
        self.player.fair = fair
        self.seen = []
        self.read = []
        self.wire = []  # the chat lines sent, without probes
        self.reader = wire.Reader()

    def look(self):
        while True:
            ev = self.player.poll()
            if ev == L.EV_NONE:
                return
            self.seen.append((ev, self.link.a, self.link.b))
            if ev == L.EV_CHAT:
                self.read.append(bytes(self.link.text[: self.link.text_len]))

    def told(self):
        """Return the details of EV_JURY so far: pairs of what and why."""
        return [(a, b) for ev, a, b in self.seen if ev == F.EV_JURY]

    def place(self, *ships):
        """Place these ships, each x, y, length, vertical; without any, all at random."""
        field = self.player.field
        field.clear()
        for ship in ships:
            assert field.place(*ship) == 0
        if not ships:
            assert field.fill(self.player.rng)


class Match:
    """A master and a slave."""

    def __init__(self, master, slave):
        self.master = master
        self.slave = slave
        self.endpoints = (master, slave)
        self.now = 0

    def hear(self, side, byte):
        """Called with each byte of side 0, the master, or 1, at tick `now`; for listeners."""

    def carry(self):
        """Carry bytes until nothing moves any more."""
        moving = True
        while moving:
            moving = False
            for i in range(2):
                endpoint = self.endpoints[i]
                other = self.endpoints[1 - i]
                endpoint.look()
                while True:
                    byte = endpoint.link.tx()
                    if byte < 0:
                        break
                    moving = True
                    if (
                        endpoint.reader.feed(byte) == wire.FRAME
                        and endpoint.reader.op == wire.CHAT
                        and endpoint.reader.size > 1
                    ):
                        endpoint.wire.append(bytes(endpoint.reader.data[: endpoint.reader.size]))
                    self.hear(i, byte)
                    other.link.rx(byte)
                    other.look()

    def ticks(self, n):
        for _ in range(n):
            self.now += 1
            for endpoint in self.endpoints:
                endpoint.link.tick()
            self.carry()

    def meet(self, offer=SMALL):
        """Play up to the placing."""
        self.ticks(3)
        assert self.master.link.offer(*offer) == L.DONE
        self.ticks(3)
        assert self.master.link.state == 2 and self.slave.link.state == 2

    def begin(self, mine=(), its=()):
        """Play up to the battle, with these ships of the master and of the slave."""
        self.meet()
        self.master.place(*mine)
        self.slave.place(*its)
        self.fight()

    def fight(self):
        """Send both sides' ready; the battle begins."""
        for endpoint in self.endpoints:
            assert endpoint.player.ready() == L.DONE
        self.ticks(80)
        assert self.master.link.state == 4 and self.slave.link.state == 4

    def shoot(self, endpoint, x, y):
        """Shoot at column x, row y from 0, bypassing the player's refusal of useless shots; play up to the answer."""
        self.ticks(5)
        assert endpoint.link.shoot(x + 1, y + 1) == L.DONE
        self.ticks(5)
        return endpoint.player.my_result

    def end(self):
        """After the battle: wait until everything is shown."""
        self.ticks(10)
