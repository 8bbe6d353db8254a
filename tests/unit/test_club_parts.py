"""Parts of the club in isolation: ratings, the register, the file, tournaments, lines whose peer does not read."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
import sqlite3
import time
from datetime import datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path

import pytest

from seabattle import wire
from seabattle.field import OK, Field
from seabattle.fleet import Fleet
from seabattle.gunner import RANDOM
from seabattle_host.club import browser_view, pins
from seabattle_host.club.accounts import Accounts
from seabattle_host.club.admin import Administration
from seabattle_host.club.computers import RATINGS
from seabattle_host.club.glicko2 import START, Rating, update
from seabattle_host.club.limits import Limits
from seabattle_host.club.line import Line
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.pair_backoff import PairBackoff
from seabattle_host.club.pairing import is_tagged
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.relay import Relay
from seabattle_host.club.store import Account, Game, Move, Store, pack, unpack
from seabattle_host.club.tournament import BYE, Tournament
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.session import Session


@pytest.fixture
def store(tmp_path: Path):
    with Store(tmp_path / "club.sqlite") as made:
        yield made


# Ratings.


MONDAY = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)


def test_the_example_of_the_paper() -> None:
    """Glickman's "Example of the Glicko-2 system"."""
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    one = update(Rating(1500, 200, 0.06), opponents, tau=0.5)
    assert (one.rating, one.deviation) == (pytest.approx(1464.06, abs=0.02), pytest.approx(151.52, abs=0.01))
    assert one.volatility == pytest.approx(0.05999, abs=1e-5)


def test_a_win_over_a_stronger_one_is_worth_more_and_a_rating_becomes_surer() -> None:
    strong, weak, other = 1, 2, 3
    ratings = Ratings([(strong, 10 + i, MONDAY) for i in range(5)])
    tomorrow = MONDAY + timedelta(days=1)
    ratings.add(weak, strong, tomorrow)
    ratings.add(other, 99, tomorrow)
    assert ratings.standing(weak, tomorrow).rating > ratings.standing(other, tomorrow).rating > START
    assert (
        ratings.standing(strong, tomorrow).deviation
        < ratings.standing(weak, tomorrow).deviation
        < ratings.standing(77).deviation
    )
    standing = ratings.standing(strong, tomorrow)
    assert (standing.games, standing.won, standing.lost) == (6, 5, 1)


def test_who_stays_away_becomes_less_sure_and_who_comes_back_goes_on_from_there() -> None:
    ratings = Ratings([(1, 2, MONDAY)] * 10)
    later = MONDAY + timedelta(days=400)
    before, after = ratings.standing(1, MONDAY), ratings.standing(1, later)
    assert after.rating == before.rating and before.deviation < after.deviation < 350
    ratings.add(1, 2, later)
    assert ratings.standing(1, later).deviation < after.deviation


def test_an_anchor_stays_whoever_beats_it(store: Store) -> None:
    computer = Accounts(store, Limits(), time.monotonic).computer("PC random")
    person = store.register("MAX")
    for _ in range(3):
        game = Game((person, computer), battle=True, winner=0, ending="shots", rated=True, stage="finished")
        store.begin(game)
        game.ended = MONDAY
        store.stage(game)
    ratings = Ratings.of_store(store)
    assert (
        ratings.standing(computer.id, MONDAY).rating == RATINGS[RANDOM]
        and ratings.standing(computer.id, MONDAY).lost == 3
    )
    # three wins over the weakest prove less than three over an unknown player would
    assert (
        RATINGS[RANDOM]
        < ratings.standing(person.id, MONDAY).rating
        < Ratings([(1, 2, MONDAY)] * 3).standing(1, MONDAY).rating
    )


def test_who_surely_is_better_comes_first_and_who_has_not_played_is_not_there() -> None:
    many = [(7, 100 + i, MONDAY) for i in range(12)]
    order = Ratings([(5, 3, MONDAY), *many]).order(MONDAY)
    assert order[0] == 7 and order.index(5) < order.index(3) and 55 not in order
    assert Ratings().order() == [] and Ratings().standing(1).rating == START


# The register.


def register(store: Store) -> Accounts:
    return Accounts(store, Limits(), time.monotonic)


