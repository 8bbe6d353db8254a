"""A party's page as plain data, and the typed commands that choices at the page stand for.

A field is a list of signs by cell, and for each sign what stands in the cell, how it looks and its text for screen
readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seabattle_host.games.field_view import BOMB, LAST, MELEE, MISS, NAMES, SHIP_LETTERS, SUNK, WATER, FieldView
from seabattle_host.games.salvo import ship_name
from seabattle_host.games.setup import KINDS, labels
from seabattle_host.games.ui import Want
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.club.party import Party, Seat


def seats(party: Party) -> list[dict[str, Any]]:
    """Return the players: by seat the name, whether a human is there, and whether the game waits for them."""
    people = party.seats
    names = labels(party.kind, [seat.name for seat in people])
    seats: list[dict[str, Any]] = []
    for number in range(KINDS[party.kind]):
        if number < len(people):
            seat = next(each for each in people if each.number == number)
            here = not seat.gone and seat.away_since is None
            seats.append({"name": names[number], "here": here, "moves": number in party.awaited})
        elif party.stage == "waiting":
            seats.append({"name": tr("party_seat_free"), "here": False, "moves": False})
        else:
            seats.append({"name": tr("seat_computer", name=names[number]), "here": True, "moves": False})
    return seats


def state(party: Party, seat: Seat) -> str:
    """Return what is to be done now, in one line in the language in use."""
    if party.stage == "waiting":
        return tr("party_waits", free=party.free)
    if party.stage == "over":
        if seat.again:
            return tr("party_again_waits")
        return next((line["text"] for line in reversed(seat.log) if line["kind"] == "game"), "")
    want = party.wants(seat.told_in).get(seat.number)
    if want is None:
        awaited = party.awaited
        return tr("party_others", names=named(party, awaited)) if awaited else tr("party_thinking")
    if want.ghosts:
        return tr("party_place")
    if want.shots > 1:
        return tr("party_aim", guns=want.shots)
    return tr("party_shoot") if want.shots else tr("party_ready")


def named(party: Party, numbers: Sequence[int]) -> str:
    """Return the names of players."""
    names = labels(party.kind, [seat.name for seat in sorted(party.seats, key=lambda seat: seat.number)])
    return ", ".join(names[number] for number in numbers)


def legend(kind: str, text: str) -> str:
    """Explain the signs. The page draws a melee by colours and patterns."""
    return tr("party_melee_legend") if kind == MELEE and text else text


def field(view: FieldView) -> dict[str, Any]:
    """Return a field as a page draws it."""
    return {
        "title": view.title,
        "kind": view.kind,
        "width": view.width,
        "height": view.height,
        "columns": view.letters[: view.width],
        "signs": list(view.signs),
        "looks": {sign: _look(view, sign) for sign in dict.fromkeys(view.signs)},
    }


def _look(view: FieldView, sign: str) -> list[str]:
    """Return a cell's content, the names of its looks, and its text."""
    if view.kind == MELEE:
        return _melee_look(sign)
    ship, number = sign.rstrip("0123456789"), sign.lstrip(SHIP_LETTERS)
    if sign == WATER:
        return ["", "", tr("party_water")]
    looks = ["ship"] if ship else []
    words = [ship_name(SHIP_LETTERS.index(ship))] if ship else []
    if number.isdigit():
        looks += ["struck"] if ship else ["shot"]
        looks += ["last"] if int(number) == view.latest else []
        words.append(tr("party_round", round=number))
    return [sign, " ".join(looks), ", ".join(words)]


def _melee_look(sign: str) -> list[str]:
    last = sign[0] in (LAST, BOMB) and len(sign) > 1
    body = sign.lstrip(LAST)
    extra = " last" if last else ""
    if body == WATER:
        return ["", "open", tr("party_unknown")]
    if body == MISS:
        return ["", "miss" + extra, tr("party_miss")]
    letter = body[-1]
    owner = NAMES.index(letter.upper())
    if letter.islower():
        return [letter, f"fleet{owner}", tr("party_ship_of", name=letter.upper())]
    sunk = body[0] in (SUNK, BOMB)
    key = "party_sunk_of" if sunk else "party_hit_of"
    return [letter, f"{'wreck' if sunk else 'wound'} fleet{owner}{extra}", tr(key, name=letter)]


def want(wanted: Want, number: int) -> dict[str, Any]:
    """Return what a human player is asked for. number: of requests to the player so far."""
    return {
        "n": number,
        "help": wanted.help,
        "shots": wanted.shots,
        "field": wanted.field,
        "ghosts": [{"label": ghost.label, "ways": [list(way) for way in ghost.ways]} for ghost in wanted.ghosts],
        "removes": wanted.remove is not None,
        "words": [list(word) for word in wanted.words if word[0] != "withdraw"],
    }


def command(wanted: Want, views: Sequence[FieldView], order: Mapping[str, Any]) -> str:
    """Translate a choice at the page into a typed command; empty if it was not offered."""
    what = order.get("do")
    if what == "shoot" and wanted.shots and wanted.field < len(views):
        view = views[wanted.field]
        cells = [int(cell) for cell in order["cells"]][: wanted.shots]
        if not all(0 <= cell < view.width * view.height for cell in cells):
            return ""
        return " ".join(f"{view.letters[cell % view.width]}{cell // view.width + 1}" for cell in cells)
    if what == "place":
        ghost = wanted.ghosts[int(order["ghost"])]
        way = int(order["way"])
        x, y = int(order["x"]), int(order["y"])
        if not (0 <= way < len(ghost.ways) and 0 <= x < views[0].width and 0 <= y < views[0].height):
            return ""
        return ghost.command(x, y, way)
    if what == "remove" and wanted.remove is not None:
        return wanted.remove(int(order["cell"]))
    if what == "word":
        return next((word for word, _label in wanted.words if word == order.get("word")), "")
    return ""
