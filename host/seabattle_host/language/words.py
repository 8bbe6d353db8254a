"""Codes of the protocol in words.

`frame(...)` for frames, `reason(...)` why one is illegal, `event(...)` for events of a session, `waiting(...)` what it
waits for, `placing(...)` and `result(...)` for results of the rules.

The tables map codes to message keys; the texts are in the catalogues.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seabattle import field_codes as field
from seabattle import link_codes as link
from seabattle import wire
from seabattle_host.language import codes
from seabattle_host.language.catalogue import languages
from seabattle_host.language.messages import LANGUAGES as LANGUAGES
from seabattle_host.language.messages import russian as russian
from seabattle_host.language.messages import template, tr
from seabattle_host.language.messages import use as use
from seabattle_host.language.text import cell_name, decode

if TYPE_CHECKING:
    from seabattle.link import Link

TICK_SECONDS = 65536 / 1193182
"""Seconds per tick of the protocol's clock."""

STANDING_SECONDS = 60
"""A game in which nobody shoots for longer stands still, or its players think: who listens cannot tell which."""


ROLES = {
    wire.NOBODY: "role_name_nobody",
    wire.MASTER: "role_name_master",
    wire.SLAVE: "role_name_slave",
    wire.AUTO: "role_name_auto",
}

FRAMES = {
    op: f"frame_{op:02X}"
    for op in (
        *(row[column] for row in wire.TABLE for column in (wire.OPCODE, wire.REPLY)),
        *(op for op, _name in wire.SHOT_REPLIES),
    )
}
"""Every opcode, commands and replies."""

STATES = {state: f"state_{state}" for state in (0, 1, 2, 3, 4, link.BROKEN_OFF, 9)}

REASONS = {code: f"reason_{name}" for code, name in codes.REASONS.items()}

EVENTS = {code: f"event_{name}" for code, name in codes.EVENTS.items()}

RESULTS = {
    (link.WE_WON, link.BY_SHOTS): "over_won_by_shots",
    (link.WE_LOST, link.BY_SHOTS): "over_lost_by_shots",
    (link.WE_WON, link.BY_SURRENDER): "over_won_by_surrender",
    (link.WE_LOST, link.BY_SURRENDER): "over_lost_by_surrender",
    (link.WE_WON, link.BY_PROOF): "over_won_by_proof",
    (link.NO_RESULT, link.BY_SURRENDER): "over_none_by_surrender",
}
"""The end of a game, by `a` and `b` of EV_OVER."""

REFUSALS = {
    link.NOT_NOW: "order_not_now",
    link.NOT_YOURS: "order_not_yours",
    link.OUT_OF_RANGE: "order_out_of_range",
    link.NO_CHAT: "order_no_chat",
}
"""Why the link refuses an order."""

PLACING = {
    field.OK: "placing_ok",
    field.OUT: "placing_out",
    field.OVERLAP: "placing_overlap",
    field.TOUCH: "placing_touch",
    field.NONE_LEFT: "placing_none_left",
    field.WALL: "placing_wall",
}
"""Why a ship may not be placed."""

_ENDINGS = (wire.SURRENDER, wire.WON, wire.RESTART)

SHOTS = {
    field.MISS: "shot_miss",
    field.HIT: "shot_hit",
    field.SUNK: "shot_sunk",
    field.REPEAT: "shot_repeat",
}
"""Results of a shot."""


def role(code: int) -> str:
    """Return the name of a role."""
    return tr(ROLES[code])


def the_side(code: int, letter: str) -> str:
    """Return a side as it stands in a sentence: by its role, or by its letter while that is unknown."""
    return tr("the_role", role=role(code)) if code in (wire.MASTER, wire.SLAVE) else tr("the_side", side=letter)


def reason(code: int) -> str:
    """Return why a frame is wrong, R_* of the wire or of the watcher."""
    return tr(REASONS[code])


def not_allowed(op: int, state: int) -> str:
    """Explain from the table why a command is not allowed in a state; {who} in it is to be replaced by `the_side`.

    Say what it has to wait for, or where it is allowed. state: STATES, or any other value if it is not known.
    """
    row = wire.exchange(op)
    if row is None:
        return reason(wire.R_STATE)
    allowed = int(row[wire.STATES])
    for other in wire.TABLE:
        before, states, after = int(other[wire.OPCODE]), int(other[wire.STATES]), int(other[wire.NEXT])
        # a command that leads forward to a state where this one is allowed
        if before not in _ENDINGS and state < after < wire.SAME and states >> state & 1 and allowed >> after & 1:
            return template("must_wait").replace("{name}", f"{before:02X}")
    places = ", ".join(str(place) for place in STATES if allowed >> place & 1)
    return f"{reason(wire.R_STATE)} ({tr('allowed_in', states=places)})"


def not_allowed_anywhere() -> dict[int, str]:
    """Return `not_allowed` for every command in every known state where it is not, by 16 * opcode + state."""
    return {
        16 * op + state: not_allowed(op, state)
        for op, states in ((int(row[wire.OPCODE]), int(row[wire.STATES])) for row in wire.TABLE)
        for state in STATES
        if not states >> state & 1
    }


def parameters(size: int, n4: int, n3: int, n2: int, n1: int) -> str:
    """Return the parameters of a game: `10x10, fleet 1,2,3,4`. The counts are plain, not tagged."""
    return tr("parameters", size=size, fleet=f"{n4},{n3},{n2},{n1}")


