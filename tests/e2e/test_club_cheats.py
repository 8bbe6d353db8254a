"""Cheating at the club, over real sockets: PINs guessed, ratings faked, games dragged out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club import pins
from seabattle_host.club.limits import Limits
from seabattle_host.club.wording import speaking
from seabattle_host.commands.options import Parameters
from seabattle_host.language.messages import tr
from tests.club import House, until

MASTER, SLAVE = wire.MASTER, wire.SLAVE
USUAL = Limits(one_address=True)


@pytest.mark.parametrize(("name", "language"), [("SAM", "en"), ("САША", "ru")])
async def test_the_owner_of_a_name_is_told_that_its_pin_is_tried_out(house: House, name: str, language: str) -> None:
    """Each in the language of its name, whatever the club's own is."""

    def words(key: str) -> str:
        with speaking(language):
            return tr(key, name=name, id=1)

    nick = name.encode("cp866")
    house.lobby.store.claim(house.lobby.store.register(name).id, pins.make("5005"))
    owner = await house.seat(SLAVE, nick, bot=False)
    await until(lambda: owner.told(words("name_claimed")))
    await owner.say("pin 5005")
    await until(lambda: owner.told(words("welcome")))
    thief = await house.seat(SLAVE, nick, bot=False)
    await until(lambda: thief.told(words("name_here")))
    await thief.say("pin 1234")
    await until(lambda: owner.told(words("pin_wrong_warning")))
    await until(lambda: thief.told(words("pin_wrong")))
    assert any(f"a wrong PIN for {name} from 127.0.0.1" in line for line in house.log)


@pytest.mark.parametrize("second", ["127.0.0.1", "127.0.0.2"])
@pytest.mark.club(limits=Limits())
async def test_surrenders_in_the_first_move_make_no_rating(house: House, second: str) -> None:
    master, slave, _ = await house.fight(second=second)
    slave.order(slave.link.surrender)
    await until(lambda: master.results())
    await until(lambda: house.games()[-1].ending)
    (game,) = house.games()
    assert (game.winner, game.ending, game.rated) == (0, "surrender", False)
    assert house.lobby.ratings.order() == []


@pytest.mark.parametrize(("second", "counts"), [("127.0.0.1", False), ("127.0.0.2", True)])
@pytest.mark.club(limits=Limits())
async def test_a_whole_game_counts_between_two_addresses_and_not_within_one(
    house: House, second: str, counts: bool
) -> None:
    one = await house.seat(MASTER, b"ONE", seed=1, offer=Parameters(6, 0, 0, 0, 1))
    two = await house.seat(SLAVE, b"TWO", seed=2, address=second)
    await until(lambda: one.results() and two.results())
    await until(lambda: house.games()[-1].ending)
    assert house.games()[0].rated is counts and bool(house.lobby.ratings.order()) is counts


@pytest.mark.club(limits=Limits(pair_games=2))
async def test_the_same_two_cannot_play_for_ratings_all_day(house: House) -> None:
    await house.seat(MASTER, b"ONE", seed=1, games=0, offer=Parameters(6, 0, 0, 0, 1))
    await house.seat(SLAVE, b"TWO", seed=2, games=0, address="127.0.0.2")
    await until(lambda: len([game for game in house.games() if game.ending == "shots"]) >= 4)
    assert [game.rated for game in house.games()[:4]] == [True, True, False, False]


@pytest.mark.club(limits=replace(USUAL, move=20, move_warning=12))
async def test_who_keeps_the_line_alive_and_does_not_shoot_is_warned_and_has_lost(house: House) -> None:
    master, slave, _ = await house.fight()
    await until(lambda: master.told("it is your move"), lambda: master.events)
    assert not slave.told("it is your move")
    await until(lambda: house.games()[0].ending)
    assert house.ended() == (1, "clock")
    # nobody took the club's message for the other's fault
    assert not {links.EV_BROKEN, links.EV_ACCUSED, links.EV_TIMEOUT} & {*master.codes(), *slave.codes()}
    (game,) = house.games()
    stalled = house.lobby.conduct.counts_of(game.players[0].id)["stalled"]
    assert stalled == 1 and house.lobby.conduct.patience(game.players[0].id) < 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("", "it is your move; in 10 seconds the game is lost"),
        ("ru", "ваш ход; через 10 секунд партия проиграна"),
    ],
)
@pytest.mark.club(limits=replace(USUAL, move=20, move_warning=30))
async def test_a_clock_that_is_shorter_than_the_usual_warning_warns_too(
    house: House, language: str, words: str
) -> None:
    master, _slave, _ = await house.fight()
    # a player who has written Russian to the club is warned in Russian
    house.lobby.relays[0].players[0].spoken = language  # type: ignore[attr-defined]
    await until(lambda: master.told(words))
    assert not house.games()[0].ending


@pytest.mark.club(limits=replace(USUAL, move=24, move_warning=20))
async def test_a_slave_is_warned_in_the_middle_of_syncs_and_plays_on(house: House) -> None:
    master, slave, _ = await house.fight()
    await master.shoot(0)
    await until(lambda: slave.told("it is your move"), lambda: slave.events)
    await slave.shoot(0)
    await master.shoot(1)
    assert not house.games()[0].ending and not master.told("it is your move")


async def test_who_often_spoils_games_is_seen_and_paired_last(house: House) -> None:
    store = house.lobby.store
    bad, good = store.register("BAD"), store.register("GOOD")
    for ending in ("goodbye", "violation", "clock"):
        house.lobby.conduct.add(good.id, bad.id, ending)
    assert house.lobby.conduct.counts_of(bad.id) == {"broke": 1, "left": 1, "stalled": 1}
    assert house.lobby.conduct.counts_of(good.id) == {"broke": 0, "left": 0, "stalled": 0}
    await house.seat(SLAVE, b"BAD", bot=False)
    await house.waiting("BAD")
    await house.seat(SLAVE, b"GOOD", bot=False)
    await house.waiting("BAD", "GOOD")
    await house.seat(MASTER, b"MAX", bot=False)
    await house.relay("MAX", "GOOD")
    assert house.waits("BAD")
