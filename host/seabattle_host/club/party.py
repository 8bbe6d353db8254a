"""A party: a game of salvo or melee between players at pages of their own, with computers in the remaining seats.

The rules and the views are those of `games`; a party keeps what each page shows, as plain data. It lives in the club's
loop, its game in a thread (`party_ui`). Where its players speak different languages the same game runs once per
language, from the same seed and with the same commands, so that each player reads it in their own.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seabattle_host.club import party_view
from seabattle_host.club.party_ui import PartyUI
from seabattle_host.club.wording import speaking
from seabattle_host.games.field_view import MELEE, SALVO, FieldView
from seabattle_host.games.setup import KINDS, Setup, any_seed
from seabattle_host.games.ui import SKIP, WITHDRAW, Want
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS

PARTY_KINDS = (SALVO, MELEE)

WAITING, PLAYING, OVER = "waiting", "playing", "over"

_LOG_MOST = 200


class Seat:
    """A player of a party, identified by the key given to its page. changed: called when the view has changed."""

    def __init__(self, name: str, address: str, language: str):
        self.name = name
        self.address = address
        self.language = language
        self.key = secrets.token_urlsafe(18)
        self.party: Party | None = None
        self.number = 0
        """The player's number in the game."""
        self.changed: Callable[[], None] = lambda: None
        self.told_in = language
        """The language of the game for this player; a change takes effect in the next game."""
        self.away_since: float | None = None
        """When its page was closed; None while it is open."""
        self.views: Sequence[FieldView] = ()
        self.legend = self.left = ""
        self.log: deque[dict[str, Any]] = deque(maxlen=_LOG_MOST)
        self.question = 0
        """Number of requests to this player so far; an order names the request it answers."""
        self.again = False
        self.gone = False

    def hear(self, text: str, kind: str = "mine", name: str = "") -> None:
        """Add a line to the player's log."""
        party = self.party
        if party is not None:
            party.count += 1
            self.log.append({"n": party.count, "kind": kind, "text": text, "name": name})
            self.changed()

    def view(self, after: int) -> dict[str, Any]:
        """Return what the page shows; of the log only what comes after line `after`."""
        party = self.party
        assert party is not None
        want = party.wants(self.told_in).get(self.number) if party.stage == PLAYING else None
        return {
            "phase": party.stage,
            "kind": party.kind,
            "code": party.code,
            "private": party.private,
            "host": party.seats[0] is self,
            "me": self.number,
            "state": party_view.state(party, self),
            "seats": party_view.seats(party),
            "fields": [party_view.field(view) for view in self.views],
            "want": party_view.want(want, self.question) if want is not None else None,
            "may": {
                "surrender": party.stage == PLAYING and not self.gone,
                "skip": party.waits_for_another(self),
                "again": party.stage == OVER and not self.again and party.can_play_again,
                "begin": party.stage == WAITING and party.seats[0] is self,
            },
            "legend": party_view.legend(party.kind, self.legend),
            "left": self.left,
            "log": [line for line in self.log if line["n"] > after],
        }


