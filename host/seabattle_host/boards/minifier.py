"""Shortens names and drops functions that no board calls: code and names take memory that the game needs.

MicroPython stores each name of a function, a class, an attribute, a parameter or a module's variable once, permanently:
some seven bytes plus its letters. So before a module is compiled for a board, the names defined by the game become one
or two letters, the same in all modules. Names also known to MicroPython, or used by main.py, a board.py or a string,
stay. Unrelated modules may use the same letters for different names.

A board's traceback has the short names: `python -m seabattle_host.boards.minifier` restores the originals.
"""

from __future__ import annotations

import ast
import builtins
import functools
import io
import itertools
import keyword
import re
import select
import socket
import string
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from seabattle_host import assets
from seabattle_host.boards import bundler, constant_folding

_HARDWARE = """
    ADC I2C IN OUT PULL_UP POLLIN POLLOUT Pin PWM SPI STA_IF Timer UART WLAN active any baudrate bits callback
    collect config connect const deinit duty_u16 freq hard heap_lock heap_unlock high idle implementation init ipoll
    irq isconnected kbd_intr low mem_alloc mem_free miso mosi off on parity period platform print_exception read
    read_u16 readfrom readinto register reset rxbuf scan schedule sck scl sda sleep_ms sleep_us status stop
    threshold ticks_add ticks_diff ticks_ms ticks_us toggle tx rx unregister urandom value write write_readinto writeto
"""
"""Names in MicroPython's hardware modules, which cannot be inspected here."""

_TYPES = (
    *(builtins, bytearray, bytes, dict, int, io.BytesIO, io.TextIOWrapper, list, memoryview, set, str, tuple),
    *(select, socket.socket),
)

_WORD = re.compile(r'''#.*|"""(?s:.*?)"""|"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*'|[^\W\d]\w*|\d\w*''')
"""A name in a source, or something that may contain words but is none: a comment, a string, a number."""

_FRAME = re.compile(r'(File "([^"]+)", (?:line \d+, )?in )(\w+)')


def for_board(source: str) -> str:
    """Return the source of main.py and the like as compiled for a board.

    Raises ValueError if a name it defines itself clashes with a short name: its own names are not considered when those
    are assigned.
    """
    made: dict[str, str] = {}
    for node in constant_folding.walk(ast.parse(source)):
        name = node.name if isinstance(node, ast.FunctionDef) else ""
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr
        if name:
            other = made.setdefault(short_names().get(name, name), name)
            if other != name:
                raise ValueError(f"{other} and {name} are the same on a board: give one another name")
    return shorten_names(_apart(bundler.redirect_imports(constant_folding.fold(source))))


def _apart(source: str) -> str:
    """Give imported names that have the same short name other names in this source: unrelated modules may share one."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    taken: dict[str, str] = {}
    both = set()
    for name in (alias.asname or alias.name for node in imports for alias in node.names):
        if taken.setdefault(short_names().get(name, name), name) != name:
            both.add(name)
    at_import = {number for node in imports for number in range(node.lineno, (node.end_lineno or 0) + 1)}

    def renamed(found: re.Match[str]) -> str:
        name = found[0]
        if name not in both or source[found.start() - 1 : found.start()] == ".":
            return name
        line = source.count("\n", 0, found.start()) + 1
        return f"{name} as {name}_" if line in at_import else f"{name}_"

    return _WORD.sub(renamed, source) if both else source


@functools.cache
def module_for_board(module: str) -> str:
    """Return the source of a module, by its dotted name, as compiled for a board."""
    return shorten_names(drop_uncalled(bundler.bundle(module)))


def drop_uncalled(source: str) -> str:
    """Return the source without the functions that are never called on a board."""
    unused = _unused()
    changes: list[tuple[ast.expr | ast.stmt, str]] = []

    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and node.name in unused:
            # include the decorators, and the @ before the first
            first = node.decorator_list[0] if node.decorator_list else node
            column = first.col_offset - (first is not node)
            place = {"end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset}
            changes.append((ast.Pass(lineno=first.lineno, col_offset=column, **place), "pass"))
        else:
            waiting += constant_folding.statements(node)
    return constant_folding.replace_nodes(source, changes)


@functools.cache
def _unused() -> frozenset[str]:
    """Return the names of functions that are only defined, never used, in all modules of a board; transitively."""
    made: set[str] = set()
    uses: set[tuple[str, tuple[str, ...]]] = set()
    for module in bundler.board_modules():
        tree = bundler.trees()[module]
        made.update(node.name for node in bundler.nodes()[module] if isinstance(node, ast.FunctionDef))
        uses.update(_used(tree, ()))
    made -= {name for name in made if name.startswith("__")} | _external()
    unused: set[str] = set()
    while True:
        used = {name for name, within in uses if unused.isdisjoint(within)}
        if made - used == unused:
            return frozenset(unused)
        unused = made - used


def _used(node: ast.AST, within: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names used, each with the names of the enclosing functions."""
    for each in constant_folding.children(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            yield each.id, within
        elif isinstance(each, ast.Attribute):
            yield each.attr, within
        yield from _used(each, (*within, each.name) if isinstance(each, ast.FunctionDef) else within)


def shorten_names(source: str) -> str:
    """Return the source with short names."""
    short = short_names()
    return _WORD.sub(lambda found: short.get(found[0], found[0]), source)


def restore_names(traceback: str) -> str:
    """Return a board's traceback with the original names."""

    def name(found: re.Match[str]) -> str:
        module = found[2].removesuffix(".py").replace("/", ".")
        for guest in bundler.bundled_modules(module):
            for each in _sources().get(guest, ()):
                if short_names().get(each) == found[3]:
                    return found[1] + each
        return found[0]

    return _FRAME.sub(name, traceback)


@functools.cache
@constant_folding.no_collection()
def short_names() -> Mapping[str, str]:
    """Return name -> short name."""
    sources = _sources()
    groups = _groups()
    seen = set(itertools.chain.from_iterable(sources.values()))
    stay = _external() | {each for each in seen if each.startswith("__")}
    count: Counter[str] = Counter()
    where: defaultdict[str, set[str]] = defaultdict(set)
    for module, used in sources.items():
        for name in used:
            count[name] += 1
            where[name].add(groups[module])
        # Modules merged on a board share a table of names; and a traceback shows function names.
        together = {groups[each] for each in bundler.bundled_modules(bundler.root(module))}
        for name in bundler.top_level_names(module) | _functions(module):
            where[name] |= together
    # An attribute set from outside belongs to an object that any module may have created.
    for name in _set_from_outside():
        where[name] |= set(groups.values())
    # names in most modules first: they have the fewest choices
    wanted = sorted(_defined() - stay, key=lambda name: (-len(where[name]), -count[name], name))
    taken: defaultdict[str, set[str]] = defaultdict(set)  # by short name: the groups that use it
    pool = [each for each in _letters() if each not in seen]
    short = {}
    for name in wanted:
        if len(name) > 1:
            short[name] = found = next(each for each in pool if not taken[each] & where[name])
            taken[found] |= where[name]
    return {name: each for name, each in short.items() if len(each) < len(name)}


def _letters() -> Iterator[str]:
    for size in (1, 2):
        for each in itertools.product(string.ascii_letters, repeat=size):
            name = "".join(each)
            if not keyword.iskeyword(name) and not hasattr(builtins, name):
                yield name


@functools.cache
def _sources() -> Mapping[str, frozenset[str]]:
    """Return the names used in each module."""
    return {module: frozenset(identifiers(nodes)) for module, nodes in bundler.nodes().items()}


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield all names in a source, given all its nodes."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.keyword):
            yield node.arg or ""
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
            yield node.asname or ""
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
        elif isinstance(node, ast.ExceptHandler):
            yield node.name or ""


def _defined() -> set[str]:
    """Return the names defined by the game, except local variables, whose names are not stored on a board."""
    found = set()
    for module, tree in bundler.trees().items():
        for node in bundler.nodes()[module]:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.alias) and node.asname:
                found.add(node.asname)
        found.update(_variables(tree))
    return found


