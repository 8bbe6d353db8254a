"""What BSD's kdump prints of reads and writes, as the lines that strace would print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CALL = re.compile(
    r"\s*\d+(?:\s+\d+)?\s+\S+\s+(?:(?P<time>\d+\.\d+)\s+)?"
    r"GIO\s+fd (?P<fd>\d+) (?P<way>wrote|read),? (?P<count>\d+) bytes?\s*"
)
_OTHER = re.compile(r"\s*\d+(?:\s+\d+)?\s+\S+\s+(?:\d+\.\d+\s+)?(?:CALL|RET|NAMI|GIO|PSIG|CSW|STRU|USER|SCTL|ARGS)\b")
_ROW = re.compile(r"\s+0x[0-9a-f]{4}\s((?:\s?[0-9a-f]{2})+)")
_LEAST = 4


def is_ktrace(lines: Sequence[str]) -> bool:
    """Return whether lines are those of kdump."""
    return sum(_CALL.fullmatch(line) is not None for line in lines) >= _LEAST


def calls(lines: Sequence[str]) -> Iterator[str]:
    """Yield a line for each read and write."""
    at = 0
    while at < len(lines):
        call = _CALL.fullmatch(lines[at])
        at += 1
        if call is None:
            continue
        inside: list[str] = []
        while at < len(lines) and not _OTHER.match(lines[at]):
            inside.append(lines[at])
            at += 1
        name = {"wrote": "write", "read": "read"}[call["way"]]
        yield f'{call["time"] or ""} {name}({call["fd"]}, "{_text(inside)}", {call["count"]}) = {call["count"]}'.strip()


def _text(lines: Sequence[str]) -> str:
    """Return the bytes below a call as a string with escapes; a line that ends in it was a newline."""
    rows = [_ROW.match(line) for line in lines if line.strip()]
    if rows and all(rows):
        data = bytes.fromhex("".join(row[1] for row in rows if row))
        return "".join(f"\\x{byte:02x}" for byte in data)
    first, *others = lines or [""]
    text = "\\n".join([first.lstrip(), *(re.sub("^ {7}", "", line) for line in others)])
    return _QUOTE.sub(r"\\x22", text.removeprefix('"').removesuffix('"'))


_QUOTE = re.compile(r"(?<!\\M-)(?<!\^)\"")
