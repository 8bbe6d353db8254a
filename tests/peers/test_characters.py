"""Peers that lie, leave at the wrong moment or repeat themselves, against our bot, board and screens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.cli import main
from seabattle_host.language import words
from seabattle_host.records.archive import WON
from tests import needs
from tests.command import Command, output
from tests.e2e.screens import application, kept, playing, pressed_away
from tests.peers.characters import AtPort, FastRepeater, Forgetful, HastyMaster, HastySlave, RudeMaster, RudeSlave
from tests.peers.dialects import DECKS, Dialect
from tests.peers.test_dialects import OURS, Match

MASTER, SLAVE = wire.MASTER, wire.SLAVE

LASTS = {"A7": b"\xa7", "A0": b"\xa0", "A8": b"\xa8", "silence": b"", "noise": b"\x77\x77"}


def rude(role: int, **manners) -> Dialect:
    """Return a peer for our side in this role."""
    return RudeSlave(**manners) if role == MASTER else RudeMaster(**manners)


def until_a_key(t: Match) -> Match:
    """Play until our side waits for a key."""
    while not t.link.key_awaited:
        t.tick()
        assert t.time < 3000
    return t


# On a test bench: our bot and the peer, tick by tick.


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("last", LASTS)
@pytest.mark.parametrize("role", [MASTER, SLAVE])
def test_a_game_whose_last_ship_is_sunk_is_counted_whatever_comes_in_place_of_the_end(
    role: int, last: str, silent: bool
):
    for seed in [1, 2]:
        t = Match(rude(role, last=LASTS[last], silent=silent), role, seed, games=1)
        for _ in range(20000):
            t.tick()
            if t.link.key_awaited and t.link.state != 8:
                break
            if t.link.key_awaited:
                t.link.key()
            if t.link.closed:
                break
        ends = [e for e in t.events if e[0] == links.EV_OVER]
        won = t.peer.hits < DECKS
        assert ends == [(links.EV_OVER, links.WE_WON if won else links.WE_LOST, links.BY_SHOTS)]
        assert t.link.closed and t.bot.played == 1
        assert not {links.EV_TIMEOUT, links.EV_BROKEN} & set(t.codes())
        assert t.sent(0xA8) == 0


@pytest.mark.parametrize("answer", [wire.HIT, wire.SUNK, wire.REPEAT])
@pytest.mark.parametrize("role", [MASTER, SLAVE])
def test_a_liar_is_accused_of_a_cell_and_an_answer(role: int, answer: int):
    for seed in range(1, 7):
        t = until_a_key(Match(rude(role, answer=answer), role, seed))
        told = bytes(t.link.details)
        assert told[0] == links.EV_BROKEN
        (over,) = [e for e in t.events if e[0] == links.EV_OVER]
        assert over == (links.EV_OVER, links.WE_WON, links.BY_PROOF)
        shots = [(a, b) for op, a, b in frames(t) if op == wire.SHOT]
        assert (told[links.EVENT_CELL] & 15, told[links.EVENT_CELL] >> 4) == shots[-1]
        assert told[links.EVENT_ANSWER] == answer
        earlier = told[links.EVENT_EARLIER]
        if earlier:
            # the peer has given the same answer everywhere
            assert (earlier & 15, earlier >> 4) in shots[:-1] and told[links.EVENT_EARLIER_ANSWER] == answer
        if answer == wire.REPEAT:
            assert not earlier and told[2] == wire.R_NOT_SHOT_BEFORE


@pytest.mark.parametrize(("role", "peer"), [(MASTER, HastySlave), (SLAVE, HastyMaster)])
def test_who_claims_a_victory_that_it_has_not_has_broken_the_protocol(role: int, peer: type[Dialect]):
    t = until_a_key(Match(peer(), role))
    assert (links.EV_BROKEN, wire.WON, wire.R_NOT_WON) in t.events
    # it proves no answer false, so nobody has won
    assert t.over is None and t.sent(0xA8) == 1


def test_an_opponent_that_was_started_anew_is_met_again_after_a_key():
    t = until_a_key(Match(Forgetful(), MASTER))
    assert t.link.hung and (links.EV_TIMEOUT, wire.SHOT, 0) in t.events
    t.link.key()
    t.play()
    assert t.over == (links.WE_WON, links.BY_SHOTS) and t.peer.result == "lost"
    assert t.codes().count(links.EV_MET) == 2


def test_a_fast_opponent_without_memory_blocks_nobody():
    for seed in range(1, 7):
        t = Match(FastRepeater(), MASTER, seed).play()
        assert t.over == (links.WE_WON, links.BY_SHOTS) and t.peer.result == "lost"
        assert not {links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED} & set(t.codes())


def frames(t: Match) -> list[tuple[int, int, int]]:
    """Return our frames, as opcode and the next two bytes."""
    reader = wire.Reader()
    found = []
    for who, _, b in t.traffic:
        if who == OURS and reader.feed(b) == wire.FRAME:
            found.append((reader.op, reader.data[0], reader.data[1]))
    return found


# Against the programs.


players = pytest.mark.parametrize("ours", [("bot",), ("board", "--autoplay")], ids=" ".join)


def against(port: AtPort, ours: tuple[str, ...]) -> tuple[int, str, str]:
    with Command(*ours, "--port", port.url, "--role", "master", "--seed", "3") as player:
        return player.finish()


@needs.PTYS
@players
def test_a_player_names_the_cell_and_the_lie(ours: tuple[str, ...]):
    with AtPort(RudeSlave(answer=wire.SUNK)) as port:
        status, out, err = against(port, ours)
    assert (status, err) == (0, "")
    assert "game over: won, an answer of theirs was false" in out
    accusation = re.search(r"the opponent's answer to our shot at ([A-J]\d+), 'sunk', is false: (.*)", out)
    assert accusation is not None and f"our shot at {accusation[1]}: sunk" in out
    earlier = re.search(r"its answer at ([A-J]\d+) was '(\w+)'", accusation[2])
    assert earlier is not None and f"our shot at {earlier[1]}: {earlier[2]}" in out
    assert "0,0" not in out and "result: 1 game, 1 won, 0 lost" in out


@needs.PTYS
@players
def test_a_line_that_is_pulled_after_the_last_ship_takes_no_win(ours: tuple[str, ...]):
    class Pulled(RudeSlave):
        port: AtPort

        def frame(self, f: bytes) -> None:
            if f[0] == wire.WON:
                self.left = True
                self.port.pull()
            else:
                super().frame(f)

    peer = Pulled()
    with AtPort(peer) as port:
        peer.port = port
        status, out, err = against(port, ours)
    assert peer.left and "game over: won, their fleet is sunk" in out
    assert "result: 1 game, 1 won, 0 lost" in out
    assert status == 0 and (not err or (("hung up" in err or "gone" in err) and "left" not in out))


@needs.PTYS
async def test_a_person_sees_whose_answer_was_false_and_the_game_is_kept(tmp_path: Path):
    with AtPort(RudeSlave(answer=wire.SUNK)) as port:
        async with playing(application(tmp_path, url=port.url, role="master", nick="Anna")) as screens:
            await screens.offer()
            await screens.battle()
            while screens.game.phase == "battle" and screens.game.notice is None:
                await screens.press("f3")
                await screens.pilot.pause(0.01)
            await screens.until(lambda: any("is false" in line for line in screens.log()))
            assert any("the opponent's answer to our shot at" in line and "sunk" in line for line in screens.log())
            # it waits for a key, over the end of the game
            await screens.shows("Go on (Enter)")
            await pressed_away(screens)
            await screens.shows("won, an answer of theirs was false")
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (WON, "proof")
    x, y, told = game.details["proof"]["shot"]
    last = game.moves[-1]
    assert (x, y, told) == (last.x, last.y, wire.SUNK) and 1 <= x <= 10 and 1 <= y <= 10
    assert all(1 <= move.x <= 10 and 1 <= move.y <= 10 for move in game.moves)
    json.dumps(game.to_json())
    # history and pictures read what was stored
    words.use("en")
    home = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    folder = tmp_path / "seabattle"
    folder.mkdir(exist_ok=True)
    (tmp_path / "games.sqlite").rename(folder / "games.sqlite")
    exported, picture = str(tmp_path / "game.json"), str(tmp_path / "game.svg")
    assert "the opponent's answer to our shot at" in output("history", "show", "1", **home)
    output("history", "export", "1", "-o", exported, **home)
    output("picture", exported, "-o", picture, **home)


@needs.PTYS
def test_a_bot_whose_opponent_has_left_waits_for_another_and_gives_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Leaver(RudeSlave):
        def shot_at(self, x: int, y: int) -> None:
            self.send(wire.GOODBYE)
            self.left = True

    monkeypatch.setattr("seabattle_host.player.opponent.LONE_TICKS", 20)
    with AtPort(Leaver()) as port:
        status = main(["bot", "--port", port.url, "--role", "master", "--lang", "en"])
    out, err = capsys.readouterr()
    assert status == 1 and err == "seabattle: nobody came within 1 s\n"
    assert "the opponent says goodbye and has left" in out and "result: 0 games" in out
