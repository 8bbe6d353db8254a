"""Packages import only downwards, without circles, and docs/architecture.md says what is in each."""

import re

import pytest
from importlinter import api, cli

from tests.command import ROOT

HOST = ROOT / "host" / "seabattle_host"


def test_imports_lead_downwards_and_in_no_circle(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(ROOT)
    status = cli.lint_imports(no_cache=True)
    told = capsys.readouterr().out
    assert status == cli.EXIT_STATUS_SUCCESS, told[told.find("Broken contracts") :]


def test_the_page_lists_every_package_in_the_order_of_the_layers():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in page.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in row]
    there = {path.parent.name for path in HOST.glob("*/__init__.py")}
    assert there <= set(listed), "docs/architecture.md lacks a package"
    assert all((HOST / name).exists() or (HOST / f"{name}.py").exists() for name in listed)
    contracts = api.read_configuration(str(ROOT / "pyproject.toml"))["contracts_options"]
    order = [name for layer in contracts[0]["layers"] for name in layer.split(" | ")]
    assert [name for name in listed if name in order] == [name for name in order if name in listed]


def test_the_page_names_files_that_exist():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.(?:py|po))`", page)
    roots = (ROOT, HOST, ROOT / "firmware")
    assert len(named) > 30
    assert [name for name in named if not any((root / name).is_file() for root in roots)] == []


def test_no_module_is_too_long_to_be_read_in_one_go():
    modules = [path for top in ("common", "host", "firmware", "boards") for path in (ROOT / top).rglob("*.py")]
    assert len(modules) > 200
    assert [path.name for path in modules if len(path.read_bytes().splitlines()) >= 500] == []
