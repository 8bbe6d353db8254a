"""The files of a rotated run belong together, and a session reads back as it was shown, however it was taken."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seabattle import watch, wire
from seabattle_host.errors import UserError
from seabattle_host.language import messages
from seabattle_host.sniff import sources
from seabattle_host.sniff.capture import Chunk, Fault, Header, Lost
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.file_seals import Part
from seabattle_host.sniff.form_writers import FORMS, JsonForm
from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.reading import parse, read, recognise
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.rendering import line as screen_line
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.sources import Orderer, VirtualPort
from seabattle_host.sniff.spreadsheet import KEPT
from seabattle_host.sniff.storage import OutputFile, Rotation
from tests.calls import Seabattle
from tests.captures import BEGAN, BYTE_US, PLACING, SMALL, TICK, played, written
from tests.command import ROOT
from tests.sizes import proof

HEADER = Header(("one", "two"), "9600 8E2", "relay", BEGAN)

pytestmark = pytest.mark.usefixtures("english")


def taken(items: list[Chunk], mode: str, late: tuple[int, int] = (9000, 0)) -> list[Record]:
    """Return the records shown live."""
    session = Session()
    if mode == "tap":
        return tapped(items, session, late)
    if mode != "one":
        return list(session.run(items))
    sorter = Sorter(session)
    found = [record for item in items for record in sorter.feed(item)]
    return found + sorter.finish()


def tapped(items: list[Chunk], session: Session, late: tuple[int, int]) -> list[Record]:
    """late: microseconds by which each adapter delays its bytes."""
    orderer = Orderer(session.watch.waits)
    found: list[Record] = []
    for item in sorted((replace(item, at=item.at + late[item.side]) for item in items), key=lambda item: item.at):
        forced = orderer.put(item)
        while ready := orderer.get(item.at):
            forced += ready
            for one in forced:
                found += session.feed(one)
            forced.clear()
    while ready := orderer.get(0, True):
        for one in ready:
            found += session.feed(one)
    return found + session.finish()


@pytest.mark.parametrize("delays", [(0, 0), (16_000, 0), (0, 16_000), (5_000, 1_000)])
def test_a_game_through_uneven_adapters_keeps_the_protocol(delays: tuple[int, int]):
    session = Session()
    found = tapped(played(), session, delays)
    assert {r.verdict for r in found} == {watch.OK}
    assert session.sums.bytes == [sum(len(c.data) for c in played() if c.side == side) for side in (0, 1)]
    (game,) = session.sums.games
    assert (game.how, game.hits[game.winner]) == ("shots", 20)


def told(found: list[Record]) -> list[tuple[object, ...]]:
    return [(r.side, r.kind, r.op, r.raw, r.verdict, r.reason, r.unsure, r.faults) for r in found]


def again(form: str, mode: str, shown: list[Record]) -> list[Record]:
    """Return the records read back from a file or from the screen's text."""
    if form.startswith("screen"):
        _screen, language, *of_clock = form.split()
        messages.use(language)
        ats = [BEGAN, *(record.at for record in shown)]
        lines = [
            screen_line(r, BEGAN, at, of_clock=bool(of_clock), whole=True) for r, at in zip(shown, ats, strict=False)
        ]
        messages.use("en")
        data = "".join(f"{text}\n" for text in lines).encode()
    else:
        made = KEPT[form]()
        data = made.head(replace(HEADER, mode=mode), Part("00c0ffee"))
        data += b"".join(made.record(record) for record in shown) + made.tail(True)
    form = form.split()[0]
    assert recognise(data) == form
    return list(records(parse(data, form, "it"), Session()))


EVERY = [*KEPT, "screen en", "screen ru", "screen ru of_clock"]
MODES = ["relay", "tap", "one", "virtual"]


@pytest.mark.parametrize("form", EVERY)
@pytest.mark.parametrize("mode", MODES)
def test_a_game_comes_back_as_it_was_shown(mode: str, form: str):
    for seed in (1, 2):
        shown = taken(played(seed, SMALL), mode)
        back = again(form, mode, shown)
        assert told(back) == told(shown)
        assert not [r for r in back if r.verdict == watch.VIOLATION]


