"""A player at a serial line that also plays salvos: takes the salvo lines out of the chat (EV_SALVO)."""

from __future__ import annotations

from seabattle import link as links
from seabattle import salvo as rules
from seabattle.fair import FairBot, FairPlayer
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle.wire import MASTER
from seabattle_host.language.messages import tr
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.salvo_exchange import SalvoExchange

EV_SALVO = 65
"""What poll() returns in addition to the link's events and EV_JURY: the link's `a` is an EVENT_* of salvo_exchange."""


class SalvoPlayer(FairPlayer):
    """A FairPlayer with a salvo exchange.

    salvo: the exchange. asks: a human decides whether to accept an offer; otherwise it is accepted.
    """

    def __init__(self, link: Link, rng: Rng, sealer: Sealer, asks: bool):
        super().__init__(link, rng, sealer)
        self.salvo = SalvoExchange(link, rng)
        self.asks = asks

    def poll(self) -> int:
        """Like FairPlayer.poll(); may also return EV_SALVO."""
        salvo, link = self.salvo, self.link
        while True:
            ev = int(super().poll())
            if ev == links.EV_CHAT and salvo.handle_text(bytes(link.text[: link.text_len]), self.asks):
                continue
            if ev in (links.EV_CHAT_SENT, links.EV_CHAT_LOST) and salvo.handle_confirmation(ev == links.EV_CHAT_SENT):
                continue
            if ev in (links.EV_GOODBYE, links.EV_LEFT):
                salvo.handle_goodbye()
            if ev == links.EV_NONE:
                salvo.pump()
                if salvo.events:
                    link.a = salvo.events.popleft()
                    link.b = 0
                    return EV_SALVO
            return ev


class SalvoBot(FairBot):
    """A FairBot that pauses during a salvo, and as master offers one if it `offers`."""

    player: SalvoPlayer

    def __init__(
        self, player: SalvoPlayer, gunner: Gunner, games: int, offer: tuple[int, int, int, int, int], offers: bool
    ):
        super().__init__(player, gunner, games, offer)
        self._offers = offers
        self._offered = False

    def step(self) -> int:
        """Like FairBot.step()."""
        salvo, link = self.player.salvo, self.player.link
        if link.state != 1:
            self._offered = False
        elif not salvo.settled:
            return IDLE
        elif self._offers and not self._offered and link.role == MASTER and not self._enough():
            self._offered = True
            if salvo.offer() == links.DONE:
                return IDLE
        return int(super().step())

    def salvo_over(self) -> None:
        """Count a finished salvo as a game."""
        self.played += 1
        self._offered = False

    def _enough(self) -> bool:
        return bool(self.games) and self.played >= self.games


IDLE = 0
"""What step() returns when there is nothing to do until something arrives on the line."""


def explain(player: SalvoPlayer) -> str:
    """Return in words the EV_SALVO that `player` has just returned."""
    what, game = player.link.a, player.salvo.game
    if what == salvos.EVENT_TURN:
        return tr("salvo_line_round", round=game.round)
    if what == salvos.EVENT_OVER:
        return outcome(game)
    if what == salvos.EVENT_DONE:
        return verdict(player.salvo.verdict)
    return tr(_EVENTS[what])


def outcome(game: rules.Salvo) -> str:
    """Return in words how a game ended for player 0, who is called `we`."""
    if game.outcome == rules.ABANDONED:
        return tr("salvo_line_broken_off")
    if game.outcome == rules.DRAW:
        return tr("salvo_draw")
    who = "we" if game.outcome == rules.WON_BY_0 else "they"
    return tr(f"salvo_line_{who}_won" + ("_early" if game.how == rules.BY_WITHDRAWAL else ""))


def verdict(what: str) -> str:
    """Return in words the check of the peer's fleet, or why the game was broken off."""
    return tr(f"salvo_line_{what}")


_EVENTS = {
    salvos.EVENT_WANTED: "salvo_line_wanted",
    salvos.EVENT_ASKED: "salvo_line_asked",
    salvos.EVENT_DECLINED: "salvo_line_declined",
    salvos.EVENT_UNKNOWN: "salvo_line_unknown",
    salvos.EVENT_NO_CHAT: "salvo_line_no_chat",
    salvos.EVENT_STARTED: "salvo_line_started",
    salvos.EVENT_AWAY: "salvo_line_away",
    salvos.EVENT_BACK: "salvo_line_back",
}
