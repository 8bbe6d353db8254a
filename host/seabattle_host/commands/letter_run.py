"""The work of `seabattle letter`: play a game by letter, line by line."""

from __future__ import annotations

import argparse
import sys

from seabattle import field as fields
from seabattle.rng import Rng
from seabattle.variants import Rules, VariantField
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import lines, own_field, side_by_side
from seabattle_host.games.letter_game import ME, OTHER, LetterGame, Opening, begin, fleet_words
from seabattle_host.games.rules import rules_of
from seabattle_host.games.setup import any_seed, check_names, replace_undecodable
from seabattle_host.games.ui import between, common, split_ends, taken_back
from seabattle_host.jury import shots
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS, look_alike, parse_cell
from seabattle_host.records.moves import RESULTS

_WORDS = {"совет": "suggest", "открыть": "field", "исправить": "correct", "их поле": "field"}
_AGREED = ("agreed", "согласны")
_WIDE = 80


def run(args: argparse.Namespace) -> int:
    """Start or continue a game, line by line, until the input ends; return the exit status."""
    replace_undecodable(sys.stdin)
    rng = Rng(any_seed() if args.seed is None else args.seed)
    if args.file.exists():
        game: LetterGame | None = LetterGame(args.file)
    else:
        game = _begin(args, rng)
    if game is None:
        return 0
    _board(game)
    print(tr("letter_help", other=game.names[OTHER]))
    while (line := _line(f"{game.names[ME]}> ")) is not None:
        if common(line) == "quit":
            break
        if line:
            _command(game, line, rng)
    print(tr("letter_kept", file=args.file))
    return 0


def _line(prompt: str) -> str | None:
    """Read the next line, None at the end of the input."""
    if sys.stdin.isatty():
        print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    return " ".join(line.split()) if line else None


def _begin(args: argparse.Namespace, rng: Rng) -> LetterGame | None:
    """Place one's own fleet and write the file; return None if the input ends before."""
    if not args.file.parent.is_dir():  # said before the fleet is placed, which would be lost
        raise UserError(tr("no_folder", path=args.file.parent))
    me, other = check_names((args.me or tr("letter_me"), args.other or tr("letter_other")), "classic")
    rules = rules_of(args)
    if len(LETTERS[args.letters]) < rules.width:
        most = len(LETTERS[args.letters])
        raise UserError(tr("letters_few", name=args.letters, most=most, width=rules.width))
    field = VariantField()
    field.reset(rules)
    letters = LETTERS[args.letters]
    print(tr("letter_place"))
    while (line := _line(f"{me}> ")) is not None and common(line) != "quit":
        word = common(line)
        if word == "ready" and field.complete():
            return begin(args.file, Opening((me, other), rules, args.letters), field)
        if word == "random":
            if field.complete():
                field.clear()
            if not field.fill(rng):
                print(tr("no_filling"))
        elif word == "clear":
            field.clear()
        elif word != "board" and line:
            _place(field, line, letters)
        print("\n".join(line.plain for line in lines(own_field(field, me, letters))))
    return None


def _cell(text: str, rules: Rules, letters: str) -> int:
    """Parse a typed cell into its index, counted by rows from 0. Raises UserError if it is not on the field."""
    if look_alike(text, letters):
        letter = look_alike(text, letters)
        raise UserError(tr("games_look_alike", cell=text.upper(), letter=letter, letters=letters[: rules.width]))
    place = parse_cell(text, max(rules.width, rules.height), letters)
    if place is None or place[0] > rules.width or place[1] > rules.height:
        size = f"{rules.width}x{rules.height}"
        raise UserError(tr("off_field_cell", cell=text.upper(), size=size))
    return (place[1] - 1) * rules.width + place[0] - 1


def _place(field: VariantField, line: str, letters: str) -> None:
    removing = taken_back(line)
    try:
        cells: list[int] = []
        for part in split_ends(removing or line):
            ends = [_cell(name, field.rules, letters) for name in part.split(":")]
            cells += between(ends[0], ends[-1], field.width)
        if removing:
            if not cells or not field.remove(cells[0]):
                print(tr("no_ship_there", cell=removing))
        elif field.place_cells(sorted(set(cells)), len(set(cells))):
            print(tr("touches"))
    except UserError as error:
        print(error)


