"""Everything the host says, in English and in Russian: one table, used by every interface.

`say(key, ...)` gives a message in the language that `use` chose. `frame(...)` puts a frame of the wire into words,
`reason(...)` why one is illegal, `event(...)` what happened to a session.
"""

from __future__ import annotations

import locale
import os

from seabattle import link, watch, wire
from seabattle_host.language.counts import fill
from seabattle_host.language.text import cell_name, decode

LANGUAGES = ("en", "ru")

TICK_SECONDS = 65536 / 1193182
"""Seconds of one tick of the protocol's clock."""

_index = 0


def use(language: str | None) -> None:
    """Choose the language of everything said from now on: `en`, `ru`, or None for what the environment asks for."""
    global _index
    _index = LANGUAGES.index(language or environment())


def environment() -> str:
    """The language that the environment asks for: `ru` for a Russian locale, else `en`."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not asked and os.name == "nt":
        asked = locale.getlocale()[0] or ""
    return "ru" if asked.lower().startswith(("ru", "russian")) else "en"


def russian() -> bool:
    """Whether Russian was chosen."""
    return LANGUAGES[_index] == "ru"


def pick(words: tuple[str, str]) -> str:
    """The one of an (English, Russian) pair that is in the chosen language."""
    return words[_index]


def say(key: str, **fields: object) -> str:
    """The message `key` with its fields filled in."""
    return filled(MESSAGES[key], **fields)


def filled(words: tuple[str, str], **fields: object) -> str:
    """The one of an (English, Russian) pair that is in the chosen language, with its fields filled in.

    `{shots:shot}` is a number with its noun, see `counts`.
    """
    return fill(words[_index], LANGUAGES[_index], fields)


MESSAGES: dict[str, tuple[str, str]] = {
    # the command line
    "about": (
        "Sea battle over a serial line: boards, opponents, simulation.",
        "Морской бой по последовательной линии: платы, соперники, моделирование.",
    ),
    "commands": ("commands", "команды"),
    "usage": ("{problem} (try: {prog} --help)", "{problem} (помощь: {prog} --help)"),
    "no_command": ("say what to do: {commands}", "скажите, что делать: {commands}"),
    "bad_command": ("there is no command '{command}': {commands}", "нет команды '{command}': {commands}"),
    "output_failed": ("cannot write the output: {reason}", "не могу писать вывод: {reason}"),
    "missing_package": (
        "this needs the package {package}: pip install {install}",
        "для этого нужен пакет {package}: pip install {install}",
    ),
    "assets_missing": (
        "the sources for boards are not beside {folder}: install seabattle again, or run it from a whole checkout",
        "рядом с {folder} нет исходников для плат: установите seabattle заново или запускайте из полной копии",
    ),
    "bad_file": ("cannot write {file}: {reason}", "не могу писать в {file}: {reason}"),
    # nicks
    "nick_empty": (
        "the nick {nick!r} is empty or has characters that are no letters: 1..10 letters",
        "ник {nick!r} пуст или содержит не буквы: нужно 1..10 букв",
    ),
    "nick_letter": (
        "the nick '{nick}' has the letter '{letter}' that cannot be sent: use English or Russian letters",
        "в нике '{nick}' есть знак '{letter}', который нельзя передать: годятся английские и русские буквы",
    ),
    "nick_long": (
        "the nick '{nick}' goes out as '{sent}', {length:byte}: at most {most} (--nick-cp866: one byte a letter)",
        "ник '{nick}' передаётся как '{sent}', это {length:byte}: можно не больше {most} (--nick-cp866: байт на букву)",
    ),
    # parameters of a game
    "bad_size": (
        "size {size} is outside 6..10 cells a side",
        "размер {size} вне пределов 6..10 клеток",
    ),
    "bad_fleet_form": (
        "fleet '{fleet}' is not four counts n4,n3,n2,n1 like 1,2,3,4",
        "флот '{fleet}' - не четыре числа n4,n3,n2,n1, например 1,2,3,4",
    ),
    "bad_fleet_four": ("fleet {fleet}: four-deck ships 0..1", "флот {fleet}: четырёхпалубных 0..1"),
    "bad_fleet_three": ("fleet {fleet}: three-deck ships 0..2", "флот {fleet}: трёхпалубных 0..2"),
    "bad_fleet_two": ("fleet {fleet}: two-deck ships 0..5", "флот {fleet}: двухпалубных 0..5"),
    "bad_fleet_one": ("fleet {fleet}: one-deck ships 1..10", "флот {fleet}: однопалубных 1..10"),
    "fleet_no_room": (
        "fleet {fleet} has no legal placement on {size}x{size}: fewer ships or a larger field",
        "флот {fleet} нельзя расставить на поле {size}x{size}: меньше кораблей или больше поле",
    ),
    "bad_level": (
        "there is no level '{level}': {levels}, or a number 1..{most}",
        "нет уровня '{level}': {levels} или число 1..{most}",
    ),
    "bad_parity": (
        "parity '{value}' is none of none, even, odd, mark, space",
        "чётность '{value}' - не одно из none, even, odd, mark, space",
    ),
    "bad_stopbits": ("stop bits '{value}': 1, 1.5 or 2", "стоповые биты '{value}': 1, 1.5 или 2"),
    # help
    "line_settings": ("line settings (default {usual})", "настройки линии (по умолчанию {usual})"),
    "help_lang": ("language (default: that of the environment)", "язык (по умолчанию: как в системе)"),
    "help_port": (
        "a device, a pseudo-terminal, socket://HOST:PORT, rfc2217://HOST:PORT or loop://",
        "устройство, псевдотерминал, socket://HOST:PORT, rfc2217://HOST:PORT или loop://",
    ),
    "help_size": ("cells a side, for a master (default 10)", "сторона поля в клетках, для мастера (по умолчанию 10)"),
    "help_fleet": (
        "ships of 4, 3, 2 and 1 decks, for a master (default 1,2,3,4)",
        "число кораблей из 4, 3, 2 и 1 палубы, для мастера (по умолчанию 1,2,3,4)",
    ),
    "help_seed": ("start of the random numbers, 0..2**30-1", "начало случайных чисел, 0..2**30-1"),
    "bad_number": ("{value!r} is not a whole number in {low}..{high}", "{value!r} - не целое число в {low}..{high}"),
    "bad_seconds": ("{value!r} is not a number of seconds above 0", "{value!r} - не число секунд больше 0"),
    # opening a port
    "port_url_kind": (
        "port {url}: '{kind}://' is unknown: give a device, socket://HOST:PORT, rfc2217://HOST:PORT or loop://",
        "порт {url}: '{kind}://' неизвестно: нужно устройство, socket://HOST:PORT, rfc2217://HOST:PORT или loop://",
    ),
    "port_url_address": (
        "port {url}: give a host and a number 1..65535, like {kind}://localhost:4000",
        "порт {url}: нужны хост и номер 1..65535, например {kind}://localhost:4000",
    ),
    "port_missing": ("port {url} does not exist; {near}", "порта {url} нет; {near}"),
    "port_dangling": (
        "port {url} leads to {target}, which is gone: is the program that made it still running?",
        "порт {url} ведёт к {target}, которого уже нет: работает ли ещё программа, создавшая его?",
    ),
    "ports_found": ("there is {ports}", "есть {ports}"),
    "ports_none": ("no serial port was found on this machine", "на этой машине не найдено ни одного порта"),
    "port_busy": (
        "port {url} is in use by {who}: end that first",
        "порт {url} занят: {who}; сначала завершите эту программу",
    ),
    "somebody": ("another program", "другая программа"),
    "port_denied_group": (
        "port {url}: no permission; join the group {group} and log in again: sudo usermod -aG {group} {user}",
        "порт {url}: нет прав; вступите в группу {group} и войдите заново: sudo usermod -aG {group} {user}",
    ),
    "port_denied": (
        "port {url}: no permission; it belongs to {owner}: sudo chmod a+rw {url}",
        "порт {url}: нет прав; он принадлежит {owner}: sudo chmod a+rw {url}",
    ),
    "port_not_serial": (
        "{url} is not a serial port: it is {what}",
        "{url} - не последовательный порт: это {what}",
    ),
    "what_directory": ("a folder", "папка"),
    "what_file": ("a plain file", "обычный файл"),
    "what_other": ("a device of another kind", "устройство другого рода"),
    "port_no_hardware": (
        "port {url} has no hardware behind it; {near}",
        "за портом {url} нет устройства; {near}",
    ),
    "port_refused": (
        "port {url}: nobody listens there; start the program that serves it first",
        "порт {url}: там никто не слушает; сначала запустите программу, которая его обслуживает",
    ),
    "port_unknown_host": ("port {url}: no such host", "порт {url}: нет такого хоста"),
    "port_no_answer": ("port {url}: no answer from there", "порт {url}: оттуда нет ответа"),
    "port_settings": (
        "port {url} does not take {settings}: {reason}",
        "порт {url} не принимает {settings}: {reason}",
    ),
    "port_failed": ("port {url}: {reason}", "порт {url}: {reason}"),
    # losing a port
    "lost_gone": ("port {url} has gone: was it unplugged?", "порт {url} исчез: его отключили?"),
    "lost_shared": (
        "port {url} stopped: {who} reads it too; only one program may use it",
        "порт {url} перестал работать: его читает и {who}; портом может пользоваться только одна программа",
    ),
    "lost_hung_up": (
        "port {url} was hung up from the other end",
        "порт {url} закрыт с другого конца",
    ),
    "lost_failed": ("port {url} stopped working: {reason}", "порт {url} перестал работать: {reason}"),
    # the bot
    "bot_about": (
        "Plays over a serial line against a board, another PC or any program that speaks the protocol. "
        "Exit status: 0 games finished, 1 protocol error, lost line or nobody came, 2 bad arguments.",
        "Играет по последовательной линии с платой, другим ПК или любой программой, знающей протокол. "
        "Код завершения: 0 партии сыграны, 1 ошибка протокола, потеря линии или никто не пришёл, 2 неверные аргументы.",
    ),
    "help_role": ("default auto: listens first", "по умолчанию auto: сначала слушает"),
    "help_level": (
        "strength: {levels} or 1..{most} (default {usual})",
        "сила: {levels} или 1..{most} (по умолчанию {usual})",
    ),
    "help_games": (
        "games to play before leaving; 0: plays on, also after errors, until stopped (default 1)",
        "сколько партий сыграть; 0: играть, и после ошибок, пока не остановят (по умолчанию 1)",
    ),
    "help_nick": ("nick, 1..10 letters (default {usual})", "ник, 1..10 букв (по умолчанию {usual})"),
    "help_nick_cp866": (
        "send Russian letters of the nick as they are, in code page 866; some programs take them for commands",
        "передавать русские буквы ника как есть, в кодировке 866; некоторые программы примут их за команды",
    ),
    "help_tagged": (
        "as master send each ship count with its number of decks in the high half of the byte",
        "мастер передаёт число кораблей с числом палуб в старшей половине байта",
    ),
    "help_log": ("write every frame and event to this file", "писать все кадры и события в этот файл"),
    "help_fair": (
        "seal the field before each game, ask for the other's after it, and have the jury look at both",
        "запечатать поле до игры, после неё попросить чужое и отдать оба жюри",
    ),
    "help_chat": ("say this to an opponent that has chat", "сказать это сопернику, у которого есть чат"),
    "help_wait": (
        "leave with status 1 when nobody has come for so many seconds (default: wait for ever for the first "
        "opponent, a minute for another one when it has left before the games were played)",
        "уйти с кодом 1, если столько секунд никто не пришёл (по умолчанию: первого соперника ждать всегда, а если он "
        "ушёл, не доиграв партий, то другого - минуту)",
    ),
    "bot_start": ("port {url}, {settings}: {waiting}", "порт {url}, {settings}: {waiting}"),
    "bot_key": ("no key comes from a bot's person: giving up", "у бота нет человека у клавиш: прерываем"),
    "bot_said": ("we write: {text}", "мы пишем: {text}"),
    "bot_nobody": ("nobody came within {seconds:g} s", "за {seconds:g} с никто не пришёл"),
    "bot_stuck": ("the agreed fleet cannot be placed", "согласованный флот нельзя расставить"),
    "bot_log_ended": ("the log ends here: {problem}", "запись прервана: {problem}"),
    "line_back": ("port {url} is back", "порт {url} снова есть"),
    "bot_result": (
        "result: {games:game}, {won} won, {lost} lost; {our_shots:shot} of ours, {their_shots} of theirs",
        "итог: {games:game}, {won:win}, {lost:loss}; наших {our_shots:shot_of}, соперника {their_shots}",
    ),
    "bot_oddities": (
        "on the line: noise {noise} bytes, unfinished frames {dropped}, stray frames {strays}, deviations {deviations}",
        "на линии: помех {noise} байт, неоконченных кадров {dropped}, лишних ответов {strays}, отклонений {deviations}",
    ),
    # the simulation
    "sim_about": (
        "Plays games between two bots in simulated time and prints what they come to.",
        "Играет партии двух ботов в модельном времени и печатает итоги.",
    ),
    "help_sim_games": ("how many games", "сколько партий"),
    "help_sim_levels": (
        "levels of the players A and B, who take turns at being the master (default 3,3)",
        "уровни игроков A и B, которые по очереди бывают мастером (по умолчанию 3,3)",
    ),
    "help_sim_jobs": ("processes to spread the games over (default 1)", "на сколько процессов делить (по умолчанию 1)"),
    "help_sim_each": ("print a line for each game too", "печатать и строку для каждой партии"),
    "bad_levels": ("'{value}' is not one level or two, A,B", "'{value}' - не один уровень и не два, A,B"),
    "sim_broken": (
        "game {game} of seed {seed} ({parameters}) did not come to a proper end",
        "партия {game} с началом {seed} ({parameters}) не закончилась как следует",
    ),
    "help_sim_dask": (
        "let a Dask cluster play: the address of its scheduler, HOST:PORT",
        "играть на кластере Dask: адрес планировщика, HOST:PORT",
    ),
    "help_sim_plot": (
        "draw the shots and lengths of the games to FILE.png or FILE.svg",
        "нарисовать выстрелы и длину партий в FILE.png или FILE.svg",
    ),
    "no_dask": (
        "--dask needs Dask distributed; do: pip install 'seabattle[cluster]'",
        "для --dask нужен Dask distributed; выполните: pip install 'seabattle[cluster]'",
    ),
    "bad_scheduler": (
        "'{address}' is no address of a Dask scheduler: HOST:PORT, like tcp://127.0.0.1:8786",
        "'{address}' - не адрес планировщика Dask: HOST:PORT, например tcp://127.0.0.1:8786",
    ),
    "no_scheduler": (
        "no Dask scheduler answers at {address}; start one with: dask scheduler",
        "по адресу {address} не отвечает планировщик Dask; запустите его: dask scheduler",
    ),
    "no_workers": (
        "the Dask scheduler at {address} has no workers; start some with: dask worker {address}",
        "у планировщика Dask по адресу {address} нет исполнителей; запустите их: dask worker {address}",
    ),
    "cluster_lost": (
        "the Dask cluster at {address} was lost in the middle of the games",
        "кластер Dask по адресу {address} потерян посреди партий",
    ),
    "bad_plot": (
        "cannot draw {path}: its name must end in .png or .svg",
        "не нарисовать {path}: имя должно кончаться на .png или .svg",
    ),
    "no_matplotlib": (
        "--plot needs matplotlib; do: pip install 'seabattle[plot]'",
        "для --plot нужен matplotlib; выполните: pip install 'seabattle[plot]'",
    ),
    "no_folder": ("there is no folder {path}", "нет папки {path}"),
    "cannot_write": ("cannot write {path}: {why}", "не записать {path}: {why}"),
    "plot_shots": ("shots to win", "выстрелов до победы"),
    "plot_games": ("games", "партий"),
    "plot_ticks": ("length of a game, ticks", "длина партии, тиков"),
    "sim_head": ("{games:game}, {parameters}, seed {seed}", "{games:game}, {parameters}, начало {seed}"),
    "sim_wins": ("won by {who}: {wins} ({share:.1f} %)", "победил {who}: {wins} ({share:.1f} %)"),
    "sim_columns": (
        "a game                       mean       +-     min  median     max",
        "за партию                 среднее       +-  наим.   медиана  наиб.",
    ),
    "sim_winner_shots": ("shots of the winner", "выстрелов победителя"),
    "sim_loser_shots": ("shots of the loser", "выстрелов проигравшего"),
    "sim_ticks": ("ticks", "тиков"),
    "sim_bytes": ("bytes", "байт"),
    "sim_game": (
        "game {game}: master {master}, winner {winner}, shots of master {master_shots}, of slave {slave_shots}, "
        "{ticks:tick}, {bytes:byte}",
        "партия {game}: мастер {master}, победил {winner}, выстрелов мастера {master_shots}, слейва {slave_shots}, "
        "{ticks:tick}, {bytes:byte}",
    ),
    # frames
    "parameters": ("{size}x{size}, fleet {fleet}", "{size}x{size}, флот {fleet}"),
    "noise": ("noise", "помеха"),
    "cut_off": ("not finished", "не закончен"),
    # sessions
    "no_reply": ("no reply to '{frame}'", "нет ответа на «{frame}»"),
    "false_answer": (
        "the opponent's answer to our shot at {cell}, '{answer}', is false: {reason}",
        "ответ соперника на наш выстрел {cell}, «{answer}», ложный: {reason}",
    ),
    "false_answer_earlier": (
        "its answer at {cell} was '{answer}'",
        "раньше на {cell} он ответил «{answer}»",
    ),
    "silence": ("nothing heard from the opponent", "соперника не слышно"),
    "chat_yes": ("the opponent has chat", "у соперника есть чат"),
    "chat_no": ("the opponent has no chat", "у соперника нет чата"),
    "wait_closed": ("left", "вышли"),
    "wait_key": ("broken off, waiting for a key", "прервано, ждём клавиши"),
    "wait_listening": ("listening whether a master is there", "слушаем, нет ли мастера"),
    "wait_reply": ("waiting for the reply to '{frame}'", "ждём ответа на «{frame}»"),
    "wait_our_shot": ("our turn to shoot", "наш выстрел"),
    "wait_their_shot": ("their turn to shoot", "выстрел соперника"),
    # line errors
    "line_errors": (
        "line errors: {parity} parity, {framing} framing, {overrun} overrun, {breaks} break",
        "ошибки линии: чётность {parity}, кадр {framing}, переполнение {overrun}, обрыв {breaks}",
    ),
}

ARGPARSE: dict[str, str] = {
    "usage: ": "использование: ",
    "options": "параметры",
    "positional arguments": "аргументы",
    "show this help message and exit": "показать эту помощь и выйти",
    "show program's version number and exit": "показать версию и выйти",
    "the following arguments are required: %s": "нужны аргументы: %s",
    "unrecognized arguments: %s": "неизвестные аргументы: %s",
    "argument %(argument_name)s: %(message)s": "аргумент %(argument_name)s: %(message)s",
    "expected one argument": "нужно одно значение",
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)r не подходит (можно: %(choices)s)",
    "not allowed with argument %s": "нельзя вместе с аргументом %s",
    "one of the arguments %s is required": "нужен один из аргументов %s",
}
"""What the command line's parser says by itself, in Russian."""


