"""The classic game for two: placing, shooting and sinking."""

from placement import faults, ships_of
from told import cell_of, cells_of, go

from seabattle import classic, field, radar, wire
from seabattle.classic import BATTLE, NOBODY, PLACING, Classic
from seabattle.rng import Rng


def small_game(first=0):
    """Return a game on 6x6 without the wall rule; both players have ships at B2-C2 and at E5."""
    game = Classic(Rng(1))
    game.fleet.custom(6, 6, 0, 0, 0, 1, 1, False, False)
    game.start(first)
    for player in (0, 1):
        assert order(game, player, "places", ["B2-C2", "E5"]) is None
        assert game.ready(player)
    return game


def hold(text):
    """Run lines `STEP; STEP ...`, the small game in its battle, or `placing | STEP ...`, a game on 10x10 before it.

    0 C2 HIT            player 0 shoots at C2, which is a hit, or refused
    0 places A1-D1      an order, followed by the result if that is not OK. Also removes, fills, placed at
                        random, is ready, surrenders
    = turn 0            what the game knows; 0 = empty C2 D3 what player 0 knows of the other's field
    """

    def step(game, words):
        if words[0] == "=":
            return known(game, words[1], words[2:])
        if words[1] == "=":
            return seen(game, int(words[0]), words[2], words[3:])
        return order(game, int(words[0]), words[1], words[2:])

    go(text, lambda beginning: Classic(Rng(1)) if beginning == "placing" else small_game(), step)


def named(word):
    for names in (classic, field):
        if hasattr(names, word):
            return getattr(names, word)
    return int(word)


