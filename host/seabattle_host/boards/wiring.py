"""Wiring tables and drawings of the boards and kits, generated from their values.

`python -m seabattle_host.boards.wiring` writes boards/<name>/wiring.svg and the part of boards/<name>/README.md between
the two marks, boards/kits/README.md and a drawing for each kit next to it. With `--check` nothing is written; exit
status 1 if something is stale.
"""

from __future__ import annotations

import argparse
import ast
import html
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from seabattle_host import assets
from seabattle_host.boards.deploy import Kind, kind_by_name, kinds, kit_boards, kit_values, kits
from seabattle_host.language import catalogue, messages
from seabattle_host.language.messages import tr

BEGIN = "<!-- made from board.py by `python -m seabattle_host.boards.wiring` -->\n"
END = "<!-- end -->\n"

TICK_HZ = 1193182 / 65536

KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "OK", "BACK")

# Pins of the two rows of a Pico's header, by GPIO; the others are not on it.
_PICO_HEADER = {
    **dict(zip(range(16), (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20), strict=True)),
    **dict(zip(range(16, 23), (21, 22, 24, 25, 26, 27, 29), strict=True)),
    **dict(zip(range(26, 29), (31, 32, 34), strict=True)),
}


@dataclass(frozen=True)
class Wire:
    """One wire: a terminal of a part, and the board's pin as printed on the board; empty for power."""

    terminal: str
    pin: str


@dataclass(frozen=True)
class Part:
    """A part to connect."""

    title: str
    wires: tuple[Wire, ...]
    note: str
    instead: bool = False
    """In place of another part, and left out of the drawing."""


def pin_label(kind: Kind, pin: object) -> str:
    """Return a pin of board.py as printed on the board."""
    if isinstance(pin, str):
        return pin
    number = int(str(pin))
    labels = kind.values.get("LABELS")
    if isinstance(labels, dict):
        return f"{labels[number]} (GPIO{number})"
    if kind.chip.startswith("RP2"):
        where = tr("wire_pin", number=_PICO_HEADER[number]) if number in _PICO_HEADER else tr("wire_on_board")
        return f"GP{number} ({where})"
    return f"GPIO{number}"


def on_the_board(kind: Kind, pin: object) -> bool:
    """Return whether a pin leads to something on the board itself and not to the header."""
    return str(pin).startswith("LED") or tr("wire_on_board") in pin_label(kind, pin)


def supply(kind: Kind) -> str:
    """Return the board's name for its 3.3 V pin."""
    return (
        f"3V3 ({tr('wire_pin', number=36)})" if kind.chip.startswith("RP2") and "LABELS" not in kind.values else "3V3"
    )


def five_volts(kind: Kind) -> str:
    """Return the board's name for the 5 V of its USB cable."""
    if kind.chip.startswith("RP2") and "LABELS" not in kind.values:
        return f"VBUS ({tr('wire_pin', number=40)})"
    return {"ESP32": tr("wire_or", one="5V", other="VIN"), "STM32F405RG": "V+"}.get(kind.chip, "5V")


def parts(kind: Kind) -> list[Part]:
    """Return the parts of a board, in the order of the drawing: line, keys, displays, sound and light."""
    values = kind.values

    def wires(*pairs: tuple[str, str]) -> tuple[Wire, ...]:
        return tuple(Wire(terminal, pin_label(kind, values[name])) for terminal, name in pairs)

    result = [
        Part(
            tr("part_rs232"),
            wires(("T1IN", "TX"), ("R1OUT", "RX")),
            tr("note_rs232"),
        ),
        Part(
            tr("part_usb"),
            wires(("RXD", "TX"), ("TXD", "RX")),
            tr("note_usb"),
            instead=True,
        ),
        _keys(kind),
        *_displays(kind),
    ]
    if values["BUZZER"] is not None:
        result.append(Part(tr("part_buzzer"), wires(("+", "BUZZER")), tr("note_ground")))
    if values["LED"] is not None and not on_the_board(kind, values["LED"]):
        result.append(Part(tr("part_led"), wires((tr("wire_anode"), "LED")), tr("note_led")))
    return result


