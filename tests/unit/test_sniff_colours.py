"""Subtitles, and text in which only the colours of a terminal or a page tell whose the bytes are."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle_host.errors import UserError
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import read
from tests.dress import Frame, frames, hexed, listed, of_day, same

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


def time(us: int, dot: str = ",", hours: str = "00:") -> str:
    return f"{hours}{us // 60_000_000:02}:{us // 1_000_000 % 60:02}{dot}{us // 1000 % 1000:03}"


def cue(text: str, dot: str = ",", number: bool = True, between: str = " --> ") -> str:
    """Return the game with a subtitle for each frame. text: as tests.dress.dress takes it."""
    lines = listed(text).splitlines()
    return "".join(
        f"{n}\n" * number + f"{time(at, dot)}{between}{time(at + 2000, dot)}\n{line}\n\n"
        for n, ((at, _side, _raw), line) in enumerate(zip(frames(), lines, strict=True), 1)
    )


FORMAT = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"


def dialogue(styles: tuple[str, str], names: tuple[str, str], text: str) -> str:
    """Return the game as ASS has it. text: with places for the bytes and a colour."""
    rows = (
        f"Dialogue: 0,0:{time(at, '.', '')[:-1]},0:{time(at + 10_000, '.', '')[:-1]},"
        f"{styles[side]},{names[side]},0,0,0,," + text.format(hexed(raw), ("0000FF", "FF0000")[side])
        for at, side, raw in frames()
    )
    return "[Script Info]\nTitle: serial\n\n[Events]\n" + FORMAT + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        cue("{TX|RX}: {hex}"),
        cue("{>|<} {hex}"),
        cue("<i>{master|slave}</i> {low}"),
        cue('<font color="{blue|red}">{hex}</font>'),
        "WEBVTT\n\n" + cue("<v {Master|Slave}>{hex}", ".", number=False),
        "WEBVTT - serial\n\nNOTE made by hand\n\n" + cue("{TX|RX} {low}", "."),
        cue("{TX|RX}: {hex}", ".", number=False, between=","),
        dialogue(("TX", "RX"), ("", ""), "{}"),
        dialogue(("Default",) * 2, ("Master", "Slave"), r"{{\i1}}{}{{\i0}}"),
        dialogue(("Default",) * 2, ("", ""), r"{{\c&H{1}&}}{0}{{\r}}"),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_subtitles(text: str, encoding: str, path: Path):
    path.write_text(text, encoding=encoding)
    assert abs(same(path, either="c&H" in text or "font" in text)[-1][0] - frames()[-1][0]) <= 11_000


def test_times_and_numbers_of_subtitles_are_no_bytes(path: Path):
    path.write_text(cue("{hex}"))
    assert b"".join(item.data for item in read([str(path)]).items if isinstance(item, Chunk)) == b"".join(
        raw for _at, _side, raw in frames()
    )
    path.write_text(cue("So this is a bad cafe, {A|B} said."))
    with pytest.raises(UserError):
        read([str(path)])


COLOURS = (
    ("31", "34"),
    ("1;32", "0;33"),
    ("38;5;196", "38;5;21"),
    ("38;2;255;0;0", "38;2;0;0;255"),
    ("41", "44"),
    ("7", "0"),
)


def coloured(frame: Frame, colours: tuple[str, str], form: str) -> str:
    at, side, raw = frame
    return form.format(c=f"\x1b[{colours[side]}m", t=of_day(at), h=hexed(raw), e="\x1b[0m")


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("form", ["{c}{h}{e}\n", "{c}{t} {h}{e}\n", "{t} {c}[{h}]{e}\n", "{c}{h} ", "{c}{h}{e} "])
def test_the_colour_of_a_terminal_tells_the_side(colours: tuple[str, str], form: str, path: Path):
    path.write_text("".join(coloured(frame, colours, form) for frame in frames()) + "\n")
    found = same(path, either=True)
    assert "by the colours of a terminal" in read([str(path)]).described[0]
    assert "{t}" not in form or abs(found[-1][0] - frames()[-1][0]) <= 1100


@pytest.mark.parametrize("form", ["\x1b[3{}m{:02x}\x1b[0m", "\x1b[1;3{}m{:02x}"])
def test_colours_of_single_bytes_tell_no_side(form: str, path: Path):
    """As `xxd -R always` shows what is printable."""
    data = b"".join(raw for _at, _side, raw in frames())
    path.write_text(" ".join(form.format(1 + (32 <= byte < 127), byte) for byte in data) + "\n")
    capture = read([str(path)])
    assert capture.merged
    assert b"".join(item.data for item in capture.items if isinstance(item, Chunk)) == data


def test_colours_beside_the_names_of_the_sides_are_only_looks(path: Path):
    path.write_text(
        "".join(
            f"\x1b[2m{of_day(at)}\x1b[0m \x1b[3{2 + side}m{'TR'[side]}X\x1b[0m \x1b[1m{hexed(raw)}\x1b[0m\n"
            for at, side, raw in frames()
        )
    )
    same(path)
    assert "by the colours" not in read([str(path)]).described[0]


def test_letters_of_bytes_on_a_page_name_no_side(path: Path):
    """A reply ends with an `A`, which is the name of a side elsewhere."""
    game = [*frames(), *((0, s, raw) for _n in range(30) for s, raw in ((0, b"\xa2"), (1, b"\x2a")))]
    rows = (f'<font color="{("red", "blue")[side]}">{hexed(raw)}</font><br>\n' for _at, side, raw in game)
    path.write_text("<html><body>\n" + "".join(rows) + "</body></html>\n")
    assert not read([str(path)]).merged
