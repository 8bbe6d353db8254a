"""Pages in which the sender of bytes is told by their colour or class alone, and the marks of boards as elements."""

from __future__ import annotations

import re
from collections import Counter

from seabattle_host.sniff.forms import fronts, sides

_LEAST = 4
_COLOUR = re.compile(r"(?i)\[(?:color|colour)=[\"']?([^\]\"']+)[\"']?\]")
_COLOUR_END = re.compile(r"(?i)\[/colou?r\]")
_MARK = re.compile(
    r"(?i)\[/?(?:b|i|u|s|size|font|code|quote|tt|pre|url|img|list|center|left|right|indent|spoiler)(?:=[^\]\n]*)?\]"
)
_ELEMENT = re.compile(r"<(\w{1,16})\b([^<>]{1,200})>([^<>]{1,2000})</\1>")
_BYTES = re.compile(r"\s*(?:0[xX])?[0-9A-Fa-f]{2}(?:[\s,:]+(?:0[xX])?[0-9A-Fa-f]{2})*\s*")
_TAG = re.compile(r"<[^<>]*>")
_NAME = re.compile(rf"(?<!\w)(?:{sides.WORD.pattern})(?!\w)")
"""A whole word: the letters of `0A` name no side."""
_BREAK = re.compile(r"(?i)<(?:br|p|div|li|tr|/p|/div|/li|/tr)\b")
_SAYS = re.compile(r"(?i)(?:(?<![\w-])color\s*[:=]|background(?:-color)?\s*[:=]|class\s*=)\s*[\"']?\s*([^\"';>]+)")


def from_board(text: str) -> str:
    """Return a text with the colours of a board (`[color=red]`) as elements, without its other marks."""
    if len(_COLOUR.findall(text)) < _LEAST:
        return text
    coloured = _COLOUR_END.sub("</font>", _COLOUR.sub(r'<font color="\1">', text))
    return f"<pre>{_MARK.sub('', coloured)}</pre>"


def sided(text: str) -> tuple[str, dict[str, int]]:
    """Return a page with the side in front of bytes, and the colours that tell it; as it is if none do."""
    found = [element for element in _ELEMENT.finditer(text) if _BYTES.fullmatch(element[3])]
    kinds = Counter(element[2] for element in found)
    both = sorted(kind for kind, _count in kinds.most_common(2))
    names = _NAME.findall(_TAG.sub(" ", text).lower())
    if len(found) < _LEAST or len(kinds) != 2 or 2 * sum(name in sides.WORDS for name in names) > len(found):
        return text, {}
    data = [bytes.fromhex(re.sub(r"0[xX]|[^0-9A-Fa-f]", "", element[3])) for element in found]
    if not fronts.are_roles(data, [element[2] for element in found], both):
        return text, {}
    said = {kind: match[1].strip() if (match := _SAYS.search(kind)) else kind.strip() for kind in both}
    own = sides.of_two(list(said.values()))
    # elsewhere a page shows the end of a line as a space
    breaks = text.count("\n") if "<pre" in text.lower() or not text.lstrip().startswith("<") else 0
    before = "<br>" if breaks + len(_BREAK.findall(text)) < len(found) / 2 else ""

    def marked(element: re.Match[str]) -> str:
        side = own.get(said.get(element[2], "")) if _BYTES.fullmatch(element[3]) else None
        return element[0] if side is None else f"{before}{('TX', 'RX')[side]}: {element[3]} "

    return _ELEMENT.sub(marked, text), own
