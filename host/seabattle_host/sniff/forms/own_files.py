"""JSON lines and text logs of this program (including those of `seabattle bot`)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, pairwise

from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import (
    MARKS,
    SECOND,
    SIDES,
    Chunk,
    Crossed,
    Fault,
    Header,
    Item,
    Lost,
    Piece,
    empty_chunk,
    group_by_time,
    is_merged_mode,
    sort_crossed,
    split_frames,
)
from seabattle_host.sniff.file_seals import CLOSING, JSON_FORMAT, MARK, SEALED, Closing
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.part_places import PartOf, is_closed, is_edited, joint, parsed, place_in, place_of
from seabattle_host.sniff.forms.plain_lines import APART, PlainLines, together_crossed
from seabattle_host.sniff.forms.source import Source

_LETTERS = {str(fault.name)[0].lower(): int(fault) for fault in Fault}


_MARK = re.compile(r'"type": ?"(?:header|frame|noise|cut|lack|lost)".*"(?:crc|raw|format)": ?"')


class JsonForm:
    """One object per line, sealed with a CRC."""

    name = "json"

    def recognise(self, source: Source) -> Guess | None:
        begin = next((line for line in source.head if line.strip()), "")
        if begin.lstrip()[:1] != "{":
            return None
        ours = [line for line in source.head[:50] if _MARK.search(line)]
        return self.forced(source) if ours else None

    def forced(self, source: Source) -> Guess:
        header: Header | None = None
        seen = False
        for line in source.head or [line for line, _ended in source.lines()]:
            body = parsed(line)
            if body is None:
                continue
            seen = True
            if body.get("type") == "header":
                if body.get("format") != JSON_FORMAT:
                    raise UserError(tr("not_format", file=source.name, format=self.name))
                header = _json_header(body)
                break
        if not seen:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        header = header or Header()
        return Guess(tr("why_ours", what=self.name), header, merged=is_merged_mode(header.mode))

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Piece]:
        records = chain.from_iterable(_json_items(source, left))
        return arrival(split_frames(records)) if guess.merged else records


def _json_items(source: Source, left: Left) -> Iterator[Iterable[Piece]]:
    """Yield the items, many at a time."""
    expected = at = damaged = number = 0
    hashed = hashlib.sha256()
    ended = waited = edited = False
    part: PartOf | None = None
    closed = is_closed(source)
    plain = PlainLines(is_checked=closed)
    crossed = plain.crossed
    for block in source.coded_blocks():
        lines: list[bytes] = []
        done = 0
        plain.split(block)
        while done < plain.lines:
            count, found = (0, ()) if damaged else plain.take(done, expected)
            if count:
                # the common case, without parsing JSON
                whole = count == plain.lines
                if not (whole or lines):
                    lines = block.splitlines(keepends=True)
                if not closed:
                    hashed.update(block if whole else b"".join(lines[done : done + count]))
                at = plain.at
                waited = False
                number += count
                expected += count
                done += count
                yield found
                continue
            lines = lines or block.splitlines(keepends=True)
            line = lines[done]
            if not number and b'"type":"header"' not in line and b'"crc":"' in line:
                first = (parsed(line.decode("utf-8", "replace").rstrip()) or {}).get("at")
                yield [Lost(first if isinstance(first, int) else 0, tr("lost_head"))]
            number += 1
            done += 1
            text = line.decode("utf-8", "replace").removesuffix("\n")
            if not text.strip():
                continue
            if crossed and '"crossed"' not in text:
                yield together_crossed(crossed)
            if damaged:
                yield [Lost(at, tr("lost_seal" if edited else "lost_damaged", line=damaged))]
                damaged = 0
            body = parsed(text, closed)
            if body is None:
                # the last line may only be cut off, which shows if nothing follows
                damaged, edited = number, is_edited(text)
                expected = 0
                continue
            kind = body.get("type")
            if kind == "end":
                ended = True
                # lines edited as documented are counted as such, and the total hash cannot match any more
                same = closed or body.get("hash") == hashed.hexdigest()[:16]
                changed = not (same or "left_unsealed" in left.counts)
                if changed or (expected and body.get("n") != expected - 1):
                    yield [Lost(at, tr("lost_changed"))]
                continue
            if kind == "header":
                if body.get("format") != JSON_FORMAT:
                    raise UserError(tr("not_format", file=source.name, format="json"))
                place = place_of(body)
                if part is not None and (gaps := joint(part, place, at, bool(part.run) and not ended)):
                    # files that were joined into one
                    yield gaps
                    expected = 0
                part = place if '"crc"' in text else PartOf()
                hashed = hashlib.sha256()
                ended = False
            hashed.update(f"{text}\n".encode("utf-8", "surrogateescape"))
            if '"crc"' not in text and "crc" not in body:
                left.add("left_unsealed", number)
            if kind == "header":
                continue
            try:
                n, at, items = _json_item(body, expected, at)
            except OffsetsError:
                yield [Lost(at, tr("lost_offsets", line=number))]
                expected += bool(expected)
                continue
            except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError):
                yield [Lost(at, tr("lost_member", line=number))]
                expected += bool(expected)
                continue
            if expected and n > expected:
                yield [Lost(at, tr("lost_records", first=expected, last=n - 1))]
            elif n < expected and '"crc"' in text:
                yield [Lost(at, tr("lost_again", number=n))]
            expected = n + 1
            waited = not items
            if body.get("crossed") is True:
                crossed += (item for item in items if isinstance(item, Chunk))
            else:
                yield items
    yield together_crossed(crossed)
    if waited:
        yield [empty_chunk(at)]
    if damaged or source.cut:
        yield [Lost(at, tr("lost_tail"))]
    elif part is not None and part.run and not ended:
        yield [Lost(at, tr("lost_end"))]


def _json_header(body: dict[str, object]) -> Header:
    names = body.get("names")
    good = isinstance(names, list) and len(names) == 2
    began, resolution = body.get("began"), body.get("resolution")
    return Header(
        (str(names[0]), str(names[1])) if good else ("A", "B"),  # type: ignore[index]
        str(body.get("settings", "")),
        str(body.get("mode", "file")),
        began if isinstance(began, int) else 0,
        timed=body.get("timed") is not False,
        ordered=body.get("ordered") is not False,
        resolution=resolution if isinstance(resolution, int) and resolution > 0 else 0,
    )


def _json_item(body: dict[str, object], expected: int, before: int) -> tuple[int, int, list[Item]]:
    """Return number and time of a record, and its bytes with their times. Records written by hand may have neither."""
    n, at = body.get("n", expected or 1), body.get("at", before)
    if type(n) is not int or type(at) is not int:
        n, at = int(str(n)), int(str(at))
    if not 0 <= at < _NEVER:
        raise ValueError(at)
    if body["type"] == "lost":
        return n, at, [Lost(at, str(body.get("why", "")))]
    raw = bytes.fromhex(str(body.get("raw", "")))
    if not raw:
        return n, at, []
    side = SIDES.index(str(body["side"]))
    given, marked = body.get("offsets"), body.get("faults")
    if not given and not marked:
        return n, at, [Chunk(at, side, raw)]
    marked = marked or {}
    if not isinstance(marked, dict):
        raise ValueError(marked)
    try:
        times = [int(value) for value in given] if given else [0] * len(raw)  # type: ignore[attr-defined]
    except (ValueError, TypeError, OverflowError) as error:
        raise OffsetsError from error
    if len(times) != len(raw) or not are_offsets(times):
        raise OffsetsError
    faults = bytearray(len(raw))
    for place, names in marked.items():
        for name in names:
            faults[int(place)] |= Fault[name.upper()]
    return n, at, list(group_by_time(at, side, raw, times, bytes(faults) if marked else b""))


class OffsetsError(ValueError):
    """Offsets of a record's bytes that run back or are too far apart."""


