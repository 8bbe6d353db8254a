"""Options of `seabattle flash` and `package` for a board's equipment: display, line, kit, configuration file.

All of them become values in board.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from seabattle_host.boards import deploy
from seabattle_host.boards.deploy import Kind
from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import read_file

PANELS = {
    "ssd1306": ("I2C", "SDA", "SCL"),
    "sh1106": ("I2C", "SDA", "SCL"),
    "lcd20x4": ("I2C", "SDA", "SCL"),
    "lcd16x2": ("I2C", "SDA", "SCL"),
    **dict.fromkeys(("lcd20x4-pins", "lcd16x2-pins"), ("LCD_PINS",)),
    "ssd1306-spi": ("SPI", "SCK", "MOSI", "CS", "DC", "RST"),
    "sh1106-spi": ("SPI", "SCK", "MOSI", "CS", "DC", "RST"),
    "pcd8544": ("SPI", "SCK", "MOSI", "CS", "DC", "RST"),
    **dict.fromkeys(
        (
            "st7789-240x240",
            "st7789-240x135",
            "st7735-128x160",
            "st7735g-128x160",
            "st7735r-128x160",
            "st7735w-128x160",
            "ili9341-320x240",
        ),
        ("SPI", "SCK", "MOSI", "CS", "DC"),
    ),
    "none": (),
}
"""Panel -> names that need a value in board.py."""

LINES = ("uart", "usb", "tcp")
ROMS = ("A00", "A02", "MT")
CONTRASTS = range(128)
ROTATIONS = ("0", "180")
OPTIONS = ("panel", "line", "kit", "rom", "contrast", "rotate", "config")
"""The options of add()."""

_OF_A_PANEL = {
    "rom": [panel for panel in PANELS if panel.startswith("lcd")],
    "contrast": ["pcd8544"],
    "rotate": [panel for panel in PANELS if panel.startswith(("ssd", "sh", "st", "ili"))],
}
"""Option -> panels it applies to."""

BARE: dict[str, object] = {"PANEL": None, "LINE": "usb"}
"""A board with nothing wired: it plays by itself over its USB cable."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    for option, words, about in (
        ("--panel", PANELS, tr("flash_help_panel", panels=", ".join(PANELS))),
        ("--line", LINES, tr("help_line")),
        ("--kit", deploy.kits(), tr("help_kit", kits=", ".join(deploy.kits()))),
        ("--rom", ROMS, tr("flash_help_rom", roms=", ".join(ROMS))),
    ):
        options.with_choices(parser.add_argument(option, metavar="NAME", help=about), words)
    parser.add_argument("--contrast", metavar="0..127", help=tr("help_contrast"))
    parser.add_argument("--rotate", metavar="0|180", help=tr("flash_help_rotate"))
    parser.add_argument("--config", metavar="FILE", type=Path, help=tr("help_config"))


def nothing_said(args: argparse.Namespace) -> bool:
    """Return whether no option says what is connected, so that it has to be detected."""
    return all(getattr(args, name) is None for name in OPTIONS)


def check_names(args: argparse.Namespace) -> None:
    """Check that the values exist for some board. Raises UserError."""
    for name, given, known in (
        ("panel", args.panel, tuple(PANELS)),
        ("line", args.line, LINES),
        ("kit", args.kit, tuple(deploy.kits())),
        ("rom", args.rom, ROMS),
    ):
        if given is not None and given not in known:
            raise UserError(tr(f"flash_bad_{name}", **{name: given, f"{name}s": ", ".join(known)}))
    if args.contrast is not None and not (args.contrast.isdecimal() and int(args.contrast) in CONTRASTS):
        raise UserError(tr("flash_bad_contrast", contrast=args.contrast))
    if args.rotate is not None and args.rotate not in ROTATIONS:
        raise UserError(tr("flash_bad_rotate", rotate=args.rotate))
    if args.config is not None:
        own_values(args.config)


def changes(args: argparse.Namespace, kind: Kind) -> dict[str, object]:
    """Return names of board.py -> values asked for. Raises UserError for what this kind of board cannot have."""
    check_names(args)
    found: dict[str, object] = {} if args.kit is None else kit_values(args.kit, kind)
    if args.config is not None:
        found |= own_values(args.config)
    if args.panel is not None:
        found["PANEL"] = None if args.panel == "none" else args.panel
    for option, name in (("line", "LINE"), ("rom", "LCD_ROM")):
        if getattr(args, option) is not None:
            found[name] = getattr(args, option)
    if args.contrast is not None:
        found["CONTRAST"] = int(args.contrast)
    if args.rotate is not None:
        found["ROTATE"] = int(args.rotate)
    values = {**kind.values, **found}
    panel = values["PANEL"]
    if panel is not None and panel not in PANELS:
        raise UserError(tr("flash_bad_panel", panel=panel, panels=", ".join(PANELS)))
    if values.get("LINE", "uart") not in LINES:
        raise UserError(tr("flash_bad_line", line=values["LINE"], lines=", ".join(LINES)))
    if values.get("LINE") == "tcp" and not kind.radio:
        raise UserError(tr("flash_no_radio", board=kind.name))
    if args.kit is not None and args.panel is not None:
        kits_panel = kit_values(args.kit, kind).get("PANEL", panel)
        if kits_panel != panel:
            raise UserError(tr("flash_kits_panel", kit=args.kit, panel=kits_panel))
    check_panel_options(args, panel)
    if panel is not None and any(values.get(name) is None for name in PANELS[str(panel)]):
        raise UserError(tr("no_wires", board=kind.name, panel=panel))
    return found


def kit_values(name: str, kind: Kind) -> dict[str, object]:
    """Return the values of a kit. Raises UserError if it is unknown or does not fit this kind of board."""
    if name not in deploy.kits():
        raise UserError(tr("flash_bad_kit", kit=name, kits=", ".join(deploy.kits())))
    values = deploy.kit_values(name, kind)
    if values is None:
        raise UserError(tr("kit_elsewhere", kit=name, board=kind.name, boards=", ".join(deploy.kit_boards(name))))
    return values


def check_panel_options(args: argparse.Namespace, panel: object) -> None:
    """Check that each option given applies to the panel. Raises UserError."""
    for option, panels in _OF_A_PANEL.items():
        if getattr(args, option) is not None and panel not in panels:
            raise UserError(
                tr("flash_idle_option", option=f"--{option}", panel=panel or "none", panels=", ".join(panels))
            )


def own_values(path: Path) -> dict[str, object]:
    """Read the values of a user's board.py. Raises UserError."""
    try:
        text = read_file(path)
    except OSError as error:
        raise UserError(tr("config_unread", path=path, reason=why(error))) from None
    except ValueError:
        raise UserError(tr("config_unread", path=path, reason=tr("harm_no_text"))) from None
    try:
        values = deploy.board_values(text)
    except (SyntaxError, ValueError) as error:
        raise UserError(tr("config_wrong", path=path, reason=error)) from None
    except (RecursionError, MemoryError):  # Python's own message for this case
        raise UserError(tr("config_wrong", path=path, reason="too many nested parentheses")) from None
    known = set().union(*(kind.values for kind in deploy.kinds()))
    if not values:
        raise UserError(tr("config_empty", path=path))
    for name in values:
        if name not in known:
            raise UserError(tr("config_unknown", path=path, name=name))
    # the kind of board determines these
    return {name: value for name, value in values.items() if name not in ("NAME", "MACHINE", "CHIP", "DOWNLOAD")}
