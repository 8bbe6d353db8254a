"""Files that are written whole or not at all."""

import contextlib
import os
import secrets
import shutil
from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file. Raises OSError; then what the file had before is still there, and no half of the new one is."""
    if isinstance(data, str):
        data = data.encode()
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a pipe or a device
        return
    path = Path(os.path.realpath(path))  # a link stays one
    draft = path.with_name(f".seabattle-{secrets.token_hex(8)}")
    if path.exists():
        path.open("ab").close()  # a file that is protected stays as it is, though its folder would let it be replaced
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except PermissionError:
        path.write_bytes(data)  # the file may be written, but its folder takes no new ones
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(path, draft)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
