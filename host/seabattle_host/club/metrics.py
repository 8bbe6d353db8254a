"""The club's metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from seabattle_host.club.limits import TURN_BOUNDS

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Lobby


class Figures:
    """The metrics of a lobby."""

    def __init__(self, lobby: Lobby):
        self._lobby = lobby
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Implement a collector of prometheus_client."""
        lobby = self._lobby
        yield GaugeMetricFamily(
            "seabattle_connections", "Who is there", sum(v.computer is None for v in lobby.sessions)
        )
        yield GaugeMetricFamily("seabattle_waiting", "Who waits in the queue", len(lobby.matchmaker.waiting()))
        yield GaugeMetricFamily("seabattle_games", "Pairs that are joined", len(lobby.relays))
        yield GaugeMetricFamily("seabattle_late_ticks", "How late the last tick was, in ticks", lobby.late)
        names = [*map(str, TURN_BOUNDS), "+Inf"]
        turns = list(zip(names, map(float, accumulate(lobby.turns)), strict=True))
        yield HistogramMetricFamily("seabattle_turn_seconds", "Turns of the loop: how long work waits", turns, None)
        yield CounterMetricFamily("seabattle_ticks", "Ticks of the club's clock", lobby.ticks)
        finished = CounterMetricFamily("seabattle_finished", "Games that have ended", labels=["ending"])
        for ending, count in sorted(lobby.finished.items()):
            finished.add_metric([ending], count)
        yield finished
