"""Lines between those of a log: comments, headings, commands to a tool, and what a listing has around its lines."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from seabattle_host.sniff.forms import columns, sides

_COMMENT = re.compile(r"\s*(?:#|//|;|--(?!>)|==(?!>)|\*\*|- |```|at \S.*:\d+:\d+\)?$)")
SIGN = re.compile(r"\s*- ")
HASH = re.compile(r"(?<!\w)#(\d{1,9})\b")
_RULED = re.compile(r"\s*([-=*~_]{2,})\s+(\S.*?\S)\s+[-=*~_]{2,}\s*")
"""A heading: `=== TX (3 bytes) ===`."""
_HEADED = re.compile(r"\s*(#{1,6})\s+(\S.*)")
_BOLD = re.compile(r"\s*(?:>\s*)?\*\*(?=\S)([^*]+)\*\*(.*)")
"""`**TX**: AA`."""


def unruled(line: str) -> str:
    """Return a heading that names a side without the rule around it, and a line without the stars of a bold word.

    Any other line is returned as it is.
    """
    if (bold := _BOLD.fullmatch(line)) is not None:
        return bold[1] + bold[2].replace("` `", " ")
    found = _RULED.fullmatch(line) or _HEADED.fullmatch(line)
    return found[2] if found is not None and sides.is_named(found[2]) else line


def without_headings(sample: list[str]) -> list[str]:
    """Remove what a logger prints above each record and is no part of it: `info: Worker[0]`."""
    shapes = [re.sub(r"\d+", "0", line.strip()) for line in sample]
    often = {shape for shape, count in Counter(shapes).items() if count * 5 > len(sample) > FEW}
    idle = {
        shape
        for shape in often
        if (word := re.match(r"[^\W\d_]{3,}\b", shape))
        and columns.role_of(word[0]) not in ("time", "date", "side")
        and not sides.is_named(shape)
        and not re.search(r"0[.:]0", shape)
    }
    others = [line for line, shape in zip(sample, shapes, strict=True) if shape not in idle]
    return others if len(others) * 4 > len(sample) else sample


FEW = 8
"""Lines among which the same ones are no headings yet: a short session has few."""


def without_prompts(sample: list[str]) -> list[str]:
    """Remove commands to a tool, if it answers with lines of another kind."""
    others = [line for line in sample if not PROMPT.match(line)]
    return others if len(others) * 3 > len(sample) and any(_ANSWERED.match(line) for line in others) else sample


PROMPT = re.compile(r"\s*(?i:uart|hiz|[a-z]+\d)>(?!\s*(?:WRITE|READ|TX|RX)\s*:)")
_ANSWERED = re.compile(r"\s*(?:WRITE|READ|TX|RX)\s*:")


def is_hashed(sample: Sequence[str]) -> bool:
    """Return whether the lines are numbered `#1`, `#2`."""
    numbers = [int(match[1]) for line in sample if (match := HASH.search(line))]
    steps = sum(b - a == 1 for a, b in itertools.pairwise(numbers))
    first = sum(re.match(r"\s*#\d", line) is not None for line in sample)
    # bytes may stand below the numbered lines
    most = len(numbers) * 10 >= 9 * len(sample) or (first == len(numbers) and first * 3 >= len(sample))
    return len(numbers) > 2 and most and steps * 10 >= 9 * (len(numbers) - 1)


def is_comment(line: str, hashed: bool) -> bool:
    """Return whether a line is a comment, and no record with a number in front."""
    return _COMMENT.match(line) is not None and not (hashed and re.match(r"\s*#\d", line))
