"""Faults injected by the relay: what arrives, what is stored, and that no player is judged by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host.errors import UserError
from seabattle_host.sniff import fault_injection
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.record import LOST
from seabattle_host.sniff.session import Session
from tests import needs
from tests.calls import Seabattle
from tests.captures import MASTER_READY
from tests.command import Command
from tests.e2e.test_sniff_lines import Device, relayed, stop

pytestmark = pytest.mark.usefixtures("english")


def passed(rule: str, *frames: tuple[int, str], seed: int = 0) -> list[str]:
    """Return the forwarded bytes of each frame, in hex."""
    faults = fault_injection.FaultInjector([fault_injection.parse_rule(rule)], seed)
    return [p.data.hex(" ").upper() for side, words in frames for p in faults.feed(side, bytes.fromhex(words))]


def test_each_kind_of_fault_changes_what_it_says_and_nothing_else():
    frames = ((0, "AA"), (1, "01"), (0, "C0 02 03"), (1, "0C"), (1, "C0 01 01"), (0, "0C"))
    usual = [words for _side, words in frames]
    assert passed("drop B 0C", *frames) == [*usual[:3], "", *usual[4:]]
    assert passed("drop 0C nth=2", *frames) == [*usual[:5], ""]
    assert passed("double A C0", *frames) == [*usual[:2], "C0 02 03 C0 02 03", *usual[3:]]
    assert passed("flip A C002 byte=1 bit=0", *frames) == [*usual[:2], "C0 03 03", *usual[3:]]
    assert passed("replace B 0C with=1C", *frames) == [*usual[:3], "1C", *usual[4:]]
    assert passed("insert A AA with=55", *frames) == ["AA 55", *usual[1:]]
    for rule in ("drop p=0", "drop p=1e-9", "drop x=3", "drop 0C x=2", "drop y=255"):
        assert passed(rule, *frames) == usual
    assert passed("drop y=3", *frames) == passed("drop C0 x=2", *frames) == [*usual[:2], "", *usual[3:]]
    assert passed("flip byte=1 bit=0", *frames) == ["AA", "01", "C0 03 03", "0C", "C0 00 01", "0C"]
    assert passed("insert master AA with=55", *[(1 - side, words) for side, words in frames]) == ["AA 55", *usual[1:]]
    assert passed("drop slave", *frames) == [usual[0], "", usual[2], "", "", usual[5]]
    one, again, two = (passed("drop A p=0.5", *[(0, "AA")] * 200, seed=seed) for seed in (1, 1, 2))
    assert one == again != two
    met = ((0, "AA"), (1, "01"), (0, "A1"), (1, "1A"), (0, "B1 01 41"))
    assert passed("drop A B1 state=1", *met)[-1] == "" and passed("drop A B1 state=2", *met)[-1] == "B1 01 41"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("insert B AA with=55", "AA comes from the master only; a rule may also name master or slave"),
        ("drop A 01", "01 comes from the slave only"),
        ("drop A A7", "no such frame came"),
        ("drop A nth=9", "frames that match: 2, but none by its number"),
        ("drop A nth=2", ""),
    ],
)
def test_a_rule_that_was_never_applied_is_named(rule: str, told: str):
    faults = fault_injection.FaultInjector([fault_injection.parse_rule(rule)])
    for side, byte in ((0, 0xAA), (1, 0x01), (0, 0xA1)):
        faults.feed(side, bytes((byte,)))
    lines = faults.unused()
    assert [told in line and rule in line for line in lines] == [True] * bool(told)


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("break A", "'break' is none of drop"),
        ("drop C", "'C' is not understood"),
        ("drop A B", "'B' is one sender, or one frame, too many"),
        ("drop master A", "'A' is one sender, or one frame, too many"),
        ("drop C0 nth=1 0C", "'0C' is one sender, or one frame, too many"),
        ("drop A nth=\u0663", "is not understood"),
        ("drop A 0", "'0' is not understood"),
        ("drop p=2", "'p=2' is not understood"),
        ("flip bit=9", "'bit=9' is not understood"),
        ("flip A C0 byte=257", "'byte=257' is not understood"),
        ("drop A C0 nth=0", r"'nth=0' is not understood; possible: nth=1\.\.999999$"),
        ("drop A C0 z=3", "'z=3' is not understood; possible: A, B, master, slave, HEX, nth=.*y=0..255$"),
        ("drop C0 x=256", "'x=256' is not understood"),
        *((f"drop p={p}", "possible: p=0..1$") for p in ("nan", "-1", "1e3", ".", "1,5", "")),
        ("drop A C0 nth=1 nth=2", "'nth' is given twice"),
        ("drop state=7", "'state=7' is not understood"),
        ("drop A with=55", "'with=55' is not understood"),
        ("double A ms=5", "'ms=5' is not understood"),
        ("", "'' is none of drop"),
        ("replace A 0C", "lacks with=HEX"),
        ("delay A 0C", "lacks ms="),
        ("delay A ms=99999", r"'ms=99999' is not understood; possible: ms=1\.\.60000$"),
    ],
)
def test_what_is_no_rule_is_refused_in_one_line(rule: str, told: str):
    with pytest.raises(UserError, match=told):
        fault_injection.parse_rule(rule)


def test_a_file_of_rules_is_read_as_windows_writes_it_and_a_bad_line_is_named(tmp_path: Path):
    path = tmp_path / "faults"
    path.write_bytes(b"\xef\xbb\xbfdrop B 2C nth=1\r\n# a remark\r\n\r\nC0 A flip\r\n")
    with pytest.raises(UserError, match=r"faults:4: 'C0 A flip' is no fault"):
        fault_injection.read_rules((), str(path))
    path.write_bytes(b"\xef\xbb\xbfdrop B 2C nth=1 # once\r\n")
    (rule,) = fault_injection.read_rules((), str(path))
    assert (rule.action, rule.side, rule.begins, rule.nth) == ("drop", 1, b"\x2c", 1)
    assert fault_injection.parse_rule("flip A c0 03 01 byte=1").begins == b"\xc0\x03\x01"
    assert fault_injection.parse_rule("insert A C0 With=77 00 aa nth=2").put == b"\x77\x00\xaa"
    for nothing, told in ((b"# no rule\n", "has no fault"), (b"\xff\xfe\x00", "no text in UTF-8")):
        path.write_bytes(nothing)
        with pytest.raises(UserError, match=told):
            fault_injection.read_rules((), str(path))


def test_faults_need_a_relay(seabattle: Seabattle):
    assert "relay between two ports" in seabattle.refused("sniff --one x --harm", "drop A")


@needs.PTYS
def test_a_fault_arrives_is_kept_as_ours_and_accuses_nobody(tmp_path: Path):
    one, two = Device(), Device()
    rules = tmp_path / "rules.txt"
    rules.write_text(
        "# the answer to the first shot\nreplace B 0C with=1C nth=1\ninsert B AA with=77\n", encoding="utf-8"
    )
    kept = tmp_path / "x.json"
    command = ("sniff", one.url, two.url, "--harm-file", str(rules), "--json", str(kept), "--lang", "en")
    with Command(*command) as sniffer:
        sniffer.line("9600")
        relayed((one, two), MASTER_READY + "s A4 m C0 01 01")
        two.write(b"\x0c")
        assert one.read(1) == b"\x1c"
        relayed((one, two), "m C0 01 02 s A8")  # believes that it has hit
        status, out, err = stop(sniffer)
    assert (status, err) == (0, "")
    assert "the fault 'insert B AA with=77' was never made: AA comes from the master only" in out
    found = list(records(read([str(kept)]), Session()))
    assert any(
        r.kind == LOST and "our own fault: replace B 0C with=1C nth=1: 1C instead of 0C" in r.text for r in found
    )
    assert not [r for r in found if r.verdict == watch.VIOLATION]
    with Command("decode", "--check", str(kept)) as check:
        status, out, _err = check.finish()
    last = out.splitlines()[-1]
    assert status == 3 and "the relay itself injected a fault at record 14 (replace B 0C with=1C nth=1: 1C" in last
    with Command("decode", str(kept)) as decode:
        _status, out, _err = decode.finish()
    assert "our own fault: replace B 0C" in out and "bytes are missing" not in out
    one.close()
    two.close()


def test_where_every_frame_was_harmed_nobody_is_said_never_to_have_met(tmp_path: Path, seabattle: Seabattle):
    kept = tmp_path / "x.json"
    lines = ['{"type":"header","format":"seabattle-capture","version":1}']
    for n, (side, raw) in enumerate((("A", "AA"), ("B", "01"), ("A", "A1"), ("B", "1A")) * 2):
        lines.append(f'{{"type":"frame","at":{n * 20_000 + 1},"side":"{side}","raw":"{raw}"}}')
        lines.append(
            f'{{"type":"lost","at":{n * 20_000 + 2},"why":"our own fault: double: {raw} {raw} instead of {raw}"}}'
        )
    kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, out, _err = seabattle("decode --check", kept)
    assert status == 3 and "the relay itself injected faults, the first at record 2 (double: AA AA" in out
