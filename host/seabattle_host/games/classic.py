"""The classic game and its variants: against the computer, or two players at one screen or in lines of text.

After the game the loser, and then the winner, may look at the opponent's field; the jury checks it against the rules
and against every answer of the game.
"""

from __future__ import annotations

from seabattle import classic as stages
from seabattle import field as fields
from seabattle import jury, variants
from seabattle.classic import NOBODY, OVER
from seabattle.rng import Rng
from seabattle.variants import (
    HIGH,
    LENGTH,
    MAX_LENGTH,
    SHAPES,
    WIDE,
    VariantGunner,
    Variants,
    deck_x,
    deck_y,
)
from seabattle_host.games import computers, recording
from seabattle_host.games.field_view import NAMES, FieldView, others_field, own_field
from seabattle_host.games.setup import LOT, Setup
from seabattle_host.games.ui import READY, SKIP, WITHDRAW, GameUI, Ghost, Left, Want, between, split_ends, taken_back
from seabattle_host.jury.verdict import Finding
from seabattle_host.language.messages import tr
from seabattle_host.language.text import typed_in

_RESULTS = {fields.MISS: "classic_miss", fields.HIT: "classic_hit", fields.SUNK: "classic_sunk"}
_REFUSALS = {
    variants.BAD_SHAPE: "bad_shape",
    fields.OVERLAP: "touches",
    fields.TOUCH: "touches",
    fields.NONE_LEFT: "games_none_left",
    fields.WALL: "along_wall",
    stages.NOT_NOW: "not_now",
}


def play(setup: Setup, ui: GameUI) -> None:
    """Place, play and judge a game. Raises Left when a player leaves."""
    game = Variants(Rng(setup.seed))
    game.fleet.custom(*setup.variant)
    game.start(NOBODY if setup.first == LOT else NAMES.index(setup.first))
    try:
        _play(game, ui, setup)
    except (Left, KeyboardInterrupt):
        if game.stage == OVER:
            # the game is over: nothing to break off
            return
        ui.keeper.left([recording.classic_fleet(field) for field in game.fields])
        raise


def _play(game: Variants, ui: GameUI, setup: Setup) -> None:
    gunners = [VariantGunner(known, game.rng) for known in game.radars]
    record: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for player in (0, 1):
        if player < ui.people:
            if not _place(game, ui, player):
                names = {"name": ui.call(1 - game.winner), "other": ui.call(game.winner)}
                ui.tell(None, tr("salvo_withdrew", **names))
                return
        else:
            while not game.random(player):
                pass
            game.ready(player)
    fleets = [recording.classic_fleet(field) for field in game.fields]
    ui.keeper.begin(recording.classic_game(game, ui.people, setup.letters, ui.called), fleets)
    ui.tell(None, tr("classic_begin", name=ui.call(game.turn)))
    viewer = -1
    cell = ""
    while game.stage != OVER:
        player = game.turn
        if player >= ui.people:
            game.shoot(player, computers.classic(game, player, gunners[player], setup.level))
        else:
            if viewer != player:
                ui.turn_begins()
                ui.curtain(player)
                _show(game, ui, player)
                ui.tell(player, tr("games_your_turn"))
                viewer = player
            before = sum(game.shots)
            _turn(game, ui, player)
            if sum(game.shots) == before:
                if game.turn != viewer:
                    viewer = -1
                continue
        record[game.last_player].append((game.last, game.last_result))
        ui.keeper.move(game.last_player, game.last, game.last_result)
        cell = ui.name(game.last, game.fleet.width)
        ui.tell(None, tr(_RESULTS[game.last_result], name=ui.call(game.last_player), cell=cell))
        if player >= ui.people:
            if ui.live and ui.people < 2:
                seen = views(game, ui, 0) if ui.people else both(game, ui)
                ui.show(None, seen, tr("classic_legend"), left_of(game, ui, 0) if ui.people else "")
            ui.pause()
        elif game.turn == player and game.stage != OVER:
            if not ui.chat:
                _show(game, ui, player)
            ui.tell(player, tr("shoot_again"))
        if game.turn != viewer:
            viewer = -1
    _end(game, ui, fleets, cell)
    for player in (1 - game.winner, game.winner):
        if player < ui.people:
            _judge(game, ui, player, record[player])


def _end(game: Variants, ui: GameUI, fleets: recording.Fleets, cell: str) -> None:
    """Announce the outcome and save it. cell: the last shot."""
    sunk = game.fields[1 - game.winner].lost()
    ending = "proof" if game.proof else "shots" if sunk else "surrender"
    ui.keeper.end(fleets, recording.result_for_first(game.winner), ending)
    if game.proof:
        ui.tell(None, tr("classic_proof", name=ui.call(1 - game.winner), cell=cell))
    if ending == "surrender":
        ui.tell(None, tr("salvo_withdrew", name=ui.call(1 - game.winner), other=ui.call(game.winner)))
    else:
        ui.tell(None, tr("salvo_won", name=ui.call(game.winner)))


