"""The club's rules on placing, shooting and sinking, clause by clause: given, when, then."""

from placement import ships_of

from seabattle import field
from seabattle.classic import BATTLE, NOT_NOW, OPEN_CELL, OVER, PLACING, Classic
from seabattle.field import EMPTY, HIT, MISS, OK, SHOT, SUNK
from seabattle.rng import Rng

ONE, OTHER = 0, 1


def in_placing():
    game = Classic(Rng(3))
    game.start(ONE)
    assert game.stage == PLACING
    return game


def in_battle():
    """The first player shoots; the other has the four-deck on A1..D1, a one-deck on J10, and the rest anywhere."""
    game = in_placing()
    game.random(ONE)
    assert game.place(OTHER, 0, 0, 4, 0) == OK and game.place(OTHER, 9, 9, 1, 0) == OK
    game.fill(OTHER)
    game.ready(ONE)
    game.ready(OTHER)
    assert game.stage == BATTLE and game.turn == ONE
    return game


FOUR_DECK = (0, 1, 2, 3)
ONE_DECK = 99


def water(game, player):
    """A cell of a player's field without a ship that is not checked."""
    target = game.fields[player]
    return next(cell for cell in range(100) if not target.ship[cell] and not target.mark[cell])


def snapshot(game):
    return [(bytes(f.ship), bytes(f.mark)) for f in game.fields], game.stage, game.turn, game.shots[:]


def test_a_ship_that_crosses_none_and_is_not_one_too_many_appears_on_the_field():
    # given: the stage of placing, a ship on the field, and fewer of the next one's length than may be
    game = in_placing()
    game.place(ONE, 0, 0, 4, 0)
    assert game.fields[ONE].left(3) == 2
    # when the player places a ship that does not cross the other
    placed = game.place(ONE, 0, 2, 3, 0)
    # then it stands on the field
    assert placed == OK
    assert sorted(ships_of(game.fields[ONE])) == [[(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 2), (1, 2), (2, 2)]]


def test_a_ship_that_crosses_another_is_refused_and_nothing_changes():
    # given: the stage of placing, and a ship on the field
    game = in_placing()
    game.place(ONE, 0, 0, 4, 0)
    before = snapshot(game)
    # when the player places one across it
    refused = game.place(ONE, 1, 0, 3, 1)
    # then the reason is said, and the field is as it was
    assert refused == field.OVERLAP and snapshot(game) == before


def test_of_each_length_there_are_at_most_five_minus_the_length():
    for length in (1, 2, 3, 4):
        # given: the stage of placing, and as many ships of a length as may be
        game = in_placing()
        for number in range(5 - length):
            assert game.place(ONE, 0, 2 * number, length, 0) == OK
        before = snapshot(game)
        # when the player places one more of it, where there is room
        refused = game.place(ONE, 5, 9, length, 0)
        # then the reason is said, and the field is as it was
        assert refused == field.NONE_LEFT and snapshot(game) == before


def test_no_ship_is_placed_outside_the_stage_of_placing():
    # given: a battle
    game = in_battle()
    before = snapshot(game)
    # when a player places a ship, takes one back, or has the field filled
    refused = (game.place(ONE, 0, 0, 1, 0), game.remove(ONE, 0), game.fill(ONE), game.random(ONE))
    # then all of it is refused
    assert refused == (NOT_NOW,) * 4 and snapshot(game) == before


def test_a_field_that_is_not_full_is_filled_with_random_ships():
    # given: the stage of placing, and a field with one ship
    game = in_placing()
    game.place(ONE, 3, 3, 2, 1)
    assert not game.fields[ONE].complete()
    # when the player fills it at random
    filled = game.fill(ONE)
    # then it is full, and the ship stands where it stood
    assert filled is True and game.fields[ONE].complete()
    assert [(3, 3), (3, 4)] in ships_of(game.fields[ONE])


