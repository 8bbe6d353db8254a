"""The salvo game: against the computer or two players, at one screen or as lines of text."""

from __future__ import annotations

from seabattle import salvo as rules
from seabattle.rng import Rng
from seabattle.salvo import CELLS, FIRING, LENGTHS, NONE, OK, OVER, PLACING, SHIPS, SIZE, Salvo, step_x, step_y
from seabattle.salvo_gunner import SalvoGunner
from seabattle_host.errors import SeabattleError
from seabattle_host.games import computers, recording
from seabattle_host.games.field_view import SHIP_LETTERS, salvo_fired, salvo_own
from seabattle_host.games.setup import Setup
from seabattle_host.games.ui import (
    READY,
    SKIP,
    WITHDRAW,
    GameUI,
    Ghost,
    Left,
    Want,
    between,
    split_cells,
    split_ends,
    taken_back,
    typed_words,
)
from seabattle_host.language.messages import LANGUAGES, template, tr
from seabattle_host.language.text import COLUMNS_EN, cell_name, parse_cell, typed_in
from seabattle_host.records.archive import NO_RESULT

DIRECTIONS = {"e": rules.EAST, "s": rules.SOUTH, "se": rules.SOUTH_EAST, "sw": rules.SOUTH_WEST}
"""Typed direction -> its code."""

_SHIPS = ("carrier", "battleship", "cruiser", "submarine", "destroyer")
"""In the order of seabattle.salvo."""

_REFUSALS = {
    rules.OFF_FIELD: "off_field",
    rules.TOUCHES: "touches",
    rules.PLACED: "placed",
    rules.NOT_NOW: "not_now",
    rules.FIRED_AT: "fired_at",
    rules.TOO_MANY: "too_many",
}


def play(setup: Setup, ui: GameUI) -> None:
    """Place and play a game to its end. Raises Left when a player leaves."""
    game = Salvo(Rng(setup.seed))
    game.held = 1
    try:
        _play(game, ui, setup.level)
    except (Left, KeyboardInterrupt):
        ui.keeper.left(recording.salvo_fleets(game), _held_back(game))
        raise
    except SeabattleError:
        raise
    except Exception:
        # a bug: there is no winner, and what was played is saved
        game.abandon()
        keep_rounds(game, ui)
        ui.keeper.end(recording.salvo_fleets(game), NO_RESULT, "failure")
        ui.tell(None, tr("salvo_abandoned"))
        raise
    winner = {rules.WON_BY_0: 0, rules.WON_BY_1: 1}.get(game.outcome)
    ending = {rules.BY_WITHDRAWAL: "surrender", rules.BY_FAILURE: "failure"}.get(game.how, "shots")
    keep_rounds(game, ui)
    ui.keeper.end(recording.salvo_fleets(game), recording.result_for_first(winner), ending)
    if not ui.chat and ui.people > 1 and game.how == rules.BY_SINKING:
        # the last round: no turn follows in which it would be reported
        for player in (0, 1):
            for line in _report_lines(game, player, game.round):
                ui.tell(None, f"{ui.call(player)}: {line}")
    if ui.people:
        seen = [salvo_own(view, name) for view, name in zip(game.views, ui.called, strict=False)]
        ui.show(None, seen, tr("salvo_legend"))
    _end(game, ui)


def _held_back(game: Salvo) -> list[tuple[int, int, int]]:
    return [move for number in range(1, game.round + 1) for move in recording.salvo_moves(game, number)]


def keep_rounds(game: Salvo, ui: GameUI) -> None:
    """Save all rounds. Which shot has hit stays hidden during the game, even from who looks into the history."""
    for move in _held_back(game):
        ui.keeper.move(*move)


