"""Files whose records reach over several lines: markup, blocks of names and values, values in brackets.

They are rewritten as a line for each record before a form is looked for.
"""

from __future__ import annotations

import binascii
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import arrays, chats, clock, colours, fronts, ktrace, markup, pairs, sides
from seabattle_host.sniff.forms.columns import role_of
from seabattle_host.sniff.forms.interface import OMITTED
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.terminal import View

_LARGEST = 1 << 26
"""Bytes of a file up to which it is rewritten."""

_LEAST = 4
"""Records."""


def views(source: Source) -> Iterator[View]:
    """Yield the content of a file as a line for each record, if its records may have several."""
    head = source.head
    if ktrace.is_ktrace(head):
        yield View("".join(f"{line}\n" for line in ktrace.calls(_whole(source).splitlines())).encode(), "kdump")
    elif markup.is_markup(colours.from_board("\n".join(head))):
        text, names = colours.sided(colours.from_board(_whole(source)))
        yield View(markup.shown(text).encode(), tr("laid_markup") + sides.words_for(names))
    elif is_blocks(head):
        rows = (json.dumps(row, ensure_ascii=False) for row in blocks(_whole(source).splitlines()))
        yield View("".join(f"{row}\n" for row in rows).encode(), tr("laid_blocks"))
    elif sum(_CALL.match(line) is not None for line in head[:_MOST]) >= _LEAST:
        yield View("".join(f"{line}\n" for line in _calls(_whole(source).splitlines())).encode(), "NI I/O Trace")
    elif sum(_RULER.fullmatch(line) is not None for line in head[:_MOST]) >= _LEAST:
        rows_of_bytes = (line for line in _whole(source).splitlines() if not _RULER.fullmatch(line))
        yield View("".join(f"{line}\n" for line in _traced(rows_of_bytes)).encode(), "dtrace")
    elif head and _UUENCODED.match(head[0]):
        yield View(b"".join(_uudecoded(_whole(source).splitlines()[1:])), "uuencode")
    elif (first := _indents(head)) is not None:
        rows = (_by_indent(line, *first) for line in _whole(source).splitlines())
        yield View("".join(f"{row}\n" for row in rows).encode(), tr("laid_indents"))
    elif arrays.is_arrays(head) and (framed := arrays.framed(_whole(source))) is not None:
        yield View("".join(f"{line}\n" for line in framed).encode(), tr("laid_brackets"))
    elif chats.said(head) is not None and (messages := chats.said(_whole(source).splitlines())) is not None:
        yield View(
            "".join(f"{line}\n" for line in messages[0]).encode(), tr("laid_chat") + sides.words_for(messages[1])
        )
    elif is_bracketed(head):
        yield View("".join(f"{line}\n" for line in joined(_whole(source).splitlines())).encode(), tr("laid_brackets"))


def exchanges(source: Source) -> Iterator[View]:
    """Yield the content of a file as a line for each command with its reply, if that is what its records are."""
    if (found := _exchanges(source)) is not None:
        rows, names = found
        yield View("".join(f"{row}\n" for row in rows).encode(), tr("laid_pairs") + sides.words_for(names))


def _exchanges(source: Source) -> tuple[Iterable[str], Mapping[str, int]] | None:
    """Return the lines of a file that has a command and its reply in each record, and whose names are which side's.

    None if it has not.
    """
    head = source.head[:_MOST]
    for found in (pairs.beside, pairs.joined):
        if found(head) is not None:
            return found(_whole(source).splitlines())
    own = pairs.learn(head)
    if own is not None and own.timed:
        return (part for line in _whole(source).splitlines() for part in own.normal(line).split("\n")), own.names
    if markup.is_markup("\n".join(head)):
        rows = [OMITTED if row == markup.BROKEN else row for row in markup.shown(_whole(source)).splitlines()]
    elif head and head[0].lstrip()[:1] == "[":
        text = source.read(_PARSED + 1)
        try:
            tree = json.loads(text) if len(text) <= _PARSED else []
        except (ValueError, RecursionError):
            return None
        rows = [json.dumps(row, ensure_ascii=False) for row in tree if isinstance(row, dict)]
    elif pairs.learn(_rows(head)) is not None:
        rows = _rows(_whole(source).splitlines())
    else:
        return None
    how = pairs.learn(rows)
    return None if how is None else (map(how.normal, rows), how.names)


_PARSED = 1 << 22
"""Bytes of a value in JSON."""


