"""Words: letters between players and the wire, names of cells, every event in English and in Russian."""

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle import link, watch, wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.language import catalogue, codes, messages, text, words
from seabattle_host.player.runner import Event
from seabattle_host.sniff import dissector, form_writers

pytestmark = pytest.mark.usefixtures("english")


def constants(module: object, prefix: str) -> dict[int, str]:
    return {value: name for name, value in vars(module).items() if re.fullmatch(prefix + "[A-Z_0-9]+", name)}


def test_everything_that_can_happen_is_in_the_tables():
    opcodes = {row[column] for row in wire.TABLE for column in (wire.OPCODE, wire.REPLY)}
    assert set(words.FRAMES) == opcodes | {op for op, _name in wire.SHOT_REPLIES}
    assert set(codes.EVENTS) == set(constants(link, "EV_")) - {link.EV_NONE}
    assert len(codes.EVENTS) == link.EVENTS - 1
    assert set(codes.REASONS) == set(constants(wire, "R_")) | set(constants(watch, "R_"))
    assert set(words.ROLES) == {wire.NOBODY, wire.MASTER, wire.SLAVE, wire.AUTO}
    states = {state for state in range(10) if any((row[wire.STATES] >> state) & 1 for row in wire.TABLE)}
    assert states | {link.BROKEN_OFF} <= set(words.STATES)
    assert set(words.REFUSALS) == {link.NOT_NOW, link.NOT_YOURS, link.OUT_OF_RANGE, link.NO_CHAT}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_event_reason_and_verdict_has_words(language: str):
    unseen = {watch.OK, watch.NOISE, watch.FOLLOWS}
    keys = [*words.EVENTS.values(), *words.REASONS.values()]
    keys += [name for code, name in codes.VERDICTS.items() if code not in unseen]
    there = vars(catalogue.load(language))["_catalog"]
    assert [key for key in keys if not there.get(key)] == []


def test_wireshark_has_the_watcher_and_all_it_needs_and_the_names_of_the_log():
    script = dissector.source()
    for name in ("watch.Watch", "wire.Reader", "radar.Radar", "fleet.Fleet", "timing.TickTimer"):
        assert f"{name} = class(" in script
    for name, table in (("REASON_NAMES", codes.REASONS), ("VERDICTS", codes.VERDICTS), ("KINDS", codes.KINDS)):
        line = re.search(rf"local {name} = {{(.*)}}", script)[1]
        assert {int(code): name for code, name in re.findall(r'\[(\d+)\]="(\w+)"', line)} == table
    assert codes.KINDS.items() < form_writers.KINDS.items()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_event_can_be_told(language: str):
    words.use(language)
    for code in words.EVENTS:
        result = code == link.EV_OVER
        line = words.event(
            code, link.WE_WON if result else wire.SHOT, link.BY_SHOTS if result else wire.R_TURN, x=2, y=7
        )
        assert line and "{" not in line


def test_events_in_words():
    assert words.event(link.EV_ANSWER, wire.SUNK, x=2, y=7, answer=wire.SUNK) == "our shot at B7: sunk"
    assert words.event(link.EV_SHOT, 1, 10, x=1, y=10, answer=wire.MISS) == "their shot at A10: miss"
    assert words.event(link.EV_MET, role=wire.SLAVE) == "met the master"
    assert words.event(link.EV_OVER, link.WE_LOST, link.BY_SURRENDER) == "game over: lost, we surrendered"
    assert "'shot'" not in words.event(link.EV_TIMEOUT, 0)
    assert "'shot at B7'" in words.event(link.EV_TIMEOUT, wire.SHOT, x=2, y=7)
    assert "'place your ships'" in words.event(link.EV_TIMEOUT, wire.PLACE)
    assert words.event(link.EV_BROKEN, wire.SLAVE_READY, wire.R_STATE).endswith("not allowed in this state")
    for x, y, said in (
        (0, 3, "'shot at (0,3)': a shot at column or row 0: it counts from 0, not from 1"),
        (0, 0, "'shot at (0,0)': a shot at column or row 0: it counts from 0, not from 1"),
        (200, 3, "'shot at (200,3)': a shot off the field"),
        (11, 0, "'shot at (11,0)': a shot off the field"),
    ):
        told = bytes((link.EV_BROKEN, wire.SHOT, wire.R_CELL, wire.SLAVE, x, 0, 0, y))
        assert Event.from_details(told).words().endswith(said)
    words.use("ru")
    assert words.event(link.EV_ANSWER, wire.SUNK, x=2, y=7, answer=wire.SUNK) == "наш выстрел Б7: убил"


def test_frames_in_words_also_those_that_were_cut():
    assert words.frame(wire.SHOT, b"\x02\x07") == "shot at B7"
    assert words.frame(wire.PARAMS, b"\x0a\x01\x02\x03\x04") == "parameters 10x10, fleet 1,2,3,4"
    assert words.frame(wire.PARAMS, b"\x0a\x41\x32\x23\x14") == "parameters 10x10, fleet 1,2,3,4"
    assert words.frame(wire.CHAT, "Привет".encode("cp866")) == "chat: Привет"
    assert words.frame(0x55) == "noise"
    assert all(words.frame(op) for op in words.FRAMES)


