"""What the application with screens and the archive of games say, in English and in Russian.

What the line and the protocol have to say is in `words`; here is the rest: labels, keys, questions, advice.
"""

from __future__ import annotations

from seabattle import field
from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(PHRASES[key], **fields)


def ships(length: int) -> str:
    """Ships of a length, as a label."""
    return say(f"ships_{length}")


def placing(code: int) -> str:
    """Why a ship may not lie there, a code of seabattle.field."""
    return words.pick(PLACING[code])


def result(code: int) -> str:
    """What became of a shot: a code of seabattle.field."""
    return words.pick(SHOTS[code])


def duration(seconds: float) -> str:
    """A length of time as minutes and seconds."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


PHRASES: dict[str, tuple[str, str]] = {
    # the command line
    "play_about": ("play over a serial line, in the terminal", "играть по последовательной линии в терминале"),
    "help_board": ("start a virtual board and play against it", "запустить виртуальную плату и играть с ней"),
    "help_play_role": ("default: that of the last time, at first auto", "по умолчанию как в прошлый раз, сперва auto"),
    "help_play_nick": ("nick, 1..10 letters (default: the last one)", "ник, 1..10 букв (по умолчанию прежний)"),
    "help_play_level": ("how well 'shoot for me' shoots (default sharp)", "как стреляет «за меня» (обычно sharp)"),
    "help_bell": ("the terminal's bell when it is your turn", "звонок терминала, когда ваш ход"),
    "board_or_port": ("--board starts its own line: leave --port out", "--board создаёт свою линию: уберите --port"),
    "found_game": (
        "{port}: a board ({maker}) that plays over its USB cable",
        "{port}: плата ({maker}) играет по кабелю USB",
    ),
    "found_prompt": (
        "{port}: MicroPython ({maker}) without the game; put it there: seabattle flash",
        "{port}: MicroPython ({maker}) без игры; запишите её: seabattle flash",
    ),
    "found_silent": (
        "{port}: a USB device ({maker}) on which no game answers; a board: seabattle flash",
        "{port}: устройство USB ({maker}), игра на нём не отвечает; если это плата: seabattle flash",
    ),
    "found_busy": (
        "{port}: cannot be looked at, another program has it or you have no right to it",
        "{port}: недоступен, занят другой программой или нет прав",
    ),
    "no_terminal": ("{command} needs a terminal to draw on", "для {command} нужен терминал"),
    "parting_in_words": (
        "saying goodbye, the opponent has 3 s to answer; Ctrl-C leaves at once",
        "прощаемся, у соперника 3 с на ответ; Ctrl-C - выйти сразу",
    ),
    "board_failed": ("the virtual board did not start: {reason}", "виртуальная плата не запустилась: {reason}"),
    "board_silent": ("it did not say where its line is", "она не сообщила, где её линия"),
    "history_about": ("games that were played here, kept in", "сыгранные здесь партии, хранятся в"),
    "help_history_show": ("replay a game, move by move", "показать партию ход за ходом"),
    "help_history_export": ("a game as JSON", "партия в виде JSON"),
    "help_history_output": (
        "write to this file (default and '-': the standard output)",
        "писать в этот файл (по умолчанию и '-': стандартный вывод)",
    ),
    # the archive
    "archive_failed": ("games are not kept, {file}: {reason}", "партии не сохраняются, {file}: {reason}"),
    "archive_newer": (
        "the games in {file} are from a newer seabattle: install that, or move the file away",
        "партии в {file} записаны более новой seabattle: установите её или уберите файл",
    ),
    "no_such_game": ("there is no game {number}; the last one is {last}", "нет партии {number}; последняя - {last}"),
    "no_games": ("no games are kept yet: play one with 'seabattle play'", "партий пока нет: сыграйте: seabattle play"),
    # the first screen
    "title": ("SEA BATTLE over a serial line", "МОРСКОЙ БОЙ по последовательной линии"),
    "where_title": ("Where is the opponent?", "Где соперник?"),
    "who_title": ("You", "Вы"),
    "nick": ("Nick, up to 10 letters", "Ник, до 10 букв"),
    "nick_example": ("your name", "ваше имя"),
    "nick_usual": ("player", "player"),
    "role": ("Role", "Роль"),
    "role_auto": ("auto, by listening", "авто, на слух"),
    "role_master": ("master, first shot", "мастер, ходит первым"),
    "role_slave": ("slave", "слейв"),
    "bell": ("bell on your turn", "звонок на ваш ход"),
    "fair": ("seal and show fields", "запечатать поля"),
    "address_example": ("/dev/pts/3 or socket://host:4000", "/dev/pts/3 или socket://host:4000"),
    "address_empty": ("type an address first", "сначала наберите адрес"),
    "port_last": ("last used", "последний"),
    "port_last_absent": ("last used, not there now", "последний, сейчас его нет"),
    "ports_none": ("no serial port was found", "последовательных портов не найдено"),
    "start_board": ("No hardware: start a virtual board", "Нет платы: запустить виртуальную"),
    "start_other": ("Another address…", "Другой адрес…"),
    "start_history": ("Games that were played", "Сыгранные партии"),
    "opening": ("opening {port}…", "открываем {port}…"),
    "starting_board": ("starting a virtual board…", "запускаем виртуальную плату…"),
    "language_en": ("English", "English"),
    "language_ru": ("Русский", "Русский"),
    # keys
    "space": ("Space", "Пробел"),
    "key_connect": ("connect", "соединить"),
    "key_next": ("next", "дальше"),
    "key_help": ("help", "помощь"),
    "key_leave": ("leave", "выйти"),
    "key_at_once": ("leave at once", "выйти сразу"),
    "key_change": ("change", "изменить"),
    "key_offer": ("offer", "предложить"),
    "key_place": ("place", "поставить"),
    "key_turn": ("turn", "повернуть"),
    "key_remove": ("remove", "убрать"),
    "key_fill": ("fill", "остальные"),
    "key_random": ("random", "все"),
    "key_ready": ("ready", "готово"),
    "key_shoot": ("shoot", "огонь"),
    "key_shoot_for_me": ("for me", "за меня"),
    "key_hint": ("hint", "совет"),
    "key_chat": ("chat", "чат"),
    "key_restart": ("restart", "рестарт"),
    "key_ask": ("the jury", "жюри"),
    "key_surrender": ("surrender", "сдаться"),
    "key_on": ("on", "вперёд"),
    "key_back": ("back", "назад"),
    "key_edges": ("ends", "края"),
    "key_play": ("play", "показ"),
    "key_stop": ("stop", "стоп"),
    "key_close": ("close", "закрыть"),
    "key_replay": ("replay", "посмотреть"),
    # a session
    "opponent": ("opponent", "соперник"),
    "versus": ("{me} - {peer}", "{me} - {peer}"),
    "waited": (", {seconds:.1f} s so far", ", уже {seconds:.1f} с"),
    "line_lost": ("{why} - waiting for it", "{why} - ждём его"),
    "line_back": ("the line is back", "линия вернулась"),
    "parting": (
        "saying goodbye, waiting for the opponent's reply",
        "прощаемся, ждём ответа соперника",
    ),
    "log": ("what happened", "что было"),
    "chat": ("chat", "чат"),
    "chat_here": ("F4, then write", "F4 - и пишите"),
    "short_errors": ("line errors {errors}", "ошибок линии {errors}"),
    "short_noise": ("noise {noise}", "помех {noise}"),
    "short_deviations": ("deviations {deviations}", "отклонений {deviations}"),
    # looking for an opponent
    "line_port": ("Port {port}, {settings}", "Порт {port}, {settings}"),
    "line_role": ("Role: {role}", "Роль: {role}"),
    "role_open": (
        "open yet, whoever hears the other first is the slave",
        "пока не ясна: кто первым услышит, тот слейв",
    ),
    "line_traffic": ("Received {received:byte}, sent {sent:byte}", "Принято {received:byte}, послано {sent:byte}"),
    "line_errors_unknown": (
        "The driver counts no line errors here",
        "Драйвер здесь не считает ошибки линии",
    ),
    "line_faults": (
        "{noise:noise_byte}, {dropped:cut_frame}, {strays:reply} that nothing waited for",
        "{noise:noise_byte}, {dropped:cut_frame}, никем не ожидавшихся ответов: {strays}",
    ),
    "advice_two_masters": (
        "The other side is a master too: let one of you be the slave.",
        "Другая сторона - тоже мастер: пусть кто-то из вас будет слейвом.",
    ),
    # parameters
    "params_master": ("You are the master: choose the field and the fleet", "Вы мастер: выберите поле и флот"),
    "params_slave": ("The master chooses the field and the fleet", "Поле и флот выбирает мастер"),
    "params_wait": ("Waiting for the master's parameters.", "Ждём параметров мастера."),
    "params_known": ("Known so far: {parameters}.", "Пока известно: {parameters}."),
    "size": ("Cells a side", "Сторона поля"),
    "ships_4": ("Four-deck ships", "Четырёхпалубные"),
    "ships_3": ("Three-deck ships", "Трёхпалубные"),
    "ships_2": ("Two-deck ships", "Двухпалубные"),
    "ships_1": ("One-deck ships", "Однопалубные"),
    "params_fit": (
        "This fits: {decks:deck} on {cells:cell}; {wall} of {ships:ship} may lie along a wall.",
        "Помещается: {decks:deck} на {cells:cell_on}; у стенок может стоять {wall} из {ships:ship_of}.",
    ),
    "offer": ("Offer this to the opponent", "Предложить сопернику"),
    # placing
    "placing_title": ("Place your fleet", "Расставьте свой флот"),
    "to_place": ("Still to place:", "Осталось поставить:"),
    "wall": ("Along a wall: {now} of {most}", "У стенок: {now} из {most}"),
    "wall_free": ("Along a wall: no limit", "У стенок: без ограничений"),
    "do_turn": ("Turn (space)", "Повернуть (пробел)"),
    "do_remove": ("Remove (Del)", "Убрать (Del)"),
    "do_fill": ("Fill the rest (F)", "Остальные (F)"),
    "do_random": ("All at random (A)", "Все случайно (A)"),
    "do_clear": ("Clear (C)", "Очистить (C)"),
    "do_ready": ("Ready (G)", "Готово (G)"),
    "placing_complete": ("all ships are placed: G when you are ready", "все корабли стоят: G - готово"),
    "placed_waiting": ("you are ready; waiting for the opponent", "вы готовы; ждём соперника"),
    "ship_here": ("a ship: Enter takes it up again", "корабль: Enter - взять обратно"),
    "nothing_here": ("no ship is here", "здесь нет корабля"),
    "none_left": ("{ships}: all are placed", "{ships}: все расставлены"),
    "not_complete": ("not all ships are placed yet", "расставлены ещё не все корабли"),
    "fill_impossible": (
        "the rest cannot be placed around these: remove one, or take all at random",
        "остальные при этом не поставить: уберите корабль или расставьте все случайно",
    ),
    # the battle
    "field_mine": ("{name} (you)", "{name} (вы)"),
    "field_theirs": ("{name}", "{name}"),
    "your_turn": ("your turn: choose a cell to shoot at", "ваш ход: выберите клетку"),
    "their_turn": ("{peer} is to shoot", "стреляет {peer}"),
    "last_on_mine": ("their shot {cell}: {result}", "соперник {cell}: {result}"),
    "last_on_theirs": ("your shot {cell}: {result}", "вы {cell}: {result}"),
    "shoot_at": ("Shoot at", "Выстрел в"),
    "look_alike": (
        "this {letter} is of another alphabet than the letters of the columns: type the cell anew",
        "это {letter} не из того алфавита, что буквы столбцов: наберите клетку заново",
    ),
    "no_cell": (
        "'{typed}' is no cell {first}..{last}",
        "«{typed}» - не клетка {first}..{last}",
    ),
    "not_my_turn": ("it is not your turn yet", "сейчас не ваш ход"),
    "shot_before": ("{cell}: you shot there before", "{cell}: туда вы уже стреляли"),
    "known_empty": ("{cell} is known to be empty", "{cell}: там точно пусто"),
    "shooting": ("shooting at {cell}…", "стреляем в {cell}…"),
    "thinking": ("thinking…", "думаем…"),
    "legend_0": ("unknown", "неизвестно"),
    "legend_2": ("miss", "мимо"),
    "legend_3": ("empty", "пусто"),
    "legend_4": ("ship", "корабль"),
    "legend_5": ("hit", "ранен"),
    "legend_6": ("sunk", "убит"),
    # the end
    "statistics": (
        "{name}: {shots:shot}, {hits:hit} ({percent} %), sunk {sunk}",
        "{name}: {shots:shot}, попало {percent} %, убито {sunk}",
    ),
    "game_took": ("The game took {time}", "Длилась {time}"),
    "score": ("score with this opponent {wins}:{losses}", "счёт с этим соперником {wins}:{losses}"),
    "restart_by_master": (
        "The next game is the master's to start.",
        "Следующую партию начинает мастер.",
    ),
    "do_again": ("Play again", "Ещё партию"),
    "do_ask": ("Show the fields (F7)", "Показать поля (F7)"),
    "do_next": ("The new game has begun: go on", "Новая партия началась: дальше"),
    "do_wait": ("Wait for an opponent", "Ждать соперника"),
    "do_enough": ("Leave", "Выйти"),
    "outcome_proof_won": (
        "won, an answer of the opponent's was provably false",
        "победа, ответ соперника заведомо ложен",
    ),
    "outcome_jury_won": ("won, says the jury: the opponent cheated", "победа по решению жюри: соперник нарушил"),
    "outcome_jury_lost": ("lost, says the jury: we cheated", "поражение по решению жюри: нарушили мы"),
    "outcome_jury_none": ("no result, says the jury: both cheated", "жюри: нарушили оба, результата нет"),
    "unfinished": ("unfinished: {why}", "не окончена: {why}"),
    "ending_unknown": ("it broke off here", "оборвалась здесь"),
    "ending_goodbye": ("the opponent said goodbye", "соперник попрощался"),
    "ending_left": ("the opponent has gone", "соперник пропал"),
    "ending_left_by_us": ("you left", "вы вышли"),
    "ending_broken": ("the opponent broke the protocol", "соперник нарушил протокол"),
    "ending_accused": (
        "the opponent said that the protocol was broken",
        "соперник сообщил о нарушении протокола",
    ),
    "ending_peer_timeout": ("the opponent waited too long and gave up", "соперник не дождался ответа"),
    "ending_timeout": ("no answer from the opponent", "соперник не отвечал"),
    "ending_peer_reset": ("the opponent went back to the start", "соперник вернулся к началу"),
    "ending_restart": ("the master started over", "мастер начал заново"),
    # questions
    "yes": ("Yes (Y)", "Да (Y)"),
    "no": ("No (N)", "Нет (N)"),
    "yes_leave": ("Leave (Y)", "Выйти (Y)"),
    "yes_restart": ("Restart (Y)", "Заново (Y)"),
    "yes_surrender": ("I surrender (Y)", "Сдаюсь (Y)"),
    "ask_leave": ("Leave {peer}?", "Покинуть соперника ({peer})?"),
    "ask_leave_battle": (
        "Leave {peer} in the middle of the battle? The game stays unfinished.",
        "Покинуть соперника ({peer}) посреди боя? Партия останется неоконченной.",
    ),
    "ask_restart": ("Start over with the same opponent?", "Начать заново с тем же соперником?"),
    "ask_surrender": ("Surrender? The game is lost then.", "Сдаться? Партия будет проиграна."),
    "ask_surrender_again": ("Really? There is no way back.", "Точно? Назад пути нет."),
    "notice_timeout": ("NO ANSWER", "НЕТ ОТВЕТА"),
    "notice_broken": ("THE OPPONENT BROKE THE PROTOCOL", "СОПЕРНИК НАРУШИЛ ПРОТОКОЛ"),
    "notice_accused": ("THE OPPONENT BROKE IT OFF", "СОПЕРНИК ПРЕРВАЛ ИГРУ"),
    "accused_after": (
        "It gives no reason. The last that went out was: {frame}.",
        "Причину он не называет. Последнее, что ушло: {frame}.",
    ),
    "notice_give_up": ("Give up (Enter)", "Прервать (Enter)"),
    "notice_go_on": ("Go on (Enter)", "Дальше (Enter)"),
    # help
    "help_title": ("Keys and shapes", "Клавиши и обозначения"),
    "help_text": (
        """
