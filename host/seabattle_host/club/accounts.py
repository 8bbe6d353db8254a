"""Player identities. The ID is the club's own number; a nick belongs to the first player who used it.

A new nick is registered at once, and its player may claim it with a PIN. A player who comes with a nick that is
claimed, or whose owner is online, is a guest, with an ID of its own and unrated games, until the right PIN is given.
The names of the computers and of the club are reserved, as is every name that looks like one of these or like a name
that has a PIN.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container

from seabattle_host.club import computers, pins
from seabattle_host.club.limits import Limits
from seabattle_host.club.names import skeleton
from seabattle_host.club.pins import Attempts
from seabattle_host.club.store import Account, Store, lookup
from seabattle_host.club.wording import speaking
from seabattle_host.language import messages
from seabattle_host.language.messages import tr
from seabattle_host.language.text import decode
from seabattle_host.player.parameters import LEVELS

_NAME_MOST = 10
PIN_LENGTHS = range(4, 13)

CLUB_NAME = "CLUB"
_RESERVED = ("CLUB", "КЛУБ", "SEABATTLE", "ADMIN", "админ")


def name_of(nick: bytes) -> str:
    """Decode a nick from the wire into a name, `?` for an empty one."""
    return " ".join(decode(nick)[:_NAME_MOST].split()) or "?"


class Accounts:
    """The club's register of players. clock: monotonic seconds."""

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]):
        self._store = store
        self._attempts = Attempts(clock, limits.pin_tries)
        self._reserved = {skeleton(name) for name in (*_RESERVED, *map(computers.name, LEVELS.values()))}
        self._trusted: set[tuple[int, str]] = set()
        """(player, address) from which the right PIN was given: wrong PINs from elsewhere do not delay these."""
        self._tried: dict[int, int] = {}
        """Wrong PINs by player ID, since the player last logged in."""
        self._busy: set[str] = set()
        """Names and addresses for which a PIN is being checked."""

    def greet(self, nick: bytes, here: Container[int]) -> tuple[Account, str]:
        """Return the player with this nick (as on the wire, may be empty) and a message for them.

        here: the IDs of all players online.
        """
        name = name_of(nick)
        if name == "?":
            return self._guest(name), tr("nameless")
        known = self._store.account(name)
        if skeleton(name) in self._reserved:
            return self._guest(name), tr("name_reserved", name=name)
        if known is None:
            twin = self._store.twin(name)
            if twin is not None:
                return self._guest(name), tr("name_like", name=name, other=twin.name)
            account = self._store.register(name)
            return account, tr("registered", name=name, id=account.id)
        if known.id in here:
            return self._guest(name), tr("name_here", name=name)
        if known.claimed:
            return self._guest(name), tr("name_claimed", name=name)
        return known, tr("welcome", name=name, id=known.id)

    def _guest(self, name: str) -> Account:
        return self._store.register(name, "guest")

    async def pin(
        self, account: Account, pin: str, address: str, here: Callable[[], Container[int]], language: str = ""
    ) -> tuple[Account, str, Account | None]:
        """Check or set a PIN. Return the account from now on, a message, and the account whose PIN was wrong, if any.

        here: as for greet(), called after the PIN has been checked, which takes a while. language: of the message,
        empty for the default.
        """

        def message(key: str, **fields: object) -> str:
            with speaking(language or messages.language()):
                return tr(key, **fields)

        if not pin.isascii() or not pin.isdecimal() or len(pin) not in PIN_LENGTHS:
            return account, message("pin_form"), None
        known = self._store.account(account.name)
        if account.kind != "guest":
            if known is not None and known.claimed:
                return known, message("pin_set_before"), None
            pin_hash = await asyncio.to_thread(pins.make, pin)
            if not self._store.claim(account.id, pin_hash):
                return account, message("pin_set_before"), None
            self._trusted.add((account.id, address))
            return Account(account.id, account.name, account.kind, True), message("pin_set", name=account.name), None
        if known is None or not known.claimed:
            return account, message("pin_useless", name=account.name), None
        keys = [f"address {address}"]
        if (known.id, address) not in self._trusted:
            keys.append(f"name {lookup(known.name)}")
        wait = self._attempts.wait(*keys)
        if wait or self._busy.intersection(keys):
            return account, message("pin_tries", seconds=max(1, round(wait))), None
        self._busy.update(keys)
        try:
            pin_hash = self._store.pin_hash(known.id)
            right = await asyncio.to_thread(pins.matches, pin, pin_hash)
            if right and pins.outdated(pin_hash):
                self._store.claim(known.id, await asyncio.to_thread(pins.make, pin), anew=True)
        finally:
            self._busy.difference_update(keys)
        if not right:
            self._attempts.wrong(*keys)
            self._tried[known.id] = self._tried.get(known.id, 0) + 1
            return account, message("pin_wrong"), known
        self._trusted.add((known.id, address))
        if known.id in here():
            return account, message("name_here", name=account.name), None
        words = message("welcome", name=known.name, id=known.id)
        tried = self._tried.pop(known.id, 0)
        return known, f"{words} {message('pins_tried', count=tried)}" if tried else words, None

    def computer(self, name: str) -> Account:
        """Return the account of the computers of a level; a person who has its name from an older club is renamed."""
        known = self._store.account(name)
        if known is not None and known.kind != "computer":
            self._store.rename(known.id, f"{known.name[:4]}#{known.id}"[:_NAME_MOST])
            known = None
        return known or self._store.register(name, "computer")