def _play(game: Salvo, ui: GameUI, level: int) -> None:
    gunners = [SalvoGunner(view, game.rng) for view in game.views]
    if ui.apart and not _place_at_once(game, ui):
        return
    for player in (0, 1):
        if player >= ui.people:
            game.fill(player)
        elif not ui.apart and not place_fleet(game, ui, player):
            return
    game.begin()
    ui.keeper.begin(recording.salvo_game(ui.people, ui.called), recording.salvo_fleets(game))
    while game.stage == FIRING:
        number = game.round
        for player in range(ui.people, 2):
            cells = computers.salvo(game, player, gunners[player], level)
            game.fire_at(player, cells, len(cells))
        if ui.people:
            ui.turn_begins()
            if ui.chat:
                _aim_at_once(game, ui)
            else:
                for player in range(ui.people):
                    if game.stage == FIRING and game.round == number:
                        fire_salvo(game, ui, player)
        if game.how == rules.BY_SINKING:
            for player in range(ui.people if ui.chat or ui.people < 2 else 0):
                tell_report(game, ui, player, number)
        if ui.live and not ui.people:
            views = [salvo_own(view, name) for view, name in zip(game.views, ui.called, strict=False)]
            ui.show(None, views, tr("salvo_legend"))
            ui.pause()


def left_of(game: Salvo, ui: GameUI, player: int) -> str:
    """Describe which ships of the opponent are afloat: every sinking is reported."""
    view = game.views[player]
    ships = [ship_name(ship) for ship in range(SHIPS) if not view.sunk_in[ship]]
    return tr("left_of", name=ui.call(1 - player), ships=", ".join(ships) or tr("left_none"))


def _show(game: Salvo, ui: GameUI, player: int) -> None:
    view = game.views[player]
    legend = "  ".join(f"{letter} {ship_name(ship)}" for ship, letter in enumerate(SHIP_LETTERS))
    views = [salvo_own(view, tr("salvo_own"))]
    left = ""
    if view.stage != PLACING:
        views.append(salvo_fired(view, tr("salvo_fired")))
        left = left_of(game, ui, player)
    ui.show(player, views, f"{legend}  {tr('salvo_legend')}", left)


def ship_name(ship: int) -> str:
    """Return the name of a ship in the language in use."""
    return tr(f"ship_{_SHIPS[ship]}")


def _ship(typed: str) -> int:
    """Parse a ship's name in any language; NONE if it is none."""
    name = typed.lower()
    known = ({template(f"ship_{name}", language) for language in LANGUAGES} for name in _SHIPS)
    return next((ship for ship, names in enumerate(known) if name in names), NONE)


def _cell(typed: str, letters: str = COLUMNS_EN) -> int:
    """Parse a typed cell into its index; CELLS (off the field) if it is not a cell."""
    place = parse_cell(typed, SIZE, letters)
    return CELLS if place is None else (place[1] - 1) * SIZE + place[0] - 1


