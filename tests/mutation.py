"""Mutation of the shared code: deliberate faults, one at a time, to see whether its tests find them.

    python -m tests.mutation [--work FOLDER] [--sample N] [--children N] [MODULE...]

Each module of common/seabattle is copied with its own tests into FOLDER/MODULE, and mutmut (the extra
`seabattle[mutation]`) changes it there, never in the checkout: an operator, a number, an argument, an assigned value
at a time, in every function and method without a decorator. For each module a line says how many mutants there are,
how many the tests killed (including those that make a test run into its time limit), and how many survived. Survivors
listed in tests/mutants_equivalent.txt behave as the original does, for the reason given there; the others
are printed, and the exit status is then 1. A module that has not changed since its last run, nor its tests, is
not run again.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")

_WATCH = "watch watch_commands watch_doubt watch_echo watch_misled watch_pairs "
_WATCH += "watch_repeats watch_replies watch_shared watch_shots watch_time watch_torn"
_VARIANTS = "variants variant_rules variant_field variant_radar variant_gunner"
_GUNNER = "gunner gunner_base gunner_hunt gunner_density gunner_sharp"

TESTS: dict[str, tuple[str, ...]] = {
    module: tuple(f"{test}.py" for test in tests.split())
    for modules, tests in {
        "wire": "shared/test_wire shared/test_link shared/test_watch",
        "crc": "unit/test_rng_numbers",
        "rng": "shared/test_rng unit/test_rng_numbers",
        "fleet": "shared/test_fleet",
        "field field_search field_ships": "shared/test_field",
        "radar radar_state": "shared/test_radar",
        "player": "shared/test_player",
        "bot": "shared/test_bot",
        "classic": "shared/test_classic",
        _WATCH: "shared/test_watch shared/test_watch_repeats",
        "jury": "shared/test_jury",
        "salvo salvo_gunner": "shared/test_salvo",
        "melee melee_gunner": "shared/test_melee",
        _VARIANTS: "shared/test_variants shared/test_jury",
        _GUNNER: "shared/test_gunner",
        "link link_moves link_peer link_state": "shared/test_link shared/test_player",
    }.items()
    for module in modules.split()
}
"""The tests of each module, the most specific ones first."""

# mutmut's stand-ins allocate where the originals do not, and change what a time limit measures.
_DESELECTED = "not allocate and not allocation and not allocated"

_COMMENT = re.compile(r"(^|  )#.*")

_CONFIG = """\
[mutmut]
source_paths = .
only_mutate = seabattle/{module}.py
also_copy =
    seabattle
    pytest.ini
pytest_add_cli_args =
    -k
    {deselected}
pytest_add_cli_args_test_selection =
    {tests}
timeout_multiplier = 2.5
timeout_constant = 1.0
use_git_change_detection = false
"""

_PYTEST = """\
[pytest]
addopts = --import-mode=importlib -p no:cacheprovider
pythonpath = . tests/shared
"""


# Exit statuses of a mutant's tests. 0: every test passed; 5, 33: no test reaches it. All else is a kill: a failure,
# a crash, a time limit.
LIVED = (0, 5, 33)


@dataclass
class Score:
    """The results for a module's mutants."""

    total: int = 0
    tried: int = 0
    killed: int = 0
    equivalent: int = 0
    alive: list[str] = field(default_factory=list)