def of_argparse(english: str) -> str:
    """A text of argparse's own in the chosen language."""
    return ARGPARSE.get(english, english) if russian() else english


ROLES: dict[int, tuple[str, str]] = {
    wire.NOBODY: ("somebody", "кто-то"),
    wire.MASTER: ("master", "мастер"),
    wire.SLAVE: ("slave", "слейв"),
    wire.AUTO: ("auto", "авто"),
}

FRAMES: dict[int, tuple[str, str]] = {
    wire.SYNC: ("sync", "синхронизация"),
    0x01: ("here", "на связи"),
    wire.TIMED_OUT: ("I timed out", "время ожидания вышло"),
    0x0A: ("timeout seen", "принято: время вышло"),
    wire.MEET: ("we have met", "встретились"),
    0x1A: ("met", "принято: встретились"),
    wire.PLACE: ("place your ships", "расстановка"),
    0x2A: ("placing", "принято: расстановка"),
    wire.MASTER_READY: ("master is ready", "мастер расставил"),
    0x3A: ("seen: master is ready", "принято: мастер расставил"),
    wire.SLAVE_READY: ("slave is ready, battle", "слейв расставил, бой"),
    0x4A: ("battle", "принято: бой"),
    wire.RESTART: ("restart", "рестарт"),
    0x5A: ("restarting", "принято: рестарт"),
    wire.SURRENDER: ("I surrender", "сдаюсь"),
    0x6A: ("surrender seen", "принято: сдаюсь"),
    wire.GOODBYE: ("goodbye", "до свидания"),
    0x7A: ("goodbye seen", "принято: до свидания"),
    wire.BROKEN: ("you broke the protocol", "вы нарушили протокол"),
    0x8A: ("accusation seen", "принято: нарушение"),
    wire.WON: ("I have won", "я победил"),
    0x9A: ("win seen", "принято: победа"),
    wire.NICK: ("nick {text}", "ник {text}"),
    0x1B: ("nick received", "ник принят"),
    wire.PARAMS: ("parameters {parameters}", "параметры {parameters}"),
    0x2B: ("parameters {parameters} accepted", "параметры {parameters} приняты"),
    wire.CHAT: ("chat: {text}", "чат: {text}"),
    0x3B: ("chat received", "чат принят"),
    wire.SHOT: ("shot at {cell}", "выстрел {cell}"),
    wire.MISS: ("miss", "мимо"),
    wire.HIT: ("hit", "попал"),
    wire.SUNK: ("sunk", "убил"),
    wire.REPEAT: ("already shot there", "такой ход был"),
}
"""Every opcode, commands and replies."""

