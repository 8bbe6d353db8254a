"""What goes onto a board: short names, without what nobody calls, and modules with those in them that only they use."""

from __future__ import annotations

import ast

from seabattle_host.boards import folding, merging, shortening
from tests.sizes import proof


def identifiers(source: str) -> set[str]:
    return set(shortening.identifiers(folding.walk(ast.parse(source))))


def test_no_two_names_of_a_module_become_the_same() -> None:
    """Nor two functions, or two names at the top, of those that are one module on a board."""
    short = shortening.names()
    assert len(short) > 500
    for module in merging.on_boards() - set(merging.hosts()):
        together = set()
        for guest in merging.guests(module):
            names = set(identifiers(merging.trees()[guest]))
            assert len({short.get(name, name) for name in names}) == len(names), guest
            nodes = merging.nodes()[guest]
            together |= merging.bound(guest) | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        assert len({short.get(name, name) for name in together}) == len(together), module


def test_a_modules_own_tree_is_as_before_but_for_the_names() -> None:
    for module in sorted(merging.on_boards() - set(merging.hosts()))[:: proof(4, 1)]:
        before = ast.parse(shortening.called(merging.merged(module)))
        after = ast.parse(shortening.module_for_board(module))
        kinds = [[type(node) for node in ast.walk(tree)] for tree in (before, after)]
        assert kinds[0] == kinds[1], module


def test_what_others_ask_for_keeps_its_name() -> None:
    """MicroPython, main.py, a board's pins, and who asks by a string."""
    assert not {"readinto", "any", "write", "app", "App", "Board", "held", "damaged", "lines", "PANEL"} & set(
        shortening.names()
    )


def test_a_module_goes_into_the_first_that_takes_from_it() -> None:
    assert merging.hosts()["seabattle.link_state"] == "seabattle.link_moves"
    link = merging.merged("seabattle.link")
    classes = [node.name for node in ast.parse(link).body if isinstance(node, ast.ClassDef)]
    assert classes == ["Fleet", "Reader", "LinkState", "LinkMoves", "LinkPeer", "Link"]
    # what takes it later takes it from there, by its name alone
    assert "from seabattle.link import Fleet, check" in merging.merged("seabattle.player")
    assert "wire.exchange(" not in link and " exchange(op)" in link
    # what shows a fault is loaded without the game, and what is given up again keeps nothing that stays
    assert not {"seaboard.text_buffer", "seaboard.panel"} & set(merging.hosts())
    assert not set(merging.GIVEN_UP) & set(merging.hosts().values())


def test_what_one_module_sets_on_an_object_of_another_is_no_other_name_there() -> None:
    short = shortening.names()
    theirs = {short.get(name, name): name for name in shortening._sources()["seaboard.hardware"]}
    assert [theirs.get(short.get(name, name), name) for name in ("attending", "lines", "faults")] == [
        "attending",
        "lines",
        "faults",
    ]


def test_what_nobody_on_a_board_calls_is_left_out() -> None:
    link = shortening.called(merging.merged("seabattle.link"))
    assert "def probe(" in merging.merged("seabattle.link") and "def probe(" not in link
    assert "def shoot(" in link


def test_a_traceback_of_a_board_is_read_with_the_names_of_the_sources() -> None:
    short = shortening.names()
    told = f'  File "seaboard.app", line 1, in {short["_events"]}\n  File "seabattle.link", in {short["_hang"]}\n'
    assert shortening.restored(told) == told.replace(f"in {short['_events']}\n", "in _events\n").replace(
        f"in {short['_hang']}\n", "in _hang\n"
    )
    assert shortening.restored('File "main.py", line 3, in main') == 'File "main.py", line 3, in main'
