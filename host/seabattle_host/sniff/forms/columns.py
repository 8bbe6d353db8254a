"""The meaning of a table's columns, by their names, in the languages of the exporting programs, or by their bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.forms import fronts, numerals, sides
from seabattle_host.sniff.forms.cells import bytes_of

_ROLES: tuple[tuple[str, str], ...] = (
    ("event", r"rtacser[._]eventtype|event ?type"),
    ("parity", r"parity.*"),
    ("framing", r"framing.*"),
    ("error", r"errors?|fault|faults|ошибк\w*"),
    ("tx", r"(?:uart:? ?)?(?:tx|txd|mosi|out|sent|write|master)(?:[ _:-]?data)?"),
    ("rx", r"(?:uart:? ?)?(?:rx|rxd|miso|in|received|read|slave)(?:[ _:-]?data)?"),
    ("date", r"date|дата|datum|fecha|日期|日付"),
    ("delta", r"(?:time[ _]?)?(?:dt|delta(?:[ _]?(?:t|time))?|Δ ?(?:t|time)?|δ ?(?:t|time)?|diff(?:erence)?|gap|interval)|since[ _](?:last|prev\w*)(?: \w+)?|интервал|разница"),  # noqa: E501
    ("tick", r"(?:sys|bios|os|timer)?[ _]?ticks?(?:[ _]?count)?|тики?"),
    ("time", r"start[ _]?time|time|elapsed(?:[ _]?time)?|uptime|millis|micros|since[ _]start|time[ _]of[ _]day|@timestamp|__realtime_timestamp|asctime|created|datetime|timestamp|start|ts|t|at|when|(?:date|time)[ _/&+]*(?:time|date)|frame[._]time_epoch|rtacser[._]timestamp|frame[._]time_relative|frame[._]time|время.*|дата.*|zeit.*|uhrzeit|zeitstempel|datum.*|heure|temps|horodatage|fecha.*|hora|tiempo|czas|tempo|data e ora|时间|時間|時刻|时刻|时间戳|日時|시간"),  # noqa: E501
    ("side", r"dir|direction|side|source|src|sender|from|name|device|decoder|channel|analyzer ?name|port|operation|request|p2p_dir|frame[._]p2p_dir|(?:tcp|udp)[._]srcport|usb[._]src|направление|сторона|порт|richtung|sens|dirección|direccion|kierunek|direzione|směr|方向|방향"),  # noqa: E501
    ("data", r"data|value|values|byte|bytes|hex|payload|raw|data[._]data|(?:tcp|udp)[._]payload|usb[._]capdata|decoded ?(?:protocol ?)?result|result|msg|message|content|data ?\(hex\)|данные.*|байты|значение|daten|wert|bytes? ?\(hex\)|données|donnees|datos|dane|dati|数据|數據|データ|데이터"),  # noqa: E501
)  # fmt: skip
UNIT = re.compile(
    r"\s*[\[(]\s*(s|ms|us|µs|ns|sec|seconds|с|мс|мкс|нс|hex)\s*[\])]\s*$|(?:\s*,\s*|\s*/\s*|[\s_]+|(?<=[a-z])(?=[mµun]s$)|^(?!(?:s|с|hex)$))(s|ms|us|µs|ns|sec|seconds|с|мс|мкс|нс|hex)$",
    re.IGNORECASE,
)
_SECONDS: dict[str, float] = dict.fromkeys(("s", "sec", "seconds", "с"), SECOND)
_SCALE = _SECONDS | {"ms": 1000, "us": 1, "µs": 1, "ns": 0.001, "мс": 1000, "мкс": 1, "нс": 0.001}


def scale_of(name: str) -> float | None:
    """Return the microseconds of the unit in the name of a column; None if it names none."""
    unit = UNIT.search(name)
    return _SCALE.get((unit[1] or unit[2]).lower()) if unit else None


def role_of(name: str) -> str:
    """Return the role of a column by its name, empty if irrelevant."""
    bare = name.strip().strip('"').lower()
    bare = UNIT.sub("", bare) or "time" * bool(bare)
    return next((role for role, pattern in _ROLES if re.fullmatch(pattern, bare)), "")


_PACKET_NUMBER = re.compile(r"\w+(?:[.]\w+)*[.]\w+_in")
"""Names of Wireshark's fields that refer to another packet: `tcp.reassembled_in`."""


