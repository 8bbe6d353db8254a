"""Buttons, an encoder, keys that share wires and displays on pins; the hardware is modelled below."""

from __future__ import annotations

import functools
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest

from seabattle_host import assets
from seabattle_host.boards import deploy
from seabattle_host.line import panels

STEP_MS = 3
ROUND = 2**29
PICO, ESP32 = deploy.kind_by_name("pico"), deploy.kind_by_name("esp32")
DIRECTIONS = ("UP", "DOWN", "LEFT", "RIGHT", "OK")


class Bench:
    """Pins and whatever is connected to them, as MicroPython's machine presents them."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        """Levels that the firmware has set on its outputs."""
        self.inputs: dict[int, Callable[[], int]] = {}
        """Level given by what is connected to each input."""
        self.volts: dict[int, Callable[[], float]] = {}
        """On analog pins: the fraction of the supply voltage."""
        self.edges: list[Callable[[int, int], None]] = []
        """Called for each change of an output with pin and level."""
        self.spi: Callable[[bytes], bytes] = bytes

    def machine(self) -> types.ModuleType:
        bench = self

        class Pin:
            IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 3

            def __init__(self, number: int, mode: int = -1, pull: int = -1, value: int | None = None):
                self.number = number
                self.pulled = pull == self.PULL_UP
                if value is not None:
                    self(value)

            def __call__(self, level: int | None = None) -> int | None:
                if level is None:
                    return bench.inputs.get(self.number, lambda: int(self.pulled))()
                before = bench.levels.get(self.number)
                bench.levels[self.number] = int(bool(level))
                if before is not None and before != int(bool(level)):
                    for told in bench.edges:
                        told(self.number, int(bool(level)))
                return None

        class ADC:
            ATTN_11DB = 3

            def __init__(self, pin: Pin):
                self.pin = pin

            def read_u16(self) -> int:
                return int(bench.volts[self.pin.number]() * 65535)

        class SPI:
            def __init__(self, *_: object, **__: object):
                pass

            def write_readinto(self, out: bytes, into: bytearray) -> None:
                into[:] = bench.spi(bytes(out))

        machine = types.ModuleType("machine")
        machine.__dict__.update(Pin=Pin, ADC=ADC, SPI=SPI)
        return machine


@pytest.fixture(autouse=True)
def firmware(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(assets.firmware()))
    yield
    for name in [name for name in sys.modules if name.startswith("seaboard")]:
        del sys.modules[name]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    there = Bench()
    monkeypatch.setitem(sys.modules, "machine", there.machine())
    monkeypatch.setattr(time, "sleep_ms", lambda _: None, raising=False)
    monkeypatch.setattr(time, "sleep_us", lambda _: None, raising=False)
    return there


class Listener:
    """Polls a board's keys; its clock wraps round."""

    def __init__(self, buttons: Any, now: int = 0):
        from seaboard import keys

        self.names = {getattr(keys, name): name for name in (*DIRECTIONS, "BACK")}
        self.buttons = buttons
        self.now = now

    def wait(self, ms: int) -> list[str]:
        """Return the keys reported in this time."""
        heard = []
        for _ in range(0, ms, STEP_MS):
            self.now = (self.now + STEP_MS) % ROUND
            key = self.buttons.get(self.now)
            if key:
                heard.append(self.names[key])
        return heard


class Person(Listener):
    """A player at a keypad. close: has the model close a key, or none of them."""

    def __init__(self, kit: str, kind: deploy.Kind, close: Callable[[str], None], rotate: int = 0):
        from seaboard import buttons, keypads

        values = deploy.kit_values(kit, kind)
        assert values is not None
        super().__init__(buttons.Buttons(*keypads.make_keys(values["KEYPAD"], rotate)))
        self.close = close

    def press(self, key: str, ms: int = 100) -> list[str]:
        """Hold a key this long and release it; return the keys reported."""
        self.close(key)
        heard = self.wait(ms)
        self.close("")
        return heard + self.wait(100)


class Matrix:
    """Sixteen switches between rows and columns."""

    ROWS = ("123A", "456B", "789C", "*0#D")
    KEYS: ClassVar = {"UP": "2", "DOWN": "8", "LEFT": "4", "RIGHT": "6", "OK": "5", "BACK": "*", "1": "1", "0": "0"}

    def __init__(self, bench: Bench, values: dict[str, Any]):
        self.closed = ""
        _, self.rows, columns = values["KEYPAD"]
        for place, pin in enumerate(columns):
            bench.inputs[pin] = lambda place=place: self.level(bench, place)  # type: ignore[misc]

    def level(self, bench: Bench, column: int) -> int:
        """Return a column's level, with its pull-up: low if a key joins it to a row that is low."""
        for row, letters in enumerate(self.ROWS):
            if self.closed and letters[column] == self.closed and bench.levels[self.rows[row]] == 0:
                return 0
        return 1

    def press(self, key: str) -> None:
        self.closed = self.KEYS.get(key, "")


