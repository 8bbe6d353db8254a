"""Prints the figures of all modules of this folder, or of those named: `python -m tests.bench [NAME]...`.

The output is Markdown. Exit status 1 if a module failed, 2 if one that was named does not exist.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent


def machine() -> str:
    """The processor, its cores, and the Python that ran."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux, or a processor that has no name there
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, {python}"


def text(value: float) -> str:
    """A whole number as it is, any other with four significant digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def main(argv: list[str]) -> int:
    modules = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Print the project's figures.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(modules)}")
    names = parser.parse_args(argv).names
    unknown = [name for name in names if name not in modules]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there is {', '.join(modules)}")

    print(f"# Figures\n\n{machine()}")
    failed = 0
    for name in names or modules:
        try:
            module = importlib.import_module(f"tests.bench.bench_{name}")
            heading = (module.__doc__ or name).splitlines()[0].rstrip(".")
            print(f"\n## {heading}\n\n| what | figure | unit | |\n|---|---:|---|---|", flush=True)
            for figure in module.figures():
                print(f"| {figure.name} | {text(figure.value)} | {figure.unit} | {figure.note} |", flush=True)
        except Exception:
            failed += 1
            print(f"\n`{name}` failed", flush=True)
            traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
