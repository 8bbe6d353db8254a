"""The project's figures: `python -m tests.bench [NAME]...`, or `make bench ARGS=...`.

Prints all sections, or those named, as Markdown, each figure as soon as it is measured. `--write FILE.md` also writes
them to a page, with their drawings next to it and FILE.json, from which `--draw` makes the page again without
measuring; sections not named keep their earlier results. Every section is measured in a process of
its own, so that a failure does not affect the others. Exit status 1 if something could not be measured, 2 for invalid
arguments.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

from tests.bench import Figure, page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

ORDER = ("engines", "gunner", "wire", "board", "loop", "placing", "sizes", "start", "sim", "growth", "club")
"""The order of sections on the page; others follow."""

LONGEST = 600.0
"""Time limit of a section in seconds."""


def source(name: str) -> Path:
    """Return the module that measures a section."""
    return HERE / f"bench_{name}.py"


def main(argv: list[str]) -> int:
    there = [path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py")]
    there.sort(key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the project's figures.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(there)}")
    parser.add_argument("--write", type=Path, metavar="FILE.md", help="write the page, its drawings and FILE.json")
    parser.add_argument("--draw", action="store_true", help="measure nothing: write the page again from FILE.json")
    parser.add_argument("--quick", action="store_true", help="the smallest numbers: shows only that all of it runs")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.one:
        return one(args.names[0], args.quick)
    unknown = [name for name in args.names if name not in there]
    if unknown:
        return refuse(f"there is no {', '.join(unknown)}; there is {', '.join(there)}")
    if args.write and (args.write.suffix != ".md" or not args.write.absolute().parent.is_dir()):
        return refuse(f"{args.write}: the page needs a name that ends in .md, in a folder that is there")
    if args.draw and not args.write:
        return refuse("--draw needs --write FILE.md, which says what to draw again")
    try:
        run = Run(there, args)
    except (ValueError, TypeError, KeyError, AttributeError):
        return refuse(f"{args.write.with_suffix('.json')} is not what an earlier run has written; remove it")
    return run.all()


def refuse(why: str) -> int:
    print(f"bench: {why}", file=sys.stderr)
    return 2


def command(name: str, quick: bool) -> list[str]:
    """Return the command that measures a section."""
    return [sys.executable, "-m", "tests.bench", "--one", name, *(["--quick"] if quick else [])]


def one(name: str, quick: bool) -> int:
    """Measure a section in this process: print a line of JSON for each figure as soon as it is measured.

    Return 1, with the reason in the last line of the standard error, if something cannot be measured.
    """
    try:
        for figure in importlib.import_module(f"tests.bench.bench_{name}").figures(quick):
            print(json.dumps(figure._asdict()), flush=True)
    except Exception as error:
        traceback.print_exc()
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


def end(process: subprocess.Popen[str]) -> None:
    """Stop a section's process and, where the system allows it, the processes it has started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


class Run:
    """One run of the command."""

    def __init__(self, there: list[str], args: argparse.Namespace):
        self.there = there
        self.args = args
        self.kept = args.write.absolute().with_suffix(".json") if args.write else None
        self.sections = page.load(self.kept) if self.kept else {}
        self.drawings: dict[str, Path] = {}

    def all(self) -> int:
        if self.args.draw:
            if not self.sections:
                return refuse(f"{self.kept} has no figures; measure some first, without --draw")
            names: list[str] = []
        else:
            names = self.args.names or self.there
            print(f"# Figures\n\n{page.machine()}", flush=True)
        for name in names:
            self.one(name)
        self.draw()
        self.keep()
        return 1 if any(self.sections[name].failure for name in names) else 0

    def one(self, name: str) -> None:
        """Measure a section."""
        section = page.section(ast.get_docstring(ast.parse(source(name).read_text(encoding="utf-8"))) or name)
        self.sections[name] = section
        print(f"\n## {section.heading}\n\n{page.COLUMNS}", flush=True)
        began = time.monotonic()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
            process = subprocess.Popen(
                command(name, self.args.quick),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
                start_new_session=True,
            )
            late = threading.Event()

            def give_up() -> None:
                late.set()
                end(process)

            timer = threading.Timer(LONGEST, give_up)
            timer.start()
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    section.figures.append(Figure(**json.loads(line)))
                    print(page.row(section.figures[-1]), flush=True)
                    self.keep()
                status = process.wait()
            finally:
                timer.cancel()
                end(process)
            if late.is_set():
                section.failure = f"it took longer than {LONGEST:.0f} s"
            elif status:
                errors.seek(0)
                said = errors.read()
                print(said, file=sys.stderr, end="", flush=True)
                section.failure = (said.strip().splitlines() or [f"its process ended with status {status}"])[-1]
        if section.failure:
            print(f"\n{page.missing(section)}", flush=True)
        print(f"\nThat took {time.monotonic() - began:.0f} s.", flush=True)
        self.keep()

    def keep(self) -> None:
        """Write the results so far."""
        if not self.kept:
            return
        order = {name: self.sections[name] for name in self.there if name in self.sections}
        page.save(self.kept, order)
        page.write(self.args.write, order, self.drawings)

    def draw(self) -> None:
        """Draw the results so far."""
        for name, section in self.sections.items() if self.kept else ():
            path = self.kept.with_name(f"{self.kept.stem}-{name}.svg")
            try:
                if source(name).exists() and page.draw(name, section.figures, path):
                    self.drawings[name] = path
            except Exception as error:
                section.failure = section.failure or f"it cannot be drawn: {error}"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)  # what was measured by then is written
