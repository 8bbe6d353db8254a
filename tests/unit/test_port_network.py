"""Ports behind a network: what a server does not do is named with the remedy, and is no lost game."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator

import pytest
import serial
from serial import rfc2217

from seabattle_host.language import words
from seabattle_host.line.port import Port
from tests.calls import Seabattle
from tests.unit.test_port import refusal


class Manager(rfc2217.PortManager):
    """What answers as RFC 2217 has it, but for a fault."""

    fault = ""

    def rfc2217_send_subnegotiation(self, option: bytes, value: bytes = b"") -> None:
        if self.fault == "parity" and option == rfc2217.SERVER_SET_PARITY:
            value = b"\x01"
        if self.fault != "deaf" or option != rfc2217.SERVER_SET_CONTROL:
            super().rfc2217_send_subnegotiation(option, value)


class Line(socketserver.StreamRequestHandler):
    """A connection to a server of serial ports; `fault` is what that does wrong.

    `deaf`: does not answer when control lines are set. `parity`: keeps its own. `plain`: passes bytes only.
    `leaves`: closes each connection.
    """

    fault = ""

    def handle(self) -> None:
        if self.fault == "leaves":
            return
        manager = None if self.fault == "plain" else Manager(serial.serial_for_url("loop://"), self.wfile)
        while data := self.request.recv(4096):
            if manager is not None:
                manager.fault = self.fault
                list(manager.filter(data))


@pytest.fixture
def serve() -> Iterator[Callable[[str], str]]:
    """Starts a server with a fault; its address."""
    words.use("en")
    servers = []

    def make(fault: str) -> str:
        line = type("Faulty", (Line,), {"fault": fault})
        servers.append(socketserver.ThreadingTCPServer(("127.0.0.1", 0), line))
        servers[-1].daemon_threads = True
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"127.0.0.1:{servers[-1].server_address[1]}"

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_server_that_is_deaf_to_control_lines_is_opened_as_the_line_says(serve):
    url = f"rfc2217://{serve('deaf')}?timeout=0.5"
    line = refusal(url)
    assert "does not answer when control lines are set" in line
    better = line.rpartition(" ")[2]
    assert "ign_set_control" in better
    with Port(better) as port:
        assert port.is_open


def test_a_server_that_keeps_its_own_parity_is_told_from_a_silent_one(serve):
    assert "does not take 9600 8E2 (parity)" in refusal(f"rfc2217://{serve('parity')}")


def test_a_server_of_plain_bytes_is_named_with_the_address_for_it(serve):
    address = serve("plain")
    line = refusal(f"rfc2217://{address}?timeout=0.5")
    assert f"use socket://{address}" in line
    with Port(f"socket://{address}") as port:
        assert port.is_open


@pytest.mark.parametrize("command", ["bot --wait 20", "board --autoplay", "flash", "boards"])
def test_a_connection_that_is_closed_at_once_is_a_port_that_did_not_open(command: str, serve, seabattle: Seabattle):
    url = f"socket://{serve('leaves')}"
    status, _, complaint = seabattle(f"{command} --lang en --port", url)
    assert status == 2 and url in complaint and complaint.count("\n") == 1
