"""The line test: sends every byte value once, with TX connected to RX, and reports what comes back."""

from seabattle.const import TYPE_CHECKING, const

from . import words

if TYPE_CHECKING:
    from .app import App


_BYTES = const(256)
_AHEAD = const(8)  # bytes in flight, so that no large buffer is needed
_PATIENCE_MS = const(300)  # how long to wait for a byte
_CLOCK = const(0x1FFFFFFF)


class LineTest:
    """Runs in slices; writes its report to the user interface's page."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.running = False
        self.since = 0
        self.sent = 0
        self.next = 0  # index of the next byte expected back
        self.good = 0
        self.lost = 0
        self.wrong = 0
        self.extra = 0

    def begin(self) -> None:
        """Start or restart."""
        self.sent = self.next = self.good = self.lost = self.wrong = self.extra = 0
        self.since = self.app.now
        self.running = True
        text = self.app.ui.page
        text.only(words.L_TITLE)
        text.line()
        text.word(words.L_JOIN)

    def rx(self, byte: int) -> None:
        """Receive a byte."""
        self.since = self.app.now
        if self.next == self.sent:
            self.extra += 1
            return
        skipped = (byte - self.next) & 255
        if self.next + skipped < self.sent:
            self.lost += skipped
            self.next += skipped
            self.good += 1
        else:
            self.wrong += 1
        self.next += 1

    def work(self) -> bool:
        """Send a byte, or notice that nothing comes back any more; return False if there is nothing to do now."""
        if not self.running:
            return False
        app = self.app
        if self.sent < _BYTES and self.sent - self.next < _AHEAD:
            app.send(self.sent)
            self.sent += 1
            return True
        if (app.now - self.since) & _CLOCK < _PATIENCE_MS:
            return False
        self.lost += self.sent - self.next
        self.next = self.sent
        if self.sent < _BYTES and self.good:
            self.since = app.now
            return True
        self.running = False
        self._report()
        return False

    def _report(self) -> None:
        ui = self.app.ui
        text = ui.page
        text.only(words.L_TITLE)
        text.line()
        if not self.good and not self.wrong:
            text.word(words.L_NOTHING)
        elif self.wrong:
            text.word(words.L_WRONG, self.wrong)
        elif self.lost:
            text.word(words.L_LOST, self.lost)
        elif self.extra:
            text.word(words.L_EXTRA, self.extra)
        else:
            text.word(words.L_GOOD, _BYTES)
        text.line()
        text.word(words.L_AGAIN)
        ui.touch()