def test_a_name_is_the_same_in_capitals_and_not_and_is_cut_and_cleaned(store: Store) -> None:
    accounts = register(store)
    first, _ = accounts.greet("Щука".encode("cp866"), ())
    again, _ = accounts.greet("щУКА".encode("cp866"), ())
    assert again.id == first.id and first.name == "Щука"
    assert accounts.greet(b"\x1b[2J" + b"x" * 200, ())[0].name == "·[2Jxxxxxx"
    for nick in (b"", b"   ", b"\x00\x00"):
        account, _ = accounts.greet(nick, ())
        assert account.kind == "guest" and account.display_name == f"?#{account.id}"


@pytest.mark.parametrize(
    "nick", ["PC hunt", "pc hunt", "PChunt", "РС hunt", "PC  HUNT", "РС НUNT", "Club", "СLUB", "КЛУБ"]
)
def test_names_of_computers_and_of_the_club_are_nobody_elses_also_before_any_has_come(store: Store, nick: str) -> None:
    account, words_ = register(store).greet(nick.encode("cp866"), ())
    assert account.kind == "guest" and "the club's own" in words_
    computer = register(store).computer("PC hunt")
    assert computer.kind == "computer" and register(store).computer("PC hunt").id == computer.id
    assert register(store).greet(nick.encode("cp866"), ())[0].kind == "guest"


def give(accounts: Accounts, account: Account, pin: str, address: str = "here") -> tuple[Account, str]:
    return asyncio.run(accounts.pin(account, pin, address, tuple))[:2]


@pytest.mark.parametrize("pin", ["", "123", "1" * 13, "12a4", "１２３４", "-123", "1 23"])
def test_what_is_no_pin_claims_nothing(store: Store, pin: str) -> None:
    accounts = register(store)
    give(accounts, accounts.greet(b"SAM", ())[0], pin)
    assert not store.account("SAM").claimed


def test_a_pin_is_given_once_and_then_the_name_and_what_looks_like_it_are_its_owners(store: Store) -> None:
    accounts = register(store)
    account, _ = accounts.greet(b"MAX", ())
    assert accounts.greet(b"MIX", ())[0].kind == "person"
    give(accounts, account, "1234")
    give(accounts, account, "9999")
    kept = store.pin_hash(account.id)
    assert pins.matches("1234", kept) and not pins.matches("9999", kept)
    assert b"1234" not in store.path.read_bytes()
    for nick in ("МАХ", "m a x", "MaX.", "mах"):
        assert accounts.greet(nick.encode("cp866"), ())[0].kind == "guest"
    with pytest.raises(UserError, match="registered already"):
        store.register("max")
    assert store.account("MAX").id == account.id


def test_wrong_pins_wait_longer_each_time_whatever_else_succeeds(store: Store, monkeypatch) -> None:
    monkeypatch.setattr(pins, "_hash", lambda pin, salt, n: hashlib.sha512(pin.encode() + salt).digest())  # in no time
    now = [0.0]
    accounts = Accounts(store, Limits(), lambda: now[0])
    owner, _ = accounts.greet(b"SAM", ())
    give(accounts, owner, "7777", "home")
    thief, _ = accounts.greet(b"SAM", ())
    other, _ = accounts.greet(b"TOM", ())
    give(accounts, other, "1111", "street")
    again, _ = accounts.greet(b"TOM", ())
    tries = 0
    while now[0] < 6 * 3600:
        told = give(accounts, thief, f"{tries:04}", "street")[1]
        if wait := re.search(r"wait (\d+) second", told):
            now[0] += int(wait[1])
            give(accounts, again, "1111", "street")
        else:
            assert "is wrong" in told
            tries += 1
    assert tries < 20
    # the count is of the name, from any address
    tries += "is wrong" in give(accounts, thief, "0000", "street")[1]
    assert "wait" in give(accounts, thief, "1000", "elsewhere")[1]
    # and its owner does not wait at an address used before, and is notified
    told = give(accounts, accounts.greet(b"SAM", (owner.id,))[0], "7777", "home")[1]
    assert told.startswith("welcome, SAM") and f"wrong PINs for your name: {tries}." in told


def test_a_pin_that_was_kept_in_the_old_form_is_kept_in_the_slow_one_once_it_was_given(store: Store) -> None:
    accounts = register(store)
    account, _ = accounts.greet(b"SAM", ())
    salt = bytes(range(16))
    store.claim(account.id, salt + hashlib.scrypt(b"1234", salt=salt, n=1024, r=8, p=1))
    assert give(accounts, accounts.greet(b"SAM", ())[0], "1234")[0].id == account.id
    assert not pins.outdated(store.pin_hash(account.id)) and pins.matches("1234", store.pin_hash(account.id))


