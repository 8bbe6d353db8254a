"""Push buttons and the rotary encoder: what a person does to them, and the keys that come of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from seabattle_host import assets

STEP_MS = 3
HALF_ROUND = 2**28


@pytest.fixture(autouse=True)
def firmware(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(assets.firmware()))
    yield
    for name in [name for name in sys.modules if name.startswith("seaboard")]:
        del sys.modules[name]


class Hands:
    """Six buttons and an encoder with fingers on them, and a clock that is about to go round."""

    def __init__(self, start: int = 2**29 - 100) -> None:
        from seaboard.buttons import Buttons

        self.down = dict.fromkeys(("UP", "DOWN", "LEFT", "RIGHT", "OK", "BACK"), False)
        self.contacts = [1, 1]
        self.buttons = Buttons(
            *(self.pin(name) for name in self.down), lambda: self.contacts[0], lambda: self.contacts[1]
        )
        self.now = start
        self.heard: list[str] = []

    def pin(self, name: str):
        return lambda: 0 if self.down[name] else 1

    def wait(self, ms: int) -> None:
        from seaboard import keys

        names = {getattr(keys, name): name for name in ("UP", "DOWN", "LEFT", "RIGHT", "OK", "BACK")}
        for _ in range(0, ms, STEP_MS):
            self.now = (self.now + STEP_MS) % 2**29
            key = self.buttons.get(self.now)
            if key:
                self.heard.append(names[key])

    def press(self, name: str, ms: int) -> None:
        self.down[name] = True
        self.wait(ms)
        self.down[name] = False
        self.wait(60)

    def bounce(self, name: str, ms: int) -> None:
        """A contact that opens and closes every few milliseconds."""
        for _ in range(0, ms, STEP_MS):
            self.down[name] = not self.down[name]
            self.wait(STEP_MS)
        self.down[name] = False

    def turn(self, clicks: int) -> None:
        """The encoder turned by so many clicks; negative: the other way."""
        states = [(0, 1), (0, 0), (1, 0), (1, 1)] if clicks < 0 else [(1, 0), (0, 0), (0, 1), (1, 1)]
        for _ in range(abs(clicks)):
            for state in states:
                self.contacts[:] = state
                self.wait(STEP_MS)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.mark.parametrize(
    ("acts", "heard"),
    [
        ("wait 5000", ""),
        *((f"press {name} 80", name) for name in ("UP", "DOWN", "LEFT", "RIGHT", "OK", "BACK")),
        # held, OK is BACK, and BACK is it once
        ("press OK 3000", "BACK"),
        ("press BACK 3000", "BACK"),
        # contacts that open and close are no key, and a press that bounces is one
        ("bounce OK 500, bounce UP 500, wait 100", ""),
        ("bounce DOWN 12, press DOWN 100, bounce DOWN 12, wait 100", "DOWN"),
        ("turn 3, turn -2", "DOWN DOWN DOWN UP UP"),
    ],
)
def test_what_hands_do_is_heard_as_keys(hands: Hands, acts: str, heard: str) -> None:
    for act in acts.split(", "):
        name, *arguments = act.split()
        getattr(hands, name)(*(int(one) if one.lstrip("-").isdigit() else one for one in arguments))
    assert hands.heard == heard.split()


def test_a_direction_comes_when_it_is_pressed_and_ok_when_it_is_let_go(hands: Hands) -> None:
    hands.down["LEFT"] = hands.down["OK"] = True
    hands.wait(60)
    assert hands.heard == ["LEFT"]
    hands.down["LEFT"] = hands.down["OK"] = False
    hands.wait(60)
    assert hands.heard == ["LEFT", "OK"]


def test_a_direction_repeats_while_it_is_held(hands: Hands) -> None:
    hands.press("RIGHT", 1000)
    count = len(hands.heard)
    assert set(hands.heard) == {"RIGHT"} and 5 <= count <= 8
    hands.wait(1000)
    assert len(hands.heard) == count


def test_a_key_pressed_again_after_a_long_time(hands: Hands) -> None:
    """The clock goes round; half a round later nothing repeats by itself."""
    hands.press("UP", 80)
    hands.now = (hands.now + HALF_ROUND + 1000) % 2**29
    hands.wait(60)
    assert hands.heard == ["UP"]
    hands.press("UP", 80)
    assert hands.heard == ["UP", "UP"]


def test_a_click_that_is_not_finished_is_none(hands: Hands) -> None:
    for state in ((1, 0), (1, 1), (0, 1), (1, 1)):
        hands.contacts[:] = state
        hands.wait(STEP_MS)
    assert hands.heard == []


def test_the_encoder_pushed_turns_left_and_right_and_the_push_is_spent(hands: Hands) -> None:
    hands.down["OK"] = True
    hands.wait(60)
    hands.turn(2)
    hands.turn(-1)
    hands.wait(3000)
    hands.down["OK"] = False
    hands.wait(60)
    assert hands.heard == ["RIGHT", "RIGHT", "LEFT"]
    hands.press("OK", 80)
    assert hands.heard[3:] == ["OK"]
