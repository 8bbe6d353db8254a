"""Real Wireshark and real sigrok on recorded sessions: they show the watcher's frames and faults."""

from __future__ import annotations

import json
import os
import select
import struct
import subprocess
import tty
from pathlib import Path

import pytest

from seabattle import watch, wire
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.sniff import dissector, rendering
from seabattle_host.sniff import sigrok as analyser
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.form_writers import PcapngForm
from seabattle_host.sniff.reading import Capture, parse
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from tests import needs
from tests.calls import Seabattle
from tests.captures import BATTLE, BEGAN, DEVIATIONS, OVER, VIOLATIONS, played, wave, written
from tests.command import SOON, Command
from tests.sizes import proof

needs_tshark = needs.program("tshark")
needs_sigrok = needs.program("sigrok-cli")


pytestmark = pytest.mark.usefixtures("english")


IN_PIECES = BATTLE + "m C0 02 +2 06 s 1C"


def everything() -> list[Item]:
    """Return all hand-written sessions in one capture, each after a gap that resets the watcher, and a game."""
    items: list[Item] = list(played())
    at = items[-1].at
    own = (OVER + "m A7 s 7A", IN_PIECES)
    for text in (*(case.words for case in VIOLATIONS), *(text for _name, text in DEVIATIONS), *own):
        at += 10**6
        items.append(Lost(at, "next"))
        shift = at + 10**6 - BEGAN
        items += [Chunk(c.at + shift, c.side, c.data) for c in written(text)]
        at = items[-1].at
    return items


def pcapng(items: list[Item]) -> bytes:
    form = PcapngForm()
    return form.head(Header(("a", "b"), "9600 8E2", "relay", BEGAN)) + b"".join(map(form.record, Session().run(items)))


def seen(data: bytes) -> list[Record]:
    """Return the watcher's records of the file, without those that only report missing bytes."""
    return [r for r in Session().run(parse(data, "pcapng", "it").items) if r.kind <= watch.LACK]


def run(command: list[str], places: dict[str, str]) -> tuple[str, str]:
    """Run a program that must succeed; return its output and standard error. places: variables of the environment."""
    env = {**os.environ, **places, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def tshark(folder: Path, capture: bytes, *options: str) -> str:
    (folder / "x.pcapng").write_bytes(capture)
    (folder / "seabattle.lua").write_text(dissector.source(), encoding="utf-8")
    command = ["tshark", "-r", str(folder / "x.pcapng"), "-X", f"lua_script:{folder / 'seabattle.lua'}"]
    # A decoder installed in the user's folder would be a second one of the same name.
    places = {"HOME": str(folder), "WIRESHARK_CONFIG_DIR": str(folder / "settings")}
    out, err = run([*command, "-d", "rtacser.data,seabattle", *options], places)
    assert "Lua" not in err, err
    return out


def sent(capture: Capture) -> list[bytes]:
    """Return the bytes of each side."""
    chunks = [item for item in capture.items if isinstance(item, Chunk)]
    return [b"".join(chunk.data for chunk in chunks if chunk.side == side) for side in (0, 1)]


def fields(out: str) -> list[dict[str, str]]:
    """Return the dissector's frames in order, from tshark's JSON; several of a packet are separate."""
    found = []
    for packet in json.loads(out, object_pairs_hook=lambda pairs: pairs):
        layers = dict(dict(packet)["_source"])["layers"]
        for name, layer in layers:
            if name == "seabattle":
                found.append({key.rpartition(".")[2]: value for key, value in layer if isinstance(value, str)})
    return [frame for frame in found if "kind" in frame]


@needs_tshark
def test_tshark_names_every_frame_of_a_game_both_ends_and_links_replies_to_their_commands(tmp_path: Path):
    data = pcapng(list(played()))
    names = ("seabattle.name", "seabattle.verdict", "_ws.col.Info", "_ws.col.Source", "_ws.col.Destination")
    columns = ("frame.number", "seabattle.request_in", "seabattle.response_in", *names)
    options = [word for name in columns for word in ("-e", name)]
    # given once more, as if it were installed too
    again = ("-X", f"lua_script:{tmp_path / 'seabattle.lua'}")
    out = tshark(tmp_path, data, "-2", "-R", "frame", "-T", "fields", *options, *again)
    records = seen(data)
    # one packet a frame, and each describes itself in the list
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[3:5] for row in rows] == [[words.frame_name(r.op), "ok"] for r in records]
    assert sum("shot at" in row[5] for row in rows) == sum(r.op == 0xC0 for r in records)
    ends = {0: ["A master", "B slave"], 1: ["B slave", "A master"]}
    assert [row[6:] for row in rows] == [ends[r.side] for r in records]
    answered = {row[0]: row[2] for row in rows if row[2]}
    assert {row[1]: row[0] for row in rows if row[1]} == answered
    assert len(answered) == len(rows) // 2


