"""Every board's pins checked against its chip's tables, its drawing, and what the firmware sets up on each port."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from seabattle_host import assets
from seabattle_host.boards import deploy, device, wiring
from seabattle_host.commands import board_options, flash

KINDS = {kind.name: kind for kind in deploy.kinds()}
KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "OK")
PINS = ("TX", "RX", *KEYS, "SDA", "SCL", "SCK", "MOSI", "CS", "DC", "RST", "LED", "BUZZER")
COLOUR = ("st7789-240x135",)
"""One for all: a board sees no difference between them."""
PANELS = ("ssd1306", "sh1106", "lcd20x4", "lcd16x2", "ssd1306-spi", "sh1106-spi", "pcd8544", *COLOUR)
"""Those that a board has default pins for."""

# -- the chips


@dataclass(frozen=True)
class Chip:
    """The pins a chip offers, and the functions of each."""

    pins: frozenset
    """On the header, and free."""
    functions: Callable[[str], frozenset]
    """Pins that have a function like `UART0 TX`."""
    no_pull_up: frozenset = frozenset()
    no_keys: frozenset = frozenset()
    """Strapping pins, or pins driven by something on the board."""


# RP2040 datasheet, table 2 (GPIO functions); the same pins have them on the RP2350.
_RP2: dict[str, dict[str, tuple[object, ...]]] = {
    "UART0": {"TX": (0, 12, 16, 28), "RX": (1, 13, 17)},
    "UART1": {"TX": (4, 8, 20), "RX": (5, 9, 21)},
    "I2C0": {"SDA": (0, 4, 8, 12, 16, 20, 28), "SCL": (1, 5, 9, 13, 17, 21)},
    "I2C1": {"SDA": (2, 6, 10, 14, 18, 22, 26), "SCL": (3, 7, 11, 15, 19, 27)},
    "SPI0": {"SCK": (2, 6, 18, 22), "MOSI": (3, 7, 19)},
    "SPI1": {"SCK": (10, 14, 26), "MOSI": (11, 15, 27)},
}
# Pyboard: MicroPython's boards/PYBV11/mpconfigboard.h, which fixes the pins of each bus.
_PYBOARD: dict[str, dict[str, tuple[object, ...]]] = {
    **{f"UART{n}": {"TX": (tx,), "RX": (rx,)} for n, tx, rx in ((1, "X9", "X10"), (2, "X3", "X4"), (3, "Y9", "Y10"))},
    **{f"UART{n}": {"TX": (tx,), "RX": (rx,)} for n, tx, rx in ((4, "X1", "X2"), (6, "Y1", "Y2"))},
    **{f"I2C{n}": {"SCL": (scl,), "SDA": (sda,)} for n, scl, sda in ((1, "X9", "X10"), (2, "Y9", "Y10"))},
    **{f"SPI{n}": {"SCK": (sck,), "MOSI": (mosi,)} for n, sck, mosi in ((1, "X6", "X8"), (2, "Y6", "Y8"))},
}
_PYBOARD_TIMER = {"X1": (2, 5)}  # pins with a PWM channel that boards use, and the timers behind it


def listed(buses: dict[str, dict[str, tuple[object, ...]]]) -> Callable[[str], frozenset]:
    def find(function: str) -> frozenset:
        bus, wire = function.split()
        return frozenset(buses.get(bus, {}).get(wire, ()))

    return find


def matrix(pins: frozenset, buses: dict[str, tuple[int, ...]]) -> Callable[[str], frozenset]:
    """An ESP32 routes any bus to any pin; only the bus numbers are checked."""

    def find(function: str) -> frozenset:
        bus = function.split()[0]
        return pins if int(bus[-1]) in buses[bus[:-1]] else frozenset()

    return find


# ESP32-C3 datasheet: 11 is the flash's supply, 12..17 the flash's, 18 and 19 USB; 2, 8 and 9 are strapping pins.
_ESP32C3_PINS = frozenset((*range(11), 20, 21))
# ESP32 datasheet, chapter 2: 6..11 are the flash's, 1 and 3 the prompt's, 34..39 inputs without pull-ups.
_ESP32_PINS = frozenset((*range(6), *range(12, 20), 21, 22, 23, 25, 26, 27, 32, 33, *range(34, 40))) - {1, 3}
# ESP32-S3 datasheet: 26..32 the flash's, 33..37 the PSRAM's, 19 and 20 USB, 43 and 44 the prompt's.
_ESP32S3_PINS = frozenset((*range(19), 21, *range(38, 43), 45, 46, 47, 48))

RP2 = Chip(frozenset((*range(23), 26, 27, 28)), listed(_RP2))
CHIPS = {
    "RP2040": RP2,
    "RP2350": RP2,
    "ESP32": Chip(
        _ESP32_PINS,
        matrix(_ESP32_PINS, {"UART": (1, 2), "I2C": (0, 1), "SPI": (1, 2)}),
        no_pull_up=frozenset(range(34, 40)),
        no_keys=frozenset((0, 2, 5, 12, 15)),
    ),
    "ESP32S3": Chip(
        _ESP32S3_PINS,
        matrix(_ESP32S3_PINS, {"UART": (1, 2), "I2C": (0, 1), "SPI": (1, 2)}),
        no_keys=frozenset((0, 3, 45, 46, 48)),
    ),
    "ESP32C3": Chip(
        _ESP32C3_PINS, matrix(_ESP32C3_PINS, {"UART": (1,), "I2C": (0,), "SPI": (1,)}), no_keys=frozenset((2, 8, 9))
    ),
    "STM32F405RG": Chip(
        frozenset(f"{side}{number}" for side in "XY" for number in range(1, 13))
        | frozenset(f"X{n}" for n in range(17, 23)),
        listed(_PYBOARD),
        no_keys=frozenset({"X17"}),  # the switch on the board
    ),
}
ON_BOARD_LEDS = {"pico": 25, "pico2": 25, "stm32": "LED_BLUE"}


SEEED = frozenset((0, 1, 2, 3, 4, 6, 7, 26, 27, 28, 29))
"""Pins on the edge of a XIAO RP2040: MicroPython's ports/rp2/boards/SEEED_XIAO_RP2040/pins.csv."""


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> deploy.Kind:
    return KINDS[request.param]


