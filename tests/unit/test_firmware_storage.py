"""What a board stores: two slots with a CRC, and what a power cut leaves of the one being written."""

from __future__ import annotations

import pytest

from seabattle import link
from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.rng import Rng
from tests.desk import PowerFailure, Store

from seaboard import storage  # isort: skip  (tests.desk has made the firmware importable)
from seaboard.storage import Storage  # isort: skip


def nick(of: Storage) -> bytes:
    return bytes(of.data[of.nick_at : of.nick_at + of.nick_size])


def test_a_new_board_has_usual_settings_and_writes_nothing_without_a_change():
    store = Store()
    new = Storage(store, 1)
    assert new.new
    assert (new.language, new.level, new.letters, new.tagged, new.sound) == (1, 3, False, False, True)
    assert nick(new) == b"board" and new.count(storage.GAMES) == 0
    Storage(store, 0).save()
    assert store.slots == [b"", b""]
    # and so does one whose records are both damaged
    store.slots = [bytes(storage.SIZE), b"\xff" * storage.SIZE]
    assert Storage(store, 0).new


def test_what_was_saved_is_there_again():
    store = Store()
    first = Storage(store, 0)
    first.language = 1
    first.level = 4
    first.letters = True
    first.set_nick("Нева".encode("cp866"), 4)
    first.set_offer(bytes([8, 1, 1, 2, 3]))
    first.played(link.WE_WON, link.BY_SHOTS, 41)
    first.played(link.WE_LOST, link.BY_SHOTS, 60)
    first.save()
    again = Storage(store, 0)
    assert not again.new
    assert (again.language, again.level, again.letters) == (1, 4, True)
    assert nick(again).decode("cp866") == "Нева"
    offer = bytearray(5)
    again.get_offer(offer)
    assert tuple(offer) == (8, 1, 1, 2, 3)
    counts = storage.GAMES, storage.WON, storage.LOST, storage.BROKEN, storage.SHOTS
    assert [again.count(i) for i in counts] == [2, 1, 1, 0, 101]
    assert again.best == 41


@pytest.mark.parametrize("before", [1, 2, 3])
def test_a_plug_pulled_at_any_byte_leaves_the_old_record_or_the_new_one(before: int):
    store = Store()
    for shots in range(before):
        board = Storage(store, 0)
        board.played(link.WE_WON, link.BY_SHOTS, 90 - shots)
        board.save()
    slots = store.slots[:]
    for store.room in range(storage.SIZE + 1):
        store.slots[:] = slots
        board = Storage(store, 0)
        board.played(link.WE_WON, link.BY_SHOTS, 30)
        with pytest.raises(PowerFailure):
            board.save()
        after = Storage(store, 0).count(storage.GAMES)
        assert after == (before + 1 if store.room == storage.SIZE else before), store.room


def test_a_damaged_record_is_not_taken():
    store = Store()
    for _ in range(2):
        board = Storage(store, 0)
        board.add(storage.GAMES, 1)
        board.save()
    newer = next(slot for slot in (0, 1) if store.slots[slot][2] == 2)
    sound = store.slots[newer]
    for bit in range(storage.SIZE * 8):
        damaged = bytearray(sound)
        damaged[bit // 8] ^= 1 << bit % 8
        store.slots[newer] = bytes(damaged)
        assert Storage(store, 0).count(storage.GAMES) == 1, bit


def test_the_newer_record_counts_also_when_the_count_goes_round():
    store = Store()
    board = Storage(store, 0)
    board.data[2], board.data[3] = 0xFE, 0xFF
    for games in range(1, 5):
        board.add(storage.GAMES, 1)
        board.save()
        board = Storage(store, 0)
        assert board.count(storage.GAMES) == games


@pytest.mark.parametrize("fleet_of", [(10, 1, 2, 3, 4), (6, 0, 1, 1, 2), (10, 1, 2, 5, 10), (8, 1, 0, 2, 1)])
def test_a_placement_is_kept_and_had_again_for_the_same_fleet(fleet_of: tuple[int, int, int, int, int]):
    fleet, other = Fleet(), Fleet()
    fleet.protocol(*fleet_of)
    other.protocol(10, 1, 2, 3, 5)
    board = Storage(Store(), 0)
    assert not board.same_fleet(fleet)
    for seed in range(20):
        field, again = Field(100), Field(100)
        field.reset(fleet)
        again.reset(fleet)
        assert field.random(Rng(seed))
        board.keep_fleet(fleet)
        step = 0
        while board.keep(field, step):
            step += 1
        assert board.same_fleet(fleet) and not board.same_fleet(other)
        step = 0
        while board.place(again, step):
            step += 1
        assert again.complete()
        assert [bool(n) for n in again.ship] == [bool(n) for n in field.ship]


def test_a_flash_that_takes_nothing_costs_no_game():
    """Full or worn out: the game goes on, and the data is written once there is room again."""

    class Full(Store):
        full = True

        def write(self, slot: int, buffer: bytearray) -> None:
            if self.full:
                raise OSError(28)
            super().write(slot, buffer)

    store = Full()
    board = Storage(store, 0)
    board.level = 4
    board.save()
    store.full = False
    board.save()
    assert Storage(store, 0).level == 4
