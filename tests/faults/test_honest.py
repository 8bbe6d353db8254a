"""A sample of honest games of each kind; `python -m tests.faults.honest` plays any number."""

import pytest

from seabattle.variants import VariantField
from tests.faults.honest import KINDS
from tests.sizes import proof

GAMES = proof(30, 300)


@pytest.mark.parametrize("kind", KINDS)
def test_honest_games_raise_no_accusation(kind: str):
    games = [KINDS[kind](seed) for seed in range(GAMES)]
    assert {complaint for _, complaint in games} == {""}
    assert sum(shots > 0 for shots, _ in games) > GAMES // 2


def test_a_field_that_answers_falsely_once_in_a_while_is_accused(monkeypatch: pytest.MonkeyPatch):
    """The honest games would show an accusation."""
    shoot = VariantField.shoot

    def careless(self: VariantField, cell: int) -> int:
        result: int = shoot(self, cell)
        return 0 if result == 1 and cell % 7 == 0 else result

    monkeypatch.setattr(VariantField, "shoot", careless)
    assert any(KINDS["variant"](seed)[1] for seed in range(GAMES))
