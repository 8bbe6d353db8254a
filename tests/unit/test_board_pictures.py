"""The pictures of the boards' screens that are in the documentation: they show what the firmware draws."""

from __future__ import annotations

import pytest

from tests.command import ROOT
from tests.generate import board_screens


@pytest.mark.parametrize(
    ("panel", "language"), [*((panel, 0) for panel in board_screens.PANELS), ("84x48", 1), ("16x2", 1)]
)
def test_the_pictures_are_of_the_firmware_as_it_is(panel: str, language: int) -> None:
    """Russian letters come onto a graphic and onto a character panel; the others have the same words."""
    same = board_screens.as_kept(panel, language, board_screens.taken(panel, language))
    assert same, "the screens have changed; look at what comes of: python -m tests.generate.board_screens"


def test_every_picture_is_linked_from_the_boards_page() -> None:
    page = (ROOT / "boards" / "README.md").read_text(encoding="utf-8")
    for path in sorted(board_screens.FOLDER.iterdir()):
        assert f"(../docs/screens/board/{path.name})" in page, path.name
