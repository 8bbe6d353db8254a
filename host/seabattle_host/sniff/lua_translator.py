"""Translates the shared package's Python to Lua, so that Wireshark runs the watcher itself, not a copy of its rules.

The shared package is limited to what a small board can run without allocating: integers, bytearrays, tuples, classes
with methods, `if`, `while`, `for` (with `else`) over ranges and sequences. That subset is translated; anything else
raises `Untranslatable`.

Functions and classes of a module are translated from their source; other names are written as the values they have once
Python has imported the module. Sequences are Lua tables counted from 0 with their length in `n`; Python's truth values
(0 is false) are kept by `T`.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Sequence
from types import FunctionType, ModuleType

RUNTIME = """\
local unpack_bits = bit or bit32 or require("bit")
local band, bor, bxor, bnot = unpack_bits.band, unpack_bits.bor, unpack_bits.bxor, unpack_bits.bnot
local lshift, rshift, floor = unpack_bits.lshift, unpack_bits.rshift, math.floor
local function T(x) return x ~= nil and x ~= false and x ~= 0 and x ~= "" and not (type(x) == "table" and x.n == 0) end
local function I(x) if x == true then return 1 elseif x == false then return 0 end return x end
local function zeros(n) local t = {n = n} for i = 0, n - 1 do t[i] = 0 end return t end
local function class(methods, getters, base)
  if base then
    setmetatable(methods, {__index = base})
    setmetatable(getters, {__index = base.getters_})
  end
  methods.getters_ = getters
  local meta = {__index = function(_, name)
    local getter = getters[name]
    if getter then return getter(_) end
    return methods[name]
  end}
  methods.new = function(...)
    local self = setmetatable({}, meta)
    if methods.__init__ then methods.__init__(self, ...) end
    return self
  end
  return methods
end
"""

_KEYWORDS = frozenset(
    ("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil")
).union(("not", "or", "repeat", "return", "then", "true", "until", "while"))

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}
_BITS = {ast.BitAnd: "band", ast.BitOr: "bor", ast.BitXor: "bxor", ast.LShift: "lshift", ast.RShift: "rshift"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "~=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Untranslatable(ValueError):
    """Python outside the translated subset, with its location."""


def translate(modules: Sequence[ModuleType]) -> str:
    """Return Lua that defines each module as a local table of its own name; imported modules come first."""
    tables: dict[str, _Module] = {}
    for module in modules:
        tables[_short(module)] = _Module(module, tables)
    # modules may use each other's values, so read all before writing any
    bodies = {key: table.bodies() for key, table in tables.items()}
    return "\n".join(line for key, table in tables.items() for line in (*table.head(), *bodies[key], ""))


def needed(module: ModuleType) -> list[ModuleType]:
    """Return a module and all modules of its package that it imports, directly or not, imported ones first."""
    found: list[ModuleType] = []

    def visit(one: ModuleType) -> None:
        for node in ast.parse(inspect.getsource(one)).body:
            if isinstance(node, ast.ImportFrom) and node.level:
                for name_ in [node.module] if node.module else [alias.name for alias in node.names]:
                    other = sys.modules[f"{one.__package__}.{name_}"]
                    if other not in found:
                        visit(other)
        found.append(one)

    visit(module)
    return found


def _short(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def literal(value: object) -> str:
    """Return a Python value as Lua: numbers, strings, booleans, None, and sequences of them."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return (
            '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else _escaped(c) for c in value) + '"'
        )
    if isinstance(value, (bytes, bytearray, tuple, list)):
        items = [literal(item) for item in value]
        first = f"[0]={items[0]}, " if items else ""
        return "{" + first + "".join(f"{item}, " for item in items[1:]) + f"n={len(items)}" + "}"
    raise Untranslatable(f"a value of {type(value).__name__}")


def _escaped(char: str) -> str:
    return "".join(f"\\{byte:03}" for byte in char.encode())


def name(text: str) -> str:
    """Return a Python name as a Lua name."""
    return f"{text}_" if text in _KEYWORDS else text


