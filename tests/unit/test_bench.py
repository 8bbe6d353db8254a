"""The benchmarks: each still runs, and its results are stored, shown and shown again."""

from __future__ import annotations

import importlib
import json
import math
import statistics
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

from tests import bench, captures
from tests.bench import __main__ as command
from tests.bench import bench_gunner, bench_wire, page, textbook
from tests.sizes import proof

ELSEWHERE = {"board"}
"""Measured and asserted over whole games in tests/pico."""
DEAR = {"club", "engines", "growth", "sizes"}
"""Take seconds each and repeat other tests: run only in the full size, otherwise checked for their types."""
BY_THE_COMMAND = {"gunner", "wire"}
LEFT_OUT = ELSEWHERE | BY_THE_COMMAND | (set() if proof(0, 1) else DEAR)
NAMES = sorted({path.stem.removeprefix("bench_") for path in command.HERE.glob("bench_*.py")} - LEFT_OUT)

CANNOT_BE_HAD = ("is the network there?", "cannot fetch", "npm is needed")
"""How a benchmark reports that a tool it needs is not available here."""


def kept(path: Path) -> dict[str, page.Section]:
    return page.load(path.with_suffix(".json"))


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_measured_and_drawn(name: str, tmp_path: Path):
    module = importlib.import_module(f"tests.bench.bench_{name}")
    try:
        figures = list(module.figures(quick=True))
    except Exception as failure:
        if any(words in str(failure) for words in CANNOT_BE_HAD):
            pytest.skip(f"left out: {failure}")
        raise
    assert figures and all(math.isfinite(figure.value) for figure in figures)
    drawing = tmp_path / "drawing.svg"
    if page.draw(name, figures, drawing):
        xml.etree.ElementTree.parse(drawing)


def test_what_was_measured_is_shown_and_shown_again(tmp_path: Path):
    path = tmp_path / "figures.md"
    assert command.main([*BY_THE_COMMAND, "--quick", "--write", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    for section in kept(path).values():
        assert section.failure == "" and section.heading in text and section.machine in text
        assert section.figures and all(page.row(figure) in text for figure in section.figures)
        assert all(math.isfinite(figure.value) for figure in section.figures)
    drawings = list(tmp_path.glob("*.svg"))
    assert drawings and all(f"({drawing.name})" in text for drawing in drawings)
    for drawing in drawings:
        xml.etree.ElementTree.parse(drawing)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for file in tmp_path.iterdir():
        if file.suffix != ".json":
            file.unlink()
    assert command.main(["--draw", "--write", str(path)]) == 0
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_what_fails_says_so_in_its_place_and_the_others_are_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    figure = json.dumps(bench.Figure("speed", 12, "km/h")._asdict())
    ends = {"sim": "sys.exit('the cat sat on it')", "wire": "sys.exit(3)", "sizes": "0"}
    monkeypatch.setattr(
        command, "command", lambda name, quick: [sys.executable, "-c", f"import sys; print({figure!r}); {ends[name]}"]
    )
    path = tmp_path / "figures.md"
    assert command.main(["sim", "wire", "sizes", "--write", str(path)]) == 1
    sections = kept(path)
    assert all(section.figures[0].name == "speed" for section in sections.values())
    assert sections["sim"].failure == "the cat sat on it"
    assert "status 3" in sections["wire"].failure
    assert not sections["sizes"].failure
    text = path.read_text(encoding="utf-8")
    assert text.count("Not measured in whole") == 2 and text.count("| speed | 12 | km/h |") == 3


def test_what_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "LONGEST", 0.5)
    waits = "import threading; threading.Event().wait()"
    monkeypatch.setattr(command, "command", lambda name, quick: [sys.executable, "-c", waits])
    path = tmp_path / "figures.md"
    assert command.main(["sim", "--write", str(path)]) == 1
    assert "longer than" in kept(path)["sim"].failure


def test_what_is_not_measured_again_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "figures.md"
    for name, value in (("sim", 1), ("sizes", 2), ("sim", 3)):
        figure = json.dumps(bench.Figure("speed", value, "km/h")._asdict())
        monkeypatch.setattr(command, "command", lambda *_, f=figure: [sys.executable, "-c", f"print({f!r})"])
        assert command.main([name, "--write", str(path)]) == 0
    assert [(name, section.figures[0].value) for name, section in kept(path).items()] == [("sizes", 2), ("sim", 3)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["typing"],
        ["--draw"],
        ["--write", "figures.txt"],
        ["--write", "nowhere/figures.md"],
        ["--draw", "--write", "a.md"],
    ],
)
def test_what_cannot_be_meant_is_one_line(arguments, tmp_path: Path, monkeypatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and err.startswith("bench: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", ["", "[]", '{"sim": 1}', '{"sim": {"figures": [{"cat": 1}]}}'])
def test_results_that_are_none_are_left_alone(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "figures.json").write_text(content, encoding="utf-8")
    assert command.main(["--draw", "--write", str(tmp_path / "figures.md")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "figures.json" in err and "remove it" in err
    assert [path.name for path in tmp_path.iterdir()] == ["figures.json"]


def test_the_mean_comes_with_its_interval():
    values = [3, 4, 8, 9, 1]
    assert bench.mean(values) == (5, pytest.approx(1.96 * statistics.stdev(values) / 5**0.5, rel=1e-3))
    assert bench.mean([7]) == (7, 0)


def test_the_least_session_is_that_of_the_protocol():
    words = captures.OVER.split()
    hex_bytes = [word for word in words if len(word) == 2 and not word.startswith("+")]
    assert bench_wire.least(words.count("C0")) == len(hex_bytes)


@pytest.mark.parametrize("name", textbook.STRATEGIES)
def test_a_textbook_strategy_never_wastes_a_shot_on_what_it_was_told(name: str):
    for shots in bench_gunner.textbook_shots(name, 5):
        assert 20 <= shots <= 100


def test_strategies_rank_as_the_textbook_says():
    found = {name: statistics.fmean(bench_gunner.textbook_shots(name, 60)) for name in textbook.STRATEGIES}
    assert found["random"] > found["hunt and target"] > found["probability"]
