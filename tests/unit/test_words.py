"""Everything that can happen has words, in English and in Russian."""

import re

import pytest

from seabattle import link, watch, wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.language import catalogue, codes, messages, words
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
    ):
        told = bytes((link.EV_BROKEN, wire.SHOT, wire.R_CELL, wire.SLAVE, x, 0, 0, y))
        assert Event.told(told).words().endswith(said)
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
