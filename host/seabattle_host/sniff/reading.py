"""Reading captures in any format: recognises it, says why, and yields its bytes with sides and times.

Items are read on demand: a capture of any size takes little memory. What is damaged or cut off is skipped and reported
(`Lost`); no content of a file raises anything but UserError.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff import clock_match, forms, run_parts, same_moment
from seabattle_host.sniff.capture import SECOND, Chunk, Header, Item, Lost, Piece, split_frames
from seabattle_host.sniff.forms import evidence, spreadsheet
from seabattle_host.sniff.forms.interface import Form, Guess, Left
from seabattle_host.sniff.forms.part_places import part_of
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.merge import interleave

FORMATS = forms.NAMES

_LOOKED_AT = 4096
"""Items looked at to see which sides a file has."""


_AROUND = SECOND // 4
"""Lines late by this much are sorted back: the program that wrote them had two ports to read."""


def in_time(items: Iterator[Item], around: int) -> Iterator[Item]:
    """Sort items by time.

    A gap is reported where times run back by more than `around` microseconds, or an item is repeated.
    """
    held: deque[Item] = deque()
    for item in items:
        if held and item.at < held[-1].at:
            if isinstance(item, Lost):
                item = replace(item, at=held[-1].at)
            elif held[-1].at - item.at > around or item in held:
                yield from held
                held.clear()
                yield Lost(item.at, tr("lost_order"))
            else:
                behind = 1
                while behind < len(held) and held[-1 - behind].at > item.at:
                    behind += 1
                held.insert(len(held) - behind, item)
                continue
        held.append(item)
        while item.at - held[0].at > around:
            yield held.popleft()
    yield from held


T = TypeVar("T", covariant=True)


class Items(Iterable[T]):
    """Items that can be iterated more than once: each time they are read again."""

    def __init__(self, make: Callable[[], Iterator[T]]):
        self._make = make

    def __iter__(self) -> Iterator[T]:
        return self._make()


@dataclass
class Found:
    """A file and its recognised format. left: what was skipped, complete once its items have been read.

    newest_first: its records are in the reverse order.
    """

    source: Source
    form: Form
    guess: Guess
    left: Left = field(default_factory=Left)
    newest_first: bool = False

    def frames(self) -> Iterator[Piece]:
        """Yield its items; whole frames where it stores them."""
        self.left.clear()
        items = self.form.items(self.source, self.guess, self.left)
        if self.newest_first:
            items = reversed(list(items))
        if self.form.name in forms.SEALED or not self.guess.header.timed:
            return items
        return in_time(split_frames(items), max(_AROUND, self.guess.header.resolution))

    def items(self) -> Iterator[Item]:
        """Yield its items."""
        return split_frames(self.frames())

    def sides(self) -> set[int]:
        """Return the sides in its beginning."""
        some = zip(self.items(), range(_LOOKED_AT), strict=False)
        return {item.side for item, _n in some if isinstance(item, Chunk) and item.data}


_MANY = 3
"""Files alike that are described together."""


@dataclass
class Capture:
    """A capture that was read; a `merged` one has both directions on side 0, still to be sorted. found: the files."""

    header: Header
    frames: Iterable[Piece]
    """Its items; whole frames where the files store them."""
    merged: bool = False
    found: list[Found] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Remarks on the files as parts of one run, or as the two sides."""

    @property
    def items(self) -> Iterable[Item]:
        """Its items, byte by byte where each byte has a time."""
        return Items(lambda: split_frames(self.frames))

    @property
    def size(self) -> int:
        """Number of bytes of the line."""
        return sum(len(item.data) for item in self.items if isinstance(item, Chunk))

    @property
    def described(self) -> list[str]:
        """One line per file, or several alike: its format, and why it was recognised."""
        lines: list[str] = []
        for _alike, group in itertools.groupby(self.found, lambda f: forms.describe(f.source, f.form, f.guess, "-")):
            row = list(group)
            if len(row) >= _MANY:
                first, last = row[0], row[-1]
                name = f"{first.source.name} ... {last.source.name} ({len(row)})"
                lines.append(forms.describe(first.source, first.form, first.guess, name))
            else:
                lines += (forms.describe(f.source, f.form, f.guess) for f in row)
        return lines + self.notes

    @property
    def left_out(self) -> list[str]:
        """What the files contain besides the bytes of the line."""
        many = len(self.found) > 1
        return [(f"{f.source.name}: " if many else "") + line for f in self.found for line in f.left.lines()]


def read(paths: Sequence[str], form: str | None = None, merged: bool = False) -> Capture:
    """Read files as one capture: parts in order, or two files with one side each as the sides A and B.

    form: a name of FORMATS, None to recognise it. merged: bytes without sides are of both.
    Raises UserError for a file that cannot be read or is not of that format.
    """
    found, notes = _found_beside(paths) if form is None and len(paths) == 2 else ([], [])
    capture = _whole(found or [_found(Source(path), form) for path in paths], merged)
    capture.notes += notes
    return capture