def wired(kind: deploy.Kind, panel: str) -> bool:
    """Whether a small board has pins left for the bus of a display."""
    return all(kind.values[name] is not None for name in board_options.PANELS[panel])


def used(kind: deploy.Kind) -> dict[str, object]:
    return {name: kind.values[name] for name in PINS if kind.values[name] is not None}


def on_board(kind: deploy.Kind, name: str, pin: object) -> bool:
    """Return whether this is the board's own LED."""
    return name == "LED" and ON_BOARD_LEDS.get(kind.name) == pin


def with_kit(kind: deploy.Kind, kit: str) -> dict[str, Any]:
    """Return the values of a board with a kit ("" for none); empty if the kit does not fit."""
    more = deploy.kit_values(kit, kind) if kit else {}
    return {} if more is None else {**kind.values, **more}


def flat(name: str, value: object) -> list[object]:
    """Return the pins in a value of board.py."""
    if value is None:
        return []
    if not isinstance(value, tuple):
        return [value]
    # of a keypad: its kind, and for a touch panel the number of its bus
    rest = value[2:] if value[0] == "touch" else value[1:] if name == "KEYPAD" else value
    return [pin for each in rest for pin in flat("", each)]


SETS = [(kind.name, kit) for kit in ("", *deploy.kits()) for kind in KINDS.values() if with_kit(kind, kit)]
"""Each board without a kit, and with each kit that fits."""


def test_every_kit_fits_on_a_board() -> None:
    assert {kit for _, kit in SETS} == {"", *deploy.kits()}


