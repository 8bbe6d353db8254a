"""Subtitles (SubRip, WebVTT, SubViewer, Sub Station Alpha) whose texts are bytes: a line of a log for each text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import colours, sides
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.terminal import View

_LARGEST = 1 << 26
"""Bytes of a file up to which it is rewritten."""
_LEAST = 4

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{2,3}"
_CUE = re.compile(rf"\s*({_TIME})(?:\s*-->\s*|,){_TIME}(?:\s+[\w-]+:\S+)*\s*")
_NUMBER = re.compile(r"\s*\d+\s*")
_DIALOGUE = re.compile(r"(?:Dialogue|Comment): ?(.*)")
_FORMAT = "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
"""What the values of a line in ASS are, where no line says it."""
_COLOURED = re.compile(r"\{[^{}]*\\1?c&H([0-9A-Fa-f]+)&?[^{}]*\}([^{}]*)(?:\{[^{}]*\})?")
_OVERRIDE = re.compile(r"\{\\[^{}]*\}")
_VOICE = re.compile(r"<v(?:\.[\w.]+)?\s+([^<>]+)>")
_TAG = re.compile(r"</?(?:[ibuscv]|font|lang|ruby|rt|c\.[\w.]+)(?:\s[^<>]*)?>")


def shown(source: Source) -> View | None:
    """Return the texts of subtitles with the time of each; None if a file has none."""
    head = source.head
    is_dialogue = sum(_DIALOGUE.match(line) is not None for line in head) >= _LEAST
    if not source.encoding or not (is_dialogue or sum(_CUE.fullmatch(line) is not None for line in head) >= _LEAST):
        return None
    text = source.read(_LARGEST).decode(source.encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
    text, names = colours.sided(_COLOURED.sub(r'<font color="\1">\2</font>', text))
    lines = text.splitlines()
    rows = _dialogue(lines) if is_dialogue else _cues(lines)
    told = sides.words_for(names)
    return View("".join(f"{row}\n" for row in rows).encode(), tr("laid_subtitles") + told)


def _bare(text: str) -> str:
    """Return a text without its looks, with the name of who says it."""
    return _TAG.sub("", _OVERRIDE.sub("", _VOICE.sub(r"\1: ", text))).strip()


def _cues(lines: Sequence[str]) -> Iterator[str]:
    time = ""
    for n, line in enumerate(lines):
        cue = _CUE.fullmatch(line)
        if cue is not None:
            time = cue[1]
        elif not (_NUMBER.fullmatch(line) and any(map(_CUE.fullmatch, lines[n + 1 : n + 2]))) and line.strip():
            # what stands above the first is about the file
            yield f"{time} {_bare(line)}" if time else f"// {line}"


def _dialogue(lines: Sequence[str]) -> Iterator[str]:
    names = [name.strip().lower() for name in _FORMAT.split(",")]
    rows: list[dict[str, str]] = []
    for line in lines:
        if line.startswith("Format:") and "text" in line.lower() and "start" in line.lower():
            names = [name.strip().lower() for name in line.partition(":")[2].split(",")]
        elif (found := _DIALOGUE.match(line)) is not None:
            rows.append(dict(zip(names, found[1].split(",", len(names) - 1), strict=False)))
    said = [name for name in ("name", "actor", "style") if len(Counter(row.get(name, "") for row in rows)) == 2]
    for row in rows:
        who = f"{row.get(said[0], '').strip()}: " if said else ""
        for text in re.split(r"\\[nN]", row.get("text", "")):
            yield f"{row.get('start', '')} {who}{_bare(text)}"
