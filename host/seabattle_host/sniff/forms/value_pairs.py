"""The names and values in one line of a log, as `name=value`, an object in JSON, or a sample of Prometheus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

Values = dict[str, str]

TEXT = ""
"""In place of a name: the words beside the names and values."""

_LONGEST = 1 << 13
"""Characters of a line."""

_NAME = r"[\"':@]?[^\W\d][\w.@-]{0,60}[\"']?"
_BEGIN = r"(?<![\w.\"'@:-])"
_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_IN_BRACKETS = r"(?:[\w.]+(?:\(\d+\))?\s?)?(?:<<[^<>]*>>|<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|\([^()]*\))|\[\]\w+\{[^{}]*\}"


def _pattern(sign: str) -> re.Pattern[str]:
    ends = rf"(?=[\s,;|)}}\]]+{_NAME}\s?{sign}|[\s,;|)}}\]]*$)"
    return re.compile(
        rf"{_BEGIN}(?P<name>{_NAME})\s?{sign}\s?(?P<value>b?(?:{_QUOTED})|(?:{_IN_BRACKETS}){ends}|[^\s\"'].*?{ends}|{ends})"
    )


STYLES = tuple(map(_pattern, (r"=(?![=>])", "=>", ":(?!:)")))
_METRIC = re.compile(r"([A-Za-z_][\w:]*)\{(.*)\}\s+(\S+)(?:\s+(\d{10,19}(?:\.\d+)?))?\s*")
"""A sample of Prometheus."""
_BEHIND = re.compile(r"\s(1(?:\d{9}(?:\.\d{1,9})?|\d{12}|\d{15}|\d{18}))\s*$")
"""A time since the epoch behind the values, as InfluxDB writes it."""
_OBJECT = re.compile(r"([^{}]*?)(\{\s*\".*\})\s*,?\s*")


def values_of(line: str, style: int) -> Values:
    """Return the names and values of a line, and under an empty name what else is in it; empty if it has none."""
    if len(line) > _LONGEST:
        return {}
    metric = _METRIC.fullmatch(line)
    if metric is not None:
        found = dict(_pairs(metric[2], 0))
        return {**found, "value": metric[3], **({"timestamp": metric[4]} if metric[4] else {}), TEXT: metric[1]}
    whole = _OBJECT.fullmatch(line)
    if whole is not None and (tree := as_object(whole[2])) is not None:
        return {**dict(_flat(tree)), TEXT: whole[1]}
    behind = _BEHIND.search(line)
    text = line if behind is None else line[: behind.start()]
    found = dict(_pairs(text, style))
    if behind is not None and found:
        found.setdefault("timestamp", behind[1])
    if found:
        found[TEXT] = STYLES[style].sub(" ", text)
    return found


def _pairs(text: str, style: int) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for match in STYLES[style].finditer(text):
        name = match["name"].strip("\"':@")
        if name not in seen:
            seen.add(name)
            yield name, match["value"]


def _flat(tree: object) -> Iterator[tuple[str, str]]:
    """Yield the innermost names and values of an object; a name that came before with what it is in, as `a.b`."""
    seen: set[str] = set()
    for path, text in _leaves(tree, (), 0):
        for name in ("".join(path[-1:]), ".".join(path)):
            if name and name not in seen:
                seen.add(name)
                yield name, text
                break


_DEEPEST = 20


def _leaves(value: object, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], str]]:
    if depth > _DEEPEST or value is None:
        return
    if isinstance(value, dict):
        named = value.get("key", value.get("name"))
        if isinstance(named, str) and "value" in value and len(value) == 2:
            # an attribute of OpenTelemetry
            inner = value["value"]
            yield from _leaves(
                next(iter(inner.values()), None) if isinstance(inner, dict) else inner, (*path, named), depth + 1
            )
            return
        for name, inner in value.items():
            if name.startswith("$") and path and len(value) <= 2 and not isinstance(inner, dict):
                # MongoDB's `{"$date": ...}`
                yield from _leaves(inner, path, depth + 1)
                return
            yield from _leaves(inner, (*path, name), depth + 1)
    elif isinstance(value, list):
        if value and all(isinstance(part, int) and not isinstance(part, bool) for part in value):
            yield path, "[" + ",".join(map(str, value)) + "]"
        else:
            for place, inner in enumerate(value):
                own = path if isinstance(inner, (dict, list)) else (*path[:-1], f"{''.join(path[-1:])}{place}")
                yield from _leaves(inner, own, depth + 1)
    elif isinstance(value, str) and value[:1] == "{" and (tree := as_object(value)) is not None:
        yield from _leaves(tree, path, depth + 1)
    elif isinstance(value, bool):
        yield path, str(value).lower()
    else:
        yield path, str(value)


def as_object(text: str) -> object:
    """Return a value in JSON, None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
