"""A line over TCP in a capture of network packets, dissected by tshark."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, Chunk, Header
from seabattle_host.sniff.forms import evidence
from seabattle_host.sniff.forms.interface import Guess
from seabattle_host.sniff.forms.source import Source

_LINKS = (0, 1, 12, 101, 108, 113, 228, 229, 276)
"""Link types that carry IP: loopback, Ethernet, raw, Linux cooked."""

_FIELDS = ("frame.time_epoch", "tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.payload")
_SECONDS = 600


@dataclass
class Connection:
    """A TCP connection: bytes by sender, identified by ports. The first sender is A."""

    ports: tuple[str, str]
    chunks: list[Chunk] = field(default_factory=list)

    def add(self, at: int, port: str, data: bytes) -> None:
        self.chunks.append(Chunk(at, self.ports.index(port), data))

    def sense(self) -> int:
        """Return the number of bytes in frames."""
        data = b"".join(chunk.data for chunk in self.chunks[:4096])
        found = evidence.weigh(data)
        return round(len(data) * found.share) if found.is_protocol else 0


def guess(source: Source, link: int) -> Guess:
    """Return the connection that looks most like the protocol. Raises UserError if there is none, or no tshark."""
    tool = shutil.which("tshark")
    if link not in _LINKS or tool is None:
        raise UserError(tr("bad_link_type", file=source.name, number=link))
    with tempfile.NamedTemporaryFile() as copy:
        for block in source.blocks():
            copy.write(block)
        copy.flush()
        found = _connections(_lines(tool, copy.name, source.name))
    best = max(found, key=Connection.sense, default=None)
    if best is None or not best.sense():
        raise UserError(tr("no_tcp_line", file=source.name, count=len(found)))
    names = (f"TCP {best.ports[0]}", f"TCP {best.ports[1]}")
    why = tr("why_tcp", a=best.ports[0], b=best.ports[1], more=len(found) - 1)
    return Guess(why, Header(names, began=best.chunks[0].at), plan=best.chunks)


def _lines(tool: str, path: str, name: str) -> Iterator[str]:
    asked = [word for each in _FIELDS for word in ("-e", each)]
    command = [tool, "-r", path, "-Y", "tcp.len > 0 && !tcp.analysis.retransmission", "-T", "fields", *asked]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS)
    if done.returncode and not done.stdout:
        why = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise UserError(tr("sniff_cannot_read", file=name, reason=f"tshark: {why}"))
    yield from done.stdout.splitlines()


def _connections(lines: Iterator[str]) -> list[Connection]:
    found: dict[str, Connection] = {}
    for line in lines:
        cells = line.split("\t")
        try:
            time, stream, sender, receiver, payload = cells
            at, data = int(Decimal(time) * SECOND), bytes.fromhex(payload.replace(":", ""))
        except (ValueError, InvalidOperation):
            continue
        if data:
            found.setdefault(stream, Connection((sender, receiver))).add(at, sender, data)
    return list(found.values())