def _rows(lines: Sequence[str]) -> list[str]:
    """Return blocks of which some have a reply as lines of JSON; other names may be those of the senders."""
    rows = list(blocks(lines))
    replies = sum(any(map(pairs.MAY_REPLY.search, row)) for row in rows)
    return [json.dumps(row, ensure_ascii=False) for row in rows] if replies >= _LEAST else []


def _whole(source: Source) -> str:
    text = source.read(_LARGEST).decode(source.encoding or "utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


# Blocks: a line for each name and value.

_PAIR = re.compile(r"(\s*)(?:- +)?([^\W\d][\w@.$-]*(?: [\w@.$-]+)?)\s*(?::=|=>|[:=|])(?:\s+|(?<=[=])|$)(.*)")
_RULE = re.compile(r"(?:-\[ RECORD \d+ \][-+]*|\*{3,} \d+\. row \*{3,}|\[\[?[\w. ]+\]\]?|[-=*_]{3,}|\{|\},?|)")
_ITEM = re.compile(r"\s+(?:- \s*)?(\S+)\s*")
_LOGGED = re.compile(r"(?i)_?(?:message|msg|text|line)")
"""Names of values that may be lines of a log."""
_BASE64 = re.compile(r"\s+[A-Za-z0-9+/]+={0,2}\s*")
_INLINE = re.compile(r"\{.*\}|\[\s*")
_OPENS = ("", "|", "!!binary |", "!!binary", ">-", "|-")
_MOST = 400


def is_blocks(lines: Sequence[str]) -> bool:
    """Return whether lines are blocks of names and values, the same in each block."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    pairs = [pair for line in sample if (pair := _PAIR.fullmatch(line))]
    if len(pairs) * 2 < len(sample) or len(pairs) < 2 * _LEAST:
        return False
    rows = list(blocks(lines[:_MOST]))
    if len(rows) < _LEAST:
        return False
    kinds = Counter(frozenset(row) for row in rows)
    usual, often = kinds.most_common(1)[0]
    known = sum(_PAIR.fullmatch(line) is not None or _is_other(line) for line in sample)
    roles = {role_of(name) for name in usual} | {"data" for name in usual if _LOGGED.fullmatch(name)}
    return {"data"} < roles - {""} and often * 10 >= 8 * (len(rows) - 1) and known * 10 >= 9 * len(sample)


def _is_other(line: str) -> bool:
    return bool(_RULE.fullmatch(line.strip()) or _ITEM.fullmatch(line) or _heading(line))


def _heading(line: str) -> str:
    """Return the time in a line of its own above the names and values; empty if it is none."""
    if line[:1].isspace():
        return ""
    line = _WEEKDAY.sub("", line)
    stamp = clock.match(line)
    return line[: stamp.end] if stamp is not None else ""


_WEEKDAY = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* (?=\d{4}-)")


def blocks(lines: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield each block; values below their names are joined."""
    row: dict[str, object] = {}
    last = ""
    for line in lines:
        pair = _PAIR.fullmatch(line) if not last or not _BASE64.fullmatch(line) else None
        if pair is not None and _INLINE.match(pair[3]):
            pair = None
        if pair is not None:
            name, value = pair[2], pair[3].strip().rstrip(",;").strip("\"'")
            if name in row or re.match(r"\s*- ", line):
                yield from filter(None, (row,))
                row = {}
            row[name] = "" if value in _OPENS else value
            last = name if value in _OPENS else ""
        elif last and (item := _ITEM.fullmatch(line)) is not None:
            row[last] = f"{row[last]} {item[1]}".strip()
        elif (head := _heading(line)) or _RULE.fullmatch(line.strip()):
            yield from filter(None, (row,))
            row = {"time": head} if head else {}
            last = ""
    if row:
        yield row


# Values in brackets that go on in the lines below.

_BRACKETS = re.compile(r"(?<!\\)\"(?:[^\"\\]|\\.)*\"|(?<!\\)'(?:[^'\\]|\\.)*'|[\[({]|[\])}]")
_OPEN_END = re.compile(r".*[\[({,]\s*(?:/\*.*\*/|//.*)?\s*")
_OPENS_ANEW = re.compile(r"[^\W\d].*[\[({]\s*(?:/\*.*\*/|//.*)?\s*")
"""Such a line inside brackets shows that their end is missing."""
_LONGEST = 64
"""Lines of a record."""


def is_bracketed(lines: Sequence[str]) -> bool:
    """Return whether many lines are inside brackets, of many pairs one after another."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    made = list(joined(sample))
    whole = sum(_depth(line) == 0 for line in made)
    return len(made) >= _LEAST and len(sample) - len(made) >= len(sample) * 0.3 and whole >= len(made) - 1


def joined(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines, those inside brackets behind the one with which these begin."""
    held: list[str] = []
    depth = 0
    for line in lines:
        if held and _OPENS_ANEW.fullmatch(line):
            yield from (*held, OMITTED)
            held, depth = [], 0
        if not held and not _OPEN_END.fullmatch(line):
            yield line
            continue
        depth += _depth(line)
        held.append(line.strip() if held else line.rstrip())
        if depth <= 0 or len(held) > _LONGEST:
            yield from [" ".join(held)] if depth <= 0 else (*held, OMITTED)
            held, depth = [], 0
    yield from held


def _depth(line: str) -> int:
    return sum(1 if found in "[({" else -1 for found in _BRACKETS.findall(line) if len(found) == 1)


# Other layouts.

_CALL = re.compile(r'\d+\.\s+vi(Write|Read)\w*\s*\([^"]*(".*")')
_STARTED = re.compile(r"Start Time:\s*([\d:.]+)")
"""A call to VISA in a trace of National Instruments; its time is in a line below."""


def _calls(lines: Iterable[str]) -> Iterator[str]:
    call: re.Match[str] | None = None
    for line in lines:
        if (found := _CALL.match(line)) is not None:
            call = found
        elif call is not None and (started := _STARTED.match(line)) is not None:
            yield f"{started[1]} {call[1].lower()} {call[2]}"
            call = None


_RULER = re.compile(r"\s*0 +1 +2 +3 +4 .* e +f +0123456789abcdef\s*")
"""Above each row of bytes that dtrace prints."""
_PROBE = re.compile(r"\s*(?:\d+ +\d+ +)?(\w+):\w+(?:\s+(\d[\d.]*))?\s*")
_TRACED = re.compile(r"\s*[0-9a-f]{1,4}: ((?:[0-9a-f]{2} ?)+)(?: .*)?")


def _traced(lines: Iterable[str]) -> Iterator[str]:
    probe = ""
    for line in lines:
        if (row := _TRACED.fullmatch(line)) is not None and probe:
            yield f"{probe} {row[1]}"
        elif (found := _PROBE.fullmatch(line)) is not None:
            probe = f"{found[2] or ''} {found[1]}".strip()
        else:
            yield line


_UUENCODED = re.compile(r"begin [0-7]{3} \S")


def _uudecoded(lines: Sequence[str]) -> Iterator[bytes]:
    for line in lines:
        if line == "end":
            return
        try:
            yield binascii.a2b_uu(line)
        except ValueError:
            # the rest of what was sent is not where it was
            return


_INDENTED = re.compile(r"(\s*)((?:0[xX])?[0-9A-Fa-f]{2}(?:[\s,:-]*(?:0[xX])?[0-9A-Fa-f]{2})*)\s*")
_FAR = 4
"""Columns between the lines of two sides."""


def _indents(lines: Sequence[str]) -> tuple[int, bool] | None:
    """Return from where on a line of bytes is of the other side, and whether that is A; None if indents do not tell."""
    sample = [line.expandtabs() for line in lines[:_MOST] if line.strip()]
    rows = [row for line in sample if (row := _INDENTED.fullmatch(line))]
    counts = Counter(len(row[1]) for row in rows)
    if len(counts) != 2 or min(counts.values()) < _LEAST or len(rows) * 10 < 9 * (len(sample) - 2):
        return None
    near, far = sorted(counts)
    data = [bytes.fromhex(re.sub(r"0[xX]|[^0-9A-Fa-f]", "", row[2])) for row in rows]
    if far - near < _FAR or not fronts.are_roles(data, [str(len(row[1])) for row in rows], [str(near), str(far)]):
        return None
    heads = [sides.of_name(line[far:].strip()) for line in sample if not _INDENTED.fullmatch(line)]
    return far, 0 in heads and 1 not in heads


def _by_indent(line: str, far: int, swapped: bool) -> str:
    line = line.expandtabs()
    row = _INDENTED.fullmatch(line)
    if row is None or len(row[1]) > far:
        return line
    return f"{('TX', 'RX')[(len(row[1]) == far) ^ swapped]}: {row[2]}"
