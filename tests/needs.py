"""What tests need of the machine, as marks that skip a test with the reason where that is missing."""

from __future__ import annotations

import os
import shutil

import pytest

import make

PTYS = pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks")


def program(name: str) -> pytest.MarkDecorator:
    """Return a mark for tests that start a program of another Debian package; make.py installs those it lists."""
    return pytest.mark.skipif(
        shutil.which(name) is None,
        reason=f"left out: needs {name}; do: sudo apt-get install {make.PROGRAMS[name]}",
    )
