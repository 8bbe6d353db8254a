"""A salvo over a serial line: two ends agree on it, play it by lines of chat, and detect cheating."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from seabattle import link as links
from seabattle import salvo as rules
from seabattle import watch, wire
from seabattle.fair import FairPlayer
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle.salvo import CELLS, SHIPS, SIZE
from seabattle.watch import Watch
from seabattle_host.games import computers
from seabattle_host.language import words
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player import salvo_lines as lines
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.salvo_player import EV_SALVO, SalvoPlayer, explain
from seabattle_host.sniff import shown_fields

pytestmark = pytest.mark.usefixtures("english")


class End:
    """One end of the line. orders: its actions at an event, in place of playing on."""

    def __init__(self, role: int, seed: int, knows: bool = True):
        self.link = Link(role, Rng(seed))
        self.link.nick(b"ABC", 3)
        self.time = 0.0
        self.happened: list[int] = []
        self.words: list[str] = []
        self.chat: list[bytes] = []
        self.orders: dict[int, Callable[[End], None]] = {}
        self.player: FairPlayer = (
            SalvoPlayer(self.link, Rng(seed), Sealer(), asks=False)
            if knows
            else FairPlayer(self.link, Rng(seed), Sealer())
        )
        if isinstance(self.player, SalvoPlayer):
            self.player.salvo._clock = lambda: self.time

    @property
    def salvo(self) -> salvos.SalvoExchange:
        assert isinstance(self.player, SalvoPlayer)
        return self.player.salvo

    def look(self) -> None:
        while event := self.player.poll():
            if event == links.EV_CHAT:
                self.chat.append(bytes(self.link.text[: self.link.text_len]))
            if event == EV_SALVO:
                assert isinstance(self.player, SalvoPlayer)
                what = self.link.a
                self.happened.append(what)
                self.words.append(explain(self.player))
                self.orders.get(what, End.play)(self)

    def play(self) -> None:
        """Do what this stage requires."""
        game = self.salvo.game
        if self.salvo.stage == salvos.PLACING:
            game.fill(0)
            self.salvo.declare_fleet()
        elif self.salvo.stage == salvos.AIMING:
            cells = computers.salvo_of_one(game, 2)
            assert game.fire_at(0, cells, len(cells)) == rules.OK
            self.salvo.declare_salvo()


class Line:
    """Two ends, and a watcher between them. change: rewrites each text of chat, given its sender; None loses it."""

    def __init__(self, change: Callable[[int, bytes], bytes | None] = lambda side, text: text, knows: bool = True):
        self.ends = End(wire.MASTER, 1), End(wire.SLAVE, 2, knows)
        self.watch = Watch()
        self.accused: list[str] = []
        self.texts: list[tuple[int, bytes]] = []
        self.cut = False
        """The line is cut."""
        self._change = change
        self._readers = wire.Reader(), wire.Reader()

    def until(self, done: Callable[[], bool], ticks: int = 20000) -> None:
        for _ in range(ticks):
            for side, end in enumerate(self.ends):
                end.look()
                self._carry(side)
            if done():
                return
            for end in self.ends:
                end.time += words.TICK_SECONDS
                end.link.tick()
            self.watch.tick()
        raise AssertionError(f"{self.ends[0].words[-3:]} {self.ends[1].words[-3:]}")

    def _carry(self, side: int) -> None:
        data = bytes(iter(self.ends[side].link.tx, -1))
        if self.cut:
            return
        reader = self._readers[side]
        frame = b""
        for byte in data:
            frame += bytes([byte])
            if reader.feed(byte) == wire.FRAME:
                if reader.op == wire.CHAT and len(frame) > 3:
                    self.texts.append((side, frame[2:]))
                    text = self._change(side, frame[2:])
                    frame = b"" if text is None else bytes([wire.CHAT, len(text)]) + text
                for one in frame:
                    self.watch.feed(side, one)
                    while self.watch.take():
                        if self.watch.verdict in (watch.VIOLATION, watch.DEVIATION):
                            self.accused.append(f"{self.watch.reason} {frame.hex()}")
                    self.ends[1 - side].link.rx(one)
                frame = b""


def changed(kind: str, change: Callable[[lines.Line], bytes], from_: int = 1) -> Callable[[int, bytes], bytes | None]:
    """Return a `change` that rewrites one side's lines of this kind."""

    def carry(side: int, text: bytes) -> bytes:
        line = lines.parse(text)
        return change(line) if side == from_ and line is not None and line.kind == kind else text

    return carry


