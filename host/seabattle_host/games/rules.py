"""Options for the variants of the classic game."""

from __future__ import annotations

import argparse
import re

from seabattle import variants
from seabattle.rng import Rng
from seabattle.variants import MAX_LENGTH, Rules, VariantField
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

Variant = tuple[int, int, int, int, int, int, int, bool, bool, bool]
"""Arguments of Rules.custom(): width, height, ships of 5 to 1 decks, whether corners may touch, whether ships bend, and
whether the wall rule applies."""

CLASSIC_VARIANT: Variant = (10, 10, 0, 1, 2, 3, 4, False, False, False)

OPTIONS = ("field", "ships", "large", "corners", "bent", "walls")
"""The options of `add_rules`."""


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options OPTIONS; see `rules_of`."""
    usual = Rules()
    size = f"{usual.width}x{usual.height}"
    ships = ",".join(str(usual.count[length]) for length in range(MAX_LENGTH, 0, -1))
    parser.add_argument("--field", type=_size, metavar="WxH", help=tr("help_field", usual=size))
    parser.add_argument("--ships", type=_counts, metavar="n5,n4,n3,n2,n1", help=tr("help_ships", usual=ships))
    parser.add_argument("--large", action="store_true", help=tr("help_large"))
    parser.add_argument("--corners", action="store_true", help=tr("help_corners"))
    parser.add_argument("--bent", action="store_true", help=tr("help_bent"))
    parser.add_argument("--walls", action="store_true", help=tr("help_walls"))


def rules_of(args: argparse.Namespace) -> Rules:
    """Return the rules of parsed arguments. Raises UserError for unplayable ones."""
    rules = Rules()
    if args.large:
        rules.large()
    width, height = args.field or (rules.width, rules.height)
    ships = args.ships or tuple(rules.count[length] for length in range(MAX_LENGTH, 0, -1))
    return checked((width, height, *ships, args.corners, args.bent, args.walls))


def checked(variant: Variant) -> Rules:
    """Return these rules. Raises UserError if they are unplayable."""
    rules = Rules()
    why = rules.custom(*variant)
    if why == variants.BAD_COUNT:
        raise UserError(tr("bad_ship_count", most=variants.SHIPS_MOST))
    field = VariantField()
    field.reset(rules)
    if why == variants.NO_ROOM or not field.random(Rng(1)):
        raise UserError(tr("no_room", ships=",".join(map(str, variant[2:7])), size=f"{variant[0]}x{variant[1]}"))
    return rules


def variant(rules: Rules) -> Variant:
    """Return the rules as arguments of Rules.custom(), to pass to other processes."""
    n5, n4, n3, n2, n1 = (rules.count[length] for length in range(MAX_LENGTH, 0, -1))
    return rules.width, rules.height, n5, n4, n3, n2, n1, bool(rules.corners), bool(rules.bent), bool(rules.walls)


def _size(value: str) -> tuple[int, int]:
    """Parse the sides of a field (an argument type)."""
    match = re.fullmatch(r"(\d{1,3})[xX×хХ](\d{1,3})", value)
    sides = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(variants.SIZE_LEAST <= side <= variants.SIZE_MOST for side in sides):
        low, high = variants.SIZE_LEAST, variants.SIZE_MOST
        raise argparse.ArgumentTypeError(tr("bad_field", value=value, low=low, high=high))
    return sides


def _counts(value: str) -> tuple[int, ...]:
    """Parse the numbers of ships of 5, 4, 3, 2 and 1 decks (an argument type)."""
    parts = value.split(",")
    if len(parts) != MAX_LENGTH or not all(re.fullmatch(r"\s*\d{1,2}\s*", part) for part in parts):
        raise argparse.ArgumentTypeError(tr("bad_ships", value=value))
    return tuple(int(part) for part in parts)
