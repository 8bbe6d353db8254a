"""`seabattle flash --image`: copies a MicroPython image onto the drive of a board started with BOOTSEL held."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle_host.boards import bootsel, device
from seabattle_host.commands import boards
from tests.calls import Seabattle

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59


def uf2(path: Path, family: int) -> Path:
    """Write an image of one block."""
    path.write_bytes(b"UF2\n" + bytes(24) + family.to_bytes(4, "little") + bytes(480))
    return path


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Pico's drive, as it is mounted."""
    monkeypatch.setattr(bootsel, "_PLACES", (f"{tmp_path}/media/*",))
    folder = tmp_path / "media" / "RPI-RP2"
    folder.mkdir(parents=True)
    (folder / bootsel.INFO).write_text("UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n")
    return folder


def test_an_image_is_copied_and_without_one_it_says_where_there_are_some(
    drive: Path, tmp_path: Path, seabattle
) -> None:
    image = uf2(tmp_path / "micropython.uf2", RP2040)
    assert f"copied to {drive}" in seabattle.told("flash --image", image)
    assert (drive / image.name).read_bytes() == image.read_bytes()
    assert "https://micropython.org/download/RPI_PICO_W/" in seabattle.told("flash --image")


def test_the_wrong_image_is_not_copied(drive: Path, tmp_path: Path, seabattle: Seabattle) -> None:
    for image, words in (
        (uf2(tmp_path / "pico2.uf2", RP2350), f"is for RP2350, and the board at {drive} has RP2040"),
        (tmp_path / "gone.uf2", "cannot read"),
        (drive / bootsel.INFO, "is not a .uf2 image"),
    ):
        assert words in seabattle.refused("flash --image", image)
    assert [path.name for path in drive.iterdir()] == [bootsel.INFO]


def test_no_drive_and_too_many(drive: Path, tmp_path: Path, seabattle: Seabattle) -> None:
    image = uf2(tmp_path / "micropython.uf2", RP2040)
    second = drive.with_name("RPI-RP2 1")
    second.mkdir()
    (second / bootsel.INFO).write_text("Board-ID: RPI-RP2\r\n")
    assert "several boards wait for an image" in seabattle.refused("flash --image", image)
    for each in (drive, second):
        (each / bootsel.INFO).unlink()
    assert "no board waits for an image" in seabattle.refused("flash --image", image)


@pytest.mark.parametrize("command", ["flash", "boards"])
def test_a_board_that_waits_is_told_of_where_one_is_looked_for(
    drive: Path, command: str, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
) -> None:
    for module in (boards, device):
        monkeypatch.setattr(module, "usb_ports", list)
    assert f"the board at {drive} waits for MicroPython" in seabattle(f"{command} --lang en")[2]
