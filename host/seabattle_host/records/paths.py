"""Paths of this user's files."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def archive_path() -> Path:
    """Return the archive of games played on this computer."""
    return _data() / "games.sqlite"


def club_path() -> Path:
    """Return the club's database."""
    return _data() / "club.sqlite"


def board_path() -> Path:
    """Return the folder with a virtual board's saved data."""
    return _data() / "board"


def opponent_log_path() -> Path:
    """Return the log of a virtual board's opponent."""
    return Path(platformdirs.user_log_dir("seabattle", appauthor=False)) / "opponent.log"


def _data() -> Path:
    return Path(platformdirs.user_data_dir("seabattle", appauthor=False))
