"""Set this checkout up and use it: `python3 make.py play`, `club`, `check`, `quick`, `test`, `bench` or `setup`.

`make` passes these on. Needs only CPython 3.10 or newer. Missing dependencies are installed by package name: Python
packages into the virtual environment `.venv` here, Debian packages if that is possible without a prompt (as root, or
with passwordless sudo). Each step prints a line, and so does anything missing, with the remedy; if there is nothing to
do, nothing is printed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "seabattle-installed"

OLDEST = (3, 10)

# Programs used by tests, and the Debian packages that contain them.
PROGRAMS = {
    # without a window: it starts pages at a quarter of the cost of the whole browser
    "chromium-headless-shell": "chromium-headless-shell",
    "firefox-esr": "firefox-esr",
    "fish": "fish",
    "node": "nodejs",
    "nginx": "nginx-light",
    "npm": "npm",
    "pypy3": "pypy3",
    "sigrok-cli": "sigrok-cli",
    "tshark": "tshark",
    "zsh": "zsh",
}

CHECKS = (
    ("style", ["ruff", "check", "--quiet"]),
    ("types of the PC side", ["mypy", "--no-error-summary"]),
    (
        "types of the PC side on Windows",
        ["mypy", "--config-file", "tests/windows_types.ini", "--no-error-summary"],
    ),
    ("types of the boards' side", ["tests.board_types"]),
)


class Failed(Exception):
    """Something is missing: one line with the remedy."""


def main(argv: list[str]) -> int:
    """Run the target named by the first argument with the remaining arguments; return the exit status."""
    targets = {"play": play, "club": club, "check": check, "quick": quick, "test": test, "bench": bench, "setup": setup}
    try:
        if sys.version_info < OLDEST:
            raise Failed(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is {sys.version.split()[0]}")
        if not argv or argv[0] not in targets:
            raise Failed(f"say what to do: {sys.executable} make.py {'|'.join(targets)}")
        return targets[argv[0]](argv[1:])
    except Failed as failed:
        print(f"make.py: {failed}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def play(args: list[str]) -> int:
    """Play in this terminal against the firmware on a virtual board."""
    install()
    return run("seabattle_host", "play", "--board", *args)


def club(args: list[str]) -> int:
    """Serve a club with its page, for browsers on this computer only unless configured otherwise."""
    install("club")
    given = [] if any(arg == "--web" or arg.startswith("--web=") for arg in args) else ["--web", "127.0.0.1:8080"]
    return run("seabattle_host", "club", "serve", *given, *args)


def check(_args: list[str]) -> int:
    """Check style and types, without the tests."""
    install("test")
    look_through(CHECKS)
    return 0


def quick(args: list[str]) -> int:
    """Run the checks for after each edit.

    These are style, types of the PC side, the unit and shared tests except the slow ones.
    """
    install("test")
    look_through(CHECKS[:2])
    say("tests")
    return run("pytest", "-n", "2", "--dist", "loadscope", "-q", "-m", "not slow", "tests/unit", "tests/shared", *args)


def test(args: list[str]) -> int:
    """Check style and types, and run all tests; arguments go to pytest.

    Debian packages are installed while Python's are, and types are checked during the tests, many of which wait.
    """
    began = time.monotonic()
    # thousands of processes import the same modules
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    have_venv()
    with ThreadPoolExecutor(1) as other:
        fetching = other.submit(programs)
        install("test")
        look_through(CHECKS[:1])
        with in_background(CHECKS[1:]) as checking:
            if not (ROOT / "tests/unit/__pycache__").exists():
                # otherwise each worker would compile all modules itself
                quiet(command("pytest", "--collect-only", "-qq"))
            left_out = fetching.result()
            say("tests; meanwhile types are checked")
            # more workers than cores: many tests wait, for a line of 9600 baud or for a deadline
            workers = str((os.cpu_count() or 1) + 2)
            status = run("pytest", "-n", workers, "--dist", "loadscope", "--no-loadscope-reorder", *args)
            failed = ["the tests"] if status else []
            failed += [f"the check of {what}" for what in found_faults(checking)]
    if left_out:
        say(left_out)
    if failed:
        print(f"make.py: failed: {', '.join(failed)}; see above", file=sys.stderr)
        return status or 1
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say(f"all checks and tests passed in {minutes} min {seconds} s")
    return 0


def bench(args: list[str]) -> int:
    """Run the benchmarks; arguments go to tests/bench."""
    install("test")
    return run("tests.bench", *args)


def setup(_args: list[str]) -> int:
    """Create the virtual environment with everything in it."""
    install("test")
    say(f"ready: {VENV_PYTHON} and the command {VENV_PYTHON.with_name('seabattle')}")
    return 0


Checking = list[tuple[str, "Future[subprocess.CompletedProcess[bytes]]"]]


def look_through(checks: tuple[tuple[str, list[str]], ...]) -> None:
    """Run checks in parallel. Raises Failed if one finds faults."""
    with in_background(checks) as checking:
        failed = found_faults(checking)
    if failed:
        raise Failed(f"the check of {', '.join(failed)} found faults")


@contextlib.contextmanager
def in_background(checks: tuple[tuple[str, list[str]], ...]) -> Iterator[Checking]:
    """Run checks meanwhile, two at a time; yield them with their names. Leaving early ends them."""
    running: list[subprocess.Popen[bytes]] = []
    pool = ThreadPoolExecutor(2)

    def check(asked: list[str]) -> subprocess.CompletedProcess[bytes]:
        # tests with a deadline have priority
        gentle = ["nice", "-n", "5"] if shutil.which("nice") else []
        process = subprocess.Popen(
            [*gentle, *command(*asked)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        running.append(process)
        output = process.communicate()[0]
        return subprocess.CompletedProcess(asked, process.returncode, output)

    try:
        yield [(what, pool.submit(check, asked)) for what, asked in checks]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            if process.poll() is None:
                process.terminate()


def found_faults(checking: Checking) -> list[str]:
    """Wait for checks and print the output of each under its name; return those that found faults."""
    failed = []
    for what, future in checking:
        done = future.result()
        say(what if not done.returncode else f"{what}: faults")
        sys.stdout.buffer.write(done.stdout)
        sys.stdout.flush()
        if done.returncode:
            failed.append(what)
    return failed


def say(line: str) -> None:
    """Print a heading."""
    print(f"== {line}", flush=True)


def run(module: str, *args: str) -> int:
    """Run a module of the virtual environment from the root of the checkout."""
    return subprocess.call(command(module, *args), cwd=ROOT)


def command(module: str, *args: str) -> list[str]:
    """Return the command that runs a module of the virtual environment."""
    return [str(VENV_PYTHON), "-m", module, *args]


def have_venv() -> None:
    """Ensure that there is a working virtual environment."""
    if not VENV_PYTHON.exists() or quiet([str(VENV_PYTHON), "-c", "import pip"])[0]:
        make_venv()


def install(extra: str = "") -> None:
    """Ensure that the project, and the packages of the named extra, are in the virtual environment."""
    have_venv()
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    done = STAMP.read_text(encoding="ascii").split() if STAMP.exists() else []
    # the tests' requirements include those of every other extra installed here
    if done[:1] == [wanted] and (not extra or extra in done[1:] or "test" in done[1:]):
        return
    extras = sorted({extra, *done[1:]} - {""})
    say("installing the Python packages into .venv; the first time this takes a minute or two")
    asked = ["--editable", f".[{','.join(extras)}]" if extras else "."]
    status, output = quiet([*pip(), "install", *asked]) if not by_uv(asked) else (0, "")
    if status:
        reason = first(output, "ERROR: ")
        raise Failed(f"the Python packages cannot be installed (is the network there?): {reason}")
    STAMP.write_text(" ".join([wanted, *extras]), encoding="ascii")


def pip() -> list[str]:
    """Return pip's command in .venv."""
    return [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet"]


def by_uv(asked: list[str]) -> bool:
    """Install with uv, which takes a tenth of pip's processor time; return whether that worked.

    uv ignores pip's configuration: if pip is configured for another index, or none, uv is not used.
    """
    if re.search(r"\.(index-url|no-index)=", quiet([*pip()[:-1], "config", "list"])[1]):
        return False
    if quiet([*pip(), "--retries", "1", "install", "--no-compile", "--only-binary", ":all:", "uv>=0.5,<1"])[0]:
        return False
    uv = [str(VENV_PYTHON), "-m", "uv", "pip", "install", "--quiet", "--python", str(VENV_PYTHON)]
    return quiet([*uv, *asked])[0] == 0


def make_venv() -> None:
    """Make .venv; raises Failed."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        # Debian packages these two separately from its Python
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        refusal = install_debian([package])
        if refusal:
            raise Failed(f"this Python cannot make virtual environments; {refusal}")
    say("making a virtual environment in .venv")
    status, output = quiet([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if status:
        raise Failed(f"cannot make a virtual environment: {first(output, 'Error: ')}")


def programs() -> str:
    """Ensure the programs used by tests; return the line that says which tests are skipped, or an empty one."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    packages = sorted({PROGRAMS[program] for program in missing})
    refusal = install_debian(packages) if packages else ""
    if not refusal:
        return ""
    line = f"left out: the tests that need {', '.join(missing)}; {refusal}"
    if os.environ.get("CI"):
        raise Failed(line)
    return line


def install_debian(packages: list[str]) -> str:
    """Install Debian packages; return an empty string, or the remedy if that is not possible from here."""
    by_hand = f"install {' '.join(packages)}"
    if not shutil.which("apt-get"):
        return f"{by_hand} with your system's package manager, or what it calls them"
    by_hand = f"do: sudo apt-get install {' '.join(packages)}"
    root: list[str] = []
    if sys.platform != "win32" and os.geteuid() != 0:
        root = ["sudo", "-n"]
        if not shutil.which("sudo") or quiet([*root, "true"])[0]:
            return by_hand
    say(f"installing Debian packages, which can take some minutes: {' '.join(packages)}")
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "Acquire::Retries=3"]
    quiet([*apt, "update"])  # if it fails, the old package lists may still do
    status, output = quiet([*apt, "install", "--yes", "--no-install-recommends", *packages])
    if status:
        return f"apt-get install failed ({first(output, 'E: ')}); {by_hand}"
    return ""


def first(output: str, label: str) -> str:
    """Return the text of the first line with this label; without one, the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no reason given"]
    return next((line.split(label, 1)[1] for line in lines if label in line), lines[-1])


def quiet(command: list[str]) -> tuple[int, str]:
    """Run a command and capture its output; return its exit status and output."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
