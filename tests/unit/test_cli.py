"""The command line: starts fast, and answers each wrong request with one line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seabattle import gunner
from seabattle_host import __version__, cli
from seabattle_host.commands import man, options
from seabattle_host.language import words
from seabattle_host.line import port_errors
from seabattle_host.player.parameters import LEVELS, level_name, nick_bytes
from tests import needs
from tests.calls import Seabattle
from tests.command import SOON, Command, environment
from tests.lines import Cable


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    words.use("en")
    yield
    words.use("en")


def process(*command: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run a program in English from this tree to its end."""
    how = {"capture_output": True, "text": True, **how}
    return subprocess.run(command, env=environment(), timeout=SOON, check=False, **how)


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a command has loaded by its end."""
    program = f"import sys; from seabattle_host.cli import main; main({list(arguments)}); print(*sys.modules)"
    return set(process(sys.executable, "-c", program).stdout.splitlines()[-1].split())


# Commands.


@pytest.mark.parametrize("command", cli.COMMANDS)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_command_has_help_in_both_languages(seabattle: Seabattle, command: str, language: str):
    assert f": seabattle {command}" in seabattle.told(f"{command} --help --lang {language}").replace("\n", " ")


@pytest.mark.skipif(os.name != "posix", reason="left out: needs a POSIX shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_are_no_fault(closed: str):
    done = process("sh", "-c", f'exec "{sys.executable}" -m seabattle_host board {closed}')
    assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="left out: needs a device without an end")
@pytest.mark.parametrize(
    "command",
    ["jury", "picture -o -", "decode", "replay --port loop:// --as master", "flash --dry-run --board pico --config"],
)
def test_a_file_without_an_end_is_refused(command: str, seabattle: Seabattle):
    assert "/dev/zero" in seabattle.refused(command, "/dev/zero")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "bot"),
        ("fly", "there is no command 'fly'"),
        ("--fast", "--fast"),
        ("--lang ru bot --port loop:// --wait 0", "не число секунд больше 0"),
        ("--lang=ru", "скажите, что делать"),
        ("--lang=ru fly", "нет команды 'fly'"),
        ("fly --lang ru", "нет команды 'fly'"),
        ("sim --lang=ru --size 5", "размер 5"),
        ("sim --lang=ru", "нужны аргументы: --games"),
    ],
)
def test_what_is_wrong_is_said_in_the_language_that_was_asked_for_anywhere(
    command: str, says: str, seabattle: Seabattle
):
    assert says in seabattle.refused(command)
    assert seabattle.refused("sim").startswith("the following arguments are required: --games")


def test_the_version_is_that_of_the_package_and_help_speaks_russian(seabattle: Seabattle):
    assert seabattle.told("--version") == f"seabattle {__version__}\n"
    assert seabattle.told("sim --help --lang=ru").startswith("использование: seabattle sim")


def test_a_missing_package_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle):
    def missing(name: str) -> None:
        raise ModuleNotFoundError("No module named 'textual.app'", name="textual.app")

    monkeypatch.setattr(cli.importlib, "import_module", missing)
    assert seabattle.refused("bot") == "this needs the package textual: pip install textual"


@pytest.mark.parametrize(
    ("command", "others"),
    [
        ("bot", {"rich", "textual", "multiprocessing", "seabattle_host.simulation.sim"}),
        *((large, {"asyncio", "seabattle.link", "seabattle_host.line.port"}) for large in ("club", "sniff", "decode")),
    ],
)
def test_the_help_of_a_command_loads_only_its_own_packages(command: str, others: set[str]):
    loaded = loaded_by(command, "--help")
    assert f"seabattle_host.commands.{command}" in loaded and not others & loaded


def test_no_help_loads_the_screens_or_what_draws_and_serves():
    """`man` and `completion` load the parsers of all commands."""
    loaded = loaded_by("man")
    assert {f"seabattle_host.commands.{command}" for command in cli.COMMANDS} <= loaded
    assert not {"textual", "aiohttp", "matplotlib", "PIL", "distributed", "sqlite3"} & loaded
    works = ("player.runner", "records.archive", "sniff.reading", "simulation.sim", "club.store", "games.journal")
    assert not {f"seabattle_host.{work}" for work in works} & loaded


# Bad input.


WRONG = {
    "bot": {"": "--port", "--port /dev/no-such-port": "port /dev/no-such-port does not exist"},
    "bot --port loop://": {
        "--size 5": "size 5 is outside 6..10",
        "--size 11": "size 11 is outside 6..10",
        "--size ten": "size ten is outside 6..10",
        "--fleet 1,2,3": "is not four counts",
        "--fleet 1,2,3,x": "is not four counts",
        "--fleet 2,2,3,4": "four-deck ships 0..1",
        "--fleet 1,3,3,4": "three-deck ships 0..2",
        "--fleet 1,2,6,4": "two-deck ships 0..5",
        "--fleet 1,2,3,11": "one-deck ships 1..10",
        "--fleet 1,2,3,0": "one-deck ships 1..10",
        "--size 6 --fleet 1,2,5,10": "has no legal placement on 6x6: try fewer ships, such as 0,1,2,4, or a larger",
        "--level clever": "there is no level 'clever': random, hunt, density, sharp",
        "--level 5": "there is no level '5'",
        "--level 0": "there is no level '0'",
        "--role judge": "--role",
        "--games -1": "'-1' is not a whole number",
        "--nick=": "the nick '' is empty",
        "--nick a-much-too-long-nick": "20 bytes: at most 10",
        "--nick Щукинский": "Shchukinskiy",
        "--nick ♞": "'♞' that cannot be sent",
        "--nick a\x07b": "characters that are not letters",
        "--nick-cp866 --nick Щука♞": "that cannot be sent",
        "--seed 1073741824": "'1073741824' is not a whole number",
        "--wait -3": "is not a number of seconds",
        "--wait nan": "is not a number of seconds",
        "--parity maybe": "parity 'maybe'",
        "--stopbits 3": "stop bits '3'",
        "--baud 0": "'0' is not a whole number",
        "--log /no/such/folder/log": "cannot write /no/such/folder/log",
    },
    "board --autoplay": {
        "--size 6 --fleet 1,2,5,10": "has no legal placement on 6x6",
        "--level genius": "there is no level 'genius'",
        "--panel 40x2": "40x2",
        "--role captain": "captain",
        "--nick=": "the nick '' is empty",
        "--port /dev/no-such-port": "/dev/no-such-port does not exist",
        "--link /no/such/folder/link": "/no/such/folder/link",
        "--store /dev/null/x": "/dev/null/x",
        "--opponent --port /dev/x": "--opponent",
        "--games -1": "'-1' is not a whole number",
    },
    "play": {
        "--size 5": "size 5 is outside 6..10",
        "--size 6 --fleet 1,2,5,10": "no legal placement",
        "--nick Rumpelstiltskin": "15 bytes",
        "--level wizard": "there is no level 'wizard'",
        "--board --port /dev/null": "--board starts its own line",
        "--role admiral": "admiral",
    },
    "club serve": {
        "--cert c.pem": "--cert is for the page: give --web",
        "--proxy 127.0.0.1": "--proxy is for the page: give --web",
    },
    "sim": {
        "": "--games",
        "--games 0": "'0' is not a whole number",
        "--games 1 --levels 1,2,3": "is not one level or two",
        "--games 1 --levels hunt,fish": "there is no level 'fish'",
        "--games 1 --jobs 0": "'0' is not a whole number",
        "--games 1 --size 6 --fleet 1,2,5,10": "has no legal placement on 6x6",
    },
}


@pytest.mark.parametrize(
    ("command", "says"), [(f"{name} {options}", says) for name, rest in WRONG.items() for options, says in rest.items()]
)
def test_bad_input_is_one_line(command: str, says: str, seabattle: Seabattle):
    assert says in seabattle.refused(command)


# What people type.


def test_levels_go_by_name_and_by_number_and_nicks_are_ascii_unless_asked_otherwise():
    assert [options.level(str(i)) for i in (1, 2, 3, 4)] == [options.level(name) for name in LEVELS]
    assert options.level("Density") == gunner.DENSITY and level_name(gunner.SHARP) == "sharp"
    assert nick_bytes("Вася") == b"Vasya" and nick_bytes("Вася", cp866=True) == "Вася".encode("cp866")
    assert nick_bytes(" Zoë ") == b"Zoe" and nick_bytes("ABCDEFGHIJ") == b"ABCDEFGHIJ"


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("", "9600 8E2"),
        ("--baud 1200 --parity none --stopbits 1", "1200 8N1"),
        ("--parity O --bytesize 7 --stopbits 1.5", "9600 7O1.5"),
    ],
)
def test_line_settings(arguments: str, settings: str):
    parser = cli.Parser()
    options.add_port(parser)
    assert str(options.settings(parser.parse_args(["--port", "x", *arguments.split()]))) == settings


# Terminals.


def test_a_plain_C_locale_without_utf8_still_prints():
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    with Command("sim", "--games", "1", "--lang", "ru", python=("-X", "utf8=0"), **plain) as command:
        status, out, err = command.finish()
    assert (status, err) == (0, "")
    assert out.isascii()
    assert "vystrelov pobeditelya" in out


SMALL_SIM = (sys.executable, "-m", "seabattle_host", *"sim --games 1 --size 6 --fleet 0,0,0,1".split())


def test_a_reader_that_leaves_ends_the_command_without_a_traceback():
    read, write = os.pipe()
    os.close(read)
    done = process(*SMALL_SIM, capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (2, "")


AT_ITS_BEGINNING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where the tests were started
from seabattle_host import __main__ as seabattle
class Finder:
    def find_spec(self, name, *_):
        if name == "seabattle_host.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
seabattle.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="left out: Windows has no such signals between processes")
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_traceback():
    done = subprocess.run([sys.executable, "-c", AT_ITS_BEGINNING], capture_output=True, text=True, timeout=SOON)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is played by Linux's /dev/full")
@pytest.mark.parametrize("arguments", [SMALL_SIM, (*SMALL_SIM[:3], "board", "--help")])
def test_output_that_finds_no_room_is_one_line(arguments: tuple[str, ...]):
    with open("/dev/full", "wb") as full:
        done = process(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith("seabattle: cannot write the output: ") and len(done.stderr.splitlines()) == 1


# What newcomers look for first.


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sniffer", "sniff"),
        ("doctro", "doctor"),
        ("bot --prot loop://", "--port"),
        ("bot --port loop:// --levle hunt", "--level"),
        ("decode x --chek", "--check"),
        ("fly", ""),
        ("bot --port loop:// --zzz", ""),
    ],
)
def test_what_was_nearly_typed_is_named_and_what_is_like_nothing_is_not_guessed(typed: str, meant: str, seabattle):
    complaint = seabattle.refused(typed)
    assert f"did you mean {meant}?" in complaint if meant else "did you mean" not in complaint


def test_the_manual_page_has_every_command_and_option():
    parser = cli.whole_parser()
    page = man.page(parser).replace("\\-", "-")
    for name, command in man.commands(parser).items():
        assert f".SS seabattle {name}\n" in page
        assert all(option in page for option in command._option_string_actions)


@pytest.mark.skipif(not shutil.which("bash"), reason="left out: needs bash")
def test_bash_completes_commands_and_options(tmp_path: Path):
    script = Command("completion", "bash").finish()[1]
    (tmp_path / "script").write_text(script, encoding="utf-8")
    program = 'source "$1"; function=$(complete -p seabattle | sed "s/.*-F \\([^ ]*\\) .*/\\1/");'
    for words_, at in (("wir", 1), ("bot --le", 2), ("wiring pico2", 2)):
        program += f"COMP_WORDS=(seabattle {words_}); COMP_CWORD={at}; $function; echo ${{COMPREPLY[@]}};"
    lines = process("bash", "-c", program, "-", str(tmp_path / "script")).stdout.splitlines()
    assert "wireshark" in lines[0] and "wiring" in lines[0] and "bot" not in lines[0]
    assert "--level" in lines[1] and lines[2] == "pico2 pico2_w"


FISH = {
    "wir": "wireshark wiring",
    "bot --le": "--level",
    "bot --level ": "density hunt random sharp",
    "bot --role ": "auto master slave",
    "club se": "serve",
    "club serve --sta": "--stall",
    "wiring pico": "pico pico2 pico2_w pico_w",
    "history --la": "--lang",
}


@needs.program("fish")
def test_fish_completes_commands_options_and_what_they_take(tmp_path: Path):
    script = tmp_path / "seabattle.fish"
    script.write_text(Command("completion", "fish").finish()[1], encoding="utf-8")
    asks = "; ".join(f'complete -C "seabattle {typed}" | string collect; echo =' for typed in FISH)
    done = process("fish", "--no-config", "-c", f"source {script}; {asks}")
    assert done.stderr == ""
    found = [[line.split("\t")[0] for line in part.split("\n") if line] for part in done.stdout.split("=\n")[:-1]]
    assert found == [completed.split() for completed in FISH.values()]


@needs.program("zsh")
def test_zsh_takes_its_completion_for_a_program():
    done = process("zsh", "-n", input=Command("completion", "zsh").finish()[1])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("writable", [True, False])
def test_the_doctors_page_is_whole_and_does_not_say_who_is_at_home(tmp_path: Path, writable: bool):
    home = tmp_path / "home"
    home.mkdir() if writable else home.touch()
    with Command("doctor", HOME=str(home), XDG_DATA_HOME="", XDG_CONFIG_HOME="", XDG_STATE_HOME="") as doctor:
        status, page, complaints = doctor.finish()
    assert (status, complaints) == (0 if writable else 1, "")
    for title in ("program", "terminal", "folders", "serial ports", "boards", "what is wrong"):
        assert f"## {title}\n" in page
    assert "~/.local/share/seabattle" in page and str(tmp_path) not in page
    assert ("games and settings are not saved" in page.partition("## what is wrong")[2]) != writable


def test_ports_are_listed_with_who_has_them(monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle):
    with Cable() as cable:
        monkeypatch.setattr(port_errors, "found_ports", lambda: [(cable.a, "FT232R USB UART")])
        assert "FT232R" in seabattle.told("ports")
        with Command("bot", "--port", cable.a) as bot:
            bot.line(cable.a)
            assert f"({bot.process.pid})" in seabattle.told("ports")
    monkeypatch.setattr(port_errors, "found_ports", list)
    assert seabattle("ports")[0] == 1


def test_the_wiring_of_a_board_without_a_checkout(seabattle: Seabattle, tmp_path: Path):
    assert "GP0 (pin 1)" in seabattle.told("wiring pico")
    seabattle.told("wiring pico -o", tmp_path / "pico.svg")
    for module in ("", "--kit keypad-4x4", "--kit encoder", "--kit pico-lcd-1.3"):
        assert not re.search("[a-z]{2,} [a-z]{2,}", seabattle.told(f"wiring pico --lang ru {module}")), module
    assert (tmp_path / "pico.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "pico" in seabattle.refused("wiring zx81")


@pytest.mark.parametrize("module", ["seabattle", "seabattle_host"])
def test_the_packages_are_programs_too(module: str):
    done = process(sys.executable, "-m", module, "--version")
    assert done.stdout.startswith("seabattle ") and done.returncode == 0


@pytest.mark.parametrize(
    ("words_", "encoding"),
    [
        ("classic --people 0 --seed 1", "cp437"),
        ("classic --people 0 --seed 1", "cp1251"),
        ("doctor", "cp866"),
        ("man", "cp437"),
    ],
)
def test_the_code_pages_of_windows_consoles_print_everything(words_: str, encoding: str):
    with Command(*words_.split(), "--lang", "ru", PYTHONIOENCODING=encoding, PYTHONUTF8="0") as command:
        out, err = command.process.communicate(timeout=SOON)
    assert command.process.returncode in (0, 1)
    assert err == b""
    assert out.decode(encoding)
