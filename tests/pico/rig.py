"""The emulated board, driven from Python.

`Rig` starts the Node program in ``emulator/`` and talks to it in JSON lines. Time is simulated: it moves only in `run`
(and in what is built on it), or follows the wall clock while the board is served over TCP.
"""

from __future__ import annotations

import atexit
import dataclasses
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from littlefs import LittleFS

from tests.pico import fetch

HERE = Path(__file__).resolve().parent

# The file system of the Pico W port: what its own mkfs would make in the 848 KB behind the firmware.
FILESYSTEM = {
    "block_size": 4096,
    "block_count": 212,
    "prog_size": 256,
    "read_size": 32,
    "lookahead_size": 32,
    "disk_version": 0x00020000,
}

PIN_SPI, PIN_UART = 1, 2
"""Pin functions of the RP2040, as `pins` reports them."""


@dataclasses.dataclass(frozen=True)
class Frame:
    """One byte on the wire; start of its start bit and end of its last stop bit in simulated seconds."""

    value: int
    start: float
    end: float
    parity_error: bool = False
    framing_error: bool = False


@dataclasses.dataclass(frozen=True)
class Wiring:
    """What is soldered to one board: GPIO numbers, and devices on the buses.

    uart: bus number, tx, rx. keys: name -> GPIO. i2c: ``{"bus", "sda", "scl", "devices": [{"address", "kind"}]}``.
    spi: ``{"bus", "kind", "sck", "mosi", "cs", "dc", "rst"}``. Kinds: hd44780 (columns and rows), ssd1306, pcd8544,
    listener (reports the bytes it receives).
    """

    uart: Mapping[str, int]
    keys: Mapping[str, int] = dataclasses.field(default_factory=dict)
    i2c: Sequence[Mapping[str, Any]] = ()
    spi: Sequence[Mapping[str, Any]] = ()


class RigError(Exception):
    """The rig refused a request, or has died."""


