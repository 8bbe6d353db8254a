"""The games at one screen, full screen: fields with a cursor, what was said beside them, and a curtain between people.

A game runs in a thread of its own and knows nothing of screens: it tells, shows and asks at a table, as it does where
it is played as lines of text. `ScreenTable` carries that to the screen, and what a person chooses back.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from seabattle_host.errors import SeabattleError
from seabattle_host.games import start
from seabattle_host.games.field_view import CLASSIC, NAMES, WATER, Sight
from seabattle_host.games.recording import Keeper
from seabattle_host.games.setup import KINDS, Setup, another
from seabattle_host.games.table import CURTAIN_SECONDS, QUIT, Left, Table, Want
from seabattle_host.language.games_phrases import say
from seabattle_host.language.text import LETTERS
from seabattle_host.records.archive import Archive
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.dialogs import Question
from seabattle_host.tui.dialogs import legend as shapes
from seabattle_host.tui.field_views import SightsView
from seabattle_host.tui.widgets import Key, KeyBar, LineLog, Plain, begin_typing, letter_keys

PAUSE_SECONDS = 0.7
"""How long a computer's move is looked at before the next one."""

WORD_KEYS = ("f7", "f8")
"""Keys of the commands that a game offers, in their order."""

_LOG_LEAST = 26
"""Characters of the log beside the fields; where there are fewer, it stands below."""


class ScreenTable(Table):
    """The table of a game, on `screen`. Used by the game's thread; `close` may be called by any."""

    def __init__(self, screen: LocalScreen, setup: Setup, keeper: Keeper):
        super().__init__(KINDS[setup.kind], setup.people, False, LETTERS[setup.letters], keeper)
        self._screen = screen
        self._answers: queue.Queue[str] = queue.Queue()
        self._closed = threading.Event()

    @property
    def live(self) -> bool:
        return True

    @property
    def pretty(self) -> bool:
        return self._screen.pretty

    def close(self) -> None:
        """End the game: whoever is asked has left."""
        self._closed.set()
        self._answers.put(QUIT)

    def answer(self, typed: str) -> None:
        """What the person who was asked has chosen."""
        self._answers.put(typed)

    def tell(self, player: int | None, line: Text | str) -> None:
        if player is None or player < self.people:
            self._private = self._private or player is not None
            self._do(self._screen.told, player, str(line))

    def show(self, player: int | None, sights: Sequence[Sight], legend: str) -> None:
        self._private = self._private or player is not None
        self._do(self._screen.shown, sights, legend)

    def curtain(self, player: int) -> None:
        if self.people > 1 and player != self._shown:
            if self._private and self._shown >= 0:
                # let who sits here read what came last
                read = say("hand_over", name=NAMES[self._shown]).strip("- ")
                self.ask(self._shown, Want(read, words=[("on", say("word_read"))]))
            self._do(self._screen.draw_curtain, player)
            self._wait()
            self._do(self._screen.sit_down, player)
        self._shown = player
        self._private = False

    def ask(self, player: int, want: Want) -> tuple[int, str]:
        self.say_problem()
        self._private = False
        self._do(self._screen.asked, player, want)
        return player, self._wait()

    def pause(self) -> None:
        if self._closed.wait(PAUSE_SECONDS):
            raise Left

    def _wait(self) -> str:
        typed = self._answers.get()
        if self._closed.is_set():
            raise Left
        return typed

    def _do(self, what: Callable[..., None], *arguments: object) -> None:
        if self._closed.is_set():
            raise Left
        try:
            self._screen.app.call_from_thread(what, *arguments)
        except RuntimeError as error:
            # the application has ended
            raise Left from error


class Curtain(Screen[None]):
    """Nothing but who is to come next. Dismissed by that player."""

    BINDINGS = [
        Binding("enter", "lift", show=False),
        Binding("f10,escape", "leave", show=False),
    ]

    def __init__(self, player: int, news: Sequence[str]):
        super().__init__()
        self._drawn = time.monotonic()
        self.player = player
        self.news = news

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Plain("\n".join(self.news), id="curtain-news")
            yield Plain(say("curtain_big", name=NAMES[self.player]), id="curtain-who")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(
            [("Enter", say("key_curtain", name=NAMES[self.player]), "screen.lift"), _leave_key()]
        )

    def action_lift(self) -> None:
        """Not by an Enter that was still meant for what stood here before, nor by one that is held."""
        now = time.monotonic()
        if now - self._drawn >= CURTAIN_SECONDS:
            self.dismiss(None)
        self._drawn = now

    def action_leave(self) -> None:
        """Leave the game, after a question."""
        _ask_leave(self)


