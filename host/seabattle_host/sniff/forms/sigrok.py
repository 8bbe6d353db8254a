"""sigrok: annotations printed by sigrok-cli or PulseView, and recordings (.sr, VCD), decoded by sigrok-cli.

A is the wire called tx (annotations tx-data), B the other.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, Chunk, Fault, Header, Item, Lost
from seabattle_host.sniff.forms import evidence, sides
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source

# No name is longer; without a limit a long line without a colon takes minutes.
_LINE = re.compile(
    r"\s*(?:(?P<first>\d+)-(?P<last>\d+)\s+)?(?P<who>[A-Za-z][\w ]{0,99}?(?:-\d+)?)(?: (?P<row>[^:]*))?: "
    r"(?:(?P<class>[\w -]+): )?(?P<text>.*)$"
)
_BYTE = re.compile(r'"?(?:0x)?([0-9A-Fa-f]{2})"?')
_BYTES = re.compile(r"(?:0x)?[0-9A-Fa-f]{2}(?:[ ,]+(?:0x)?[0-9A-Fa-f]{2})+\b")
_RATE = re.compile(r"samplerate:?\s*(\d+)(?:\s*([kMG])?Hz)?", re.IGNORECASE)
_WRONG = re.compile(r"(?i)(frame|framing|parity|break)")


@dataclass
class _Plan:
    rate: int = 0
    named: dict[str, int] = field(default_factory=dict)


def _read(line: str) -> tuple[str, str, int] | None:
    """Return class or row, text and first sample (-1: none) of an annotation."""
    match = _LINE.match(line)
    if match is None or not re.match(r"(?i)uart|serial|rs-?232", match["who"]):
        return None
    row = " ".join(filter(None, (match["row"], match["class"]))) or match["who"]
    return row.lower(), match["text"].rstrip(), int(match["first"]) if match["first"] else -1


class AnnotationForm:
    """Lines such as `uart-1: AA`, `890-970 uart-1: rx-data: "AA"`, `890-970 UART: RX: AA`."""

    name = "sigrok"

    def recognise(self, source: Source) -> Guess | None:
        sample = [line for line in source.head[:2000] if line.strip()]
        found = [read for line in sample if (read := _read(line)) is not None]
        if (
            not found
            or len(found) * 10 < len(sample) * 8
            or not any(_BYTE.fullmatch(text) for _row, text, _at in found)
        ):
            return None
        if any(_BYTES.match(text) for _row, text, _at in found):
            # a decoder prints a line for each byte
            return None
        return self._guess(source, tr("why_lines", count=len(found), of=len(sample), what=tr("what_sigrok")))

    def forced(self, source: Source) -> Guess:
        return self._guess(source, tr("why_forced"))

    def _guess(self, source: Source, why: str) -> Guess:
        found = [read for line in source.head if (read := _read(line)) is not None]
        plan = _Plan()
        for line in source.head[:20]:
            rate = _RATE.search(line)
            if rate is not None:
                plan.rate = int(rate[1]) * {"k": 10**3, "M": 10**6, "G": 10**9}.get(rate[2] or "", 1)
        rows = [row for row, text, _at in found if _BYTE.fullmatch(text) and row]
        plan.named = {row: side for row in set(rows) if (side := _row_side(row)) is not None}
        if not plan.named and len(set(rows)) == 2:
            # a decoder per wire
            plan.named = {row: side for side, row in enumerate(sorted(set(rows)))}
        data = b"".join(bytes.fromhex(match[1]) for _row, text, _at in found if (match := _BYTE.fullmatch(text)))
        known = evidence.weigh(data)
        directed = bool(plan.named)
        header = Header(mode="hex", timed=plan.rate > 0 and any(at >= 0 for _row, _text, at in found))
        return Guess(
            why,
            header,
            merged=not directed and (known.is_merged or not known.is_protocol),
            maybe_merged=not directed,
            plan=plan,
        )

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        plan: _Plan = guess.plan
        waiting = Fault(0)
        at = 0
        for number, (line, _ended) in enumerate(source.lines(), 1):
            read = _read(line)
            if read is None:
                if line.strip():
                    left.add("left_lines", number)
                continue
            row, text, sample = read
            if guess.header.timed and sample >= 0:
                at = sample * SECOND // plan.rate
            match = _BYTE.fullmatch(text)
            # bits have rows of their own, with single digits
            if match is None or "bit" in row:
                wrong = _WRONG.search(row + " " + text)
                if wrong is not None and "ok" not in text.lower() and re.search("(?i)error|break|err", row + text):
                    waiting |= {"p": Fault.PARITY, "b": Fault.BREAK}.get(wrong[1][0].lower(), Fault.FRAMING)
                else:
                    left.add("left_annotations", number)
                continue
            yield Chunk(at, plan.named.get(row, 0), bytes.fromhex(match[1]), bytes((waiting,)) if waiting else b"")
            waiting = Fault(0)
        if source.cut:
            yield Lost(at, tr("lost_tail"))


def _row_side(row: str) -> int | None:
    words = [sides.WORDS.get(word) for word in re.split(r"[^a-z]+", row)]
    known = {side for side in words if side is not None}
    return known.pop() if len(known) == 1 else None


class _Recorded:
    """A recording of wires, read by sigrok-cli."""

    name = ""

    def recognise(self, source: Source) -> Guess | None:
        return self.forced(source) if self._is(source) else None

    def forced(self, source: Source) -> Guess:
        tool = shutil.which("sigrok-cli")
        if tool is None:
            raise UserError(tr("needs_sigrok", file=source.name))
        with tempfile.NamedTemporaryFile(suffix=f".{self.name}") as copy:
            for block in source.blocks():
                copy.write(block)
            copy.flush()
            lines, rate = _decoded(tool, copy.name, self.name, source.name)
        return Guess(tr("why_recorded", what=self.name), Header(mode="hex", timed=rate > 0), plan=(lines, rate))

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        lines, rate = guess.plan
        waiting = {0: Fault(0), 1: Fault(0)}
        found: list[tuple[int, int, bytes, Fault]] = []
        for line in lines:
            read = _read(line)
            if read is None:
                continue
            row, text, sample = read
            side = 0 if row.startswith("tx") else 1
            match = _BYTE.fullmatch(text)
            if match is not None and row.endswith("data"):
                found.append((sample, side, bytes.fromhex(match[1]), waiting[side]))
                waiting[side] = Fault(0)
            elif "err" in row or "warning" in row or "break" in row:
                fault = Fault.PARITY if "parity" in row else Fault.BREAK if "break" in row else Fault.FRAMING
                mine = [i for i, entry in enumerate(found) if entry[1] == side]
                if mine:
                    # reported after the byte
                    at, _side, data, before = found[mine[-1]]
                    found[mine[-1]] = (at, side, data, before | fault)
        for sample, side, data, fault in sorted(found, key=lambda entry: entry[0]):
            yield Chunk(sample * SECOND // rate, side, data, bytes((fault,)) if fault else b"")

    def _is(self, source: Source) -> bool:
        raise NotImplementedError


class SessionForm(_Recorded):
    """sigrok's own format: a zip with the samples."""

    name = "sr"

    def _is(self, source: Source) -> bool:
        begin = source.sample[:64]
        return begin.startswith(b"PK\x03\x04") and (b"version" in begin or b"metadata" in begin)


