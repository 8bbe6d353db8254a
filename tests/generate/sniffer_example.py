"""Write the example in docs/sniffer.md, as the sniffer shows it: `python -m tests.generate.sniffer_example`."""

from __future__ import annotations

import re

from seabattle_host.language import messages
from seabattle_host.sniff import rendering
from seabattle_host.sniff.session import Session
from tests.captures import BEGAN, PLACING, written
from tests.command import ROOT

PAGE = ROOT / "docs" / "sniffer.md"
SESSION = PLACING + "s A4 m 4A +2 m C0 03 01 s 0C s C0 02 02 m 1C +9 m AA s 01 m A3 s 3A"
"""A slave that does not wait for A3, and a master that puts up with it."""
SHOWN = slice(6, 12)
_BLOCK = re.compile(r"(?<=\n## The display\n\n)(.*?\n```\n).*?(?=```\n)", re.DOTALL)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


def page() -> str:
    """Return the page with the example."""
    kept = PAGE.read_text(encoding="utf-8")
    return _BLOCK.sub(lambda found: found[1] + example(), kept)


def example() -> str:
    """Return some lines of a session, in English whatever language is in use."""
    language = messages.language()
    messages.use("en")
    try:
        before, lines = BEGAN, []
        for record in Session().run(written(SESSION)):
            lines.append(rendering.line(record, BEGAN, before))
            before = record.at
        return "".join(f"{line}\n" for line in lines[SHOWN])
    finally:
        messages.use(language)


if __name__ == "__main__":
    main()
