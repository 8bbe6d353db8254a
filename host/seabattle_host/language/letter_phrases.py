"""What the companion of a game by letter says, in English and in Russian."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(LETTER[key], **fields)


LETTER: dict[str, tuple[str, str]] = {
    "about": (
        "A companion for a classic game by letter or message: keeps both fields, answers shots, finds what cannot be,"
        " writes the file for 'seabattle jury'.",
        "Помощник для партии по переписке: ведёт оба поля, отвечает на выстрелы, находит невозможное, пишет файл для"
        " 'seabattle jury'.",
    ),
    "help_file": ("the file of the game; a new one is begun", "файл партии; нового ещё нет - он будет начат"),
    "help_me": ("your name (default: Me)", "ваше имя (по умолчанию: Я)"),
    "help_other": ("the name of the other (default: Other)", "имя соперника (по умолчанию: Соперник)"),
    "me": ("Me", "Я"),
    "other": ("Other", "Соперник"),
    "place": (
        "your field: a ship like 'A1-A4', 'random' for the rest; 'remove A1', 'clear', 'board'; 'ready' begins",
        "ваше поле: корабль 'A1-A4', 'наугад' - остальные; 'remove A1', 'clear', 'поле'; 'готов' - начать",
    ),
    "help": (
        "'B7 miss': the answer to your shot; '{other} A1': a shot of the other; 'suggest', 'board',"
        " 'correct B7 hit agreed', 'field' (shown after the game), 'quit'",
        "'B7 мимо' - ответ на ваш выстрел; '{other} A1' - выстрел соперника; 'совет', 'поле',"
        " 'исправить B7 ранен согласны', 'открыть' - его поле после партии, 'выйти'",
    ),
    "answer_is": ("answer: {cell} {answer}", "отвечайте: {cell} {answer}"),
    "noted": ("noted: {cell} {answer}", "записано: {cell} {answer}"),
    "suggestion": ("shoot at {cell}", "стреляйте в {cell}"),
    "nothing_left": ("there is nothing left to shoot at", "стрелять больше некуда"),
    "impossible": (
        "impossible: {why}. Ask {other} again; '{line} !' notes it all the same",
        "так не бывает: {why}. Переспросите игрока {other}; '{line} !' запишет и так",
    ),
    "doubt_known": ("{cell} is known, the answer there is '{answer}'", "{cell} уже известна, ответ там '{answer}'"),
    "doubt_repeat": ("{cell} was not shot at before", "в {cell} ещё не стреляли"),
    "doubt_no_such_ship": (
        "what would have sunk with {cell} is no ship that is left",
        "то, что потонуло бы с {cell}, - не корабль из оставшихся",
    ),
    "doubt_no_place": ("with {cell} the rest of the fleet has no place", "после {cell} остальному флоту нет места"),
    "doubt_ships_touch": ("the ship at {cell} would touch a wounded one", "корабль в {cell} касался бы раненого"),
    "doubt_along_wall": ("with {cell} too many ships stand along walls", "с {cell} у стенок слишком много кораблей"),
    "your_field_says": (
        "your field says '{answer}' at {cell}: that is the true answer",
        "по вашему полю в {cell} '{answer}': это и есть верный ответ",
    ),
    "turn_odd": ("by the turns it was {name}'s shot; noted", "по очереди стрелял бы {name}; записано"),
    "mine": ("your fleet is sunk: {name} has won", "ваш флот потоплен: победил {name}"),
    "theirs": ("the other fleet is sunk: {name} has won", "флот соперника потоплен: победил {name}"),
    "left": ("left of {name}: {ships}", "осталось у {name}: {ships}"),
    "not_understood": ("'{line}' was not understood; {help}", "'{line}' не понято; {help}"),
    "rows_wanted": (
        "now the {height} rows of {name}'s field, '@' a deck, '.' water",
        "теперь {height:row} поля игрока {name}: '@' палуба, '.' вода",
    ),
    "no_rows": ("that is no field of {height} rows", "это не поле из {height} строк"),
    "no_such_shot": ("there was no shot at {cell}", "в {cell} не стреляли"),
    "agreed_wanted": (
        "an answer is put right when both agree: '{line} agreed'",
        "ответ исправляют с согласия обоих: '{line} согласны'",
    ),
    "corrected": (
        "put right, as both agreed: {cell} {answer}",
        "исправлено с согласия обоих: {cell} {answer}",
    ),
    "file_remark": (
        "kept by 'seabattle letter'; 'seabattle jury' judges it when both fields stand here",
        "ведёт 'seabattle letter'; когда здесь оба поля, судит 'seabattle jury'",
    ),
    "no_own_field": ("{file}: the field of the first player is missing", "{file}: нет поля первого игрока"),
    "bad_own_field": (
        "{file}: the field of the first player is no whole fleet of these rules",
        "{file}: поле первого игрока - не полный флот по этим правилам",
    ),
    "cannot_write": ("cannot write {file}: {why}", "не записать {file}: {why}"),
    "kept": ("kept in {file}; the same command goes on", "записано в {file}; та же команда продолжит"),
}
