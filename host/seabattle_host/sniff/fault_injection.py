"""Faults injected by the relay, to test a program on a bad line.

A rule is a line of words: `drop B 2C nth=3`, `flip A C0 byte=1 p=0.1`, `delay B 0C ms=4000`, `replace B 1A with=1B`.
First the action, then the sender (A, B, master or slave, default both) and the hex prefix of the frame (default any
frame), then conditions and values: nth (only that match), p (probability), state (of the sender), x and y (of a shot),
byte and bit (to flip), with (hex to replace or insert), ms (delay).
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seabattle import watch, wire
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import read_file
from seabattle_host.sniff.capture import SIDES

ACTIONS = ("drop", "double", "flip", "replace", "insert", "delay")
_NUMBERS = ("nth", "state", "x", "y", "byte", "bit", "ms")
_MEANT_FOR = {"byte": ("flip",), "bit": ("flip",), "ms": ("delay",), "with": ("replace", "insert")}
"""Values that only these actions accept."""
_POSSIBLE = {
    "nth": "1..999999", "p": "0..1", "state": "0|1|2|3|4|9", "x": "0..255", "y": "0..255", "byte": "0..256",
    "bit": "0..7", "ms": "1..60000", "with": "HEX",
}  # fmt: skip
_ROLES = {"MASTER": wire.MASTER, "SLAVE": wire.SLAVE}
_STATES = (-1, 0, 1, 2, 3, 4, 9)
_HEX = r"(?:[0-9A-Fa-f]{2})+"
_BYTE_MOST = 256
"""Last byte index of the longest frame, a text of 255 letters."""
_LONGEST_MS = 60_000


@dataclass(frozen=True)
class Rule:
    """side: 0, 1, or -1 for both; role: NOBODY for any; begins: prefix of the frame; numbers are -1 if not given."""

    text: str
    action: str
    side: int = -1
    role: int = wire.NOBODY
    begins: bytes = b""
    nth: int = -1
    state: int = -1
    x: int = -1
    y: int = -1
    byte: int = -1
    bit: int = -1
    ms: int = -1
    p: float = 1.0
    put: bytes = b""


def parse_rule(text: str) -> Rule:
    """Parse a rule. Raises UserError that quotes the rule and what is wrong with it."""
    # bytes may be written as the display shows them, `C0 03 01`
    joined = rf"(?:(?<=\s)|(?<=\swith=)){_HEX}(?:\s+{_HEX})+(?=\s|$)"
    parts = re.sub(joined, lambda found: "".join(found[0].split()), text, flags=re.IGNORECASE).split()
    if not parts or parts[0].lower() not in ACTIONS:
        raise UserError(tr("bad_harm", rule=text, word=parts[0] if parts else "", actions=", ".join(ACTIONS)))
    values: dict[str, object] = {}
    for word in parts[1:]:
        key, is_value, value = word.partition("=")
        key = key.lower()
        name = "put" if key == "with" else key
        if name in values:
            raise UserError(tr("harm_twice", rule=text, word=key))
        if parts[0].lower() not in _MEANT_FOR.get(key, ACTIONS):
            raise UserError(_not_understood(text, word))
        names_sender = not is_value and word.upper() in (*SIDES, *_ROLES)
        if (names_sender and values.keys() & {"side", "role"}) or (re.fullmatch(_HEX, word) and "begins" in values):
            raise UserError(tr("harm_second", rule=text, word=word))
        if names_sender:
            if word.upper() in _ROLES:
                values["role"] = _ROLES[word.upper()]
            else:
                values["side"] = SIDES.index(word.upper())
        elif re.fullmatch(_HEX, word):
            values["begins"] = bytes.fromhex(word)
        elif key in _NUMBERS and re.fullmatch(r"[0-9]{1,6}", value):
            values[key] = int(value)
        elif key == "p" and re.fullmatch(r"(?=\.?\d)\d*\.?\d*(?:[eE]-?\d\d?)?", value, re.ASCII) and float(value) <= 1:
            values["p"] = float(value)
        elif key == "with" and re.fullmatch(_HEX, value):
            values["put"] = bytes.fromhex(value)
        else:
            raise UserError(_not_understood(text, word))
    rule = Rule(text, parts[0].lower(), **values)  # type: ignore[arg-type]
    lacks = {"replace": not rule.put, "insert": not rule.put, "delay": rule.ms < 0}
    if lacks.get(rule.action):
        needed = f"ms={_POSSIBLE['ms']}" if rule.action == "delay" else "with=HEX"
        raise UserError(tr("harm_lacks", rule=text, what=needed))
    bad = {
        "bit": rule.bit > 7,
        "byte": rule.byte > _BYTE_MOST,
        "nth": rule.nth == 0,
        "ms": rule.ms == 0 or rule.ms > _LONGEST_MS,
        "state": rule.state not in _STATES,
        "x": rule.x > 255,
        "y": rule.y > 255,
    }
    for key, wrong in bad.items():
        if wrong:
            raise UserError(_not_understood(text, f"{key}={getattr(rule, key)}"))
    return rule


def _not_understood(rule: str, word: str) -> str:
    """Return the message about a word of a rule, with what is possible in its place."""
    action = rule.split()[0].lower()
    key = word.partition("=")[0].lower()
    possible = {name: value for name, value in _POSSIBLE.items() if action in _MEANT_FOR.get(name, ACTIONS)}
    here = [key] if key in possible and "=" in word else list(possible)
    words = [] if len(here) == 1 else ["A", "B", "master", "slave", "HEX"]
    words += [f"{name}={possible[name]}" for name in here]
    return tr("bad_harm_word", rule=rule, word=word, possible=", ".join(words))


def _is_shot_at(rule: Rule, frame: bytes) -> bool:
    """Return whether a frame has the cell of a rule, if it names one."""
    if rule.x < 0 and rule.y < 0:
        return True
    return frame[0] == wire.SHOT and len(frame) == 3 and rule.x in (-1, frame[1]) and rule.y in (-1, frame[2])


def read_rules(rules: Sequence[str], path: str | None) -> list[Rule]:
    """Parse the rules of the command line and of a file, one per line; `#` starts a comment. Raises UserError."""
    found = [parse_rule(_rule(line)) for line in rules]
    if path:
        try:
            lines = read_file(Path(path)).splitlines()
        except OSError as error:
            raise UserError(tr("sniff_cannot_read", file=path, reason=why(error))) from None
        except ValueError:
            raise UserError(tr("sniff_cannot_read", file=path, reason=tr("harm_no_text"))) from None
        in_file = []
        for number, line in enumerate(lines, 1):
            try:
                in_file += [parse_rule(_rule(line))] if _rule(line) else []
            except UserError as error:
                raise UserError(f"{path}:{number}: {error}") from None
        if not in_file:
            raise UserError(tr("harm_none", file=path))
        found += in_file
    return found


def _rule(line: str) -> str:
    """Return a line without its comment."""
    return line.partition("#")[0].strip()


@dataclass(frozen=True)
class Passed:
    """What replaces the frame `was`: bytes, delay in milliseconds, and the rule applied (empty: none)."""

    data: bytes
    was: bytes
    ms: int = 0
    rule: str = ""

    def words(self) -> str:
        """Describe what was done."""
        was = self.was.hex(" ").upper()
        if self.ms:
            return tr("harmed_late", rule=self.rule, was=was, late=tr("duration_ms", value=self.ms))
        return tr("harmed", rule=self.rule, sent=self.data.hex(" ").upper() or tr("harm_nothing"), was=was)


class FaultInjector:
    """Assembles the bytes of both sides into frames and applies to each the first matching rule."""

    def __init__(self, rules: Sequence[Rule], seed: int = 1):
        self._rules = rules
        self._counts = [0] * len(rules)
        self._applied = [False] * len(rules)
        self._rng = random.Random(seed)
        self._watch = watch.Watch()
        self._readers = (wire.Reader(), wire.Reader())
        self._begun = (bytearray(), bytearray())
        self._lock = threading.Lock()

    def feed(self, side: int, data: bytes) -> list[Passed]:
        """Process bytes of a side; return what may be passed on now."""
        passed = []
        with self._lock:
            for byte in data:
                self._begun[side].append(byte)
                if self._readers[side].feed(byte) != wire.QUIET:
                    frame = bytes(self._begun[side])
                    self._begun[side].clear()
                    passed.append(self._frame(side, frame))
        return passed

    def rest(self, side: int) -> bytes:
        """Return the beginning of a frame whose rest does not come."""
        with self._lock:
            rest = bytes(self._begun[side])
            self._begun[side].clear()
            self._readers[side].reset()
        return rest

    def unused(self) -> list[str]:
        """Return a line about each rule that was never applied."""
        with self._lock:
            return [
                tr("harm_unused", rule=rule.text, why=self._why_unused(rule, count))
                for rule, count, applied in zip(self._rules, self._counts, self._applied, strict=True)
                if not applied
            ]

    def _why_unused(self, rule: Rule, count: int) -> str:
        if count:
            return tr("harm_matches", count=count)
        row = wire.exchange(rule.begins[0]) if rule.begins else None
        role = rule.role or (self._watch.role_of(rule.side) if rule.side >= 0 else wire.NOBODY)
        if row is not None and role and row[wire.SENDER] != wire.BOTH:
            # who sends the command does not send its reply
            other = (row[wire.SENDER] == role) == wire.is_reply(rule.begins[0])
            if other:
                return tr("harm_other_role", op=f"{rule.begins[0]:02X}", role=words.role(wire.BOTH & ~role))
        return tr("harm_no_match")

    def _frame(self, side: int, frame: bytes) -> Passed:
        state = self._watch.state_of(side)
        for byte in frame:
            self._watch.feed(side, byte)
            while self._watch.take():
                pass
        role = self._watch.role_of(side)
        for i, rule in enumerate(self._rules):
            if (
                rule.role not in (wire.NOBODY, role)
                or rule.side not in (-1, side)
                or not frame.startswith(rule.begins)
                or rule.state not in (-1, state)
                or not _is_shot_at(rule, frame)
            ):
                continue
            if rule.byte >= len(frame):
                continue  # the frame is too short to have this byte
            self._counts[i] += 1
            if rule.nth in (-1, self._counts[i]) and self._rng.random() < rule.p:
                self._applied[i] = True
                return self._done(rule, frame)
        return Passed(frame, frame)

    def _done(self, rule: Rule, frame: bytes) -> Passed:
        if rule.action == "drop":
            return Passed(b"", frame, rule=rule.text)
        if rule.action == "double":
            return Passed(frame + frame, frame, rule=rule.text)
        if rule.action == "delay":
            return Passed(frame, frame, rule.ms, rule.text)
        if rule.action == "replace":
            return Passed(rule.put, frame, rule=rule.text)
        if rule.action == "insert":
            return Passed(frame + rule.put, frame, rule=rule.text)
        place = rule.byte if rule.byte >= 0 else self._rng.randrange(len(frame))
        bit = rule.bit if rule.bit >= 0 else self._rng.randrange(8)
        changed = bytearray(frame)
        changed[place] ^= 1 << bit
        return Passed(bytes(changed), frame, rule=rule.text)
