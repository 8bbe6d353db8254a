"""Modules put into those that take them: on a board each module costs a table of names, its own name and that of its
file, some two hundred bytes.

What every game loads at its start goes to the module of its package that takes it first, any other to the only one that
takes it. What the others take of it they take from there, by its name alone. A module keeps to itself where both name
something alike, where it is imported in a function, or where it is loaded without the game.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from seabattle_host import assets
from seabattle_host.boards import folding

APP = "seaboard.app"
ROOTS = (APP, "seaboard.fault", "seaboard.hardware")
"""What main.py and a board.py begin with."""

GIVEN_UP = ("seaboard.wiring", "seaboard.starting", "seaboard.mipi", "seaboard.beginning")
"""What is loaded for the start alone."""


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
        for module in folding.imported(sources()[user], _package(user)):
            users[module].add(user)
    found: dict[str, str] = {}
    made = {module: dict(_bound(module)) for module in on_boards()}
    for module in sorted(on_boards() - {*ROOTS}):
        if module in _first_users():
            host = _first_users()[module]
        else:
            host = next(iter(users[module])) if len(users[module]) == 1 else ""
        takes = [taken for taken in _taken(host) if taken.module == module] if host else []
        if not takes or _package(module) != _package(host):
            continue
        # an object of the guest's keeps all of the host in memory, also where that is given up
        if host in GIVEN_UP:
            continue
        into = _at_last(host, found)
        alike = {name for name, what in made[module].items() if made[into].get(name, what) != what}
        if alike or _renamed(module, users[module]):
            continue
        found[module] = host
        made[into] |= made[module]
        # who came into this one before is there now
    return found


def root(module: str) -> str:
    """The module that this one is in at last."""
    return _at_last(module, hosts())


def _at_last(module: str, found: Mapping[str, str]) -> str:
    while module in found:
        module = found[module]
    return module


def _package(module: str) -> str:
    return module.partition(".")[0]


@functools.cache
def _first_users() -> Mapping[str, str]:
    """By module that every game loads at its start: the one of its package that takes it first, where it may stand for
    all that take it later; empty for those that none of theirs takes, or that show a fault where the game cannot load.
    """
    apart: set[str] = set()
    waiting = [each for each in ROOTS if each != APP]
    while waiting:
        module = waiting.pop()
        if module in trees() and module not in {*apart, APP}:
            apart.add(module)
            waiting += folding.imported(sources()[module], _package(module))
    found = {APP: ""}
    elsewhere: list[str] = []

    def follow(module: str) -> None:
        for taken in _taken(module):
            if _package(taken.module) != _package(module):
                elsewhere.append(taken.module)
            elif taken.module not in found:
                found[taken.module] = "" if taken.module in apart else module
                follow(taken.module)

    follow(APP)
    for each in elsewhere:
        if each not in found:
            found[each] = ""
            follow(each)
    return found


class _Taken(NamedTuple):
    """What one name of an import takes from one of our modules."""

    module: str
    node: ast.ImportFrom
    here: str
    """What it is called here."""
    name: str
    """What it is called there; empty: the whole module is taken."""


@functools.cache
def _taken(module: str) -> tuple[_Taken, ...]:
    """What a module takes from others of ours at its top, in this order."""
    return tuple(_takes([node for node in trees()[module].body if isinstance(node, ast.ImportFrom)], _package(module)))


def _takes(imports: Iterable[ast.Import | ast.ImportFrom], package: str) -> Iterator[_Taken]:
    for node in imports:
        if isinstance(node, ast.ImportFrom):
            base = ".".join(part for part in (package if node.level else "", node.module or "") if part)
            for each in node.names:
                here = each.asname or each.name
                if f"{base}.{each.name}" in trees():
                    yield _Taken(f"{base}.{each.name}", node, here, "")
                elif base in trees():
                    yield _Taken(base, node, here, each.name)


def _alias(taken: _Taken) -> ast.alias:
    return ast.alias(taken.name, None if taken.here == taken.name else taken.here)


def _origin(module: str, name: str) -> str:
    """The dotted name that something has where it is made, by one that a module which has taken it may give it."""
    for taken in _taken(module):
        if taken.here == name and taken.name:
            return _origin(taken.module, taken.name)
    return f"{module}.{name}"


def _uses(nodes: Iterable[ast.AST], here: str) -> list[ast.Attribute]:
    """Where something of a module is named by the module."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == here
    ]


