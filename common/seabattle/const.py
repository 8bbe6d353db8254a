"""`const` of MicroPython, and what takes its place on CPython; const.pyi tells type checkers the same of both.

MicroPython's compiler puts a number that const() makes where its name stands.
"""

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        return x


# As typing has it, which boards have not: what is imported under `if TYPE_CHECKING:` is for annotations alone.
TYPE_CHECKING = False
