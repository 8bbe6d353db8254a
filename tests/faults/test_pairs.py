"""Clean games of all kinds of programs, heard in every way: nothing is called lost, and nobody is suspected."""

from __future__ import annotations

import pytest

from seabattle import watch
from seabattle_host.sniff.capture import Chunk, Header, Item
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.clock_match import share_a_clock
from seabattle_host.sniff.counting_session import CountingSession
from seabattle_host.sniff.merge import interleave
from seabattle_host.sniff.reading import Capture
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.session import Session
from tests.peers.pairs import Heard, heard

PORT_US = 16000
"""How long an adapter holds bytes back."""


def relay(bytes_: Heard) -> list[Item]:
    return [Chunk(at, side, bytes((byte,))) for at, side, byte in bytes_]


def one(bytes_: Heard) -> list[Item]:
    return [Chunk(at, 0, bytes((byte,))) for at, _side, byte in bytes_]


def held_back(bytes_: Heard) -> list[Item]:
    items: list[Item] = []
    for at, _side, byte in bytes_:
        at += PORT_US - at % PORT_US
        before = items.pop() if items and items[-1].at == at else Chunk(at, 0, b"")
        assert isinstance(before, Chunk)
        items.append(Chunk(at, 0, before.data + bytes((byte,))))
    return items


def raw(bytes_: Heard) -> list[Item]:
    return [Chunk(0, 0, bytes(byte for _at, _side, byte in bytes_))]


WAYS = {"relay": relay, "one": one, "held back": held_back, "raw": raw}


def odd(got: list[Record]) -> list[Record]:
    """Return what is suspected or was not understood, without late answers of a slow program and its first byte."""
    return [
        r
        for r in got
        if (r.verdict in (watch.VIOLATION, watch.DOUBT) and r.reason not in (watch.R_NO_REPLY, watch.R_SILENT))
        or r.kind in (watch.CUT, LOST)
        or (r.kind == watch.STRAY and set(r.raw) != {0})
    ]


GAMES = [
    ("OO", 0), ("OO", 5), ("OL", 0), ("OL", 2), ("OL", 10), ("LO", 7), ("LL", 2), ("LL", 5), ("LL", 1017),
    ("LL", 1028), ("BO", 0), ("BO", 2), ("BL", 4), ("BL", 10), ("OB", 0), ("LB", 0), ("BB", 8),
]  # fmt: skip


@pytest.mark.parametrize(("pair", "seed"), GAMES)
def test_nothing_is_odd_in_a_clean_game(pair: str, seed: int):
    game = heard(pair, seed, 1500 if "B" in pair else 6000)
    sent = {(r.side, r.raw, r.end // 4000) for r in Session().run(relay(game))}
    for name, way in WAYS.items():
        if name == "relay" and pair == "BL":
            continue
        brief, whole = CountingSession(), Session()
        capture = Capture(Header(), way(game), name != "relay")
        got = list(records(capture, whole))
        assert not odd(got), name
        list(records(capture, brief))
        assert brief.sums == whole.sums, name
        if name != "relay":
            # the sides are right, or marked as guesses
            assert not [r for r in got if name == "one" and r.kind == watch.FRAME and not (r.unsure or known(r, sent))]


def known(record: Record, sent: set[tuple[int, bytes, int]]) -> bool:
    """Return whether this side sent the frame about then."""
    return any((record.side, record.raw, record.end // 4000 + more) in sent for more in (-1, 0, 1))


@pytest.mark.parametrize("pair", ["OO", "LO", "OL", "LL", "BO", "BL", "BB", "OB", "LB"])
def test_two_files_of_one_clock_are_taken_for_that(pair: str):
    game = heard(pair, 1, 1500)
    sides = [[Chunk(at, side, bytes((byte,))) for at, side, byte in game if side == own] for own in (0, 1)]
    assert share_a_clock((sides[0], sides[1]))
    later = [Chunk(chunk.at + 100_000, 1, chunk.data) for chunk in sides[1]]
    # a slow program takes longer than that for each answer
    assert share_a_clock((sides[0], later)) == (pair == "BB")


@pytest.mark.parametrize("pair", ["LO", "LL", "BO"])
def test_noise_before_the_first_command_tells_nothing_of_the_order_of_two_files(pair: str):
    game = [(0, 0, 0), *heard(pair, 1, 1500)]
    dumps = [[bytes((byte,)) for _at, side, byte in game if side == own] for own in (0, 1)]
    assert not odd(list(Session().run(interleave((dumps[0], dumps[1])))))