@pytest.mark.parametrize("form", EVERY)
def test_a_fault_of_the_relay_and_what_came_too_late_at_the_end_come_back(form: str):
    heard: list[Chunk | Lost] = list(played(1, SMALL)[:100])
    heard.insert(20, Lost(heard[20].at, "our own fault: drop B: nothing instead of 0C"))
    session = Session()
    shown = [record for item in heard for record in session.feed(item)]
    shown += session.advance(heard[-1].at + 80 * TICK) + session.finish()
    assert shown[-1].kind == watch.LACK
    back = again(form, "relay", shown)
    assert told(back) == told(shown)
    assert [r.text for r in back if r.kind == LOST] == [r.text for r in shown if r.kind == LOST]


LATE = [(9000, 0), (0, 0), (1000, 16000), (70_000, 0), (0, 300_000)]
"""Delays of the two adapters of a tap: of chips, of USB, and of a program that was held up."""


def with_texts(heard: list[Chunk], lengths: list[int]) -> list[Chunk]:
    """Add a nick and a chat line of these lengths, of any bytes, each answered, after the meeting and in the battle."""
    for op, length, share in zip((wire.NICK, wire.CHAT), lengths, (0.2, 0.7), strict=True):
        answered = (wire.is_reply(item.data[0]) and item.data != b"\x01" for item in heard)
        place = next(i for i, over in enumerate(answered, 1) if over and i > len(heard) * share)
        side, at = length % 2, heard[place - 1].at + 4 * BYTE_US
        body = bytes((op, length)) + bytes((i * 91 + length) % 256 for i in range(length))
        more = [Chunk(at + i * BYTE_US, side, bytes((byte,))) for i, byte in enumerate(body)]
        more.append(Chunk(more[-1].at + 2 * BYTE_US, 1 - side, bytes((op >> 4 | op << 4 & 0xFF,))))
        longer = (len(more) + 6) * BYTE_US
        heard = [*heard[:place], *more, *(replace(item, at=item.at + longer) for item in heard[place:])]
    return heard


@settings(max_examples=proof(40, 5000), deadline=None, derandomize=True)
# a frame that began with a doubled byte follows the other side's; so does one that was held up
@example(0, [(36, "l", 5), (73, "d", 1), (68, "l", 6)], "tap", "json", (9000, 0), [])
@example(5, [(110, "d", 7), (23, "l", 7), (0, "l", 6)], "tap", "json", (9000, 0), [])
# a tick between the bytes of a frame can decide a doubt
@example(2, [(0, "l", 0)], "tap", "log", (0, 300_000), [])
@given(
    st.integers(0, 5),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from("ldfmht"), st.integers(0, 7)), max_size=4),
    st.sampled_from(MODES[:3]),
    st.sampled_from(EVERY),
    st.sampled_from(LATE),
    st.just([]) | st.lists(st.integers(0, 255), min_size=2, max_size=2),
)
def test_damage_and_doubts_come_back_as_they_were_shown(
    seed: int,
    faults: list[tuple[int, str, int]],
    mode: str,
    form: str,
    late: tuple[int, int],
    lengths: list[int],
):
    items = list(played(seed, SMALL))
    if lengths:
        items = with_texts(items, lengths)
    for place, kind, bit in faults:
        at = place % len(items)
        chunk = items[at]
        flipped = bytes((chunk.data[0] ^ 1 << bit,))
        if kind == "l":
            del items[at]
        elif kind == "d":
            items.insert(at, chunk)
        elif kind in "ht":
            # the other side is late, and sends at the same time as this one; t: even at the very same moments
            early = [item.at - 700 * bit * (item.side == chunk.side) for item in items[at:]]
            soonest = [max(items[max(at - 1, 0)].at + n * (kind == "h"), time) for n, time in enumerate(early)]
            later = [replace(item, at=time) for item, time in zip(items[at:], soonest, strict=True)]
            items[at:] = sorted(later, key=lambda item: item.at)
        else:
            items[at] = replace(chunk, data=flipped, faults=bytes((Fault.PARITY,)) if kind == "m" else b"")
    shown = taken(items, mode, late)
    assert told(again(form, mode, shown)) == told(shown)


