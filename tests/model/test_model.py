"""Every joint state of two links within bounds, and proof that the search would find a bug in a link."""

import gc
import re
from collections.abc import Iterator

import pytest

from seabattle import link as links
from seabattle import link_codes as codes
from seabattle.link import Link
from tests.model.explore import explore
from tests.model.system import Bounds
from tests.sizes import proof

SEARCHES = {
    "clean line with surrenders and restarts at any moment": Bounds(faults=0, shots=proof(1, 3), quits=2),
    "one fault of the line at any moment": Bounds(faults=1, shots=proof(1, 2), quits=0),
    "one fault and one surrender or restart": Bounds(
        faults=1, shots=proof(0, 1), quits=1, kinds=("drop", "delay")[: proof(1, 2)]
    ),
    "both may leave at any moment on a clean line": Bounds(faults=0, shots=1, quits=proof(0, 1), goodbyes=2),
    "one fault and one who leaves at any moment": Bounds(
        faults=1, shots=proof(0, 1), quits=0, goodbyes=1, kinds=("drop",)
    ),
    "fast opponents that shoot at their last cell again": Bounds(faults=0, shots=3, quits=0, forgetful=True),
    "one fault between fast opponents": Bounds(faults=1, shots=2, quits=0, forgetful=True, kinds=("drop",)),
    "shots that are held back for milliseconds only": Bounds(
        faults=1, shots=proof(1, 2), quits=0, calm=True, kinds=("double",)
    ),
    "a damaged byte at any moment accuses nobody": Bounds(
        faults=1, shots=proof(1, 2), quits=0, calm=True, kinds=("damage",)
    ),
}


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """A search makes a million tuples and no circle of them: looking for some takes a tenth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("bounds", SEARCHES.values(), ids=SEARCHES)
def test_every_joint_state_leads_on(bounds: Bounds):
    found = explore(bounds)
    print(f"{bounds}: {found.states} states, {found.moves} moves")
    assert found.complete and not found.fault, (found.fault, found.way)
    assert found.ends > 0


def only_left_out(self: Link) -> None:
    self.reader.damage()


def closes(self: Link) -> int:
    """Leave without a goodbye."""
    self._close()
    return links.DONE


def calm_too_early(self: Link, code: int) -> None:
    ANSWERED(self, code)
    self.calm(links.CALM_MS)


def keeps_its_turn(self: Link, code: int) -> None:
    ANSWERED(self, code)
    self.v[codes.V_TURN] = self.v[codes.V_ROLE]


def repeat_by_time(self: Link, op: int) -> None:
    v = self.v
    if op == v[codes.V_LAST] == links.wire.SHOT and self._same_sign() and v[codes.V_LAST_AGE] <= 4:
        self._peer_active()
        self._repeat()
    else:
        COMMAND(self, op)


def sends_after_leaving(self: Link) -> None:
    if self.closed:
        self._send(links.wire.SYNC)
    TICK(self)


def surrender_survives(self: Link, by: int) -> None:
    busy = self.v[codes.V_BUSY]
    FORGET(self, by)
    if busy == links.wire.SURRENDER:
        self.v[codes.V_BUSY] = busy


ANSWERED, COMMAND, TICK, FORGET = Link._answered, Link._command, Link.tick, Link._forget
HIT_THAT_WAS_NONE = "takes its shot for|^a side counts a hit that was none$"


@pytest.mark.parametrize(
    ("method", "bug", "bounds", "found"),
    [
        ("rx_damaged", only_left_out, Bounds(1, 2, 0, calm=True, kinds=("damage",)), "claims a violation"),
        ("_answered", calm_too_early, Bounds(1, 2, 0, calm=True, kinds=("double",)), HIT_THAT_WAS_NONE),
        ("_answered", keeps_its_turn, Bounds(0, 2, 0), "both sides may shoot|violation on a clean line, reason 3"),
        ("_command", repeat_by_time, Bounds(0, 3, 0, forgetful=True), "^nobody can move"),
        ("goodbye", closes, Bounds(0, 1, 0, goodbyes=1), "was not told on a clean line"),
        ("tick", sends_after_leaving, Bounds(0, 1, 0, goodbyes=1), "has left and still sends"),
        ("_forget", surrender_survives, Bounds(0, 1, 2), "."),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_bug_is_found(monkeypatch: pytest.MonkeyPatch, method: str, bug: object, bounds: Bounds, found: str):
    monkeypatch.setattr(Link, method, bug)
    assert re.search(found, explore(bounds).fault)


def test_a_shot_that_is_not_held_back_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("seabattle.link_peer.HOLD", 0)
    found = explore(Bounds(faults=1, shots=2, quits=0, kinds=("double",)))
    assert re.search(HIT_THAT_WAS_NONE, found.fault)
    assert found.way[-1][1] == "deliver"
