"""The base class of a session's panes.

A pane shows what it is given and sends messages for what the player wants; it knows neither the line nor the archive.
"""

from __future__ import annotations

from textual.containers import Vertical

from seabattle_host.tui.widgets import Key


class Pane(Vertical):
    """One phase. `keys` are those that work in it in addition to the screen's; `focus_first` focuses it."""

    def fit(self, width: int, height: int) -> None:
        """Fit the content to this many characters and lines."""

    def keys(self) -> list[Key]:
        """Return the keys of this pane that work now."""
        return []

    def focus_first(self) -> None:
        """Focus the widget that the player works with."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return