def _keys(kind: Kind) -> Part:
    """Return the keys, of whatever type."""
    values = kind.values
    keypad, encoder = values["KEYPAD"], values["ENCODER"]

    def wires(names: Iterable[str], pins: Iterable[object]) -> tuple[Wire, ...]:
        return tuple(Wire(name, pin_label(kind, pin)) for name, pin in zip(names, pins, strict=True))

    if isinstance(keypad, tuple):
        if keypad[0] == "matrix":
            names = [tr("wire_row", number=n + 1) for n in range(4)] + [
                tr("wire_column", number=n + 1) for n in range(3)
            ]
            return Part(tr("part_keypad"), wires(names, keypad[1] + keypad[2]), tr("note_keypad"))
        if keypad[0] == "ladder":
            return Part(tr("part_keys"), wires(["A0"], keypad[1:]), tr("note_ladder"))
        return Part(tr("part_touch"), wires(("CLK", "DIN", "DO", "CS", "IRQ"), keypad[2:]), "XPT2046")
    if isinstance(encoder, tuple):
        return Part(tr("part_encoder"), wires(("CLK", "DT", "SW"), (*encoder, values["OK"])), tr("note_encoder"))
    names = [name for name in KEYS if values[name] is not None]
    labels = [tr(f"wire_{name.lower()}") for name in names]
    return Part(tr("part_keys"), wires(labels, [values[name] for name in names]), tr("note_ground"))


def _displays(kind: Kind) -> Iterator[Part]:
    """Yield the displays that may be connected: for a kit, its own."""
    values = kind.values

    def wires(*pairs: tuple[str, str]) -> tuple[Wire, ...]:
        return tuple(Wire(label, pin_label(kind, values[name])) for label, name in pairs if values[name] is not None)

    own = values.get("KIT_PANEL", False)
    if own and values["LCD_PINS"] is not None:
        pins = values["LCD_PINS"]
        assert isinstance(pins, tuple)
        names = ("RS (D8)", "E (D9)", "D4", "D5", "D6", "D7")
        wired = tuple(Wire(n, pin_label(kind, pin)) for n, pin in zip(names, pins, strict=True))
        yield Part(tr("part_display"), wired, tr("note_five"))
        return
    if not own:
        yield Part(tr("part_i2c"), wires(("SDA", "SDA"), ("SCL", "SCL")), tr("note_i2c"))
        yield _characters(kind)
    if values["SCK"] is None:
        return
    spi = wires(
        ("SCK / CLK" if own else "SCK / CLK / D0", "SCK"),
        ("MOSI / DIN" if own else "MOSI / DIN / D1", "MOSI"),
        ("CS / CE", "CS"),
        ("DC", "DC"),
        ("RST", "RST"),
        (tr("wire_backlight"), "BACKLIGHT"),
    )
    if own:
        yield Part(tr("part_display"), spi, str(values["PANEL"]))
    else:
        yield Part(tr("part_spi"), spi, tr("note_spi"))


def _characters(kind: Kind) -> Part:
    """Return a character display on the same two pins: it needs 5 V, which most boards' pins do not tolerate."""
    takes_five = kind.chip.startswith("STM32")
    wires = [Wire("VCC", five_volts(kind))]
    for name in ("SDA", "SCL"):
        wires.append(Wire(name if takes_five else tr("wire_shifted", name=name), pin_label(kind, kind.values[name])))
    return Part(tr("part_characters"), tuple(wires), tr("note_trimmer_five" if takes_five else "note_trimmer"))


def with_kit(kind: Kind, name: str) -> Kind:
    """Return a kind of board combined with a ready-made module that fits it."""
    kit = kit_values(name, kind)
    assert kit is not None
    return Kind(kind.name, {**kind.values, **kit, "KIT": name, "KIT_PANEL": "PANEL" in kit})