def test_a_file_of_the_first_clubs_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with Store(path) as made:
        one, two = made.register("ONE"), made.register("TWO")
        for ending, battle in (("shots", True), ("surrender", True)):
            game = Game((one, two), battle=battle, winner=0, ending=ending, stage="finished")
            made.begin(game)
            made.stage(game)
    with sqlite3.connect(path) as db:
        for table, columns in (
            ("game", "id, master, slave, started, stage, size, fleet, battle, winner, ending, ended"),
            ("player", "id, name, lookup, kind, pin, since"),
        ):
            db.execute(f"create table old as select {columns} from {table}")
            db.execute(f"drop table {table}")
            db.execute(f"alter table old rename to {table}")
        db.execute("drop table ban")
        db.execute("drop table operator_order")
        db.execute("drop table tournament")
        assert "decks" not in [row[1] for row in db.execute("pragma table_info(game)")]
        db.execute("pragma user_version = 1")
    db.close()
    with Store(path) as again:
        assert [result[:2] for result in again.results()] == [(one.id, two.id)]
        again.claim(one.id, pins.make("1234"))
        assert again.twin("0NE").id == one.id
        admin = Administration(again)
        admin.ban("TWO")
        assert admin.banned("two")


# The file.


def test_a_capture_is_kept_piece_by_piece() -> None:
    pieces = [(10**15, 0, b"\xaa"), (10**15 + 7, 1, b""), (10**15 + 9, 1, bytes(300))]
    assert list(unpack(b"".join(pack(*piece) for piece in pieces))) == pieces


def test_games_that_were_broken_off_are_ended_once(store: Store) -> None:
    players = store.register("A"), store.register("B")
    game = Game(players)
    store.begin(game)
    store.move(game, Move(0, 1, 2, 1, 0.5))
    assert store.abandon() == 1 and store.abandon() == 0
    kept = store.game(game.id)
    assert (kept.ending, kept.winner) == ("killed", None) and kept.moves == game.moves


# Messages.


def test_what_is_said_in_chat_fits_into_a_frame() -> None:
    for language in words.LANGUAGES:
        words.use(language)
        for key in ("registered", "name_claimed", "all_masters", "all_slaves", "you_turn", "club_commands", "pin_form"):
            said = tr(key, name="ABCDEFGHIJ", id=12345)
            assert len(said.encode("cp866")) <= 2 * wire.TEXT_MAX, key
    words.use("en")


def test_tagged_parameters_are_known_as_such() -> None:
    tagged = [is_tagged(data) for data in (bytes([10, 0x41, 0x32, 0x23, 0x14]), bytes([10, 1, 2, 3, 4]), b"")]
    assert tagged == [True, False, False]


# A peer that does not read.


class Deaf(Line):
    """A line whose other end accepts no bytes."""

    unsent = 0
    closed = False

    def send(self, data: bytes) -> None:
        self.unsent += len(data)

    def close(self) -> None:
        self.closed = True


async def test_who_does_not_read_is_dropped(store: Store) -> None:
    lobby = Lobby(store, Limits(unsent=40))
    line = Deaf("deaf", "10.0.0.1")
    lobby.arrive(line)
    (session,) = lobby.sessions
    for _ in range(2000):
        if not line.closed:
            session.tick()
    assert line.closed and line.unsent <= 40 and lobby.sessions == []


# A relay.


class End:
    """A player at a relay."""

    address = ""
    language = "en"

    def __init__(self, name: str):
        self.name = name
        self.noise = 0
        self.heard = bytearray()
        self.let: tuple[int, bool] | None = None
        self.offences = 0

    def pass_on(self, data: bytes) -> None:
        self.heard += data

    def decks(self) -> list[int] | None:
        return [0, 1] if self.name == "M" else None

    def end_relay(self, word: int, cut: bool) -> None:
        self.let = word, cut

    def offend(self) -> None:
        self.offences += 1

    def drop(self, why: str) -> None:
        self.let = None


IN_BATTLE = "s A4 m 4A "