def begun(line: Line) -> tuple[Line, End, End]:
    """Meet, and have one end offer a salvo."""
    line.until(lambda: all(end.link.state == 1 for end in line.ends))
    assert line.ends[0].salvo.offer() == links.DONE
    return line, *line.ends


def played(line: Line, ticks: int = 20000) -> None:
    """Play the salvo to its end at both ends."""
    line.until(lambda: all(salvos.EVENT_DONE in end.happened for end in line.ends), ticks)


def asked_first(line: Line) -> None:
    """Have the second end ask its player first."""
    player = line.ends[1].player
    assert isinstance(player, SalvoPlayer)
    player.asks = True


def test_both_ends_play_the_same_game_and_no_listener_accuses_them():
    line, a, b = begun(Line())
    played(line)
    one, two = a.salvo.game, b.salvo.game
    assert one.outcome in (rules.WON_BY_0, rules.WON_BY_1) and {one.outcome, two.outcome} == {1, 2}
    assert one.round == two.round > 5
    for mine, its in ((one.views[0], two.views[1]), (one.views[1], two.views[0])):
        for told in ("fired", "received", "struck", "own", "own_hits", "own_sunk_in", "hits", "sunk_in"):
            assert getattr(mine, told) == getattr(its, told), told
    assert (a.salvo.verdict, b.salvo.verdict) == (salvos.CLEAN, salvos.CLEAN)
    assert not line.accused and not a.chat and not b.chat
    assert all(end.link.state == 1 and not end.link.deviations for end in line.ends)
    assert all(len(text) <= wire.TEXT_MAX for _, text in line.texts)
    in_words = [shown_fields.take(None, side, text, 1) for side, text in line.texts]
    assert all(in_words) and in_words[0] == "wants to play a salvo"
    assert in_words[-1].startswith("shows its fleet: carrier ") and any("hit by the other" in told for told in in_words)


def test_what_a_fleet_is_shows_only_at_the_end_and_not_by_which_shot_it_was_hit():
    """Two fleets that were hit alike give the same lines, apart from the seals, until they are shown."""

    def play(mirrored: bool) -> list[lines.Line]:
        line, a, b = begun(Line())

        def place(end: End) -> None:
            for ship in range(SHIPS):
                # hit by one of two shots at either place, and nobody can tell by which
                x = SIZE - rules.LENGTHS[ship] if mirrored else 0
                assert end.salvo.game.place(0, ship, x, 2 * ship, rules.EAST) == rules.OK
            end.salvo.declare_fleet()

        def aim(end: End) -> None:
            game = end.salvo.game
            row = (game.round - 1) * 2 * SIZE
            cells = [row, row + SIZE - 1] if end is a else [99 - game.round]
            assert game.fire_at(0, cells, len(cells)) == rules.OK
            end.salvo.declare_salvo()

        b.orders[salvos.EVENT_STARTED] = place
        for end in line.ends:
            end.orders[salvos.EVENT_TURN] = lambda end: aim(end) if end.salvo.game.round <= SHIPS else None
        line.until(lambda: b.salvo.game.round == SHIPS + 1)
        return [said for side, text in line.texts if side == 1 and (said := lines.parse(text)) is not None]

    fleets = [play(False), play(True)]
    for said in fleets:
        hits = [one.hits for one in said if one.kind == lines.HIT]
        assert hits == [tuple(int(i == ship) for i in range(SHIPS)) for ship in range(SHIPS)]
    one, two = ([(told.kind, told.number, told.cells, told.hits) for told in said] for said in fleets)
    assert one == two


