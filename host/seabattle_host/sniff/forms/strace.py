"""System calls on the line, as printed by strace: A is what the program wrote.

Of several files, the one that is a terminal by its name (-y, or an earlier openat) counts; if none is named, those both
read and written, else all except the standard three.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import clock, evidence, numerals
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source

_CALL = re.compile(
    r"(?P<lead>.*?)\b(?:SYS_|sys_|__)?(?P<call>p?read(?:64)?|p?write(?:64)?|send|recv|sendto|recvfrom)\((?:fd: )?(?P<fd>\d+)(?:<(?P<file>[^>]*)>+)?,\s*(?:buf: )?"  # noqa: E501
    r"\"(?P<text>(?:[^\"\\]|\\M-.|\\M?\^.|\\.)*)\"(?P<more>\.\.\.)?,? ?[^=]*\)\s*=\s*(?P<count>-?\d+)"
)
_OPENED = re.compile(r"\bopen(?:at)?\((?:[^\"]*, )?\"(?P<file>[^\"]*)\".*\)\s*=\s*(?P<fd>\d+)")
_RESUMED = re.compile(r"(?P<lead>.*?)<\.\.\. (?P<call>\w+) resumed>,? ?")
_PROCESS = re.compile(r"\s*(?:\[pid\s+(\d+)\]|(\d+)\s)")
_ANY = re.compile(r"(?:.*\s)?\w+\(.*\)\s+= (?:-?\d+|0x[0-9a-f]+|\?)|[+-]{3} |.*<unfinished|.*resumed>")
_ROW = re.compile(r" \| [0-9a-f]{5}  ")


@dataclass
class _Plan:
    fds: set[int] = field(default_factory=set)
    named: bool = False
    """A line is named in the calls; one without its name is of another file."""
    relative: bool = False
    divisor: int = 1
    """By what times without a unit, taken for seconds, are divided."""

    def has(self, call: re.Match[str], opened: Mapping[int, bool]) -> bool:
        """Return whether a call is of the line. opened: whether what was opened under a number is one."""
        fd = int(call["fd"])
        if self.named:
            return fd in self.fds and bool(call["file"]) and _is_line(call["file"])
        return opened.get(fd, fd in self.fds)


class StraceForm:
    r"""Lines such as `write(3, "\xaa", 1) = 1`."""

    name = "strace"

    def recognise(self, source: Source) -> Guess | None:
        sample = [line for line in source.head[:1000] if line.strip() and not _ROW.match(line)]
        calls = [line for line in sample if _CALL.match(line)]
        fits = sum(_ANY.match(line) is not None for line in sample)
        if not calls or fits * 10 < len(sample) * 8:
            return None
        return self._guess(source, tr("why_lines", count=fits, of=len(sample), what=tr("what_strace")))

    def forced(self, source: Source) -> Guess:
        guess = self._guess(source, tr("why_forced"))
        if not guess.plan.fds:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess

    def _guess(self, source: Source, why: str) -> Guess:
        plan = _Plan()
        lines: set[int] = set()
        read: set[int] = set()
        written: set[int] = set()
        stamps: list[clock.Stamp] = []
        begun: dict[str, str] = {}
        for line in source.head:
            line = _whole(line, begun)
            opened = _OPENED.search(line)
            if opened is not None and _is_line(opened["file"]):
                lines.add(int(opened["fd"]))
            call = _CALL.match(line)
            if call is None:
                continue
            fd = int(call["fd"])
            if call["file"] and _is_line(call["file"]):
                lines.add(fd)
                plan.named = True
            (written if call["call"].startswith(("w", "pw", "s")) else read).add(fd)
            stamp = _stamp(line)
            if stamp is not None:
                stamps.append(stamp)
        plan.fds = (
            {fd for fd in lines if fd > 2}
            or lines
            or {fd for fd in read & written if fd > 2}
            or {fd for fd in read | written if fd > 2}
            or read | written
        )
        values = [stamp.us for stamp in stamps if stamp.kind == clock.SPAN]
        plan.relative = any(a > b for a, b in itertools.pairwise(values))
        plan.divisor = clock.divisor([stamp.us for stamp in stamps if stamp.bare]) if not plan.relative else 1
        resolution = min((stamp.resolution for stamp in stamps), default=1)
        header = Header(("A", "B"), mode="hex", timed=bool(stamps), resolution=resolution if resolution > 10_000 else 0)
        return Guess(why, header, plan=plan)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        plan: _Plan = guess.plan
        watch = clock.Clock()
        begun: dict[str, str] = {}
        opened: dict[int, bool] = {}
        seen_files: set[int] = set()
        for number, (line, _ended) in enumerate(source.lines(), 1):
            line = _whole(line, begun)
            stamp = _stamp(line)
            if stamp is not None:
                if plan.relative and stamp.kind == clock.SPAN:
                    watch.at += stamp.us
                else:
                    watch.take(replace(stamp, us=stamp.us // plan.divisor) if stamp.bare else stamp)
            call = _CALL.match(line)
            if call is None:
                if (file := _OPENED.search(line)) is not None:
                    opened[int(file["fd"])] = _is_line(file["file"])
                if line.strip() and not _ROW.match(line):
                    left.add("left_calls", number)
                continue
            if not plan.has(call, opened):
                left.add("left_calls", number)
                continue
            count = int(call["count"])
            if count <= 0:
                continue
            data = numerals.unescape(call["text"])
            if data is None:
                left.add("left_lines", number)
                continue
            fd = int(call["fd"])
            if fd not in seen_files and len(data) < count and not evidence.weigh(data).is_protocol:
                # another file that had this number before
                left.add("left_calls", number)
                continue
            seen_files.add(fd)
            side = 0 if call["call"].startswith(("w", "pw", "s")) else 1
            if data[:count]:
                yield Chunk(watch.at, side, data[:count])
            if len(data) < count:
                yield Lost(watch.at, tr("lost_not_shown", line=number))
        if source.cut:
            yield Lost(watch.at, tr("lost_tail"))


def _whole(line: str, begun: dict[str, str]) -> str:
    """Join a call that was interrupted by others, when it ends. begun: such calls by process."""
    if "<unfinished ...>" not in line and " resumed>" not in line:
        return line
    process = _PROCESS.match(line)
    number = (process[1] or process[2]) if process else ""
    if "<unfinished ...>" in line:
        begun[number] = line.split("<unfinished ...>")[0]
        return line
    resumed = _RESUMED.match(line)
    call = begun.pop(number, "")
    at = call.find(f"{resumed['call']}(") if resumed is not None else -1
    if resumed is None or at < 0:
        return line
    opening = call[at:].rstrip()
    return resumed["lead"] + opening + ("" if opening.endswith("(") else " ") + line[resumed.end() :]


def _is_line(name: str) -> bool:
    # -xx writes names in hex, too
    name = (numerals.unescape(name) or b"").decode("latin-1")
    return bool(re.search(r"/dev/(?:tty(?!$)|pts/|cu\.|serial)|/(?:ttyV|vcom|pty)", name))


def _stamp(line: str) -> clock.Stamp | None:
    lead = re.match(r"\s*(?:\[pid\s+\d+\]\s*)?", line)
    place = lead.end() if lead else 0
    stamp = clock.match(line, place)
    if stamp is None:
        # -f with a file: the process ID first
        process = re.compile(r"\d+\s+").match(line, place)
        stamp = clock.match(line, process.end()) if process else None
    return stamp
