"""Message catalogues: `locale/LANGUAGE/LC_MESSAGES/seabattle.po`, read with the standard library's gettext.

gettext reads compiled catalogues. A wheel contains them; in a checkout, or for a newly added language, they are
compiled on demand and saved next to their sources, if the folder is writable. A compiled catalogue contains the
checksum of its source, so a stale one is never used.

SEABATTLE_LOCALE may name a folder of more catalogues, with the same layout as `locale`: to try out a new language.
"""

from __future__ import annotations

import binascii
import contextlib
import io
import os
import struct
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from seabattle_host.errors import UserError

ENGLISH = "en"

_FOLDER = Path(__file__).resolve().parent / "locale"
_FILE = Path("LC_MESSAGES", "seabattle.po")
_CHECKSUM = "X-Source-Checksum"


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, English first."""
    found = {path.name for folder in _folders() for path in _children(folder) if (path / _FILE).is_file()}
    return (ENGLISH, *sorted(found - {ENGLISH}))


@cache
def load(language: str) -> GNUTranslations:
    """Load the catalogue of a language. Raises UserError if it cannot be read."""
    source = next(file for folder in _folders() if (file := folder / language / _FILE).is_file())
    try:
        text = source.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {source}: {error.strerror}") from error
    target = source.with_suffix(".mo")
    with contextlib.suppress(OSError, ValueError, struct.error), open(target, "rb") as ready:
        made = GNUTranslations(ready)
        if made.info().get(_CHECKSUM.lower()) == checksum(text):
            return made
    data = compiled(text, source)
    write(target, data)
    return GNUTranslations(io.BytesIO(data))


def compiled(text: bytes, source: Path) -> bytes:
    """Compile a catalogue for gettext. Raises UserError for one with an error."""
    try:
        import polib
    except ImportError as error:
        raise UserError("this needs the package polib: pip install polib") from error
    try:
        catalogue = polib.pofile(text.decode("utf-8"))
        catalogue.metadata[_CHECKSUM] = checksum(text)
        data: bytes = catalogue.to_binary()
        GNUTranslations(io.BytesIO(data))  # an invalid plural rule
    except (OSError, ValueError) as error:
        raise UserError(f"the catalogue {source} has a fault: {error}") from error
    return data


def checksum(text: bytes) -> str:
    """Return the checksum that identifies a version of a source."""
    return f"{binascii.crc32(text):08x}"


def write(target: Path, data: bytes) -> None:
    """Save a compiled catalogue atomically, if its folder is writable: other programs may be starting."""
    from seabattle_host.whole_file import write_whole

    with contextlib.suppress(OSError):
        write_whole(target, data)


def _folders() -> list[Path]:
    more = os.environ.get("SEABATTLE_LOCALE")
    return [Path(more), _FOLDER] if more else [_FOLDER]


def _children(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
