"""What the program says of the system that it runs on."""

from __future__ import annotations

import errno
import socket

from seabattle_host.language.messages import language, template, tr


def python_incomplete(module: str) -> str:
    """What to do about a module of Python's own that this Python does not have."""
    needs = _BUILT_WITH.get(module) or tr("python_incomplete_needs")
    return tr("python_incomplete", module=module.lstrip("_"), needs=needs)


_BUILT_WITH = {"_sqlite3": "libsqlite3-dev", "_ctypes": "libffi-dev", "_ssl": "libssl-dev", "_lzma": "liblzma-dev"}
"""Module of Python -> the Debian package whose headers it is built with."""


def why(error: BaseException) -> str:
    """What the system says of a failure, in the language in use where the catalogue has its words for it.

    An error that the catalogue does not know keeps the system's own words, and its name for somebody who asks around.
    """
    number = getattr(error, "errno", None)
    own = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if not isinstance(number, int) or any(kind.__name__ == "SSLError" for kind in type(error).__mro__):
        return str(own)  # the numbers of TLS are others
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
"""What a name of the network that cannot be looked up comes to: its code and what it is called."""