class _Module:
    def __init__(self, module: ModuleType, tables: dict[str, _Module]):
        self.module = module
        self.table = _short(module)
        self.data: dict[str, str] = {}
        self._tables = tables

    def head(self) -> list[str]:
        """Return the module's table with the values used from it."""
        return [
            f"local {self.table} = {{}}",
            *(f"{self.table}.{key} = {value}" for key, value in sorted(self.data.items())),
        ]

    def bodies(self) -> list[str]:
        """Return its functions and classes."""
        tree = ast.parse(inspect.getsource(self.module))
        bodies = []
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                bodies.append(_Function(self, node).text(f"{self.table}.{name(node.name)}"))
            elif isinstance(node, ast.ClassDef):
                bodies.append(self._class(node))
        return bodies

    def _class(self, node: ast.ClassDef) -> str:
        methods: list[tuple[str, str]] = []
        getters: list[tuple[str, str]] = []
        for item in node.body:
            if not isinstance(item, ast.FunctionDef):
                continue
            is_getter = any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list)
            (getters if is_getter else methods).append((name(item.name), _Function(self, item).text("")))
        lines = ["do local methods, getters = {}, {}"]
        lines += [f"methods.{key} = {body}" for key, body in methods]
        lines += [f"getters.{key} = {body}" for key, body in getters]
        given = ["methods", "getters"]
        for base in node.bases:
            if not isinstance(base, ast.Name) or len(node.bases) > 1:
                raise Untranslatable(f"{self.table}:{node.lineno}: the base of {node.name}")
            given.append(self.value(base.id, base))
        lines.append(f"{self.table}.{node.name} = class({', '.join(given)}) end")
        return "\n".join(lines)

    def value(self, key: str, node: ast.AST) -> str:
        """Resolve a name of the module from inside a function."""
        if not hasattr(self.module, key):
            raise Untranslatable(f"{self.table}:{getattr(node, 'lineno', 0)}: {key}")
        return self.of(getattr(self.module, key), self.table, key)

    def of(self, found: object, table: str, key: str) -> str:
        """Return Lua for a name of a module."""
        if isinstance(found, ModuleType):
            return _short(found)
        if isinstance(found, (FunctionType, type)):
            return f"{found.__module__.rpartition('.')[2]}.{name(found.__name__)}"
        if isinstance(found, (int, str, type(None))):
            return literal(found)
        owner = self._tables.get(table)
        if owner is None:
            raise Untranslatable(f"{self.table}: {table}.{key} is of a module that is not translated")
        owner.data[name(key)] = literal(found)
        return f"{table}.{name(key)}"


