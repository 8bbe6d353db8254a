"""A watcher with a cache must differ from one without only in speed, and so must a session that only counts instead
of making records.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from seabattle import wire
from seabattle.watch import FRAME, OK, Watch
from seabattle.watch_state import AGE, OUT
from seabattle_host.sniff.cached_watch import CachedWatch
from seabattle_host.sniff.capture import Chunk, Crossing, Header, Lost, Piece
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.checking import Checking
from seabattle_host.sniff.counting_session import CountingSession
from seabattle_host.sniff.form_writers import JsonForm
from seabattle_host.sniff.frame_contents import length
from seabattle_host.sniff.reading import Capture, parse
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.timing import TickTimer
from tests.bench import varied_games
from tests.captures import DEVIATIONS, SMALL, VIOLATIONS, played, written

FIELDS = ("kind", "side", "role", "op", "verdict", "reason", "state", "answers", "open", "maybe", "spare")


def harmed(chunks: list[Chunk], lots: random.Random) -> list[Chunk]:
    """Lose, double, change, mark or delay bytes, or give them to the other side."""
    out = []
    late = 0
    for chunk in chunks:
        lot = lots.randrange(400)
        chunk = replace(chunk, at=chunk.at + late)
        if lot == 0:
            continue
        if lot == 1:
            out.append(chunk)
        elif lot == 2:
            chunk = replace(chunk, data=bytes((chunk.data[0] ^ 1 << lots.randrange(8),)))
        elif lot == 3:
            chunk = replace(chunk, faults=b"\1")
        elif lot == 4:
            chunk = replace(chunk, side=1 - chunk.side)
        elif lot < 12:
            late += lots.choice((60_000, 300_000, 600_000, 4_000_000, 20_000_000))
            chunk = replace(chunk, at=chunk.at + late)
        out.append(chunk)
    return out


@cache
def sessions() -> list[list[Chunk]]:
    games = [played(1), played(2, SMALL)]
    rest = written("+9 m AA s 01 " * 20 + "m A7 s 7A " + "+9 m AA s 01 " * 9)
    chunks: list[Chunk] = []
    for i in range(2):
        for piece in (games[i % 2], rest):
            begin = chunks[-1].at + 10**6 if chunks else 0
            chunks += [replace(chunk, at=chunk.at - piece[0].at + begin) for chunk in piece]
    # with chat, with another program, and with human players
    others = list(varied_games.games((1, 2, 32)))
    return [chunks, *(harmed(chunks, random.Random(seed)) for seed in range(2)), others]


def joined(chunks: list[Chunk]) -> list[Chunk]:
    """Join close bytes of one side, as if read together."""
    out: list[Chunk] = []
    for chunk in chunks:
        last = out[-1] if out else None
        if last and last.side == chunk.side and 0 <= chunk.at - last.at < 10_000 and not (chunk.faults or last.faults):
            out[-1] = replace(last, data=last.data + chunk.data)
        else:
            out.append(chunk)
    return out


def drive(watcher: Watch, chunks: list[Chunk]) -> Iterator[tuple[object, ...]]:
    """Yield each record with all that the watcher knows after it."""
    timer = TickTimer()

    def seen(*record: int) -> Iterator[tuple[object, ...]]:
        side = record[1]
        yield *record, bytes(watcher.data(side)[: watcher.size(side)])
        control = bytearray(watcher.v)
        for i in (0, 1):
            if not control[OUT + i]:
                # of no command
                control[AGE + i] = 0
        yield (
            bytes(control),
            *watcher.may,
            *watcher.sign,
            *map(bytes, watcher.shots),
            *map(bytes, watcher.again),
            *map(bytes, watcher.nick),
            bytes(watcher.nick_len),
            bytes(watcher.raw),
            *(bytes(radar.cell) for radar in watcher.radar),
            watcher.calm,
        )

    def taken() -> Iterator[tuple[object, ...]]:
        while watcher.take():
            yield from seen(*(getattr(watcher, name) for name in FIELDS))

    for chunk in chunks:
        timer.begin(chunk.at)
        while timer.due(chunk.at):
            watcher.tick()
            yield from taken()
        # as the sniffer's session asks for it
        if isinstance(watcher, CachedWatch) and len(chunk.data) == length(chunk.data) and not any(chunk.faults):
            step = watcher.whole(chunk.side, chunk.data)
            if step is not None:
                _place, role, state, answers, _ages = step
                yield from seen(FRAME, chunk.side, role, chunk.data[0], OK, 0, state, answers, 0, 0, 0)
                continue
        for byte in chunk.data:
            if watcher.feed(chunk.side, byte, int(any(chunk.faults))):
                yield from taken()
    watcher.finish()
    yield from taken()


def test_it_says_the_same_of_good_and_of_harmed_sessions() -> None:
    recall, plain = CachedWatch(), Watch()
    for chunks in sessions():
        # its cache from one session is valid in the next
        assert list(drive(recall, chunks)) == list(drive(plain, chunks))
        assert list(drive(recall, joined(chunks))) == list(drive(plain, joined(chunks)))


def compare(items: Sequence[Piece], merged: bool) -> int:
    """Compare records, sums and outcome of a counting and a recording session; return how many were not recorded."""
    whole, brief = Session(), CountingSession()
    capture = Capture(Header(timed=not merged), items, merged)
    recorded, some = list(records(capture, whole)), list(records(capture, brief))
    checking, short = Checking(), Checking()
    for record in recorded:
        checking.take(record)
    for record in some:
        short.take(record)
    short.count(brief.unrecorded, brief.letters, brief.unsure)
    numbers = {record.number for record in some}
    left = [record for record in recorded if record.number not in numbers]
    assert some == [record for record in recorded if record.number in numbers]
    assert Counter(record.op + 256 * record.side for record in left) == Counter(dict(enumerate(brief.unrecorded)))
    assert not any(record.verdict or record.reason or record.faults for record in left)
    assert sum(record.unsure for record in left) == brief.unsure
    assert (brief.sums, brief.now, brief.nicks) == (whole.sums, whole.now, whole.nicks)
    assert short == checking
    assert short.outcome(brief) == checking.outcome(whole)
    assert short.cut_off(brief) == checking.cut_off(whole)
    return len(left)


@pytest.mark.parametrize("number", range(4))
def test_a_session_that_counts_comes_to_the_same(number: int) -> None:
    chunks = sessions()[number]
    lost = len(chunks) // 3
    few = -1 if number else 50
    form = JsonForm()
    data = form.head(Header()) + b"".join(form.record(record) for record in Session().run(chunks))
    as_read = list(parse(data, "json", "a.json").frames)
    # other programs and human players at once; with letters, syncs and shots
    assert number < 3 or sum(isinstance(item, Crossing) for item in as_read) > 2
    for items in (chunks, joined(chunks), as_read, [*chunks[:lost], Lost(chunks[lost].at, "it"), *chunks[lost:]]):
        assert compare(items, False) > few
    assert compare([Chunk(0, 0, b"".join(chunk.data for chunk in chunks))], True) > few


def test_frames_behind_a_cut_one_are_counted_behind_it() -> None:
    items: list[Piece] = []
    for record in Session().run(sessions()[0]):
        if record.op == wire.SYNC and not record.number % 5:
            items.append(Chunk(record.at, record.side, bytes((wire.SHOT,))))
        if record.raw:
            items.append((record.at, record.side, record.raw, record.offsets))
    assert compare(items, False) > 50


@pytest.mark.parametrize(
    ("pieces", "us"),
    [
        (["A1 1A 2B 0A 01 02 04 09 0C C0 09 02 0C C0 09 02 3C"], 0),  # the other side's shot once more
        (["A1 B3 01 41 3B B3 02 8A A9 3B B3 01 AA 41"], 0),  # a sync among letters
        # whose a shot is when a sync has crossed the slave's depends on its cell
        (
            [
                "AA 01 A1 1A B2 0A 01 02 03 04 2B 0A 01 02 03 04 A2 2A A3 3A A4 4A C0 01 01 0C C0 02 02 AA 01 0C "
                "C0 05 05 0C C0 03 03 AA 01 0C C0 06 06 0C C0 04 04 AA 01 0C C0 04 04 0C"
            ],
            0,
        ),
        (["AA 01 AA 01 AA", "C0 04 01", "04"], 1),  # the next byte tells that a sync is answered inside the shot
        (["AA 41 AA 9A 3B AA C0", "C0 01 B3 9A 05 01 01"], 10**6),  # the side of what looks like two frames is a guess
    ],
)
def test_on_one_line_both_find_the_same_sides(pieces: list[str], us: int) -> None:
    chunks = [Chunk(i * us, 0, bytes.fromhex(piece)) for i, piece in enumerate(pieces)]
    assert compare(chunks, True) > 0


def test_what_may_be_noise_is_counted_as_such_until_it_is_answered() -> None:
    chat = "m B3 01 41 s 3B "
    compare(written(chat + "m B3 01 05 " + "+99 m B3 01 41 s 3B " * 3), False)


def test_a_clock_that_jumps_takes_no_time() -> None:
    compare(
        [Chunk(at, side, bytes((0xAA, 0x01)[side : side + 1])) for at, side in ((0, 0), (99, 1), (10**18, 0))], False
    )


SENSELESS = "+9 m AA s 01 m A1 s 1A m B1 02 01 02 s 1B m B1 01 41 s 1B m B1 02 01 02 s B1 01 42 m 1B s 1B m A7 s 7A"
"""A nick that would be noise if it were not answered, between good ones."""


MANY_HITS = "+1 m C0 0B 0B s 1C m C0 0B 0C s 1C " * 130
"""More hits than a byte can count: a program calls all of them hit, and they are off the field."""


@pytest.mark.parametrize(
    "words", [SENSELESS, MANY_HITS] + [case.words for case in VIOLATIONS] + [words for _name, words in DEVIATIONS]
)
def test_both_say_the_same_of_what_is_wrong(words: str) -> None:
    chunks = written(words)
    recall, plain = CachedWatch(), Watch()
    for _turn in range(3):
        assert list(drive(recall, chunks)) == list(drive(plain, chunks))
    later = 10**7
    # cached from the second time on
    again = [replace(chunk, at=chunk.at + i * later) for i in range(3) for chunk in chunks]
    compare(again, False)
    compare([Chunk(0, 0, b"".join(chunk.data for chunk in again))], True)


def test_a_nick_whose_sender_is_a_guess_has_a_question_mark():
    nicks = "m B1 03 41 4E 4E s B1 01 42 s 1B m 1B "
    game = written("m AA s 01 m A1 s 1A " + nicks * 2)
    for session in (Session(), CountingSession()):
        list(session.run(game))
        assert session.nicks == [b"ANN", b"B"]
    merged = [replace(chunk, side=0) for chunk in game]
    for session in (Session(), CountingSession()):
        list(records(Capture(Header(timed=False), merged, True), session))
        assert session.nicks == [b"ANN?", b"B?"]