def parse(data: bytes, form: str, name: str) -> Capture:
    """Parse a file's content in a format. Raises UserError."""
    return _whole([_found(Source(name, data), form)], False, may_be_empty=True)


def recognise(data: bytes) -> str:
    """Return the name of the format of a file's content, empty if unknown."""
    try:
        return forms.recognise(Source("-", data))[1].name
    except UserError:
        return ""


def _found_beside(paths: Sequence[str]) -> tuple[list[Found], list[str]]:
    """Recognise two files, one of which may show what the other is, and remarks on this; nothing if neither does."""
    found: list[Found | None] = []
    for path in paths:
        try:
            found.append(_found(Source(path), None))
        except UserError:
            found.append(None)
    known = [one for one in found if one is not None]
    if len(known) != 1:
        return known, []
    lacks = found.index(None)
    with evidence.beside_another():
        try:
            other = _found(Source(paths[lacks]), None)
        except UserError:
            return [], []
    share = _weight(other).share
    if not evidence.are_sides(_weight(known[0]), _weight(other)):
        return [], []
    note = tr("read_beside", file=other.source.name, share=round(100 * share), other=known[0].source.name)
    return [known[0], other] if lacks else [other, known[0]], [note]


def _weight(found: Found) -> evidence.Evidence:
    return evidence.weigh_first(itertools.islice(_bytes(found.items()), _LOOKED_AT))


def _found(source: Source, name: str | None) -> Found:
    if name is None:
        source, form, guess = forms.recognise(source)
        found = Found(source, form, guess)
        if form.name not in forms.SEALED and guess.header.timed and _is_newest_first(found):
            found.newest_first = True
            source.wrapped = [*source.wrapped, tr("newest_first")]
        return found
    source, form, guess = forms.ordered(source, name)
    return Found(source, form, replace(guess, why=tr("why_forced")))


_TURNED = 400
"""Records by which it is recognised that the newest stand first."""


def _is_newest_first(found: Found) -> bool:
    """Return whether times run back, and hardly ever forward."""
    some = itertools.islice(found.form.items(found.source, found.guess, Left()), _TURNED)
    pairs = list(itertools.pairwise(item.at for item in some if isinstance(item, Chunk)))
    back = sum(after < before for before, after in pairs)
    return back > 2 and back >= 20 * sum(after > before for before, after in pairs)


def _whole(found: list[Found], merged: bool, may_be_empty: bool = False) -> Capture:
    names = ", ".join(f.source.name for f in found)
    if len(found) == 2 and not _are_of_one_run(found) and _are_alike(found):
        raise UserError(tr("same_bytes", files=names))
    if len(found) == 2 and not merged and _are_sides(found):
        capture = _two_sides(found)
    elif len(found) > 2 and all(f.form.name == "raw" for f in found):
        raise UserError(tr("mixed_dumps", count=len(found)))
    else:
        order = _order(found)
        first = found[order.indexes[0]].guess
        if len(found) == 1 and not merged and _one_side_first(found[0]):
            return _apart(found[0])
        guessed = any(f.guess.merged for f in found)
        wanted = merged and any(f.guess.maybe_merged for f in found)
        capture = Capture(first.header, Items(lambda: _one_after_another(found, order)), guessed or wanted, found)
        capture.notes = order.notes
        if capture.merged and first.header.mode != "one":
            capture.header = replace(first.header, mode="merged")
    if not may_be_empty and all(isinstance(item, Lost) for item in capture.frames):
        raise UserError(tr("is_empty", file=names))
    return capture


def _order(found: Sequence[Found]) -> run_parts.Order:
    """Return the order in which files are read one after another."""
    if _one_form(found):
        return run_parts.order([f.source for f in found])
    if len(found) > 1 and all(f.form.name == "csv" for f in found):
        spans = [spreadsheet.numbers(f.source, f.guess) for f in found]
        if all(first for first, _last in spans):
            return run_parts.order_by_records([f.source.name for f in found], spans)
    return run_parts.Order(list(range(len(found))))


def _one_form(found: Sequence[Found]) -> bool:
    """Return whether all have the same format, one that may have parts."""
    return len({f.form.name for f in found}) == 1 and found[0].form.name in ("json", "log", "pcapng")


def _one_after_another(found: Sequence[Found], order: run_parts.Order) -> Iterator[Piece]:
    def items(i: int) -> Iterator[Piece]:
        why = order.gaps.get(i)
        return run_parts.gap(found[i].items(), why) if why else found[i].frames()

    return itertools.chain.from_iterable(map(items, order.indexes))


