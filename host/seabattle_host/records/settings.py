"""The application's preferences: a small JSON file in the user's configuration folder.

If it cannot be read or written, preferences are lost but the game works.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from seabattle_host.whole_file import write_whole


@dataclass
class Preferences:
    """port: the last one connected to, empty for none.

    lang: en, ru, or empty for the environment's choice. nick: the player's, empty before one was given. role: master,
    slave or auto. size, fleet: the last ones offered. bell: whether the terminal's bell sounds. fair: whether fields
    are sealed before a game and shown after it.
    """

    port: str = ""
    lang: str = ""
    nick: str = ""
    role: str = "auto"
    size: int = 10
    fleet: tuple[int, int, int, int] = (1, 2, 3, 4)
    bell: bool = False
    fair: bool = False

    @classmethod
    def load(cls, path: Path | None = None) -> Preferences:
        """Read the preferences; anything missing or invalid gets its default."""
        found = cls()
        try:
            kept = json.loads((path or default_path()).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return found
        for item in dataclasses.fields(cls):
            value = kept.get(item.name) if isinstance(kept, dict) else None
            if isinstance(value, list):
                value = tuple(value)
            usual = getattr(found, item.name)
            if type(value) is type(usual) and (not isinstance(value, tuple) or _counts(value)):
                setattr(found, item.name, value)
        return found

    def save(self, path: Path | None = None) -> None:
        """Write the preferences. Never raises: an unwritable folder is no reason to stop a game."""
        path = path or default_path()
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=1))


def default_path() -> Path:
    """Return the path of this user's preferences."""
    return Path(platformdirs.user_config_dir("seabattle", appauthor=False)) / "play.json"


def _counts(value: tuple[object, ...]) -> bool:
    return len(value) == 4 and all(type(count) is int for count in value)
