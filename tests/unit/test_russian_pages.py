"""The pages in Russian keep step with the English ones: the same headings in depth and order, the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command import ROOT

RUSSIAN = ROOT / "docs" / "ru"
PAGES = {name: ROOT / "docs" / name for name in ("play.md", "games.md", "rules.md", "club.md", "trouble.md")}
PAGES["boards.md"] = ROOT / "boards" / "README.md"


def headings(page: Path) -> list[int]:
    """The depth of each heading."""
    return [len(found[1]) for found in re.finditer(r"^(#+) ", page.read_text(encoding="utf-8"), re.MULTILINE)]


def test_there_is_a_page_for_each():
    assert sorted(path.name for path in RUSSIAN.glob("*.md")) == sorted(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_the_headings_of_the_english_one(name: str):
    assert headings(RUSSIAN / name) == headings(PAGES[name]), "a heading was added or left out in one of the languages"


def test_the_rules_are_the_same_ones():
    def named(page: Path) -> list[str]:
        return re.findall(r"^- \*\*(\w+)\*\*", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert named(RUSSIAN / "rules.md") == named(PAGES["rules.md"])


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_links_to_exists_and_what_is_said_of_commands_holds(name: str):
    from seabattle_host.cli import COMMANDS

    text = (RUSSIAN / name).read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (RUSSIAN / link).exists(), link
    assert set(re.findall(r"`seabattle (\w+)", text)) <= set(COMMANDS)
