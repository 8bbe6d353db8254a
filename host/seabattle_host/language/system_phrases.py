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
