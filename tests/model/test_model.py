"""Every joint state of two links within bounds, and proof that a bug in a link would be found."""

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


@pytest.mark.parametrize("bounds", SEARCHES.values(), ids=SEARCHES)
def test_every_joint_state_leads_on(bounds: Bounds):
    found = explore(bounds)
    print(f"{bounds}: {found.states} states, {found.moves} moves")
    assert found.complete and not found.fault, (found.fault, found.way)
    assert found.ends > 0


def test_a_damaged_byte_that_is_only_left_out_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Link, "rx_damaged", lambda self: self.reader.damage())
    found = explore(Bounds(faults=1, shots=2, quits=0, calm=True, kinds=("damage",)))
    assert "claims a violation" in found.fault


def test_a_calm_that_is_told_too_early_is_found(monkeypatch: pytest.MonkeyPatch):
    answered = Link._answered

    def at_once(self: Link, code: int) -> None:
        answered(self, code)
        self.calm(links.CALM_MS)

    monkeypatch.setattr(Link, "_answered", at_once)
    found = explore(Bounds(faults=1, shots=2, quits=0, calm=True, kinds=("double",)))
    assert "takes its shot for" in found.fault or found.fault == "a side counts a hit that was none"


def test_a_repeat_rule_by_time_alone_is_found(monkeypatch: pytest.MonkeyPatch):
    command = Link._command

    def by_time(self: Link, op: int) -> None:
        v = self.v
        if op == v[codes.V_LAST] == links.wire.SHOT and self._same_sign() and v[codes.V_LAST_AGE] <= 4:
            self._heard()
            self._repeat()
        else:
            command(self, op)

    monkeypatch.setattr(Link, "_command", by_time)
    found = explore(Bounds(faults=0, shots=3, quits=0, forgetful=True))
    assert found.fault.startswith("nobody can move")


def test_leaving_without_a_word_is_found(monkeypatch: pytest.MonkeyPatch):
    def closes(self: Link) -> int:
        self._close()
        return links.DONE

    monkeypatch.setattr(Link, "goodbye", closes)
    found = explore(Bounds(faults=0, shots=1, quits=0, goodbyes=1))
    assert "was not told on a clean line" in found.fault


def test_sending_after_having_left_is_found(monkeypatch: pytest.MonkeyPatch):
    tick = Link.tick

    def ticks_on(self: Link) -> None:
        if self.closed:
            self._send(links.wire.SYNC)
        tick(self)

    monkeypatch.setattr(Link, "tick", ticks_on)
    found = explore(Bounds(faults=0, shots=1, quits=0, goodbyes=1))
    assert "has left and still sends" in found.fault


def test_a_shot_that_is_not_held_back_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("seabattle.link_peer.HOLD", 0)
    found = explore(Bounds(faults=1, shots=2, quits=0, kinds=("double",)))
    assert "takes its shot for" in found.fault or found.fault == "a side counts a hit that was none"
    assert found.way[-1][1] == "deliver"


def test_a_turn_that_does_not_pass_is_found(monkeypatch: pytest.MonkeyPatch):
    answered = Link._answered

    def keeps_its_turn(self: Link, code: int) -> None:
        answered(self, code)
        self.v[codes.V_TURN] = self.v[codes.V_ROLE]

    monkeypatch.setattr(Link, "_answered", keeps_its_turn)
    found = explore(Bounds(faults=0, shots=2, quits=0))
    assert found.fault in ("both sides may shoot", "slave claims a violation on a clean line, reason 3")


def test_a_surrender_that_survives_a_restart_is_found(monkeypatch: pytest.MonkeyPatch):
    forget = Link._forget

    def keeps(self: Link, by: int) -> None:
        busy = self.v[codes.V_BUSY]
        forget(self, by)
        if busy == links.wire.SURRENDER:
            self.v[codes.V_BUSY] = busy

    monkeypatch.setattr(Link, "_forget", keeps)
    found = explore(Bounds(faults=0, shots=1, quits=2))
    assert found.fault
