"""The command line: quick to start, and one line for everything that was asked for wrongly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle import fleet, gunner
from seabattle_host import cli
from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.language import messages, words
from seabattle_host.line import causes
from seabattle_host.player.parameters import LEVELS, Parameters, level_name, nick_bytes
from tests import needs
from tests.command import SOON, Command, environment
from tests.lines import Cable


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    words.use("en")
    yield
    words.use("en")


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on the standard error that these arguments give, with exit status 2 and nothing on the output."""
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("seabattle: ") and err.endswith("\n") and err.count("\n") == 1
    return err[len("seabattle: ") : -1]


# Commands.


def test_every_command_says_what_it_is_for(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in cli.COMMANDS:
        assert re.search(rf"^    {command}\s", out, re.MULTILINE)
        assert messages.tr(f"command_{command}").split()[0] in out


@pytest.mark.parametrize("command", cli.COMMANDS)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_command_has_help_in_both_languages(capsys: pytest.CaptureFixture[str], command: str, language: str):
    assert cli.main([command, "--help", "--lang", language]) == 0
    assert f": seabattle {command}" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.skipif(os.name != "posix", reason="left out: needs a POSIX shell")
@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 2), ("<&- >&- 2>&-", 2)])
def test_closed_standard_streams_are_no_fault(closed: str, status: int):
    command = f'exec "{sys.executable}" -m seabattle_host board {closed}'
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, timeout=SOON)
    assert done.returncode == status
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="left out: needs a device without an end")
@pytest.mark.parametrize(
    "arguments",
    [
        ("jury",),
        ("picture", "-o", "-"),
        ("decode",),
        ("replay", "--port", "loop://", "--as", "master"),
        ("flash", "--dry-run", "--board", "pico", "--config"),
    ],
)
def test_a_file_without_an_end_is_refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    assert "/dev/zero" in complaint(capsys, *arguments, "/dev/zero")


def test_no_command_and_an_unknown_one_are_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]):
    assert "bot" in complaint(capsys)
    assert "there is no command 'fly'" in complaint(capsys, "fly")
    assert "--fast" in complaint(capsys, "--fast")


@pytest.mark.parametrize("lang", [["--lang", "ru"], ["--lang=ru"]])
def test_the_language_may_stand_before_the_command(capsys: pytest.CaptureFixture[str], lang: list[str]):
    assert "не число секунд больше 0" in complaint(capsys, *lang, "bot", "--port", "loop://", "--wait", "0")
    assert "скажите, что делать" in complaint(capsys, *lang)
    assert "нет команды 'fly'" in complaint(capsys, *lang, "fly")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]):
    from seabattle_host import __version__

    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"seabattle {__version__}\n"


def test_a_missing_package_is_named_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def missing(name: str) -> None:
        raise ModuleNotFoundError("No module named 'textual.app'", name="textual.app")

    monkeypatch.setattr(cli.importlib, "import_module", missing)
    assert complaint(capsys, "bot") == "this needs the package textual: pip install textual"


def test_a_command_loads_only_its_own_packages():
    program = "import sys; from seabattle_host.cli import main; main(['bot', '--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert "seabattle_host.commands.bot" in done.stdout.split()
    assert not {"rich", "textual", "multiprocessing", "seabattle_host.simulation.sim"} & set(done.stdout.split())


@pytest.mark.parametrize("command", ["club", "sniff", "decode"])
def test_the_help_of_large_commands_waits_for_none_of_what_they_do(command: str):
    program = f"import sys; from seabattle_host.cli import main; main(['{command}', '--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert f"seabattle_host.commands.{command}" in loaded
    assert not {"asyncio", "seabattle.link", "seabattle_host.line.port"} & loaded


def test_no_help_loads_the_screens_or_what_draws_and_serves():
    """`man` and `completion` load the parsers of all commands."""
    program = "import sys; from seabattle_host.cli import main; main(['man']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert {f"seabattle_host.commands.{command}" for command in cli.COMMANDS} <= loaded
    assert not {"textual", "aiohttp", "matplotlib", "PIL", "distributed"} & loaded


