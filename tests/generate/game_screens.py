"""Pictures of the games at one screen in both languages: `python -m tests.generate.game_screens [FOLDER]`.

The real application runs; its screen is saved as SVG.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from seabattle.melee import CELLS, SIZE, Melee
from seabattle.rng import Rng
from seabattle_host.games.setup import KINDS, Setup
from seabattle_host.language import words
from seabattle_host.tui import screen_ui
from seabattle_host.tui.games_menu import GamesMenu
from seabattle_host.tui.local_screen import LocalScreen
from seabattle_host.tui.local_windows import Curtain
from tests.command import ROOT
from tests.e2e.screens import Screens, application, play
from tests.generate.tui_screens import offline

FOLDER = ROOT / "docs" / "screens" / "games"
SEED = 4
SHOTS = ("b3", "b4", "c4", "f5", "g9", "e6")


def main(folder: Path) -> None:
    """Make all pictures anew."""
    folder.mkdir(parents=True, exist_ok=True)
    screen_ui.PAUSE_SECONDS = 0
    for lang in words.LANGUAGES:
        words.use(lang)
        for kind in KINDS:
            with tempfile.TemporaryDirectory() as place:
                _game(Path(place), kind, lang, folder)
        with tempfile.TemporaryDirectory() as place:
            _menu(Path(place), lang, folder)


async def _picture(screens: Screens, name: str, lang: str, folder: Path) -> None:
    await screens.pilot.pause()
    svg = screens.app.export_screenshot(title="seabattle")
    (folder / f"{name}.{lang}.svg").write_text(offline(svg), encoding="utf-8")


async def _asked(screens: Screens) -> None:
    def waits() -> bool:
        screen = screens.app.screen
        return isinstance(screen, Curtain) or (isinstance(screen, LocalScreen) and screen.asks)

    await screens.until(waits)
    await screens.pilot.pause()


def _game(place: Path, kind: str, lang: str, folder: Path) -> None:
    app = application(place, setup=Setup(kind, 1, SEED))
    shots = [*SHOTS]
    if kind == "melee":
        game = Melee(Rng(SEED))
        game.deploy()
        others = [cell for cell in range(CELLS) if game.ship[cell] in range(11, 31)]
        shots = [f"{chr(97 + cell % SIZE)}{cell // SIZE + 1}" for cell in others[:3]] + shots

    async def script(screens: Screens) -> None:
        await _asked(screens)
        if kind != "melee":
            await _picture(screens, f"{kind}-placing", lang, folder)
            await screens.press("f7")
            await _asked(screens)
            await screens.press("f8")
        for shot in shots:
            await _asked(screens)
            await screens.press(*shot, "enter")
        await _asked(screens)
        if kind == "salvo":
            await screens.press("right", "down", "enter", "down", "enter")
        await _picture(screens, kind, lang, folder)

    play(app, script)


def _menu(place: Path, lang: str, folder: Path) -> None:
    app = application(place)

    async def script(screens: Screens) -> None:
        await screens.pilot.pause()
        await screens.press("end", "up", "enter")
        await screens.until(lambda: isinstance(app.screen, GamesMenu))
        await _picture(screens, "menu", lang, folder)
        await screens.press("down", "down", "tab", "2", "enter")
        await screens.until(lambda: isinstance(app.screen, Curtain))
        await _picture(screens, "curtain", lang, folder)

    play(app, script)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
