"""Client address and public URL of a request, also behind a reverse proxy.

A proxy sends X-Forwarded-For, -Proto, -Host and -Prefix. Anybody can send these, so they are trusted only from the
addresses that the club's owner has named.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web


def client_address(request: web.Request, trusted: frozenset[str]) -> str:
    """Return the client's address: the last one that is not a trusted proxy's."""
    address = request.remote or "?"
    if address not in trusted:
        return address
    addresses = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    return next((part for part in reversed(addresses) if part not in trusted), address)


def public_url(request: web.Request, trusted: frozenset[str], page: str = "play") -> str:
    """Return the public URL of a page."""
    scheme, host, prefix = request.scheme, request.host, ""
    if (request.remote or "") in trusted:
        scheme = request.headers.get("X-Forwarded-Proto", scheme).split(",")[0].strip()
        host = request.headers.get("X-Forwarded-Host", host).split(",")[0].strip()
        prefix = request.headers.get("X-Forwarded-Prefix", "").split(",")[0].strip().rstrip("/")
    return f"{scheme}://{host}{prefix}/{page}"


def is_same_origin(request: web.Request, trusted: frozenset[str]) -> bool:
    """Return whether a websocket is opened by a page of the club; a client without an Origin is no browser."""
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    hosts = {request.host}
    if (request.remote or "") in trusted:
        hosts.add(request.headers.get("X-Forwarded-Host", request.host).split(",")[0].strip())
    return urlsplit(origin).netloc in hosts
