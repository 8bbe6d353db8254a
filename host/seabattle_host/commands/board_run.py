"""The work of `seabattle board`: run the boards' firmware, for a player in a terminal or playing by itself."""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import selectors
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from seabattle import link as links
from seabattle_host import signals
from seabattle_host.commands import options
from seabattle_host.commands.board_opponent import PARTING_SECONDS, Opponent
from seabattle_host.errors import UNWRITTEN, UserError
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line import interpreters, panels, virtual_board
from seabattle_host.line.byte_sources import Source
from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.port import Port
from seabattle_host.line.tcp_line import TcpLine
from seabattle_host.line.terminal import ESCAPE_SECONDS, OFF, KeyReader, Terminal, has_key_input
from seabattle_host.line.virtual_board import BoardProcess, Line, PortLine, PtyLine
from seabattle_host.player.parameters import SEED_MOST, Parameters, nick_bytes
from seabattle_host.player.runner import Event
from seabattle_host.records.paths import board_path

_FIGHTING = (links.EV_BATTLE, links.EV_SHOT, links.EV_ANSWER)

# The firmware's messages other than events: seaboard.app.NOTICE_*.
_NOTICE_FAILED = 2
_NOTICE_STUCK = 3
_NOTICE_LONE = 4
# One of boards/unix/board.py.
_NOTICE_LOCKED = 100

_DRAW_SECONDS = 0.03
"""Least interval between two drawings of the display."""
_SIGNAL_SECONDS = 0.25
"""How soon a signal is noticed."""
_SOUND_CALL = 3
"""The sound for which the terminal's bell rings."""


def run(args: argparse.Namespace) -> int:
    """Run the board; return the exit status."""
    on_terminal = has_key_input() and sys.stdin.isatty() and sys.stdout.isatty()
    if not on_terminal and not args.autoplay:
        raise UserError(tr("board_no_terminal"))
    if args.opponent and (args.port or args.link):
        raise UserError(tr("port_and_opponent"))
    if args.listen and (args.port or args.link):
        raise UserError(tr("port_and_listen"))
    board_options = _board_options(args)
    interpreter = _interpreter(args.interpreter)
    with ExitStack() as stack:
        # from here on there are resources to release
        signals = stack.enter_context(Signals())
        line = stack.enter_context(_line(args, stack))
        if line.marking:
            board_options["marks"] = "1"
        board = BoardProcess(line, board_options, interpreter)
        opponent = None
        try:
            if args.opponent:
                opponent = Opponent(line.url, args)
            where = tr("line_link", url=line.url, link=args.link) if args.link else tr("line_is", url=line.url)
            face = Face(args, where) if on_terminal else Lines(where, sys.stdin.fileno() if args.until_eof else None)
            for doubt in line.port.warnings_at_open() if isinstance(line, PortLine) else ():
                face.remark(doubt)
            port = line.port if isinstance(line, PortLine) else None
            session = Session(board, face, opponent, signals, LineMonitor(options.settings(args), port))
            session.run()
        finally:
            if opponent is not None:
                opponent.stop()
            report = board.close()
        line.somebody = session.met
    if report:
        print(f"seabattle: {tr('fault', report=report)}", file=sys.stderr)
    elif line.lost is not None:
        print(f"seabattle: {line.lost}", file=sys.stderr)
    lost_log = opponent.log_lost if opponent is not None and args.log else ""
    if lost_log:
        print(f"seabattle: {tr('board_opponent', line=lost_log)}", file=sys.stderr)
    if signals.last:
        return 128 + signals.last
    if line.lost is not None and not (args.autoplay and 0 < args.games <= session.played):
        return line.lost.status
    return UNWRITTEN if lost_log else int(bool(report) or session.failed)


