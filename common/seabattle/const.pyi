"""One const for MicroPython and CPython."""

TYPE_CHECKING: bool

def const(x: int) -> int: ...
