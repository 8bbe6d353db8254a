"""The tests of tests/shared on each MicroPython interpreter, some modules to a process.

A module's CPYTHON_ONLY names its tests that count probabilities or repeat the same many times: whole numbers are
the same everywhere, so there they would only run code that the others reach, more slowly.
"""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.micropython.interpreters import ROOT, Interpreter, Result

SHARED = ROOT / "tests" / "shared"
DRIVER = Path(__file__).with_name("driver.py")
DEADLINE = 600
HEAP = 512 << 20
"""The 32-bit interpreter frees nothing."""

MODULES = sorted(module.stem for module in SHARED.glob("test_*.py"))

_MARKED = re.compile("^\x1e(begin|passed|failed) (.*)$", re.MULTILINE)
_PLACE = re.compile(r'^  File "(.*)", line (\d+)(?:, in .*)?$', re.MULTILINE)


def functions(module: str) -> list[str]:
    """Return a module's test functions as MODULE.FUNCTION, in order, without those in its CPYTHON_ONLY."""
    body = ast.parse((SHARED / f"{module}.py").read_text(encoding="utf-8")).body
    made = {ast.unparse(node.targets): node.value for node in body if isinstance(node, ast.Assign)}
    left_out = ast.literal_eval(made["CPYTHON_ONLY"]) if "CPYTHON_ONLY" in made else ()
    there = [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert set(left_out) <= set(there), left_out
    return [f"{module}.{name}" for name in there if name not in left_out]


def outcomes(result: Result, chosen: list[str]) -> dict[str, tuple[bool, str]]:
    """Return for each function whether it passed, and its output; without an end, the interpreter's last words."""
    found: dict[str, tuple[bool, str]] = {}
    # after split: text before the first mark, then for each mark its word, its function, the text after it
    pieces = _MARKED.split(result.stdout)
    last_words = f"{pieces[-1].strip()}\n{result.stderr.strip()}\nexit status {result.status}".strip()
    text = ""
    for word, function, behind in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if word != "begin":
            found[function] = word == "passed", text.strip()
        text = behind
    return {function: found.get(function, (False, last_words)) for function in chosen}


def with_source(traceback: str) -> str:
    """Add the source lines to MicroPython's tracebacks, which have only line numbers."""

    def add(match: re.Match[str]) -> str:
        for folder in (SHARED, ROOT / "common" / "seabattle"):
            file = folder / Path(match[1]).name
            if file.is_file():
                return f"{match[0]}\n    {file.read_text(encoding='utf-8').splitlines()[int(match[2]) - 1].strip()}"
        return match[0]

    return _PLACE.sub(add, traceback)


@pytest.mark.parametrize("modules", [MODULES[0::2], MODULES[1::2]], ids=["one half", "the other"])
def test_shared(interpreter: Interpreter, modules: list[str]) -> None:
    """The functions that fail are named with their output."""
    chosen = [name for module in modules for name in functions(module)]
    try:
        result = interpreter.run(DRIVER, *chosen, heap=HEAP, deadline=DEADLINE)
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode("utf-8", "replace") if late.stdout else ""
        result = Result(-1, output, f"not finished after {DEADLINE} seconds")
    did = outcomes(result, chosen)
    failures = [f"{name}:\n{with_source(text)}" for name, (passed, text) in did.items() if not passed]
    if failures:
        pytest.fail(f"on the {interpreter} MicroPython, {'; '.join(failures)}", pytrace=False)
    print(*(text for _, text in did.values() if text), sep="\n")
