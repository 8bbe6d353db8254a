"""Parses shots as people write them: `Round 3: Anna at b 7 - miss.` says who shot, where, and the answer.

Only words that cannot change the meaning are ignored. Any other word makes a line unreadable, as "not hit" must not be
read as a hit: nobody may be accused because of a misreading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from seabattle import field as fields

_ANSWERS = {
    fields.MISS: """miss missed misses water splash
        мимо промах промазал промазала промахнулся промахнулась вода""",
    fields.HIT: """hit hits wounded damaged
        ранен ранено ранил ранила попал попала попадание подбит подбил подбила""",
    fields.SUNK: """sunk sank sinks sunken kill kills killed destroyed destroys
        убит убито убил убила потоплен потоплено потопил потопила утопил утопила уничтожен уничтожил уничтожила""",
    fields.REPEAT: "repeat repeated повтор повторно",
}
ANSWERS = {word: code for code, words in _ANSWERS.items() for word in words.split()}
"""Words for an answer in a text."""

_PASSED = frozenset(
    """a an and at in into it is of on s the then to was
    answer answered answers attack attacks call called calls cell coordinate coordinates fire fired fires from guess
    guesses move name player plays replied replies reply result said says shooter shoots shot square target tries
    turn в и на по это
    атакует атаковал атаковала бил била бьет бьёт выстрел выстрелил выстрелила говорит игрок итог квадрат клетка клетке
    клетку координата координаты назвал назвала называет ответ ответил ответила отвечает пошел пошёл пошла
    результат сказал сказала стрелок стрелял стреляла стреляет ход ходит""".split()
)
"""Words that say nothing about who, where and the answer."""
_TURNED = re.compile(
    r"\W*(was|is|answer|answers|answered|replies|replied|said|says|ответ|ответил|ответила|отвечает|говорит|сказал|сказала)\b",
    re.IGNORECASE,
)
"""Words that make the first name the target of the shot."""

_COUNTED = r"(?:round|turn|move|shot|step|раунд|ход|выстрел|тур|шаг)"
_BEGINS = re.compile(
    rf"""\A(?:
        [\s|*•–—>~@\#_-]                                  # a bullet, the mark of a quotation
        |[\[(][\d\s.,:/apm-]*[\])]                        # a number or a time in brackets
        |{_COUNTED}\b\s*[№\#]?\s*\d*\s*[.:,)]*            # Round 3:
        |\d+(?:-?(?:й|я|ый|ой|st|nd|rd|th))?\s+{_COUNTED}\b[.:,)]*  # 3rd move:
        |(?:player|shooter|name|игрок|стрелок)\b\s*:*
        |[№\#]?\d[\d.:/-]*(?:\s?[ap]m\b)?(?:[),;|]|(?=\s))  # a number, a date, a time
    )*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What may precede a name."""
_CLOCK = re.compile(r"\A[\s,;(\[-]*\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m\b)?[\s,;:)\]-]+(?=\S)", re.IGNORECASE)
"""A time after a name."""
_ASIDE = re.compile(r"[\[(]\d{1,2}:\d{2}(?::\d{2})?[\])]")
_AIMED = re.compile(r"(?:->|=>|→|>|\b(?:at|on|vs|against|по))\s*\Z", re.IGNORECASE)
"""What separates the shooter from the target."""
_TOKEN = re.compile(r"[^\W\d_]+|\d+")


class Shot(NamedTuple):
    """The shooter, the cell as written, and the answer, a code of seabattle.field or -1 for none."""

    name: str
    cell: str
    answer: int


class Unread(Exception):
    """A line that is not a shot. cell, answer, word: what was found instead, or in between; empty: no name."""

    def __init__(self, cell: str = "", answer: str = "", word: str = ""):
        super().__init__()
        self.cell, self.answer, self.word = cell, answer, word


def parts(text: str) -> list[tuple[str, int]]:
    """Return the cells in a text without a name and their answers, -1 for none. Raises Unread."""
    tokens = [*_TOKEN.findall(text), "", ""]
    cells: list[str] = []
    answers: list[list[int]] = [[]]  # before the first cell, and after each
    odd: list[str] = []
    i = 0
    while tokens[i]:
        token, behind, then = tokens[i : i + 3]
        one = len(token) == 1 and token.isalpha() and behind.isdigit()
        if one or (token.isdigit() and len(behind) == 1 and behind.isalpha() and not then.isdigit()):
            cells.append(token + behind)
            answers.append([])
            i += 1
        elif token.lower() in ANSWERS:
            answers[-1].append(ANSWERS[token.lower()])
        elif token.lower() not in _PASSED:
            odd.append(token)
        i += 1
    if not cells:
        raise Unread(cell=" ".join(odd) or text.strip(" :,.|-"))
    if odd and not any(answers):
        raise Unread(answer=" ".join(odd))
    if odd:
        raise Unread(word=odd[0])
    if answers[0] and len(cells) == 1:
        return [(cells[0], _combined(answers[0] + answers[1]))]
    found = [(cell, _combined(given)) for cell, given in zip(cells, answers[1:], strict=True)]
    bare = [cell for cell, answer in found if answer < 0]
    if answers[0] or (bare and len(found) > 1):
        raise Unread
    return found


def _combined(answers: list[int]) -> int:
    """Combine several words for an answer: "hit and sunk" is sunk."""
    kinds = set(answers)
    if answers and kinds == {fields.HIT, fields.SUNK} and answers[-1] == fields.SUNK:
        return fields.SUNK
    if len(kinds) > 1:
        raise Unread(answer=" ".join(next(word for word, code in ANSWERS.items() if code == each) for each in answers))
    return answers[0] if answers else -1


def shots(line: str, names: Sequence[str], owner: str = "") -> list[Shot]:
    """Return the shots of a line, in order; none for a heading. Raises Unread.

    owner: the shooter if the line begins with no name.
    """
    plain = _BEGINS.sub("", line)
    unread = None
    for text in (line, plain):  # a name may be a number itself
        found = _name(text, names)
        if found:
            try:
                return _named_shots(found, _CLOCK.sub("", _ASIDE.sub(" ", text[len(found) :])), names)
            except Unread as error:
                unread = unread or error
    if unread is not None:
        raise unread
    if owner:
        return [Shot(owner, cell, answer) for cell, answer in parts(line)]
    if all(token.lower() in _PASSED for token in _TOKEN.findall(plain)):
        return []
    raise Unread


def _name(text: str, names: Sequence[str]) -> str:
    """Return the name that a text begins with, as spelled; an empty string for none."""
    for name in sorted(names, key=lambda name: (not text.startswith(name), -len(name))):
        if text[: len(name)].casefold() == name.casefold() and not re.match(r"\w", text[len(name) :]):
            return name
    return ""


def _named_shots(name: str, rest: str, names: Sequence[str]) -> list[Shot]:
    """Return the shots of a line that begins with a name.

    Other names may follow, with their own shots or with the answer.
    """
    if turned := _TURNED.match(rest):
        raise Unread(word=turned[1])
    try:
        return [Shot(name, cell, answer) for cell, answer in parts(rest)]
    except Unread as error:
        unread = error
    segments = _split(name, rest, names)
    if len(segments) == 2 and not _TOKEN.search(_AIMED.sub("", segments[0][1])) and _AIMED.search(segments[0][1]):
        # Anna -> Boris: B7 miss
        return [Shot(name, cell, answer) for cell, answer in parts(segments[1][1])]
    found: list[Shot] = []
    for who, text in segments if len(segments) > 1 else []:
        answers = [ANSWERS[token.lower()] for token in _TOKEN.findall(text) if token.lower() in ANSWERS]
        known = all(token.lower() in ANSWERS or token.lower() in _PASSED for token in _TOKEN.findall(text))
        if known and answers and found and found[-1].answer < 0 and found[-1].name != who:
            # Anna B7, Boris: miss
            found[-1] = found[-1]._replace(answer=_combined(answers))
            continue
        found += [Shot(who, cell, answer) for cell, answer in parts(text)]
    if not found or any(shot.answer < 0 for shot in found):
        raise unread
    return found


def _split(name: str, rest: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each name of a line with the text after it. A letter followed by a number is a cell, not a name."""
    of_all = "|".join(re.escape(each) for each in sorted(names, key=len, reverse=True))
    segments = [(name, "")]
    for match in reversed([*re.finditer(rf"(?<!\w)(?:{of_all})(?!\w)", rest, re.IGNORECASE)]):
        if len(match[0]) > 1 or not re.match(r"\W*\d", rest[match.end() :]):
            segments.insert(1, (_name(match[0], names), rest[match.end() :]))
            rest = rest[: match.start()]
    segments[0] = (name, rest)
    return segments
