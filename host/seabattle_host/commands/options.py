"""Options that several commands share, and argument types."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from seabattle import wire
from seabattle_host.language import words
from seabattle_host.language.messages import LANGUAGES, tr
from seabattle_host.line.settings import Settings
from seabattle_host.player.parameters import LEVELS, SEED_MOST, Parameters

if TYPE_CHECKING:
    from seabattle_host.records.settings import Preferences

_PARITIES = {name: name[0].upper() for name in ("none", "even", "odd", "mark", "space")}
_STOPBITS = ("1", "1.5", "2")
_BAUDS = ("1200", "2400", "4800", "9600", "19200", "38400", "57600", "115200")

WORDS = "words"
"""The attribute of an argument that holds the words it accepts; see `with_choices`."""


def with_choices(action: argparse.Action, words: Iterable[str]) -> None:
    """Note the words of an argument, so that shells can complete it.

    The argument does its own checking, with its own messages.
    """
    setattr(action, WORDS, tuple(words))


def add_lang(parser: argparse.ArgumentParser) -> None:
    """Add `--lang en|ru`; the command line has applied it before the parser runs."""
    parser.add_argument("--lang", choices=LANGUAGES, help=tr("help_lang"))


def preferences(args: argparse.Namespace) -> Preferences:
    """Load the saved preferences; their language applies if the command line names none."""
    from seabattle_host.records.settings import Preferences  # few commands need it

    saved = Preferences.load()
    if args.lang is None and saved.lang in LANGUAGES:
        words.use(saved.lang)
    return saved


def add_port(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add `--port URL` and the line settings."""
    parser.add_argument("--port", metavar="URL", required=required, help=tr("help_port"))
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add `--baud`, `--bytesize`, `--parity` and `--stopbits`; see `settings`."""
    usual = Settings()
    group = parser.add_argument_group(tr("line_settings", usual=usual))
    with_choices(group.add_argument("--baud", type=whole(1, 4_000_000), default=usual.baud), _BAUDS)
    with_choices(group.add_argument("--bytesize", type=whole(5, 8), default=usual.bytesize), "5678")
    parity, stopbits = "|".join(_PARITIES), "|".join(_STOPBITS)
    with_choices(group.add_argument("--parity", type=_parity, default=usual.parity, metavar=parity), _PARITIES)
    with_choices(group.add_argument("--stopbits", type=_stopbits, default=usual.stopbits, metavar=stopbits), _STOPBITS)


def settings(args: argparse.Namespace) -> Settings:
    """Return the line settings of parsed arguments."""
    return Settings(args.baud, args.bytesize, args.parity, args.stopbits)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """Add `--size` and `--fleet`; see `parameters`."""
    usual = Parameters()
    parser.add_argument("--size", type=size, default=usual.size, metavar="6..10", help=tr("help_size"))
    parser.add_argument("--fleet", type=counts, default=usual.counts, metavar="n4,n3,n2,n1", help=tr("help_fleet"))


def parameters(args: argparse.Namespace) -> Parameters:
    """Return the game's parameters of parsed arguments. Raises UserError for an illegal combination."""
    parameters = Parameters(args.size, *args.fleet)
    parameters.check()
    return parameters


def add_seed(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Add `--seed`, 0..2**30-1."""
    parser.add_argument("--seed", type=whole(0, SEED_MOST), default=default, metavar="N", help=tr("help_seed"))


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return an argument type: an integer in low..high."""

    def convert(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(tr("bad_number", value=value, low=low, high=high))
        return number

    return convert


def address(value: str) -> tuple[str, int]:
    """Parse HOST:PORT (an argument type)."""
    host, colon, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(tr("system_bad_address", value=value))
    return host, int(port)


def seconds(value: str) -> float:
    """Parse a number of seconds above 0 (an argument type)."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(tr("bad_seconds", value=value))
    return number


def size(value: str) -> int:
    """Parse a field size in cells, 6..10 (an argument type)."""
    if not value.isdecimal() or not wire.SIZE_MIN <= int(value) <= wire.SIZE_MAX:
        raise argparse.ArgumentTypeError(tr("bad_size", size=value))
    return int(value)


def counts(value: str) -> tuple[int, ...]:
    """Parse four counts `n4,n3,n2,n1` (an argument type); their ranges are checked together with the size."""
    parts = value.split(",")
    if len(parts) != 4 or not all(part.strip().isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(tr("bad_fleet_form", fleet=value))
    return tuple(int(part) for part in parts)


def level(value: str) -> int:
    """Parse a level of play, by name or by number (an argument type)."""
    name = value.lower()
    if name in LEVELS:
        return LEVELS[name]
    if name.isdecimal() and int(name) in LEVELS.values():
        return int(name)
    raise argparse.ArgumentTypeError(tr("bad_level", level=value, levels=", ".join(LEVELS), most=len(LEVELS)))


def _parity(value: str) -> str:
    letter = _PARITIES.get(value.lower(), value.upper())
    if letter not in _PARITIES.values():
        raise argparse.ArgumentTypeError(tr("bad_parity", value=value))
    return letter


def _stopbits(value: str) -> float:
    if value not in _STOPBITS:
        raise argparse.ArgumentTypeError(tr("bad_stopbits", value=value))
    return float(value)
