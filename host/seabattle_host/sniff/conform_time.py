"""Trials of `seabattle conform` about time: a master's syncs, silence, and what comes after it."""

from __future__ import annotations

from seabattle import wire
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.sniff.conform_peer import BORNE, BROKEN, KEPT, OPEN, PATIENCE, Peer


def silence(peer: Peer) -> tuple[str, str]:
    """After 60 ticks of silence it does not go on by itself, and returns to state 0."""
    peer.reach(2)
    peer.silence()
    gave_up = any(frame[0] == wire.TIMED_OUT for frame in peer.frames)
    peer.start()
    if not peer.alive():
        return BROKEN, tr("conform_silent")
    return (KEPT, "") if gave_up else (OPEN, tr("conform_no_timeout"))


def late_sync(peer: Peer) -> tuple[str, str]:
    """A sync after more than 60 ticks of silence: the session goes on as if nothing had happened."""
    peer.reach(2)
    peer.syncing = False
    peer.pump(PATIENCE + 0.5)
    peer.syncing = True
    if not peer.alive():
        return BROKEN, tr("conform_silent")
    if any(frame[0] == wire.TIMED_OUT for frame in peer.frames):
        return KEPT, tr("gave_up")
    peer.send(wire.MASTER_READY)
    return (KEPT, "") if peer.expect(0x3A) else (BORNE, tr("missing", what="3A"))


def syncs(peer: Peer) -> tuple[str, str]:
    """A master syncs before the game."""
    peer.reach(1)
    return _longest_gap(peer)


def battle_syncs(peer: Peer) -> tuple[str, str]:
    """A master syncs while it waits for a shot."""
    peer.reach(4)
    peer.need(wire.SHOT, seconds=max(peer.wait, PATIENCE))
    return _longest_gap(peer)


def _longest_gap(peer: Peer) -> tuple[str, str]:
    """A master sends something at least every 10 ticks; gaps of up to 60 are tolerated."""
    longest = held_up = 0.0
    before, end = peer.heard_at, peer.clock() + PATIENCE + 0.5
    while (now := peer.clock()) < end:
        peer.pump(0.05)
        held_up = max(held_up, peer.clock() - now - 0.05)
        longest = max(longest, (peer.heard_at if peer.heard_at > before else peer.clock()) - before)
        before = peer.heard_at
    # bytes may have come earlier than this side looked
    if longest <= (wire.SYNC_TICKS + 2) * TICK_SECONDS + held_up:
        return KEPT, ""
    return (BORNE if longest <= PATIENCE + held_up else BROKEN), tr("slow_syncs", seconds=f"{longest:.2f}")
