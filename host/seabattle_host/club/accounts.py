"""Who a visitor is. The ID is the club's own number; a nick belongs to who came first with it.

A nick nobody has is registered at once, and its player may claim it with a PIN. Somebody who comes with a nick that is
claimed, or whose player is here already, is a guest: an ID of its own, and games that count for nothing, until the
right PIN is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from seabattle_host.club.limits import Limits
from seabattle_host.club.store import Member, Store
from seabattle_host.language.club_phrases import say
from seabattle_host.language.text import decode

_NAME_MOST = 10
PIN_LENGTHS = range(4, 13)


class Members:
    """The register of the club."""

    def __init__(self, store: Store, limits: Limits):
        self._store = store
        self._limits = limits
        self._wrong: Counter[str] = Counter()

    def greet(self, nick: bytes, here: Container[int]) -> tuple[Member, str]:
        """Who comes with this nick (as on the wire, may be empty), and what to tell them.

        here: the IDs of all who are in the club.
        """
        name = " ".join(decode(nick)[:_NAME_MOST].split()) or "?"
        if name == "?":
            return self._store.register(name, "guest"), say("nameless")
        known = self._store.member(name)
        if known is None:
            member = self._store.register(name)
            return member, say("registered", name=name, id=member.id)
        if known.kind == "computer" or known.id in here:
            return self._store.register(name, "guest"), say("name_here", name=name)
        if known.claimed:
            return self._store.register(name, "guest"), say("name_claimed", name=name)
        return known, say("welcome", name=name, id=known.id)

    def pin(self, member: Member, pin: str, address: str, here: Container[int]) -> tuple[Member, str]:
        """A visitor gives a PIN: who it is now, and what to tell it."""
        if not pin.isascii() or not pin.isdecimal() or len(pin) not in PIN_LENGTHS:
            return member, say("pin_form")
        if member.kind != "guest":
            known = self._store.member(member.name)
            if known is not None and known.claimed:
                return known, say("pin_set_before")
            self._store.claim(member.id, pin)
            return Member(member.id, member.name, member.kind, True), say("pin_set", name=member.name)
        known = self._store.member(member.name)
        if known is None or not known.claimed:
            return member, say("pin_useless", name=member.name)
        if self._wrong[address] >= self._limits.pin_tries:
            return member, say("pin_tries")
        if not self._store.check(known.id, pin):
            self._wrong[address] += 1
            return member, say("pin_wrong")
        self._wrong.pop(address, None)
        if known.id in here:
            return member, say("name_here", name=member.name)
        return known, say("welcome", name=known.name, id=known.id)

    def computer(self, name: str) -> Member:
        """The player that the computers of a level are."""
        return self._store.member(name) or self._store.register(name, "computer")
