"""Pairing: roles, names and PINs, computers, other people's programs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club import pins
from seabattle_host.club.limits import Limits
from seabattle_host.player.parameters import Parameters
from tests.club import House, Raw, Seat, tick_seconds, until
from tests.peers.dialects import Dialect, MasterL, SlaveL

MASTER, SLAVE, AUTO = wire.MASTER, wire.SLAVE, wire.AUTO


async def played(house: House, *seats: Seat) -> None:
    """Wait until each of these has finished a game, and compare the database with what they saw."""
    await until(lambda: all(seat.results() for seat in seats), lambda: f"{[seat.events for seat in seats]} {house.log}")


@pytest.mark.parametrize(("one", "two"), [(MASTER, SLAVE), (SLAVE, MASTER), (MASTER, AUTO), (SLAVE, AUTO)])
async def test_two_who_can_play_do(house: House, one: int, two: int) -> None:
    a = await house.seat(one, b"ANN", seed=1, games=0)
    await until(lambda: house.session("ANN"))
    b = await house.seat(two, b"BOB", seed=2, games=0)
    await played(house, a, b)
    assert {a.link.role, b.link.role} == {MASTER, SLAVE}
    assert a.peers[-1] == "BOB" and b.peers[-1] == "ANN"
    game = house.games()[0]
    master = a if a.link.role == MASTER else b
    slave = b if master is a else a
    for side, seat in ((0, master), (1, slave)):
        moves = [(m.x, m.y, wire.MISS + 0x10 * m.result) for m in game.moves if m.player == side]
        assert moves == seat.shots[: len(moves)]
    assert master.results()[0][0] == (links.WE_WON if game.winner == 0 else links.WE_LOST)


async def test_who_offers_the_club_a_salvo_is_told_to_wait_for_the_opponent(house: House) -> None:
    ann = await house.seat(MASTER, b"ANN", bot=False)
    await house.waiting("ANN")
    await ann.say("#salvo")
    await until(lambda: "#salvo asked" in ann.texts)


async def test_an_auto_that_waits_as_master_gives_way_to_a_master(house: House) -> None:
    # given: an auto that has waited as a master, its ships placed
    auto = await house.seat(AUTO, b"ANN", seed=1, games=0)
    await house.waiting("ANN")
    await auto.state(3)
    # when: a master comes that is nothing else
    master = await house.seat(MASTER, b"MAX", seed=2, games=0)
    # then: the auto is notified, becomes a slave, and they play
    await played(house, auto, master)
    assert auto.link.role == SLAVE and auto.told("you become the slave")


@pytest.mark.parametrize(("role", "words"), [(MASTER, "all are masters"), (SLAVE, "all are slaves")])
async def test_two_that_cannot_be_matched_keep_waiting_and_are_told_so(house: House, role: int, words: str) -> None:
    one = await house.seat(role, b"ANN", seed=1, games=0)
    await house.waiting("ANN")
    two = await house.seat(role, b"BOB", seed=2, games=0)
    await until(lambda: one.told(f"BOB waits too, but {words}") and two.told(f"ANN waits too, but {words}"))
    await house.waiting("ANN", "BOB")
    # and the first of them plays as soon as a suitable opponent comes
    await house.seat(wire.BOTH ^ role, b"TOM", seed=3, games=0)
    await house.relay("ANN", "TOM")
    assert house.waits("BOB")


async def sam_meets_max(house: House) -> Raw:
    """Connect a slave, byte by byte, while the master MAX waits: it has met the club, and received both names."""
    raw = await house.raw()
    await raw.answers_syncs_until(0xA1)
    raw.write(0x1A, 0xB1, 3, *b"SAM")
    await raw.hears(0xB1, 4, *b"CLUB")
    raw.write(0x1B)
    await raw.answers_syncs_until(0xB1, 3, *b"MAX")
    raw.write(0x1B)
    return raw


async def placing(house: House, tagged: bool = False) -> Seat:
    """Connect the master MAX, who waits with parameters offered."""
    master = await house.seat(MASTER, b"MAX", bot=False)
    master.link.tagged = tagged
    await master.state(1)
    master.order(lambda: master.link.offer(6, 0, 0, 1, 2))
    await master.state(2)
    return master


async def be_ready(master: Seat) -> None:
    """Place the ships at random, and be ready."""
    assert master.player.field.random(master.player.rng)
    master.order(master.player.ready)
    await master.state(3)


async def test_the_parameters_go_on_as_the_master_sent_them(house: House) -> None:
    await placing(house, tagged=True)
    raw = await sam_meets_max(house)
    await raw.answers_syncs_until(0xB2, 6, 0x40, 0x30, 0x21, 0x12)


async def test_a_seal_that_the_master_gave_while_it_waited_reaches_the_slave_before_the_battle(house: House) -> None:
    master = await placing(house)
    await master.say("#seal 0123456789abcdef")
    await until(lambda: links.EV_CHAT_SENT in master.codes())
    await be_ready(master)
    slave = await house.seat(SLAVE, b"SAM", bot=False)
    await slave.state(3)
    assert slave.texts[-1] == "#seal 0123456789abcdef"
    codes = slave.codes()
    assert len(codes) - codes[::-1].index(links.EV_CHAT) <= codes.index(links.EV_MASTER_READY)
    assert not master.told("who, table")
    # from now on chat goes between the two
    await slave.say("#seal fedcba9876543210")
    await until(lambda: "#seal fedcba9876543210" in master.texts)


async def test_what_a_slave_says_at_once_is_for_its_master_and_not_for_the_club(house: House) -> None:
    master = await placing(house)
    await be_ready(master)
    raw = await sam_meets_max(house)
    await raw.answers_syncs_until(0xB2, 6, 0, 0, 1, 2)
    raw.write(0x2B, 6, 0, 0, 1, 2)
    await raw.answers_syncs_until(0xA2)
    raw.write(0x2A)
    await raw.answers_syncs_until(0xA3)
    # the master is in the middle of a frame when the slave is ready, before it is asked
    master.write(b"\xb3\x05he")
    await until(lambda: house.session("MAX").link.reader.within)
    raw.write(0x3A, 0xA4)
    await raw.hears(0x4A)
    await master.state(4)


async def test_who_has_no_chat_gets_none(house: House) -> None:
    seat = await house.seat(MASTER, b"SAM", offer=Parameters(), games=0)
    old = await program(house, SlaveL())
    relay = await house.relay("SAM", "PROGRAM L")
    # letters that this program would take for commands: a goodbye and a surrender
    await seat.say("зж")
    await until(lambda: relay.unsaid)
    await until(lambda: old.result and seat.results(), lambda: (old.complaints, seat.events))
    assert not old.complaints and house.games()[0].ending == "shots"
    assert (old.result == "won") == (seat.results()[0][0] == links.WE_LOST)


# Names and PINs.


async def test_a_name_is_kept_by_a_pin(house: House) -> None:
    first = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    number = house.session("SAM").account.id
    await first.say("pin 2468")
    await until(lambda: first.told("SAM is yours"))
    first.close()
    await until(lambda: house.session("SAM") is None)
    # another player with the name is a guest, also with a wrong PIN
    second = await house.seat(MASTER, b"SAM", bot=False)
    await until(lambda: second.link.state == 1)
    second.order(lambda: second.link.offer(6, 0, 0, 1, 2))
    await until(lambda: second.told("SAM has a PIN"))
    await second.say("pin 1111")
    await until(lambda: second.told("that PIN is wrong"))
    (session,) = house.lobby.sessions
    assert session.account.kind == "guest" and session.account.id != number
    # and its owner with the right one
    await second.say("pin 2468")
    await until(lambda: second.told(f"welcome, SAM, ID {number}"))
    assert session.account.id == number and session.name == "SAM"


@pytest.mark.club(limits=Limits(pin_tries=2))
async def test_pins_cannot_be_tried_out(house: House) -> None:
    house.lobby.store.claim(house.lobby.store.register("SAM").id, pins.make("5005"))
    seat = await house.seat(SLAVE, b"SAM", bot=False)

    def refused(times: int) -> Callable[[], bool]:
        return lambda: len([t for t in seat.texts if "PIN is wrong" in t]) == times

    for number in range(3):
        await until(refused(number))
        await house.ticks(6)
        await seat.say(f"pin 123{number}")
    await until(lambda: seat.told("too many wrong PINs"))
    await house.ticks(6)
    await seat.say("pin 5005")
    await until(lambda: len([t for t in seat.texts if "too many" in t]) == 2)
    assert house.lobby.sessions[0].account.kind == "guest"


async def test_games_of_guests_count_for_nothing(house: House) -> None:
    house.lobby.store.claim(house.lobby.store.register("SAM").id, pins.make("1234"))
    guest = await house.seat(MASTER, b"SAM", seed=1, games=0)
    other = await house.seat(SLAVE, b"TOM", seed=2, games=0)
    await played(house, guest, other)
    assert house.games()[0].winner is not None and house.lobby.ratings.order() == []


async def test_orders_in_chat(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    await seat.say("who")
    await until(lambda: seat.told("waiting SAM, games 0"))
    await seat.say("table")
    await until(lambda: seat.told("nobody has played yet"))
    await seat.say("bot")
    await until(lambda: seat.told("no computer is free"))
    await seat.say("<b>?")
    await until(lambda: seat.told("who, table, pin 1234"))
    # a player who writes Russian is answered in Russian from then on
    await seat.say("привет")
    await until(lambda: seat.told("кто, таблица, pin 1234"))
    await seat.say("pin 2468")
    await until(lambda: seat.told("ваше, запомните PIN"))
    await seat.say("кто")
    await until(lambda: seat.told("ждут SAM"), lambda: seat.texts)
    await seat.say("who")
    await until(lambda: len([line for line in seat.texts if "waiting SAM" in line]) == 2)


# Computers.


@pytest.mark.parametrize("role", [MASTER, SLAVE])
@pytest.mark.club(bots=1, patience=2)
async def test_a_computer_comes_to_who_waits_for_long(house: House, role: int) -> None:
    seat = await house.seat(role, b"SAM", seed=3, games=0)
    await played(house, seat)
    (game,) = house.games()[:1]
    assert {p.kind for p in game.players} == {"person", "computer"}
    # it leaves some seconds after the game, and the person waits again
    await until(lambda: links.EV_GOODBYE in seat.codes() or len(seat.results()) > 1)


@pytest.mark.club(bots=1, patience=1000)
async def test_a_computer_of_a_level_comes_when_asked_for(house: House) -> None:
    seat = await house.seat(SLAVE, b"SAM", games=0)
    await house.waiting("SAM")
    await seat.say("bot random")
    await house.relay("PC random", "SAM")
    assert "PC random" in seat.peers


@pytest.mark.club(bots=1, patience=60)
async def test_people_go_before_computers(house: House) -> None:
    await house.seat(SLAVE, b"SAM", games=0)
    await house.waiting("SAM")
    await house.seat(MASTER, b"MAX", games=0)
    await house.relay("MAX", "SAM")
    assert not [v for v in house.lobby.sessions if v.computer]


# Other people's programs.


class SlaveOnce(SlaveL):
    """Program L as a slave that does not repeat its shot at a sync: when a sync crosses a shot the real one does, and
    then two of them disagree on whose turn it is, on any line. At their own speed that is rare, here it is not.
    """

    def frame(self, f: bytes) -> None:
        if f[0] == wire.SYNC:
            self.send(wire.SYNCED)
        else:
            super().frame(f)


class Program(asyncio.Protocol):
    """One of the peers' dialects at a TCP connection."""

    def __init__(self, dialect: Dialect):
        self.dialect = dialect
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def data_received(self, data: bytes) -> None:
        for byte in data:
            self.dialect.rx(byte)
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ticking.cancel()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(tick_seconds())
            self.dialect.tick()
            self._send()

    def _send(self) -> None:
        assert self._transport is not None
        self._transport.write(bytes(self.dialect.out))
        self.dialect.out.clear()


async def program(house: House, dialect: Dialect) -> Dialect:
    """Connect one of these programs."""
    await asyncio.get_running_loop().create_connection(lambda: Program(dialect), "127.0.0.1", house.port)
    return dialect


@pytest.mark.parametrize("early", [True, False])
async def test_two_programs_of_2010_play_a_game(house: House, early: bool) -> None:
    master = await program(house, MasterL())
    slave = await program(house, SlaveOnce(early=early))
    await until(lambda: master.result and slave.result, lambda: f"{house.log} {master.complaints} {slave.complaints}")
    assert {master.result, slave.result} == {"won", "lost"}
    assert not master.complaints and not slave.complaints
    (game,) = house.games()
    assert game.ending == "shots" and game.winner == (0 if master.result == "won" else 1)
    assert len(game.moves) == len(master.seen) + len(slave.seen)
