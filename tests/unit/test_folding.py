"""What goes onto a board has numbers where the sources have the names of constants."""

from __future__ import annotations

import ast

import pytest

from seabattle_host.boards import deploy, folding

MODULES = deploy.modules(deploy.named("pico_w"))


def test_names_become_numbers() -> None:
    source = (
        "from seabattle import wire\nfrom seabattle.link import EV_OVER, Link\n\n"
        "def f(ev):\n    return ev == EV_OVER and wire.SYNC or wire.exchange(wire.MEET) or Link\n"
    )
    assert folding.folded(source) == (
        "from seabattle import wire\nfrom seabattle.link import Link\n\n"
        "def f(ev):\n    return ev == 12 and 170 or wire.exchange(161) or Link\n"
    )


@pytest.mark.parametrize("module", MODULES)
def test_no_name_is_left_that_nobody_makes(module: str) -> None:
    """Nor one that a function makes its own, which would have been taken for the constant."""
    name = module.removeprefix("lib/").replace("/", ".")
    before = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    after = ast.parse(folding.folded(MODULES[module].read_text(encoding="utf-8"), name))
    known = {made for numbers in folding.constants().values() for made in numbers}

    def bound(tree: ast.AST) -> set[str]:
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        return names | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}

    for function in ast.walk(before):
        if isinstance(function, ast.FunctionDef):
            assert not bound(function) & known
    used = {node.id for node in ast.walk(after) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    gone = bound(before) - bound(after)
    assert not used & gone