def order(game, player, verb, words):
    width = game.fleet.width
    ships = [cells_of(word, width) for word in words if word[0].isalpha() and word[1:2].isdigit()]
    result = words[-1] if words and len(words) > len(ships) else ""
    good = {"places": field.OK, "removes": 0}.get(verb, True)
    if verb[1:].isdigit():
        said = [game.shoot(player, cell_of(verb, width))]
    elif verb == "places":
        said = [game.place(player, c[0] % width, c[0] // width, len(c), c[-1] - c[0] >= width) for c in ships]
    elif verb == "removes":
        said = [game.remove(player, cells[0]) for cells in ships]
    else:
        said = [
            {"fills": game.fill, "random": game.random, "ready": game.ready, "surrenders": game.surrender}[verb](player)
        ]
    want = False if result == "no" else named(result) if result else good
    return None if said == [want] * len(said) else said


def known(game, name, words):
    found = getattr(game, name)
    found = list(found) if name == "shots" else [found]
    return None if found == [named(word) for word in words] else found


def seen(game, player, name, words):
    """Return a player's `hit`, `sunk`, `missed` or `empty` cells of the other's field; `decks`: own ships."""
    if name == "decks":
        found = [c for c in range(game.fields[player].cells) if game.fields[player].ship[c]]
    else:
        code = {"hit": radar.HIT, "sunk": radar.SUNK, "missed": radar.MISS, "empty": radar.EMPTY}[name]
        found = [c for c in range(game.fields[player].cells) if game.radars[player].cell[c] == code]
    want = sorted([c for word in words for c in cells_of(word, game.fleet.width)])
    return None if found == want else found


def test_placing():
    hold(
        """
The battle begins when both fleets are placed; nobody shoots before.
    placing | 0 ready no; 0 random; 0 ready; = stage PLACING; 0 F1 NOT_NOW; 1 F1 NOT_NOW; 1 places A1-D1;
        1 ready no; 1 fills; 1 ready; = stage BATTLE
A player may place, remove, fill and place all at random until ready.
    placing | 0 places A1-D1; 0 places B2-C2 TOUCH; 0 removes D1 4; 0 places J1-J4; 0 fills; 0 removes J2 4; 0 random;
        0 ready; 0 places A1 NOT_NOW; 0 fills NOT_NOW; 0 random NOT_NOW; 0 ready no
    placing | 0 places A1-D1 A3-C3 E3-G3 A5-B5 D5-E5 G5-H5 A7 C7 E7 G7; 0 ready; 0 removes A1 NOT_NOW;
        0 = decks A1-D1 A3-C3 E3-G3 A5-B5 D5-E5 G5-H5 A7 C7 E7 G7
A player may surrender before the battle.
    placing | 0 surrenders; = winner 1; 0 ready no
"""
    )
    # Both players place the classic ten ships on 10x10.
    game = Classic(Rng(1))
    for player in (0, 1):
        assert game.random(player)
        assert faults(game.fields[player]) == []
        assert sorted([len(ship) for ship in ships_of(game.fields[player])]) == [1, 1, 1, 1, 2, 2, 2, 3, 3, 4]
        assert game.fields[player].cells == 100


def test_a_battle():
    hold(
        """
A miss passes the turn, a hit and a sinking give another shot.
    0 A1 MISS; = turn 1; 0 F6 NOT_YOUR_TURN; 1 D1 MISS; = turn 0; 1 F6 NOT_YOUR_TURN
    0 B2 HIT; = turn 0; 0 C2 SUNK; = turn 0; 0 F1 MISS; = turn 1
Only a cell on the field that was not shot, and is not known to be empty, may be shot at.
    0 F1 MISS; 1 F1 MISS; 0 F1 OPEN_CELL; = turn 0; 0 B2 HIT; 0 B2 OPEN_CELL; = turn 0; = shots 2 1
    0 B2 HIT; 0 C2 SUNK; 0 A1 OPEN_CELL; 0 D1 OPEN_CELL; 0 A2 OPEN_CELL; 0 D3 OPEN_CELL; = shots 2 0; 0 E1 MISS
    0 A7 OFF_FIELD; = turn 0
When a ship sinks both see that the cells around it are empty; each knows what the own shots have told.
    0 E5 SUNK; 0 = empty D4-F4 D5 F5 D6-F6; 1 = empty; 0 = sunk E5; 0 = hit; 0 = missed; 1 = sunk
    0 B2 HIT; 0 F1 MISS; 1 E5 SUNK; 0 = hit B2; 0 = missed F1; 0 = sunk; 1 = sunk E5; 1 = hit; 1 = missed
The first to sink all ships wins.
    0 F1 MISS; 1 B2 HIT; 1 C2 SUNK; = stage BATTLE; = winner NOBODY; 1 E5 SUNK; = stage OVER; = winner 1; 0 A6 NOT_NOW
A player who surrenders loses.
    0 surrenders; = stage OVER; = winner 1; 1 surrenders no; = winner 1; 1 A6 NOT_NOW
    1 surrenders; = stage OVER; = winner 0; 0 surrenders no; = winner 0
The last shot is kept.
    = last -1; 0 B2 HIT; = last 7; = last_player 0; = last_result HIT; 0 A7 OFF_FIELD; = last 7
    0 B2 HIT; 0 F1 MISS; = last 5; = last_player 0; = last_result MISS
"""
    )
    game = small_game()
    assert [game.shoot(0, cell) for cell in (-1, 36, 100, 1000)] == [classic.OFF_FIELD] * 4
    for cell in (0, 1, 2, 3, 6, 9, 12, 13, 14, 15):
        game = small_game()
        game.shoot(0, 7)
        game.shoot(0, 8)
        assert game.shoot(0, cell) == classic.OPEN_CELL


def test_a_new_game_begins_with_nothing_of_the_old_one():
    game = small_game()
    firsts = set()
    for _ in range(20):
        game.start()
        firsts.add(game.turn)
    assert firsts == {0, 1}
    game = small_game()
    game.shoot(0, 7)
    game.fleet.classic()
    game.start(1)
    assert (game.stage, game.turn, game.winner, game.last, game.shots) == (PLACING, 1, NOBODY, -1, [0, 0])
    assert (game.last_player, game.last_result) == (NOBODY, field.MISS)
    for player in (0, 1):
        assert ships_of(game.fields[player]) == []
        assert not any(game.fields[player].mark)
        assert not any(game.radars[player].cell)


def test_an_answer_that_cannot_be_true_ends_the_game_and_loses_it():
    game = small_game()
    assert game.shoot(0, 28) == field.SUNK and game.shoot(0, 7) == field.HIT and game.proof == 0
    # A cheat removes the ship from the hit.
    assert game.fields[1].remove(7) == 2 and game.fields[1].place(0, 3, 2, False) == field.OK
    for cell in (8, 6, 1):
        assert game.stage == BATTLE and game.shoot(0, cell) == field.MISS
        assert game.shoot(1, cell + 9) == field.MISS
    assert game.shoot(0, 13) == field.MISS
    assert game.stage == classic.OVER and game.winner == 0
    assert game.proof == wire.R_NOT_SUNK
    game.start()
    assert game.proof == 0 and game.winner == NOBODY
