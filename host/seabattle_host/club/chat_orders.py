"""Chat commands of a waiting player, in English and Russian."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seabattle_host.club.session import Session
from seabattle_host.club.session_types import GONE
from seabattle_host.club.wording import rating_words, speaking
from seabattle_host.language import text
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Lobby

_TABLE_SAID = 3

_ORDERS = {
    word: (language, order)
    for order, words in {
        "pin": {"": "pin", "ru": "пин"},
        "join": {"en": "join", "ru": "встать"},
        "leave": {"en": "leave", "ru": "уйти"},
        "bot": {"en": "bot", "ru": "бот"},
        "who": {"en": "who", "ru": "кто"},
        "table": {"en": "table", "ru": "таблица"},
    }.items()
    for language, word in words.items()
}
"""Typed word -> its language and the command. The Russian club says `pin`, too."""


def obey(lobby: Lobby, session: Session, words: str) -> None:
    """Carry out a chat command, or list the commands if it is none."""
    typed, _space, rest = words.strip().lower().partition(" ")
    rest = rest.strip()
    language, order = _ORDERS.get(typed, (text.language_of(words), ""))
    session.spoken = language or session.spoken
    with speaking(session.language):
        _obey(lobby, session, order, rest)


def _obey(lobby: Lobby, session: Session, order: str, rest: str) -> None:
    if order == "pin":
        lobby.spawn(take_pin(lobby, session, rest))
    elif order == "join":
        session.send_text(tr("you_wait_already" if session.queued else "you_wait"))
        session.queued = True
    elif order == "leave":
        session.send_text(tr("you_left" if session.queued else "you_left_already"))
        session.queued = False
    elif order == "bot":
        level = LEVELS.get(rest)
        if not session.queued or (rest and level is None) or not lobby.matchmaker.send_computer(session, level):
            session.send_text(tr("no_computer"))
    elif order == "who":
        names = ", ".join(v.name for v in lobby.matchmaker.waiting() if not v.room) or "-"
        session.send_text(tr("who_waits", waiting=names, games=len(lobby.relays)))
    elif order == "table":
        session.send_text(_table(lobby))
    else:
        session.send_text(tr("club_commands"))


async def take_pin(lobby: Lobby, session: Session, pin: str) -> None:
    """Check or set the PIN of a session."""
    before = session.account
    if before is None:
        return
    where = session.line.address or session.line.name
    account, words, attacked = await lobby.accounts.pin(
        before, pin, where, lambda: lobby.present(session), session.language
    )
    if attacked is not None:
        lobby.log(tr("pin_wrong_for", name=attacked.name, address=where))
        for other in lobby.sessions:
            if other.account is not None and other.account.id == attacked.id:
                with speaking(other.language):
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
    lines = [f"{i}. {accounts[p].name} {rating_words(lobby.ratings.standing(p))}" for i, p in enumerate(best, 1)]
    return "; ".join(lines) or tr("no_table")
