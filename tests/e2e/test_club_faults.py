"""Nobody disturbs the club for the others: noise, broken rules, floods, stalls, lost lines, and too many at once."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.limits import Limits
from tests.club import House, Raw, Seat, until

MASTER, SLAVE, AUTO = wire.MASTER, wire.SLAVE, wire.AUTO


async def play_a_game(house: House) -> None:
    """Connect two more players and have them play undisturbed."""
    one = await house.seat(MASTER, b"ONE", seed=11, games=0)
    two = await house.seat(SLAVE, b"TWO", seed=12, games=0)
    await until(lambda: one.results() and two.results(), lambda: house.log)


async def test_noise_reaches_nobody(house: House) -> None:
    master, slave, relay = await house.fight()
    before = len(slave.received)
    master.write(b"\x00\x55\xff\x42")
    await until(lambda: relay.dropped == 4)
    master.order(lambda: master.player.shoot(7))
    await until(lambda: master.shots)
    assert slave.received[before:].replace(b"\xaa", b"").replace(b"\x01", b"") in (
        bytes([0xC0, 2, 2]),
        bytes([0xC0, 2, 2, 0xA9]),
    )


async def test_who_breaks_the_protocol_is_told_and_has_lost_and_the_other_waits_again(house: House) -> None:
    master, slave, _relay = await house.fight()
    before = len(master.received)
    # the slave shoots out of turn
    slave.write(bytes([0xC0, 1, 1]))
    await until(lambda: links.EV_ACCUSED in slave.codes() and links.EV_GOODBYE in master.codes())
    assert 0xC0 not in master.received[before:]
    (game,) = house.games()
    assert (game.winner, game.ending, game.moves) == (0, "violation", [])
    await house.waiting("MAX")
    # and the offender may come again, once it has read the message
    slave.order(slave.link.key)
    await house.relay("MAX", "SAM")


@pytest.mark.club(limits=Limits(offences=2))
async def test_who_goes_on_breaking_the_protocol_has_to_go(house: House) -> None:
    slave = await house.seat(SLAVE, b"SAM", bot=False)
    for _ in range(2):
        await until(lambda: slave.link.state == 1 and house.waits("SAM"))
        slave.write(b"\xa4")
        await until(lambda: slave.link.state == links.BROKEN_OFF)
        slave.order(slave.link.key)
    await until(lambda: slave.hung_up)
    assert any("offences" in line for line in house.log)
    await play_a_game(house)


async def test_a_false_answer_ends_the_game(house: House) -> None:
    master, slave, _relay = await house.fight()
    answer = slave.link.answer
    slave.link.answer = lambda code: answer(wire.HIT)  # type: ignore[method-assign]
    for cell in (7, 8, 9):
        await until(lambda: master.link.mine)
        master.order(lambda cell=cell: master.player.shoot(cell))  # type: ignore[misc]
        await until(lambda cell=cell: len(master.shots) == cell - 6 or house.games()[0].ending)  # type: ignore[misc]
        if house.games()[0].ending:
            break
    assert house.ended() == (0, "violation")
    await until(lambda: links.EV_ACCUSED in slave.codes())
    assert links.EV_BROKEN not in master.codes()


def flood(slave: Seat) -> None:
    slave.write(b"\x01" * 6000)


@pytest.mark.parametrize("leaves", [Seat.close, flood])
async def test_a_lost_line_or_a_flood_ends_the_game_and_the_other_waits_again(
    house: House, leaves: Callable[[Seat], None]
) -> None:
    master, slave, _relay = await house.fight()
    leaves(slave)
    await until(lambda: links.EV_GOODBYE in master.codes() and slave.hung_up)
    assert house.ended() == (0, "lost")
    assert not {links.EV_BROKEN, links.EV_TIMEOUT} & set(master.codes())
    await house.waiting("MAX")


async def test_a_frame_whose_rest_is_lost_swallows_no_goodbye(house: House) -> None:
    master, slave, _relay = await house.fight()
    before = len(slave.received)
    master.write(bytes([0xC0, 3]))
    await until(lambda: slave.received[before:].endswith(bytes([0xC0, 3])))
    master.close()
    await until(lambda: links.EV_GOODBYE in slave.codes())
    assert links.EV_BROKEN not in slave.codes() and links.EV_SHOT not in slave.codes()
    await house.waiting("SAM")


@pytest.mark.club(limits=Limits(stall=8))
async def test_who_falls_silent_in_a_game_is_dropped(house: House) -> None:
    master, slave, _relay = await house.fight()
    slave.data_received = lambda data: None  # type: ignore[method-assign]
    await until(lambda: slave.hung_up)
    await until(lambda: house.games()[0].ending)
    (game,) = house.games()
    # either the club notified the master, or its own timeout was first
    assert game.winner == 0 and game.ending in ("stalled", "timeout")
    if master.link.hung:
        master.order(master.link.key)
    await house.waiting("MAX")


async def test_who_falls_silent_in_the_queue_is_dropped(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    seat.data_received = lambda data: None  # type: ignore[method-assign]
    await until(lambda: seat.hung_up)
    assert house.lobby.sessions == [] and any("stalled" in line for line in house.log)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xaa" * 5000, "flood"),
        (b"GET / HTTP/1.1\r\n" * 20, "rubbish"),
        (b"\x00" * 300, "rubbish"),
        pytest.param(b"", "", marks=pytest.mark.club(limits=Limits(greeting=5)), id="never speaks the protocol"),
    ],
)
async def test_floods_rubbish_and_silence_are_dropped(house: House, data: bytes, why: str) -> None:
    raw = await house.raw()
    raw.write(*data)
    await until(lambda: raw.hung_up)
    assert any(why in line for line in house.log)
    assert data or set(raw.received) <= {wire.SYNC}
    await play_a_game(house)


@pytest.mark.parametrize(
    "why",
    [
        pytest.param("2 connections from 127.0.0.1", marks=pytest.mark.club(limits=Limits(per_address=2))),
        pytest.param("2 connections", marks=pytest.mark.club(limits=Limits(connections=2))),
    ],
)
async def test_so_many_and_no_more(house: House, why: str) -> None:
    await house.seat(MASTER, b"MAX", bot=False)
    await house.seat(SLAVE, b"SAM", bot=False)
    await house.relay("MAX", "SAM")
    third = await house.raw()
    await until(lambda: third.hung_up)
    assert len(house.lobby.relays) == 1 and any(why in line for line in house.log)


@pytest.mark.club(limits=Limits(waiting=5))
async def test_nobody_waits_for_ever(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    await until(lambda: seat.hung_up)
    assert links.EV_GOODBYE in seat.codes()


@pytest.mark.club(limits=Limits(idle=4))
async def test_a_pair_that_does_not_go_on_is_parted(house: House) -> None:
    master, slave, _relay = await house.fight()
    await until(lambda: links.EV_GOODBYE in master.codes() and links.EV_GOODBYE in slave.codes())
    (game,) = house.games()[:1]
    assert (game.winner, game.ending) == (None, "idle")


@pytest.mark.parametrize("keeps_the_line_alive", [False, True])
async def test_who_gives_up_waiting_for_an_answer_has_not_lost(house: House, keeps_the_line_alive: bool) -> None:
    master, slave, _relay = await house.fight()
    alive = [wire.SYNCED] * keeps_the_line_alive
    slave.data_received = lambda data: slave.write(bytes(alive * data.count(wire.SYNC)))  # type: ignore[method-assign]
    master.order(lambda: master.player.shoot(7))
    await until(lambda: master.link.hung)
    master.order(master.link.key)
    await until(lambda: house.games()[0].ending)
    assert house.ended() == (0, "timeout")
    await house.waiting("MAX")


async def test_who_gives_a_game_up_and_stays_in_it_is_called_back(house: House) -> None:
    master, slave, _relay = await house.fight()
    cell = next(c for c in range(36) if not slave.player.field.ship[c])
    master.order(lambda: master.player.shoot(cell))
    await until(lambda: slave.link.mine)
    # it claims to be in state 0, and is not; as it is the other's turn, it would wait for ever
    master.write(b"\xa0")
    await until(lambda: links.EV_PEER_TIMEOUT in slave.codes())
    await until(lambda: links.EV_GOODBYE in master.codes())
    await house.relay("MAX", "SAM")


@pytest.mark.club(limits=Limits(pace=1e6, burst=1 << 20))
async def test_rubbish_from_many_at_once_hurts_no_game(house: House) -> None:
    noise = random.Random(7)
    opcodes = [0xAA, 0xA1, 0x01, 0xB1, 0xB2, 0xB3, 0xC0, 0xA7, 0x1A, 0x2B, 0xA5, 0x00, 0x55]
    raws: list[Raw] = []
    one = await house.seat(MASTER, b"ONE", seed=11, games=0)
    two = await house.seat(SLAVE, b"TWO", seed=12, games=0)

    def done() -> bool:
        for raw in raws:
            if not raw.hung_up:
                raw.write(*(noise.choice((noise.randrange(256), noise.choice(opcodes))) for _ in range(20)))
        return len(one.results()) >= 2 and len(two.results()) >= 2

    for _ in range(6):
        raws.append(await house.raw())
    await until(done, lambda: house.log[-20:])
    for seat in (one, two):
        assert not {links.EV_BROKEN, links.EV_ACCUSED, links.EV_TIMEOUT} & set(seat.codes())
