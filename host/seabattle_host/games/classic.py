"""`seabattle classic`: the classic game and its variants, against the computer or two people at one screen or in lines.

After the game the loser, and then the winner, may ask to see the other's field; the jury holds it against the rules
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
from seabattle_host.games.field_view import NAMES, Sight, others_field, own_field
from seabattle_host.games.setup import LOT, Setup
from seabattle_host.games.table import READY, SKIP, WITHDRAW, Ghost, Left, Table, Want, between, split_ends
from seabattle_host.jury.verdict import Finding
from seabattle_host.language.messages import say
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


def play(setup: Setup, table: Table) -> None:
    """Place, play and judge a game. Raises Left when a person leaves."""
    game = Variants(Rng(setup.seed))
    game.fleet.custom(*setup.variant)
    game.start(NOBODY if setup.first == LOT else NAMES.index(setup.first))
    try:
        _play(game, table, setup)
    except (Left, KeyboardInterrupt):
        if game.stage == OVER:
            # after its end there is nothing left to break off
            return
        table.keeper.left([recording.classic_fleet(field) for field in game.fields])
        raise


def _play(game: Variants, table: Table, setup: Setup) -> None:
    gunners = [VariantGunner(known, game.rng) for known in game.radars]
    record: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for player in (0, 1):
        if player < table.people:
            if not _place(game, table, player):
                names = {"name": table.call(1 - game.winner), "other": table.call(game.winner)}
                table.tell(None, say("salvo_withdrew", **names))
                return
        else:
            while not game.random(player):
                pass
            game.ready(player)
    fleets = [recording.classic_fleet(field) for field in game.fields]
    table.keeper.begin(recording.classic_game(game, table.people, setup.letters, table.called), fleets)
    table.tell(None, say("classic_begin", name=table.call(game.turn)))
    shown = -1
    cell = ""
    while game.stage != OVER:
        player = game.turn
        if player >= table.people:
            game.shoot(player, computers.classic(game, player, gunners[player], setup.level))
        else:
            if shown != player:
                table.turn_begins()
                table.curtain(player)
                _show(game, table, player)
                table.tell(player, say("games_your_turn"))
                shown = player
            before = sum(game.shots)
            _turn(game, table, player)
            if sum(game.shots) == before:
                if game.turn != shown:
                    shown = -1
                continue
        record[game.last_player].append((game.last, game.last_result))
        table.keeper.move(game.last_player, game.last, game.last_result)
        cell = table.name(game.last, game.fleet.width)
        table.tell(None, say(_RESULTS[game.last_result], name=table.call(game.last_player), cell=cell))
        if player >= table.people:
            if table.live and table.people < 2:
                seen = sights(game, table, 0) if table.people else both(game, table)
                table.show(None, seen, say("classic_legend"), left_of(game, table, 0) if table.people else "")
            table.pause()
        elif game.turn == player and game.stage != OVER:
            if not table.chat:
                _show(game, table, player)
            table.tell(player, say("shoot_again"))
        if game.turn != shown:
            shown = -1
    _end(game, table, fleets, cell)
    for player in (1 - game.winner, game.winner):
        if player < table.people:
            _judge(game, table, player, record[player])


def _end(game: Variants, table: Table, fleets: recording.Fleets, cell: str) -> None:
    """The outcome, for everybody and for the archive. cell: that of the last shot."""
    sunk = game.fields[1 - game.winner].lost()
    ending = "proof" if game.proof else "shots" if sunk else "surrender"
    table.keeper.end(fleets, recording.result_for_first(game.winner), ending)
    if game.proof:
        table.tell(None, say("classic_proof", name=table.call(1 - game.winner), cell=cell))
    if ending == "surrender":
        table.tell(None, say("salvo_withdrew", name=table.call(1 - game.winner), other=table.call(game.winner)))
    else:
        table.tell(None, say("salvo_won", name=table.call(game.winner)))


def verdict(judge: jury.Jury, found: int, width: int, letters: str, name: str) -> str:
    """What the jury has found on the field of the player `name`, in words. width, letters: of the field."""
    if found == jury.CLEAN:
        return say("jury_clean", name=name)
    finding = Finding.of(found, judge, width)
    words = finding.words(name, letters)
    return f"{say('verdict_first', name=name)}; {words}" if finding.guilty else words


def sights(game: Variants, table: Table, player: int) -> list[Sight]:
    """What a player sees: the own field, and once there is a battle the other's as far as it is known."""
    last = game.last if game.stage != stages.PLACING else -1
    mine, theirs = (last, -1) if game.last_player != player else (-1, last)
    title = say("salvo_own")
    seen = [own_field(game.fields[player], title, table.letters, mine)]
    if game.stage != stages.PLACING:
        title = say("classic_theirs", name=table.call(1 - player))
        seen.append(others_field(game.radars[player], title, table.letters, theirs))
    return seen