def _name(cell: int) -> str:
    return cell_name(cell % SIZE + 1, cell // SIZE + 1)


def _ghosts(game: Salvo, player: int) -> list[Ghost]:
    """Return the ships that are still to be placed."""
    ghosts = []
    for ship in range(SHIPS):
        if game.at[player][ship] != NONE:
            continue
        ways = [[(step_x(d) * i, step_y(d) * i) for i in range(LENGTHS[ship])] for d in DIRECTIONS.values()]

        def command(x: int, y: int, way: int, ship: int = ship) -> str:
            return f"{ship_name(ship)} {cell_name(x + 1, y + 1)} {list(DIRECTIONS)[way]}"

        ghosts.append(Ghost(ship_name(ship), ways, command))
    return ghosts


def place_fleet(game: Salvo, ui: GameUI, player: int) -> bool:
    """Let a player place ships until the fleet is complete and they are ready; return False if they give up."""
    ui.turn_begins()
    ui.curtain(player)
    ui.tell(player, tr("salvo_place_help"))
    whole = False
    while True:
        if not ui.chat:
            _show_own(game, ui, player)
        if game.placed(player) != whole:
            whole = not whole
            if whole and ui.chat:
                _show_own(game, ui, player)
            ui.tell(player, tr("fleet_whole" if whole else "salvo_place_help"))
        speaker, typed = ui.ask(player, _placing_want(game, player))
        if game.stage == OVER:
            return False
        word = typed.lower()
        if word == WITHDRAW:
            game.withdraw(speaker)
            return False
        if word == SKIP:
            ui.tell(None, tr("skipped", name=ui.call(player)))
            while not game.fill(player):
                game.clear(player)
            break
        if speaker != player:
            ui.tell(speaker, tr("not_now"))
        elif word == READY and whole:
            break
        else:
            _placing(game, ui, player, typed, whole)
    if ui.chat:
        ui.tell(player, tr("salvo_placed"))
    return True


def _place_at_once(game: Salvo, ui: GameUI) -> bool:
    """Let players at screens of their own place until all are ready; return False if one gives up."""
    ready: set[int] = set()
    ui.turn_begins()
    for player in range(ui.people):
        _show_own(game, ui, player)
    while len(ready) < ui.people:
        wants = {player: _placing_want(game, player) for player in range(ui.people) if player not in ready}
        waited = min(wants)
        speaker, typed = ui.ask(waited, wants[waited], wants)
        word, whole = typed.lower(), game.placed(speaker)
        if word == WITHDRAW:
            game.withdraw(speaker)
            return False
        if word == SKIP:
            ui.tell(None, tr("skipped", name=ui.call(waited)))
            while not game.fill(waited):
                game.clear(waited)
            ready.add(waited)
        elif speaker in ready:
            ui.tell(speaker, tr("not_now"))
        elif word == READY and whole:
            ready.add(speaker)
            ui.turn_begins()
            if len(ready) < ui.people:
                ui.tell(speaker, tr("salvo_placed"))
        else:
            _placing(game, ui, speaker, typed, whole)
            _show_own(game, ui, speaker)
    return True


def _placing_want(game: Salvo, player: int) -> Want:
    """Return what a player who is placing is asked for."""
    whole = game.placed(player)
    view = game.views[player]

    def remove(cell: int) -> str:
        return f"remove {ship_name(view.own[cell])}" if view.own[cell] != NONE else ""

    words = [("random", tr("word_again_random")), (READY, tr("word_ready"))]
    return Want(
        tr("fleet_whole" if whole else "salvo_place_help"),
        ghosts=_ghosts(game, player),
        remove=remove,
        words=words if whole else [("random", tr("word_random"))],
        enter=READY if whole else "",
    )


def _show_own(game: Salvo, ui: GameUI, player: int) -> None:
    legend = "  ".join(f"{letter} {ship_name(ship)}" for ship, letter in enumerate(SHIP_LETTERS))
    ui.show(player, [salvo_own(game.views[player], tr("salvo_own"))], legend)


def _placing(game: Salvo, ui: GameUI, player: int, typed: str, whole: bool) -> None:
    """Carry out one command of a player who is placing."""
    word = typed.lower()
    if word == "board":
        if ui.chat:
            _show_own(game, ui, player)
    elif word in ("random", "clear"):
        if whole or word == "clear":
            game.clear(player)
        if word == "random":
            if not game.fill(player):
                ui.tell(player, tr("no_filling"))
            elif whole and ui.chat:
                _show_own(game, ui, player)
    else:
        _place_one(game, ui, player, typed)


def _place_one(game: Salvo, ui: GameUI, player: int, typed: str) -> None:
    """Place a ship: `carrier B7 e`, or by its ends `carrier B7 F7`; or `remove carrier`."""
    name, _, rest = typed.strip().partition(" ")
    removing = taken_back(typed)
    ship = _ship(removing or name)
    parts = split_ends(rest)
    if ship == NONE and (removing or rest):
        names = ", ".join(map(ship_name, range(SHIPS)))
        ui.tell(player, tr("games_no_ship", name=removing or name, names=names))
        return
    if removing:
        why = game.remove(player, ship)
    elif len(parts) == 2 and ":" not in parts[0] and (way := _direction(parts[1])) is not None:
        cell = _cell(parts[0])
        # an invalid cell becomes one off the field, which the rules refuse
        why = game.place(player, ship, cell % SIZE, cell // SIZE, way)
    elif ship != NONE and len(":".join(parts).split(":")) == 2:
        why = _place_by_ends(game, ui, player, ship, ":".join(parts).split(":"))
    else:
        ui.tell(player, tr("salvo_place_help"))
        return
    if why != OK:
        ui.tell(player, tr(_REFUSALS[why]))


def _direction(typed: str) -> int | None:
    """Parse a direction in any language; None if it is none."""
    return next((way for name, way in DIRECTIONS.items() if typed.lower() in typed_words(name)), None)


def _place_by_ends(game: Salvo, ui: GameUI, player: int, ship: int, ends: list[str]) -> int:
    """Place a ship between its two ends; return the reason for a refusal, or OK, also if the reason was told here."""
    letters = typed_in(ends, COLUMNS_EN)
    cells = [_cell(name, letters) for name in ends]
    for name, cell in zip(ends, cells, strict=True):
        if cell == CELLS:
            ui.tell(player, ui.no_cell(name, SIZE, SIZE, tr("salvo_place_help")))
            return OK
    # from the upper end, or from the left one in a row, as the directions go
    first, last = sorted(cells)
    line = between(first, last, SIZE)
    if not line:
        ui.tell(player, tr("not_straight", first=_name(first), last=_name(last)))
    elif len(line) != LENGTHS[ship]:
        facts = {"name": ship_name(ship), "length": LENGTHS[ship], "count": len(line)}
        ui.tell(player, tr("bad_length", first=_name(first), last=_name(last), **facts))
    else:
        steps = {(step_x(way), step_y(way)): way for way in DIRECTIONS.values()}
        dx = (last % SIZE > first % SIZE) - (last % SIZE < first % SIZE)
        return game.place(player, ship, first % SIZE, first // SIZE, steps[dx, int(last // SIZE > first // SIZE)])
    return OK


def _aim_at_once(game: Salvo, ui: GameUI) -> None:
    """Play a round of players at separate screens: each fires when ready."""
    number = game.round
    for player in range(ui.people):
        _show(game, ui, player)
        ui.tell(player, tr("salvo_round", round=number, guns=game.views[player].guns()))
    while game.stage == FIRING and game.round == number:
        wants = {player: _want(game, player) for player in range(ui.people) if not game.fired[player]}
        waited = min(wants)
        speaker, typed = ui.ask(waited, wants[waited], wants)
        word = typed.lower()
        if word in (WITHDRAW, SKIP, "board", "record"):
            _command(game, ui, speaker, word)
        elif game.fired[speaker]:
            ui.tell(speaker, tr("salvo_fired_before"))
        elif _salvo(game, ui, speaker, typed) and game.stage == FIRING and game.round == number:
            ui.tell(speaker, tr("salvo_fired_wait", name=ui.call(1 - speaker)))


def _want(game: Salvo, player: int) -> Want:
    words = [("record", tr("word_record")), (WITHDRAW, tr("word_withdraw"))]
    return Want(tr("salvo_help"), shots=game.views[player].guns(), field=1, words=words)


def _command(game: Salvo, ui: GameUI, player: int, word: str) -> None:
    """Carry out a command other than a salvo; SKIP is about the player, not by them."""
    if word == "board":
        _show(game, ui, player)
    elif word == "record":
        reports = [line for number in range(1, game.round) for line in _report_lines(game, player, number)]
        ui.tell_all(player, tr("record_title"), reports or ["-"])
    elif word == SKIP:
        ui.tell(None, tr("skipped", name=ui.call(player)))
        game.skip(player)
    else:
        game.withdraw(player)


def fire_salvo(game: Salvo, ui: GameUI, player: int) -> None:
    """Let a player fire a salvo or withdraw."""
    ui.curtain(player)
    number = game.round
    if ui.people > 1 and number > 1:
        tell_report(game, ui, player, number - 1)
    _show(game, ui, player)
    ui.tell(player, tr("salvo_round", round=number, guns=game.views[player].guns()))
    while game.stage == FIRING and game.round == number and not game.fired[player]:
        _speaker, typed = ui.ask(player, _want(game, player))
        word = typed.lower()
        if word in (WITHDRAW, SKIP, "board", "record"):
            _command(game, ui, player, word)
        else:
            _salvo(game, ui, player, typed)


def _salvo(game: Salvo, ui: GameUI, player: int, typed: str) -> bool:
    """Fire at the cells typed; return False, after telling why, if the salvo is refused."""
    names = split_cells(typed)
    letters = typed_in(names, COLUMNS_EN)
    cells = [_cell(name, letters) for name in names]
    if CELLS in cells:
        ui.tell(player, ui.no_cell(names[cells.index(CELLS)], SIZE, SIZE, tr("salvo_help")))
        return False
    view = game.views[player]
    why = game.fire_at(player, cells, len(cells))
    if why == OK:
        return True
    bad = next((c for i, c in enumerate(cells) if view.fired[c] or c in cells[:i]), cells[0])
    ui.tell(player, tr(_REFUSALS[why], cell=_name(bad), guns=view.guns()))
    return False


def tell_report(game: Salvo, ui: GameUI, player: int, number: int) -> None:
    """Tell a player the report of a round."""
    for line in _report_lines(game, player, number):
        ui.tell(player, line)


def _report_lines(game: Salvo, player: int, number: int) -> list[str]:
    """Return a player's report of a round.

    It says which ships were hit how often, not by which shot; and the shots received.
    """
    view = game.views[player]
    fired = tr(
        "salvo_report",
        round=number,
        hits=_hits(game, player, number),
        sunk=", ".join(ship_name(ship) for ship in range(SHIPS) if view.sunk_in[ship] == number) or "-",
    )
    received = [
        f"{_name(cell)} {tr('salvo_water') if view.struck[cell] == NONE else ship_name(view.struck[cell])}"
        for cell in range(CELLS)
        if view.received[cell] == number
    ]
    return [fired, tr("salvo_received", round=number, shots=", ".join(received) or "-")]


def _hits(game: Salvo, player: int, number: int) -> str:
    """Return which of the opponent's ships a player has hit in a round, and how often."""
    hits = game.views[player].hits
    by_ship = [(ship, hits[ship * rules.ROUNDS_MAX + number - 1]) for ship in range(SHIPS)]
    return ", ".join(f"{ship_name(ship)} x{count}" for ship, count in by_ship if count) or "-"


def tell_rounds(game: Salvo, ui: GameUI) -> None:
    """Tell everybody the record of all rounds."""
    rounds = game.round if game.how == rules.BY_SINKING else max(0, game.round - 1)
    for number in range(rounds):
        for player in (0, 1):
            sinkings = game.sinkings_in[player][number]
            sunk = ", ".join(ship_name(ship) for ship in range(SHIPS) if sinkings >> ship & 1)
            shots, hits = game.shots_in[player][number], game.hits_in[player][number]
            by_ship = f" ({_hits(game, player, number + 1)})" if hits else ""
            name = ui.call(player)
            facts = {"shots": shots, "hits": hits, "ships": by_ship, "sunk": sunk or "-"}
            ui.tell(None, tr("salvo_record", round=number + 1, name=name, **facts))


def _end(game: Salvo, ui: GameUI) -> None:
    """Tell everybody the record of all rounds and the outcome."""
    assert game.stage == OVER
    tell_rounds(game, ui)
    tell_outcome(game, ui)


def tell_outcome(game: Salvo, ui: GameUI) -> None:
    """Tell everybody who has won, and how."""
    winner = 0 if game.outcome == rules.WON_BY_0 else 1
    if game.how == rules.BY_FAILURE:
        ui.tell(None, tr("salvo_abandoned"))
    elif game.outcome == rules.DRAW:
        ui.tell(None, tr("salvo_draw"))
    elif game.how == rules.BY_WITHDRAWAL:
        ui.tell(None, tr("salvo_withdrew", name=ui.call(1 - winner), other=ui.call(winner)))
    else:
        ui.tell(None, tr("salvo_won", name=ui.call(winner)))
