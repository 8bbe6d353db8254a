"""A person at the application against the virtual board: the real firmware, on a line of its own."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input, OptionList

from seabattle import link as links
from seabattle import wire
from seabattle_host.language import words
from seabattle_host.records.archive import LOST, UNFINISHED
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.dialogs import Notice
from seabattle_host.tui.start_screen import StartScreen
from seabattle_host.tui.widgets import KeyBar
from tests import needs
from tests.e2e.screens import SMALL, application, board, kept, playing, pressed_away, shoot_all
from tests.lines import Cable

pytestmark = needs.PTYS

OFFER = ("--size", str(SMALL.size), "--fleet", ",".join(map(str, SMALL.counts)))
CHAT = "Привет, ёж!"


async def test_as_master_a_whole_game_with_chat_and_a_goodbye(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")
    async with playing(app) as screens:
        with board(tmp_path, "--role", "slave", "--nick", "BOARD", "--chat", CHAT) as other:
            await screens.offer()
            await screens.phase("placing")
            await screens.until(lambda: f"BOARD: {CHAT}" in screens.talk())
            screens.game.query_one("#chat-entry", Input).value = CHAT
            await screens.press("f4", "enter")
            await screens.until(lambda: other.said(CHAT))
            await screens.press("f4")
            # the master changes its mind once
            await screens.press("f5", "y")
            await screens.phase("params")
            await screens.offer()
            await screens.battle()
            await shoot_all(screens, typed=0)
            await screens.phase("end")
            await screens.press("f10")
            await screens.until(lambda: isinstance(app.screen, StartScreen))
            await screens.until(lambda: other.said("goodbye"))
    (game,) = kept(tmp_path)
    assert (game.ending, game.players[1]) == ("shots", "BOARD")


async def test_a_key_in_the_moment_of_connecting_starts_nothing_else(cable: Cable, tmp_path: Path):
    """Enter on the first screen, pressed while `--port` was being opened, replaced the session by a new one."""
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")
    async with playing(app) as screens:
        await screens.until(lambda: app.session is not None)
        opened = app.session
        app.post_message(StartScreen.Connect(""))
        app.post_message(StartScreen.Connect(str(tmp_path / "b")))
        await screens.pilot.pause()
        await screens.until(lambda: not app.workers._workers)
        assert app.session is opened and app.board is None


async def test_as_slave_a_surrender_and_in_the_next_game_the_board_is_switched_off(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")) as screens:
        with board(tmp_path, "--role", "master", *OFFER) as other:
            await screens.battle()
            await screens.my_turn()
            await screens.press("f8", "y", "y")
            await screens.phase("end")
            await screens.shows("lost, we surrendered")
            await screens.until(lambda: other.said("surrendered"))
            await screens.shows("The new game has begun")
            await screens.press("enter")
            await screens.battle()
            await screens.my_turn()
            other.leave()
            await screens.phase("end")
            await screens.shows("the opponent said goodbye")
    first, second = kept(tmp_path)
    assert (first.result, first.ending) == (LOST, "surrender")
    assert (second.result, second.ending) == (UNFINISHED, "goodbye")
    assert all(game.moves[0].player == 1 for game in (first, second))


async def test_faulty_frames_in_either_direction_are_told_with_frame_and_reason(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")
    async with playing(app) as screens:
        with board(tmp_path, "--role", "master", *OFFER) as other:
            await screens.battle()
            await screens.my_turn()
            other.to_person(wire.WON)
            await screens.until(lambda: isinstance(app.screen, Notice))
            await screens.shows("THE OPPONENT BROKE THE PROTOCOL")
            assert screens.notice.text.endswith("'I have won': it says it has won, and has not")
            await pressed_away(screens)
            await screens.phase("end")
            await screens.shows("unfinished")
            # both are back at the start, and find each other again
            await screens.until(lambda: screens.game.status.state in (2, 3))
            await screens.press("enter")
            await screens.battle()
            await screens.my_turn()
            other.to_board(wire.PARAMS, 6, 0, 0, 1, 2)
            await screens.until(lambda: isinstance(app.screen, Notice))
            assert "we broke the protocol" in screens.notice.text
            await screens.until(lambda: other.said("broke the protocol"))
            # the keys shown below it work
            keys = screens.game.query_one(KeyBar)
            await screens.until(lambda: [key for key, *_ in keys.keys] == ["F10"])
            await pressed_away(screens, "f10")
            await screens.until(lambda: isinstance(app.screen, StartScreen))
    assert [game.ending for game in kept(tmp_path)] == ["broken", "accused"]


async def test_a_person_without_hardware_starts_a_board_from_the_first_screen(tmp_path: Path):
    words.use("en")
    app = application(tmp_path)
    async with playing(app) as screens:
        listed = app.screen.query_one("#ports", OptionList)
        await screens.until(lambda: listed.option_count)
        listed.highlighted = next(i for i in range(listed.option_count) if listed.get_option_at_index(i).id == "board")
        await screens.focus(listed)
        await screens.press("enter")
        # whichever is the master, the person places and shoots
        await screens.until(lambda: app.session is not None and app.session.status().state >= 1)
        if screens.game.session.status().role == wire.MASTER:
            await screens.offer()
        await screens.battle()
        await screens.until(lambda: screens.game.query_one(BattlePane).mine)
        await screens.press("f3")
        await screens.shot(1)
        assert screens.game.status.chat == links.CHAT_YES
    assert app.board is not None
    assert app.board._process.poll() is not None
