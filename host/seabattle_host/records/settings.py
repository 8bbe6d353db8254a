"""What the application remembers from one start to the next: a small JSON file in the user's configuration folder.

The file is written whole under another name and then moved into place, so that it is never half written. One that
cannot be read or written costs the memory, never the game.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass
class Preferences:
    """port: the last one connected to, empty for none. lang: en, ru, or empty for what the environment asks for.
    nick: the player's, empty before one was given. role: master, slave or auto. size, fleet: what was last offered.
    bell: whether the terminal's bell sounds. fair: whether fields are sealed before a game and shown after it.
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
        """What was remembered; anything that is missing or makes no sense has its usual value."""
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
        """Remember this. A folder that cannot be written is no reason to stop a game, so nothing is raised."""
        path = path or default_path()
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
            try:
                with open(handle, "w", encoding="utf-8") as file:
                    json.dump(dataclasses.asdict(self), file, ensure_ascii=False, indent=1)
                os.replace(name, path)
            except BaseException:
                os.unlink(name)
                raise


def default_path() -> Path:
    """Where this user's preferences are kept."""
    return Path(platformdirs.user_config_dir("seabattle", appauthor=False)) / "play.json"


def _counts(value: tuple[object, ...]) -> bool:
    return len(value) == 4 and all(type(count) is int for count in value)
