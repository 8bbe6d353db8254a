"""Runs commands where the system refuses things: `python -m tests.places` reads cases as JSON, prints what came
of them.

The modules are loaded once; each case is a fork of this process, so that hundreds of cases take seconds. A case has
`arguments`, `home` (empty for none), `folder` to work in, and what is wrong with the place:

    stdout     "full" (a device without room), "closed", or "left" (a pipe whose reader has gone)
    stdin      "closed"
    room       bytes that any file may have; 0 is a full disk
    encoding   of the standard streams, which refuse every letter that it lacks
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import pwd
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

from tests import windows
from tests.command import ROOT, environment

CASE_SECONDS = 20.0


def run(
    cases: list[dict[str, Any]], bound_by_modes: bool = False, on_windows: bool = False
) -> list[tuple[int, str, str]]:
    """Exit status, output and standard error of each case.

    bound_by_modes: what a file's mode forbids is forbidden, also where the tests run as root. on_windows: see
    tests.windows; the port COM10 hears what it sends there.
    """
    command = [sys.executable, "-m", "tests.places", *(["windows"] if on_windows else [])]
    if bound_by_modes and os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    paths = os.pathsep.join([str(ROOT), environment()["PYTHONPATH"]])
    done = subprocess.run(
        command,
        input=json.dumps(cases),
        stdout=subprocess.PIPE,
        env={name: value for name, value in environment(PYTHONPATH=paths).items() if not name.startswith("XDG_")},
        text=True,
        timeout=CASE_SECONDS * 12,
        check=True,
    )
    return [tuple(outcome) for outcome in json.loads(done.stdout)]


def main() -> int:
    """Run the cases; the answer goes to the standard output."""
    if sys.argv[1:]:
        windows.pretend()
        os.environ["COM10"] = "loop://"
    from seabattle_host import commands

    cases = json.load(sys.stdin)
    for module in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # or each fork's collector would copy all of what it shares with this process
    print(json.dumps([_one(case) for case in cases]))
    return 0


def _one(case: dict[str, Any]) -> tuple[int, str, str]:
    # they are opened before the disk is full
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complaints:
        pipes = [os.pipe() for _ in "oe"]
        pid = os.fork()
        if not pid:
            os._exit(_child(case, *(write for _, write in pipes)))
        status = None
        deadline = time.monotonic() + CASE_SECONDS
        for _, write in pipes:
            os.close(write)
        for read, _ in pipes:
            os.set_blocking(read, False)
        while status is None:
            for (read, _), file in zip(pipes, (said, complaints), strict=True):
                _pour(read, file.fileno())
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                for (read, _), file in zip(pipes, (said, complaints), strict=True):
                    _pour(read, file.fileno())
                    os.close(read)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            elif time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
            else:
                time.sleep(0.005)
        texts = []
        for file in (said, complaints):
            file.seek(0)
            texts.append(file.read().decode(case.get("encoding", "utf-8"), errors="replace"))
        return status, texts[0], texts[1]


def _pour(source: int, target: int) -> None:
    try:
        while data := os.read(source, 65536):
            os.write(target, data)
    except BlockingIOError:
        pass


def _child(case: dict[str, Any], out: int, err: int) -> int:
    from seabattle_host import cli

    status = 99
    try:
        os.setsid()
        if case["home"]:
            os.environ["HOME"] = case["home"]
        else:
            # what the system says to a user that it has no entry of
            del os.environ["HOME"]
            pwd.getpwuid = _unknown
        os.chdir(case["folder"])
        null = os.open(os.devnull, os.O_RDWR)
        wanted = case.get("stdout")
        if wanted == "full":
            out = os.open("/dev/full", os.O_WRONLY)
        elif wanted == "left":
            reader, out = os.pipe()
            os.close(reader)
        for fd, target in enumerate((null, out, err)):
            os.dup2(target, fd)
        for fd, name in ((0, "stdin"), (1, "stdout")):
            if case.get(name) == "closed":
                os.close(fd)
        letters = case.get("encoding")
        sys.stdin = (
            None if case.get("stdin") == "closed" else os.fdopen(0, encoding=letters, closefd=False)  # type: ignore[assignment]
        )
        sys.stdout = (
            None if wanted == "closed" else os.fdopen(1, "w", encoding=letters, closefd=False)  # type: ignore[assignment]
        )
        sys.stderr = os.fdopen(2, "w", buffering=1, encoding=letters, closefd=False)
        if "room" in case:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (case["room"],) * 2)
        status = cli.main(case["arguments"])
        # as the interpreter does at its end
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    return status


def _unknown(uid: int) -> NoReturn:
    raise KeyError(f"getpwuid(): uid not found: {uid}")


def obstructed_home(folder: Path) -> Path:
    """A home where no folder can be made, by anybody: files are in their places."""
    home = folder / "obstructed"
    home.mkdir()
    for name in (".local", ".config", ".cache"):
        (home / name).write_text("", encoding="ascii")
    return home


if __name__ == "__main__":
    sys.exit(main())