@pytest.mark.parametrize(("kind", "kit"), SETS, indirect=["kind"])
def test_every_pin_can_be_what_it_is_used_for(kind: deploy.Kind, kit: str) -> None:
    """Each pin is on the header, used once, and has the function; the tick has its own timer, off by less than 0.1%."""
    values = with_kit(kind, kit)
    assert values["NAME"] == kind.name and set(values) == set(kind.values)
    chip = CHIPS[kind.chip]
    names: tuple[str, ...] = PINS
    if kit:
        panel = board_options.PANELS[str(values["PANEL"])]
        others = (name for name in panel if name not in ("SPI", "I2C"))
        names = ("TX", "RX", *KEYS, "BACK", "ENCODER", "KEYPAD", *others, "LED", "BUZZER")
        names += ("RST", "BACKLIGHT") if "SPI" in panel else ()
    pins = [(name, pin) for name in names for pin in flat(name, values[name])]
    assert len(pins) == len({pin for _, pin in pins}), pins
    for name, pin in pins:
        assert pin in chip.pins or on_board(kind, name, pin), name
        if name in KEYS and not kit:
            # with a pull-up, and not a strapping pin
            assert pin not in chip.no_pull_up and pin not in chip.no_keys, name
        if name in ("TX", "SCK", "MOSI", "CS", "DC", "RST", "LED", "BUZZER"):
            assert pin not in chip.no_pull_up, f"{name} is an output"
    for bus, wires in (("UART", ("TX", "RX")), ("I2C", ("SDA", "SCL")), ("SPI", ("SCK", "MOSI"))):
        for wire in wires if values[wires[0]] is not None else ():
            assert values[wire] in chip.functions(f"{bus}{values[bus]} {wire}"), (bus, wire)
    assert abs(wiring.tick_error(kind)) < 1e-3
    if kind.chip.startswith("STM32"):
        assert values["TIMER"] not in _PYBOARD_TIMER[str(values["BUZZER"])]


OFFICIAL = {
    "esp32": "Generic ESP32 module with ESP32",
    "esp32c3": "ESP32C3 module with ESP32C3",
    "esp32s3": "Generic ESP32S3 module with ESP32S3",
    "pico": "Raspberry Pi Pico with RP2040",
    "pico2": "Raspberry Pi Pico2 with RP2350",
    "pico2_w": "Raspberry Pi Pico 2 W with RP2350",
    "pico_w": "Raspberry Pi Pico W with RP2040",
    "stm32": "PYBv1.1 with STM32F405RG",
    "xiao_rp2040": "Seeed Studio XIAO RP2040 with RP2040",
}
"""Names that the official images report: mpconfigboard.h of each in MicroPython 1.28."""


def test_each_board_is_recognised_by_what_its_official_image_calls_it() -> None:
    found = {name: deploy.recognise_kind(device.Identity(machine, (1, 28, 0), 6)) for name, machine in OFFICIAL.items()}
    assert found == KINDS


def test_wiring_pages_and_drawings_are_up_to_date_and_there_is_a_board_for_each_chip() -> None:
    assert wiring.stale() == [], "run: python -m seabattle_host.boards.wiring"
    assert {kind.chip for kind in KINDS.values()} == set(CHIPS)
    small = KINDS["xiao_rp2040"]
    assert set(used(small).values()) <= SEEED, "a small board uses what is on its edge"
    assert "D8 (GPIO2)" in wiring.table(small)


def test_the_manifest_freezes_files_that_exist(kind: deploy.Kind) -> None:
    folder = assets.boards() / kind.name
    frozen: list[Path] = []

    def package(name: str, base_path: str, **_: object) -> None:
        frozen.extend((folder / base_path / name).glob("*.py"))

    def module(name: str, base_path: str = ".", **_: object) -> None:
        frozen.append(folder / base_path / name)

    names = {"include": lambda _: None, "package": package, "module": module}
    exec(compile((folder / "manifest.py").read_text(), "manifest.py", "exec"), names)
    assert all(path.is_file() for path in frozen)
    assert {path.resolve() for path in deploy.modules(kind).values()} <= {path.resolve() for path in frozen}


# -- what the firmware sets up, with stand-ins for machine and pyb


PORTS = {"RP2": "rp2", "ESP": "esp32", "STM": "pyboard"}


