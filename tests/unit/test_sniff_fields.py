"""What the sniffer reports about fields that are sealed and shown over chat, and about the verdict on them."""

from __future__ import annotations

import pytest

from seabattle import jury, wire
from seabattle.field import SUNK
from seabattle_host.language import words
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import Chunk, Header
from seabattle_host.sniff.report import report
from seabattle_host.sniff.session import Session
from tests.captures import BEGAN, BYTE_US, TICK
from tests.shared.fair_match import Endpoint, Forger, LyingLink, Match, Mover, bits_of, checked

SHIPS = ((0, 1, 2, False), (3, 3, 1, False), (4, 1, 1, False))


pytestmark = pytest.mark.usefixtures("english")


class Heard(Match):
    """A recorded match."""

    def __init__(self, slave: Endpoint, fair: bool = True):
        self.chunks: list[Chunk] = []
        self.at = BEGAN
        super().__init__(Endpoint(wire.MASTER, fair, seed=1), slave)

    def hear(self, side: int, byte: int) -> None:
        self.at = max(self.at + BYTE_US, BEGAN + self.now * TICK)
        self.chunks.append(Chunk(self.at, side, bytes([byte])))

    def play(self) -> Heard:
        """The master shoots at A1 and sinks D4; then the slave wins."""
        self.begin(SHIPS, SHIPS)
        if self.shoot(self.master, 3, 3) == SUNK:
            self.shoot(self.master, 0, 0)
        for x, y, length, _vertical in SHIPS:
            for i in range(length):
                self.shoot(self.slave, x + i, y)
        self.end()
        return self


def listened(match: Heard) -> tuple[Session, list[str]]:
    """Return the session, and what is reported about its chat lines."""
    session = Session()
    records = list(session.run(match.chunks))
    assert not any(rendering.fault_text(record) for record in records)
    return session, [rendering.meaning(r) for r in records if r.op == wire.CHAT and len(r.body) > 1]


def verdict(session: Session) -> int | None:
    (game,) = session.sums.games
    return game.verdict.code if game.verdict is not None else None


def test_seals_questions_and_fields_are_told_in_words():
    session, said = listened(Heard(Endpoint(wire.SLAVE, True, seed=2)).play())
    assert verdict(session) == jury.NOBODY_CHEATED
    for role in ("master", "slave"):
        assert f"{role}: seals its field" in said
        assert f"{role}: asks to see the other's field" in said
        assert any(line.startswith(f"{role}: shows its field: A2-B2, E2, D4") for line in said)
    assert said[-1].endswith(
        "; the jury: nobody cheated; fields and answers keep the rules; sealed before the first shot: master, slave"
    )
    summary = report(session, Header(("a", "b"), "9600 8E2", "relay", BEGAN), ["x"], BEGAN)
    assert "  the jury: nobody cheated; fields and answers keep the rules" in summary


def test_in_russian_too():
    words.use("ru")
    _, said = listened(Heard(Endpoint(wire.SLAVE, True, seed=2)).play())
    assert any("запечатывает своё поле" in line for line in said)
    assert any("показывает своё поле: А2-Б2, Д2, Г4" in line for line in said)


class Changed(Mover):
    ships = (  # type: ignore[assignment]
        (0, 4, 2, False),
        (3, 3, 1, False),
        (4, 1, 1, False),
    )


class Shown(Forger):
    shown = bits_of(("......", "##..#.", "......", ".....#", "......", "......"))


class Liar(LyingLink):
    def __init__(self, role: int, rng: object):
        super().__init__(role, rng)
        self.lies = {0: wire.MISS}


@pytest.mark.parametrize(
    ("how", "found"),
    [
        ({"player": Changed, "fair": True}, "slave: the field is not the one that was sealed before the first shot"),
        ({"player": Shown, "fair": False}, "slave: shot 1 at D4 was answered 'sunk', it was 'miss'"),
        ({"link": Liar, "fair": True}, "slave: shot 1 at D4 was answered 'miss', it was 'sunk'"),
    ],
)
def test_a_cheat_is_named_to_who_listens(how: dict, found: str):
    session, said = listened(Heard(Endpoint(wire.SLAVE, seed=2, **how)).play())
    # nobody who is not fair is asked for the other's field
    assert verdict(session) == (jury.SECOND_CHEATED if how["fair"] else None)
    head = "the jury: slave cheated and so lost; " if how["fair"] else ""
    assert any(f"; {head}{found}" in line for line in said)


def test_what_does_not_count_is_said_to_or_is_chat():
    match = Heard(Endpoint(wire.SLAVE, False, seed=2), fair=False)
    match.begin(SHIPS, SHIPS)
    late = checked(b"#seal " + b"0" * 48)
    for line in (late, b"#field 6 000000000 -", b"#seal me", b"#show"):
        match.slave.link.send_chat(line, len(line))
        match.ticks(5)
    session, said = listened(match)
    assert said == [
        "slave: seals its field when that does not count any more",
        "slave: chat: #field 6 000000000 -",
        "slave: chat: #seal me",
        "slave: asks to see the other's field",
    ]
    assert session.sums.games[0].verdict is None