def _side_of_column(name: str) -> int | None:
    """Return the side whose bytes a column of this name holds: `Gesendet`, `0:UART: TX`."""
    bare = UNIT.sub("", name.strip().strip('"'))
    if _PACKET_NUMBER.fullmatch(bare.lower()):
        return None
    words = sides.WORD.findall(bare.lower().replace("_", " "))
    if not any(word in sides.WORDS and (len(word) > 1 or re.match(f"[{sides.CJK}]", word)) for word in words):
        return None
    return sides.of_name(re.sub(r"^\d+[:.]|(?i:uart|serial|data|hex|bytes)", " ", bare).strip(" :-_"))


_YES = ("true", "yes", "1", "y", "да")
_NO = ("false", "no", "0", "n", "нет")


def side_if_yes(name: str) -> int | None:
    """Return the side that a value of yes or no with this name tells: `tx`, `isTx`, `from_host`."""
    words = re.sub(r"^(?:is|was) ", "", re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name.strip().strip('"')).lower())
    towards = sides.of_towards(words, 0)
    return towards[0] if towards is not None else sides.of_name(words)


def by_yes(names: Sequence[str], rows: Sequence[Sequence[str]], columns: dict[str, int]) -> dict[str, int]:
    """Find the column of yes and no that names the side, and take it for that; return the sides of its values."""
    if "side" in columns or "data" not in columns:
        return {}
    for i, name in enumerate(names):
        values = {row[i].strip() for row in rows if len(row) > i and row[i].strip()}
        yes = [value for value in values if value.lower() in _YES]
        no = [value for value in values if value.lower() in _NO]
        if len(values) == 2 and len(yes) == len(no) == 1 and (side := side_if_yes(name)) is not None:
            for role in [role for role, place in columns.items() if place == i]:
                del columns[role]
            columns["side"] = i
            return {yes[0]: side, no[0]: 1 - side}
    return {}


_NUMBERED = re.compile(r"(?:d|b|data|byte)[ _]?\d+")


def bytes_apart(names: Sequence[str]) -> tuple[int, int] | None:
    """Return where columns for one byte each begin and end, as `D0`, `D1`, ...; None if there are none."""
    places = [i for i, name in enumerate(names) if _NUMBERED.fullmatch(name.strip().strip('"').lower())]
    apart = len(places) > 1 and places == list(range(places[0], places[-1] + 1))
    return (places[0], places[-1] + 1) if apart else None


_WEAK = re.compile(r"msg|message|content|result")
"""Names of columns that may hold bytes, but more often text."""


def columns_of(names: Sequence[str]) -> dict[str, int]:
    """Return the index of each role's column, by the names of the columns."""
    found: dict[str, int] = {}
    for i, name in enumerate(names):
        role = role_of(name)
        if role and (
            role not in found
            or (role == "data" and _WEAK.fullmatch(names[found["data"]].strip().lower()))
            or (role == "side" and names[i].strip().lower() in ("direction", "dir", "side"))
        ):
            found[role] = i
    if "data" not in found and (apart := bytes_apart(names)) is not None:
        found["data"] = apart[0]
    sided = {i: side for i, name in enumerate(names) if (side := _side_of_column(name)) is not None}
    if not found.keys() & {"data", "tx", "rx"} and sorted(sided.values()) in ([0, 1], [0], [1]):
        # a column for each side, in any language
        found.update({("tx", "rx")[side]: i for i, side in sided.items()})
    for instead in ("date", "tick", "delta"):
        if instead in found and "time" not in found:
            found["time"] = found[instead] if instead != "date" else found.pop("date")
    return found


def spoken(columns: Mapping[str, int]) -> str:
    """Return the roles of columns in words."""
    return ", ".join(tr(f"column_{role}") for role in sorted(columns))


def by_roles(rows: Sequence[Sequence[str]], columns: dict[str, int], width: int) -> None:
    """Find the column of two numbers that parts the bytes into the two roles."""
    full = [row for row in rows if len(row) == width]
    for i in range(width if len(full) * 10 >= 9 * len(rows) else 0):
        words = [row[i].strip() for row in full]
        both = sorted(set(words))
        if i in columns.values() or both not in (["0", "1"], ["1", "2"]):
            continue
        for base in numerals.BASES:
            data = [bytes_of(row[columns["data"]].strip(), base) or b"" for row in full]
            if fronts.are_roles(data, words, both):
                columns["side"] = i
                return
