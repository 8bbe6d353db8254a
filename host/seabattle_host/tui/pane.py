"""What the panes of a session have in common.

A pane shows what it is given and tells by messages what the player wants; it knows neither the line nor the archive.
"""

from __future__ import annotations

from textual.containers import Vertical

from seabattle_host.tui.widgets import Key


class Pane(Vertical):
    """One phase. `keys` are those that work in it beside the screen's own; `focus_first` puts the focus into it."""

    def fit(self, width: int, height: int) -> None:
        """The pane has so many characters and lines."""

    def keys(self) -> list[Key]:
        """Keys of this pane that work at this moment."""
        return []

    def focus_first(self) -> None:
        """Focus what the player works with."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return
