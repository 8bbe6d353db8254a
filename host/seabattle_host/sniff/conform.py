"""Scripted sessions that test which rules of the protocol a program keeps.

A Trial tests one rule: it brings the program into a state, sends something, and examines the reply. Which commands are
illegal in a state comes from the table of exchanges.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from seabattle import watch, wire
from seabattle_host.errors import PortLost
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.port import Port
from seabattle_host.sniff import conform_battle, conform_time
from seabattle_host.sniff.conform_game import WholeGame, why_not_kept
from seabattle_host.sniff.conform_peer import (
    BORNE,
    BROKEN,
    KEPT,
    NEW_TICKS,
    NICK,
    OPEN,
    PARAMETERS,
    PATIENCE,
    TAGGED,
    UNSTEADY,
    NotThere,
    Peer,
)
from seabattle_host.sniff.conform_repeats import Check, Repeats, Result, Trial

_GAMES = 3
_QUIET = 3
"""After this many rules without noise, and none with it, bytes that belong to no frame are the program's: a
part of an answer, for example."""

_STUCK, _STUCK_WAIT = 3, 1.0
"""After this many rules in a row that the program was not ready for, for the same reason, this many seconds are enough
to see whether it is now."""

_TAILS = {wire.NICK: bytes((len(NICK),)) + NICK, wire.PARAMS: PARAMETERS, wire.CHAT: b"\x01 ", wire.SHOT: b"\x01\x01"}


_LISTENS = 0.5
"""Seconds to listen for syncs of a slave."""


def trials(role: int) -> Iterator[Trial]:
    """Yield all trials for a program in the role opposite to `role`."""
    yield from _MASTER_TRIALS if role == wire.MASTER else _SLAVE_TRIALS
    yield Trial(tr("conform_whole_game"), _whole_game, repeats=True)
    yield from _BOTH_TRIALS
    for state in (1, 2, 3, 4, 9):  # in state 0 there is no session to break
        for row in wire.TABLE:
            op = int(row[wire.OPCODE])
            turn = wire.MASTER if state == 4 else wire.NOBODY
            why = wire.illegal(op, role, state, turn, wire.NOBODY)
            if why and op != wire.SYNC and wire.tolerated(op, role, state) is None:
                yield Trial(tr("illegal", op=f"{op:02X}", state=state), _refusal(op, state))
    yield Trial("rule_only_frames", _only_frames)


def run(
    port: Port,
    role: int,
    wait: float,
    only: str = "",
    observe: Callable[[bool, bytes], None] = lambda sent, data: None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Result]:
    """Test one rule after the other. observe: called with whether it was sent, and the bytes."""
    peer = Peer(port, role, wait, observe, clock)
    try:
        yield from _results(peer, wait, only)
    finally:
        with contextlib.suppress(PortLost):
            peer.transmit(bytes((wire.GOODBYE,)))  # so that the program waits for nobody


def _results(peer: Peer, wait: float, only: str) -> Iterator[Result]:
    repeats = Repeats(peer)
    quiet = noisy = stuck = 0
    stuck_at = ""
    for trial in trials(peer.role):
        if only and only.lower() not in trial.name.lower():
            continue
        peer.wait = min(wait, _STUCK_WAIT) if stuck >= _STUCK else wait
        result = repeats.result(trial, stuck >= _STUCK)
        stuck = stuck + 1 if result.verdict == OPEN and result.about == stuck_at else 0
        stuck_at = result.about
        if not result.noise:
            quiet += 1
        elif result.verdict != BROKEN:
            noisy += 1
        elif noisy or quiet < _QUIET:
            # whatever made these bytes may have made or hidden an answer too
            result.verdict, result.about = OPEN, tr("conform_noise", bytes=result.noise)
        yield result


def _refusal(op: int, state: int) -> Check:
    """An illegal command is answered by A8; real programs ignore it."""

    def check(peer: Peer) -> tuple[str, str]:
        peer.answers_shots = op != wire.SHOT  # the turn must not change
        try:
            peer.reach(state)
            peer.pump(NEW_TICKS * TICK_SECONDS)
        finally:
            peer.answers_shots = True
        peer.frames.clear()
        peer.send(op, *_TAILS.get(op, b""))
        row = wire.exchange(op)
        replies = (int(row[wire.REPLY]), *((wire.HIT, wire.SUNK, wire.REPEAT) if op == wire.SHOT else ()))
        got = peer.expect(wire.BROKEN, *replies, seconds=min(peer.wait, 2.0))
        if got is None:
            return peer.ignored()
        if got[0] == wire.BROKEN:
            return KEPT, ""
        # The command that led into this state, again: some programs take it for a repeat however late it is. And some
        # acknowledge A9 at any time.
        repeated = (op, state) in ((wire.PLACE, 2), (wire.MASTER_READY, 3), (wire.SURRENDER, 9))
        return (BORNE if repeated or op == wire.WON else BROKEN), tr("accepted", op=f"{got[0]:02X}")

    return check


def _answered(state: int, frame: bytes, reply: int, soft: str = BROKEN) -> Check:
    """A legal command gets its reply."""

    def check(peer: Peer) -> tuple[str, str]:
        peer.reach(state)
        peer.send(*frame)
        got = peer.expect(reply, wire.BROKEN)
        if got is None:
            return soft, tr("missing", what=f"{reply:02X}")
        return (KEPT, "") if got[0] == reply else (BROKEN, tr("conform_refused"))

    return check


def _nick(state: int) -> Check:
    return _answered(state, bytes((wire.NICK, len(NICK))) + NICK, 0x1B, BORNE)


def _sync(peer: Peer) -> tuple[str, str]:
    try:
        peer.reach(0)
        peer.pump(_LISTENS)
    except NotThere:
        if peer.role == wire.SLAVE:
            raise
        if peer.syncs():
            return BROKEN, tr("conform_syncs")
        # is it there at all, and more than an echo?
        peer.send(wire.TIMED_OUT)
        got = peer.expect(0x0A, wire.TIMED_OUT)
        if got is None or got[0] != 0x0A:
            raise
        return BROKEN, tr("missing", what="01")
    return (BROKEN, tr("conform_syncs")) if peer.syncs() else (KEPT, "")


def _echo(parameters: bytes, soft: str) -> Check:
    def check(peer: Peer) -> tuple[str, str]:
        peer.reach(1)
        peer.send(wire.PARAMS, *parameters)
        got = peer.expect(0x2B, wire.BROKEN)
        if got is None or got[0] == wire.BROKEN:
            return soft, tr("conform_refused") if got else tr("missing", what="2B")
        peer.proven = True
        return (KEPT, "") if got[1:] == parameters else (BROKEN, tr("other_echo"))

    return check


def _bad_parameters(parameters: bytes) -> Check:
    def check(peer: Peer) -> tuple[str, str]:
        peer.reach(1)
        peer.send(wire.PARAMS, *parameters)
        got = peer.expect(wire.BROKEN, 0x2B, seconds=min(peer.wait, 2.0))
        if got is None:
            return peer.ignored()
        # real programs have no range checks
        return (KEPT, "") if got[0] == wire.BROKEN else (BORNE, tr("accepted", op="2B"))

    return check


def _placing(peer: Peer) -> tuple[str, str]:
    """A2 after the parameters gets its reply."""
    peer.reach(1)
    peer.offer()
    peer.send(wire.PLACE)
    return (KEPT, "") if peer.expect(0x2A) else (BROKEN, tr("missing", what="2A"))


def _placing_first(peer: Peer) -> tuple[str, str]:
    """A2 before any parameters; real programs take those of the last game."""
    peer.reach(1)
    peer.send(wire.PLACE)
    got = peer.expect(wire.BROKEN, 0x2A, seconds=min(peer.wait, 2.0))
    if got is None:
        return peer.ignored()
    return (KEPT, "") if got[0] == wire.BROKEN else (BORNE, tr("accepted", op="2A"))


def _patient(peer: Peer) -> tuple[str, str]:
    """A slave that is ready waits for A3."""
    peer.reach(2)
    early = peer.expect(wire.SLAVE_READY, seconds=2.0)
    return (KEPT, "") if early is None else (BROKEN, tr("early"))


def _cut_frame(peer: Peer) -> tuple[str, str]:
    """A frame whose rest does not come within 4 ticks is given up."""
    peer.reach(1)
    peer.frames.clear()
    peer.send(wire.NICK, len(NICK), *NICK)
    peer.need(0x1B)
    peer.send(wire.NICK, 10, 0x41)
    peer.pump(NEW_TICKS * TICK_SECONDS)
    peer.frames.clear()
    peer.send(wire.NICK, 1, 0x41)
    # before syncs could be the letters that the first frame lacks
    if peer.expect(0x1B, seconds=min(peer.wait, 2.0)):
        return KEPT, ""
    # real programs have no timeouts: they wait for these letters, and take whatever comes for them
    peer.send(*bytes(10))
    return (BORNE if peer.alive() else BROKEN), tr("missing", what="1B")


def _noise(peer: Peer) -> tuple[str, str]:
    """An unknown byte is skipped, and no reason for A8."""
    peer.reach(1)
    peer.send(0x77)
    peer.send(0x00)
    got = peer.expect(wire.BROKEN, seconds=1.0)
    if got is not None:
        return BROKEN, tr("accused")
    return (KEPT, "") if peer.alive() else (BROKEN, tr("conform_silent"))


def _unasked(peer: Peer) -> tuple[str, str]:
    """An unexpected reply is ignored."""
    peer.reach(2)
    peer.send(0x1A)
    peer.send(0x2B, *PARAMETERS)
    got = peer.expect(wire.BROKEN, seconds=1.0)
    return (KEPT, "") if got is None else (BROKEN, tr("accused"))


def _nick_loop(peer: Peer) -> tuple[str, str]:
    """A nick is answered with 1B, never with a nick."""
    peer.reach(1)
    for _once in range(2):
        earlier = peer.nicks
        peer.frames.clear()
        peer.send(wire.NICK, len(NICK), *NICK)
        peer.need(0x1B)
        if not peer.pump(1.0, lambda earlier=earlier: peer.nicks > earlier):  # type: ignore[misc]
            return KEPT, ""
        if earlier:
            break
        # its first one, which it may send whenever it likes
    return BORNE, tr("nick_again")


def _chat(peer: Peer) -> tuple[str, str]:
    peer.reach(1)
    peer.send(wire.CHAT, 1, 0x20)
    got = peer.expect(0x3B, wire.BROKEN, seconds=min(peer.wait, 2.0))
    if got is None:
        return KEPT, tr("no_chat")
    return (KEPT, tr("has_chat")) if got[0] == 0x3B else (BROKEN, tr("accused"))


def _goodbye(peer: Peer) -> tuple[str, str]:
    peer.reach(2)
    peer.send(wire.GOODBYE)
    got = peer.expect(0x7A, wire.BROKEN)
    if got is None:
        return BORNE, tr("missing", what="7A")
    return (KEPT, "") if got[0] == 0x7A else (BROKEN, tr("conform_refused"))


def _meets_again(peer: Peer) -> tuple[str, str]:
    """A program that stays after A7 goes to state 0 and plays its role there."""
    try:
        peer.reach(1)
        peer.send(wire.GOODBYE)
        peer.pump(0.5)
        peer.reach(1, wire.GOODBYE)
        if "< A0" in peer.traffic:
            return BORNE, tr("conform_by_silence")
    except NotThere as missing:
        # it has met us before, and is there, as real programs without A7 are
        if not peer.met or not peer.alive():
            raise
        if peer.role == wire.SLAVE:
            peer.reach(1)  # else it may wait for its user
        return BORNE, tr("conform_by_silence") if peer.by_silence else str(missing)
    return KEPT, ""


def _ended(peer: Peer) -> tuple[str, str]:
    """After A0 from the other side it is in state 0, without a goodbye."""
    peer.reach(2)
    try:
        peer.reach(1, wire.TIMED_OUT)
    except NotThere as missing:
        # real programs do not know it
        return BORNE, str(missing)
    return KEPT, ""


_MANY = 10
_FEW_KINDS = 3


def _only_frames(peer: Peer) -> tuple[str, str]:
    """Nothing comes but frames. Noise on a line does not come with every rule, and not always as the same bytes."""
    peer.noise = 0
    heard = [noise for frames, noise in peer.history if frames]
    noisy = sum(noise > 0 for noise in heard)
    if len(heard) < _MANY or not noisy:
        return (KEPT, "") if heard else (OPEN, "")
    about = tr("conform_noisy", count=noisy, rules=len(heard))
    always = 10 * noisy >= 9 * len(heard) and len(peer.noise_kinds) <= _FEW_KINDS
    return (BROKEN if always else OPEN), about


def _own_parameters(peer: Peer) -> tuple[str, str]:
    peer.reach(1)
    got = peer.need(wire.PARAMS, seconds=max(peer.wait, PATIENCE))
    peer.proven = True
    return (BROKEN, tr("bad_parameters")) if wire.params_fault(got[1:]) else (KEPT, "")


def _waits_for(state: int, command: int, seconds: float = 1.0) -> Check:
    """It sends no second command before the first is answered."""

    def check(peer: Peer) -> tuple[str, str]:
        peer.answers_shots = False
        peer.reach(state)
        first = peer.need(command, seconds=max(peer.wait, PATIENCE))
        peer.polite = False
        peer.pump(seconds)
        more = [frame for frame in peer.frames if wire.is_command(frame[0]) and frame[0] not in (wire.NICK, wire.CHAT)]
        if not more:
            return KEPT, ""
        repeated = all(frame == first for frame in more)
        return (BORNE if repeated else BROKEN), tr("second", op=f"{more[0][0]:02X}")

    return check


def _wrong_echo(peer: Peer) -> tuple[str, str]:
    peer.reach(1)
    sent = peer.need(wire.PARAMS, seconds=max(peer.wait, PATIENCE))
    if peer.expect(wire.PLACE, seconds=0.2):
        raise NotThere(tr("second", op="A2"))
    peer.syncing = False  # nothing comes between
    peer.send(0x2B)
    if peer.expect(wire.PLACE, seconds=0.1):
        return BORNE, tr("second", op="A2")  # real programs do not wait for the rest
    peer.send(sent[1] ^ 1, *sent[2:])
    peer.syncing = True
    got = peer.expect(wire.PLACE, wire.BROKEN, wire.PARAMS, seconds=min(peer.wait, 2.0))
    if got is None:
        return peer.ignored()
    return (BROKEN, tr("accepted", op="A2")) if got[0] == wire.PLACE else (KEPT, "")


def _whole_game(peer: Peer) -> tuple[str, str]:
    """The sniffer's watcher finds no fault in a game against a player of ours."""
    game = WholeGame(peer)
    game.play()
    if not game.about or game.held_up:
        why = why_not_kept(game)
        if why:
            return OPEN, why
        return (BORNE if game.borne else KEPT), game.borne
    found, reason, traffic = game.about, game.reason, list(peer.traffic)
    for _more in range(1, _GAMES):
        game = WholeGame(peer, game.doubted)
        game.play()
        # a bug need not get as far each time, but what does not answer may not have heard
        if not game.about and (game.reason != reason or reason == watch.R_NO_REPLY):
            peer.traffic[:] = traffic
            return UNSTEADY, tr("conform_once", about=found)
    peer.proven = game.proven
    return BROKEN, game.about or found


