"""`seabattle jury`: checks the fields of a two-player game against the rules and every answer, and names the cheat.

The game comes from the history, from a file exported with `seabattle history export`, or from a text written by people
who play by message:

    field 10x10
    ships 0,1,2,3,4
    rules corners bent
    player Anna
    @@@@......
    (nine more rows)
    player Boris
    (ten rows)
    shots
    Anna B7 miss
    Boris A1 hit

`field`, `ships`, `rules` and `letters` may be omitted. `letters` is a named set of column letters, or the letters
themselves. A misreported shot is corrected by a line that both agreed to:

    correct Anna B7 hit agreed Anna, Boris

A row has a sign for each cell, with or without spaces between: `@`, `#` or `X` is a deck, `.`, `-`, `~` or `o` is
water. A line that begins with `//` is a comment.

Exit status: 0 nobody cheated, 1 somebody did, 2 the game cannot be judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from seabattle import field as fields
from seabattle import jury, variants
from seabattle.variants import MAX_LENGTH, SIZE_LEAST, SIZE_MOST, Rules
from seabattle_host.errors import UserError
from seabattle_host.jury import shots
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import (
    COLUMNS_EN,
    COLUMNS_RU,
    LETTERS,
    cell_name,
    cell_parts,
    look_alike,
    other_reading,
    parse_cell,
    read_file,
)
from seabattle_host.records.archive import RESULTS, SERIAL, Archive, Game
from seabattle_host.records.paths import archive_path

DECKS, WATER = "@#XХ■", ".-~oо·"

RULES = ("corners", "bent", "walls", "serial", "turns")
"""Words of the line `rules`; `serial`: the game of protocol v1.0, with its wall rule and answers; `turns`: report shots
out of turn.
"""

OTHER_GAMES = ("salvo", "melee")
_OTHER_WORDS = {*OTHER_GAMES, "salvos", "залп", "залпы", "свалка"}
"""Names of games that are not judged, in the lines that say what was played."""

_WORDS = {
    "поле": "field",
    "корабли": "ships",
    "правила": "rules",
    "буквы": "letters",
    "игрок": "player",
    "выстрелы": "shots",
    "ходы": "shots",
    "исправить": "correct",
}
"""Keywords at the start of a line, in Russian."""
SHOTS = re.compile(
    rf"^(?:shots|{'|'.join(word for word, means in _WORDS.items() if means == 'shots')})[ :]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""The line before the shots."""
_AGREED = re.compile(r"\s+(?:agreed|согласны):?\s+", re.IGNORECASE)
_EDGE = re.compile(r"\A\d{1,2}(?:\.(?=\s))?\s*")
"""What may precede a row of a field: its number."""

_USUAL = (0, 1, 2, 3, 4)
_NOTES_MOST = 5
_BAD = (ValueError, TypeError, KeyError, AttributeError, IndexError)


@dataclass
class Case:
    """A game for the jury. Cells are numbered by rows from 0.

    decks: by player, then by cell, nonzero for a deck. moves: player, cell, answer (a code of seabattle.field), in
    order. serial: apply the answer rules of protocol v1.0. known: findings given beforehand, used instead of computing
    them. letters: of the columns, an empty string for the language's default. turns: whether `notes` checks the order
    of turns. others: number of a move -> the cell that its letter would mean in the other alphabet, and the message for
    a verdict that depends on that.
    """

    names: list[str]
    rules: Rules
    decks: list[bytearray]
    moves: list[tuple[int, int, int]] = field(default_factory=list)
    serial: bool = False
    known: Verdict | None = None
    letters: str = ""
    turns: bool = False
    others: dict[int, tuple[int, UserError]] = field(default_factory=dict)

    def notes(self) -> list[str]:
        """Return remarks on the order of the shots, a line each; they accuse nobody."""
        lines: list[str] = []
        if not self.turns:
            return lines
        for number, ((before, _, answer), (shooter, cell, _)) in enumerate(pairwise(self.moves), 2):
            again = answer in (fields.HIT, fields.SUNK)
            if (shooter == before) != again:
                x, y = cell % self.rules.width + 1, cell // self.rules.width + 1
                name = cell_name(x, y, words.russian(), self.letters)
                lines.append(tr("jury_turn", shot=number, cell=name, name=self.names[shooter]))
        more = len(lines) - _NOTES_MOST
        return [*lines[:_NOTES_MOST], tr("jury_turns_more", count=more)] if more > 0 else lines

    def judge(self) -> Verdict:
        """Return the verdict."""
        findings = []
        for player in range(len(self.decks)):
            finding = self._find(player, self.moves)
            if finding.code == jury.FALSE_ANSWER:
                self._doubt(player, finding)
            if self.known is not None and self.known.findings[player].code == jury.BROKEN_SEAL:
                finding = self.known.findings[player]
            findings.append(finding)
        sealed = self.known.sealed if self.known is not None else (False, False)
        return Verdict((findings[0], findings[1]), sealed)

    def _find(self, player: int, moves: Sequence[tuple[int, int, int]]) -> Finding:
        """Return the finding on a player's field for the answers to these moves."""
        at_it = [(cell, answer) for shooter, cell, answer in moves if shooter != player]
        judge = jury.Jury(self.rules.width * self.rules.height)
        cells, answers = [cell for cell, _ in at_it], [answer for _, answer in at_it]
        code = judge.check(self.rules, self.decks[player], cells, answers, len(at_it), self.serial)
        return Finding.from_check(code, judge, self.rules.width)

    def _doubt(self, player: int, finding: Finding) -> None:
        """Raise UserError if the answer would not be false at the cell that the letter means in the other alphabet."""
        index = [i for i, move in enumerate(self.moves) if move[0] != player][finding.shot - 1]
        if index not in self.others:
            return
        cell, doubt = self.others[index]
        moves = list(self.moves)
        moves[index] = (moves[index][0], cell, moves[index][2])
        again = self._find(player, moves)
        if again.code != jury.FALSE_ANSWER or again.shot > finding.shot:
            raise doubt


