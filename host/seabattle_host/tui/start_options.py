"""Options of the command line for the screens, in a module that is quick to import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seabattle.gunner import SHARP
from seabattle_host.line.settings import Settings
from seabattle_host.player.parameters import Parameters

if TYPE_CHECKING:
    from seabattle_host.games.setup import Setup
    from seabattle_host.player.runner import Observer
    from seabattle_host.records.archive import Game


@dataclass
class StartOptions:
    """Options of the command line. None, or empty: not given, so the preferences apply."""

    url: str = ""
    found: str = ""
    """What was found to be plugged in, in words."""
    board: bool = False
    """Start a virtual board at once."""
    settings: Settings = field(default_factory=Settings)
    role: str = ""
    nick: str = ""
    cp866: bool = False
    """Send the nick in code page 866 from the start."""
    offer: Parameters | None = None
    level: int = SHARP
    fair: bool | None = None
    """Seal the field, and show it after each game."""
    bell: bool | None = None
    replay: Game | None = None
    """Show only this game."""
    setup: Setup | None = None
    """Play only this game at one screen."""
    observers: Sequence[Observer] = ()