class Recorder:
    """A stand-in for MicroPython's hardware modules on one port, as strict as the port where that matters here."""

    lacks: tuple[str, ...] = ()
    """Names missing from machine."""

    def __init__(self, platform: str, answering: tuple[int, ...]) -> None:
        self.platform = platform
        self.answering = answering
        self.now = 5
        """Its clock, in milliseconds."""
        self.made: list[tuple[str, tuple, dict]] = []

    def note(self, name: str, args: tuple, kwargs: dict) -> None:
        self.made.append((name, args, kwargs))

    def of(self, name: str) -> list[tuple[tuple, dict]]:
        return [(args, kwargs) for made, args, kwargs in self.made if made == name]

    def modules(self) -> dict[str, types.ModuleType]:
        recorder = self
        esp, pyboard = self.platform == "esp32", self.platform == "pyboard"

        class Made:
            """Records its arguments. fixed: arguments that a port with fixed pins must not be given."""

            fixed: tuple[str, ...] = ()

            def __init__(self, *args: Any, **kwargs: Any) -> None:
                recorder.note(type(self).__name__, args, kwargs)
                assert not pyboard or not set(self.fixed) & set(kwargs), "this port has fixed pins"
                self.id = args[0]

        class Pin(Made):
            IN, OUT, PULL_UP, OPEN_DRAIN = "in", "out", "up", "drain"

            def __call__(self, value: int | None = None) -> int:
                return 1

        class UART(Made):
            fixed = ("tx", "rx")

            def any(self) -> int:
                return 0

            def readinto(self, buffer: bytearray) -> None: ...

            def write(self, buffer: bytes) -> int:
                return len(buffer)

        class I2C(Made):
            fixed = ("sda", "scl")

            def scan(self) -> list[int]:
                return list(recorder.answering)

            def writeto(self, address: int, data: Any) -> int:
                recorder.note("writeto", (address, bytes(data)), {})
                return 1

        class SPI(Made):
            def write(self, data: Any) -> None: ...

            def write_readinto(self, out: object, into: object) -> None: ...

        class ADC(Made):
            ATTN_11DB = 3

            def __init__(self, pin: Pin) -> None:
                super().__init__(pin)
                if esp:
                    self.atten = lambda _: None

            def read_u16(self) -> int:
                return 65535

        class Timer(Made):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                if esp and kwargs.get("hard"):
                    raise ValueError("hard Timers are not implemented")

        class PWM(Made):
            def freq(self, hz: int) -> None: ...

            def duty_u16(self, duty: int) -> None: ...

        machine, pyb = types.ModuleType("machine"), types.ModuleType("pyb")
        for made in (Pin, UART, I2C, SPI, ADC, Timer, PWM):
            if made.__name__ not in self.lacks:
                setattr(machine, made.__name__, made)
        machine.__dict__.update(idle=lambda: None)
        pyb.__dict__.update(Timer=Timer)
        return {"machine": machine, "pyb": pyb}


@pytest.fixture
def port(kind: deploy.Kind, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple]]:
    """Makes a kind's board on its port with a panel: returns (board, the Recorder)."""
    import time

    def make(
        PANEL: str, answering: tuple[int, ...] = (0x27, 0x3C), usb: types.ModuleType | None = None, **values: object
    ) -> tuple:
        recorder = Recorder(PORTS[kind.chip[:3]], answering)
        for name in [name for name in sys.modules if name == "board" or name.startswith("seaboard")]:
            monkeypatch.delitem(sys.modules, name)
        for name, module in recorder.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        if usb is not None:
            monkeypatch.setitem(sys.modules, "seaboard.usbline", usb)
        monkeypatch.setattr(sys, "platform", recorder.platform)
        for wait in ("sleep_ms", "sleep_us"):
            monkeypatch.setattr(time, wait, lambda _: None, raising=False)
        monkeypatch.setattr(time, "ticks_ms", lambda: recorder.now, raising=False)
        monkeypatch.setattr(time, "ticks_diff", lambda later, earlier: later - earlier, raising=False)
        monkeypatch.syspath_prepend(str(assets.firmware()))
        monkeypatch.syspath_prepend(str(assets.boards() / kind.name))
        module = importlib.import_module("board")
        for name, value in {**values, "PANEL": PANEL}.items():
            monkeypatch.setattr(module, name, value)
        return module.Board(), recorder

    yield make
    for name in [name for name in sys.modules if name == "board" or name.startswith("seaboard")]:
        del sys.modules[name]


