"""docs/protocol.md matches the table of exchanges."""

import re

from seabattle import watch, wire
from seabattle_host import protocol_doc


def test_page_is_not_stale():
    text = protocol_doc.PAGE.read_text(encoding="utf-8")
    assert protocol_doc.render(text) == text, "run python -m seabattle_host.protocol_doc"


def test_the_game_on_the_page_is_whole_and_nothing_is_wrong_with_it():
    text = protocol_doc.PAGE.read_text(encoding="utf-8")
    game = text.split("<!-- table: trace -->")[1].split("<!-- end -->")[0]
    w = watch.Watch()
    seen = []
    for line in game.splitlines():
        found = re.match(r"((?:[0-9A-F]{2} )+)|(?: {19})((?:[0-9A-F]{2} )+)", line)
        if found is None:
            continue
        side = 0 if found[1] else 1
        for byte in bytes.fromhex(found[side + 1]):
            w.feed(side, byte)
            while w.take():
                assert (w.kind, w.verdict) == (watch.FRAME, watch.OK), line
                seen.append(w.op)
    assert seen[0] == wire.SYNC and seen[-2:] == [wire.GOODBYE, 0x7A] and wire.WON in seen
    # every exchange of an ordinary game is there
    odd = {wire.TIMED_OUT, wire.RESTART, wire.SURRENDER, wire.BROKEN}
    assert {row[wire.OPCODE] for row in wire.TABLE} - odd <= set(seen)
    assert {wire.MISS, wire.HIT, wire.SUNK} <= set(seen)
