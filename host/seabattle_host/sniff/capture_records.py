"""A capture as records."""

from __future__ import annotations

from collections.abc import Iterator

from seabattle_host.sniff.capture import Item
from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.reading import Capture
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session


def records(capture: Capture, session: Session, items: Iterator[Item] | None = None) -> Iterator[Record]:
    """Yield all records of a capture, through `session`.

    items: those of the capture, if they are also used elsewhere.
    """
    session.resolution = capture.header.resolution
    if not capture.merged:
        yield from session.run(capture.frames if items is None else items)
        return
    sorter = Sorter(session)
    for item in capture.items if items is None else items:
        yield from sorter.feed(item)
    yield from sorter.finish()
