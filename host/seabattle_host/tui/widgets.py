"""Small widgets that several screens use."""

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
"""A key as a player knows it, what it does, and the action that a click on it runs."""


def begin_typing(entry: Input, character: str, begins: bool) -> bool:
    """Put a character that was typed over a field into `entry`, which takes the focus; whether it was put there.

    begins: it is the first one, and what stood there goes. The focus moves at once, and not when the application gets
    to it: keys that follow closely would go to the field, where Enter shoots at the cursor. Those that are on their way
    to the field by then are put behind the first.
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
    """Keys of a binding, a letter among them also as it comes with Shift or Caps Lock and from a Russian keyboard."""
    every: list[str] = []
    for key in keys.split(","):
        every.append(key)
        if key in _RUSSIAN_KEYS:
            russian = _RUSSIAN_KEYS[key]
            every += [key.upper(), russian, russian.upper()]
    return ",".join(every)


class Plain(Static):
    """Text that may come from anybody, so nothing in it is markup."""

    def __init__(self, content: str | Text = "", **kwargs: str | None):
        super().__init__(content, markup=False, **kwargs)  # type: ignore[arg-type]
        self._shown = _letters(content)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show this text. It costs nothing where it is shown already, and a layout only where it sets the size."""
        letters = _letters(content)
        if letters != self._shown:
            self._shown = letters
            super().update(content, layout=layout and (self.styles.auto_dimensions or not self.is_mounted))


def _letters(content: VisualType) -> object:
    """What two contents that look the same have in common."""
    return (content.plain, content.style, content.spans[:]) if isinstance(content, Text) else content


class KeyBar(Plain):
    """One line of keys and what they do at this moment; a click does the same."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap; }
    """

    def __init__(self, **kwargs: str | None):
        super().__init__("", **kwargs)
        self.keys: tuple[Key, ...] = ()
        """The keys that are on the screen."""
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
        """Show as many as there is room for: the last one, which leads out, and the first ones."""
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
    """Lines of text that are wrapped again when the width changes."""

    def __init__(self, **kwargs: str | None):
        super().__init__(wrap=True, min_width=1, max_lines=2000, markup=False, **kwargs)  # type: ignore[arg-type]
        self.texts: list[Text] = []
        self._wrapped_at = 0

    def add(self, line: str, style: str = "") -> None:
        """Add a line at the end."""
        text = Text(line, style)
        self.texts.append(text)
        del self.texts[:-1000]
        self.write(text)

    def wipe(self) -> None:
        """Forget all lines."""
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
    """One of several; a shape as well as a colour shows which is chosen."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]
        """What stands between the brackets."""
        return "●" if self.value else " "


class Tick(Checkbox):
    """Yes or no, with a shape as well as a colour."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]
        """What stands between the brackets."""
        return "X" if self.value else " "


class Stepper(Widget, can_focus=True):
    """A whole number from a small range, changed with the left and right key, with digits, or by a click."""

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
        """Another number was chosen."""

        def __init__(self, stepper: Stepper, value: int):
            self.stepper = stepper
            self.value = value
            super().__init__()

        @property
        def control(self) -> Stepper:
            """The widget that sends this."""
            return self.stepper

    def __init__(self, label: str, low: int, high: int, value: int, **kwargs: str | None):
        """label: what is counted, already as wide as the labels beside it. low..high: the range of the number."""
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.label = label
        self.low = low
        self.high = high
        self._typed = ""
        self.set_reactive(Stepper.value, value)

    def validate_value(self, value: int) -> int:
        """Keep to the range."""
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
            # a second digit belongs to the first where both make a number of the range
            self._typed = self._typed + digit if int(self._typed + digit) <= self.high else digit
            self.value = int(self._typed)
        else:
            self._typed = ""

    def on_blur(self) -> None:
        self._typed = ""

    def on_click(self, event: events.Click) -> None:
        middle = len(self.label) + 4
        self.value += -1 if event.x <= middle else 1
