"""Build hooks, which add to the distribution what the checkout has elsewhere.

They add the plain sources for boards and the compiled message catalogues to a wheel, and links to the metadata.

The repository's address is that of the git remote `origin`, or SEABATTLE_REPOSITORY. With it the README's links become
absolute, so that they also work on a package index; without it they become plain text.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from email import message_from_string
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CARRIED = ("common", "firmware", "boards")

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\((?![a-z]+:)([^)]+)\)")


class BoardSources(BuildHookInterface):
    """Copies the folders of CARRIED to `seabattle_host/_assets`; an editable install uses those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            self.compile_catalogues()
            for name in CARRIED:
                build_data["force_include"][str(Path(self.root, name))] = f"seabattle_host/_assets/{name}"

    def compile_catalogues(self) -> None:
        """Bring the compiled message catalogues up to date; a checkout does so itself when it first runs."""
        sys.path.insert(0, str(Path(self.root, "host")))
        try:
            from seabattle_host.language import catalogue

            for language in catalogue.languages():
                catalogue.load(language)
        finally:
            sys.path.pop(0)


class Links(MetadataHookInterface):
    """Adds the README and the project's URLs."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        repository = address(root)
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_links(text, repository)}
        metadata["urls"] = urls(repository) if repository else {}


def address(root: Path) -> str:
    """Return the repository's URL for a browser; empty if unknown."""
    found = os.environ.get("SEABATTLE_REPOSITORY", "")
    if not found and (root / "PKG-INFO").is_file():
        # a source distribution: keep what was set when it was made
        message = message_from_string((root / "PKG-INFO").read_text(encoding="utf-8"))
        named = dict(line.split(", ", 1) for line in message.get_all("Project-URL", []))
        found = named.get("Source", "")
    if not found and (root / ".git").exists():
        asked = ["git", "-C", str(root), "remote", "get-url", "origin"]
        try:
            found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        except OSError:
            found = ""
    found = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", found).removesuffix(".git").rstrip("/")
    return found if found.startswith("https://") else ""


def urls(repository: str) -> dict[str, str]:
    """Return the links that a package index shows next to the README."""
    return {
        "Source": repository,
        "Documentation": f"{repository}/tree/main/docs",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def with_links(text: str, repository: str) -> str:
    """Return the README with links that work outside the repository."""
    if not repository:
        return _LINK.sub(r"\1", _PICTURE.sub("", text))
    text = _PICTURE.sub(rf"![\1]({repository}/raw/main/\2)", text)
    return _LINK.sub(rf"[\1]({repository}/blob/main/\2)", text)
