"""What was expected in place of a fault: the words after its reason that differ from case to case."""

from __future__ import annotations

from seabattle import watch, wire
from seabattle.watch import Watch
from seabattle.watch_state import GONE
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import Parameters
from seabattle_host.sniff import games
from seabattle_host.sniff.capture import SIDES
from seabattle_host.sniff.record import Sums


def detail(w: Watch, sums: Sums, shot: tuple[int, int], side: int, op: int, body: bytes, reason: int) -> str:
    """Say what was expected of this side, or which earlier answer its answer contradicts; empty if nothing is known.

    shot: the last one of the other side.
    """
    other = 1 - side
    if wire.R_NEAR_SUNK <= reason < wire.REASONS:
        return games.contradicted_answer(sums, shot, other, reason, op)
    asked = w.waits(other)
    if reason == wire.R_SENDER:
        if asked == op and op != wire.SYNC:
            return tr("detail_reply_is", op=f"{op:02X}", reply=_replies(op))
        return tr("detail_sender", role=words.role(int(wire.exchange(op)[wire.SENDER])))
    if reason == wire.R_TURN and asked == wire.SHOT:
        return tr("detail_unanswered", who=words.the_side(w.role_of(other), SIDES[other]))
    if reason == wire.R_SECOND:
        first = w.waits(side)
        first = w.v[GONE + side] if first == op else first
        return tr("detail_waits", op=f"{first:02X}", reply=_replies(first)) if first else ""
    if reason == wire.R_ECHO:
        return tr("detail_echo", sent=w.raw.hex(" ").upper())
    if reason in (wire.R_PARAMS, wire.R_FLEET):
        return _parameters(body)
    if reason == wire.R_CELL and w.agreed:
        return tr("detail_cell", size=w.param(0))
    if reason == wire.R_NOT_WON and w.decks:
        return tr("detail_hits", hits=w.hits(side), decks=w.decks)
    if reason == watch.R_INSTEAD and asked:
        return tr("detail_instead", reply=_replies(asked))
    if reason == watch.R_NO_REPLY:
        return tr("detail_reply", reply=_replies(op), seconds=wire.REPLY_TICKS * words.TICK_SECONDS)
    return ""


def _replies(op: int) -> str:
    """Return the opcodes that answer a command."""
    replies = [code for code, _name in wire.SHOT_REPLIES] if op == wire.SHOT else [int(wire.exchange(op)[wire.REPLY])]
    return ", ".join(f"{code:02X}" for code in replies)


def _parameters(body: bytes) -> str:
    """Return which of the parameters of B2 is not allowed."""
    counts = [wire.count_of(deck, byte) for deck, byte in zip((4, 3, 2, 1), body[1:], strict=True)]
    try:
        Parameters(body[0], *counts).check()
    except UserError as error:
        return str(error)
    return ""
