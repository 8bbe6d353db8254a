"""The games that need no line fit into the memory of the emulated Pico, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

from seabattle_host import assets
from seabattle_host.boards import minifier
from tests.pico import wirings
from tests.pico.rig import Rig, write_filesystem

PROBE = r"""
import gc
from seaboard import words

def play(app):
    ui = app.ui
    for word in (words.A_CLASSIC, words.A_SALVO, words.A_MELEE):
        ui.menu.chosen(word)
        if word == words.A_CLASSIC:
            # the largest field and fleet
            ui.screen.values[:] = b"\x0f\x01\x02\x03\x04\x05\x01\x01"
            ui.screen.chosen(words.P_START)
        for _ in range(30):
            app.step()
        gc.collect()
        print("in a game", gc.mem_free(), "free")
        ui.back()
        app.step()
    gc.collect()
    print("left", gc.mem_free(), "free")
"""


def test_each_of_the_other_games_has_room(rig: Rig, tmp_path: Path) -> None:
    main = (assets.firmware() / "main.py").read_text(encoding="utf-8")
    assert main.count("app.run()") == 1
    main = minifier.for_board(main.replace("app.run()", "import seatrial; seatrial.play(app)"))
    files = {**wirings.game_files(), "main.py": main.encode(), "lib/seatrial.py": minifier.for_board(PROBE).encode()}
    rig.boot(("board", wirings.wiring()), filesystem=write_filesystem(tmp_path / "files.img", files))
    rig.until(lambda: "left" in rig.console() or "Error" in rig.console(), "the last game", timeout=30)
    rig.run(0.05)
    told = rig.console()
    rooms = [int(room) for room in re.findall(r"in a game (\d+) free", told)]
    assert len(rooms) == 3, told
    # nothing is allocated while they are played
    assert min(rooms) > 5000, told
