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
from seabattle_host.games import recording
from seabattle_host.games.field_view import NAMES, Sight, others_field, own_field
from seabattle_host.games.setup import LOT, Setup
from seabattle_host.games.table import Ghost, Left, Table, Want, split_cells
from seabattle_host.jury import verdict as verdicts
from seabattle_host.jury.verdict import Finding
from seabattle_host.language.games_phrases import say
from seabattle_host.language.text import typed_in

_RESULTS = {fields.MISS: "classic_miss", fields.HIT: "classic_hit", fields.SUNK: "classic_sunk"}
_REFUSALS = {
    variants.BAD_SHAPE: "bad_shape",
    fields.OVERLAP: "touches",
    fields.TOUCH: "touches",
    fields.NONE_LEFT: "none_left",
    fields.WALL: "along_wall",
    stages.NOT_NOW: "not_now",
}


def play(setup: Setup, table: Table) -> None:
    """Place, play and judge a game. Raises Left when a person leaves."""
    game = Variants(Rng(setup.seed))
    game.fleet.custom(*setup.variant)
    game.start(NOBODY if setup.first == LOT else NAMES.index(setup.first))
    try:
        _play(game, table, setup.letters)
    except (Left, KeyboardInterrupt):
        if game.stage == OVER:
            # after its end there is nothing left to break off
            return
        fleets = [recording.classic_fleet(field) for field in game.fields]
        table.keeper.end(fleets, *recording.unfinished())
        raise


def _play(game: Variants, table: Table, letters: str) -> None:
    gunners = [VariantGunner(known, game.rng) for known in game.radars]
    record: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for player in (0, 1):
        if player < table.people:
            _place(game, table, player)
        else:
            while not game.random(player):
                pass
            game.ready(player)
    fleets = [recording.classic_fleet(field) for field in game.fields]
    table.keeper.begin(recording.classic_game(game, table.people, letters), fleets)
    table.tell(None, say("classic_begin", name=NAMES[game.turn]))
    shown = -1
    cell = ""
    while game.stage != OVER:
        player = game.turn
        if player >= table.people:
            game.shoot(player, gunners[player].aim())
        else:
            if shown != player:
                table.curtain(player)
                _show(game, table, player)
                table.tell(player, say("your_turn"))
                shown = player
            before = sum(game.shots)
            _turn(game, table, player)
            if sum(game.shots) == before:
                continue
        record[game.last_player].append((game.last, game.last_result))
        table.keeper.move(game.last_player, game.last, game.last_result)
        cell = table.name(game.last, game.fleet.width)
        table.tell(None, say(_RESULTS[game.last_result], name=NAMES[game.last_player], cell=cell))
        if player >= table.people:
            if table.live and table.people < 2:
                seen = sights(game, table, 0) if table.people else both(game, table)
                table.show(None, seen, say("classic_legend"))
            table.pause()
        elif game.turn == player and game.stage != OVER:
            if not table.chat:
                _show(game, table, player)
            table.tell(player, say("shoot_again"))
        if game.turn != shown:
            shown = -1
    if game.proof:
        table.tell(None, say("classic_proof", name=NAMES[1 - game.winner], cell=cell))
    table.keeper.end(fleets, recording.result_for_first(game.winner), "proof" if game.proof else "shots")
    table.tell(None, say("salvo_won", name=NAMES[game.winner]))
    for player in (1 - game.winner, game.winner):
        if player < table.people:
            _judge(game, table, player, record[player])


def verdict(judge: jury.Jury, found: int, width: int, letters: str, name: str) -> str:
    """What the jury has found on the field of the player `name`, in words. width, letters: of the field."""
    if found == jury.CLEAN:
        return say("jury_clean", name=name)
    finding = Finding.of(found, judge, width)
    words = finding.words(name, letters)
    return f"{verdicts.say('verdict_first', name=name)}; {words}" if finding.guilty else words


def sights(game: Variants, table: Table, player: int) -> list[Sight]:
    """What a player sees: the own field, and once there is a battle the other's as far as it is known."""
    last = game.last if game.stage != stages.PLACING else -1
    mine, theirs = (last, -1) if game.last_player != player else (-1, last)
    title = say("salvo_own")
    seen = [own_field(game.fields[player], title, table.letters, mine)]
    if game.stage != stages.PLACING:
        title = say("classic_theirs", name=NAMES[1 - player])
        seen.append(others_field(game.radars[player], title, table.letters, theirs))
    return seen


