"""A person at the page: a seat at a serial game whose line ends in this process, and who is told what it shows.

The rules and the protocol are those of every player: a link, a field and a radar. What the person orders comes as plain
data, and what there is to see goes out as plain data: the page knows neither. The seat outlives the page, so that a
reload or a lost network ends no game; who stays away for too long has left.
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
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.line import InnerLine
from seabattle_host.club.names import as_nick
from seabattle_host.club.session import CLUB_NICK, Visitor
from seabattle_host.club.wording import speaking
from seabattle_host.language import words
from seabattle_host.language.club_phrases import say
from seabattle_host.language.text import encode_chat
from seabattle_host.player.runner import Event
from seabattle_host.player.sealing import Sealer

SIZES = {10: (1, 2, 3, 4), 8: (0, 1, 2, 4), 6: (0, 0, 1, 2)}
"""Fields that a person may choose, with their ships of four, three, two and one decks."""

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
_GONE = (
    links.EV_GOODBYE,
    links.EV_LEFT,
    links.EV_PEER_TIMEOUT,
    links.EV_PEER_RESET,
    links.EV_IDLE,
    links.EV_BROKEN,
    links.EV_ACCUSED,
)


class Browser:
    """nick: what the person is called. role: MASTER or SLAVE, as the club needs one. size: a key of SIZES, what is
    offered as a master. changed: called when there is something new to see."""

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
        self.visitor: Visitor | None = None
        self.language = language
        self.away = 0
        """Ticks without a page that looks."""
        self.looked_at = False
        self.pin = ""
        """To be given when the club has asked for the name."""
        self.bot = ""
        """The level of a computer that is to come."""
        self.changed = changed
        self._limits = limits
        self._size = size
        rng = Rng(secrets.randbelow(_SEED_MOST))
        self._link = Link(role, rng)
        data = as_nick(nick)
        if data:
            self._link.nick(data, len(data))
        self._player = FairPlayer(self._link, rng, Sealer())
        self._gunner = Gunner(self._player.radar, rng, DENSITY)
        self._peer = ""
        self._ready = False
        self._fought = False
        self._result: dict[str, Any] | None = None
        self._shown: dict[str, Any] = {}
        """The fields of a game that is over, after the opponent has left."""
        self._leaving = 0
        """Ticks that a goodbye has taken, 0 for none."""
        self._dismissed = False
        """The person has asked for the next game."""
        self._decks = b""
        self._hint = -1
        self._aiming = False
        self._offered = False
        self._trouble = ""
        self._texts: deque[bytes] = deque()
        self._log: deque[dict[str, Any]] = deque(maxlen=_LOG_MOST)
        self._count = 0

    # The line.

    def tick(self) -> None:
        """One tick has passed."""
        if not self.looked_at:
            self.away += 1
            if self.away > ticks(self._limits.stall):
                self.leave()
                return
        if self._leaving:
            self._leaving += 1
            if self._link.closed or self._leaving > wire.REPLY_TICKS + 2:
                self.leave()
                return
        self._link.tick()
        self._events()
        self._go_on()
        self._send()

    def _hear(self, data: bytes) -> None:
        for byte in data:
            self._link.rx(byte)
            self._events()
        self._go_on()
        self._send()

    def _send(self) -> None:
        out = bytearray()
        while (byte := self._link.tx()) >= 0:
            out.append(byte)
        if out and not self.line.closed:
            self.line.hear(bytes(out))

    def _go_on(self) -> None:
        """What follows by itself: a master offers its parameters, a line of chat goes out."""
        link = self._link
        if link.closed and not self._leaving:
            link.open(link.role)
        wanted = self._result is None and self.visitor is not None and self.visitor.queued
        if wanted and link.role == wire.MASTER and link.state == 1 and not self._offered:
            self._offered = link.offer(self._size, *SIZES[self._size]) == links.DONE
        visitor = self.visitor
        if visitor is not None and visitor.member is not None and link.state and link.chat == links.CHAT_YES:
            if self.pin:
                self._texts.extend(encode_chat(f"pin {self.pin}"))
                self.pin = ""
            elif self.bot and visitor.waits and visitor.ready:
                self._texts.extend(encode_chat(f"bot {'' if self.bot == 'any' else self.bot}"))
                self.bot = ""
        if self._texts and not link.busy:
            text = self._texts[0]
            code = link.say(text, len(text))
            if code in (links.DONE, links.OUT_OF_RANGE):
                self._texts.popleft()
            elif code == links.NO_CHAT:
                self._texts.clear()
                self._tell("info", self._say("peer_has_no_chat"))

    @property
    def closed(self) -> bool:
        """The club has closed the line, or the person has left."""
        return self.line.closed

    def leave(self) -> None:
        """The person has gone, or is given up."""
        if not self.line.closed:
            gone = self.line.gone
            self.line.close()
            gone("left the page")
        self.changed()

    # Events.

    def _events(self) -> None:
        while code := self._player.poll():
            with speaking(self.language):
                self._event(Event.of(code, self._player))

    def _event(self, event: Event) -> None:
        link, code = self._link, event.code
        if code in _TOLD and (self._peer or self._fought):
            self._tell("shot" if code in (links.EV_SHOT, links.EV_ANSWER) else "info", event.words())
        if code == links.EV_MET:
            self._offered = False
        elif code == links.EV_NICK:
            self._peer = "" if event.text == CLUB_NICK.decode() else event.text
            if self._peer:
                self._tell("info", self._say("you_play", name=self._peer))
        elif code == links.EV_CHAT:
            joined = self.visitor is not None and self.visitor.relay is not None
            self._tell("peer" if joined else "club", event.text, self._peer if joined else "")
        elif code in (links.EV_RESTART, links.EV_PLACING):
            self._offered = self._offered and code != links.EV_RESTART
            self._begin()
        elif code == links.EV_BATTLE:
            self._fought = True
        elif code in (links.EV_ANSWER, links.EV_SHOT):
            self._hint = -1
        elif code == links.EV_OVER:
            self._over({links.WE_WON: "won", links.WE_LOST: "lost"}.get(event.a, "none"), event.words())
        elif code == EV_JURY:
            self._tell("jury", event.words())
            if event.a == SHOWN:
                self._decks = event.decks
        elif code == links.EV_TIMEOUT:
            self._trouble = event.words()
        elif code == links.EV_RESUMED:
            self._trouble = ""
        if code in _GONE:
            self._left(event)
        self.changed()
        if link.key_awaited and code != links.EV_TIMEOUT:
            link.key()

    def _over(self, result: str, text: str) -> None:
        self._result = {"result": result, "text": text}
        if self.visitor is not None:
            # who looks at the end of a game is not given the next one under the eyes
            self.visitor.queued = False

    def _left(self, event: Event) -> None:
        """The session is over: the game with it, if there was one."""
        self._trouble = ""
        if self._fought and self._result is None:
            self._over("none", event.words())
        if self._result is not None and not self._shown:
            self._shown = self._fields()
        self._fought = self._ready = self._offered = False
        self._peer = ""
        self._texts.clear()
        if self.visitor is not None and self.visitor.turning:
            self._link.open(wire.SLAVE)

    def _begin(self) -> None:
        """A game begins. Where the opponent begins it the person still sees the end of the last one, until it is told
        to go on."""
        if self._result is not None and not self._shown:
            self._shown = self._fields()
        self._fought = self._ready = False
        self._hint = -1
        if self._dismissed:
            self._dismiss()

    def _dismiss(self) -> None:
        """The last game has been looked at."""
        self._dismissed = False
        self._result = None
        self._shown = {}
        self._decks = b""
        if self.visitor is not None:
            self.visitor.queued = True

    def _tell(self, kind: str, text: str, name: str = "") -> None:
        self._count += 1
        self._log.append({"n": self._count, "kind": kind, "text": text, "name": name})
        self.changed()

    def _say(self, key: str, **details: object) -> str:
        with speaking(self.language):
            return say(key, **details)

    # Orders.

    def order(self, order: dict[str, Any]) -> None:
        """What the person wants. What makes no sense now changes nothing, and says why where that helps."""
        handler = getattr(self, f"_do_{order.get('do')}", None)
        if handler is None or self.line.closed:
            return
        with contextlib.suppress(KeyError, TypeError, ValueError):
            handler(order)
        self._events()
        self._go_on()
        self._send()
        self.changed()

    def _do_place(self, order: dict[str, Any]) -> None:
        x, y, length = (int(order[key]) for key in ("x", "y", "length"))
        if self.placing:
            self._refused(self._player.field.place(x, y, length, bool(order["vertical"])))

    def _do_remove(self, order: dict[str, Any]) -> None:
        if self.placing:
            self._player.field.remove(self._cell(order))

    def _do_move(self, order: dict[str, Any]) -> None:
        """A ship to another place, and another direction; it stays where it is if it may not go there."""
        field = self._player.field
        if not self.placing:
            return
        old = browser_view.ship_at(field, self._cell(order))
        if old is None:
            return
        x, y = int(order["to_x"]), int(order["to_y"])
        field.remove(old[1] * field.width + old[0])
        code = field.place(x, y, old[2], bool(order["vertical"]))
        if code != OK:
            field.place(*old)
            self._refused(code)

    def _do_turn(self, order: dict[str, Any]) -> None:
        old = browser_view.ship_at(self._player.field, self._cell(order))
        if old is not None and old[2] > 1:
            self._do_move({**order, "to_x": old[0], "to_y": old[1], "vertical": not old[3]})

    def _do_random(self, _order: dict[str, Any]) -> None:
        if self.placing:
            self._player.field.random(self._player.rng)

    def _do_fill(self, _order: dict[str, Any]) -> None:
        if self.placing and not self._player.field.fill(self._player.rng):
            self._tell("refused", self._say("place_no_fill"))

    def _do_clear(self, _order: dict[str, Any]) -> None:
        if self.placing:
            self._player.field.clear()

    def _do_ready(self, _order: dict[str, Any]) -> None:
        if self.placing and self._player.ready() == links.DONE:
            self._ready = True

    def _do_shoot(self, order: dict[str, Any]) -> None:
        self._player.shoot(self._cell(order))

    def _do_hint(self, _order: dict[str, Any]) -> None:
        if self._link.my_turn:
            self._aim(False)

    def _do_aim(self, _order: dict[str, Any]) -> None:
        if self._link.mine:
            self._aim(True)

    def _do_say(self, order: dict[str, Any]) -> None:
        text = str(order["text"])[:200]
        parts = encode_chat(text)
        # a line that begins like those by which programs show their fields would be taken for one
        if parts and not text.lstrip().startswith("#") and len(self._texts) < 8:
            self._texts.extend(parts)
            self._tell("me", text)

    def _do_bot(self, order: dict[str, Any]) -> None:
        if self.visitor is not None and self.visitor.relay is None:
            self.bot = str(order["level"])[:10]

    def _do_pin(self, order: dict[str, Any]) -> None:
        if self.visitor is not None and self.visitor.relay is None:
            self.pin = str(order["pin"])[:12]

    def _do_surrender(self, _order: dict[str, Any]) -> None:
        self._link.surrender()

    def _do_ask(self, _order: dict[str, Any]) -> None:
        self._player.ask()

    def _do_key(self, _order: dict[str, Any]) -> None:
        if self._link.key_awaited:
            self._link.key()

    def _do_again(self, _order: dict[str, Any]) -> None:
        """Another game with the same opponent: the master begins it, a slave asks for it."""
        if self._link.state != 9:
            self._dismiss()
        elif self._link.role == wire.MASTER:
            self._dismissed = True
            self._link.restart()
        else:
            self._dismissed = True
            self._do_say({"text": self._say("again_please")})

    def _do_next(self, _order: dict[str, Any]) -> None:
        """Another opponent."""
        if self.visitor is None:
            return
        self._dismiss()
        self._ready = False
        if self._link.state in (2, 3, 4, 9) and self.visitor.relay is not None:
            self._link.goodbye()
            self._peer = ""

    def _do_language(self, order: dict[str, Any]) -> None:
        if order["language"] in words.LANGUAGES:
            self.language = str(order["language"])

    def _do_goodbye(self, _order: dict[str, Any]) -> None:
        if not self._leaving:
            self._leaving = 1
            self._link.goodbye()

    def _refused(self, code: int) -> None:
        if code != OK:
            self._tell("refused", self._say(_WHY[code]))

    def _cell(self, order: dict[str, Any]) -> int:
        x, y = int(order["x"]), int(order["y"])
        field = self._player.field
        if not (0 <= x < field.width and 0 <= y < field.height):
            raise ValueError
        return y * field.width + x

    def _aim(self, shoot: bool) -> None:
        if not self._aiming and self._player.radar.unknown:
            self._aiming = True
            self._gunner.aim_start()
            self._loop.call_soon(self._think, shoot, self._player.my_shots)

    def _think(self, shoot: bool, shots: int) -> None:
        """Think for a moment; the loop has others to serve."""
        for _ in range(4):
            cell = self._gunner.aim_step()
            if cell != BUSY:
                break
        if self._player.my_shots != shots or not self._link.my_turn:
            self._aiming = False
        elif cell == BUSY:
            self._loop.call_soon(self._think, shoot, shots)
        else:
            self._aiming = False
            if shoot:
                self._player.shoot(cell)
                self._send()
            else:
                self._hint = cell
            self.changed()

    # What there is to see.

    @property
    def placing(self) -> bool:
        """The ships may be moved."""
        return self._link.state in (2, 3) and not self._ready

    @property
    def phase(self) -> str:
        """Which screen the page shows."""
        link = self._link
        if self.closed:
            return "closed"
        if self._result is not None:
            return "over"
        if link.state in (2, 3):
            return "ready" if self._ready else "placing"
        if link.state == 4:
            return "battle"
        return "queue" if link.state == 1 else "seeking"

    def view(self, since: int) -> dict[str, Any]:
        """Everything that the page shows, and what has been said after the line `since`."""
        link, player = self._link, self._player
        seen = {
            "phase": self.phase,
            "me": self.visitor.name if self.visitor is not None and self.visitor.member else "",
            "peer": self._peer,
            "master": link.role == wire.MASTER,
            "mine": link.mine,
            "myTurn": link.my_turn,
            "result": self._result,
            "trouble": self._trouble,
            "canAsk": player.can_ask(),
            "together": bool(self._peer),
            "chat": link.chat == links.CHAT_YES,
            "hint": browser_view.at(self._hint, player.fleet.width),
            "log": [line for line in self._log if line["n"] > since],
            **(self._shown or self._fields()),
        }
        if self.placing:
            seen["legal"] = browser_view.legal(player.field)
        return seen

    def _fields(self) -> dict[str, Any]:
        return browser_view.fields(self._player, self._decks) if self._link.agreed else {"size": 0}
