"""Lines of undamaged frames take a fast path, which must differ from the general one only in speed."""

from __future__ import annotations

import hashlib
import re

import pytest

from seabattle_host.sniff import reading
from seabattle_host.sniff.capture import Header
from seabattle_host.sniff.file_seals import crc16, seal
from seabattle_host.sniff.form_writers import JsonForm
from seabattle_host.sniff.forms.plain_lines import PlainLines
from seabattle_host.sniff.session import Session
from tests.captures import SMALL, played


def parsed(text: str) -> list[object]:
    return list(reading.parse(text.encode("utf-8", "surrogateescape"), "json", "a.json").items)


def resealed(line: str) -> str:
    plain = line[: line.rindex(',"crc"')]
    return f'{plain},"crc":"{crc16(plain.encode("utf-8", "surrogateescape")):04X}"}}'


HARM = {
    "nothing": lambda line: line,
    "a changed byte": lambda line: line.replace('"raw":"C0', '"raw":"C1'),
    "small letters in its seal": lambda line: line[:-6] + line[-6:].lower(),
    "no seal": lambda line: re.sub(',"crc":"....', "", line),
    "a number that is missing": lambda line: resealed(re.sub('"n":[0-9]+', '"n":999', line)),
    "a number of another line, except in the last one": lambda line: (
        resealed(re.sub('"n":[0-9]+', '"n":7', line)) if '"op":"C0"' in line else line
    ),
    "a number longer, and the time shorter": lambda line: (
        resealed(re.sub('"n":([0-9]+),"at":[0-9]', r'"n":\g<1>0,"at":', line)) if '"op":"C0"' in line else line
    ),
    "offsets too few": lambda line: resealed(line.replace('"offsets":[0,', '"offsets":[')),
    "bytes at the same time": lambda line: resealed(line.replace('"offsets":[0,1250,', '"offsets":[0,0,')),
    "offsets that run back": lambda line: resealed(line.replace('"offsets":[0,1250,', '"offsets":[0,9999,')),
    "offsets far apart": lambda line: resealed(line.replace('"offsets":[0,', '"offsets":[90000000,')),
    "another side": lambda line: resealed(line.replace('"side":"A"', '"side":"C"')),
    "letters for a number": lambda line: resealed(line.replace('"at":1', '"at":1A')),
    "letters for offsets": lambda line: resealed(line.replace('"offsets":[0,', '"offsets":[0F,')),
    "a number without digits": lambda line: resealed(re.sub('"state":[0-9]', '"state":', line)),
    "an unfinished letter": lambda line: resealed(line.replace('"meaning":"', '"meaning":"\udcd0')),
    "an unfinished letter where bytes of the other side came between": lambda line: (
        resealed(line.replace("],", '],"crossed":true,', 1).replace('"meaning":"', '"meaning":"\udcd0'))
        if "]," in line
        else line
    ),
    "a line's end of another system": lambda line: line + "\r",
    "an empty line": lambda line: line + "\n",
    "bytes twice": lambda line: resealed(line.replace('"verdict"', '"raw":"AA","verdict"')),
    "another side in its words": lambda line: resealed(line.replace('"meaning":"', '"meaning":"\\"side\\":\\"B\\"')),
    "bytes of the other side between": lambda line: resealed(line.replace("],", '],"crossed":true,', 1)),
    "a fault": lambda line: resealed(line.replace('"verdict"', '"faults":{"0":["parity"]},"verdict"')),
    "half of it": lambda line: line[: len(line) // 2],
}


ZEROS = {
    "its time": lambda line: resealed(line.replace('"at":', '"at":0')),
    "another number": lambda line: resealed(line.replace('"state":', '"state":0')),
}


@pytest.mark.parametrize("where", ZEROS)
def test_a_zero_before_a_number_of_a_sealed_line_changes_nothing(where: str) -> None:
    form = JsonForm()
    lines = [form.record(record).decode() for record in Session().run(played(3, SMALL))]
    head = form.head(Header()).decode()
    zeros = lines[:9] + [ZEROS[where](line.rstrip()) + "\n" for line in lines[9:]]
    assert "".join(zeros) != "".join(lines)
    assert parsed(head + "".join(zeros)) == parsed(head + "".join(lines))


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("harm", HARM)
def test_a_line_is_read_in_the_same_way_by_both(harm: str, hashed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    form = JsonForm()
    found = list(Session().run(played(3, SMALL)))
    lines = [form.head(Header()).decode().rstrip()] + [form.record(record).decode().rstrip() for record in found]
    shots = [i for i, line in enumerate(lines) if '"op":"C0"' in line]
    for i in (shots[0], shots[3], len(lines) - 1):
        lines[i] = HARM[harm](lines[i])
    data = ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    if hashed:
        data += seal({"type": "end", "n": len(found), "last": True, "hash": hashlib.sha256(data).hexdigest()[:16]})
    quick = list(reading.parse(data, "json", "a.json").items)
    assert len(quick) > len(shots)
    monkeypatch.setattr(PlainLines, "take", lambda _self, _begin, _number: (0, []))
    assert list(reading.parse(data, "json", "a.json").items) == quick
