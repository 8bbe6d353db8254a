"""One player in a serial game: a link, a field of my own, and a radar for the other's.

The owner feeds the link with bytes and ticks and calls `poll()` until it returns EV_NONE; poll() does the game's part
of every event (answers shots, keeps the radar, accuses a false answer) and returns the event for display. An owner in a
hurry calls `reply()` as soon as the link reports a shot in `asked`, and poll() when there is time.
"""

from . import wire
from .const import TYPE_CHECKING, const
from .field import Field
from .fleet import Fleet, check
from .link import (
    EV_ANSWER,
    EV_NONE,
    EV_PARAMS,
    EV_PLACING,
    EV_SHOT,
    EVENT_CELL,
    NOT_NOW,
    OUT_OF_RANGE,
    event_param,
)
from .radar import Radar

if TYPE_CHECKING:
    from .link import Link
    from .rng import Rng

_CELLS = const(100)  # the largest field of the protocol

NO_CELL = const(255)


class Player:
    """link: a seabattle.link.Link. rng: a seabattle.rng.Rng, for random placement."""

    def __init__(self, link: "Link", rng: "Rng") -> None:
        self.link = link
        self.rng = rng
        self.fleet = Fleet()
        self.field = Field(_CELLS)
        self.radar = Radar(_CELLS)
        self.field.reset(self.fleet)
        self.radar.reset(self.fleet)
        self.my_last = NO_CELL  # the cell of my last answered shot
        self.my_result = 0  # and its result: field.MISS, HIT, SUNK, REPEAT
        self.its_last = NO_CELL  # same for the peer's last shot
        self.its_result = 0
        self.my_shots = 0  # answered shots of this game
        self.its_shots = 0

    def poll(self) -> int:
        """Return the next event (seabattle.link.EV_*) after doing its part of the game, EV_NONE if there is none."""
        link = self.link
        if link.asked:
            self.reply()
        ev = link.event()
        if ev != EV_NONE:
            false = self.follow(ev)
            if false:
                self.accuse(false)
        return ev

    def accuse(self, false: int) -> None:
        """Accuse the peer of a false answer, reported by the last event, with the reason returned by follow()."""
        radar = self.radar
        earlier = radar.against
        if earlier == NO_CELL:
            self.link.accuse(false)
        else:
            w = self.fleet.width
            earlier = (earlier // w + 1) << 4 | (earlier % w + 1)
            self.link.accuse(false, earlier, wire.MISS + (radar.against_result << 4))

    def reply(self) -> None:
        """Answer the shot in Link.asked; must precede anything else done with it."""
        link = self.link
        asked = link.asked
        # The link has checked that the cell is on the field.
        cell = ((asked >> 4) - 1) * self.fleet.width + (asked & 15) - 1
        result = self.field.take(cell)
        link.answer(wire.MISS + (result << 4))
        self.its_last = cell
        self.its_result = result
        self.its_shots += 1

    def follow(self, ev: int) -> int:
        """Do the game's part of an event just returned by Link.event(), except sending.

        Returns why the peer is to be accused (wire.R_*), or 0.
        """
        link = self.link
        if ev == EV_SHOT:
            self.field.settle()
        elif ev == EV_ANSWER:
            cell = link.details[EVENT_CELL]
            cell = ((cell >> 4) - 1) * self.fleet.width + (cell & 15) - 1
            result = (link.a - wire.MISS) >> 4
            self.my_last = cell
            self.my_result = result
            self.my_shots += 1
            return self.radar.answer(cell, result)
        elif ev == EV_PARAMS:
            size = event_param(link.details, 0)
            n4 = event_param(link.details, 1)
            n3 = event_param(link.details, 2)
            n2 = event_param(link.details, 3)
            n1 = event_param(link.details, 4)
            # Our ships are placed under the strict reading of the wall rule wherever possible.
            self.fleet.protocol(size, n4, n3, n2, n1, check(size, n4, n3, n2, n1) != 0)
        elif ev == EV_PLACING:
            self.field.reset(self.fleet)
            self.radar.reset(self.fleet)
            self.my_last = self.its_last = NO_CELL
            self.my_shots = self.its_shots = 0
        return 0

    def ready(self) -> int:
        """Declare my ships placed; NOT_NOW while the fleet is incomplete, else as Link.ready()."""
        if not self.field.complete():
            return NOT_NOW
        return self.link.ready()

    def shoot(self, cell: int) -> int:
        """Shoot at a cell that was not shot and is not known to be empty; OUT_OF_RANGE, or as Link.shoot()."""
        link = self.link
        w = self.fleet.width
        if 0 <= cell < w * self.fleet.height and self.radar.can_shoot(cell):
            return link.shoot(cell % w + 1, cell // w + 1)
        return OUT_OF_RANGE if link.mine else NOT_NOW
