"""Records as lines for people, what is wrong with them in words, and the state of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from seabattle import radar, watch, wire
from seabattle.watch import Watch
from seabattle_host.language import codes, text, words
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, SIDES, Fault
from seabattle_host.sniff.record import LOST, Game, Record
from seabattle_host.sniff.session import Session

_HEX_WIDTH = 18
_HEX_MOST = 24
"""Most bytes of a frame in a line on a terminal."""

_FRAMES_FEWEST = 4
"""Lines of a terminal that are kept free for frames."""

_PAUSE = 5_000
"""Bytes further apart than this many microseconds are shown with their times."""

STYLES = {
    watch.OK: "",
    watch.DEVIATION: "yellow",
    watch.VIOLATION: "bold red",
    watch.NOISE: "magenta",
    watch.DOUBT: "magenta",
    watch.FOLLOWS: "yellow",
}
"""Colour of a line by verdict."""


def side_name(side: int, role: int) -> str:
    """Return a side's role, or its letter while the role is unknown."""
    return words.role(role) if role in (wire.MASTER, wire.SLAVE) else SIDES[side]


def the_side(side: int, role: int) -> str:
    """Like `side_name`, as it stands in a sentence."""
    return words.the_side(role, SIDES[side])


def seconds(us: int) -> str:
    """Format a time or duration in seconds."""
    return f"{us / SECOND:.6f}"


def hex_text(raw: bytes, faults: bytes = b"", most: int | None = None) -> str:
    """Format bytes in hex; faults are marked by letters: p parity, f framing, o overrun, b break."""
    shown = []
    for i, byte in enumerate(raw[:most]):
        letters = "".join(name[0] for name in Fault(faults[i]).words) if faults else ""
        shown.append(f"{byte:02X}{letters}")
    if most is not None and len(raw) > most:
        shown.append("...")
    return " ".join(shown)


def meaning(record: Record) -> str:
    """Describe a record, without what is wrong with it."""
    name = side_name(record.side, record.role)
    if record.kind == LOST:
        return lost_text(record.text)
    if record.kind == watch.LACK:
        return _lack(record, name)
    if record.kind == watch.STRAY:
        return tr("noise_bytes", who=name)
    if record.kind == watch.CUT:
        return tr("cut_frame", who=name, what=words.frame_name(record.op))
    if record.op == wire.SHOT:
        x, y = record.body[:2]
        return tr("shoots", who=name, cell=text.cell_name(x, y, words.russian()))
    text_ = record.text if record.op == wire.CHAT else ""
    return tr("says", who=name, what=text_ or words.frame(record.op, record.body))


def lost_text(why: str) -> str:
    """Describe a gap; a fault that the relay has made is none, and says itself what it was."""
    return why if words.harm(why) else tr("lost", why=why)


def fault_text(record: Record) -> str:
    """Describe what is wrong with a record: `A4 in state 2: the slave must wait for A3`; empty if nothing is."""
    if record.verdict not in _WRONG:
        return ""
    what = f"{record.op:02X}"
    if record.state != watch.UNSURE and record.kind == watch.FRAME:
        what = tr("in_state", name=what, state=record.state)
    why = words.reason(record.reason)
    if record.reason == wire.R_STATE:
        why = words.not_allowed(record.op, record.state).format(who=the_side(record.side, record.role))
    elif record.text and record.op != wire.CHAT:
        why = tr("wrong_detail", why=why, detail=record.text)
    if record.verdict == watch.DOUBT and not record.maybe:
        why = _lost(record, why)
    name = tr("suspected") if record.maybe else verdict_name(record.verdict, record.follows)
    fault = tr("wrong", verdict=name, what=what, why=why)
    return tr("maybe", wrong=fault) if record.maybe else fault


_WRONG = (watch.DEVIATION, watch.VIOLATION, watch.DOUBT, watch.FOLLOWS)


def _lost(record: Record, why: str) -> str:
    """Return the evidence for a loss, if the verdict is doubt. why: what would be wrong otherwise."""
    if record.kind == watch.LACK:
        return words.reason(watch.R_MISSED)
    if record.reason == watch.R_UNMATCHED:
        return tr("doubt_command")
    return why if record.reason == watch.R_DAMAGED else tr("doubt_went_on", why=why)


def standing_line(game: Game, w: Watch, us: int) -> str:
    """Describe a game in which nobody has shot for so long, though one side has the turn."""
    time = tr("duration_s", value=round(us / SECOND))
    if not game.moves:
        turn = next((side for side in (0, 1) if w.role_of(side) == wire.MASTER), 0)
        return tr("standing_at_first", time=time, who=the_side(turn, w.role_of(turn)))
    shooter, x, y, answer = game.moves[-1]
    turn = shooter if answer in (wire.HIT, wire.SUNK) else 1 - shooter
    cell = text.cell_name(x, y, words.russian())
    return tr("standing", time=time, who=the_side(turn, w.role_of(turn)), answer=words.frame(answer), cell=cell)


def verdict_name(verdict: int, follows: int = 0) -> str:
    """Return `deviation`, `VIOLATION`, `something was lost here`, or `follows from #12`."""
    if verdict == watch.FOLLOWS:
        return tr("follows", number=follows)
    return tr(codes.VERDICTS[verdict])


def faults(record: Record) -> str:
    """Describe the driver's faults of a record's bytes; empty if there are none."""
    together = record.fault
    damaged = Fault.PARITY | Fault.FRAMING
    names = []
    if damaged in together:
        names.append("damaged")
        together &= ~damaged
    return ", ".join(tr(f"fault_{name}") for name in [*names, *together.words])


