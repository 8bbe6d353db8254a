"""`seabattle bot`: an opponent that plays over a serial line and reports what happens, one line per event."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from seabattle import link as links
from seabattle import salvo as rules
from seabattle import wire
from seabattle.bot import LONE_TICKS
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host import signals
from seabattle_host.errors import UNWRITTEN, PortLost
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr
from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.log import TextLog
from seabattle_host.line.port import Port
from seabattle_host.line.port_errors import is_back, waits
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.parameters import Parameters, nick_bytes
from seabattle_host.player.runner import BATTLE, Event, Runner
from seabattle_host.player.salvo_exchange import RemoteSalvo
from seabattle_host.player.salvo_player import EV_SALVO, SalvoBot, SalvoPlayer

_GRACE_TICKS = 55
"""Ticks, about 3 s, before a bot presses the key after an error: a late reply may still come."""
_PARTING_SECONDS = 2.0
"""How long a stopped bot waits for the reply to its goodbye."""

_ERRORS = (links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED, links.EV_PEER_TIMEOUT)
_BACK_AT_START = (
    links.EV_GOODBYE,
    links.EV_LEFT,
    links.EV_IDLE,
    links.EV_PEER_TIMEOUT,
    links.EV_PEER_RESET,
    links.EV_ROLE,
)


class Opponent:
    """A bot at a port. `play` returns the exit status; events are printed as they happen.

    nick: the bytes to send; own_nick: the same in letters, for a peer that shows that it knows code page 866. games:
    how many to play, 0 for no end. fair: seal the field, and have the jury check both. salvo: as master, offer each
    opponent a salvo first. aim: the cells of a salvo of player 0. wait: seconds to wait for an opponent, None for ever.
    """

    def __init__(
        self,
        port: Port,
        *,
        role: int,
        offer: Parameters,
        level: int,
        games: int,
        nick: bytes,
        own_nick: str,
        tagged: bool,
        seed: int,
        chat: str,
        fair: bool,
        salvo: bool,
        aim: Callable[[RemoteSalvo], list[int]],
        wait: float | None,
        log: TextLog | None,
    ):
        rng = Rng(seed)
        self._port = port
        self._link = Link(role, rng)
        self._link.tagged = tagged
        self._link.nick(nick, len(nick))
        self._player = SalvoPlayer(self._link, rng, Sealer(), asks=False)
        self._player.fair = fair
        self._aim = aim
        gunner = Gunner(self._player.radar, rng, level)
        self._bot = bot = SalvoBot(self._player, gunner, games, (offer.size, *offer.counts), salvo)
        self._sense = LineMonitor(port.settings, port)
        self._runner = Runner(
            port,
            self._player,
            bot=bot,
            on_event=self._event,
            on_line=self._line,
            observers=(self._sense,) if log is None else (self._sense, log),
            reconnect=games == 0,
        )
        self._own_nick = own_nick
        self._nick_done = False
        self._games = games
        self._chat = text.encode_chat(chat)
        self._chat_left: list[bytes] = []
        self._wait = wait
        self._met = False
        self._alone_since = time.monotonic()
        self._log = log
        self._key_at = 0
        self._signal = 0
        self._part_by = float("inf")
        self._failed = False
        self._output_error: OSError | None = None
        self._lost_status = 0
        self._won = self._lost = self._played = self._our_shots = self._their_shots = 0

    def play(self) -> int:
        """Play until the games are over, something breaks, or a signal arrives. Returns the exit status."""
        before = {number: signal.signal(number, self._stop) for number in signals.ending_signals()}
        try:
            self._print(
                tr(
                    "bot_start",
                    url=self._port.url,
                    settings=self._port.settings,
                    waiting=words.waiting(self._link),
                )
            )
            for doubt in self._port.warnings_at_open():
                self._print(doubt)
            self._runner.run(until=self._done)
            self._runner.flush(_PARTING_SECONDS)
        except PortLost as lost:
            self._complain(str(lost))
            if not self._all_played():
                self._failed = True
                self._lost_status = lost.status
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self._tell_result()
        if self._output_error is not None:
            raise self._output_error
        if self._signal:
            return 128 + self._signal
        if self._log is not None and self._log.failed:
            return UNWRITTEN
        return self._lost_status or int(self._failed)

    # Checks and reports while it runs

    def _done(self) -> bool:
        """Between turns: press keys that nobody else will, and return whether the session is over."""
        link = self._link
        if wrong := self._sense.warning(link.state == BATTLE):
            self._print(wrong)
        if self._log is not None and (ended := self._log.take_problem()):
            self._complain(ended)
        if (self._signal or self._output_error) and not link.closed and self._part_by == float("inf"):
            self._part_by = time.monotonic() + _PARTING_SECONDS
            if link.state:
                self._print(tr("parting_to_signal"))
            link.goodbye()
        if link.closed or time.monotonic() > self._part_by:
            return True
        if self._runner.stuck:
            self._complain(tr("bot_stuck"))
            self._failed = True
            link.goodbye()
            self._runner.bot = None
        if not link.key_awaited:
            self._key_at = 0
        elif not self._key_at:
            self._key_at = self._runner.ticks + _GRACE_TICKS
        elif self._runner.ticks >= self._key_at:
            self._print(tr("bot_key"))
            link.key()
            self._key_at = self._runner.ticks + _GRACE_TICKS
        if self._failed and link.state == 0 and self._games:
            return True
        if link.state:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > self._patience():
            self._complain(tr("bot_nobody", seconds=self._patience()))
            self._failed = True
            return True
        return False

    def _all_played(self) -> bool:
        """Whether the games asked for have been played; whatever comes after the last one, it stays played."""
        return 0 < self._games <= self._played

    def _patience(self) -> float:
        """Return the seconds to wait for an opponent now."""
        if self._wait is not None:
            return self._wait
        return round(LONE_TICKS * words.TICK_SECONDS) if self._met and self._games else float("inf")

    def _event(self, event: Event) -> None:
        code = event.code
        if code == links.EV_CLOSED and not self._port.is_open:
            return  # the opponent has not left; the event that ends the session reports the cause
        self._print(event.words())
        if code == links.EV_BROKEN and (doubt := self._sense.doubt()):
            self._print(doubt)
        if code == links.EV_MET:
            self._met = True
            self._chat_left = list(self._chat)
            self._nick_done = False
        elif code == links.EV_NICK:
            self._answer_in_kind()
        elif code in (links.EV_NICK_SENT, links.EV_NICK_LOST):
            self._nick_done = True
        elif code == links.EV_ANSWER:
            self._our_shots += 1
        elif code == links.EV_SHOT:
            self._their_shots += 1
        elif code == links.EV_OVER and event.was_fought:
            self._played += 1
            self._won += event.a == links.WE_WON
            self._lost += event.a == links.WE_LOST
        elif code == EV_SALVO:
            self._salvo(event.a)
        elif code in (links.EV_CHAT_KNOWN, links.EV_CHAT_SENT, links.EV_CHAT_LOST):
            self._say_next()
        if code == links.EV_TIMEOUT and (shared := self._sense.other_programs()):
            self._print(shared)
        if code == links.EV_RESUMED:
            self._failed = False
        elif code in _ERRORS:
            self._failed = bool(self._games) and not self._all_played()
        if code in _BACK_AT_START and not self._failed and not self._link.closed and self._port.is_open:
            self._print(words.waiting(self._link))

    def _salvo(self, what: int) -> None:
        """Handle an event of a salvo: play on."""
        salvo = self._player.salvo
        game = salvo.game
        if what == salvos.EVENT_STARTED:
            game.fill(0)
            salvo.declare_fleet()
        elif what == salvos.EVENT_TURN:
            cells = self._aim(game)
            game.fire_at(0, cells, len(cells))
            salvo.declare_salvo()
        elif what == salvos.EVENT_OVER:
            self._our_shots += sum(game.shots_in[0])
            self._their_shots += sum(game.shots_in[1])
        elif what == salvos.EVENT_DONE and game.outcome != rules.ABANDONED:
            self._bot.salvo_over()
            self._played += 1
            ours = game.outcome == rules.WON_BY_0 or salvo.verdict in salvos.CHEATING
            self._won += ours
            self._lost += game.outcome == rules.WON_BY_1 and not ours

    def _answer_in_kind(self) -> None:
        """Send our nick in code page 866 to a peer whose own nick uses it, unless ours is already under way."""
        link = self._link
        if self._nick_done or link.busy == wire.NICK or not any(b > 127 for b in link.peer_nick[: link.peer_nick_len]):
            return
        nick = nick_bytes(self._own_nick, cp866=True)
        link.nick(nick, len(nick))

    def _say_next(self) -> None:
        if self._chat_left and self._link.send_chat(self._chat_left[0], len(self._chat_left[0])) == links.DONE:
            self._print(tr("bot_said", text=text.decode(self._chat_left.pop(0))))

    def _line(self, lost: PortLost | None) -> None:
        self._print(is_back(self._port.url, self._port.device) if lost is None else waits(lost))

    def _tell_result(self) -> None:
        link = self._link
        self._print(
            tr(
                "bot_result",
                games=self._played,
                won=self._won,
                lost=self._lost,
                our_shots=self._our_shots,
                their_shots=self._their_shots,
            )
        )
        errors = self._port.errors
        if errors is not None and any(errors.__dict__.values()):
            self._print(str(errors))
        if link.noise or link.dropped or link.strays or link.deviations:
            self._print(
                tr(
                    "bot_oddities",
                    noise=link.noise,
                    dropped=link.dropped,
                    strays=link.strays,
                    deviations=link.deviations,
                )
            )

    def _print(self, line: str) -> None:
        try:
            print(line, flush=True)
        except OSError as error:
            # the command ends with it, but not before the opponent is told goodbye
            self._output_error = error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if self._log is not None:
            self._log.remark(line)

    def _complain(self, line: str) -> None:
        print(f"seabattle: {line}", file=sys.stderr)
        if self._log is not None:
            self._log.remark(line)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal: leave with a goodbye; leave at once at the second."""
        if self._signal:
            raise KeyboardInterrupt
        self._signal = number
        self._port.wake()
