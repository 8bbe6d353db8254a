"""One line of a listing: times, names and arrows, irrelevant words, then bytes."""

from __future__ import annotations

import re
from dataclasses import replace

from seabattle_host.sniff.capture import Fault
from seabattle_host.sniff.forms import clock, numerals, sides
from seabattle_host.sniff.forms.listed import Line, Plan

_MARKS = "：，；。【】「」（）◇◆□■●○•·│┃¦"
_SPACE = re.compile(rf"[\s,;:|\[\](){{}}#\"'`*=.@{_MARKS}]+")
_DECOR = re.compile(r"[-–—]+(?=\s|$)|[-–—](?=[\[(])")
_PAIR = re.compile(
    r"(?!(?i:data|hex|bytes|payload|raw|msg)\s?=)\w+\s?=\s?[\w./-]+|(?i:len(?:gth)?)\s*[:=]?\s*\d+\s*[:,)]?|\(?\d+\s*(?:bytes?|байт\w*)\)?(?!\w)"
)
_TOLD = re.compile(r"(?i:dir(?:ection)?|side|from|src|source|sender|role|who)\s?=\s?[\"']?([^\W\d_]+)[\"']?(?![\w./-])")
"""A name whose value tells the side."""
_COUNTING = re.compile(r"(?i:size|count|bytes|n)\s*[:=]?\s*\d+\s*[:,)]?")
_SHOWN_FIRST = re.compile(r"([^|]+)\|\s*(?=[0-9A-Fa-f]{2}(?:\s|$))")
"""A text column in front of its bytes."""
_CALLED = re.compile(r"(?<=\w)\(\d+\)(?=\s*[:\[])")
"""A number of bytes, as in `Uint8Array(3) [1, 2, 3]`."""

_NAME = re.compile(rf"/dev/[\w./-]+|[^\W\d{sides.CJK}](?:[./-]|[^\W{sides.CJK}])*|[{sides.CJK}]+")
_INTEGER = re.compile(r"\d+(?=[\s:.)\],;|]|$)")
_STRING = re.compile(r"(?:\b[bB])?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_OPENED = re.compile(rf"(?<!\\){_STRING.pattern}")
"""A string that does not begin inside another."""
_TOKEN = re.compile(
    r"(?P<mark>0[xX]|\\[xX]|\$|&[hH]|(?:8|16)'[hH]|16#|[HhXx]['\"]|h(?=[0-9A-F]{2}(?!\w)))?(?P<digits>[0-9A-Fa-f]+)(?P<h>[hH])?"
    r"(?P<fault>[pfob]{1,4})?(?!\w)"
)
_SIGNED = re.compile(r"(?P<digits>-?\d{1,3})(?!\w)")
_DIGITS = {
    10: re.compile(r"(?P<digits>\d{1,3})(?!\w)"),
    8: re.compile(r"\\?(?P<digits>0[0-7]{1,3}|[0-3][0-7]{2})(?!\w)"),
    2: re.compile(r"(?:0[bB])?(?P<digits>[01]{8})(?!\w)"),
}
_RUN = re.compile(r"(?=[a-fA-F]*\d)(?:[0-9A-Fa-f]{2})+[0-9A-Fa-f](?!\w)")
_BETWEEN = re.compile(rf"[ \xa0\t,;|:{{}}\[\]()<>\"'+#%{_MARKS}-]*")
_BETWEEN_SIGNED = re.compile(rf"[ \xa0\t,;|:{{}}\[\]()\"'+#%{_MARKS}]*")
COMMENT_INSIDE = re.compile(r"\s#(?![0-9A-Fa-f]{2}\b|\()|\s;\s|//|/\*")
LETTER = re.compile(r"\s([ABab])(?:\s*(?:[-=]*>|→)\s*[ABab])?\s*[:>)\]]?\s*$")
_HASHED = re.compile(r"#\d{1,9}\b")
_NUMBER_AT = re.compile(r"([0-2])(?=\s*[:\])>|]|\s)")
OFFSET = re.compile(
    r"(?:0[xX][0-9A-Fa-f]{8}|0[xX][0-9A-Fa-f]{4}(?=:)|[0-9A-Fa-f]{4,8}):?(?=\s+(?:[0-9A-Fa-f]{2})+(?:\s|$))"
)
_COUNT = re.compile(r"\d+\s*[:.)\]|]\s+")
# the level of a message: `[D][uart:114]`
_LEVEL = re.compile(r"(?<=\[)[A-Z](?=\]\[)")
_SERIAL = re.compile(r"(?<=[:#])\d{4,}-(?=[0-9A-Fa-f]{2}\b)")
"""A message's number directly before its bytes: `Tx:000012-AA 01`."""
FRONT = re.compile(r"(?<![\w.:])([A-Fa-f][0-9])\s?[:>](?=\s)")
_FAULT_LETTERS = {"p": Fault.PARITY, "f": Fault.FRAMING, "o": Fault.OVERRUN, "b": Fault.BREAK}


_ADDRESS = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:]{2,}\]"
    r"|[\w-]{1,64}(?:\.[\w-]{1,64}){0,8}(?=:\d+ ->|:\d+ \[))(?:[.:]\d{2,5})?(?![\w.])"
)
"""An endpoint of a connection."""