_NEVER = 1 << 62
"""Times are below this."""


def are_offsets(offsets: Sequence[int]) -> bool:
    """Return whether these can be the offsets of a record's bytes."""
    return not offsets or (0 <= offsets[0] < APART and all(0 <= b - a < APART for a, b in pairwise(offsets)))


LATEST = 4_000_000
"""How long a record may be held back by one that began before it: a cut frame, or a burst of noise."""


def arrival(items: Iterator[Item]) -> Iterator[Item]:
    """Sort the chunks of records, which are in the order of their completion, by arrival of the bytes."""
    held: list[Chunk] = []
    for item in items:
        if isinstance(item, Lost):
            yield from held
            held.clear()
            yield item
            continue
        place = len(held)
        while place and held[place - 1].at > item.at:
            place -= 1
        held.insert(place, item)
        while held[0].at + LATEST < held[-1].at or len(held) > 4096:
            yield held.pop(0)
    yield from held


# Text logs.

_BYTES = r"(?:[0-9A-F]{2}[pfob]*(?: |$))+"
_LOG_LINE = re.compile(rf"\s*(\d+)\.(\d{{6}}) ([><]) ({_BYTES})")
_LOG_LOST = re.compile(r"\s*(\d+)\.(\d{6}) - ([^:]*: (.*))$")
_LOG_HEAD = re.compile(
    r"# seabattle (\w+), (?:A (.*), B (.*)|port (.*?)), ?(.*), (\d+-\d+-\d+ \d+:\d+:\d+)(\.\d+)? UTC"
)
_RUN_LINE = re.compile(r"\s*\d+\.\d{6} [><] [0-9A-Fa-f]{4}")
_RUNS_MOST = 10
"""In one of so many lines the bytes may run into the next line's, where its end was lost."""

