"""What `decode` says of a file is Russian in Russian, except for names of forms, programs, ports and players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host.sniff import forms
from tests import needs
from tests.calls import Seabattle
from tests.dress import frames, hexed, listed, merged_bytes

pytestmark = pytest.mark.usefixtures("english")

KEPT = Path(__file__).parent.parent / "fuzz" / "captures"
OTHERS = {
    "octal": "".join(
        f"{n:07o} {hexed(merged_bytes()[n : n + 8], '{:03o}')}\n" for n in range(0, len(merged_bytes()), 8)
    ),
    "words": "".join(f"{n:07x} {merged_bytes()[n : n + 8].hex(' ', 2)}\n" for n in range(0, len(merged_bytes()), 8)),
    "decimal": "data = bytes([" + ", ".join(map(str, merged_bytes())) + "])\n",
    "bits": hexed(merged_bytes(), "{:08b}") + "\n",
    "columns": "time,dir,data\n" + listed("{s},{TX|RX},{hex}"),
    "colours": "".join(f"\x1b[{31 + 3 * side}m{hexed(raw)}\x1b[0m\n" for _at, side, raw in frames()),
    "named": listed("dir={tx|rx} data={run} n={len}"),
    "text": "a text in no form\n" * 9,
}
NAMES = {
    *forms.NAMES,
    *"seabattle sigrok cli USB TCP UART usbmon asciicast TX RX hex form alice bob board serial bulk in out dev".split(),
}


def kept() -> Iterator[object]:
    for path in sorted(KEPT.iterdir()):
        recorded = path.suffix in (".sr", ".vcd")
        yield pytest.param(path.name, marks=needs.program("sigrok-cli") if recorded else ())


@pytest.mark.parametrize("name", [*kept(), *OTHERS])
@pytest.mark.parametrize("option", ["--check", "--report"])
def test_no_english_in_russian(name: str, option: str, tmp_path: Path, seabattle: Seabattle):
    path = tmp_path / name
    path.write_bytes((KEPT / name).read_bytes() if name not in OTHERS else OTHERS[name].encode())
    _status, out, err = seabattle(f"decode {option} --lang ru", path)
    said = (out + err).replace(str(path), "")
    assert set(re.findall(r"(?<![\w/.`@-])[A-Za-z]{3,}(?![\w/])", said)) <= NAMES, said
