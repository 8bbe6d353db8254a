"""What the club says, in English and in Russian: to its owner and in chat. The page has words of its own."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(PHRASES[key], **fields)


def ending(key: str) -> str:
    """How a game ended, in words."""
    return words.pick(ENDINGS[key])


ENDINGS: dict[str, tuple[str, str]] = {
    "": ("goes on", "идёт"),
    "shots": ("fleet sunk", "флот потоплен"),
    "surrender": ("surrender", "сдача"),
    "goodbye": ("the other left", "соперник ушёл"),
    "lost": ("the other's line was lost", "линия соперника пропала"),
    "stalled": ("the other fell silent", "соперник замолчал"),
    "violation": ("the other broke the protocol", "соперник нарушил протокол"),
    "accusation": ("broken off by an accusation", "прервана обвинением"),
    "timeout": ("broken off, no answer", "прервана, нет ответа"),
    "restart": ("the other started over", "соперник начал заново"),
    "clock": ("the other's time ran out", "у соперника вышло время"),
    "idle": ("nobody went on", "никто не продолжил"),
    "ended": ("ended by the club's operator", "окончена хозяином клуба"),
    "closed": ("the club closed", "клуб закрылся"),
    "killed": ("the club was killed", "клуб был прерван"),
    "unmet": ("never began", "не началась"),
}
"""How a game ended, as the winner sees it where there is one."""

PHRASES: dict[str, tuple[str, str]] = {
    # the command line
    "club_about": (
        "A meeting place: players come by serial port and TCP, wait, are paired, and play.",
        "Место встречи: игроки приходят по последовательному порту и TCP, ждут, получают соперника и играют.",
    ),
    "serve_about": ("open the club", "открыть клуб"),
    "table_about": ("the players by rating", "таблица игроков"),
    "games_about": ("the games, the newest last", "партии, последняя внизу"),
    "show_about": ("a game, move by move", "партия ход за ходом"),
    "export_about": ("a game as JSON, or its line as a capture", "партия в виде JSON или запись её линии"),
    "help_db": ("the club's file (default: {path})", "файл клуба (по умолчанию: {path})"),
    "help_listen": (
        "take TCP connections there; repeatable (default {usual}; 'none': not at all)",
        "принимать соединения TCP там; можно несколько раз (по умолчанию {usual}; 'none': не принимать)",
    ),
    "help_port": (
        "a serial port with a player at it; repeatable",
        "последовательный порт с игроком; можно несколько раз",
    ),
    "help_web": ("show the club's page there, like 127.0.0.1:8080", "показывать страницу клуба там: 127.0.0.1:8080"),
    "help_bots": (
        "so many computers of each level play with who waits for long (default: none, with --web {usual} for who asks)",
        "столько компьютеров каждого уровня играют с теми, кто ждёт долго"
        " (по умолчанию ни одного, с --web {usual} для тех, кто попросит)",
    ),
    "help_cert": ("the page by https: a certificate in PEM", "страница по https: сертификат в PEM"),
    "help_key": ("and its private key", "и его закрытый ключ"),
    "help_proxy": (
        "the address of a reverse proxy whose X-Forwarded-* are believed; repeatable",
        "адрес обратного прокси, чьим X-Forwarded-* верят; можно несколько раз",
    ),
    "tls_both": ("--cert and --key belong together: give both", "--cert и --key нужны вместе: укажите оба"),
    "tls_failed": (
        "cannot use {cert} with {private}: {reason}: give a certificate and its key in PEM",
        "не могу взять {cert} с {private}: {reason}: укажите сертификат и его ключ в PEM",
    ),
    "help_patience": (
        "seconds after which a computer comes (default {usual:g})",
        "через сколько секунд приходит компьютер (по умолчанию {usual:g})",
    ),
    "help_per_address": (
        "connections from one address (default {usual})",
        "соединений с одного адреса (по умолчанию {usual})",
    ),
    "help_connections": ("connections in all (default {usual})", "соединений всего (по умолчанию {usual})"),
    "help_waiting": (
        "seconds that a connection may wait in the queue (default {usual:g})",
        "сколько секунд соединение может ждать в очереди (по умолчанию {usual:g})",
    ),
    "help_stall": (
        "seconds that a player in a game may be silent (default {usual:g})",
        "сколько секунд игрок в партии может молчать (по умолчанию {usual:g})",
    ),
    "help_move": (
        "seconds that a player has for a move; who takes longer loses (default {usual:g})",
        "сколько секунд есть на ход; кто думает дольше, проигрывает (по умолчанию {usual:g})",
    ),
    "help_one_address": (
        "games between players of one address count, too (a school behind one router)",
        "партии игроков с одного адреса тоже идут в рейтинг (школа за одним роутером)",
    ),
    "help_log": (
        "the log as lines to read or as JSON, one object a line",
        "журнал строками или в JSON, по объекту на строку",
    ),
    "help_boards": (
        "at most N virtual boards that run here for people at the page (usual: {usual}; 0: none)",
        "не больше N виртуальных плат для людей у страницы (обычно {usual}; 0: ни одной)",
    ),
    "help_pace": (
        "bytes a second that one connection may send (default {usual:g})",
        "сколько байт в секунду может слать одно соединение (по умолчанию {usual:g})",
    ),
    "help_most": ("only so many, the newest", "только столько последних"),
    "help_capture": (
        "write the game's bytes as a capture for 'seabattle decode'",
        "записать байты партии как запись для 'seabattle decode'",
    ),
    "help_output": (
        "write to this file (default and '-': the standard output)",
        "писать в этот файл (по умолчанию и '-': стандартный вывод)",
    ),
    "bad_address": (
        "'{value}' is no address: HOST:PORT, port 0..65535, an IPv6 host in brackets",
        "'{value}' - не адрес: HOST:PORT, порт 0..65535, узел IPv6 в скобках",
    ),
    "cannot_listen": (
        "cannot listen on {address}: {reason}: give another {option}",
        "не могу слушать {address}: {reason}: укажите другой {option}",
    ),
    "nobody_can_come": (
        "nobody could come: give --listen, --port or --web",
        "никто не сможет прийти: укажите --listen, --port или --web",
    ),
    "web_needs": (
        "--web needs aiohttp: pip install 'seabattle[club]'",
        "для --web нужен aiohttp: pip install 'seabattle[club]'",
    ),
    # the file
    "no_club": (
        "there is no club in {file}: open one with 'seabattle club serve', or give --db",
        "в {file} нет клуба: откройте его: 'seabattle club serve', или укажите --db",
    ),
    "club_newer": (
        "the club in {file} is from a newer seabattle: install that, or give another --db",
        "клуб в {file} записан более новой seabattle: установите её или укажите другой --db",
    ),
    "club_failed": (
        "the club's file {file}: {reason}; --db names another",
        "файл клуба {file}: {reason}; другой задаёт --db",
    ),
    "club_busy": (
        "the club in {file} is open already: close that first, or give another --db",
        "клуб в {file} уже открыт: сначала закройте его или укажите другой --db",
    ),
    "no_such_game": ("there is no game {number}; the last one is {last}", "нет партии {number}; последняя - {last}"),
    "no_games": ("no game was played in the club yet", "в клубе ещё не играли"),
    "no_capture": ("nothing was captured of game {number}", "от партии {number} ничего не записано"),
    "registered_already": (
        "the name {name} is registered already: choose another",
        "имя {name} уже записано: выберите другое",
    ),
    # the operator
    "admin_about": ("the operator's orders to a club, open or closed", "распоряжения хозяина клуба, открытого или нет"),
    "admin_rename_about": ("give a player another name", "дать игроку другое имя"),
    "admin_ban_about": ("let a name or an address come no more", "больше не пускать имя или адрес"),
    "admin_unban_about": ("let it come again", "пускать снова"),
    "admin_bans_about": ("what is banned", "кого не пускают"),
    "admin_end_about": ("end a game without a result", "окончить партию без результата"),
    "admin_say_about": ("tell everybody something", "сказать что-то всем"),
    "admin_delete_about": (
        "forget a person: name, PIN, and the bytes of its games",
        "забыть человека: имя, PIN и байты его партий",
    ),
    "help_days": ("for so many days (default: always)", "на столько дней (по умолчанию навсегда)"),
    "admin_renamed": ("{name} is {new} now", "{name} теперь {new}"),
    "admin_banned": (
        "{what} may not come any more; sent away: {count:player}",
        "{what} больше не пускают; отправлено: {count:player}",
    ),
    "admin_unbanned": ("{what} may come again", "{what} снова пускают"),
    "admin_not_banned": ("{what} was not banned", "{what} и так пускали"),
    "admin_ban_until": ("{what} until {until}", "{what} до {until}"),
    "admin_deleted": ("{name} (ID {id}) is forgotten; the games stay", "{name} (ID {id}) забыт; партии остались"),
    "admin_ended": ("game {number} is ended", "партия {number} окончена"),
    "admin_no_game": ("game {number} does not go on", "партия {number} не идёт"),
    "admin_said": ("said to {count:player}", "сказано: {count:player}"),
    "admin_nobody": ("nobody is called {name}", "никого не зовут {name}"),
    "admin_bad_name": ("'{name}' is no name: 1 to 10 letters", "'{name}' - не имя: от 1 до 10 букв"),
    "admin_closed": ("the club is not open: open it first", "клуб не открыт: сначала откройте его"),
    "admin_no_answer": (
        "the club is open and does not answer: is it an older one?",
        "клуб открыт, но не отвечает: он старой версии?",
    ),
    "announcement": ("club: {text}", "клуб: {text}"),
    "operator": ("the operator: {what}", "хозяин: {what}"),
    "backup_about": (
        "copy the club's file, also while the club is open",
        "скопировать файл клуба, в том числе открытого",
    ),
    "backup_there": ("{file} is there already: name another", "{file} уже есть: назовите другой"),
    "backup_done": ("copied to {file}", "скопировано в {file}"),
    # lists
    "column_place": ("#", "№"),
    "column_name": ("player", "игрок"),
    "column_id": ("ID", "ID"),
    "column_rating": ("rating", "рейтинг"),
    "column_within": ("±", "±"),
    "column_games": ("games", "партий"),
    "column_won": ("won", "побед"),
    "column_lost": ("lost", "поражений"),
    "column_broke": ("violations", "нарушений"),
    "column_left": ("left", "уходов"),
    "column_stalled": ("stalled", "затяжек"),
    "column_game": ("game", "партия"),
    "column_started": ("started", "начало"),
    "column_players": ("master - slave", "мастер - слейв"),
    "column_winner": ("winner", "победил"),
    "column_ending": ("how", "как"),
    "column_shots": ("shots", "выстрелов"),
    "show_title": ("game {number}, {when}: {players}", "партия {number}, {when}: {players}"),
    "show_move": ("{number:>3}  {name:<12} {cell:<4} {result}", "{number:>3}  {name:<12} {cell:<4} {result}"),
    "result_miss": ("miss", "мимо"),
    "result_hit": ("hit", "ранил"),
    "result_sunk": ("sunk", "убил"),
    "result_repeat": ("shot there before", "уже стреляли"),
    "show_won": ("won by {name}: {how}", "победил {name}: {how}"),
    "show_none": ("no result: {how}", "без результата: {how}"),
    "show_going": ("not finished", "не окончена"),
    # the log of the club
    "open_at": ("the club is open at {address}", "клуб открыт: {address}"),
    "open_port": ("a player may be at {address}", "игрок может быть на {address}"),
    "web_at": ("the page is at {address}", "страница: {address}"),
    "recovered": (
        "the club was killed the last time; broken off: {count:game}",
        "в прошлый раз клуб был прерван; оборвано: {count:game}",
    ),
    "came": ("{name} has come", "{name} - новое соединение"),
    "is_here": ("{name} is {player}, ID {id}, {role}", "{name} - это {player}, ID {id}, {role}"),
    "went": ("{name} has gone: {why}", "{name} - ушёл: {why}"),
    "refused": ("{name} is refused: {why}", "{name} - отказ: {why}"),
    "game_on": ("game {number}: {players}", "партия {number}: {players}"),
    "game_over": ("game {number} is over: {result}", "партия {number} окончена: {result}"),
    "closing": ("the club closes", "клуб закрывается"),
    "master": ("master", "мастер"),
    "slave": ("slave", "слейв"),
    # chat
    "registered": (
        "you are {name}, ID {id}. Keep the name with: pin 1234",
        "вы {name}, ID {id}. Закрепить имя: pin 1234",
    ),
    "welcome": ("welcome, {name}, ID {id}.", "здравствуйте, {name}, ID {id}."),
    "nameless": ("no nick has come, you are a guest.", "ник не пришёл, вы гость."),
    "name_here": (
        "{name} is here already, you are a guest.",
        "{name} уже здесь, вы гость.",
    ),
    "name_claimed": (
        "{name} has a PIN. If it is yours: pin 1234. Till then a guest.",
        "имя {name} с PIN. Если ваше: pin 1234. Пока вы гость.",
    ),
    "pin_form": ("a PIN has 4 to 12 digits, like: pin 1234", "PIN - от 4 до 12 цифр: pin 1234"),
    "pin_set": ("{name} is yours, remember the PIN.", "имя {name} ваше, запомните PIN."),
    "pin_set_before": ("the name has its PIN already.", "у имени уже есть PIN."),
    "pin_useless": ("nobody has claimed {name}.", "имя {name} никто не закреплял."),
    "pin_wrong": ("that PIN is wrong.", "PIN неверен."),
    "pin_tries": ("too many wrong PINs: wait {seconds:second}.", "слишком много неверных PIN: ждите {seconds:second}."),
    "pins_tried": ("wrong PINs for your name: {count}.", "неверных PIN к вашему имени: {count}."),
    "pin_wrong_warning": (
        "somebody has just given a wrong PIN for your name.",
        "кто-то только что ввёл неверный PIN к вашему имени.",
    ),
    "pin_wrong_for": ("a wrong PIN for {name} from {address}", "неверный PIN к имени {name}, адрес {address}"),
    "name_reserved": (
        "{name} is a name of the club's own, you are a guest.",
        "{name} - имя самого клуба, вы гость.",
    ),
    "name_like": (
        "{name} looks like {other}, which has a PIN: a guest.",
        "{name} похоже на {other}, имя с PIN: вы гость.",
    ),
    "you_wait": ("you wait, no opponent yet.", "вы в очереди, соперника пока нет."),
    "you_wait_already": ("you are in the queue already.", "вы уже в очереди."),
    "you_left": ("you left the queue. Come back with: join", "вы вышли из очереди. Вернуться: join"),
    "you_left_already": ("you are not in the queue.", "вас нет в очереди."),
    "all_masters": (
        "{name} waits too, but all are masters: one should be slave.",
        "{name} тоже ждёт, но все мастера: кому-то быть слейвом.",
    ),
    "all_slaves": (
        "{name} waits too, but all are slaves: one should be master.",
        "{name} тоже ждёт, но все слейвы: кому-то быть мастером.",
    ),
    "you_turn": ("a master waits for you, you become the slave.", "вас ждёт мастер, вы будете слейвом."),
    "news": ("game {number}: {result}; your rating {rating}", "партия {number}: {result}; ваш рейтинг {rating}"),
    "your_opponent": ("you play {name}.", "ваш соперник {name}."),
    "no_computer": ("no computer is free.", "свободных компьютеров нет."),
    "computer_comes": ("{name} comes.", "идёт {name}."),
    # to a person at the page
    "peer_has_no_chat": ("the opponent has no chat.", "у соперника нет чата."),
    "seat_closed": ("the game at the club has ended here.", "игра в клубе здесь закончена."),
    "again_please": ("another game?", "ещё партию?"),
    "you_play": ("your opponent is {name}", "ваш соперник - {name}"),
    "place_out": ("that is off the field", "это за краем поля"),
    "place_none_left": ("no ship of that length is left", "кораблей такой длины больше нет"),
    "place_overlap": ("there is a ship already", "там уже стоит корабль"),
    "place_touch": ("ships may not touch", "корабли не должны касаться"),
    "place_wall": (
        "as many ships as may already stand along a wall",
        "у стенки уже стоит столько кораблей, сколько можно",
    ),
    "place_no_fill": (
        "the rest does not fit as the ships stand now",
        "остальные при такой расстановке не помещаются",
    ),
    "clock_warning": (
        "club: it is your move; in {seconds:second} the game is lost.",
        "клуб: ваш ход; через {seconds:second} партия проиграна.",
    ),
    "who_waits": ("waiting {waiting}, games {games}.", "ждут {waiting}, партий {games}."),
    "no_table": ("nobody has played yet.", "ещё никто не играл."),
    "commands": (
        "who, table, pin 1234, bot, bot hunt, leave, join.",
        "кто, таблица, pin 1234, бот, бот hunt, уйти, встать.",
    ),
}