def verdict(judge: jury.Jury, found: int, width: int, letters: str, name: str) -> str:
    """Return the jury's finding on the field of player `name`, in words. width, letters: of the field."""
    if found == jury.CLEAN:
        return tr("jury_clean", name=name)
    finding = Finding.from_check(found, judge, width)
    words = finding.words(name, letters)
    return f"{tr('verdict_first', name=name)}; {words}" if finding.guilty else words


def views(game: Variants, ui: GameUI, player: int) -> list[FieldView]:
    """Return a player's view: their own field, and in battle what is known of the opponent's."""
    last = game.last if game.stage != stages.PLACING else -1
    mine, theirs = (last, -1) if game.last_player != player else (-1, last)
    title = tr("salvo_own")
    seen = [own_field(game.fields[player], title, ui.letters, mine)]
    if game.stage != stages.PLACING:
        title = tr("classic_theirs", name=ui.call(1 - player))
        seen.append(others_field(game.radars[player], title, ui.letters, theirs))
    return seen


def both(game: Variants, ui: GameUI) -> list[FieldView]:
    """Return both fields with their ships, for spectators of a game between computers."""
    last = [game.last if player != game.last_player else -1 for player in (0, 1)]
    return [own_field(game.fields[player], ui.call(player), ui.letters, last[player]) for player in (0, 1)]


def left_of(game: Variants, ui: GameUI, player: int) -> str:
    """Describe what is left of the opponent's fleet, as far as known from the shots."""
    if game.stage == stages.PLACING:
        return ""
    known = game.radars[player]
    ships = [f"{length}x{known.afloat(length)}" for length in range(MAX_LENGTH, 0, -1) if known.afloat(length)]
    return tr("left_of", name=ui.call(1 - player), ships=" ".join(ships) or tr("left_none"))


def _show(game: Variants, ui: GameUI, player: int) -> None:
    ui.show(player, views(game, ui, player), tr("classic_legend"), left_of(game, ui, player))


def _ghosts(game: Variants, ui: GameUI, player: int) -> list[Ghost]:
    """Return the ships that are still to be placed, one of each length."""
    field = game.fields[player]
    ghosts = []
    for length in range(MAX_LENGTH, 0, -1):
        shapes = [s for s in range(SHAPES) if LENGTH[s] == length and game.fleet.allows(s)]
        shapes = [s for s in shapes if WIDE[s] <= field.width and HIGH[s] <= field.height]
        if not field.left(length) or not shapes:
            continue
        ways = [[(deck_x(s, i), deck_y(s, i)) for i in range(length)] for s in shapes]

        def command(x: int, y: int, way: int, ways: list[list[tuple[int, int]]] = ways) -> str:
            return " ".join(ui.name((y + v) * field.width + x + u, field.width) for u, v in ways[way])

        ghosts.append(Ghost(tr("ship_of", length=length, left=field.left(length)), ways, command))
    return ghosts


def _place(game: Variants, ui: GameUI, player: int) -> bool:
    """Let a player place ships until the fleet is complete and they are ready; return False if they give up."""
    field = game.fields[player]
    ui.turn_begins()
    ui.curtain(player)
    ui.tell(player, tr("classic_place_help"))
    words = [("random", tr("word_random")), ("clear", tr("word_clear"))]
    whole = False
    while True:
        if not ui.chat:
            _show(game, ui, player)
        if field.complete() != whole:
            whole = not whole
            if whole and ui.chat:
                _show(game, ui, player)
            ui.tell(player, tr("fleet_whole" if whole else "classic_place_help"))
        want = Want(
            tr("fleet_whole" if whole else "classic_place_help"),
            ghosts=() if whole else _ghosts(game, ui, player),
            remove=lambda cell: f"remove {ui.name(cell, field.width)}",
            words=[("random", tr("word_again_random")), (READY, tr("word_ready"))] if whole else words,
            enter=READY if whole else "",
        )
        speaker, typed = ui.ask(player, want)
        word = typed.lower()
        if word == WITHDRAW:
            game.surrender(speaker)
            return False
        if word == SKIP:
            ui.tell(None, tr("skipped", name=ui.call(player)))
            while not field.complete():
                if not game.fill(player):
                    field.clear()
            break
        if speaker != player:
            ui.tell(speaker, tr("not_now"))
        elif word == READY and whole:
            break
        else:
            _placing(game, ui, player, typed, whole)
    game.ready(player)
    if ui.chat:
        ui.tell(player, tr("salvo_placed"))
    return True


