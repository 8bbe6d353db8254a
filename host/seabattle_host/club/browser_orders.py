"""Orders of a player at the page. One that makes no sense now changes nothing, and is explained where that helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from seabattle import link as links
from seabattle import wire
from seabattle.field import OK
from seabattle_host.club import browser_view
from seabattle_host.language import words
from seabattle_host.language.text import encode_chat

if TYPE_CHECKING:
    from seabattle_host.club.browser_player import BrowserPlayer

Order = dict[str, Any]


def place(player: BrowserPlayer, order: Order) -> None:
    """Place a ship."""
    x, y, length = (int(order[key]) for key in ("x", "y", "length"))
    if player.placing:
        player.tell_refusal(player.game.field.place(x, y, length, bool(order["vertical"])))


def remove(player: BrowserPlayer, order: Order) -> None:
    """Remove the ship at a cell."""
    if player.placing:
        player.game.field.remove(player.cell(order))


def move(player: BrowserPlayer, order: Order) -> None:
    """Move or turn a ship; it stays where it is if it may not go there."""
    field = player.game.field
    if not player.placing:
        return
    old = browser_view.ship_at(field, player.cell(order))
    if old is None:
        return
    x, y, vertical = int(order["to_x"]), int(order["to_y"]), bool(order["vertical"])
    field.remove(old[1] * field.width + old[0])
    code = field.place(x, y, old[2], vertical)
    if code != OK:
        field.place(*old)
        player.tell_refusal(code)


def turn(player: BrowserPlayer, order: Order) -> None:
    """Turn a ship about its first deck."""
    old = browser_view.ship_at(player.game.field, player.cell(order))
    if old is not None and old[2] > 1:
        move(player, {**order, "to_x": old[0], "to_y": old[1], "vertical": not old[3]})


def random(player: BrowserPlayer, _order: Order) -> None:
    """Place all ships at random."""
    if player.placing:
        player.game.field.random(player.game.rng)


def fill(player: BrowserPlayer, _order: Order) -> None:
    """Place the remaining ships at random."""
    if player.placing and not player.game.field.fill(player.game.rng):
        player.tell("refused", player.phrase("place_no_fill"))


def clear(player: BrowserPlayer, _order: Order) -> None:
    """Remove all ships."""
    if player.placing:
        player.game.field.clear()


def ready(player: BrowserPlayer, _order: Order) -> None:
    """Declare the fleet complete."""
    if player.placing and player.game.ready() == links.DONE:
        player.is_ready = True


def shoot(player: BrowserPlayer, order: Order) -> None:
    """Shoot at a cell."""
    player.game.shoot(player.cell(order))


def hint(player: BrowserPlayer, _order: Order) -> None:
    """Show a cell that the computer would shoot at."""
    if player.link.my_turn:
        player.aim(False)


def aim(player: BrowserPlayer, _order: Order) -> None:
    """Shoot at the cell that the computer chooses."""
    if player.link.mine:
        player.aim(True)


def chat(player: BrowserPlayer, order: Order) -> None:
    """Send a text to the opponent, or to the club."""
    text = str(order["text"])[:200]
    parts = encode_chat(text)
    # it would be taken for one of the lines by which programs show their fields
    if parts and not text.lstrip().startswith("#") and len(player.texts) < 8:
        player.texts.extend(parts)
        player.tell("me", text)


def bot(player: BrowserPlayer, order: Order) -> None:
    """Ask the club for a computer of a level, unless in a game."""
    if player.session is not None and player.session.relay is None:
        player.bot = str(order["level"])[:10]


def pin(player: BrowserPlayer, order: Order) -> None:
    """Send the PIN to the club, unless in a game."""
    if player.session is not None and player.session.relay is None:
        player.pin = str(order["pin"])[:12]


def surrender(player: BrowserPlayer, _order: Order) -> None:
    """Give up the game."""
    player.link.surrender()


def ask(player: BrowserPlayer, _order: Order) -> None:
    """Ask the opponent for its field."""
    player.game.ask()


def key(player: BrowserPlayer, _order: Order) -> None:
    """Acknowledge a timeout, a broken session or an accusation."""
    if player.link.key_awaited:
        player.link.key()


def again(player: BrowserPlayer, _order: Order) -> None:
    """Play the same opponent again: a master restarts, a slave asks for it."""
    if player.link.state != 9:
        player.dismiss()
    elif player.link.role == wire.MASTER:
        player.dismissed = True
        player.link.restart()
    else:
        player.dismissed = True
        chat(player, {"text": player.phrase("again_please")})


def next_opponent(player: BrowserPlayer, _order: Order) -> None:
    """Look for another opponent."""
    if player.session is None:
        return
    player.dismiss()
    player.is_ready = False
    if player.link.state in (2, 3, 4, 9) and player.session.relay is not None:
        player.link.goodbye()
        player.peer = ""


def language(player: BrowserPlayer, order: Order) -> None:
    """Choose the page's language."""
    if isinstance(order["language"], str) and order["language"] in words.LANGUAGES:
        player.language = order["language"]


def goodbye(player: BrowserPlayer, _order: Order) -> None:
    """Leave for good."""
    if not player.leaving:
        player.leaving = 1
        player.link.goodbye()


ORDERS: dict[str, Callable[[BrowserPlayer, Order], None]] = {
    "place": place,
    "remove": remove,
    "move": move,
    "turn": turn,
    "random": random,
    "fill": fill,
    "clear": clear,
    "ready": ready,
    "shoot": shoot,
    "hint": hint,
    "aim": aim,
    "say": chat,
    "bot": bot,
    "pin": pin,
    "surrender": surrender,
    "ask": ask,
    "key": key,
    "again": again,
    "next": next_opponent,
    "language": language,
    "goodbye": goodbye,
}
"""Handlers of orders, by the name in the page's messages."""
