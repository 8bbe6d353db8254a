"""A sample of the study of faults; the study itself plays many more (see README)."""

from collections import Counter

import pytest

from seabattle import link as links
from tests.faults.study import BROKE_OFF, DISAGREED, FINISHED, HUNG, KINDS, play
from tests.sizes import proof

GAMES = proof(20, 60)


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[k.name for k in KINDS])
def test_both_sides_come_to_an_end_that_they_agree_on(kind: int):
    counts = Counter(ending for n in range(GAMES) for ending in play(kind, n, 1))
    assert counts[DISAGREED] == counts[HUNG] == 0
    if KINDS[kind].name in ("sound line", "clock off by 5 %", "babbling peer"):
        assert counts[FINISHED] == GAMES
    if KINDS[kind].name.endswith(" 0.2"):
        assert counts[BROKE_OFF] > GAMES * 0.9


def test_a_link_that_claims_the_victory_by_itself_is_found(monkeypatch: pytest.MonkeyPatch):
    """If the end were taken from the own count without the peer's word, damaged answers would make two winners."""
    answered = links.Link._answered

    def hasty(self: links.Link, code: int) -> None:
        answered(self, code)
        if self.its_losses * 2 > self.decks:
            self._over(links.WE_WON, links.BY_SHOTS)

    monkeypatch.setattr(links.Link, "_answered", hasty)
    kind = next(i for i, k in enumerate(KINDS) if k.name == "sound line")
    assert any(FINISHED not in play(kind, n, 1) for n in range(20))
