"""Code for boards: numbers for constants, short names, only functions that are called, modules merged."""

from __future__ import annotations

import ast
import functools
import gc
from collections.abc import Iterable

from seabattle_host.boards import bundler, constant_folding, deploy, minifier


def identifiers(source: str) -> set[str]:
    return set(minifier.identifiers(constant_folding.walk(ast.parse(source))))


def test_no_two_names_of_a_module_become_the_same() -> None:
    """Including functions, and top-level names of modules merged into one."""
    short = minifier.short_names()
    assert len(short) > 500
    for module in bundler.board_modules() - set(bundler.bundle_hosts()):
        together = set()
        for guest in bundler.bundled_modules(module):
            names = set(identifiers(bundler.trees()[guest]))
            assert len({short.get(name, name) for name in names}) == len(names), guest
            nodes = bundler.nodes()[guest]
            together |= bundler.top_level_names(guest) | {
                node.name for node in nodes if isinstance(node, ast.FunctionDef)
            }
        assert len({short.get(name, name) for name in together}) == len(together), module


def test_what_others_ask_for_keeps_its_name() -> None:
    """Names used by MicroPython, by main.py, for a board's pins, and by string."""
    assert not {"readinto", "any", "write", "app", "App", "Board", "held", "damaged", "lines", "PANEL"} & set(
        minifier.short_names()
    )


def test_a_module_goes_into_the_first_that_takes_from_it() -> None:
    assert bundler.bundle_hosts()["seabattle.link_state"] == "seabattle.link_moves"
    link = bundler.bundle("seabattle.link")
    classes = [node.name for node in ast.parse(link).body if isinstance(node, ast.ClassDef)]
    assert classes == ["Fleet", "Reader", "LinkState", "LinkMoves", "LinkPeer", "Link"]
    # modules loaded later take it from there, by its name alone
    assert "from seabattle.link import Fleet, check" in bundler.bundle("seabattle.player")
    assert "wire.exchange(" not in link and " exchange(op)" in link
    # the fault screen loads without the game, and a module that is unloaded keeps nothing that stays
    assert not {"seaboard.text_buffer", "seaboard.panel"} & set(bundler.bundle_hosts())
    assert not set(bundler.GIVEN_UP) & set(bundler.bundle_hosts().values())


def test_what_one_module_sets_on_an_object_of_another_is_no_other_name_there() -> None:
    short = minifier.short_names()
    theirs = {short.get(name, name): name for name in minifier._sources()["seaboard.hardware"]}
    assert [theirs.get(short.get(name, name), name) for name in ("attending", "lines", "faults")] == [
        "attending",
        "lines",
        "faults",
    ]


def test_what_nobody_on_a_board_calls_is_left_out() -> None:
    link = minifier.drop_uncalled(bundler.bundle("seabattle.link"))
    assert "def probe(" in bundler.bundle("seabattle.link") and "def probe(" not in link
    assert "def shoot(" in link


def test_a_traceback_of_a_board_is_read_with_the_names_of_the_sources() -> None:
    short = minifier.short_names()
    told = f'  File "seaboard.app", line 1, in {short["_events"]}\n  File "seabattle.link", in {short["_hang"]}\n'
    assert minifier.restore_names(told) == told.replace(f"in {short['_events']}\n", "in _events\n").replace(
        f"in {short['_hang']}\n", "in _hang\n"
    )
    assert minifier.restore_names('File "main.py", line 3, in main') == 'File "main.py", line 3, in main'


@functools.cache
def trees() -> dict[str, tuple[ast.Module, ast.Module]]:
    """Return each module by name: as written, and as put onto a board."""
    # spares the collector going over what earlier tests left, again and again
    gc.freeze()
    found = {}
    for path, source in deploy.modules(deploy.kind_by_name("pico_w"), constant_folding.fold).items():
        name = path.removeprefix("lib/").replace("/", ".")
        text = source.read_text(encoding="utf-8")
        found[name] = ast.parse(text), ast.parse(constant_folding.fold(text, name))
    return found


def test_no_name_is_left_that_nobody_makes() -> None:
    """Nor a function's local name, mistaken for the constant."""
    known = {made for numbers in constant_folding.constants().values() for made in numbers}

    def bound(nodes: Iterable[ast.AST]) -> set[str]:
        names = set()
        for node in nodes:
            if isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
        return names

    for name, (before, after) in trees().items():
        written, folded = list(ast.walk(before)), list(ast.walk(after))
        assert not any(getattr(node, "annotation", None) or getattr(node, "returns", None) for node in folded), name
        for function in written:
            if isinstance(function, ast.FunctionDef):
                assert not bound(ast.walk(function)) & known, name
        used = {node.id for node in folded if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        declared = {node.target.id for node in written if isinstance(node, ast.AnnAssign) and not node.value}
        gone = bound(written) - bound(folded) - declared
        assert not used & gone, name


def test_names_from_two_modules_that_are_the_same_on_a_board_stay_apart_where_both_are_imported():
    short = minifier.short_names()
    one, two = "Ssd1306", next(name for name in short if name != "Ssd1306" and short[name] == short["Ssd1306"])
    for name in (one, two):
        assert minifier.for_board(f"from seaboard.pixels import {name}\n{name}()\n").count(short[one]) == 2
    source = f"from seaboard.pixels import {one}\nfrom seabattle.link import {two}\n{one}(x.{two}, {two})\n"
    called = minifier.for_board(source).splitlines()
    assert called[1].endswith(f" as {two}_") and called[2] == f"{short[one]}(x.{short[two]}, {two}_)"