▸ or a frame: the last shot. Numbers: the hint, 9 is best.

Arrows and Enter, or the mouse, everywhere; Tab goes on.
Placing: space turns (so does the other mouse button), Del
  removes, 1-4 choose a length, F fills the rest, A places
  all, C clears, G says that you are ready.
Battle: arrows and Enter shoot, or type a cell: B7, 7b, Б-7.
F2 hint   F3 shoot for me   F4 chat and back
F5 restart (master)   F7 the jury   F8 surrender   F10 leave
Ctrl+Q ends the program, with a goodbye, at any moment.""",
        """
▸ или рамка - последний выстрел. Цифры - совет, 9 лучше всего.

Везде стрелки и Enter или мышь; Tab - дальше.
Расстановка: пробел поворачивает (и правая кнопка мыши),
  Del убирает, 1-4 выбирают длину, F ставит остальные,
  A ставит все, C очищает, G - готово.
Бой: стрелки и Enter или наберите клетку: Б7, 7б, B-7.
F2 совет   F3 выстрел за меня   F4 чат и обратно
F5 рестарт (мастер)   F7 жюри   F8 сдаться   F10 выйти
Ctrl+Q в любой момент кончает программу, с прощанием.""",
    ),
    # the archive on the screen
    "replay_title": ("Game {number}, {when}: {players}", "Партия {number}, {when}: {players}"),
    "replay_at": ("Move {at} of {of}", "Ход {at} из {of}"),
    "moves": ("moves", "ходы"),
    "games_title": ("Games that were played", "Сыгранные партии"),
    "column_number": ("No", "№"),
    "column_when": ("when", "когда"),
    "column_peer": ("opponent", "соперник"),
    "column_role": ("game", "игра"),
    "column_game": ("field and fleet", "поле и флот"),
    "column_result": ("result", "итог"),
    "column_shots": ("shots", "выстрелы"),
    "column_time": ("time", "время"),
    "short_won": ("won", "победа"),
    "short_lost": ("lost", "поражение"),
    "short_none": ("no result", "ничья"),
    "short_unfinished": ("unfinished", "не окончена"),
}

PLACING: dict[int, tuple[str, str]] = {
    field.OK: ("fits", "можно"),
    field.OUT: ("it would stick out of the field", "корабль выходит за поле"),
    field.OVERLAP: ("another ship lies there", "там уже стоит корабль"),
    field.TOUCH: ("it would touch another ship", "корабль касается другого"),
    field.NONE_LEFT: ("all ships of this length are placed", "все корабли этой длины расставлены"),
    field.WALL: ("no more ships may lie along a wall", "у стенок больше нельзя: там уже половина кораблей"),
}

SHOTS: dict[int, tuple[str, str]] = {
    field.MISS: ("miss", "мимо"),
    field.HIT: ("hit", "ранил"),
    field.SUNK: ("sunk", "убил"),
    field.REPEAT: ("shot before", "уже было"),
}
