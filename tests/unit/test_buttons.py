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

    def hold(self, *names: str) -> None:
        for name in self.down:
            self.down[name] = name in names
        self.wait(60)

    def press(self, name: str, ms: int) -> None:
        self.down[name] = True
        self.wait(ms)
        self.hold()

    def bounce(self, name: str, ms: int) -> None:
        """A contact that opens and closes every few milliseconds."""
        for _ in range(0, ms, STEP_MS):
            self.down[name] = not self.down[name]
            self.wait(STEP_MS)
        self.down[name] = False

    def turn(self, clicks: int) -> None:
        """The encoder turned by so many clicks; negative: the other way."""
        states = [(0, 1), (0, 0), (1, 0), (1, 1)] if clicks < 0 else [(1, 0), (0, 0), (0, 1), (1, 1)]
        for state in states * abs(clicks):
            self.contacts[:] = state
            self.wait(STEP_MS)

    def half_a_click(self) -> None:
        for state in ((1, 0), (1, 1), (0, 1), (1, 1)):
            self.contacts[:] = state
            self.wait(STEP_MS)

    def leave(self) -> None:
        """For so long that the clock has gone half round and a little."""
        self.now = (self.now + HALF_ROUND + 1000) % 2**29
        self.wait(60)


@pytest.mark.parametrize(
    ("acts", "heard"),
    [
        ("wait 5000", ""),
        *((f"press {name} 80", name) for name in ("UP", "DOWN", "LEFT", "RIGHT", "OK", "BACK")),
        # held, OK is BACK, and BACK is it once; a direction comes again and again
        ("press OK 3000", "BACK"),
        ("press BACK 3000", "BACK"),
        ("press RIGHT 1000, wait 1000", "RIGHT " * 7),
        # a direction comes when it is pressed, and OK when it is let go
        ("hold LEFT OK", "LEFT"),
        ("hold LEFT OK, hold", "LEFT OK"),
        # contacts that open and close are no key, and a press that bounces is one
        ("bounce OK 500, bounce UP 500, wait 100", ""),
        ("bounce DOWN 12, press DOWN 100, bounce DOWN 12, wait 100", "DOWN"),
        # after a long time nothing repeats by itself
        ("press UP 80, leave", "UP"),
        ("press UP 80, leave, press UP 80", "UP UP"),
        ("turn 3, turn -2", "DOWN DOWN DOWN UP UP"),
        ("half_a_click", ""),
        # pushed, the encoder turns left and right, and the push is spent
        ("hold OK, turn 2, turn -1, wait 3000, hold", "RIGHT RIGHT LEFT"),
        ("hold OK, turn 2, turn -1, wait 3000, hold, press OK 80", "RIGHT RIGHT LEFT OK"),
    ],
)
def test_what_hands_do_is_heard_as_keys(acts: str, heard: str) -> None:
    hands = Hands()
    for act in acts.split(", "):
        name, *arguments = act.split()
        getattr(hands, name)(*(int(one) if one.lstrip("-").isdigit() else one for one in arguments))
    assert hands.heard == heard.split()