def both(game: Variants, table: Table) -> list[Sight]:
    """Both fields with their ships, for people who look on while computers play."""
    last = [game.last if player != game.last_player else -1 for player in (0, 1)]
    return [own_field(game.fields[player], table.call(player), table.letters, last[player]) for player in (0, 1)]


def left_of(game: Variants, table: Table, player: int) -> str:
    """What is left of the fleet of the other, as far as shots have told."""
    if game.stage == stages.PLACING:
        return ""
    known = game.radars[player]
    ships = [f"{length}x{known.afloat(length)}" for length in range(MAX_LENGTH, 0, -1) if known.afloat(length)]
    return say("left_of", name=table.call(1 - player), ships=" ".join(ships) or say("left_none"))


def _show(game: Variants, table: Table, player: int) -> None:
    table.show(player, sights(game, table, player), say("classic_legend"), left_of(game, table, player))


def _ghosts(game: Variants, table: Table, player: int) -> list[Ghost]:
    """The ships that are still to be placed, one of each length."""
    field = game.fields[player]
    ghosts = []
    for length in range(MAX_LENGTH, 0, -1):
        shapes = [s for s in range(SHAPES) if LENGTH[s] == length and game.fleet.allows(s)]
        shapes = [s for s in shapes if WIDE[s] <= field.width and HIGH[s] <= field.height]
        if not field.left(length) or not shapes:
            continue
        ways = [[(deck_x(s, i), deck_y(s, i)) for i in range(length)] for s in shapes]

        def command(x: int, y: int, way: int, ways: list[list[tuple[int, int]]] = ways) -> str:
            return " ".join(table.name((y + v) * field.width + x + u, field.width) for u, v in ways[way])

        ghosts.append(Ghost(say("ship_of", length=length, left=field.left(length)), ways, command))
    return ghosts


def _place(game: Variants, table: Table, player: int) -> bool:
    """A person places, until the fleet is whole and the person is ready; False if the game is given up."""
    field = game.fields[player]
    table.turn_begins()
    table.curtain(player)
    table.tell(player, say("classic_place_help"))
    words = [("random", say("word_random")), ("clear", say("word_clear"))]
    whole = False
    while True:
        if not table.chat:
            _show(game, table, player)
        if field.complete() != whole:
            whole = not whole
            if whole and table.chat:
                _show(game, table, player)
            table.tell(player, say("fleet_whole" if whole else "classic_place_help"))
        want = Want(
            say("fleet_whole" if whole else "classic_place_help"),
            ghosts=() if whole else _ghosts(game, table, player),
            remove=lambda cell: f"remove {table.name(cell, field.width)}",
            words=[("random", say("word_again_random")), (READY, say("word_ready"))] if whole else words,
            enter=READY if whole else "",
        )
        speaker, typed = table.ask(player, want)
        word = typed.lower()
        if word == WITHDRAW:
            game.surrender(speaker)
            return False
        if word == SKIP:
            table.tell(None, say("skipped", name=table.call(player)))
            while not field.complete():
                if not game.fill(player):
                    field.clear()
            break
        if speaker != player:
            table.tell(speaker, say("not_now"))
        elif word == READY and whole:
            break
        else:
            _placing(game, table, player, typed, whole)
    game.ready(player)
    if table.chat:
        table.tell(player, say("salvo_placed"))
    return True