class Ladder:
    """The LCD keypad shield's keys and resistors, at 5 V, with the two resistors that bring its A0 down to a pin."""

    BETWEEN = (0, 330, 620, 1000, 3300)
    ORDER = ("RIGHT", "UP", "DOWN", "LEFT", "OK")

    def __init__(self, bench: Bench, values: dict[str, Any], five_volts: bool, tolerance: float):
        self.closed = ""
        self.five_volts = five_volts
        self.tolerance = tolerance
        bench.volts[values["KEYPAD"][1]] = self.share

    def share(self) -> float:
        to_supply, load = 2000.0, 30000.0 if self.five_volts else 1e9
        below = load
        if self.closed:
            ground = sum(self.BETWEEN[: self.ORDER.index(self.closed) + 1]) * self.tolerance
            below = ground * load / (ground + load)
        share = below / (below + to_supply)
        return min(1.0, share * (5.0 * 20 / 30 / 3.3 if self.five_volts else 1.0))

    def press(self, key: str) -> None:
        self.closed = key


class Xpt2046:
    """A touch controller and the finger on its panel. Answers each question with twelve bits."""

    PLACES: ClassVar = {
        "UP": (0.5, 0.1),
        "DOWN": (0.5, 0.9),
        "LEFT": (0.1, 0.5),
        "RIGHT": (0.9, 0.5),
        "OK": (0.5, 0.5),
        "BACK": (0.1, 0.1),
        "1": (0.9, 0.9),
    }

    def __init__(self, bench: Bench, values: dict[str, Any], turned: bool = False):
        self.finger: tuple[float, float] | None = None
        self.turned = turned
        _, _, _, _, _, self.cs, irq = values["KEYPAD"]
        bench.inputs[irq] = lambda: 0 if self.finger else 1
        bench.spi = lambda out: self.answer(bench, out)

    def answer(self, bench: Bench, out: bytes) -> bytes:
        assert bench.levels[self.cs] == 0, "it was not selected"
        assert out[0] & 0x87 == 0x80, "12 bits, differential, and the pen's interrupt stays on"
        assert self.finger is not None
        x, y = self.finger if not self.turned else (1 - self.finger[0], 1 - self.finger[1])
        # its channel X measures the longer side of this display, from the left
        share = {0x10: x, 0x50: y}[out[0] & 0x70]
        value = int(200 + share * 3500) << 3
        return bytes((0, value >> 8, value & 255))

    def press(self, key: str) -> None:
        self.finger = self.PLACES.get(key)


def person(bench: Bench, kit: str, kind: deploy.Kind, **how: Any) -> Person:
    """Return a player at the model of a kit's keys."""
    values = deploy.kit_values(kit, kind)
    assert values is not None
    models = {"keypad-4x4": Matrix, "lcd-keypad": Ladder, "cyd": Xpt2046}
    model = models[kit](bench, values, **how)
    return Person(kit, kind, model.press, 180 if how.get("turned") else 0)


LADDERS = [{"five_volts": volts, "tolerance": tolerance} for volts in (False, True) for tolerance in (0.9, 1.0, 1.1)]


@pytest.mark.parametrize(
    ("kit", "kind", "how"),
    [
        ("keypad-4x4", PICO, {}),
        ("keypad-4x4", ESP32, {}),
        *(("lcd-keypad", PICO, how) for how in LADDERS),
        ("cyd", ESP32, {}),
        ("cyd", ESP32, {"turned": True}),
    ],
    ids=str,
)
def test_every_key_is_heard_as_what_it_is(bench: Bench, kit: str, kind: deploy.Kind, how: dict[str, Any]) -> None:
    """Including resistors that are 10 % off, and a rotated display."""
    there = person(bench, kit, kind, **how)
    assert there.wait(1000) == []
    for key in DIRECTIONS:
        assert there.press(key) == [key]
    assert there.press("OK", 1000) == ["BACK"]
    repeated = there.press("DOWN", 800)
    assert len(repeated) > 2 and set(repeated) == {"DOWN"}


@pytest.mark.parametrize(("kit", "kind"), [("keypad-4x4", PICO), ("cyd", ESP32)], ids=str)
def test_a_key_of_its_own_is_back_once_and_others_are_nothing(bench: Bench, kit: str, kind: deploy.Kind) -> None:
    there = person(bench, kit, kind)
    assert there.press("BACK", 2000) == ["BACK"]
    assert there.press("1", 500) == there.press("0", 500) == []


class OnPins:
    """A character display on six pins: it reads four bits at each falling edge of E."""

    def __init__(self, bench: Bench, values: dict[str, Any]):
        self.display = panels.Character(16, 2, "A00")
        self.high: int | None = None
        self.eight = True
        self.taken = 0
        rs, e, *data = values["LCD_PINS"]

        def edge(pin: int, level: int) -> None:
            if pin != e or level:
                return
            bits = sum(bench.levels[wire] << k for k, wire in enumerate(data))
            letter = bench.levels[rs]
            if self.eight:
                # at power-up: the lower four wires are not connected
                self.eight = bits != 2
            elif self.high is None:
                self.high = bits
            else:
                self.display.handle_message("I", bytes((self.high << 4 | bits, letter)))
                self.high = None
                self.taken += 1

        bench.edges.append(edge)


