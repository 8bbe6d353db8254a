"""The text log of a session: a line a frame, on the disk at once, and no trouble for the session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.line.log import TextLog

pytestmark = pytest.mark.usefixtures("english")


def lines_of(path: Path) -> list[str]:
    """The lines without their times, the heading left out."""
    return [re.sub(r"^ *\d+\.\d{6} ", "", line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_frames_events_and_noise_get_a_line_each_at_once(tmp_path: Path):
    path = tmp_path / "game.log"
    log = TextLog(str(path), "a test")
    at = log._began
    log.traffic(at + 0.1, True, b"\xaa\xc0\x02")
    assert [line.split() for line in lines_of(path)] == [[">", "AA", "sync"]]
    log.traffic(at + 0.2, False, b"\x01")
    log.traffic(at + 0.3, True, b"\x07")
    log.remark("a remark")
    log.traffic(at + 0.4, False, b"\x1c\x55")
    log.traffic(at + 0.5, False, b"\xb3\x02\x8f\xa0")
    assert [re.sub(" +", " ", line) for line in lines_of(path)] == [
        "> AA sync",
        "< 01 here",
        "> C0 02 07 shot at B7",
        "- a remark",
        "< 1C hit",
        "< 55 noise",
        "< B3 02 8F A0 chat: Па",
    ]
    log.close()
    assert path.read_text(encoding="utf-8").startswith("# a test, 20")


def test_a_frame_is_dated_by_its_first_byte(tmp_path: Path):
    path = tmp_path / "game.log"
    log = TextLog(str(path), "a test")
    log.traffic(log._began + 1.0, False, b"\xc0")
    log.traffic(log._began + 1.1, False, b"\x01\x01")
    log.close()
    assert "    1.000000 < C0 01 01" in path.read_text(encoding="utf-8")


def test_a_frame_that_is_not_finished_is_told_apart(tmp_path: Path):
    path = tmp_path / "game.log"
    log = TextLog(str(path), "a test")
    log.traffic(log._began, False, b"\xc0\x01")
    log.traffic(log._began + (wire.GAP_TICKS + 2) * words.TICK_SECONDS, False, b"\xaa\xb2")
    log.close()
    assert [line.split("  ")[0] + " | " + line.split("  ")[-1].strip() for line in lines_of(path)] == [
        "< C0 01 | not finished",
        "< AA | sync",
        "< B2 | not finished",
    ]


def test_a_log_that_cannot_be_opened_is_bad_input(tmp_path: Path):
    with pytest.raises(UserError, match=r"cannot write .*game\.log: No such file or directory"):
        TextLog(str(tmp_path / "no such folder" / "game.log"), "a test")


def test_a_full_disk_ends_the_log_and_nothing_else():
    log = TextLog("/dev/full", "a test")
    for _ in range(10):
        log.traffic(log._began, True, b"\xaa")
    assert "cannot write /dev/full: No space left" in log.problem
    log.close()
