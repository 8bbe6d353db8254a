"""Type check of the boards' code, against MicroPython's own stubs in place of CPython's library.

`python -m tests.board_types`: exit status 0 if there is nothing to report. The stubs are packages among
all others in the environment; the checker needs them in a folder of their own.
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
    """Return the folder with MicroPython's stubs alone, refilled when their versions have changed."""
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


def check(board: str, *what: str) -> int:
    """Check modules and packages, with this board's board.py as the module board; returns the exit status of mypy."""
    typeshed = stubs()
    path = [ROOT / "common", ROOT / "firmware", ROOT / "boards" / board, ROOT, typeshed]
    command = [
        *(sys.executable, "-m", "mypy", "--config-file", str(CONFIG), "--no-error-summary"),
        *("--custom-typeshed-dir", str(typeshed), "--cache-dir", str(CACHE / "mypy" / board)),
    ]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, path))}
    return subprocess.call([*command, *what], cwd=ROOT, env=environment)


def main() -> int:
    """Check the boards' shared code with one of them, and each other board's own."""
    boards = [f"boards.{path.parent.name}.board" for path in sorted(ROOT.glob("boards/*/board.py"))]
    others = [each for each in boards if each not in ("boards.pico.board", "boards.unix.board")]
    packages = [option for name in ("seabattle", "seaboard") for option in ("-p", name)]
    modules = [option for name in ("main", "board", *others) for option in ("-m", name)]
    status = check("pico", *packages, *modules)
    # the virtual board runs on CPython as well, where it uses what MicroPython lacks
    lenient = [f"--disable-error-code={code}" for code in ("arg-type", "assignment", "attr-defined", "operator")]
    return status | check("unix", "-m", "board", *lenient)


if __name__ == "__main__":
    sys.exit(main())
