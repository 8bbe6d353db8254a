"""Scripts for a field and its state, as text: for the protocol's field and the variants'."""

from placement import faults, picture
from told import cells_of, go

from seabattle import field_codes
from seabattle.field_codes import EMPTY, OK
from seabattle.rng import Rng
from seabattle.variant_field import BAD_SHAPE


def hold(text, field_for):
    """Run lines `FLEET | STEP; STEP ...`.
    field_for: makes the field of a fleet given as text.

    put, may    ships are placed, or may be, with the result at the end of the step if it is not OK
    take        a ship is removed by one of its cells, the last word is its number of decks
    shoot       shots, with the answers to all of them
    decks, empty, hit, sunk    all the cells where ships are; that are known to be empty, are hit, are sunk
    left, afloat   how many ships of 1, 2, 3, 4 and 5 decks are still to be placed, or not sunk
    walls, hits    how many ships count for the wall rule; how many decks are hit
    fill, whole, lost    filling the rest succeeds; all ships are placed; all are sunk; `no` after it if not
    """

    def step(field, words):
        verb, *words = words
        if verb in ("put", "may", "take", "shoot"):
            return _ordered(field, verb, words)
        if verb in ("fill", "whole", "lost"):
            return _whether(field, verb, words)
        return _known(field, verb, words)

    go(text, field_for, step)


def _ordered(field, verb, words):
    # Refusals and queries change nothing.
    want = OK
    if words[-1] == "BAD_SHAPE":
        want = BAD_SHAPE
        words.pop()
    elif hasattr(field_codes, words[-1]):
        want = getattr(field_codes, words.pop())
    elif verb == "take":
        want = int(words.pop())
    for word in words:
        before = _placed(field)
        cells = cells_of(word, field.width)
        if verb == "take":
            said = field.remove(cells[0])
        elif verb == "shoot":
            said = field.shoot(cells[0])
        elif hasattr(field, "place_cells"):
            said = field.place_cells(cells, len(cells))
        else:
            ask = field.place if verb == "put" else field.can_place
            down = len(cells) > 1 and cells[1] > cells[0] + 1
            said = ask(cells[0] % field.width, cells[0] // field.width, len(cells), down)
        if said != want:
            return "%s is answered with %d" % (word, said)
        if verb != "take" and (verb != "put" or want != OK) and _placed(field) != before:
            return "%s changes the field" % word
    return None


def _placed(field):
    return picture(field), field.along_wall, [field.left(n) for n in range(1, 6)]


def _known(field, verb, words):
    whole = range(field.width * field.height)
    found = {
        "decks": lambda: [c for c in whole if field.ship[c]],
        "empty": lambda: [c for c in whole if field.mark[c] & EMPTY],
        "hit": lambda: [c for c in whole if field.is_hit(c)],
        "sunk": lambda: [c for c in whole if field.is_sunk(c)],
        "left": lambda: [field.left(n) for n in range(1, 6)],
        "afloat": lambda: [field.afloat(n) for n in range(1, 6)],
        "walls": lambda: [field.along_wall],
        "hits": lambda: [field.hits],
    }[verb]()
    if verb in ("decks", "empty", "hit", "sunk"):
        want = sorted([c for word in words for c in cells_of(word, field.width)])
    else:
        want = [int(word) for word in words]
    return None if found == want else found


def _whether(field, verb, words):
    before = bytes(field.ship)
    found = {"fill": lambda: field.fill(Rng(1)), "whole": field.complete, "lost": field.lost}[verb]()
    if verb == "fill":
        moved = [c for c in range(len(before)) if before[c] and field.ship[c] != before[c]]
        if moved or (faults(field) if found else bytes(field.ship) != before):
            return picture(field)
    return None if bool(found) == (words != ["no"]) else found
