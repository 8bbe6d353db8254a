"""What the games at one screen say, in English and in Russian."""

from __future__ import annotations

from seabattle_host import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.pick(GAMES[key]).format(**fields)


GAMES: dict[str, tuple[str, str]] = {
    # help
    "melee_about": (
        "Melee: three players on one field of 15x15, at this screen or as lines of text.",
        "Свалка: трое на одном поле 15x15, за этим экраном или строками текста.",
    ),
    "salvo_about": (
        "Salvo: both players fire at once, as many shots as they have guns.",
        "Залпы: оба стреляют одновременно, по выстрелу на каждое орудие.",
    ),
    "help_people": (
        "people at this screen; computers take the other seats",
        "людей за экраном; за остальных играет компьютер",
    ),
    "help_chat": (
        "plain lines only: each begins with the player it is for, '*' is everybody",
        "только простой текст: строка начинается с игрока, которому она, '*' - всем",
    ),
    "help_lot": ("draw the order of turns (without it: A, B, C)", "очерёдность по жребию (иначе A, B, C)"),
    # at the screen
    "curtain": (
        "--- {name}'s turn. The others look away; {name} presses Enter ---",
        "--- Ходит {name}. Остальные отворачиваются; {name} нажимает Enter ---",
    ),
    "prompt": ("{name}> ", "{name}> "),
    "left": ("the game was left unfinished", "игра прервана"),
    "stranger": ("no person plays as {name}", "за {name} не играет человек"),
    "no_cell": ("'{text}' is not a cell; {help}", "'{text}' - не клетка; {help}"),
    # melee
    "melee_help": (
        "type a cell like B7 to shoot, 'board' to see the field, 'quit' to leave",
        "клетка, например B7 - выстрел, 'board' - показать поле, 'quit' - выйти",
    ),
    "melee_begin": ("turns go {order}; computers: {computers}", "порядок ходов: {order}; компьютеры: {computers}"),
    "nobody": ("none", "нет"),
    "melee_miss": ("{name} {cell}: miss", "{name} {cell}: мимо"),
    "melee_hit": ("{name} {cell}: hit, a ship of {owner}", "{name} {cell}: попадание, корабль игрока {owner}"),
    "melee_sunk": ("{name} {cell}: sunk, a ship of {owner}", "{name} {cell}: потоплен, корабль игрока {owner}"),
    "melee_out": ("⛔ Player {name} is out (fleet destroyed)", "⛔ Игрок {name} выбыл (флот уничтожен)"),
    "melee_won": ("{name} has won, {second} is second", "победил {name}, второе место - {second}"),
    "melee_legend": (
        ". unknown  o miss or empty  {own} own ship  A B C hit  # sunk  ! and * the last move",
        ". неизвестно  o мимо или пусто  {own} свой корабль  A B C ранен  # потоплен  ! и * последний ход",
    ),
    "own_ship": ("{cell} is your own ship", "{cell} - ваш собственный корабль"),
    "open_cell": (
        "{cell} is open: it was shot at, or is beside a sunk ship",
        "{cell} уже открыта: туда стреляли, или рядом потопленный корабль",
    ),
    "not_your_turn": ("it is {name}'s turn", "сейчас ход игрока {name}"),
    "your_turn": ("your turn", "ваш ход"),
    # classic
    "classic_about": (
        "The classic game and its variants: bent ships, corners that touch, any fleet and field; a jury at the end.",
        "Классический бой и варианты: изогнутые корабли, касание углами, любой флот и поле; в конце - жюри.",
    ),
    "help_letters": (
        "letters of the columns (default latin; russian has no yo, russian-yo has it)",
        "буквы столбцов (по умолчанию latin; russian - без Ё, russian-yo - с Ё)",
    ),
    "help_field": ("the field, 6x6..26x26 (default {usual})", "поле, 6x6..26x26 (по умолчанию {usual})"),
    "help_ships": (
        "ships of 5, 4, 3, 2 and 1 decks (default {usual})",
        "число кораблей из 5, 4, 3, 2 и 1 палубы (по умолчанию {usual})",
    ),
    "help_large": ("15x15 with a five-deck ship", "15x15 с пятипалубным"),
    "help_corners": ("ships may touch by corners", "корабли могут касаться углами"),
    "help_bent": (
        "three- and four-deck ships may be bent: L, square, zigzag",
        "трёх- и четырёхпалубные могут быть изогнуты: Г, квадрат, зигзаг",
    ),
    "bad_field": (
        "field '{value}' is not WIDTHxHEIGHT, {low}..{high} cells each",
        "поле '{value}' - не ШИРИНАxВЫСОТА, по {low}..{high} клеток",
    ),
    "bad_ships": (
        "ships '{value}' are not five counts n5,n4,n3,n2,n1 like 0,1,2,3,4",
        "корабли '{value}' - не пять чисел n5,n4,n3,n2,n1, например 0,1,2,3,4",
    ),
    "bad_ship_count": ("a fleet has 1..{most} ships", "во флоте должно быть 1..{most} кораблей"),
    "no_room": (
        "no placement was found for ships {ships} on {size}: fewer ships or a larger field",
        "не нашлось расстановки кораблей {ships} на {size}: меньше кораблей или больше поле",
    ),
    "classic_place_help": (
        "type all cells of a ship, like 'A1 A2 A3', or 'random' for the rest; 'remove A1', 'clear', 'board', 'quit'",
        "назовите все клетки корабля: 'A1 A2 A3', или 'random' - остальные; 'remove A1', 'clear', 'board', 'quit'",
    ),
    "classic_left": ("to be placed, by decks: {ships}", "осталось поставить, по палубам: {ships}"),
    "classic_begin": ("{name} shoots first", "первым стреляет {name}"),
    "classic_miss": ("{name} {cell}: miss", "{name} {cell}: мимо"),
    "classic_hit": ("{name} {cell}: hit", "{name} {cell}: ранен"),
    "classic_sunk": ("{name} {cell}: sunk", "{name} {cell}: убит"),
    "classic_repeat": ("{name} {cell}: repeated", "{name} {cell}: повтор"),
    "classic_legend": (
        ". water or unknown  @ ship  o miss  - known empty  X hit  # sunk",
        ". вода или неизвестно  @ корабль  o мимо  - заведомо пусто  X ранен  # потоплен",
    ),
    "bad_shape": ("this is no ship of the fleet", "такого корабля во флоте нет"),
    "none_left": ("all ships of this length are placed", "все корабли этой длины уже стоят"),
    "no_ship_there": ("there is no ship on {cell}", "в {cell} нет корабля"),
    "no_filling": (
        "the rest was not found a place: remove a ship or 'clear'",
        "остальным места не нашлось: снимите корабль или 'clear'",
    ),
    "may_see": (
        "'show' shows the field of {name}, judged; anything else goes on",
        "'show' - показать и проверить поле игрока {name}; другое - дальше",
    ),
    "jury_clean": (
        "the jury: {name} is clean; field and answers keep the rules",
        "жюри: {name} играл честно, поле и ответы по правилам",
    ),
    "jury_bad_ship": (
        "the jury: {name} cheated; no such ship at {cell}",
        "жюри: {name} нарушил; нет такого корабля: {cell}",
    ),
    "jury_touching": (
        "the jury: {name} cheated; ships touch at {cell}",
        "жюри: {name} нарушил; касание кораблей: {cell}",
    ),
    "jury_too_many": (
        "the jury: {name} cheated; one ship of {length} too many, at {cell}",
        "жюри: {name} нарушил; лишний корабль, палуб {length}: {cell}",
    ),
    "jury_too_few": (
        "the jury: {name} cheated; a ship of {length} is missing",
        "жюри: {name} нарушил; не хватает корабля, палуб {length}",
    ),
    "jury_false_answer": (
        "the jury: {name} cheated; shot {shot} at {cell} was answered '{said}', it was '{truth}'",
        "жюри: {name} нарушил; на выстрел {shot} в {cell} ответ '{said}', а было '{truth}'",
    ),
    "jury_bad_record": (
        "the jury: shot {shot} of the record is off the field; {name} is not accused",
        "жюри: выстрел {shot} записи вне поля; {name} не обвиняется",
    ),
    # pictures
    "picture_about": (
        "A picture of a position: of a game from the history, or of one that 'seabattle history export' wrote.",
        "Картинка позиции: партия из истории или из файла от 'seabattle history export'.",
    ),
    "help_picture_file": ("an exported game", "файл с партией"),
    "help_picture_game": ("a game of the history", "партия из истории"),
    "help_picture_after": (
        "the position after so many shots (default: all)",
        "позиция после стольких выстрелов (иначе все)",
    ),
    "help_picture_output": ("what to write: .svg or .png", "куда записать: .svg или .png"),
    "no_pillow": (
        "a PNG needs Pillow; do: pip install 'seabattle[plot]', or ask for a .svg",
        "для PNG нужен Pillow; выполните: pip install 'seabattle[plot]' или возьмите .svg",
    ),
    "no_such_game": (
        "there is no game {number}: see 'seabattle history'",
        "нет партии {number}: смотрите 'seabattle history'",
    ),
    "cannot_read": ("cannot read {path}: {why}", "не прочитать {path}: {why}"),
    "no_game_file": (
        "{path} is not a game: write one with 'seabattle history export N -o FILE'",
        "{path} - не партия: запишите её через 'seabattle history export N -o FILE'",
    ),
    # statistics
    "help_game": (
        "what is played: over a line ('serial', the default), or classic, salvo or melee without one",
        "во что играть: по линии ('serial', по умолчанию) или без неё: classic, salvo, melee",
    ),
    "stat_only_serial": (
        "{option} goes with --game serial only: leave it out for {name}",
        "{option} годится только с --game serial: для {name} уберите",
    ),
    "stat_only_classic": (
        "{option} goes with --game classic only: leave it out for {name}",
        "{option} годится только с --game classic: для {name} уберите",
    ),
    "stat_broken": (
        "game {game} of {name}, seed {seed}, did not come to a proper end: {why}",
        "партия {game} игры {name}, начало {seed}, не дошла до конца: {why}",
    ),
    "stat_head": ("{games} games of {name}, seed {seed}", "партий {games}, игра {name}, начало {seed}"),
    "stat_wins": ("won by {who}: {wins} ({share:.1f} %)", "победил {who}: {wins} ({share:.1f} %)"),
    "stat_draw": ("nobody (a draw)", "никто (ничья)"),
    "stat_columns": (
        "a game                       mean       +-     min  median     max",
        "за партию                 среднее       +-  наим.   медиана  наиб.",
    ),
    "stat_winner_shots": ("shots of the winner", "выстрелов победителя"),
    "stat_shots": ("shots of all", "выстрелов всех"),
    "stat_rounds": ("rounds", "раундов"),
    "stat_game": ("game {game}: won by {winner}; shots {shots}", "партия {game}: победил {winner}; выстрелов {shots}"),
    # salvo
    "salvo_help": (
        "cells like 'B7 C8 D9' are a salvo; 'board', 'record', 'withdraw', 'quit'",
        "клетки, например 'B7 C8 D9' - залп; 'board', 'record', 'withdraw' - сдаться, 'quit'",
    ),
    "salvo_place_help": (
        "place like 'carrier B7 e' (e, s, se, sw), or 'random'; 'remove carrier', 'board', 'quit'",
        "ставьте: 'авианосец B7 e' (e, s, se, sw), или 'random'; 'remove авианосец', 'board', 'quit'",
    ),
    "salvo_round": ("round {round}: up to {guns} shots", "раунд {round}: выстрелов до {guns}"),
    "salvo_report": (
        "round {round}: your hits: {hits}; sunk: {sunk}",
        "раунд {round}: ваши попадания: {hits}; потоплены: {sunk}",
    ),
    "salvo_received": ("round {round}: received: {shots}", "раунд {round}: по вам: {shots}"),
    "salvo_water": ("water", "вода"),
    "salvo_own": ("your field", "ваше поле"),
    "salvo_fired": ("your shots, by round", "ваши выстрелы, по раундам"),
    "salvo_placed": ("the fleet is placed", "флот расставлен"),
    "salvo_record": (
        "round {round}: {name} fired {shots}, hit {hits}, sank {sunk}",
        "раунд {round}: {name} - выстрелов {shots}, попаданий {hits}, потопил {sunk}",
    ),
    "salvo_won": ("{name} has won", "победил {name}"),
    "salvo_withdrew": ("{name} withdraws: {other} has won", "{name} сдаётся: победил {other}"),
    "salvo_draw": ("a draw: both fleets sank in the same round", "ничья: оба флота потоплены в одном раунде"),
    "off_field": ("that is off the field", "это за пределами поля"),
    "touches": ("another ship is there or touches it", "там другой корабль, или он касается"),
    "placed": ("this ship is placed already; take it back with 'remove'", "этот корабль уже стоит; снимите: 'remove'"),
    "not_now": ("this cannot be done now", "сейчас этого сделать нельзя"),
    "fired_at": (
        "the salvo is refused: {cell} was fired at before, or stands twice",
        "залп не принят: в {cell} уже стреляли, или она названа дважды",
    ),
    "too_many": ("the salvo is refused: at most {guns} shots", "залп не принят: выстрелов не больше {guns}"),
    "no_ship": ("there is no ship '{name}': {names}", "нет корабля '{name}': {names}"),
}

SHIPS: tuple[tuple[str, str], ...] = (
    ("carrier", "авианосец"),
    ("battleship", "линкор"),
    ("cruiser", "крейсер"),
    ("submarine", "подлодка"),
    ("destroyer", "эсминец"),
)
"""Names of the ships of a salvo, in the order of seabattle.salvo."""
