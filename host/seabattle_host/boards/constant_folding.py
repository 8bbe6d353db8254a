"""Replaces constants imported from other modules by their numbers, so that a board need not look up or store the names.

MicroPython inlines a `const` only within the module that defines it. In other modules it stays a name: in that module's
table, in the list of all names, and in every function that uses it. So before a module is compiled for a board,
`wire.SYNC` and `from .wire import SYNC` become the number here, and the names disappear. Your own program for a board
that needs these names must use the sources, which mip installs.

Annotations are removed too, with the imports under `if TYPE_CHECKING:`: boards do not use them.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
from collections.abc import Iterator, Mapping, Sequence

from seabattle import wire
from seabattle_host import assets

Constants = Mapping[str, Mapping[str, int]]


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Suspend garbage collection: trees are a million objects and none is garbage, yet scanning took half the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@functools.cache
def constants() -> Constants:
    """Return module (`seabattle.wire`) -> name -> number, for const() and for numbers with a name in capitals.

    A name that a module imports counts as that module's own too: another one may import it from there.
    """
    sources: dict[str, str] = {}
    for folder in (assets.common() / "seabattle", assets.firmware() / "seaboard"):
        for path in sorted(folder.glob("*.py")):
            sources[f"{folder.name}.{path.stem}"] = path.read_text(encoding="utf-8")
    found = {module: _numbers(_tree(source)) for module, source in sources.items()}
    known = [(module, each) for module, source in sources.items() for each in from_imports(source, module)]
    more = True
    while more:
        more = False
        for module, (here, base, name) in known:
            number = found.get(base, {}).get(name)
            if number is not None and here not in found[module]:
                found[module][here] = number
                more = True
    return found


@functools.cache
def _tree(source: str) -> ast.Module:
    """Parse the source; the tree is shared, so do not change it."""
    return ast.parse(source)


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the child nodes; like ast.iter_child_nodes(), in half the time."""
    for value in vars(node).values():
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            yield value


def walk(tree: ast.AST) -> list[ast.AST]:
    """Return a node and all nodes below it."""
    found = [tree]
    for node in found:  # the list grows meanwhile
        found += children(node)
    return found


def statements(node: ast.AST) -> list[ast.AST]:
    """Return the direct child statements: when only these are wanted, expressions, most of a tree, can be skipped."""
    found: list[ast.AST] = []
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        more = getattr(node, name, ())
        if isinstance(more, list):
            found += more
    return found


