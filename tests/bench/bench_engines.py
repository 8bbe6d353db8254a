"""Computer against computer, compared with two public engines.

All programs play in one run, taking turns, each in its own process. A ratio compares neighbouring turns; the table
gives the median and the range. Times are processor time. The programs do not play by the same rules:

- `sim` plays the serial protocol with two complete links: it simulates every byte on the line and every tick of both
  clocks, and each side checks every answer against all earlier ones. `classic` is the same package without a line.
- battleship-tui, an application for the terminal, plays the same game: 10x10, the same ten ships, which may not touch,
  and a hit shoots again. Its computer shoots at random, then around a hit. It has no line and no wall rule, and
  trusts every answer.
- Battleships-api has one game only: 10x10, five ships of 5, 4, 3, 3 and 2 decks, which may touch, and one shot a turn.
  We use the better one of its two computers. It has no line either.

Each pair has two ratios. Games per second is what a user notices, but better aim makes a game shorter. Shots per second
leaves the aim out: it compares the cost of a shot, as if all players were equally strong. The shots of the winner show
how strong they are.

Our level here is `hunt`, which is closest to theirs but not the same: it looks for room for the longest ship. One row
shows `density`, which weighs all places of all ships.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench import Figure, spread

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "bench"

OURS = {"sim": ("sim",), "classic": ("classic",), "classic, density": ("classic", "density")}
"""Ours -> its module in the folder `engines` and the argument."""
THEIRS = {
    "battleship-tui": (
        "battleship_tui",
        (
            "battleship-tui==0.25.0",
            "pymitter==0.5.1",
            "loguru==0.7.3",
            "xdg-base-dirs==6.0.2",
            "backports-strenum==1.2.8; python_version < '3.11'",
            "async-timeout==4.0.3; python_version < '3.11'",
        ),
    ),
    "Battleships-api": ("battleships_api", ("Battleships-api==0.1.2",)),
}
"""Package -> its module in the folder `engines`, and what to install of it, without its dependencies."""

ROUNDS = 7
SECONDS = 1.5


class Missing(Exception):
    """An engine cannot be installed here."""


def installed(name: str) -> Path:
    """Return the folder with an engine, outside the project's environment; a later run reuses it.

    Raises Missing, with a one-line message, when it cannot be installed.
    """
    requirements = THEIRS[name][1]
    folder = CACHE / name
    stamp = folder / "requirements"
    wanted = "\n".join(requirements)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return folder
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--upgrade"]
    command += ["--no-deps", "--only-binary=:all:", "--target", str(folder), *requirements]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")] or ["no reason given"]
        reason = errors[-1].removeprefix("ERROR: ")
        raise Missing(f"{requirements[0]} cannot be installed (is the network there?): {reason}")
    stamp.write_text(wanted, encoding="utf-8")
    return folder


class Engine:
    """A running engine."""

    def __init__(self, folder: Path | None, module: str, *arguments: str):
        paths = [str(ROOT / "common"), str(ROOT / "host")] if folder is None else [str(folder)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.engines.{module}", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
        )
        self.games = self.shots = self.winner_shots = 0

    def play(self, seconds: float) -> tuple[float, float]:
        """Play for this much processor time; return games and shots per second."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("an engine has ended early")
        games, shots, winner_shots = map(int, line.split()[:3])
        spent = float(line.split()[3])
        self.games += games
        self.shots += shots
        self.winner_shots += winner_shots
        return games / spent, shots / spent

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()


def figures(quick: bool = False) -> Iterator[Figure]:
    rounds, seconds = (2, 0.05) if quick else (ROUNDS, SECONDS)
    ours = {name: run for name, run in OURS.items() if len(run) == 1} if quick else OURS
    engines: dict[str, Engine] = {}
    missing: list[str] = []
    try:
        for name in THEIRS:
            try:
                engines[name] = Engine(installed(name), THEIRS[name][0])
            except Missing as why:
                missing.append(str(why))
        for name, run in ours.items():
            engines[name] = Engine(None, *run)
        speed = {name: [engine.play(seconds)] for name, engine in engines.items()}
        for _ in range(rounds - 1):
            for name, engine in engines.items():
                speed[name].append(engine.play(seconds))
    finally:
        for engine in engines.values():
            engine.close()
    for name, engine in engines.items():
        games, shots = ([turn[i] for turn in speed[name]] for i in (0, 1))
        version = THEIRS[name][1][0].split("==")[1] if name in THEIRS else ""
        what = f"{name} {version}".strip()
        yield Figure(what, statistics.median(games), "games/s", f"{spread(games)} in {rounds} turns")
        yield Figure(f"{what}: the same", statistics.median(shots), "shots/s", spread(shots))
        yield Figure(f"{what}: shots of the winner", engine.winner_shots / engine.games, "a game")
    for mine in ours:
        for theirs in (name for name in THEIRS if name in engines):
            for i, of in enumerate(("games", "shots")):
                ratios = [a[i] / b[i] for a, b in zip(speed[mine], speed[theirs], strict=True)]
                what = f"{mine} : {theirs}, {of} a second"
                yield Figure(what, statistics.median(ratios), "times", spread(ratios))
    if missing:
        raise Missing("; ".join(missing))
