"""What who waits may order in the chat, in English and in Russian."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seabattle_host.club.session import Session
from seabattle_host.club.session_types import GONE
from seabattle_host.club.wording import rating_words
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Lobby

_TABLE_SAID = 3


def obey(lobby: Lobby, session: Session, words: str) -> None:
    """Do what somebody has written to the club, or say what may be written."""
    order, _space, rest = words.strip().lower().partition(" ")
    rest = rest.strip()
    if order in ("pin", "пин"):
        lobby.spawn(take_pin(lobby, session, rest))
    elif order in ("join", "встать"):
        session.send_text(tr("you_wait_already" if session.queued else "you_wait"))
        session.queued = True
    elif order in ("leave", "уйти"):
        session.send_text(tr("you_left" if session.queued else "you_left_already"))
        session.queued = False
    elif order in ("bot", "бот"):
        level = LEVELS.get(rest)
        if not session.queued or (rest and level is None) or not lobby.matchmaker.send_computer(session, level):
            session.send_text(tr("no_computer"))
    elif order in ("who", "кто"):
        names = ", ".join(v.name for v in lobby.matchmaker.waiting() if not v.room) or "-"
        session.send_text(tr("who_waits", waiting=names, games=len(lobby.relays)))
    elif order in ("table", "таблица"):
        session.send_text(_table(lobby))
    else:
        session.send_text(tr("club_commands"))


async def take_pin(lobby: Lobby, session: Session, pin: str) -> None:
    """A session gives a PIN."""
    before = session.account
    if before is None:
        return
    where = session.line.address or session.line.name
    account, words, attacked = await lobby.accounts.pin(before, pin, where, lambda: lobby.present(session))
    if attacked is not None:
        lobby.log(tr("pin_wrong_for", name=attacked.name, address=where))
        for other in lobby.sessions:
            if other.account is not None and other.account.id == attacked.id:
                other.send_text(tr("pin_wrong_warning"))
    if session.account is not before or session.phase == GONE:
        return
    session.account = account
    session.send_text(words)
    if account.id != before.id:
        lobby.log_arrival(session)
    lobby.version += 1
    lobby.matchmaker.match_soon()


def _table(lobby: Lobby) -> str:
    accounts = lobby.store.accounts()
    best = [player for player in lobby.ratings.order() if player in accounts][:_TABLE_SAID]
    lines = [f"{i}. {accounts[p].name} {rating_words(lobby.ratings.of(p))}" for i, p in enumerate(best, 1)]
    return "; ".join(lines) or tr("no_table")
