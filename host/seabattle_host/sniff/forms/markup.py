"""HTML and XML: pages as the lines and tables that a browser shows, other elements as records."""

from __future__ import annotations

import json
import plistlib
import re
from collections import Counter
from html.parser import HTMLParser
from xml.parsers.expat import ExpatError

from seabattle_host.sniff.forms import sides, trees

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>")
_CLOSING = re.compile(r"</[A-Za-z][\w:.-]*\s*>|<[A-Za-z][\w:.-]*\s[^<>]*/>|<(?i:br)\s*/?>")
_ROWS = frozenset("tr row ss:row table:table-row".split())
_CELLS = frozenset("td th cell ss:cell table:table-cell".split())
_BREAKS = frozenset("br p div li hr h1 h2 h3 h4 h5 h6 pre blockquote dt dd section title table ul ol body".split())
_SHOWN = re.compile(r"(?i)<(?:html|body|table|pre|div|br|span|font|p|li|tr|worksheet|office:spreadsheet|code)\b")
_VOID = frozenset("area base br col hr img input link meta source wbr".split())
_HIDDEN = ("script", "style")
_LEAST = 4
"""Closing tags."""


def is_markup(text: str) -> bool:
    """Return whether a text begins like HTML or XML, or consists of it."""
    return len(_CLOSING.findall(text)) >= _LEAST and (
        text.lstrip().startswith("<") or len(_TAG.findall(text)) * 2 >= len(text.splitlines())
    )


def shown(text: str) -> str:
    """Return what a page shows, a row of a table as a line of cells; or each element that is a record as JSON."""
    if not _SHOWN.search(text):
        return _records(text)
    # in a text with some elements the ends of lines are shown
    page = _Page(not text.lstrip().startswith("<"))
    page.feed(text)
    page.close()
    page.end_line()
    return "\n".join(page.lines) + "\n"


def _names_side(attribute: str, value: str) -> bool:
    """Return whether an attribute of an element tells who sent what it shows: `class="tx"`."""
    return attribute in ("class", "title", "data-dir", "data-side") and len(value) > 1 and value.lower() in sides.WORDS


class _Page(HTMLParser):
    """Lines of a page."""

    def __init__(self, is_text: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line = ""
        self._cells: list[str] | None = None
        self._raw, self._hidden = int(is_text), 0
        self._spanned = ""
        """The text of a span that has just ended."""
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ROWS:
            self._end_row()
            self.end_line()
            self._cells = []
        elif tag in _CELLS and self._cells is not None:
            self._end_cell()
        elif tag in _BREAKS and self._cells is None:
            self.end_line()
        elif tag in _BREAKS:
            self._line += " "
        elif tag == "span" and len(self._spanned) > 1 and not self._raw and self._cells is None:
            # a column each, whatever the style sheet puts between them
            self._line += " "
        side = next((word for name, value in attrs for word in (value or "").split() if _names_side(name, word)), None)
        if side is not None and self._cells is not None and tag in _ROWS:
            self._cells.append(side)
        elif side is not None:
            self._line += f" {side} " if self._cells is None else ""
        self._raw += tag == "pre"
        self._hidden += tag in _HIDDEN
        self._spanned = self._text = ""

    def handle_endtag(self, tag: str) -> None:
        if tag in _ROWS or tag == "table":
            self._end_row()
        elif tag in _CELLS and self._cells is not None:
            self._cells.append(" ".join(self._line.split()))
            self._line = ""
        elif tag in _BREAKS and self._cells is None:
            self.end_line()
        self._spanned, self._text = self._text if tag == "span" else "", ""
        self._raw -= tag == "pre" and self._raw > 0
        self._hidden -= tag in _HIDDEN and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        self._spanned, self._text = "", data
        if not self._raw or self._cells is not None:
            begun = bool(self._line) and data[:1].isspace()
            data = " " * begun + " ".join(data.split()) + " " * (data[-1:].isspace() and bool(data.strip()))
            self._line += data
            return
        *whole, rest = data.split("\n")
        for line in whole:
            self._line += line
            self.end_line()
        self._line += rest

    def _end_cell(self) -> None:
        """End a cell that has no end tag."""
        if self._cells is not None and self._line.strip():
            self._cells.append(" ".join(self._line.split()))
        self._line = ""

    def _end_row(self) -> None:
        if self._cells is not None:
            self._end_cell()
            self.lines.append("\t".join(self._cells))
        self._cells = None

    def end_line(self) -> None:
        if self._cells is None:
            if self._line.strip():
                self.lines.append(self._line.rstrip())
            self._line = ""


class _Element:
    def __init__(self, name: str, attributes: dict[str, object]):
        self.name = name
        self.attributes = attributes
        self.text = ""
        self.inside: list[_Element] = []

    def value(self) -> object:
        """Return it as JSON would have it. Elements named after sides stay in their order, with their side."""
        text = self.text.strip()
        if not self.attributes and not self.inside:
            return text
        out = dict(self.attributes)
        if text:
            out["text" if "data" in out else "data"] = text
        sided = {sides.WORDS[inner.name] for inner in self.inside if inner.name in sides.WORDS}
        if len(sided) == 2 and len(self.inside) > 2:
            return [{"dir": inner.name, **_members(inner.value())} for inner in self.inside]
        counts = Counter(inner.name for inner in self.inside)
        for inner in self.inside:
            if counts[inner.name] > 1:
                several = out.setdefault(inner.name, [])
                assert isinstance(several, list)
                several.append(inner.value())
            else:
                out[inner.name] = inner.value()
        return out


def _members(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {"data": value}


class _Tree(HTMLParser):
    """Elements, whether closed or not."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Element("", {})
        self._open = [self.root]
        self._torn = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].inside.append(element)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].inside.append(_Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self._torn = self._torn or self._open[-1].name != tag
        for place in range(len(self._open) - 1, 0, -1):
            if self._open[place].name == tag:
                del self._open[place:]
                break

    def handle_data(self, data: str) -> None:
        self._open[-1].text += data

    @property
    def is_whole(self) -> bool:
        """Whether each element ends where it should."""
        return not self._torn and len(self._open) == 1 and not self.rawdata.strip()


_DEEPEST = 40


def _records(text: str) -> str:
    tree: object
    torn = ""
    if "<plist" in text[:1000]:
        try:
            tree = plistlib.loads(text.encode())
        except (ValueError, ExpatError, plistlib.InvalidFileException, AttributeError, IndexError, TypeError):
            return ""
    else:
        parser = _Tree()
        parser.feed(text)
        parser.close()
        tree = parser.root.value()
        # what is missing may be in front of what was found, or behind it
        torn = "" if parser.is_whole else f"{BROKEN}\n"
    rows = (json.dumps(record, default=_plain, ensure_ascii=False) + "\n" for record in trees.records(tree))
    return f"{torn}{''.join(rows)}{torn}"


BROKEN = '{"'
"""A line that is read as a damaged value."""


def _plain(value: object) -> object:
    return value.hex(" ") if isinstance(value, bytes) else str(value)