STATES: dict[int, tuple[str, str]] = {
    0: ("looking for an opponent", "поиск соперника"),
    1: ("met, agreeing on the parameters", "встретились, согласуются параметры"),
    2: ("placing", "расстановка"),
    3: ("the master has placed", "мастер расставил"),
    4: ("battle", "бой"),
    8: ("broken off", "прервано"),
    9: ("game over", "партия окончена"),
}

REASONS: dict[int, tuple[str, str]] = {
    wire.R_SENDER: ("only the other role may send this", "это может посылать только другая роль"),
    wire.R_STATE: ("not allowed in this state", "нельзя в этом состоянии"),
    wire.R_TURN: ("it was not its turn", "был не его ход"),
    wire.R_SECOND: (
        "a second command before the first was answered",
        "вторая команда до ответа на первую",
    ),
    wire.R_PARAMS: ("parameters outside the ranges", "параметры вне допустимых пределов"),
    wire.R_FLEET: ("a fleet that cannot be placed", "такой флот нельзя расставить"),
    wire.R_ECHO: (
        "the parameters came back different from what was sent",
        "параметры вернулись не такими, как были посланы",
    ),
    wire.R_NO_PARAMS: ("placing before any parameters", "расстановка до передачи параметров"),
    wire.R_CELL: ("a shot off the field", "выстрел мимо поля"),
    wire.R_NOT_WON: ("it says it has won, and has not", "объявил победу, хотя не победил"),
    wire.R_FLEET_SUNK: (
        "a shot from the side whose last ship is sunk",
        "стреляет тот, у кого потоплен последний корабль",
    ),
    wire.R_NEAR_SUNK: ("false answer: a hit beside a sunk ship", "ложный ответ: попадание рядом с убитым кораблём"),
    wire.R_CORNER: (
        "false answer: a hit that touches another one by its corner",
        "ложный ответ: попадание касается другого углом",
    ),
    wire.R_BENT: ("false answer: the hits do not lie in a line", "ложный ответ: попадания не лежат на одной линии"),
    wire.R_TOO_LONG: (
        "false answer: a ship longer than any that is left",
        "ложный ответ: корабль длиннее всех оставшихся",
    ),
    wire.R_TOO_MANY: (
        "false answer: more ships than the fleet has",
        "ложный ответ: кораблей больше, чем во флоте",
    ),
    wire.R_NOT_SUNK: (
        "false answer: a hit where the ship must have been sunk",
        "ложный ответ: попал там, где корабль уже убит",
    ),
    wire.R_NO_SUCH_SHIP: (
        "false answer: all ships of that length were sunk before",
        "ложный ответ: все корабли этой длины уже убиты",
    ),
    wire.R_NOT_SHOT_BEFORE: (
        "false answer: nobody had shot at that cell",
        "ложный ответ: в эту клетку ещё не стреляли",
    ),
    wire.R_NO_ROOM: (
        "false answer: the ships that are left have no room",
        "ложный ответ: для оставшихся кораблей нет места",
    ),
    wire.R_WALL: (
        "false answer: more ships along the walls than half of them",
        "ложный ответ: у стен больше половины кораблей",
    ),
    wire.R_CHANGED: (
        "false answer: another one than before to the same shot",
        "ложный ответ: на тот же выстрел раньше был другой",
    ),
    # what only a listener between the two sides sees
    watch.R_CUT: ("the rest of the frame did not come", "остаток кадра не пришёл"),
    watch.R_NOISE: ("no frame begins like this", "так не начинается ни один кадр"),
    watch.R_SYNC_INSIDE: ("a sync in the middle of a frame", "синхронизация посреди кадра"),
    watch.R_LATE: ("a late reply", "ответ с опозданием"),
    watch.R_DOUBLED: ("the same reply once more", "тот же ответ ещё раз"),
    watch.R_UNMATCHED: ("a reply that nobody waits for", "ответ, которого никто не ждёт"),
    watch.R_REPEATED: ("the same command once more", "та же команда ещё раз"),
    watch.R_OTHER_ANSWER: (
        "the repeated command got another answer than before",
        "на повтор команды ответ другой, чем раньше",
    ),
    watch.R_ACCEPTED: (
        "an illegal command was answered as if it were legal",
        "на недопустимую команду ответили как на допустимую",
    ),
    watch.R_UNFOUNDED: ("accused of an error that nobody made", "обвинение в ошибке, которой не было"),
    watch.R_TWO_MASTERS: ("both sides are masters", "обе стороны - мастера"),
    watch.R_LAST_DECK: (
        "'hit' for the last deck of all: it is sunk",
        "«попал» на последнюю палубу: корабль убит",
    ),
    watch.R_NICK_LENGTH: ("a nick is 1..10 bytes long", "ник должен быть длиной 1..10 байт"),
    watch.R_NOT_PROBED: (
        "chat before the other side has shown that it has chat",
        "чат до того, как соперник показал, что знает чат",
    ),
    watch.R_SHOT_AGAIN: ("it has shot at this cell before", "в эту клетку он уже стрелял"),
    watch.R_NO_REPLY: ("no reply in time", "нет ответа вовремя"),
    watch.R_NO_SYNC: ("no sync from the master in time", "нет синхронизации мастера вовремя"),
    watch.R_SILENT: ("silent for too long", "слишком долго молчит"),
    watch.R_LEFT: ("left without a goodbye after the game", "ушёл после партии, не попрощавшись"),
    watch.R_BARE_ECHO: ("the echo of the parameters came without them", "эхо параметров пришло без них"),
    watch.R_FROM_ZERO: (
        "a shot at column or row 0: it counts from 0, not from 1",
        "выстрел в столбец или строку 0: счёт идёт с 0, а не с 1",
    ),
    watch.R_DAMAGED: (
        "a byte of it came damaged, so nothing rests on it",
        "байт пришёл с ошибкой, поэтому кадру нельзя верить",
    ),
    watch.R_MISSED: (
        "this answer was not heard, and both go on as if it had come",
        "этот ответ не расслышан, но обе стороны продолжают, как будто он пришёл",
    ),
    watch.R_NO_WON: ("the winner did not say so in time", "победитель вовремя не объявил победу"),
}
"""Every reason why something on the line is not right: of the wire, and those of a watcher beside them."""


