"""Names for the codes of the shared package: the single table used by messages, files, Wireshark and sigrok.

The names are those of the constants, in lower case: `R_TWO_MASTERS` is `two_masters` in a log, `reason_two_masters` in
the catalogues. A new constant appears in all of them once the catalogues have its words; a test requires them.
"""

from __future__ import annotations

from types import ModuleType

# not link and watch, which would slow down every command
from seabattle import link_codes, watch_state, wire


def _named(module: ModuleType, prefix: str) -> dict[int, str]:
    found = {name: value for name, value in vars(module).items() if name.startswith(prefix)}
    return {value: name[len(prefix) :].lower() for name, value in found.items()}


REASONS = _named(wire, "R_") | _named(watch_state, "R_")
"""Every reason why something on the line is wrong: those of the wire and the watcher's own."""

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
"""A watcher's verdict on a frame."""

KINDS = {watch_state.FRAME: "frame", watch_state.STRAY: "noise", watch_state.CUT: "cut", watch_state.LACK: "lack"}
"""Kinds of a watcher's records."""

ROLES = {wire.NOBODY: "", wire.MASTER: "master", wire.SLAVE: "slave"}
"""Roles of an observed side; empty while unknown."""

RULE_VERDICTS = ("kept", "borne", "broken", "open", "unsteady")
"""Verdicts on a rule that `conform` tests, which are also keys of their names."""
