"""Serving the club to others: https, its log as JSON, limits that count pages and lines together."""

from __future__ import annotations

import asyncio
import json
import ssl
from datetime import datetime
from pathlib import Path

import aiohttp
import pytest
import trustme

from seabattle_host.club.limits import Limits
from seabattle_host.club.page_boards import is_supported
from tests.club import Site, until
from tests.command import Command


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