EVENTS: dict[int, tuple[str, str]] = {
    link.EV_ROLE: ("the role here is {role}", "роль здесь: {role}"),
    link.EV_MET: ("met the {peer}", "встретились: на том конце {peer}"),
    link.EV_NICK: ("the opponent's nick is {text}", "ник соперника: {text}"),
    link.EV_NICK_SENT: ("the opponent has our nick", "соперник принял наш ник"),
    link.EV_NICK_LOST: (
        "the opponent did not confirm our nick; the game goes on",
        "соперник не подтвердил наш ник; игра продолжается",
    ),
    link.EV_PARAMS: ("the game: {parameters}", "игра: {parameters}"),
    link.EV_PLACING: ("placing ships", "расстановка кораблей"),
    link.EV_MASTER_READY: ("the master has placed", "мастер расставил корабли"),
    link.EV_BATTLE: ("battle, the master shoots first", "бой, первым стреляет мастер"),
    link.EV_SHOT: ("their shot at {cell}: {answer}", "выстрел соперника {cell}: {answer}"),
    link.EV_ANSWER: ("our shot at {cell}: {answer}", "наш выстрел {cell}: {answer}"),
    link.EV_OVER: ("game over: {result}", "партия окончена: {result}"),
    link.EV_RESTART: ("restart: a new game with the same opponent", "рестарт: новая партия с тем же соперником"),
    link.EV_GOODBYE: ("the opponent says goodbye and has left", "соперник попрощался и ушёл"),
    link.EV_LEFT: ("the opponent has left after the game", "соперник ушёл после партии"),
    link.EV_CLOSED: ("left", "вышли"),
    link.EV_TIMEOUT: (
        "{missing} for {seconds:.1f} s; a key gives up, the game goes on if it comes",
        "{missing} уже {seconds:.1f} с; клавиша - прервать, игра продолжится, если ответ придёт",
    ),
    link.EV_RESUMED: ("it came after all, the game goes on", "ответ пришёл, игра продолжается"),
    link.EV_BROKEN: (
        "the opponent broke the protocol with '{frame}': {reason}",
        "соперник нарушил протокол кадром «{frame}»: {reason}",
    ),
    link.EV_ACCUSED: (
        "the opponent says that we broke the protocol",
        "соперник сообщает, что мы нарушили протокол",
    ),
    link.EV_PEER_TIMEOUT: (
        "the opponent waited too long for us and gave up",
        "соперник не дождался нас и прервал игру",
    ),
    link.EV_IDLE: ("looking for an opponent again", "снова ищем соперника"),
    link.EV_CHAT: ("the opponent writes: {text}", "соперник пишет: {text}"),
    link.EV_CHAT_SENT: ("the opponent has our message", "соперник получил сообщение"),
    link.EV_CHAT_LOST: ("the opponent did not confirm our message", "соперник не подтвердил сообщение"),
    link.EV_CHAT_KNOWN: ("{chat}", "{chat}"),
    link.EV_PEER_RESET: ("the opponent went back to the start", "соперник вернулся к началу"),
}
"""Every event of a session."""

