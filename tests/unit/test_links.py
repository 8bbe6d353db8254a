"""Every link between the pages leads somewhere: the file is there, and so is the heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command import ROOT

PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("boards/**/*.md"), *ROOT.glob("tests/*/README.md")]
)


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```|^    .*?$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What leads to its headings, as GitHub makes it of their words."""
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