@functools.cache
def imports(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the imports of a source, including those in functions, except those for type checkers only."""
    found: list[ast.Import | ast.ImportFrom] = []
    waiting: list[ast.AST] = [_tree(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        if not _for_types(node):
            waiting += statements(node)
    return tuple(found)


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _numbers(tree: ast.Module) -> dict[str, int]:
    """Return the constants defined by a module."""
    values: dict[str, int] = {}
    for statement in tree.body:
        name, expression = _constant_of(statement)
        if expression is None:
            continue
        value = eval(compile(ast.Expression(expression), name, "eval"), {"__builtins__": {}}, dict(values))
        if type(value) is int:
            values[name] = value
    return values


def from_imports(source: str, module: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a module imports with `from`: local name, other module, name there."""
    for node in imports(source):
        if isinstance(node, ast.ImportFrom):
            base = _base(node, module)
            yield from ((each.asname or each.name, base, each.name) for each in node.names)


@functools.cache
def possible_imports(source: str, package: str) -> tuple[str, ...]:
    """Return the dotted names that a source may import; too many for a `from` that imports names of a module."""
    found: list[str] = []
    for node in imports(source):
        if isinstance(node, ast.Import):
            found += (name.name for name in node.names)
        else:
            base = ".".join(part for part in (package if node.level else "", node.module or "") if part)
            found += [base, *(f"{base}.{name.name}" for name in node.names)]
    return tuple(found)


def _base(node: ast.ImportFrom, module: str) -> str:
    package = module.rpartition(".")[0] if node.level else ""
    return ".".join(part for part in (package, node.module or "") if part)


def _constant_of(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Return the constant that a statement defines, and the expression for its number; None if it defines none."""
    if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name):
        value = statement.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "const":
            return target.id, value.args[0]
        if isinstance(value, ast.Constant) and target.id.isupper():
            return target.id, value
    return "", None


@functools.cache
def fold(source: str, module: str = "") -> str:
    """Return the source of a module with numbers for names, and without annotations.

    module: its dotted name, or nothing for main.py and the like.

    Everything else stays as written: `a, b = (b, a)`, as ast.unparse() would write it, allocates on MicroPython.
    """
    modules: dict[str, str] = {}  # local name -> module
    names = dict(constants().get(module, {}))  # local name -> number
    for here, base, name in from_imports(source, module):
        number = constants().get(base, {}).get(name)
        if number is not None:
            names[here] = number
        elif f"{base}.{name}" in constants():
            modules[here] = f"{base}.{name}"
    finder = _Finder(source, modules, names, set(constants().get(module, {})))
    finder.visit(_tree(source))
    unused = {*names, "const", "TYPE_CHECKING", *(set(modules) - finder.used)}
    changes = finder.changes
    for node in imports(source):
        if isinstance(node, ast.ImportFrom):
            left = [each for each in node.names if (each.asname or each.name) not in unused]
            if len(left) < len(node.names):
                what = ", ".join(f"{each.name} as {each.asname}" if each.asname else each.name for each in left)
                start = f"from {'.' * node.level}{node.module or ''} import "
                changes.append((node, start + what if left else "pass"))
    return replace_nodes(source, changes)


def strip_table_texts(source: str) -> str:
    """Return the source of wire.py with only numbers in the tables.

    No board reads the texts, and for fields it needs only their length in bytes. They would take a kilobyte of its
    memory.
    """
    changes: list[tuple[ast.expr | ast.stmt, str]] = []
    for statement in _tree(source).body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Tuple) and isinstance(statement, ast.Assign):
                row = [each.value if isinstance(each, ast.Constant) else None for each in node.elts]
                for column, (each, value) in enumerate(zip(node.elts, row, strict=True)):
                    if isinstance(value, str):
                        fields = len(row) > wire.NEXT and column in (wire.FIELDS, wire.REPLY_FIELDS)
                        changes.append((each, str(wire._count(value) if fields else 0)))
            elif (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == wire._count.__name__
            ):
                changes.append((node, ast.unparse(node.args[0])))
    return replace_nodes(source, changes)


def replace_nodes(source: str, changes: Sequence[tuple[ast.expr | ast.stmt, str]]) -> str:
    """Return the source with each of these nodes, which must not overlap, replaced by a text."""
    data = source.encode()  # offsets count bytes
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, text in sorted(changes, key=lambda change: (change[0].lineno, change[0].col_offset), reverse=True):
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        data = data[:begin] + text.encode() + data[end:]
    return data.decode()


class _Finder(ast.NodeVisitor):
    """Finds what becomes a number, what only type checkers use, and the names still used afterwards."""

    def __init__(self, source: str, modules: Mapping[str, str], names: Mapping[str, int], own: set[str]):
        self._lines = source.encode().splitlines()
        self._modules = modules
        self._names = names
        self._own = own
        self.changes: list[tuple[ast.expr | ast.stmt, str]] = []
        self.used: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        if _for_types(node):
            self.changes.append((node, "pass"))
        else:
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.returns:
            row, column = node.returns.lineno, node.returns.col_offset
            arrow = self._lines[row - 1].rindex(b"->", 0, column)
            self._take_out(row, len(self._lines[row - 1][:arrow].rstrip()), node.returns)
        for each in (*node.decorator_list, node.args, *node.body):
            self.visit(each)

    def visit_arg(self, node: ast.arg) -> None:
        if node.annotation:
            self._take_out(node.lineno, node.col_offset + len(node.arg.encode()), node.annotation)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            self.changes.append((node, "pass"))
            return
        target = node.target
        assert target.end_lineno is not None and target.end_col_offset is not None
        self._take_out(target.end_lineno, target.end_col_offset, node.annotation)
        self.visit(target)
        self.visit(node.value)

    def _take_out(self, row: int, column: int, annotation: ast.expr) -> None:
        """Remove an annotation, together with the punctuation before it."""
        end = {"end_lineno": annotation.end_lineno, "end_col_offset": annotation.end_col_offset}
        self.changes.append((ast.Pass(lineno=row, col_offset=column, **end), ""))

    def visit_Assign(self, node: ast.Assign) -> None:
        if _constant_of(node)[0] in self._own:
            self.changes.append((node, "pass"))
        else:
            self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            number = constants()[self._modules[node.value.id]].get(node.attr)
            if number is not None:
                self.changes.append((node, _number(number)))
                return
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in self._names:
            self.changes.append((node, _number(self._names[node.id])))
        else:
            self.used.add(node.id)


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"
