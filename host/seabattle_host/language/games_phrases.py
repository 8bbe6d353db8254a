"""What the games at one screen say, in English and in Russian."""

from __future__ import annotations

from seabattle_host.language import words
from seabattle_host.language.table_phrases import TABLE


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(GAMES[key], **fields)


GAMES: dict[str, tuple[str, str]] = {
    **TABLE,
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
    "help_lines": (
        "lines of text even where a screen could be drawn",
        "строками текста, даже если можно рисовать экран",
    ),
    "help_lot": ("draw the order of turns (without it: A, B, C)", "очерёдность по жребию (иначе A, B, C)"),
    # at the screen
    "curtain": (
        "--- {name}'s turn. The others look away; {name} presses Enter ---",
        "--- Ходит {name}. Остальные отворачиваются; {name} нажимает Enter ---",
    ),
    "hand_over": (
        "--- {name}: Enter, when you have read this ---",
        "--- {name}: Enter, когда прочтёте ---",
    ),
    "word_read": ("I have read this", "прочитано"),
    "prompt": ("{name}> ", "{name}> "),
    "left": ("the game was left unfinished", "игра прервана"),
    "stranger": ("no person plays as {name}", "за {name} не играет человек"),
    "off_field_cell": ("{cell} is off the field of {size}", "{cell} - за пределами поля {size}"),
    "look_alike": (
        "{cell}: this {letter} is of another alphabet than the columns, {letters}: type it anew in theirs",
        "{cell}: это {letter} не из того алфавита, что буквы столбцов, {letters}: наберите клетку заново в нём",
    ),
    "letters_few": (
        "--letters {name} names {most:column} and the field is {width} wide: choose other letters",
        "--letters {name}: это {most:column}, а ширина поля {width}: выберите другие буквы",
    ),
    "no_cell": ("'{text}' is not a cell; {help}", "'{text}' - не клетка; {help}"),
    # full screen
    "name_classic": ("Classic", "Классика"),
    "name_salvo": ("Salvo", "Залпы"),
    "name_melee": ("Melee", "Свалка"),
    "seat_computer": ("{name} (computer)", "{name} (компьютер)"),
    "opponent_computer": ("computer", "компьютер"),
    "opponent_computers": ("{count:computer}", "{count:computer}"),
    "curtain_big": (
        "It is {name}'s turn.\n\nThe others look away, then {name} presses Enter.",
        "Ходит {name}.\n\nОстальные отворачиваются, затем {name} нажимает Enter.",
    ),
    "key_curtain": ("{name} is here", "{name} здесь"),
    "key_shoot": ("shoot", "выстрел"),
    "key_mark": ("mark", "отметить"),
    "key_fire": ("fire!", "залп!"),
    "key_place": ("place", "поставить"),
    "key_turn": ("turn", "повернуть"),
    "key_next_ship": ("another ship", "другой корабль"),
    "key_remove": ("take back", "снять"),
    "key_again": ("again", "ещё раз"),
    "key_rules": ("rules", "правила"),
    "key_leave_game": ("leave", "выйти"),
    "space": ("Space", "Пробел"),
    "no": ("No", "Нет"),
    "ask_leave_game": ("Leave this game? It stays unfinished.", "Выйти из партии? Она останется неоконченной."),
    "yes_leave_game": ("Leave", "Выйти"),
    "ask_withdraw": ("Withdraw? The other has won then.", "Сдаться? Тогда победит другой."),
    "type_here": ("B7", "B7"),
    "placing": ("place a ship - {ship}", "ставьте корабль - {ship}"),
    "salvo_marked": ("marked {marked} of {guns}: {cells}", "отмечено {marked} из {guns}: {cells}"),
    "rules_classic": (
        "Each hides a fleet on a field of their own; ships touch neither by side nor by corner.\n"
        "Shoot at the other's field. Hit or sunk: shoot again. Miss: the turn passes.\n"
        "Around a sunk ship all is empty, and is marked so. Who first sinks all ships wins.\n"
        "Variants: ships may touch by corners, or be bent, on any field and with any fleet.",
        "У каждого свой флот на своём поле; корабли не касаются ни сторонами, ни углами.\n"
        "Стреляйте по чужому полю. Ранен или убит: ещё выстрел. Мимо: ход переходит.\n"
        "Вокруг потопленного корабля пусто, и это отмечено. Кто первым потопит все корабли, победил.\n"
        "Варианты: корабли касаются углами или изогнуты, любое поле и любой флот.",
    ),
    "rules_salvo": (
        "Five ships each, across, down or diagonally, and none touch. The carrier has two guns, others one.\n"
        "In a round both mark up to as many cells as their floating ships have guns, and fire at once.\n"
        "You learn which ships were hit and how often, not by which shot. Who sinks all five wins;\n"
        "if both do in the same round, it is a draw.",
        "У каждого пять кораблей: вдоль, поперёк или наискось, без касаний. У авианосца два орудия, у других одно.\n"
        "В раунде оба отмечают не больше клеток, чем орудий на плаву, и стреляют одновременно.\n"
        "Вы узнаёте, в какие корабли и сколько раз попали, но не каким выстрелом. Потопил все пять - победил;\n"
        "если оба в одном раунде - ничья.",
    ),
    "rules_melee": (
        "Three fleets on one field; the computer has placed them, and no two ships touch.\n"
        "Yours are shown, the others' are hidden until hit. A hit gives another shot, a miss passes the turn.\n"
        "All see all shots. Red is the last move; darker colours are hit, bombs show a ship just sunk.\n"
        "Whose fleet is gone is out. The last one with a ship wins.",
        "Три флота на одном поле; их расставил компьютер, корабли не касаются.\n"
        "Свои видны, чужие скрыты до попадания. Попал - ещё выстрел, мимо - ход переходит.\n"
        "Все видят все выстрелы. Красное - последний ход; тёмное - подбито; бомбы - корабль только что потоплен.\n"
        "Чей флот потоплен, тот выбыл. Победит последний, у кого есть корабли.",
    ),
    "local_keys": (
        "Arrows and Enter choose a cell, so does the mouse; or type it: B7, b7, 7B, also in Russian letters.\n"
        "A game that is left stays in the history as unfinished.",
        "Клетку выбирают стрелками и Enter или мышью; можно набрать: B7, b7, 7B, и русскими буквами.\n"
        "Прерванная партия остаётся в истории неоконченной.",
    ),
    # the choice of a game
    "start_games": ("Other games: classic, salvo, melee…", "Другие игры: классика, залпы, свалка…"),
    "menu_title": ("Other games at this screen", "Другие игры за этим экраном"),
    "menu_game": ("Which game", "Какая игра"),
    "menu_classic": ("classic, for two", "классика, вдвоём"),
    "menu_salvo": ("salvo, for two", "залпы, вдвоём"),
    "menu_melee": ("melee, for three", "свалка, втроём"),
    "menu_people": ("people here:", "людей здесь:"),
    "menu_people_note": ("Computers take the other seats.", "За остальных играет компьютер."),
    "menu_lot": ("order of turns by lot", "очерёдность по жребию"),
    "menu_rules": ("Classic: field, fleet, variants", "Классика: поле, флот, варианты"),
    "menu_width": ("columns", "столбцов"),
    "menu_height": ("rows", "рядов"),
    "menu_decks": ("{length}-deck", "{length}-палубн."),
    "menu_corners": ("corners may touch", "касание углами"),
    "menu_walls": ("at most half along walls", "у стенок не больше половины"),
    "menu_bent": ("bent ships", "изогнутые корабли"),
    "menu_letters": ("Letters of the columns", "Буквы столбцов"),
    "menu_latin": ("Latin: A B C", "латинские: A B C"),
    "menu_russian": ("Russian without Yo", "русские без Ё"),
    "menu_russian-yo": ("Russian with Yo", "русские с Ё"),
    "menu_respublika": ("Respublika", "РЕСПУБЛИКА"),
    "menu_snegurochka": ("Snegurochka", "СНЕГУРОЧКА"),
    "key_start": ("start", "начать"),
    "key_next_item": ("next", "дальше"),
    "key_usual": ("usual 10x10", "обычная 10x10"),
    "key_large": ("15x15 with a five-deck", "15x15 с пятипалубным"),
    "key_back_menu": ("back", "назад"),
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
    "melee_field": ("the common field", "общее поле"),
    "melee_won": ("{name} has won, {second} is second", "победил {name}, второе место - {second}"),
    "melee_legend": (
        ". unknown  o miss or empty  {own} own ship  A B C hit  # sunk  ! and * the last move",
        ". неизвестно  o мимо или пусто  {own} свой корабль  A B C ранен  # потоплен  ! и * последний ход",
    ),
    "melee_legend_colours": (
        "small letter: your ship  dark: hit  # sunk  • empty  red: the last move  💣 just sunk",
        "маленькая буква: ваш корабль  тёмное: подбит  # потоплен  • пусто  красное: последний ход  💣 потоплен",
    ),
    "own_ship": ("{cell} is your own ship", "{cell} - ваш собственный корабль"),
    "open_cell": (
        "{cell} is open: it was shot at, or is beside a sunk ship",
        "{cell} уже открыта: туда стреляли, или рядом потопленный корабль",
    ),
    "not_your_turn": ("it is {name}'s turn", "сейчас ход игрока {name}"),
    "shoot_again": ("shoot again", "ещё выстрел"),
    "your_turn": ("your turn", "ваш ход"),
    # classic
    "classic_about": (
        "The classic game and its variants: bent ships, corners that touch, any fleet and field; a jury at the end.",
        "Классический бой и варианты: изогнутые корабли, касание углами, любой флот и поле; в конце - жюри.",
    ),
    "help_first": ("who shoots first (default lot: it is drawn)", "кто стреляет первым (по умолчанию lot: жребий)"),
    "help_letters": (
        "letters of the columns (default {usual}; russian has no yo, russian-yo has it)",
        "буквы столбцов (по умолчанию {usual}; russian - без Ё, russian-yo - с Ё)",
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
    "help_walls": (
        "at most half of the ships may stand along a wall",
        "у стенок - не больше половины кораблей",
    ),
    "along_wall": (
        "no more ships may stand along a wall: at most half of them",
        "у стенок больше ставить нельзя: не больше половины кораблей",
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
    "classic_theirs": ("{name}'s field", "поле игрока {name}"),
    "ship_of": ("{length:deck}, left: {left}", "{length:deck}, осталось: {left}"),
    "word_random": ("at random", "наугад"),
    "word_clear": ("clear", "снять все"),
    "word_show": ("show and judge the field", "показать и проверить поле"),
    "word_on": ("go on", "дальше"),
    "word_record": ("all rounds", "все раунды"),
    "word_withdraw": ("withdraw", "сдаться"),
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
    "classic_proof": (
        "the answer of {name} at {cell} cannot be true: that ends the game",
        "ответ игрока {name} по {cell} заведомо ложен: игра окончена",
    ),
    # pictures
    "picture_about": (
        "A picture of a position: of a game of the history, of one that 'seabattle history export' wrote, or of fields"
        " as the games tell them in text.",
        "Картинка позиции: партия из истории, из файла от 'seabattle history export' или поля строками, как их"
        " показывают игры.",
    ),
    "help_picture_file": ("an exported game, or a text with fields", "файл с партией или текст с полями"),
    "help_picture_view": (
        "what this player may see (default: all that is known)",
        "что видно этому игроку (иначе всё, что известно)",
    ),
    "bad_picture": (
        "cannot draw to '{path}': the name must end in .svg, .png or .txt, or be - for text",
        "не нарисовать в '{path}': имя должно кончаться на .svg, .png или .txt, или - для текста",
    ),
    "picture_of_text": (
        "{option} needs a game, and {path} is a text: leave it out",
        "{option} годится для партии, а {path} - текст: уберите",
    ),
    "no_such_player": ("nobody is {name} in this game: {names}", "в этой партии нет игрока {name}: {names}"),
    "bad_field_text": (
        "line {line} of {path} is no row of its field: a number and a sign for each column, apart",
        "строка {line} в {path} - не ряд поля: номер и по знаку на столбец, раздельно",
    ),
    "help_picture_game": ("a game of the history", "партия из истории"),
    "help_picture_after": (
        "the position after so many shots (default: all)",
        "позиция после стольких выстрелов (иначе все)",
    ),
    "help_picture_output": (
        "what to write: .svg, .png or .txt; - is text on the standard output",
        "куда записать: .svg, .png или .txt; - - текстом в вывод",
    ),
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
        "{path} is not a game: write one with 'seabattle history export N -o FILE', or fields as the games tell them",
        "{path} - не партия: запишите её через 'seabattle history export N -o FILE', или поля, как их показывают игры",
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
    "stat_head": ("{games:game} of {name}, seed {seed}", "{games:game}, игра {name}, начало {seed}"),
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
    "salvo_round": ("round {round}: up to {guns:shot}", "раунд {round}: до {guns:shot_of}"),
    "salvo_legend": ("a number: the round of a shot", "число: раунд выстрела"),
    "salvo_report": (
        "round {round}: your hits: {hits}; sunk: {sunk}",
        "раунд {round}: ваши попадания: {hits}; потоплены: {sunk}",
    ),
    "salvo_received": ("round {round}: received: {shots}", "раунд {round}: по вам: {shots}"),
    "salvo_water": ("water", "вода"),
    "salvo_own": ("your field", "ваше поле"),
    "salvo_fired": ("your shots, by round", "ваши выстрелы, по раундам"),
    "salvo_fired_by": ("shots of {name}, by round", "выстрелы игрока {name}, по раундам"),
    "round_short": ("round {round}", "раунд {round}"),
    "salvo_placed": ("the fleet is placed", "флот расставлен"),
    "salvo_record": (
        "round {round}: {name} fired {shots:shot}, hit {hits}{ships}, sank {sunk}",
        "раунд {round}: {name} - {shots:shot}, {hits:hit}{ships}, потоплено {sunk}",
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
    "too_many": ("the salvo is refused: at most {guns:shot}", "залп не принят: не больше {guns:shot_of}"),
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
