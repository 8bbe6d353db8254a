"""Messages about the system the program runs on."""

from __future__ import annotations

import errno
import socket

from seabattle_host.language.messages import language, template, tr


def python_incomplete(module: str) -> str:
    """Return the advice for a module of the standard library that this Python lacks."""
    needs = _BUILT_WITH.get(module) or tr("python_incomplete_needs")
    return tr("python_incomplete", module=module.lstrip("_"), needs=needs)


_BUILT_WITH = {"_sqlite3": "libsqlite3-dev", "_ctypes": "libffi-dev", "_ssl": "libssl-dev", "_lzma": "liblzma-dev"}
"""Module of Python -> the Debian package with the headers it is built with."""


def why(error: BaseException) -> str:
    """Return the system's message for an error, in the current language if the catalogue has it.

    Otherwise the system's own message, with its symbolic name for looking it up.
    """
    number = getattr(error, "errno", None)
    own = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if not isinstance(number, int) or any(kind.__name__ == "SSLError" for kind in type(error).__mro__):
        return str(own)  # TLS errors have other numbers
    name = _UNKNOWN_NAMES.get(number) if isinstance(error, socket.gaierror) else errno.errorcode.get(number)
    if name is None or language() == "en":
        return str(own)
    key = f"errno_{name}"
    if template(key) != key:
        return tr(f"errno_{name}")
    return f"{own} ({name})"


_UNKNOWN_NAMES = {
    getattr(socket, name): name for name in ("EAI_NONAME", "EAI_NODATA", "EAI_AGAIN") if hasattr(socket, name)
}
"""Errors of a host name that cannot be resolved: code and name."""