@pytest.mark.parametrize("form", KEPT)
def test_two_texts_and_what_follows_them_in_one_moment_come_back_from_one_line(form: str):
    items = written(PLACING)
    at = items[-1].at + BYTE_US
    items += [Chunk(at, 0, bytes((byte,))) for byte in b"\xb3\xb3\x01\x01  \x3b\x3b"] + [Chunk(at, 0, b"\xa3")]
    shown = taken(items, "one")
    assert [record.raw for record in shown[-5:-3]] == [b"\xb3\x01 "] * 2
    assert told(again(form, "one", shown)) == told(shown)


def parted(folder: Path, size: int = 4000, parts: int = 0, name: str = "game.json") -> list[Path]:
    """Return the files of a rotated run, in order."""
    complaints: list[str] = []
    form = KEPT[name.rpartition(".")[2]]()
    kept = OutputFile(str(folder / name), form, HEADER, Rotation(size=size, parts=parts), complaints.append)
    for record in taken(played(), "relay"):
        kept.put(record)
    kept.close()
    stem, ending = name.split(".")
    return [*sorted(folder.glob(f"{stem}.0*.{ending}")), folder / name]


def found(paths: list[Path]) -> tuple[list[Record], list[str]]:
    capture = read([str(path) for path in paths])
    return list(records(capture, Session())), capture.notes


def gaps(found: list[Record]) -> list[str]:
    return [r.text for r in found if r.kind == LOST]


@pytest.mark.parametrize("form", FORMS)
def test_parts_of_every_form_hold_together(form: str, tmp_path: Path):
    paths = parted(tmp_path, 2000, name=f"game.{form}")
    last = len(paths) - 1
    assert last > 4 and all(2000 <= path.stat().st_size < 4000 for path in paths[:-1])
    whole = told(taken(played(), "relay"))
    got, notes = found(paths)
    assert told(got) == whole and not notes
    described = read([str(path) for path in paths]).described
    assert len(described) == 1 and f"{paths[0]} ... {paths[-1]} ({len(paths)}): read as" in described[0]
    assert [r.at for r in got] == [r.at for r in taken(played(), "relay")]
    got, notes = found([paths[1], paths[0], paths[1], *paths[2:]])
    assert told(got) == whole and "repeats part 2" in notes[0] and "order of their numbers" in notes[1]
    for place in (1, last):
        # a copy that was cut off, before the whole one
        cut = tmp_path / f"cut.{form}"
        cut.write_bytes(paths[place].read_bytes()[:-60])
        got, notes = found([cut, *paths])
        assert told(got) == whole and notes[0] == f"{cut} repeats part {place + 1}: left out"
    assert gaps(found([paths[0], *paths[2:]])[0]) == ["part 2 is missing"]
    assert found([joined(paths)]) == (found(paths)[0], [])
    for order, gap in (
        ((0, 2), "part 2 is missing"),
        ((0, 0), "part 1 comes twice"),
        ((1, 0), "part 1 comes after part 2"),
    ):
        assert gap in gaps(found([joined([*(paths[i] for i in order), *paths[3:]])])[0]), gap
    assert found([joined(paths[:3])])[1] == ["the parts behind 3 are missing"]
    for begin, end in ((0, 2), (1, 4)):
        some = [*paths[:begin], joined(paths[begin:end]), *paths[end:]]
        got, notes = found(some)
        assert told(got) == whole and not notes
        got, notes = found([*some, paths[1]])
        assert told(got) == whole and notes == [f"{paths[1]} repeats part 2: left out"]
        del some[begin + 1]
        assert gaps(found(some)[0]) == [f"part {end + 1} is missing"]
    for some, missing in ((paths[1:], "before 2"), (paths[2:], "before 3"), (paths[:-1], f"behind {last}")):
        assert found(some)[1] == [f"the parts {missing} are missing"]
    data = paths[1].read_bytes()
    paths[1].write_bytes(data + b"\n")
    assert any("part 3" in why for why in gaps(found(paths)[0]))
    if form != "pcapng":
        # by a mail or an editor
        for changed in (data.replace(b"\n", b"\r\n"), data.decode().encode("utf-16")):
            paths[1].write_bytes(changed)
            assert told(found(paths)[0]) == whole
    if form == "log":
        paths[1].write_bytes(data.replace(b"\n", b"\n# a remark\n", 1))
        assert told(found(paths)[0]) == whole
    paths[1].write_bytes(data)
    other = parted(tmp_path, 2000, name=f"other.{form}")
    with pytest.raises(UserError, match="of another run"):
        found([paths[0], other[1], *paths[2:]])