_MASTER_TRIALS = (
    Trial("AA -> 01", _sync),
    Trial("A1 -> 1A", _answered(0, bytes((wire.MEET,)), 0x1A)),
    Trial("B1 -> 1B", _nick(1)),
    Trial("B2 -> 2B", _echo(PARAMETERS, BROKEN)),
    Trial("B2 06 40 30 20 11 -> 2B", _echo(TAGGED, BORNE)),
    Trial("B2 05 00 00 00 01 -> A8", _bad_parameters(bytes((5, 0, 0, 0, 1)))),
    Trial("B2 0B 01 02 03 04 -> A8", _bad_parameters(bytes((11, 1, 2, 3, 4)))),
    Trial("B2 0A 02 02 03 04 -> A8", _bad_parameters(bytes((10, 2, 2, 3, 4)))),
    Trial("B2 06 01 02 05 0A -> A8", _bad_parameters(bytes((6, 1, 2, 5, 10)))),
    Trial("rule_place_first", _placing_first),
    Trial("A2 -> 2A", _placing),
    Trial("rule_patient", _patient),
    Trial("A3 -> 3A", _answered(2, bytes((wire.MASTER_READY,)), 0x3A)),
    Trial("A5 -> 5A", _answered(2, bytes((wire.RESTART,)), 0x5A, BORNE)),
    Trial("C0 ... -> 0C/2C, A9 -> 9A", conform_battle.shots),
    Trial("rule_synced", conform_battle.synced),
    Trial("rule_late", conform_time.late_sync),
)