def _board_options(args: argparse.Namespace) -> dict[str, str]:
    """Return the arguments for boards/unix/board.py. Raises UserError for invalid ones."""
    parameters = options.parameters(args)
    seed = secrets.randbelow(SEED_MOST + 1) if args.seed is None else args.seed
    russian = words.russian()
    rom = args.rom or ("MT" if russian else "A00")
    found = {
        "panel": args.panel,
        "rom": str(panels.ROMS.index(rom)),
        "language" if args.lang else "usual_language": str(int(russian)),
        "seed": str(seed),
    }
    if (parameters.size, *parameters.counts) != (Parameters().size, *Parameters().counts):
        found["offer"] = ",".join(map(str, (parameters.size, *parameters.counts)))
    if args.nick is not None:
        found["nick"] = nick_bytes(args.nick, cp866=True).hex()
    if args.nick_cp866:
        found["letters"] = "1"
    if args.level is not None:
        found["level"] = str(args.level)
    if args.autoplay:
        found["auto"] = "1"
        found["games"] = str(args.games)
    if args.role is not None or args.autoplay:
        found["role"] = args.role or "auto"
    if args.heap_lock:
        found["lock"] = "1"
    store = args.store if args.store is not None or args.autoplay else str(board_path())
    if store:
        try:
            Path(store).mkdir(parents=True, exist_ok=True)
            if not os.access(store, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            problem = tr("store_failed", path=store, reason=why(error))
            if args.store is not None:
                raise UserError(problem) from None
            print(f"seabattle: {tr('no_board_store', reason=problem)}", file=sys.stderr)
        else:
            found["store"] = store
    chat = text.encode_chat(args.chat)
    if chat:
        found["chat"] = chat[0].hex()
    return found


def _interpreter(asked: str | None) -> str:
    """Choose the interpreter for the firmware; print a note if it has to be CPython."""
    if virtual_board.has_micropython():
        return asked or interpreters.MICROPYTHON
    if asked == interpreters.MICROPYTHON:
        raise UserError(tr("no_micropython"))
    if asked is None:
        print(f"seabattle: {tr('on_cpython')}", file=sys.stderr)
    return interpreters.CPYTHON


def _line(args: argparse.Namespace, stack: ExitStack) -> Line:
    """Open the line that was asked for: a port, a TCP port, or a new pseudo-terminal where the system has them."""
    if args.port is not None:
        return PortLine(stack.enter_context(Port(args.port, options.settings(args), mark_errors=True)))
    if args.listen is not None:
        return TcpLine(args.listen)
    return TcpLine() if args.link is None and not virtual_board.has_ptys() else PtyLine(args.link)


class Face:
    """The board's front for a player: its display in the terminal, its keys on the keyboard."""

    def __init__(self, args: argparse.Namespace, where: str):
        rom = args.rom or ("MT" if words.russian() else "A00")
        self._panel = panels.make_panel(args.panel, rom)
        self._terminal = Terminal(self._panel, args.panel, args.pixels)
        self._where = where
        self._reader = KeyReader()
        self._drawn = 0.0
        self._due = True
        self.status = ""
        """The line below the display."""

    @contextmanager
    def shown(self) -> Iterator[int | None]:
        """Show the display; yield the file descriptor of the keyboard."""
        with self._terminal.take_over() as fd:
            yield fd

    def take(self, kind: str, data: bytes) -> None:
        """Process a message of the board."""
        self._panel.handle_message(kind, data)
        if kind == "B" and data[0] == _SOUND_CALL:
            self._terminal.ring()
        self._due = True

    def remark(self, line: str) -> None:
        """Show a remark to the player."""
        self.status = line
        self._due = True

    def keys(self, data: bytes | None) -> list[int]:
        """Return the board's keys completed by these bytes of the keyboard; None: no input for a while."""
        keys = self._reader.flush() if data is None else self._reader.feed(data)
        if -1 in keys:
            self._terminal.redraw_all()
        return [key for key in keys if key > 0]

    def wait(self) -> float:
        """Return the seconds until `keys(None)` or `draw` has something to do."""
        if self._reader.waiting:
            return ESCAPE_SECONDS
        return _DRAW_SECONDS if self._due else _SIGNAL_SECONDS

    def draw(self) -> None:
        """Redraw the terminal if needed, at a limited rate."""
        now = time.monotonic()
        if now - self._drawn >= _DRAW_SECONDS and (self._due or self._terminal.resized):
            self._drawn = now
            self._due = False
            self._terminal.draw([self._where], [tr("keys"), self.status])


class Lines:
    """The board's front for programs: one line of output per event. Input `fd` ending ends the board."""

    def __init__(self, where: str, fd: int | None):
        self.status = ""
        self._fd = fd
        print(where, flush=True)

    @contextmanager
    def shown(self) -> Iterator[int | None]:
        yield self._fd

    def take(self, kind: str, data: bytes) -> None:
        pass

    def remark(self, line: str) -> None:
        print(line, flush=True)

    def keys(self, data: bytes | None) -> list[int]:
        return []

    def wait(self) -> float:
        return _SIGNAL_SECONDS

    def draw(self) -> None:
        pass


class Signals:
    """A context manager that only counts signals which would end the program.

    `last` is the number, `count` the total.
    """

    def __init__(self) -> None:
        self.last = 0
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._note) for number in signals.ending_signals()}
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.last = number
        self.count += 1


