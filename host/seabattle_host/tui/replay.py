"""A game from the archive, move by move, and the list of games to choose from."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import DataTable

from seabattle_host.games import review
from seabattle_host.games.history import columns, move_words, outcome, row, statistics, when
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.words import duration
from seabattle_host.player.position import Position
from seabattle_host.records.archive import SERIAL, Archive, Game
from seabattle_host.tui.battle_pane import TwoFields
from seabattle_host.tui.field_views import FieldViews
from seabattle_host.tui.widgets import KeyBar, LineLog, Plain, letter_keys

_PLAY_SECONDS = 0.7
"""Between two moves while playing."""

_SIDE = 30
"""Width of the list of moves."""


class ReplayScreen(Screen[None]):
    """Steps through a game. Dismissed when the player leaves."""

    BINDINGS = [
        Binding(letter_keys("right,down,enter,l"), "step(1)", show=False),
        Binding("left,up,backspace", "step(-1)", show=False),
        Binding("pagedown", "step(10)", show=False),
        Binding("pageup", "step(-10)", show=False),
        Binding("home", "edge(False)", show=False),
        Binding("end", "edge(True)", show=False),
        Binding("space", "play", show=False),
        Binding("f1,question_mark", "app.help", show=False),
        Binding(letter_keys("escape,q,f10"), "dismiss(None)", show=False),
    ]

    def __init__(self, game: Game, ascii_only: bool):
        super().__init__()
        self.game = game
        self.ascii_only = ascii_only
        self.at = 0
        self._timer: Timer | None = None
        self._lines = 0
        """Lines below the fields."""

    def compose(self) -> ComposeResult:
        yield Plain("", id="title")
        yield Plain("", id="doing")
        with Horizontal(id="body"):
            with Vertical(id="main"):
                if self.game.kind == SERIAL:
                    yield TwoFields(words.russian(), self.ascii_only, False)
                else:
                    yield FieldViews(self.ascii_only)
                yield Plain("", id="statistics")
            with Vertical(id="side"):
                yield LineLog(id="log")
        yield KeyBar()

    def on_mount(self) -> None:
        game = self.game
        self.query_one("#title", Plain).update(
            tr("replay_title", number=game.number, when=when(game), players=" - ".join(review.names(game)))
        )
        self.query_one("#log").border_title = tr("moves")
        took = tr("game_took", time=duration(game.length))
        lines = [outcome(game), *statistics(game), took]
        self._lines = len(lines) + 1
        self.query_one("#statistics", Plain).update("\n".join(lines))
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        room = self.query_one("#main").size
        if self.game.kind == SERIAL:
            self.query_one(TwoFields).fit(room.width, room.height - self._lines)
            return
        view, width = self.query_one(FieldViews), self.size.width - 2
        # priority: fields, list of moves, statistics, which go to the end of the moves if there is no room
        self.query_one("#side").display = width - view.fit(width, _SIDE) >= _SIDE
        self.query_one("#statistics").display = room.height - self._lines >= view.high
        view.styles.height = min(view.high, room.height)

    def action_step(self, by: int) -> None:
        """Go forward or back by some moves."""
        self._stop()
        self._go(self.at + by)

    def action_edge(self, last: bool) -> None:
        """Go to the beginning or the end."""
        self._stop()
        self._go(len(self.game.moves) if last else 0)

    def action_play(self) -> None:
        """Start or stop playing the moves."""
        if self._timer is not None:
            self._stop()
        else:
            if self.at == len(self.game.moves):
                self._go(0)
            self._timer = self.set_interval(_PLAY_SECONDS, self._next)
            self._keys()

    def _next(self) -> None:
        self._go(self.at + 1)
        if self.at == len(self.game.moves):
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._keys()

    def _go(self, at: int) -> None:
        at = max(0, min(len(self.game.moves), at))
        if at != self.at:
            self.at = at
            self._show()

    def _show(self) -> None:
        game = self.game
        if game.kind == SERIAL:
            self.query_one(TwoFields).show(Position(game, game.moves[: self.at]))
        else:
            self.query_one(FieldViews).show(review.views(game, game.moves[: self.at]))
            self._fit()
        line = tr("replay_at", at=self.at, of=len(game.moves))
        if self.at:
            line += ": " + move_words(game, self.at)
        if game.kind != SERIAL and self.at == len(game.moves):
            line += f". {outcome(game)}"
        self.query_one("#doing", Plain).update(line)
        log = self.query_one("#log", LineLog)
        log.wipe()
        for number in range(1, self.at + 1):
            log.add(move_words(game, number), "bold" if number == self.at else "")
        if game.kind != SERIAL and self.at == len(game.moves):
            for line in (outcome(game), *statistics(game)):
                log.add(line)
        self._keys()

    def _keys(self) -> None:
        self.query_one(KeyBar).show(
            [
                ("→", tr("key_on"), "screen.step(1)"),
                ("←", tr("key_back"), "screen.step(-1)"),
                ("Home End", tr("key_edges"), ""),
                (tr("space"), tr("key_stop" if self._timer is not None else "key_play"), "screen.play"),
                ("F1", tr("key_help"), "app.help"),
                ("Esc", tr("key_close"), "screen.dismiss(None)"),
            ]
        )


class GamesScreen(Screen[None]):
    """The stored games, the newest first."""

    BINDINGS = [
        Binding("f1,question_mark", "app.help", show=False),
        Binding(letter_keys("escape,q,f10"), "dismiss(None)", show=False),
    ]

    def __init__(self, archive: Archive, ascii_only: bool):
        super().__init__()
        self.archive = archive
        self.ascii_only = ascii_only

    def compose(self) -> ComposeResult:
        yield Plain(tr("games_title"), id="title")
        yield DataTable(id="games", cursor_type="row", zebra_stripes=True, cell_padding=0)
        yield KeyBar()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns(*(Text(f" {name}") for name in columns()))
        for game in reversed(self.archive.games()):
            table.add_row(*(Text(f" {value}") for value in row(game)), key=str(game.number))
        table.focus()
        self.query_one(KeyBar).show([("Enter", tr("key_replay"), ""), ("Esc", tr("key_close"), "screen.dismiss(None)")])

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        game = self.archive.game(int(event.row_key.value or 0))
        self.app.push_screen(ReplayScreen(game, self.ascii_only))
