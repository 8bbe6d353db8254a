"""What the program says of the system that it runs on, in English and in Russian: files, Python, ports, terminals."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(SYSTEM[key], **fields)


def python_incomplete(module: str) -> str:
    """What to do about a module of Python's own that this Python does not have."""
    needs = _BUILT_WITH.get(module) or say("python_incomplete_needs")
    return say("python_incomplete", module=module.lstrip("_"), needs=needs)


_BUILT_WITH = {"_sqlite3": "libsqlite3-dev", "_ctypes": "libffi-dev", "_ssl": "libssl-dev", "_lzma": "liblzma-dev"}
"""Module of Python -> the Debian package whose headers it is built with."""

SYSTEM: dict[str, tuple[str, str]] = {
    # what the system refuses
    "refused_file": ("cannot use {file}: {reason}", "не удаётся использовать {file}: {reason}"),
    "refused": ("the system refused: {reason}", "отказ системы: {reason}"),
    "python_incomplete": (
        "this Python was built without its module {module}: use the Python of your system's packages, or install "
        "{needs} and build this one again",
        "этот Python собран без своего модуля {module}: возьмите Python из пакетов системы или установите "
        "{needs} и соберите этот заново",
    ),
    "python_incomplete_needs": ("what the module needs", "то, что нужно модулю"),
    # servers of serial ports
    "rfc2217_control": (
        "port {url}: the server does not answer when control lines are set: try {better}",
        "порт {url}: сервер не отвечает на установку управляющих линий: попробуйте {better}",
    ),
    "rfc2217_refuses": (
        "port {url}: the server does not take {settings} ({what}): set its port to that, or choose other line "
        "settings here",
        "порт {url}: сервер не принимает {settings} ({what}): настройте так его порт или выберите здесь другие "
        "настройки линии",
    ),
    "rfc2217_deaf": (
        "port {url}: the server does not answer when its {what} is set: is there a serial port behind it?",
        "порт {url}: сервер не отвечает на установку {what}: есть ли за ним последовательный порт?",
    ),
    "rfc2217_not": (
        "port {url}: what answers there does not speak RFC 2217: if it passes bytes on as they are, use {plain}",
        "порт {url}: отвечающий там не знает RFC 2217: если он передаёт байты как есть, используйте {plain}",
    ),
    "lost_at_once": (
        "port {url}: the connection was closed before anything came: is the program behind it running, and is it free?",
        "порт {url}: соединение закрыто, прежде чем что-либо пришло: работает ли программа за ним и свободна ли она?",
    ),
    "bad_address": ("{value!r} is not HOST:PORT, like 127.0.0.1:4000", "{value!r} - не HOST:PORT, как 127.0.0.1:4000"),
    # what there is on this computer
    "ports_about": (
        "List the serial ports of this computer: what is plugged in, and which program has it open.",
        "Показать последовательные порты этого компьютера: что подключено и какая программа их открыла.",
    ),
    "no_ports": ("no serial port was found", "последовательных портов не найдено"),
    "port_held": ("open in {who}", "открыт программой {who}"),
    "port_no_rights": ("no permission to open it", "нет прав его открыть"),
    "port_no_parity": ("has no parity", "без чётности"),
    "wiring_about": ("Show how to wire a board.", "Показать, как подключить плату."),
    "help_wiring_board": ("which board: {names}", "какая плата: {names}"),
    "help_wiring_output": ("draw it as a picture", "нарисовать картинку"),
    "wiring_not_svg": ("{path}: the drawing is an .svg", "{path}: рисунок бывает только .svg"),
    "completion_about": (
        "Print what a shell needs to complete commands and options.",
        "Напечатать то, что нужно оболочке для дополнения команд и параметров.",
    ),
    "completion_how": (
        "For bash: seabattle completion bash > ~/.local/share/bash-completion/completions/seabattle",
        "Для bash: seabattle completion bash > ~/.local/share/bash-completion/completions/seabattle",
    ),
    "man_about": ("Print the manual page.", "Напечатать страницу руководства."),
    "man_how": ("To read it: seabattle man | man -l -", "Чтобы прочитать: seabattle man | man -l -"),
    "doctor_about": (
        "Tell everything about this computer that matters here, on one page to paste into a report.",
        "Рассказать об этом компьютере всё, что здесь важно, на одной странице для сообщения об ошибке.",
    ),
    "doctor_program": ("program", "программа"),
    "doctor_terminal": ("terminal", "терминал"),
    "doctor_folders": ("folders", "папки"),
    "doctor_ports": ("serial ports", "последовательные порты"),
    "doctor_board": ("boards", "платы"),
    "doctor_wrong": ("what is wrong", "что не так"),
    "doctor_nothing": ("nothing that can be seen from here", "отсюда ничего не видно"),
    "doctor_lacks": ("this Python was built without {modules}", "этот Python собран без {modules}"),
    "doctor_not_installed": ("not installed, run from its sources", "не установлена, запущена из исходников"),
    "doctor_is": ("is a terminal", "- терминал"),
    "doctor_is_not": ("is no terminal", "- не терминал"),
    "doctor_console": ("Linux console, font {font}", "консоль Linux, шрифт {font}"),
    "doctor_letters": ("what your font has of these", "что из этого есть в шрифте"),
    "doctor_writable": ("can be written", "можно писать"),
    "doctor_not_writable": ("cannot be written", "нельзя писать"),
    "doctor_unwritable": (
        "{path} cannot be written: games and settings are not kept",
        "в {path} нельзя писать: партии и настройки не сохраняются",
    ),
    "doctor_virtual": ("the virtual board runs on {interpreter}", "виртуальная плата работает на {interpreter}"),
    "doctor_look": (
        "boards that are plugged in are asked only by 'seabattle boards': it stops what runs on them",
        "подключённые платы опрашивает только 'seabattle boards': он останавливает то, что на них работает",
    ),
    "screen_small": (
        "{columns}x{rows} is too small: parts are cut off; make it {width}x{height}, or the letters smaller",
        "{columns}x{rows} мало: часть не видна; сделайте {width}x{height} или уменьшите шрифт",
    ),
    "did_you_mean": ("{line}; did you mean {near}?", "{line}; может быть, {near}?"),
    # lines on which nothing makes sense
    "line_senseless": (
        "what comes makes no sense ({bytes}): {cause}",
        "приходящее не имеет смысла ({bytes}): {cause}",
    ),
    "line_speed": (
        "the other side seems to send at {bauds} baud, and {settings} is read here: try --baud {first}, or set the "
        "other side",
        "другая сторона, похоже, передаёт на {bauds} бод, а здесь читают {settings}: попробуйте --baud {first} или "
        "настройте другую сторону",
    ),
    "line_inverted": (
        "its levels are inverted: RS-232 at one end and a microcontroller's levels at the other need a converter",
        "уровни инвертированы: между RS-232 и уровнями микроконтроллера нужен преобразователь",
    ),
    "line_inverted_speed": (
        "the other side seems to send at {bauds} baud with inverted levels: RS-232 and a microcontroller's levels need "
        "a converter between them, and {settings} at both ends",
        "другая сторона, похоже, передаёт на {bauds} бод с инвертированными уровнями: между RS-232 и уровнями "
        "микроконтроллера нужен преобразователь, а на обоих концах {settings}",
    ),
    "line_zeros": (
        "only zeros: the wire is held down (broken, or its levels inverted), or the other side is far slower than "
        "{settings}",
        "одни нули: провод прижат к земле (обрыв или инвертированные уровни), или другая сторона намного медленнее, "
        "чем {settings}",
    ),
    "line_check": (
        "the bytes do not tell why: check speed and parity at both ends ({settings} here), the ground wire, and "
        "whether the other side speaks this protocol",
        "по байтам причина не видна: проверьте скорость и чётность на обоих концах (здесь {settings}), провод земли и "
        "тот ли протокол на другой стороне",
    ),
    "line_parity": (
        "the driver finds most bytes damaged at {settings}: the other side has another parity or other stop bits",
        "драйвер находит повреждённым почти каждый байт при {settings}: на другой стороне иная чётность или стоп-биты",
    ),
    "line_echo": (
        "our own bytes come back: are TX and RX joined, or does the adapter echo?",
        "наши же байты возвращаются: соединены TX и RX или адаптер повторяет их?",
    ),
    "line_silent": (
        "nothing has come so far: is the other side on, does its TX go to our RX (crossed), and ground to ground? "
        "({settings} here)",
        "пока не пришло ничего: включена ли другая сторона, идёт ли её TX к нашему RX (крест-накрест), земля к земле? "
        "(здесь {settings})",
    ),
    "line_shared": ("{line}; {who} has this port open too", "{line}; этот порт открыт и у {who}"),
    "line_shared_alone": (
        "{who} has port {url} open too: if it reads, bytes go missing here",
        "порт {url} открыт и у {who}: если там читают, здесь пропадают байты",
    ),
    "line_mini_uart": (
        "port {url} is the mini UART of a Raspberry Pi, which has no parity and does not say so: free the other UART "
        "with dtoverlay=disable-bt, or use --parity none at both ends",
        "порт {url} - mini UART Raspberry Pi: чётности у него нет, и он об этом молчит: освободите другой UART через "
        "dtoverlay=disable-bt или задайте --parity none на обоих концах",
    ),
    "port_left_exclusive": (
        "port {url} is marked as taken by a killed program: restart the program that made this pseudo-terminal",
        "порт {url} помечен как занятый убитой программой: перезапустите ту, что создала этот псевдотерминал",
    ),
    "line_other_settings": (
        "port {url} was asked for {settings} and runs at {actual}",
        "порт {url}: запрошено {settings}, а работает {actual}",
    ),
    # the virtual board
    "no_opponent_log": (
        "the opponent keeps no log: {reason}",
        "журнала соперника не будет: {reason}",
    ),
    "no_board_store": (
        "the board will not remember its settings: {reason}",
        "плата не запомнит настройки: {reason}",
    ),
}