class _Function:
    def __init__(self, module: _Module, node: ast.FunctionDef):
        self.module = module
        self.node = node
        self.parameters = [argument.arg for argument in node.args.args]
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.locals = stored - set(self.parameters)
        self.names = self.locals | set(self.parameters)
        self.count = 0
        self.breaks: list[str] = []
        """For each enclosing loop, the label its `break` goes to, if not just behind it."""

    def text(self, head: str) -> str:
        lines = [f"{head} = " * bool(head) + f"function({', '.join(map(name, self.parameters))})"]
        defaults = self.node.args.defaults
        for parameter, default in zip(self.parameters[len(self.parameters) - len(defaults) :], defaults, strict=True):
            lines.append(f"  if {name(parameter)} == nil then {name(parameter)} = {self.value(default)} end")
        if self.locals:
            lines.append(f"  local {', '.join(map(name, sorted(self.locals)))}")
        lines += self.block(self.node.body)
        lines.append("end")
        return "\n".join(lines)

    def fail(self, node: ast.AST) -> Untranslatable:
        place = f"{self.module.table}:{getattr(node, 'lineno', self.node.lineno)}"
        return Untranslatable(f"{place}: {type(node).__name__} in {self.node.name}")

    # Statements.

    def block(self, body: Iterable[ast.stmt]) -> list[str]:
        lines: list[str] = []
        for node in body:
            lines += textwrap.indent("\n".join(self.statement(node)), "  ").splitlines()
        return lines

    def statement(self, node: ast.stmt) -> list[str]:
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                return []
            return (
                [f"local _ = {self.value(node.value)}"]
                if not isinstance(node.value, ast.Call)
                else [self.value(node.value)]
            )
        if isinstance(node, ast.Assign):
            return self.assign(node)
        if isinstance(node, ast.AugAssign):
            target = self.value(node.target)
            binary = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
            return [f"{target} = {self.value(binary)}"]
        if isinstance(node, ast.If):
            return self.branch(node, "if")
        if isinstance(node, ast.While) and not node.orelse:
            return self.loop(f"while {self.truth(node.test)} do", node.body)
        if isinstance(node, ast.For):
            return self.each(node) if not node.orelse else self.unless_broken(node)
        if isinstance(node, ast.Return):
            return [f"do return {self.value(node.value)} end" if node.value is not None else "do return end"]
        if isinstance(node, ast.Break):
            return [f"goto {self.breaks[-1]}" if self.breaks[-1] else "do break end"]
        if isinstance(node, ast.Continue):
            return ["goto continue"]
        if isinstance(node, ast.Pass):
            return []
        if isinstance(node, ast.Assert):
            return []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return [f"{self.value(node.target)} = {self.value(node.value)}"]
        raise self.fail(node)

    def assign(self, node: ast.Assign) -> list[str]:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple):
            if not isinstance(node.value, ast.Tuple) or len(node.value.elts) != len(node.targets[0].elts):
                raise self.fail(node)
            names = ", ".join(map(self.value, node.targets[0].elts))
            return [f"{names} = {', '.join(map(self.value, node.value.elts))}"]
        if len(node.targets) == 1:
            return [f"{self.value(node.targets[0])} = {self.value(node.value)}"]
        targets = [f"{self.value(target)} = _v" for target in node.targets]
        return [f"do local _v = {self.value(node.value)}", *(f"  {line}" for line in targets), "end"]

    def branch(self, node: ast.If, word: str) -> list[str]:
        lines = [f"{word} {self.truth(node.test)} then", *self.block(node.body)]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            return lines + self.branch(node.orelse[0], "elseif")
        if node.orelse:
            lines += ["else", *self.block(node.orelse)]
        return [*lines, "end"]

    def loop(self, head: str, body: list[ast.stmt], first: Sequence[str] = (), label: str = "") -> list[str]:
        self.breaks.append(label)
        inner = [*(f"  {line}" for line in first), *self.block(body)]
        self.breaks.pop()
        if any(isinstance(n, ast.Continue) for stmt in body for n in ast.walk(stmt)):
            inner = ["  do", *(f"  {line}" for line in inner), "  end", "  ::continue::"]
        return [head, *inner, "end"]

    def unless_broken(self, node: ast.For) -> list[str]:
        """Translate a `for` with an `else`, which `break` skips."""
        self.count += 1
        label = f"_b{self.count}"
        lines = [*self.each(node, label), *self.block(node.orelse), f"::{label}::"]
        return ["do", *(f"  {line}" for line in lines), "end"]

    def each(self, node: ast.For, label: str = "") -> list[str]:
        source = node.iter
        self.count += 1
        index = f"_i{self.count}"
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range":
            bounds = [self.value(argument) for argument in source.args]
            step = "1"
            if len(bounds) == 1:
                bounds = ["0", *bounds]
            if len(bounds) == 3:
                step = bounds.pop()
            last = f"({bounds[1]}) + 1" if step.startswith(("-", "(-")) else f"({bounds[1]}) - 1"
            head = f"for {index} = {bounds[0]}, {last}, {step} do"
            return self.loop(head, node.body, [f"{self.value(node.target)} = {index}"], label)
        sequence = f"_s{self.count}"
        item = f"{sequence}[{index}]"
        first = []
        if isinstance(node.target, ast.Tuple):
            for i, target in enumerate(node.target.elts):
                first.append(f"{self.value(target)} = {item}[{i}]")
        else:
            first.append(f"{self.value(node.target)} = {item}")
        inner = self.loop(f"for {index} = 0, {sequence}.n - 1 do", node.body, first, label)
        return [f"do local {sequence} = {self.value(source)}", *(f"  {line}" for line in inner), "end"]

    # Expressions.

    def truth(self, node: ast.expr) -> str:
        """Translate an expression as a condition."""
        if isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.And) else " or "
            return "(" + word.join(map(self.truth, node.values)) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"not {self.truth(node.operand)}"
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.Constant):
            return "true" if node.value else "false"
        return f"T({self.value(node)})"

    def number(self, node: ast.expr) -> str:
        """Translate an operand of arithmetic: True counts as 1."""
        text = self.value(node)
        is_bool = isinstance(node, (ast.Compare, ast.BoolOp)) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )
        return f"I({text})" if is_bool else text

    def value(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return literal(node.value)
        if isinstance(node, ast.Name):
            return name(node.id) if node.id in self.names else self.module.value(node.id, node)
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, (ast.Slice, ast.Tuple)) or _negative(node.slice):
                raise self.fail(node)
            return f"{self.value(node.value)}[{self.value(node.slice)}]"
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.USub):
                return f"(-{self.number(node.operand)})"
            if isinstance(node.op, ast.Invert):
                return f"bnot({self.number(node.operand)})"
            return f"(not {self.truth(node.operand)})"
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.BoolOp):
            return self.either(node)
        if isinstance(node, ast.IfExp):
            then, other = self.value(node.body), self.value(node.orelse)
            return f"(function() if {self.truth(node.test)} then return {then} end return {other} end)()"
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self.value(item) for item in node.elts]
            first = f"[0]={items[0]}, " if items else ""
            return "{" + first + "".join(f"{item}, " for item in items[1:]) + f"n={len(items)}" + "}"
        if isinstance(node, ast.Call):
            return self.call(node)
        raise self.fail(node)

    def attribute(self, node: ast.Attribute) -> str:
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id not in self.names:
            found = getattr(self.module.module, owner.id, None)
            if isinstance(found, ModuleType):
                return self.module.of(getattr(found, node.attr), _short(found), node.attr)
        return f"{self.value(owner)}.{name(node.attr)}"

    def binary(self, node: ast.BinOp) -> str:
        if isinstance(node.left, ast.List):
            # `[0] * n`, a list of zeros; any other would need a loop
            values = [getattr(value, "value", None) for value in node.left.elts]
            if values == [0] and isinstance(node.op, ast.Mult):
                return f"zeros({self.number(node.right)})"
            raise self.fail(node)
        left, right = self.number(node.left), self.number(node.right)
        kind = type(node.op)
        if kind in _BINARY:
            return f"({left} {_BINARY[kind]} {right})"
        if kind in _BITS:
            return f"{_BITS[kind]}({left}, {right})"
        if kind is ast.FloorDiv:
            return f"floor({left} / {right})"
        raise self.fail(node)

    def compare(self, node: ast.Compare) -> str:
        parts = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self.one_comparison(left, operator, right, node))
            left = right
        return "(" + " and ".join(parts) + ")"

    def one_comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, node: ast.Compare) -> str:
        if isinstance(operator, (ast.In, ast.NotIn)):
            if not isinstance(right, (ast.Tuple, ast.List)):
                raise self.fail(node)
            any_of = " or ".join(f"{self.number(left)} == {self.number(item)}" for item in right.elts)
            return f"not ({any_of})" if isinstance(operator, ast.NotIn) else f"({any_of})"
        if isinstance(operator, (ast.Is, ast.IsNot)):
            return f"{self.value(left)} {'==' if isinstance(operator, ast.Is) else '~='} {self.value(right)}"
        if type(operator) not in _COMPARE:
            raise self.fail(node)
        return f"{self.number(left)} {_COMPARE[type(operator)]} {self.number(right)}"

    def either(self, node: ast.BoolOp) -> str:
        """Translate `a or b` with Python's value: the first operand that decides."""
        *early, last = node.values
        test = "T(_v)" if isinstance(node.op, ast.Or) else "not T(_v)"
        lines = [f"do local _v = {self.value(item)} if {test} then return _v end end" for item in early]
        return f"(function() {' '.join(lines)} return {self.value(last)} end)()"

    def call(self, node: ast.Call) -> str:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.fail(node)
        arguments = ", ".join(map(self.value, node.args))
        function = node.func
        if isinstance(function, ast.Name) and function.id not in self.names:
            if not hasattr(self.module.module, function.id):
                return self.builtin(function.id, node, arguments)
            found = getattr(self.module.module, function.id)
            text = self.module.value(function.id, node)
            return f"{text}.new({arguments})" if isinstance(found, type) else f"{text}({arguments})"
        if isinstance(function, ast.Attribute):
            owner = function.value
            if isinstance(owner, ast.Name) and owner.id not in self.names:
                found = getattr(self.module.module, owner.id, None)
                if isinstance(found, ModuleType):
                    text = self.attribute(function)
                    is_class = isinstance(getattr(found, function.attr), type)
                    return f"{text}.new({arguments})" if is_class else f"{text}({arguments})"
            return f"{self.value(owner)}:{name(function.attr)}({arguments})"
        raise self.fail(node)

    def builtin(self, function: str, node: ast.Call, arguments: str) -> str:
        if function == "bytearray" and len(node.args) == 1:
            return f"zeros({arguments})"
        if function == "len":
            return f"{arguments}.n"
        if function in ("min", "max", "abs"):
            return f"math.{function}({arguments})"
        if function == "bool":
            return self.truth(node.args[0])
        if function == "int":
            return f"I({arguments})"
        raise self.fail(node)


def _negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _loaded(target: ast.expr) -> ast.expr:
    """Return an assignment target as an expression."""
    copy = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copy, target)