def _placing(game: Variants, table: Table, player: int, typed: str, whole: bool) -> None:
    """One command of a person who places."""
    field = game.fields[player]
    word = typed.lower()
    if word == "board":
        if table.chat:
            _show(game, table, player)
        left = [f"{length} x{field.left(length)}" for length in range(MAX_LENGTH, 0, -1) if field.left(length)]
        if left:
            table.tell(player, say("classic_left", ships=", ".join(left)))
    elif word == "random":
        if whole:
            field.clear()
        if not game.fill(player):
            table.tell(player, say("no_filling"))
        elif whole and table.chat:
            _show(game, table, player)
    elif word == "clear":
        field.clear()
    elif word == READY:
        table.tell(player, say("classic_place_help"))
    else:
        _place_one(game, table, player, typed)


def _place_one(game: Variants, table: Table, player: int, typed: str) -> None:
    """All cells of a ship, or its ends like `A1-A4`; or `remove` and one of its cells."""
    field = game.fields[player]
    first, _, rest = typed.partition(" ")
    removing = first.lower() == "remove" and rest.strip(" ,;") != ""
    cells: list[int] = []
    parts = split_ends(rest if removing else typed)
    letters = typed_in([name for part in parts for name in part.split(":")], table.letters)
    for part in parts:
        ends = []
        for name in part.split(":"):
            cell = table.cell(name, field.width, field.height, letters)
            if cell < 0:
                table.tell(player, table.no_cell(name, field.width, field.height, say("classic_place_help")))
                return
            ends.append(cell)
        line = between(ends[0], ends[-1], field.width)
        one_row = ends[0] // field.width == ends[-1] // field.width
        if len(ends) > 2 or not (one_row or ends[0] % field.width == ends[-1] % field.width):
            names = [table.name(cell, field.width) for cell in (ends[0], ends[-1])]
            table.tell(player, say("not_straight", first=names[0], last=names[1]))
            return
        cells += line
    if removing:
        if not field.remove(cells[0]):
            table.tell(player, say("no_ship_there", cell=table.name(cells[0], field.width)))
        return
    cells = sorted(set(cells))
    why = field.place_cells(cells, len(cells))
    if why:
        table.tell(player, say(_REFUSALS[why]))


def _turn(game: Variants, table: Table, player: int) -> None:
    """One command of the person whose turn it is, or of another."""
    words = [(WITHDRAW, say("word_withdraw"))]
    speaker, typed = table.ask(player, Want(say("melee_help"), shots=1, field=1, words=words))
    word = typed.lower()
    if word == SKIP:
        game.turn = 1 - player
        table.tell(None, say("skipped", name=table.call(player)))
        return
    if word == WITHDRAW:
        game.surrender(speaker)
        return
    if word == "board":
        _show(game, table, speaker)
        return
    field = game.fields[1 - speaker]
    cell = table.cell(typed, field.width, field.height)
    if cell < 0:
        table.tell(speaker, table.no_cell(typed, field.width, field.height, say("melee_help")))
        return
    why = game.shoot(speaker, cell)
    if why == stages.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=table.call(game.turn)))
    elif why == stages.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=table.name(cell, field.width)))


def _judge(game: Variants, table: Table, player: int, record: list[tuple[int, int]]) -> None:
    """Show a person the other's field, if asked for, with what the jury says."""
    table.curtain(player)
    question = say("may_see", name=table.call(1 - player))
    table.tell(player, question)
    words = [("show", say("word_show")), ("no", say("word_on"))]
    speaker, typed = table.ask(player, Want(question, words=words))
    while speaker != player:
        # the right is this player's alone, and what others say does not use it up
        table.tell(speaker, say("not_your_turn", name=table.call(player)))
        speaker, typed = table.ask(player, Want(question, words=words))
    if typed.lower() != "show":
        return
    field = game.fields[1 - player]
    table.show(player, [own_field(field, say("classic_theirs", name=table.call(1 - player)), table.letters)], "")
    judge = jury.Jury()
    cells, answers = [cell for cell, _ in record], [answer for _, answer in record]
    found = judge.check(game.fleet, field.ship, cells, answers, len(record))
    table.tell(player, verdict(judge, found, field.width, table.letters, table.call(1 - player)))