def joined(paths: list[Path]) -> Path:
    """Return one file with the content of all, as `cat` makes it."""
    whole = paths[0].with_name("joined")
    whole.write_bytes(b"".join(path.read_bytes() for path in paths))
    return whole


def test_a_sealed_part_without_its_head_or_with_a_line_twice_accuses_nobody(tmp_path: Path):
    paths = parted(tmp_path, 4000)
    lines = paths[1].read_bytes().splitlines(keepends=True)
    paths[1].write_bytes(b"".join(lines[2:]))
    got = found(paths)[0]
    assert "first line is missing" in gaps(got)[0] and {r.verdict for r in got if r.kind != LOST} == {watch.OK}
    paths[1].write_bytes(b"".join([*lines[:9], *lines[7:]]))
    assert "comes a second time" in gaps(found(paths)[0])[0]


def test_parts_of_a_table_are_put_into_the_order_of_their_records(tmp_path: Path):
    paths = parted(tmp_path, 3000, name="game.csv")
    whole = told(taken(played(), "relay"))
    for some in (paths, [joined(paths)], [paths[1], paths[0], paths[1], *paths[2:]]):
        assert told(found(some)[0]) == whole
    assert "repeats records" in found([paths[1], paths[0], *paths])[1][0]
    assert gaps(found([paths[0], *paths[2:]])[0])[0].endswith("are missing")
    assert found(paths[1:])[1][0].startswith("the records before")
    with pytest.raises(UserError, match="of another run"):
        found([paths[0], joined(paths)])
    lines = paths[0].read_bytes().splitlines(keepends=True)
    paths[0].write_bytes(b"".join([*lines[:9], *lines[7:]]))
    assert gaps(found(paths)[0]) == ["record 7 comes a second time"]


@pytest.mark.parametrize("decimals", [0, 2, 5])
def test_a_table_that_a_spreadsheet_saved_with_rounded_times_is_read(decimals: int):
    shown = taken(played(1, SMALL), "relay")
    made = KEPT["csv"]()
    rows = [made.record(record).decode().split(",") for record in shown]
    for row in rows:
        row[1] = f"{float(row[1]):.{decimals}f}"
        row[6] = "1" if row[6] == "01" else row[6]
    data = made.head(HEADER) + "".join(",".join(row) for row in rows).encode()
    assert recognise(data) == "csv"
    assert [(r.raw, r.verdict) for r in records(parse(data, "csv", "it"), Session())] == [(r.raw, 0) for r in shown]


@pytest.mark.parametrize("form", FORMS)
def test_a_file_without_its_end_or_a_piece_from_its_middle_is_noticed(form: str, tmp_path: Path):
    """Cut at the end of a line or block; a line or block removed; a line replaced by another good one."""
    (path,) = parted(tmp_path, size=10**9, name=f"game.{form}")
    whole = path.read_bytes()
    pieces = blocks(whole) if form == "pcapng" else whole.splitlines(keepends=True)
    # a byte of the line: of JSON a digit, of pcapng one after the two headers of a packet
    changed = (
        re.sub(b'"raw":"..', b'"raw":"77', pieces[20]) if form == "json" else pieces[20][:40] + b"w" + pieces[20][41:]
    )
    assert not gaps(found([path])[0])
    for some, why in (
        (pieces[:-1], "closing record"),
        (pieces[:-2], "closing record"),
        (pieces[:20] + pieces[21:], "hash|missing"),
        *([(pieces[:3] + pieces[2:3] + pieces[4:], "hash")] if form == "json" else []),
        ([*pieces[:20], changed, *pieces[21:]], "was changed|line 21 is damaged"),
    ):
        path.write_bytes(b"".join(some))
        assert any(re.search(why, told) for told in gaps(found([path])[0]))
    if form == "log":
        path.write_bytes(b"".join(pieces[1:]))
        capture = read([str(path)])
        assert list(records(capture, Session())) and "first line is missing before line 65" in "".join(capture.left_out)
        # a comment added by hand, and line ends of mail
        path.write_bytes(b"\r\n".join([*whole.splitlines()[:9], b"# here", *whole.splitlines()[9:]]) + b"\r\n")
        assert not gaps(found([path])[0])


