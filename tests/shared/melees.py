"""A plain second implementation of the rules of placing three fleets, and a count of the tries that placing takes."""

from seabattle.melee import CELLS, SIZE

FLEET = [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]


def legal(game):
    """Whether the field has three classic fleets of straight ships and no two ships touch."""
    ships = {}
    for cell in range(CELLS):
        if game.ship[cell]:
            ships.setdefault(game.ship[cell], []).append(cell)
    for code, cells in ships.items():
        step = cells[1] - cells[0] if len(cells) > 1 else 1
        if step not in (1, SIZE) or cells != [cells[0] + i * step for i in range(len(cells))]:
            return False
        if step == 1 and cells[0] // SIZE != cells[-1] // SIZE:
            return False
        for cell in cells:
            x, y = cell % SIZE, cell // SIZE
            for v in range(max(0, y - 1), min(SIZE, y + 2)):
                for u in range(max(0, x - 1), min(SIZE, x + 2)):
                    if game.ship[v * SIZE + u] not in (0, code):
                        return False
    for owner in range(3):
        lengths = [len(cells) for code, cells in ships.items() if (code - 1) // 10 == owner]
        if sorted(lengths, reverse=True) != FLEET:
            return False
    return True


def deploy(game):
    """Place all three fleets; return the number of tries."""
    tries = 1
    while not game.place_step():
        tries += 1
    return tries
