"""Five or six push buttons, or a rotary encoder with a push button, as keys.

Buttons connect their pin to ground. A change counts after 20 ms. A direction is reported when pressed and repeats while
held; OK is reported on release, because holding it longer is BACK. A sixth button is BACK at once. An encoder turns up
and down, and left and right while pushed.
"""

from seabattle.const import TYPE_CHECKING, const

from .keys import BACK, DOWN, LEFT, OK, RIGHT, UP

if TYPE_CHECKING:
    from .parts import Button


_ROUND = const(0x1FFFFFFF)  # the clock wraps here

_STEADY = const(20)  # milliseconds a change must last
_FIRST_REPEAT = const(400)
_NEXT_REPEAT = const(110)
_LONG = const(700)

_DIRECTIONS = const(4)
OK_BUTTON = const(4)
_BACK = const(5)
_BUTTONS = const(6)
_CODES = bytes((UP, DOWN, LEFT, RIGHT, OK, BACK))

_REST = const(3)  # both contacts of an encoder open: between two clicks

# By previous and present contacts, two bits each: rotation in quarters of a click, plus 1.
_TURNS = b"\x01\x02\x00\x01\x00\x01\x01\x02\x02\x01\x01\x00\x01\x00\x02\x01"


class Buttons:
    """Up to six buttons.

    up, down, left, right, ok, back: callables that return 0 while the button is pressed (such as a machine.Pin), or
    None.
    """

    esc = False  # for hints about BACK: hold OK

    def __init__(
        self,
        up: "Button | None",
        down: "Button | None",
        left: "Button | None",
        right: "Button | None",
        ok: "Button | None",
        back: "Button | None" = None,
        turn_a: "Button | None" = None,
        turn_b: "Button | None" = None,
    ) -> None:
        self.buttons = (up, down, left, right, ok, back)
        self.pressed = bytearray(_BUTTONS)
        self.changing = bytearray(_BUTTONS)
        self.since = [0] * _BUTTONS  # when it last changed, or began to
        self.repeat = [0, 0, 0, 0]  # when a held direction repeats
        self.spent = False  # the held OK was already reported as another key
        self.turn_a = turn_a
        self.turn_b = turn_b
        self.contacts = _REST
        self.quarters = 0

    def get(self, ms: int) -> int:
        """Return the next key, or 0. ms: now, 0..2**29-1, wraps around; call every few milliseconds."""
        if self.turn_a is not None:
            key = self._encoder_key()
            if key:
                return key
        pressed = self.pressed
        changing = self.changing
        buttons = self.buttons
        for i in range(_BUTTONS):
            button = buttons[i]
            if button is None:
                continue
            down = 0 if button() else 1
            if down or pressed[i] or changing[i]:
                key = self._look(i, down, ms)
                if key:
                    return key
        return 0

    def _look(self, i: int, down: int, ms: int) -> int:
        if down != self.pressed[i]:
            if not self.changing[i]:
                self.changing[i] = 1
                self.since[i] = ms
            elif (ms - self.since[i]) & _ROUND >= _STEADY:
                self.changing[i] = 0
                self.pressed[i] = down
                self.since[i] = ms
                return self._changed(i, down, ms)
            return 0
        self.changing[i] = 0
        if not down:
            return 0
        if i == OK_BUTTON:
            if not self.spent and (ms - self.since[i]) & _ROUND >= _LONG:
                self.spent = True
                return BACK
        elif i != _BACK and (ms - self.repeat[i]) & _ROUND < _ROUND // 2:
            self.repeat[i] = (ms + _NEXT_REPEAT) & _ROUND
            return _CODES[i]
        return 0

    def _changed(self, i: int, down: int, ms: int) -> int:
        if i == OK_BUTTON:
            if down:
                self.spent = False
                return 0
            return 0 if self.spent else OK
        if not down:
            return 0
        if i != _BACK:
            self.repeat[i] = (ms + _FIRST_REPEAT) & _ROUND
        return _CODES[i]

    def _encoder_key(self) -> int:
        now = (2 if self.turn_a() else 0) | (1 if self.turn_b() else 0)
        self.quarters += _TURNS[self.contacts << 2 | now] - 1
        self.contacts = now
        if now != _REST:
            return 0
        quarters = self.quarters
        self.quarters = 0
        if -2 < quarters < 2:
            return 0
        if self.pressed[OK_BUTTON] or self.changing[OK_BUTTON]:
            self.spent = True
            return RIGHT if quarters > 0 else LEFT
        return DOWN if quarters > 0 else UP
