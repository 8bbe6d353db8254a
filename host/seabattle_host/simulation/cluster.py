"""Distributes simulated games over a Dask cluster, with the same output as a single process for the same seed.

Games are independent and identified by the seed and their number, so a chunk on a lost worker is simply replayed
elsewhere. Chunks come back in order; just enough are under way that workers never idle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.simulation.sim import Game, Spec, play_chunk

_CHUNK = 200
"""Games per task: some seconds of work, so that the cost of sending it is negligible."""

_AHEAD = 4
"""Tasks under way per worker thread."""


def play_all(spec: Spec, games: int, address: str, first: int = 0) -> Iterator[list[Game]]:
    """Yield games first..games-1 in order, some at a time.

    The workers of the scheduler at `address` (HOST:PORT or a Dask URL) play them.

    Raises UserError if Dask is not installed, the address is invalid, or nothing answers there, SeabattleError if the
    cluster fails on the way.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
        from distributed.scheduler import KilledWorker
    except ImportError as e:
        raise UserError(tr("no_dask")) from e
    try:
        # a client given a bad address fails too, but then waits in vain for itself to close
        get_address_host_port(address)
    except ValueError as e:
        raise UserError(tr("bad_scheduler", address=address)) from e
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as e:
        raise UserError(tr("no_scheduler", address=address)) from e
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UserError(tr("no_workers", address=address))
        size = max(1, min(_CHUNK, (games - first) // (threads * _AHEAD)))
        firsts = iter(range(first, games, size))
        waiting: deque[Any] = deque()

        def more() -> None:
            for at in firsts:
                waiting.append(client.submit(play_chunk, spec, at, min(at + size, games), pure=False))
                return

        for _ in range(threads * _AHEAD):
            more()
        while waiting:
            try:
                yield waiting.popleft().result()
            except (KilledWorker, OSError) as e:
                raise SeabattleError(tr("cluster_lost", address=address)) from e
            more()