def main(argv: list[str]) -> int:
    """Run mutmut over the named modules, all by default; return an exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(TESTS)} (default: all)")
    parser.add_argument(
        "--work", type=Path, metavar="FOLDER", help="where the copies are kept (default: a folder among the temporary)"
    )
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many mutants of a module, by lot")
    parser.add_argument("--children", type=int, default=1, metavar="N", help="processes at a time (default 1)")
    args = parser.parse_args(argv)
    unknown = [name for name in args.modules if name not in TESTS]
    if unknown:
        parser.error(f"no such module: {', '.join(unknown)}; there are {', '.join(TESTS)}")
    if importlib.util.find_spec("mutmut") is None:
        parser.error("mutmut is missing; do: pip install 'seabattle[mutation]'")
    work = args.work or Path(tempfile.gettempdir()) / "seabattle-mutation"
    known = equivalents()
    alive = 0
    print(f"{'module':14}{'mutants':>8}{'tried':>8}{'killed':>8}{'equivalent':>12}{'alive':>8}")
    for module in args.modules or TESTS:
        score = run(module, work / module, known, args)
        print(
            f"{module:14}{score.total:8}{score.tried:8}{score.killed:8}{score.equivalent:12}{len(score.alive):8}",
            flush=True,
        )
        for mutant in score.alive:
            print(f"    {mutant}", flush=True)
        alive += len(score.alive)
    return 1 if alive else 0


def equivalents() -> set[str]:
    """Return the keys of the mutants known to behave as the original does."""
    if not EQUIVALENT.exists():
        return set()
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line.startswith("    ")}


def run(module: str, folder: Path, known: set[str], args: argparse.Namespace) -> Score:
    """Mutate one module in its folder."""
    lay_out(module, folder)
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(args.children)]
    before = results(module, folder)
    if args.sample:
        if not before:
            # The names are known once mutmut has written the mutants, which it does before it looks for this one.
            quietly([*command, f"seabattle.{module}.x_no_such_function__mutmut_1"], folder, environment)
            before = results(module, folder)
        names = sorted(before)
        by_lot = random.Random(1).sample(names, len(names))[: args.sample]
        command += [name for name in by_lot if before[name] is None] or by_lot[:1]
    status, output = quietly(command, folder, environment)
    done = results(module, folder)
    if status or not done:
        raise SystemExit(f"{module}: mutmut could not run the tests\n{output[-2000:]}")
    score = Score(total=len(done))
    sources = functions(folder / "mutants" / "seabattle" / f"{module}.py")
    for name, code in done.items():
        if code is None:
            continue
        score.tried += 1
        if code not in LIVED:
            score.killed += 1
            continue
        mutant = read(module, name.rsplit(".", 1)[1], sources)
        if mutant in known:
            score.equivalent += 1
        else:
            score.alive.append(mutant)
    return score


def lay_out(module: str, folder: Path) -> None:
    """Copy the module, its imports and its tests, and write mutmut's configuration. Earlier results are
    dropped if the module or its tests have changed.
    """
    tests = [name for name in TESTS[module] if (ROOT / "tests" / name).exists()]
    files = {Path("seabattle") / path.name: path for path in (ROOT / "common" / "seabattle").glob("*.py")}
    helpers = [path for path in (ROOT / "tests" / "shared").glob("*.py") if not path.name.startswith("test_")]
    for path in (*helpers, *(ROOT / "tests" / name for name in tests), ROOT / "tests" / "__init__.py"):
        files[path.relative_to(ROOT)] = path
    texts = {target: source.read_text(encoding="utf-8") for target, source in files.items()}
    texts[Path("setup.cfg")] = _CONFIG.format(
        module=module, deselected=_DESELECTED, tests="\n    ".join(f"tests/{name}" for name in tests)
    )
    texts[Path("pytest.ini")] = _PYTEST
    own = {Path("seabattle") / f"{module}.py", *(Path("tests") / name for name in tests)}
    changed = False
    for target, text in texts.items():
        path = folder / target
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        changed = changed or target in own
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if changed:
        shutil.rmtree(folder / "mutants", ignore_errors=True)


def quietly(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Return exit status and output of a command."""
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def results(module: str, folder: Path) -> dict[str, int | None]:
    """Return by the name of each mutant the exit status of its tests, None before they ran."""
    path = folder / "mutants" / "seabattle" / f"{module}.py.meta"
    if not path.exists():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]


def functions(path: Path) -> dict[str, list[str]]:
    """Return the lines of every function in a file written by mutmut."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: [_COMMENT.sub("", line).strip() for line in lines[node.lineno - 1 : node.end_lineno]]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }


def read(module: str, name: str, sources: dict[str, list[str]]) -> str:
    """Return what a mutant changes: the function it is in, and the lines removed and added.

    `name` is mutmut's: x_FUNCTION__mutmut_N, or xǁCLASSǁMETHOD__mutmut_N.
    """
    function, _, _ = name.partition("__mutmut_")
    before = [line.replace(f"{function}__mutmut_orig", "_") for line in sources[f"{function}__mutmut_orig"]]
    after = [line.replace(name, "_") for line in sources[name]]
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    shown = function[2:].replace("ǁ", ".")
    out, put = (" ".join(lines[start : len(lines) - end]) for lines in (before, after))
    return f"{module}.{shown}: {out} => {put}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
