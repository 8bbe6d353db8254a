"""Letters between people and the wire, and names of cells."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seabattle import wire
from seabattle_host.language import text


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
        # a word longer than a frame is cut where the frame ends
        ("я" * (wire.TEXT_MAX + 5), ["я" * wire.TEXT_MAX, "яяяяя"]),
        # spaces would be a probe
        ("   ", []),
        # letters that the code page lacks
        ("naïve – ok", ["naive - ok"]),
        # what Python makes in the C locale of what was typed
        ("Привет".encode().decode("ascii", "surrogateescape"), ["Привет"]),
        ("Привет", ["Привет"]),
    ],
    ids=["long", "spaces", "foreign", "plain locale", "Russian"],
)
def test_what_is_sent_of_a_chat(typed: str, frames: list[str]):
    assert [frame.decode("cp866") for frame in text.encode_chat(typed)] == frames


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
