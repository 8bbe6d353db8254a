"""Pictures of every screen of the application in both languages: `python -m tests.generate.tui_screens [FOLDER]`.

The real application runs, against a bot at the other end of a line; its screen is saved as SVG.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from textual.widgets import OptionList

from seabattle import link as links
from seabattle import wire
from seabattle.fair import FairPlayer
from seabattle_host.language import words
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.parameters import Parameters
from seabattle_host.tui import start_screen
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.dialogs import Help, Notice, Question
from seabattle_host.tui.replay import GamesScreen, ReplayScreen
from seabattle_host.tui.start_screen import StartScreen
from tests.command import ROOT
from tests.e2e.screens import Screens, application, peer, play, pressed_away
from tests.lines import Cable

FOLDER = ROOT / "docs" / "screens" / "tui"
PORTS = [("/dev/ttyUSB0", "CP2102 USB to UART Bridge"), ("/dev/ttyACM0", "Board in FS mode")]
TEXTS = {"en": ("Good luck!", "The same to you."), "ru": ("Удачи!", "И вам.")}
SIZES = ((80, 24), (120, 40))
LARGE = ("battle", "hint")
"""Screens also shown on a large terminal."""


def main(folder: Path) -> None:
    """Make all pictures anew."""
    folder.mkdir(parents=True, exist_ok=True)
    start_screen.found_ports = lambda: PORTS  # type: ignore[assignment]
    for lang in words.LANGUAGES:
        for size in SIZES:
            with tempfile.TemporaryDirectory() as place, Cable(place):
                _series(Path(place), lang, size, folder)


def _series(place: Path, lang: str, size: tuple[int, int], folder: Path) -> None:
    words.use(lang)
    app = application(place, role="master", nick="Anna")
    app.preferences.port = PORTS[0][0]
    app.preferences.nick = "Anna"
    app.preferences.save = lambda path=None: None  # type: ignore[method-assign]

    async def script(screens: Screens) -> None:
        async def picture(name: str) -> None:
            if size != SIZES[0] and name not in LARGE:
                return
            await screens.pilot.pause()
            # the line's name differs between runs
            svg = app.export_screenshot(title="seabattle play").replace(str(place / "a"), "/dev/ttyUSB0")
            wide = "" if size == SIZES[0] else f"-{size[0]}x{size[1]}"
            (folder / f"{name}{wide}.{lang}.svg").write_text(offline(svg), encoding="utf-8")

        await screens.until(lambda: app.screen.query_one("#ports", OptionList).option_count > 4)
        await picture("start")
        app.connect(str(place / "a"))
        await screens.phase("line")
        screens.game._since -= 12
        await screens.until(lambda: screens.game.query_one("#line-advice").region.area)
        await screens.shows("9600 8E2")  # the window has been drawn, too
        await picture("line")
        with peer(str(place / "b"), nick=b"BOARD", player=lambda link, rng: FairPlayer(link, rng, Sealer())) as other:
            await screens.phase("params")
            await picture("parameters")
            await screens.offer(Parameters())
            await screens.phase("placing")
            await screens.until(lambda: screens.game.status.chat == links.CHAT_YES)
            await screens.press("enter", "down", "down", "right", "right")
            await picture("placing")
            await screens.press("a", "g")
            await screens.phase("battle")
            for _ in range(24):
                await screens.my_turn()
                shots = screens.position.shots[0]
                await screens.press("f3")
                await screens.shot(shots + 1)
            await screens.my_turn()
            with other.runner.locked() as player:
                text = TEXTS[lang][0].encode("cp866")
                player.link.send_chat(text, len(text))
            await screens.until(screens.talk)
            await screens.focus(screens.game.query_one("#chat-entry"))
            screens.game.query_one("#chat-entry").value = TEXTS[lang][1]  # type: ignore[attr-defined]
            await screens.press("enter", "f4")
            await picture("battle")
            await screens.press("f2")
            theirs = screens.game.query_one(BattlePane).fields.theirs
            await screens.until(lambda: theirs.heat is not None)
            await picture("hint")
            await screens.press("f2", "f1")
            await screens.until(lambda: isinstance(app.screen, Help))
            await picture("help")
            await screens.press("escape", "f8")
            await screens.until(lambda: isinstance(app.screen, Question))
            await picture("surrender")
            await screens.press("y", "y")
            await screens.phase("end")
            await picture("end")
            await screens.until(lambda: screens.game.query_one("#ask").display)
            await screens.press("f7")
            await screens.until(lambda: screens.game.query_one("#verdict").display)
            await picture("verdict")
            await screens.press("enter")
            await screens.phase("params")
            with other.runner.locked() as player:
                player.link._send(wire.WON)
            await screens.until(lambda: isinstance(app.screen, Notice))
            await picture("error")
            await pressed_away(screens)
            screens.game.leave()
            await screens.until(lambda: isinstance(app.screen, StartScreen))
        await app.run_action("app.history")
        await screens.until(lambda: isinstance(app.screen, GamesScreen))
        await picture("games")
        await screens.press("enter")
        await screens.until(lambda: isinstance(app.screen, ReplayScreen))
        await screens.press("pagedown", "pagedown")
        await picture("replay")

    play(app, script, size)


def offline(svg: str) -> str:
    """Return the picture with the reader's own fonts instead of fetched ones."""
    begin, end = svg.index("@font-face"), svg.rindex("@font-face")
    end = svg.index("}", end) + 1
    return (svg[:begin] + svg[end:]).replace("Fira Code", "DejaVu Sans Mono")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