def _command(game: LetterGame, line: str, rng: Rng) -> None:
    """Carry out one line of a running game."""
    forced = line.endswith("!")
    parts = line.rstrip("! ").split()
    words = [_WORDS.get(part.lower(), part) for part in parts[:1]] + parts[1:]
    try:
        if common(line) == "board":
            _board(game)
        elif common(line) in ("help", "?"):
            print(tr("letter_help", other=game.names[OTHER]))
        elif words[0] == "suggest":
            cell = game.suggest(rng)
            print(tr("letter_suggestion", cell=game.name(cell)) if cell >= 0 else tr("letter_nothing_left"))
        elif words[0] == "field":
            _show_other(game)
        elif words[0] == "correct":
            if words[-1].lower() not in _AGREED:
                raise UserError(tr("letter_agreed_wanted", line=line))
            shooter, cell, answer = _shot(game, words[1:-1])
            game.correct(shooter, cell, answer)
            print(tr("letter_corrected", cell=game.name(cell), answer=_answer_words(answer)))
        else:
            _note(game, parts, line.rstrip("! "), forced)
    except UserError as error:
        print(error)


def _answer_words(answer: int) -> str:
    return tr(f"answer_{RESULTS[answer]}")


def _shot(game: LetterGame, parts: list[str]) -> tuple[int, int, int]:
    """Return shooter, cell and answer, -1 without an answer.

    `B7 miss` is one's own shot, `Boris A1 hit` the opponent's.

    Raises UserError for anything else.
    """
    line = " ".join(parts)
    try:
        found = shots.shots(line, [game.names[OTHER], game.names[ME]], game.names[ME])
    except shots.Unread:
        found = []
    shooter = OTHER if found and found[0].name == game.names[OTHER] else ME
    if len(found) != 1 or (found[0].answer < 0 and shooter == ME):
        raise UserError(tr("letter_not_understood", line=line, help=tr("letter_help", other=game.names[OTHER])))
    _, cell, answer = found[0]
    return shooter, _cell(cell, game.case.rules, game.letters), answer


def _note(game: LetterGame, parts: list[str], line: str, forced: bool) -> None:
    shooter, cell, answer = _shot(game, parts)
    if shooter == OTHER:
        true = game.answer_to(cell)
        if answer >= 0 and answer != true and not forced:
            print(tr("letter_your_field_says", answer=_answer_words(true), cell=game.name(cell)))
            return
        _turn(game, OTHER)
        game.add(OTHER, cell, answer if answer >= 0 else true)
        print(tr("letter_answer_is", cell=game.name(cell), answer=_answer_words(answer if answer >= 0 else true)))
    else:
        why = game.doubt(cell, answer)
        if why and not forced:
            print(tr("letter_impossible", why=why, other=game.names[OTHER], line=line))
            return
        _turn(game, ME)
        game.add(ME, cell, answer)
        print(tr("letter_noted", cell=game.name(cell), answer=_answer_words(answer)))
    if game.field.lost():
        print(tr("letter_mine", name=game.names[OTHER]))
    elif game.over:
        print(tr("letter_theirs", name=game.names[ME]))


def _turn(game: LetterGame, shooter: int) -> None:
    """Print whose turn it would be, if it is not this shooter's."""
    if game.case.moves:
        before, _, answer = game.case.moves[-1]
        turn = before if answer in (fields.HIT, fields.SUNK) else 1 - before
        if turn != shooter:
            print(tr("letter_turn_odd", name=game.names[turn]))


def _board(game: LetterGame) -> None:
    views = game.views()
    if sum(3 + view.wide * view.width for view in views) + 3 <= _WIDE:
        rows = side_by_side(*views)
    else:
        rows = [line for view in views for line in lines(view)]
    print("\n".join(line.plain.rstrip() for line in rows))
    print(tr("letter_left", name=game.names[OTHER], ships=fleet_words(game.radar)))
    if game.proof:
        print(tr("letter_impossible", why=game.proof, other=game.names[OTHER], line="…"))


def _show_other(game: LetterGame) -> None:
    """Read the rows of the field that the opponent has shown, and judge the game."""
    height = game.field.height
    print(tr("letter_rows_wanted", height=height, name=game.names[OTHER]))
    rows: list[str] = []
    while len(rows) < height and (row := _line(f"{len(rows) + 1:2} ")) is not None:
        rows += [row] if row else []
    game.show_other(rows)
    print("\n".join(game.case.judge().lines(game.case.names, game.case.letters)))