_OFFSETS = re.compile(r"  @(@?) (\d+(?: \d+)*)$")
_LOST_MARK = re.compile(r"  !lost$")


class LogForm:
    """`   12.345678 > AA 01  meaning`, after a line `# seabattle ...`."""

    name = "log"

    def recognise(self, source: Source) -> Guess | None:
        sample = [line for line in source.head[:50] if line.strip()]
        # another program writes bytes without spaces
        fits = sum(_LOG_LINE.match(line) is not None for line in sample)
        if sum(_RUN_LINE.match(line) is not None for line in sample) * _RUNS_MOST > fits:
            fits = 0
        if not fits and not any(line.startswith("# seabattle ") for line in sample):
            return None
        return self.forced(source) if fits * 2 > len(sample) or _LOG_HEAD.match(sample[0]) else None

    def forced(self, source: Source) -> Guess:
        header = Header()
        for line in source.head[:50]:
            head = _LOG_HEAD.match(line)
            if head is not None:
                names = (head[2], head[3]) if head[2] is not None else (head[4] or "A", "-")
                header = replace(header, mode=head[1], names=names, settings=head[5], began=_began(head))
                break
        return Guess(tr("why_ours", what=self.name), header, merged=is_merged_mode(header.mode))

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if guess.merged:
            return arrival(in_turn(self._items(source, left), LATEST))
        return sort_crossed(in_turn(self._items(source, left)))

    def _items(self, source: Source, left: Left) -> Iterator[Item]:
        """Yield the items. The times of the lines count from the one in the head, if there is one."""
        at = waited = began = 0
        closing: Closing | None = None
        place: PartOf | None = None
        block = Block("lost_between_lines")
        for number, (line, ended) in enumerate(source.lines(), 1):
            if line.startswith("# seabattle ") and (head := _LOG_HEAD.match(line)) is not None:
                block.zero = began = _began(head)
                at = at or began
            if line.startswith("# seabattle ") and (sealed := SEALED.search(line)):
                place, before = place_in(line), place
                if before is not None:
                    # files that were joined into one
                    yield from block.rest()
                    yield from joint(before, place, at, closing is not None)
                closing = Closing()
                block.begin(number, at, bool(sealed[1]))
            elif closing is not None and line.startswith("# seabattle "):
                mark = line[2:].rstrip()
                if (end := CLOSING.fullmatch(mark)) is not None:
                    yield from block.over(number, at, closing.fits(end))
                    closing = None
                elif (held := MARK.fullmatch(mark)) is not None:
                    yield from block.over(number, at, closing.holds(held))
            elif closing is not None:
                closing.take_line(line)
            elif CLOSING.fullmatch(line[2:].rstrip()) or MARK.fullmatch(line[2:].rstrip()):
                left.add("left_headless", number)
            match = _LOG_LINE.match(line)
            if match is None:
                if _LOST_MARK.search(line) and (gap := _LOG_LOST.match(line)):
                    at = began + int(gap[1] + gap[2])
                    said = gap[3].strip() if words.harm(gap[3].strip()) else gap[4]
                    yield from block.take(Lost(at, said.removesuffix("  !lost")))
                elif note := _NOTE.match(line):
                    waited = began + int(note[1] + note[2])
                elif line.strip() and not line.startswith("#"):
                    left.add("left_lines", number)
                continue
            at = began + int(match[1] + match[2])
            if not ended:
                # a line without a newline may lack bytes
                yield from block.rest()
                yield Lost(at, tr("lost_tail"))
                return
            values, faults = marked_bytes(match[4])
            yield from block.take(*timed(at, MARKS.index(match[3]), values, faults, line))
        yield from block.rest()
        if waited > at:
            yield empty_chunk(waited)
        if source.cut:
            yield Lost(at, tr("lost_tail"))
        elif closing is not None:
            yield Lost(at, tr("lost_end"))


