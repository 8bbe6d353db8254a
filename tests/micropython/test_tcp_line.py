"""The board's line over TCP, on the MicroPython for the desktop, with real sockets."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle_host import assets
from seabattle_host.line import virtual_board

BOARD = """
import sys
sys.path[:0] = [{common!r}, {firmware!r}]
from seaboard import tcpline

class Way:
    host, port = "127.0.0.1", {port}
    def joined(self):
        return True

line = tcpline.TcpLine(Way())
some = bytearray(7)
while True:
    if line.any():
        n = line.readinto(some)
        line.write(some[:n])
"""


@pytest.mark.skipif(not virtual_board.has_micropython(), reason="left out: needs MicroPython's desktop port")
def test_bytes_go_both_ways_after_a_refused_call_and_a_lost_connection(tmp_path: Path) -> None:
    """Proved only here: the line connects once the peer listens, and reconnects after a loss. Not tried on a radio."""
    script = tmp_path / "board.py"
    # `const` names do not exist at run time
    source = (assets.firmware() / "seaboard" / "tcpline.py").read_text().replace("const(3000)", "const(50)")
    (tmp_path / "seaboard").mkdir()
    (tmp_path / "seaboard" / "tcpline.py").write_text(source)
    command = [sys.executable, "-c", "import sys; from micropython_unix import main; sys.exit(main())", str(script)]
    text = bytes(range(256)) * 4
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))  # nobody listens there yet: connections are refused
        port = holder.getsockname()[1]
        script.write_text(BOARD.format(common=str(assets.common()), firmware=str(tmp_path), port=port))
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as board:
            try:
                with pytest.raises(subprocess.TimeoutExpired):
                    board.wait(0.3)  # it keeps trying to connect
                holder.listen()
                holder.settimeout(60)
                for sent in (b"\xaa", text):
                    line, _ = holder.accept()
                    with line:
                        line.settimeout(60)
                        line.sendall(sent)
                        heard = b""
                        while len(heard) < len(sent):
                            heard += line.recv(4096)
                        assert heard == sent
            finally:
                board.kill()
