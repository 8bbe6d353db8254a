"""A player willing to seal and show its field, against other people's programs, which have no chat."""

from __future__ import annotations

import pytest

from seabattle import fair, wire
from seabattle.fair import FairBot, FairPlayer
from seabattle.gunner import HUNT, Gunner
from seabattle.rng import Rng
from seabattle_host.player.field_seals import Sealer
from tests.peers.dialects import Dialect, MasterB, MasterL, SlaveL
from tests.peers.test_dialects import Match, assert_good_game


class FairMatch(Match):
    """A match in which our player is a fair one."""

    def __init__(self, peer: Dialect, role: int, seed: int = 1) -> None:
        super().__init__(peer, role, seed)
        rng = Rng(seed)
        self.player = FairPlayer(self.link, rng, Sealer())
        self.player.fair = True
        self.bot = FairBot(self.player, Gunner(self.player.radar, rng, HUNT), 1)

    def told(self) -> list[tuple[int, int]]:
        """Return the details of EV_JURY."""
        return [(a, b) for event, a, b in self.events if event == fair.EV_JURY]


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize(
    ("peer", "role"),
    [(lambda: MasterL(1), wire.SLAVE), (lambda: SlaveL(1, True), wire.MASTER)],
    ids=["master", "slave"],
)
def test_nothing_but_the_probe_goes_to_L_and_the_reason_is_told(peer, role: int, seed: int):
    t = FairMatch(peer(), role, seed)
    t.play()
    assert_good_game(t)
    assert t.sent(wire.CHAT) == 1
    assert t.told()[0] == (fair.NO_SEAL, fair.NO_CHAT)
    assert t.told()[1:] in ([(fair.NO_VERDICT, fair.NO_CHAT)], [(fair.NO_VERDICT, fair.GONE)])


def test_nothing_but_the_probe_goes_to_B():
    t = FairMatch(MasterB(), wire.SLAVE)
    t.play(60000, patient=True)
    assert t.over is not None
    assert t.sent(wire.CHAT) == 1
    assert (fair.NO_SEAL, fair.NO_CHAT) in t.told()
