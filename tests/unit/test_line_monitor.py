"""Bytes that make no sense: reported at once, with the cause where the bytes show it, and never on a good line."""

from __future__ import annotations

import random

import pytest

from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.line.settings_guess import BAUDS, Guess, guess, levels, receive
from tests.sizes import proof

OURS = Settings()
SYNC = 0xAA
AT_ONCE = 24
"""Bytes after which it must have been reported."""


pytestmark = pytest.mark.usefixtures("english")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Driver:
    """A port whose driver counts damaged bytes."""

    url = device = "loop://"
    is_open = True
    errors = LineErrors()


def hear(data: bytes, settings: Settings = OURS, seconds: float = 0.55, at_once: int = 1) -> list[str]:
    """Return what is reported while these bytes arrive, singly or several in a read."""
    clock = Clock()
    sense = LineMonitor(settings, clock=clock)
    said = []
    for i in range(0, len(data), at_once):
        clock.now += seconds
        sense.traffic(0.0, False, data[i : i + at_once])
        said.append(sense.warning())
    clock.now += 1.0
    return [line for line in (*said, sense.warning()) if line]


def over(theirs: Settings, inverted: bool = False, count: int = AT_ONCE, data: bytes = bytes([SYNC])) -> bytes:
    """Return the bytes we read of what a sender with other settings repeats."""
    once = b"".join(receive(levels(byte, theirs, inverted), theirs.baud, OURS) for byte in data)
    return (once * count)[:count]


@pytest.mark.parametrize("parity", "NEO")
@pytest.mark.parametrize("baud", [1200, 2400, 4800, 14400, 19200, 28800])
def test_the_speed_of_the_other_side_is_told_from_a_dozen_bytes(baud: int, parity: str):
    got = over(Settings(baud, 8, parity), count=12)
    assert guess(got, OURS) == Guess((baud,), False)
    said = hear(got + got)
    assert any(f"seems to send at {baud} baud" in line and f"--baud {baud}" in line for line in said)


@pytest.mark.parametrize("baud", [2400, 4800, 9600])
def test_inverted_levels_are_told(baud: int):
    got = over(Settings(baud), inverted=True)
    assert guess(got, OURS) == Guess((baud,), True)
    assert "inverted" in hear(got)[-1]


def test_speeds_that_look_alike_are_all_named_once_and_the_usual_one_is_to_be_tried():
    assert any("38400/57600 baud" in line for line in hear(over(Settings(57600))))
    for slow in (300, 600):
        assert "far slower than 9600 8E2 (300/600 baud: try --baud 600)" in hear(over(Settings(slow)))[-1]
    # repeats of one byte add no certainty
    (said,) = hear(b"\xff" * 200)
    assert "38400/57600/115200 baud" in said and "--baud 115200" in said
    assert len(hear(bytes([0xF0]) * 200)) == 1, "again only when there is more to say"
    # a few bytes are enough if no more come
    assert not hear(b"\xfe\xf0\xff", seconds=0.1)
    assert hear(b"\xf0\x70\x71\x72\x73", seconds=1.0)


