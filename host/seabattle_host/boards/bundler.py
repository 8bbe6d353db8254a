"""Merges modules into their importers.

On a board each module costs a table of names, its own name and its file name, some two hundred bytes.

A module that every game loads at its start is merged into the module of its package that imports it first, any other
into its only importer. Other importers get the names from there. A module stays separate if names would clash, if it is
imported in a function, or if it is loaded without the game.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from seabattle_host import assets
from seabattle_host.boards import constant_folding

APP = "seaboard.app"
ROOTS = (APP, "seaboard.fault", "seaboard.hardware")
"""Modules imported first by main.py and a board.py."""

GIVEN_UP = ("seaboard.wiring", "seaboard.controller_init", "seaboard.mipi", "seaboard.startup")
"""Modules loaded only during the start."""


@functools.cache
def sources() -> Mapping[str, str]:
    """Return the sources by module, with constants folded."""
    found = {}
    for folder in (assets.common() / "seabattle", assets.firmware() / "seaboard"):
        for path in sorted(folder.glob("*.py")):
            module = f"{folder.name}.{path.stem}"
            found[module] = constant_folding.fold(path.read_text(encoding="utf-8"), module)
    found["seabattle.wire"] = constant_folding.strip_table_texts(found["seabattle.wire"])
    return found


@functools.cache
def trees() -> Mapping[str, ast.Module]:
    """Return the same, parsed."""
    return {module: ast.parse(source) for module, source in sources().items()}


@functools.cache
def nodes() -> Mapping[str, list[ast.AST]]:
    """Return all nodes of each module."""
    return {module: constant_folding.walk(tree) for module, tree in trees().items()}


@functools.cache
def board_modules() -> frozenset[str]:
    """Return the modules that boards load, directly or not."""
    found: set[str] = set()
    waiting = list(ROOTS)
    while waiting:
        module = waiting.pop()
        if module in trees() and module not in found:
            found.add(module)
            waiting += constant_folding.possible_imports(sources()[module], module.partition(".")[0])
    return frozenset(found)


@functools.cache
def bundle_hosts() -> Mapping[str, str]:
    """Return merged module -> the module it is merged into."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for user in board_modules():
        for module in constant_folding.possible_imports(sources()[user], _package(user)):
            users[module].add(user)
    found: dict[str, str] = {}
    made = {module: dict(_bound(module)) for module in board_modules()}
    for module in sorted(board_modules() - {*ROOTS}):
        if module in _first_users():
            host = _first_users()[module]
        else:
            host = next(iter(users[module])) if len(users[module]) == 1 else ""
        takes = [taken for taken in _taken(host) if taken.module == module] if host else []
        if not takes or _package(module) != _package(host):
            continue
        # an object of the guest keeps all of the host in memory, even if that is unloaded
        if host in GIVEN_UP:
            continue
        into = _at_last(host, found)
        alike = {name for name, what in made[module].items() if made[into].get(name, what) != what}
        if alike or _renamed(module, users[module]):
            continue
        found[module] = host
        made[into] |= made[module]
        # guests of this module are now there too
    return found


def root(module: str) -> str:
    """Return the module that this one finally ends up in."""
    return _at_last(module, bundle_hosts())


def _at_last(module: str, found: Mapping[str, str]) -> str:
    while module in found:
        module = found[module]
    return module


def _package(module: str) -> str:
    return module.partition(".")[0]


@functools.cache
def _first_users() -> Mapping[str, str]:
    """Return, for modules that every game loads at its start, the first importer in its package.

    It is empty for modules without an importer that can stand in for all later ones, and for those that show an error
    when the game cannot load.
    """
    apart: set[str] = set()
    waiting = [each for each in ROOTS if each != APP]
    while waiting:
        module = waiting.pop()
        if module in trees() and module not in {*apart, APP}:
            apart.add(module)
            waiting += constant_folding.possible_imports(sources()[module], _package(module))
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
    """A name imported from one of our modules."""

    module: str
    node: ast.ImportFrom
    here: str
    """Its local name."""
    name: str
    """Its name there; empty: the whole module is imported."""


@functools.cache
def _taken(module: str) -> tuple[_Taken, ...]:
    """Return a module's top-level imports from our modules, in order."""
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
    """Return the dotted name by which something is defined, given a module that may have imported it."""
    for taken in _taken(module):
        if taken.here == name and taken.name:
            return _origin(taken.module, taken.name)
    return f"{module}.{name}"


def _uses(nodes: Iterable[ast.AST], here: str) -> list[ast.Attribute]:
    """Return the attribute accesses to an imported module."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == here
    ]


def _renamed(module: str, users: Iterable[str]) -> bool:
    """Return whether a name of the module would differ in its new place, or clash there.

    It clashes with a variable of a user that accesses it through the module.
    """
    for user in users:
        for taken in _takes(constant_folding.imports(sources()[user]), _package(user)):
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


def bundle(module: str) -> str:
    """Return the source of a module with its guests merged in, and its imports redirected."""
    return redirect_imports(sources()[module], module)


def redirect_imports(source: str, module: str = "") -> str:
    """Return any source with its imports redirected; no module: a program that is not part of ours."""
    every = nodes()[module] if module else constant_folding.walk(ast.parse(source))
    placed: set[str] = set()
    changes: list[tuple[ast.expr | ast.stmt, str]] = []
    for node in sorted(constant_folding.imports(source), key=lambda node: node.lineno):
        takes = {taken.here: taken for taken in _takes([node], _package(module)) if taken.module in bundle_hosts()}
        if not takes:
            continue
        texts: list[str] = []
        names: defaultdict[str, list[str]] = defaultdict(list)
        for taken in takes.values():
            if bundle_hosts()[taken.module] == module and not node.col_offset and taken.module not in placed:
                placed.add(taken.module)
                texts.append(bundle(taken.module))
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
    return constant_folding.replace_nodes(source, changes)


def bundled_modules(module: str) -> Iterator[str]:
    """Yield this module and all modules merged into it."""
    yield module
    for guest, host in bundle_hosts().items():
        if host == module:
            yield from bundled_modules(guest)


def top_level_names(module: str) -> set[str]:
    """Return the top-level names of a module."""
    return {name for name, _ in _bound(module)}


def _bound(module: str) -> Iterator[tuple[str, str]]:
    """Yield the top-level names of a module, and their definitions."""
    for node in nodes()[module]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            base = getattr(node, "module", None) or ""
            base = f"{_package(module)}.{base}".strip(".") if getattr(node, "level", 0) else base
            for each in node.names:
                origin = _origin(base, each.name) if base in trees() else f"{base}.{each.name}".strip(".")
                yield each.asname or each.name, origin
    for taken in _takes(constant_folding.imports(sources()[module]), _package(module)):
        if not taken.name:  # the whole module, whose names are then used directly
            uses = _uses(nodes()[module], taken.here)
            yield from ((use.attr, f"{taken.module}.{use.attr}") for use in uses)
    for statement in trees()[module].body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name, f"{module}.{statement.name}"
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        else:
            for node in constant_folding.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, f"{module}.{node.id}"
