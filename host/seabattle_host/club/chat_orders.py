"""What who waits may order in the chat, in English and in Russian."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seabattle_host.club.session import GONE, Visitor
from seabattle_host.language.club_phrases import say
from seabattle_host.player.parameters import LEVELS

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Hall

_TABLE_SAID = 3


def obey(hall: Hall, visitor: Visitor, words: str) -> None:
    """Do what somebody has written to the club, or say what may be written."""
    order, _space, rest = words.strip().lower().partition(" ")
    rest = rest.strip()
    if order in ("pin", "пин"):
        hall.spawn(take_pin(hall, visitor, rest))
    elif order in ("join", "встать"):
        visitor.say(say("you_wait_already" if visitor.queued else "you_wait"))
        visitor.queued = True
    elif order in ("leave", "уйти"):
        visitor.say(say("you_left" if visitor.queued else "you_left_already"))
        visitor.queued = False
    elif order in ("bot", "бот"):
        level = LEVELS.get(rest)
        if not visitor.queued or (rest and level is None) or not hall.send_computer(visitor, level):
            visitor.say(say("no_computer"))
    elif order in ("who", "кто"):
        names = ", ".join(v.name for v in hall.waiting() if not v.room) or "-"
        visitor.say(say("who_waits", waiting=names, games=len(hall.relays)))
    elif order in ("table", "таблица"):
        visitor.say(_table(hall))
    else:
        visitor.say(say("commands"))


async def take_pin(hall: Hall, visitor: Visitor, pin: str) -> None:
    """A visitor gives a PIN."""
    before = visitor.member
    if before is None:
        return
    where = visitor.line.address or visitor.line.name
    member, words, attacked = await hall.members.pin(before, pin, where, lambda: hall.here(visitor))
    if attacked is not None:
        hall.tell(say("pin_wrong_for", name=attacked.name, address=where))
        for other in hall.visitors:
            if other.member is not None and other.member.id == attacked.id:
                other.say(say("pin_wrong_warning"))
    if visitor.member is not before or visitor.phase == GONE:
        return
    visitor.member = member
    visitor.say(words)
    if member.id != before.id:
        hall.tell_of(visitor)
    hall.version += 1
    hall.match_soon()


def _table(hall: Hall) -> str:
    members = hall.store.members()
    best = [player for player in hall.ratings.order() if player in members][:_TABLE_SAID]
    lines = [f"{i}. {members[p].name} {hall.ratings.of(p).rating:.0f}" for i, p in enumerate(best, 1)]
    return "; ".join(lines) or say("no_table")
