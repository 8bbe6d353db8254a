"""Breadth-first search through every joint state of two links and their line.

    python -m tests.model.explore [--faults N] [--shots N] [--quits N] [--goodbyes N]
                                  [--limit STATES]

Prints the number of states, and for a property that fails the shortest path to it.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.model.system import FAULT, FREE, NAME, PERSON, Bounds, Broken, System


@dataclass
class Found:
    """The result of a search. `complete` is False when it stopped at its limit."""

    states: int = 0
    moves: int = 0
    complete: bool = True
    ends: int = 0  # states in which nothing is in transit and both sides agree
    fault: str = ""
    way: list[tuple] = field(default_factory=list)


def explore(bounds: Bounds, limit: int = 10**9, make: Callable[[Bounds], System] = System) -> Found:
    """Search all states within the bounds, or the first `limit` of them."""
    system = make(bounds)
    first = system.save()
    parent: dict[tuple, tuple[tuple, tuple] | None] = {first: None}
    queue = deque([first])
    found = Found()
    following: dict[tuple, list[tuple]] = {}
    good = []
    while queue:
        state = queue.popleft()
        found.states += 1
        system.load(state)
        if settled(system):
            good.append(state)
        ways = []
        for number, move in enumerate(system.moves()):
            if number:
                system.load(state)
            try:
                system.do(move)
                after = system.save()
                if after not in parent:
                    system.check()
            except Broken as e:
                found.fault = str(e)
                found.way = [*way_to(parent, state), move]
                return found
            found.moves += 1
            if move[0] != FAULT:
                ways.append(after)
            if after not in parent:
                if len(parent) >= limit:
                    found.complete = False
                    continue
                parent[after] = (state, move)
                queue.append(after)
        following[state] = ways
    _every_state_leads_on(good, parent, following, found)
    return found


def _every_state_leads_on(good: list[tuple], parent: dict, following: dict, found: Found) -> None:
    """Check that from every state, without another fault, a `good` one, in which both sides agree, is reachable."""
    before: dict[tuple, list[tuple]] = {}
    for state, ways in following.items():
        for after in ways:
            before.setdefault(after, []).append(state)
    found.ends = len(good)
    reached = set(good)
    while good:
        for state in before.get(good.pop(), ()):
            if state not in reached:
                reached.add(state)
                good.append(state)
    for state in parent:
        # Beyond the limit nothing was searched, so nothing is known about what follows.
        if state not in reached and state in following and found.complete:
            found.fault = "no way on: no state in which both sides agree can be reached"
            found.way = way_to(parent, state)
            return


def settled(system: System) -> bool:
    """Whether nothing is in transit and both sides are at the same place: they play on, or they know how it ended.
    After the end one may have left already (state 0) while the other still shows the result (state 9).
    """
    master, slave = (endpoint.link for endpoint in system.endpoints)
    if system.lines[0] or system.lines[1] or master.busy or slave.busy or master.key_awaited or slave.key_awaited:
        return False
    if master.state != slave.state:
        return master.state in (0, 9) and slave.state in (0, 9)
    return master.state != 4 or (master.my_turn != slave.my_turn and master.its_losses == slave.my_losses)


def way_to(parent: dict, state: tuple) -> list[tuple]:
    """Return the moves from the first state to this one."""
    way = []
    while parent[state] is not None:
        state, move = parent[state]
        way.append(move)
    return way[::-1]


def words(move: tuple) -> str:
    """Return a move in readable words."""
    kind, what, side = move[:3]
    if kind == PERSON:
        return f"{NAME[side]}'s person: {what}"
    if what == "calm":
        return f"the {NAME[side]} hears nothing for some milliseconds"
    if kind == FREE and what == "wait":
        return "11 ticks pass"
    if what == "delay":
        return "the line stands still for 70 ticks"
    if kind == FAULT:
        return f"{what} byte {move[3] + 1} of what the {NAME[side]} sent"
    return f"{what} what the {NAME[side]} sent"


def main() -> int:
    parser = argparse.ArgumentParser(description="Search every joint state of two links and their line.")
    parser.add_argument("--faults", type=int, default=1, help="what the line may do wrong in one run (default 1)")
    parser.add_argument("--shots", type=int, default=3, help="shots of each side (default 3)")
    parser.add_argument("--quits", type=int, default=1, help="surrenders and restarts in one run (default 1)")
    parser.add_argument("--goodbyes", type=int, default=1, help="how many of the two may leave (default 1)")
    parser.add_argument("--limit", type=int, default=10**9, help="stop after so many states")
    args = parser.parse_args()
    found = explore(Bounds(args.faults, args.shots, args.quits, args.goodbyes), args.limit)
    print(f"{found.states} states, {found.moves} moves, {found.ends} of the states in agreement")
    if not found.complete:
        print("stopped at the limit: the search is not complete")
    if found.fault:
        print(f"{found.fault}, after:")
        for move in found.way:
            print(f"  {words(move)}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
