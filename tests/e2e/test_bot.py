"""`seabattle bot` over real lines: whole games, every way to end, and every exit status."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host.line.port import Port
from tests import needs
from tests.command import Command, wait_until
from tests.lines import Cable

pytestmark = [pytest.mark.usefixtures("faster"), needs.PTYS]

SMALL = ("--size", "6", "--fleet", "0,0,1,2")


def result(out: str) -> dict[str, int]:
    """Return the figures of the result line."""
    line = next(line for line in out.splitlines() if line.startswith("result: "))
    names = ("games", "won", "lost", "ours", "theirs")
    return dict(zip(names, map(int, re.findall(r"\d+", line)), strict=True))


def agree(one: str, two: str, games: int) -> None:
    """Check that both bots report the same games from their own sides."""
    a, b = result(one), result(two)
    assert a["games"] == b["games"] == games
    assert (a["won"], a["lost"]) == (b["lost"], b["won"])
    assert a["won"] + a["lost"] == games
    assert (a["ours"], a["theirs"]) == (b["theirs"], b["ours"])
    shots = re.findall(r"our shot at (\w+): (.*)", one), re.findall(r"our shot at (\w+): (.*)", two)
    assert shots[0] == re.findall(r"their shot at (\w+): (.*)", two)
    assert shots[1] == re.findall(r"their shot at (\w+): (.*)", one)


@pytest.mark.parametrize(
    ("roles", "games", "parameters"),
    [(("master", "slave"), 3, SMALL), (("slave", "master"), 1, ()), (("auto", "auto"), 1, SMALL)],
)
def test_two_bots_play_a_game_and_leave(cable: Cable, roles: tuple[str, str], games: int, parameters: tuple[str, ...]):
    usual = (*parameters, "--games", str(games))
    log = ("--log", "/dev/full") if games == 1 and os.path.exists("/dev/full") else ()
    with (
        Command("bot", "--port", cable.a, "--role", roles[0], *usual, "--seed", "1") as one,
        Command("bot", "--port", cable.b, "--role", roles[1], *usual, "--seed", "2", *log) as two,
    ):
        (status_a, out_a, err_a), (status_b, out_b, err_b) = one.finish(), two.finish()
    assert (status_a, err_a) == (0, "")
    assert (status_b, err_b.count("cannot write /dev/full")) == ((2, 1) if log else (0, 0))
    agree(out_a, out_b, games)
    assert out_b.count("restart: a new game") == games - 1


def test_a_slave_that_plays_on_waits_for_the_next_master(cable: Cable):
    with Command("bot", "--port", cable.b, "--role", "slave", "--games", "2", "--seed", "2") as slave:
        for seed in ("1", "3"):
            with Command("bot", "--port", cable.a, "--role", "master", *SMALL, "--seed", seed) as master:
                assert master.finish()[0] == 0
            if seed == "1":
                slave.line("the opponent says goodbye")
                assert "waiting for a master" in slave.line("waiting")
        status, out, _ = slave.finish()
    assert status == 0
    assert result(out)["games"] == 2


def test_chat_and_nicks_arrive_in_the_letters_they_were_sent_in(cable: Cable, tmp_path: Path):
    log = tmp_path / "game.log"
    with (
        Command(
            *("bot", "--port", cable.a, "--role", "master", *SMALL, "--nick", "Щука", "--nick-cp866"),
            *("--chat", "Привет, ёж! " + "очень " * 15, "--log", str(log)),
        ) as one,
        Command(
            "bot", "--port", cable.b, "--role", "slave", "--nick", "Налим", "--chat", "hello", "--lang", "ru"
        ) as two,
    ):
        (status_a, out_a, _), (status_b, out_b, _) = one.finish(), two.finish()
    assert (status_a, status_b) == (0, 0)
    assert "ник соперника: Щука\n" in out_b
    # the slave answers in that code page, once the master has shown that it knows it
    assert re.search("the opponent's nick is (Налим|Nalim)\n", out_a)
    assert "the opponent writes: hello\n" in out_a
    chat = re.findall("соперник пишет: (.*)\n", out_b)
    assert " ".join(chat) == "Привет, ёж! " + "очень " * 14 + "очень"
    assert len(chat) == 2
    written = log.read_text(encoding="utf-8")
    assert "B1 04 99 E3 AA A0" in written
    assert "chat: Привет, ёж!" in written
    assert written.count("result: ") == 1


class Peer:
    """A scripted opponent at the other end of the line."""

    def __init__(self, port: Port):
        self.port = port
        self.heard = bytearray()

    def send(self, data: bytes) -> None:
        self.port.write(data)

    def expect(self, what: bytes) -> None:
        """Read up to these bytes."""

        def arrived() -> bool:
            self.heard += self.port.read(0.05)
            return what in self.heard

        wait_until(arrived)
        del self.heard[: self.heard.index(what) + len(what)]

    def ask(self, command: bytes, reply: bytes) -> None:
        self.send(command)
        self.expect(reply)


@contextlib.contextmanager
def scripted_master(cable: Cable, *arguments: str) -> Iterator[tuple[Command, Peer]]:
    """A slave bot, and its scripted master after the meeting and the bot's nick."""
    with Command("bot", "--port", cable.b, "--role", "slave", *arguments) as bot, Port(cable.a) as port:
        bot.line("waiting for a master's sync")
        master = Peer(port)
        master.ask(b"\xaa", b"\x01")
        master.ask(b"\xa1", b"\x1a")
        yield bot, master


