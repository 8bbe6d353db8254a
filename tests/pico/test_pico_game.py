"""Whole games on the emulated Pico W: against the PC's bot in both roles; two boards through noise."""

from __future__ import annotations

import itertools
import statistics
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.field import SHOT
from tests.pico import wirings
from tests.pico.game import BYTE_SECONDS, SMALL, Game, Hands, decks, saved, start, watched_image
from tests.pico.rig import PIN_SPI, PIN_UART, Rig

TICK_SECONDS = 65536 / 1193182
GAME_HEAP = 17 * 1024
"""Bytes that the game may hold besides its code."""

CODE_HEAP = 77 * 1024
"""Bytes that its code may take, loaded from .mpy files; frozen code takes none."""


def check_line(rig: Rig, game: Game) -> None:
    """Check that the line has the protocol's settings, and that nothing on it was lost or wrong."""
    uart = rig.uart()
    assert (uart["baud"], uart["bits"], uart["parity"], uart["stop"]) == (9600, 8, "E", 2)
    assert uart["overruns"] == 0
    assert uart["pins"] == [PIN_UART, PIN_UART]
    assert not any(frame.parity_error or frame.framing_error for frame in game.heard)
    assert all(frame.end - frame.start == pytest.approx(BYTE_SECONDS, abs=1e-9) for frame in game.heard)
    assert game.endpoint.trouble == []


def check_heap(rig: Rig) -> None:
    """Check that nothing was allocated from the start to the end of a game, and that the game's objects are small."""
    rig.until(lambda: "heap after" in rig.console(), "the end of the game at the board")
    assert "Traceback" not in rig.console()
    before, after = (line.split() for line in rig.console().splitlines() if line.startswith("heap"))
    assert int(before[2]) == int(after[2])
    made, code = int(before[4]), int(before[6])
    print(f"heap: {made} bytes made by the game, {code} of code, {before[2]} in all")
    assert made < GAME_HEAP
    assert code < CODE_HEAP


def check_replies(game: Game) -> set[int]:
    """Check that the board's answers begin within one byte time; return the opcodes answered."""
    times: dict[int, list[float]] = {}
    for op, seconds in game.replies():
        times.setdefault(op, []).append(seconds)
    for op, each in sorted(times.items()):
        cuts = [f"{cut * 1e3:.2f}" for cut in (min(each), statistics.median(each), max(each))]
        print(f"replies to {op:02X}: {len(each)}, least, median, most {', '.join(cuts)} ms")
    assert max(itertools.chain.from_iterable(times.values())) <= BYTE_SECONDS
    return set(times)


def check_cells(game: Game, hands: Hands) -> None:
    """Check the 128x64 panel's view of the PC's field: cells in the same state look the same, others do not."""
    picture = game.picture()
    field = game.player.field
    looks: dict[str, set[tuple[int, ...]]] = {"hit": set(), "missed": set(), "unknown": set()}
    for cell in range(90):  # the last row is under the message for a moment
        x, y = cell % 10, cell // 10
        if (x, y) == (hands.x, hands.y) or (field.mark[cell] and not field.mark[cell] & SHOT):
            continue  # the cursor blinks here, or it is water around a sunk ship
        shot = field.mark[cell] & SHOT
        kind = "unknown" if not shot else "hit" if field.ship[cell] else "missed"
        if not (kind == "hit" and field.is_sunk(cell)):
            rows = (picture[6 * y + row][68 + 6 * x : 73 + 6 * x] for row in range(5))
            looks[kind].add(tuple(itertools.chain.from_iterable(rows)))
    assert len(looks["hit"]) == len(looks["missed"]) == 1
    # next to a hit the board knows water that was not shot at: it has a dot
    assert len(looks["unknown"]) <= 2
    assert len(set().union(*looks.values())) == sum(map(len, looks.values()))


def test_a_session_as_slave_with_every_command_on_a_graphic_panel_on_i2c(rig: Rig, tmp_path: Path) -> None:
    """One game with the classic fleet broken off and one surrendered: chat, surrender, restart, goodbye and
    the rest, while the board draws and blinks. Nothing is allocated up to the end of a game.
    """
    ready = start(rig, "ssd1306", watched_image(tmp_path, "ssd1306"))
    print(f"start: {ready:.2f} s")
    assert ready < 2.0
    assert all(pin["pullUp"] for pin in rig.pins(*wirings.KEYS.values()))

    game = Game(rig, wire.MASTER, "ssd1306")
    link = game.link
    game.check_picture()
    hands = Hands(game)
    hands.meet(as_master=False)
    hands.place()
    ships, between = decks(game), decks(game, water=True)[::20]
    hands.fight([*itertools.chain.from_iterable(zip(between, ships, strict=False))][:4], enough=True)
    game.run(0.3)
    game.check_picture()
    check_cells(game, hands)

    def read() -> None:
        game.run(0.6)
        game.press("ok")

    game.idle = True
    # the nick sent at the meeting crossed the board's own
    assert link.nick(b"again", 5) == links.DONE
    game.until(lambda: game.events.count(links.EV_NICK_SENT) == 2, "the nick to be confirmed")
    assert link.chat == links.CHAT_YES
    assert link.send_chat(b"x" * wire.TEXT_MAX, wire.TEXT_MAX) == links.DONE
    game.until(lambda: links.EV_CHAT_SENT in game.events, "the chat to be confirmed")
    read()
    assert link.accuse(wire.R_TOO_MANY) == links.DONE
    game.run(0.3)
    assert link.key() == links.DONE
    read()
    game.idle = False
    game.until(lambda: link.state in (2, 3), "placing in a new session")
    game.run(0.3)
    game.idle = True
    assert link.surrender() == links.DONE
    game.until(lambda: link.state == 9, "the end")
    game.run(0.5)
    game.check_picture()
    game.check_words()
    check_line(rig, game)
    check_heap(rig)

    read()
    assert link.restart() == links.DONE
    game.until(lambda: link.state == 1, "the restart")
    link.goodbye()
    game.until(lambda: link.closed, "goodbye")
    once = {wire.CHAT, wire.NICK, wire.SURRENDER, wire.RESTART, wire.BROKEN, wire.GOODBYE}
    always = {wire.SYNC, wire.MEET, wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SHOT}
    assert check_replies(game) >= once | always
    assert "Traceback" not in rig.console()


