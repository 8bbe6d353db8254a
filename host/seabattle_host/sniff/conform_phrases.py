"""What the conformance test says, in English and in Russian."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(PHRASES[key], **fields)


PHRASES: dict[str, tuple[str, str]] = {
    "about": (
        "try a program by scripted sessions: which rules of the protocol it keeps",
        "испытать программу сеансами по сценарию: какие правила протокола она соблюдает",
    ),
    "help_role": (
        "the role that this side plays; the program has the other",
        "роль этой стороны; у программы - другая",
    ),
    "help_wait": (
        "seconds that an answer of the program may take (usually {usual:g})",
        "сколько секунд может занять ответ программы (обычно {usual:g})",
    ),
    "help_only": ("only the rules whose name has this in it", "только правила, в названии которых это есть"),
    "help_report": ("write the results with all bytes to this file, as JSON", "записать итоги и все байты в файл JSON"),
    "help_bytes": (
        "show the bytes of every rule, not only of those not kept",
        "показать байты всех правил, не только нарушенных",
    ),
    "gave_up": ("A0 came, so it is in state 0", "пришло A0: программа в состоянии 0"),
    "kept": ("kept", "соблюдает"),
    "broken": ("BROKEN", "НАРУШАЕТ"),
    "borne": ("deviates", "отклоняется"),
    "open": ("not tried", "не проверено"),
    "total": (
        "kept {kept}, deviates {borne}, broken {broken}, not tried {open}",
        "соблюдает {kept}, отклоняется {borne}, нарушает {broken}, не проверено {open}",
    ),
    "nothing_tried": (
        "no rule could be tried: nobody answers as {role}",
        "ни одного правила не удалось проверить: никто не отвечает как {role}",
    ),
    "cannot_write": ("cannot write {file}: {reason}", "не могу писать в {file}: {reason}"),
    "no_such_rule": ("no rule has '{only}' in its name", "нет правила с «{only}» в названии"),
    "illegal": ("{op} in state {state} -> A8", "{op} в состоянии {state} -> A8"),
    "missing": ("{what} did not come", "{what} не приходит"),
    "no_sync": ("no sync, and no answer to one", "нет ни синхронизации, ни ответа на неё"),
    "ignored": ("ignored", "пропускает"),
    "silent": ("silent after it", "после этого молчит"),
    "accepted": ("answered with {op}", "отвечает {op}"),
    "refused": ("refused with A8", "отказывает: A8"),
    "other_echo": ("the echo is another", "эхо не то"),
    "early": ("A4 came before A3", "A4 пришло раньше A3"),
    "false_answer": ("the answer was {op}", "ответ был {op}"),
    "no_ship": ("no ship where one has to be", "корабля нет там, где он должен быть"),
    "won_early": ("the game was over before", "партия кончилась раньше"),
    "accused": ("A8 for it", "на это A8"),
    "nick_again": ("sends its nick at every nick", "шлёт свой ник в ответ на каждый ник"),
    "no_chat": ("has no chat", "чата нет"),
    "has_chat": ("has chat", "чат есть"),
    "slow_syncs": ("{seconds} s between them", "{seconds} с между ними"),
    "bad_parameters": ("outside the ranges, or without room", "вне пределов, или флот не помещается"),
    "second": ("{op} before the answer", "{op} до ответа"),
}
