"""Short names for what the sources name in words, and nothing that no board calls: code and names lie in the memory
that the game needs.

MicroPython keeps each name of a function, a class, an attribute, a parameter or a variable of a module once, for good:
some seven bytes and its letters. So before a module is compiled for a board, the names that the game has made itself
become one or two letters, the same in all modules. Those that MicroPython knows too, or that main.py, a board.py or a
string has, stay. Modules that have nothing to do with each other may have the same letters for different names.

A traceback of a board has the short names: `python -m seabattle_host.boards.shortening` puts the words back into what
it is given.
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
from seabattle_host.boards import folding, merging

_HARDWARE = """
    ADC I2C IN OUT PULL_UP POLLIN POLLOUT Pin PWM SPI STA_IF Timer UART WLAN active any baudrate bits callback
    collect config connect const deinit duty_u16 freq hard heap_lock heap_unlock high idle implementation init ipoll
    irq isconnected kbd_intr low mem_alloc mem_free miso mosi off on parity period platform print_exception read
    read_u16 readfrom readinto register reset rxbuf scan schedule sck scl sda sleep_ms sleep_us status stop
    threshold ticks_add ticks_diff ticks_ms ticks_us toggle tx rx unregister urandom value write write_readinto writeto
"""
"""What MicroPython's modules for the hardware, which are not at hand here, name so."""

_TYPES = (
    *(builtins, bytearray, bytes, dict, int, io.BytesIO, io.TextIOWrapper, list, memoryview, set, str, tuple),
    *(select, socket.socket),
)

_WORD = re.compile(r'''#.*|"""(?s:.*?)"""|"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*'|[^\W\d]\w*|\d\w*''')
"""A name in a source, or what may hold a word that is none: a comment, a text, a number."""

_FRAME = re.compile(r'(File "([^"]+)", (?:line \d+, )?in )(\w+)')


def for_board(source: str) -> str:
    """The source of main.py and the like as it is compiled for a board.

    Raises ValueError if what it makes itself would have one name for two: it has no part in how they are given.
    """
    made: dict[str, str] = {}
    for node in folding.walk(ast.parse(source)):
        name = node.name if isinstance(node, ast.FunctionDef) else ""
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr
        if name:
            other = made.setdefault(names().get(name, name), name)
            if other != name:
                raise ValueError(f"{other} and {name} are the same on a board: give one another name")
    return shortened(merging.linked(folding.folded(source)))


@functools.cache
def module_for_board(module: str) -> str:
    """The source of a module, by its dotted name, as it is compiled for a board."""
    return shortened(called(merging.merged(module)))


