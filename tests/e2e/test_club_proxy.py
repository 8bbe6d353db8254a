"""The club behind a real nginx, under a path, with the configuration from docs/club.md."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
from pathlib import Path

import aiohttp

from seabattle_host.club.limits import Limits
from seabattle_host.club.web import WebServer
from tests.club import SOON, at_club, until
from tests.command import ROOT
from tests.needs import program

_CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen unix:{folder}/socket;
        {location}
    }}
}}
"""


def _listens(path: Path) -> bool:
    """Return whether a server accepts connections; its socket's file exists earlier, but refuses them."""
    with socket.socket(socket.AF_UNIX) as call:
        return call.connect_ex(str(path)) == 0


@program("nginx")
async def test_the_documented_lines_of_nginx_carry_the_pages_the_games_and_the_news(tmp_path: Path) -> None:
    """Proved only here: docs/club.md is right about a reverse proxy."""
    page = (ROOT / "docs" / "club.md").read_text(encoding="utf-8")
    found = re.search(r"^    location .*?^    }$", page, re.DOTALL | re.MULTILINE)
    assert found is not None

    async with at_club(tmp_path, limits=Limits(one_address=True, per_address=50), bots=1, unasked=False) as house:
        server = WebServer(house.lobby, frozenset({"127.0.0.1"}))
        await server.open("127.0.0.1", 0)
        location = found[0].replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        (tmp_path / "nginx.conf").write_text(_CONFIGURATION.format(folder=tmp_path, location=location))
        process = subprocess.Popen(["nginx", "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "errors")])
        try:
            await until(lambda: _listens(tmp_path / "socket"))
            connector = aiohttp.UnixConnector(str(tmp_path / "socket"))
            async with aiohttp.ClientSession("http://example.org", connector=connector) as session:
                await look(session)
        finally:
            process.send_signal(signal.SIGQUIT)
            await asyncio.get_running_loop().run_in_executor(None, process.wait)
            await server.close()


async def look(session: aiohttp.ClientSession) -> None:
    """Check that everything a browser requests comes through."""
    for path in ("", "play", "play.js", "party", "party.js", "api/state", "health"):
        async with session.get(f"/sea/{path}") as answer:
            assert answer.status == 200, path
    async with session.get("/sea/events") as answer:
        assert (await answer.content.readline()).startswith(b"data: {")
    # a client of the proxy does not count as local
    async with session.get("/sea/metrics") as answer:
        assert answer.status == 403
    mine = {"Origin": "http://example.org"}
    async with (
        session.ws_connect("/sea/play/ws", headers=mine) as one,
        session.ws_connect("/sea/play/ws", headers=mine) as two,
    ):
        for line, name in ((one, "ONE"), (two, "TWO")):
            await line.send_json({"do": "come", "nick": name, "size": 6})
        for line, name in ((one, "TWO"), (two, "ONE")):
            while json.loads((await line.receive(SOON)).data).get("peer") != name:
                pass
    async with session.ws_connect("/sea/party/ws", headers=mine) as line:
        await line.send_json({"do": "language", "language": "en"})
        await line.send_json({"do": "open", "kind": "melee", "name": "ONE"})
        while not (code := json.loads((await line.receive(SOON)).data).get("code")):
            pass
        async with session.get(f"/sea/party/qr?code={code}") as answer:
            assert answer.status == 200 and "<svg" in await answer.text()
