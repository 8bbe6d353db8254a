"""Serving the club to others: https, a proxy, its log as JSON, limits that count pages and lines together."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import ssl
import subprocess
from datetime import datetime
from pathlib import Path

import aiohttp
import pytest
import trustme

from seabattle_host.club.limits import Limits
from seabattle_host.club.page_boards import is_supported
from seabattle_host.club.web import WebServer
from tests.club import SOON, Site, at_club, until
from tests.command import ROOT, Command
from tests.needs import program


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def files(authority: trustme.CA, folder: Path) -> tuple[str, str]:
    """Write a certificate for this computer and its key to files."""
    made = authority.issue_cert("localhost", "127.0.0.1")
    cert, key = folder / "cert.pem", folder / "key.pem"
    made.cert_chain_pems[0].write_to_path(cert)
    made.private_key_pem.write_to_path(key)
    return str(cert), str(key)


def test_https_and_wss_by_cert_and_key_and_a_log_in_json(tmp_path: Path, authority: trustme.CA) -> None:
    """In a process of its own; the only test of the options."""
    cert, key = files(authority, tmp_path)
    options = ("--db", str(tmp_path / "c.sqlite"), "--listen", "none", "--web", "127.0.0.1:0", "--log", "json")
    with Command("club", "serve", *options, "--cert", cert, "--key", key) as serve:
        line = json.loads(serve.line("the page is at"))
        assert set(line) == {"at", "text"} and datetime.fromisoformat(line["at"]).tzinfo is not None
        url = line["text"].split()[-1]
        assert url.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)

        async def come() -> None:
            async with aiohttp.ClientSession() as session:
                async with session.get(url + "health", ssl=trusting) as answer:
                    assert answer.status == 200
                async with session.ws_connect(url + "play/ws", ssl=trusting, origin=url.rstrip("/")) as socket:
                    await socket.send_json({"do": "come", "nick": "MAX"})
                    assert (await socket.receive_json())["key"]
                with pytest.raises(aiohttp.ClientError):
                    await session.get(url.replace("https", "http") + "health")

        asyncio.run(come())
        came = json.loads(serve.line("browser 127.0.0.1"))
        assert came["text"] == "browser 127.0.0.1 has come"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--cert", "CERT"), "--key"),
        (("--key", "KEY"), "--cert"),
        (("--cert", "CERT", "--key", "nowhere.pem"), "nowhere.pem"),
        (("--cert", "KEY", "--key", "KEY"), "key.pem"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_named_in_one_line(
    tmp_path: Path, authority: trustme.CA, arguments: tuple[str, ...], says: str
) -> None:
    cert, key = files(authority, tmp_path)
    given = [{"CERT": cert, "KEY": key}.get(part, part) for part in arguments]
    options = ("--db", str(tmp_path / "c.sqlite"), "--listen", "none", "--web", "127.0.0.1:0")
    with Command("club", "serve", *options, *given) as serve:
        status, _out, err = serve.finish()
    assert status == 2 and len(err.splitlines()) == 1 and says in err


@pytest.mark.club(limits=Limits(per_address=2))
async def test_of_one_address_pages_lines_and_boards_are_counted_together(site: Site) -> None:
    house, url, session = site
    async with session.ws_connect(f"{url}/play/ws") as first, session.ws_connect(f"{url}/ws"):
        await first.send_json({"do": "come", "nick": "ONE"})
        assert (await first.receive_json())["key"]
        await until(lambda: len(house.lobby.sessions) == 2)
        raw = await house.raw()
        await until(lambda: raw.hung_up)
        async with session.ws_connect(f"{url}/play/ws") as second:
            await second.send_json({"do": "come", "nick": "TWO"})
            assert await second.receive_json() == {"phase": "refused", "why": "crowded"}
        if is_supported():
            async with session.ws_connect(f"{url}/play/board") as board:
                assert await board.receive_json() == {"refused": "full"}
        assert len(house.lobby.sessions) == 2


@pytest.mark.club(limits=Limits())
@pytest.mark.parametrize("path", ["/play/ws", "/play/board", "/ws"])
async def test_no_websocket_is_opened_for_a_page_from_elsewhere(site: Site, path: str) -> None:
    _house, url, session = site
    for origin in ("http://elsewhere.example", "null", url.replace("127.0.0.1", "localhost")):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(url + path, origin=origin)
        assert refused.value.status == 403
    if path != "/play/board":  # a board would be switched on
        async with session.ws_connect(url + path, origin=url) as own:
            assert not own.closed


@pytest.mark.club(limits=Limits())
async def test_no_page_has_code_or_style_in_its_lines(site: Site) -> None:
    _house, url, session = site
    for path in ("/", "/play"):
        async with session.get(url + path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            text = await answer.text()
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "<style" not in text and "style=" not in text and " on" + "click=" not in text
        assert text.count("<script") == text.count("<script src=")


# Behind a real nginx, under a path, with the configuration from docs/club.md.

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
