"""Captures in files: what was stored reads back, cuts and edits are noticed, what cannot be stored is reported."""

from __future__ import annotations

import errno
import json
import os
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from seabattle import watch, wire
from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.language import words as language
from seabattle_host.sniff import rendering, storage
from seabattle_host.sniff.capture import Chunk, Fault, Header, Item, Lost
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.form_writers import FORMS
from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.reading import Capture, parse, read, recognise
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.record_filter import RecordFilter
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.spreadsheet import KEPT
from seabattle_host.sniff.storage import OutputFile, Rotation
from seabattle_host.sniff.tangle import Tangle
from tests.calls import Seabattle
from tests.captures import BATTLE, BEGAN, DEVIATIONS, MET, OVER, SMALL, VIOLATIONS, played, written
from tests.command import ROOT
from tests.faults import bugs
from tests.sizes import proof

DAY = 24 * 3600 * 1_000_000
HEADER = Header(("/dev/ttyUSB0", "/dev/ttyUSB1"), "9600 8E2", "relay", BEGAN)


pytestmark = pytest.mark.usefixtures("english")


def found(items: Sequence[Item]) -> list[Record]:
    return list(Session().run(items))


def content(form: str, items: Sequence[Item]) -> bytes:
    """Return a file of this form with the records of a capture."""
    made = KEPT[form]()
    return made.head(HEADER) + b"".join(made.record(record) for record in found(items))


def again(form: str, data: bytes) -> Capture:
    assert recognise(data) == form
    return parse(data, form, "it")


def line_bytes(items: Sequence[Item]) -> list[tuple[int, int, int]]:
    """Return each byte with its side and fault, first A's, then B's, each in order."""
    out: list[tuple[int, int, int]] = []
    for item in items:
        if isinstance(item, Chunk):
            out += [(item.side, b, f) for b, f in zip(item.data, item.faults or bytes(len(item.data)), strict=True)]
    return sorted(out, key=lambda entry: entry[0])


def judged(items: Sequence[Item]) -> list[tuple[int, int, bytes, int, int]]:
    return [(r.side, r.op, r.raw, r.verdict, r.reason) for r in found(items)]


# What was stored is read again.


