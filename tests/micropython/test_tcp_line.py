"""The board's line over TCP, on the MicroPython for the desktop, with real sockets."""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import DENSITY, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host import assets
from seabattle_host.line import virtual_board

TICK = 65536 / 1193182

BOARD = """
import sys, time
sys.path[:0] = [{common!r}, {firmware!r}]
from seaboard import tcpline
from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import DENSITY, Gunner
from seabattle.link import EV_OVER, Link
from seabattle.player import Player
from seabattle.rng import Rng

class Way:
    host, port = "127.0.0.1", {port}
    def joined(self):
        return True

line = tcpline.TcpLine(Way())
rng = Rng(5)
player = Player(Link(wire.SLAVE, rng), rng)
link = player.link
bot = Bot(player, Gunner(player.radar, rng, DENSITY), 1)
one = bytearray(1)
ticked = time.ticks_ms()
over = False
while not link.closed and not (over and link.state == 0):
    if line.any():
        line.readinto(one)
        link.rx(one[0])
    while True:
        ev = player.poll()
        if not ev:
            break
        if ev == EV_OVER:
            over = True
            print("over", link.a, link.b)
    bot.step()
    b = link.tx()
    while b >= 0:
        one[0] = b
        line.write(one)
        b = link.tx()
    if time.ticks_diff(time.ticks_ms(), ticked) >= 55:
        ticked = time.ticks_add(ticked, 55)
        link.tick()
    link.calm(6)
"""


@pytest.mark.skipif(not virtual_board.micropython_there(), reason="left out: needs MicroPython's desktop port")
def test_a_game_after_a_refused_call_and_a_lost_connection(tmp_path: Path) -> None:
    """What it alone proves: the line calls until somebody listens, calls again when the other end has gone, and carries
    a whole game. Not tried on a radio."""
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))  # nobody listens there yet: calls are refused
    script = tmp_path / "board.py"
    # `const` names are no names at run time
    source = (assets.firmware() / "seaboard" / "tcpline.py").read_text().replace("const(3000)", "const(50)")
    (tmp_path / "seaboard").mkdir()
    (tmp_path / "seaboard" / "tcpline.py").write_text(source)
    script.write_text(BOARD.format(common=str(assets.common()), firmware=str(tmp_path), port=holder.getsockname()[1]))
    command = [sys.executable, "-c", "import sys; from micropython_unix import main; sys.exit(main())", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as board:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                board.wait(0.3)  # it goes on calling
            holder.listen()
            holder.settimeout(10)
            first, _ = holder.accept()
            first.settimeout(10)
            first.sendall(bytes([wire.SYNC]))
            assert first.recv(1) == bytes([wire.SYNCED])
            first.close()
            second, _ = holder.accept()
            result = play(second)
            assert result == links.WE_WON or result == links.WE_LOST
            told, _ = board.communicate(timeout=10)
        finally:
            board.kill()
            holder.close()
    other = links.WE_WON if result == links.WE_LOST else links.WE_LOST
    assert told.split() == ["over", str(other), str(links.BY_SHOTS)]


def play(line: socket.socket) -> int:
    """One game as master, and a goodbye; how it ended."""
    rng = Rng(3)
    player = Player(Link(wire.MASTER, rng), rng)
    link = player.link
    bot = Bot(player, Gunner(player.radar, rng, DENSITY), 1, (6, 0, 0, 1, 2))
    result = -1
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    due = time.monotonic()
    end = due + 60
    while not link.closed and time.monotonic() < end:
        if select.select([line], [], [], 0.001)[0]:
            for byte in line.recv(100):
                link.rx(byte)
        while code := player.poll():
            if code == links.EV_OVER:
                result = link.a
        bot.step()
        out = bytearray()
        while (byte := link.tx()) >= 0:
            out.append(byte)
        line.sendall(out)
        while time.monotonic() >= due:
            due += TICK
            link.tick()
        link.calm(links.CALM_MS)
    line.close()
    return result