def test_the_language_option_holds_for_complaints_too(capsys: pytest.CaptureFixture[str]):
    assert "нет команды 'fly'" in complaint(capsys, "fly", "--lang", "ru")
    assert "размер 5" in complaint(capsys, "sim", "--lang=ru", "--size", "5")
    assert complaint(capsys, "sim", "--lang=ru").startswith("нужны аргументы: --games")
    assert cli.main(["sim", "--help", "--lang=ru"]) == 0
    assert capsys.readouterr().out.startswith("использование: seabattle sim")
    assert complaint(capsys, "sim").startswith("the following arguments are required: --games")


# Bad input.

BOT = ("bot", "--port", "loop://")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("bot",), "--port"),
        ((*BOT, "--size", "5"), "size 5 is outside 6..10"),
        ((*BOT, "--size", "11"), "size 11 is outside 6..10"),
        ((*BOT, "--size", "ten"), "size ten is outside 6..10"),
        ((*BOT, "--fleet", "1,2,3"), "is not four counts"),
        ((*BOT, "--fleet", "1,2,3,x"), "is not four counts"),
        ((*BOT, "--fleet", "2,2,3,4"), "four-deck ships 0..1"),
        ((*BOT, "--fleet", "1,3,3,4"), "three-deck ships 0..2"),
        ((*BOT, "--fleet", "1,2,6,4"), "two-deck ships 0..5"),
        ((*BOT, "--fleet", "1,2,3,11"), "one-deck ships 1..10"),
        ((*BOT, "--fleet", "1,2,3,0"), "one-deck ships 1..10"),
        ((*BOT, "--size", "6", "--fleet", "1,2,5,10"), "has no legal placement on 6x6"),
        ((*BOT, "--level", "clever"), "there is no level 'clever': random, hunt, density, sharp"),
        ((*BOT, "--level", "5"), "there is no level '5'"),
        ((*BOT, "--level", "0"), "there is no level '0'"),
        ((*BOT, "--role", "judge"), "--role"),
        ((*BOT, "--games", "-1"), "'-1' is not a whole number"),
        ((*BOT, "--nick", ""), "the nick '' is empty"),
        ((*BOT, "--nick", "a-much-too-long-nick"), "20 bytes: at most 10"),
        ((*BOT, "--nick", "Щукинский"), "Shchukinskiy"),
        ((*BOT, "--nick", "♞"), "'♞' that cannot be sent"),
        ((*BOT, "--nick", "a\x07b"), "characters that are not letters"),
        ((*BOT, "--nick-cp866", "--nick", "Щука♞"), "that cannot be sent"),
        ((*BOT, "--seed", "1073741824"), "'1073741824' is not a whole number"),
        ((*BOT, "--wait", "-3"), "is not a number of seconds"),
        ((*BOT, "--wait", "nan"), "is not a number of seconds"),
        ((*BOT, "--parity", "maybe"), "parity 'maybe'"),
        ((*BOT, "--stopbits", "3"), "stop bits '3'"),
        ((*BOT, "--baud", "0"), "'0' is not a whole number"),
        ((*BOT, "--log", "/no/such/folder/log"), "cannot write /no/such/folder/log"),
        (("bot", "--port", "/dev/no-such-port"), "port /dev/no-such-port does not exist"),
        (("club", "serve", "--cert", "c.pem"), "--cert is for the page: give --web"),
        (("club", "serve", "--proxy", "127.0.0.1"), "--proxy is for the page: give --web"),
        (("sim",), "--games"),
        (("sim", "--games", "0"), "'0' is not a whole number"),
        (("sim", "--games", "1", "--levels", "1,2,3"), "is not one level or two"),
        (("sim", "--games", "1", "--levels", "hunt,fish"), "there is no level 'fish'"),
        (("sim", "--games", "1", "--jobs", "0"), "'0' is not a whole number"),
        (("sim", "--games", "1", "--size", "6", "--fleet", "1,2,5,10"), "has no legal placement on 6x6"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str):
    assert says in complaint(capsys, *arguments)


def test_bad_input_prints_no_traceback_in_a_process_of_its_own():
    with Command("bot", "--port", "/dev/no-such-port") as command:
        status, out, err = command.finish()
    assert (status, out) == (2, "")
    assert err.startswith("seabattle: ") and err.count("\n") == 1