@pytest.mark.parametrize("fault", ["lost", "damaged", "damaged word"])
def test_a_line_that_loses_or_damages_texts_delays_a_salvo_and_convicts_nobody(fault: str):
    # an even pattern could stay in step with the resends
    lots, spoilt = random.Random(3), 0

    def carry(side: int, text: bytes) -> bytes | None:
        nonlocal spoilt
        if lots.random() > 0.15 or not text.startswith((b"#aim", b"#fire", b"#hit", b"#ships", b"#fleet")):
            return text
        spoilt += 1
        at = 3 if fault == "damaged word" else 9
        return None if fault == "lost" else text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]

    line, *_ = begun(Line(carry))
    played(line, 100_000)
    assert spoilt > 8
    for end in line.ends:
        # the very last line may be lost, and is not requested again
        assert end.salvo.verdict in (salvos.CLEAN, salvos.NOT_SHOWN), end.words
        assert end.salvo.game.how == rules.BY_SINKING
    assert {end.salvo.game.outcome for end in line.ends} == {rules.WON_BY_0, rules.WON_BY_1}


@pytest.mark.parametrize(
    ("kind", "change", "verdict"),
    [
        (lines.HIT, lambda line: lines.hit_line(line.number, [0] * SHIPS), salvos.BAD_HITS),
        (lines.HIT, lambda line: lines.hit_line(line.number, [3, 2, 2, 0, 0]), salvos.BAD_HITS),
        (lines.FIRE, lambda line: lines.fire_line(line.number, line.cells), salvos.BAD_SEAL),
        # moved, and touching
        (lines.FLEET, lambda line: lines.fleet_line([0, 4, 20, 23, 40, 42, 60, 62, 80, 81]), salvos.BAD_SEAL),
        (lines.FLEET, lambda line: lines.fleet_line([0, 4, 10, 13, 40, 42, 60, 62, 80, 81]), salvos.BAD_FLEET),
    ],
)
def test_who_cheats_is_found_out_and_has_lost(kind: str, change: Callable[[lines.Line], bytes], verdict: str):
    line, a, b = begun(Line(changed(kind, change)))
    line.until(lambda: salvos.EVENT_DONE in a.happened)
    assert a.salvo.verdict in (verdict, salvos.BAD_HITS if verdict == salvos.BAD_SEAL else verdict)
    assert a.salvo.verdict in salvos.CHEATING and "cheated" in a.words[-1]
    assert b.salvo.verdict not in salvos.CHEATING


@pytest.mark.parametrize("cells", [[0, 0], [0, 1, 2, 3, 4, 5, 6], []])
def test_a_salvo_against_the_rules_is_not_answered(cells: list[int]):
    """Its seal is right, so only the rules reject it."""

    def cheat(end: End) -> None:
        game = end.salvo.game
        game.salvo = (game.salvo[0], game.salvo[1])
        game.fire_at(0, [0], 1)
        end.salvo._fire = lines.fire_line(1, cells)
        end.salvo._send(lines.aim_line(1, end.salvo._fire))
        end.salvo._to(salvos.AIMED)

    line, a, b = begun(Line())
    b.orders[salvos.EVENT_TURN] = cheat
    line.until(lambda: salvos.EVENT_DONE in a.happened)
    assert a.salvo.verdict == salvos.BAD_SALVO and a.salvo.game.outcome == rules.WON_BY_0


@pytest.mark.parametrize("chat", [True, False])
def test_a_program_of_2010_reads_the_offer_as_chat_and_plays_on(chat: bool):
    line = Line(knows=False)
    a, b = line.ends
    if not chat:
        line._change = lambda side, text: text
        taken = b.link._command
        b.link._command = lambda op: None if op == wire.CHAT else taken(op)  # type: ignore[method-assign]
    begun(line)
    wanted = salvos.EVENT_UNKNOWN if chat else salvos.EVENT_NO_CHAT
    line.until(lambda: wanted in a.happened)
    assert b.chat == ([b"#salvo"] if chat else [])
    assert a.link.offer(6, 0, 0, 0, 2) == links.DONE
    line.until(lambda: all(end.link.state == 2 for end in line.ends))
    assert not line.accused


