"""Captures that people and usual programs have changed: nobody is accused, nothing is approved that does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.calls import Seabattle
from tests.captures import BATTLE, written
from tests.dress import frames, hexed, listed, merged_bytes

pytestmark = pytest.mark.usefixtures("english")

KEEPS = (0, "the session keeps the protocol")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capture.txt"


def checked(path: Path, seabattle: Seabattle) -> tuple[int, str]:
    """Return the exit status of a check, and its last line."""
    status, out, _err = seabattle("decode --check", path)
    return status, out.splitlines()[-1]


DUMP = "".join(f"{n:08x}  {merged_bytes()[n : n + 16].hex(' ')}\n" for n in range(0, len(merged_bytes()), 16))


LINES = [listed("[{s}] {A|B}> {hex}"), listed("{TX|RX}: {hex}"), listed("{day} {in|out} {hex}"), DUMP]


@pytest.mark.parametrize("text", LINES)
@pytest.mark.parametrize("letters", [("ABCE", "АВСЕ"), ("0", "O"), ("1", "l"), ("01", "oI")])
def test_letters_that_look_like_digits_are_read_as_these(
    letters: tuple[str, str], text: str, path: Path, seabattle: Seabattle
):
    path.write_text(text.translate(str.maketrans(*letters)), encoding="utf-8")
    status, out, _err = seabattle("decode --check", path)
    assert (status, out.splitlines()[-1]) == KEEPS
    is_other = path.read_text(encoding="utf-8") != text
    assert ("with letters that look like digits read as digits" in out) == is_other


def test_prose_with_such_letters_is_no_capture(path: Path, seabattle: Seabattle):
    path.write_text("ВСЕ: АО и ОВ, со всеми.\nIl fait OO.\n" * 9, encoding="utf-8")
    assert "text in no known form" in seabattle.refused("decode --check", path)


def test_numbers_without_the_zeros_that_a_spreadsheet_took_off_are_bytes(path: Path, seabattle: Seabattle):
    rows = [(at / 10**6 + n / 800, "AB"[side], byte) for at, side, raw in frames() for n, byte in enumerate(raw)]
    text = "".join(f"{at};{side};{byte:02X}\n" for at, side, byte in rows)
    path.write_text("time;dir;data\n" + re.sub(r";0(\d)\n", r";\1\n", text))
    assert checked(path, seabattle) == KEEPS
    # but a byte that lacks its first digit is none
    path.write_text(path.read_text().replace(";A3\n", ";A\n", 1))
    assert checked(path, seabattle)[0] == 3


def _from_zero(shot: re.Match[str]) -> str:
    return f"{shot[1]} {int(shot[2], 16) - 1:02X} {int(shot[3], 16) - 1:02X}"


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (r"\b(B2|2B) 0[6-9A]", r"\1 0C", "size 12 is outside 6..10"),
        (r"> (B2|2B) 0[6-9A]", r"> \1 00", "size 0 is outside 6..10"),
        (r"(M> C0) (\d\w) (\d\w)", _from_zero, "counts from 0"),
    ],
)
def test_a_bug_of_a_player_does_not_make_a_file_unknown(
    right: str, wrong: str | Callable[[re.Match[str]], str], says: str, path: Path, seabattle: Seabattle
):
    lines = (f"{'MS'[side]}> {hexed(raw)}\n" for _at, side, raw in frames())
    text = "".join(f"[10:{n % 60:02}, 28.11.2026] Ivan: {line}" for n, line in enumerate(lines))
    path.write_text(re.sub(right, wrong, text, flags=re.MULTILINE))
    status, out, _err = seabattle("decode --check", path)
    assert status in (1, 3) and says in out and "read as hex" in out


@pytest.mark.parametrize("fault", ["m A8", "s A8", "m A9 s A8 m 8A", "s A9 m A8 s 8A"])
def test_what_fits_neither_side_of_a_merged_line_is_not_approved(fault: str, path: Path, seabattle: Seabattle):
    session = BATTLE + f"m C0 01 01 s 0C {fault} +20 m AA s 01"
    path.write_bytes(b"".join(chunk.data for chunk in written(session)))
    status, line = checked(path, seabattle)
    assert status == 3 and "would be illegal on the side that was guessed" in line
    status, out, _err = seabattle("decode --check --lang ru", path)
    assert status == 3 and "недопустима для угаданной стороны" in out.splitlines()[-1]


def test_a_line_that_begins_with_a_bracket_is_no_json(path: Path, seabattle: Seabattle):
    path.write_text("".join(f"[{n / 10}] the board says nothing\n" for n in range(30)))
    assert "text in no known form" in seabattle.refused("decode --check", path)
    path.write_text("[1, 2,\n 3]\n")
    assert "JSON without bytes" in seabattle.refused("decode --check", path)


@pytest.mark.parametrize("form", ["{s} {TX|RX} {hex}", "{day} {TX|RX}: {hex}"])
def test_lines_of_which_the_newest_stand_first_are_turned_round(form: str, path: Path, seabattle: Seabattle):
    lines = listed(form).splitlines(keepends=True)
    path.write_text("".join(lines[::-1]))
    status, out, _err = seabattle("decode --check", path)
    assert (status, out.splitlines()[-1]) == KEEPS and "the newest lines stand first" in out
    # but a clock that was set back says nothing of the sort
    path.write_text("".join(lines[9:] + lines[:9]))
    assert "the newest lines" not in seabattle("decode --check", path)[1]


def test_nobody_is_accused_of_a_false_answer_where_another_has_shot_out_of_turn(path: Path, seabattle: Seabattle):
    """On a merged line a shot is taken for one of the side whose turn it is."""
    shots = "m C0 01 01 s 0C s C0 02 02 m 0C s C0 04 04 m 1C s C0 05 05 m 1C s C0 02 04 m 0C m C0 06 06 s 0C "
    game = BATTLE + shots + "m A7 s 7A "
    path.write_bytes(b"".join(chunk.data for chunk in written(5 * game)))
    status, out, _err = seabattle("decode --check", path)
    false = [line for line in out.splitlines() if "false answer" in line]
    assert false and all("side not certain" in line for line in false)
    assert status != 0 and "fault of the" not in out


@pytest.mark.parametrize("goodbye", ["m A7 s 7A", "s A7 m 7A", "s A0 m 0A", "m A8 s 8A"])
def test_lines_moved_behind_the_end_of_a_game_accuse_nobody_of_a_false_win(
    goodbye: str, path: Path, seabattle: Seabattle
):
    won = "m C0 02 02 s 1C m C0 02 03 s 2C m A9 s 9A"
    moved = "m C0 04 02 s 2C m C0 04 04 s 2C"
    items = written(f"{BATTLE} {won} {goodbye} {moved}")
    path.write_text("".join(f"{'AB'[chunk.side]}: {chunk.data.hex(' ')}\n" for chunk in items))
    status, line = checked(path, seabattle)
    assert (status, "something was lost at record" in line) == (3, True)
    # if they go on with the game as if nothing had been, that win was none
    path.write_text(
        "".join(f"{'AB'[chunk.side]}: {chunk.data.hex(' ')}\n" for chunk in written(f"{BATTLE} {won} {moved}"))
    )
    assert checked(path, seabattle)[0] == 1


def test_frames_of_one_millisecond_in_two_files_come_in_the_order_that_the_protocol_tells(
    tmp_path: Path, seabattle: Seabattle
):
    """Two programs on one computer need less than that for an answer."""
    one = [*frames(), (0, 0, b"\xa7"), (0, 1, b"\x7a")]
    game = [(n * 600 + n // 3 * 5000, side, raw) for n, (_at, side, raw) in enumerate(3 * one)]
    names = [tmp_path / name for name in ("a", "b")]

    def check(lost: range) -> tuple[int, str]:
        for own, name in enumerate(names):
            rows = [row for n, row in enumerate(game) if row[1] == own and not (own and n in lost)]
            name.write_text("".join(f"{at // 1000 / 1000:.3f} {hexed(raw)}\n" for at, _side, raw in rows))
        status, out, _err = seabattle("decode --check", *names)
        return status, out.splitlines()[-1]

    assert check(range(0)) == KEEPS
    for begin in range(20, 150, 13):
        assert check(range(begin, begin + 9))[0] != 1
