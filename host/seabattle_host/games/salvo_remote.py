"""A salvo against an opponent at the other end of a line.

One player places, aims and gets reports, as at one screen.
"""

from __future__ import annotations

from typing import Protocol

from seabattle.salvo import ABANDONED, BY_SINKING, BY_WITHDRAWAL, FIRING, OPEN, OVER, WON_BY_0, WON_BY_1
from seabattle_host.games import recording
from seabattle_host.games.field_view import salvo_own
from seabattle_host.games.salvo import fire_salvo, keep_rounds, place_fleet, tell_outcome, tell_report, tell_rounds
from seabattle_host.games.ui import GameUI, Left
from seabattle_host.language.messages import tr
from seabattle_host.player.salvo_exchange import CHEATING, CLEAN, RemoteSalvo
from seabattle_host.player.salvo_player import verdict as in_words
from seabattle_host.records.archive import LOST, UNFINISHED, WON


class Far(Protocol):
    """The line as the game needs it. Each call may raise Left if the player has left."""

    game: RemoteSalvo

    def placed(self) -> None:
        """Seal the complete fleet."""

    def fired(self) -> None:
        """Send the salvo fired in the game."""

    def withdraw(self) -> None:
        """Give up, if the game is not over."""

    def wait(self) -> None:
        """Wait until it is time to aim, or the game is over."""

    def wait_done(self) -> str:
        """Wait until nothing more will come; return the verdict, of salvo_exchange."""


def play(ui: GameUI, far: Far) -> None:
    """Place and play a game to its end. Raises Left if the player leaves, which counts as giving up."""
    game = far.game
    try:
        _play(ui, far)
    except Left:
        if game.outcome in (OPEN, WON_BY_1):
            ui.keeper.end([recording.salvo_fleets(game)[0], None], LOST, "surrender")
        raise
    what = far.wait_done()
    _save(game, ui, what)
    _tell_end(game, ui, what)


def _play(ui: GameUI, far: Far) -> None:
    game = far.game
    if place_fleet(game, ui, 0):
        far.placed()
        ui.tell(0, tr("salvo_line_placed", name=ui.call(1)))
        far.wait()
    if game.stage == FIRING:
        ui.keeper.begin(recording.salvo_game(2, ui.called), recording.salvo_fleets(game))
    while game.stage == FIRING:
        number = game.round
        fire_salvo(game, ui, 0)
        if game.stage != FIRING:
            break
        far.fired()
        ui.tell(0, tr("salvo_fired_wait", name=ui.call(1)))
        far.wait()
        if game.round > number or (game.stage == OVER and game.how == BY_SINKING):
            tell_report(game, ui, 0, number)
    far.withdraw()


def _save(game: RemoteSalvo, ui: GameUI, what: str) -> None:
    """Save the game; which of our shots have hit is known only if the opponent has shown its fleet."""
    own, other = recording.salvo_fleets(game)
    if what == CLEAN or (what in CHEATING and other):
        keep_rounds(game, ui)
    winner = 0 if what in CHEATING else {WON_BY_0: 0, WON_BY_1: 1}.get(game.outcome)
    result = UNFINISHED if game.outcome == ABANDONED else recording.result_for_first(winner)
    ending = "shots" if game.how == BY_SINKING else "surrender" if game.how == BY_WITHDRAWAL else "failure"
    if what in CHEATING:
        result, ending = WON, "jury"
    ui.keeper.end([own, other or None], result, ending)


def _tell_end(game: RemoteSalvo, ui: GameUI, what: str) -> None:
    seen = [salvo_own(game.views[0], ui.call(0))]
    if recording.salvo_fleets(game)[1]:
        seen.append(salvo_own(game.views[1], ui.call(1)))
    ui.show(None, seen, tr("salvo_legend"))
    tell_rounds(game, ui)
    if game.outcome == ABANDONED:
        ui.tell(None, tr("salvo_line_broken_off"))
        ui.tell(None, in_words(what))
        return
    ui.tell(None, in_words(what))
    if what in CHEATING:
        ui.tell(None, tr("salvo_won", name=ui.call(0)))
    else:
        tell_outcome(game, ui)