def _variables(node: ast.AST) -> Iterator[str]:
    """Yield the variables of a module and its classes."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif not isinstance(each, ast.FunctionDef | ast.Lambda | ast.expr):
            yield from _variables(each)


@functools.cache
def _external() -> frozenset[str]:
    """Return names used from outside: by MicroPython, main.py and the boards, in strings, in calls with `name=`."""
    found = {"self", *_HARDWARE.split(), *itertools.chain.from_iterable(map(dir, _TYPES))}
    for module in bundler.trees():
        found.update(module.split("."))
    others = [assets.firmware() / "main.py", *assets.boards().glob("*/board.py")]
    for path in others:
        if path.parent.name == "unix":
            continue  # it runs the unmodified sources
        found.update(identifiers(constant_folding.walk(ast.parse(path.read_text(encoding="utf-8")))))
    for nodes in bundler.nodes().values():
        outside = {each.asname or each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.keyword):
                found.add(node.arg or "")
            elif isinstance(node, ast.Import | ast.ImportFrom):
                ours = isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("sea"))
                found.update(each.asname or each.name for each in node.names if not ours)
            elif isinstance(node, ast.Attribute):
                # all three names of sys.stdin.buffer
                chain = [node.attr]
                inner = node.value
                while isinstance(inner, ast.Attribute):
                    chain.append(inner.attr)
                    inner = inner.value
                if isinstance(inner, ast.Name) and inner.id in outside:
                    found.update(chain)
    return frozenset(found)


def _groups() -> Mapping[str, str]:
    """Return module -> the first of the modules linked to it by base classes, whose objects share attribute names."""
    first = {module: module for module in bundler.trees()}

    def lead(module: str) -> str:
        while first[module] != module:
            module = first[module]
        return module

    for module, nodes in bundler.nodes().items():
        bases = {base for node in nodes if isinstance(node, ast.ClassDef) for base in map(_first, node.bases)}
        for here, base, name in constant_folding.from_imports(bundler.sources()[module], module):
            other = base if base in first else ""
            if f"{base}.{name}" in first:
                other = f"{base}.{name}"
            if here in bases and other:
                first[lead(module)] = lead(other)
    return {module: lead(module) for module in first}


def _set_from_outside() -> set[str]:
    """Return the attributes that are set other than through `self`."""
    return {
        node.attr
        for nodes in bundler.nodes().values()
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    }


def _functions(module: str) -> set[str]:
    return {node.name for node in bundler.nodes()[module] if isinstance(node, ast.FunctionDef)}


def _first(base: ast.expr) -> str:
    """Return the first name of a base-class expression."""
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


if __name__ == "__main__":
    sys.stdout.write(restore_names(sys.stdin.read()))
