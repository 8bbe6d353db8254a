"""A person at the application plays whole games over a line, with everything that can happen in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.widgets import Input

from seabattle import link as links
from seabattle import wire
from seabattle_host.line.port import Port
from seabattle_host.player import runner
from seabattle_host.records.archive import LOST, UNFINISHED, WON
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.dialogs import Notice, Question
from seabattle_host.tui.game_screen import GameScreen
from seabattle_host.tui.replay import ReplayScreen
from seabattle_host.tui.start_screen import StartScreen
from tests import needs
from tests.e2e.screens import SMALL, application, kept, peer, playing, pressed_away, shoot_all
from tests.lines import Cable

pytestmark = needs.PTYS

GOODBYE, SYNC = bytes([wire.GOODBYE]), bytes([wire.SYNC])
SIZE = SMALL.size


async def test_a_master_plays_a_game_starts_over_surrenders_and_says_goodbye(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")
    async with playing(app) as screens:
        await screens.phase("line")
        await screens.shows("sending sync, nobody answers yet")
        with peer(str(tmp_path / "b"), nick=b"BOARD") as other:
            await screens.offer()
            await screens.battle()
            await screens.shows("BOARD")
            await shoot_all(screens, typed=4)
            await screens.phase("end")
            assert other.codes().count(links.EV_OVER) == 1
            result = screens.game.match.game
            assert result is not None
            await screens.shows("won, their fleet is sunk" if result.result == WON else "lost, our fleet is sunk")
            await screens.focus(screens.game.query_one("#again"))
            await screens.press("enter")
            await screens.offer()
            # the next game begins; the master changes its mind while placing
            await screens.phase("placing")
            await screens.press("f5", "y")
            await screens.phase("params")
            assert links.EV_RESTART in other.codes()
            await screens.offer()
            await screens.battle()
            for answers in (["n"], ["y", "n"], ["y", "enter"]):
                await screens.press("f8", *answers)
                await screens.until(lambda: not isinstance(app.screen, Question))
                assert screens.game.status.state == 4
            await screens.press("f8", "y", "y")
            await screens.phase("end")
            await screens.shows("lost, we surrendered")
            assert other.received.count(wire.SURRENDER) == 1
            await screens.press("f10")
            await screens.until(lambda: not any(isinstance(s, GameScreen) for s in app.screen_stack))
            await screens.until(lambda: bytes(other.received).rstrip(SYNC).endswith(GOODBYE))
            await screens.until(lambda: links.EV_GOODBYE in other.codes())
    game, surrendered = kept(tmp_path)
    assert game.result in (WON, LOST)
    assert (game.ending, game.players, game.role) == ("shots", ["Anna", "BOARD"], "master")
    decks = sum(length * count for length, count in game.fleet.items())
    winner = 0 if game.result == WON else 1
    assert sum(m.player == winner and m.result in (1, 2) for m in game.moves) == decks
    assert game.moves[0].player == 0
    assert (surrendered.result, surrendered.ending) == (LOST, "surrender")


async def test_a_slave_lets_the_computer_shoot_to_the_end_and_replays_the_game_move_by_move(
    cable: Cable, tmp_path: Path
):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")) as screens:
        await screens.phase("line")
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            await shoot_all(screens, typed=0)
            await screens.phase("end")
            # the master goes on at once; the result stays until the person has seen it
            await screens.until(lambda: screens.game.status.state in (2, 3))
            await screens.shows("The new game has begun")
            assert screens.game.phase == "end"
            assert links.EV_RESTART in other.codes()
            await screens.press("enter")
            await screens.phase("placing")
    (game,) = kept(tmp_path)
    assert game.role == "slave"
    assert game.result in (WON, LOST)
    assert game.moves[0].player == 1
    again = application(tmp_path, replay=game)
    async with playing(again) as screens:
        await screens.until(lambda: isinstance(again.screen, ReplayScreen))
        await screens.shows(f"Move 0 of {len(game.moves)}")
        mine, theirs = again.screen.query(BoardView)
        for at in range(1, 6):
            await screens.press("right")
            move = game.moves[at - 1]
            board = theirs if move.player == 0 else mine
            assert set(board.last) == {(move.y - 1) * game.width + move.x - 1}
            await screens.shows(f"Move {at} of {len(game.moves)}")
        five = [bytes(board.states) for board in (mine, theirs)]
        await screens.press("home")
        await screens.shows("Move 0 of")
        assert not mine.last
        await screens.press(*["right"] * 5)
        assert [bytes(board.states) for board in (mine, theirs)] == five
        await screens.press("end", "left", "left")
        await screens.shows(f"Move {len(game.moves) - 2} of")
        await screens.press("space")
        await screens.shows(f"Move {len(game.moves)} of")
        await screens.press("q")
        await screens.until(lambda: again._exit)


async def test_russian_chat_goes_both_ways_and_then_the_peer_surrenders_and_goes(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")
    theirs = "Привет, ёж! [red]№"  # brackets are no markup

    async with playing(app) as screens:
        await screens.phase("line")
        # nobody has used chat yet
        assert not screens.game.query_one("#chat").display
        await screens.press("f4")
        assert screens.game.focused is not screens.game.query_one("#chat-entry")
        with peer(str(tmp_path / "b"), wire.MASTER, nick=b"[red]x") as other:
            await screens.phase("placing")
            await screens.until(lambda: screens.game.status.chat == links.CHAT_YES)
            await screens.until(lambda: other.link.chat == links.CHAT_YES)
            with other.runner.locked() as player:
                text = theirs.encode("cp866")
                assert player.link.send_chat(text, len(text)) == links.DONE
            await screens.until(lambda: screens.talk() == [f"[red]x: {theirs}"])
            await screens.shows("[red]x: Привет")
            await screens.press("f4")
            ours = "И тебе привет! " + "Длинная строка для двух кадров. " * 3
            entry = screens.game.query_one("#chat-entry", Input)
            entry.value = ours
            await screens.press("enter")
            heard = lambda: [e.text for e in other.events if e.code == links.EV_CHAT]  # noqa: E731
            await screens.until(lambda: " ".join(heard()) == ours.strip())
            assert len(heard()) == 2
            assert screens.talk()[-1] == f"Anna: {ours.strip()}"
            assert entry.value == ""
            await screens.press("f4")
            assert screens.game.focused is not entry
            await screens.battle()
            with other.runner.locked() as player:
                other.runner.bot = None
                player.link.surrender()
            await screens.phase("end")
            await screens.shows("won, they surrendered")
            with other.runner.locked() as player:
                player.link.goodbye()
            await screens.until(lambda: screens.game.status.state == 0)
            # the result stays on the screen, and the log says that the peer is gone
            assert screens.game.phase == "end"
            assert any("goodbye" in line for line in screens.log())
            assert not screens.game.query_one("#again").display
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (WON, "surrender")


async def test_what_a_peer_without_chat_writes_and_what_is_wrong_with_the_line_are_seen_in_the_log(tmp_path: Path):
    with Cable() as line, Port(line.b) as master:
        async with playing(application(tmp_path, url=line.a, role="slave")) as screens:
            await screens.until(lambda: screens.game.is_mounted)
            master.write(b"\xaa\xa1")
            await screens.phase("params")
            master.write(b"\xb3\x05hello" + bytes(range(0x7F, 0x93)))
            await screens.until(lambda: any("hello" in line for line in screens.log()))
            await screens.until(lambda: any("make no sense" in line for line in screens.log()))
            master.write(b"\xa8")
            # and no reply to the accusation
            await screens.shows("The last frame we sent was: chat")
            await pressed_away(screens, "ctrl+c")
            await screens.until(lambda: isinstance(screens.app.screen, StartScreen))


async def test_an_error_that_comes_while_the_notice_of_another_is_being_made_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made = Notice.compose

    def compose(notice: Notice) -> ComposeResult:
        yield from made(notice)
        notice.tell("THE SECOND", "in the same moment", "Go on")

    monkeypatch.setattr(Notice, "compose", compose)
    async with playing(application(tmp_path)) as screens:
        screens.app.push_screen(Notice("THE FIRST", "a moment ago", "Go on"))
        await screens.shows("in the same moment")
        assert "THE FIRST" not in screens.text()


async def test_an_answer_that_comes_late_goes_on_and_one_that_does_not_is_given_up(
    cable: Cable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # both sides' ticks are faster, the timeouts are as many of them
    monkeypatch.setattr(runner, "TICK_NS_DIVIDEND", runner.TICK_NS_DIVIDEND // 2)
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")
    async with playing(app) as screens:
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            await screens.my_turn()
            with other.runner._lock:
                # the other side hangs, and is unaware of it
                await screens.press("f3")
                await screens.until(lambda: isinstance(app.screen, Notice))
                await screens.shows("NO ANSWER")
                await screens.shows("3.3 s")
                # the missing reply and then the silence: one notice for both
                await screens.until(lambda: sum("3.3 s" in line for line in screens.log()) == 2)
                late = other.runner._clock() - other.runner._start
                other.runner.ticks = late * runner.TICK_NS_DIVISOR // runner.TICK_NS_DIVIDEND
            await screens.until(lambda: not isinstance(app.screen, Notice))
            await screens.shot(1)
            assert screens.game.status.state == 4
            cable.pull()
            other.close()
            await screens.until(lambda: isinstance(app.screen, Notice) and "has gone" in app.screen.text)
            cable.plug()
            await screens.until(lambda: isinstance(app.screen, Notice) and "is back" in app.screen.text)
            assert isinstance(app.screen, Notice) and "has gone" not in app.screen.text
            await pressed_away(screens)
            await screens.phase("end")
            await screens.shows("no answer from the opponent")
            assert any("looking for an opponent again" in line for line in screens.log())
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (UNFINISHED, "timeout")


async def test_a_pulled_line_that_comes_back_lets_the_game_go_on(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="slave")) as screens:
        with peer(str(tmp_path / "b"), wire.MASTER):
            await screens.battle()
            await screens.my_turn()
            cable.pull()
            await screens.shows("has gone: was it unplugged?")
            assert any("unplugged" in line for line in screens.log())
            # nothing is closed properly: the archive is read as it is at this moment
            (game,) = kept(tmp_path)
            assert not game.finished
            assert game.moves and len(game.moves) == sum(screens.position.shots)
            cable.plug()
            await screens.until(lambda: any("is back" in line for line in screens.log()))
            shots = screens.position.shots[0]
            await screens.my_turn()
            await screens.press("f3")
            await screens.shot(shots + 1)
            await screens.press("f8", "y", "y")
            await screens.phase("end")
    (game,) = kept(tmp_path)
    assert game.finished


async def test_leaving_a_battle_says_goodbye(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")
    async with playing(app) as screens:
        with peer(str(tmp_path / "b")) as other:
            await screens.offer()
            await screens.battle()
            await screens.press("f10")
            await screens.until(lambda: isinstance(app.screen, Question))
            await screens.press("y")
            await screens.until(lambda: not any(isinstance(s, GameScreen) for s in app.screen_stack))
            await screens.until(lambda: bytes(other.received).rstrip(SYNC).endswith(GOODBYE))
            await screens.until(lambda: other.codes()[-1] == links.EV_GOODBYE)


def beside(cell: int, other: int) -> bool:
    """Whether two cells touch or are the same."""
    return abs(cell % SIZE - other % SIZE) < 2 and abs(cell // SIZE - other // SIZE) < 2


async def test_hints_show_where_ships_may_be_and_what_cannot_be_shot_at_is_refused(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="master")) as screens:
        with peer(str(tmp_path / "b")) as other:
            await screens.offer()
            await screens.battle()
            other.runner.bot = None
            await screens.my_turn()
            theirs = screens.game.query_one(BattlePane).fields.theirs
            await screens.press("f2")
            await screens.until(lambda: theirs.heat is not None)
            hottest = [cell for cell, level in enumerate(theirs.heat or ()) if level == 9]
            assert hottest
            assert all(screens.position.radar.can_shoot(cell) for cell in hottest)
            await screens.press("z", "9", "enter")
            await screens.shows("'z9' is not a cell A1..F6")
            await screens.press("escape")
            ships = other.player.field.ship
            ship = next(c for c in range(SIZE * SIZE) if ships[c])
            water = next(c for c in range(SIZE * SIZE) if not ships[c] and not beside(c, ship))
            await screens.focus(theirs)
            theirs.cursor = ship
            await screens.press("enter")
            await screens.shot(1)
            # the heat is computed again, and has none at the cell just shot at
            await screens.until(lambda: theirs.heat is not None and theirs.heat[ship] == 0)
            await screens.press("f2")
            await screens.until(lambda: theirs.heat is None)
            await screens.my_turn()
            await screens.press("enter")
            await screens.shows("you shot there before")
            theirs.cursor = water
            await screens.press("enter")
            await screens.shot(2)
            await screens.shows("is to shoot")
            await screens.press("enter")
            await screens.shows("it is not your turn yet")
            assert other.codes().count(links.EV_SHOT) == 2
