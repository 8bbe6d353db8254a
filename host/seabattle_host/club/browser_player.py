"""A player at the page: one side of a serial game whose line ends in this process, and the page's view of it.

The rules and the protocol are every player's: a link, a field and a radar. Orders come in and views go out as plain
data: the page knows no protocol. The player outlives the page, so that a reload or a lost network ends no game; one
without a page for too long has left.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any

from seabattle import field as fields
from seabattle import link as links
from seabattle import wire
from seabattle.fair import EV_JURY, SHOWN, FairPlayer
from seabattle.field import OK
from seabattle.gunner import BUSY, DENSITY, Gunner
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.club import browser_view
from seabattle_host.club.browser_orders import ORDERS
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.line import InnerLine
from seabattle_host.club.names import as_nick
from seabattle_host.club.session import CLUB_NICK, Session
from seabattle_host.club.wording import speaking
from seabattle_host.language.messages import tr
from seabattle_host.language.text import encode_chat
from seabattle_host.player import salvo_lines
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.runner import Event

SIZES = {10: (1, 2, 3, 4), 8: (0, 1, 2, 4), 6: (0, 0, 1, 2)}
"""Field sizes that a player may choose, with their ships of four, three, two and one decks."""

_SALVO, _NO_SALVO = salvo_lines.plain_line(salvo_lines.OFFER).decode(), salvo_lines.plain_line(salvo_lines.NO)
_LOG_MOST = 120
_SEED_MOST = (1 << 30) - 1
_WHY = {
    fields.OUT: "place_out",
    fields.NONE_LEFT: "place_none_left",
    fields.OVERLAP: "place_overlap",
    fields.TOUCH: "place_touch",
    fields.WALL: "place_wall",
}
_TOLD = (
    links.EV_BATTLE,
    links.EV_SHOT,
    links.EV_ANSWER,
    links.EV_OVER,
    links.EV_RESTART,
    links.EV_GOODBYE,
    links.EV_LEFT,
    links.EV_TIMEOUT,
    links.EV_RESUMED,
    links.EV_BROKEN,
    links.EV_ACCUSED,
    links.EV_PEER_TIMEOUT,
    links.EV_CHAT_LOST,
)
_RESULTS = {links.WE_WON: "won", links.WE_LOST: "lost"}
_ENDINGS = {links.BY_SHOTS: "shots", links.BY_SURRENDER: "surrender", links.BY_PROOF: "proof"}
_GONE = (
    links.EV_GOODBYE,
    links.EV_LEFT,
    links.EV_PEER_TIMEOUT,
    links.EV_PEER_RESET,
    links.EV_IDLE,
    links.EV_BROKEN,
    links.EV_ACCUSED,
)


class BrowserPlayer:
    """nick: the player's name.

    role: MASTER or SLAVE, as the club needs one. size: a key of SIZES, offered as a master. changed: called when the
    view has changed.
    """

    def __init__(
        self,
        nick: str,
        address: str,
        role: int,
        size: int,
        language: str,
        limits: Limits,
        changed: Callable[[], None],
    ):
        self._loop = asyncio.get_running_loop()
        self.line = InnerLine("browser", self._loop)
        self.line.address = address
        self.line.name = f"browser {address}"
        self.line.to_player = self._hear
        self.session: Session | None = None
        self.language = language
        self.away = 0
        """Ticks without an open page."""
        self.looked_at = False
        self.pin = ""
        """PIN to send once the club knows the name."""
        self.bot = ""
        """Level of the computer to ask for, "any" or empty for none."""
        self.changed = changed
        self._limits = limits
        self._size = size
        rng = Rng(secrets.randbelow(_SEED_MOST))
        self.link = Link(role, rng)
        data = as_nick(nick)
        if data:
            self.link.nick(data, len(data))
        self.game = FairPlayer(self.link, rng, Sealer())
        self._gunner = Gunner(self.game.radar, rng, DENSITY)
        self.peer = ""
        self.is_ready = False
        self._fought = False
        self._result: dict[str, str] | None = None
        """What the page says of a finished game: won, lost or none, and how it ended."""
        self._counted: dict[str, str] | None = None
        """How the club counts the last game, which may end by the club's clock or by what the opponent did."""
        self.gone = ""
        """The name of the last opponent if it has left before the battle."""
        self._shown: dict[str, Any] = {}
        """Fields of a finished game, kept after the opponent has left."""
        self.leaving = 0
        """Ticks since a goodbye, 0 for none."""
        self.dismissed = False
        """The player has asked for the next game."""
        self._decks = b""
        self._cache = browser_view.FieldCache()
        self._hint = -1
        self._aiming = False
        self._offered = False
        self._trouble = False
        self.texts: deque[bytes] = deque()
        self._log: deque[dict[str, Any]] = deque(maxlen=_LOG_MOST)
        self._count = 0

    # The line.

    def tick(self) -> None:
        """Advance by one tick."""
        if not self.looked_at:
            self.away += 1
            if self.away > ticks(self._limits.stall):
                self.leave()
                return
        if self.leaving:
            self.leaving += 1
            if self.link.closed or self.leaving > wire.REPLY_TICKS + 2:
                self.leave()
                return
        self.link.tick()
        self._events()
        self._go_on()
        self._send()

    def decks(self) -> list[int]:
        """Implement LocalPlayer."""
        ship = self.game.field.ship
        return [cell for cell in range(len(ship)) if ship[cell]]

    def _hear(self, data: bytes) -> None:
        for byte in data:
            self.link.rx(byte)
            self._events()
        self._go_on()
        self._send()

    def _send(self) -> None:
        byte = self.link.tx()
        if byte < 0:
            return
        out = bytearray()
        while byte >= 0:
            out.append(byte)
            byte = self.link.tx()
        if not self.line.closed:
            self.line.hear(bytes(out))

    def _go_on(self) -> None:
        """Do what needs no order: a master offers its parameters, queued chat is sent.

        Called each tick; usually there is nothing to do.
        """
        link = self.link
        if link.closed and not self.leaving:
            link.open(link.role)
        session = self.session
        if not self._offered and link.state == 1 and link.role == wire.MASTER and self._result is None:
            wanted = session is not None and session.queued
            self._offered = wanted and link.offer(self._size, *SIZES[self._size]) == links.DONE
        if (self.pin or self.bot) and session is not None and session.account is not None:
            self._ask_club(session)
        if self.texts and not link.busy:
            text = self.texts[0]
            code = link.send_chat(text, len(text))
            if code in (links.DONE, links.OUT_OF_RANGE):
                self.texts.popleft()
            elif code == links.NO_CHAT:
                self.texts.clear()
                self.tell("info", self.phrase("peer_has_no_chat"))

    def _ask_club(self, session: Session) -> None:
        """Send the PIN or ask for a computer, once the club listens."""
        link = self.link
        if not link.state or link.chat != links.CHAT_YES:
            return
        if self.pin:
            self.texts.extend(encode_chat(f"pin {self.pin}"))
            self.pin = ""
        elif session.waits and session.ready:
            self.texts.extend(encode_chat(f"bot {'' if self.bot == 'any' else self.bot}"))
            self.bot = ""

    @property
    def closed(self) -> bool:
        """Whether the club has closed the line or the player has left."""
        return self.line.closed

    def leave(self) -> None:
        """Close the line: the player has left or is given up."""
        if not self.line.closed:
            gone = self.line.gone
            self.line.close()
            gone("left the page")
        self.changed()

    # Events.

    def _events(self) -> None:
        while code := self.game.poll():
            with speaking(self.language):
                self._event(Event.from_link(code, self.game))

    def _event(self, event: Event) -> None:
        link, code = self.link, event.code
        if code in _TOLD and code != links.EV_TIMEOUT and (self.peer or self._fought):
            self.tell("shot" if code in (links.EV_SHOT, links.EV_ANSWER) else "info", event.words())
        if code == links.EV_MET:
            self._offered = False
        elif code == links.EV_NICK:
            self.peer = "" if event.text == CLUB_NICK.decode() else event.text
            if self.peer:
                self.gone = ""
                self.tell("info", self.phrase("you_play", name=self.peer))
        elif code == links.EV_CHAT:
            joined = self.session is not None and self.session.relay is not None
            if joined and event.text == _SALVO:
                # not for human eyes; the page plays salvos at tables of its own
                self.texts.append(_NO_SALVO)
            else:
                self.tell("peer" if joined else "club", event.text, self.peer if joined else "")
        elif code in (links.EV_RESTART, links.EV_PLACING):
            self._offered = self._offered and code != links.EV_RESTART
            self._begin()
        elif code == links.EV_BATTLE:
            self._fought = True
            self._counted = None
        elif code in (links.EV_ANSWER, links.EV_SHOT):
            self._hint = -1
        elif code == links.EV_OVER:
            self._over(_RESULTS.get(event.a, "none"), _ENDINGS[event.b])
        elif code == EV_JURY:
            self.tell("jury", event.words())
            if event.a == SHOWN:
                self._decks = event.decks
        elif code == links.EV_TIMEOUT:
            self._trouble = True
        elif code == links.EV_RESUMED:
            self._trouble = False
        if code in _GONE:
            self._left()
        self.changed()
        if link.key_awaited and code != links.EV_TIMEOUT:
            link.key()

    def on_result(self, won: bool | None, ending: str) -> None:
        """Implement LocalPlayer."""
        self._counted = {"result": "none" if won is None else "won" if won else "lost", "how": ending}
        if self._result is not None and self._result["how"] == "left":
            # the page's own link has found the end first
            self._result = self._counted
            self.changed()

    def _over(self, result: str, how: str) -> None:
        self._result = {"result": result, "how": how}
        if self.session is not None:
            # a player who is looking at the end of a game is not paired again at once
            self.session.queued = False

    def _left(self) -> None:
        """End the session, and its game if there was one."""
        self._trouble = False
        if self._fought and self._result is None:
            self._over(**(self._counted or {"result": "none", "how": "left"}))
        if self._result is None:
            self.gone = self.peer or self.gone
        if self._result is not None and not self._shown:
            # the link has forgotten the parameters by now, the game has not
            self._shown = browser_view.fields(self.game, self._cache, self._decks)
        self._fought = self.is_ready = self._offered = False
        self.peer = ""
        self.texts.clear()
        if self.session is not None and self.session.roles.turning:
            self.link.open(wire.SLAVE)

    def _begin(self) -> None:
        """Start a game. If the opponent started it, the player sees the end of the last one until dismiss()."""
        if self._result is not None and not self._shown:
            self._shown = self._fields()
        self._fought = self.is_ready = False
        self._hint = -1
        if self.dismissed:
            self.dismiss()

    def dismiss(self) -> None:
        """Leave the end of the last game and queue again."""
        self.dismissed = False
        self._result = None
        self._shown = {}
        self._decks = b""
        if self.session is not None:
            self.session.queued = True

    def tell(self, kind: str, text: str, name: str = "") -> None:
        self._count += 1
        self._log.append({"n": self._count, "kind": kind, "text": text, "name": name})
        self.changed()

    def phrase(self, key: str, **details: object) -> str:
        with speaking(self.language):
            return tr(key, **details)

    # Orders.

    def order(self, order: dict[str, Any]) -> None:
        """Carry out an order of the player.

        One that makes no sense now changes nothing, and is explained where that helps.
        """
        handler = ORDERS.get(str(order.get("do")))
        if handler is None or self.line.closed:
            return
        with contextlib.suppress(KeyError, TypeError, ValueError):
            handler(self, order)
        self._events()
        self._go_on()
        self._send()
        self.changed()

    def tell_refusal(self, code: int) -> None:
        """Explain why a ship may not be placed; `code` is the result of Field.place()."""
        if code != OK:
            self.tell("refused", self.phrase(_WHY[code]))

    def cell(self, order: dict[str, Any]) -> int:
        """Return the cell that an order names. Raises ValueError if it is off the field."""
        x, y = int(order["x"]), int(order["y"])
        field = self.game.field
        if not (0 <= x < field.width and 0 <= y < field.height):
            raise ValueError
        return y * field.width + x

    def aim(self, shoot: bool) -> None:
        """Choose a cell, and shoot there or show it as a hint."""
        if not self._aiming and self.game.radar.unknown:
            self._aiming = True
            self._gunner.aim_start()
            self._loop.call_soon(self._think, shoot, self.game.my_shots)

    def _think(self, shoot: bool, shots: int) -> None:
        """Think for one step, then yield to the loop."""
        for _ in range(4):
            cell = self._gunner.aim_step()
            if cell != BUSY:
                break
        if self.game.my_shots != shots or not self.link.my_turn:
            self._aiming = False
        elif cell == BUSY:
            self._loop.call_soon(self._think, shoot, shots)
        else:
            self._aiming = False
            if shoot:
                self.game.shoot(cell)
                self._send()
            else:
                self._hint = cell
            self.changed()

    # The view.

    @property
    def placing(self) -> bool:
        """Whether the ships may be moved."""
        return self.link.state in (2, 3) and not self.is_ready

    @property
    def phase(self) -> str:
        """The screen that the page shows."""
        link = self.link
        if self.closed:
            return "closed"
        if self._result is not None:
            return "over"
        if link.state in (2, 3):
            return "ready" if self.is_ready else "placing"
        if link.state == 4:
            return "battle"
        return "queue" if link.state == 1 else "seeking"

    def view(self, since: int) -> dict[str, Any]:
        """Return everything the page shows; of the log only what comes after line `since`."""
        link, player = self.link, self.game
        seen = {
            "phase": self.phase,
            "me": self.session.name if self.session is not None and self.session.account else "",
            "peer": self.peer,
            "master": link.role == wire.MASTER,
            "mine": link.mine,
            "myTurn": link.my_turn,
            "result": self._result,
            "trouble": self._trouble,
            "gone": self.gone,
            "canAsk": player.can_ask(),
            "together": bool(self.peer),
            "chat": link.chat == links.CHAT_YES,
            "hint": browser_view.at(self._hint, player.fleet.width),
            "log": [line for line in self._log if line["n"] > since],
            **(self._shown or self._fields()),
        }
        if self.placing:
            seen["legal"] = self._cache.legal(player.field)
        return seen

    def _fields(self) -> dict[str, Any]:
        return browser_view.fields(self.game, self._cache, self._decks) if self.link.agreed else {"size": 0}