@needs_tshark
def test_the_dissector_finds_exactly_what_the_watcher_finds(tmp_path: Path):
    data = pcapng(everything())
    # Later rulings are known in the second pass.
    exported = tshark(tmp_path, data, "-2", "-R", "frame", "-T", "json")
    # the bytes are in the export, too
    read_back, whole = (
        sent(parse(raw, form, "it")) for raw, form in ((exported.encode(), "objects"), (data, "pcapng"))
    )
    assert read_back == whole and all(whole)
    frames = fields(exported)
    kinds = {watch.FRAME: "frame", watch.STRAY: "noise", watch.CUT: "cut", watch.LACK: "lack"}
    verdicts = {watch.OK: "ok", watch.DEVIATION: "deviation", watch.VIOLATION: "violation", watch.NOISE: "noise"}
    verdicts |= {watch.DOUBT: "doubt", watch.FOLLOWS: "follows"}

    def told(r: Record) -> tuple[str, str, str, str]:
        why = words.reason(r.reason) if r.reason else ""
        if r.reason == wire.R_STATE:
            why = words.not_allowed(r.op, r.state).format(who=rendering.the_side(r.side, r.role))
        return "AB"[r.side], kinds[r.kind], verdicts[r.verdict], why

    expected = []
    for r in seen(data):
        # what the session joins into one record of noise is a byte each here
        count = len(r.raw) if r.kind == watch.STRAY else 1
        # and what the end of the capture has cut off is nobody's fault
        expected += [told(r)] * count
    found = [(f["side"], f["kind"], f["verdict"], f["wrong"].split(": ", 1)[1] if "wrong" in f else "") for f in frames]
    assert found == expected
    violations = sum(f["verdict"] == "violation" for f in frames)
    assert sum(f["verdict"] in ("violation", "doubt") for f in frames) >= len(VIOLATIONS) > violations > 0
    shown = tshark(tmp_path, data, "-2", "-R", "frame", "-V", "-P")
    assert shown.count("[Expert Info (Error/Protocol): ") == shown.count(" [violation: ") == violations
    # a frame in pieces is put together
    assert "part of a frame" in shown and "B6" in shown


@needs_tshark
def test_wireshark_captures_from_a_line_by_itself(tmp_path: Path):
    """tshark finds the program, passes it the options and gets packets while the line is live, all at once."""
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"), "LC_ALL": "C.UTF-8"}
    for command in ("wireshark", "extcap"):
        with Command(command, "--install", **home) as installing:
            status, out, err = installing.finish()
        assert (status, err) == (0, "") and str(tmp_path) in out
    ends = [os.openpty() for _ in "ab"]
    for _ours, theirs in ends:
        tty.setraw(theirs)
    names = [os.ttyname(theirs) for _ours, theirs in ends]
    asked = [word for x, name in zip("ab", names, strict=True) for word in ("-o", f"extcap.seabattle.port{x}:{name}")]
    shark = subprocess.Popen(
        ["tshark", "-l", "-i", "seabattle", *asked, "-Y", "seabattle.op == 0xa1", "-T", "fields", "-e", "seabattle.op"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **home},
    )
    try:
        assert shark.stdout is not None
        for _ in range(int(SOON * 10)):
            # nothing is recorded before the port is open
            os.write(ends[0][0], b"\xaa\xa1")
            if select.select([shark.stdout], [], [], 0.1)[0]:
                break
        assert shark.stdout.readline() == b"0xa1\n"
        assert select.select([ends[1][0]], [], [], SOON)[0] and b"\xa1" in os.read(ends[1][0], 1000)
    finally:
        shark.terminate()
        shark.wait(SOON)
        for pair in ends:
            for end in pair:
                os.close(end)


