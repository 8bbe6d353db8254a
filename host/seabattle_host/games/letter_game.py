"""One player's side of a classic game played by letter or message, stored in the file that the jury reads.

Each shot appends a line, so nothing that was typed is lost; the file is read again after each line. The opponent's
field is added when it is shown after the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seabattle import field as fields
from seabattle import radar as radars
from seabattle import variants
from seabattle.rng import Rng
from seabattle.variants import MAX_LENGTH, Rules, VariantField, VariantGunner, VariantRadar
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import FieldView, others_field, own_field
from seabattle_host.games.rules import variant
from seabattle_host.jury.letter import SHOTS, Case, read
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import COLUMNS_EN, read_file
from seabattle_host.records.archive import RESULTS
from seabattle_host.whole_file import write_whole

ME, OTHER = 0, 1

_REASONS = {
    variants.NO_SUCH_SHIP: "no_such_ship",
    variants.NO_PLACE: "no_place",
    variants.SHIPS_TOUCH: "ships_touch",
    variants.ALONG_WALL: "along_wall",
}
_KNOWN = {radars.MISS: "miss", radars.EMPTY: "miss", radars.HIT: "hit", radars.SUNK: "sunk"}


@dataclass(frozen=True)
class Opening:
    """The choices for a new game by letter. letters: the name of the column letters."""

    names: tuple[str, str]
    rules: Rules
    letters: str


class LetterGame:
    """The game in a file, which exists and holds one's own field.

    field    one's own, with the opponent's shots
    radar    what the answers say about the opponent's field
    case     the input of the jury
    proof    why an answer of the opponent cannot be true, in words; empty while all can
    """

    def __init__(self, path: Path):
        """Raises UserError if the file is no such game."""
        self.path = path
        self.case = Case([], Rules(), [])
        self.field = VariantField()
        self.radar = VariantRadar()
        self.proof = ""
        self._load()

    @property
    def names(self) -> Sequence[str]:
        """The players, the owner of the file first."""
        return self.case.names

    @property
    def letters(self) -> str:
        """The column letters."""
        return self.case.letters or COLUMNS_EN

    @property
    def revealed(self) -> bool:
        """Whether the file has the opponent's field."""
        return len(self.case.decks[OTHER]) > 0

    @property
    def over(self) -> bool:
        """Whether a fleet is sunk, as far as the shots tell."""
        return self.field.lost() or self.radar.hits == self.case.rules.decks

    def name(self, cell: int) -> str:
        """Return the name of a cell, counted by rows from 0."""
        return f"{self.letters[cell % self.field.width]}{cell // self.field.width + 1}"

    def views(self) -> list[FieldView]:
        """Return both fields."""
        last = {shooter: cell for shooter, cell, _ in self.case.moves[-1:]}
        return [
            own_field(self.field, self.names[ME], self.letters, last.get(OTHER, -1)),
            others_field(self.radar, self.names[OTHER], self.letters, last.get(ME, -1)),
        ]

    def doubt(self, cell: int, answer: int) -> str:
        """Explain why the opponent's answer to one's shot cannot be true; empty if it can."""
        if self.radar.cell[cell] != radars.UNKNOWN or answer == fields.REPEAT:
            return self._senseless(cell, answer)
        tried = VariantRadar()
        tried.reset(self.case.rules)
        for shooter, at, result in self.case.moves:
            if shooter == ME and tried.cell[at] == radars.UNKNOWN:
                tried.answer(at, result)
        why = tried.answer(cell, answer)
        return tr(f"letter_doubt_{_REASONS[why]}", cell=self.name(cell)) if why else ""

    def _senseless(self, cell: int, answer: int) -> str:
        """The same for a shot at a cell that was known, or was reported to be."""
        known = self.radar.cell[cell]
        if known != radars.UNKNOWN:
            # a pointless shot, answered as before or as repeated
            now = _KNOWN[known]
            fits = answer == fields.REPEAT or RESULTS[answer] == now or (now == "sunk" and answer == fields.HIT)
            return "" if fits else tr("letter_doubt_known", cell=self.name(cell), answer=tr(f"answer_{now}"))
        return tr("letter_doubt_repeat", cell=self.name(cell))

    def answer_to(self, cell: int) -> int:
        """Return one's own answer to a shot of the opponent."""
        tried = VariantField()
        self._place(tried)
        for shooter, at, _ in self.case.moves:
            if shooter == OTHER:
                tried.shoot(at)
        if tried.mark[cell] == variants.SHOT:
            return fields.REPEAT
        return fields.MISS if tried.mark[cell] else tried.shoot(cell)

    def suggest(self, rng: Rng) -> int:
        """Return the cell to shoot at next; -1 if none is left."""
        return VariantGunner(self.radar, rng).aim()

    def add(self, shooter: int, cell: int, answer: int) -> None:
        """Add a shot and its answer."""
        self._append(f"{self.names[shooter]} {self.name(cell)} {RESULTS[answer]}")

    def correct(self, shooter: int, cell: int, answer: int) -> None:
        """Correct an answer, as both players have agreed. Raises UserError if there was no such shot."""
        if not any(move[:2] == (shooter, cell) for move in self.case.moves):
            raise UserError(tr("letter_no_such_shot", cell=self.name(cell)))
        shot = f"{self.names[shooter]} {self.name(cell)} {RESULTS[answer]}"
        self._append(f"correct {shot} agreed {self.names[ME]}, {self.names[OTHER]}")

    def show_other(self, rows: Sequence[str]) -> None:
        """Add the field that the opponent has shown after the game, one row per line.

        Raises UserError if it is invalid.
        """
        before = read_file(self.path)
        begin = SHOTS.search(before)
        assert begin is not None  # _load() has checked it
        at = begin.start() - 1
        self._write(before[:at] + "".join(f"\n{row}" for row in rows) + before[at:])
        try:
            self._load()
            if not self.revealed:
                raise UserError(tr("letter_no_rows", height=self.field.height))
        except UserError:
            self._write(before)
            self._load()
            raise

    def _append(self, line: str) -> None:
        before = self.path.read_bytes()
        newline = b"" if before.endswith(b"\n") else b"\n"  # an editor may have left the last line without one
        self._write(before + newline + line.encode() + b"\n")
        self._load()

    def _write(self, data: bytes | str) -> None:
        try:
            write_whole(self.path, data)
        except OSError as error:
            raise UserError(tr("letter_cannot_write", file=self.path, why=why(error))) from error

    def _load(self) -> None:
        self.case = read(self.path, unfinished=True)
        if not self.case.decks or not self.case.decks[ME]:
            raise UserError(tr("letter_no_own_field", file=self.path))
        if SHOTS.search(read_file(self.path)) is None:
            raise UserError(tr("letter_no_shots_line", file=self.path))
        self._place(self.field)
        self.radar.reset(self.case.rules)
        self.proof = ""
        for shooter, cell, answer in self.case.moves:
            if shooter == OTHER:
                self.field.shoot(cell)
            elif not self.proof and (self.radar.cell[cell] != radars.UNKNOWN or answer == fields.REPEAT):
                self.proof = self._senseless(cell, answer)
            elif not self.proof:
                why = self.radar.answer(cell, answer)
                self.proof = tr(f"letter_doubt_{_REASONS[why]}", cell=self.name(cell)) if why else ""

    def _place(self, field: VariantField) -> None:
        """Place one's own ships on a field. Raises UserError if they are not a fleet of these rules."""
        field.reset(self.case.rules)
        decks = self.case.decks[ME]
        for ship in ships_of(decks, field.width, bool(self.case.rules.corners)):
            if field.place_cells(ship, len(ship)):
                raise UserError(tr("letter_bad_own_field", file=self.path))
        if not field.complete():
            raise UserError(tr("letter_bad_own_field", file=self.path))