def blocks(data: bytes) -> list[bytes]:
    """Return the blocks of pcapng."""
    out = []
    while data:
        length = int.from_bytes(data[4:8], "big" if data[:4] == b"\0\0\0\1" or not data[4] else "little")
        out.append(data[:length])
        data = data[length:]
    return out


BY_HAND = """\
{"type":"frame","at":0,"side":"A","raw":"AA"}
{"type":"frame","at":5000,"side":"A","raw":"C00102","offsets":%s}
{"type":"frame","at":19000,"side":"B","raw":"0C"}
"""


@pytest.mark.parametrize(
    "offsets",
    [
        *("[0,9,5]", "[-4,0,1]", "[0,1,99000000000000000000]", "[0,1]", "[0,1,2,3]", "[0,NaN,2]", "[0,null,2]"),
        *("[[0],1,2]", "7", '{"0":0}', '"0 1 2"', "[0,1250,9000]"),
    ],
)
def test_lines_written_by_hand_need_no_seal_but_offsets_that_make_sense(offsets: str):
    capture = parse((BY_HAND % offsets).encode(), "json", "it")
    items = list(capture.items)
    lost = [item.why for item in items if isinstance(item, Lost)]
    heard = [(item.at, item.data) for item in items if isinstance(item, Chunk)]
    assert "written by hand: 3 lines" in capture.left_out[0]
    if offsets == "[0,1250,9000]":
        assert not lost and heard[1:4] == [(5000, b"\xc0"), (6250, b"\x01"), (14000, b"\x02")]
    else:
        assert "offsets" in lost[0] and [data for _, data in heard] == [b"\xaa", b"\x0c"]


def test_a_sealed_capture_may_be_edited_by_hand(tmp_path: Path):
    path = parted(tmp_path, 1 << 20)[0]
    whole = path.read_text()
    shot = next(line for line in whole.splitlines() if '"raw":"C0' in line)
    head = re.sub(r',"offsets":.*?\]', "", shot.partition(',"crc"')[0])
    edited = whole.replace(shot, head + ',"offsets":[0,1300,2600]}')
    path.write_text(edited)
    assert not gaps(found([path])[0])
    # with its seal still there, or a line less, it is noticed
    for changed, why in (
        (whole.replace(shot, shot.replace("C0", "C1")), "the crc is left out"),
        (edited.replace(shot[:20], "", 1), "is damaged"),
        (edited.replace(head, head.replace('"side":"A"', '"side":"C"')), "values is not allowed"),
    ):
        path.write_text(changed)
        assert why in gaps(found([path])[0])[0]


def test_a_new_run_sets_old_parts_aside_and_a_ring_keeps_the_newest(tmp_path: Path):
    before = {path.read_bytes() for path in parted(tmp_path, 4000)}
    paths = parted(tmp_path, 9000)
    assert told(found(paths)[0]) == told(taken(played(), "relay"))
    assert before <= {path.read_bytes() for path in tmp_path.glob("game.old-*")}
    before |= {path.read_bytes() for path in paths}
    lone = parted(tmp_path, 10**6)  # in the same second: the names set aside differ
    before |= {path.read_bytes() for path in lone}
    assert len(lone) == 1 and parted(tmp_path, 10**6) == lone
    assert before <= {path.read_bytes() for path in tmp_path.glob("game.old-*")}
    # parts are set aside for a run in one file too, and a lone file is replaced
    parted(tmp_path, 9000)
    before |= {path.read_bytes() for path in tmp_path.glob("game.*json")}
    (tmp_path / "game.2025.json").write_text("a file of such a name is not a part")
    for _run in range(2):
        alone = OutputFile(str(tmp_path / "game.json"), JsonForm(), HEADER, Rotation(), print)
        alone.close()
    assert before <= {path.read_bytes() for path in tmp_path.glob("game.old-*")}
    assert not list(tmp_path.glob("game.0*")) and (tmp_path / "game.2025.json").exists()
    paths = parted(tmp_path, parts=2, name="ring.json")
    assert len(paths) == 3
    got, notes = found(paths)
    assert not gaps(got) and notes[0].startswith("the parts before")
    assert got[-1].raw == taken(played(), "relay")[-1].raw