@pytest.mark.parametrize("stage", [salvos.EVENT_STARTED, salvos.EVENT_TURN])
def test_who_gives_up_has_lost_at_once(stage: int):
    line, a, b = begun(Line())
    b.orders[stage] = lambda end: end.salvo.decline()
    played(line)
    assert (a.salvo.game.outcome, b.salvo.game.outcome) == (rules.WON_BY_0, rules.WON_BY_1)
    assert a.link.state == b.link.state == 1 and not line.accused


def pulled(line: Line, at: int) -> None:
    """Play until this many texts were sent, cut the line until both have timed out, and join it again."""
    line.until(lambda: len(line.texts) >= at)
    line.cut = True
    line.until(lambda: all(end.link.key_awaited or not end.link.state for end in line.ends))
    for end in line.ends:
        end.link.key()
    line.until(lambda: not any(end.link.state for end in line.ends))
    line.cut = False


@pytest.mark.parametrize("at", range(5, 12))
def test_a_salvo_whose_line_was_pulled_goes_on_where_it_was(at: int):
    """At every kind of line that both send in a round."""
    line, *ends = begun(Line())
    pulled(line, at)
    played(line)
    for end in ends:
        assert end.happened.count(salvos.EVENT_STARTED) == 1 and salvos.EVENT_BACK in end.happened
        assert end.salvo.verdict == salvos.CLEAN and not end.chat
    assert {end.salvo.game.outcome for end in ends} == {rules.WON_BY_0, rules.WON_BY_1}


def test_who_comes_back_without_the_salvo_ends_it_for_the_other():
    """Its program was restarted."""
    line, a, _ = begun(Line())
    pulled(line, 9)
    line.ends = a, End(wire.SLAVE, 3)
    line.until(lambda: salvos.EVENT_DONE in a.happened)
    assert a.salvo.verdict == salvos.LEFT and a.salvo.game.outcome == rules.ABANDONED
    # and both can play another one
    assert a.salvo.offer() == links.DONE
    line.until(lambda: salvos.EVENT_DONE in line.ends[1].happened)
    assert line.ends[1].salvo.verdict == salvos.CLEAN


def test_who_is_asked_to_go_on_with_a_game_that_is_over_says_its_last_lines_again():
    line, a, b = begun(Line())
    line.until(lambda: a.salvo.settled and b.salvo.settled and salvos.EVENT_DONE in a.happened)
    before = len(line.texts)
    assert b.salvo.handle_text(lines.resume_line(a.salvo._fleet), asks=False)
    line.until(lambda: b.salvo.settled)
    said = [lines.parse(text) for side, text in line.texts[before:] if side == 1]
    assert [one.kind for one in said if one is not None] == [lines.BACK, lines.FIRE, lines.HIT, lines.FLEET]


def test_an_offer_to_the_club_goes_to_the_opponent_when_there_is_one():
    line = Line()
    asked_first(line)
    line.until(lambda: all(end.link.peer_nick_len for end in line.ends))
    line, a, b = begun(line)
    line.until(lambda: salvos.EVENT_ASKED in a.happened)
    # this peer was the club, and is now one that does not know the offer
    b.salvo.stage = salvos.IDLE
    b.player.asks = False
    b.link.nick(b"BORIS", 5)
    played(line)
    assert a.salvo.verdict == salvos.CLEAN


def test_lines_that_are_none_are_chat():
    for text in (b"#salvo!", b"hello", b"#fires 1", b" #salvo", b"#salvo no thanks"):
        assert lines.parse(text) is None
    good = lines.fire_line(100, [0, CELLS - 1])
    read = lines.parse(good)
    assert read == lines.Line(lines.FIRE, 100, cells=(0, CELLS - 1))
    for i in range(6, len(good)):
        broken = lines.parse(good[:i] + bytes([good[i] ^ 4]) + good[i + 1 :])
        assert broken == lines.Line(lines.DAMAGED)