def frame(op: int, data: bytes | bytearray = b"") -> str:
    """Return a frame in words: its opcode and the bytes after it (for B1 and B3 those after the length byte).

    An unknown opcode is noise; missing bytes are taken as zeros.
    """
    if op not in FRAMES:
        return tr("noise")
    body = bytes(data) + bytes(5)
    counts = (wire.count_of(4 - i, body[1 + i]) for i in range(4))
    return tr(
        FRAMES[op],
        text=decode(data),
        cell=cell_name(body[0], body[1], russian()),
        parameters=parameters(body[0], *counts),
    )


def event(
    code: int,
    a: int = 0,
    b: int = 0,
    *,
    role: int = wire.NOBODY,
    text: str = "",
    parameters: str = "",
    x: int = 0,
    y: int = 0,
    answer: int = 0,
    earlier_x: int = 0,
    earlier_y: int = 0,
    earlier: int = 0,
) -> str:
    """Return an event EV_* of a session in words.

    a, b: its details from the link; role: of this side; text: a nick or a chat text; x, y, answer: of its shot, the
    cell from 1; earlier_x, earlier_y, earlier: of an earlier shot that contradicts it.
    """
    if code == link.EV_BROKEN and answer:
        return false_answer(b, (x, y, answer), (earlier_x, earlier_y, earlier))
    if began_anew(code, a, b):
        return tr("event_began_anew", frame=frame_name(a))
    off_field = code == link.EV_BROKEN and b == wire.R_CELL
    named = frame(a, bytes([x, y])) if (code in (link.EV_BROKEN, link.EV_TIMEOUT) and x) or off_field else frame_name(a)
    return tr(
        EVENTS[code],
        role=tr(ROLES[role]),
        peer=tr(ROLES[wire.BOTH ^ role if role in (wire.MASTER, wire.SLAVE) else wire.NOBODY]),
        text=text,
        parameters=parameters,
        cell=cell_name(x, y, russian()),
        answer=frame(answer) if answer else "",
        result=tr(RESULTS[a, b]) if code == link.EV_OVER else "",
        missing=tr("no_reply", frame=named) if a else tr("silence"),
        seconds=wire.REPLY_TICKS * TICK_SECONDS,
        frame=named,
        reason=tr("reason_from_zero" if off_field and not (x and y) and max(x, y) < wire.SIZE_MAX else REASONS[b])
        if code == link.EV_BROKEN and b in REASONS
        else "",
        chat=tr("chat_yes" if a else "chat_no"),
    )


def began_anew(code: int, a: int, b: int) -> bool:
    """Return whether an event reports a peer that looks for an opponent in the middle of a session.

    It does after a restart, which is not the player's fault.
    """
    return code == link.EV_BROKEN and (a, b) in ((wire.MEET, wire.R_STATE), (wire.SYNC, wire.R_SENDER))


def false_answer(why: int, shot: tuple[int, int, int], earlier: tuple[int, int, int] = (0, 0, 0)) -> str:
    """Return an accusation: the opponent's answer to our shot is false.

    why: R_*; shot: column, row and answer; earlier: the same of an earlier shot whose answer contradicts it, zeros if
    it takes more than one.
    """
    accusation = tr(
        "false_answer",
        cell=cell_name(shot[0], shot[1], russian()),
        answer=frame(shot[2]),
        reason=tr(REASONS[why]).split(": ", 1)[-1],
    )
    if not earlier[2]:
        return accusation
    cell = cell_name(earlier[0], earlier[1], russian())
    return f"{accusation}; {tr('false_answer_earlier', cell=cell, answer=frame(earlier[2]))}"


def waiting(session: Link) -> str:
    """Return what one side of a session is waiting for now."""
    state, is_master = session.state, session.role == wire.MASTER
    if session.closed:
        return tr("wait_closed")
    if session.key_awaited:
        return tr("wait_hung" if session.hung else "wait_key")
    if session.busy:
        return tr("wait_reply", frame=frame_name(session.busy))
    if state == 0 and session.role == wire.NOBODY:
        return tr("wait_listening")
    if state == 4:
        return tr("wait_our_shot" if session.my_turn else "wait_their_shot")
    return tr(f"wait_{'master' if is_master else 'slave'}_{state}")


def frame_name(op: int) -> str:
    """Return the name of a command or a reply, without its fields."""
    if op == wire.SHOT:
        return tr("frame_shot")
    return template(FRAMES[op]).split(" {")[0].rstrip(":") if op in FRAMES else f"{op:02X}"


def ships(length: int) -> str:
    """Return the label for ships of a length."""
    return tr(f"ships_{length}")


def placing(code: int) -> str:
    """Return why a ship may not be placed, for a code of seabattle.field."""
    return tr(PLACING[code])


def result(code: int) -> str:
    """Return the result of a shot, for a code of seabattle.field."""
    return tr(SHOTS[code])


def duration(seconds: float) -> str:
    """Return a duration as minutes and seconds."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def harm(why: str) -> str:
    """Return what the text of a gap says, in any language, about a fault that the relay has made; else nothing."""
    for language in languages():
        before = template("harmed", language).partition("{rule}")[0]
        if why.startswith(before):
            return why.removeprefix(before)
    return ""