RESULTS: dict[tuple[int, int], tuple[str, str]] = {
    (link.WE_WON, link.BY_SHOTS): ("won, their fleet is sunk", "победа, флот соперника потоплен"),
    (link.WE_LOST, link.BY_SHOTS): ("lost, our fleet is sunk", "поражение, наш флот потоплен"),
    (link.WE_WON, link.BY_SURRENDER): ("won, they surrendered", "победа, соперник сдался"),
    (link.WE_LOST, link.BY_SURRENDER): ("lost, we surrendered", "поражение, мы сдались"),
    (link.WE_WON, link.BY_PROOF): ("won, an answer of theirs was false", "победа, ответ соперника ложный"),
    (link.NO_RESULT, link.BY_SURRENDER): ("no result, both surrendered at once", "ничья, сдались одновременно"),
}
"""What EV_OVER says with its `a` and `b`."""

WAITS: dict[tuple[int, bool], tuple[str, str]] = {
    (0, True): ("sending sync, nobody answers yet", "посылаем синхронизацию, пока никто не отвечает"),
    (0, False): ("waiting for a master's sync", "ждём синхронизации мастера"),
    (1, True): ("met; the parameters are ours to choose", "встретились; параметры выбираем мы"),
    (1, False): ("met; waiting for the master's parameters", "встретились; ждём параметров мастера"),
    (2, True): ("placing ships", "расставляем корабли"),
    (2, False): ("placing ships, and so does the master", "расставляем корабли, мастер тоже"),
    (3, True): ("waiting until the slave has placed", "ждём, пока слейв расставит корабли"),
    (3, False): ("the master has placed and waits for us", "мастер расставил корабли и ждёт нас"),
    (9, True): ("game over; a restart is ours to give", "партия окончена; рестарт за нами"),
    (9, False): ("game over; a restart is the master's to give", "партия окончена; рестарт за мастером"),
}
"""By state and whether this side is the master: what it does or waits for, apart from the battle."""

