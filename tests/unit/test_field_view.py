"""What a player is shown: a melee's fields by its rules, and nothing that the rules hide.

Two games that differ only in hidden ships must look the same to the player and lead a computer to the same
shot.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import CELLS, NOBODY, PLAYERS, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle.salvo import Salvo
from seabattle.salvo_gunner import SalvoGunner
from seabattle_host.games import field_view
from seabattle_host.games.field_view import DARK, LIGHT, NAMES, PAPER, RED, lines, melee_field

SEEDS = range(1, 3)
SHOTS = (10, 40)


def melee(seed: int = 4) -> Melee:
    game = Melee(Rng(seed))
    game.deploy()
    return game


def ship(game: Melee, owner: int, number: int) -> list[int]:
    return [cell for cell in range(CELLS) if game.ship[cell] == 1 + owner * melees.SHIPS + number]


def around(cells: Sequence[int]) -> set[int]:
    size = melees.SIZE
    near = {
        v * size + u
        for cell in cells
        for v in range(max(0, cell // size - 1), min(size, cell // size + 2))
        for u in range(max(0, cell % size - 1), min(size, cell % size + 2))
    }
    return near - set(cells)


def water(game: Melee) -> int:
    return next(cell for cell in range(CELLS) if not game.ship[cell] and not game.mark[cell])


def shown(game: Melee, cell: int, player: int = 0) -> tuple[str, str]:
    """Return the sign in a cell in a terminal with colours, and its colour."""
    field = melee_field(game, player)
    return field_view.cell_text(field, cell, pretty=True).strip(), field_view.style(field, field.signs[cell])


# How a melee is shown.


def test_the_players_are_light_blue_light_green_and_light_orange():
    blue, green, orange = (tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in LIGHT)
    assert blue[2] == max(blue) > blue[0] and min(blue) > 100
    assert green[1] == max(green) > green[0] and min(green) > 100
    assert orange[0] > orange[1] > orange[2] > 100
    game = melee()
    for player in range(PLAYERS):
        for cell in range(CELLS):
            if game.seen(player, cell) == melees.OWN:
                assert shown(game, cell, player) == (NAMES[player].lower(), f"#000000 on {LIGHT[player]}")


def test_a_darker_shade_is_darker():
    for light, dark in zip(LIGHT, DARK, strict=True):
        assert all(int(dark[i : i + 2], 16) < int(light[i : i + 2], 16) for i in (1, 3, 5))


def test_a_miss_is_a_red_dot_as_the_last_move_and_black_from_the_next_on():
    game = melee()
    miss = water(game)
    assert game.shoot(0, miss) == MISS
    assert shown(game, miss) == ("•", f"{RED} on {PAPER}")
    assert game.shoot(1, water(game)) == MISS
    assert shown(game, miss) == ("•", f"#000000 on {PAPER}")


def test_a_hit_is_red_as_the_last_move_and_the_owners_darker_shade_from_the_next_on():
    game = melee()
    deck = ship(game, 1, 0)[0]
    assert game.shoot(0, deck) == HIT
    assert shown(game, deck)[1] == f"bold #ffffff on {RED}"
    game.shoot(0, water(game))
    assert shown(game, deck) == ("B", f"bold #ffffff on {DARK[1]}")


def test_a_sinking_is_bombs_with_dots_around_and_the_owners_darker_shade_from_the_next_on():
    game = melee()
    cells = ship(game, 2, 1)
    results = [game.shoot(0, cell) for cell in cells]
    assert results == [HIT, HIT, SUNK]
    assert all(shown(game, cell)[0] == "💣" for cell in cells)
    assert all(shown(game, cell) == ("•", f"#000000 on {PAPER}") for cell in around(cells))
    game.shoot(0, water(game))
    assert all(shown(game, cell) == ("#C", f"bold #ffffff on {DARK[2]}") for cell in cells)
    assert all(shown(game, cell)[0] == "•" for cell in around(cells))


def test_without_colours_and_signs_beyond_ascii_the_same_is_told_by_letters():
    game = melee()
    cells = ship(game, 2, 1)
    for cell in cells:
        game.shoot(0, cell)
    text = "\n".join(line.plain for line in lines(melee_field(game, 0)))
    assert text.isascii() and text.count("*C") == len(cells)


# What is hidden.


def after(game: Melee, shots: int) -> None:
    """Let computers take this many shots, or play to the end."""
    gunners = [MeleeGunner(game, player, Rng(player + 1)) for player in range(PLAYERS)]
    while game.shots < shots and game.winner() == NOBODY:
        game.shoot(game.turn, gunners[game.turn].aim())


def without_hidden(game: Melee, player: int) -> None:
    """Remove every unhit deck of other players, and every count of them."""
    for cell in range(CELLS):
        owner = (game.ship[cell] - 1) // melees.SHIPS
        if game.ship[cell] and not game.mark[cell] and owner != player:
            game.ship[cell] = 0


@pytest.mark.parametrize("shots", SHOTS)
def test_a_melee_without_its_hidden_ships_looks_the_same_and_leads_to_the_same_shot(shots: int):
    for seed in SEEDS:
        for player in range(PLAYERS):
            whole, bare = melee(seed), melee(seed)
            after(whole, shots)
            after(bare, shots)
            without_hidden(bare, player)
            assert melee_field(whole, player) == melee_field(bare, player)
            if whole.winner() == NOBODY:
                aims = [MeleeGunner(game, player, Rng(9)).aim() for game in (whole, bare)]
                assert aims[0] == aims[1]


def salvo(places: Sequence[int]) -> Salvo:
    """Return a salvo whose second player has its ships in these rows."""
    game = Salvo(Rng(1))
    for number in range(salvos.SHIPS):
        game.place(0, number, 0, 2 * number, salvos.EAST)
        game.place(1, number, 0, places[number], salvos.EAST)
    return game


def test_in_a_salvo_the_view_has_which_ships_were_hit_and_not_by_which_shot():
    # the same two ships are hit once in the round, by other cells of the same salvo
    one, other = salvo((0, 2, 4, 6, 8)), salvo((2, 0, 4, 6, 8))
    views = []
    for game in (one, other):
        assert not game.fire_at(0, bytes([0, 20]), 2) and not game.fire_at(1, bytes([99]), 1)
        views.append({name: bytes(value) for name, value in vars(game.views[0]).items() if name != "round"})
    assert views[0] == views[1]
    fields = [field_view.salvo_fired(game.views[0]) for game in (one, other)]
    assert fields[0] == fields[1] and {fields[0].signs[0], fields[0].signs[20]} == {"1"}
    aims = [bytes(SalvoGunner(game.views[0], Rng(3)).cells) for game in (one, other)]
    assert aims[0] == aims[1]


def test_the_view_of_a_salvo_has_nothing_of_the_others_placing():
    one, other = salvo((0, 2, 4, 6, 8)), salvo((8, 6, 4, 2, 0))
    assert vars(one.views[0]) == vars(other.views[0])
