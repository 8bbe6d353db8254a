"""The board's letters and texts are made from readable sources, and fit the panels."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import polib
import pytest

from seabattle import wire
from seabattle_host import assets
from seabattle_host.club import page_boards
from seabattle_host.club.web import page_file
from seabattle_host.commands import board_run
from seabattle_host.line import panels, terminal
from tests.desk import PANELS, Desk

from seaboard import app, font, keys, ui, words, words_en, words_ru  # isort: skip
from seaboard.text_buffer import line_end, next_line  # isort: skip

SOURCE = assets.firmware() / "source"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", SOURCE / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_font_and_words_are_what_their_sources_make_and_a_stale_file_is_noticed(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert generate.main(["--check"]) == 0
    monkeypatch.setattr(generate, "TARGET", tmp_path)
    assert generate.main(["--check"]) == 1
    assert "font.py is stale" in capsys.readouterr().err
    assert generate.main([]) == generate.main(["--check"]) == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (("M_NEW", "A much too long item", "Пункт"), "more than 13 letters"),
        (("B_HIT", "strike", "попал"), "more than 5 letters"),
        (("O_X", "Shots: #", "Выстрелов"), "both languages need the same"),
        (("O_X", "Shots", ""), "no text"),
        (("E_NEW", "Unplaceable", "Нет"), "a word of more than 7 letters"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(generate: ModuleType, text: tuple[str, str, str], fault: str):
    with pytest.raises(generate.Fault, match=fault):
        generate.checked("", *text)


def test_the_order_of_the_catalogues_changes_no_menu(generate: ModuleType, tmp_path: Path):
    for language in ("en", "ru"):
        catalogue = polib.pofile(str(generate.LOCALE / language / generate.CATALOGUE))
        catalogue.sort(key=lambda entry: entry.msgid)
        path = tmp_path / language / generate.CATALOGUE
        path.parent.mkdir(parents=True)
        catalogue.save(str(path))
    assert generate.entries("board local", tmp_path) == generate.entries("board local")
    catalogue.append(polib.POEntry(msgctxt="board local", msgid="L_OTHER", msgstr="x"))
    catalogue.save(str(path))
    with pytest.raises(generate.Fault, match="L_OTHER is in the catalogue ru"):
        generate.entries("board local", tmp_path)


def texts() -> list[list[str]]:
    return [data.decode("cp866").split("\0")[:-1] for data in (words_en.TEXTS, words_ru.TEXTS)]


def test_both_languages_have_every_text_and_every_letter_a_drawing():
    english, russian = texts()
    assert len(english) == len(russian) == words.TEXTS
    unknown = font.glyph(0xB0)
    for text in english + russian:
        for byte in text.encode("cp866"):
            assert byte == ord("?") or font.glyph(byte) != unknown, f"no drawing for {byte:#x} in {text!r}"
    latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for alphabet in (latin, "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"):
        drawings = {font.GLYPHS[at : at + 5] for at in (font.glyph(byte) for byte in alphabet.encode("cp866"))}
        assert len(drawings) == len(alphabet), "no two look the same"


def test_the_pc_knows_the_numbers_of_the_firmware():
    assert [getattr(keys, name.upper()) for name in page_boards.KEYS] == [*page_boards.KEYS.values()]
    assert [terminal.KEYS[letter] for letter in "ABDC"] == [keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT]
    assert [terminal.OK, terminal.BACK, terminal.OFF, terminal.ERASE] == [keys.OK, keys.BACK, keys.OFF, keys.ERASE]
    told = (app.NOTICE_FAILED, app.NOTICE_STUCK, app.NOTICE_LONE, ui.SOUND_CALL)
    assert told == (
        board_run._NOTICE_FAILED,
        board_run._NOTICE_STUCK,
        board_run._NOTICE_LONE,
        board_run._SOUND_CALL,
    )
    assert set(re.findall(r"<option>(\d+x\d+)<", page_file("play.html"))) == set(panels.NAMES)
    # the reasons are in the order of the protocol
    assert words.R_CHANGED - words.R_SENDER == wire.R_CHANGED - wire.R_SENDER == wire.REASONS - 1 - wire.R_SENDER


@pytest.mark.parametrize("width", sorted({Desk(panel).panel.columns for panel in PANELS}))
def test_texts_break_between_words(width: int):
    for text in texts()[0] + texts()[1]:
        data = text.encode("cp866")
        start = 0
        lines = []
        while start < len(data):
            end = line_end(data, start, len(data), width)
            lines.append(data[start:end].decode("cp866"))
            assert 0 < len(lines[-1]) <= width
            start = next_line(data, end, len(data))
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