BUS_PINS: dict[str, dict[tuple[object, object], tuple]] = {
    "ESP32": {("SPI", 1): (14, 13, 12), ("SPI", 2): (18, 23, 19), ("UART", 1): (10, 9), ("UART", 2): (17, 16)},
    "ESP32S3": {("SPI", 1): (12, 11, 13), ("SPI", 2): (36, 35, 37), ("UART", 1): (15, 16), ("UART", 2): (17, 18)},
    "ESP32C3": {("SPI", 1): (6, 7, 2), ("UART", 1): (10, 9)},
    "RP2": {("SPI", 0): (18, 19, 16), ("SPI", 1): (10, 11, 8), ("UART", 0): (0, 1), ("UART", 1): (4, 5)},
    "STM32F405RG": {("SPI", 1): ("X6", "X8", "X7"), ("UART", 6): ("Y1", "Y2"), ("I2C", 1): ("X10", "X9")},
}
"""By chip and bus: the port's default pins for sck, mosi, miso (tx, rx; sda, scl). From the ports' mpconfigport.h,
machine_spi.c and machine_hw_spi.c of MicroPython 1.22 to 1.27.
"""
_BUS_WIRES = {"SPI": ("sck", "mosi", "miso"), "UART": ("tx", "rx"), "I2C": ("sda", "scl")}


def owners(chip: str, made: Recorder) -> dict[object, str]:
    """Return the owner of each pin: the last object that took it, as on a real chip."""
    usual = BUS_PINS.get(chip) or BUS_PINS["RP2"]
    found: dict[object, str] = {}
    for name, args, kwargs in made.made:
        if name == "Pin":
            found[args[0]] = f"Pin {args[1]}" if len(args) > 1 else found.get(args[0], "")
        elif name in _BUS_WIRES:
            defaults = usual.get((name, args[0]), (None,) * 3)
            for wire, default in zip(_BUS_WIRES[name], defaults, strict=False):
                pin = kwargs.get(wire, default)
                found[getattr(pin, "id", pin)] = name
    return found


def everybody_has_its_pins(kind: deploy.Kind, made: Recorder, values: dict[str, Any]) -> None:
    have = owners(kind.chip, made)
    panel = board_options.PANELS[values["PANEL"]]
    wanted = {"TX": "UART", "RX": "UART", **dict.fromkeys((*KEYS, "BACK", "ENCODER"), "Pin in")}
    wanted |= dict.fromkeys({"SCK", "MOSI"}.intersection(panel), "SPI")
    wanted |= dict.fromkeys({"SDA", "SCL"}.intersection(panel), "I2C")
    wanted |= dict.fromkeys({"CS", "DC", "LCD_PINS"}.intersection(panel), "Pin out")
    wanted |= dict.fromkeys(("RST", "BACKLIGHT") if "SPI" in panel else (), "Pin out")
    assert [
        (wire, pin) for wire, owner in wanted.items() for pin in flat(wire, values[wire]) if have[pin] != owner
    ] == []
    if isinstance(values["KEYPAD"], tuple) and values["KEYPAD"][0] == "matrix":
        assert all(have[pin].startswith("Pin") for pin in flat("KEYPAD", values["KEYPAD"]))


@pytest.mark.parametrize("panel", PANELS)
def test_the_firmware_opens_the_board_and_everybody_has_its_pins(
    kind: deploy.Kind, port: Callable[..., tuple], panel: str
) -> None:
    """Including pins that a bus takes by default: an ESP32's SPI(2) without a miso takes GPIO19, the line's TX."""
    if not wired(kind, panel):
        return
    board, made = port(panel)
    (first, line), *again = made.of("UART")
    assert first == (kind.values["UART"], 9600)
    assert (line["bits"], line["parity"], line["stop"]) == (8, 0, 2) and line["rxbuf"] >= 256
    # that port gained parity in a later version
    assert len(again) == kind.chip.startswith("RP2")
    timer_args, timer = made.of("Timer")[-1]
    assert timer_args == (kind.values["TIMER"],) and timer["freq"] == pytest.approx(1193182 / 65536)
    assert made.platform == "pyboard" or timer["hard"]
    size = {"lcd20x4": (20, 4), "lcd16x2": (16, 2), "pcd8544": (14, 6), COLOUR[0]: (20, 8)}.get(panel, (21, 8))
    assert (board.panel.columns, board.panel.rows) == size
    assert board.faults == []
    # the line's RX has a pull-up too, except on the port whose UART has one: an unplugged cable is no endless break
    pulled = {args[0] for args, _ in made.of("Pin") if args[1:] == ("in", "up")}
    rx = () if made.platform == "pyboard" else (kind.values["RX"],)
    assert pulled == {kind.values[name] for name in KEYS}.union(rx)
    everybody_has_its_pins(kind, made, {**kind.values, "PANEL": panel})


