"""The club's rules, one test a clause, told as given, when, then: players at real sockets."""

from __future__ import annotations

from seabattle import field, wire
from seabattle import link as links
from seabattle.link import DONE
from seabattle_host.club.web import field as seen
from seabattle_host.player.parameters import Parameters
from tests.club import SHIPS, House, Seat, until

MASTER, SLAVE = wire.MASTER, wire.SLAVE

BESIDE = 0
"""A cell with no ship of it, beside the two-deck ship."""


def place(seat: Seat) -> None:
    """Put the whole fleet on the seat's field."""
    for ship in SHIPS:
        assert seat.player.field.place(*ship) == field.OK


async def test_a_player_registers(house: House) -> None:
    # given: nobody of this name
    assert house.lobby.store.account("MAX") is None
    # when: he comes
    await house.seat(MASTER, b"MAX", bot=False)
    # then: he is registered, with an ID of the club's own
    await until(lambda: house.session("MAX"))
    account = house.lobby.store.account("MAX")
    assert account is not None and account.id == house.session("MAX").account.id


async def test_registering_twice_is_refused(house: House) -> None:
    # given: a player of this name who is here
    first = await house.seat(MASTER, b"MAX", bot=False)
    await house.waiting("MAX")
    # when: another one comes with the name
    second = await house.seat(MASTER, b"max", bot=False)
    # then: he is not that player but a guest, and is told so; for the first nothing has changed
    await until(lambda: second.told("you are a guest"))
    assert [v.account.kind for v in house.lobby.sessions] == ["person", "guest"]
    assert len({v.account.id for v in house.lobby.sessions}) == 2
    assert house.waits("MAX") and first.link.state == 1


async def test_a_player_joins_the_queue(house: House) -> None:
    # given: a player who is neither in the queue nor in a game
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    await seat.say("leave")
    await until(lambda: not house.waits("SAM"))
    # when: he joins
    await seat.say("join")
    # then: he is in the queue
    await house.waiting("SAM")


