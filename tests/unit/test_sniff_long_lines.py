"""A file with one long line is read or refused at once: no search begins anew at each of its letters."""

from __future__ import annotations

import contextlib
import time

import pytest

from seabattle_host.errors import UserError
from seabattle_host.sniff import forms
from seabattle_host.sniff.forms.source import Source

LETTERS = 40_000
ENOUGH = 4.0
"""Seconds of the processor; each of these took at least 6."""

UNITS = (" ", '"', "A", "a ", "@", "`", "00 ", "(1) ", "\x1b[31m", '"\\', "\u3000", "255 ", "0A\t")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("end", ["", "!"])
def test_a_long_line_takes_no_long_time(unit: str, end: str):
    data = unit * (LETTERS // len(unit)) + end
    began = time.process_time()
    with contextlib.suppress(UserError):
        forms.recognise(Source("x", data.encode() + b"\n"))
    assert time.process_time() - began < ENOUGH


@pytest.mark.parametrize("unit", [" ", "\t", '\\"'])
def test_nor_does_one_behind_a_capture(unit: str):
    began = time.process_time()
    lines = "".join(
        f"12:00:0{n}.{ms} TX C0 01 0{n}\n12:00:0{n}.{ms + 4} RX 0C\n" for n in range(1, 7) for ms in (200, 500)
    )
    forms.recognise(Source("x", (lines + unit * LETTERS + "!\n").encode()))
    assert time.process_time() - began < ENOUGH