def called(source: str) -> str:
    """The source without the functions that nobody on a board calls."""
    unused = _unused()
    changes: list[tuple[ast.expr | ast.stmt, str]] = []

    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and node.name in unused:
            # with the decorators, and the @ before the first
            first = node.decorator_list[0] if node.decorator_list else node
            column = first.col_offset - (first is not node)
            place = {"end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset}
            changes.append((ast.Pass(lineno=first.lineno, col_offset=column, **place), "pass"))
        else:
            waiting += folding.statements(node)
    return folding.changed(source, changes)


@functools.cache
def _unused() -> frozenset[str]:
    """The names of functions that no module of a board has but to make them; none of those that such functions call."""
    made: set[str] = set()
    asked: set[tuple[str, tuple[str, ...]]] = set()
    for module in merging.on_boards():
        tree = merging.trees()[module]
        made.update(node.name for node in merging.nodes()[module] if isinstance(node, ast.FunctionDef))
        asked.update(_asked(tree, ()))
    made -= {name for name in made if name.startswith("__")} | _known()
    unused: set[str] = set()
    while True:
        used = {name for name, within in asked if unused.isdisjoint(within)}
        if made - used == unused:
            return frozenset(unused)
        unused = made - used


def _asked(node: ast.AST, within: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that are asked for, each with the names of the functions that it stands in."""
    for each in folding.children(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            yield each.id, within
        elif isinstance(each, ast.Attribute):
            yield each.attr, within
        yield from _asked(each, (*within, each.name) if isinstance(each, ast.FunctionDef) else within)


def shortened(source: str) -> str:
    """The source with the short names in it."""
    short = names()
    return _WORD.sub(lambda found: short.get(found[0], found[0]), source)


def restored(traceback: str) -> str:
    """A traceback of a board with the names that the sources have."""

    def name(found: re.Match[str]) -> str:
        module = found[2].removesuffix(".py").replace("/", ".")
        for guest in merging.guests(module):
            for each in _sources().get(guest, ()):
                if names().get(each) == found[3]:
                    return found[1] + each
        return found[0]

    return _FRAME.sub(name, traceback)


@functools.cache
@folding.no_collection()
def names() -> Mapping[str, str]:
    """By name: its short one."""
    sources = _sources()
    groups = _groups()
    seen = set(itertools.chain.from_iterable(sources.values()))
    stay = _known() | {each for each in seen if each.startswith("__")}
    count: Counter[str] = Counter()
    where: defaultdict[str, set[str]] = defaultdict(set)
    for module, used in sources.items():
        for name in used:
            count[name] += 1
            where[name].add(groups[module])
        # Who is in the same module on a board has the same table of names; and a traceback names functions.
        together = {groups[each] for each in merging.guests(merging.root(module))}
        for name in merging.bound(module) | _functions(module):
            where[name] |= together
    # What is set from outside is an attribute of an object that another module may have made.
    for name in _set_from_outside():
        where[name] |= set(groups.values())
    # those in most modules first: they have the least choice
    wanted = sorted(_made() - stay, key=lambda name: (-len(where[name]), -count[name], name))
    taken: defaultdict[str, set[str]] = defaultdict(set)  # by short name: the groups that have it
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
    """By module: all names in it."""
    return {module: frozenset(identifiers(nodes)) for module, nodes in merging.nodes().items()}


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """All names in a source, of which these are all nodes."""
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


def _made() -> set[str]:
    """What the game names itself, but for variables of functions, whose names do not come onto a board."""
    found = set()
    for module, tree in merging.trees().items():
        for node in merging.nodes()[module]:
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
    """The variables of a module and its classes."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif not isinstance(each, ast.FunctionDef | ast.Lambda | ast.expr):
            yield from _variables(each)


@functools.cache
def _known() -> frozenset[str]:
    """Names that somebody else knows: MicroPython, main.py and the boards, a string, who calls with `name=`."""
    found = {"self", *_HARDWARE.split(), *itertools.chain.from_iterable(map(dir, _TYPES))}
    for module in merging.trees():
        found.update(module.split("."))
    others = [assets.firmware() / "main.py", *assets.boards().glob("*/board.py")]
    for path in others:
        if path.parent.name == "unix":
            continue  # it runs the sources
        found.update(identifiers(folding.walk(ast.parse(path.read_text(encoding="utf-8")))))
    for nodes in merging.nodes().values():
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
                # of sys.stdin.buffer all three
                chain = [node.attr]
                inner = node.value
                while isinstance(inner, ast.Attribute):
                    chain.append(inner.attr)
                    inner = inner.value
                if isinstance(inner, ast.Name) and inner.id in outside:
                    found.update(chain)
    return frozenset(found)


def _groups() -> Mapping[str, str]:
    """By module: the first of those whose classes are each other's bases, and which so share their objects' names."""
    first = {module: module for module in merging.trees()}

    def lead(module: str) -> str:
        while first[module] != module:
            module = first[module]
        return module

    for module, nodes in merging.nodes().items():
        bases = {base for node in nodes if isinstance(node, ast.ClassDef) for base in map(_first, node.bases)}
        for here, base, name in folding.taken(merging.sources()[module], module):
            other = base if base in first else ""
            if f"{base}.{name}" in first:
                other = f"{base}.{name}"
            if here in bases and other:
                first[lead(module)] = lead(other)
    return {module: lead(module) for module in first}


def _set_from_outside() -> set[str]:
    """The attributes that somebody else than the methods of an object gives to it."""
    return {
        node.attr
        for nodes in merging.nodes().values()
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    }


def _functions(module: str) -> set[str]:
    return {node.name for node in merging.nodes()[module] if isinstance(node, ast.FunctionDef)}


def _first(base: ast.expr) -> str:
    """The name that a base of a class begins with."""
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


if __name__ == "__main__":
    sys.stdout.write(restored(sys.stdin.read()))
