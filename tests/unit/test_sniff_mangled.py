"""Captures that people and usual programs have changed: nobody is accused, nothing is approved that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calls import Seabattle
from tests.captures import BATTLE, written

pytestmark = pytest.mark.usefixtures("english")

KEEPS = (0, "the session keeps the protocol")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capture.txt"


def checked(path: Path, seabattle: Seabattle) -> tuple[int, str]:
    """Return the exit status of a check, and its last line."""
    status, out, _err = seabattle("decode --check", path)
    return status, out.splitlines()[-1]


@pytest.mark.parametrize("fault", ["m A8", "s A8", "m A9 s A8 m 8A", "s A9 m A8 s 8A"])
def test_what_fits_neither_side_of_a_merged_line_is_not_approved(fault: str, path: Path, seabattle: Seabattle):
    session = BATTLE + f"m C0 01 01 s 0C {fault} +20 m AA s 01"
    path.write_bytes(b"".join(chunk.data for chunk in written(session)))
    status, line = checked(path, seabattle)
    assert status == 3 and "would be illegal on the side that was guessed" in line
    status, out, _err = seabattle("decode --check --lang ru", path)
    assert status == 3 and "недопустима для угаданной стороны" in out.splitlines()[-1]