class LocalHelp(ModalScreen[None]):
    """The rules of the game in short, and the keys."""

    BINDINGS = [Binding(letter_keys("escape,enter,f1,question_mark,q"), "dismiss(None)", show=False)]

    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Plain(say(f"rules_{self.kind}"))
            yield Plain(say("local_keys"), classes="gap")

    def on_click(self) -> None:
        self.dismiss(None)


class LocalScreen(Screen[None]):
    """One game after another by the same setup. Dismissed when the people have left."""

    BINDINGS = [
        Binding("f1", "help", show=False),
        Binding("f2", "again", show=False),
        Binding("f5", "fire", show=False),
        Binding("f7", "word(0)", show=False),
        Binding("f8", "word(1)", show=False),
        Binding("space", "turn", show=False),
        Binding(letter_keys("n"), "next_ship", show=False),
        Binding("delete,backspace", "remove", show=False),
        Binding("f10,escape", "leave", show=False),
    ]

    def __init__(self, setup: Setup, archive: Archive | None, problem: str, ascii_only: bool):
        """archive: where games are kept, None and why (`problem`) for nowhere."""
        super().__init__()
        self.setup = setup
        self.ascii_only = ascii_only
        self.over = False
        self._archive_path = archive.path if archive is not None else None
        self._problem = problem
        self._table: ScreenTable | None = None
        self._want: Want | None = None
        self._player = 0
        self._marked: list[int] = []
        self._ghost = 0
        self._way = 0
        self._sights: Sequence[Sight] = ()
        self._told: list[tuple[int | None, str]] = []

    def compose(self) -> ComposeResult:
        yield Plain("", id="title")
        yield Plain("", id="doing")
        with Container(id="local"):
            yield SightsView(self.ascii_only)
            yield LineLog(id="log")
        with Horizontal(id="aim"):
            yield Plain("", id="aim-label")
            yield Input(id="typed", compact=True, select_on_focus=False)
        yield Plain("", id="local-legend")
        yield KeyBar()

    def on_mount(self) -> None:
        self._begin()

    def on_unmount(self) -> None:
        if self._table is not None:
            self._table.close()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fit)

    @property
    def pretty(self) -> bool:
        """Whether a melee is told by colours and signs beyond ASCII; by its letters otherwise."""
        return self._view.pretty

    @property
    def asks(self) -> bool:
        """Whether a person is asked for something."""
        return self._want is not None

    # The game's thread.

    def _begin(self) -> None:
        self.over = False
        self._told.clear()
        self._clean()
        self.query_one("#title", Plain).update(self._title())
        self._run_game()

    def _title(self) -> str:
        names = []
        for player in range(KINDS[self.setup.kind]):
            computer = player >= self.setup.people
            names.append(say("seat_computer", name=NAMES[player]) if computer else NAMES[player])
        return f"{say(f'name_{self.setup.kind}')}: {' - '.join(names)}"

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
        table = ScreenTable(self, self.setup, keeper)
        self._table = table
        try:
            start.play(self.setup, table)
            table.say_problem()
            self.app.call_from_thread(self.ended)
        except (Left, RuntimeError):
            # the person has left, or the application has
            if not table._closed.is_set():
                raise
        finally:
            if archive is not None:
                archive.close()

    # What the game does to the screen.

    def told(self, player: int | None, line: str) -> None:
        """A line for everybody, or for the player who sits here."""
        self._told.append((player, line))
        self._log(player, line)
        if player is not None:
            self._doing(line)

    def shown(self, sights: Sequence[Sight], legend: str) -> None:
        """Fields, in the place of those that were shown."""
        self._sights = sights
        self._view.show(sights)
        self.query_one("#local-legend", Plain).update(legend if self.setup.kind != CLASSIC else shapes(self.ascii_only))
        self._fit()

    def asked(self, player: int, want: Want) -> None:
        """A person is asked."""
        self._want = want
        self._player = player
        self._marked = []
        self._ghost = min(self._ghost, max(0, len(want.ghosts) - 1))
        self._way = 0 if not want.ghosts else self._way % len(want.ghosts[self._ghost].ways)
        field = want.field if want.field < len(self._sights) else 0
        for i in range(2):
            board = self._board(i)
            board.can_focus = board.interactive = i == field and bool(want.shots or want.ghosts)
        self.query_one("#aim-label", Plain).update(f"{NAMES[player]}>")
        typed = self.query_one("#typed", Input)
        typed.disabled = False
        typed.placeholder = say("type_here")
        typed.value = ""
        if self._board(field).interactive:
            self._board(field).focus()
        else:
            typed.focus()
        self._doing("", mine=True)
        self._draw_ghost()
        self._keys()

    def draw_curtain(self, player: int) -> None:
        """Take away everything that only the last player may see, and wait for the next one."""
        self._clean()
        news = [line for whom, line in self._told[-12:] if whom is None][-4:]
        self.app.push_screen(Curtain(player, news), lambda _: self._answer(""))

    def sit_down(self, player: int) -> None:
        """Show to the next player what was told to all and to that player."""
        self._player = player
        log = self.query_one("#log", LineLog)
        log.wipe()
        for whom, line in self._told:
            if whom in (None, player):
                log.add(line)

    def ended(self) -> None:
        """The game is over, and nobody is asked any more."""
        self.over = True
        self._want = None
        self._rest()
        everybody = [line for whom, line in self._told if whom is None]
        self._doing(everybody[-1] if everybody else "")
        self._keys()

    # Inside.

    @property
    def _view(self) -> SightsView:
        return self.query_one(SightsView)

    def _board(self, i: int) -> BoardView:
        return self._view.board(i)

    def _log(self, player: int | None, line: str) -> None:
        self.query_one("#log", LineLog).add(line, "" if player is None else "bold")

    def _doing(self, line: str, mine: bool = False) -> None:
        doing = self.query_one("#doing", Plain)
        doing.set_class(mine, "my-turn")
        if line:
            doing.update(line)

    def _clean(self) -> None:
        """Nothing that is of one player stays on the screen."""
        self._want = None
        self._sights = ()
        self._view.show(())
        self.query_one("#log", LineLog).wipe()
        for line in ("#doing", "#local-legend"):
            self.query_one(line, Plain).update("")
        self._rest()
        self._keys()

    def _rest(self) -> None:
        """Nobody is asked."""
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
        self._rest()
        self._keys()
        if self._table is not None:
            self._table.answer(typed)

    def _fit(self) -> None:
        """Give the cells what room there is, and put the log beside the fields or below them."""
        if not self._sights:
            return
        room = self.size.width - 2
        taken = self._view.fit(room, _LOG_LEAST)
        beside = room - taken >= _LOG_LEAST
        whole = self.query_one("#local")
        whole.styles.layout = "horizontal" if beside else "vertical"
        self._view.styles.width = taken + 1 if beside else "100%"
        self._view.styles.height = "100%" if beside else min(self._view.high, max(4, whole.size.height - 2))
        self.query_one("#log").set_class(not beside, "below")
        self._draw_marks()

    def _draw_marks(self) -> None:
        want = self._want
        if want is None or want.ghosts or want.shots < 2:
            return
        board = self._board(want.field)
        board.show_ghost(self._marked)
        names = " ".join(self._cell_name(cell) for cell in self._marked)
        self._doing(say("salvo_marked", marked=len(self._marked), guns=want.shots, cells=names), mine=True)

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
        signs = self._sights[0].signs
        free = len(inside) == len(cells) and all(signs[v * board.columns + u] == WATER for u, v in cells)
        board.show_ghost({v * board.columns + u for u, v in inside}, free)
        self._doing(say("placing", ship=ghost.label), mine=True)

    def _cell_name(self, cell: int) -> str:
        sight = self._sights[self._want.field if self._want else 0]
        return f"{sight.letters[cell % sight.width]}{cell // sight.width + 1}"

    def _keys(self) -> None:
        want = self._want
        keys: list[Key] = []
        offered = [
            (WORD_KEYS[i].upper(), label, f"screen.word({i})")
            for i, (_command, label) in enumerate(want.words if want is not None else ())
        ]
        if want is not None and want.ghosts:
            keys += [("Enter", say("key_place"), ""), (say("space"), say("key_turn"), "screen.turn"), *offered]
            if len(want.ghosts) > 1:
                keys.append(("N", say("key_next_ship"), "screen.next_ship"))
            keys.append(("Del", say("key_remove"), "screen.remove"))
        elif want is not None and want.shots > 1:
            keys += [("Enter", say("key_mark"), ""), ("F5", say("key_fire"), "screen.fire"), *offered]
        elif want is not None and want.shots:
            keys += [("Enter", say("key_shoot"), ""), *offered]
        else:
            keys += offered
        if self.over:
            keys.append(("F2", say("key_again"), "screen.again"))
        keys.append(("F1", say("key_rules"), "screen.help"))
        self.query_one(KeyBar).show([*keys, _leave_key()])

    # What the person does.

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
        elif want.shots == 1:
            self._answer(self._cell_name(cell))
        elif cell in self._marked:
            self._marked.remove(cell)
            self._draw_marks()
        elif len(self._marked) < want.shots and self._sights[want.field].signs[cell] == WATER:
            self._marked.append(cell)
            self._draw_marks()

    def on_board_view_turned(self) -> None:
        self.action_turn()

    def on_key(self, event: events.Key) -> None:
        """A letter or a digit begins a cell that is typed."""
        typed = self.query_one("#typed", Input)
        busy = self._want is not None and self._want.ghosts and event.character in letter_keys("n").split(",")
        over = isinstance(self.focused, BoardView) and not busy
        # keys that come in one burst get here behind the first letter too, spaces among them
        takes = event.character is not None and (event.character.isalnum() if over else event.is_printable)
        if event.character and takes and begin_typing(typed, event.character, over):
            event.stop()
        elif event.key in ("up", "down") and self.focused is typed and self._want is not None:
            self._board(self._want.field if self._want.field < len(self._sights) else 0).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        want = self._want
        if want is None:
            return
        line = event.value.strip()
        if line:
            self._answer(line)
        elif want.words and not want.shots and not want.ghosts:
            self._answer(want.words[0][0])

    def action_fire(self) -> None:
        """Fire at the marked cells."""
        want = self._want
        if want is not None and want.shots > 1 and self._marked:
            self._answer(" ".join(self._cell_name(cell) for cell in self._marked))

    def action_word(self, number: int) -> None:
        """One of the commands that the game offers."""
        want = self._want
        if want is None or number >= len(want.words):
            return
        command = want.words[number][0]
        if command == "withdraw":
            question = Question(say("ask_withdraw"), say("word_withdraw"), say("no"))
            self.app.push_screen(question, lambda yes: self._answer(command) if yes else None)
        else:
            self._answer(command)

    def action_turn(self) -> None:
        """The other way for the ship that is about to be placed; in a salvo, mark the cell."""
        want = self._want
        if want is not None and want.ghosts:
            self._way = (self._way + 1) % len(want.ghosts[self._ghost].ways)
            self._draw_ghost()
        elif want is not None and want.shots > 1:
            self._board(want.field).action_choose()

    def action_next_ship(self) -> None:
        """Another ship to place."""
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

    def action_again(self) -> None:
        """Another game."""
        if self.over:
            self.setup = another(self.setup)
            self._begin()

    def action_help(self) -> None:
        """The rules in short."""
        self.app.push_screen(LocalHelp(self.setup.kind))

    def action_leave(self) -> None:
        """Leave, after a question while a game is under way."""
        if self.over:
            self.leave()
        else:
            _ask_leave(self)

    def leave(self) -> None:
        """Leave at once; the game stays unfinished."""
        if self._table is not None:
            self._table.close()
        self.dismiss(None)


def _leave_key() -> Key:
    return ("F10", say("key_leave_game"), "screen.leave")


def _ask_leave(screen: Screen) -> None:
    def answered(yes: bool | None) -> None:
        if yes:
            if isinstance(screen, Curtain):
                screen.app.pop_screen()
            local = screen.app.screen
            if isinstance(local, LocalScreen):
                local.leave()

    screen.app.push_screen(Question(say("ask_leave_game"), say("yes_leave_game"), say("no")), answered)
