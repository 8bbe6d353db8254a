"""Browsing the lines of a paused live view, on a screen of its own."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from seabattle_host.language.messages import tr


class Scrollback:
    """The lines shown so far, a screenful at a time, starting with the last. Long lines can be moved sideways."""

    def __init__(self, console: Console, lines: Sequence[Text]) -> None:
        self._lines = lines
        self._console = console
        self._waiting = 0
        self._left = 0
        self._top = max(0, len(lines) - self._height)
        self.live = Live(console=console, screen=True, auto_refresh=False)
        self.live.start()
        self.show(0)

    @property
    def _height(self) -> int:
        """Lines of the screen above the status line."""
        return max(1, self._console.size.height - 1)

    def move(self, key: str) -> None:
        """Move by a key: up, down, page up, page down, home, end, left, right."""
        if key in ("left", "right"):
            half = max(1, self._console.size.width // 2)
            hidden = max(map(len, self._shown()), default=0) - self._console.size.width
            self._left = max(0, self._left - half) if key == "left" else max(0, min(self._left + half, hidden))
            self.show(self._waiting)
            return
        page = max(1, self._height - 1)
        last = max(0, len(self._lines) - self._height)
        steps = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -len(self._lines), "end": last}
        self._top = min(last, max(0, self._top + steps[key]))
        self.show(self._waiting)

    def _shown(self) -> Sequence[Text]:
        return self._lines[self._top : self._top + self._height]

    def show(self, waiting: int) -> None:
        """Draw the screen. waiting: lines that have come since."""
        self._waiting = waiting
        shown = [line[self._left :] for line in self._shown()]
        for line in shown:
            line.no_wrap, line.overflow = True, "ellipsis"
        place = {"first": self._top + 1 if shown else 0, "last": self._top + len(shown), "all": len(self._lines)}
        foot = tr("view_paused", waiting=waiting, **place)
        if len(foot) > self._console.size.width:
            foot = tr("view_paused_narrow", waiting=waiting, **place)
        blank = [Text("")] * (self._height - len(shown))
        self.live.update(Group(*shown, *blank, Text(foot, "reverse", no_wrap=True, overflow="ellipsis")), refresh=True)

    def close(self) -> None:
        """Return to the live view."""
        self.live.stop()
