"""The jury's verdict on a two-player game, in words and as plain data for the archive and for files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seabattle import fair, field, jury
from seabattle.fair import FairPlayer
from seabattle_host.language import words
from seabattle_host.language.messages import tr
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
"""Jury finding -> its name in plain data."""

VERDICTS = {
    jury.NOBODY_CHEATED: "clean",
    jury.FIRST_CHEATED: "first",
    jury.SECOND_CHEATED: "second",
    jury.BOTH_CHEATED: "both",
}
"""Verdict -> its name in plain data; players are numbered as in the game."""

ENDING = "jury"
"""The archive's ending of a game whose result was reversed by the jury."""

_RESULTS = {field.MISS: "miss", field.HIT: "hit", field.SUNK: "sunk", field.REPEAT: "repeat"}


@dataclass(frozen=True)
class Finding:
    """A finding on one field: a code of seabattle.jury and where.

    x, y: a cell, from 1, 0 for none. length: of a ship, 0 for none. shot: its number, from 1, 0 for none.
    claimed, truth: the answer given and the one that the field requires, codes of seabattle.field, -1 for none.
    """

    code: int = jury.CLEAN
    x: int = 0
    y: int = 0
    length: int = 0
    shot: int = 0
    claimed: int = -1
    truth: int = -1

    @classmethod
    def from_check(cls, code: int, judge: jury.Jury, width: int) -> Finding:
        """Return the finding of `judge.check()` on a field of this width."""
        if code == jury.BROKEN_SEAL:
            return cls(code)
        x, y = (judge.cell % width + 1, judge.cell // width + 1) if judge.cell >= 0 else (0, 0)
        return cls(code, x, y, max(judge.length, 0), judge.shot + 1, judge.claimed, judge.truth)

    @property
    def guilty(self) -> bool:
        """Return whether it accuses the player."""
        return self.code not in (jury.CLEAN, jury.BAD_RECORD)

    def words(self, name: str, letters: str = "") -> str:
        """Return in words the finding on the field of the player `name`.

        letters: of the columns, if not the default.
        """
        return tr(
            f"found_{FINDINGS[self.code]}",
            name=name,
            cell=cell_name(self.x, self.y, words.russian(), letters),
            length=self.length,
            shot=self.shot,
            said=_answer(self.claimed),
            truth=_answer(self.truth),
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        data: dict[str, Any] = {"found": FINDINGS[self.code]}
        if self.x:
            data["cell"] = [self.x, self.y]
        if self.length:
            data["length"] = self.length
        if self.shot:
            data["shot"] = self.shot
        if self.truth >= 0:
            data["said"] = _RESULTS.get(self.claimed)
            data["truth"] = _RESULTS[self.truth]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        """Restore what `to_json` returned."""
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
    """The findings on the fields of players 0 and 1, and whether each was sealed before the first shot."""

    findings: tuple[Finding, Finding]
    sealed: tuple[bool, bool] = (False, False)

    @classmethod
    def from_player(cls, player: FairPlayer) -> Verdict:
        """Return the verdict of a Player that has seen both fields; it is player 0 itself."""
        width = player.fleet.width
        mine, its = (
            Finding.from_check(code, judge, width)
            for code, judge in zip((player.mine, player.its), player.juries, strict=True)
        )
        return cls((mine, its), (player.has_my_seal, player.has_its_seal))

    @property
    def code(self) -> int:
        """Return NOBODY_CHEATED, FIRST_CHEATED, SECOND_CHEATED or BOTH_CHEATED of seabattle.jury."""
        return int(jury.judge(*(finding.code for finding in self.findings)))

    def corrected_result(self, result: str) -> str:
        """Return the result of a game for player 0 after the verdict, by the archive's names."""
        return {
            jury.NOBODY_CHEATED: result,
            jury.FIRST_CHEATED: LOST,
            jury.SECOND_CHEATED: WON,
            jury.BOTH_CHEATED: NO_RESULT,
        }[self.code]

    def lines(self, names: Sequence[str], letters: str = "") -> list[str]:
        """Return the verdict and then its reasons, a line each. letters: of the columns, if not the default."""
        code = self.code
        guilty = names[1 if code == jury.SECOND_CHEATED else 0]
        lines = [tr(f"verdict_{VERDICTS[code]}", name=guilty)]
        lines += [
            finding.words(name, letters)
            for name, finding in zip(names, self.findings, strict=True)
            if finding.code != jury.CLEAN
        ]
        sealers = [name for name, sealed in zip(names, self.sealed, strict=True) if sealed]
        if sealers:
            lines.append(tr("verdict_sealed", names=", ".join(sealers)))
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "verdict": VERDICTS[self.code],
            "fields": [finding.to_json() for finding in self.findings],
            "sealed": list(self.sealed),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """Restore what `to_json` returned."""
        first, second = (Finding.from_json(one) for one in data["fields"])
        mine, its = data["sealed"]
        return cls((first, second), (bool(mine), bool(its)))


def explain(player: FairPlayer) -> str:
    """Return in words the EV_JURY that `player` has just returned. The players are called `we` and `the opponent`."""
    what, why = player.link.a, player.link.b
    if what == fair.SHOWN:
        return "; ".join(Verdict.from_player(player).lines((tr("we"), tr("jury_opponent"))))
    text = tr(_EVENTS[what])
    return f"{text}: {tr(_WHY[why])}" if why else text


def no_verdict(why: int = fair.NO_CHAT) -> str:
    """Return the message that there will be no verdict, and why: a code of seabattle.fair."""
    return f"{tr('news_no_verdict')}: {tr(_WHY[why])}"


_EVENTS = {
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
    """Return the ships of a field given by its decks (nonzero by cell): connected by sides, cells from 1."""
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
    return tr(f"answer_{_RESULTS[code]}") if code in _RESULTS else "?"