SESSIONS = (
    *(case.words for case in VIOLATIONS),
    *(text for _name, text in DEVIATIONS),
    # so long a pause that the frame is dropped, and its rest is noise
    MET + "m B1 05 41 +9 42 43 44 45",
    # every letter of a chat, also the no-break space, byte FF, which is no ordinary space to a seal
    "m B3 E0 " + bytes(range(32, 256)).hex(" "),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", SESSIONS, ids=lambda text: text[-24:])
def test_every_session_reads_back_alike(form: str, text: str):
    items = written(text)
    capture = again(form, content(form, items))
    assert line_bytes(capture.items) == line_bytes(items)
    assert judged(capture.items) == judged(items)
    assert (capture.header.names, capture.header.settings) == (HEADER.names, HEADER.settings)


BOT_LOG = """\
# seabattle bot, port /dev/pts/3 9600 8E2, seed 1, 2026-01-01 00:00:00 UTC
    0.000000 > AA                 sync
    0.001250 < 01                 here
    0.001300 - connected
    0.002500 > B1 02 41 42        nick AB
    0.011250 < 1B                 nick received
"""


@pytest.mark.parametrize("mark", ["> ", ">> ", "| ", "// ", "* ", "    "])
@pytest.mark.parametrize("form", ["json", "log", "csv", "screen"])
def test_a_file_of_ours_that_a_mail_quotes_is_read(form: str, mark: str, tmp_path: Path):
    if form == "screen":
        lines = [rendering.line(record, FIRST, FIRST) for record in found(played(parameters=SMALL))]
    else:
        lines = content(form, played(parameters=SMALL)).decode().splitlines()
    path = tmp_path / "mail.txt"
    path.write_text("".join(f"{mark}{line}\n" for line in lines))
    capture = read([str(path)])
    assert capture.found[0].form.name == form
    assert [record.raw for record in found(list(capture.items))] == [r.raw for r in found(played(parameters=SMALL))]


def test_a_log_of_the_bot_is_read():
    both = [*((0, byte, 0) for byte in b"\xaa\xb1\x02\x41\x42"), *((1, byte, 0) for byte in b"\x01\x1b")]
    assert line_bytes(again("log", BOT_LOG.encode()).items) == both


def test_the_date_of_a_log_of_the_bot_is_not_taken_for_a_part_of_a_time(tmp_path: Path):
    path = tmp_path / "bot.log"
    frames = "".join(f"{2 + i / 30:12.6f} > AA                 sync\n" for i in range(60))
    path.write_text("# seabattle bot, port a 9600 8E2, seed 82245996, 2026-11-29 17:02:31 UTC\n" + frames)
    capture = read([str(path)])
    assert capture.header.mode == "bot" and next(iter(capture.items)).at == 1795971753 * 10**6


def test_every_json_line_is_as_the_schema_says() -> None:
    schema = json.loads((ROOT / "docs" / "capture.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    items: list[Item] = [*played(), Lost(BEGAN + 10**8, "unplugged")]
    for i, text in enumerate([*(case.words for case in VIOLATIONS), *(text for _name, text in DEVIATIONS)], 2):
        items += [replace(c, at=c.at + i * 10**8) for c in written(text + " +1 m B1 02 41 +1 42 s 1B")]
    items.append(Chunk(BEGAN + 10**10, 1, b"\x77\x01", bytes((Fault.BREAK, Fault.PARITY))))
    seen: set[str] = set()
    for line in content("json", items).splitlines():
        body = json.loads(line)
        validator.validate(body)
        for key in {body["type"], *body} - seen:
            with pytest.raises(jsonschema.ValidationError):
                validator.validate(body | {key: {"odd": 1}})
        seen |= {body["type"], *body}
    records_of_schema = schema["$defs"]["record"]["properties"]
    assert seen >= {"header", "frame", "noise", "cut", "lack", "lost"} | set(records_of_schema) - {"unsure"}


# Raw dumps, and hex as people paste it.


def dumped(folder: Path, items: Sequence[Chunk]) -> list[str]:
    """Write a raw dump of each side."""
    for side in (0, 1):
        (folder / f"{side}.bin").write_bytes(b"".join(c.data for c in items if c.side == side))
    return [str(folder / "0.bin"), str(folder / "1.bin")]


def test_two_raw_dumps_are_put_into_an_order_that_makes_sense_and_of_one_nobody_is_blamed(tmp_path: Path):
    paths = dumped(tmp_path, played(parameters=SMALL))
    capture = read(paths)
    assert not capture.header.ordered
    session = Session()
    assert {r.verdict for r in records(capture, session)} == {watch.OK}
    assert session.sums.games[0].how == "shots"
    assert {(r.verdict, r.side) for r in records(read(paths[:1]), Session())} == {(watch.OK, 0)}


@pytest.mark.parametrize("name", ["3A with its nibbles as they were", "rows from 0", "A1 again in state 2"])
def test_two_raw_dumps_of_a_player_with_a_bug_accuse_nobody_else(name: str, tmp_path: Path):
    bug = next(bug for bug in bugs.BUGS if bug.name == name)
    capture = read(dumped(tmp_path, [chunk for chunks, _end in bugs.sessions(bug, range(1, 7)) for chunk in chunks]))
    assert not capture.merged
    found = list(records(capture, Session()))
    assert {r.side for r in found if r.verdict == watch.VIOLATION} <= {bug.side}
    assert [r for r in found if r.verdict or r.kind == LOST]


def test_the_same_bytes_twice_are_refused(tmp_path: Path):
    for name, data in (("a", b"\xaa\xa1\xa7"), ("b", b"\xaa\xa1\xa7"), ("c", b"\x01\x1a\x7a")):
        (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match="both have the same bytes"):
        read([str(tmp_path / "a"), str(tmp_path / "b")], "raw")
    assert read([str(tmp_path / "a"), str(tmp_path / "c")], "raw").size == 6


MERGED = OVER + "m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A m C0 01 01 s 0C s C0 02 02 m 1C s C0 02 03 m 0C m A5 s 5A"


def merged(folder: Path, items: Sequence[Chunk], told: bool = True) -> tuple[list[Record], bool]:
    """Return the records read from one dump of both sides, and whether a side was unsure. told: given as merged."""
    (folder / "both.bin").write_bytes(b"".join(c.data for c in items))
    session = Session()
    got = list(records(read([str(folder / "both.bin")], merged=told), session))
    return got, bool(session.sums.unsure)


def test_a_merged_dump_is_sorted_by_the_table_and_says_where_the_side_is_not_certain(tmp_path: Path):
    items = written(MERGED)
    got, unsure = merged(tmp_path, items)
    assert [r.side for r in got] == [r.side for r in found(items)] and not unsure
    # both may send a nick
    got, unsure = merged(tmp_path, written(MET + "s B1 01 41 m 1B m B1 01 42 s 1B"))
    assert unsure and any(r.unsure for r in got) and not any(r.verdict for r in got)


def test_what_a_guessed_side_has_done_is_no_first_time():
    guessed = BATTLE + "m C0 05 01 s 0C s A8 m 8A +30 "
    session = Session()
    sorter = Sorter(session)
    items = written(3 * guessed + BATTLE + "m C0 05 01 s 0C s C0 05 01 m A8 s 8A +30 m AA s 01")
    got = [record for item in items for record in sorter.feed(replace(item, side=0))] + sorter.finish()
    accused = [(r.unsure, r.verdict, r.maybe) for r in got if r.op == wire.BROKEN]
    assert accused == [(True, watch.OK, False)] * 3 + [(False, watch.DOUBT, True)]


def test_two_who_speak_at_once_are_told_apart(tmp_path: Path):
    """Bots probe for chat at the same moment: on one line their bytes alternate."""
    game = played(5)
    assert b"\xb3\xb3\x01\x01  " in b"".join(chunk.data for chunk in game)
    got, _ = merged(tmp_path, game, told=False)
    assert not any(r.verdict for r in got)
    for side in (0, 1):
        sent = b"".join(r.raw for r in got if r.side == side)
        assert sent == b"".join(chunk.data for chunk in game if chunk.side == side)


@pytest.mark.parametrize(
    ("before", "mixed", "frames"),
    [
        (MET, "B1 03 B1 41 02 42 43 43 44 1B 1B", ["B1 03 41 42 43", "B1 02 43 44"]),
        (MET + "s B1 01 41", "B2 1B 06 00 00 01 02", ["B2 06 00 00 01 02", "1B"]),
        (BATTLE + "m C0 01 01 s 0C", "C0 B3 03 02 05 67 67 3B 0C", ["C0 03 05", "B3 02 67 67"]),
        (BATTLE + "m C0 01 01 s 0C", "B3 C0 02 03 67 05 67 0C 3B", ["B3 02 67 67", "C0 03 05"]),
        (BATTLE + "m A8", "C0 8A 03 05", ["C0 03 05", "8A"]),
        # what ends a game does not wait for the other's shot; a damaged number is none
        (BATTLE + "m C0 01 01 s 0C", "C0 A7 03 02 7A", ["C0 03 02", "A7", "7A"]),
        (BATTLE + "m C0 01 01 s 0C", "C0 03 A6 02 6A", ["C0 03 02", "A6", "6A"]),
        (BATTLE + "m C0 01 01 s 0C", "C0 A7 03 0C", ["C0 A7 03"]),
        # the reply to a nick that its sender did not wait for
        (MET + "m B1 01 41 B2 06 00 00 01 02", "2B 1B 06 00 00 01 02", ["2B 06 00 00 01 02", "1B"]),
        # a sync inside the slave's frame, and its answer inside the master's
        (BATTLE + "m C0 01 01 s 0C", "C0 AA 03 02 01 0C", ["C0 03 02"]),
        (BATTLE + "m C0 01 01 s 0C", "C0 03 AA 02 0C 01", ["C0 03 02"]),
        (MET + "m B2 06 00 00 01 02", "2B 06 AA 00 00 01 02 01", ["2B 06 00 00 01 02"]),
        (BATTLE + "m AA", "C0 03 01 02 0C", ["C0 03 02"]),
        (BATTLE + "m AA", "C0 01 03 02 0C", ["C0 03 02"]),
        (BATTLE + "m AA", "C0 01 03 01 0C", ["C0 01 03"]),
        (BATTLE + "m AA", "C0 03 01 0C 01", ["C0 03 01"]),
        (MET, "B1 03 41 AA 42 43 01 1B", ["B1 03 41 42 43"]),
        (MET, "B1 AA 03 41 42 5A 01 1B", ["B1 03 41 42 5A"]),
        (MET + "m AA", "B1 03 41 01 42 43 1B", ["B1 03 41 42 43"]),
        (MET + "m AA", "B1 01 03 41 42 43 1B", ["B1 03 41 42 43"]),
        (MET + "m AA", "B3 01 20 01 3B", ["B3 01 20"]),
        (MET, "B1 03 41 AA 42 1B", ["B1 03 41 AA 42"]),
        (BATTLE + "m AA s 01 m", "C0 03 01 0C", ["C0 03 01"]),
        (BATTLE + "m AA", "C0 03 01", ["C0 03 01"]),
        # letters that look like the beginning of a frame
        (MET, "B1 03 B1 B1 02 1B", ["B1 03 B1 B1 02"]),
        (MET, "B1 04 B3 20 B1 20 1B", ["B1 04 B3 20 B1 20"]),
        (BATTLE, "B3 03 41 C0 42 3B C0 02 02 0C", ["B3 03 41 C0 42", "C0 02 02"]),
        # the capture ends
        (MET, "B1 03 B1 41 02 42", ["B1 03 41 42", "B1 02"]),
    ],
)
def test_two_frames_whose_bytes_alternate_are_told_from_letters(before: str, mixed: str, frames: list[str]):
    raw = b"".join(chunk.data for chunk in written(before)) + bytes.fromhex(mixed)
    for items in ([Chunk(0, 0, raw)], [Chunk(n * 1250, 0, raw[n : n + 1]) for n in range(len(raw))]):
        session = Session()
        got = list(records(Capture(Header(), items, True), session))
        raws = [record.raw.hex(" ").upper() for record in got]
        assert sum(len(record.raw) for record in got) == len(raw)
        assert [each for each in frames if each in raws] == frames, raws


def test_noise_of_opcodes_is_not_shared_out_in_ever_more_ways(monkeypatch: pytest.MonkeyPatch):
    ways = 0
    after = Tangle._after

    def counted(*args):
        nonlocal ways
        ways += 1
        return after(*args)

    monkeypatch.setattr(Tangle, "_after", counted)
    lots = random.Random(2)
    ops = [op for op in range(256) if wire.exchange(op) is not None] + [2, 3, 5, 0x41]
    noise = bytes(lots.choice(ops) for _ in range(3000))
    got = list(records(Capture(Header(), [Chunk(0, 0, noise)], True), Session()))
    assert b"".join(sorted(bytes((byte,)) for record in got for byte in record.raw)) == bytes(sorted(noise))
    assert 0 < ways < 60 * len(noise)


SESSION = [(0, 0xAA), (1, 0x01), (0, 0xB2), (0, 6), (0, 0), (0, 0), (0, 1), (0, 2), (1, 0x1B)]


@pytest.mark.parametrize(
    "text",
    [
        "m: AA\ns: 01\nm: B2 06 00 00 01 02\ns: 1B",
        "m[AA]=>s[01] m[B2,06,00,00,01,02]=>s[1B]",
        "> AA\n< 01\n> B2 06 00 00 01 02\n< 1B",
        "m -> s: AA\ns -> m: 01\nm -> s: B20600000102\ns -> m: 1B",
        "m -> s: AA\nm <- s: 01\nm -> s: B2 06 00 00 01 02\nm <- s: 1B",
        "[0.001] A> AA  sync\n[0.002] B> 01  here\n[0.010] A> B2 06 00 00 01 02  parameters\n[0.2] B> 1B  nick",
        "12:00:01.000 > AA\n12:00:01.002 < 01\n12:00:01.100 > B2 06 00 00\n12:00:01.101 > 01 02\n12:00:01.2 < 1B",
        "# pasted\n>> AA ; sync\n<< 01 // yes\n\n>> B2 06 00 00 01 02\n<< 1B",
    ],
)
def test_hex_with_directions_is_read_as_people_paste_it(text: str):
    data = text.encode()
    capture = parse(data, "hex", "it")
    assert recognise(data) in ("hex", "log")
    assert [(item.side, byte) for item in capture.items if isinstance(item, Chunk) for byte in item.data] == SESSION


def test_times_in_pasted_hex_count():
    capture = parse(b"0.0 m: AA\n0.01 s: 01\n0.02 m: A1\n0.03 s: 1A\n9.5 s: 01\n", "hex", "it")
    assert capture.header.timed
    assert found(capture.items)[-1].at - found(capture.items)[0].at == 9_500_000


# Damage.


@pytest.mark.parametrize("form", FORMS)
def test_a_capture_cut_anywhere_reads_to_the_last_whole_record(form: str):
    items = played(parameters=SMALL)[:27]
    data = content(form, items)
    sent = line_bytes(items)
    longest = 0
    for cut in [*range(0, 300, proof(3, 1)), *range(300, len(data), proof(11, 1)), len(data)]:
        capture = parse(data[:cut], form, "it") if data[:cut].count(b"\n") or (form == "pcapng" and cut > 400) else None
        if capture is None:
            continue
        back = line_bytes(capture.items)
        for side in (0, 1):
            of_side = [entry for entry in back if entry[0] == side]
            assert of_side == [entry for entry in sent if entry[0] == side][: len(of_side)]
        longest = max(longest, len(back))
        found(capture.items)
    assert longest == len(sent)


# Storing.


def kept(path: Path, form: str = "json", rotation: Rotation | None = None) -> tuple[OutputFile, list[str]]:
    complaints: list[str] = []
    return OutputFile(str(path), FORMS[form](), HEADER, rotation or Rotation(), complaints.append), complaints


def put(file: OutputFile, items: Sequence[Item], between: Callable[[], None] = lambda: None) -> None:
    """Store the records of a capture one by one."""
    for record in found(items):
        file.put(record)
        file.flush()
        between()
    file.close()


def test_a_file_that_cannot_be_opened_is_complained_of_once(tmp_path: Path):
    file, complaints = kept(tmp_path / "missing" / "x.json")
    put(file, written(MET))
    (complaint,) = complaints
    assert str(tmp_path / "missing" / "x.json") in complaint and "No such file" in complaint


@pytest.mark.skipif(os.name == "nt", reason="left out: Windows removes no file that is open")
def test_a_file_that_is_removed_is_complained_of_once(tmp_path: Path):
    file, complaints = kept(tmp_path / "x.json")
    (tmp_path / "x.json").unlink()
    for _ in range(2):
        put(file, written(MET))
    assert complaints == [f"{tmp_path / 'x.json'} is no longer written: it was removed; all else goes on"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="left out: needs /dev/full, which only Linux has")
@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_is_complained_of_once_and_others_go_on(form: str, tmp_path: Path):
    full, complaints = kept(Path("/dev/full"), form)
    good, none = kept(tmp_path / "good", form)
    keeper = storage.LogFiles([full, good])
    whole = found(played(parameters=SMALL))
    for record in whole:
        keeper.put([record])
        keeper.flush(now=True)
    keeper.close()
    assert len(complaints) == 1 and os.strerror(errno.ENOSPC) in complaints[0]
    assert keeper.failed and not none
    assert judged(parse((tmp_path / "good").read_bytes(), form, "it").items) == judged(played(parameters=SMALL))


def test_a_long_capture_rotates_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(storage.time, "monotonic", lambda: now[0])
    file, _complaints = kept(tmp_path / "x.json", rotation=Rotation.parse("10min"))
    put(file, written(MET), lambda: now.__setitem__(0, now[0] + 200))
    assert len(list(tmp_path.glob("x.*.json"))) == 1
    # a quiet line fills no file
    file, _complaints = kept(tmp_path / "y.json", rotation=Rotation.parse("10min"))
    for some in ((), (), found(written(MET))[:1], (), ()):
        for record in some:
            file.put(record)
        file.flush()
        now[0] += 3600
    assert len(list(tmp_path.glob("y.*.json"))) == 1
    for text, rotation in (
        ("10k", Rotation(size=10_000)),
        ("1.5M", Rotation(size=1_500_000)),
        ("2h", Rotation(seconds=7200)),
        ("30s", Rotation(seconds=30)),
    ):
        assert Rotation.parse(text) == rotation


# The command.


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game in a file."""
    (tmp_path / "x.json").write_bytes(content("json", played(parameters=SMALL)))
    return tmp_path / "x.json"


def test_decode_names_every_frame_and_converts_between_formats(tmp_path: Path, game: Path, seabattle: Seabattle):
    out = seabattle.told("decode --syncs", game)
    frames = [line for line in out.splitlines() if re.match(r" *\d+ +\d+\.\d+ +\+", line)]
    assert len(frames) == len(found(played(parameters=SMALL)))
    assert any("master shoots" in line for line in frames)
    targets = {form: tmp_path / f"y.{form}" for form in KEPT}
    seabattle.told("decode --report", game, *(a for f, p in targets.items() for a in (f"--{f}", p)))
    for form, path in targets.items():
        assert judged(again(form, path.read_bytes()).items) == judged(played(parameters=SMALL))


def test_check_lists_what_is_wrong_and_says_so_by_its_exit_status(tmp_path: Path, game: Path, seabattle: Seabattle):
    def checked(words: str, *more: object) -> tuple[int, str]:
        (tmp_path / "part.json").write_bytes(content("json", written(words)))
        return seabattle("decode --check", tmp_path / "part.json", *more)[:2]

    out = seabattle.told("decode --check", game)
    assert out.splitlines()[-2:] == ["everything was understood", "the session keeps the protocol"]
    for words, ends in ((OVER + "m A7 s 7A", []), ("m C0 01 01 s 0C", ["begin"]), (BATTLE, ["end"])):
        kept = tmp_path / f"kept-{ends}.json"
        status, out = checked(words, "--json", kept)
        assert status == 0
        assert [end for end in ("begin", "end") if f"the capture {end}s in the middle of a session" in out] == ends
        assert json.loads(kept.read_text().splitlines()[-1])["cut_off"] == ends
    status, out = checked(dict(DEVIATIONS)["restart-in-battle"])
    assert status == 0 and "deviation: A5 in state 4" in out
    too_early = "A4 in state 2: the slave must wait for A3"
    status, out = checked(VIOLATIONS[0].words)
    assert status == 3 and f"in doubt: {too_early} (unless a byte was lost or changed on the way)" in out
    (number,) = re.findall(r"^ *(\d+) .*in doubt", out, re.MULTILINE)
    assert out.endswith(f"cannot be said: record {number} is a fault of the slave or of the line\n")
    status, out = checked(VIOLATIONS[0].words + " m 4A m A3 s 3A")
    assert status == 1 and f"VIOLATION: {too_early}" in out
    assert out.endswith("the session broke the protocol: 1\n")
    # what cannot be written comes before any verdict
    for words in (VIOLATIONS[0].words, VIOLATIONS[0].words + " m 4A m A3 s 3A"):
        assert checked(words, "--json", tmp_path / "no" / "x.json")[0] == 2
    assert seabattle("decode", game, "--csv", tmp_path / "no" / "x.csv")[0] == 2


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("decode DIR/none", "cannot read DIR/none: No such file"),
        ("decode DIR", "cannot read DIR: Is a directory"),
        ("decode DIR/empty", "DIR/empty holds no bytes of a line"),
        ("decode DIR/x.json --log DIR/y --json DIR/y", "DIR/y is given for two logs"),
        ("decode DIR/x.json --log DIR/a.bin --json DIR/link", "DIR/link is given for two logs"),
        ("decode DIR/x.json --json DIR/x.json", "DIR/x.json is what is read, and writing would destroy it"),
        ("decode DIR/x.json DIR/a.bin --csv DIR/link", "DIR/link is what is read"),
        ("decode DIR/x.json --rotate 1M", "--rotate needs a file"),
        ("sniff /dev/tty /dev/null --log /dev/tty", "/dev/tty is what is read"),
        ("sniff a b --link c", "--link needs --virtual"),
        (
            "decode DIR/other.pcapng",
            "not 250: it was not captured from a serial line. A line over TCP is read where tshark is",
        ),
        ("decode DIR/other.json", "other.json looks like JSON without bytes of a line"),
        ("decode DIR/a.bin DIR/a.bin DIR/a.bin", "two directions: 3 are given"),
        ("decode DIR/x.json --from 5 --until 1", "--from 5 is after --until 1"),
        ("decode DIR/x.json --from 25:99", "`25:99` is no time"),
        ("sniff loop://", "give two ports"),
        ("sniff a b --one", "--one takes one port"),
        ("sniff a a", "port a is given twice"),
        ("sniff /dev/nowhere /dev/nobody", "port /dev/nowhere does not exist"),
        ("sniff a b --rotate 7parsecs", "'7parsecs' is no size like 10M"),
        ("replay DIR/x.json --port /dev/nowhere --as master", "port /dev/nowhere does not exist"),
        ("replay DIR/sync.hex --port loop:// --as slave", "does not show who is slave"),
        ("replay x --port loop:// --as slave --speed -1", "'-1' is not a number of 0 or more"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(command: str, says: str, tmp_path: Path, game: Path, seabattle):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "a.bin").write_bytes(b"\xaa\x01\xa1\xff")
    (tmp_path / "link").hardlink_to(tmp_path / "a.bin")
    (tmp_path / "sync.hex").write_text("> 77\n")
    of_serial, of_user = ((number).to_bytes(2, "little") + bytes(2) for number in (250, 147))
    (tmp_path / "other.pcapng").write_bytes(content("pcapng", []).replace(of_serial, of_user))
    (tmp_path / "other.json").write_bytes(b'{"some": "thing"}\n')
    assert says.replace("DIR", str(tmp_path)) in seabattle.refused(command.replace("DIR", str(tmp_path)))


FIRST: int = found(played(parameters=SMALL))[0].at


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (["--filter", "C0 B"], lambda r: r.op == 0xC0 and r.side == 1),
        (["--filter", "1C or 2C"], lambda r: r.op in (0x1C, 0x2C)),
        (["--filter", "not (A or sync) n<=20"], lambda r: r.side == 1 and r.op != 1 and r.number <= 20),
        (["--filter", "C0 x>=5 slave"], lambda r: r.op == 0xC0 and r.side == 1 and r.body[0] >= 5),
        (["--search", "^C0 03"], lambda r: r.raw[:2] == b"\xc0\x03"),
        (["--search", "C003"], lambda r: r.raw[:2] == b"\xc0\x03"),
        (["--filter", "c003 A"], lambda r: r.raw[:2] == b"\xc0\x03" and r.side == 0),
        (["--from", "0.5", "--until", "1.5"], lambda r: 500_000 <= r.at - FIRST <= 1_500_000),
        (["--filter", "answer", "--clock"], lambda r: not wire.is_command(r.op)),
    ],
)
def test_what_is_shown_can_be_chosen(
    options: list[str], wanted: Callable[[Record], bool], game: Path, seabattle: Seabattle
):
    out = seabattle.told("decode", game, *options)
    numbers = [int(match[1]) for line in out.splitlines() if (match := re.match(r" *(\d+) [\d:. ]+\.\d{6} ", line))]
    records = found(played(parameters=SMALL))
    assert numbers == [r.number for r in records if wanted(r)]
    assert f"{len(numbers)} of {len(records)} records shown" in out


@pytest.mark.parametrize("form", KEPT)
def test_what_a_filter_left_out_of_a_file_is_a_gap_in_it(form: str, tmp_path: Path, game: Path, seabattle: Seabattle):
    part = tmp_path / f"part.{form}"
    seabattle.told("decode --filter", "n<31 or n>32", game, f"--{form}", part)
    status, out, _err = seabattle("decode --check", part)
    assert status == 3 and "(records 31..32 are missing)" in out and "fault of" not in out


def test_a_pipe_is_called_the_standard_input(game: Path, seabattle: Seabattle, monkeypatch: pytest.MonkeyPatch):
    for command, said in (
        ("decode --report", "the standard input: "),
        ("decode --form csv", "the standard input is not "),
    ):
        with game.open() as piped:
            monkeypatch.setattr("sys.stdin", piped)
            _status, out, err = seabattle(command, "-")
        assert said in out + err and "-:" not in out


def test_one_file_goes_to_the_standard_output(
    game: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
):
    """Only the packets, so that Wireshark can read from the pipe."""
    assert cli.main(["decode", str(game), "--pcapng", "-"]) == 0
    back = list(records(parse(capfdbinary.readouterr().out, "pcapng", "it"), Session()))
    assert [(r.side, r.raw) for r in back] == [(r.side, r.raw) for r in found(played(parameters=SMALL))]
    assert cli.main(["decode", str(game), "--pcapng", "-", "--csv", "-"]) == 2
    complaint = capfdbinary.readouterr().err
    assert complaint.count(b"\n") == 1 and b"standard output" in complaint
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert cli.main(["decode", str(game), "--pcapng", "-"]) == 2
    complaint = capfdbinary.readouterr().err
    assert complaint.count(b"\n") == 1 and b"not to a terminal" in complaint


@pytest.mark.skipif(os.name != "posix", reason="left out: needs named pipes, which Windows has elsewhere")
@pytest.mark.parametrize("reader_ends", [False, True])
def test_a_reader_that_leaves_is_told_unless_it_ends_the_capture(reader_ends: bool, tmp_path: Path):
    """As when Wireshark stops a capture of its own."""
    language.use("en")
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    complaints: list[str] = []
    kept = OutputFile(fifo, FORMS["json"](), HEADER, Rotation(), complaints.append, reader_ends=reader_ends)
    os.close(reader)
    for record in found(played(parameters=SMALL)):
        kept.put(record)
    kept.close()
    said = f"{fifo} is no longer written: Broken pipe; all else goes on"
    assert kept.failed and complaints == ([] if reader_ends else [said])


def test_a_capture_that_its_reader_ends_lacks_nothing(tmp_path: Path):
    """Wireshark stores what it has read so far, without our closing record."""
    kept = OutputFile(str(tmp_path / "x"), FORMS["pcapng"](), HEADER, Rotation(), str, reader_ends=True)
    for record in found(played(parameters=SMALL)):
        kept.put(record)
    kept.flush()
    items = list(read([str(tmp_path / "x")]).items)
    assert items and not any(isinstance(item, Lost) for item in items)
    kept.close()
    assert list(read([str(tmp_path / "x")]).items) == items


@pytest.mark.parametrize(
    ("began", "at", "taken"),
    [("10:00", "23:59:30", True), ("10:00", "24:00:30", True), ("10:00", "10:00", False), ("23:50", "24:00:30", True)],
)
def test_a_span_of_times_of_day_may_have_midnight_in_it(began: str, at: str, taken: bool):
    def us(text: str) -> int:
        hours, minutes, seconds = map(int, f"{text}:0".split(":")[:3])
        return BEGAN // DAY * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1_000_000

    record = replace(found(played(parameters=SMALL))[0], at=us(at))
    assert RecordFilter.of(None, "23:59:00", "00:01:00", None).takes(record, us(began)) == taken


@pytest.mark.parametrize(
    "words", ["", "foo", "(A", "A)", "or", "not", "A or", "zz>3", "(" * 5000 + "A", "A and", "n=1.2.3", "A n=1..5"]
)
def test_a_filter_that_makes_no_sense_is_refused_in_one_line(words: str, game: Path, seabattle: Seabattle):
    complaint = seabattle.refused("decode --filter", words, game)
    told = "in the filter `n=1.2.3` has no number" if words == "n=1.2.3" else "the filter does not know"
    told = "`n>=2 n<=5` for several" if words == "A n=1..5" else told
    assert ("the filter ends where" if words in ("", "(A", "not", "A or", "A and") else told) in complaint
