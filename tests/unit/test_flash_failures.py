"""Every failure of `seabattle flash` and `seabattle boards`: one line with the cause and the remedy, and the board is
left unchanged.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polib
import pytest

from seabattle_host import assets, cli
from seabattle_host.boards import deploy, device, no_prompt
from seabattle_host.commands import board_options, flash, wifi
from seabattle_host.errors import SeabattleError
from seabattle_host.language import messages
from seabattle_host.line import port_errors, virtual_board
from tests.calls import Seabattle
from tests.command import SOON
from tests.prompt import Prompt
from tests.unit.test_discovery import plugged_in

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not virtual_board.has_micropython(),
    reason="left out: needs pseudo-terminals and MicroPython's desktop port",
)

PICO = "Raspberry Pi Pico W with RP2040"
LANGUAGES = ("en", "ru")

Fails = Callable[..., str]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for an answer that will not come."""
    monkeypatch.setattr(device, "_ANSWER_SECONDS", 0.5)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What will come may come late."""
    monkeypatch.setattr(device, "_ANSWER_SECONDS", SOON)
    monkeypatch.setattr(flash, "_START_SECONDS", SOON)


@pytest.fixture
def fails(seabattle: Seabattle) -> Fails:
    """Runs a command that must fail with a status, and returns its line."""

    def run(words: str, *more: object, status: int = 2) -> str:
        failed, _, err = seabattle(words, *more)
        assert failed == status
        (line,) = err.splitlines()
        return line.removeprefix("seabattle: ")

    return run


def told(key: str, language: str = "en", **fields: object) -> str:
    """Return the message from the catalogue."""
    return messages.template(key, language).format(**fields)


NAMES = ", ".join(kind.name for kind in deploy.kinds())
CHIPS = ", ".join(sorted({kind.chip for kind in deploy.kinds()}))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def installed(folder: Path, version: str = "1.27.0") -> dict[str, bytes]:
    """Install the game into the folder, as `seabattle flash` does."""
    files = deploy.wanted_files(deploy.kind_by_name("pico_w"), {}, version)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return files


# -- the port


@pytest.mark.parametrize(
    ("command", "ports", "key", "named"),
    [
        ("flash", [("/dev/ttyS0", None)], "no_board", ""),
        ("boards", [("/dev/ttyS0", None)], "no_board", ""),
        (
            "flash",
            [("/dev/no1", 0x2E8A), ("/dev/no0", 0x2E8A)],
            *("many_boards", "/dev/no0 (Raspberry Pi), /dev/no1 (Raspberry Pi)"),
        ),
    ],
)
def test_no_board_and_several(
    command: str, ports: list[tuple[str, int | None]], key: str, named: str, fails: Fails, monkeypatch
) -> None:
    plugged_in(monkeypatch, *ports)
    assert fails(command) == told(key, ports=named)


def test_a_program_that_ends_while_it_is_asked_for_its_ports_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: Path) -> Iterator[Path]:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "iterdir", gone)
    assert list(port_errors._descriptors()) == []


@pytest.mark.parametrize("command", ["flash", "boards"])
def test_a_port_that_is_not_there_or_another_program_has(tmp_path: Path, command: str, fails: Fails) -> None:
    line = fails(command, "--port", tmp_path / "ttyACM0")
    assert "ttyACM0" in line and "does not exist" in line
    assert fails(command, "--port", "").startswith(told("port_empty", near=""))
    with Prompt(tmp_path) as board, device.Device(board.url):
        line = fails(command, "--port", board.url)
    assert board.url in line and "another program" in line


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("command", ["flash", "boards"])
def test_a_port_where_something_comes_without_end_is_left_as_it_was(command: str, fails: Fails) -> None:
    fd, other = os.openpty()
    tty.setraw(other)
    before = termios.tcgetattr(other)
    before[4] = before[5] = termios.B19200
    termios.tcsetattr(other, termios.TCSANOW, before)
    before = termios.tcgetattr(other)
    done = threading.Event()

    def talk() -> None:
        while not done.wait(0.05):
            os.write(fd, b"$GPGGA,,,,,,0,,,,,,,,*66\r\n")

    talking = threading.Thread(target=talk)
    talking.start()
    try:
        port = os.ttyname(other)
        assert "GPGGA" in (line := fails(command, "--port", port)) and told("heard_gps") in line
        assert termios.tcgetattr(other) == before
    finally:
        done.set()
        talking.join()
        os.close(other)
        os.close(fd)


@pytest.mark.parametrize(
    ("data", "shown", "whose", "else_where"),
    [
        (b"$GPGGA,,*66\r\n" * 9, "$GPGGA,,*66", "heard_gps", True),
        (b"NG\r\nRING\r\n", "RING", "heard_modem", True),
        (b"ok T:21.3 /0.0 B:22.0\r\n", "ok T:21.3", "heard_printer", True),
        (b"\r\ndebian login: ", "login:", "heard_login", True),
        (b"rst:0x10 (RTCWDT_RTC_RESET),boot:0x13\r\n", "rst:0x10", "heard_boot", False),
        (b"Traceback (most recent call last):\r\n", "Traceback", "heard_python", False),
        (b"tick 1\r\ntick 2\r\n", "tick 2", "heard_other", False),
        (b"\r\x03\r\x01", "0D 03 0D 01", "heard_echo", True),
        (b"\xaa" * 9, "AA AA", "heard_player", True),
        (bytes(9), "00 00", "heard_zeros", True),
        (bytes(range(128, 160)), "9E 9F", "heard_senseless", False),
    ],
)
def test_what_came_in_place_of_a_prompt_is_quoted_and_named(
    data: bytes, shown: str, whose: str, else_where: bool
) -> None:
    """A port that may be a board gets the remedies for boards; another device's port gets none."""
    for language in LANGUAGES:
        messages.use(language)
        line = no_prompt.explain("/dev/ttyUSB0", data)
        assert shown in line and told(whose, language) in line
        assert ("seabattle boards" in line) == else_where and ("download" in line) != else_where