def scan(line: str, plan: Plan) -> Line:
    """Parse a line."""
    found = _scan(line, plan)
    if found.remark and not found.data and ";" in line:
        # the byte of a semicolon, as a character in front of it
        whole = _scan(line, plan, True)
        if whole.data == b";" and not (whole.rest or whole.more):
            return whole
    if found.remark and found.data and COMMENT_INSIDE.search(line):
        # what looks like a comment may be part of a dump's text column
        whole = _scan(line, plan, True)
        if not (whole.rest or whole.more) and (whole.remark or found.data.startswith(whole.data or b"?")):
            return whole
    return found


def _scan(line: str, plan: Plan, whole: bool = False) -> Line:
    found = Line()
    if plan.base == numerals.BASE64:
        tail = numerals.base64_tail(line) or (len(line), b"")
        _lead(line[: tail[0]], 0, found, replace(plan, base=numerals.HEX), sought=sides.is_named(line, plan.constant))
        found.data, found.faults = tail[1], bytes(len(tail[1]))
        return found
    line = numerals.characters(line)
    if plan.thousands:
        line = numerals.together(line, plan.thousands)
    if plan.hashed:
        line = _HASHED.sub(" ", line, count=1)
    # the start of a comment may be a character in a string
    bare = _OPENED.sub(lambda string: "." * len(string[0]), line) if "'" in line or '"' in line else line
    comment = None if whole else COMMENT_INSIDE.search(bare)
    end = comment.start() if comment else len(line)
    text, found.remark = line[:end], end < len(line)
    text = numerals.apart(_SERIAL.sub(" ", text, count=1) if "-" in text else text)
    if plan.lettered and (letter := LETTER.search(text)) is not None:
        found.sender.word("ab".index(letter[1].lower()))
        text = text[: letter.start()]
    sought = plan.sought and sides.is_named(text, plan.constant)
    place = _lead(text, 0, found, plan, sought=sought)
    place = payload(text, place, found, plan)
    while place < len(text):
        # the line may go on with the other side
        more = Line()
        after = _lead(text, place, more, plan, further=True)
        if more.sender.side is None or not found.data:
            break
        end = payload(text, after, more, plan)
        found.loose = found.loose or more.loose
        if not more.data:
            if found.sender.side is None:
                found.sender = more.sender
            break
        if found.sender.side is None and len(found.data) > sides.NUMBER_MOST:
            break
        if found.sender.side is None:
            # it was a number
            found.sender, found.data, found.faults = more.sender, more.data, more.faults
            place = end
            continue
        found.more.append((more.sender.side, more.data))
        place = end
    found.rest = text[place:].strip(AROUND)
    if _SUM.fullmatch(found.rest):
        found.rest = ""
    return without_bytes(found) if plan.apart else found


def without_bytes(found: Line) -> Line:
    """Return a line without bytes if it has a time or a side: its bytes are on the following lines."""
    if found.data and (found.stamp or found.sender.side is not None or found.names):
        return replace(found, data=b"", faults=b"", rest="", more=[])
    return found


_SUM = re.compile(r"(?i:crc(?:8|16|32)?|checksum|sum|hash|md5|sha1|xor|lrc|fcs|cs)\s?[=:]\s?(?:0x)?[0-9A-Fa-f]+")
"""What is behind the bytes to check them."""
AROUND = " \t,;|[](){}<>'\"@"


