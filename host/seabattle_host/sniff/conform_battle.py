"""Trials of `seabattle conform` in state 4: shots, their answers, and what may come between the two."""

from __future__ import annotations

from seabattle import wire
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.sniff.conform_peer import (
    BORNE,
    BROKEN,
    KEPT,
    NEW_TICKS,
    OPEN,
    PATIENCE,
    PLACES,
    Broken,
    NotThere,
    Peer,
)

_ANSWERS = (int(wire.MISS), int(wire.HIT), int(wire.SUNK), int(wire.REPEAT))
_LATE_TICKS = 2 * wire.REPLY_TICKS // 3
"""A late answer, but in time."""


def shots(peer: Peer) -> tuple[str, str]:
    """Shoot at every place until the ship sinks; the answers must be those of a single one-deck ship."""
    peer.reach(4)
    for x, y in sorted(PLACES):
        peer.send(wire.SHOT, x, y)
        frame = peer.expect(*_ANSWERS, wire.BROKEN, seconds=max(peer.wait, PATIENCE))
        if frame is None:
            return BROKEN, tr("missing", what=" / ".join(f"{op:02X}" for op in _ANSWERS))
        got = frame[0]
        if got == wire.BROKEN:
            return BROKEN, tr("conform_refused")
        if got == wire.SUNK:
            peer.send(wire.WON)
            return (KEPT, "") if peer.expect(0x9A) else (BORNE, tr("missing", what="9A"))
        if got != wire.MISS:
            return BROKEN, tr("conform_false_answer", op=f"{got:02X}")
        _other_turn(peer)
    return BROKEN, tr("conform_no_ship")


def _shoot(peer: Peer, x: int, y: int) -> int:
    peer.send(wire.SHOT, x, y)
    frame = peer.need(wire.MISS, wire.HIT, wire.SUNK, wire.REPEAT, seconds=max(peer.wait, PATIENCE))
    return frame[0]


def _other_turn(peer: Peer) -> None:
    """Let the opponent shoot, and miss."""
    if peer.need(wire.SHOT, wire.WON, seconds=max(peer.wait, PATIENCE))[0] == wire.WON:
        raise Broken(words.reason(wire.R_NOT_WON))


def repeated_cell(peer: Peer) -> tuple[str, str]:
    """Shoot at the same cell again."""
    _our_turn(peer)
    got = _shoot(peer, peer.size, peer.size)
    if got == wire.SUNK and sum(peer.counts) == 1:
        raise NotThere(tr("won_early"))
    if got == wire.MISS:
        _other_turn(peer)
    peer.pump(NEW_TICKS * TICK_SECONDS)
    got = _shoot(peer, peer.size, peer.size)
    return (KEPT, "") if got == wire.REPEAT else (BORNE, tr("conform_false_answer", op=f"{got:02X}"))


def off_field(peer: Peer) -> tuple[str, str]:
    """Shoot at a cell off the field."""
    _our_turn(peer)
    peer.send(wire.SHOT, peer.size + 1, 1)
    got = peer.expect(wire.BROKEN, wire.MISS, wire.HIT, wire.SUNK, wire.REPEAT, seconds=min(peer.wait, 2.0))
    if got is None:
        return peer.ignored()
    return (KEPT, "") if got[0] == wire.BROKEN else (BROKEN, tr("accepted", op=f"{got[0]:02X}"))


def false_answer(peer: Peer) -> tuple[str, str]:
    """Answer 2C for too many ships of one deck, or 3C for a cell not shot before. Many programs keep no record."""
    peer.answers_shots = False
    peer.reach(4)
    if peer.role == wire.MASTER and _shoot(peer, 1, 1) != wire.MISS:
        raise NotThere(tr("won_early"))
    longer = any(peer.counts[:3])
    for count in range(peer.counts[3] + 1 if longer else 1):
        frame = peer.need(wire.SHOT, wire.BROKEN, seconds=max(peer.wait, PATIENCE))
        if frame[0] == wire.BROKEN:
            return (BROKEN, tr("accused")) if count == 1 else (KEPT, "")  # ships do not touch
        peer.send(wire.SUNK if longer else wire.REPEAT)
    got = peer.expect(wire.BROKEN, wire.SHOT, wire.WON, seconds=min(peer.wait, 2.0))
    if got is None:
        return peer.ignored()
    return (KEPT, "") if got[0] == wire.BROKEN else (BORNE, tr("conform_goes_on", op=f"{got[0]:02X}"))


def turn(peer: Peer) -> tuple[str, str]:
    """After a miss it waits until the other has missed, too."""
    peer.reach(4)
    if peer.role == wire.MASTER and _shoot(peer, 1, 1) != wire.MISS:
        raise NotThere(tr("won_early"))
    first = peer.need(wire.SHOT, seconds=max(peer.wait, PATIENCE))
    more = peer.expect(wire.SHOT, seconds=1.5)
    # the same again: it has not got the answer
    return (BROKEN, words.reason(wire.R_TURN)) if more not in (None, first) else (KEPT, "")


def synced(peer: Peer) -> tuple[str, str]:
    """In a battle, too, a slave answers syncs."""
    peer.reach(4)
    before = peer.synced
    peer.send(wire.SYNC)
    got = peer.pump(peer.wait, lambda: peer.synced > before)
    return (KEPT, "") if got else (BROKEN, tr("missing", what="01"))