def test_parameters_are_refused_exactly_where_no_placement_exists():
    for counts in ((1, 2, 3, 4), (0, 0, 5, 10), (1, 2, 5, 10), (0, 0, 0, 10)):
        for size in range(6, 11):
            asked = Parameters(size, *counts)
            if fleet.check(size, *counts) == fleet.OK:
                asked.check()
            else:
                with pytest.raises(UserError):
                    asked.check()


# What people type.


def test_levels_go_by_name_and_by_number():
    assert [options.level(str(i)) for i in (1, 2, 3, 4)] == [options.level(name) for name in LEVELS]
    assert options.level("Density") == gunner.DENSITY
    assert level_name(gunner.SHARP) == "sharp"


def test_nicks_are_ascii_unless_asked_otherwise():
    assert nick_bytes("Вася") == b"Vasya"
    assert nick_bytes("Вася", cp866=True) == "Вася".encode("cp866")
    assert nick_bytes(" Zoë ") == b"Zoe"
    assert nick_bytes("ABCDEFGHIJ") == b"ABCDEFGHIJ"


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], "9600 8E2"),
        (["--baud", "1200", "--parity", "none", "--stopbits", "1"], "1200 8N1"),
        (["--parity", "O", "--bytesize", "7", "--stopbits", "1.5"], "9600 7O1.5"),
    ],
)
def test_line_settings(arguments: list[str], settings: str):
    parser = cli.Parser()
    options.add_port(parser)
    assert str(options.settings(parser.parse_args(["--port", "x", *arguments]))) == settings


# Terminals.


def test_a_plain_C_locale_without_utf8_still_prints():
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    with Command("sim", "--games", "1", "--lang", "ru", python=("-X", "utf8=0"), **plain) as command:
        status, out, err = command.finish()
    assert (status, err) == (0, "")
    assert out.isascii()
    assert "vystrelov pobeditelya" in out


def test_a_reader_that_leaves_ends_the_command_without_a_traceback():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "seabattle_host", "sim", "--games", "1", "--size", "6", "--fleet", "0,0,0,1"],
        env=environment(),
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=SOON,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is played by Linux's /dev/full")
def test_output_that_finds_no_room_is_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "seabattle_host", "sim", "--games", "1", "--size", "6", "--fleet", "0,0,0,1"],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SOON,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("seabattle: cannot write the output: ") and len(done.stderr.splitlines()) == 1


# What one looks for first.


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("sniffer",), "sniff"),
        (("doctro",), "doctor"),
        (("bot", "--prot", "loop://"), "--port"),
        (("bot", "--port", "loop://", "--levle", "hunt"), "--level"),
        (("decode", "x", "--chek"), "--check"),
    ],
)
def test_what_was_nearly_typed_is_named(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], meant: str):
    assert f"did you mean {meant}?" in complaint(capsys, *arguments)


def test_what_is_like_nothing_is_not_guessed(capsys: pytest.CaptureFixture[str]):
    assert "did you mean" not in complaint(capsys, "fly")
    assert "did you mean" not in complaint(capsys, "bot", "--port", "loop://", "--zzz")


def test_the_manual_page_has_every_command_and_option():
    from seabattle_host.commands import man

    parser = cli.whole_parser()
    page = man.page(parser)
    for name, command in man.commands(parser).items():
        assert f".SS seabattle {name}\n" in page.replace("\\-", "-")
        for option in command._option_string_actions:
            assert option in page.replace("\\-", "-")


@pytest.mark.skipif(not shutil.which("bash"), reason="left out: needs bash")
def test_bash_completes_commands_and_options(tmp_path: Path):
    script = Command("completion", "bash").finish()[1]
    (tmp_path / "script").write_text(script, encoding="utf-8")
    program = (
        'source "$1"; function=$(complete -p seabattle | sed "s/.*-F \\([^ ]*\\) .*/\\1/");'
        "COMP_WORDS=(seabattle wir); COMP_CWORD=1; $function; echo ${COMPREPLY[@]};"
        "COMP_WORDS=(seabattle bot --le); COMP_CWORD=2; $function; echo ${COMPREPLY[@]};"
        "COMP_WORDS=(seabattle wiring pico2); COMP_CWORD=2; $function; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "-c", program, "-", str(tmp_path / "script")], capture_output=True, text=True, timeout=SOON
    )
    lines = done.stdout.splitlines()
    assert "wireshark" in lines[0] and "wiring" in lines[0] and "bot" not in lines[0]
    assert "--level" in lines[1] and lines[2] == "pico2 pico2_w"


