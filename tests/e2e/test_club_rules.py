"""The club's rules, one test a clause, as given, when, then: players at real sockets."""

from __future__ import annotations

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.web import field as seen
from tests.club import House, until

MASTER, SLAVE = wire.MASTER, wire.SLAVE

EMPTY = 35
"""A cell with no ship on it or next to it."""


async def test_a_player_registers_once(house: House) -> None:
    # given: nobody of this name
    assert house.lobby.store.account("MAX") is None
    # when: he connects
    first = await house.seat(MASTER, b"MAX", bot=False)
    await house.waiting("MAX")
    # then: he is registered, with an ID of the club's own
    account = house.lobby.store.account("MAX")
    assert account is not None and account.id == house.session("MAX").account.id
    # when: another player uses the name
    second = await house.seat(MASTER, b"max", bot=False)
    # then: he is not that player but a guest, and is notified; for the first nothing has changed
    await until(lambda: second.told("you are a guest"))
    assert [v.account.kind for v in house.lobby.sessions] == ["person", "guest"]
    assert len({v.account.id for v in house.lobby.sessions}) == 2
    assert house.waits("MAX") and first.link.state == 1


async def test_a_player_joins_the_queue_once_and_leaves_it_once(house: House) -> None:
    # given: a player in the queue
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    # then: joining again is refused
    await seat.say("join")
    await until(lambda: seat.told("you are in the queue already"))
    assert [v.name for v in house.lobby.matchmaker.waiting()] == ["SAM"]
    # when: he leaves the queue, and a possible opponent comes
    await house.ticks(6)
    await seat.say("leave")
    await until(lambda: seat.told("you left the queue"))
    await house.seat(MASTER, b"MAX", bot=False)
    await house.waiting("MAX")
    # then: no game starts, and leaving again is refused
    assert house.lobby.relays == [] and house.games() == []
    await house.ticks(6)
    await seat.say("leave")
    await until(lambda: seat.told("you are not in the queue"))
    # when: he joins, then: he is in the queue, and they play
    await house.ticks(6)
    await seat.say("join")
    await house.relay("MAX", "SAM")


async def test_two_who_wait_start_a_game_and_leave_the_queue(house: House) -> None:
    # given: one player waits
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
    # when: a third one joins the queue, then: he waits alone, and the two go on
    await house.seat(SLAVE, b"TOM", bot=False)
    await house.waiting("TOM")
    assert len(house.games()) == 1


async def test_two_full_fields_lead_to_the_battle(house: House) -> None:
    master, slave, relay = await house.placing()
    # given: a player who has not placed all ships cannot be ready
    assert master.player.ready() == links.NOT_NOW
    # when: one field is full
    master.place()
    master.order(master.player.ready)
    await slave.state(3)
    # then: the stage is still placing
    assert relay.game.stage == "placing"
    # when: both are
    slave.place()
    slave.order(slave.player.ready)
    # then: the battle has begun, for the players, the club and the database
    await master.state(4)
    await until(lambda: relay.game.stage == "battle")
    assert house.games()[0].stage == "battle"


async def test_a_battle_from_the_first_hit_to_the_last_ship(house: House) -> None:
    # given: the battle, the master's turn
    master, slave, relay = await house.fight()
    # then: out of turn, off the field, and the parameters of a new game are refused, and change nothing
    before = seen(relay, 0), seen(relay, 1), relay.watch.turn
    assert slave.player.shoot(3) == links.NOT_NOW
    assert master.player.shoot(36) == links.OUT_OF_RANGE
    assert master.link.offer(6, 0, 0, 1, 2) == links.NOT_NOW
    assert (seen(relay, 0), seen(relay, 1), relay.watch.turn) == before
    assert house.games()[0].moves == []
    # when: he shoots at a part of a ship, then: it is wounded, he may shoot again and the other may not
    assert await master.shoot(1 * 6 + 1) == wire.HIT
    assert seen(relay, 1)[1 * 6 + 1] == "x"
    await until(lambda: master.link.mine)
    assert relay.watch.turn == 0 and slave.player.shoot(0) == links.NOT_NOW
    # when: he sinks it, then: the cells around it are checked, for the shooter and for spectators
    assert await master.shoot(1 * 6 + 2) == wire.SUNK
    around = [0, 1, 2, 3, 6, 9, 12, 13, 14, 15]
    assert all(seen(relay, 1)[cell] == "-" for cell in around)
    assert seen(relay, 1)[7:9] == "##" and seen(relay, 1).count("-") == len(around)
    assert not any(master.player.radar.can_shoot(cell) for cell in around)
    # when: he shoots at an empty cell, then: it is checked, and the turn is the other's
    await until(lambda: master.link.mine)
    assert await master.shoot(EMPTY) == wire.MISS
    assert seen(relay, 1)[EMPTY] == "o"
    await until(lambda: slave.link.mine)
    assert relay.watch.turn == 1 and master.player.shoot(5) == links.NOT_NOW
    # and: a checked cell cannot be shot at any more
    assert await slave.shoot(EMPTY) == wire.MISS
    await until(lambda: master.link.mine)
    assert master.player.shoot(EMPTY) == links.OUT_OF_RANGE
    # when: the last ship is sunk
    assert await master.shoot(3 * 6 + 4) == wire.SUNK
    assert relay.game.stage == "battle"
    assert await master.shoot(4 * 6 + 1) == wire.SUNK
    # then: the game is finished, and the shooter has won
    await until(lambda: master.results() and slave.results())
    assert master.results() == [(links.WE_WON, links.BY_SHOTS)]
    assert slave.results() == [(links.WE_LOST, links.BY_SHOTS)]
    (game,) = house.games()
    assert (game.stage, game.winner, game.ending) == ("finished", 0, "shots")
    assert [(m.player, m.x, m.y, m.result) for m in game.moves] == [
        (0, 2, 2, 1),
        (0, 3, 2, 2),
        (0, 6, 6, 0),
        (1, 6, 6, 0),
        (0, 5, 4, 2),
        (0, 2, 5, 2),
    ]


async def test_a_player_leaves_by_surrender(house: House) -> None:
    master, slave, _relay = await house.fight()
    await master.shoot(EMPTY)
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
