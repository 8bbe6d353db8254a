"""The screen of a session: follows the line and the opponent through the phases of the game; log and chat."""

from __future__ import annotations

import contextlib

from rich.text import Text
from textual import work
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from seabattle import link as links
from seabattle import wire
from seabattle.fair import EV_JURY, NO_VERDICT
from seabattle.gunner import DENSITY
from seabattle_host.errors import UserError
from seabattle_host.games.history import outcome
from seabattle_host.jury.verdict import ENDING, no_verdict
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.line.port_errors import is_back
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player.parameters import nick_bytes
from seabattle_host.player.runner import Event
from seabattle_host.player.salvo_player import EV_SALVO
from seabattle_host.records.archive import Game
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.computer_hint import aimed, heat_levels
from seabattle_host.tui.dialogs import LEAVE, OVER, Notice, Question
from seabattle_host.tui.end_pane import EndPane
from seabattle_host.tui.params_pane import ParamsPane
from seabattle_host.tui.placing_pane import PlacingPane
from seabattle_host.tui.salvo_screen import SalvoScreen
from seabattle_host.tui.session_screen import BATTLE, BEGIN, END, PARAMS, PLACING, SessionScreen
from seabattle_host.tui.widgets import KeyBar, LineLog, Plain

_QUIET = (links.EV_CHAT, links.EV_CHAT_SENT, links.EV_NICK_SENT, links.EV_CLOSED)
"""Events that are not logged."""

_ENDS = (links.EV_GOODBYE, links.EV_LEFT, links.EV_PEER_TIMEOUT, links.EV_PEER_RESET, links.EV_IDLE)
"""Events that lead back to state 0."""

_LOUD = (links.EV_MET, links.EV_OVER, links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED, links.EV_CHAT)
"""Events that ring the bell, if enabled."""

_NOTICES = {
    links.EV_TIMEOUT: "notice_timeout",
    links.EV_BROKEN: "notice_broken",
    links.EV_ACCUSED: "notice_accused",
}
"""Events that wait for a key -> title of their notice."""