def both(game: Variants, table: Table) -> list[Sight]:
    """Both fields with their ships, for people who look on while computers play."""
    last = [game.last if player != game.last_player else -1 for player in (0, 1)]
    return [own_field(game.fields[player], NAMES[player], table.letters, last[player]) for player in (0, 1)]


def _show(game: Variants, table: Table, player: int) -> None:
    table.show(player, sights(game, table, player), say("classic_legend"))


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


def _place(game: Variants, table: Table, player: int) -> None:
    field = game.fields[player]
    table.curtain(player)
    table.tell(player, say("classic_place_help"))
    words = [("random", say("word_random")), ("clear", say("word_clear"))]
    while not field.complete():
        if not table.chat:
            _show(game, table, player)
        speaker, typed = table.ask(
            player,
            Want(
                say("classic_place_help"),
                ghosts=_ghosts(game, table, player),
                remove=lambda cell: f"remove {table.name(cell, field.width)}",
                words=words,
            ),
        )
        word = typed.lower()
        if speaker != player:
            table.tell(speaker, say("not_now"))
        elif word == "board":
            _show(game, table, player)
            left = [f"{length} x{field.left(length)}" for length in range(MAX_LENGTH, 0, -1) if field.left(length)]
            table.tell(player, say("classic_left", ships=", ".join(left)))
        elif word == "random":
            if not game.fill(player):
                table.tell(player, say("no_filling"))
        elif word == "clear":
            field.clear()
        else:
            _place_one(game, table, player, typed)
    game.ready(player)
    table.tell(player, say("salvo_placed"))
    _show(game, table, player)


def _place_one(game: Variants, table: Table, player: int, typed: str) -> None:
    """All cells of a ship, or `remove` and one of them."""
    field = game.fields[player]
    first, _, rest = typed.partition(" ")
    removing = first.lower() == "remove" and rest.strip(" ,;") != ""
    cells = []
    names = split_cells(rest if removing else typed)
    letters = typed_in(names, table.letters)
    for name in names:
        cell = table.cell(name, field.width, field.height, letters)
        if cell < 0:
            table.tell(player, table.no_cell(name, field.width, field.height, say("classic_place_help")))
            return
        cells.append(cell)
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
    speaker, typed = table.ask(player, Want(say("melee_help"), shots=1, field=1))
    if typed.lower() == "board":
        _show(game, table, speaker)
        return
    field = game.fields[1 - speaker]
    cell = table.cell(typed, field.width, field.height)
    if cell < 0:
        table.tell(speaker, table.no_cell(typed, field.width, field.height, say("melee_help")))
        return
    why = game.shoot(speaker, cell)
    if why == stages.NOT_YOUR_TURN:
        table.tell(speaker, say("not_your_turn", name=NAMES[game.turn]))
    elif why == stages.OPEN_CELL:
        table.tell(speaker, say("open_cell", cell=table.name(cell, field.width)))


def _judge(game: Variants, table: Table, player: int, record: list[tuple[int, int]]) -> None:
    """Show a person the other's field, if asked for, with what the jury says."""
    table.curtain(player)
    question = say("may_see", name=NAMES[1 - player])
    table.tell(player, question)
    words = [("show", say("word_show")), ("no", say("word_on"))]
    speaker, typed = table.ask(player, Want(question, words=words))
    while speaker != player:
        # the right is this player's alone, and what others say does not use it up
        table.tell(speaker, say("not_your_turn", name=NAMES[player]))
        speaker, typed = table.ask(player, Want(question, words=words))
    if typed.lower() != "show":
        return
    field = game.fields[1 - player]
    table.show(player, [own_field(field, say("classic_theirs", name=NAMES[1 - player]), table.letters)], "")
    judge = jury.Jury()
    cells, answers = [cell for cell, _ in record], [answer for _, answer in record]
    found = judge.check(game.fleet, field.ship, cells, answers, len(record))
    table.tell(player, verdict(judge, found, field.width, table.letters, NAMES[1 - player]))