def test_when_both_fields_are_full_the_battle_begins():
    # given: the stage of placing, and one full field
    game = in_placing()
    game.random(ONE)
    assert game.ready(ONE) and game.stage == PLACING and not game.ready(OTHER)
    # when the other is full too
    game.random(OTHER)
    assert game.ready(OTHER)
    # then the stage is battle
    assert game.stage == BATTLE


def test_a_shot_at_a_square_with_a_part_of_a_ship_wounds_it_and_gives_another_shot():
    # given: a battle, the player's turn, and an unchecked square with a part of the other's ship
    game = in_battle()
    target = game.fields[OTHER]
    assert target.ship[FOUR_DECK[0]] and not target.mark[FOUR_DECK[0]]
    # when the player shoots at it
    result = game.shoot(ONE, FOUR_DECK[0])
    # then the ship is wounded, and the player may shoot again
    assert result == HIT and target.is_hit(FOUR_DECK[0]) and not target.is_sunk(FOUR_DECK[0])
    assert game.turn == ONE and game.may_shoot(ONE, FOUR_DECK[1]) == 0


def test_a_shot_at_an_empty_square_checks_it_and_passes_the_turn():
    # given: a battle, the player's turn, and an unchecked empty square
    game = in_battle()
    cell = water(game, OTHER)
    # when the player shoots at it
    result = game.shoot(ONE, cell)
    # then it is checked, and the turn is the other's
    assert result == MISS and game.fields[OTHER].mark[cell] == SHOT and game.turn == OTHER


def test_a_checked_square_is_no_target():
    # given: a battle, and a square that was shot at
    game = in_battle()
    game.shoot(ONE, FOUR_DECK[0])
    before = snapshot(game)
    # when the player shoots at it again
    refused = game.shoot(ONE, FOUR_DECK[0])
    # then the reason is said, and the turn is kept
    assert refused == OPEN_CELL and snapshot(game) == before


def test_a_ship_all_of_whose_squares_are_destroyed_is_sunk_and_the_squares_around_it_are_checked():
    # given: a battle, and a ship of which one square is whole
    game = in_battle()
    target = game.fields[OTHER]
    for cell in FOUR_DECK[:-1]:
        game.shoot(ONE, cell)
    around = (4, 10, 11, 12, 13, 14)
    assert not any(target.mark[cell] for cell in around)
    # when the player hits that one
    result = game.shoot(ONE, FOUR_DECK[-1])
    # then the ship is sunk, and what is around it is checked
    assert result == SUNK and all(target.is_sunk(cell) for cell in FOUR_DECK)
    assert all(target.mark[cell] == EMPTY for cell in around)


def test_a_ship_of_one_square_is_sunk_by_one_hit():
    # given: a battle, and a ship of one square
    game = in_battle()
    # when the player hits it
    result = game.shoot(ONE, ONE_DECK)
    # then it is sunk, and the player may shoot again
    assert result == SUNK and game.turn == ONE
    assert all(game.fields[OTHER].mark[cell] == EMPTY for cell in (88, 89, 98))


def test_when_all_ships_are_sunk_the_game_is_finished():
    # given: a battle in which one deck of a fleet is whole
    game = in_battle()
    target = game.fields[OTHER]
    decks = [cell for cell in range(100) if target.ship[cell]]
    for cell in decks[:-1]:
        game.shoot(ONE, cell)
    assert game.stage == BATTLE
    # when it is hit
    result = game.shoot(ONE, decks[-1])
    # then the game is finished, and won by who has hit it
    assert result == SUNK and game.stage == OVER and game.winner == ONE


def test_the_field_has_10_columns_and_10_rows_and_ships_of_1_to_4_squares_in_one_line():
    # given: the stage of placing
    game = in_placing()
    # when the field is filled at random
    game.random(ONE)
    # then every ship on its 10 columns and rows is a line of one to four squares
    assert (game.fields[ONE].width, game.fields[ONE].height) == (10, 10)
    for ship in ships_of(game.fields[ONE]):
        assert 1 <= len(ship) <= 4
        assert len(set(x for x, _ in ship)) == 1 or len(set(y for _, y in ship)) == 1
