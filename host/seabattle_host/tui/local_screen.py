"""The games at one screen, full screen: fields with a cursor, and a log."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.widgets import Input

from seabattle_host.errors import SeabattleError
from seabattle_host.games import start
from seabattle_host.games.field_view import CLASSIC, WATER, FieldView
from seabattle_host.games.recording import Keeper
from seabattle_host.games.setup import Setup, labels, with_new_seed
from seabattle_host.games.ui import CURTAIN_SECONDS, WITHDRAW, Left, Want
from seabattle_host.language.messages import tr
from seabattle_host.records.archive import Archive
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.dialogs import Question
from seabattle_host.tui.dialogs import legend as shapes
from seabattle_host.tui.field_views import FieldViews
from seabattle_host.tui.local_windows import Curtain, LocalHelp, Record, ask_leave, leave_key
from seabattle_host.tui.screen_ui import ScreenUI
from seabattle_host.tui.widgets import Key, KeyBar, LineLog, Plain, begin_typing, letter_keys

WORD_KEYS = ("f7", "f8")
"""Keys of the commands that a game offers, in order."""

_LINES_LEAST = 18
"""Below this number of lines the legend is hidden."""
_LOG_LEAST = 26
"""Least width of a log next to the fields; a narrower one goes below them."""


class LocalScreen(Screen[None]):
    """One game after another with the same setup. Dismissed when the players leave."""

    BINDINGS = [
        Binding("f1", "help", show=False),
        Binding("f2", "again", show=False),
        Binding("f5", "fire", show=False),
        Binding("f7", "word(0)", show=False),
        Binding("f8", "word(1)", show=False),
        Binding("space", "turn", show=False),
        Binding(letter_keys("n"), "next_ship", show=False),
        Binding("delete,backspace", "remove", show=False),
        Binding("pageup", "log(-1)", show=False, priority=True),
        Binding("pagedown", "log(1)", show=False, priority=True),
        Binding("f10,escape", "leave", show=False),
    ]

    def __init__(self, setup: Setup, archive: Archive | None, problem: str, ascii_only: bool):
        """archive: of the games; None if they are not saved, `problem` says why."""
        super().__init__()
        self.setup = setup
        self.ascii_only = ascii_only
        self.over = False
        self._archive_path = archive.path if archive is not None else None
        self._problem = problem
        self._ui: ScreenUI | None = None
        self._want: Want | None = None
        self._player = 0
        self._marked: list[int] = []
        self._ghost = 0
        self._way = 0
        self._views: Sequence[FieldView] = ()
        self._messages: list[tuple[int | None, str]] = []
        self._asked_at = 0.0
        self._called = labels(setup.kind, setup.names)

    def compose(self) -> ComposeResult:
        yield Plain("", id="title")
        yield Plain("", id="doing")
        with Container(id="local"):
            yield FieldViews(self.ascii_only)
            yield LineLog(id="log")
        with Horizontal(id="aim"):
            yield Plain("", id="aim-label")
            yield Input(id="typed", compact=True, select_on_focus=False)
        yield Plain("", id="local-left")
        yield Plain("", id="local-legend")
        yield KeyBar()

    def on_mount(self) -> None:
        self._begin()

    def on_unmount(self) -> None:
        if self._ui is not None:
            self._ui.close()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fit)

    @property
    def pretty(self) -> bool:
        """Whether a melee is drawn in colours and signs beyond ASCII, not in letters."""
        return self._view.pretty

    @property
    def asks(self) -> bool:
        """Whether a player is being asked for something."""
        return self._want is not None

    # The game's thread.

    def _begin(self) -> None:
        self.over = False
        self._messages.clear()
        self._hide_private()
        self.query_one("#title", Plain).update(self._title())
        self._run_game()

    def _title(self) -> str:
        return f"{tr(f'name_{self.setup.kind}')}: {' - '.join(self.setup.seats())}"

    @work(thread=True, exclusive=True, group="game")
    def _run_game(self) -> None:
        archive = None
        keeper = Keeper(None, self._problem)
        if self._archive_path is not None:
            # an archive belongs to the thread that opens it
            try:
                archive = Archive(self._archive_path)
                keeper = Keeper(archive)
            except SeabattleError as error:
                keeper = Keeper(None, str(error))
        ui = ScreenUI(self, self.setup, keeper)
        self._ui = ui
        try:
            self.play_game(ui)
            ui.show_problem()
            self.app.call_from_thread(self.ended)
        except Left:
            # by a typed command, or the screen is already gone
            with contextlib.suppress(RuntimeError, CancelledError):
                if not ui.closed:
                    self.app.call_from_thread(self.leave)
        except SeabattleError as error:
            self.app.call_from_thread(self.failed, str(error))
        except RuntimeError:
            # the application has ended
            if not ui.closed:
                raise
        finally:
            if archive is not None:
                archive.close()

    def play_game(self, ui: ScreenUI) -> None:
        """Play a game to its end, in the game's thread."""
        start.play(self.setup, ui)

    # Called by the game.

    def show_message(self, player: int | None, line: str) -> None:
        """Log a line for everybody, or for the player at the screen."""
        self._messages.append((player, line))
        self._log(player, line)
        if player is not None:
            self._doing(line)

    def restore_message(self, player: int | None, line: str) -> None:
        """Store a line from before a resumed game was left."""
        self._messages.append((player, line))

    def show_lines(self, title: str, show_message: Sequence[str]) -> None:
        """Show the player at the screen a list of lines in a window."""
        self.app.push_screen(Record(title, show_message))

    def failed(self, line: str) -> None:
        """End the game: it cannot be played."""
        self.show_message(None, line)
        self.ended()

    def show_fields(self, views: Sequence[FieldView], legend: str, left: str) -> None:
        """Show fields in place of the former ones."""
        self._views = views
        self.query_one("#local-left", Plain).update(left)
        self._view.show(views)
        self.query_one("#local-legend", Plain).update(legend if self.setup.kind != CLASSIC else shapes(self.ascii_only))
        self._fit()

    def show_question(self, player: int, want: Want) -> None:
        """Ask a player."""
        self._want = want
        self._player = player
        self._asked_at = time.monotonic()
        self._marked = []
        self._ghost = min(self._ghost, max(0, len(want.ghosts) - 1))
        self._way = 0 if not want.ghosts else self._way % len(want.ghosts[self._ghost].ways)
        field = want.field if want.field < len(self._views) else 0
        for i in range(2):
            board = self._board(i)
            board.can_focus = board.interactive = i == field and bool(want.shots or want.ghosts or want.remove)
        self.query_one("#aim-label", Plain).update(f"{self._called[player]}>")
        typed = self.query_one("#typed", Input)
        typed.disabled = False
        typed.placeholder = tr("type_here")
        typed.value = ""
        if self._board(field).interactive:
            self._board(field).focus()
        else:
            typed.focus()
        self._doing("", mine=True)
        self._draw_ghost()
        self._keys()

    def draw_curtain(self, player: int) -> None:
        """Hide everything that only the last player may see, and wait for the next one."""
        self._hide_private()
        messages = [line for whom, line in self._messages[-12:] if whom is None][-4:]
        curtain = Curtain(player, self._called[player], messages, bool(self.setup.away))
        self.app.push_screen(curtain, lambda line: self._answer(line or ""))

    def sit_down(self, player: int) -> None:
        """Show the next player the log for everybody and for that player."""
        self._player = player
        log = self.query_one("#log", LineLog)
        log.wipe()
        for whom, line in self._messages:
            if whom in (None, player):
                log.add(line, "" if whom is None else "bold")

    def ended(self) -> None:
        """End the game: nobody is asked any more."""
        self.over = True
        self._want = None
        self._stop_asking()
        everybody = [line for whom, line in self._messages if whom is None]
        self._doing(everybody[-1] if everybody else "")
        self._keys()

    # Internal.

    @property
    def _view(self) -> FieldViews:
        return self.query_one(FieldViews)

    def _board(self, i: int) -> BoardView:
        return self._view.board(i)

    def _log(self, player: int | None, line: str) -> None:
        self.query_one("#log", LineLog).add(line, "" if player is None else "bold")

    def _doing(self, line: str, mine: bool = False) -> None:
        doing = self.query_one("#doing", Plain)
        doing.set_class(mine, "my-turn")
        if line:
            doing.update(line)

    def _hide_private(self) -> None:
        """Remove everything private from the screen."""
        self._want = None
        self._views = ()
        self._view.show(())
        self.query_one("#log", LineLog).wipe()
        for line in ("#doing", "#local-left", "#local-legend"):
            self.query_one(line, Plain).update("")
        self._stop_asking()
        self._keys()

    def _stop_asking(self) -> None:
        """Stop asking."""
        for i in range(2):
            board = self._board(i)
            board.can_focus = board.interactive = False
            board.show_ghost(())
        typed = self.query_one("#typed", Input)
        typed.value = typed.placeholder = ""
        typed.disabled = True
        self.query_one("#aim-label", Plain).update("")
        self.query_one("#doing").remove_class("my-turn")

    def _answer(self, typed: str) -> None:
        self._want = None
        self._stop_asking()
        self._keys()
        if self._ui is not None:
            self._ui.answer(typed)

    def _fit(self) -> None:
        """Fit the cells to the room, and put the log next to the fields or below them."""
        # on a low screen the fields need the lines more than the legend
        low = self.size.height < _LINES_LEAST
        self.query_one("#local-legend").display = not low
        self.query_one("#local-left").styles.max_height = 1 if low else None
        if not self._views:
            return
        room = self.size.width - 2
        taken = self._view.fit(room, _LOG_LEAST)
        side_by_side = room - taken >= _LOG_LEAST
        whole = self.query_one("#local")
        whole.styles.layout = "horizontal" if side_by_side else "vertical"
        self._view.styles.width = taken + 1 if side_by_side else "100%"
        self._view.styles.height = "100%" if side_by_side else min(self._view.high, max(4, whole.size.height - 2))
        self.query_one("#log").set_class(not side_by_side, "below")
        self._draw_marks()

    def _draw_marks(self) -> None:
        want = self._want
        if want is None or want.ghosts or want.shots < 2 or not self._views:
            return
        board = self._board(want.field)
        board.show_ghost(self._marked)
        names = " ".join(self._cell_name(cell) for cell in self._marked)
        self._doing(tr("salvo_marked", marked=len(self._marked), guns=want.shots, cells=names), mine=True)

    def _draw_ghost(self) -> None:
        want = self._want
        if want is None:
            return
        if not want.ghosts:
            self._draw_marks()
            return
        board = self._board(0)
        ghost = want.ghosts[self._ghost]
        x, y = board.cursor % board.columns, board.cursor // board.columns
        cells = [(x + u, y + v) for u, v in ghost.ways[self._way]]
        inside = [(u, v) for u, v in cells if 0 <= u < board.columns and 0 <= v < board.rows]
        signs = self._views[0].signs
        free = len(inside) == len(cells) and all(signs[v * board.columns + u] == WATER for u, v in cells)
        board.show_ghost({v * board.columns + u for u, v in inside}, free)
        self._doing(tr("placing", ship=ghost.label), mine=True)

    def _cell_name(self, cell: int) -> str:
        view = self._views[self._want.field if self._want else 0]
        return f"{view.letters[cell % view.width]}{cell // view.width + 1}"

    def _keys(self) -> None:
        want = self._want
        keys: list[Key] = []
        offered = [
            (WORD_KEYS[place].upper(), label, f"screen.word({place})")
            for place, (_command, label) in sorted(self._words().items())
        ]
        if want is not None and want.ghosts:
            keys += [("Enter", tr("key_place"), ""), (tr("space"), tr("key_turn"), "screen.turn"), *offered]
            if len(want.ghosts) > 1:
                keys.append(("N", tr("key_next_ship"), "screen.next_ship"))
            keys.append(("Del", tr("games_key_remove"), "screen.remove"))
        elif want is not None and want.shots > 1:
            keys += [("Enter", tr("key_mark"), ""), ("F5", tr("key_fire"), "screen.fire"), *offered]
        elif want is not None and want.shots:
            keys += [("Enter", tr("games_key_shoot"), ""), *offered]
        elif want is not None and want.enter:
            keys += offered
            if want.remove is not None:
                keys = [("Enter", tr("word_ready"), "screen.word(1)"), offered[0]]
                keys.append(("Del", tr("games_key_remove"), "screen.remove"))
        else:
            keys += offered
        if self.over:
            keys.append(("F2", tr("key_again"), "screen.again"))
        keys += self.more_keys()
        keys.append(("F1", tr("key_rules"), "screen.help"))
        self.query_one(KeyBar).show([*keys, leave_key()])

    def more_keys(self) -> list[Key]:
        """Return keys in addition to those of the game."""
        return []

    # The player's actions.

    def on_board_view_aimed(self, event: BoardView.Aimed) -> None:
        self._draw_ghost()
        self._view.follow(event.board, event.cell)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        want = self._want
        if want is None:
            return
        cell = event.cell
        if want.ghosts:
            columns = event.board.columns
            self._answer(want.ghosts[self._ghost].command(cell % columns, cell // columns, self._way))
        elif want.enter:
            self._enter(want)
        elif want.shots == 1:
            self._answer(self._cell_name(cell))
        elif cell in self._marked:
            self._marked.remove(cell)
            self._draw_marks()
        elif len(self._marked) < want.shots and self._views[want.field].signs[cell] == WATER:
            self._marked.append(cell)
            self._draw_marks()

    def _enter(self, want: Want) -> None:
        """Answer with Enter alone, unless it is held down since the last question."""
        if time.monotonic() - self._asked_at >= CURTAIN_SECONDS:
            self._answer(want.enter)
        self._asked_at = time.monotonic()

    def on_board_view_turned(self) -> None:
        self.action_turn()

    def on_key(self, event: events.Key) -> None:
        """Start typing a cell with a letter or a digit."""
        typed = self.query_one("#typed", Input)
        busy = self._want is not None and self._want.ghosts and event.character in letter_keys("n").split(",")
        over = isinstance(self.focused, BoardView) and not busy
        # keys of one burst arrive here after the first letter, too, spaces among them
        takes = event.character is not None and (event.character.isalnum() if over else event.is_printable)
        if event.character and takes and begin_typing(typed, event.character, over):
            event.stop()
        elif event.key in ("up", "down") and self.focused is typed and self._want is not None:
            self._board(self._want.field if self._want.field < len(self._views) else 0).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        want = self._want
        if want is None:
            return
        line = event.value.strip()
        if line:
            self._answer(line)
        elif want.enter:
            self._enter(want)
        elif want.words and not want.shots and not want.ghosts:
            self._answer(want.words[0][0])

    def action_fire(self) -> None:
        """Fire at the marked cells."""
        want = self._want
        if want is not None and want.shots > 1 and self._marked:
            self._answer(" ".join(self._cell_name(cell) for cell in self._marked))

    def _words(self) -> dict[int, tuple[str, str]]:
        """Return the offered commands by the index of their key. Withdrawing has the same key in every game."""
        words = self._want.words if self._want is not None else ()
        return {1 if word[0] == WITHDRAW else i: word for i, word in enumerate(words)}

    def action_word(self, number: int) -> None:
        """Choose an offered command."""
        words = self._words()
        if number not in words:
            return
        command = words[number][0]
        if command == WITHDRAW:
            question = Question(tr("ask_withdraw"), tr("word_withdraw"), tr("games_no"))
            self.app.push_screen(question, lambda yes: self._answer(command) if yes else None)
        else:
            self._answer(command)

    def action_turn(self) -> None:
        """Turn the ship to be placed; in a salvo, mark the cell."""
        want = self._want
        if want is not None and want.ghosts:
            self._way = (self._way + 1) % len(want.ghosts[self._ghost].ways)
            self._draw_ghost()
        elif want is not None and want.shots > 1:
            self._board(want.field).action_choose()

    def action_next_ship(self) -> None:
        """Select another ship to place."""
        want = self._want
        if want is not None and want.ghosts:
            self._ghost = (self._ghost + 1) % len(want.ghosts)
            self._way = 0
            self._draw_ghost()

    def action_remove(self) -> None:
        """Take back the ship under the cursor."""
        want = self._want
        command = want.remove(self._board(0).cursor) if want is not None and want.remove is not None else ""
        if command:
            self._answer(command)

    def action_log(self, pages: int) -> None:
        """Scroll the log."""
        log = self.query_one("#log", LineLog)
        (log.scroll_page_up if pages < 0 else log.scroll_page_down)(animate=False)

    def action_again(self) -> None:
        """Play another game."""
        if self.over:
            self.setup = with_new_seed(self.setup)
            self._begin()

    def action_help(self) -> None:
        """Show the rules in short."""
        self.app.push_screen(LocalHelp(self.setup.kind))

    def action_leave(self) -> None:
        """Leave, after a question while a game is running."""
        if self.over:
            self.leave()
        else:
            ask_leave(self)

    def leave(self) -> None:
        """Leave at once; the game stays unfinished."""
        if self._ui is not None:
            self._ui.close()
        self.dismiss(None)
