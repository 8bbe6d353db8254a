"""Where the files of this user are kept."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def archive_path() -> Path:
    """The games that were played on this computer."""
    return _data() / "games.sqlite"


def club_path() -> Path:
    """The club."""
    return _data() / "club.sqlite"


def board_path() -> Path:
    """What a virtual board keeps."""
    return _data() / "board"


def opponent_log_path() -> Path:
    """The log of a virtual board's opponent."""
    return Path(platformdirs.user_log_dir("seabattle", appauthor=False)) / "opponent.log"


def _data() -> Path:
    return Path(platformdirs.user_data_dir("seabattle", appauthor=False))
