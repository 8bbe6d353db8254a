"""Numbers with their nouns: `1 shot`, `2 shots`; `21 палуба`, `3 палубы`, `5 палуб`.

In a message, `{shots:shot}` stands for the number in the field `shots` and the form of `shot` that goes with it,
by the plural rule of the language as gettext catalogues write it.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping

_RULES = {
    "en": gettext.c2py("n != 1"),
    "ru": gettext.c2py("n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"),
}

NOUNS: dict[str, dict[str, tuple[str, ...]]] = {
    "byte": {"en": ("byte", "bytes"), "ru": ("байт", "байта", "байт")},
    "cell": {"en": ("cell", "cells"), "ru": ("клетка", "клетки", "клеток")},
    "cell_on": {"en": ("cell", "cells"), "ru": ("клетке", "клетках", "клетках")},
    "column": {"en": ("column", "columns"), "ru": ("столбец", "столбца", "столбцов")},
    "computer": {"en": ("computer", "computers"), "ru": ("компьютер", "компьютера", "компьютеров")},
    "cut_frame": {
        "en": ("cut frame", "cut frames"),
        "ru": ("оборванный кадр", "оборванных кадра", "оборванных кадров"),
    },
    "deck": {"en": ("deck", "decks"), "ru": ("палуба", "палубы", "палуб")},
    "deviation": {"en": ("deviation", "deviations"), "ru": ("отклонение", "отклонения", "отклонений")},
    "field": {"en": ("field", "fields"), "ru": ("поле", "поля", "полей")},
    "file": {"en": ("file", "files"), "ru": ("файл", "файла", "файлов")},
    "frame": {"en": ("frame", "frames"), "ru": ("кадр", "кадра", "кадров")},
    "game": {"en": ("game", "games"), "ru": ("партия", "партии", "партий")},
    "gap": {"en": ("gap", "gaps"), "ru": ("пропуск", "пропуска", "пропусков")},
    "hit": {"en": ("hit", "hits"), "ru": ("попадание", "попадания", "попаданий")},
    "line": {"en": ("line", "lines"), "ru": ("строка", "строки", "строк")},
    "loss": {"en": ("loss", "losses"), "ru": ("поражение", "поражения", "поражений")},
    "move": {"en": ("move", "moves"), "ru": ("ход", "хода", "ходов")},
    "noise_byte": {"en": ("byte of noise", "bytes of noise"), "ru": ("байт помех", "байта помех", "байт помех")},
    "place": {"en": ("place", "places"), "ru": ("место", "места", "мест")},
    "player": {"en": ("player", "players"), "ru": ("игрок", "игрока", "игроков")},
    "record": {"en": ("record", "records"), "ru": ("запись", "записи", "записей")},
    "reply": {"en": ("reply", "replies"), "ru": ("ответ", "ответа", "ответов")},
    "row": {"en": ("row", "rows"), "ru": ("строка", "строки", "строк")},
    "second": {"en": ("second", "seconds"), "ru": ("секунду", "секунды", "секунд")},
    "ship": {"en": ("ship", "ships"), "ru": ("корабль", "корабля", "кораблей")},
    "ship_of": {"en": ("ship", "ships"), "ru": ("корабля", "кораблей", "кораблей")},
    "shot": {"en": ("shot", "shots"), "ru": ("выстрел", "выстрела", "выстрелов")},
    "shot_of": {"en": ("shot", "shots"), "ru": ("выстрела", "выстрелов", "выстрелов")},
    "sync": {"en": ("sync", "syncs"), "ru": ("синхронизация", "синхронизации", "синхронизаций")},
    "tick": {"en": ("tick", "ticks"), "ru": ("тик", "тика", "тиков")},
    "lost_place": {"en": ("loss", "losses"), "ru": ("потеря", "потери", "потерь")},
    "violation": {"en": ("violation", "violations"), "ru": ("нарушение", "нарушения", "нарушений")},
    "win": {"en": ("win", "wins"), "ru": ("победа", "победы", "побед")},
}
"""Noun -> its forms in each language. `_of` and `_on` mark a noun in the case that a Russian preposition wants."""

_COUNTED = re.compile(r"\{(\w+):(" + "|".join(NOUNS) + r")\}")


def count(number: int, noun: str, language: str) -> str:
    """A number with its noun."""
    return f"{number} {NOUNS[noun][language][_RULES[language](number)]}"


def fill(message: str, language: str, fields: Mapping[str, object]) -> str:
    """The message with its fields filled in, numbers with their nouns among them."""
    if ":" in message:
        message = _COUNTED.sub(lambda found: count(int(str(fields[found[1]])), found[2], language), message)
    return message.format(**fields)