@needs.program("fish")
def test_fish_completes_commands_options_and_what_they_take(tmp_path: Path):
    script = tmp_path / "seabattle.fish"
    script.write_text(Command("completion", "fish").finish()[1], encoding="utf-8")
    asked = (
        "wir",
        "bot --le",
        "bot --level ",
        "bot --role ",
        "club se",
        "club serve --sta",
        "wiring pico",
        "history --la",
    )
    asks = "; ".join(f'complete -C "seabattle {typed}" | string collect; echo =' for typed in asked)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; {asks}"], capture_output=True, text=True, timeout=SOON
    )
    assert done.stderr == ""
    found = [[line.split("\t")[0] for line in part.split("\n") if line] for part in done.stdout.split("=\n")[:-1]]
    assert found == [
        ["wireshark", "wiring"],
        ["--level"],
        ["density", "hunt", "random", "sharp"],
        ["auto", "master", "slave"],
        ["serve"],
        ["--stall"],
        ["pico", "pico2", "pico2_w", "pico_w"],
        ["--lang"],
    ]


@needs.program("zsh")
def test_zsh_takes_its_completion_for_a_program():
    done = subprocess.run(
        ["zsh", "-n"], input=Command("completion", "zsh").finish()[1], capture_output=True, text=True, timeout=SOON
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_doctors_page_is_whole_and_does_not_say_who_is_at_home(tmp_path: Path):
    with Command("doctor", HOME=str(tmp_path), XDG_DATA_HOME="", XDG_CONFIG_HOME="", XDG_STATE_HOME="") as doctor:
        status, page, complaints = doctor.finish()
    assert (status, complaints) == (0, "")
    for title in ("program", "terminal", "folders", "serial ports", "boards", "what is wrong"):
        assert f"## {title}\n" in page
    assert "~/.local/share/seabattle" in page
    assert str(tmp_path) not in page


def test_the_doctor_finds_a_home_that_cannot_be_written(tmp_path: Path):
    home = tmp_path / "home"
    home.write_text("", encoding="ascii")
    with Command("doctor", HOME=str(home), XDG_DATA_HOME="", XDG_CONFIG_HOME="", XDG_STATE_HOME="") as doctor:
        status, page, _ = doctor.finish()
    assert status == 1
    assert "games and settings are not saved" in page.partition("## what is wrong")[2]


def test_ports_are_listed_with_who_has_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    with Cable() as cable:
        monkeypatch.setattr(causes, "found_ports", lambda: [(cable.a, "FT232R USB UART")])
        assert cli.main(["ports"]) == 0
        assert "FT232R" in capsys.readouterr().out
        with Command("bot", "--port", cable.a) as bot:
            bot.line(cable.a)
            assert cli.main(["ports"]) == 0
            assert f"({bot.process.pid})" in capsys.readouterr().out
    monkeypatch.setattr(causes, "found_ports", list)
    assert cli.main(["ports"]) == 1


def test_the_wiring_of_a_board_without_a_checkout(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert cli.main(["wiring", "pico"]) == 0
    assert "GP0 (pin 1)" in capsys.readouterr().out
    assert cli.main(["wiring", "pico", "-o", str(tmp_path / "pico.svg")]) == 0
    assert (tmp_path / "pico.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "pico" in complaint(capsys, "wiring", "zx81")


@pytest.mark.parametrize("module", ["seabattle", "seabattle_host"])
def test_the_packages_are_programs_too(module: str):
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], env=environment(), capture_output=True, text=True, timeout=SOON
    )
    assert done.stdout.startswith("seabattle ") and done.returncode == 0


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "cp437"])
@pytest.mark.parametrize("arguments", [("classic", "--people", "0", "--seed", "1"), ("doctor",), ("man",)])
def test_the_code_pages_of_windows_consoles_print_everything(encoding: str, arguments: tuple[str, ...]):
    with Command(*arguments, "--lang", "ru", PYTHONIOENCODING=encoding, PYTHONUTF8="0") as command:
        out, err = command.process.communicate(timeout=SOON)
    assert command.process.returncode in (0, 1)
    assert err == b""
    assert out.decode(encoding)
