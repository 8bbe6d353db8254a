"""A chat bot around the games as lines of text: it sends every line to its recipient, and nothing else.

The players know only what they were sent. They must be able to play whole games with that alone, and must never
be sent what the rules hide from them.
"""

from __future__ import annotations

import os
import random
import re
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from seabattle_host.games import field_view
from seabattle_host.games.field_view import FieldView
from seabattle_host.records.archive import UNFINISHED, Archive
from tests.command import Command

DEADLINE = 120
RECENT = 64


def home(folder: Path) -> dict[str, str]:
    return {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


class Person:
    """A player in the chat. sent: the lines that the bot has sent, without their recipient."""

    def __init__(self, name: str, seed: int):
        self.name = name
        self.sent: list[str] = []
        self.tried: set[str] = set()
        self.lot = random.Random(seed)

    def field(self) -> FieldView:
        """Return the last field that was shown."""
        lines = RECENT
        while True:
            fields = field_view.read("\n".join(self.sent[-lines:]))
            if len(fields) > 1 or lines > len(self.sent):
                return fields[-1]
            lines *= 2

    def cell(self) -> str:
        """Return a cell that this player has not tried and that was unknown when the field was last shown."""
        field = self.field()
        free = [
            f"{field.letters[cell % field.width]}{cell // field.width + 1}"
            for cell, sign in enumerate(field.signs)
            if sign == field_view.WATER
        ]
        chosen = self.lot.choice([cell for cell in free if cell not in self.tried])
        self.tried.add(chosen)
        return chosen


Answers = dict[str, "str | Callable[[Person, str], str]"]
"""What a prompt begins with -> what is typed."""


def play(folder: Path, command: str, people: Sequence[Person], answers: Answers) -> list[str]:
    """Send each line to its recipient and each answer to the program, to its end; return what was sent to all."""
    sent_to_all: list[str] = []
    given = (*command.split(), "--chat", "--people", str(len(people)), "--seed", "11")
    with Command(*given, stdin=True, **home(folder)) as program:
        # a game that waits for input that nobody gives ends here, and the test with it
        patience = threading.Timer(DEADLINE, program.process.kill)
        patience.start()
        for line in program.process.stdout:
            found = re.fullmatch(r"([ABC*]): ?(.*)\n", line.decode())
            assert found is not None, f"a line that is for nobody: {line!r}"
            whom, said = found.groups()
            for person in people:
                if whom in ("*", person.name):
                    person.sent.append(said)
            if whom == "*":
                sent_to_all.append(said)
                continue
            (person,) = (person for person in people if person.name == whom)
            for question, reply in answers.items():
                if re.match(question, said):
                    typed = reply(person, said) if callable(reply) else reply
                    program.process.stdin.write(f"{whom}: {typed}\n".encode())
                    program.process.stdin.flush()
        patience.cancel()
        program.process.stdin.close()
        assert program.process.wait(DEADLINE) == 0
    return sent_to_all


def shot(person: Person, said: str) -> str:
    return person.cell()


def salvo(person: Person, said: str) -> str:
    guns = int(re.findall(r"\d+", said)[-1])
    return " ".join(person.cell() for _ in range(min(guns, 100 - len(person.tried))))


# after a hit the field has not been shown again, and a sinking may have opened a cell
SHOTS: Answers = {"your turn$|shoot again$|.* is open": shot}
PLACED: Answers = {"place like |type all cells": "random", "the fleet is whole": "ready"}


def whole_game(folder: Path, command: str, people: str, answers: Answers, ends: str) -> tuple[list[str], list[Person]]:
    """Play a game by lines alone; return what was sent to all, and the people."""
    persons = [Person(name, seed) for seed, name in enumerate(people)]
    told = play(folder, command, persons, answers)
    assert re.search(ends, told[-1])
    return told, persons


def test_a_whole_melee_by_lines_alone(tmp_path: Path):
    answers = {**SHOTS, ".* is your own ship": shot}
    told, persons = whole_game(tmp_path, "melee", "ABC", answers, "^[ABC] has won, [ABC] is second$")
    assert sum("is out (fleet destroyed)" in line for line in told) == 2
    for person in persons:
        moves = [line for line in person.sent if re.match(r"[ABC] [A-O]\d+: ", line)]
        assert moves == [line for line in told if re.match(r"[ABC] [A-O]\d+: ", line)]
        own = person.name.lower()
        for field in field_view.read("\n".join(person.sent)):
            assert not {sign for sign in field.signs if sign.islower() and sign.lstrip("!") not in (own, "o")}


def test_a_whole_salvo_by_lines_alone(tmp_path: Path):
    answers = {**PLACED, r"round \d+: up to \d+ shots?": salvo}
    _told, persons = whole_game(tmp_path, "salvo", "AB", answers, "has won$|^a draw")
    for person in persons:
        assert any(line.startswith("round 1: your hits: ") for line in person.sent)
        fields = [set(field.signs) for field in field_view.read("\n".join(person.sent))]
        fired = [signs for signs in fields if not set("".join(signs)) & set("CBRSD")]
        assert fired and all(re.fullmatch(r"\.|\d+", sign) for signs in fired for sign in signs)


def test_a_whole_classic_game_by_lines_alone(tmp_path: Path):
    answers = {**PLACED, **SHOTS, "'show' shows": "show"}
    _told, persons = whole_game(tmp_path, "classic --bent", "AB", answers, "^[AB] has won$")
    for person in persons:
        assert any(line.startswith("the jury: ") and "is clean" in line for line in person.sent)


GARBAGE = bytes(range(256)) * 3 + b"\n" + b"\xff\xfe\n" + b"\x1b[2J\x07\r\n" + b"A" * 50_000 + b"\n" + "Ё7 №\n".encode()


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [("classic", "utf-8:strict"), ("salvo", "utf-8:strict"), ("melee", "ascii"), ("melee", "koi8-r")],
)
def test_whatever_is_typed_is_answered_and_reaches_no_screen_as_it_is(tmp_path: Path, kind: str, encoding: str):
    how = {**home(tmp_path), "encoding": encoding.partition(":")[0], "PYTHONIOENCODING": encoding}
    with Command(kind, "--chat", "--people", "2", "--lang", "ru", stdin=True, **how) as command:
        command.process.stdin.write(GARBAGE)
        status, told, err = command.finish()
    assert (status, err) == (0, "")
    assert all(char.isprintable() for line in told.split("\n") for char in line)
    assert max(map(len, told.split("\n"))) < 5000


@pytest.mark.skipif(os.name != "posix", reason="left out: Windows has no such signal")
@pytest.mark.parametrize("how", ["--chat", "--lines"])
def test_ctrl_c_leaves_with_status_130_and_the_game_stays_unfinished(tmp_path: Path, how: str):
    with Command("melee", how, "--seed", "4", stdin=True, **home(tmp_path)) as command:
        command.line("your turn")
        command.process.send_signal(signal.SIGINT)
        status, _out, err = command.finish()
    assert (status, err) == (130, "")
    with Archive(tmp_path / "seabattle" / "games.sqlite") as archive:
        game = archive.games()[-1]
    assert (game.kind, game.result, game.ending) == ("melee", UNFINISHED, "left_by_us")


def test_a_reader_that_goes_away_ends_the_game_quietly(tmp_path: Path):
    with Command("melee", "--chat", "--people", "0", **home(tmp_path)) as command:
        command.process.stdout.readline()
        command.process.stdout.close()
        # 0 if everything was written before the reader was gone
        assert command.process.wait(DEADLINE) in (0, 2)
        assert command.process.stderr.read() == b""