def _began(head: re.Match[str]) -> int:
    """Return the time in a log's head, 0 if it is none."""
    try:
        whole = datetime.strptime(f"{head[6]} +0000", "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        return 0
    fraction = (head[7] or ".")[1:7].ljust(6, "0")
    return max(0, int(whole.timestamp())) * SECOND + int(fraction)


class Block:
    """Items since the last mark: only the next one shows whether they are complete."""

    def __init__(self, gap_text: str) -> None:
        self._gap_text = gap_text
        self.zero = 0
        """Start of the file's times."""
        self._items: list[Item] = []
        self._first = self._began = 0
        self._marked = False

    def begin(self, place: int, at: int, marked: bool) -> None:
        """Start a new file. marked: it has marks."""
        self._first, self._began, self._marked = place, at, marked

    def take(self, *items: Item) -> Sequence[Item]:
        """Add items; return those that need not wait."""
        if not self._marked:
            return items
        self._items += items
        return self.rest() if len(self._items) > _BLOCK_MOST else ()

    def over(self, place: int, at: int, whole: bool) -> list[Item]:
        """End the block and return its items.

        place: line or packet of the mark. whole: nothing is missing or changed.
        """
        items = self.rest()
        if not whole and not self._marked:
            items.append(Lost(at, tr("lost_changed")))
        elif not whole:
            began = min((item.at for item in items), default=at)
            times = [f"{max(0, moment - self.zero) / SECOND:.3f}" for moment in (self._began or began, at)]
            gap = tr(self._gap_text, first=self._first, last=place, begin=times[0], end=times[1])
            items = [Lost(began, gap), *items, Lost(at, tr("lost_up_to_here"))]
        self._first, self._began = place, at
        return items

    def rest(self) -> list[Item]:
        """Return the waiting items."""
        items, self._items = self._items, []
        return items


_BLOCK_MOST = 20_000
"""Most chunks that wait for a mark: a file's marks may have been removed."""


def timed(at: int, side: int, values: bytes, faults: bytes, line: str) -> Iterator[Item]:
    """Yield bytes with the times at the end of their line."""
    offsets = _OFFSETS.search(line)
    times = [int(word) for word in offsets[2].split()] if offsets else []
    if len(times) != len(values) or not are_offsets(times):
        times = [0] * len(values)
    crossed = offsets is not None and bool(offsets[1])
    return group_by_time(at, side, values, times, faults, Crossed if crossed else Chunk)


def in_turn(items: Iterator[Item], around: int = 0) -> Iterator[Item]:
    """Report a gap where an item of a side begins before the previous one.

    Lines are missing, swapped or repeated there. around: tolerance in microseconds.
    """
    last = [-1, -1]
    for item in items:
        if isinstance(item, Chunk):
            if item.at < last[item.side] - around:
                yield Lost(item.at, tr("lost_order"))
                last = [-1, -1]
            last[item.side] = item.at
        yield item


_NOTE = re.compile(r"\s*(\d+)\.(\d{6}) - ")


def marked_bytes(text: str) -> tuple[bytes, bytes]:
    """Parse hex bytes, each optionally followed by letters of its faults."""
    values, faults = bytearray(), bytearray()
    for word in text.split():
        values.append(int(word[:2], 16))
        faults.append(sum(_LETTERS[letter] for letter in set(word[2:])))
    return bytes(values), bytes(faults)
