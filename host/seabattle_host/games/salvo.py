"""`seabattle salvo`: one person against the computer or two people, at one screen or as lines of text."""

from __future__ import annotations

from seabattle import salvo as rules
from seabattle.rng import Rng
from seabattle.salvo import CELLS, FIRING, LENGTHS, NONE, OK, OVER, PLACING, SHIPS, SIZE, Salvo, step_x, step_y
from seabattle.salvo_gunner import SalvoGunner
from seabattle_host.games import recording
from seabattle_host.games.field_view import NAMES, SHIP_LETTERS, salvo_fired, salvo_own
from seabattle_host.games.setup import Setup
from seabattle_host.games.table import Ghost, Left, Table, Want, split_cells
from seabattle_host.language import words
from seabattle_host.language.games_phrases import SHIPS as SHIP_NAMES
from seabattle_host.language.games_phrases import say
from seabattle_host.language.text import COLUMNS_EN, cell_name, parse_cell, typed_in

DIRECTIONS = {"e": rules.EAST, "s": rules.SOUTH, "se": rules.SOUTH_EAST, "sw": rules.SOUTH_WEST}
"""How a direction is typed -> its code."""

_REFUSALS = {
    rules.OFF_FIELD: "off_field",
    rules.TOUCHES: "touches",
    rules.PLACED: "placed",
    rules.NOT_NOW: "not_now",
    rules.FIRED_AT: "fired_at",
    rules.TOO_MANY: "too_many",
}


def play(setup: Setup, table: Table) -> None:
    """Place and play a game to its end. Raises Left when a person leaves."""
    game = Salvo(Rng(setup.seed))
    try:
        _play(game, table)
    except (Left, KeyboardInterrupt):
        _keep_rounds(game, table)
        table.keeper.end(recording.salvo_fleets(game), *recording.unfinished())
        raise
    winner = {rules.WON_BY_0: 0, rules.WON_BY_1: 1}.get(game.outcome)
    ending = "surrender" if game.how == rules.BY_WITHDRAWAL else "shots"
    _keep_rounds(game, table)
    table.keeper.end(recording.salvo_fleets(game), recording.result_for_first(winner), ending)
    if not table.chat and table.people > 1 and game.how == rules.BY_SINKING:
        # the last round, which no turn follows in which it would be told
        for player in (0, 1):
            for line in _report_lines(game, player, game.round):
                table.tell(None, f"{NAMES[player]}: {line}")
    if table.people:
        seen = [salvo_own(view, name) for view, name in zip(game.views, NAMES, strict=False)]
        table.show(None, seen, say("salvo_legend"))
    _end(game, table)


def _keep_rounds(game: Salvo, table: Table) -> None:
    """All rounds into the archive. Which shot has hit is what a salvo hides while it goes on, from whoever looks into
    the history too."""
    for number in range(1, game.round + 1):
        for move in recording.salvo_moves(game, number):
            table.keeper.move(*move)


def _play(game: Salvo, table: Table) -> None:
    gunners = [SalvoGunner(view, game.rng) for view in game.views]
    for player in (0, 1):
        if player < table.people:
            _place(game, table, player)
        else:
            game.fill(player)
    table.keeper.begin(recording.salvo_game(table.people), recording.salvo_fleets(game))
    while game.stage == FIRING:
        number = game.round
        for player in (0, 1):
            if game.stage != FIRING:
                break
            if player < table.people:
                _fire(game, table, player)
            else:
                game.fire_at(player, gunners[player].cells, gunners[player].aim())
        if game.how == rules.BY_SINKING:
            for player in range(table.people if table.chat or table.people < 2 else 0):
                _report(game, table, player, number)
        if table.live and not table.people:
            sights = [salvo_own(view, name) for view, name in zip(game.views, NAMES, strict=False)]
            table.show(None, sights, say("salvo_legend"))
            table.pause()


def _show(game: Salvo, table: Table, player: int) -> None:
    view = game.views[player]
    legend = "  ".join(f"{letter} {ship_name(ship)}" for ship, letter in enumerate(SHIP_LETTERS))
    sights = [salvo_own(view, say("salvo_own"))]
    if view.stage != PLACING:
        sights.append(salvo_fired(view, say("salvo_fired")))
    table.show(player, sights, f"{legend}  {say('salvo_legend')}")


def ship_name(ship: int) -> str:
    """The name of a ship in the chosen language."""
    return words.pick(SHIP_NAMES[ship])


def _ship(typed: str) -> int:
    """The ship that a person has named, in either language; NONE for none."""
    return next((ship for ship, names in enumerate(SHIP_NAMES) if typed.lower() in names), NONE)


def _cell(typed: str, letters: str = COLUMNS_EN) -> int:
    """A typed cell as a number; CELLS, which is off the field, for what names none."""
    place = parse_cell(typed, SIZE, letters)
    return CELLS if place is None else (place[1] - 1) * SIZE + place[0] - 1


