"""What the jury says of a game of two, in words and as plain data for the archive and for files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seabattle import fair, field, jury
from seabattle.fair import FairPlayer
from seabattle_host.language import words
from seabattle_host.language.text import cell_name
from seabattle_host.records.archive import LOST, NO_RESULT, WON, Ship

FINDINGS = {
    jury.CLEAN: "clean",
    jury.BAD_SHIP: "bad_ship",
    jury.TOUCHING: "touching",
    jury.TOO_MANY: "too_many",
    jury.TOO_FEW: "too_few",
    jury.FALSE_ANSWER: "false_answer",
    jury.BAD_RECORD: "bad_record",
    jury.ALONG_WALL: "along_wall",
    jury.BROKEN_SEAL: "broken_seal",
}
"""What the jury finds -> its name in plain data."""

VERDICTS = {
    jury.NOBODY_CHEATED: "clean",
    jury.FIRST_CHEATED: "first",
    jury.SECOND_CHEATED: "second",
    jury.BOTH_CHEATED: "both",
}
"""The verdict -> its name in plain data; the players are counted as in the game."""

ENDING = "jury"
"""What the archive calls the ending of a game whose result the jury has turned."""

_RESULTS = {field.MISS: "miss", field.HIT: "hit", field.SUNK: "sunk", field.REPEAT: "repeat"}


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(PHRASES[key], **fields)


@dataclass(frozen=True)
class Finding:
    """What was found on one field: a code of seabattle.jury and where.

    x, y: a cell, from 1, 0 where none is concerned. length: of a ship, 0 for none. shot: its number, from 1, 0 for
    none. said, truth: the answer given and the one that the field demands, codes of seabattle.field, -1 for none.
    """

    code: int = jury.CLEAN
    x: int = 0
    y: int = 0
    length: int = 0
    shot: int = 0
    said: int = -1
    truth: int = -1

    @classmethod
    def of(cls, code: int, judge: jury.Jury, width: int) -> Finding:
        """What `judge.check()` has just found on a field so many cells wide."""
        if code == jury.BROKEN_SEAL:
            return cls(code)
        x, y = (judge.cell % width + 1, judge.cell // width + 1) if judge.cell >= 0 else (0, 0)
        return cls(code, x, y, max(judge.length, 0), judge.shot + 1, judge.said, judge.truth)

    @property
    def guilty(self) -> bool:
        """Whether it accuses the player."""
        return self.code not in (jury.CLEAN, jury.BAD_RECORD)

    def words(self, name: str, letters: str = "") -> str:
        """The finding on the field of the player `name`. letters: of the columns, if not the usual ones."""
        return say(
            f"found_{FINDINGS[self.code]}",
            name=name,
            cell=cell_name(self.x, self.y, words.russian(), letters),
            length=self.length,
            shot=self.shot,
            said=_answer(self.said),
            truth=_answer(self.truth),
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = {"found": FINDINGS[self.code]}
        if self.x:
            data["cell"] = [self.x, self.y]
        if self.length:
            data["length"] = self.length
        if self.shot:
            data["shot"] = self.shot
        if self.truth >= 0:
            data["said"] = _RESULTS.get(self.said)
            data["truth"] = _RESULTS[self.truth]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        """What `to_json` made."""
        codes = {name: code for code, name in FINDINGS.items()}
        answers = {name: code for code, name in _RESULTS.items()}
        x, y = data.get("cell", (0, 0))
        return cls(
            codes[data["found"]],
            x,
            y,
            data.get("length", 0),
            data.get("shot", 0),
            answers.get(str(data.get("said")), -1),
            answers.get(str(data.get("truth")), -1),
        )


@dataclass(frozen=True)
class Verdict:
    """What was found on the fields of the players 0 and 1, and whether each was sealed before the first shot."""

    findings: tuple[Finding, Finding]
    sealed: tuple[bool, bool] = (False, False)

    @classmethod
    def of(cls, player: FairPlayer) -> Verdict:
        """The verdict of a seat that has seen both fields; it is player 0 itself."""
        width = player.fleet.width
        mine, its = (
            Finding.of(code, judge, width) for code, judge in zip((player.mine, player.its), player.juries, strict=True)
        )
        return cls((mine, its), (player.has_my_seal, player.has_its_seal))

    @property
    def code(self) -> int:
        """NOBODY_CHEATED, FIRST_CHEATED, SECOND_CHEATED or BOTH_CHEATED of seabattle.jury."""
        return int(jury.judge(*(finding.code for finding in self.findings)))

    def turned(self, result: str) -> str:
        """What becomes of the result of a game for player 0, as the archive names it."""
        return {
            jury.NOBODY_CHEATED: result,
            jury.FIRST_CHEATED: LOST,
            jury.SECOND_CHEATED: WON,
            jury.BOTH_CHEATED: NO_RESULT,
        }[self.code]

    def lines(self, names: Sequence[str], letters: str = "") -> list[str]:
        """The verdict, then what it rests on, a line each. letters: of the columns, if not the usual ones."""
        code = self.code
        guilty = names[1 if code == jury.SECOND_CHEATED else 0]
        lines = [say(f"verdict_{VERDICTS[code]}", name=guilty)]
        lines += [
            finding.words(name, letters)
            for name, finding in zip(names, self.findings, strict=True)
            if finding.code != jury.CLEAN
        ]
        sealers = [name for name, sealed in zip(names, self.sealed, strict=True) if sealed]
        if sealers:
            lines.append(say("verdict_sealed", names=", ".join(sealers)))
        return lines

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "verdict": VERDICTS[self.code],
            "fields": [finding.to_json() for finding in self.findings],
            "sealed": list(self.sealed),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """What `to_json` made."""
        first, second = (Finding.from_json(one) for one in data["fields"])
        mine, its = data["sealed"]
        return cls((first, second), (bool(mine), bool(its)))


def news(player: FairPlayer) -> str:
    """What EV_JURY, which `player` has just returned, is about. The players are called `we` and `the opponent`."""
    what, why = player.link.a, player.link.b
    if what == fair.SHOWN:
        return "; ".join(Verdict.of(player).lines((say("we"), say("opponent"))))
    text = say(_NEWS[what])
    return f"{text}: {say(_WHY[why])}" if why else text


def no_verdict(why: int = fair.NO_CHAT) -> str:
    """That there will be no verdict, and why: a code of seabattle.fair."""
    return f"{say('news_no_verdict')}: {say(_WHY[why])}"


_NEWS = {
    fair.MY_SEAL: "news_my_seal",
    fair.NO_SEAL: "news_no_seal",
    fair.ITS_SEAL: "news_its_seal",
    fair.ASKED: "news_asked",
    fair.NO_VERDICT: "news_no_verdict",
}
_WHY = {
    fair.NO_CHAT: "why_no_chat",
    fair.NOT_CONFIRMED: "why_not_confirmed",
    fair.NOT_SHOWN: "why_not_shown",
    fair.GONE: "why_gone",
}


def ships_of(decks: Sequence[int], width: int) -> list[Ship]:
    """The ships of a field given by its decks (nonzero by cell): what hangs together by sides, cells from 1."""
    rest = {cell for cell, deck in enumerate(decks) if deck}
    ships: list[Ship] = []
    while rest:
        todo, ship = [min(rest)], []
        while todo:
            cell = todo.pop()
            if cell not in rest:
                continue
            rest.remove(cell)
            ship.append(cell)
            sides = [cell - width, cell + width]
            sides += [cell - 1] if cell % width else []
            sides += [cell + 1] if cell % width < width - 1 else []
            todo += sides
        ships.append([(cell % width + 1, cell // width + 1) for cell in sorted(ship)])
    return ships


def _answer(code: int) -> str:
    return say(f"answer_{_RESULTS[code]}") if code in _RESULTS else "?"


PHRASES: dict[str, tuple[str, str]] = {
    "verdict_clean": (
        "the jury: nobody cheated; fields and answers keep the rules",
        "жюри: все играли честно; поля и ответы по правилам",
    ),
    "verdict_first": ("the jury: {name} cheated and so lost", "жюри: {name} - нарушение, а значит поражение"),
    "verdict_second": ("the jury: {name} cheated and so lost", "жюри: {name} - нарушение, а значит поражение"),
    "verdict_both": (
        "the jury: both cheated, no result counts",
        "жюри: нарушили оба, результата нет",
    ),
    "verdict_sealed": ("sealed before the first shot: {names}", "запечатали поле до первого выстрела: {names}"),
    "found_clean": ("{name}: field and answers keep the rules", "{name}: поле и ответы по правилам"),
    "found_bad_ship": ("{name}: no such ship at {cell}", "{name}: нет такого корабля: {cell}"),
    "found_touching": ("{name}: ships touch at {cell}", "{name}: касание кораблей: {cell}"),
    "found_too_many": (
        "{name}: one ship of {length:deck} too many, at {cell}",
        "{name}: лишний корабль, {length:deck}: {cell}",
    ),
    "found_too_few": ("{name}: a ship of {length:deck} is missing", "{name}: не хватает корабля, {length:deck}"),
    "found_along_wall": (
        "{name}: one ship along a wall too many, at {cell}",
        "{name}: лишний корабль у стенки: {cell}",
    ),
    "found_broken_seal": (
        "{name}: the field is not the one that was sealed before the first shot",
        "{name}: поле не то, что было запечатано до первого выстрела",
    ),
    "found_false_answer": (
        "{name}: shot {shot} at {cell} was answered '{said}', it was '{truth}'",
        "{name}: на выстрел {shot} в {cell} ответ '{said}', а было '{truth}'",
    ),
    "found_bad_record": (
        "shot {shot} of the record at {name} is off the field; nobody is accused of it",
        "выстрел {shot} записи по игроку {name} вне поля; это никому не в вину",
    ),
    "answer_miss": ("miss", "мимо"),
    "answer_hit": ("hit", "ранен"),
    "answer_sunk": ("sunk", "убит"),
    "answer_repeat": ("repeated", "повтор"),
    "jury_about": (
        "hold the fields of a game against the rules and every answer, and say who cheated",
        "сверить поля партии с правилами и каждым ответом и сказать, кто нарушил",
    ),
    "help_jury_file": (
        "a game: an export of the history, or a text with two fields and the shots",
        "партия: выгрузка из истории или текст с двумя полями и выстрелами",
    ),
    "help_jury_game": ("a game of the history", "партия из истории"),
    "jury_game": ("game {number}", "партия {number}"),
    "jury_unreadable": ("cannot read {file}: {why}", "не прочитать {file}: {why}"),
    "jury_not_text": ("{file} is no text in UTF-8: save it as such", "{file} - не текст в UTF-8: сохраните так"),
    "jury_no_game": (
        "{file} is no game that can be judged: write one with 'seabattle history export N -o FILE'",
        "{file} - не партия для жюри: запишите её через 'seabattle history export N -o FILE'",
    ),
    "jury_other_game": (
        "{what} is a game of the kind '{kind}'; the jury judges serial and classic games of two",
        "{what} - партия вида '{kind}'; жюри судит serial и classic на двоих",
    ),
    "jury_bad_rules": (
        "{what}: the fleet does not fit on the field; see to the size and the ships",
        "{what}: флот не помещается на поле; проверьте размер и корабли",
    ),
    "jury_unknown_field": (
        "{what}: the field of {name} was never shown; the jury needs both",
        "{what}: поле игрока {name} не показано; жюри нужны оба",
    ),
    "jury_two_players": (
        "two fields are needed, each begun by a line 'player NAME'; here are {count}",
        "нужны два поля, каждое после строки 'player ИМЯ'; здесь {count}",
    ),
    "jury_bad_field": (
        "'field WIDTHxHEIGHT' comes before the players, {low}..{high} cells each",
        "'field ШИРИНАxВЫСОТА' стоит до игроков, по {low}..{high} клеток",
    ),
    "jury_bad_ships": (
        "'ships' are five counts n5,n4,n3,n2,n1 like 0,1,2,3,4",
        "'ships' - пять чисел n5,n4,n3,n2,n1, например 0,1,2,3,4",
    ),
    "jury_bad_rule_words": ("'rules' are some of: {rules}", "'rules' - некоторые из: {rules}"),
    "jury_bad_player": (
        "'player NAME' stands twice, each time with another name",
        "'player ИМЯ' стоит дважды, с разными именами",
    ),
    "jury_unexpected": (
        "'{line}' is not expected here: begin with 'player NAME' and its rows",
        "'{line}' здесь не к месту: начните с 'player ИМЯ' и строк поля",
    ),
    "jury_bad_row": (
        "a row has {width} signs, '@' for a deck and '.' for water",
        "в строке поля {width} знаков: '@' - палуба, '.' - вода",
    ),
    "jury_rows": ("the field of {name} has {height:row}", "в поле игрока {name} {height:row}"),
    "jury_bad_shot": (
        "a shot is 'NAME B7 miss' with one of the names {names}",
        "выстрел - 'ИМЯ B7 мимо', имя из: {names}",
    ),
    "jury_turn": (
        "shot {shot}, {cell}: by the answers it was not the turn of {name}; nobody is accused of that",
        "выстрел {shot}, {cell}: по ответам ходить должен был не игрок {name}; это никому не в вину",
    ),
    "jury_turns_more": ("and {count:shot} more like that", "и ещё {count:shot} так же"),
    "jury_bad_letters": (
        "'letters' comes before the players and names one of {names}, or the letters themselves, each once",
        "'letters' стоит до игроков: одно из {names} или сами буквы, каждая один раз",
    ),
    "jury_not_agreed": (
        "a correction counts if both agreed: 'correct NAME B7 hit agreed {names}'",
        "поправка в счёт, если согласны оба: 'correct ИМЯ B7 ранен agreed {names}'",
    ),
    "jury_no_such_shot": (
        "there is no shot like '{shot}' to correct",
        "нет выстрела «{shot}», чтобы исправить",
    ),
    "jury_look_alike": (
        "'{cell}': its letter is in both alphabets and names another column in each; "
        "add a line 'letters latin' or 'letters russian' above the players, and write all cells in those",
        "'{cell}': эта буква есть в обоих алфавитах и называет в них разные столбцы; добавьте до игроков строку "
        "'letters latin' или 'letters russian' и пишите все клетки в нём",
    ),
    "jury_needs_letters": (
        "'{cell}': where Yo names a column, say 'letters russian-yo' above the players",
        "'{cell}': если Ё - столбец, укажите до игроков 'letters russian-yo'",
    ),
    "jury_bad_cell": ("'{cell}' is no cell of the field", "'{cell}' - не клетка поля"),
    "jury_bad_answer": (
        "'{answer}' is no answer: {answers}",
        "'{answer}' - не ответ: {answers}",
    ),
    "we": ("we", "мы"),
    "opponent": ("the opponent", "соперник"),
    "news_my_seal": ("our field is sealed", "наше поле запечатано"),
    "news_no_seal": ("our field is not sealed", "наше поле не запечатано"),
    "news_its_seal": ("the opponent has sealed its field", "соперник запечатал своё поле"),
    "news_asked": ("the opponent asks to see our field", "соперник просит показать наше поле"),
    "news_no_verdict": ("no verdict of the jury", "вердикта жюри не будет"),
    "why_no_chat": (
        "the opponent has no chat, by which fields are shown",
        "у соперника нет чата, а поля показывают по нему",
    ),
    "why_not_confirmed": ("the opponent did not confirm the line", "соперник не подтвердил строку"),
    "why_not_shown": ("the opponent does not show its field", "соперник не показывает своё поле"),
    "why_gone": ("the opponent has gone on without showing its field", "соперник ушёл, не показав поля"),
}
