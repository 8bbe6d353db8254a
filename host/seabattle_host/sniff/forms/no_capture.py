"""Files that are no captures, by their beginning: what they look like and what to do."""

from __future__ import annotations

import functools
import re

from seabattle import wire
from seabattle_host.language.codes import RULE_VERDICTS
from seabattle_host.language.messages import LANGUAGES, template, tr
from seabattle_host.sniff.forms import evidence
from seabattle_host.sniff.forms.source import Source, is_text

_MAGICS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG", "PNG"),
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"GIF8", "GIF"),
    (0, b"BM", "BMP"),
    (0, b"%PDF", "PDF"),
    (0, b"\x7fELF", "ELF"),
    (0, b"MZ", "EXE"),
    (0, b"SQLite format 3", "SQLite"),
    (0, b"UF2\n", "UF2"),
    (0, b"OggS", "Ogg"),
    (0, b"RIFF", "RIFF"),
    (0, b"ID3", "MP3"),
    (0, b"\xd0\xcf\x11\xe0", "DOC, XLS"),
    (0, b"{\\rtf", "RTF"),
    (257, b"ustar", "tar"),
)
_PACKED: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "rar"),
    (b"\x04\x22\x4d\x18", "lz4"),
)


_ZSTD = b"\x28\xb5\x2f\xfd"

_JSON = re.compile(rb"[\[{]\s*(?:[\[{\"'\]}]|-?\d+(?:\.\d+)?\s*(?:,|\][ \t]*(?:[,\]\r\n]|\Z))|(?:true|false|null)\b)")
_HTML = re.compile(rb"(?i)</?(?:pre|table|t[dhr]|br|p|div|span|code)\b[^<>\n]*>|&nbsp;")
_INTEL = re.compile(r":(?:[0-9A-Fa-f]{2}){5,}\s*")
_MOTOROLA = re.compile(r"S[0-9](?:[0-9A-Fa-f]{2}){4,}\s*")
"""Lines of memory images: address, bytes, and checksum."""

_PACKET = re.compile(r"\S* ?IP6? \S+ > \S+: |(?:\S* )?\S+ \S+ > \S+, ethertype ")
_LISTED = re.compile(r"\s*\d+\s+\d[\d:. -]*\s.*\s(?:→|->)\s.*\s\d+\s")
"""A line of the list of packets that tshark prints: number, time, source, destination, protocol, length."""
_LISTED_MOST = 400
"""Characters of its columns."""
_ROW = re.compile(r"\s+0x0000:\s+[0-9a-f]{4} ")

_CONFORM = re.compile(rb'"format":\s*"seabattle-conform"')
_EXCERPT = re.compile(r"    [<>] [0-9A-F]{2}(?: |$)")
"""What `conform` writes and prints: rules with their verdicts, and bytes of some."""


@functools.cache
def _rule() -> re.Pattern[str]:
    named = "|".join(re.escape(template(key, language)) for key in RULE_VERDICTS for language in LANGUAGES)
    return re.compile(rf".*\S\s+(?:{named})(?:\s\s+\S.*|\s*)")


def _is_of_conform(source: Source) -> bool:
    if _CONFORM.search(source.sample):
        return True
    lines = [line for line in source.head if line.strip()]
    # another language's words take time to load
    if not any(" -> " in line or _EXCERPT.match(line) for line in lines):
        return False
    rules = [number for number, line in enumerate(lines) if _rule().fullmatch(line)]
    excerpts = [number for number, line in enumerate(lines) if _EXCERPT.match(line)]
    return bool(rules) and 2 * (len(rules) + len(excerpts)) > len(lines) and (not excerpts or rules[0] < excerpts[0])


def is_foreign(source: Source) -> bool:
    """Return whether the line's bytes are inside something else that a form would mistake for them."""
    return _image(source) is not None or _is_of_conform(source)


def _image(source: Source) -> tuple[str, str] | None:
    """Return the name of a memory image in text format, and objcopy's name for it."""
    lines = [line for line in source.head[:20] if line.strip()]
    for fits, name, form in ((_INTEL, "Intel HEX", "ihex"), (_MOTOROLA, "Motorola S-record", "srec")):
        if lines and all(fits.fullmatch(line) for line in lines):
            return name, form
    return None


def is_network(source: Source) -> bool:
    """Return whether this is output of tcpdump: the line's bytes are inside packets."""
    head = source.head[:400]
    return sum(_PACKET.match(line) is not None for line in head) > (0 if any(map(_ROW.match, head)) else 3)


_REPLACED = "\ufffd".encode()
_FEW = 3


def lacking(data: bytes) -> str | None:
    """Return what a program did to the bytes of a line that it took for text, None if it did nothing."""
    replaced = data.count(_REPLACED)
    if replaced > _FEW and replaced * 40 > len(data):
        return "looks_replaced"
    if len(data) < _ENOUGH or len(set(data)) == 1:
        return None
    if max(data) < 0x80:
        return None if is_text(data) else "looks_seven"
    stripped = data.count(wire.SHOT) > _FEW and not data.count(wire.MISS) and not data.count(_NICK_KNOWN)
    share = evidence.weigh(data).share if stripped else 0
    return "looks_stripped" if share > _LIKE and (share < _WHOLE or min(data) >= 0x20) else None


_ENOUGH = 20
_LIKE, _WHOLE = 0.6, 0.95
_NICK_KNOWN = 0x1B
"""The two replies that every game has, and that are control characters: of a terminal a new page and an escape."""


def refusal(source: Source) -> str:
    """Explain why a file that matches no form is not read: what it looks like, what to do."""
    data = source.sample
    if not data:
        return tr("is_empty", file=source.name)
    if data.startswith(_ZSTD):
        return tr("looks_zstd", file=source.name)
    for magic, name in _PACKED:
        if data.startswith(magic):
            return tr("looks_packed", file=source.name, what=name)
    for place, magic, name in _MAGICS:
        if data[place:].startswith(magic):
            return tr("looks_like", file=source.name, what=name)
    wide = source.encoding.startswith(("utf-16", "utf-32"))
    if (lacks := lacking(data.decode(source.encoding, "replace").encode() if wide else data)) is not None:
        return tr(lacks, file=source.name)
    if source.encoding:
        if _is_of_conform(source):
            return tr("looks_conform", file=source.name)
        if is_network(source):
            return tr("looks_network", file=source.name)
        lines = [line for line in source.head if line.strip()]
        if sum(_LISTED.match(line[:_LISTED_MOST]) is not None for line in lines) * 10 >= 9 * len(lines):
            return tr("looks_listed", file=source.name)
        stripped = data.lstrip()
        if stripped.startswith((b"<?xml", b"<!", b"<html")) or _HTML.search(data):
            return tr("looks_html", file=source.name)
        image = _image(source)
        if image is not None:
            return tr("looks_image", file=source.name, what=image[0], form=image[1])
        if _JSON.match(stripped):
            return tr("looks_json", file=source.name)
        return tr("looks_text", file=source.name, count=len(lines))
    if len(set(data)) == 1:
        return tr("looks_constant", file=source.name, value=f"{data[0]:02X}")
    return tr("looks_binary", file=source.name, share=round(100 * evidence.weigh(data).share))