def from_history(number: int) -> Case:
    """Load a game of the history. Raises UserError."""
    if not archive_path().exists():
        raise UserError(tr("play_no_games"))
    with Archive() as archive:
        game = archive.game(number)
    return _of_game(game, tr("jury_game", number=number))


def read(path: Path, unfinished: bool = False) -> Case:
    """Read a game from a file, JSON or text. Raises UserError that names the file, and for a text the line.

    unfinished: a player's field may still be missing, and is then empty.
    """
    try:
        content = read_file(path)
    except OSError as error:
        raise UserError(tr("jury_unreadable", file=path, why=why(error))) from None
    except ValueError:
        raise UserError(tr("jury_not_text", file=path)) from None
    if content.lstrip()[:1] in ("{", "["):
        try:
            data = json.loads(content)
            if isinstance(data, dict) and data.get("kind") in OTHER_GAMES:
                raise UserError(tr("jury_other_game", what=path, kind=data["kind"]))
            game = _parse_json(data)
        except (*_BAD, RecursionError):
            raise UserError(tr("jury_no_game", file=path)) from None
        return _of_game(game, str(path))
    return _Reader(path, unfinished).read(content.splitlines())


def _of_game(game: Game, what: str) -> Case:
    """Return the case for a stored game. Raises UserError if it has not two players, or a field is unknown."""
    serial = game.kind == SERIAL
    if len(game.players) != 2 or game.kind not in (SERIAL, "classic"):
        raise UserError(tr("jury_other_game", what=what, kind=game.kind))
    rules = Rules()
    n5, n4, n3, n2, n1 = (game.fleet.get(length, 0) for length in range(MAX_LENGTH, 0, -1))
    if serial:
        rules.protocol(game.width, n4, n3, n2, n1, True)
    else:
        corners, bent, *walls = game.details.get("rules", (0,) * 7 + (False, False))[7:]
        rules.custom(game.width, game.height, n5, n4, n3, n2, n1, corners, bent, *walls)
    if rules.check() != variants.OK:
        raise UserError(tr("jury_bad_rules", what=what))
    decks = []
    for player, name in enumerate(game.players):
        ships = game.ships[player] if player < len(game.ships) else None
        if ships is None:
            raise UserError(tr("jury_unknown_field", what=what, name=name))
        own = bytearray(game.width * game.height)
        for x, y in (cell for ship in ships for cell in ship):
            own[(y - 1) * game.width + x - 1] = 1
        decks.append(own)
    moves = [(move.player, (move.y - 1) * game.width + move.x - 1, move.result) for move in game.moves]
    known = Verdict.from_json(game.details["jury"]) if "jury" in game.details else None
    return Case(
        list(game.players), rules, decks, moves, serial, known, LETTERS.get(str(game.details.get("letters", "")), "")
    )


