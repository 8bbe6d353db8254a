"""`seabattle wireshark`: a Lua dissector generated from the table of exchanges, with the watcher translated to Lua."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from seabattle import watch, wire
from seabattle_host import __version__
from seabattle_host.errors import UserError
from seabattle_host.language import codes, text, words
from seabattle_host.language.messages import template, tr
from seabattle_host.language.system import why
from seabattle_host.line.settings import Settings
from seabattle_host.sniff import lua_translator, timing
from seabattle_host.sniff.capture import SECOND, SIDES
from seabattle_host.whole_file import write_whole

FILE = "seabattle.lua"

DECODE_AS = "decode_as_entry: rtacser.data,0,(none),SEABATTLE"
"""The line of Wireshark's settings that decodes the payload of link type 250 with this dissector."""

PROFILE = "Sea Battle"
"""The configuration profile with our colours, so that other profiles keep theirs."""

COLOURS = (
    ("Violation", "seabattle.violation", (255, 205, 205), (150, 0, 0)),
    ("In doubt or lost", "seabattle.doubt || seabattle.noise || seabattle.follows", (240, 215, 255), (90, 0, 110)),
    ("Deviation", "seabattle.deviation", (255, 243, 190), (90, 70, 0)),
    ("Sync", "seabattle.op == 0xaa || seabattle.op == 0x01", (255, 255, 255), (150, 150, 150)),
    ("Hit or sunk", "seabattle.op == 0x1c || seabattle.op == 0x2c", (255, 225, 195), (0, 0, 0)),
    ("From A", 'seabattle.side == "A"', (222, 238, 255), (0, 0, 0)),
    ("From B", 'seabattle.side == "B"', (224, 247, 224), (0, 0, 0)),
)
"""Colour rules: name, display filter, background, foreground (red, green, blue, up to 255); the first match applies."""

_GLUE = Path(__file__).with_name("dissector.lua")


def source() -> str:
    """Return the dissector, in the language in use."""
    return "\n".join(
        [
            f"-- Sea battle dissector, written by seabattle {__version__}: 'seabattle wireshark'. Do not edit.",
            lua_translator.RUNTIME,
            lua_translator.translate([*lua_translator.needed(watch), timing]),
            *_tables(),
            _GLUE.read_text(encoding="utf-8"),
        ]
    )


def colour_rules() -> str:
    """Return the profile's file `colorfilters`."""
    rules = []
    for name, shown, *colours in COLOURS:
        parts = "".join(f"[{','.join(str(value * 257) for value in colour)}]" for colour in colours)
        rules.append(f"@{name}@{shown}@{parts}")
    return "\n".join(rules) + "\n"


def _tables() -> list[str]:
    """Return the names and fields of frames as Lua tables."""
    fields: dict[int, list[str]] = {}
    for row in wire.TABLE:
        for op, names in ((wire.OPCODE, wire.FIELDS), (wire.REPLY, wire.REPLY_FIELDS)):
            fields[int(row[op])] = str(row[names]).split()
    letters = text.COLUMNS_RU if words.russian() else text.COLUMNS_EN
    return [
        _table("OPCODES", {op: words.frame_name(op) for op in words.FRAMES}),
        _table("WORDS", {op: template(key) for op, key in words.FRAMES.items()}),
        f"local FIELDS = {{{', '.join(f'[{op}]={_list(names)}' for op, names in sorted(fields.items()) if names)}}}",
        _table("REASONS", {code: words.reason(code) for code in codes.REASONS}),
        _table("NOT_ALLOWED", words.not_allowed_anywhere()),
        _table("REASON_NAMES", codes.REASONS),
        _table("VERDICTS", codes.VERDICTS),
        _table("KINDS", codes.KINDS),
        _table("ROLES", codes.ROLES),
        _table("ROLE_WORDS", {role: words.role(role) for role in (wire.MASTER, wire.SLAVE)}),
        _table("THE_ROLES", {role: words.the_side(role, "") for role in (wire.MASTER, wire.SLAVE)}),
        _table("THE_SIDES", {side: words.the_side(wire.NOBODY, SIDES[side]) for side in (0, 1)}),
        _table("COLUMNS", dict(enumerate(letters[: wire.SIZE_MAX], 1))),
        _table("LETTERS", {byte: text.decode(bytes((byte,))) or " " for byte in range(256)}),
        f"local PARAMETERS = {lua_translator.literal(template('parameters'))}",
        f"local IN_STATE = {lua_translator.literal(template('in_state'))}",
        f"local BYTE_US, SOON = {round(Settings().byte_time * SECOND)}, {timing.SOON}",
        f"local NOISE_WORD = {lua_translator.literal(tr('noise'))}",
        f"local wire_SYNC, wire_SYNCED, wire_SHOT = {wire.SYNC}, {wire.SYNCED}, {wire.SHOT}",
        f"local wire_R_STATE = {wire.R_STATE}",
    ]


def _table(name: str, values: dict[int, str]) -> str:
    rows = ", ".join(f"[{key}]={lua_translator.literal(value)}" for key, value in sorted(values.items()))
    return f"local {name} = {{{rows}}}"


def _list(names: list[str]) -> str:
    return "{" + ", ".join(map(lua_translator.literal, names)) + "}"


def folders() -> tuple[Path, Path]:
    """Return Wireshark's folders for a user's Lua plugins and settings."""
    return _folders(_tshark_folders())


def _folders(listed: dict[str, str]) -> tuple[Path, Path]:
    plugins = listed.get("Personal Lua Plugins", listed.get("Personal Plugins", "")).strip()
    settings_there = listed.get("Personal configuration", "").strip()
    if plugins and settings_there:
        return Path(plugins), Path(settings_there)
    if os.name == "nt":
        settings = Path(os.environ.get("APPDATA", Path.home()), "Wireshark")
        return settings / "plugins", settings
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "wireshark")
    return Path.home() / ".local" / "lib" / "wireshark" / "plugins", settings


def extcap_folder() -> Path:
    """Return Wireshark's folder for a user's capture programs; versions before 4.2 do not report it."""
    listed = _tshark_folders()
    extcap = listed.get("Personal Extcap path", "").strip()
    return Path(extcap) if extcap else _folders(listed)[1] / "extcap"


def _tshark_folders() -> dict[str, str]:
    """Return the folders reported by an installed tshark; empty if there is none."""
    tshark = shutil.which("tshark")
    if tshark is None:
        return {}
    try:
        listed = subprocess.run([tshark, "-G", "folders"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return dict(line.split(":", 1) for line in listed.stdout.splitlines() if ":" in line)


def put(path: Path, content: str) -> None:
    """Write a file, creating its folders. Raises UserError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise UserError(tr("cannot_install", path=path, reason=why(error))) from None


def add_line(path: Path, line: str) -> None:
    """Add a line to a settings file unless it is there. Raises UserError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except OSError as error:
        raise UserError(tr("cannot_install", path=path, reason=why(error))) from None
    if line not in lines:
        put(path, "\n".join([*lines, line]) + "\n")
