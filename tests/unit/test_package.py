"""The packages for mip: their contents, and that MicroPython's own installer makes a running game of them."""

from __future__ import annotations

import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host import cli
from seabattle_host.boards import bundler, constant_folding, deploy, minifier
from seabattle_host.commands import package
from seabattle_host.line import virtual_board
from tests.calls import Seabattle
from tests.command import ROOT
from tests.generate import board_screens

KINDS = [kind.name for kind in deploy.kinds()]
INSTALL = """
import mip, sys
for url in sys.argv[2:]:
    mip.install(url, target=sys.argv[1])
"""
MICROPYTHON = "import sys; from micropython_unix import main; sys.exit(main())"


def listed(path: Path) -> dict[str, str]:
    """Return path on the board -> source in package.json."""
    urls = json.loads(path.read_text(encoding="utf-8"))["urls"]
    return {os.path.normpath(f"lib/{target}"): source for target, source in urls}


def test_the_package_of_the_sources_is_up_to_date() -> None:
    text = (ROOT / "package.json").read_text(encoding="utf-8")
    assert text == package.of_sources(), "do: python -m seabattle_host.commands.package"


@pytest.mark.parametrize("board", KINDS)
def test_the_package_of_the_sources_is_what_flash_copies_but_for_the_board(board: str) -> None:
    """Except modules of constants alone, which flash inlines, and modules that it merges into others."""
    packaged = {path.removesuffix(".mpy") for path in deploy.packaged_files(deploy.kind_by_name(board), {})}
    found = listed(ROOT / "package.json")
    sources = {path.removesuffix(".py") for path in found} | {"lib/board"}
    names = ("seabattle/const", "seabattle/field_codes", "seaboard/keys", "seaboard/local_words", "seaboard/words")
    numbers = {f"lib/{name}" for name in names}
    guests = {f"lib/{module.replace('.', '/')}" for module in bundler.bundle_hosts()}
    assert sources - numbers - guests == packaged
    for source in found.values():
        assert (ROOT / source).is_file() and ".." not in source


@pytest.mark.parametrize("board", KINDS)
def test_a_compiled_package_is_what_flash_copies_but_for_main(board: str, tmp_path: Path, seabattle: Seabattle) -> None:
    out = seabattle.told(f"package --board {board} --panel sh1106", tmp_path / "package")
    oldest = ".".join(map(str, deploy.OLDEST))
    flashed = deploy.wanted_files(deploy.kind_by_name(board), {"PANEL": "sh1106"}, oldest)
    del flashed["main.py"]
    found = listed(tmp_path / "package" / "package.json")
    contents = {path: (tmp_path / "package" / source).read_bytes() for path, source in found.items()}
    starts = {f"{path}.mpy" for path in deploy.STARTS}
    assert {path: data for path, data in contents.items() if path not in starts} == flashed
    assert starts < set(found)
    assert f"{len(found)} files for {board}" in out


@pytest.mark.parametrize(("board", "include"), [("pico_w", "$(BOARD_DIR)"), ("stm32", "$(PORT_DIR)/boards")])
def test_what_is_frozen_is_what_flash_copies_with_what_the_port_freezes(
    board: str, include: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["package", "--board", board, "--panel", "sh1106", "--frozen", str(tmp_path)]
    assert cli.main(command) == cli.main(command) == 0, "into a new folder, and into its own"
    kind = deploy.kind_by_name(board)
    assert f"BOARD={kind.values['DOWNLOAD']} FROZEN_MANIFEST={tmp_path / 'manifest.py'}" in capsys.readouterr().out
    assert f'include("{include}/manifest.py")' in (tmp_path / "manifest.py").read_text()
    flashed = {path.removeprefix("lib/").split(".")[0] for path in deploy.wanted_files(kind, {}, "1.22.0")}
    found = {str(path.relative_to(tmp_path).with_suffix("")) for path in tmp_path.rglob("*.py")}
    assert found == flashed | {"manifest"}
    assert deploy.board_values((tmp_path / "board.py").read_text())["PANEL"] == "sh1106"
    for name in ("main.py", "seaboard/app.py"):
        compile((tmp_path / name).read_text(), name, "exec")


@pytest.mark.parametrize(
    ("arguments", "english", "russian"),
    [
        ("--board teapot new", "there is no board teapot", "платы teapot нет"),
        ("--board pico --panel vga new", "there is no panel vga", "дисплея vga нет"),
        ("--board pico full", "has other files in it; name a new folder", "укажите новую папку"),
        ("--board pico file", "cannot write into", "нельзя писать в"),
    ],
)
def test_what_does_not_work_is_one_line(
    arguments: str, english: str, russian: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)
    for language, words in (("en", english), ("ru", russian)):
        assert words in seabattle.refused(f"package --lang {language} {arguments}")
    assert (tmp_path / "file").read_text() == "mine" and len(list((tmp_path / "full").iterdir())) == 1


# -- installed by mip


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads the log."""


@pytest.fixture
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address that serves the sources, or a compiled package."""
    folder = ROOT
    if request.param == "compiled":
        folder = tmp_path / "package"
        assert cli.main(["package", "--board", "pico_w", str(folder)]) == 0
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def micropython(*arguments: str, path: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", MICROPYTHON, "-X", "heapsize=4m", *arguments],
        env={**os.environ, "MICROPYPATH": path},
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(not virtual_board.has_micropython(), reason="left out: needs MicroPython's desktop port")
@pytest.mark.parametrize("served", ["sources", "compiled"], indirect=True)
def test_what_mip_installs_over_http_is_a_game_that_runs(
    served: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A walk through all the screens with only what was installed: MicroPython draws them as CPython does.

    Not from the sources: tests/micropython runs those.
    """
    script = tmp_path / "install.py"
    script.write_text(INSTALL, encoding="utf-8")
    board = tmp_path / "board"
    board.mkdir()
    (board / "main.py").write_text("print('blink')")
    urls = [f"{served}/package.json"]
    sources = request.node.callspec.params["served"] == "sources"
    if sources:
        urls.append(f"{served}/boards/pico2/board.py")
    done = micropython(str(script), str(board / "lib"), *urls, path=".frozen")
    assert done.returncode == 0 and b"Done" in done.stdout, done.stdout
    ending = ".py" if sources else ".mpy"
    there = {str(path.relative_to(board)) for path in board.rglob("*") if path.is_file()}
    guests = set() if sources else {f"lib/{module.replace('.', '/')}.mpy" for module in bundler.bundle_hosts()}
    assert (board / "main.py").read_text() == "print('blink')", "mip overwrites what a package has"
    assert there | guests == {
        "main.py",
        f"lib/board{ending}",
        *(f"{path}{ending}" for path in deploy.STARTS),
        *(
            f"{path}{ending}"
            for path in deploy.modules(deploy.kind_by_name("pico2"), *([] if sources else [constant_folding.fold]))
        ),
    }
    if sources:
        return
    text = (ROOT / "tests" / "generate" / "tour.py").read_text(encoding="utf-8")
    tour = tmp_path / "tour.py"
    tour.write_text(minifier.for_board(text), encoding="utf-8")
    walked = micropython(str(tour), "128x64", "1", path=f"{board / 'lib'}:.frozen")
    assert walked.returncode == 0, walked.stderr
    pictures = board_screens.shown("128x64", walked.stdout)
    assert pictures[-1][0] == "a fault" and board_screens.as_kept("128x64", 1, pictures)
