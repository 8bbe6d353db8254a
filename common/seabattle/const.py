"""MicroPython's `const`, and a stand-in for CPython; const.pyi types both alike.

MicroPython's compiler inlines numbers defined with const().
"""

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """Return `x`."""
        return x


# As in typing, which boards lack: imports under `if TYPE_CHECKING:` are for annotations only.
TYPE_CHECKING = False