@pytest.mark.parametrize(("kind", "kit"), [each for each in SETS if each[1]], indirect=["kind"])
def test_everybody_has_its_pins_with_a_kit(kind: deploy.Kind, port: Callable[..., tuple], kit: str) -> None:
    """Including pins that a bus takes by default: the DC of the Picos' modules is the default MISO of their SPI."""
    values = with_kit(kind, kit)
    board, made = port(**values)
    assert board.faults == []
    everybody_has_its_pins(kind, made, values)


@pytest.mark.parametrize(("kept", "line"), [("usb", "usb"), ("uart", "uart"), ("tcp", "uart"), ("", "uart")])
@pytest.mark.parametrize("kind", ["pico_w", "esp32"], indirect=True)
def test_a_line_that_was_chosen_counts_more_than_the_boards(
    port: Callable[..., tuple], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, line: str
) -> None:
    """An invalid choice is ignored. A new one is stored, and the board restarts with it."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / flash.CHOSEN_LINE
    file.write_text(kept)
    stand_in = types.ModuleType("seaboard.usbline")
    stand_in.__dict__["UsbLine"] = object
    board, made = port("ssd1306", usb=stand_in)
    assert board.line == line and (board.usb is not None) == (line == "usb")
    assert len(made.of("UART")) == (0 if line == "usb" else 2 if made.platform == "rp2" else 1)
    restarts: list[bool] = []
    monkeypatch.setattr(board, "restart", lambda: restarts.append(True))
    board.choose_line("uart")
    assert file.read_text() == "uart" and restarts == [True]


def test_a_port_without_pwm_plays_without_sound(
    kind: deploy.Kind, port: Callable[..., tuple], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An STM32 before MicroPython 1.28."""
    monkeypatch.setattr(Recorder, "lacks", ("PWM",))
    board, _ = port("ssd1306")
    board.beep(0)
    board.ms()


@pytest.mark.parametrize(
    ("panel", "address"),
    [("ssd1306", 0x3D), ("lcd20x4", 0x3F), ("lcd16x2", 0x20), ("ssd1306", None), ("lcd20x4", None)],
)
def test_the_display_is_found_at_its_other_addresses_and_named_if_it_does_not_answer(
    port: Callable[..., tuple], panel: str, address: int | None
) -> None:
    board, made = port(panel, () if address is None else (address,))
    if address is None:
        assert board.faults == ["no display on I2C"]
    else:
        assert {args[0] for args, _ in made.of("writeto")} == {address}
        assert board.faults == []


SOFT = [kind.name for kind in KINDS.values() if kind.chip.startswith("ESP32")]
"""Boards whose port has no hard timers."""


@pytest.mark.parametrize("kind", [name for name in KINDS if name not in SOFT], indirect=True)
def test_the_ticker_counts_and_goes_round(port: Callable[..., tuple]) -> None:
    board, made = port("ssd1306")
    _, timer = made.of("Timer")[-1]
    assert board.ticks() == 0
    timer["callback"](None)
    assert board.ticks() == 1
    board.ticker.count = 2**30 - 1
    timer["callback"](None)
    assert board.ticks() == 0


@pytest.mark.parametrize("kind", SOFT, indirect=True)
def test_a_port_without_hard_timers_loses_no_tick(port: Callable[..., tuple]) -> None:
    """Its queue of soft interrupts drops callbacks when full, so ticks must not be counted in a callback."""
    board, made = port("ssd1306")
    for pause in (1, 700, 3, 54, 55, 949) * 100:
        made.now += pause
        assert board.ticks() == (made.now - 5) * 1193182 // 65536000
