"""Gives up a module whose work is done, so that the memory of its code is free."""

import sys


def unload(full: str) -> None:
    """full: its dotted name; nothing happens where it is not loaded."""
    if full not in sys.modules:
        return
    del sys.modules[full]
    package, _, name = full.partition(".")
    try:
        delattr(sys.modules[package], name)
    except (AttributeError, KeyError):
        pass
