"""The classic game of two: placing, shooting and sinking."""

from placement import faults, heap_lock, heap_unlock, ships_of

from seabattle import field, fleet, radar
from seabattle.classic import BATTLE, NOBODY, NOT_NOW, NOT_YOUR_TURN, OFF_FIELD, OPEN_CELL, OVER, PLACING, Classic
from seabattle.field import HIT, MISS, OK
from seabattle.rng import Rng
from seabattle.wire import R_NOT_SUNK


def small_game(first=0):
    """6x6 without the wall rule: a two-deck ship at B2-C2 and a one-deck one at E5, for both players."""
    game = Classic(Rng(1))
    game.fleet.custom(6, 6, 0, 0, 0, 1, 1, False, False)
    game.start(first)
    for player in (0, 1):
        assert game.place(player, 1, 1, 2, 0) == field.OK
        assert game.place(player, 4, 4, 1, 0) == field.OK
        assert game.ready(player)
    return game


SHIP = (7, 8)
SINGLE = 28
WATER = (0, 3, 5, 17, 30, 33)


def test_each_of_the_two_places_the_classic_ten_on_10x10():
    game = Classic(Rng(1))
    for player in (0, 1):
        assert game.random(player)
        assert faults(game.fields[player]) == []
        assert sorted([len(ship) for ship in ships_of(game.fields[player])]) == [1, 1, 1, 1, 2, 2, 2, 3, 3, 4]
        assert game.fields[player].cells == 100


def test_the_battle_begins_when_both_fleets_are_placed():
    game = Classic(Rng(1))
    assert game.stage == PLACING
    assert not game.ready(0)
    game.random(0)
    assert game.ready(0)
    assert game.stage == PLACING
    game.place(1, 0, 0, 4, 0)
    assert not game.ready(1)
    assert game.fill(1)
    assert game.ready(1)
    assert game.stage == BATTLE


def test_a_player_may_place_remove_fill_and_place_all_at_random_until_ready():
    game = Classic(Rng(1))
    assert game.place(0, 0, 0, 4, 0) == field.OK
    assert game.place(0, 1, 1, 2, 0) == field.TOUCH
    assert game.remove(0, 3) == 4
    assert game.place(0, 9, 0, 4, 1) == field.OK
    assert game.fill(0) is True
    assert [(9, 0), (9, 1), (9, 2), (9, 3)] in ships_of(game.fields[0])
    assert game.random(0) is True
    assert game.ready(0)
    before = bytes(game.fields[0].ship)
    assert game.place(0, 0, 0, 1, 0) == NOT_NOW
    assert game.remove(0, before.find(b"\x01")) == NOT_NOW
    assert game.fill(0) == NOT_NOW
    assert game.random(0) == NOT_NOW
    assert not game.ready(0)
    assert bytes(game.fields[0].ship) == before


def test_nobody_shoots_while_ships_are_placed():
    game = Classic(Rng(1))
    game.random(0)
    game.ready(0)
    for player in (0, 1):
        assert game.shoot(player, 5) == NOT_NOW


def test_who_starts_is_agreed():
    for first in (0, 1):
        game = small_game(first)
        assert game.turn == first
        assert game.shoot(1 - first, 0) == NOT_YOUR_TURN
        assert game.shoot(first, 0) == field.MISS


def test_who_starts_is_drawn_by_lot():
    game = Classic(Rng(2))
    starts = [0, 0]
    for _ in range(100):
        game.start()
        starts[game.turn] += 1
    assert min(starts) > 25


def test_a_miss_passes_the_turn():
    game = small_game()
    for cell in WATER:
        player = game.turn
        assert game.shoot(player, cell) == field.MISS
        assert game.turn == 1 - player
        assert game.shoot(player, 35) == NOT_YOUR_TURN


def test_a_hit_and_a_sinking_give_another_shot():
    game = small_game()
    assert game.shoot(0, SHIP[0]) == field.HIT
    assert game.turn == 0
    assert game.shoot(0, SHIP[1]) == field.SUNK
    assert game.turn == 0
    assert game.shoot(0, 5) == field.MISS
    assert game.turn == 1


def test_only_a_cell_that_was_not_shot_may_be_shot_at():
    game = small_game()
    game.shoot(0, 5)
    game.shoot(1, 5)
    assert game.shoot(0, 5) == OPEN_CELL
    assert game.turn == 0
    assert game.shoot(0, SHIP[0]) == field.HIT
    assert game.shoot(0, SHIP[0]) == OPEN_CELL
    assert game.turn == 0
    assert game.shots == [2, 1]


def test_only_a_cell_that_is_not_known_to_be_empty_may_be_shot_at():
    game = small_game()
    game.shoot(0, SHIP[0])
    game.shoot(0, SHIP[1])
    for cell in (0, 1, 2, 3, 6, 9, 12, 13, 14, 15):
        assert game.shoot(0, cell) == OPEN_CELL
    assert game.shots == [2, 0]
    assert game.shoot(0, 4) == field.MISS


def test_a_shot_off_the_field_is_refused():
    game = small_game()
    for cell in (-1, 36, 100, 1000):
        assert game.shoot(0, cell) == OFF_FIELD
    assert game.turn == 0


def test_when_a_ship_sinks_both_see_that_the_cells_around_it_are_empty():
    game = small_game()
    game.shoot(0, SINGLE)
    around = {21, 22, 23, 27, 29, 33, 34, 35}
    assert {c for c in range(36) if game.fields[1].mark[c] & field.EMPTY} == around
    assert {c for c in range(36) if game.radars[0].cell[c] == radar.EMPTY} == around
    assert not any(game.fields[0].mark)


