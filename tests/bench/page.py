"""The measured results: stored as JSON, shown as a page of Markdown with drawings."""

from __future__ import annotations

import functools
import importlib
import json
import os
import platform
import subprocess
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.bench import Figure, number

COLUMNS = "| what | figure | unit | |\n|---|---:|---|---|"


@dataclass
class Section:
    """The results of one module of figures. failure: why something is missing, empty if nothing is."""

    heading: str
    about: str
    machine: str = ""
    date: str = ""
    figures: list[Figure] = field(default_factory=list)
    failure: str = ""


def section(docstring: str) -> Section:
    """Return the empty section of a module with this docstring."""
    heading, _, about = docstring.partition("\n")
    return Section(heading.rstrip("."), about.strip(), machine(), time.strftime("%Y-%m-%d"))


@functools.cache
def machine() -> str:
    """Describe the processor and its cores, the system, and the interpreters."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux, or a processor without a name there
    try:
        system = f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.system()} {platform.release()}"
    except OSError:
        system = f"{platform.system()} {platform.release()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return "; ".join([f"{processor}, {os.cpu_count()} cores", system, python, *_micropythons()])


def _micropythons() -> list[str]:
    from tests.micropython.interpreters import INTERPRETERS

    script = "import sys; print('.'.join(str(n) for n in sys.implementation.version[:3]))"
    found = []
    for interpreter in INTERPRETERS:
        if interpreter.missing:
            continue
        try:
            version = interpreter.run_locked("pass", setup=script).stdout.strip()
        except subprocess.TimeoutExpired:
            version = ""
        found.append(f"MicroPython {version}, {interpreter}".replace(" ,", ","))
    return found


def row(figure: Figure) -> str:
    """Return a row of the table."""
    error = ""
    if figure.error:
        error = f" ± {figure.error:,.0f}" if figure.error >= 10 else f" ± {figure.error:.2g}"
    return f"| {figure.name} | {number(figure.value)}{error} | {figure.unit} | {figure.note} |"


def load(path: Path) -> dict[str, Section]:
    """Return the stored sections by the name of their module; none if there is no such file."""
    if not path.exists():
        return {}
    sections = {}
    for name, kept in json.loads(path.read_text(encoding="utf-8")).items():
        figures = [Figure(**one) for one in kept.pop("figures")]
        sections[name] = Section(**kept, figures=figures)
    return sections


def save(path: Path, sections: dict[str, Section]) -> None:
    """Store sections for load()."""
    kept = {}
    usual = Figure._field_defaults
    for name, one in sections.items():
        figures = [{key: value for key, value in f._asdict().items() if value != usual.get(key)} for f in one.figures]
        kept[name] = {**asdict(one), "figures": figures}
    _write(path, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def write(path: Path, sections: dict[str, Section], drawings: dict[str, Path]) -> None:
    """Write the page."""
    machines = {(one.machine, one.date) for one in sections.values()}
    lines = [
        "# Figures",
        "",
        f'Made by `make bench ARGS="--write {path.parent.name}/{path.name}"`.',
        "`±` gives the interval that holds the true value with a confidence of 95 %.",
    ]
    if len(machines) == 1:
        lines += ["", _measured(*machines.pop())]
    for name, one in sections.items():
        lines += ["", f"## {one.heading}"]
        if one.about:
            lines += ["", one.about]
        if machines:
            lines += ["", _measured(one.machine, one.date)]
        if one.figures:
            lines += ["", COLUMNS, *map(row, one.figures)]
        if one.failure:
            lines += ["", missing(one)]
        if name in drawings:
            lines += ["", f"![{one.heading}]({drawings[name].name})"]
    _write(path, "\n".join(lines) + "\n")


def missing(one: Section) -> str:
    """Return the line in place of what could not be measured."""
    return f"**Not measured{' in whole' if one.figures else ''}:** {one.failure}"


def draw(name: str, figures: list[Figure], path: Path) -> bool:
    """Draw a section's figures as SVG, if its module draws any. The same figures make the same file."""
    module = importlib.import_module(f"tests.bench.bench_{name}")
    if not hasattr(module, "draw") or not figures:
        return False
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with matplotlib.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none", "font.size": 9}):
        drawing = pyplot.figure(figsize=(9, 4.5), layout="constrained")
        module.draw(figures, drawing)
        drawing.savefig(path, metadata={"Date": None})
        pyplot.close(drawing)
    return True


def _measured(where: str, when: str) -> str:
    return f"Measured {when} on: {where}."


def _write(path: Path, text: str) -> None:
    # atomically: a stopped run leaves the old page or the new one
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
