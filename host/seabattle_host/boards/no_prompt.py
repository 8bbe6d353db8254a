"""Describes what arrives on a port without a MicroPython prompt, and its probable source."""

from __future__ import annotations

import re

from seabattle import wire
from seabattle_host.boards.discovery import CONSOLE
from seabattle_host.language.messages import tr
from seabattle_host.language.text import in_one_line
from seabattle_host.line import line_monitor
from seabattle_host.line.settings_guess import guess

_TEXT_SHOWN = 24
_BYTES_SHOWN = 8
_ASKED = b"\r\x01\x03\x04"
"""Bytes that ask a board for its prompt."""
_ENOUGH = 3

_BOARDS = {"text_prompt": "heard_python", "text_boot": "heard_boot", "text_other": "heard_other"}
"""Texts that may come from a board after all; others indicate another device."""
_DEVICES = {"text_gps": "heard_gps", "text_login": "heard_login", "text_modem": "heard_modem"}
_PRINTER = re.compile(r"\bT0?:\s*\d|\becho:|\bMarlin\b|\bGrbl\b")


def explain(port: str, data: bytes) -> str:
    """Return the message for a port that sent `data` instead of a prompt."""
    if not data:
        return tr("no_answer", port=port, heard=tr("heard_nothing"))
    if set(data) <= set(_ASKED):
        return tr("not_a_board", port=port, heard=_bytes(data), whose=tr("heard_echo"))
    if not any(data):
        return tr("not_a_board", port=port, heard=_bytes(data), whose=tr("heard_zeros"))
    printable = sum(byte in b"\r\n\t" or 0x20 <= byte < 0x7F for byte in data)
    if printable * 10 >= len(data) * 9:
        return _text(port, data.decode("ascii", "replace"))
    calls = sum(byte in (wire.SYNC, wire.SYNCED) for byte in data)
    if calls >= _ENOUGH and calls * 2 >= len(data):
        return tr("not_a_board", port=port, heard=_bytes(data), whose=tr("heard_player"))
    found = guess(data, CONSOLE)
    if found is not None and found.bauds != (CONSOLE.baud,):
        bauds = "/".join(map(str, found.bauds))
        return tr("not_a_board", port=port, heard=_bytes(data), whose=tr("heard_speed", bauds=bauds))
    return tr("no_answer", port=port, heard=tr("heard_some", heard=_bytes(data), whose=tr("heard_senseless")))


def _bytes(data: bytes) -> str:
    return data[-_BYTES_SHOWN:].hex(" ").upper()


def _text(port: str, text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    whole = lines[-2] if len(lines) > 2 and not text.endswith(("\r", "\n")) else lines[-1]
    shown = tr("heard_text", text=in_one_line(whole[:_TEXT_SHOWN]))
    whose = line_monitor.whose_text(text)
    if whose == "text_other":
        # the first line may be incomplete
        whose = line_monitor.whose_text(text.partition("\n")[2])
    if whose == "text_other" and _PRINTER.search(text):
        return tr("not_a_board", port=port, heard=shown, whose=tr("heard_printer"))
    if whose in _DEVICES:
        return tr("not_a_board", port=port, heard=shown, whose=tr(_DEVICES[whose]))
    return tr("no_answer", port=port, heard=tr("heard_some", heard=shown, whose=tr(_BOARDS[whose])))
