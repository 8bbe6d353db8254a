"""Whole games on both MicroPython interpreters with the heap locked from the first byte to the last."""

from __future__ import annotations

import pytest

from tests.micropython.interpreters import Interpreter
from tests.sizes import proof

GAMES = proof(8, 60)
FAIR_GAMES = proof(2, 20)
SETUP = """
    from games import Games
    fields = (Games(1, 2, (10, 1, 2, 3, 4)), Games(2, 3, (6, 0, 1, 2, 2)), Games(3, 1, (8, 1, 1, 3, 5)),
        Games(4, 4, (7, 1, 1, 2, 1)))
"""


def ends(interpreter: Interpreter, setup: str, body: str, *said: str) -> None:
    """Run a script with the heap locked; it must end well with this output."""
    result = interpreter.run_locked(body, setup=setup, deadline=400)
    assert result.status == 0, result.output
    assert tuple(result.stdout.split()) == said


def test_whole_games_placing_included_allocate_nothing(interpreter: Interpreter) -> None:
    body = f"""
        finished = fields[0].play({GAMES // 2}, {GAMES * 2000})
        finished = fields[1].play({GAMES // 4}, {GAMES * 2000}) and finished
        finished = fields[2].play({GAMES // 4}, {GAMES * 2000}) and finished
        finished = fields[3].play(1, 4000) and finished
        print(finished and fields[0].agree() and fields[1].agree() and fields[2].agree() and fields[3].agree())
    """
    ends(interpreter, SETUP, body, "True")


@pytest.mark.parametrize(
    ("work", "where"),
    [("self.last = [cell]", (32, 64)), ("self.last = ((cell + (1 << 29)) * 2) & 255", (32,))],
    ids=["an allocation", "a value of 2 to the 30"],
)
def test_in_the_middle_of_a_game_it_would_be_seen(interpreter: Interpreter, work: str, where: tuple[int, ...]) -> None:
    setup = f"""{SETUP}
    from seabattle.radar import Radar
    answer = Radar.answer
    def wasteful(self, cell, result):
        {work}
        return answer(self, cell, result)
    Radar.answer = wasteful
"""
    result = interpreter.run_locked("fields[1].play(1, 4000)", setup=setup)
    seen = interpreter.bits in where
    assert (result.status, "MemoryError" in result.output) == (int(seen), seen), result.output


def test_games_of_salvo_and_of_melee_allocate_nothing(interpreter: Interpreter) -> None:
    setup = """
        from seabattle.melee import NOBODY, Melee
        from seabattle.melee_gunner import MeleeGunner
        from seabattle.rng import Rng
        from seabattle.salvo import FIRING, Salvo
        from seabattle.salvo_gunner import SalvoGunner
        salvo = Salvo(Rng(3))
        two = (SalvoGunner(salvo.views[0], Rng(5)), SalvoGunner(salvo.views[1], Rng(6)))
        melee = Melee(Rng(4))
        three = (MeleeGunner(melee, 0, Rng(1)), MeleeGunner(melee, 1, Rng(2)), MeleeGunner(melee, 2, Rng(3)))
    """
    body = f"""
        for _ in range({proof(1, 10)}):
            salvo.start()
            salvo.fill(0)
            salvo.fill(1)
            while salvo.stage == FIRING:
                for player in range(2):
                    count = two[player].aim()
                    if salvo.fire_at(player, two[player].cells, count):
                        print("refused")
            melee.start(True)
            melee.deploy()
            while melee.winner() == NOBODY:
                if melee.shoot(melee.turn, three[melee.turn].aim()) < 0:
                    print("refused")
        print("done")
    """
    ends(interpreter, setup, body, "done")


def test_games_of_the_variants_judged_at_the_end_allocate_nothing(interpreter: Interpreter) -> None:
    setup = """
        from seabattle.classic import OVER
        from seabattle.jury import Jury
        from seabattle.rng import Rng
        from seabattle.variants import VariantGunner, Variants
        game = Variants(Rng(3), 100)
        gunners = (VariantGunner(game.radars[0], Rng(1), 64), VariantGunner(game.radars[1], Rng(2), 64))
        jury = Jury(64)
        cells = (bytearray(64), bytearray(64))
        answers = (bytearray(64), bytearray(64))
    """
    body = f"""
        for number in range({proof(8, 16)}):  # each of the eight variants
            game.fleet.custom(8, 8, 1, 1, 1, 1, 1, number & 1 > 0, number & 2 > 0, number & 4 > 0)
            game.start()
            for player in range(2):
                if not game.random(player) or not game.ready(player):
                    print("not placed")
            while game.stage != OVER:
                player = game.turn
                n = game.shots[player]
                cells[player][n] = gunners[player].aim()
                answers[player][n] = game.shoot(player, cells[player][n])
            for player in range(2):
                decks = game.fields[1 - player].ship
                if jury.check(game.fleet, decks, cells[player], answers[player], game.shots[player]):
                    print("accused")
                answers[player][0] ^= 1
                if not jury.check(game.fleet, decks, cells[player], answers[player], game.shots[player]):
                    print("not accused")
        print("done")
    """
    ends(interpreter, setup, body, "done")


def test_fields_are_sealed_shown_and_judged_without_an_allocation(interpreter: Interpreter) -> None:
    setup = """
        from games import Games
        from seabattle.fair import FairBot, FairPlayer
        class Sealer:
            def __init__(self):
                self.hash = bytes(32)
            def salt(self, out):
                pass
            def digest(self, text, n):
                return self.hash
        def fair(link, rng):
            player = FairPlayer(link, rng, Sealer())
            player.fair = True
            return player
        game = Games(2, 3, (6, 0, 1, 2, 2), fair, FairBot)
    """
    body = f"""
        finished = game.play({FAIR_GAMES}, 80000)
        print(finished and game.agree(), game.master.clean, game.slave.clean)
    """
    ends(interpreter, setup, body, "True", *[str(FAIR_GAMES)] * 2)
