"""Generate parts of docs/protocol.md from the table of exchanges.

    python -m seabattle_host.protocol_doc            rewrite the page in a checkout
    python -m seabattle_host.protocol_doc --check    exit 1 if the page is stale

The page is prose with marked blocks: the text between `<!-- table: NAME -->` and `<!-- end -->` is generated.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seabattle import link as links
from seabattle import wire
from seabattle.bot import BUSY, Bot
from seabattle.gunner import SHARP, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.language import words
from seabattle_host.language.text import cell_name

TABLE: tuple[Any, ...] = wire.TABLE
PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
STATES = {
    0: "looking for each other",
    1: "met: the master sends the parameters",
    2: "placing",
    3: "the master has placed",
    4: "battle",
    9: "game over",
}
WHO = {wire.MASTER: "master", wire.SLAVE: "slave", wire.BOTH: "both"}
WHEN = {wire.ALWAYS: "", wire.ON_TURN: ", on its turn", wire.AS_WINNER: ", as the winner"}
WANTS = {
    wire.HARD: "a timeout: the player is told and presses a key, `A0`",
    wire.SOFT: "reported, the session goes on",
    wire.OPTIONAL: "no error",
}
_FIELD = {"l": "L", "nick": "nick[L]", "text": "text[L]", "size": "X", "x": "X", "y": "Y"}


def frame(op: int, fields: str) -> str:
    """Format a frame as the protocol writes it, for example `C0 X Y`."""
    return " ".join([f"{op:02X}", *(_FIELD.get(f, f) for f in fields.split())])


def states(mask: int) -> str:
    """Format the states of a bit mask, for example `1 2 3 4`."""
    return " ".join(str(s) for s in STATES if mask >> s & 1)


def replies(row: tuple[Any, ...]) -> str:
    """Format all replies to a command of the table."""
    if row[wire.OPCODE] == wire.SHOT:
        return ", ".join(f"`{op:02X}` {meaning}" for op, meaning in wire.SHOT_REPLIES)
    return f"`{frame(row[wire.REPLY], row[wire.REPLY_FIELDS])}`"


def exchanges() -> str:
    """Format the table of exchanges as Markdown."""
    lines = [
        "| command | name | sender | in states | reply | next state | no reply within 60 ticks |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in TABLE:
        following = "" if row[wire.NEXT] == wire.SAME else str(row[wire.NEXT])
        sender = WHO[row[wire.SENDER]] + WHEN[row[wire.WHEN]]
        lines.append(
            f"| `{frame(row[wire.OPCODE], row[wire.FIELDS])}` | {row[wire.NAME]} | {sender} "
            f"| {states(row[wire.STATES])} | {replies(row)} | {following} | {WANTS[row[wire.WANTS]]} |"
        )
    return "\n".join(lines)


def diagram() -> str:
    """Draw the state diagram in Mermaid; transitions from every state to state 0 are drawn once, from a cloud."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> s0"]
    lines += [f'    state "{number} {meaning}" as s{number}' for number, meaning in STATES.items()]
    lines.append('    state "any state" as any')
    for row in TABLE:
        if row[wire.NEXT] == wire.SAME:
            continue
        label = f"{row[wire.OPCODE]:02X} {row[wire.NAME]} ({WHO[row[wire.SENDER]]})"
        sources = [s for s in STATES if row[wire.STATES] >> s & 1]
        if row[wire.NEXT] == 0:
            lines.append(f"    any --> s0: {label}")
            continue
        lines += [f"    s{s} --> s{row[wire.NEXT]}: {label}" for s in sources if s != row[wire.NEXT]]
    return "\n".join([*lines, "```"])


def borne() -> str:
    """Format the table of what a player tolerates beyond the table of exchanges."""
    lines = ["| command | sender | in states | meaning |", "|---|---|---|---|"]
    for op, sender, mask, meaning in wire.TOLERATED:
        lines.append(f"| `{op:02X}` | {WHO[sender]} | {states(mask)} | {meaning} |")
    return "\n".join(lines)


TRACE_GAME = (6, 0, 0, 1, 2)
_TRACE_SEED = 48
_NICKS = {wire.MASTER: b"ANNA", wire.SLAVE: b"OLEG"}


def trace() -> str:
    """Play a whole game between two computers; return it in hexadecimal, each frame explained."""
    words.use("en")
    sides = {role: _bot_and_player(role) for role in (wire.MASTER, wire.SLAVE)}
    readers = {role: wire.Reader() for role in sides}
    lines = []
    state = 0
    for bot, player in sides.values():
        player.link.tick()
        _settle(bot, player)
    while not sides[wire.MASTER][1].link.closed:
        for role, (bot, player) in sides.items():
            other = sides[wire.BOTH ^ role]
            while (byte := player.link.tx()) >= 0:
                other[1].link.rx(byte)
                if readers[role].feed(byte) == wire.FRAME:
                    lines.append(_trace_line(role, readers[role]))
                    _settle(*other)
                    break
            _settle(bot, player)
        states = {player.link.state for _, player in sides.values()}
        if states not in ({state}, {0}) and len(states) == 1:
            state = states.pop()
            lines += _ships(sides) if state == 4 else []
            lines.append(f"{'':38}-- state {state} {STATES[state].split(': ')[0]}")
    return "\n".join(["```text", f"{'master':19}slave", *lines, "```"])


def _ships(sides: dict[int, tuple[Bot, Player]]) -> list[str]:
    """List where both sides have placed their ships."""
    lines = []
    for role, (_, player) in sides.items():
        field = player.field
        cells = [cell_name(c % 6 + 1, c // 6 + 1, False) for c in range(36) if field.ship[c]]
        lines.append(f"{'':38}-- the {WHO[role]}'s decks: {' '.join(cells)}")
    return lines


def _bot_and_player(role: int) -> tuple[Bot, Player]:
    rng = Rng(_TRACE_SEED + role)
    link = Link(role, rng)
    link.nick(_NICKS[role], len(_NICKS[role]))
    player = Player(link, rng)
    # the master says goodbye after the game
    return Bot(player, Gunner(player.radar, rng, SHARP), int(role == wire.MASTER), TRACE_GAME), player


def _settle(bot: Bot, player: Player) -> None:
    """Run a side until it can do nothing without the other."""
    player.link.calm(links.CALM_MS)
    while player.poll():
        pass
    while bot.step() == BUSY:
        pass
    while player.poll():
        pass


def _trace_line(role: int, reader: wire.Reader) -> str:
    op, body = reader.op, bytes(reader.data[: reader.size])
    whole = bytes([op, len(body)]) + body if op in (wire.NICK, wire.CHAT) else bytes([op]) + body
    written = whole.hex(" ").upper()
    meaning = "is there chat? (a text of one space)" if whole == b"\xb3\x01\x20" else words.frame(op, body)
    return f"{written:38}{meaning}" if role == wire.MASTER else f"{'':19}{written:19}{meaning}"


BLOCKS: dict[str, Callable[[], str]] = {
    "exchanges": exchanges,
    "diagram": diagram,
    "borne": borne,
    "trace": trace,
}


def render(text: str) -> str:
    """Return the page with its generated blocks updated."""

    def block(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{BLOCKS[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- table: (\w+) -->\n.*?<!-- end -->", block, text, flags=re.DOTALL)


def main() -> int:
    """Write the page's tables, or with --check return 1 if they are stale."""
    old = PAGE.read_text(encoding="utf-8")
    new = render(old)
    if "--check" in sys.argv[1:]:
        if old != new:
            print(f"{PAGE.name} is stale: run `python -m seabattle_host.protocol_doc`", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
