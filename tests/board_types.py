"""Type check of what runs on a board, against MicroPython's own stubs in place of CPython's library.

`python -m tests.board_types`: exit status 0 if there is nothing to complain of. The stubs are packages that lie among
all others in the environment; the checker wants them in a folder of their own.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUBS = ("micropython-rp2-stubs", "micropython-stdlib-stubs")
CACHE = ROOT / ".mypy_cache" / "board"
CONFIG = ROOT / "tests" / "board_types.ini"


def stubs() -> Path:
    """The folder with MicroPython's stubs alone, filled anew when their versions have changed."""
    versions = "-".join(importlib.metadata.version(name) for name in STUBS)
    folder = CACHE / versions
    if not folder.exists():
        building = folder.with_name(f"{versions}.{os.getpid()}")
        for name in STUBS:
            for file in importlib.metadata.files(name) or ():
                if file.suffix == ".pyi" or file.name == "VERSIONS":
                    (building / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(str(file.locate()), building / file)
        building.rename(folder)
    return folder


def check(path: list[Path], *what: str) -> int:
    """Check modules, packages and files with `path` to import from; returns mypy's exit status."""
    typeshed = stubs()
    command = [
        *(sys.executable, "-m", "mypy", "--config-file", str(CONFIG), "--no-error-summary"),
        *("--custom-typeshed-dir", str(typeshed), "--cache-dir", str(CACHE / "mypy")),
    ]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, [*path, typeshed]))}
    return subprocess.call([*command, *what], cwd=ROOT, env=environment)


def main() -> int:
    """Check the shared package, then the firmware, then what each board says of itself."""
    common, firmware, boards = ROOT / "common", ROOT / "firmware", ROOT / "boards"
    status = check([common], "-p", "seabattle")
    status |= check([common, firmware, boards / "pico"], "-m", "main", "-p", "seaboard")
    for board in sorted(boards.glob("*/board.py")):
        # the unix board runs on CPython as well, and then uses what MicroPython lacks
        allowed = "attr-defined arg-type".split() if board.parent.name == "unix" else []
        options = [f"--disable-error-code={code}" for code in allowed]
        status |= check([common, firmware, board.parent], "-m", "board", *options)
    return status


if __name__ == "__main__":
    sys.exit(main())
