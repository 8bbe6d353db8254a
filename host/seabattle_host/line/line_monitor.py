"""Detects that the bytes on a line make no sense, and reports it at once with the most likely cause.

Causes shown by the bytes themselves: our own bytes come back; the sender has another speed or inverted levels
(`guess`); the driver counts errors on nearly every byte, a sign of another parity; nothing arrives at all; another
program reads the same port and takes bytes away. Or the bytes are text from something other than a player, or one byte
repeated for ever.
"""

from __future__ import annotations

import math
import re
import time
from collections import deque
from collections.abc import Callable

from seabattle import wire
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.text import cell_name, in_one_line
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings
from seabattle_host.line.settings_guess import BAUDS, guess, is_too_slow

_LOOK = 16
"""Bytes judged together."""
_TOO_MANY = 11
"""This many senseless bytes are no accident of the line."""
_FEW = 5
_SOON = 3.0
"""Seconds after which few bytes are judged too, if no more arrive."""
_SILENT = 10.0
"""Seconds without a byte before silence is reported."""
_ECHO = 6
"""Consecutive bytes that came back to us at once."""
_ECHO_ALONE = 2
"""So many are enough if nothing else has ever come."""
_ECHO_SECONDS = 0.1
_RIVAL_SECONDS = 2.0
"""A sync received within this time of ours shows that the other side is a master too."""
_SHOWN = 8
_TEXT = 12
"""Consecutive bytes of text outside any nick or chat."""
_TEXT_FEW = 3
_TEXT_SHOWN = 24
_TEXTS = (
    ("text_prompt", r">>> |MicroPython|CircuitPython|Traceback"),
    ("text_boot", r"rst:0x|boot:0x|ets \w{3} |load:0x|U-Boot"),
    ("text_gps", r"\$[A-Z]{5},"),
    ("text_login", r"login:|Password:|Linux"),
    ("text_modem", r"^\s*AT\b|\sAT[+\r]|^\s*((OK|ERROR|RING|NO CARRIER)\s*)+$"),
)
"""Patterns that identify the source of a text."""
_SAME = 20
_SAME_SECONDS = 2.0
"""No player repeats a byte this often, not even a sync; see `_again`."""
_SAME_READS = 8
_SAME_AT_ONCE = -(-_SAME // _SAME_READS)
"""So many of a read count: with all of them a fast sender would leave no room for other reads."""
_LETTERS = (wire.NICK, wire.CHAT)
_TURNS = (wire.SHOT, wire.MISS, wire.HIT, wire.SUNK, wire.REPEAT, wire.MEET)
_PAUSE = (wire.GAP_TICKS + 1) * words.TICK_SECONDS


class LineMonitor:
    """An observer of a Runner that watches for problems of the line; `warning` returns them.

    plays: this side is a player, not just a listener. port: its driver may count damaged bytes, and other programs may
    read it; None if there is none.
    """

    def __init__(
        self,
        settings: Settings,
        port: Port | None = None,
        clock: Callable[[], float] = time.monotonic,
        plays: bool = True,
    ):
        self._settings = settings
        self._port = port
        self._clock = clock
        self._plays = plays
        self._began = clock()
        self._reader = wire.Reader()
        self._frame = bytearray()
        self._sense: deque[bool] = deque(maxlen=_LOOK)
        self._bytes: deque[int] = deque(maxlen=_LOOK * 6)
        self._loose: deque[int] = deque(maxlen=_LOOK * 6)
        self._again_at: deque[float] = deque(maxlen=_LOOK * 16)
        self._last = 0.0
        self._odd = 0  # senseless frames and bytes since all made sense
        self._tail = 0  # bytes still to come of a text given up
        self._sent: deque[tuple[float, int]] = deque(maxlen=256)
        self._sent_ever = False
        self._ours = wire.Reader()
        self._shot = self._crossed = False  # a shot of ours has no answer yet; and the other side has shot since
        self._asked = 0  # our last command, no shot, while its reply has not come
        self._unanswered = 0  # the same, where it would make the last command of the other side right
        self._cells = [(0, 0), (0, 0)]  # of the last shot: ours, theirs
        self._turn: tuple[float, str] | None = None  # since when it is theirs, and because of which answer
        self._synced_at = -math.inf
        self._echoed = 0
        self._echoed_more = False
        self._rivals = 0
        self._received = 0
        self._errors_then = 0
        self._received_then = 0
        self._parity_line = ""
        self._reported = ""
        self._guessed = (0, "", "")
        self.line = ""
        """The problem of the line; empty if none is known."""

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """Record sent or received bytes."""
        now = self._clock()
        if sent:
            self._sent.extend((now, byte) for byte in data)
            self._sent_ever = True
            if wire.SYNC in data:
                self._synced_at = now
            for byte in data:
                if self._ours.feed(byte) == wire.FRAME:
                    self._has_sent(self._ours.op)
            return
        if now - self._last > _PAUSE:
            self._tail = 0
            if self._frame:
                self._take(False)
        self._last = now
        for byte in data:
            self._received += 1
            self._bytes.append(byte)
            self._echo(now, byte)
            self._frame.append(byte)
            letter = len(self._frame) > 2 and self._frame[0] in _LETTERS
            same = self._frame[:2] == bytes((byte, byte))
            if (letter and not same) or (self._again_at and byte != self._bytes[-2]):
                # a nick may consist of one repeated letter
                self._again_at.clear()
            many = len(self._again_at) >= _SAME_AT_ONCE and self._again_at[-_SAME_AT_ONCE] == now
            if (same or not letter) and not many:
                self._again_at.append(now)
            got = self._reader.feed(byte)
            if got != wire.QUIET:
                self._take(got == wire.FRAME and self._plausible())
            elif self._reader.op in _LETTERS and not self._plausible():
                # noise that looks like the start of a text would make us wait for hundreds of bytes
                tail = sum(self._frame[1:2]) + 2 - len(self._frame)
                self._take(False)
                self._tail = tail

    def warning(self, fights: bool = False) -> str:
        """Return the problem of the line whenever it changes; otherwise an empty string.

        fights: we are in a battle, and it is returned once that it stands still.
        """
        if fights and self._turn is not None and self._clock() - self._turn[0] > words.STANDING_SECONDS:
            why, self._turn = self._turn[1], None
            return tr("line_standing", time=tr("duration_s", value=words.STANDING_SECONDS), why=why)
        self.line, cause = self._judge()
        if cause in ("", self._reported):
            return ""
        self._reported = cause
        return self.line

    def doubt(self) -> str:
        """Return what to add to an accusation of the other side; empty if nothing suggests a fault of the line."""
        if self._crossed:
            return tr("answer_doubt")
        if self._unanswered:
            return tr("reply_doubt", frame=words.frame_name(self._unanswered))
        several = self._odd > 1  # a single frame is what the other side is accused of
        return tr("line_doubt") if self.line or (several and 4 * self._bad() > len(self._sense)) else ""

    def _bad(self) -> int:
        """Return the number of senseless bytes among the last."""
        return len(self._sense) - sum(self._sense)

    def _has_sent(self, op: int) -> None:
        if op == wire.SHOT:
            self._shot, self._crossed = True, False
        self._follow_turn(0, op, self._ours)
        if wire.is_command(op) and op not in (wire.SYNC, wire.BROKEN):
            self._asked = op if op != wire.SHOT else 0

    def _follow_turn(self, sender: int, op: int, reader: wire.Reader) -> None:
        """Note when the turn becomes theirs. sender: 0 for us, 1 for them."""
        if op == wire.SHOT:
            self._cells[sender] = reader.data[0], reader.data[1]
        if op in (wire.SYNC, wire.SYNCED, *_LETTERS) or wire.command_of(op) in _LETTERS:
            return
        self._turn = None
        x, y = self._cells[1 - sender]
        if op in ((wire.MISS, wire.REPEAT) if sender else (wire.HIT, wire.SUNK)) and x:
            cell = cell_name(x, y, words.russian())
            self._turn = self._clock(), tr("line_standing_after", answer=words.frame(op), cell=cell)
        elif sender and op == wire.exchange(wire.SLAVE_READY)[wire.REPLY]:
            self._turn = self._clock(), tr("line_standing_at_first")

    def _follows(self, op: int) -> bool:
        """Return whether the other side may send a command once it has got our last one."""
        state = wire.exchange(self._asked)[wire.NEXT]
        return any(wire.may_send(op, sender, state) for sender in (wire.MASTER, wire.SLAVE))

    def _take(self, sense: bool) -> None:
        if sense and self._reader.op in _TURNS:
            self._crossed = self._shot and self._reader.op == wire.SHOT
            self._shot = self._shot and self._crossed
        if sense:
            op = self._reader.op
            self._follow_turn(1, op, self._reader)
            if wire.is_reply(op) and wire.command_of(op) == self._asked:
                self._asked = 0
            self._unanswered = self._asked if self._asked and wire.is_command(op) and self._follows(op) else 0
        # only masters sync
        rival = sense and self._reader.op == wire.SYNC and self._last - self._synced_at < _RIVAL_SECONDS
        self._rivals = self._rivals + 1 if rival else 0
        for _ in self._frame:
            self._sense.append(sense)
        odd = not sense and not self._tail
        self._tail = 0 if sense else max(0, self._tail - len(self._frame))
        self._odd = 0 if all(self._sense) else self._odd + odd
        if sense and self._reader.op in _LETTERS:
            self._loose.clear()
        else:
            self._loose.extend(self._frame)
        self._frame.clear()
        self._reader.reset()

    def _echo(self, now: float, byte: int) -> None:
        while self._sent and now - self._sent[0][0] > _ECHO_SECONDS:
            # a byte of ours that did not come back
            self._sent.popleft()
            self._echoed = 0
        if self._sent and self._sent[0][1] == byte:
            self._sent.popleft()
            self._echoed += 1
        else:
            self._echoed = 0
        self._echoed_more = self._echoed > 0 and (self._echoed_more or byte != wire.SYNC)

    def _judge(self) -> tuple[str, str]:
        """Return the problem and its subject: with more bytes the wording of the same subject may change."""
        if self._echoed >= _ECHO or self._echoed == self._received >= _ECHO_ALONE:
            return (tr("line_echo" if self._echoed_more else "line_echo_or_master"),) * 2
        if self._rivals >= _ECHO:
            return (tr("line_two_masters"),) * 2
        if not self._received:
            late = self._clock() - self._began > _SILENT
            silent = "line_silent" if self._sent_ever or not self._plays else "line_silent_slave"
            return (tr(silent, settings=self._settings) if late else "",) * 2
        if text := self._text():
            return self._senseless_text(text)
        bad = self._bad()
        few = _FEW <= bad == len(self._sense) and self._clock() - self._began > _SOON
        if bad >= _TOO_MANY or few:
            return self._senseless_line()
        if damaged := self._damaged():
            return damaged, damaged
        if self._again():
            return (tr("line_again", byte=f"{self._bytes[-1]:02X}"),) * 2
        # it is over once the bytes make sense again
        return (self.line, self._reported) if self.line and bad > len(self._sense) // 4 else ("", "")

    def _plausible(self) -> bool:
        """Return whether a player sends such a frame: on a good line a text may contain anything."""
        text = self._reader.op in _LETTERS
        return _plausible(self._reader) or (text and len(self._sense) == _LOOK and 4 * self._bad() <= _LOOK)

    def _text(self) -> str:
        """Return the text received instead of frames, empty for none."""
        now = self._clock()
        # a few letters are judged if no more follow
        late = now - self._began > _SOON and now - self._last > _PAUSE and len(self._loose) == self._received
        count = min(_TEXT, len(self._loose)) if late else _TEXT
        loose = bytes(self._loose)
        if count < _TEXT_FEW or len(loose) < count or not all(map(_is_text, loose[-count:])):
            return ""
        begin = next((i for i in range(len(loose), 0, -1) if not _is_text(loose[i - 1])), 0)
        text = loose[begin:].decode("ascii")
        # a single repeated letter is what inverted syncs look like
        words = len(set(text)) >= _TEXT_FEW and sum(map(str.isalnum, text)) >= len(text) // 3
        return text if words or text.startswith(">>>") else ""

    def _senseless_text(self, text: str) -> tuple[str, str]:
        """Return the problem and its subject for text."""
        whose = whose_text(text)
        if self.line and whose == "text_other" and self._reported.startswith("text_"):
            return self.line, self._reported
        return tr("line_text", text=in_one_line(text.strip()[-_TEXT_SHOWN:]), whose=tr(whose)), whose

    def _again(self) -> bool:
        """Return whether one byte repeats faster than any player sends.

        Bytes buffered somewhere that arrive at once do not count.
        """
        while self._again_at and self._clock() - self._again_at[0] > _SAME_SECONDS:
            self._again_at.popleft()
        return len(self._again_at) >= _SAME and len(set(self._again_at)) >= _SAME_READS

    def _damaged(self) -> str:
        """Return the problem if the driver reports errors on nearly every byte, a sign of another parity or speed."""
        errors = self._port.errors if self._port is not None and self._port.is_open else None
        if errors is None:
            return ""
        count, more = errors.parity + errors.framing, self._received - self._received_then
        if more >= _LOOK:
            heavy = count - self._errors_then > more // 4
            self._parity_line = tr("line_parity", settings=self._settings) if heavy else ""
            self._errors_then, self._received_then = count, self._received
        return self._parity_line

    def _senseless_line(self) -> tuple[str, str]:
        """Return the problem and its subject for senseless bytes.

        It is updated every few bytes only, since a guess takes a moment.
        """
        if self._received - self._guessed[0] >= _FEW:
            self._guessed = (self._received, *self._why_senseless())
        return self._guessed[1:]

    def _why_senseless(self) -> tuple[str, str]:
        in_hex = bytes(self._bytes)[-_SHOWN:].hex(" ").upper()
        found = guess(bytes(self._bytes), self._settings)
        if not any(self._bytes):
            slow = tuple(baud for baud in BAUDS if is_too_slow(baud, self._settings))
            slow_bauds = tr("line_slow", bauds="/".join(map(str, slow)), last=max(slow)) if slow else ""
            cause = tr("line_zeros", settings=self._settings) + slow_bauds
        elif found is None or (found.bauds, found.inverted) == ((self._settings.baud,), False):
            cause = tr("line_check", settings=self._settings)
        else:
            key = "line_inverted" if found.inverted else "line_speed"
            if found.inverted and found.bauds != (self._settings.baud,):
                key = "line_inverted_speed"
            bauds = "/".join(map(str, found.bauds))
            cause = tr(key, bauds=bauds, first=max(found.bauds), settings=self._settings)
        line = tr("line_senseless", bytes=in_hex, cause=cause)
        others = "" if self._port is None else self._port.other_programs()
        return tr("line_shared", line=line, who=others) if others else line, cause

    def other_programs(self) -> str:
        """Return the line that names other programs at the port, empty for none.

        For use when something did not arrive.
        """
        return "" if self._port is None else self._port.shared()


def whose_text(text: str) -> str:
    """Classify a text by its probable source.

    Return text_prompt, text_boot, text_gps, text_login, text_modem or text_other.
    """
    return next((key for key, pattern in _TEXTS if re.search(pattern, text)), "text_other")


def _is_text(byte: int) -> bool:
    return 0x20 <= byte < 0x7F or byte in b"\r\n\t\b\x1b"


def _plausible(reader: wire.Reader) -> bool:
    """Return whether a player sends such a frame, as opposed to noise that looks like a frame."""
    op, size, data = reader.op, reader.size, reader.data
    if op == wire.SHOT:
        return 1 <= data[0] <= wire.SIZE_MAX and 1 <= data[1] <= wire.SIZE_MAX
    if op in _LETTERS:
        return all(byte >= 0x20 or byte == 0 for byte in data[:size])
    # an echo with other parameters is the peer's fault, not noise
    if op == wire.PARAMS:
        return wire.SIZE_MIN <= data[0] & 0x0F <= wire.SIZE_MAX
    return True
