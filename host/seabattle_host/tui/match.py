"""The games of a session: turns its events into games for the archive and positions to draw."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from seabattle import link as links
from seabattle import wire
from seabattle.fair import EV_JURY
from seabattle_host.errors import UserError
from seabattle_host.jury.verdict import ENDING, Verdict, ships_of
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.position import LENGTHS, ME, PEER, Position
from seabattle_host.player.runner import Event
from seabattle_host.records.archive import LOST, NO_RESULT, UNFINISHED, WON, Archive, Game, Move, Ship

_RESULTS = {links.WE_WON: WON, links.WE_LOST: LOST, links.NO_RESULT: NO_RESULT}
_HOW = {links.BY_SHOTS: "shots", links.BY_SURRENDER: "surrender", links.BY_PROOF: "proof"}
_BREAKS = {
    links.EV_GOODBYE: "goodbye",
    links.EV_LEFT: "left",
    links.EV_CLOSED: "left_by_us",
    links.EV_BROKEN: "broken",
    links.EV_ACCUSED: "accused",
    links.EV_PEER_TIMEOUT: "peer_timeout",
    links.EV_IDLE: "timeout",
    links.EV_PEER_RESET: "peer_reset",
    links.EV_RESTART: "restart",
}
"""Events that leave a running game unfinished -> ending in the archive."""


class Match:
    """archive: of the games, None for none. me: the player's name. clock: monotonic seconds.

    `parameters`, `position` and `game` are None until there are any. `problem` says why games are not saved any more.
    """

    def __init__(self, archive: Archive | None, me: str, clock: Callable[[], float] = time.monotonic):
        self.archive = archive
        self.me = me
        self.peer = ""
        self.problem = ""
        self.parameters: Parameters | None = None
        self.ships: list[Ship] = []
        self.game: Game | None = None
        self.position: Position | None = None
        self.wins = 0
        self.losses = 0
        self._clock = clock
        self._began = 0.0
        self._under_way = False

    @property
    def under_way(self) -> bool:
        """Whether a battle has begun and not ended."""
        return self._under_way

    @property
    def peer_name(self) -> str:
        """The opponent's nick, or a word for it."""
        return self.peer or tr("play_opponent")

    def place(self, ships: Sequence[Ship]) -> None:
        """Set my ships for the next battle."""
        self.ships = list(ships)

    def agree(self, parameters: Parameters) -> None:
        """Set the parameters, before EV_PARAMS is taken."""
        self.parameters = parameters

    def take(self, event: Event) -> None:
        """Process an event of the session, in order; EV_PARAMS after `agree`."""
        code = event.code
        if code == links.EV_NICK:
            self.peer = event.text
            if self.game is not None and self._under_way:
                self._save(lambda archive, game: archive.rename(game, PEER, event.text))
        elif code == links.EV_BATTLE:
            self._begin(event.role)
        elif code in (links.EV_SHOT, links.EV_ANSWER):
            self._move(event)
        elif code == links.EV_OVER:
            self._over(_RESULTS[event.a], _HOW[event.b])
        elif code == EV_JURY:
            if event.verdict is not None:
                self._judged(event.verdict, event.decks)
        elif code == links.EV_BROKEN and event.answer:
            self._proved(event)
        elif code in _BREAKS:
            self._break_off(_BREAKS[code])
        if code in (links.EV_GOODBYE, links.EV_LEFT, links.EV_IDLE, links.EV_PEER_TIMEOUT, links.EV_PEER_RESET):
            self.peer = ""
            self.wins = self.losses = 0

    def _begin(self, role: int) -> None:
        parameters = self.parameters or Parameters()
        self.game = Game(
            players=[self.me, self.peer_name],
            width=parameters.size,
            height=parameters.size,
            fleet={length: count for length, count in zip(LENGTHS, parameters.counts, strict=True) if count},
            role="master" if role == wire.MASTER else "slave",
            ships=[self.ships, None],
        )
        self._began = self._clock()
        self._under_way = True
        self.position = Position(self.game)
        self._save(lambda archive, game: archive.begin(game))

    def _move(self, event: Event) -> None:
        if self.position is None or not self._under_way:
            return
        player = PEER if event.code == links.EV_SHOT else ME
        result = (event.answer - wire.MISS) >> 4
        move = Move(player, event.x, event.y, result, self._clock() - self._began)
        self.position.apply(move)
        if not self._save(lambda archive, game: archive.add(game, move)):
            self.position.game.moves.append(move)

    def _over(self, result: str, how: str) -> None:
        if not self._under_way or self.game is None:
            return
        self._under_way = False
        seconds = self._clock() - self._began
        self.wins += result == WON
        self.losses += result == LOST
        self.game.result, self.game.ending, self.game.seconds = result, how, seconds
        self._save(lambda archive, game: archive.end(game, result, how, seconds))

    def _proved(self, event: Event) -> None:
        """Store the proof of a false answer, which has ended the game as a verdict of the jury does."""
        game = self.game
        if game is None or game.ending != "proof":
            return
        game.details["proof"] = {
            "reason": event.b,
            "shot": [event.x, event.y, event.answer],
            "earlier": [event.earlier_x, event.earlier_y, event.earlier],
        }
        self._save(lambda archive, game: archive.reveal(game))

    def _judged(self, verdict: Verdict, decks: bytes) -> None:
        """Store the opponent's field and the jury's verdict on both fields."""
        game = self.game
        if game is None or self._under_way:
            return
        game.ships = [self.ships, ships_of(decks, game.width)]
        game.details["jury"] = verdict.to_json()
        self._save(lambda archive, game: archive.reveal(game))
        result = verdict.corrected_result(game.result)
        if result == game.result:
            return
        self.wins += (result == WON) - (game.result == WON)
        self.losses += (result == LOST) - (game.result == LOST)
        seconds = game.seconds or 0.0
        game.result, game.ending = result, ENDING
        self._save(lambda archive, game: archive.end(game, result, ENDING, seconds))

    def _break_off(self, why: str) -> None:
        if not self._under_way or self.game is None:
            return
        self._under_way = False
        seconds = self._clock() - self._began
        self.game.ending = why
        self._save(lambda archive, game: archive.end(game, UNFINISHED, why, seconds))

    def _save(self, what: Callable[[Archive, Game], None]) -> bool:
        """Write to the archive; return False if nothing is saved. After an error nothing is saved any more."""
        if self.archive is None or self.game is None:
            return False
        try:
            what(self.archive, self.game)
        except UserError as error:
            self.problem = str(error)
            self.archive = None
            return False
        return True
