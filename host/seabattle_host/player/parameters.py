"""A player's settings for a game: the parameters that a master offers, level, role, nick, seed."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from seabattle import fleet, gunner, wire
from seabattle_host.errors import UserError
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr

LEVELS: dict[str, int] = {
    "random": gunner.RANDOM,
    "hunt": gunner.HUNT,
    "density": gunner.DENSITY,
    "sharp": gunner.SHARP,
}
"""Name of a skill level -> its code, weakest first."""

ROLES: dict[str, int] = {"master": wire.MASTER, "slave": wire.SLAVE, "auto": wire.AUTO}

SEED_MOST = (1 << 30) - 1

_FLEET_ERRORS = {
    fleet.BAD_SIZE: "bad_size",
    fleet.BAD_FOUR: "bad_fleet_four",
    fleet.BAD_THREE: "bad_fleet_three",
    fleet.BAD_TWO: "bad_fleet_two",
    fleet.BAD_ONE: "bad_fleet_one",
    fleet.NO_ROOM: "fleet_no_room",
}
_FITS = (0, 1, 2, 4)
"""Ships of 4, 3, 2 and 1 decks; so many, and fewer, fit on each field."""


@dataclass(frozen=True)
class Parameters:
    """The parameters a master offers: field size 6..10 and the number of ships of 4, 3, 2 and 1 decks."""

    size: int = 10
    n4: int = 1
    n3: int = 2
    n2: int = 3
    n1: int = 4

    def __str__(self) -> str:
        return words.parameters(self.size, *self.counts)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Return the ships of 4, 3, 2 and 1 decks."""
        return self.n4, self.n3, self.n2, self.n1

    def check(self) -> None:
        """Raise UserError if the protocol does not allow these parameters or no placement exists (exactly)."""
        code = fleet.check(self.size, *self.counts)
        if code != fleet.OK:
            fleets = self.counts, map(min, self.counts, _FITS)
            named, fits = (",".join(map(str, counts)) for counts in fleets)
            raise UserError(tr(_FLEET_ERRORS[code], size=self.size, fleet=named, fits=fits))


def level_name(code: int) -> str:
    """Return the name of a level's code."""
    return next(name for name, value in LEVELS.items() if value == code)


def nick_bytes(nick: str, cp866: bool = False) -> bytes:
    """Encode a nick as the 1..10 bytes to send.

    ASCII by default (Russian letters are transliterated), code page 866 with `cp866`. Raises UserError for an empty or
    too long nick and for one with letters that cannot be sent.
    """
    normalized = unicodedata.normalize("NFC", nick).strip()
    if not normalized or not normalized.isprintable():
        raise UserError(tr("nick_empty", nick=nick))
    sent = normalized if cp866 else text.transliterate(normalized)
    try:
        data = sent.encode("cp866" if cp866 else "ascii")
    except UnicodeEncodeError as error:
        raise UserError(tr("nick_letter", nick=nick, letter=error.object[error.start])) from None
    if len(data) > wire.NICK_MAX:
        raise UserError(tr("nick_long", nick=nick, sent=sent, length=len(data), most=wire.NICK_MAX))
    return data