# -- the radio


def test_the_radios_settings_stay_on_the_board_and_are_shown_nowhere(tmp_path: Path, seabattle: Seabattle) -> None:
    with Prompt(tmp_path, PICO, started="seabattle: ready pico_w\r\n") as board:
        flashing = f"flash --port {board.url} "
        shown = list(seabattle(flashing + "--wifi", typed=["Sea net", "very secret", "club.example:2525"]))
        kept = (tmp_path / wifi.FILE).read_text()
        assert kept == "Sea net\nvery secret\nclub.example\n2525\n"
        # another flash leaves them
        shown += seabattle(flashing + "--line tcp")
        assert (tmp_path / wifi.FILE).read_text() == kept
        shown += seabattle(flashing + "--erase")
    assert shown[::3] == [0, 0, 0] and not (tmp_path / wifi.FILE).exists()
    assert "secret" not in str(shown) and "Sea net" not in str(shown)


@pytest.mark.parametrize("typed", ["net|password", "|password|h:1", "n" * 33 + "|password|h:1", "n|short|h:1", "n||h"])
def test_settings_of_a_radio_that_cannot_be(tmp_path: Path, seabattle: Seabattle, typed: str) -> None:
    with Prompt(tmp_path, PICO) as board:
        status, _, err = seabattle(f"flash --port {board.url} --wifi", typed=typed.split("|"))
    assert (status, len(err.splitlines())) == (2, 1)
    assert tree(tmp_path) == {}


def test_a_line_chosen_on_the_board_holds_until_another_is_asked_for(tmp_path: Path, seabattle: Seabattle) -> None:
    with Prompt(tmp_path, PICO) as board:
        (tmp_path / flash.CHOSEN_LINE).write_text("usb")
        for more, removed in (("", False), ("--line uart", True)):
            out = seabattle.told(f"flash --port {board.url} --dry-run --lang en {more}")
            assert "would write main.py, " in out and not (tmp_path / "main.py").exists()
            assert (f"would remove {flash.CHOSEN_LINE}" in out) == removed


