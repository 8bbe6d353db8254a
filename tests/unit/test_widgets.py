"""Small widgets of the full-screen game: a text that changes costs no more than it has to."""

from __future__ import annotations

import asyncio
from typing import Any

from rich.text import Text
from textual.app import App, ComposeResult

from seabattle_host.tui.widgets import Plain


class Watched(Plain):
    """Keeps how often it was drawn anew, and whether with a layout of the screen."""

    layouts: list[bool]

    def refresh(self, *regions: Any, layout: bool = False, **how: Any) -> Any:
        if hasattr(self, "layouts"):
            self.layouts.append(layout)
        return super().refresh(*regions, layout=layout, **how)


class Lines(App[None]):
    CSS = "#line { height: 1; } #text { height: auto; }"

    def compose(self) -> ComposeResult:
        yield Watched("one", id="line")
        yield Watched("one", id="text")


def test_only_a_text_that_sets_the_size_of_its_widget_lays_out_the_screen():
    async def run() -> None:
        app = Lines()
        async with app.run_test() as pilot:
            for name, layout in (("#line", False), ("#text", True)):
                plain = app.query_one(name, Watched)
                plain.layouts = []
                plain.update("one")
                assert plain.layouts == []
                plain.update("two\nlines")
                plain.update(Text("two\nlines", "bold"))
                assert plain.layouts == [layout, layout]
            await pilot.pause()
            assert [app.query_one(name).size.height for name in ("#line", "#text")] == [1, 2]

    asyncio.run(run())
