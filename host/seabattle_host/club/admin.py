"""What the operator of a club may do to it, also while it is open.

Anybody with write access puts orders into the club's file, and the open club takes them from there; for a closed club
the command does the work itself.
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
from seabattle_host.club.limits import place
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
    """The operator's part of a club's file."""

    def __init__(self, store: Store):
        self._store = store
        self._db = store.db

    # Orders.

    def order(self, *what: str) -> int:
        """Leave an order for the open club; its number."""
        return self._db.insert("insert into operator_order (what) values (?)", json.dumps(what))

    def waiting(self) -> list[tuple[int, list[str]]]:
        """The orders that are still to be done."""
        rows = self._db.rows("select id, what from operator_order where result is null order by id")
        return [(number, json.loads(what)) for number, what in rows]

    def done(self, number: int, result: str) -> None:
        """What an order has come to."""
        self._db.change("update operator_order set result = ? where id = ?", result, number)

    def result(self, number: int) -> str | None:
        """The same, None while it is not done; an order that was done is forgotten."""
        row = self._db.row("select result from operator_order where id = ?", number)
        if row is None or row[0] is None:
            return None
        self._db.change("delete from operator_order where id = ?", number)
        return str(row[0])

    def forget(self) -> None:
        """Orders of another time are nobody's business."""
        self._db.change("delete from operator_order")

    # Bans.

    def ban(self, what: str, days: float | None = None) -> None:
        """Neither this name nor this address may come."""
        until = _FOR_EVER
        if days is not None:
            until = (datetime.now(timezone.utc) + timedelta(days=days)).isoformat()
        self._db.change("insert or replace into ban values (?,?)", _key(what), until)

    def unban(self, what: str) -> bool:
        """They may again; False if they might before."""
        return self._db.change("delete from ban where what = ?", _key(what)) > 0

    def banned(self, what: str) -> bool:
        """Whether a name or an address may not come."""
        now = datetime.now(timezone.utc).isoformat()
        return self._db.row("select 1 from ban where what = ? and until > ?", _key(what), now) is not None

    def bans(self) -> list[tuple[str, str]]:
        """What is banned, and until when; empty for always."""
        rows = self._db.rows("select what, until from ban order by what")
        return [(what.partition(" ")[2], "" if until == _FOR_EVER else until[:16]) for what, until in rows]

    # A player's data.

    def delete(self, name: str) -> str:
        """Forget a player: name, PIN, and the bytes of its games, in which its chat is. The games stay, for the sake of
        the others who played them, with somebody without a name."""
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
        """Another name for a player."""
        new = " ".join(new.split())
        if not 1 <= len(new) <= 10:
            raise UserError(tr("admin_bad_name", name=new))
        self._store.rename(self._known(name), new)
        return tr("admin_renamed", name=name, new=new)

    # Tournaments.

    def start_tournament(self, rounds: int, names: list[str]) -> str:
        """Let these play each other, in so many Swiss rounds, or for 0 everybody everybody."""
        players = [self._known(name) for name in names]
        if len(players) < 2 or len(set(players)) < len(players):
            raise UserError(tr("tournament_players"))
        self._store.start_tournament(players, rounds)
        return tr("tournament_begun", count=len(players))

    def stop_tournament(self) -> str:
        """Let it be over."""
        if not self._store.stop_tournament():
            raise UserError(tr("tournament_none"))
        return tr("tournament_stopped")

    def _known(self, name: str) -> int:
        account = self._store.account(name)
        if account is None:
            raise UserError(tr("admin_nobody", name=name))
        return account.id


def obey(admin: Administration, lobby: Lobby | None, what: list[str]) -> str:
    """Do an order, in the open club `lobby` or in the file of a closed one; what it came to. Raises UserError."""
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
            _count_anew(lobby)
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
    """Do the orders that wait in the file of the open club."""
    for number, what in lobby.admin.waiting():
        try:
            result = obey(lobby.admin, lobby, what)
            lobby.log(tr("operator", what=" ".join(what)))
        except UserError as error:
            result = f"!{error}"
        lobby.admin.done(number, result)


def _count_anew(lobby: Lobby) -> None:
    """Somebody's games belong to nobody any more."""
    lobby.ratings = Ratings.of_store(lobby.store)
    lobby.conduct = Conduct(lobby.store.endings())
    lobby.version += 1


def _renamed(lobby: Lobby, name: str, new: str) -> None:
    """A player who may be here has another name."""
    for session in lobby.sessions:
        account = session.account
        if account is not None and account.kind == "person" and lookup(account.name) == lookup(name):
            session.account = replace(account, name=new)
    lobby.version += 1


def _throw_out(lobby: Lobby, what: str, names_only: bool = False) -> int:
    """Remove everybody with this name or from this address; returns how many."""
    gone = 0
    for session in list(lobby.sessions):
        account = session.account
        named = account is not None and skeleton(account.name) == skeleton(what) and session.computer is None
        if named or (not names_only and session.line.address and session.line.address == place(what)):
            gone += 1
            session.drop("thrown out")
    return gone + (lobby.other_guests.throw_out(what, names_only) if lobby.other_guests is not None else 0)


def _end_game(lobby: Lobby, number: int) -> bool:
    """End a game without a result; False if it does not go on."""
    relay = next((r for r in lobby.relays if r.game.id == number), None)
    if relay is not None:
        relay.close("ended")
    return relay is not None


def _announce(lobby: Lobby, text: str) -> int:
    """Tell everybody who has chat; returns how many."""
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
    """A copy of a club's file as it is at one moment, also while the club is open: SQLite's own backup."""
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
                # half a copy would be taken for one, and be in the way of the next
                with contextlib.suppress(OSError):
                    target.unlink()
                raise
    except sqlite3.Error as error:
        raise UserError(tr("backup_failed", file=path, target=target, reason=error)) from None


def _key(what: str) -> str:
    """A ban's key: addresses as limits count them, names as people read them."""
    where = place(what)
    is_address = where != what or what.count(".") == 3 or ":" in what
    return f"address {where}" if is_address else f"name {skeleton(what)}"
