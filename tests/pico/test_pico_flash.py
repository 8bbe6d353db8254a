"""`seabattle flash` and `seabattle boards` on the emulated Pico W, through mpremote over its USB console as TCP."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from seabattle_host import assets, cli
from seabattle_host.boards import deploy
from tests.pico import wirings
from tests.pico.rig import Rig, read_filesystem, write_filesystem

FASTER = 20  # simulated seconds a second at most, where the emulator can


def flash(url: str, *arguments: str) -> int:
    return cli.main(["flash", "--port", url, *arguments])


def plug_in(rig: Rig) -> str:
    """Return the URL of the board's console."""
    console, _ = rig.serve(pace=FASTER)
    return f"socket://127.0.0.1:{console}"


def files_on(rig: Rig, folder: Path) -> dict[str, bytes]:
    return read_filesystem(rig.save_flash(folder / "flash.bin").read_bytes())


def started(rig: Rig) -> bool:
    return "seabattle: ready pico_w\r\n" in rig.console().rpartition("soft reboot")[2]


def test_a_game_comes_onto_a_board_is_changed_and_taken_off(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board has a program of its owner's, and remains of an older game."""
    mine = {"notes.txt": b"mine", "main.py": b"print('blink')"}
    old = {"lib/seaboard/gone.mpy": b"old", "seabattle-0.dat": b"kept"}
    image = write_filesystem(tmp_path / "files.img", {**mine, **old})
    rig.boot(("board", wirings.wiring("pcd8544")), filesystem=image)
    url = plug_in(rig)
    wanted = wirings.game_files("pcd8544")

    assert flash(url, "--panel", "pcd8544") == 0
    told = capsys.readouterr().out
    assert "removing lib/seaboard/gone.mpy" in told
    assert f"the board's own main.py is now {deploy.FOREIGN_MAIN}" in told
    assert f"verified: {len(wanted)} files" in told and told.endswith("started: pico_w\n")
    rig.stop_serving()
    rig.run(1.0)
    assert started(rig)
    (display,) = rig.displays()
    assert display["kind"] == "pcd8544" and display["lit"]
    kept = {"notes.txt": b"mine", deploy.FOREIGN_MAIN: mine["main.py"]}
    assert files_on(rig, tmp_path) == {**wanted, **kept, "seabattle-0.dat": b"kept"}

    url = plug_in(rig)
    before = rig.flash_state()
    assert flash(url, "--panel", "pcd8544") == 0
    assert f"unchanged: {len(wanted)} files" in capsys.readouterr().out
    assert rig.flash_state() == before  # not a byte
    assert flash(url, "--panel", "pcd8544", "--line", "usb") == 0
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if line.startswith(("writing", "unchanged"))] == [
        f"unchanged: {len(wanted) - 1} files",
        f"writing {deploy.BOARD}, {len(wirings.game_files('pcd8544', 'usb')[deploy.BOARD])} bytes",
    ]
    assert cli.main(["boards", "--port", url]) == 0
    assert capsys.readouterr().out == f"{url}: Raspberry Pi Pico W with RP2040, MicroPython 1.27.0: pico_w\n"

    assert flash(url, "--erase") == 0
    assert f"{deploy.FOREIGN_MAIN} is main.py again" in capsys.readouterr().out
    rig.stop_serving()
    assert files_on(rig, tmp_path) == mine


MPREMOTE = """
from mpremote import main, transport_serial
# an answer is waited for, not looked for every 10 ms
transport_serial.SerialTransport._is_pty_device = staticmethod(lambda device: True)
main.main()
"""