def test_a_person_is_told_what_a_session_waits_for():
    master, slave, either = Link(wire.MASTER, Rng(1)), Link(wire.SLAVE, Rng(1)), Link(wire.AUTO, Rng(1))
    assert words.waiting(master) == "sending sync, nobody answers yet"
    assert words.waiting(slave) == "waiting for a master's sync"
    assert words.waiting(either) == "listening for a master"
    for byte in b"\xaa\xa1":
        slave.rx(byte)
    assert words.waiting(slave) == "met; waiting for the master's parameters"
    master.rx(0x01)
    assert words.waiting(master) == "waiting for the reply to 'we have met'"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "ru_RU", "LANG": "C"}, "ru"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert messages.environment() == language
    words.use(None)
    assert messages.russian() == (language == "ru")


@pytest.mark.parametrize(
    ("russian", "ascii_letters"),
    [
        ("Вася", "Vasya"),
        ("ЩУКА", "ShchUKA"),
        ("объём", "obem"),
        ("Ёж", "Ezh"),
        ("René Müller", "Rene Muller"),
        ("plain A-1", "plain A-1"),
        ("«да» — №1", '"da" - No1'),
    ],
)
def test_transliteration(russian: str, ascii_letters: str):
    assert text.transliterate(russian) == ascii_letters


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="".join(bytes(range(32, 127)).decode() + bytes(range(0x80, 0xF2)).decode("cp866"))))
def test_chat_letters_of_code_page_866_arrive_as_they_were_sent(line: str):
    frames = text.encode_chat(line)
    assert all(1 <= len(frame) <= wire.TEXT_MAX for frame in frames)
    arrived = " ".join(text.decode(frame) for frame in frames)
    if all(len(word.encode("cp866")) <= wire.TEXT_MAX for word in line.split()):
        assert arrived == " ".join(line.split())


@pytest.mark.parametrize(
    ("typed", "frames"),
    [
        # a word longer than a frame is cut at the frame's end
        ("я" * (wire.TEXT_MAX + 5), ["я" * wire.TEXT_MAX, "яяяяя"]),
        # spaces would be a probe
        ("   ", []),
        # letters missing from the code page
        ("naïve – ok", ["naive - ok"]),
        # what Python decodes typed letters to in the C locale
        ("Привет".encode().decode("ascii", "surrogateescape"), ["Привет"]),
        ("Привет", ["Привет"]),
    ],
    ids=["long", "spaces", "foreign", "plain locale", "Russian"],
)
def test_what_is_sent_of_a_chat(typed: str, frames: list[str]):
    assert [frame.decode("cp866") for frame in text.encode_chat(typed)] == frames


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_whatever_somebody_typed_is_shown_in_one_line(line: str):
    shown = text.in_one_line(line)
    assert shown.isprintable() and (shown == line) == line.isprintable()


def test_of_a_word_without_an_end_both_ends_are_shown():
    shown = text.in_one_line(f"seed {'7' * 5000}x is no number; see /{'folder/' * 20}file")
    assert len(shown) < 500 and "777..." in shown and shown.endswith(f"7x is no number; see /{'folder/' * 20}file")


@pytest.mark.parametrize(
    ("received", "shown"),
    [(b"Ivan\x00\x00", "Ivan"), (b"Ivan      ", "Ivan"), ("Аня".encode("cp866"), "Аня"), (b"\x1b[2Jx\x07", "·[2Jx·")],
)
def test_received_letters_are_safe_to_show(received: bytes, shown: str):
    assert text.decode(received) == shown


@settings(deadline=None, derandomize=True)
@given(st.binary(max_size=255))
def test_whatever_is_received_can_be_shown(received: bytes):
    assert text.decode(received).isprintable()


def test_a_terminal_without_russian_letters_gets_them_transliterated():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="surrogateescape")
    text.make_printable(stream)
    print("бой: наш выстрел Б7 ♞", file=stream, flush=True)
    assert raw.getvalue() == b"boy: nash vystrel B7 \\u265e\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "koi8-r", "cp866"])
def test_the_frames_of_a_screen_keep_their_width_in_any_encoding(encoding: str):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    text.make_printable(stream)
    lines = ("╭─ who ──╮", "│ ▐●▌ A ▇│", "│ ◂ 10 ▸ │", "┏━━━━━━━━┓", "╰────────╯")
    for line in lines:
        print(line, file=stream, flush=True)
    shown = raw.getvalue().decode(encoding).splitlines()
    assert [len(line) for line in shown] == [len(line) for line in lines]
    assert "who" in shown[0]


@pytest.mark.parametrize(
    ("x", "y", "english", "russian"),
    [(1, 1, "A1", "А1"), (2, 7, "B7", "Б7"), (9, 10, "I10", "И10"), (10, 3, "J3", "К3")],
)
def test_names_of_cells(x: int, y: int, english: str, russian: str):
    assert text.cell_name(x, y) == english
    assert text.cell_name(x, y, russian=True) == russian
    assert text.parse_cell(english, 10) == text.parse_cell(russian, 10) == (x, y)
    # every column of the largest field has a letter in both alphabets
    assert len(set(text.COLUMNS_EN)) == len(set(text.COLUMNS_RU)) == 26 and not set("ЁЙ") & set(text.COLUMNS_RU)


@pytest.mark.parametrize("typed", ["b7", "B 7", "b-7", "7b", "7 - B", " Б7", "7-б"])
def test_a_cell_may_be_typed_in_many_ways(typed: str):
    assert text.parse_cell(typed, 10) == (2, 7)


@pytest.mark.parametrize("typed", ["", "B", "7", "B0", "B11", "K1", "Й1", "BB7", "B7x", "7B7", "!7", "B²"])
def test_what_names_no_cell(typed: str):
    assert text.parse_cell(typed, 10) is None
