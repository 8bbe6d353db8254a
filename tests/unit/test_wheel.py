"""The wheel is self-sufficient: built from the source distribution, installed away from the checkout, and inspected.

Nothing is fetched: the build tools and dependencies are those of the environment that runs the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from seabattle_host import __version__, assets

ROOT = Path(__file__).resolve().parents[2]

REPOSITORY = "https://example.org/somebody/seabattle"

LOOK_INTO = """
import importlib, pkgutil, seabattle, seabattle_host
from seabattle_host import assets
print(assets.common(), assets.firmware(), assets.boards(), sep="\\n")
for package in seabattle, seabattle_host:
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        # one is a program's start, the other runs inside sigrok
        if not module.name.endswith(("__main__", "sigrok_pd")):
            importlib.import_module(module.name)
            print(module.name)
"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with the source distribution and the wheel built from it."""
    folder = tmp_path / "dist"
    build = "import sys; from hatchling import build; build.build_{}(sys.argv[1])".format
    more = {"SEABATTLE_REPOSITORY": f"{REPOSITORY}.git"}
    call(sys.executable, "-c", build("sdist"), str(folder), folder=ROOT, **more)
    (source,) = folder.iterdir()
    shutil.unpack_archive(source, tmp_path)
    call(
        sys.executable, "-c", build("wheel"), str(folder), folder=tmp_path / source.name.removesuffix(".tar.gz"), **more
    )
    return folder


def call(*command: str, folder: Path = Path(sys.prefix), **more: str) -> str:
    """Run a command, outside the checkout unless told otherwise, with this environment's packages importable but not
    the editable install; return its output.
    """
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), **more}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def sources(folder: Path) -> set[str]:
    return {
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_what_is_built_is_enough_for_an_index_for_others_and_for_who_installs_it(built: Path, tmp_path: Path) -> None:
    """One test: several could run in several workers, and each would build again."""
    source, wheel = sorted(built.iterdir(), key=lambda path: path.suffix)
    assert call(sys.executable, "-m", "twine", "check", "--strict", str(source), str(wheel)).count("PASSED") == 2
    with tarfile.open(source) as tar:
        _source_distribution({name.split("/", 1)[1] for name in tar.getnames()})
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        # both packages ship their types
        assert {"seabattle/py.typed", "seabattle_host/py.typed"} <= set(names)
        (name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        _links(archive.read(name).decode())
    _installed(wheel, tmp_path / "fresh")


def _source_distribution(names: set[str]) -> None:
    """It has the tests, and no stray files."""
    assert {"LICENSE", "README.md", "make.py", "tests/conftest.py"} <= names
    assert not [name for name in names if name.startswith((".venv", ".cache", ".mypy_cache")) or "__pycache__" in name]


def _links(metadata: str) -> None:
    """They lead to the repository where that is known."""
    assert f"Project-URL: Changelog, {REPOSITORY}/blob/main/CHANGELOG.md" in metadata
    links = re.findall(r"\]\(([^)]+)\)", metadata)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links), links
    named = [link.removeprefix(f"{REPOSITORY}/blob/main/").partition("#")[0] for link in links if REPOSITORY in link]
    assert named and all((ROOT / path.removeprefix(f"{REPOSITORY}/raw/main/")).exists() for path in named)


def _installed(wheel: Path, folder: Path) -> None:
    """In a new environment without the checkout the command runs, every module imports, and all sources are there."""
    venv.create(folder)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    offline = ("--no-index", "--no-deps", "--no-compile")
    call(sys.executable, "-m", "pip", "--python", str(python), "install", *offline, str(wheel))
    assert call(str(python.with_name("seabattle")), "--version") == f"seabattle {__version__}\n"
    *places, imported = call(str(python), "-c", LOOK_INTO).split("\n", 3)
    assert {"seabattle.link", "seabattle_host.cli"} <= set(imported.split())
    folders = [Path(line) for line in places]
    assert [found.name for found in folders] == ["common", "firmware", "boards"]
    for found in folders:
        assert found.is_relative_to(folder)
        assert sources(found) == sources(ROOT / found.name)


def test_a_checkout_uses_its_own_sources() -> None:
    folders = assets.common(), assets.firmware(), assets.boards()
    assert folders == (ROOT / "common", ROOT / "firmware", ROOT / "boards")