class VcdForm(_Recorded):
    """Value change dump."""

    name = "vcd"

    def _is(self, source: Source) -> bool:
        head = "\n".join(source.head[:40])
        return "$timescale" in head and "$var" in head


def _decoded(tool: str, path: str, form: str, name: str) -> tuple[list[str], int]:
    """Return the annotations of both wires, and samples per second.

    Raises UserError if sigrok-cli cannot read the file.
    """
    how = ["-I", "vcd"] if form == "vcd" else []
    shown = _run([tool, "-i", path, *how, "--show"], name)
    channels = re.findall(r"^- (\S+): logic", shown, re.MULTILINE)
    rate = _RATE.search(shown)
    if not channels or rate is None:
        raise UserError(tr("not_format", file=name, format=form))
    tx, rx = _wires(channels)
    wires = f"tx={tx}" + (f":rx={rx}" if rx else "")
    decoder = f"uart:{wires}:baudrate=9600:parity=even"
    printed = _run([tool, "-i", path, *how, "-P", decoder, "-l", "4", "--protocol-decoder-samplenum"], name)
    return printed.splitlines(), int(rate[1])


def _wires(channels: list[str]) -> tuple[str, str]:
    """Return the wires of A and B: by their names, else the first two."""
    named = {side: name for name in channels if (side := sides.of_name(name)) is not None}
    if set(named) == {0, 1}:
        return named[0], named[1]
    return channels[0], channels[1] if len(channels) > 1 else ""


def _run(command: list[str], name: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=600)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise UserError(tr("sniff_cannot_read", file=name, reason=f"sigrok-cli: {why}"))
    return done.stdout
