"""The interpreters that can run the firmware of a virtual board."""

from __future__ import annotations

MICROPYTHON = "micropython"
CPYTHON = "cpython"
NAMES = (MICROPYTHON, CPYTHON)
