"""Copies a firmware image to a board that waits for one as a USB drive (a Pico with its BOOTSEL button held)."""

from __future__ import annotations

import os
import shutil
import string
from pathlib import Path

from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

INFO = "INFO_UF2.TXT"
"""A file that every such drive contains."""

_MAGIC = b"UF2\n"
_BLOCK = 512
_FAMILY_AT = 28

_FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF57: "RP2350", 0xE48BFF59: "RP2350", 0xE48BFF5A: "RP2350"}
_DRIVES = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}
"""The board's name in INFO -> its chip."""

_PLACES = ("/media/*", "/media/*/*", "/run/media/*/*", "/Volumes/*", "/mnt/*")


def drives() -> list[Path]:
    """Return the drives of boards that wait for an image."""
    if os.name == "nt":
        places = [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    else:
        places = [path for pattern in _PLACES for path in sorted(Path("/").glob(pattern.removeprefix("/")))]
    found = []
    for place in places:
        try:
            if (place / INFO).is_file():
                found.append(place)
        except OSError:
            pass  # a drive without a disk, or not accessible to this user
    return found


def image_chip(image: Path) -> str:
    """Return the chip an image is for, empty if it is not one of ours. Raises UserError if it is not an image."""
    try:
        with image.open("rb") as file:
            block = file.read(_BLOCK)
    except OSError as error:
        raise UserError(tr("image_unread", path=image, reason=why(error))) from None
    if len(block) < _BLOCK or not block.startswith(_MAGIC):
        raise UserError(tr("no_image", path=image))
    return _FAMILIES.get(int.from_bytes(block[_FAMILY_AT : _FAMILY_AT + 4], "little"), "")


def drive_chip(drive: Path) -> str:
    """Return the chip of the board behind a drive, empty if unknown."""
    text = (drive / INFO).read_text(encoding="ascii", errors="replace")
    return next((chip for name, chip in _DRIVES.items() if name in text), "")


def copy(image: Path) -> Path:
    """Copy the image to the only drive and return the drive. Raises UserError, or SeabattleError if copying fails."""
    chip = image_chip(image)
    found = drives()
    if not found:
        raise UserError(tr("no_drive"))
    if len(found) > 1:
        raise UserError(tr("many_drives", drives=", ".join(map(str, found))))
    (drive,) = found
    there = drive_chip(drive)
    if chip and there and chip != there:
        raise UserError(tr("other_image", path=image, chip=chip, drive=drive, there=there))
    try:
        shutil.copyfile(image, drive / image.name)
    except OSError as error:
        # a board that has received it all restarts, and its drive is gone before the file is closed
        if (drive / INFO).exists():
            raise SeabattleError(tr("image_failed", drive=drive, reason=why(error))) from None
    return drive