def _parse_json(data: dict[str, Any]) -> Game:
    """Parse an exported game, or one in the same format. Raises one of _BAD if it is none."""
    from seabattle_host.records.archive import Move

    width, height = (_whole(data[side], SIZE_LEAST, SIZE_MOST) for side in ("width", "height"))
    kind = str(data.get("kind", "classic"))
    if kind == SERIAL and width != height:
        raise ValueError("no field of the protocol")
    fleet = {_whole(int(length), 1, MAX_LENGTH): _whole(count, 0, 255) for length, count in data["fleet"].items()}
    players = [str(name) for name in data["players"]]

    def cell(x: object, y: object) -> tuple[int, int]:
        return _whole(x, 1, width), _whole(y, 1, height)

    ships = [None if own is None else [[cell(x, y) for x, y in ship] for ship in own] for own in data["ships"]]
    moves = [
        Move(_whole(move["player"], 0, 1), *cell(move["x"], move["y"]), RESULTS.index(move["result"]))
        for move in data["moves"]
    ]
    details = dict(data.get("details", {}))
    if "rules" in details:
        details["rules"] = [int(value) for value in details["rules"]]
        if not 9 <= len(details["rules"]) <= 11:
            raise ValueError("no rules")
    if "jury" in details:
        Verdict.from_json(details["jury"])
    return Game(players, width, height, fleet, kind, ships=ships, moves=moves, details=details)


