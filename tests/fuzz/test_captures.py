"""Damaged and random files for everything that reads captures: one line and status 2, or what can still be read.

The kept files in `captures` are sessions in each form that is read: our logs, pcapng, JSON lines, hex dumps as
people paste them, raw dumps, and output of sigrok-cli; and files that once found something.
"""

from __future__ import annotations

import codecs
import contextlib
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle import wire
from seabattle_host.errors import UserError
from seabattle_host.sniff import replay
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import FORMATS, parse, recognise
from tests.fuzz import command
from tests.sizes import proof

KEPT = Path(__file__).parent / "captures"

OPTIONS = tuple(
    tuple(line.split())
    for line in ("", "--check", "--report", "--check --report --syncs", "--raw --merged", "--syncs --lang ru")
)

CHECK = ("--check",)

# Pieces that the readers look for, so that damage hits what matters.
PIECES = (
    *b'\n \r\n " { } {"type":"header"} "at":-1 "at":99999999999999999999 "raw":"C0" "raw":"C" "side":"C"'.split(b" "),
    *(b'"offsets":[1,', b'"faults":{"0":["parity"]}', b"1700000000.000000 > AA", b"1700000000.000000 < 01pf"),
    *(b"0.000001 - lost", b"# seabattle bot, A x, B y, 9600 8E2, 2026-01-01 00:00:00 UTC", b"m -> s: C0 01 02"),
    *(b"99:99:99.999999999", b"\x0a\x0d\x0d\x0a", b"\x4d\x3c\x2b\x1a", b"\x00\x00\x00\x06", b"\xff\xff\xff\xff"),
    *(b"\x00" * 16, b"\xaa\x01\xa1\x1a"),
)


RECORDINGS = ("sr", "vcd")
"""Forms that another program reads."""

EXACT = ("json", "log", "pcapng", "pcap", "raw")
"""Forms that read the same whatever follows; others are recognised by the whole of their beginning."""


pytestmark = pytest.mark.usefixtures("english")


def kept() -> list[Path]:
    return sorted(path for path in KEPT.iterdir() if path.is_file())


def form_of(path: Path) -> str:
    """Return the form of a kept file, from the first part of its name."""
    return path.name.split("-")[0]


def line_bytes(data: bytes, form: str) -> list[tuple[int, int]] | None:
    """Return each byte of the line in a file with its side; None if the file is refused."""
    if form == "raw":
        return [(0, b) for b in data]
    try:
        capture = parse(data, form, "it")
    except UserError:
        return None
    return [(item.side, b) for item in capture.items if isinstance(item, Chunk) for b in item.data]


def damaged(rng: random.Random, data: bytes, others: list[bytes]) -> tuple[bytes, int]:
    """Damage a file in one to three places; return it and the first place; all before that is unchanged."""
    first = len(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        first = min(first, at)
        rest = data[at:]
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:at]
        elif kind == 1 and rest:
            data = data[:at] + bytes((rest[0] ^ 1 << rng.randrange(8),)) + rest[1:]
        elif kind == 2:
            data = data[:at] + rng.choice(PIECES) + rest
        elif kind == 3:
            data = data[:at] + rest[rng.randrange(1, 200) :]
        elif kind == 4:
            other = rng.choice(others)
            data = data[:at] + other[rng.randrange(len(other)) :]
        elif kind == 5:
            data = data[:at] + rest[: rng.randrange(1, 300)] * 2 + rest
        else:
            data = data[:at] + rng.randbytes(rng.randrange(1, 20)) + rest[rng.randrange(20) :]
    return data, first


def decoded(path: Path, data: bytes, options: tuple[str, ...]) -> command.Ran:
    """Run a file of these bytes through `seabattle decode`."""
    path.write_bytes(data)
    return command.checked(["decode", str(path), *options])


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.name)
def test_what_is_kept_is_read_or_refused_in_one_line(path: Path):
    if form_of(path) in RECORDINGS and not shutil.which("sigrok-cli"):
        pytest.skip("left out: needs sigrok-cli")
    rng = random.Random(path.name)
    whole = "-whole" in path.name
    assert not whole or recognise(path.read_bytes()) == form_of(path)
    some = proof(2, len(OPTIONS) - 1) if form_of(path) not in RECORDINGS else 0
    for options in (CHECK, *rng.sample([options for options in OPTIONS if options != CHECK], some)):
        ran = command.checked(["decode", str(path), *options])
        assert not whole or (ran.status, ran.err) == (0, "") or "--check" not in options, options
    for form in rng.sample(FORMATS, proof(2, 4)):
        command.checked(["decode", str(path), "--form", form])


def test_each_form_is_kept():
    assert {form_of(path) for path in kept() if "-whole" in path.name} == set(FORMATS)


@pytest.mark.parametrize("form", ["json", "log", "hex"])
def test_text_may_have_been_through_an_editor_of_another_system(form: str, tmp_path: Path):
    data = next(path for path in kept() if path.name.startswith(f"{form}-whole")).read_bytes()
    lines = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert recognise(lines) == form
    assert line_bytes(lines, form) == line_bytes(data, form) != []
    assert decoded(tmp_path / "it", codecs.BOM_UTF8 + lines, ()) == decoded(tmp_path / "it", data, ())


@pytest.mark.parametrize(
    "path",
    [path for path in kept() if "-whole" in path.name and form_of(path) not in RECORDINGS],
    ids=lambda path: path.name,
)
def test_damage_leaves_what_is_before_it_readable_and_is_told_in_one_line(path: Path, tmp_path: Path):
    rng = random.Random(path.name)
    form = form_of(path)
    others = [other.read_bytes() for other in kept()]
    whole = path.read_bytes()
    refused = read = 0
    for n in range(proof(8, 40) if form in EXACT else proof(2, 8)):
        data, first = damaged(rng, whole, others)
        before = line_bytes(unfinished(whole[:first], form), form)
        after = line_bytes(data, form)
        if before and first > 600 and form in EXACT:
            # With its header intact, a damaged file is still a capture.
            assert after is not None
        if before and after is not None and form in EXACT:
            assert after[: len(before)] == before, (n, first)
        ran = decoded(tmp_path / "it", data, OPTIONS[n % len(OPTIONS)])
        for role in (wire.MASTER, wire.SLAVE):
            # What `replay` makes of it: one message, or steps.
            with contextlib.suppress(UserError):
                replay.load(str(tmp_path / "it"), role)
        refused += ran.status == 2
        read += ran.status != 2
    assert read > refused or form not in EXACT or form == "raw"


def unfinished(data: bytes, form: str) -> bytes:
    """Return a file up to its last whole record: what follows may be read differently when it goes
    on. A pcapng file needs no help, its blocks state their lengths.
    """
    return data if form in ("raw", "pcapng") else data[: data.rfind(b"\n") + 1]


@settings(max_examples=proof(30, 120), deadline=None, derandomize=True)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=9))).map(b"".join),
    ),
    st.sampled_from(OPTIONS),
    st.sampled_from(((), *(("--format", form) for form in FORMATS))),
)
def test_random_files(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, options: tuple[str, ...], form: tuple[str, ...]
):
    decoded(tmp_path_factory.getbasetemp() / "random-file", data, (*options, *form))
