"""What the program says of the system that it runs on."""

from __future__ import annotations

from seabattle_host.language.messages import say


def python_incomplete(module: str) -> str:
    """What to do about a module of Python's own that this Python does not have."""
    needs = _BUILT_WITH.get(module) or say("python_incomplete_needs")
    return say("python_incomplete", module=module.lstrip("_"), needs=needs)


_BUILT_WITH = {"_sqlite3": "libsqlite3-dev", "_ctypes": "libffi-dev", "_ssl": "libssl-dev", "_lzma": "liblzma-dev"}
"""Module of Python -> the Debian package whose headers it is built with."""
