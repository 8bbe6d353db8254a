"""A capture as records."""

from __future__ import annotations

from collections.abc import Iterator

from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.reading import Capture
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session


def records(capture: Capture, session: Session) -> Iterator[Record]:
    """All records of a capture, through `session`."""
    if not capture.merged:
        yield from session.run(capture.items)
        return
    sorter = Sorter(session)
    for item in capture.items:
        yield from sorter.feed(item)
    yield from sorter.finish()