def test_a_package_is_installed_by_mip_and_starts(rig: Rig, tmp_path: Path) -> None:
    """Except its two packages of modules, which are there already: mpremote takes ten seconds for them."""
    folder = tmp_path / "package"
    assert cli.main(["package", "--board", "pico_w", str(folder)]) == 0
    files = deploy.packaged_files(wirings.KIND, {})
    there = {path: data for path, data in files.items() if path.rpartition("/")[0] in deploy.LIBRARIES}
    listing = json.loads((folder / "package.json").read_text())
    listing["urls"] = [entry for entry in listing["urls"] if f"lib/{entry[0]}" not in there]
    assert len(listing["urls"]) == len(files) - len(there) > 1
    (folder / "package.json").write_text(json.dumps(listing))

    rig.boot(("board", wirings.wiring()), filesystem=write_filesystem(tmp_path / "files.img", there))
    mpremote = [sys.executable, "-c", MPREMOTE, "connect", plug_in(rig)]
    install = ["mip", "install", str(folder / "package.json"), "+", "exec", "--no-follow", "import seabattle_main"]
    done = subprocess.run([*mpremote, *install], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rig.stop_serving()
    rig.until(lambda: "seabattle: ready pico_w\r\n" in rig.console(), "the game")
    rig.reset()
    rig.until(lambda: rig.console().count("seabattle: ready pico_w\r\n") == 2, "the game, with the power")
    (display,) = rig.displays()
    assert display["kind"] == "ssd1306" and display["lit"]
    assert set(files_on(rig, tmp_path)) == {"main.py", *files}


def test_a_pulled_cable_leaves_the_old_game(rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The supply fails in the middle of the files of a large update; the old game starts, and a second try succeeds."""
    old = {**wirings.game_files("ssd1306"), "lib/seaboard/panel.mpy": b"", "lib/seaboard/pixels.mpy": b""}
    # two modules that the update adds; placeholders are enough to start
    for name in ("panel", "pixels"):
        old[f"lib/seaboard/{name}.mpy"] = wirings.game_files()[f"lib/seaboard/{name}.mpy"] + b"\0"
    image = write_filesystem(tmp_path / "files.img", old)
    rig.boot(("board", wirings.wiring()), filesystem=image)
    rig.cut_flash_after(6000)
    url = plug_in(rig)
    statuses: list[int] = []
    flashing = threading.Thread(target=lambda: statuses.append(flash(url)))
    flashing.start()
    while not rig.flash_state()["cut"] and flashing.is_alive():
        pass
    rig.unplug()
    flashing.join(60)
    assert statuses == [1]
    assert "the board has gone; it will still start the game that it had" in capsys.readouterr().err

    rig.until(lambda: started(rig), "the old game")
    files = files_on(rig, tmp_path)
    assert {path: files[path] for path in old} == old

    assert flash(plug_in(rig)) == 0
    rig.stop_serving()
    assert files_on(rig, tmp_path) == wirings.game_files()


STARTS = """
class App:
    def __init__(self, board, seed): pass
    def run(self): print("runs VERSION")
"""
BOARD = """
class Board:
    seed = 0
    def held(self): return False
    def begin(self, app): print("board VERSION")
    def fault(self, error): print("fault", error)
    def restart(self): pass
"""


def test_an_update_cut_short_is_ended_at_the_next_start(tmp_path: Path, emulator: None) -> None:
    """The supply fails while main.py puts the new files in place, at any point; the next start completes it."""
    main = (assets.firmware() / "main.py").read_bytes()
    parts = {"lib/board.py": BOARD, "lib/seaboard/app.py": STARTS}
    files: dict[str, bytes | str] = {"main.py": main, "lib/seaboard/gone.py": "", "lib/seaboard/__init__.py": ""}
    for path, source in parts.items():
        files[path] = source.replace("VERSION", "old")
        files[f"{path}.new"] = source.replace("VERSION", "new")
    files[deploy.UPDATE] = "\n".join([*parts, "-lib/seaboard/gone.py"])
    image = write_filesystem(tmp_path / "files.img", files)

    def update(cut_after: int | None) -> int:
        """Boot, with a cut of the supply, and again; return the bytes written to the flash at the first boot."""
        with Rig() as rig:
            rig.boot(("board", wirings.wiring()), filesystem=image)
            rig.cut_flash_after(cut_after)
            rig.run(0.4)
            state = rig.flash_state()
            rig.reset()
            rig.run(0.4)
            there = files_on(rig, tmp_path)
        assert set(there) == {"main.py", "lib/seaboard/__init__.py", *parts}
        for path, source in parts.items():
            assert there[path].decode() == source.replace("VERSION", "new")
        return int(state["erased"] * 4096 + state["programmed"])

    whole = update(None)
    for part in range(3):
        update(whole * part // 3)