def test_the_display_with_counted_syncs_is_read_back_and_a_line_that_is_missing_or_comes_again_is_noticed(
    tmp_path: Path, seabattle: Seabattle
):
    game = played(1, SMALL)
    place = len(game) // 2
    while not (game[place].side == 0 and game[place].data == b"\xc0"):
        place += 1
    then = game[place].at
    syncs = [
        Chunk(then + (i + 1) * 9 * TICK + 2000 * side, side, b"\1" if side else b"\xaa")
        for i in range(40)
        for side in (0, 1)
    ]
    heard = [*game[:place], *syncs, *(replace(item, at=item.at + 370 * TICK) for item in game[place:])]
    made = JsonForm()
    path = tmp_path / "shown.txt"
    (tmp_path / "x.json").write_bytes(
        made.head(HEADER) + b"".join(made.record(r) for r in taken(heard, "relay")) + made.tail(True)
    )
    lines = seabattle.told("decode", tmp_path / "x.json").splitlines(keepends=True)
    path.write_text("".join(lines))
    assert "everything was understood\nthe session keeps the protocol\n" in seabattle.told("decode --check", path)
    alike = [[record.raw for record in found([tmp_path / name])[0]] for name in ("x.json", "shown.txt")]
    assert alike[0] == alike[1]
    shot = next(i for i, line in enumerate(lines) if " C0 " in line)
    for some, why in (
        (lines[:shot] + lines[shot + 2 :], "records .* are missing"),
        (lines[: shot + 2] + lines[shot:], "comes a second time"),
    ):
        path.write_text("".join(some))
        (why_not,) = gaps(found([path])[0])
        assert re.search(why, why_not)
    # nobody answered, and it is so still
    path.write_text("    4     1.500000           -- 4 syncs\n")
    assert "nothing was heard from side B" in seabattle("decode --check", path)[1]


@pytest.mark.skipif(os.name == "nt", reason="left out: Windows keeps others out by itself")
@pytest.mark.parametrize("rotation", [Rotation(), Rotation(size=10**6)])
def test_a_file_that_another_run_writes_is_left_to_it(rotation: Rotation, tmp_path: Path):
    said: list[str] = []
    first, second = (
        OutputFile(str(tmp_path / "game.json"), JsonForm(), HEADER, rotation, said.append) for _run in range(2)
    )
    first.put(Session().feed(played()[0])[0])
    for file in (second, first):
        file.close()
    assert said == [f"{tmp_path / 'game.json'} is no longer written: another program is writing it; all else goes on"]
    assert not gaps(found([tmp_path / "game.json"])[0])


def test_heads_and_ends_are_as_the_schema_says(tmp_path: Path):
    schema = json.loads((ROOT / "docs" / "capture.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for path in parted(tmp_path):
        for line in path.read_bytes().splitlines():
            validator.validate(json.loads(line))
    odd = Header(("a", "b"), "", "merged", 0, timed=False, ordered=False, resolution=10**6, read_as=("why",))
    validator.validate(json.loads(JsonForm().head(odd)))


@pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals")
def test_a_virtual_port_that_nobody_had_open_for_long_looks_seldom_and_loses_no_byte(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "_CALM_SECONDS", 0.0)
    with contextlib.closing(VirtualPort()) as port:
        began = time.monotonic()
        assert port.read(10.0) == b""
        assert time.monotonic() - began >= sources._CALM_LOOK_SECONDS
        program = os.open(port.url, os.O_RDWR | os.O_NOCTTY)
        os.write(program, b"\x01\x02")
        os.close(program)
        assert port.read(10.0) == b"\x01\x02"
        port.wake()
        assert port.read(10.0) == b"" and port.read(0.0) == b""


def test_a_frame_that_a_tap_shows_behind_a_later_one_is_read_from_the_screen():
    lines = ["1  0.000000   +0.0000 B> C0 01 07   B shoots A7", "2  -0.000504   -0.0005 A> 2C   A: sunk"]
    found = list(records(parse("".join(f"   {line}\n" for line in lines).encode(), "screen", "it"), Session()))
    assert [(r.side, r.op) for r in found] == [(1, 0xC0), (0, 0x2C)]