async def test_nobody_is_in_the_queue_twice(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    await seat.say("join")
    await until(lambda: seat.told("you are in the queue already"))
    assert [v.name for v in house.lobby.matchmaker.waiting()] == ["SAM"]


async def test_a_player_leaves_the_queue_once(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    # when: he leaves the queue, and somebody comes whom he could play with
    await seat.say("leave")
    await until(lambda: seat.told("you left the queue"))
    await house.seat(MASTER, b"MAX", bot=False)
    await house.waiting("MAX")
    # then: no game starts
    assert house.lobby.relays == [] and house.games() == []
    # and: leaving again is refused
    await house.ticks(6)
    await seat.say("leave")
    await until(lambda: seat.told("you are not in the queue"))


async def test_two_who_wait_start_a_game_and_leave_the_queue(house: House) -> None:
    # given: one waits
    await house.seat(MASTER, b"MAX", bot=False)
    await house.waiting("MAX")
    # when: a second one joins
    await house.seat(SLAVE, b"SAM", bot=False)
    relay = await house.relay("MAX", "SAM")
    # then: their game is in the stage of placing, and the queue is empty
    assert relay.game.stage == "placing"
    assert house.lobby.matchmaker.waiting() == []
    (game,) = house.games()
    assert [p.name for p in game.players] == ["MAX", "SAM"] and game.stage == "placing"


async def test_who_plays_does_not_wait(house: House) -> None:
    # given: two who play
    await house.seat(MASTER, b"MAX", bot=False)
    await house.seat(SLAVE, b"SAM", bot=False)
    await house.relay("MAX", "SAM")
    # when: a third one joins the queue
    await house.seat(SLAVE, b"TOM", bot=False)
    # then: he waits alone, and the two go on
    await house.waiting("TOM")
    assert len(house.games()) == 1


async def test_ships_are_placed_while_placing(house: House) -> None:
    # given: a game in the stage of placing
    master, _slave, relay = await house.placing()
    own = master.player.field
    # when: a ship is put where none is and one of its length is left
    assert own.place(*SHIPS[0]) == field.OK
    # then: it is on the field
    assert own.left(2) == 0 and sum(map(bool, own.ship)) == 2
    # and: one that lies across it, one that touches it, one too many are refused, and change nothing
    before = bytes(own.ship)
    assert own.place(2, 1, 1, False) == field.OVERLAP
    assert own.place(3, 2, 1, False) == field.TOUCH
    assert own.place(1, 4, 2, False) == field.NONE_LEFT
    assert bytes(own.ship) == before
    # and: who has not placed all cannot say that he is ready
    assert master.player.ready() == links.NOT_NOW
    assert relay.game.stage == "placing"


async def test_of_each_length_there_are_five_less_the_length(house: House) -> None:
    await house.seat(MASTER, b"MAX", offer=Parameters(), games=0)
    slave = await house.seat(SLAVE, b"SAM", bot=False)
    await slave.state(3)
    assert [slave.player.field.left(length) for length in (4, 3, 2, 1)] == [1, 2, 3, 4]
    assert slave.link.size == 10


async def test_a_field_is_filled_at_random(house: House) -> None:
    # given: a field that is not full, in the stage of placing
    master, _slave, _relay = await house.placing()
    own = master.player.field
    own.place(*SHIPS[1])
    assert not own.complete()
    # when: it is filled
    assert own.fill(master.player.rng)
    # then: the whole fleet is on it
    assert own.complete() and own.ship[3 * 6 + 4]


async def test_two_full_fields_lead_to_the_battle(house: House) -> None:
    master, slave, relay = await house.placing()
    # when: one field is full
    place(master)
    master.order(master.player.ready)
    await slave.state(3)
    # then: the stage is still that of placing
    assert relay.game.stage == "placing"
    # when: both are
    place(slave)
    slave.order(slave.player.ready)
    # then: the battle has begun, for the players, the club and the database
    await master.state(4)
    await until(lambda: relay.game.stage == "battle")
    assert house.games()[0].stage == "battle"


async def test_a_hit_wounds_and_shoots_again(house: House) -> None:
    # given: the battle, the master's turn, a cell that was not shot at, with a part of a ship
    master, slave, relay = await house.fight()
    # when: he shoots there
    assert await master.shoot(1 * 6 + 1) == wire.HIT
    # then: the ship is wounded, he may shoot again and the other may not
    assert seen(relay, 1)[1 * 6 + 1] == "x"
    await until(lambda: master.link.mine)
    assert relay.watch.turn == 0 and not slave.link.my_turn
    assert slave.player.shoot(0) == links.NOT_NOW


async def test_a_miss_checks_the_cell_and_passes_the_turn(house: House) -> None:
    # given: the battle, the master's turn, a cell that was not shot at, empty
    master, slave, relay = await house.fight()
    # when: he shoots there
    assert await master.shoot(BESIDE) == wire.MISS
    # then: it is checked, and the turn is the other's
    assert seen(relay, 1)[0] == "o"
    await until(lambda: slave.link.mine)
    assert relay.watch.turn == 1 and master.player.shoot(5) == links.NOT_NOW
    # and: a cell that is checked is no aim any more
    await slave.shoot(BESIDE)
    await until(lambda: master.link.mine)
    assert master.player.shoot(0) == links.OUT_OF_RANGE


async def test_around_a_sunk_ship_the_cells_are_checked(house: House) -> None:
    master, _slave, relay = await house.fight()
    # when: a ship is sunk
    assert await master.shoot(1 * 6 + 1) == wire.HIT
    assert await master.shoot(1 * 6 + 2) == wire.SUNK
    # then: the cells around it are checked, for the shooter and for who looks on
    around = [0, 1, 2, 3, 6, 9, 12, 13, 14, 15]
    assert all(seen(relay, 1)[cell] == "-" for cell in around)
    assert seen(relay, 1)[7:9] == "##" and seen(relay, 1).count("-") == len(around)
    assert not any(master.player.radar.can_shoot(cell) for cell in around)


async def test_all_ships_sunk_finish_the_game(house: House) -> None:
    master, slave, relay = await house.fight()
    # when: the last ship is sunk
    for x, y in ((1, 1), (2, 1), (4, 3)):
        await master.shoot(y * 6 + x)
    assert relay.game.stage == "battle"
    assert await master.shoot(4 * 6 + 1) == wire.SUNK
    # then: the game is finished, and the shooter has won
    await until(lambda: master.results() and slave.results())
    assert master.results() == [(links.WE_WON, links.BY_SHOTS)]
    assert slave.results() == [(links.WE_LOST, links.BY_SHOTS)]
    (game,) = house.games()
    assert (game.stage, game.winner, game.ending) == ("finished", 0, "shots")
    assert [(m.x, m.y, m.result) for m in game.moves] == [(2, 2, 1), (3, 2, 2), (5, 4, 2), (2, 5, 2)]


async def test_a_player_leaves_by_surrender(house: House) -> None:
    master, slave, _relay = await house.fight()
    await master.shoot(BESIDE)
    slave.order(slave.link.surrender)
    await until(lambda: master.results() and slave.results())
    (game,) = house.games()
    assert (game.stage, game.winner, game.ending) == ("finished", 0, "surrender")


async def test_who_goes_away_has_lost_and_the_other_waits_again(house: House) -> None:
    master, slave, _relay = await house.fight()
    # when: the master says goodbye in the battle
    master.order(master.link.goodbye)
    # then: the slave has won, and is in the queue again
    await until(lambda: links.EV_GOODBYE in slave.codes())
    await house.waiting("SAM")
    (game,) = house.games()
    assert (game.stage, game.winner, game.ending) == ("finished", 1, "goodbye")
    await until(lambda: slave.told("game 1: won by SAM: the other left; your rating 1500 +-700"))
    # and: the next master finds it
    await house.seat(MASTER, b"TOM", bot=False)
    await house.relay("TOM", "SAM")


async def test_a_game_that_was_left_before_the_battle_has_no_winner(house: House) -> None:
    master, slave, _relay = await house.placing()
    slave.order(slave.link.goodbye)
    await until(lambda: links.EV_GOODBYE in master.codes())
    (game,) = house.games()
    assert (game.stage, game.winner, game.ending) == ("finished", None, "goodbye")
    await house.waiting("MAX")


async def test_what_is_refused_changes_nothing_and_says_why(house: House) -> None:
    master, slave, relay = await house.fight()
    before = seen(relay, 0), seen(relay, 1), relay.watch.turn
    # out of turn, off the field, and joining in the middle of a game
    assert slave.player.shoot(3) == links.NOT_NOW
    assert master.player.shoot(36) == links.OUT_OF_RANGE
    assert master.link.offer(6, 0, 0, 1, 2) == links.NOT_NOW
    assert (seen(relay, 0), seen(relay, 1), relay.watch.turn) == before
    assert house.games()[0].moves == []
    assert await master.shoot(1 * 6 + 1) == wire.HIT
    assert master.link.surrender() == DONE