def kit_table(name: str) -> str:
    """Return the wires of a ready-made module as Markdown, one column for boards with the same pins."""
    columns: dict[tuple[Wire, ...], list[str]] = {}
    for board in kit_boards(name):
        kind = kind_by_name(board)
        fitted = with_kit(kind, name)
        wires = [wire for part in kit_parts(fitted) for wire in part.wires]
        columns.setdefault(tuple(wires), []).append(board)
    lines = ["| its terminal | " + " | ".join(", ".join(boards) for boards in columns.values()) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for row in zip(*columns, strict=True):
        lines.append(f"| {row[0].terminal} | " + " | ".join(wire.pin for wire in row) + " |")
    return "\n".join(lines)


def kit_parts(kind: Kind) -> list[Part]:
    """Return the parts of a ready-made module: keys, display, a line on other pins than the board's."""
    kit = kits()[str(kind.values["KIT"])]
    keys = [_keys(kind)] if {"KEYPAD", "ENCODER", "UP"} & set(kit) else []
    displays = list(_displays(kind)) if "PANEL" in kit else []
    line = parts(kind)[1:2] if "TX" in kit else []
    return keys + displays + line


def kits_page() -> str:
    """Return the content of boards/kits/README.md."""
    lines = [
        "# Ready modules",
        "",
        "`seabattle flash --kit NAME` writes these pins; [boards/README.md](../README.md#ready-modules) has the rest.",
        "Made from the files of this folder by `python -m seabattle_host.boards.wiring`.",
    ]
    for name in kits():
        source = (assets.boards() / "kits" / f"{name}.py").read_text(encoding="utf-8")
        about = (ast.get_docstring(ast.parse(source)) or "").replace("_", "\\_").replace("*", "\\*")
        picture = f"![{name} on {kit_boards(name)[0]}]({name}.svg)"
        lines += ["", f"## {name}", "", about, "", picture, "", kit_table(name)]
    return "\n".join(lines) + "\n"


def tick_error(kind: Kind) -> float:
    """Return the error of this board's timer, as a fraction of the tick; the crystal's error comes on top."""
    if kind.chip.startswith("RP2"):
        rate = 1e6 / int(1e6 / TICK_HZ)  # whole microseconds
    elif kind.chip.startswith("ESP32"):
        rate = TICK_HZ  # computed from the chip's clock, see seaboard.clock
    else:
        # pyb.Timer: 84 MHz, divided by a power of two so that the period fits into 16 bits
        divider, period = 1, int(84e6 / TICK_HZ)
        while period > 0xFFFF:
            divider, period = divider * 2, period // 2
        rate = 84e6 / divider / period
    return rate / TICK_HZ - 1


def table(kind: Kind) -> str:
    """Return the wiring as Markdown."""
    lines = ["| part | its terminal | pin of the board |", "|---|---|---|"]
    for part in parts(kind):
        for index, wire in enumerate(part.wires):
            lines.append(f"| {part.title if index == 0 else ''} | {wire.terminal} | {wire.pin} |")
        lines.append(f"| | | {part.note} |")
    lines.append(f"| all but the HD44780, keys, buzzer and LED | VCC, GND | {supply(kind)}, GND |")
    return "\n".join(lines)


def section(kind: Kind) -> str:
    """Return the generated part of README.md."""
    values = kind.values
    return (
        f"{BEGIN}\n![Wiring](wiring.svg)\n\n{table(kind)}\n\n"
        f"The line is UART {values['UART']}; the display `PANEL` of board.py. The tick's timer is off by "
        f"{tick_error(kind) * 1e6:+.1f} millionths, the crystal's own error not counted.\n\n{END}"
    )


# -- the drawing

_ROW = 22
_PAD = 14
_TITLE = 20
_BOARD_X, _BOARD_W = 330, 240
_PART_W = 220
_WIDTH = 900
_COLOURS = ("#1f77b4", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf")


def drawing(kind: Kind) -> str:
    """Return the wiring as SVG: the board in the middle, parts on both sides, one straight wire per pin."""
    title = f"{kind.name} --kit {kind.values['KIT']}" if "KIT" in kind.values else kind.name
    all_parts = [part for part in parts(kind) if not part.instead]
    left, right = all_parts[:2], all_parts[2:]
    heights = [sum(_part_height(part) + _PAD for part in side) for side in (left, right)]
    height = max(heights) + 2 * _PAD + 60
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        f'font-size="13">',
        f"<title>{html.escape(tr('wiring_of', board=title), quote=False)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<rect x="{_BOARD_X}" y="{_PAD}" width="{_BOARD_W}" height="{height - 2 * _PAD}" rx="8" fill="#e8f1e8" '
        f'stroke="#335533"/>',
        _text(_BOARD_X + _BOARD_W / 2, _PAD + 20, f"boards/{title}", "middle", bold=True),
        _text(_BOARD_X + _BOARD_W / 2, height - _PAD - 24, tr("wiring_power", pin=supply(kind)), "middle"),
        _text(_BOARD_X + _BOARD_W / 2, height - _PAD - 8, tr("wiring_grounds"), "middle"),
    ]
    for side, on_left in ((left, True), (right, False)):
        y = _PAD + 34
        for part in side:
            out += _part(part, y, on_left, _COLOURS[all_parts.index(part)])
            y += _part_height(part) + _PAD
    out.append("</svg>\n")
    return "\n".join(out)


def _part_height(part: Part) -> int:
    return _TITLE + _ROW * len(part.wires) + _ROW * len(list(_lines(part.note)))


def _part(part: Part, y: int, on_left: bool, colour: str) -> Iterator[str]:
    """Yield the box of a part with its upper edge at y, its wires and the board's pins."""
    x = _PAD if on_left else _WIDTH - _PAD - _PART_W
    yield (
        f'<rect x="{x}" y="{y}" width="{_PART_W}" height="{_part_height(part)}" rx="5" fill="#f7f7f7" '
        f'stroke="{colour}"/>'
    )
    yield _text(x + 8, y + 15, part.title, "start", bold=True)
    inner, outer = (x + _PART_W, _BOARD_X) if on_left else (x, _BOARD_X + _BOARD_W)
    for index, wire in enumerate(part.wires):
        middle = y + _TITLE + _ROW * index + _ROW / 2
        yield f'<line x1="{inner}" y1="{middle}" x2="{outer}" y2="{middle}" stroke="{colour}" stroke-width="2"/>'
        yield f'<circle cx="{outer}" cy="{middle}" r="3.5" fill="{colour}"/>'
        if on_left:
            yield _text(inner - 8, middle + 4, wire.terminal, "end")
            yield _text(outer + 10, middle + 4, wire.pin, "start")
        else:
            yield _text(inner + 8, middle + 4, wire.terminal, "start")
            yield _text(outer - 10, middle + 4, wire.pin, "end")
    for index, line in enumerate(_lines(part.note)):
        below = y + _TITLE + _ROW * (len(part.wires) + index) + _ROW / 2
        yield _text(x + 8, below + 4, line, "start", small=True)


def _lines(note: str) -> Iterator[str]:
    """Wrap a note to fit a part's box."""
    line = ""
    for word in note.split():
        if line and len(line) + 1 + len(word) > 33:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _text(x: float, y: float, text: str, anchor: str, bold: bool = False, small: bool = False) -> str:
    style = ' font-weight="bold"' if bold else ' font-size="11" fill="#555555"' if small else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{style}>{html.escape(text, quote=False)}</text>'


# -- the files


def files() -> dict[Path, str]:
    """Return every generated file with its content, in English."""
    before = messages.language()
    messages.use(catalogue.ENGLISH)
    try:
        return _files()
    finally:
        messages.use(before)


def _files() -> dict[Path, str]:
    result = {}
    for kind in kinds():
        folder = assets.boards() / kind.name
        readme = (folder / "README.md").read_text(encoding="utf-8")
        before, rest = readme.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        result[folder / "README.md"] = before + section(kind) + after
        result[folder / "wiring.svg"] = drawing(kind)
    folder = assets.boards() / "kits"
    result[folder / "README.md"] = kits_page()
    for name in kits():
        result[folder / f"{name}.svg"] = drawing(with_kit(kind_by_name(kit_boards(name)[0]), name))
    return result


def stale() -> list[Path]:
    """Return the files that are out of date."""
    return [path for path, text in files().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def main(argv: list[str] | None = None) -> int:
    """Write the files, or with --check report which are stale."""
    parser = argparse.ArgumentParser(
        prog="python -m seabattle_host.boards.wiring", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a file is out of date")
    check = parser.parse_args(argv).check
    for path in stale():
        print(path)
        if check:
            continue
        path.write_text(files()[path], encoding="utf-8")
    return 1 if check and stale() else 0


if __name__ == "__main__":
    sys.exit(main())