# -- what kind of board it is


@pytest.mark.parametrize(
    ("machine", "nearest"),
    [
        ("Waveshare RP2040-Zero with RP2040", "pico, pico_w, xiao_rp2040"),
        ("Pimoroni Pico Plus 2 with RP2350", "pico2, pico2_w"),
        ("LILYGO TTGO LoRa32 with ESP32", "esp32"),
        ("LOLIN C3 mini with ESP32-C3FH4", "esp32c3"),
        ("M5Stack Atom with ESP32-PICO-D4", "esp32"),
        # as MicroPython's boards/ESP32_GENERIC_C6 has it: an ESP32-C6 is no ESP32, whatever --board says
        ("ESP32C6 module with ESP32C6", ""),
        ("ESP module with ESP8266", ""),
    ],
)
def test_what_to_do_with_a_board_without_files(
    tmp_path: Path, fails: Fails, seabattle: Seabattle, machine: str, nearest: str
) -> None:
    """Only boards that --board accepts are named; if there are none, neither command names any."""
    with Prompt(tmp_path, machine, (1, 25, 0)) as board:
        line = fails(f"flash --port {board.url}")
        if nearest:
            assert line == told("unknown_board", machine=machine, names=nearest)
            seabattle.told(f"flash --port {board.url} --dry-run --board", nearest.split(", ")[0])
        else:
            assert line == told("unknown_chip", machine=machine, chips=CHIPS)
            assert fails(f"flash --port {board.url} --board esp32") == line
        key = "found_unknown" if nearest else "found_unknown_chip"
        listed = told(key, port=board.url, machine=machine, version="1.25.0", names=nearest)
        assert seabattle.told(f"boards --port {board.url}").strip() == listed
    assert tree(tmp_path) == {}


NAMED = {"panels": ", ".join(board_options.PANELS), "lines": ", ".join(board_options.LINES), "roms": "A00, A02, MT"}


