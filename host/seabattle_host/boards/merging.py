"""Modules that one other module alone takes something from, put into that one: on a board each costs a table of names,
its own name and that of its file, some two hundred bytes.

A module keeps to itself where both name something alike, or where it is imported as a whole, in a function, or from
another package.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping

from seabattle_host import assets
from seabattle_host.boards import folding

ROOTS = ("seaboard.app", "seaboard.fault", "seaboard.hardware")
"""What main.py and a board.py begin with."""


@functools.cache
def sources() -> Mapping[str, str]:
    """The sources by module, with the numbers in place."""
    found = {}
    for folder in (assets.common() / "seabattle", assets.firmware() / "seaboard"):
        for path in sorted(folder.glob("*.py")):
            module = f"{folder.name}.{path.stem}"
            found[module] = folding.folded(path.read_text(encoding="utf-8"), module)
    found["seabattle.wire"] = folding.without_texts(found["seabattle.wire"])
    return found


@functools.cache
def trees() -> Mapping[str, ast.Module]:
    """The same, parsed."""
    return {module: ast.parse(source) for module, source in sources().items()}


@functools.cache
def nodes() -> Mapping[str, list[ast.AST]]:
    """All nodes of each."""
    return {module: folding.walk(tree) for module, tree in trees().items()}


@functools.cache
def on_boards() -> frozenset[str]:
    """The modules that the boards load, directly or not."""
    found: set[str] = set()
    waiting = list(ROOTS)
    while waiting:
        module = waiting.pop()
        if module in trees() and module not in found:
            found.add(module)
            waiting += folding.imported(sources()[module], module.partition(".")[0])
    return frozenset(found)


@functools.cache
def hosts() -> Mapping[str, str]:
    """By module that goes into another: that one."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for user in on_boards():
        for module in folding.imported(sources()[user], user.partition(".")[0]):
            users[module].add(user)
    found: dict[str, str] = {}
    made = {module: dict(_bound(module)) for module in on_boards()}
    for module in sorted(on_boards() - {*ROOTS}):
        if len(users[module]) != 1:
            continue
        (host,) = users[module]
        into = host
        while into in found:
            into = found[into]
        alike = {name for name, what in made[module].items() if made[into].get(name, what) != what}
        taken = _taken(host, module)
        if taken is None or alike or module.partition(".")[0] != host.partition(".")[0]:
            continue
        found[module] = host
        made[into] |= made[module]
        # who came into this one before is there now
    return found


def merged(module: str) -> str:
    """The source of a module with those in it that go there."""
    source = sources()[module]
    changes = []
    for guest, host in hosts().items():
        if host == module:
            taken = _taken(host, guest)
            assert taken is not None
            changes.append((taken, merged(guest)))
    return folding.changed(source, changes)


def guests(module: str) -> Iterator[str]:
    """The modules that are in this one, and itself."""
    yield module
    for guest, host in hosts().items():
        if host == module:
            yield from guests(guest)


def _taken(host: str, module: str) -> ast.ImportFrom | None:
    """The only statement of a host that takes something from a module, where that stands at its top."""
    package, _, name = module.partition(".")
    for node in trees()[host].body:
        if not isinstance(node, ast.ImportFrom) or any(each.asname for each in node.names):
            continue
        if node.level == 1 and node.module == name and host.startswith(f"{package}."):
            return node
    return None


def _bound(module: str) -> Iterator[tuple[str, str]]:
    """The names at the top of a module, and what each is."""
    package = module.partition(".")[0]
    for node in nodes()[module]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            base = getattr(node, "module", None) or ""
            base = f"{package}.{base}" if getattr(node, "level", 0) else base
            yield from ((each.asname or each.name, f"{base}.{each.name}".strip(".")) for each in node.names)
    for statement in trees()[module].body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name, f"{module}.{statement.name}"
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        else:
            for node in folding.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, f"{module}.{node.id}"