class GameScreen(SessionScreen):
    """A session with the peer on the line.

    connect: opens the session, given callbacks for events and for the line. level: of play (seabattle.gunner), when the
    player lets the computer shoot.
    """

    BINDINGS = [
        Binding("f1,question_mark", "app.help", show=False),
        Binding("f2", "hint", show=False),
        Binding("f3", "shoot_for_me", show=False),
        Binding("f4", "chat", show=False),
        Binding("f5", "restart", show=False),
        Binding("f6", "salvo", show=False),
        Binding("f7", "ask", show=False),
        Binding("f8", "surrender", show=False),
        Binding("f10", "leave", show=False),
        Binding("escape", "escape", show=False),
    ]

    class Left(Message):
        """The session is over. why: in words, for the first screen."""

        def __init__(self, why: str):
            self.why = why
            super().__init__()

    notice: Notice | None = None
    """The error notice on the screen."""

    salvo: SalvoScreen | None = None
    """The salvo over this line on the screen."""

    _offered: Question | None = None
    """The question whether to accept the opponent's offer of a salvo."""

    def look(self) -> None:
        super().look()
        if not self.leaving:
            # the link may have been busy with another text of ours until its confirmation
            self.session.send_next_chat()
        if self.notice is not None and not self.leaving and not self.status.key_awaited:
            self._close_notice()

    # Events of the line.

    def on_session_screen_line_changed(self, message: SessionScreen.LineChanged) -> None:
        was, self.lost = self.lost, str(message.lost) if message.lost is not None else ""
        if message.lost is not None:
            self.note(self.lost, "bold")
        else:
            back = is_back(self.session.url, self.session.port.device)
            self.note(back)
            if self.notice is not None and was:
                self.notice.correct(was, back)
        self.look()

    def on_session_screen_happened(self, message: SessionScreen.Happened) -> None:
        if self.app.return_code is not None:
            return  # the application ends, and the panes may be gone
        event = message.event
        code = event.code
        if code == links.EV_PARAMS:
            self.status = self.session.status()
            if self.status.parameters is not None:
                self.match.agree(self.status.parameters)
        problem = self.match.problem
        self.match.take(event)
        if code not in _QUIET:
            style = "bold" if code in (links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED) else ""
            self.note(event.words(), style)
        if self.match.problem != problem:
            self.note(self.match.problem, "bold")
        turn = (code == EV_SALVO and event.a in (salvos.EVENT_WANTED, salvos.EVENT_TURN)) or (
            code == links.EV_SHOT and event.answer in (wire.MISS, wire.REPEAT)
        )
        if self.bell and (turn or code in _LOUD):
            self.app.bell()
        self._follow(event)
        self.look()

    def _follow(self, event: Event) -> None:
        """Update the screen after an event."""
        code, match = event.code, self.match
        if code in (links.EV_MET, links.EV_RESTART):
            params = self.query_one(ParamsPane)
            params.show(event.role, match.parameters)
            params.freeze(False)
            self._next(PARAMS)
        elif code == links.EV_PARAMS:
            self.query_one(ParamsPane).show(event.role, match.parameters)
        elif code == links.EV_PLACING and match.parameters is not None:
            self.query_one(PlacingPane).begin(match.parameters, keep=True)
            self._next(PLACING)
        elif code == links.EV_BATTLE and match.position is not None:
            battle = self.query_one(BattlePane)
            battle.fields.theirs.cursor = 0
            battle.fields.theirs.show_heat(None)
            battle.why("", bad=False)
            battle.show(match.position, self.session.status())
            self.go(BATTLE)
        elif code in (links.EV_SHOT, links.EV_ANSWER) and match.position is not None:
            battle = self.query_one(BattlePane)
            if code == links.EV_ANSWER:
                battle.why("", bad=False)
                battle.fields.theirs.show_heat(None)
            battle.show(match.position, self.session.status())
            self._hint_anew()
        elif code == links.EV_OVER:
            self._show_end(words.event(code, event.a, event.b), event.role)
        elif code == EV_JURY:
            self._show_jury(event)
        elif code == EV_SALVO:
            self._follow_salvo(event.a)
        elif code in (links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED):
            self._show_notice(event)
        elif code in _ENDS:
            self._close_notice()
            self.session.drop_texts()
            if self.phase == BATTLE and match.game is not None:
                self._show_end(outcome(match.game), wire.NOBODY)
                self.query_one(EndPane).offer(None, gone=True)
            elif self.phase == END:
                # keep the last position on the screen
                self.query_one(EndPane).offer(None, gone=True)
            else:
                self.go(BEGIN)
        elif code == links.EV_CHAT:
            line = f"{match.peer_name}: {event.text}"
            self.query_one("#talk", LineLog).add(line)
            if self.status.chat != links.CHAT_YES:
                self.note(line)  # it does not accept our chat, so the chat is not displayed
            if self.salvo is not None:
                self.salvo.show_chat(line)
        elif code in (links.EV_CHAT_SENT, links.EV_CHAT_LOST):
            self.session.send_next_chat()
        elif code == links.EV_NICK and not event.text.isascii():
            # it sends letters of code page 866, so it can receive them
            with contextlib.suppress(UserError):
                if not match.me.isascii():
                    self.session.rename(nick_bytes(match.me, cp866=True))

    def _follow_salvo(self, what: int) -> None:
        """Update the screen after an event of a salvo over the line."""
        if what == salvos.EVENT_WANTED:
            self.look()
            text = tr("ask_salvo", peer=self.match.peer_name)
            self._offered = Question(text, tr("yes"), tr("play_no"))
            self.app.push_screen(self._offered, self._answer_salvo)
            return
        if self._offered is not None and self._offered.is_active:
            # withdrawn, or its sender has left
            self._offered.dismiss(False)
        if what == salvos.EVENT_STARTED:
            if self.salvo is not None:
                # the player is still looking at the end of the last one
                self.salvo.leave()
            match = self.match
            archive, problem = match.archive, match.problem
            screen = SalvoScreen(
                self.session, match.me, match.peer_name, archive, problem, self.ascii_only, self.send_chat
            )
            self.salvo = screen
            self.app.push_screen(screen, lambda _: self._salvo_left(screen))
        elif self.salvo is not None:
            self.salvo.happened(what)

    def _answer_salvo(self, yes: bool | None) -> None:
        self._offered = None
        if yes:
            self.refused(self.session.offer_salvo())
        else:
            with self.session.salvo() as exchange:
                exchange.decline()
        self.look()

    def _salvo_left(self, screen: SalvoScreen) -> None:
        if self.salvo is screen:
            self.salvo = None
        self.look()
        if screen.again:
            self.action_salvo()

    def _next(self, phase: str) -> None:
        """Go to a new game, but leave a player who is looking at the end of the last one there."""
        if self.phase == END and not self._again:
            self.query_one(EndPane).offer(tr("do_next"))
        else:
            self.go(phase)

    def _show_end(self, line: str, role: int) -> None:
        match = self.match
        self._again = False
        fought = match.game is not None and match.game.ending != ""
        self.query_one(EndPane).show(
            line, match.position if fought else None, role == wire.MASTER, match.wins, match.losses
        )
        self.go(END)

    def _show_jury(self, event: Event) -> None:
        """Show the jury's verdict in the end pane; other EV_JURY events are for the log only."""
        game = self.match.game
        if event.verdict is not None and game is not None:
            end = self.query_one(EndPane)
            end.judged(event.verdict.lines(game.players))
            if game.ending == ENDING:
                self.query_one("#result", Plain).update(outcome(game))
            if self.match.position is not None:
                end.fields.show(self.match.position)
        elif event.a == NO_VERDICT:
            self.query_one(EndPane).judged([event.words()])

    def _show_notice(self, event: Event) -> None:
        text = event.words()
        if event.code == links.EV_ACCUSED:
            text += "\n" + tr("accused_after", frame=self.session.last_sent or "-")
        for more in (self.session.doubt() if event.code == links.EV_BROKEN else "", self.lost):
            text += f"\n{more}" if more else ""
        key = "notice_give_up" if event.code == links.EV_TIMEOUT else "notice_go_on"
        title = tr("notice_began_anew" if event.began_anew else _NOTICES[event.code])
        if self.notice is not None:
            self.notice.tell(title, text, tr(key))
            return
        self.notice = Notice(title, text, tr(key))
        self.app.push_screen(self.notice, self._notice_seen)

    def _notice_seen(self, how: int | None) -> None:
        if how != OVER:
            self.notice = None
        if how:
            self.session.key()
        self.look()
        if how == LEAVE:
            self.leave()

    def _close_notice(self) -> None:
        """Close the notice: the error ended without a key."""
        if self.notice is not None and self.notice.is_active:
            # forgotten at once: an error that comes next gets a notice of its own
            over, self.notice = self.notice, None
            over.dismiss(OVER)

    # The player's actions.

    def action_pane(self, action: str) -> None:
        """Run an action of the current pane, after a click on the key bar."""
        getattr(self.pane, f"action_{action}")()

    def refused(self, code: int) -> None:
        """Log why the link refused an order."""
        if code != links.DONE:
            self.note(tr(words.REFUSALS[code]), "bold")

    def on_params_pane_offer(self, message: ParamsPane.Offer) -> None:
        code = self.session.offer(message.parameters)
        self.refused(code)
        if code == links.DONE:
            self.query_one(ParamsPane).freeze(True)
            self.app.offered(message.parameters)  # type: ignore[attr-defined]

    def on_placing_pane_ready(self, message: PlacingPane.Ready) -> None:
        self.match.place(list(message.ships))
        code = self.session.ready(message.ships)
        self.refused(code)
        if code != links.DONE:
            self.query_one(PlacingPane).unlock()
        self.look()

    def on_battle_pane_shoot(self, message: BattlePane.Shoot) -> None:
        self.refused(self.session.shoot(message.cell))
        self.look()

    def on_end_pane_again(self) -> None:
        state = self.session.status().state
        if state in (1, 2, 3):
            # the new game has already begun
            self.go(PARAMS if state == 1 else PLACING)
        else:
            self._restart()

    def on_end_pane_wait(self) -> None:
        self.go(BEGIN)

    def on_end_pane_enough(self) -> None:
        self.leave()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if event.input.id != "chat-entry" or not text:
            return
        self.send_chat(text)
        event.input.value = ""

    def send_chat(self, text: str) -> str:
        """Send a line of chat; return the line as displayed, empty if it could not be sent."""
        code = self.session.send_chat(text)
        if code == links.NO_CHAT:
            self.refused(code)
            return ""
        line = f"{self.match.me}: {text}"
        self.query_one("#talk", LineLog).add(line)
        return line

    def action_chat(self) -> None:
        """Go to the chat, or back to the game."""
        entry = self.query_one("#chat-entry", Input)
        if entry.has_focus:
            self.pane.focus_first()
        elif self.query_one("#chat").display:
            entry.focus()

    def action_escape(self) -> None:
        """Leave the chat, otherwise the session."""
        if self.query_one("#chat-entry", Input).has_focus:
            self.pane.focus_first()
        else:
            self.action_leave()

    def action_restart(self) -> None:
        """Restart the game, as the master."""
        if not self._may_restart():
            return
        if self.status.state == 9:
            self._restart()
            return
        question = Question(tr("ask_restart"), tr("yes_restart"), tr("play_no"))
        self.app.push_screen(question, lambda yes: self._restart() if yes else None)

    def _restart(self) -> None:
        code = self.session.restart()
        self.refused(code)
        self._again = code == links.DONE

    def on_end_pane_ask(self) -> None:
        self.action_ask()

    def action_ask(self) -> None:
        """Ask for the opponent's field after the game, for a verdict of the jury."""
        if self.status.can_ask or self.phase == END:
            code = self.session.ask()
            self.refused(code)
            if code == links.NO_CHAT:
                self.query_one(EndPane).judged([no_verdict()])
            elif code == links.DONE:
                self.query_one(EndPane).judged([tr("play_asked")])
            self.look()

    def action_salvo(self) -> None:
        """Offer a salvo in place of the protocol's game."""
        if self.phase == PARAMS and self.status.may_salvo:
            self.refused(self.session.offer_salvo())
            self.note(tr("salvo_line_offered"))
            self.look()

    def action_surrender(self) -> None:
        """Surrender, after two questions."""
        if not 1 <= self.status.state <= 4 or self.status.hung:
            return

        def surely(yes: bool | None) -> None:
            if yes:
                self.refused(self.session.surrender())
                self.look()

        def first(yes: bool | None) -> None:
            if yes:
                self.app.push_screen(Question(tr("ask_surrender_again"), tr("yes_surrender"), tr("play_no")), surely)

        self.app.push_screen(Question(tr("ask_surrender"), tr("yes"), tr("play_no")), first)

    # Hints.

    def action_hint(self) -> None:
        """Show or hide the heat of the cells."""
        if self.phase != BATTLE:
            return
        self.hint = not self.hint
        if self.hint:
            self._hint_anew()
        else:
            self.query_one(BattlePane).fields.theirs.show_heat(None)

    def turn_began(self) -> None:
        self._hint_anew()

    def _hint_anew(self) -> None:
        if self.hint and self.match.game is not None:
            self.think_heat(self.match.game, len(self.match.game.moves))

    @work(exclusive=True, group="hint")
    async def think_heat(self, game: Game, moves: int) -> None:
        """Compute the heat after this many moves, and show it unless outdated."""
        gunner, cell, position = await aimed(game, moves, DENSITY)
        if cell >= 0 and self.hint and game is self.match.game and moves == len(game.moves):
            self.query_one(BattlePane).fields.theirs.show_heat(heat_levels(gunner, position))

    def action_shoot_for_me(self) -> None:
        """Let the computer choose the cell."""
        if self.phase == BATTLE and self.status.mine and self.match.game is not None:
            self.query_one(BattlePane).why(tr("thinking"), bad=False)
            self.think_shot(self.match.game, len(self.match.game.moves))

    @work(exclusive=True, group="shot")
    async def think_shot(self, game: Game, moves: int) -> None:
        """Choose a cell after this many moves, and shoot at it unless outdated."""
        _gunner, cell, _position = await aimed(game, moves, self.level)
        if cell >= 0 and game is self.match.game and moves == len(game.moves):
            self.query_one(BattlePane).fields.theirs.cursor = cell
            self.refused(self.session.shoot(cell))
            self.look()

    # Leaving.

    def action_leave(self) -> None:
        """Leave, after a question if there is an opponent; the second time at once."""
        if self.leaving:
            self.session.skip_wait()
        elif self.status.state in (0, 9, links.BROKEN_OFF):
            self.leave()
        else:
            text = tr("ask_leave_battle" if self.status.state == 4 else "ask_leave", peer=self.match.peer_name)
            question = Question(text, tr("yes_leave"), tr("play_no"), leaves=True)
            self.app.push_screen(question, lambda yes: self.leave() if yes else None)

    def leave(self) -> None:
        """Say goodbye and go back to the first screen."""
        if self.leaving:
            return
        self.leaving = True
        self._close_notice()
        self.query_one("#doing", Plain).update(Text(tr("play_parting")))
        self.query_one(KeyBar).show([("F10", tr("key_at_once"), "screen.leave")])
        self.part()

    @work(thread=True)
    def part(self) -> None:
        """Close the session, which may have to wait for the opponent."""
        self.session.close()
        self.app.call_from_thread(self.post_message, self.Left(""))
