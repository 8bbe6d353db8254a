"""Small widgets shared by several screens."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Checkbox, Input, RadioButton, RichLog, Static

from seabattle_host.tui import theme

Key = tuple[str, str, str]
"""A key's name for the player, its meaning, and the action of a click on it."""


def begin_typing(entry: Input, character: str, begins: bool) -> bool:
    """Type a character, pressed over a field, into `entry`, and focus it; return whether it was typed.

    begins: it is the first one and replaces the content. The focus moves at once, not when the application gets to it:
    otherwise quick further keys would go to the field, where Enter shoots at the cursor. Those already on their way to
    the field are appended.
    """
    if begins:
        entry.value = character
        entry.screen.set_focus(entry)
    elif entry.screen.focused is entry:
        entry.value += character
    else:
        return False
    entry.cursor_position = len(entry.value)
    return True


_RUSSIAN_KEYS = dict(zip("qwertyuiopasdfghjklzxcvbnm", "йцукенгшщзфывапролдячсмить", strict=True))


def letter_keys(keys: str) -> str:
    """Expand the letters in a binding's keys to those with Shift or Caps Lock, and of a Russian keyboard."""
    every: list[str] = []
    for key in keys.split(","):
        every.append(key)
        if key in _RUSSIAN_KEYS:
            russian = _RUSSIAN_KEYS[key]
            every += [key.upper(), russian, russian.upper()]
    return ",".join(every)


class Plain(Static):
    """Text from any source, without markup."""

    def __init__(self, content: str | Text = "", **kwargs: str | None):
        super().__init__(content, markup=False, **kwargs)  # type: ignore[arg-type]
        self._shown = _content_key(content)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show this text. Does nothing if it is already shown, and a layout only if it determines the size."""
        letters = _content_key(content)
        if letters != self._shown:
            self._shown = letters
            super().update(content, layout=layout and (self.styles.auto_dimensions or not self.is_mounted))


def _content_key(content: VisualType) -> object:
    """Return a key that is equal for contents that look the same."""
    return (content.plain, content.style, content.spans[:]) if isinstance(content, Text) else content


class KeyBar(Plain):
    """One line of keys and their current meaning; a click works like the key."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap; }
    """

    def __init__(self, **kwargs: str | None):
        super().__init__("", **kwargs)
        self.keys: tuple[Key, ...] = ()
        """The keys on display."""
        self._wanted: list[Key] = []

    def show(self, keys: Sequence[Key]) -> None:
        """Show these keys."""
        if list(keys) == self._wanted:
            return
        self._wanted = list(keys)
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Show as many keys as fit: the last one, which leaves, and the first ones."""
        fitting = list(self._wanted)
        while len(fitting) > 2 and sum(cell_len(f"{key} {meaning}{_GAP}") for key, meaning, _ in fitting) > max(
            1, self.size.width + len(_GAP)
        ):
            del fitting[-2]
        self.keys = tuple(fitting)
        text = Text()
        for key, meaning, _action in fitting:
            text.append(key, theme.KEY)
            text.append(f" {meaning}{_GAP}")
        self.update(text)

    async def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        at = place.x if place is not None else -1
        for key, meaning, action in self.keys:
            wide = cell_len(f"{key} {meaning}")
            if 0 <= at < wide and action:
                await self.run_action(action)
            at -= wide + len(_GAP)


_GAP = "  "


class LineLog(RichLog, can_focus=False):
    """A log whose lines are wrapped again when the width changes."""

    def __init__(self, **kwargs: str | None):
        super().__init__(wrap=True, min_width=1, max_lines=2000, markup=False, **kwargs)  # type: ignore[arg-type]
        self.texts: list[Text] = []
        self._wrapped_at = 0

    def add(self, line: str, style: str = "") -> None:
        """Append a line."""
        text = Text(line, style)
        self.texts.append(text)
        del self.texts[:-1000]
        self.write(text)

    def wipe(self) -> None:
        """Remove all lines."""
        self.texts.clear()
        self.clear()

    def on_resize(self, event: events.Resize) -> None:
        width = self.scrollable_content_region.width
        if width and width != self._wrapped_at:
            self._wrapped_at = width
            self.clear()
            for text in self.texts:
                self.write(text)


class Choice(RadioButton):
    """A radio button with a shape as well as a colour."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]
        """The text between the brackets."""
        return "●" if self.value else " "


class Tick(Checkbox):
    """A check box with a shape as well as a colour."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]
        """The text between the brackets."""
        return "X" if self.value else " "


class Stepper(Widget, can_focus=True):
    """An integer from a small range, changed with the left and right keys, with digits, or by a click."""

    BINDINGS = [
        Binding("left,minus", "step(-1)", show=False),
        Binding("right,plus,equals_sign", "step(1)", show=False),
    ]

    DEFAULT_CSS = """
    Stepper { height: 1; width: auto; }
    Stepper:focus { background: $accent; color: $background; text-style: bold; }
    """

    value = reactive(0)

    class Changed(Message):
        """The number has changed."""

        def __init__(self, stepper: Stepper, value: int):
            self.stepper = stepper
            self.value = value
            super().__init__()

        @property
        def control(self) -> Stepper:
            """The sender."""
            return self.stepper

    def __init__(self, label: str, low: int, high: int, value: int, **kwargs: str | None):
        """label: what is counted, padded to the width of the labels next to it. low..high: the range."""
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.label = label
        self.low = low
        self.high = high
        self._typed = ""
        self.set_reactive(Stepper.value, value)

    def validate_value(self, value: int) -> int:
        """Clamp to the range."""
        return min(self.high, max(self.low, value))

    def watch_value(self, value: int) -> None:
        self.post_message(self.Changed(self, value))

    def render(self) -> Text:
        less = "◂" if self.value > self.low else " "
        more = "▸" if self.value < self.high else " "
        return Text(f" {self.label} {less}{self.value:3} {more}  {self.low}..{self.high} ")

    def action_step(self, by: int) -> None:
        """Change the number."""
        self.value += by

    def on_key(self, event: events.Key) -> None:
        digit = event.character or ""
        if digit.isdecimal() and digit.isascii():
            event.stop()
            # a second digit extends the first if the number stays in the range
            self._typed = self._typed + digit if int(self._typed + digit) <= self.high else digit
            self.value = int(self._typed)
        else:
            self._typed = ""

    def on_blur(self) -> None:
        self._typed = ""

    def on_click(self, event: events.Click) -> None:
        middle = len(self.label) + 4
        self.value += -1 if event.x <= middle else 1
