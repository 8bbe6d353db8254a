"""Ports behind a network: what a server does not do is named with the remedy, and is no lost game."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from seabattle_host.language import words
from seabattle_host.line.port import Port
from tests.calls import Seabattle
from tests.unit.test_port import refusal

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
COM_PORT, SET_PARITY, SET_CONTROL, ANSWER = 44, 3, 5, 100


class Server:
    """A server of serial ports as RFC 2217 has it; `fault` is what it does wrong.

    `deaf`: does not answer when control lines are set. `parity`: keeps its own. `plain`: passes bytes only.
    `leaves`: closes each connection.
    """

    def __init__(self, fault: str):
        self._fault = fault
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            if self._fault == "leaves":
                line.close()
            else:
                threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line: socket.socket) -> None:
        rest = b""
        with line:
            while data := line.recv(4096):
                if self._fault == "plain":
                    continue
                rest = self._answer(line, rest + data)

    def _answer(self, line: socket.socket, data: bytes) -> bytes:
        """Answer the requests that are complete; what is left."""
        while (at := data.find(IAC)) >= 0 and len(data) >= at + 3:
            kind, option = data[at + 1], data[at + 2]
            if kind != SB:
                if kind in (DO, WILL):
                    line.sendall(bytes([IAC, WILL if kind == DO else DO, option]))
                data = data[at + 3 :]
                continue
            end = data.find(bytes([IAC, SE]), at)
            if end < 0:
                break
            what, value = data[at + 3], data[at + 4 : end]
            data = data[end + 2 :]
            if what == SET_CONTROL and self._fault == "deaf":
                continue
            if what == SET_PARITY and self._fault == "parity":
                value = b"\x01"
            line.sendall(bytes([IAC, SB, COM_PORT, what + ANSWER]) + value + bytes([IAC, SE]))
        return data


@pytest.fixture
def serve() -> Iterator[object]:
    words.use("en")
    servers = []

    def make(fault: str) -> Server:
        servers.append(Server(fault))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


def test_a_server_that_is_deaf_to_control_lines_is_opened_as_the_line_says(serve):
    url = f"rfc2217://{serve('deaf').address}?timeout=0.5"
    line = refusal(url)
    assert "does not answer when control lines are set" in line
    better = line.rpartition(" ")[2]
    assert "ign_set_control" in better
    with Port(better) as port:
        assert port.is_open


def test_a_server_that_keeps_its_own_parity_is_told_from_a_silent_one(serve):
    assert "does not take 9600 8E2 (parity)" in refusal(f"rfc2217://{serve('parity').address}")


def test_a_server_of_plain_bytes_is_named_with_the_address_for_it(serve):
    server = serve("plain")
    line = refusal(f"rfc2217://{server.address}?timeout=0.5")
    assert f"use socket://{server.address}" in line
    with Port(f"socket://{server.address}") as port:
        assert port.is_open


@pytest.mark.parametrize("command", ["bot --wait 20", "board --autoplay", "flash", "boards"])
def test_a_connection_that_is_closed_at_once_is_a_port_that_did_not_open(command: str, serve, seabattle: Seabattle):
    url = f"socket://{serve('leaves').address}"
    status, _, complaint = seabattle(f"{command} --lang en --port", url)
    assert status == 2 and url in complaint and complaint.count("\n") == 1