def _are_sides(found: Sequence[Found]) -> bool:
    """Return whether two files are the two directions: neither has both sides, and they are not parts of one run."""
    if _are_of_one_run(found):
        return False
    if all(map(_may_be_a_side, found)) and any(f.guess.maybe_merged for f in found) and _are_of_two_roles(found):
        return True
    if any(map(_has_both, found)):
        return False
    runs = all(part_of(f.source).run for f in found)
    if all(f.guess.maybe_merged for f in found) or not _one_form(found) or runs:
        return not _are_of_one_side(found)
    # if one follows the other in time, they would be parts
    times = [_span(f) for f in found]
    return not all(f.guess.header.timed for f in found) or times[0][1] > times[1][0]


def _may_be_a_side(found: Found) -> bool:
    """Return whether a file does not say that it has bytes of both sides."""
    return found.guess.header.mode != "one" and (found.guess.maybe_merged or len(found.sides()) == 1)


def _are_of_one_run(found: Sequence[Found]) -> bool:
    """Return whether all are parts of the same run."""
    runs = {part_of(f.source).run for f in found}
    return len(runs) == 1 and "" not in runs


def _has_both(found: Found) -> bool:
    """Return whether a file has bytes of both sides; one recorded on a single line may be of one side only."""
    if found.guess.merged:
        some = (item.data for item in found.items() if isinstance(item, Chunk))
        one_line = found.guess.header.mode == "one"
        return not one_line or evidence.weigh_first(itertools.islice(some, _LOOKED_AT)).is_merged
    return len(found.sides()) > 1


def _are_of_two_roles(found: Sequence[Found]) -> bool:
    """Return whether two files have the bytes of one role each."""
    return evidence.are_sides(*map(_weight, found))


def _are_of_one_side(found: Sequence[Found]) -> bool:
    """Return whether both were recorded with known sides, and have the same one."""
    known = all(f.guess.header.mode in ("relay", "tap", "virtual") for f in found)
    return known and found[0].sides() == found[1].sides()


def _are_alike(found: Sequence[Found]) -> bool:
    """Return whether two files have the same bytes, and some."""
    pairs = itertools.zip_longest(*(_bytes(f.items()) for f in found))
    first = next(pairs, None)
    return first is not None and first[0] == first[1] and all(one == other for one, other in pairs)


def _span(found: Found) -> tuple[int, int]:
    first = last = -1
    for item in found.items():
        first = item.at if first < 0 else first
        last = item.at
    return first, last


def _two_sides(found: list[Found]) -> Capture:
    names = (found[0].source.name, found[1].source.name)
    with_times = all(f.guess.header.timed for f in found)
    timed = with_times and clock_match.share_a_clock((_first(found[0]), _first(found[1])))
    coarse = max(f.guess.header.resolution for f in found)
    header = Header(
        names, mode="raw" if found[0].form.name == "raw" else "hex", timed=timed, ordered=timed, resolution=coarse
    )

    def of_side(side: int) -> Iterator[Item]:
        for item in found[side].items():
            yield replace(item, side=side) if isinstance(item, Chunk) else item

    def ordered() -> Iterator[Item]:
        if timed:
            return same_moment.in_order(heapq.merge(of_side(0), of_side(1), key=lambda item: item.at))
        return interleave((_bytes(of_side(0)), _bytes(of_side(1))))

    notes = [tr("two_clocks")] if with_times and not timed else []
    return Capture(header, Items(ordered), False, found, notes)


_FEW = 16
"""Bytes of a side that may come in one piece."""


def _one_side_first(found: Found) -> bool:
    """Return whether a file without times has all bytes of one side in front of all of the other."""
    if found.guess.header.timed or found.guess.merged or found.form.name in forms.SEALED:
        return False
    sizes: list[int] = []
    before = None
    for item in found.items():
        if not isinstance(item, Chunk):
            continue
        if item.side != before:
            if len(sizes) == 2 or (sizes and sizes[0] < _FEW):
                return False
            sizes.append(0)
            before = item.side
        sizes[-1] += len(item.data)
    return len(sizes) == 2 and min(sizes) >= _FEW


def _apart(found: Found) -> Capture:
    """Return a file with one side after the other like two files."""

    def of_side(side: int) -> Iterator[Item]:
        return (item for item in found.items() if isinstance(item, Chunk) and item.side == side)

    def ordered() -> Iterator[Item]:
        yield from (item for item in found.items() if isinstance(item, Lost))
        yield from interleave((_bytes(of_side(0)), _bytes(of_side(1))))

    header = replace(found.guess.header, timed=False, ordered=False)
    return Capture(header, Items(ordered), False, [found], [tr("one_side_first")])


def _first(found: Found) -> list[Chunk]:
    """Return the chunks at its beginning."""
    return list(itertools.islice((item for item in found.items() if isinstance(item, Chunk)), _LOOKED_AT))


def _bytes(items: Iterator[Item]) -> Iterator[bytes]:
    return (item.data for item in items if isinstance(item, Chunk))
