"""Senders named in a remark behind the bytes: `A7 0A ; from PC`, `1A  # board`, `AA  // TX`, `01 <- board`.

Or by an arrow that goes on behind them: `PC --[ AA ]--> board`, `PC <--[ 01 ]-- board`.

Lines are rewritten with the side in front, as `TX: A7 0A`, which their reader understands. A remark counts only if
those of the beginning part the bytes into the two roles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seabattle_host.sniff.forms import fronts, sides

_REMARK = re.compile(
    r"(?<=[0-9A-Fa-f]|[hH\"'\])}>])\s+(?:(?:[#;%!*]+|//+|--+(?!>)|/\*|<!--|'|\()\s*|(?=<-|->|<=|=>|[←→⇐⇒]))(?P<words>.*)$"
)
_ENDS = re.compile(rf"\s*(?:the\s+)?(?P<arrow>{sides.ARROW.pattern})\s*(?:the\s+)?(?P<end>[^\W\d_]+)")
_LEAST = 4
_MOST = 400
_HEX = re.compile(r"(?<![\w.:])(?:0[xX]|\$|\\x)?([0-9A-Fa-f]{2})[hH]?(?=[\s,;:\"'\])}]|$)")


@dataclass(frozen=True)
class Remarks:
    """The sides are in remarks. through: in arrows that go on behind the bytes."""

    through: bool = False

    def normal(self, line: str) -> str:
        """Return a line with its side in front."""
        if self.through:
            arrow = _through(line)
            return line if arrow is None else f"{('TX', 'RX')[arrow[0]]}: {arrow[1]}"
        found = _REMARK.search(line)
        side = of_remark(found["words"]) if found else None
        return line if found is None or side is None else f"{('TX', 'RX')[side]}: {line[: found.start()]}"


def of_remark(words: str) -> int | None:
    """Return the sender that a remark names, None if it names none."""
    towards = next((found for n in range(len(words)) if (found := sides.of_towards(words, n)) is not None), None)
    if towards is not None:
        return towards[0]
    end = _ENDS.search(words)
    if end is not None and end["end"].lower() in sides.ENDS:
        # `-> board` goes to it
        return sides.WORDS[end["end"].lower()] ^ (sides.of_arrow(end["arrow"]) == 0)
    for word in sides.WORD.findall(words.lower()):
        if word in sides.WORDS and (len(word) > 1 or words.strip(" )*/-").lower() == word):
            return sides.WORDS[word]
    return sides.of_word(words.strip(" )*/"))


_LONGEST = 400
"""Characters of a line with such an arrow."""
_BYTES = r"(?:0[xX])?[0-9A-Fa-f]{2}(?:[ ,:]+(?:0[xX])?[0-9A-Fa-f]{2})*"
_THROUGH = re.compile(
    rf"(?P<left>.*?)(?:(?P<to_left><)?[-=]{{1,6}}\s?)?[\[(|:]?\s*(?<!\w)(?P<bytes>{_BYTES})(?!\w)\s*[\])|:]?"
    r"(?:\s*[-=]{1,6}(?P<to_right>>)?)?(?:\s*\|?\s*[^\W\d_]+)?\s*"
)


def _through(line: str) -> tuple[int, str, str] | None:
    """Return the side whose arrow is around the bytes of a line, the line without it, the bytes; None if none is."""
    found = _THROUGH.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None or bool(found["to_left"]) == bool(found["to_right"]):
        return None
    return int(bool(found["to_left"])), found["left"] + " " + found["bytes"], found["bytes"]


def _by_arrows(sample: Sequence[str]) -> Remarks | None:
    """Return how arrows that go on behind the bytes name the senders; None if there are none."""
    if sum(_BEHIND.search(line) is not None for line in sample) * 4 < len(sample):
        return None
    found = [arrow for line in sample if (arrow := _through(line)) is not None]
    if len(found) < _LEAST or len(found) * 10 < 9 * len(sample):
        return None
    data = [bytes.fromhex("".join(_HEX.findall(written))) for _side, _line, written in found]
    return Remarks(True) if fronts.are_roles(data, [str(side) for side, *_line in found], ["0", "1"]) else None


_BEHIND = re.compile(r"[0-9A-Fa-f]\s*[\])|]?\s*[-=]{1,6}>?(?!\w)")


def learn(lines: Sequence[str]) -> Remarks | None:
    """Return how remarks name the senders; None if they do not."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    if (arrows := _by_arrows(sample)) is not None:
        return arrows
    found = [match for line in sample if (match := _REMARK.search(line)) is not None]
    if len(found) < _LEAST or len(found) * 10 < 9 * len(sample):
        return None
    named = [(match, side) for match in found if (side := of_remark(match["words"])) is not None]
    if len(named) * 10 < 9 * len(found) or {side for _match, side in named} != {0, 1}:
        return None
    if sum(sides.is_named(match.string[: match.start()]) for match, _side in named) * 10 > len(named):
        # words in front of the bytes name them
        return None
    kind = fronts.kind_of(sample)
    texts = [fronts.timed(match.string[: match.start()], kind)[1] for match, _side in named]
    data = [bytes.fromhex("".join(_HEX.findall(text))) for text in texts]
    return Remarks() if fronts.are_roles(data, [str(side) for _match, side in named], ["0", "1"]) else None