def own_shots(peer: Peer) -> tuple[str, str]:
    """A master shoots first, at cells of the field it has offered."""
    peer.reach(4)
    for x, y in sorted(PLACES)[:3]:
        shot = peer.need(wire.SHOT, seconds=max(peer.wait, PATIENCE))
        if not (1 <= shot[1] <= peer.size and 1 <= shot[2] <= peer.size):
            peer.proven = True
            return BROKEN, words.reason(wire.R_CELL)
        if _shoot(peer, x, y) not in (wire.MISS, wire.REPEAT):
            break
    return KEPT, ""


def _our_turn(peer: Peer) -> None:
    peer.reach(4)
    if peer.role == wire.SLAVE:
        _other_turn(peer)


def _held_shot(peer: Peer) -> tuple[int, int]:
    """The program has shot, and is not answered yet: at which cell."""
    peer.reach(4)
    if peer.role == wire.MASTER and _shoot(peer, 1, 1) != wire.MISS:
        raise NotThere(tr("won_early"))
    shot = peer.need(wire.SHOT, seconds=max(peer.wait, PATIENCE))
    return shot[1], shot[2]


def _goes_on(peer: Peer) -> tuple[str, str]:
    """The shot of the program has missed: it answers ours."""
    x = 6 if peer.role == wire.MASTER else 1
    peer.send(wire.SHOT, x, 1)
    got = peer.expect(wire.BROKEN, wire.TIMED_OUT, *_ANSWERS)
    if got is None or got[0] not in _ANSWERS:
        _not_crossed(peer)
    if got is None:
        return BROKEN, tr("conform_silent")
    return (KEPT, "") if got[0] in _ANSWERS else (BROKEN, tr("accepted", op=f"{got[0]:02X}"))


def _not_crossed(peer: Peer) -> None:
    """Raise NotThere if the program has shot though it was our turn: then our shot has crossed its own."""
    shots = [line[0] for line in peer.traffic if line[2:].startswith("C0")]
    if "<" in shots[len(shots) - shots[::-1].index(">") :] or (peer.role == wire.MASTER and shots[0] == "<"):
        raise NotThere(words.reason(wire.R_TURN))


def two_shots(peer: Peer) -> tuple[str, str]:
    """Two shots at once: nobody sends a second command before the first is answered, and the first one misses."""
    _our_turn(peer)
    peer.send(wire.SHOT, 1, 1)
    peer.send(wire.SHOT, 6, 6)
    found = peer.expect(wire.BROKEN, *_ANSWERS)
    if found is None:
        return peer.ignored()
    if found[0] == wire.BROKEN:
        return KEPT, ""
    if found[0] == wire.SUNK and peer.role == wire.MASTER:
        return OPEN, tr("won_early")
    found = peer.expect(wire.BROKEN, *_ANSWERS, seconds=1.0)
    if found is None:
        return BORNE, tr("ignored")
    # real programs take whatever comes
    return (KEPT, "") if found[0] == wire.BROKEN else (BORNE, tr("accepted", op=f"{found[0]:02X}"))


def sync_inside(peer: Peer) -> tuple[str, str]:
    """A sync inside a shot is a cell that there is not; some leave it out."""
    _our_turn(peer)
    peer.send(wire.SHOT, wire.SYNC, 1)
    found = peer.expect(wire.BROKEN, *_ANSWERS, seconds=min(peer.wait, 2.0))
    if found is None:
        return peer.ignored()
    return (KEPT, "") if found[0] == wire.BROKEN else (BORNE, tr("accepted", op=f"{found[0]:02X}"))


def halves(peer: Peer) -> tuple[str, str]:
    """A shot in two halves, the second in time."""
    _our_turn(peer)
    peer.syncing = False  # nothing comes between them
    peer.send(wire.SHOT, 1)
    peer.pump((wire.GAP_TICKS - 2) * TICK_SECONDS)
    peer.send(1)
    peer.syncing = True
    found = peer.expect(wire.BROKEN, *_ANSWERS)
    if found is None:
        return BROKEN, tr("missing", what="0C")
    if found[0] in _ANSWERS:
        return KEPT, ""
    _not_crossed(peer)
    return BROKEN, tr("conform_refused")


def late_answer(peer: Peer) -> tuple[str, str]:
    """An answer that is late, but in time, is waited for."""
    peer.answers_shots = False
    cell = _held_shot(peer)
    peer.pump(_LATE_TICKS * TICK_SECONDS)
    for frame in peer.frames:
        if frame[0] in (wire.TIMED_OUT, wire.BROKEN):
            return BROKEN, tr("second", op=f"{frame[0]:02X}")
    peer.frames.clear()
    peer.send(peer.shot_at(cell))
    return _goes_on(peer)


def chat_before_the_answer(peer: Peer) -> tuple[str, str]:
    """A chat that crosses a shot changes nothing."""
    peer.answers_shots = False
    cell = _held_shot(peer)
    peer.send(wire.CHAT, 1, 0x20)
    if peer.expect(wire.BROKEN, seconds=0.5) is not None:
        return BROKEN, tr("accused")
    peer.send(peer.shot_at(cell))
    return _goes_on(peer)
