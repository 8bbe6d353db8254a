"""The board's loop and its gunner on MicroPython, on this machine.

A turn of the loop reads the line once. A real board also has a timer that reads it in between, whatever the turn is
doing; a virtual board has no such timer, so the longest turn is the longest time that its line may wait. The firmware
plays whole games by itself, with a display that accepts everything at once; a real bus adds its own time to a turn.
Other programs on the machine make the longest turn longer; the 99.9th percentile is the firmware's own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from seabattle_host.simulation.engine import BYTE_US
from tests.bench import CLOCK, Figure
from tests.micropython.interpreters import INTERPRETERS, ROOT

AIMS = """\
import sys
from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng

fleet, field, radar, rng = Fleet(), Field(), Radar(), Rng(1)
for level in (1, 2, 3, 4):
    gunner = Gunner(radar, rng, level)
    total = shots = worst = 0
    for _ in range(int(sys.argv[1])):
        field.reset(fleet)
        field.random(rng)
        radar.reset(fleet)
        while not field.lost():
            began = now()
            cell = gunner.aim()
            took = since(began)
            total += took
            worst = max(worst, took)
            shots += 1
            radar.answer(cell, field.shoot(cell))
    print(total // shots, worst)
"""

LOOP = """\
import sys
import time
from seaboard.app import App
from seaboard.words import M_SLAVE
from seaboard.lcd import Lcd
from seabattle import link as links
from seabattle.bot import BUSY, Bot
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng

class Board:
    name, seed, language, store, esc = b"bench", 1, 0, None, True
    def __init__(self):
        self.uart = self.keys = self
        self.panel = Lcd(self, 20, 4, 0)
        self.inbox, self.outbox, self.sent, self.now = bytearray(), bytearray(1024), 0, 0
    def send(self, value, data): pass
    def any(self): return len(self.inbox)
    def readinto(self, buffer):
        n = min(len(self.inbox), len(buffer))
        buffer[:n] = self.inbox[:n]
        self.inbox = self.inbox[n:]
        return n
    def write(self, buffer):
        for byte in buffer:
            self.outbox[self.sent] = byte
            self.sent += 1
        return len(buffer)
    def ticks(self): return self.now * 1193182 // 65536000
    def ms(self): return self.now
    def get(self, now): return 0
    def beep(self, kind): pass
    def event(self, code): pass
    def notify(self, what): pass
    def idle(self): pass

rng = Rng(5)
other = Player(Link(1, rng), rng)
bot = Bot(other, Gunner(other.radar, rng, 3))
board = Board()
app = App(board)
app.play_by_itself(0)
app.play(M_SLAVE)
worst = total = turns = over = 0
counts = [0] * 3000
tick = 0
while over < int(sys.argv[1]):
    board.now += 1
    began = time.ticks_us()
    app.step()
    took = time.ticks_diff(time.ticks_us(), began)
    worst = max(worst, took)
    total += took
    turns += 1
    counts[min(took // 10, 2999)] += 1
    for b in board.outbox[: board.sent]:
        other.link.rx(b)
    board.sent = 0
    if board.ticks() != tick:
        tick = board.ticks()
        other.link.tick()
    while True:
        ev = other.poll()
        if not ev:
            break
        over += ev == links.EV_OVER
    for _ in range(20):
        if bot.step() != BUSY:
            break
    while True:
        b = other.link.tx()
        if b < 0:
            break
        board.inbox.append(b)
left = turns // 1000
most = 2999
while left >= counts[most]:
    left -= counts[most]
    most -= 1
print(total // turns, worst, most * 10)
"""


def figures(quick: bool = False) -> Iterator[Figure]:
    games = "1" if quick else "10"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "measured.py")
        script.write_text(CLOCK + AIMS, encoding="utf-8")
        for interpreter in INTERPRETERS:
            result = interpreter.run(script, games)
            if result.status:
                raise RuntimeError(result.output)
            for level, line in zip(("random", "hunt", "density", "sharp"), result.stdout.splitlines(), strict=True):
                mean, worst = map(int, line.split())
                yield Figure(f"{interpreter}: an aim of {level}", mean / 1000, "ms", f"longest {worst / 1000:.3g} ms")
        script.write_text(LOOP, encoding="utf-8")
        interpreter = INTERPRETERS[0]
        result = interpreter.run(script, "1" if quick else "3", path=(ROOT / "common", ROOT / "firmware"))
        if result.status:
            raise RuntimeError(result.output)
        mean, worst, usual = map(int, result.stdout.split())
        yield Figure(f"{interpreter}: a turn of the loop", mean / 1000, "ms", f"mean; a byte takes {BYTE_US / 1000} ms")
        yield Figure(f"{interpreter}: the same, 99.9 % of turns", usual / 1000, "ms", "or less")
        yield Figure(f"{interpreter}: the same, longest", worst / 1000, "ms", "other programs included")
