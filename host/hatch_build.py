"""What a wheel carries beside the two packages: the plain sources that a board is flashed with."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("common", "firmware", "boards")


class BoardSources(BuildHookInterface):
    """Puts the folders of CARRIED under `seabattle_host/_assets`; an editable install uses those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            for name in CARRIED:
                build_data["force_include"][str(Path(self.root, name))] = f"seabattle_host/_assets/{name}"
