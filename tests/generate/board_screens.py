"""Pictures of every screen of the firmware on every panel, in both languages, as one sheet for each panel and language:
`python -m tests.generate.board_screens [FOLDER]`.

The firmware runs on CPython and drives the panels as on a board (tour.py); tests/unit/test_package.py compares
MicroPython's drawing with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from seabattle_host import assets
from seabattle_host.line import panels
from tests.command import ROOT

FOLDER = ROOT / "docs" / "screens" / "board"
PANELS = panels.NAMES
LANGUAGES = ("en", "ru")

_TOUR = Path(__file__).with_name("tour.py")
_COLUMNS = {"128x64": 5, "84x48": 5, "20x4": 5, "16x2": 6}  # pictures side by side
_SCALE = {"128x64": 2, "84x48": 3, "20x4": 2, "16x2": 2}
_GAP = 12  # pixels between pictures
_CAPTION = 16
_EDGE = 3  # around a panel, before it is enlarged

# Indices of the colours in a sheet.
_PAPER, _INK, _LIT, _DARK, _AROUND = range(5)
_LIGHT_ON_BLUE = ((250, 250, 255), (44, 84, 196), (36, 72, 176))
_COLOURS = {
    "128x64": ((235, 245, 255), (12, 14, 20), (12, 14, 20)),
    "84x48": ((30, 40, 35), (176, 190, 160), (176, 190, 160)),
    "20x4": _LIGHT_ON_BLUE,
    "16x2": _LIGHT_ON_BLUE,
}
"""Colours of a lit pixel, of a dark one, and around the panel."""


def taken(panel: str, language: int) -> list[tuple[str, list[bytes]]]:
    """Return the name of each picture, and its rows of pixels, 1 for a lit one; in the order of the walk."""
    folders = os.pathsep.join(str(folder) for folder in (assets.common(), assets.firmware()))
    # a file takes the many small writes at once; a pipe would wake its reader for each of them
    with tempfile.TemporaryFile() as output:
        command = [sys.executable, str(_TOUR), panel, str(language)]
        environment = {**os.environ, "PYTHONPATH": folders}
        done = subprocess.run(command, env=environment, stdout=output, stderr=subprocess.PIPE, check=False)
        output.seek(0)
        said = output.read()
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace") + said[-2000:].decode(errors="replace"))
    return shown(panel, said)


def shown(panel: str, said: bytes) -> list[tuple[str, list[bytes]]]:
    """Return the same from a walk's output."""
    display = panels.make_panel(panel)
    found = []
    at = 0
    while at < len(said):
        kind, size = chr(said[at]), said[at + 1]
        data = said[at + 2 : at + 2 + size]
        at += 2 + size
        if kind == "P":
            found.append((data.decode(), [bytes(row) for row in display.rows]))
        else:
            display.handle_message(kind, data)
    return found


def sheet(panel: str, pictures: list[tuple[str, list[bytes]]]) -> Image.Image:
    """Draw all pictures of a panel, with their names."""
    shots = [(name, _panel(panel, rows)) for name, rows in pictures]
    width, height = shots[0][1].size
    columns = _COLUMNS[panel]
    lines = -(-len(shots) // columns)
    step = height + _CAPTION + _GAP
    whole = Image.new("P", (columns * (width + _GAP) + _GAP, lines * step + _GAP), _PAPER)
    palette = ((255, 255, 255), (60, 60, 60), *_COLOURS[panel])
    whole.putpalette([part for colour in palette for part in colour])
    for number, (name, picture) in enumerate(shots):
        x = _GAP + number % columns * (width + _GAP)
        y = _GAP + number // columns * step
        whole.paste(_caption(name, width), (x, y))
        whole.paste(picture, (x, y + _CAPTION))
    return whole


def _panel(name: str, rows: list[bytes]) -> Image.Image:
    """Draw a panel with a frame around it; letters of a character panel have gaps between them."""
    letters = name not in panels.GRAPHIC
    lines = [bytes([_LIT if pixel else _DARK for pixel in row]) for row in rows]
    if letters:
        between = bytes([_AROUND])
        lines = [b"".join(row[x : x + 5] + between for x in range(0, len(row), 6)) for row in lines]
        for y in range(len(lines) - 8, 0, -8):
            lines.insert(y, between * len(lines[0]))
    side = bytes([_AROUND]) * _EDGE
    width = len(lines[0]) + 2 * _EDGE
    edge = [bytes([_AROUND]) * width] * _EDGE
    lines = [*edge, *(side + line + side for line in lines), *edge]
    return _enlarged(lines, _SCALE[name])


def _caption(text: str, width: int) -> Image.Image:
    """Draw a line in the firmware's own font, so that a sheet is the same everywhere."""
    font = panels.font()
    at = [font.glyph(code) for code in text.encode("cp866")]
    lines = [
        b"".join(bytes([_INK if font.GLYPHS[a + x] >> y & 1 else _PAPER for x in range(5)] + [_PAPER]) for a in at)
        for y in range(8)
    ]
    return _enlarged(lines, 2).crop((0, 0, width, _CAPTION))


def _enlarged(lines: list[bytes], scale: int) -> Image.Image:
    small = Image.frombytes("P", (len(lines[0]), len(lines)), b"".join(lines))
    return small.resize((small.width * scale, small.height * scale), Image.Resampling.NEAREST)


def path(folder: Path, panel: str, language: int) -> Path:
    """Return the path of a sheet."""
    return folder / f"{panel}.{LANGUAGES[language]}.png"


def as_kept(panel: str, language: int, pictures: list[tuple[str, list[bytes]]]) -> bool:
    """Return whether the stored sheet shows these pictures."""
    kept = Image.open(path(FOLDER, panel, language)).convert("RGB")
    drawn = sheet(panel, pictures).convert("RGB")
    return kept.size == drawn.size and kept.tobytes() == drawn.tobytes()


def main(folder: Path) -> None:
    """Make all sheets anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for panel in PANELS:
        for language in range(len(LANGUAGES)):
            sheet(panel, taken(panel, language)).save(path(folder, panel, language), optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