_SLAVE_TRIALS = (
    Trial("rule_searches", _sync),
    Trial("rule_syncs", conform_time.syncs),
    Trial("rule_meets", _waits_for(0, wire.MEET)),
    Trial("B1 -> 1B", _nick(1)),
    Trial("rule_ranges", _own_parameters),
    Trial("rule_offers", _waits_for(1, wire.PARAMS)),
    Trial("rule_echo", _wrong_echo),
    Trial("rule_shoots", _waits_for(4, wire.SHOT)),
    Trial("rule_field", conform_battle.own_shots),
    Trial("A4 -> 4A", _answered(3, bytes((wire.SLAVE_READY,)), 0x4A)),
    Trial("rule_battle_syncs", conform_time.battle_syncs),
)

_BOTH_TRIALS = (
    Trial("rule_turn", conform_battle.turn),
    Trial("rule_again", conform_battle.repeated_cell),
    Trial("rule_off_field", conform_battle.off_field),
    Trial("rule_false", conform_battle.false_answer),
    Trial("rule_nick_late", _nick(4)),
    Trial("rule_two", conform_battle.two_shots),
    Trial("rule_inside", conform_battle.sync_inside),
    Trial("rule_halves", conform_battle.halves),
    Trial("rule_slow", conform_battle.late_answer),
    Trial("rule_chat_first", conform_battle.chat_before_the_answer),
    Trial("A6 -> 6A", _answered(4, bytes((wire.SURRENDER,)), 0x6A, BORNE)),
    Trial("A7 -> 7A", _goodbye),
    Trial("rule_anew", _meets_again),
    Trial("rule_ended", _ended),
    Trial("rule_noise", _noise),
    Trial("rule_cut", _cut_frame),
    Trial("rule_unasked", _unasked),
    Trial("rule_nick", _nick_loop),
    Trial("rule_chat", _chat),
    Trial("rule_silence", conform_time.silence),
)