REFUSALS: dict[int, tuple[str, str]] = {
    link.NOT_NOW: ("not now", "сейчас нельзя"),
    link.NOT_YOURS: ("the other side does this", "это делает другая сторона"),
    link.OUT_OF_RANGE: ("outside the range", "вне допустимых пределов"),
    link.NO_CHAT: ("the opponent has no chat", "у соперника нет чата"),
}
"""Why an order to the link is refused."""


def role(code: int) -> str:
    """The name of a role."""
    return pick(ROLES[code])


def reason(code: int) -> str:
    """Why a frame is not right, R_* of the wire or of the watcher."""
    return pick(REASONS[code])


def parameters(size: int, n4: int, n3: int, n2: int, n1: int) -> str:
    """Parameters of a game: `10x10, fleet 1,2,3,4`. The counts are plain, not tagged."""
    return say("parameters", size=size, fleet=f"{n4},{n3},{n2},{n1}")


def frame(op: int, data: bytes | bytearray = b"") -> str:
    """A frame in words: its opcode and the bytes behind it (of B1 and B3 those behind the length byte).

    An opcode that the protocol does not know is noise; bytes that are missing are taken for zeros.
    """
    if op not in FRAMES:
        return say("noise")
    body = bytes(data) + bytes(5)
    counts = (wire.count_of(4 - i, body[1 + i]) for i in range(4))
    return pick(FRAMES[op]).format(
        text=decode(data),
        cell=cell_name(body[0], body[1], russian()),
        parameters=parameters(body[0], *counts),
    )


