"""Who sent the lines of a file, by the words in front of their bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from seabattle_host.sniff.forms import evidence, sides
from seabattle_host.sniff.forms.listed import Line, Plan


def is_said_once(sided: Sequence[tuple[Line, int | None]]) -> bool:
    """Return whether a side is named only above the bytes, as in column heads."""
    with_data = [side for line, side in sided if line.data]
    return len(with_data) > 3 and sum(side is not None for _line, side in sided) * 10 < len(with_data)


def other(sided: Sequence[tuple[Line, int | None]]) -> int | None:
    """Return the side of the lines that name none, if the others name only one and the bytes are of two roles."""
    named = {side for line, side in sided if line.data and side is not None}
    if len(named) != 1 or any(side is not None for line, side in sided if not line.data):
        return None
    own, others = (
        evidence.weigh(b"".join(line.data for line, side in sided if (side is None) == bare)) for bare in (False, True)
    )
    apart = (own.master and others.slave and not own.slave and not others.master) or (
        own.slave and others.master and not own.master and not others.slave
    )
    return 1 - named.pop() if apart and own.is_protocol and others.is_protocol else None


def two_labels(lines: Sequence[Line], plan: Plan) -> dict[str, int]:
    """Return sides for two labels before the bytes of which at most one names a side, or both the same."""
    for place in range(3):
        labels = [line.labels[place] for line in lines if len(line.labels) > place]
        if len(labels) < 4 or len(labels) * 10 < 9 * len(lines) or len(set(labels)) > 2:
            return {}
        if len(set(labels)) == 2:
            break
    else:
        return {}
    if (
        any(line.sender.words and line.sender.arrows for line in lines)
        and len({line.sender.side for line in lines} - {None}) == 2
    ):
        return {}
    sided = {sides.WORDS.get(label) for label in labels}
    return {} if sided == {0, 1} or (sided == {None} and not plan.numbered) else sides.of_two(labels)


def both_named(lines: Sequence[Line]) -> bool:
    """Return whether each line names both sides, one of them without bytes: `TX=AA RX=`, `TX= RX=01`."""
    counts: Counter[int] = Counter()
    for line in lines:
        behind = (sides.WORDS.get(word, -1) for word in sides.WORD.findall(line.rest.lower()))
        if line.sender.words and not (line.sender.arrows or line.more) and {0, 1} == {*line.sender.words, *behind}:
            counts[line.sender.words[-1]] += 1
    return len(counts) == 2 and counts.total() * 10 >= 9 * len(lines)


def two_names(lines: Sequence[Line]) -> dict[str, int]:
    """Return sides for two names in the same position, if no known word says more (`COM3`, `COM4`)."""
    for place in range(3):
        counted = Counter(line.names[place] for line in lines if len(line.names) > place)
        # remarks of a tool above the bytes have other names, each only once
        names = [name for name, count in counted.items() if count > 1] or list(counted)
        many = sum(counted[name] for name in names)
        if len(names) == 2 and many * 2 >= len([line for line in lines if line.stamp or line.data]):
            return sides.of_two(names)
    return {}


def side_of(line: Line, plan: Plan) -> int | None:
    """Return the side of a line's bytes, None if it is unknown."""
    if plan.named:
        return next((plan.named[name] for name in line.labels if name in plan.named), None)
    if plan.tails:
        return plan.tails.get(line.rest.lower())
    if plan.mute or (plan.unsided and not line.sender.words):
        return None
    side = line.sender.words[-1] if plan.nearest and line.sender.words else line.sender.side
    return plan.other if side is None and line.data else side