class Session:
    """The message loop of a board, from start to end."""

    def __init__(
        self,
        board: BoardProcess,
        face: Face | Lines,
        opponent: Opponent | None,
        signals: Signals,
        sense: LineMonitor,
    ):
        self._sense = sense
        self._keyboard: Source | None = None
        self._board = board
        self._face = face
        self._opponent = opponent
        self._signals = signals
        self.failed = False
        """A board that plays by itself has broken off."""
        self.met = False
        """There was a peer at the other end of the line."""
        self.played = 0
        """Games fought to their end."""
        self._parting = False
        self._end = float("inf")
        self._won = self._lost = self._shots = self._its_shots = 0
        self._fights = False

    def run(self) -> None:
        """Run until the board ends. A signal, or Ctrl-C, makes it say goodbye; a second one ends it at once.

        Only select can wait for pseudo-terminals on macOS and for a standard input that is a file.
        """
        with self._face.shown() as keyboard, selectors.SelectSelector() as selector:
            selector.register(self._board.source, selectors.EVENT_READ, self._hear_board)
            if keyboard is not None:
                self._keyboard = Source.wrap(keyboard)
                selector.register(self._keyboard, selectors.EVENT_READ, self._hear_keyboard)
            if self._opponent is not None:
                selector.register(self._opponent.source, selectors.EVENT_READ, self._hear_opponent)
                self._tell_opponent([tr("opponent_starts"), *filter(None, [self._opponent.problem])])
            self._turns(selector)
        if isinstance(self._face, Lines):
            if self._opponent is not None:
                self._tell_opponent(self._opponent.stop())
            self._face.remark(
                tr(
                    "bot_result",
                    games=self.played,
                    won=self._won,
                    lost=self._lost,
                    our_shots=self._shots,
                    their_shots=self._its_shots,
                )
            )

    def _turns(self, selector: selectors.BaseSelector) -> None:
        while not self._board.ended and time.monotonic() < self._end:
            if self._opponent is None and (wrong := self._sense.warning(self._fights)):
                self._face.remark(wrong)
            self._face.draw()
            ready = selector.select(min(self._face.wait(), max(0.0, self._end - time.monotonic())))
            for key, _ in ready:
                if not key.data():
                    selector.unregister(key.fileobj)
            if not ready:
                self._press(self._face.keys(None))
            if self._signals.count > 1:
                return
            if self._signals.count and not self._parting:
                self._press([OFF])

    def _press(self, keys: list[int]) -> None:
        if OFF in keys:
            if self._parting:
                self._end = 0.0
                return
            self._parting = True
            self._end = time.monotonic() + PARTING_SECONDS
            self._face.remark(tr("parting_to_signal"))
            keys = [OFF]
        self._board.press(keys)

    def _hear_keyboard(self) -> bool:
        assert self._keyboard is not None
        data = self._keyboard.read(1024)
        self._press(self._face.keys(data) if data else [OFF])
        return bool(data)

    def _hear_opponent(self) -> bool:
        assert self._opponent is not None
        lines, more = self._opponent.listen()
        self._tell_opponent(lines)
        return more

    def _tell_opponent(self, lines: list[str]) -> None:
        # the single line below a display shows the parting
        if not self._parting or isinstance(self._face, Lines):
            for line in lines:
                self._face.remark(tr("board_opponent", line=line))

    def _hear_board(self) -> bool:
        for kind, data in self._board.messages():
            if kind == "E":
                self._event(data)
            elif kind == "N":
                self._note(data[0])
            elif kind in ("R", "S"):
                self._sense.traffic(time.time(), kind == "S", data)
            else:
                self._face.take(kind, data)
        return not self._board.ended

    def _note(self, what: int) -> None:
        if what == _NOTICE_LONE:
            self._face.remark(tr("nobody_came_back"))
        elif what == _NOTICE_STUCK:
            self._face.remark(tr("stuck"))
        elif what == _NOTICE_LOCKED:
            self._face.remark(tr("heap_locked"))
        if what in (_NOTICE_FAILED, _NOTICE_STUCK, _NOTICE_LONE):
            self.failed = True

    def _event(self, data: bytes) -> None:
        code, a = data[:2]
        self.met = self.met or code == links.EV_MET
        if code == links.EV_OVER and data[links.EVENT_CELL]:
            self.played += 1
            self._won += a == links.WE_WON
            self._lost += a == links.WE_LOST
        if code in _FIGHTING or links.EV_OVER <= code < links.EV_CHAT:
            self._fights = code in _FIGHTING
        self._shots += code == links.EV_ANSWER
        self._its_shots += code == links.EV_SHOT
        if self._opponent is None:
            line = Event.from_details(data[: links.EVENT_BYTES], text.decode(data[links.EVENT_BYTES :])).words()
            doubt = self._sense.doubt() if code == links.EV_BROKEN else ""
            self._face.remark(f"{line}; {doubt}" if doubt else line)