def _whole(value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError("no number of the range")
    return value


class _Reader:
    """Parses a text, keeping track of the line."""

    def __init__(self, path: Path, unfinished: bool = False):
        self._path = path
        self._unfinished = unfinished
        self._number = 0
        self._width, self._height = 10, 10
        self._counts: tuple[int, ...] = _USUAL
        self._rules: list[str] = []
        self._names: list[str] = []
        self._rows: list[bytearray] = []
        self._moves: list[tuple[int, int, int]] = []
        self._letters = ""
        self._alphabets: dict[str, set[str]] = {}
        self._others: dict[int, tuple[int, UserError]] = {}
        self._take: Callable[[str], None] = self._row

    def read(self, lines: Iterable[str]) -> Case:
        """Parse the whole text."""
        for number, line in enumerate(lines, 1):
            self._number = number
            line = line.strip()
            if line and not line.startswith(("//", "```")):
                self._line(line)
        if len(self._names) != 2:
            raise self._wrong("jury_two_players", count=len(self._names))
        self._check_rows()
        rules = Rules()
        serial = "serial" in self._rules
        n5, n4, n3, n2, n1 = self._counts
        corners, bent = "corners" in self._rules, "bent" in self._rules
        walls = serial or "walls" in self._rules
        why = rules.custom(self._width, self._height, n5, n4, n3, n2, n1, corners, bent, walls, serial)
        if why != variants.OK:
            raise UserError(tr("jury_bad_rules", what=self._path))
        turns = "turns" in self._rules
        others = {shot: other for shot, other in self._others.items() if self._mixed(self._moves[shot][0])}
        return Case(
            self._names, rules, self._rows, self._moves, serial, letters=self._letters, turns=turns, others=others
        )

    def _mixed(self, player: int) -> bool:
        """Return whether the player named cells in two alphabets, so that a letter in both is ambiguous."""
        used = self._alphabets[self._names[player]]
        return bool(used & set(COLUMNS_EN) and used & set(COLUMNS_RU + "ЁЙ"))

    def _line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.lower().rstrip(":"), rest.strip(" :")
        word = _WORDS.get(word, word)
        other = _OTHER_WORDS & set(re.findall(r"\w+", line.lower()))
        if other and not self._names and word != "player":
            raise UserError(tr("jury_other_game", what=f"{self._path}:{self._number}", kind=other.pop()))
        begins = {
            "field": self._field,
            "ships": self._ships,
            "rules": self._rule_words,
            "letters": self._named_letters,
            "player": self._player,
        }
        if word == "shots" and not rest:
            self._take = self._shot
        elif word in begins and self._take != self._shot:
            begins[word](rest)
        elif word == "correct" and self._take == self._shot:
            self._correction(rest)
        else:
            self._take(line)

    def _field(self, rest: str) -> None:
        match = re.fullmatch(r"(\d{1,2})\s*[xX×хХ]\s*(\d{1,2})", rest)
        sides = (int(match[1]), int(match[2])) if match else (0, 0)
        if self._names or not all(SIZE_LEAST <= side <= SIZE_MOST for side in sides):
            raise self._wrong("jury_bad_field", low=SIZE_LEAST, high=SIZE_MOST)
        self._width, self._height = sides

    def _ships(self, rest: str) -> None:
        counts = [part.strip() for part in rest.split(",")]
        if len(counts) != MAX_LENGTH or not all(re.fullmatch(r"[0-9]{1,2}", part) for part in counts):
            raise self._wrong("jury_bad_ships")
        self._counts = tuple(int(part) for part in counts)

    def _rule_words(self, rest: str) -> None:
        self._rules = rest.lower().split()
        if not set(self._rules) <= set(RULES):
            raise self._wrong("jury_bad_rule_words", rules=", ".join(RULES))

    def _named_letters(self, rest: str) -> None:
        letters = LETTERS.get(rest.lower(), "".join(rest.split()).upper())
        if self._names or not letters.isalpha() or len(set(letters)) != len(letters):
            raise self._wrong("jury_bad_letters", names=", ".join(LETTERS))
        self._letters = letters

    def _correction(self, rest: str) -> None:
        shot, *agreed = _AGREED.split(rest, maxsplit=1)
        consent = {name.strip() for name in "".join(agreed).split(",")}
        if consent != set(self._names):
            raise self._wrong("jury_not_agreed", names=", ".join(self._names))
        found = self._shots(shot)
        if len(found) != 1:
            raise self._wrong("jury_bad_shot", names=", ".join(self._names))
        player, cell, answer = self._move(found[0])
        for i in range(len(self._moves) - 1, -1, -1):
            if self._moves[i][:2] == (player, cell):
                self._moves[i] = player, cell, answer
                return
        raise self._wrong("jury_no_such_shot", shot=shot)

    def _player(self, rest: str) -> None:
        self._check_rows()
        if not rest or rest in self._names or len(self._names) == 2:
            raise self._wrong("jury_bad_player")
        self._names.append(rest)
        self._rows.append(bytearray())
        self._take = self._row

    def _row(self, line: str) -> None:
        if not self._names:
            raise self._wrong("jury_unexpected", line=line[:40])
        signs = "".join(_EDGE.sub("", line, count=1).replace("|", " ").split()).upper()
        decks, water = DECKS.upper(), WATER.upper()
        if not self._rows[-1] and signs in {letters[: self._width] for letters in (*LETTERS.values(), self._letters)}:
            return  # the column letters
        if len(signs) != self._width or not set(signs) <= set(decks + water):
            raise self._wrong("jury_bad_row", width=self._width)
        if len(self._rows[-1]) == self._width * self._height:
            raise self._wrong("jury_rows", name=self._names[-1], height=self._height)
        self._rows[-1].extend(int(sign in decks) for sign in signs)

    def _check_rows(self) -> None:
        """Check that the field of the last player is complete."""
        if self._unfinished and self._names and not self._rows[-1]:
            return
        if self._names and len(self._rows[-1]) != self._width * self._height:
            raise self._wrong("jury_rows", name=self._names[-1], height=self._height)

    def _shot(self, line: str) -> None:
        for shot in self._shots(line):
            self._moves.append(self._move(shot))
            self._alphabets.setdefault(shot.name, set()).add(cell_parts(shot.cell)[0])
            other = parse_cell(other_reading(shot.cell), max(self._width, self._height))
            if not self._letters and other and other[0] <= self._width and other[1] <= self._height:
                self._others[len(self._moves) - 1] = (
                    (other[1] - 1) * self._width + other[0] - 1,
                    self._wrong("jury_look_alike", cell=shot.cell),
                )

    def _shots(self, line: str) -> list[shots.Shot]:
        """Return the shots of a line, each with its answer."""
        try:
            found = shots.shots(line, self._names)
        except shots.Unread as unread:
            if unread.word:
                raise self._wrong("jury_odd_word", word=unread.word) from None
            if unread.answer:
                raise self._no_answer(unread.answer) from None
            if unread.cell:
                raise self._wrong("jury_bad_cell", cell=unread.cell) from None
            raise self._wrong("jury_bad_shot", names=", ".join(self._names)) from None
        for shot in found:
            if shot.answer < 0:
                raise self._no_answer(shot.cell)
        return found

    def _no_answer(self, word: str) -> UserError:
        known = ", ".join(tr(f"answer_{RESULTS[code]}") for code in range(len(RESULTS)))
        return self._wrong("jury_bad_answer", answer=word, answers=known)

    def _move(self, shot: shots.Shot) -> tuple[int, int, int]:
        """Return who shot, at which cell, and the answer."""
        cell = shot.cell
        letter = look_alike(cell, self._letters)
        if letter and self._letters:
            raise self._wrong("games_look_alike", cell=cell, letter=letter, letters=self._letters[: self._width])
        if letter:
            raise self._wrong("jury_look_alike", cell=cell)
        place = parse_cell(cell, max(self._width, self._height), self._letters)
        if place is None or place[0] > self._width or place[1] > self._height:
            if "Ё" in cell.upper() and not self._letters:
                raise self._wrong("jury_needs_letters", cell=cell)
            raise self._wrong("jury_bad_cell", cell=cell)
        x, y = place
        return self._names.index(shot.name), (y - 1) * self._width + x - 1, shot.answer

    def _wrong(self, key: str, **how: object) -> UserError:
        place = f"{self._path}:{self._number}" if self._number else str(self._path)
        return UserError(f"{place}: {tr(key, **how)}")
