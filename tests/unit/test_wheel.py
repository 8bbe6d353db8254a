"""The wheel alone is enough: built from the source distribution, installed apart from the checkout, and looked into.

Nothing is fetched: the build tools and what the package depends on are those of the environment that runs the tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    build = ("-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    call(sys.executable, *build, SEABATTLE_REPOSITORY=f"{REPOSITORY}.git")
    return folder


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that has the wheel, and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder)
    fresh = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (wheel,) = built.glob("*.whl")
    offline = ("--no-index", "--no-deps", "--no-compile")
    call(sys.executable, "-m", "pip", "--python", str(fresh), "install", *offline, str(wheel))
    return fresh


def call(*command: str, **more: str) -> str:
    """Run a command outside the checkout, with the packages of this environment to import but not what is installed
    in place; returns what it printed."""
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), **more}
    done = subprocess.run(
        command, cwd=Path(sys.prefix), env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def sources(folder: Path) -> set[str]:
    return {
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_a_package_index_takes_both_as_they_are(built: Path) -> None:
    files = sorted(map(str, built.iterdir()))
    assert len(files) == 2
    assert call(sys.executable, "-m", "twine", "check", "--strict", *files).count("PASSED") == 2


def test_links_lead_to_the_repository_where_that_is_known(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
    assert f"Project-URL: Changelog, {REPOSITORY}/blob/main/CHANGELOG.md" in metadata
    links = re.findall(r"\]\(([^)]+)\)", metadata)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links), links
    named = [link.removeprefix(f"{REPOSITORY}/blob/main/").partition("#")[0] for link in links if REPOSITORY in link]
    assert named and all((ROOT / path.removeprefix(f"{REPOSITORY}/raw/main/")).exists() for path in named)


def test_the_types_of_both_packages_are_there_for_others(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert {"seabattle/py.typed", "seabattle_host/py.typed"} <= set(archive.namelist())


def test_the_command_runs_from_the_wheel(python: Path) -> None:
    from seabattle_host import __version__

    assert call(str(python.with_name("seabattle")), "--version") == f"seabattle {__version__}\n"


def test_every_module_of_the_wheel_imports_and_it_carries_what_a_board_is_flashed_with(python: Path) -> None:
    *places, imported = call(str(python), "-c", LOOK_INTO).split("\n", 3)
    assert {"seabattle.link", "seabattle_host.cli"} <= set(imported.split())
    folders = [Path(line) for line in places]
    assert [folder.name for folder in folders] == ["common", "firmware", "boards"]
    for folder in folders:
        assert folder.is_relative_to(python.parents[1])
        assert sources(folder) == sources(ROOT / folder.name)


def test_a_checkout_uses_its_own_sources() -> None:
    from seabattle_host import assets

    folders = assets.common(), assets.firmware(), assets.boards()
    assert folders == (ROOT / "common", ROOT / "firmware", ROOT / "boards")


def test_the_source_distribution_has_the_tests_and_no_rubbish(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames()}
    assert {"LICENSE", "README.md", "make.py", "tests/conftest.py"} <= names
    assert not [name for name in names if name.startswith((".venv", ".cache", ".mypy_cache")) or "__pycache__" in name]
