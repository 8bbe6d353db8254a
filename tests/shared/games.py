"""Whole games, link against link, without an allocation: for the proofs with a locked heap.

Two bots play on a line without delay. Everything is created before the first byte; `play` then allocates nothing.
"""

from seabattle import link as L
from seabattle import wire
from seabattle.bot import Bot
from seabattle.fair import EV_JURY, SHOWN
from seabattle.gunner import Gunner
from seabattle.jury import NOBODY_CHEATED
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng


class Side:
    def __init__(self, role, seed, level, offer, player=Player, bot=Bot):
        rng = Rng(seed)
        self.link = Link(role, rng)
        self.link.nick(b"BOT", 3)
        self.player = player(self.link, rng)
        self.gunner = Gunner(self.player.radar, rng, level)
        self.bot = bot(self.player, self.gunner, 0, offer)
        self.won = 0
        self.lost = 0
        self.bad = 0
        self.clean = 0  # games in which both fields were shown and nobody cheated

    def look(self):
        """Read all events; count results and errors."""
        link = self.link
        while True:
            ev = self.player.poll()
            if ev == L.EV_NONE:
                return
            if ev == L.EV_OVER:
                if link.a == L.WE_WON:
                    self.won += 1
                else:
                    self.lost += 1
            elif ev == L.EV_BROKEN or ev == L.EV_ACCUSED or ev == L.EV_TIMEOUT:
                self.bad += 1
            elif ev == EV_JURY and link.a == SHOWN and self.player.verdict == NOBODY_CHEATED:
                self.clean += 1


class Games:
    def __init__(self, seed=1, level=2, offer=(10, 1, 2, 3, 4), player=Player, bot=Bot):
        self.master = Side(wire.MASTER, seed, level, offer, player, bot)
        self.slave = Side(wire.SLAVE, seed + 1000, level, offer, player, bot)
        self.ticks = 0

    def carry(self, a, b):
        """Carry bytes from a to b; return whether there were any."""
        any_ = False
        while True:
            byte = a.link.tx()
            if byte < 0:
                return any_
            any_ = True
            b.link.rx(byte)
            b.look()

    def step(self):
        """Run one tick and everything that follows from it."""
        m = self.master
        s = self.slave
        self.ticks += 1
        m.link.tick()
        s.link.tick()
        moving = True
        while moving:
            m.look()
            s.look()
            moving = self.carry(m, s)
            if self.carry(s, m):
                moving = True
            m.look()
            s.look()
            if m.bot.step() == 1 or s.bot.step() == 1:
                moving = True

    def play(self, games, most_ticks):
        """Play until this many games are over on both sides; False if that takes more ticks."""
        m = self.master
        s = self.slave
        end = self.ticks + most_ticks
        goal = m.won + m.lost + games
        while m.won + m.lost < goal or s.won + s.lost < goal:
            if self.ticks == end:
                return False
            self.step()
        return True

    def agree(self):
        """Return whether both sides named the same winner in each game, and nothing broke off."""
        m = self.master
        s = self.slave
        return m.won == s.lost and m.lost == s.won and not m.bad and not s.bad