def _lead(text: str, place: int, found: Line, plan: Plan, further: bool = False, sought: bool = False) -> int:
    """Parse everything before the bytes; return where they begin. sought: skip to the name of a side."""
    first = True
    while place < len(text):
        shown = _SHOWN_FIRST.match(text, place) if text[place - 1 : place] == "|" else None
        if shown is not None and len(shown[1]) == len(text[shown.end() :].split()):
            place = shown.end()
            continue
        level = _LEVEL.match(text, place) if text[place - 1 : place] == "[" else None
        if level is not None:
            place = level.end()
            continue
        space = (_CALLED.match(text, place) if text[place] == "(" else None) or _SPACE.match(text, place)
        if space is not None:
            quote = text.find('"', place, space.end()) if plan.texts else -1
            if quote >= 0 and (found.sender.side is not None or found.names) and _STRING.match(text, quote):
                # a reply may be such a character: `"*"`
                return quote
            place = space.end()
            continue
        stamp = None if further else clock.match(text, place)
        if stamp is not None and not (plan.base == 10 and found.sender.side is not None):
            if stamp.kind == clock.GAP:
                found.gap = found.gap or stamp
            else:
                found.stamp = found.stamp or stamp
            place = stamp.end
            first = False
            continue
        if (first or len(found.names) == 1) and plan.counted and found.number is None and not further:
            integer = _INTEGER.match(text, place)
            if integer is not None:
                found.number = int(integer[0])
                place = integer.end()
                first = False
                continue
        if first and not further and (count := _COUNT.match(text, place)) and clock.match(text, count.end()):
            place = count.end()
            continue
        first = False
        number = _NUMBER_AT.match(text, place) if plan.numbered and not further and len(found.labels) < 2 else None
        if number is not None:
            found.labels.insert(0, number[1])
            place = number.end()
            continue
        if plan.offset and (offset := OFFSET.match(text, place)) is not None:
            place = offset.end()
            continue
        # none of these starts like a word
        arrow = None if text[place].isalnum() else sides.ARROW.match(text, place)
        if arrow is not None:
            # YAT shows sent bytes as `(<<)`: its terminal is on the right
            inward = text[place - 1 : arrow.end() + 1] in ("(<<)", "(>>)")
            found.sender.arrow(sides.of_arrow(arrow[0]) ^ inward)
            place = arrow.end()
            continue
        decor = None if text[place].isalnum() else _DECOR.match(text, place)
        if decor is not None:
            place = decor.end()
            continue
        told = _TOLD.match(text, place) if text[place] in "dDsSfFrRw" else None
        if told is not None and told[1].lower() in sides.WORDS and told[1].lower() not in plan.constant:
            found.sender.word(sides.WORDS[told[1].lower()], told[1].lower() in sides.ENDS)
            found.labels.append(told[1].lower())
            place = told.end()
            continue
        pair = _PAIR.match(text, place) or (None if plan.uncounted else _COUNTING.match(text, place))
        if pair is not None and not _label_like(pair[0]):
            place = pair.end()
            continue
        towards = sides.of_towards(text, place) if text[place] in "tTfF" else None
        if towards is not None:
            found.sender.word(towards[0])
            found.labels.append(towards[2])
            place = towards[1]
            continue
        front = FRONT.match(text, place) if plan.fronted else None
        if front is not None and front[1].lower() in plan.fronted:
            found.names.append(front[1].lower())
            found.labels.append(front[1].lower())
            place = front.end()
            continue
        word = sides.WORD.match(text, place)
        if word is not None and _is_label(text, word, plan):
            found.sender.word(sides.WORDS[word[0].lower()], word[0].lower() in sides.ENDS)
            found.labels.append(word[0].lower())
            place = word.end()
            continue
        address = _ADDRESS.match(text, place)
        if address is not None:
            found.names.append(address[0])
            found.labels.append(address[0])
            place = address.end()
            continue
        if sought and found.sender.side is None:
            token = _TOKENS.match(text, place)
            place = token.end() if token else place + 1
            continue
        if _STRING.match(text, place) or _byte(text, place, plan):
            break
        name = _NAME.match(text, place)
        if name is None:
            break
        found.names.append(name[0].lower())
        found.labels.append(name[0].lower())
        found.sender.name()
        place = name.end()
    return place


_TOKENS = re.compile(rf"[^\s,;:|\[\](){{}}<>=@/{_MARKS}-]+")