NICK = b"\xb1\x09seabattle"


def test_a_peer_that_shows_russian_letters_gets_the_nick_in_them_and_tagged_ship_counts_if_wanted(cable: Cable):
    usual = ("bot", "--port", cable.a, "--role", "master", "--nick", "Щука", "--tagged")
    with Command(*usual) as bot, Port(cable.b) as port:
        slave = Peer(port)
        slave.expect(b"\xaa")
        slave.ask(b"\x01", b"\xa1")
        # its own nick comes together with its answer, before the master's is on its way
        slave.send(b"\xb1\x04" + "Язь!".encode("cp866") + b"\x1a")
        slave.expect(b"\x1b")
        slave.expect(b"\xb1\x04" + "Щука".encode("cp866"))
        bot.line("the opponent's nick is Язь!")
        slave.ask(b"\x1b", b"\xb2\x0a\x41\x32\x23\x14")


@pytest.mark.parametrize("answered", [True, False])
def test_ctrl_c_says_goodbye_and_gets_out_even_if_nobody_answers(cable: Cable, answered: bool):
    with scripted_master(cable) as (bot, master):
        master.expect(NICK)
        if answered:
            master.send(b"\x1b")
            bot.line("has our nick")
        bot.process.send_signal(signal.SIGINT)
        master.expect(b"\xa7")
        if answered:
            master.send(b"\x7a")
        status, out, err = bot.finish()
    assert (status, err) == (130, "")
    assert result(out)["games"] == 0


def test_ctrl_c_while_nobody_is_there(cable: Cable):
    with Command("bot", "--port", cable.b, "--role", "slave") as bot:
        bot.line("waiting for a master's sync")
        bot.process.send_signal(signal.SIGINT)
        status, _out, err = bot.finish()
    assert (status, err) == (130, "")


@pytest.mark.parametrize(("port", "wait"), [("", "0.2"), ("loop://", "1.2")], ids=["silent", "hears itself"])
def test_nobody_comes(cable: Cable, port: str, wait: str):
    with Command("bot", "--port", port or cable.b, "--wait", wait) as bot:
        status, out, err = bot.finish()
    assert (status, err) == (1, f"seabattle: nobody came within {wait} s\n")
    assert result(out)["games"] == 0


