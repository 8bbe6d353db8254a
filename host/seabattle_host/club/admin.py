"""Administration of a club by its operator, also while it is open.

Anybody with write access leaves orders in the club's file, and the open club carries them out; for a closed club the
command works on the file itself.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle_host.club.conduct import Conduct
from seabattle_host.club.limits import address_block
from seabattle_host.club.names import skeleton
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.store import Store, lookup
from seabattle_host.club.wording import speaking
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Lobby

_FOR_EVER = "9999"


class Administration:
    """The operator's tables in a club's file: orders and bans; and changes of its players' data."""

    def __init__(self, store: Store):
        self._store = store
        self._db = store.db

    # Orders.

    def order(self, *what: str) -> int:
        """Leave an order for the open club; return its number."""
        return self._db.insert("insert into operator_order (what) values (?)", json.dumps(what))

    def waiting(self) -> list[tuple[int, list[str]]]:
        """Return the orders that are still to be carried out."""
        rows = self._db.rows("select id, what from operator_order where result is null order by id")
        return [(number, json.loads(what)) for number, what in rows]

    def done(self, number: int, result: str) -> None:
        """Store the result of an order."""
        self._db.change("update operator_order set result = ? where id = ?", result, number)

    def result(self, number: int) -> str | None:
        """Return the result of an order and delete the order; None while it is not done."""
        row = self._db.row("select result from operator_order where id = ?", number)
        if row is None or row[0] is None:
            return None
        self._db.change("delete from operator_order where id = ?", number)
        return str(row[0])

    def forget(self) -> None:
        """Delete all orders: those of an earlier run are obsolete."""
        self._db.change("delete from operator_order")

    # Bans.

    def ban(self, what: str, days: float | None = None) -> None:
        """Ban a name or an address, for ever or for some days."""
        until = _FOR_EVER
        if days is not None:
            until = (datetime.now(timezone.utc) + timedelta(days=days)).isoformat()
        self._db.change("insert or replace into ban values (?,?)", _key(what), until)

    def unban(self, what: str) -> bool:
        """Lift a ban; return False if there was none."""
        return self._db.change("delete from ban where what = ?", _key(what)) > 0

    def banned(self, what: str) -> bool:
        """Return whether a name or an address is banned."""
        now = datetime.now(timezone.utc).isoformat()
        return self._db.row("select 1 from ban where what = ? and until > ?", _key(what), now) is not None

    def bans(self) -> list[tuple[str, str]]:
        """Return the bans: what is banned, and until when; empty for ever."""
        rows = self._db.rows("select what, until from ban order by what")
        return [(what.partition(" ")[2], "" if until == _FOR_EVER else until[:16]) for what, until in rows]

    # A player's data.

    def delete(self, name: str) -> str:
        """Delete a player's name, PIN, and the captures of its games, which contain its chat.

        The games stay, for their other players, with a nameless guest.
        """
        account = self._known(name)
        with self._db.transaction():
            self._db.change(
                "delete from capture where game in (select id from game where ? in (master, slave))", account
            )
            self._db.change(
                "update player set name = '-', lookup = '-', skeleton = '', kind = 'guest', pin = null where id = ?",
                account,
            )
        return tr("admin_deleted", name=name, id=account)

    def rename(self, name: str, new: str) -> str:
        """Rename a player."""
        new = " ".join(new.split())
        if not 1 <= len(new) <= 10:
            raise UserError(tr("admin_bad_name", name=new))
        self._store.rename(self._known(name), new)
        return tr("admin_renamed", name=name, new=new)

    # Tournaments.

    def start_tournament(self, rounds: int, names: list[str]) -> str:
        """Start a tournament of these players: Swiss with this number of rounds, round robin for 0."""
        players = [self._known(name) for name in names]
        if len(players) < 2 or len(set(players)) < len(players):
            raise UserError(tr("tournament_players"))
        self._store.start_tournament(players, rounds)
        return tr("tournament_begun", count=len(players))

    def stop_tournament(self) -> str:
        """Stop the tournament."""
        if not self._store.stop_tournament():
            raise UserError(tr("tournament_none"))
        return tr("tournament_stopped")

    def _known(self, name: str) -> int:
        account = self._store.account(name)
        if account is None:
            raise UserError(tr("admin_nobody", name=name))
        return account.id