@pytest.mark.parametrize("parity", "NE")
@pytest.mark.parametrize("baud", BAUDS)
def test_a_text_without_pauses_is_never_taken_for_inverted_levels(baud: int, parity: str):
    line = [1] * 24
    for byte in b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n" * 2:
        line += levels(byte, Settings(baud, 8, parity, 1))[24:-24]
    got = receive(line, baud, OURS)
    assert guess(got, OURS) in (None, Guess((baud,), False))


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        (b">>> ", "prompt"),
        (b"AT\r", "ModemManager"),
        (b"rst:0x1 (POWERON_RESET),boot:0x13\r\n", "console"),
        (b"$GPGGA,123519,4807.038,N*47\r\n", "GPS"),
        (b"\r\nraspberrypi login: ", "login"),
        (b"Hello, world!\r\n" * 2, "right port"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_text_is_quoted_with_whose_it_is(text: bytes, whose: str):
    assert any("are text" in line and whose in line for line in hear(text, seconds=1.2))


def test_a_text_of_a_player_makes_sense_on_a_good_line_also_with_controls_and_none_on_another():
    assert not hear(b"\xaa\xb1\x0aHello, you\xb3\x16how do you do, my dear\xaa", seconds=0.002)
    chat = b"\xb3\x10a\tb\r\n\x1b[2J\x07\x00\x9b\x7f\x08\x01\x02"
    assert hear(b"\xaa" * 16 + chat, seconds=0.002) == []
    assert hear(b"\xf0" * 16 + chat, seconds=0.002)


@pytest.mark.parametrize("accused", ["2B 00 00 00 00 00", "B2 14 09 09 09 09", "B3 04 1B 5B 32 4A"])
def test_the_frame_that_is_accused_does_not_speak_for_a_bad_line_and_noise_does(accused: str):
    sense = LineMonitor(OURS, clock=Clock())
    sense.traffic(0.0, False, bytes.fromhex("01 1A 1B " + accused))
    assert sense.doubt() == "" == sense.warning()
    sense.traffic(0.0, False, bytes.fromhex("77 E5"))
    assert accused.startswith("2B") or "may be its doing" in sense.doubt()


@pytest.mark.parametrize(
    ("ours", "theirs", "doubt"),
    [
        # it begins the battle, or shoots, because it has got our A3 or A4
        ("A3", "A4", "'master is ready' has not come"),
        ("A4", "C0 01 01", "'slave is ready, battle' has not come"),
        ("A3 A8", "A4", "'master is ready' has not come"),
        # too early, whatever was lost
        ("A2", "A4", ""),
        ("", "A4", ""),
        ("A3", "3A C0 01 01", ""),
        ("A3", "3A A4 A4", ""),
        ("A2", "C0 01 01", ""),
    ],
)
def test_a_lost_reply_is_named_where_it_explains_the_next_command(ours: str, theirs: str, doubt: str):
    sense = LineMonitor(OURS, clock=Clock())
    sense.traffic(0.0, True, bytes.fromhex(ours))
    sense.traffic(0.0, False, bytes.fromhex(theirs))
    assert doubt in sense.doubt() if doubt else not sense.doubt()


@pytest.mark.parametrize(
    ("talk", "told"),
    [
        ("> C0 04 02 < 0C", "though it is its turn: it may have taken 'miss' at D2 for another answer"),
        ("< C0 04 02 > 1C", "though it is its turn: it may have taken 'hit' at D2 for another answer"),
        ("> A4 < 4A", "though it begins"),
        # ours is the turn, a shot has no answer, or the game is over
        ("> C0 04 02 < 1C", ""),
        ("< C0 04 02 > 0C", ""),
        ("> C0 04 02 < 0C C0 01 01", ""),
        ("> C0 04 02 < 0C A6 > 6A", ""),
    ],
)
def test_that_both_may_wait_for_the_other_is_said_once_in_a_battle(talk: str, told: str):
    clock = Clock()
    sense = LineMonitor(OURS, clock=clock)
    sent = False
    for word in talk.split():
        if word in "<>":
            sent = word == ">"
        else:
            sense.traffic(0.0, sent, bytes.fromhex(word))
    for fights in (False, True, True):
        clock.now += 61.0
        sense.traffic(0.0, False, b"\x01")
        line = sense.warning(fights)
        assert told in line if fights and told else not line
        told = "" if fights else told


def test_one_byte_without_a_pause_is_no_player_and_what_was_kept_back_is_one():
    assert "AA comes without a pause" in "".join(hear(b"\xaa" * 60, seconds=0.02))
    assert "B1 comes without a pause" in "".join(hear(b"\xb1" * 60, seconds=0.02))
    assert "AA comes without a pause" in "".join(hear(b"\xaa" * 20_000, seconds=0.05, at_once=1000))
    for letter in (b"A", b"\xaa", b" "):
        for op in (b"\xb1", b"\xb3"):
            assert not hear(b"\xaa" + op + b"\xff" + letter * 255 + b"\xaa", seconds=0.00125)
            assert "AA comes" in "".join(hear(op + b"\xff" + letter * 255 + b"\xaa" * 60, seconds=0.02))
    clock = Clock()
    sense = LineMonitor(OURS, clock=clock)
    sense.traffic(0.0, False, b"\xaa" * 100)
    for _ in range(20):
        assert sense.warning() == ""
        clock.now += 0.55
        sense.traffic(0.0, False, b"\xaa")


def test_noise_is_said_to_be_noise_and_no_speed_is_made_up():
    rng = random.Random(5)
    for _ in range(proof(6, 40)):
        data = bytes(rng.randrange(256) for _ in range(82))
        said = hear(data, seconds=0.01)
        assert said and all("make no sense" in line and "baud," not in line for line in said)


def game() -> bytes:
    """Return the bytes that one side of a whole game receives."""
    shots = b"".join(bytes([0xC0, 1 + i % 10, 1 + i // 10, 0x0C]) for i in range(60))
    return b"\xaa\xa1\xb1\x04\xe0\xeb\xe1\xa0\xb2\x0a\x01\x02\x03\x04\xa2\xb3\x01 \xaa\xa3" + shots + b"\xa9\xa7"


@pytest.mark.parametrize("seconds", [0.002, 0.2])
def test_a_game_makes_sense_also_with_a_damaged_byte_here_and_there(seconds: float):
    data = bytearray(game())
    assert hear(bytes(data), seconds=seconds) == []
    for at in range(5, len(data), 25):
        data[at] ^= 0x40
    assert hear(bytes(data), seconds=seconds) == []


def test_our_own_bytes_that_come_back_are_an_echo_and_an_equal_player_is_none():
    clock = Clock()
    echo, twin = LineMonitor(OURS, clock=clock), LineMonitor(OURS, clock=clock)
    for number in range(12):
        # a few are enough while nothing else comes
        assert bool(echo.line) == (number > 2)
        for sense, later in ((echo, 0.002), (twin, 0.3)):
            sense.traffic(0.0, True, bytes([SYNC]))
            clock.now += later
            sense.traffic(0.0, False, bytes([SYNC]))
        if number == 2:
            warning = echo.warning()
    # a master in step with us would look the same
    assert "our own syncs come back, or the other side is a master too" in warning
    for byte in b"\xa7\xa0":
        echo.traffic(0.0, True, bytes([byte]))
        echo.traffic(0.0, False, bytes([byte]))
    assert "our own bytes come back" in echo.warning()
    assert "a master too" in twin.warning()


def test_silence_is_said_with_what_to_check():
    clock = Clock()
    sense = LineMonitor(OURS, clock=clock)
    assert sense.warning() == ""
    clock.now = 11.0
    assert "nothing received so far" in sense.warning()
    sense.traffic(0.0, False, bytes([SYNC]))
    assert (sense.warning(), sense.line) == ("", "")


def test_damage_that_the_driver_counts_on_most_bytes_is_another_parity():
    driver = Driver()
    sense = LineMonitor(OURS, driver)
    sense.traffic(0.0, False, bytes([SYNC]) * 16)
    assert sense.warning() == ""
    driver.errors = LineErrors(parity=16)
    sense.traffic(0.0, False, bytes([SYNC]) * 16)
    assert "another parity" in sense.warning()


@pytest.mark.parametrize(
    ("heard", "lost"), [("C0 02 09", True), ("0C C0 02 09", False), ("AA B3 01 41 C0 02 09", True)]
)
def test_a_shot_out_of_turn_whose_cause_may_be_a_lost_answer_accuses_nobody_for_sure(heard: str, lost: bool):
    sense = LineMonitor(OURS, clock=Clock())
    sense.traffic(0.0, True, bytes.fromhex("01 C0 05 05"))
    sense.traffic(0.0, False, bytes.fromhex(heard))
    sense.traffic(0.0, True, bytes.fromhex("A8"))
    sense.traffic(0.0, False, bytes.fromhex("8A AA"))
    assert ("its answer to our shot has not come" in sense.doubt()) == lost
    sense.traffic(0.0, False, bytes.fromhex("A1"))
    assert sense.doubt() == ""