def test_a_character_display_on_pins_shows_what_the_same_shows_on_i2c(bench: Bench) -> None:
    from seaboard import lcd, lcdpins, text_buffer

    Pin = sys.modules["machine"].Pin
    values = deploy.kit_values("lcd-keypad", PICO)
    assert values is not None
    shown = OnPins(bench, values)
    rs, e, *data = (Pin(pin, Pin.OUT, value=0) for pin in values["LCD_PINS"])  # type: ignore[attr-defined]
    panel = lcd.Lcd(lcdpins.LcdPins(rs, e, data), 16, 2, lcd.A00)
    panel.texts = text_buffer.Texts()
    panel.row(0)
    panel.letters(b"SEA BATTLE", 0, 10)
    panel.rest()
    panel.row(1)
    panel.letters(b"abc 123", 0, 7)
    panel.rest()
    panel.changed()
    while panel.step():
        pass
    assert shown.display.text() == ["SEA BATTLE      ", "abc 123         "]
    assert shown.high is None


class Hands(Listener):
    """Six buttons and an encoder with fingers on them, and a clock that is about to wrap round."""

    def __init__(self) -> None:
        from seaboard.buttons import Buttons

        self.down = dict.fromkeys((*DIRECTIONS, "BACK"), False)
        self.contacts = [1, 1]
        pins = [functools.partial(self.level, name) for name in self.down]
        super().__init__(Buttons(*pins, lambda: self.contacts[0], lambda: self.contacts[1]), ROUND - 100)
        self.heard: list[str] = []

    def level(self, name: str) -> int:
        return 0 if self.down[name] else 1

    def wait(self, ms: int) -> list[str]:
        self.heard += super().wait(ms)
        return self.heard

    def hold(self, *names: str) -> None:
        for name in self.down:
            self.down[name] = name in names
        self.wait(60)

    def press(self, name: str, ms: int) -> None:
        self.down[name] = True
        self.wait(ms)
        self.hold()

    def bounce(self, name: str, ms: int) -> None:
        """Open and close a contact every few milliseconds."""
        for _ in range(0, ms, STEP_MS):
            self.down[name] = not self.down[name]
            self.wait(STEP_MS)
        self.down[name] = False

    def turn(self, clicks: int) -> None:
        """Turn the encoder by this many clicks; negative: the other way."""
        states = [(0, 1), (0, 0), (1, 0), (1, 1)] if clicks < 0 else [(1, 0), (0, 0), (0, 1), (1, 1)]
        for state in states * abs(clicks):
            self.contacts[:] = state
            self.wait(STEP_MS)

    def half_a_click(self) -> None:
        for state in ((1, 0), (1, 1), (0, 1), (1, 1)):
            self.contacts[:] = state
            self.wait(STEP_MS)

    def leave(self) -> None:
        """Wait until the clock has gone a little more than half round."""
        self.now = (self.now + ROUND // 2 + 1000) % ROUND
        self.wait(60)


@pytest.mark.parametrize(
    ("acts", "heard"),
    [
        ("wait 5000", ""),
        *((f"press {name} 80", name) for name in (*DIRECTIONS, "BACK")),
        # held, OK is BACK, reported once; a direction repeats
        ("press OK 3000", "BACK"),
        ("press BACK 3000", "BACK"),
        ("press RIGHT 1000, wait 1000", "RIGHT " * 7),
        # a direction is reported when pressed, OK when released
        ("hold LEFT OK", "LEFT"),
        ("hold LEFT OK, hold", "LEFT OK"),
        # contacts that open and close are no key, and a press that bounces is one
        ("bounce OK 500, bounce UP 500, wait 100", ""),
        ("bounce DOWN 12, press DOWN 100, bounce DOWN 12, wait 100", "DOWN"),
        # nothing repeats by itself after a long time
        ("press UP 80, leave", "UP"),
        ("press UP 80, leave, press UP 80", "UP UP"),
        ("turn 3, turn -2", "DOWN DOWN DOWN UP UP"),
        ("half_a_click", ""),
        # pushed and turned, the encoder gives left and right, and the push is used up
        ("hold OK, turn 2, turn -1, wait 3000, hold", "RIGHT RIGHT LEFT"),
        ("hold OK, turn 2, turn -1, wait 3000, hold, press OK 80", "RIGHT RIGHT LEFT OK"),
    ],
)
def test_what_hands_do_is_heard_as_keys(acts: str, heard: str) -> None:
    hands = Hands()
    for act in acts.split(", "):
        name, *arguments = act.split()
        getattr(hands, name)(*(int(one) if one.lstrip("-").isdigit() else one for one in arguments))
    assert hands.heard == heard.split()