class Party:
    """kind: of PARTY_KINDS.

    level: of the computers. private: not listed. move: seconds after which a player who does not move may be skipped.
    over: called when all players have left.
    """

    def __init__(self, kind: str, level: str, private: bool, move: float, over: Callable[[Party], None]):
        self.kind = kind
        self.private = private
        self.code = secrets.token_urlsafe(15)
        self.stage = WAITING
        self.seats: list[Seat] = []
        self.moved = 0.0
        """Time of the last action of a player."""
        self._level = LEVELS.get(level, LEVELS["sharp"])
        self._move = move
        self._over = over
        self._loop = asyncio.get_running_loop()
        self._uis: dict[str, PartyUI] = {}
        self._wants: dict[str, dict[int, Want]] = {}
        self._waited = 0.0
        """Since when the game has waited for the players asked now."""
        self.count = 0
        """Log lines so far."""

    @property
    def free(self) -> int:
        """The number of free seats."""
        return KINDS[self.kind] - len(self.seats) if self.stage == WAITING else 0

    @property
    def can_play_again(self) -> bool:
        """Whether all who have played are still there."""
        return all(not seat.gone for seat in self.seats)

    @property
    def awaited(self) -> list[int]:
        """The players whose move it is."""
        return sorted(set.intersection(*(set(wants) for wants in self._wants.values()))) if self._wants else []

    def wants(self, language: str) -> dict[int, Want]:
        """Return what each player is asked for, in one of the game's languages."""
        return self._wants.get(language, {})

    def waits_for_another(self, seat: Seat) -> bool:
        """Whether the game waits for another player."""
        awaited = self.awaited
        return self.stage == PLAYING and bool(awaited) and seat.number not in awaited and not seat.gone

    # Players.

    def sit(self, seat: Seat) -> bool:
        """Seat a player; return False if no seat is free. The game begins when the last seat is taken."""
        if not self.free:
            return False
        seat.party, seat.number = self, len(self.seats)
        self.seats.append(seat)
        self.moved = self._loop.time()
        if not self.free:
            self.begin()
        self.changed()
        return True

    def begin(self) -> None:
        """Begin the game; computers take the free seats."""
        for number, seat in enumerate(self.seats):
            seat.number, seat.told_in = number, seat.language
            seat.views = ()
            seat.legend = seat.left = ""
            seat.again = False
            seat.log.clear()
        names = tuple(seat.name for seat in self.seats)
        setup = Setup(self.kind, len(names), any_seed(), names=names, level=self._level, lot=self.kind == MELEE)
        self.stage = PLAYING
        self._wants = {seat.told_in: {} for seat in self.seats}
        self._uis = {
            language: PartyUI(setup, language, self, self._loop.call_soon_threadsafe) for language in self._wants
        }
        for ui in self._uis.values():
            ui.begin()
        self.changed()

    def leave(self, seat: Seat) -> None:
        """Remove a player. Before the game this frees the seat, during it the player surrenders."""
        if seat.gone:
            return
        self.surrender(seat)
        seat.gone = True
        if self.stage == WAITING:
            self.seats.remove(seat)
        elif self.stage == OVER:
            self._say_in_each("party_left", name=seat.name)
        if all(other.gone for other in self.seats):
            self.close()
            self._over(self)
        self.changed()
        seat.changed()

    def again(self, seat: Seat) -> None:
        """Ask for another game; it begins when all players ask. The first player then sits last."""
        if self.stage != OVER or not self.can_play_again:
            return
        seat.again = True
        self.moved = self._loop.time()
        if all(each.again for each in self.seats):
            self.seats.append(self.seats.pop(0))
            self.begin()
        self.changed()

    def close(self) -> None:
        """Stop the game."""
        for ui in self._uis.values():
            ui.close()

    # Orders.

    def chose(self, seat: Seat, order: Mapping[str, Any]) -> None:
        """Play a choice among those offered: cells, a ship's place, a ship to take back, or a word."""
        want = self.wants(seat.told_in).get(seat.number)
        if want is None or seat.gone or order.get("n", seat.question) != seat.question:
            return
        if line := party_view.command(want, seat.views, order):
            self._answer(seat, line)

    def surrender(self, seat: Seat) -> None:
        """Give up, in or out of turn."""
        if self.stage == PLAYING and not seat.gone:
            self._answer(seat, WITHDRAW)

    def skip(self, seat: Seat) -> None:
        """Skip the player who does not move, once the time for a move is over."""
        if not self.waits_for_another(seat):
            return
        left = self._move - (self._loop.time() - self._waited)
        if left <= 0:
            self._answer(seat, SKIP)
        else:
            with speaking(seat.told_in):
                name = party_view.named(self, self.awaited)
                self._tell(seat, "mine", tr("skip_not_yet", name=name, seconds=max(1, math.ceil(left))))

    def chat(self, seat: Seat, text: str) -> None:
        """Send a chat line to all."""
        self.moved = self._loop.time()
        for each in self.seats:
            self._tell(each, "chat", text, seat.name)

    def _answer(self, seat: Seat, line: str) -> None:
        """Give a player's command to the game in each language."""
        self.moved = self._loop.time()
        for wants in self._wants.values():
            wants.pop(seat.number, None)
        for ui in self._uis.values():
            ui.answer(seat.number, line)
        self.changed()

    # Called by the game, in one of its languages.

    def show_message(self, language: str, player: int | None, line: str) -> None:
        """Show a line to one player or to all."""
        for seat in self.seats:
            if seat.told_in == language and player in (None, seat.number):
                self._tell(seat, "game" if player is None else "mine", line)

    def show_fields(
        self, language: str, player: int | None, views: Sequence[FieldView], legend: str, left: str
    ) -> None:
        """Show fields as one player, or everybody, may see them."""
        for seat in self.seats:
            if seat.told_in == language and player in (None, seat.number):
                seat.views, seat.legend, seat.left = views, legend, left
                seat.changed()

    def show_questions(self, language: str, wants: Mapping[int, Want]) -> None:
        """Ask players for a move."""
        if set(wants) - set(self.awaited):
            self._waited = self._loop.time()
        for seat in self.seats:
            if seat.told_in == language and seat.number in wants and seat.number not in self._wants[language]:
                seat.question += 1
        self._wants[language] = dict(wants)
        self.changed()

    def ended(self, language: str) -> None:
        """End the game in one language; the last one ends the party's game."""
        self._uis.pop(language, None)
        if not self._uis and self.stage == PLAYING:
            self.stage = OVER
            self._wants = {}
            self.changed()

    # Internal.

    def _say_in_each(self, key: str, **facts: object) -> None:
        for seat in self.seats:
            with speaking(seat.told_in):
                self._tell(seat, "game", tr(key, **facts))

    def _tell(self, seat: Seat, kind: str, text: str, name: str = "") -> None:
        seat.hear(text, kind, name)

    def changed(self) -> None:
        """Notify the pages of all players."""
        for seat in self.seats:
            seat.changed()