def event(
    code: int,
    a: int = 0,
    b: int = 0,
    *,
    role: int = wire.NOBODY,
    text: str = "",
    parameters: str = "",
    x: int = 0,
    y: int = 0,
    answer: int = 0,
    earlier_x: int = 0,
    earlier_y: int = 0,
    earlier: int = 0,
) -> str:
    """An event EV_* of a session in words.

    a, b: its details as the link gives them; role: of this side; text: a nick or a chat text; x, y, answer: of the
    shot that it tells of, the cell from 1; earlier_x, earlier_y, earlier: of an earlier shot that contradicts it.
    """
    if code == link.EV_BROKEN and answer:
        return false_answer(b, (x, y, answer), (earlier_x, earlier_y, earlier))
    named = frame(a, bytes([x, y])) if code == link.EV_BROKEN and x else frame_name(a)
    return pick(EVENTS[code]).format(
        role=pick(ROLES[role]),
        peer=pick(ROLES[wire.BOTH ^ role if role in (wire.MASTER, wire.SLAVE) else wire.NOBODY]),
        text=text,
        parameters=parameters,
        cell=cell_name(x, y, russian()),
        answer=frame(answer) if answer else "",
        result=pick(RESULTS[a, b]) if code == link.EV_OVER else "",
        missing=say("no_reply", frame=frame_name(a)) if a else say("silence"),
        seconds=wire.REPLY_TICKS * TICK_SECONDS,
        frame=named,
        reason=pick(REASONS[b]) if code == link.EV_BROKEN and b in REASONS else "",
        chat=say("chat_yes" if a else "chat_no"),
    )