def write_filesystem(path: Path, files: Mapping[str, bytes | str]) -> Path:
    """A file system image with `files` (paths with forward slashes); returns `path`."""
    filesystem = LittleFS(**FILESYSTEM)
    for name, content in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            filesystem.makedirs(folder, exist_ok=True)
        with filesystem.open(name, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    path.write_bytes(bytes(filesystem.context.buffer))
    return path


def read_filesystem(flash: bytes) -> dict[str, bytes]:
    """All files in a saved flash image."""
    start = len(flash) - FILESYSTEM["block_size"] * FILESYSTEM["block_count"]
    # The board may have raised the format's version, so take the one found.
    filesystem = LittleFS(**{**FILESYSTEM, "disk_version": 0}, mount=False)
    filesystem.context.buffer = bytearray(flash[start:])
    filesystem.mount()
    files = {}
    for folder, _folders, names in filesystem.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with filesystem.open(path, "rb") as file:
                files[path.lstrip("/")] = file.read()
    return files


_idle: list[subprocess.Popen[str]] = []
"""Node processes without boards. They have the firmware translated: another boot is quick."""


def _start() -> subprocess.Popen[str]:
    node = fetch.node_program()
    assert node is not None, "Node.js is missing"
    return subprocess.Popen(
        [node, str(HERE / "emulator" / "control.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SEABATTLE_PICO_PARTS": str(fetch.cache_folder())},
    )


@atexit.register
def _end_idle() -> None:
    while _idle:
        _end(_idle.pop())


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    process.stdout.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Rig:
    """One or two emulated boards. Use as a context manager, or call `close`."""

    def __init__(self) -> None:
        self._process = _idle.pop() if _idle else _start()

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes the boards; a healthy Node program waits for the next rig."""
        try:
            self.request("end")
        except (RigError, OSError, ValueError):
            _end(self._process)
        else:
            _idle.append(self._process)

    def request(self, name: str, **arguments: Any) -> Any:
        """Sends one request, as control.mjs lists them. Raises RigError when it is refused."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": name, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RigError("the rig has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise RigError(answer["error"])
        return answer["ok"]

    # -- power

    def boot(
        self,
        *boards: tuple[str, Wiring],
        filesystem: Path | None = None,
        flash: Path | None = None,
        rates: Sequence[float] = (1.0, 1.0),
        noise: Mapping[str, float] | None = None,
        slow: bool = False,
    ) -> None:
        """Powers one board with a scripted peer on its line, or two boards joined by a cable.

        boards: name and wiring. filesystem: image from `write_filesystem`; flash: image from `save_flash`, instead.
        rates: speed of each board's crystal, 1 = exact. noise: probabilities on the cable, 0..1: flip (a bit), lose (a
        byte), extra (a spurious byte), and a seed. slow: let the emulator execute all instructions itself.
        """
        image = {"bootrom": str(fetch.bootrom_file()), "firmware": str(fetch.image_file())}
        if filesystem is not None:
            image["filesystem"] = str(filesystem)
        if flash is not None:
            image["flash"] = str(flash)
        described = [
            {"name": name, "rate": rate, "slow": slow, **image, **dataclasses.asdict(wiring)}
            for (name, wiring), rate in zip(boards, rates, strict=False)
        ]
        self.request("boot", boards=described, noise=noise or {})

    def reset(self, board: str | None = None) -> None:
        """Cuts the supply and restores it: only the flash (and what the displays show) survives."""
        self.request("reset", board=board)

    # -- time

    def run(self, seconds: float, until_byte: bool = False) -> float:
        """Lets simulated seconds pass, with `until_byte` fewer if a byte comes from the board. Returns the time."""
        return float(self.request("run", seconds=seconds, untilByte=until_byte)["time"])

    def until(self, condition: Callable[[], bool], what: str, timeout: float = 10.0, step: float = 0.01) -> float:
        """Runs until the condition holds and returns the time; fails after `timeout` simulated seconds."""
        deadline = self.run(0) + timeout
        while not condition():
            if self.run(step) >= deadline:
                raise AssertionError(f"not within {timeout} s: {what}; console: {self.console()[-2000:]!r}")
        return self.run(0)

    # -- line

    def send(self, data: bytes) -> None:
        """Queues bytes of the scripted peer, back to back."""
        self.request("send", hex=data.hex())

    def frames(self) -> tuple[list[Frame], list[Frame]]:
        """Frames received from the board and frames sent to it since the last call."""
        line = self.request("line")
        return list(self._frames(line["heard"])), list(self._frames(line["sent"]))

    @staticmethod
    def _frames(rows: list[dict[str, Any]]) -> Iterator[Frame]:
        for row in rows:
            yield Frame(
                row["value"], row["start"], row["end"], row.get("parityError", False), row.get("framingError", False)
            )

    def uart(self, board: str | None = None) -> dict[str, Any]:
        """UART registers as the firmware left them, their meaning, overruns and the functions of both pins."""
        return dict(self.request("uart", board=board))

    def cable(self) -> tuple[list[tuple[str, Frame]], dict[str, int]]:
        """Frames that crossed the cable since the last call with the sender's name, and the disturbances so far."""
        answer = self.request("cable")
        return [(row["from"], Frame(row["value"], row["start"], row["end"])) for row in answer["log"]], answer["noise"]

    # -- keys, displays, console

    def press(self, key: str, hold: float = 0.06, delay: float = 0.0, board: str | None = None) -> None:
        """Schedules a key press; seconds."""
        self.request("press", key=key, hold=hold, delay=delay, board=board)

    def hold(self, key: str, pressed: bool, board: str | None = None) -> None:
        """Presses or releases a key now."""
        self.request("hold", key=key, pressed=pressed, board=board)

    def displays(self, board: str | None = None) -> list[dict[str, Any]]:
        """The content of each display, I2C first, in the order of the wiring."""
        return list(self.request("displays", board=board)["displays"])

    def pins(self, *gpios: int, board: str | None = None) -> list[dict[str, Any]]:
        """Function, pull-up and state of pins."""
        return list(self.request("pins", gpios=gpios, board=board)["pins"])

    def type(self, text: str, board: str | None = None) -> None:
        """Types at the board's USB console."""
        self.request("type", text=text, board=board)

    def type_bytes(self, data: bytes, board: str | None = None) -> None:
        """Sends bytes to the board over its USB cable."""
        self.request("type", hex=data.hex(), board=board)

    def usb(self, board: str | None = None) -> list[tuple[float, bytes]]:
        """Packets from the board over its USB cable since the last call: when each was fetched, and its bytes."""
        return self.usb_both(board)[0]

    def usb_both(self, board: str | None = None) -> tuple[list[tuple[float, bytes]], list[tuple[float, bytes]]]:
        """The same, and the packets fetched by the board."""
        answer = self.request("usb", board=board)
        packets, taken = ([(at, bytes.fromhex(data)) for at, data in answer[way]] for way in ("packets", "taken"))
        return packets, taken

    def prompt(self, board: str | None = None) -> None:
        """Stops whatever runs and waits for the prompt: output before USB is up is lost."""
        self.type("\x03\r", board)
        self.until(lambda: self.console(board).endswith(">>> "), "a prompt")

    def console(self, board: str | None = None) -> str:
        """All output of the board."""
        return str(self.request("console", board=board)["text"])

    # -- flash, figures, the outside world

    def save_flash(self, path: Path, board: str | None = None) -> Path:
        """Writes the whole flash to a file, to boot from it later; returns `path`."""
        self.request("flash", save=str(path), board=board)
        return path

    def cut_flash_after(self, size: int | None, board: str | None = None) -> None:
        """Cuts the supply after this many more bytes erased or programmed; None cancels that."""
        self.request("cut", bytes=size, board=board)

    def flash_state(self, board: str | None = None) -> dict[str, Any]:
        """Whether the supply was cut, sectors erased and bytes programmed so far."""
        return dict(self.request("flash", board=board))

    def figures(self, board: str | None = None) -> dict[str, Any]:
        """The board's own time in seconds, instructions executed, resets."""
        return dict(self.request("figures", board=board))

    def state(self, board: str | None = None) -> dict[str, Any]:
        """Registers, flags and a hash of the RAM."""
        return dict(self.request("state", board=board))

    def serve(self, pace: float = 1.0, board: str | None = None) -> tuple[int, int]:
        """Lets time follow the wall clock, at most `pace` times as fast; returns the TCP ports of console and line."""
        ports = self.request("serve", pace=pace, board=board)
        return ports["console"], ports["line"]

    def unplug(self, board: str | None = None) -> None:
        """Unplugs a served board: ports closed, supply off; afterwards it is in its power-on state."""
        self.request("unplug", board=board)

    def stop_serving(self) -> None:
        """Closes both ports; time stands still again."""
        self.request("stop")


def display_pixels(display: Mapping[str, Any]) -> list[list[bool]]:
    """Rows of lit pixels of a graphic display's snapshot, as seen."""
    memory, width = bytes.fromhex(display["memory"]), display["width"]
    inverted = bool(display["inverted"])
    return [
        [bool(memory[(y >> 3) * width + x] >> (y & 7) & 1) != inverted for x in range(width)]
        for y in range(display["height"])
    ]
