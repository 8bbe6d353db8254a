"""docs/commands.md says what the parsers hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seabattle_host.language import messages
from tests.generate import command_pages


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


def test_every_link_of_the_list_leads_to_a_heading():
    page = command_pages.PAGE.read_text(encoding="utf-8")
    headings = {found.replace(" ", "-") for found in re.findall(r"^#+ (seabattle .*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\(#([\w-]+)\)", page)) <= headings