def _renamed(module: str, users: Iterable[str]) -> bool:
    """Whether something of a module has another name where it would be, or its name is that of a variable where it is
    named by the module now."""
    for user in users:
        for taken in _takes(folding.imports(sources()[user]), _package(user)):
            if taken.module != module:
                continue
            if taken.name:
                if taken.here != taken.name and user in _first_users():
                    return True
                continue
            names = {taken.here, *(use.attr for use in _uses(nodes()[user], taken.here))}
            for node in nodes()[user]:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names:
                    return True
                if isinstance(node, ast.arg) and node.arg in names:
                    return True
    return False


def merged(module: str) -> str:
    """The source of a module with those in it that go there, and what it takes from others taken from where that is."""
    return linked(sources()[module], module)


def linked(source: str, module: str = "") -> str:
    """The same for any source; no module: that of a program which is none of ours."""
    every = nodes()[module] if module else folding.walk(ast.parse(source))
    placed: set[str] = set()
    changes: list[tuple[ast.expr | ast.stmt, str]] = []
    for node in sorted(folding.imports(source), key=lambda node: node.lineno):
        takes = {taken.here: taken for taken in _takes([node], _package(module)) if taken.module in hosts()}
        if not takes:
            continue
        texts: list[str] = []
        names: defaultdict[str, list[str]] = defaultdict(list)
        for taken in takes.values():
            if hosts()[taken.module] == module and not node.col_offset and taken.module not in placed:
                placed.add(taken.module)
                texts.append(merged(taken.module))
            elsewhere = not module or root(taken.module) != root(module)
            if taken.name:
                names[root(taken.module)] += [ast.unparse(_alias(taken))] * elsewhere
            else:
                uses = _uses(every, taken.here)
                changes += [(use, use.attr) for use in uses]
                names[root(taken.module)] += sorted({use.attr for use in uses}) * elsewhere
        lines = [f"from {where} import {', '.join(each)}" for where, each in names.items() if each]
        left = [ast.unparse(each) for each in node.names if (each.asname or each.name) not in takes]
        if left and isinstance(node, ast.ImportFrom):
            lines.append(f"from {'.' * node.level}{node.module or ''} import {', '.join(left)}")
        changes.append((node, "\n".join([*texts, "; ".join(lines) or "pass"])))
    return folding.changed(source, changes)


def guests(module: str) -> Iterator[str]:
    """The modules that are in this one, and itself."""
    yield module
    for guest, host in hosts().items():
        if host == module:
            yield from guests(guest)


def bound(module: str) -> set[str]:
    """The names at the top of a module."""
    return {name for name, _ in _bound(module)}


def _bound(module: str) -> Iterator[tuple[str, str]]:
    """The names at the top of a module, and what each is."""
    for node in nodes()[module]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            base = getattr(node, "module", None) or ""
            base = f"{_package(module)}.{base}".strip(".") if getattr(node, "level", 0) else base
            for each in node.names:
                origin = _origin(base, each.name) if base in trees() else f"{base}.{each.name}".strip(".")
                yield each.asname or each.name, origin
    for taken in _takes(folding.imports(sources()[module]), _package(module)):
        if not taken.name:  # the whole module, whose names stand alone then
            uses = _uses(nodes()[module], taken.here)
            yield from ((use.attr, f"{taken.module}.{use.attr}") for use in uses)
    for statement in trees()[module].body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name, f"{module}.{statement.name}"
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        else:
            for node in folding.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, f"{module}.{node.id}"
