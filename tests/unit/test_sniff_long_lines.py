"""A file with one long line is read or refused at once: no search begins anew at each of its letters."""

from __future__ import annotations

import contextlib
import time

import pytest

from seabattle_host.errors import UserError
from seabattle_host.sniff import forms
from seabattle_host.sniff.forms.interface import Left
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


NUMBERS = (
    "{}",
    "{} TX AA",
    "[{}] TX AA",
    "+{} TX AA",
    "{} s TX AA",
    "{}.5 TX AA",
    "{}:12:00:00 TX AA",
    "{},TX,AA",
    "TX AA {}",
)


@pytest.mark.parametrize("line", NUMBERS)
@pytest.mark.parametrize("head", ["", "time,side,data\n1.5,A,AA\n2.5,B,01\n3.5,A,A1\n4.5,B,1A\n"])
def test_a_number_with_more_digits_than_python_takes_is_none(head: str, line: str):
    source = Source("x", (head + 8 * f"{line.format('7' * 6000)}\n").encode())
    with contextlib.suppress(UserError):
        found, form, guess = forms.recognise(source)
        assert sum(1 for _item in form.items(found, guess, Left()))


@pytest.mark.parametrize("unit", [" ", "\t", '\\"'])
def test_nor_does_one_behind_a_capture(unit: str):
    began = time.process_time()
    lines = "".join(
        f"12:00:0{n}.{ms} TX C0 01 0{n}\n12:00:0{n}.{ms + 4} RX 0C\n" for n in range(1, 7) for ms in (200, 500)
    )
    forms.recognise(Source("x", (lines + unit * LETTERS + "!\n").encode()))
    assert time.process_time() - began < ENOUGH
