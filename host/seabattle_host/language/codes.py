"""Codes of the shared package by name: the one table from which messages, files, Wireshark and sigrok take theirs.

The names are those of the constants, in small letters: `R_TWO_MASTERS` is `two_masters` in a log, `reason_two_masters`
in the catalogues. A new constant is in all of them as soon as the catalogues have its words; a test wants them.
"""

from __future__ import annotations

from types import ModuleType

# not link and watch themselves, which every command would wait for
from seabattle import link_codes, watch_state, wire


def _named(module: ModuleType, prefix: str) -> dict[int, str]:
    found = {name: value for name, value in vars(module).items() if name.startswith(prefix)}
    return {value: name[len(prefix) :].lower() for name, value in found.items()}


REASONS = _named(wire, "R_") | _named(watch_state, "R_")
"""Every reason why something on the line is not right: of the wire, and those of a watcher beside them."""

EVENTS = _named(link_codes, "EV_")
"""Every event of a session."""
del EVENTS[link_codes.EV_NONE]

VERDICTS = {
    watch_state.OK: "ok",
    watch_state.DEVIATION: "deviation",
    watch_state.VIOLATION: "violation",
    watch_state.NOISE: "noise",
    watch_state.DOUBT: "doubt",
    watch_state.FOLLOWS: "follows",
}
"""What a watcher thinks of a frame."""

KINDS = {watch_state.FRAME: "frame", watch_state.STRAY: "noise", watch_state.CUT: "cut", watch_state.LACK: "lack"}
"""Kinds of a watcher's records."""

ROLES = {wire.NOBODY: "", wire.MASTER: "master", wire.SLAVE: "slave"}
"""Roles of a side that was listened to; empty while it is not known."""