def _name(cell: int) -> str:
    return cell_name(cell % SIZE + 1, cell // SIZE + 1)


def _ghosts(game: Salvo, player: int) -> list[Ghost]:
    """The ships that are still to be placed."""
    ghosts = []
    for ship in range(SHIPS):
        if game.at[player][ship] != NONE:
            continue
        ways = [[(step_x(d) * i, step_y(d) * i) for i in range(LENGTHS[ship])] for d in DIRECTIONS.values()]

        def command(x: int, y: int, way: int, ship: int = ship) -> str:
            return f"{ship_name(ship)} {cell_name(x + 1, y + 1)} {list(DIRECTIONS)[way]}"

        ghosts.append(Ghost(ship_name(ship), ways, command))
    return ghosts


def _place(game: Salvo, table: Table, player: int) -> None:
    table.curtain(player)
    table.tell(player, say("salvo_place_help"))
    view = game.views[player]

    def remove(cell: int) -> str:
        return f"remove {ship_name(view.own[cell])}" if view.own[cell] != NONE else ""

    while not game.placed(player):
        if not table.chat:
            _show(game, table, player)
        want = Want(
            say("salvo_place_help"), ghosts=_ghosts(game, player), remove=remove, words=[("random", say("word_random"))]
        )
        speaker, typed = table.ask(player, want)
        parts = typed.split()
        if speaker != player:
            table.tell(speaker, say("not_now"))
        elif typed.lower() == "board":
            _show(game, table, player)
        elif typed.lower() == "random":
            game.fill(player)
        elif len(parts) in (2, 3):
            _place_one(game, table, player, parts)
        else:
            table.tell(player, say("salvo_place_help"))
    table.tell(player, say("salvo_placed"))
    if table.chat or table.people > 1:
        _show(game, table, player)


def _place_one(game: Salvo, table: Table, player: int, parts: list[str]) -> None:
    """`carrier B7 e`, or `remove carrier`."""
    removing = parts[0].lower() == "remove"
    ship = _ship(parts[1] if removing else parts[0])
    if ship == NONE:
        names = ", ".join(map(ship_name, range(SHIPS)))
        table.tell(player, say("no_ship", name=parts[1] if removing else parts[0], names=names))
        return
    if removing:
        why = game.remove(player, ship)
    elif len(parts) < 3 or parts[2].lower() not in DIRECTIONS:
        table.tell(player, say("salvo_place_help"))
        return
    else:
        cell = _cell(parts[1])
        # a cell that is none becomes one off the field, which the rules refuse
        why = game.place(player, ship, cell % SIZE, cell // SIZE, DIRECTIONS[parts[2].lower()])
    if why != OK:
        table.tell(player, say(_REFUSALS[why]))


def _fire(game: Salvo, table: Table, player: int) -> None:
    """The person's salvo, or the withdrawal."""
    table.curtain(player)
    if not table.chat and table.people > 1 and game.round > 1:
        _report(game, table, player, game.round - 1)
    _show(game, table, player)
    view = game.views[player]
    table.tell(player, say("salvo_round", round=view.round, guns=view.guns()))
    words = [("record", say("word_record")), ("withdraw", say("word_withdraw"))]
    want = Want(say("salvo_help"), shots=view.guns(), field=1, words=words)
    while True:
        speaker, typed = table.ask(player, want)
        word = typed.lower()
        if word == "board":
            _show(game, table, speaker)
        elif word == "record":
            for number in range(1, view.round):
                _report(game, table, speaker, number)
        elif word == "withdraw":
            game.withdraw(speaker)
            return
        elif speaker != player:
            table.tell(speaker, say("not_your_turn", name=NAMES[player]))
        elif _salvo(game, table, player, typed):
            return


def _salvo(game: Salvo, table: Table, player: int, typed: str) -> bool:
    """Fire at the cells typed; False and a word of why if the salvo is refused."""
    names = split_cells(typed)
    letters = typed_in(names, COLUMNS_EN)
    cells = [_cell(name, letters) for name in names]
    if CELLS in cells:
        table.tell(player, table.no_cell(names[cells.index(CELLS)], SIZE, SIZE, say("salvo_help")))
        return False
    view = game.views[player]
    why = game.fire_at(player, cells, len(cells))
    if why == OK:
        return True
    bad = next((c for i, c in enumerate(cells) if view.fired[c] or c in cells[:i]), cells[0])
    table.tell(player, say(_REFUSALS[why], cell=_name(bad), guns=view.guns()))
    return False


def _report(game: Salvo, table: Table, player: int, number: int) -> None:
    """Tell a player what is learned of a round."""
    for line in _report_lines(game, player, number):
        table.tell(player, line)


def _report_lines(game: Salvo, player: int, number: int) -> list[str]:
    """What a player learns of a round: which ships were hit and how often, not by which shot; and what was received."""
    view = game.views[player]
    hits = [(ship, view.hits[ship * rules.ROUNDS_MAX + number - 1]) for ship in range(SHIPS)]
    fired = say(
        "salvo_report",
        round=number,
        hits=", ".join(f"{ship_name(ship)} x{n}" for ship, n in hits if n) or "-",
        sunk=", ".join(ship_name(ship) for ship in range(SHIPS) if view.sunk_in[ship] == number) or "-",
    )
    received = [
        f"{_name(cell)} {say('salvo_water') if view.struck[cell] == NONE else ship_name(view.struck[cell])}"
        for cell in range(CELLS)
        if view.received[cell] == number
    ]
    return [fired, say("salvo_received", round=number, shots=", ".join(received) or "-")]


def _end(game: Salvo, table: Table) -> None:
    """The outcome and the record of all rounds, for everybody."""
    assert game.stage == OVER
    rounds = game.round if game.how == rules.BY_SINKING else game.round - 1
    for number in range(rounds):
        for player in (0, 1):
            sinkings = game.sinkings_in[player][number]
            sunk = ", ".join(ship_name(ship) for ship in range(SHIPS) if sinkings >> ship & 1)
            shots, hits = game.shots_in[player][number], game.hits_in[player][number]
            name = NAMES[player]
            table.tell(None, say("salvo_record", round=number + 1, name=name, shots=shots, hits=hits, sunk=sunk or "-"))
    winner = 0 if game.outcome == rules.WON_BY_0 else 1
    if game.outcome == rules.DRAW:
        table.tell(None, say("salvo_draw"))
    elif game.how == rules.BY_WITHDRAWAL:
        table.tell(None, say("salvo_withdrew", name=NAMES[1 - winner], other=NAMES[winner]))
    else:
        table.tell(None, say("salvo_won", name=NAMES[winner]))
