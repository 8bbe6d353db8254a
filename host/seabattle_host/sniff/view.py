"""The live view: a line per record as it comes; on a terminal with the state of both sides below."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from seabattle_host.language.messages import tr
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import SECOND, SIDES, Item, Lost
from seabattle_host.sniff.keys import Keys
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.record_filter import RecordFilter
from seabattle_host.sniff.session import Session

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from seabattle_host.sniff.scrollback import Scrollback

Line = tuple[str, str]
"""A line, and the name of its colour."""

_LINES_MOST = 400
"""Most lines printed at once on a terminal; more would not be readable anyway."""


_KEPT_MOST = 20_000
"""Lines kept for scrolling back, and lines that wait while the view is paused."""


class View:
    """Prints records on standard output. Plain text in a pipe; nothing at all with `quiet`.

    syncs: show every sync instead of their number. raw: show bytes as they come, no frames. live: keep the state of
    both sides below the lines, on a terminal.
    """

    def __init__(
        self,
        session: Session,
        *,
        syncs: bool = False,
        raw: bool = False,
        quiet: bool = False,
        live: bool = True,
        selection: RecordFilter | None = None,
        of_clock: bool = False,
    ):
        self._session = session
        self._syncs = syncs
        self._raw = raw
        self._quiet = quiet
        self._wants_live = live
        self._selection = selection or RecordFilter()
        self._of_clock = of_clock
        self.shown = self.all = 0
        """Records selected, and all."""
        self._console = _console()
        self._began = -1
        self._before = 0
        self._folded = 0
        """Syncs counted since the last line."""
        self._folded_at = self._folded_last = 0
        """Time and number of the last record that was counted."""
        self._live: Live | None = None
        self._state: list[str] | None = None
        """The state shown below the lines."""
        self._size: object = None
        """The size of the terminal when something was drawn first, or drawn anew."""
        self._keys = Keys()
        self._lines: deque[Text] = deque(maxlen=_KEPT_MOST)
        """Lines shown, for scrolling back."""
        self._waiting: deque[Line] = deque(maxlen=_KEPT_MOST)
        """Lines that come while the view is paused."""
        self._browser: Scrollback | None = None

    def __enter__(self) -> View:
        if self._wants_live and self._console is not None and not self._quiet:
            self._start()
            self._keys.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resume()
        if self._live is not None:
            self._live.stop()
            self._live = None
            self._keys.__exit__(kind, error, trace)

    def _start(self) -> None:
        """Start showing the state below the lines."""
        from rich.live import Live

        assert self._console is not None
        self._live = Live(console=self._console, auto_refresh=False, transient=False)
        self._live.start()
        self._state = None
        self._size = self._size or self._console.size

    @property
    def has_keys(self) -> bool:
        """Whether a user at a terminal can pause the lines."""
        return self._keys.listens

    def keys(self) -> None:
        """Handle pressed keys.

        Space pauses and resumes the lines; while paused, the arrow keys and similar scroll back. Ctrl-Z stops us.
        """
        for key in self._keys.pressed():
            if key == "stop":
                self._stop()
            elif self._browser is None:
                if key in ("pause", "up", "page up", "home"):
                    self._pause()
                    if self._browser is not None and key != "pause":
                        self._browser.move(key)
            elif key == "pause":
                self._resume()
            else:
                self._browser.move(key)

    def _stop(self) -> None:
        """Stop the program, with the terminal as a shell expects it, until it goes on."""
        drawn = self._live if self._browser is None else self._browser.live
        if drawn is not None:
            drawn.stop()
        self._keys.stop()
        if self._browser is not None:
            self._browser.live.start()
        elif self._live is not None:
            self._start()

    def _pause(self) -> None:
        if self._live is None:
            return
        self._live.transient = True  # redrawn when the view resumes
        self._live.stop()
        from seabattle_host.sniff.scrollback import Scrollback

        assert self._console is not None
        self._browser = Scrollback(self._console, list(self._lines))

    def _resume(self) -> None:
        if self._browser is None:
            return
        self._browser.close()
        self._browser = None
        waiting = list(self._waiting)
        self._waiting.clear()
        if self._live is not None:
            self._start()
        self._print(waiting)

    def show(self, records: Sequence[Record]) -> None:
        """Print records."""
        if self._quiet or self._raw:
            return
        left_out = 0
        if self._live is not None and len(records) > _LINES_MOST:
            left_out = len(records) - _LINES_MOST
            records = records[left_out:]
        lines: list[Line] = []
        for record in records:
            if self._began < 0:
                self._began = self._before = record.at
            self.all += 1
            if self._selection.selects and not self._selection.takes(record, self._began):
                self._before = record.at
                continue
            self.shown += 1
            is_command = record.is_sync and record.answers == 0
            if record.is_sync and not self._syncs and not self._selection.selects and (self._folded or is_command):
                self._folded += is_command
                self._folded_at, self._folded_last = record.at, record.number
                self._before = record.at
                continue
            self._unfold(lines)
            whole = self._console is None
            line = rendering.line(record, self._began, self._before, of_clock=self._of_clock, whole=whole)
            lines.append((line, rendering.style(record)))
            self._before = record.at
        if left_out:
            lines.insert(0, (tr("not_shown", count=left_out), "dim"))
        self._print(lines)

    def bytes(self, items: Sequence[Item]) -> None:
        """Print bytes as they come, with `raw`."""
        if self._quiet or not self._raw:
            return
        lines = []
        for item in items:
            if isinstance(item, Lost):
                lines.append((rendering.lost_text(item.why), "magenta"))
                continue
            if self._began < 0:
                self._began = self._before = item.at
            gap = f"{(item.at - self._before) / SECOND:+.4f}"
            at = (item.at - self._began) / SECOND
            lines.append((f"{at:12.6f} {gap:>9} {SIDES[item.side]}> {rendering.hex_text(item.data, item.faults)}", ""))
            self._before = item.at
        self._print(lines)

    def remark(self, line: str) -> None:
        """Print a remark."""
        if not self._quiet:
            self._print([(f"- {line}", "")])

    def refresh(self) -> None:
        """Update the state below the lines."""
        if self._browser is not None:
            self._browser.show(len(self._waiting))
            return
        if self._live is not None and not self._raw:
            assert self._console is not None
            size = self._console.size
            if size != self._size:
                self._redraw(size.height)
            state = rendering.state_lines(self._session, size.width, size.height)
            if state == self._state:
                return
            self._state = state
            from rich.console import Group
            from rich.text import Text

            *sides, counters = state
            # the counters may be wider than the terminal
            below = Text(counters, no_wrap=False, overflow="fold")
            self._live.update(Group(*map(Text, sides), below), refresh=True)

    def _redraw(self, height: int) -> None:
        """Draw all anew: a terminal of another size has wrapped the lines, so what is to be replaced is elsewhere."""
        assert self._console is not None and self._live is not None
        self._live.stop()
        self._console.clear()
        for line in list(self._lines)[-height:]:
            self._console.print(line)
        self._size = None
        self._start()

    def finish(self) -> None:
        """Print the last lines: syncs not counted yet, and in a pipe the final state."""
        self._resume()
        if self._quiet or self._raw:
            return
        lines: list[Line] = []
        self._unfold(lines)
        if self._live is None:
            lines += ((line, "") for line in rendering.state_lines(self._session))
        self._print(lines)
        self.refresh()

    def _unfold(self, lines: list[Line]) -> None:
        if self._folded:
            at = (self._folded_at - self._began) / SECOND
            time = rendering.time_of_day(self._folded_at) if self._of_clock else f"{at:12.6f}"
            lines.append((f"{self._folded_last:5} {time} {'':9} -- {tr('syncs', count=self._folded)}", "dim"))
            self._folded = 0

    def _print(self, lines: Sequence[Line]) -> None:
        if not lines:
            return
        if self._browser is not None:
            self._waiting.extend(lines)
            return
        try:
            if self._console is not None:
                from rich.text import Text

                texts = [Text(*line) for line in lines]
                if self._live is not None:
                    self._lines.extend(texts)
                for text in texts:
                    self._console.print(text)
            else:
                sys.stdout.write("".join(f"{line}\n" for line, _style in lines))
                sys.stdout.flush()
        except BrokenPipeError:
            # the output has no reader any more; the line and the files go on
            self._quiet = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _console() -> Console | None:
    """Return the terminal on standard output; None for a pipe or a file. What draws on it is imported only for it."""
    if not sys.stdout.isatty() and not any(name in os.environ for name in ("FORCE_COLOR", "TTY_COMPATIBLE")):
        return None
    from rich.console import Console

    console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else None