def test_the_printed_dissector_is_the_generated_one(seabattle: Seabattle):
    assert seabattle.told("wireshark") == dissector.source()


def sigrok(folder: Path, items: list[Chunk], wanted: str) -> list[str]:
    """Return the annotations of the installed decoder on a capture's waveforms."""
    wires = wave(items)
    (folder / "wires.bin").write_bytes(wires.samples)
    analyser.install(folder / "decoders")
    read = ("-i", str(folder / "wires.bin"), "-I", f"binary:numchannels=2:samplerate={wires.rate}")
    shown = ("-P", "uart:rx=0:tx=1:baudrate=9600:parity=even,seabattle", "-A", f"seabattle={wanted}")
    out, err = run(["sigrok-cli", *read, *shown], {"SIGROKDECODE_DIR": str(folder / "decoders")})
    assert not err, err
    return [line.partition(": ")[2] for line in out.splitlines()]


@needs_sigrok
def test_sigrok_decodes_the_wires_of_a_game_to_the_same_frames(tmp_path: Path):
    items = played()
    expected = [f"{words.role(r.role)}: {words.frame(r.op, r.body)}" for r in Session().run(items)]
    # and nothing else
    found = sigrok(tmp_path, items, "frame-a:frame-b:violation:deviation:noise")
    # both directions at once: sigrok works byte by byte, so only the order within one direction is certain
    assert len(found) == len(expected)
    for role in ("master: ", "slave: "):
        assert [f for f in found if f.startswith(role)] == [e for e in expected if e.startswith(role)]


@needs_sigrok
@pytest.mark.parametrize(
    # errors are found by the shared code, which other tests check in full
    "case",
    [case for case in VIOLATIONS if "+" not in case.words][:: proof(6, 1)],
    ids=lambda case: case.name,
)
def test_sigrok_shows_the_violations(case, tmp_path: Path):
    (found,) = sigrok(tmp_path, written(case.words), "violation:doubt")
    assert (case.says.partition(": ")[2] if case.reason == wire.R_STATE else words.reason(case.reason)) in found


def of_tcp(chunks: list[tuple[int, int, bytes]]) -> bytes:
    """Return a pcap of raw IP packets: the time, the port that sends to the next one, and the data."""
    out = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    sent: dict[int, int] = {}
    for at, port, data in chunks:
        head = struct.pack(">HHIIBBHHH", port, port ^ 1, sent.get(port, 1), sent.get(port ^ 1, 1), 0x50, 0x18, 99, 0, 0)
        sent[port] = sent.get(port, 1) + len(data)
        length = 40 + len(data)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 0, 0, 64, 6, 0, b"\x7f\0\0\1", b"\x7f\0\0\1")
        out += struct.pack("<IIII", at // 10**6, at % 10**6, length, length) + ip + head + data
    return out


@needs_tshark
def test_a_line_over_tcp_is_read_from_a_capture_of_the_network():
    game = list(played(2))
    web = [(BEGAN, 8080, b"GET / HTTP/1.1\r\n\r\n"), (BEGAN, 8081, b"HTTP/1.1 200 OK\r\n\r\n" * 200)]
    capture = parse(of_tcp(web + [(item.at, 47112 + item.side, item.data) for item in game]), "pcap", "it")
    assert list(capture.items) == game and capture.header.names == ("TCP 47112", "TCP 47113")
    assert "others: 1" in capture.found[0].form.forced(capture.found[0].source).why
    with pytest.raises(UserError, match="none of the 1 TCP connections"):
        parse(of_tcp(web), "pcap", "it")
