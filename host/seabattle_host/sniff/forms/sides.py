"""Words and arrows that name the sender.

A is the writer: master, TX, out, host; B the other side. `m -> s` and `s <- m` name sender and receiver.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

_A = (
    "master mst m tx txd transmit transmitted transmitting sent send sending sends out output outgoing outbound write writes wrote wr w"  # noqa: E501
    " written host pc computer dte a irp_mj_write viwrite tx-data data_tx_start data_tx_end"
    " передача передано передаю отправлено отправка отправляю отправил послано послал прд исх вых выход вывод исходящие"
    " запись записано ведущий мастер snd"
    " senden sende gesendet schreiben ausgang enviar enviado escritura envoyé envoye émis émission inviato trasmesso"
    " wysłano wysłane nadano odesláno verzonden skickat gönderildi надіслано відправлено"
    " 发送 发 发出 写 写入 主机 送信 書込 송신"
)  # fmt: skip
_B = (
    "slave slv s rx rxd receive received receiving recv rcvd rec in input incoming inbound read reads rd r device dev dce board b irp_mj_read viread"  # noqa: E501
    " rx-data data_rx_start data_rx_end"
    " приём прием принято принимаю получено получаю получил прм вх вход ввод входящие чтение прочитано ведомый слейв"
    " rcv"
    " empfangen empfang lesen eingang recibir recibido recebido lectura reçu recu réception ricevuto"
    " odebrano odebrane přijato ontvangen mottaget alındı отримано прийнято"
    " 接收 收 收到 读 读取 从机 受信 読込 수신"
)  # fmt: skip
WORDS = {**dict.fromkeys(_A.split(), 0), **dict.fromkeys(_B.split(), 1)}

ENDS = frozenset(
    "master slave host pc computer device board dte dce a b ведущий ведомый мастер слейв 主机 从机".split()
)
"""Words that name an end, not a direction."""

_OF_PAIRS = {
    **dict.fromkeys("o t q client request req query question ask to".split(), 0),
    **dict.fromkeys("i server response resp rsp reply answer from".split(), 1),
}
"""Words that name a side only if the other one is named, too."""

_FIRST = {"rs": "s", "aq": "q"}
"""Letters that together are sent and received, question and answer: a slave would come with a master, A with B."""

_TOWARDS = re.compile(rf"(?i)(to|from)\s+(?:the\s+)?({'|'.join(sorted(ENDS, key=len, reverse=True))})(?![\w-])")
"""`to board`, `from master`: the end, and whether it is the sender."""

_LEFT = "<←⇐⟵⇦◄◀«↓⬇📥"
ARROW = re.compile(
    r"-{1,4}>|={1,4}>|>{1,4}|<-{1,4}|<={1,4}|<(?!(?:[0-9A-Fa-f]{2}|[0-9C-Fc-f])>)<{0,3}"
    r"|[→⇒⟶⇨►▶➔➜←⇐⟵⇦◄◀↑↓⬆⬇📤📥]\ufe0f?|»{1,2}|«{1,2}"
)
"""`<AA>` is a byte, not an arrow."""

CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Characters of scripts without spaces between words."""

WORD = re.compile(rf"[^\W\d{CJK}]+(?:-data)?|[{CJK}]+")

_PARTS = re.compile(f"{ARROW.pattern}|{WORD.pattern}")


@dataclass
class SenderWords:
    """Names and arrows before some bytes, in order."""

    words: list[int]
    arrows: list[int]
    order: str = ""
    """`w` a word that names a side, `e` one that names an end, `n` any other name, `a` an arrow."""

    @classmethod
    def nothing(cls) -> SenderWords:
        return cls([], [])

    def word(self, side: int, end: bool = False) -> None:
        self.words.append(side)
        self.order += "e" if end else "w"

    def name(self) -> None:
        self.order += "n"

    def arrow(self, side: int) -> None:
        self.arrows.append(side)
        self.order += "a"

    @property
    def side(self) -> int | None:
        """The sender, None if unknown."""
        if self.words:
            # `m -> s` names the sender first, `m <- s` the receiver
            order = self.order.lstrip("n")
            if re.match("[we]a[we]", order) and self.words[0] != self.words[1] and self.arrows[0] == 1:
                return self.words[1]
            if len(self.words) == len(self.arrows) == 1 and ("nae" in self.order or "ean" in self.order):
                # the other end has an unknown name: it sends `X -> m` and `m <- X`
                return self.words[0] ^ int(("nae" in self.order) == (self.arrows[0] == 0))
            return self.words[0]
        return self.arrows[0] if self.arrows else None


def of_towards(text: str, place: int) -> tuple[int, int, str] | None:
    """Parse `to board` and the like: return the sender, the index of the end, and the words; None if there is none."""
    found = _TOWARDS.match(text, place)
    if found is None:
        return None
    return WORDS[found[2].lower()] ^ int(found[1].lower() == "to"), found.end(), found[0].lower()


def of_word(text: str) -> int | None:
    """Return the side that a single word names, None if it names none."""
    text = text.strip()
    found = WORDS.get(text.strip("[](){}【】<>:：\"'.,;#* \xa0").lower())
    if found is not None:
        return found
    return of_arrow(text) if ARROW.fullmatch(text) else None