def _label_like(text: str) -> bool:
    return text.split("=")[0].strip().lower() in sides.WORDS


def _is_label(text: str, word: re.Match[str], plan: Plan) -> bool:
    """Return whether a word names a side here: `A` and `B` may be bytes, too."""
    name = word[0].lower()
    if name not in sides.WORDS or name in plan.constant:
        return False
    if _GOES_ON.match(text, word.end()) and not re.match(rf"[{sides.CJK}]", name):
        return False
    quote = text[word.end() : word.end() + 1]
    if len(name) == 1 and quote in ("'", '"') and text[word.start() - 1 : word.start()] != quote:
        # b'...'
        return False
    if name in ("a", "b"):
        # bytes follow a label, and a byte written with one digit is no label
        return bool(_AFTER_LETTER.match(text, word.end())) or bool(_byte(text, _skip(text, word.end()), plan))
    return True


_GOES_ON = re.compile(rf"[^\W{sides.CJK}]")
_AFTER_LETTER = re.compile(r"\s*[:>)\]|-]|\s*=>|\s*<|\s*[→⇒←⇐]")


def _skip(text: str, place: int) -> int:
    between = _BETWEEN.match(text, place)
    return between.end() if between else place


def _byte(text: str, place: int, plan: Plan) -> re.Match[str] | None:
    if plan.base != 16:
        match = (_SIGNED if plan.signed else _DIGITS[plan.base]).match(text, place)
        return match if match and -129 < int(match["digits"], plan.base) < 256 else None
    match = _TOKEN.match(text, place)
    if match is None:
        return None
    digits = match["digits"]
    if match["fault"] and len(digits) != 2:
        return None
    if len(digits) % 2 and len(digits) != 1:
        return None
    if len(digits) > 2 and _AFTER_OFFSET.match(text, match.end()):
        return None
    if digits.isalpha() and len(digits) == 1 and _AFTER_NAME.match(text, match.end()):
        return None
    return match


_AFTER_OFFSET = re.compile(r":\s|\]\s*:")
_AFTER_NAME = re.compile(rf":(?![0-9A-Fa-f])|\s?(?:{sides.ARROW.pattern})\s?[A-Za-z](?!\w)")
"""What follows the name of an end: `A->B`."""


_COUNT_INSIDE = re.compile(r"(\d{1,3})[)\]]\s*[:,;|]?\s*(?=\S)")
"""A number of bytes that follow."""


