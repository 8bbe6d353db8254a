"""Coverage-guided fuzzing of the link and the watcher with Google's atheris, for any length of time.

    pip install atheris
    python -m tests.fuzz.with_atheris tests/fuzz/corpus -max_total_time=300

Programs that reach new code are added to the folder that is named first. It is not part of the tests: those
replay the folder.
"""

from __future__ import annotations

import sys

try:
    import atheris
except ImportError:
    sys.exit("atheris is not installed; do: pip install atheris")

with atheris.instrument_imports(include=["seabattle"]):
    from tests.fuzz import drive

ROLES = (1, 2, 4)


def one(data: bytes) -> None:
    """Run one input: the first byte chooses what is fuzzed, the rest is the program."""
    if not data:
        return
    program = data[1:]
    if data[0] & 3 == 3:
        drive.run_watch(program)
        drive.run_reader(program)
    else:
        drive.run_link(program, ROLES[data[0] & 3])


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
