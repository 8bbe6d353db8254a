"""A salvo against the peer on the line, full screen, over the session's screen."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input

from seabattle_host.games import salvo_remote
from seabattle_host.games.field_view import SALVO
from seabattle_host.games.setup import Setup, any_seed
from seabattle_host.games.ui import Left, Want
from seabattle_host.language.messages import tr
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player.salvo_exchange import RemoteSalvo, SalvoExchange
from seabattle_host.player.session import Session
from seabattle_host.records.archive import Archive
from seabattle_host.tui.dialogs import Question
from seabattle_host.tui.local_screen import LocalScreen
from seabattle_host.tui.screen_ui import ScreenUI
from seabattle_host.tui.widgets import Key, Plain

_LOOK_SECONDS = 0.2


class _Line:
    """The line as the game's thread sees it; see salvo_far.Far."""

    def __init__(self, session: Session, game: RemoteSalvo, ui: ScreenUI, changed: threading.Event):
        self.game = game
        self._session = session
        self._ui = ui
        self._changed = changed

    def placed(self) -> None:
        self._do(SalvoExchange.declare_fleet)

    def fired(self) -> None:
        self._do(SalvoExchange.declare_salvo)

    def withdraw(self) -> None:
        self._do(SalvoExchange.decline)

    def wait(self) -> None:
        self._until(salvos.AIMING, salvos.SHOWING, salvos.IDLE)

    def wait_done(self) -> str:
        self._until(salvos.IDLE)
        with self._session.salvo() as exchange:
            return exchange.verdict if exchange.game is self.game else salvos.NOT_SHOWN

    def _do(self, what: Callable[[SalvoExchange], None]) -> None:
        with self._session.salvo() as exchange:
            if exchange.game is self.game and exchange.running:
                what(exchange)

    def _until(self, *stages: int) -> None:
        while True:
            self._changed.clear()
            with self._session.salvo() as exchange:
                if exchange.game is not self.game or exchange.stage in stages:
                    return
            if self._ui.closed:
                raise Left
            self._changed.wait(_LOOK_SECONDS)


class SalvoScreen(LocalScreen):
    """One salvo over a line.

    again: the player has asked for another one. send_chat: sends a line of chat and returns it as displayed, empty if
    it could not be sent.
    """

    BINDINGS = [Binding("f4", "chat", show=False)]

    def __init__(
        self,
        session: Session,
        me: str,
        peer: str,
        archive: Archive | None,
        problem: str,
        ascii_only: bool,
        send_chat: Callable[[str], str],
    ) -> None:
        super().__init__(Setup(SALVO, 1, any_seed(), names=(me, peer)), archive, problem, ascii_only)
        self.again = False
        self._send_chat = send_chat
        self._session = session
        with session.salvo() as exchange:
            self._game = exchange.game
        self._changed = threading.Event()
        self._play_over = False

    def _title(self) -> str:
        return f"{tr('name_salvo')}: {' - '.join(self._called)}"

    def play_game(self, ui: ScreenUI) -> None:
        """Play the game over the line, in the game's thread."""
        salvo_remote.play(ui, _Line(self._session, self._game, ui, self._changed))

    def happened(self, what: int) -> None:
        """Handle an event of the salvo on the line."""
        self._changed.set()
        if what in (salvos.EVENT_AWAY, salvos.EVENT_BACK):
            self.show_message(None, tr("salvo_line_away" if what == salvos.EVENT_AWAY else "salvo_line_back"))
        if what == salvos.EVENT_OVER:
            self._play_over = True
            self._answer_for_player()

    def show_question(self, player: int, want: Want) -> None:
        writes = self._writes
        super().show_question(player, want)
        # the key bar has no room for it while ships are placed
        self.query_one("#typed", Input).placeholder += f"   F4 {tr('key_chat')}"
        if writes:
            # a player asked while writing finishes the line first
            self._chat.focus()
        self._answer_for_player()

    def _answer_for_player(self) -> None:
        """Answer for the player if the opponent has ended the game: any answer lets the game find that out."""
        if self._play_over and self.asks:
            self._answer("board")

    # The chat. Its entry takes the place of the command entry, at any time of the game.

    def on_mount(self) -> None:
        # Textual calls the handlers of the base classes, too
        entry = Input(id="salvo-say", compact=True)
        entry.display = False
        entry.disabled = True
        self.query_one("#aim", Horizontal).mount(entry)

    @property
    def _chat(self) -> Input:
        return self.query_one("#salvo-say", Input)

    @property
    def _writes(self) -> bool:
        return self._chat.display

    def more_keys(self) -> list[Key]:
        return [("F4", tr("key_chat"), "screen.chat")]

    def show_chat(self, line: str) -> None:
        """Show a line of chat."""
        self.show_message(None, line)

    def action_chat(self) -> None:
        """Go to the chat, or back to the game."""
        typed, label, chat = self.query_one("#typed", Input), self.query_one("#aim-label", Plain), self._chat
        writes = not chat.display
        chat.display = writes
        chat.disabled = not writes
        typed.display = label.display = not writes
        if writes:
            chat.placeholder = tr("salvo_chat_here")
            chat.focus()
        elif self._want is not None and self._want.field < len(self._views) and self._board(self._want.field).can_focus:
            self._board(self._want.field).focus()
        elif not typed.disabled:
            typed.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is not self._chat:
            return
        event.prevent_default()
        text = event.value.strip()
        event.input.value = ""
        line = self._send_chat(text) if text else ""
        if line:
            self.show_message(None, line)
        self.action_chat()

    def action_again(self) -> None:
        """Offer another one."""
        if self.over:
            self.again = True
            self.leave()

    def action_leave(self) -> None:
        """Leave the chat, or the game; before the end that surrenders."""
        if self._writes:
            self.action_chat()
        elif self.over:
            self.leave()
        else:
            question = Question(tr("ask_withdraw"), tr("word_withdraw"), tr("games_no"), leaves=True)
            self.app.push_screen(question, lambda yes: self.leave() if yes else None)

    def leave(self) -> None:
        with self._session.salvo() as exchange:
            if exchange.game is self._game and exchange.running:
                exchange.decline()
        super().leave()