def time_of_day(at: int) -> str:
    """Format the time of day (UTC) of microseconds since the epoch."""
    seconds_, us = divmod(at, SECOND)
    return f"{seconds_ // 3600 % 24:02}:{seconds_ // 60 % 60:02}:{seconds_ % 60:02}.{us:06}"


def line(record: Record, began: int, before: int, *, of_clock: bool = False, whole: bool = False) -> str:
    """Format a record as one line.

    It has number, time since `began`, gap since `before` (both microseconds), direction, bytes, meaning, what is wrong.
    of_clock: the time of day in place of the time since the start. whole: all bytes of a long frame, as files need.
    """
    arrow = "-" if record.kind in (watch.LACK, LOST) else f"{SIDES[record.side]}>"
    gap = f"{(record.at - before) / SECOND:+.4f}"
    most = len(record.raw) if whole else _HEX_MOST
    shown = hex_text(record.raw, record.faults, most)
    notes = [note for note in (faults(record), tr("unsure") if record.unsure else "", fault_text(record)) if note]
    text_ = meaning(record)
    if notes:
        text_ += "  ! " + "; ".join(notes)
    time = time_of_day(record.at) if of_clock else f"{(record.at - began) / SECOND:12.6f}"
    offsets = record.offsets[:most]
    slow = any(b - a > _PAUSE for a, b in pairwise(offsets))
    text_ += times(record, offsets if slow or record.crossed or record.ticked or record.unsure else ())
    return f"{record.number:5} {time} {gap:>9} {arrow:2} {shown:{_HEX_WIDTH}} {text_}"


def times(record: Record, offsets: Sequence[int]) -> str:
    """Format the times of a record's bytes for the end of a line; empty if not needed.

    `  @ 0 1250 9000`; `  @@ 0 1250 2500` if bytes of the other side came between them.
    """
    if not offsets and not record.crossed:
        return ""
    return f"  {'@@' if record.crossed else '@'} " + " ".join(map(str, offsets or (0,) * len(record.raw)))


def style(record: Record) -> str:
    """Return the colour of a record's line."""
    if record.kind == LOST or record.faults:
        return "magenta"
    if record.is_sync:
        return "dim"
    return STYLES[record.verdict]


def state_lines(session: Session, width: int = 1000, height: int = 1000) -> list[str]:
    """Describe the state of both sides, whose turn it is, both fields as far as known, and counters.

    On a screen of width x height the fields are left out where they do not fit, or would leave no room for frames.
    """
    w = session.watch
    lines = []
    for side in (0, 1):
        state = w.state_of(side)
        nick = text.decode(session.nicks[side])
        about = f"{state} {tr(words.STATES[state])}" if state != watch.UNSURE else tr("state_unknown")
        role = words.role(w.role_of(side)) if w.role_of(side) else ""
        lines.append(tr("side_state", who=" ".join(filter(None, (SIDES[side], role, nick))), state=about))
    if w.turn != watch.UNSURE:
        lines.append(tr("turn_of", who=side_name(w.turn, w.role_of(w.turn))))
    fields = field_lines(session)
    if max(map(len, fields), default=0) <= width and len(lines) + len(fields) + _FRAMES_FEWEST < height:
        lines += fields
    lines.append(counters(session))
    return lines


def counters(session: Session) -> str:
    """Format bytes, frames, errors, and the longest reply in one line."""
    sums = session.sums
    return tr(
        "counters",
        a=sums.bytes[0],
        b=sums.bytes[1],
        frames=sum(sums.frames),
        deviations=sums.deviations,
        violations=sums.violations,
        doubts=sums.suspected,
        noise=sums.noise,
        faults=sums.faults.total(),
        reply=seconds(sums.longest_reply),
    )


def field_lines(session: Session) -> list[str]:
    """Draw both fields side by side, each as the opponent knows it; empty before any shot."""
    w = session.watch
    if not (any(w.shots[0]) or any(w.shots[1])):
        return []
    size = w.param(0) if w.agreed else wire.SIZE_MAX
    letters = text.COLUMNS_RU if words.russian() else text.COLUMNS_EN
    blocks = []
    for side in (0, 1):
        head = tr("field_of", who=side_name(side, w.role_of(side)), hits=w.hits(1 - side))
        rows = [head, "   " + " ".join(letters[:size])]
        for y in range(size):
            rows.append(f"{y + 1:2} " + " ".join(_cell(session, 1 - side, x, y, size) for x in range(size)))
        blocks.append(rows)
    width = max(len(row) for row in blocks[0]) + 4
    return [f"{left:{width}}{right}" for left, right in zip(*blocks, strict=True)]


_SHOTS = {0: "~", wire.MISS: ".", wire.HIT: "x", wire.SUNK: "#", wire.REPEAT: "."}
_KNOWN = {radar.UNKNOWN: "~", radar.MISS: ".", radar.HIT: "x", radar.SUNK: "#", radar.EMPTY: " "}


def _cell(session: Session, shooter: int, x: int, y: int, size: int) -> str:
    w = session.watch
    if w.known(shooter):
        return _KNOWN[w.radar[shooter].cell[y * size + x]]
    return _SHOTS[w.shots[shooter][y * wire.SIZE_MAX + x]]


def _lack(record: Record, name: str) -> str:
    if record.reason == watch.R_MISSED:
        return tr("lack_missed", who=name, what=words.frame_name(record.op))
    if record.reason == watch.R_NO_REPLY:
        return tr("lack_reply", who=name, what=words.frame_name(record.op))
    keys = {watch.R_NO_SYNC: "lack_sync", watch.R_LEFT: "lack_left", watch.R_NO_WON: "lack_won"}
    return tr(keys.get(record.reason, "lack_any"), who=name)
