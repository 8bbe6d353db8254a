"""docs/protocol.md says what the table says."""

import pytest

from seabattle import wire
from seabattle_host import protocol_doc


def test_page_is_not_stale():
    text = protocol_doc.PAGE.read_text(encoding="utf-8")
    assert protocol_doc.render(text) == text, "run python -m seabattle_host.protocol_doc"


def test_a_changed_table_makes_the_page_stale(monkeypatch: pytest.MonkeyPatch):
    changed = [list(row) for row in wire.TABLE]
    changed[3][wire.STATES] = 31
    monkeypatch.setattr(protocol_doc, "TABLE", tuple(map(tuple, changed)))
    text = protocol_doc.PAGE.read_text(encoding="utf-8")
    assert protocol_doc.render(text) != text


def test_every_command_has_its_line():
    text = protocol_doc.PAGE.read_text(encoding="utf-8")
    for row in wire.TABLE:
        assert f"| `{protocol_doc.frame(row[wire.OPCODE], row[wire.FIELDS])}` |" in text
