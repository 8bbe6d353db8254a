"""Pages: their links lead somewhere, the Russian ones keep step, and commands.md matches the parsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seabattle_host.cli import COMMANDS
from seabattle_host.language import messages
from tests.command import ROOT
from tests.generate import command_pages, sniffer_example

PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("boards/**/*.md"), *ROOT.glob("tests/*/README.md")]
)


def prose(page: Path) -> str:
    """Return the page without its blocks of code."""
    return re.sub(r"^```.*?^```|^    .*?$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of its headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_links_to_is_there(page: Path):
    for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", prose(page)):
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if heading:
            assert heading in anchors(target), link


def test_the_start_page_leads_to_every_page():
    linked = set(re.findall(r"\]\((\w+\.md|ru/\w+\.md)", (ROOT / "docs" / "index.md").read_text(encoding="utf-8")))
    there = {page.relative_to(ROOT / "docs").as_posix() for page in ROOT.glob("docs/**/*.md")}
    assert there - {"index.md"} <= linked


RUSSIAN = {page.name: page for page in (ROOT / "docs" / "ru").glob("*.md")}
ENGLISH = {name: ROOT / "docs" / name for name in ("play.md", "games.md", "rules.md", "club.md", "trouble.md")}
ENGLISH["boards.md"] = ROOT / "boards" / "README.md"


@pytest.mark.parametrize("name", sorted(ENGLISH.keys() | RUSSIAN.keys()))
def test_a_russian_page_has_the_headings_of_the_english_one_its_rules_and_commands_that_there_are(name: str):
    russian, english = (pages[name].read_text(encoding="utf-8") for pages in (RUSSIAN, ENGLISH))
    for depth_or_rule in (r"^(#+) ", r"^- \*\*(\w+)\*\*"):
        assert re.findall(depth_or_rule, russian, re.MULTILINE) == re.findall(depth_or_rule, english, re.MULTILINE)
    assert set(re.findall(r"`seabattle (\w+)", russian)) <= set(COMMANDS)


def test_the_page_is_not_stale_whatever_the_terminal_the_language_and_the_home(
    monkeypatch: pytest.MonkeyPatch, english: None, tmp_path: Path
):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("HOME", str(tmp_path))
    messages.use("ru")
    page = command_pages.page()
    assert messages.language() == "ru"
    kept = command_pages.PAGE.read_text(encoding="utf-8")
    assert page == kept, "run python -m tests.generate.command_pages"


def test_the_example_of_the_sniffer_is_what_it_shows():
    page = sniffer_example.page()
    assert sniffer_example.example() in page
    assert page == sniffer_example.PAGE.read_text(encoding="utf-8"), "run python -m tests.generate.sniffer_example"