def _placing(game: Variants, ui: GameUI, player: int, typed: str, whole: bool) -> None:
    """Carry out one command of a player who is placing."""
    field = game.fields[player]
    word = typed.lower()
    if word == "board":
        if ui.chat:
            _show(game, ui, player)
        left = [f"{length} x{field.left(length)}" for length in range(MAX_LENGTH, 0, -1) if field.left(length)]
        if left:
            ui.tell(player, tr("classic_left", ships=", ".join(left)))
    elif word == "random":
        if whole:
            field.clear()
        if not game.fill(player):
            ui.tell(player, tr("no_filling"))
        elif whole and ui.chat:
            _show(game, ui, player)
    elif word == "clear":
        field.clear()
    elif word == READY:
        ui.tell(player, tr("classic_place_help"))
    else:
        _place_one(game, ui, player, typed)


def _place_one(game: Variants, ui: GameUI, player: int, typed: str) -> None:
    """Place a ship given by all its cells or its ends (`A1-A4`), or `remove` the one on a cell."""
    field = game.fields[player]
    removing = taken_back(typed)
    cells: list[int] = []
    parts = split_ends(removing or typed)
    letters = typed_in([name for part in parts for name in part.split(":")], ui.letters)
    for part in parts:
        ends = []
        for name in part.split(":"):
            cell = ui.cell(name, field.width, field.height, letters)
            if cell < 0:
                ui.tell(player, ui.no_cell(name, field.width, field.height, tr("classic_place_help")))
                return
            ends.append(cell)
        line = between(ends[0], ends[-1], field.width)
        one_row = ends[0] // field.width == ends[-1] // field.width
        if len(ends) > 2 or not (one_row or ends[0] % field.width == ends[-1] % field.width):
            names = [ui.name(cell, field.width) for cell in (ends[0], ends[-1])]
            ui.tell(player, tr("not_straight", first=names[0], last=names[1]))
            return
        cells += line
    if removing:
        if not field.remove(cells[0]):
            ui.tell(player, tr("no_ship_there", cell=ui.name(cells[0], field.width)))
        return
    cells = sorted(set(cells))
    why = field.place_cells(cells, len(cells))
    if why:
        ui.tell(player, tr(_REFUSALS[why]))


def _turn(game: Variants, ui: GameUI, player: int) -> None:
    """Carry out one command of the player whose turn it is, or of the other one."""
    words = [(WITHDRAW, tr("word_withdraw"))]
    speaker, typed = ui.ask(player, Want(tr("melee_help"), shots=1, field=1, words=words))
    word = typed.lower()
    if word == SKIP:
        game.turn = 1 - player
        ui.tell(None, tr("skipped", name=ui.call(player)))
        return
    if word == WITHDRAW:
        game.surrender(speaker)
        return
    if word == "board":
        _show(game, ui, speaker)
        return
    field = game.fields[1 - speaker]
    cell = ui.cell(typed, field.width, field.height)
    if cell < 0:
        ui.tell(speaker, ui.no_cell(typed, field.width, field.height, tr("melee_help")))
        return
    why = game.shoot(speaker, cell)
    if why == stages.NOT_YOUR_TURN:
        ui.tell(speaker, tr("not_your_turn", name=ui.call(game.turn)))
    elif why == stages.OPEN_CELL:
        ui.tell(speaker, tr("open_cell", cell=ui.name(cell, field.width)))


def _judge(game: Variants, ui: GameUI, player: int, record: list[tuple[int, int]]) -> None:
    """Show a player the opponent's field, if they want, with the jury's finding."""
    ui.curtain(player)
    question = tr("may_see", name=ui.call(1 - player))
    ui.tell(player, question)
    words = [("show", tr("word_show")), ("no", tr("word_on"))]
    speaker, typed = ui.ask(player, Want(question, words=words))
    while speaker != player:
        # only this player may choose, and another's answer does not count
        ui.tell(speaker, tr("not_your_turn", name=ui.call(player)))
        speaker, typed = ui.ask(player, Want(question, words=words))
    if typed.lower() != "show":
        return
    field = game.fields[1 - player]
    ui.show(player, [own_field(field, tr("classic_theirs", name=ui.call(1 - player)), ui.letters)], "")
    judge = jury.Jury()
    cells, answers = [cell for cell, _ in record], [answer for _, answer in record]
    found = judge.check(game.fleet, field.ship, cells, answers, len(record))
    ui.tell(player, verdict(judge, found, field.width, ui.letters, ui.call(1 - player)))