class Ends:
    """A relay with its two players. talk: a script like `m C0 01 01 s 0C`; taken: bytes accepted of its last frame."""

    taken = 0

    def __init__(self, store: Store, state: int, talk: str = ""):
        self.master, self.slave = self.players = End("A"), End("B")
        game = Game((store.register("A"), store.register("B")))
        store.begin(game)
        self.relay = Relay(
            self.players,
            game,
            store,
            Limits(),
            state=state,
            nicks=(b"A", b"B"),
            parameters=bytes([6, 0, 0, 0, 2]),
            changed=lambda: None,
            over=lambda relay, game: None,
        )
        self.say(talk)

    def say(self, talk: str) -> None:
        for who, said in re.findall("([ms])((?: [0-9A-F]{2})+)", talk):
            self.taken = self.relay.feed(self.players["ms".index(who)], bytes.fromhex(said))


@pytest.mark.parametrize(
    ("talk", "master_heard", "slave_heard", "let"),
    [
        # nothing of a forbidden frame is forwarded, nor the last byte of a shot off the field
        ("s C0 01 01 01", "A4", "4A", ((wire.GOODBYE, False), (wire.BROKEN, False))),
        ("m C0 07 01", "A4", "C0 07", ((wire.BROKEN, False), (wire.GOODBYE, True))),
        # the same shot again within a moment is
        ("m C0 01 01 s 0C m C0 01 01 s 0C", "0C 0C", "C0 01 01 C0 01 01", (None, None)),
    ],
)
def test_what_goes_on_and_whom_it_ends_for(
    store: Store, talk: str, master_heard: str, slave_heard: str, let: tuple
) -> None:
    ends = Ends(store, 3, IN_BATTLE + talk)
    for end, heard in zip(ends.players, (master_heard, slave_heard), strict=True):
        assert end.heard.endswith(bytes.fromhex(heard)), end.heard.hex(" ")
    assert tuple(end.let for end in ends.players) == let and ends.taken == (1 if "0C" in talk else 3)
    assert len(store.game(1).moves) == ("0C" in talk) and ends.slave.offences == talk.startswith("s")


def test_a_move_is_in_the_file_before_its_answer_goes_on(store: Store) -> None:
    ends = Ends(store, 3, IN_BATTLE + "m C0 02 03")
    at_answer: list[int] = []
    ends.master.pass_on = lambda data: at_answer.append(len(store.game(1).moves))  # type: ignore[method-assign]
    ends.say("s 0C")
    assert at_answer == [1]


@pytest.mark.parametrize(
    ("talk", "ending", "winner"),
    [
        (IN_BATTLE + "m A6 s A6 6A m 6A", "surrender", None),
        (IN_BATTLE + "m A5 s 5A", "restart", 1),
        ("m A5 s 5A", "restart", None),
        (IN_BATTLE + "m C0 02 03 m A7", "goodbye", 1),
        # a byte that is no answer used to be dropped, and left its receiver stuck
        (IN_BATTLE + "m C0 02 03 s 77 m A7", "goodbye", None),
        (IN_BATTLE + "m C0 02 03", "lost", 1),
        (IN_BATTLE + "m C0 02 03 s 77", "lost", None),
    ],
)
def test_who_has_won_a_game_that_ends_otherwise(store: Store, talk: str, ending: str, winner: int | None) -> None:
    ends = Ends(store, 3, talk)
    if ending == "lost":
        ends.relay.lost(ends.master)
    assert (store.game(1).ending, store.game(1).winner) == (ending, winner)
    if ending == "restart":
        assert ends.slave.heard.endswith(b"\xa5") and not ends.relay.ended


def test_a_second_game_is_a_game_of_its_own(store: Store) -> None:
    ends = Ends(store, 3, IN_BATTLE + "m C0 01 01 s 2C m C0 03 03 s 2C m A9 s 9A m A5 s 5A m A2 s 2A")
    one, two = reversed(store.games())
    assert (one.ending, one.winner, one.count) == ("shots", 0, 2)
    assert (two.stage, two.size, two.count) == ("placing", 6, 0)
    ends.relay.close()
    for game in (one, two):
        session = Session()
        list(session.run(Chunk(at, side, data) for at, side, data in store.captured(game.id)))
        assert [kept.parameters for kept in session.sums.games] == [(6, 0, 0, 0, 2)]
        assert session.sums.violations == 0 and session.nicks == [b"A", b"B"]