def ships_of(decks: Sequence[int], width: int, corners: bool) -> list[list[int]]:
    """Group decks into ships: connected by sides, and by corners too unless `corners` may touch."""
    left = {cell for cell, deck in enumerate(decks) if deck}
    ships = []
    while left:
        ship, more = [], [min(left)]
        left.discard(more[0])
        while more:
            cell = more.pop()
            ship.append(cell)
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    near = cell + dy * width + dx
                    if near in left and 0 <= cell % width + dx < width and (not (dx and dy) or not corners):
                        left.discard(near)
                        more.append(near)
        ships.append(sorted(ship))
    return ships


def begin(path: Path, opening: Opening, field: VariantField) -> LetterGame:
    """Write the file of a new game with one's own field. Raises UserError if it cannot be written or exists."""
    rules = opening.rules
    width, height, *counts = variant(rules)[:7]
    words = [word for word, holds in zip(("corners", "bent", "walls"), variant(rules)[7:], strict=True) if holds]
    rows = ["".join("@" if field.ship[y * width + x] else "." for x in range(width)) for y in range(height)]
    lines = [f"// {tr('letter_file_remark')}", f"field {width}x{height}", f"ships {','.join(map(str, counts))}"]
    lines += [f"rules {' '.join(words)}"] if words else []
    lines += [f"letters {opening.letters}", f"player {opening.names[ME]}", *rows, f"player {opening.names[OTHER]}"]
    try:
        path.open("x").close()
        try:
            write_whole(path, "\n".join([*lines, "shots"]) + "\n")
        except OSError:
            path.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(tr("letter_cannot_write", file=path, why=why(error))) from error
    return LetterGame(path)


def fleet_words(radar: VariantRadar) -> str:
    """Describe what is left of the opponent's fleet."""
    return " ".join(f"{n}x{radar.afloat(n)}" for n in range(MAX_LENGTH, 0, -1) if radar.afloat(n)) or "-"
