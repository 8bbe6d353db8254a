"""Constants of one module that another one uses, as numbers: what a board need not look up, and need not remember.

MicroPython puts a `const` in its place within the module that makes it. For the other modules it stays a name: in the
table of that module, in the list of all names, and in every function that mentions it. Here, before a module is made
bytecode for a board, `wire.SYNC` and `from .wire import SYNC` become the number, and what nobody needs any more goes.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from pathlib import Path

from seabattle_host import assets

Constants = Mapping[str, Mapping[str, int]]


@functools.cache
def constants() -> Constants:
    """Module (`seabattle.wire`) -> name -> number, for what is made by const()."""
    found: dict[str, dict[str, int]] = {}
    for folder in (assets.common() / "seabattle", assets.firmware() / "seaboard"):
        for path in sorted(folder.glob("*.py")):
            found[f"{folder.name}.{path.stem}"] = _of(path)
    return found


def _of(path: Path) -> dict[str, int]:
    values: dict[str, int] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if name := _made(statement):
            assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
            expression = ast.Expression(statement.value.args[0])
            value = eval(compile(expression, str(path), "eval"), {"__builtins__": {}}, dict(values))
            if isinstance(value, int):
                values[name] = value
    return values


def _made(statement: ast.stmt) -> str:
    """The name that a statement makes by const(), or nothing."""
    if (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and statement.value.func.id == "const"
    ):
        return statement.targets[0].id
    return ""


def folded(source: str, module: str = "") -> str:
    """The source of a module (its dotted name, or nothing for main.py and the like) with the numbers in place."""
    tree = ast.parse(source)
    package = module.rpartition(".")[0]
    modules: dict[str, str] = {}  # name here -> the module that it is
    names: dict[str, int] = {}  # name here -> the number that it is
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = ".".join(part for part in (package if node.level else "", node.module or "") if part)
        kept = []
        for each in node.names:
            here = each.asname or each.name
            number = constants().get(base, {}).get(each.name)
            if number is not None:
                names[here] = number
                continue
            if f"{base}.{each.name}" in constants():
                modules[here] = f"{base}.{each.name}"
            kept.append(each)
        node.names = kept
    own = constants().get(module, {})
    tree = _Folder(modules, names, own).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Folder(ast.NodeTransformer):
    def __init__(self, modules: Mapping[str, str], names: Mapping[str, int], own: Mapping[str, int]):
        self._modules = modules
        self._names = {**names, **own}
        self._own = own

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return node if node.names else ast.Pass()

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if _made(node) in self._own and _made(node):
            return ast.Pass()
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            number = constants()[self._modules[node.value.id]].get(node.attr)
            if number is not None:
                return ast.Constant(number)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self._names:
            return ast.Constant(self._names[node.id])
        return node