def false_answer(why: int, shot: tuple[int, int, int], earlier: tuple[int, int, int] = (0, 0, 0)) -> str:
    """An accusation: the opponent's answer to our shot is false. why: R_*; shot: column, row and answer; earlier: the
    same of an earlier shot whose answer contradicts it, zeros if it takes more than one."""
    told = say(
        "false_answer",
        cell=cell_name(shot[0], shot[1], russian()),
        answer=frame(shot[2]),
        reason=pick(REASONS[why]).split(": ", 1)[-1],
    )
    if not earlier[2]:
        return told
    cell = cell_name(earlier[0], earlier[1], russian())
    return f"{told}; {say('false_answer_earlier', cell=cell, answer=frame(earlier[2]))}"


def waiting(session: link.Link) -> str:
    """What one side of a session is waiting for at this moment."""
    state, is_master = session.state, session.role == wire.MASTER
    if session.closed:
        return say("wait_closed")
    if session.key_awaited:
        return say("wait_key")
    if session.busy:
        return say("wait_reply", frame=frame_name(session.busy))
    if state == 0 and session.role == wire.NOBODY:
        return say("wait_listening")
    if state == 4:
        return say("wait_our_shot" if session.my_turn else "wait_their_shot")
    return pick(WAITS[state, is_master])


def frame_name(op: int) -> str:
    """A command or a reply by its name alone, without its fields."""
    return pick(FRAMES[op]).split(" {")[0].rstrip(":") if op in FRAMES else f"{op:02X}"
