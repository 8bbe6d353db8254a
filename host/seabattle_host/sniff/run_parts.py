"""The files of one run in order; reports missing, duplicate, swapped and foreign ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Item, Lost
from seabattle_host.sniff.forms.part_places import hash_of, last_part, part_of
from seabattle_host.sniff.forms.source import Source


@dataclass
class Order:
    """indexes: the files to read, in order; gaps: what is missing before one; notes: for people."""

    indexes: list[int]
    gaps: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def order(sources: Sequence[Source]) -> Order:
    """Return the order of files that may be parts of a run. Raises UserError if they are of different runs."""
    places = [part_of(source) for source in sources]
    if not sources or not all(place.run for place in places):
        return Order(list(range(len(sources))))
    for source, place in zip(sources, places, strict=True):
        if place.run != places[0].run:
            raise UserError(tr("part_foreign", file=source.name, other=sources[0].name))
    out = Order([])
    # a file may have several parts
    is_only = len(sources) == 1
    last = [last_part(source, place.number, is_only) for source, place in zip(sources, places, strict=True)]
    row = sorted(range(len(sources)), key=lambda index: places[index].number)
    for number, group in itertools.groupby(row, lambda index: places[index].number):
        copies = list(group)
        until = max(last[copy][0] for copy in copies)
        whole = [copy for copy in copies if last[copy][0] == until]
        i = _whole_one(sources, whole, {place.before for place in places if place.number == until + 1})
        before = out.indexes[-1] if out.indexes else -1
        out.notes += (tr("part_twice", file=sources[more].name, part=number) for more in copies if more != i)
        if before >= 0 and until <= last[before][0]:
            out.notes.append(tr("part_twice", file=sources[i].name, part=number))
            continue
        if before < 0 and number > 1:
            out.notes.append(tr("part_head", part=number))
        elif before >= 0:
            end = replace(places[before], number=last[before][0])
            if why := places[i].break_behind(end, hash_of(sources[before])):
                out.gaps[i] = why
        out.indexes.append(i)
    number, has_more = last[out.indexes[-1]]
    if has_more:
        out.notes.append(tr("part_tail", part=number))
    if out.indexes != sorted(out.indexes):
        out.notes.append(tr("part_order", parts=", ".join(str(places[i].number) for i in out.indexes)))
    return out


def _whole_one(sources: Sequence[Source], copies: list[int], named: set[str]) -> int:
    """Return which of several copies of a part is read: one that the next part names, else the longest."""
    if len(copies) == 1:
        return copies[0]
    whole = (i for i in copies if hash_of(sources[i]) in named)
    found = next(whole, -1)
    return found if found >= 0 else max(copies, key=lambda i: sum(map(len, sources[i].blocks())))


def order_by_records(names: Sequence[str], spans: Sequence[tuple[int, int]]) -> Order:
    """Return the order of tables, which name no run, by the first and last numbers of their records.

    Raises UserError if two have the same numbers without being the same part.
    """
    out = Order([])
    for i in sorted(range(len(spans)), key=lambda index: spans[index]):
        before = out.indexes[-1] if out.indexes else -1
        first, last = spans[i]
        if before >= 0 and spans[before] == spans[i]:
            out.notes.append(tr("part_again", file=names[i], first=first, last=last))
            continue
        if before >= 0 and first <= spans[before][1]:
            raise UserError(tr("part_foreign", file=names[i], other=names[before]))
        if before < 0 and first > 1:
            out.notes.append(tr("part_records", number=first))
        elif before >= 0 and first != spans[before][1] + 1:
            out.gaps[i] = tr("lost_records", first=spans[before][1] + 1, last=first - 1)
        out.indexes.append(i)
    if out.indexes != sorted(out.indexes):
        out.notes.append(tr("part_order", parts=", ".join(names[i] for i in out.indexes)))
    return out


def gap(items: Iterator[Item], why: str) -> Iterator[Item]:
    """Yield a gap and the items."""
    first = True
    for item in items:
        if first:
            yield Lost(item.at, why)
            first = False
        yield item
