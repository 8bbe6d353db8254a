"""Tables as lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def align_columns(lines: Sequence[Sequence[str]]) -> list[str]:
    """Format rows of cells as lines, each column as wide as its widest cell."""
    from rich.cells import cell_len

    wide = [max(cell_len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(line, wide, strict=True)).rstrip()
        for line in lines
    ]
