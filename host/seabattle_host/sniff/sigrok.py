"""`seabattle sigrok`: a decoder for sigrok and PulseView, stacked on `uart`.

The decoder is a small package: the watcher and the modules it needs of the shared package, unchanged, the names of
frames and reasons, and the adapter to sigrok (sigrok_pd.py here).
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path

from seabattle import watch, wire
from seabattle_host import __version__
from seabattle_host.language import codes, text, words
from seabattle_host.language.messages import template
from seabattle_host.line.settings import Settings
from seabattle_host.sniff import lua_translator, timing
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.dissector import put

NAME = "seabattle"

PIECE = Path(__file__).with_name("sigrok_pd.py")

_NAMES = '''\
"""Words for frames and reasons."""

from . import wire

WORDS = {words!r}
REASONS = {reasons!r}
NOT_ALLOWED = {not_allowed!r}
ROLES = {roles!r}
THE_SIDES = {the_sides!r}
LETTERS = {letters!r}
COLUMNS = {columns!r}
PARAMETERS = {parameters!r}
BYTE_US = {byte_us}


def why(reason, op, state, who):
    """What is wrong with a frame."""
    if reason == wire.R_STATE and 16 * op + state in NOT_ALLOWED:
        return NOT_ALLOWED[16 * op + state].replace("{{who}}", THE_SIDES[who])
    return REASONS[reason]


def meaning(op, body):
    """A frame in words."""
    five = bytes(body) + bytes(5)
    fleet = ",".join(str(wire.count_of(4 - i, five[1 + i])) for i in range(4))
    x, y = five[0], five[1]
    cell = "%s%d" % (COLUMNS[x - 1], y) if 1 <= x <= len(COLUMNS) and y else "(%d,%d)" % (x, y)
    return WORDS[op].format(
        text="".join(LETTERS[byte] for byte in bytes(body).rstrip(b"\\x00 ")),
        cell=cell,
        parameters=PARAMETERS.format(size=five[0], fleet=fleet),
    )
'''


def usual_folder() -> Path:
    """Return sigrok's folder for a user's decoders."""
    if os.name == "nt":
        data = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "libsigrokdecode" / "decoders"


def install(folder: Path) -> None:
    """Write the decoder's package below `folder`. Raises UserError."""
    for name, content in files().items():
        put(folder / NAME / name, content)


def files() -> dict[str, str]:
    """Return name and content of each file of the decoder."""
    head = f'"""Written by seabattle {__version__}: \'seabattle sigrok --install\'."""\n'
    found = {"__init__.py": f"{head}\nfrom .pd import Decoder\n", "pd.py": PIECE.read_text(encoding="utf-8")}
    for module in (*lua_translator.needed(watch), timing):
        found[f"{module.__name__.rpartition('.')[2]}.py"] = inspect.getsource(module)
    letters = text.COLUMNS_RU if words.russian() else text.COLUMNS_EN
    found["names.py"] = _NAMES.format(
        words={op: template(key) for op, key in words.FRAMES.items()},
        reasons={code: words.reason(code) for code in codes.REASONS},
        not_allowed=words.not_allowed_anywhere(),
        roles={role: words.role(role) for role in (wire.MASTER, wire.SLAVE)},
        the_sides={words.role(role): words.the_side(role, "") for role in (wire.MASTER, wire.SLAVE)}
        | {side: words.the_side(wire.NOBODY, side) for side in "AB"},
        letters="".join(text.decode(bytes((byte,))) or " " for byte in range(256)),
        columns=letters[: wire.SIZE_MAX],
        parameters=template("parameters"),
        byte_us=round(Settings().byte_time * SECOND),
    )
    return found