def of_arrow(text: str) -> int:
    """Return the side of a single arrow: to the right is out."""
    return int(text[0] in _LEFT)


_TO = re.compile(r"([^\W\d_]+)(?:2|[ _-]+to[ _-]+)([^\W\d_]+)")
"""`pc2mcu`, `HOST_TO_DEVICE`."""


def of_name(text: str) -> int | None:
    """Return the side that a name of several words tells (`UART TX`, `Serial RX [1]`)."""
    two = _TO.fullmatch(text.strip().lower())
    if two is not None and (two[1] in WORDS or two[2] in WORDS):
        return WORDS[two[1]] if two[1] in WORDS else 1 - WORDS[two[2]]
    sender = SenderWords.nothing()
    for part in _PARTS.findall(text.lower() if text.lower() in WORDS else text.lower().replace("_", " ")):
        if ARROW.fullmatch(part):
            sender.arrow(of_arrow(part))
        elif part in WORDS and (len(part) > 1 or part > "я"):
            sender.word(WORDS[part])
    if "a" in sender.order or len(set(sender.words)) == 1:
        return sender.side
    return of_word(text)


def of_two(names: Sequence[str]) -> dict[str, int]:
    """Return sides for a file's names, if there are exactly two: in their order if nothing else tells."""
    distinct = sorted(set(names))
    return known_of_two(distinct) or ({distinct[0]: 0, distinct[1]: 1} if len(distinct) == 2 else {})


def known_of_two(names: Sequence[str]) -> dict[str, int]:
    """Sides for two names, or one, of which at least one says which it is; empty if none does."""
    distinct = sorted(set(names))
    if found := _known_sides(distinct):
        return found
    if len(distinct) != 2:
        return {}
    parts = [name.split() for name in distinct]
    kinds = _apart(*map(str.lower, distinct))
    if len(parts[0]) == len(parts[1]):
        # `log - R`, `log - T`: by what is not the same in both
        kinds.append(
            [" ".join(own for own, other in zip(*pair, strict=True) if own != other) for pair in (parts, parts[::-1])]
        )
    for apart in kinds:
        found = _known_sides(sorted(apart)) if apart != distinct and all(apart) else {}
        if found:
            return {name: found[own] for name, own in zip(distinct, apart, strict=True)}
    return {}


def _apart(one: str, other: str) -> list[list[str]]:
    """Return two names without what is the same at their ends: `ReadFile`, `WriteFile`; `UartTX`, `UartRX`."""
    names = (one, other)
    begin = _alike(one, other)
    end = _alike(one[begin:][::-1], other[begin:][::-1])
    return [[name[begin:] for name in names], [name[begin : len(name) - end] for name in names]]


def _alike(one: str, other: str) -> int:
    """Return at how many characters two names begin alike."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _known_sides(distinct: Sequence[str]) -> dict[str, int]:
    first = _FIRST.get("".join(map(str.lower, distinct)))
    if first is not None:
        return {name: int(name.lower() != first) for name in distinct}
    by_name = {name: of_name(name) for name in distinct}
    known = {name: side for name, side in by_name.items() if side is not None}
    if known and len(set(known.values())) == min(2, len(distinct)):
        return known
    if len(distinct) != 2:
        return {}
    for name, other in (distinct, distinct[::-1]):
        side = known.get(name, _OF_PAIRS.get(name.lower()))
        if side is not None and len(known) < 2:
            return {name: side, other: 1 - side}
    return {}


def words_for(names: Mapping[str, int]) -> str:
    """Say which names of a file are taken for which side, if they do not say it themselves; empty if they do."""
    pair = [sorted(name for name, own in names.items() if own == side) for side in (0, 1)]
    if not all(pair) or all(of_name(name) == side for name, side in names.items()):
        return ""
    return ", " + tr("why_sides", a=pair[0][0], b=pair[1][0])


NUMBER_MOST = 8
"""Pairs of digits in a date and a time, or bytes that are a number."""

_PAIRS = re.compile(r"\b[0-9A-Fa-f]{2}\b")


def is_named(text: str, constant: frozenset[str] = frozenset()) -> bool:
    """Return whether a word or an arrow of a line names a side. constant: words that do so elsewhere, but not here."""
    for word in WORD.finditer(text.lower()):
        if len(word[0]) > 1 and word[0] in WORDS and word[0] not in constant:
            # after this many bytes it is part of their text
            return len(_PAIRS.findall(text, 0, word.start())) <= NUMBER_MOST
    return re.search(r"(?<![<>-])(?:>>>|<<<|-->|<--)(?![<>-])", text) is not None


def refuse_several(file: str, named: list[list[str]]) -> None:
    """Raise UserError for three or more ports: the two ends of the line are unknown.

    named: the names before the bytes of each line.
    """
    for place in range(3):
        names = Counter(names[place] for names in named if len(names) > place)
        alike = {re.sub(r"\d+", "", name) for name in names}
        if 2 < len(names) <= _PORTS_MOST and len(alike) == 1 and names.total() * 10 >= 9 * len(named):
            raise UserError(tr("several_ends", file=file, count=len(names), names=", ".join(sorted(names))))


_PORTS_MOST = 8