@pytest.mark.parametrize(
    ("arguments", "key", "fields"),
    [
        ("--board teapot", "flash_bad_board", {"board": "teapot"}),
        ("--panel vga", "flash_bad_panel", {"panel": "vga"}),
        ("--line can", "flash_bad_line", {"line": "can"}),
        ("--rom B7", "flash_bad_rom", {"rom": "B7"}),
        ("--contrast 128", "flash_bad_contrast", {"contrast": "128"}),
        ("--contrast much", "flash_bad_contrast", {"contrast": "much"}),
        ("--rotate 90", "flash_bad_rotate", {"rotate": "90"}),
        ("--board pico --kit cyd", "kit_elsewhere", {"kit": "cyd", "board": "pico", "boards": "esp32"}),
        ("--config mine.py", "config_unknown", {"path": "mine.py", "name": "FOO"}),
    ],
)
def test_what_no_board_has_is_said_before_one_is_looked_for(
    tmp_path: Path, monkeypatch, fails: Fails, arguments: str, key: str, fields: dict[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("FOO = 3\n")
    assert fails(f"flash {arguments}") == told(key, names=NAMES, **{**NAMED, **fields})


@pytest.mark.parametrize(
    ("source", "key", "fields"),
    [
        ("PANEL = \n", "config_wrong", {"reason": "invalid syntax (<unknown>, line 1)"}),
        (f"PANEL = {'-' * 200000}1\n", "config_wrong", {"reason": "too many nested parentheses"}),
        ("PANLE = 'pcd8544'\n", "config_unknown", {"name": "PANLE"}),
        ("print('hello')\n", "config_empty", {}),
        ("PANEL = 'vga'\n", "flash_bad_panel", {"panel": "vga", "panels": ", ".join(board_options.PANELS)}),
        ("PANEL = 'pcd8544'\nDC = None\n", "no_wires", {"board": "pico_w", "panel": "pcd8544"}),
        (None, "config_unread", {}),
    ],
)
def test_a_file_of_ones_own_that_cannot_be_used(
    tmp_path: Path, fails: Fails, source: str | None, key: str, fields: dict[str, str]
) -> None:
    config = tmp_path / "mine.py"
    if source is not None:
        config.write_text(source)
    fields = {"path": str(config), "reason": "No such file or directory", **fields}
    assert fails("package --board pico_w --config", config, tmp_path / "package") == told(key, **fields)


def test_what_is_connected_is_written_into_the_boards_file(tmp_path: Path) -> None:
    """Options override the user's file, and that overrides the board's."""
    config = tmp_path / "mine.py"
    config.write_text("PANEL = 'lcd20x4'\nBUZZER = None\nNAME = 'other'\n")
    folder = tmp_path / "package"
    options = ["--panel", "pcd8544", "--line", "usb", "--contrast", "70"]
    assert cli.main(["package", "--board", "pico_w", "--config", str(config), *options, str(folder)]) == 0
    changes = {"PANEL": "pcd8544", "LINE": "usb", "CONTRAST": 70, "BUZZER": None}
    wanted = deploy.wanted_files(deploy.kind_by_name("pico_w"), changes, ".".join(map(str, deploy.OLDEST)))
    assert (folder / deploy.BOARD).read_bytes() == wanted[deploy.BOARD]


# -- during installation


FULL = """
class Files:
    statvfs = staticmethod(lambda path: (4096, 4096, 212, 3))
    def __getattr__(self, name):
        return getattr(files, name)
import os as files
before = get
def get(name, *more):
    return Files() if name == "os" else before(name, *more)
"""
"""The file system reports three free blocks."""


WORN = """
class Worn:
    def __init__(self, file):
        self.file = file
        self.close = file.close
    def write(self, data):
        return self.file.write(bytes(len(data)))
real = open
names["open"] = lambda path, mode="r": Worn(real(path, mode)) if "w" in mode else real(path, mode)
"""
"""A flash that does not keep what is written."""


BOOT_FAILS = (
    'Traceback (most recent call last):\r\n  File "boot.py", line 3, in <module>\r\n  File "net.py", line 1, in up\r\n'
    "OSError: [Errno 5] EIO: no antenna\r\n"
)
START_FAILS = (
    'Traceback (most recent call last):\r\n  File "main.py", line 66, in <module>\r\n'
    '  File "seaboard/app.py", in <module>\r\nMemoryError: memory allocation failed, allocating 512 bytes\r\n'
)


ANY = "ANY"
OLDEST = ".".join(map(str, deploy.OLDEST))
OTHER_PYTHON = {"machine": "Raspberry Pi Pico W with rp2040", "version": (9, 2, 1), "name": "circuitpython"}
OTHER_FIELDS = {"port": "PORT", "name": "circuitpython", "machine": OTHER_PYTHON["machine"]}
TOO_LARGE = "MemoryError: memory allocation failed, allocating 512 bytes"
CHANGED = ("lib/seaboard/text_buffer.mpy", "lib/seaboard/pixels.mpy")
FAILURES: dict[str, tuple[dict[str, Any], str, int, str, dict[str, Any]]] = {
    # before anything is written
    "no MicroPython": (OTHER_PYTHON, "flash", 2, "flash_other_python", OTHER_FIELDS),
    "no MicroPython, asked": (OTHER_PYTHON, "boards", 2, "flash_other_python", OTHER_FIELDS),
    "no radio": (
        {"machine": "Raspberry Pi Pico with RP2040"},
        *("flash --line tcp", 2, "flash_no_radio", {"board": "pico"}),
    ),
    "another chip": (
        {},
        *("flash --board esp32", 2, "wrong_chip", {"board": "esp32", "wanted": "ESP32", "machine": PICO}),
    ),
    "too old": ({"version": (1, 20, 0)}, "flash", 2, "too_old", {"version": "1.20.0", "needed": OLDEST}),
    "too new": ({"mpy": 7}, "flash", 2, "too_new", {"bytecode": 7}),
    "a program that cannot be interrupted": (
        {"mute_after": -1},
        *("flash", 2, "no_answer", {"port": "PORT", "heard": told("heard_nothing")}),
    ),
    "a full flash": ({"prelude": FULL}, "flash", 2, "full", {"needed": ANY, "free": 12288}),
    # during installation
    "it stops answering": ({"mute_after": 2}, "flash", 2, "flash_silent", {"port": "PORT"}),
    "a file where a folder should be": (
        {"files": {"lib": b"a file"}},
        *("flash", 1, "flash_refused", {"port": "PORT", "reason": f"OSError{ANY}"}),
    ),
    # identity, the files, whether main.py is ours, room, folders, and the first pieces of a file
    "a cable pulled half way": (
        {"pull_after": 11, "installed": True, "files": dict.fromkeys(CHANGED, b"old")},
        *("flash", 1, "cable", {"port": "PORT"}),
    ),
    "a worn flash": (
        {"prelude": WORN, "installed": True, "files": {CHANGED[0]: b"old"}},
        *("flash", 1, "damaged", {"path": f"{CHANGED[0]}.new"}),
    ),
    # while it starts; a traceback is passed on: the wiring is not the cause
    "nothing is reported": ({"installed": True}, "flash", 1, "not_started", {}),
    "its test finds a fault": (
        {"installed": True, "started": "seabattle: fault no display on I2C\r\n"},
        *("flash", 1, "self_test_failed", {"report": "no display on I2C"}),
    ),
    "boot.py fails": (
        {"installed": True, "started": BOOT_FAILS},
        *("flash", 1, "boot_failed", {"error": "OSError: [Errno 5] EIO: no antenna"}),
    ),
    "main.py fails": (
        {"installed": True, "started": START_FAILS},
        *("flash", 1, "start_failed", {"path": "seaboard/app.py", "error": TOO_LARGE}),
    ),
}
"""Name -> the board, the command, its status, its message and the message's fields."""


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", FAILURES)
def test_what_ends_the_work_is_said_and_leaves_the_old_game(
    name: str, tmp_path: Path, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    how, command, status, key, fields = FAILURES[name]
    # nobody waits long for what will not come
    monkeypatch.setattr(flash, "_START_SECONDS", 0.5)
    if "mute_after" in how:
        monkeypatch.setattr(device, "_ANSWER_SECONDS", 0.5)
    board = dict(how)
    ours = installed(tmp_path) if board.pop("installed", False) else {CHANGED[0]: b""}
    for path, content in board.pop("files", {}).items():
        (tmp_path / path).write_bytes(content)
    ends = {end: board.pop(end) for end in ("mute_after", "pull_after") if end in board}
    before = tree(tmp_path)
    with Prompt(tmp_path, **{"machine": PICO, **board}) as there:
        vars(there).update(ends)
        line = fails(f"{command} --port {there.url}", status=status)
    wanted = told(key, **{name: there.url if value == "PORT" else value for name, value in fields.items()})
    assert re.fullmatch(re.escape(wanted).replace(ANY, ".+"), line)
    after = tree(tmp_path)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) <= {f"{path}.new" for path in ours}


@pytest.mark.usefixtures("english")
def test_a_module_that_does_not_compile() -> None:
    with pytest.raises(SeabattleError) as error:
        deploy.compile_module(b"def broken(:\n", "seaboard/broken.py", "1.27.0")
    reason = "SyntaxError: invalid syntax"
    assert str(error.value) == told("compile_failed", path="seaboard/broken.py", reason=reason)


# -- starting


STARTED = "seabattle: ready pico_w\r\n"


@pytest.mark.usefixtures("patient")
def test_no_main_of_the_owner_is_lost(tmp_path: Path, seabattle: Seabattle) -> None:
    """Two flashes over two programs of the owner's: both are kept, and removing the game restores the last one."""
    for source in (b"print('blink')", b"print('fade')"):
        installed(tmp_path)
        (tmp_path / "main.py").write_bytes(source)
        with Prompt(tmp_path, PICO, started=STARTED) as board:
            seabattle.told(f"flash --port {board.url}")
    for told in ("main_before_seabattle_2.py is main.py again", "there is no game on the board"):
        with Prompt(tmp_path, PICO) as board:
            assert told in seabattle.told(f"flash --erase --port {board.url}")
        # a main.py found there is the owner's, and stays
        assert tree(tmp_path) == {"main_before_seabattle.py": b"print('blink')", "main.py": b"print('fade')"}


@pytest.mark.usefixtures("patient")
def test_what_mip_has_installed_is_ours(tmp_path: Path, seabattle: Seabattle) -> None:
    """The sources' board.py would hide the flashed one. A main.py that does more than start the game is not ours."""
    wanted = installed(tmp_path)
    for path, name in deploy.STARTS.items():
        (tmp_path / f"{path}.py").write_text((assets.firmware() / name).read_text())
    (tmp_path / "lib/board.py").write_text((assets.boards() / "pico_w/board.py").read_text())
    (tmp_path / "main.py").write_text("import seabattle_main\n")
    with Prompt(tmp_path, PICO, started=STARTED) as board:
        for language in LANGUAGES:
            out = seabattle.told(f"flash --lang {language} --port {board.url}")
            assert out.splitlines()[-1] == told("started", language, report="pico_w")
    assert tree(tmp_path) == wanted
    mine = b"import network\nimport seabattle_main\n"
    (tmp_path / "main.py").write_bytes(mine)
    with Prompt(tmp_path, PICO) as board:
        out = seabattle.told(f"flash --erase --port {board.url}")
    assert tree(tmp_path) == {"main.py": mine}
    assert "main.py still has the line `import seabattle_main`" in out


def test_the_first_start_of_mips_game_has_it_start_with_the_board(tmp_path: Path) -> None:
    """Only if there is no main.py; an existing one stays."""
    (tmp_path / "seabattle_start.py").write_text("print('starts')")
    code = "import sys; sys.path[:0] = ['', sys.argv[1]]; import seabattle_main"
    command = [sys.executable, "-c", code, str(assets.firmware())]
    for mine in ("", "print('blink')"):
        if mine:
            (tmp_path / "main.py").write_text(mine)
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout.endswith("starts\n") and done.stderr == ""
        assert (tmp_path / "main.py").read_text() == (mine or "import seabattle_main\n")


def test_what_was_put_on_a_board_counts_before_what_is_frozen(tmp_path: Path) -> None:
    """`.frozen` precedes `lib` in the search path; here it is a folder."""
    for folder, told in ((".frozen", "frozen"), ("lib", "flashed")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "board.py").write_text(f"raise SystemExit({told!r})")
    code = "import sys; sys.path[:] = ['', '.frozen', 'lib', *sys.path]; exec(open(sys.argv[1]).read())"
    main = str(assets.firmware() / "main.py")
    done = subprocess.run([sys.executable, "-c", code, main], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == "flashed\n"


def test_a_game_in_the_firmware_is_not_called_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
) -> None:
    firmware, files = tmp_path / "firmware", tmp_path / "files"
    (firmware / "seaboard").mkdir(parents=True)
    (firmware / "seaboard/__init__.py").touch()
    files.mkdir()
    with Prompt(files) as board:
        for folder, key in ((".frozen", "nothing_to_erase"), (str(firmware), "frozen_stays")):
            monkeypatch.setattr(deploy, "_FROZEN", folder)
            assert seabattle.told(f"flash --port {board.url} --erase").splitlines()[-1] == told(key)


# -- the table


def test_every_failure_has_a_line_of_its_own_that_says_what_to_do() -> None:
    for language in LANGUAGES:
        catalogue = polib.pofile(str(Path(messages.__file__).parent / f"locale/{language}/LC_MESSAGES/seabattle.po"))
        told = [entry for entry in catalogue if entry.comment.startswith("flash and boards: ")]
        keys = [entry.msgid for entry in told]
        lines = [entry.msgstr for entry in told[keys.index("folder_taken") :]]
        assert len(set(lines)) == len(lines)
        assert all(";" in line for line in lines), "what is wrong; what to do"