def test_what_a_page_shows_of_the_own_field_follows_it_into_a_game_of_another_size() -> None:
    field, kept = Field(), browser_view.FieldCache()
    for width, length in ((10, 4), (6, 1)):
        fleet = Fleet()
        fleet.protocol(width, *((1, 2, 3, 4) if width == 10 else (0, 0, 1, 2)))
        field.reset(fleet)
        assert kept.own(field, field.cells) == "~" * width * width
        assert len(kept.legal(field)[f"{length}h"]) == width * width
        assert field.place(0, 0, length, False) == OK
        assert kept.own(field, field.cells).startswith("s" * length + "~")
        assert kept.legal(field) == browser_view.legal(field)
        # another size is agreed, and the field does not know it yet
        fleet.protocol(8, 0, 1, 2, 4)
        assert len(kept.own(field, 64)) == 64


def played(tournament: Tournament, seed: int = 1) -> list[list[tuple[int, int]]]:
    """Play all rounds, the lower number the more likely winner; return the pairs of each."""
    chance = random.Random(seed)
    rounds = []
    while not tournament.over:
        pairs = list(tournament.pairs)
        rounds.append(pairs)
        for one, two in pairs:
            if BYE not in (one, two):
                winner, loser = sorted((one, two), key=lambda player: player + chance.uniform(0, 4))
                assert tournament.add(winner, loser)
    return rounds


@pytest.mark.parametrize("number", range(2, 12))
def test_round_robin_is_everybody_against_everybody_once(number: int) -> None:
    players = list(range(1, number + 1))
    rounds = played(Tournament(players))
    met = [frozenset(pair) for pairs in rounds for pair in pairs if BYE not in pair]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(players, 2)))
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair if player != BYE) == players


@pytest.mark.parametrize("number", range(2, 20))
@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_swiss_meets_nobody_twice_and_gives_one_round_off_at_most(number: int, rounds: int) -> None:
    tournament = Tournament(range(1, number + 1), rounds)
    pairs = played(tournament, seed=number)
    assert len(pairs) == min(rounds, number - 1 + number % 2)
    for row in tournament.table():
        met = [other for other in row.opponents if other != BYE]
        assert len(row.opponents) == len(pairs)
        assert row.opponents.count(BYE) <= 1
        # with few players and many rounds no new opponent may be left
        if rounds < number // 2:
            assert len(set(met)) == len(met)


def test_who_has_won_as_often_meets_and_the_winner_of_all_leads() -> None:
    tournament = Tournament([1, 2, 3, 4, 5, 6, 7, 8], 3)
    for winner, loser in ((1, 2), (3, 4), (5, 6), (7, 8)):
        assert tournament.add(winner, loser)
    assert {frozenset(pair) for pair in tournament.pairs} == {
        frozenset(pair) for pair in ((1, 3), (5, 7), (2, 4), (6, 8))
    }
    for pair in list(tournament.pairs):
        tournament.add(min(pair), max(pair))
    assert tournament.opponent(1) == 5
    for pair in list(tournament.pairs):
        tournament.add(min(pair), max(pair))
    assert tournament.over and (tournament.table()[0].player, tournament.table()[0].points) == (1, 3)


def test_a_game_that_is_not_of_the_round_counts_for_nothing() -> None:
    tournament = Tournament([1, 2, 3, 4])
    other = next(p for p in (2, 3, 4) if p != tournament.opponent(1))
    assert not tournament.add(1, other) and not tournament.add(1, 99)
    opponent = tournament.opponent(1)
    assert opponent and tournament.add(1, opponent) and not tournament.add(opponent, 1)
    assert tournament.table()[0].points == 1 and tournament.round == 1


def test_points_of_the_opponents_decide_between_equal_points() -> None:
    # 1 and 4 have won once each; 1 has lost to the winner of all
    rows = Tournament([1, 2, 3, 4], 2, [(1, 2), (3, 4), (3, 1), (4, 2)]).table()
    assert [(row.player, row.points, row.buchholz) for row in rows] == [(3, 2, 2), (1, 1, 2), (4, 1, 2), (2, 0, 2)]


def test_players_whose_games_never_begin_are_paired_less_and_less_often_until_one_begins():
    backoff, now = PairBackoff(), 0.0
    one, two, other = (Account(number, f"P{number}") for number in (1, 2, 3))
    at = []
    for _ in range(40):
        while backoff.holds(one.id, two.id, now):
            now += 1.0
            assert not backoff.holds(one.id, other.id, now)
        at.append(now)
        backoff.note(Game((one, two)), now)
    assert at[:6] == [0.0, 0.0, 0.0, 1.0, 3.0, 7.0]
    assert at[-1] - at[-2] == 60.0 and backoff.holds(one.id, two.id, now)
    backoff.note(Game((one, two), battle=True), now)
    assert not backoff.holds(one.id, two.id, now)
