"""Every test of tests/shared once more, on each MicroPython interpreter: one pytest item a function.

The functions of a module run one after the other in one process.
"""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.micropython.interpreters import INTERPRETERS, ROOT, Interpreter, Result

SHARED = ROOT / "tests" / "shared"
DRIVER = Path(__file__).with_name("driver.py")
DEADLINE = 600

_MARKED = re.compile("^\x1e(begin|passed|failed) (.*)$", re.MULTILINE)
_PLACE = re.compile(r'^  File "(.*)", line (\d+)(?:, in .*)?$', re.MULTILINE)


def functions(module: Path) -> list[str]:
    """The names of the test functions of a module, in its order."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    return [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def cases() -> list:
    found = []
    for interpreter in INTERPRETERS:
        for module in sorted(SHARED.glob("test_*.py")):
            together = pytest.mark.xdist_group(f"{interpreter} {module.stem}")
            for function in functions(module):
                name = f"{interpreter}-{module.stem}-{function}"
                found.append(pytest.param(interpreter, module.stem, function, id=name, marks=together))
    return found


@pytest.fixture(scope="session")
def run_module(request: pytest.FixtureRequest):
    """Run those functions of a module that were selected, once, and give what each did: see `outcomes`."""
    done: dict[tuple[Interpreter, str], dict[str, tuple[bool, str]]] = {}

    def run(interpreter: Interpreter, module: str) -> dict[str, tuple[bool, str]]:
        key = interpreter, module
        if key not in done:
            chosen = []
            for item in request.session.items:
                parameters = item.callspec.params if hasattr(item, "callspec") else {}
                if parameters.get("interpreter") is interpreter and parameters.get("module") == module:
                    chosen.append(parameters["function"])
            try:
                result = interpreter.run(DRIVER, module, *chosen, deadline=DEADLINE)
            except subprocess.TimeoutExpired as late:
                output = late.stdout.decode("utf-8", "replace") if late.stdout else ""
                result = Result(-1, output, f"not finished after {DEADLINE} seconds")
            done[key] = outcomes(result, chosen)
        return done[key]

    return run


def outcomes(result: Result, chosen: list[str]) -> dict[str, tuple[bool, str]]:
    """For each function whether it passed, and what it printed; one without an end has the interpreter's last words."""
    found: dict[str, tuple[bool, str]] = {}
    # what split leaves: text before the first mark, then for each mark its word, its function, the text behind it
    pieces = _MARKED.split(result.stdout)
    last_words = f"{pieces[-1].strip()}\n{result.stderr.strip()}\nexit status {result.status}".strip()
    text = ""
    for word, function, behind in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if word != "begin":
            found[function] = word == "passed", text.strip()
        text = behind
    return {function: found.get(function, (False, last_words)) for function in chosen}


def with_source(traceback: str) -> str:
    """MicroPython's tracebacks name lines; put the lines there."""

    def add(match: re.Match[str]) -> str:
        for folder in (SHARED, ROOT / "common" / "seabattle"):
            file = folder / Path(match[1]).name
            if file.is_file():
                return f"{match[0]}\n    {file.read_text(encoding='utf-8').splitlines()[int(match[2]) - 1].strip()}"
        return match[0]

    return _PLACE.sub(add, traceback)


@pytest.mark.parametrize(("interpreter", "module", "function"), cases())
def test_shared(run_module, interpreter: Interpreter, module: str, function: str) -> None:
    if interpreter.missing:
        pytest.skip(interpreter.missing)
    passed, text = run_module(interpreter, module)[function]
    if not passed:
        pytest.fail(f"{module}.{function} on the {interpreter} MicroPython:\n{with_source(text)}", pytrace=False)
    print(text)