def payload(text: str, place: int, found: Line, plan: Plan, counted_before: bool = False) -> int:
    """Parse the bytes at a position into `found`; return the end of what belongs to them.

    counted_before: their number stands in front of them.
    """
    opened = text[place - 1 : place] in ("(", "[") and not counted_before
    counted = _COUNT_INSIDE.match(text, place) if opened else None
    if counted is not None and text[counted.end() - 1] != text[place - 1]:
        probe = Line()
        begin = counted.end()
        if text[begin] not in ("'", '"'):
            begin = _lead(text, begin, probe, plan, further=True)
        last = payload(text, begin, probe, plan, counted_before=True)
        found.loose = found.loose or probe.loose
        # in `s[01]=>m[A1]` both are bytes
        of_both = found.sender.side is not None and probe.sender.side is not None
        if len(probe.data) == int(counted[1]) and not of_both:
            found.data, found.faults, found.padded, found.torn = probe.data, probe.faults, probe.padded, probe.torn
            found.remark = found.remark or probe.remark
            return last
    values, faults = bytearray(), bytearray()
    dress: tuple[bool, bool] | None = None
    sure = 0
    """Up to here only bytes follow, whatever is between them."""
    end = place
    string = _STRING.match(text, place)
    if string is None and place and text[place - 1] in "\"'":
        string = _STRING.match(text, place - 1) or (_STRING.match(text, place - 2) if place > 1 else None)
    if string is not None:
        inside = string[1][1:-1]
        # a string of hex is read like hex without quotes
        data = numerals.unescape(inside, plan.decimal) if "\\" in inside or string[0][0] in "bB" or plan.texts else None
        if plan.inner:
            data = numerals.of_digits(inside)
        if data is not None:
            found.data, found.faults = data, bytes(len(data))
            closed = _CLOSED.match(text, string.end())
            end = closed.end() if closed else string.end()
            return end + _shown(bytearray(data), text, end)
    bracket = text[max(0, place - 4) : place].rstrip("'\"")[-1:]
    # brackets around each byte are not around a text column
    single = text[place : place + 1] == "<" or text[place - 1 : place] in ("'", '"', "<")
    while place < len(text):
        gap = (_BETWEEN_SIGNED if plan.signed else _BETWEEN).match(text, place)
        between = gap[0] if gap else ""
        begin = place + len(between)
        if values and any(mark in between and mark != bracket for mark in "(["):
            # the same in another base, a number, a time
            break
        match = _byte(text, begin, plan)
        if match is None:
            # bytes run together because the end of a line was lost
            run = _RUN.match(text, begin) if values and between == " " else None
            if run is not None and not plan.padded:
                found.loose, run = True, None
            if run is not None and not numerals.shown_beside(bytes(values), run[0]):
                found.torn = True
                end = run.end()
            break
        if values and not single and _shown(values, text, place):
            break
        if values and begin >= sure and ("  " in between or "\t" in between):
            beyond = text[begin : begin + 4 * _LONGEST_ROW]
            if known := _all_bytes(beyond, plan):
                sure = begin + known - 2 * _LONGEST_ROW
            elif plan.base != numerals.HEX or not numerals.goes_on(values, beyond):
                break
        if values and ("<" in between or ">" in between) and "><" not in between and "> <" not in between:
            break
        if text[match.end() : match.end() + 1] == ":" and values and between != ":" and clock.match(text, begin):
            break
        if plan.base != 16:
            values.append(int(match["digits"], plan.base) & 0xFF)
            faults.append(0)
        else:
            this = (bool(match["mark"]), bool(match["h"]))
            if dress is not None and this != dress:
                break
            dress = this
            digits = match["digits"]
            found.padded = found.padded or (len(digits) == 2 and digits[0] == "0")
            if len(digits) == 1 and (values or not plan.sized):
                if plan.padded:
                    found.torn = True
                    end = match.end()
                    break
                found.loose = True
            data = bytes.fromhex(digits if len(digits) % 2 == 0 else "0" + digits)
            values += data
            fault = sum(_FAULT_LETTERS[letter] for letter in set(match["fault"] or ""))
            faults += bytes(len(data) - 1) + bytes((fault,))
        place = end = match.end()
    # a text column holds no side and no bytes, whatever it looks like
    closed = _CLOSED.match(text, end) if values else None
    shown = (
        _shown(values, text, closed.end() if closed else end, bool(closed)) if values and (closed or not single) else 0
    )
    if closed and (shown or single):
        end = closed.end()
    end += shown
    found.remark = found.remark or end > place
    if values and found.stamp is None and (behind := _BEHIND.match(text, end)):
        stamp = clock.match(text, behind.end())
        if stamp is not None and stamp.kind in (clock.DATE, clock.DAY):
            found.stamp, end = stamp, stamp.end
    if plan.sized:
        del values[:1], faults[:1]
    found.data, found.faults = bytes(values), bytes(faults)
    return end


_BEHIND = re.compile(r"[\s\[(@|,;]+")


_CLOSED = re.compile(r"['\"]?\s?[)\]}>]+|['\"]")
_LONGEST_ROW = 256
_BESIDE = re.compile(rf"[ \xa0]{{2}}|\t|[ \xa0]?[{re.escape(''.join(numerals.BRACKETS))}]")


def _shown(values: bytearray, text: str, place: int, closed: bool = False) -> int:
    """Return how many characters from a position are a dump's text column for these bytes.

    closed: the bytes are in brackets, so that a narrow gap is enough before it.
    """
    if len(values) > _LONGEST_ROW or not (closed or _BESIDE.match(text, place)):
        return 0
    behind = text[place : place + 2 * _LONGEST_ROW]
    wider = " " if closed and behind[:1] == " " else ""
    return max(0, numerals.shown_first(bytes(values), wider + behind) - len(wider))


def _all_bytes(text: str, plan: Plan) -> int:
    """Return how many characters are only bytes after a wide gap, up to a bar: the gap in the middle of a row."""
    row = re.split(r"[|>]", text)[0]
    words = [word.strip(",;)]}") for word in row.split()]
    size = {16: 2, 10: 3}.get(plan.base, 0)
    return len(row) if words and all(len(word) <= (size or 10) and _byte(word, 0, plan) for word in words) else 0