def test_a_game_as_master_that_is_won_on_a_character_panel(rig: Rig, tmp_path: Path) -> None:
    """With the parameters that the owner chose before."""
    record = saved(SMALL)
    start(rig, "lcd20x4", watched_image(tmp_path, "lcd20x4", files={"seabattle-0.dat": record}))
    game = Game(rig, wire.SLAVE, "lcd20x4", saved=record)
    assert "SEA BATTLE" in game.text()
    game.check_picture()
    hands = Hands(game)
    hands.meet(as_master=True)
    hands.place()
    assert hands.size == SMALL[0]
    game.until(lambda: "Your turn" in game.text(), "the turn on the panel")
    hands.fight([*decks(game, water=True)[:1], *decks(game)])
    assert (game.endpoint.result, game.endpoint.how) == (links.WE_LOST, links.BY_SHOTS)
    game.until(lambda: "VICTORY!" in game.text(), "the result on the panel")
    game.check_picture()
    check_line(rig, game)
    check_heap(rig)
    assert check_replies(game) >= {wire.SLAVE_READY, wire.SHOT}


@pytest.mark.parametrize("panel", ["lcd16x2", "sh1106", "pcd8544"])
def test_short_presses_count_in_the_menu_and_a_master_calls_by_the_tick(rig: Rig, tmp_path: Path, panel: str) -> None:
    """With the heap not locked the loop sees each press. A lone master syncs every ten ticks of its timer."""
    start(rig, panel, wirings.game_image(tmp_path, panel))
    game = Game(rig, wire.MASTER, panel)
    game.idle = True
    game.press("down", "down", "down")
    game.check_picture()
    if panel == "pcd8544":
        assert [pin["function"] for pin in rig.pins(wirings.pin("SCK"), wirings.pin("MOSI"))] == [PIN_SPI, PIN_SPI]
    if panel != "lcd16x2":
        return
    for key in ("up", "up", "ok"):
        rig.press(key)
        rig.run(0.2)
    rig.run(1.6)
    heard, _ = rig.frames()
    assert len(heard) > 2
    assert {frame.value for frame in heard} == {wire.SYNC}
    tick = (heard[-1].start - heard[0].start) / (len(heard) - 1) / wire.SYNC_TICKS
    print(f"tick: {tick * 1e3:.3f} ms, {(tick / TICK_SECONDS - 1) * 1e6:+.0f} millionths off")
    assert tick == pytest.approx(TICK_SECONDS, rel=2e-3)


# Two boards that play by themselves: the role is chosen by a key that is held while the game starts.
BY_ITSELF = """
ballast = b""  # its bot needs a larger heap
from seaboard import words
from machine import Pin
class ByItself(Watched):
    def begin(self, app):
        super().begin(app)
        micropython.heap_unlock()
        app.offer[:] = b"\\x06\\x00\\x00\\x00\\x01"
        app.play_by_itself(0)  # after a session that the line has broken it begins another
        gc.collect()
        micropython.heap_lock()
        app.play(words.M_MASTER if Pin(wiring.UP, Pin.IN, Pin.PULL_UP)() == 0 else words.M_SLAVE)
Watched = ByItself
"""


def test_two_boards_with_clocks_5_percent_apart_play_each_other_through_noise(rig: Rig, tmp_path: Path) -> None:
    wiring = wirings.wiring("ssd1306")
    image = watched_image(tmp_path, "ssd1306", BY_ITSELF)
    noise = {"flip": 0.001, "lose": 0.004, "extra": 0.006, "seed": 2}
    rig.boot(("left", wiring), ("right", wiring), filesystem=image, rates=(1.0, 1.05), noise=noise)
    rig.hold("up", True, board="left")
    for name in ("left", "right"):
        rig.until(lambda name=name: "heap after" in rig.console(name), "the end of a game", timeout=60, step=0.25)  # type: ignore[misc]
    crossed, disturbed = rig.cable()
    assert any(frame.value == wire.WON for _, frame in crossed)
    assert all("Traceback" not in rig.console(name) for name in ("left", "right"))
    assert sum(disturbed.values()) > 0
    print(f"{sum(frame.value == wire.SHOT for _, frame in crossed)} shots, {rig.run(0):.0f} s, {disturbed}")
