"""A person at the application plays whole games over a line, and everything that can happen in between."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input

from seabattle import link as links
from seabattle import wire
from seabattle_host.language import words
from seabattle_host.records.archive import LOST, UNFINISHED, WON
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.dialogs import Notice, Question
from seabattle_host.tui.game_screen import GameScreen
from tests.e2e.screens import SMALL, Screens, application, kept, peer, play, pressed_away, shoot_all
from tests.lines import Cable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks")

GOODBYE = bytes([wire.GOODBYE])
SIZE = SMALL.size


def test_a_master_plays_two_games_and_says_goodbye(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")

    async def script(screens: Screens) -> None:
        await screens.phase("line")
        await screens.shows("sending sync, nobody answers yet")
        with peer(str(tmp_path / "b"), nick=b"BOARD") as other:
            for game in (1, 2):
                await screens.offer()
                await screens.battle()
                await screens.shows("BOARD")
                await shoot_all(screens, typed=4)
                await screens.phase("end")
                assert other.codes().count(links.EV_OVER) == game
                result = screens.game.match.game
                assert result is not None
                await screens.shows("won, their fleet is sunk" if result.result == WON else "lost, our fleet is sunk")
                if game == 1:
                    await screens.focus(screens.game.query_one("#again"))
                    await screens.press("enter")
            await screens.press("f10")
            await screens.until(lambda: not any(isinstance(s, GameScreen) for s in app.screen_stack))
            assert bytes(other.received).endswith(GOODBYE)
            await screens.until(lambda: links.EV_GOODBYE in other.codes())

    play(app, script)
    games = kept(tmp_path)
    assert len(games) == 2
    for game in games:
        assert game.result in (WON, LOST)
        assert game.ending == "shots"
        assert game.players == ["Anna", "BOARD"]
        assert game.role == "master"
        decks = sum(length * count for length, count in game.fleet.items())
        winner = 0 if game.result == WON else 1
        assert sum(m.player == winner and m.result in (1, 2) for m in game.moves) == decks
        assert game.moves[0].player == 0


def test_a_slave_lets_the_computer_shoot_to_the_end(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")

    async def script(screens: Screens) -> None:
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

    play(app, script)
    (game,) = kept(tmp_path)
    assert game.role == "slave"
    assert game.result in (WON, LOST)
    assert game.moves[0].player == 1


def test_russian_chat_goes_both_ways_and_brackets_are_no_markup(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")
    theirs = "Привет, ёж! [red]№"

    async def script(screens: Screens) -> None:
        await screens.phase("line")
        with peer(str(tmp_path / "b"), wire.MASTER, nick=b"[red]x") as other:
            await screens.phase("placing")
            await screens.until(lambda: screens.game.status.chat == links.CHAT_YES)
            await screens.until(lambda: other.link.chat == links.CHAT_YES)
            with other.runner.seat() as seat:
                text = theirs.encode("cp866")
                assert seat.link.say(text, len(text)) == links.DONE
            await screens.until(lambda: screens.talk() == [f"[red]x: {theirs}"])
            await screens.shows("[red]x: Привет")
            await screens.press("f4")
            ours = "И тебе привет! " + "Длинная строка для двух кадров. " * 3
            entry = screens.game.query_one("#say", Input)
            entry.value = ours
            await screens.press("enter")
            heard = lambda: [e.text for e in other.events if e.code == links.EV_CHAT]  # noqa: E731
            await screens.until(lambda: " ".join(heard()) == ours.strip())
            assert len(heard()) == 2
            assert screens.talk()[-1] == f"Anna: {ours.strip()}"
            assert entry.value == ""
            await screens.press("f4")
            assert screens.game.focused is not entry

    play(app, script)


def test_the_chat_pane_is_not_there_before_the_peer_has_shown_chat(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        await screens.phase("line")
        assert not screens.game.query_one("#chat").display
        await screens.press("f4")
        assert screens.game.focused is not screens.game.query_one("#say")

    play(app, script)


def test_surrender_is_asked_twice(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), bot=True) as other:
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

    play(app, script)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (LOST, "surrender")


def test_the_peer_surrenders_and_then_goes(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            with other.runner.seat() as seat:
                other.runner.bot = None
                seat.link.surrender()
            await screens.phase("end")
            await screens.shows("won, they surrendered")
            with other.runner.seat() as seat:
                seat.link.goodbye()
            await screens.until(lambda: screens.game.status.state == 0)
            # the result stays on the screen, and the log says that the peer is gone
            assert screens.game.phase == "end"
            assert any("goodbye" in line for line in screens.log())
            assert not screens.game.query_one("#again").display

    play(app, script)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (WON, "surrender")


def test_a_goodbye_in_the_battle_leaves_an_unfinished_game(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            await screens.my_turn()
            with other.runner.seat() as seat:
                other.runner.bot = None
                seat.link.goodbye()
            await screens.phase("end")
            await screens.shows("the opponent said goodbye")

    play(app, script)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (UNFINISHED, "goodbye")
    assert game.moves


def test_the_master_starts_over_while_placing(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b")) as other:
            await screens.offer()
            await screens.phase("placing")
            await screens.press("f5", "y")
            await screens.phase("params")
            assert links.EV_RESTART in other.codes()
            await screens.offer()
            await screens.phase("placing")

    play(app, script)


def test_a_frame_against_the_protocol_is_named_with_its_reason(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            await screens.my_turn()
            with other.runner.seat() as seat:
                # a claim to have won, which is not true
                seat.link._send(wire.WON)
            await screens.until(lambda: isinstance(app.screen, Notice))
            await screens.shows("THE OPPONENT BROKE THE PROTOCOL")
            await screens.shows("I have won")
            await screens.shows("and has not")
            await screens.until(lambda: wire.BROKEN in other.received)
            await pressed_away(screens)
            await screens.phase("end")
            await screens.shows("unfinished")

    play(app, script)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (UNFINISHED, "broken")


def test_an_accusation_is_told_and_leads_back_to_the_line(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b")) as other:
            await screens.offer()
            await screens.phase("placing")
            with other.runner.seat() as seat:
                seat.link._break(wire.PLACE, wire.R_STATE)
            await screens.until(lambda: isinstance(app.screen, Notice))
            await screens.shows("we broke the protocol")
            await pressed_away(screens)
            await screens.phase("line")

    play(app, script)


def test_an_answer_that_comes_late_goes_on_and_one_that_does_not_is_given_up(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER) as other:
            await screens.battle()
            await screens.my_turn()
            with other.runner._lock:
                # the other side hangs, and knows nothing of it
                await screens.press("f3")
                await screens.until(lambda: isinstance(app.screen, Notice))
                await screens.shows("NO ANSWER")
                await screens.shows("3.3 s")
                # the missing reply and then the silence: one notice for both
                await screens.until(lambda: sum("3.3 s" in line for line in screens.log()) == 2)
                late = other.runner._clock() - other.runner._start
                other.runner.ticks = int(late / 1e9 / words.TICK_SECONDS)
            await screens.until(lambda: not isinstance(app.screen, Notice))
            await screens.shot(1)
            assert screens.game.status.state == 4
            other.close()
            await screens.until(lambda: isinstance(app.screen, Notice))
            await pressed_away(screens)
            await screens.phase("end")
            await screens.shows("no answer from the opponent")
            assert any("looking for an opponent again" in line for line in screens.log())

    play(app, script)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (UNFINISHED, "timeout")


def test_a_pulled_line_that_comes_back_lets_the_game_go_on(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER):
            await screens.battle()
            await screens.my_turn()
            cable.pull()
            await screens.shows("has gone: was it unplugged?")
            assert any("unplugged" in line for line in screens.log())
            cable.plug()
            await screens.until(lambda: "the line is back" in screens.log())
            await shoot_all(screens, typed=0)
            await screens.phase("end")

    play(app, script)
    (game,) = kept(tmp_path)
    assert game.finished


def test_what_was_played_before_the_line_was_pulled_for_good_is_kept(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="slave")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b"), wire.MASTER):
            await screens.battle()
            await screens.my_turn()
            cable.pull()
            await screens.shows("unplugged?")
            # nothing is closed in order: the archive is looked at as it stands at this moment
            (game,) = kept(tmp_path)
            assert not game.finished
            assert len(game.moves) == sum(screens.position.shots)
            assert game.moves

    play(app, script)


@pytest.mark.parametrize("phase", ["params", "placing", "battle", "end"])
def test_leaving_says_goodbye_in_every_phase(phase: str, cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b")) as other:
            await screens.phase("params")
            if phase != "params":
                await screens.offer()
                await screens.phase("placing")
            if phase in ("battle", "end"):
                await screens.battle()
            if phase == "end":
                await screens.press("f8", "y", "y")
            await screens.phase(phase)
            await screens.press("f10")
            if phase != "end":
                await screens.until(lambda: isinstance(app.screen, Question))
                await screens.press("y")
            await screens.until(lambda: not any(isinstance(s, GameScreen) for s in app.screen_stack))
            assert bytes(other.received).endswith(GOODBYE)
            await screens.until(lambda: other.codes()[-1] == links.EV_GOODBYE)

    play(app, script)


def test_hints_show_where_ships_may_be(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b")):
            await screens.offer()
            await screens.battle()
            theirs = screens.game.query_one(BattlePane).fields.theirs
            await screens.press("f2")
            await screens.until(lambda: theirs.heat is not None)
            position = screens.position
            hottest = [cell for cell, level in enumerate(theirs.heat or ()) if level == 9]
            assert hottest
            assert all(position.radar.can_shoot(cell) for cell in hottest)
            theirs.cursor = 0
            await screens.press("enter")
            await screens.shot(1)
            # the heat is worked out anew, and has none at the cell that was shot
            await screens.until(lambda: theirs.heat is not None and theirs.heat[0] == 0)
            await screens.press("f2")
            await screens.until(lambda: theirs.heat is None)

    play(app, script)


def beside(cell: int, other: int) -> bool:
    """Whether two cells touch or are the same."""
    return abs(cell % SIZE - other % SIZE) < 2 and abs(cell // SIZE - other // SIZE) < 2


def test_what_cannot_be_shot_at_is_refused_with_the_reason(cable: Cable, tmp_path: Path):
    app = application(tmp_path, url=str(tmp_path / "a"), role="master")

    async def script(screens: Screens) -> None:
        with peer(str(tmp_path / "b")) as other:
            await screens.offer()
            await screens.battle()
            other.runner.bot = None
            await screens.my_turn()
            await screens.press("z", "9", "enter")
            await screens.shows("'z9' is not a cell A1..F6")
            await screens.press("escape")
            ships = other.player.field.ship
            ship = next(c for c in range(SIZE * SIZE) if ships[c])
            water = next(c for c in range(SIZE * SIZE) if not ships[c] and not beside(c, ship))
            theirs = screens.game.query_one(BattlePane).fields.theirs
            await screens.focus(theirs)
            theirs.cursor = ship
            await screens.press("enter")
            await screens.shot(1)
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

    play(app, script)
