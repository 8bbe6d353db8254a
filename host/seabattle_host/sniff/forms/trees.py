"""The records in a tree of values (JSON, XML, property lists): lists of objects, objects keyed by time or by side."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seabattle_host.sniff.forms import clock, sides
from seabattle_host.sniff.forms.columns import role_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LEAST = 2
_DEEPEST = 60
_ANY = "*"

About = dict[str, object]


def records(tree: object) -> list[object]:
    """Return the largest collection of records in a tree, empty if there is none.

    A record that stands below the name of a side or below a time has it as `dir` or `time`. Collections of the two
    sides are one, in the order of its times.
    """
    if isinstance(tree, dict) and (lists := _two_lists(tree)):
        return lists
    found: dict[tuple[str, ...], list[object]] = {}
    for path, record in _walk(tree, (), {}, 0):
        found.setdefault(path, []).append(record)
    if not found:
        return []
    path, largest = max(found.items(), key=lambda group: len(group[1]))
    return _in_time(largest) if _SIDE in path else largest


_SIDE = "<>"
"""In place of the name of a side in a path."""


def _two_lists(tree: dict[str, object]) -> list[object]:
    """Return the bytes of the two sides, if each has a list of its own without times."""
    some = {name: value for name, value in tree.items() if isinstance(value, (list, str)) and value}
    named = {sides.WORDS[name.lower()]: (name, value) for name, value in some.items() if name.lower() in sides.WORDS}
    if sorted(named) != [0, 1] or any(role_of(name) == "time" and isinstance(some[name], list) for name in some):
        return []
    if any(isinstance(value, list) and any(map(_is_inner, value)) for _name, value in named.values()):
        return []
    return [{"dir": name, "data": value} for _side, (name, value) in sorted(named.items())]


def _is_inner(value: object) -> bool:
    return isinstance(value, (dict, list))


def is_time(name: str) -> bool:
    """Return whether the name of a value is a time or a number."""
    if _NUMBER.fullmatch(name):
        return True
    stamp = clock.match(name)
    return stamp is not None and stamp.end == len(name)


def _walk(value: object, path: tuple[str, ...], about: About, depth: int) -> Iterator[tuple[tuple[str, ...], object]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if any(map(_is_inner, value)):
            for inner in value:
                yield from _member(inner, (*path, _ANY), about, depth)
        return
    if not isinstance(value, dict):
        return
    if len(value) >= _LEAST and all(map(is_time, value)):
        for name, inner in value.items():
            yield from _member(inner, (*path, _ANY), {**about, "time": name}, depth)
        return
    for name, inner in value.items():
        side = name.lower() in sides.WORDS
        yield from _walk(inner, (*path, _SIDE if side else name), {**about, "dir": name} if side else about, depth + 1)


def _member(value: object, path: tuple[str, ...], about: About, depth: int) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield a record, or the records in it."""
    if isinstance(value, dict) and any(_is_collection(inner) for inner in value.values()):
        yield from _walk(value, path, about, depth + 1)
    elif isinstance(value, dict):
        roles = {role_of(name) for name in value}
        named = _one_side(value) if "side" not in roles and len(value) == 1 else None
        yield path, {**{name: told for name, told in about.items() if _ROLE[name] not in roles}, **(named or value)}
    elif isinstance(value, list):
        yield path, [*(about[name] for name in ("time", "dir") if name in about), *value]
    elif about and value is not None:
        yield path, {**about, "data": value}


_ROLE = {"time": "time", "dir": "side"}


def _one_side(value: dict[str, object]) -> dict[str, object] | None:
    """Return `{"TX": "AA"}` as a side and its bytes."""
    ((name, inner),) = value.items()
    return {"dir": name, "data": inner} if name.lower() in sides.WORDS and not isinstance(inner, dict) else None


def _is_collection(value: object) -> bool:
    if isinstance(value, list):
        return len(value) >= _LEAST and all(map(_is_inner, value))
    return isinstance(value, dict) and len(value) >= _LEAST and all(map(is_time, value))


def _in_time(found: list[object]) -> list[object]:
    """Return records in the order of their times, as they are if one has none."""
    times = [_moment(record) for record in found]
    if None in times:
        return found
    order = sorted(range(len(found)), key=lambda n: (times[n] or 0.0, n))
    return [found[n] for n in order]


def _moment(record: object) -> float | None:
    value: object = None
    if isinstance(record, dict):
        value = next((value for name, value in record.items() if role_of(str(name)) == "time"), None)
    elif isinstance(record, list):
        value = next((cell for cell in record if isinstance(cell, (int, float))), None)
    if isinstance(value, (int, float)):
        return float(value)
    text = str(value)
    if _NUMBER.fullmatch(text):
        return float(text)
    stamp = clock.match(text) if isinstance(value, str) else None
    return float(stamp.us) if stamp is not None else None