@pytest.mark.parametrize(
    ("exchanges", "says", "unsaid"),
    [
        ("A2/A8 8A/", "placing before any parameters", "line is bad"),
        ("A8/8A", "says that we broke the protocol", "line is bad"),
        ("A0/0A", "waited too long for us", "line is bad"),
        ("6061626364656667686960616263646566676869/ A2/A8 8A/", "the line is bad at the moment", "Traceback"),
        ("B20600000001/2B0600000001 A2/2A A1/A8 8A/", "the opponent started over with 'we have met'", "broke"),
    ],
    ids=["too early", "accused", "gave up", "what noise did may be the line's doing", "a restart has broken nothing"],
)
def test_a_session_that_the_peer_has_broken_ends_with_status_1(cable: Cable, exchanges: str, says: str, unsaid: str):
    with scripted_master(cable) as (bot, master):
        for exchange in exchanges.split():
            master.ask(*map(bytes.fromhex, exchange.split("/")))
        bot.line(says)
        status, out, _err = bot.finish()
        assert status == 1 and unsaid not in out


def test_a_peer_that_falls_silent_ends_in_a_timeout_and_a_key(cable: Cable):
    with scripted_master(cable) as (bot, master):
        bot.line("nothing heard from the opponent")
        master.expect(bytes([wire.TIMED_OUT]))
        status, out, _err = bot.finish()
    assert status == 1
    assert "giving up" in out


def test_a_bot_whose_output_nobody_reads_says_goodbye(cable: Cable):
    with scripted_master(cable) as (bot, master):
        bot.process.stdout.close()
        bot.process.stdout = open(os.devnull, "rb")  # noqa: SIM115 - closed by Command
        master.send(bytes([wire.NICK, 1, 0x41]))
        master.expect(bytes([wire.GOODBYE]))
        master.send(b"\x7a")
        assert bot.process.wait(60) == 2


def test_a_late_sign_before_the_key_goes_on(cable: Cable):
    with scripted_master(cable) as (bot, master):
        bot.line("nothing heard from the opponent")
        master.send(bytes([wire.SYNC]))
        bot.line("it came after all")
        bot.process.send_signal(signal.SIGTERM)
        # no complaint of silence while it waits for the reply
        bot.line("saying goodbye; Ctrl-C again leaves at once")
        master.expect(bytes([wire.GOODBYE]))
        master.send(bytes([wire.GOODBYE]))
        assert bot.finish()[0] == 128 + signal.SIGTERM


def test_a_pulled_line_ends_with_status_1_and_the_cause(cable: Cable, tmp_path: Path):
    # by its link: anybody's next pseudo-terminal gets the number of one that has gone
    device = tmp_path / "b"
    with Command("bot", "--port", str(device), "--role", "slave") as bot:
        bot.line("waiting for a master's sync")
        cable.pull()
        status, out, err = bot.finish()
    assert status == 1 and "left" not in out
    assert err == f"seabattle: port {device} has gone: was it unplugged?\n"
    assert result(out)["games"] == 0


def test_a_bot_without_end_waits_for_the_line_to_come_back(tmp_path: Path):
    with (
        Cable(links=tmp_path) as cable,
        Command("bot", "--port", str(tmp_path / "b"), "--role", "slave", "--games", "0") as bot,
    ):
        bot.line("waiting for a master's sync")
        cable.pull()
        bot.line("was it unplugged? (waiting until it is back)")
        cable.plug()
        bot.line("is back")
        with Command("bot", "--port", str(tmp_path / "a"), "--role", "master", *SMALL) as master:
            assert master.finish()[0] == 0
        bot.line("game over")
        bot.process.send_signal(signal.SIGINT)
        assert bot.finish()[0] == 130


def test_line_settings_reach_the_port(cable: Cable):
    with Command("bot", "--port", cable.b, "--baud", "1200", "--parity", "none", "--stopbits", "1") as bot:
        assert "1200 8N1" in bot.line("port ")
        bot.process.send_signal(signal.SIGTERM)