def obey(admin: Administration, lobby: Lobby | None, what: list[str]) -> str:
    """Carry out an order, in the open club `lobby` or in the file of a closed one; return its result.

    Raises UserError.
    """
    action, *rest = what
    if action == "rename":
        words = admin.rename(rest[0], rest[1])
        if lobby is not None:
            _renamed(lobby, rest[0], rest[1])
        return words
    if action == "ban":
        admin.ban(rest[0], float(rest[1]) if rest[1:] else None)
        gone = _throw_out(lobby, rest[0]) if lobby is not None else 0
        return tr("admin_banned", what=rest[0], count=gone)
    if action == "unban":
        return tr("admin_unbanned" if admin.unban(rest[0]) else "admin_not_banned", what=rest[0])
    if action == "delete":
        if lobby is not None:
            _throw_out(lobby, rest[0], names_only=True)
        words = admin.delete(rest[0])
        if lobby is not None:
            _recompute(lobby)
        return words
    if action == "tournament":
        words = admin.start_tournament(int(rest[0]), rest[1:]) if rest else admin.stop_tournament()
        if lobby is not None:
            lobby.load_tournament()
        return words
    if lobby is None:
        raise UserError(tr("admin_closed"))
    if action == "end":
        if not _end_game(lobby, int(rest[0])):
            raise UserError(tr("admin_no_game", number=rest[0]))
        return tr("admin_ended", number=rest[0])
    return tr("admin_said", count=_announce(lobby, rest[0]))


def obey_all(lobby: Lobby) -> None:
    """Carry out the orders waiting in the file of the open club."""
    for number, what in lobby.admin.waiting():
        try:
            result = obey(lobby.admin, lobby, what)
            lobby.log(tr("operator", what=" ".join(what)))
        except UserError as error:
            result = f"!{error}"
        lobby.admin.done(number, result)


def _recompute(lobby: Lobby) -> None:
    """Recompute ratings and conduct after a player was renamed or deleted, which also updates the page's table."""
    lobby.ratings = Ratings.of_store(lobby.store)
    lobby.conduct = Conduct(lobby.store.endings())
    lobby.version += 1


def _renamed(lobby: Lobby, name: str, new: str) -> None:
    """Apply a player's new name to its sessions."""
    for session in lobby.sessions:
        account = session.account
        if account is not None and account.kind == "person" and lookup(account.name) == lookup(name):
            session.account = replace(account, name=new)
    _recompute(lobby)


def _throw_out(lobby: Lobby, what: str, names_only: bool = False) -> int:
    """Disconnect everybody with this name or from this address; return how many."""
    gone = 0
    for session in list(lobby.sessions):
        account = session.account
        named = account is not None and skeleton(account.name) == skeleton(what) and session.computer is None
        if named or (not names_only and session.line.address and session.line.address == address_block(what)):
            gone += 1
            session.drop("thrown out")
    return gone + (lobby.other_guests.throw_out(what, names_only) if lobby.other_guests is not None else 0)


def _end_game(lobby: Lobby, number: int) -> bool:
    """End a game without a result; return False if it is not running."""
    relay = next((r for r in lobby.relays if r.game.id == number), None)
    if relay is not None:
        relay.close("ended")
    return relay is not None


def _announce(lobby: Lobby, text: str) -> int:
    """Send a text to everybody who has chat; return the number of people."""
    for session in lobby.sessions:
        with speaking(session.language):
            session.send_text(tr("announcement", text=text))
    for relay in lobby.relays:
        for side in (0, 1):
            with speaking(relay.players[side].language):
                relay.tell(side, tr("announcement", text=text))
    words = tr("announcement", text=text)
    others = lobby.other_guests.announce(words) if lobby.other_guests is not None else 0
    return sum(v.computer is None for v in lobby.sessions) + others


def back_up(path: Path, target: Path) -> None:
    """Copy a club's file consistently, also while the club is open: SQLite's own backup."""
    if target.exists():
        raise UserError(tr("backup_there", file=target))
    try:
        with contextlib.closing(sqlite3.connect(path)) as source:
            source.execute("select count(*) from player")
            try:
                with contextlib.closing(sqlite3.connect(target)) as copy:
                    source.backup(copy)
                    copy.execute("pragma journal_mode = delete")
            except BaseException:
                # an incomplete copy would pass for a complete one, and block the next backup
                with contextlib.suppress(OSError):
                    target.unlink()
                raise
    except sqlite3.Error as error:
        raise UserError(tr("backup_failed", file=path, target=target, reason=error)) from None


def _key(what: str) -> str:
    """Return a ban's key: an address as limits group them, a name as its skeleton."""
    where = address_block(what)
    is_address = where != what or what.count(".") == 3 or ":" in what
    return f"address {where}" if is_address else f"name {skeleton(what)}"