def test_each_knows_what_the_own_shots_have_told():
    game = small_game()
    game.shoot(0, SHIP[0])
    game.shoot(0, 5)
    game.shoot(1, SINGLE)
    assert game.radars[0].cell[SHIP[0]] == radar.HIT
    assert game.radars[0].cell[5] == radar.MISS
    assert game.radars[0].cell[SINGLE] == radar.UNKNOWN
    assert game.radars[1].cell[SINGLE] == radar.SUNK
    assert game.radars[1].cell[5] == radar.UNKNOWN


def test_the_first_to_sink_all_ships_wins():
    game = small_game()
    game.shoot(0, 5)
    for cell in SHIP:
        game.shoot(1, cell)
    assert (game.stage, game.winner) == (BATTLE, NOBODY)
    assert game.shoot(1, SINGLE) == field.SUNK
    assert (game.stage, game.winner) == (OVER, 1)
    for player in (0, 1):
        assert game.shoot(player, 30) == NOT_NOW


def test_a_player_who_surrenders_loses():
    for player in (0, 1):
        game = small_game()
        assert game.surrender(player)
        assert (game.stage, game.winner) == (OVER, 1 - player)
        assert not game.surrender(1 - player)
        assert game.winner == 1 - player


def test_a_player_may_surrender_before_the_battle():
    game = Classic(Rng(1))
    assert game.surrender(0)
    assert game.winner == 1
    assert not game.ready(0)


def test_the_last_shot_is_kept():
    game = small_game()
    assert game.last == -1
    game.shoot(0, SHIP[0])
    assert (game.last, game.last_player, game.last_result) == (SHIP[0], 0, field.HIT)
    game.shoot(0, 99)
    assert game.last == SHIP[0]
    game.shoot(0, 5)
    assert (game.last, game.last_player, game.last_result) == (5, 0, field.MISS)


def test_a_new_game_begins_with_nothing_of_the_old_one():
    game = small_game()
    game.shoot(0, SHIP[0])
    game.fleet.classic()
    game.start(1)
    assert (game.stage, game.turn, game.winner, game.last, game.shots) == (PLACING, 1, NOBODY, -1, [0, 0])
    assert (game.last_player, game.last_result) == (NOBODY, field.MISS)
    for player in (0, 1):
        assert ships_of(game.fields[player]) == []
        assert not any(game.fields[player].mark)
        assert not any(game.radars[player].cell)


def test_other_fleets_and_fields():
    game = Classic(Rng(5), 15 * 15)
    game.fleet.custom(15, 15, 1, 1, 2, 3, 4, False, False)
    game.start()
    for player in (0, 1):
        assert game.random(player)
        assert game.ready(player)
    assert len(ships_of(game.fields[0])) == 11
    game.fleet.protocol(8, 1, 2, 3, 4)
    game.start()
    assert game.random(0)
    assert faults(game.fields[0]) == []


def test_a_field_larger_than_the_game_was_made_for_is_refused():
    game = Classic(Rng(1))
    game.fleet.custom(10, 10, 1, 1, 2, 3, 4, False, False)
    game.start()
    game.fleet.custom(101, 1, 0, 0, 0, 0, 1, False, False)
    try:
        game.start()
    except ValueError:
        pass
    else:
        assert False, "a field of 101 cells is too large for 100"


def test_a_fleet_that_cannot_be_placed_is_said_to_be_so():
    game = Classic(Rng(5))
    game.fleet.protocol(6, 1, 2, 5, 10)
    assert fleet.check(6, 1, 2, 5, 10) == fleet.NO_ROOM
    game.start()
    assert game.random(0) is False
    assert not game.ready(0)


def play(game, rng):
    """Shoot at random until the end; 0, or 1 when a count is wrong."""
    for player in (0, 1):
        game.random(player)
        game.ready(player)
    while game.stage == BATTLE:
        cell = rng.below(100)
        player = game.turn
        if game.may_shoot(player, cell) == 0:
            game.shoot(player, cell)
    winner = game.winner
    wrong = not game.fields[1 - winner].lost() or not game.radars[winner].won()
    wrong = wrong or game.fields[winner].lost() or game.radars[1 - winner].won()
    wrong = wrong or game.radars[0].hits != game.fields[1].hits or game.radars[1].hits != game.fields[0].hits
    return 1 if wrong else 0


def test_whole_games_end_with_right_counts_and_allocate_nothing():
    game = Classic(Rng(7))
    rng = Rng(8)
    wrong = 0
    games = 0
    heap_lock()
    try:
        while games < 20:
            game.start()
            wrong += play(game, rng)
            games += 1
    finally:
        heap_unlock()
    assert (games, wrong) == (20, 0)


def test_an_answer_that_cannot_be_true_ends_the_game_and_loses_it():
    game = Classic(Rng(1))
    game.fleet.custom(6, 6, 0, 0, 0, 1, 1, False, False)
    game.start(0)
    for player in (0, 1):
        assert game.place(player, 0, 0, 2, False) == OK and game.place(player, 5, 5, 1, False) == OK
        assert game.ready(player)
    cheat = game.fields[1]
    assert game.shoot(0, 0) == HIT and game.proof == 0
    cheat.remove(0)
    assert cheat.place(3, 3, 2, False) == OK
    assert game.shoot(0, 1) == MISS and game.stage == BATTLE
    assert game.shoot(1, 12) == MISS
    assert game.shoot(0, 6) == MISS
    assert game.stage == OVER and game.winner == 0
    assert game.proof == R_NOT_SUNK
    game.start()
    assert game.proof == 0 and game.winner == NOBODY
