"""What the sniffer says, in English and in Russian. Frames, states and reasons have their words in `words`."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(PHRASES[key], **fields)


PHRASES: dict[str, tuple[str, str]] = {
    # what the commands are for
    "sniff_about": (
        "listen to two sides of a line: relay between two ports, or only tap",
        "слушать обе стороны линии: ретрансляция между двумя портами или только прослушивание",
    ),
    "decode_about": (
        "read captures and dumps, name every frame, check the session",
        "прочитать записи и дампы, назвать каждый кадр, проверить сеанс",
    ),
    "replay_about": (
        "play one side of a capture to a live peer and report the first difference",
        "сыграть одну сторону записи живому сопернику и сообщить о первом расхождении",
    ),
    "wireshark_about": (
        "the dissector for Wireshark: print it or install it",
        "разборщик для Wireshark: напечатать или установить",
    ),
    "sigrok_about": (
        "the decoder for sigrok and PulseView: print it or install it",
        "декодер для sigrok и PulseView: напечатать или установить",
    ),
    # options
    "help_ports": (
        "the ports of the two sides, A and B; one with --virtual",
        "порты двух сторон, A и B; с --virtual один",
    ),
    "help_tap": (
        "only listen, one receive line a direction; never write",
        "только слушать, по линии приёма на сторону",
    ),
    "help_one": (
        "one line that carries both directions",
        "одна линия, по которой идут оба направления",
    ),
    "help_virtual": (
        "make a pseudo-terminal to which a program here connects in place of the port",
        "создать псевдотерминал, к которому здешняя программа подключается вместо порта",
    ),
    "help_link": ("a stable name for the pseudo-terminal", "постоянное имя псевдотерминала"),
    "help_raw": ("show bytes, not frames", "показывать байты, а не кадры"),
    "help_syncs": ("show every sync", "показывать каждую синхронизацию"),
    "help_keep_text": ("keep a text log", "писать текстовый журнал"),
    "help_keep_json": ("keep a log of JSON lines", "писать журнал строками JSON"),
    "help_keep_pcapng": ("keep a capture for Wireshark", "писать запись для Wireshark"),
    "help_rotate": (
        "begin new files after so much (10k, 5M, 1G) or so long (30s, 10min, 1h, 1d)",
        "начинать новые файлы после такого объёма (10k, 5M, 1G) или времени (30s, 10min, 1h, 1d)",
    ),
    "help_parts": (
        "with --rotate, keep so many full files, the oldest go",
        "с --rotate хранить столько полных файлов, старые удалять",
    ),
    "parts_without_rotate": (
        "--parts needs --rotate: it says when a file is full",
        "для --parts нужен --rotate: когда файл полон",
    ),
    "parts_set_aside": (
        "files of an earlier run of {file} are now called {name}...",
        "файлы прежнего запуска {file} теперь называются {name}...",
    ),
    "part_foreign": (
        "{file} is of another run than {other}: give the parts of one run",
        "{file} из другого запуска, чем {other}: укажите части одного запуска",
    ),
    "part_twice": ("{file} is part {part} once more: left out", "{file} - снова часть {part}: пропущен"),
    "part_order": (
        "the parts are read in the order of their numbers: {parts}",
        "части прочитаны по порядку номеров: {parts}",
    ),
    "part_missing": ("part {part} is missing", "части {part} нет"),
    "part_head": ("the parts before {part} are missing", "частей до {part} нет"),
    "part_joined": (
        "part {part} does not continue the one before it: that was changed",
        "часть {part} не продолжает предыдущую: та изменена",
    ),
    "lost_end": (
        "the closing record is missing: the file was cut off, or is still being written",
        "нет заключительной записи: файл обрезан или ещё пишется",
    ),
    "lost_changed": (
        "the file is not as it was written: its hash is another",
        "файл не такой, каким был записан: другой хеш",
    ),
    "left_unsealed": (
        "without a seal, taken as written by hand: {count:line}, the first is line {line}",
        "без контрольной суммы, написано от руки: {count:line}, первая - {line}",
    ),
    "help_seconds": ("stop after so many seconds", "закончить через столько секунд"),
    "help_quiet": ("show nothing, only keep", "ничего не показывать, только писать"),
    "help_files": (
        "captures; parts of one are given in their order; two dumps of raw bytes are A and B",
        "записи; части одной - по порядку; два дампа голых байтов - это A и B",
    ),
    "help_check": (
        "list what is wrong; exit status 0: it keeps the protocol, 1: it broke it, 3: that cannot be said",
        "перечислить ошибки; код выхода 0: протокол соблюдён, 1: нарушен, 3: сказать нельзя",
    ),
    "help_report": ("print a summary", "напечатать сводку"),
    "help_format": ("what the file is, where that is not seen rightly", "вид файла, если он распознан неверно"),
    "help_merged": (
        "a dump of raw bytes has both directions in one",
        "в дампе голых байтов оба направления вместе",
    ),
    "help_as": ("which side of the capture to play", "какую сторону записи играть"),
    "help_replay_speed": (
        "how much faster than it was: 1 is the original pace, 0 is as fast as the peer answers",
        "во сколько раз быстрее: 1 - как было, 0 - так быстро, как отвечает соперник",
    ),
    "help_replay_wait": ("seconds to wait for the peer", "сколько секунд ждать соперника"),
    "help_install": ("put it where the program looks", "положить туда, где программа ищет"),
    "help_folder": ("the folder to install into", "папка для установки"),
    # mistakes on the command line
    "two_ports": (
        "give two ports, or one with --one or --virtual",
        "нужны два порта или один с --one или --virtual",
    ),
    "one_port": (
        "{option} takes one port",
        "с {option} нужен один порт",
    ),
    "same_port": ("port {url} is given twice: A and B are two ports", "порт {url} указан дважды: A и B - разные порты"),
    "no_pty": (
        "this system has no pseudo-terminals: give two ports",
        "в этой системе нет псевдотерминалов: укажите два порта",
    ),
    "link_exists": (
        "{path} exists and is no link: give --link another name",
        "{path} существует и не ссылка: дайте --link другое имя",
    ),
    "bad_rotate": (
        "'{value}' is no size like 10M and no time like 1h",
        "'{value}' - не объём вроде 10M и не время вроде 1h",
    ),
    "same_file": ("{file} is given for two logs: each needs its own", "{file} указан для двух журналов"),
    # reading
    "help_form": (
        "what the files are, where that is not seen rightly: {names}",
        "вид файлов, если он распознан неверно: {names}",
    ),
    "read_as": ("{file}: read as {form}: {why}", "{file}: прочитан как {form}: {why}"),
    "why_forced": ("as --form orders", "так велит --form"),
    "why_magic": ("it begins as {what} does", "начинается как {what}"),
    "why_ours": ("lines of this program's {what}", "строки, какие пишет эта программа: {what}"),
    "why_frames": ("{share} % of its bytes are frames of the protocol", "{share} % байтов - кадры протокола"),
    "why_lines": ("{count} of {of} lines have {what}", "строк, где есть {what}: {count} из {of}"),
    "why_dump": (
        "{count} of {of} lines are offset and bytes: {unit}",
        "строк из смещения и байтов: {count} из {of}; запись: {unit}",
    ),
    "why_plain": (
        "{count} of {of} lines are bytes and nothing else: {unit}",
        "строк из одних байтов: {count} из {of}; {unit}",
    ),
    "why_table": ("rows with columns {columns}", "строки со столбцами {columns}"),
    "why_objects": ("objects with {columns}", "объекты с полями {columns}"),
    "why_recorded": (
        "a recording of wires, {what}, decoded by sigrok-cli as 9600 8E",
        "запись уровней, {what}, разобрана sigrok-cli как 9600 8E",
    ),
    "what_screen": ("time, gap, side, bytes and meaning", "время, пауза, сторона, байты и смысл"),
    "what_strace": ("a system call", "системный вызов"),
    "what_sigrok": ("an annotation of a UART", "аннотация UART"),
    "what_tshark": ("packets of a serial line", "пакеты последовательной линии"),
    "has_time": ("a time", "время"),
    "has_side": ("a side", "сторона"),
    "has_bytes": ("bytes", "байты"),
    "looks_packed": (
        "{file} looks like a {what} archive: unpack it and give what is inside",
        "{file} похож на архив {what}: распакуйте и укажите то, что внутри",
    ),
    "looks_like": (
        "{file} looks like {what}, not like a capture of a line: give a log or a dump of its bytes",
        "{file} похож на {what}, а не на запись линии: нужен журнал или дамп её байтов",
    ),
    "looks_json": (
        "{file} looks like JSON without bytes of a line: give what `sniff --json` writes, or objects with data, time",
        "{file} похож на JSON, где нет байтов линии: нужен файл `sniff --json` или объекты с data и time или side",
    ),
    "looks_text": (
        "{file} looks like text whose {count:line} are of no known form: --form hex reads what hex is in it",
        "{file} похож на текст неизвестного вида ({count:line}): --form hex прочитает из него hex",
    ),
    "looks_constant": (
        "{file} holds nothing but the byte {value}: --form raw reads it all the same",
        "{file} состоит из одного байта {value}: --form raw прочитает его всё равно",
    ),
    "looks_binary": (
        "{file} looks like binary data of which {share} % fit the protocol: a wrong line setting gives such bytes;"
        " --form raw reads them all the same",
        "{file} похож на двоичные данные, из которых протоколу подходят {share} %: так бывает при неверной настройке"
        " линии; --form raw прочитает их всё равно",
    ),
    "needs_sigrok": (
        "{file} is a recording of wires: install sigrok-cli, or export the annotations of its UART decoder",
        "{file} - запись уровней: установите sigrok-cli или сохраните аннотации его декодера UART",
    ),
    "left_lines": (
        "left out, no bytes of the line: {count:line}, the first is line {line}",
        "пропущено, не байты линии: {count:line}, первая - {line}",
    ),
    "left_comments": (
        "left out, comments: {count:line}, the first is line {line}",
        "пропущены комментарии: {count:line}, первая - {line}",
    ),
    "left_text": (
        "left out, text behind the bytes: {count:line}, the first is line {line}",
        "пропущен текст после байтов: {count:line}, первая - {line}",
    ),
    "left_untimed": (
        "without a time, taken as of the time before: {count:line}, the first is line {line}",
        "без времени, взято предыдущее: {count:line}, первая - {line}",
    ),
    "left_calls": (
        "left out, other system calls: {count:line}, the first is line {line}",
        "пропущены другие системные вызовы: {count:line}, первая - {line}",
    ),
    "left_annotations": (
        "left out, other annotations: {count:line}, the first is line {line}",
        "пропущены другие аннотации: {count:line}, первая - {line}",
    ),
    "left_packets": (
        "left out, packets of another kind: {count:line}, the first is packet {line}",
        "пропущены другие пакеты: {count:line}, первый - {line}",
    ),
    "lost_repeated": (
        "line {line} stands for repeated lines, how many it does not say",
        "строка {line} заменяет повторённые, сколько их - не сказано",
    ),
    "lost_not_shown": ("line {line} does not show all bytes", "строка {line} показывает не все байты"),
    "cannot_read": ("cannot read {file}: {reason}", "не могу прочитать {file}: {reason}"),
    "bad_link_type": (
        "{file} has link type {number}, not 250: it was not captured from a serial line",
        "в {file} тип канала {number}, а не 250: это запись не с последовательной линии",
    ),
    "bad_speed": ("'{value}' is not a number of 0 or more", "'{value}' - не число от 0"),
    "not_format": ("{file} is not a capture in {format}", "{file} - не запись линии в {format}"),
    "is_empty": ("{file} holds no bytes of a line", "в {file} нет байтов линии"),
    "mixed_dumps": (
        "two dumps of raw bytes are the two directions: {count} are given",
        "дампы голых байтов - это два направления: указано {count}",
    ),
    "lost_tail": ("the file ends in the middle of a record", "файл обрывается посреди записи"),
    "lost_damaged": ("line {line} is damaged", "строка {line} повреждена"),
    "lost_records": ("records {first}..{last} are missing", "записей {first}..{last} нет"),
    "lost_driver": ("the capture says that bytes were lost", "запись сообщает о потере байтов"),
    "lost_port": ("port {url} was gone", "порт {url} пропадал"),
    # running
    "sniff_on": (
        "{mode}: A {a}, B {b}, {settings}",
        "{mode}: A {a}, B {b}, {settings}",
    ),
    "mode_relay": ("relay", "ретрансляция"),
    "mode_tap": ("tap", "прослушивание"),
    "mode_one": ("one line", "одна линия"),
    "mode_virtual": ("virtual port", "виртуальный порт"),
    "mode_file": ("file", "файл"),
    "connect_to": ("connect the program to {path}", "подключите программу к {path}"),
    "log_failed": (
        "{file} is not written any more: {reason}; the line goes on",
        "{file} больше не пишется: {reason}; линия работает",
    ),
    "port_back": ("port {url} is back", "порт {url} вернулся"),
    "latency_set": (
        "{url}: latency timer lowered from {old} to {new} ms",
        "{url}: таймер задержки снижен с {old} до {new} мс",
    ),
    "faults_counted": ("{url}: {errors}", "{url}: {errors}"),
    "not_shown": (
        "({count:record} not shown: the line is faster than the screen)",
        "({count:record} не показано: линия быстрее экрана)",
    ),
    # a line
    "shoots": ("{who} shoots {cell}", "{who} стреляет {cell}"),
    "says": ("{who}: {what}", "{who}: {what}"),
    "noise_bytes": ("{who}: noise", "{who}: помеха"),
    "cut_frame": ("{who}: {what}, cut off", "{who}: {what}, обрыв"),
    "lack_reply": ("{who} has not answered: {what}", "{who} не отвечает: {what}"),
    "lack_sync": ("{who}: no sync", "{who}: нет синхронизации"),
    "lack_any": ("{who} is silent", "{who} молчит"),
    "lack_left": ("{who} has left", "{who} ушёл"),
    "lack_won": ("{who} has won and does not say so", "{who} победил и не сообщает об этом"),
    "lost": ("bytes are missing from here: {why}", "здесь потеряны байты: {why}"),
    "syncs": ("{count:sync}", "{count:sync}"),
    "unsure": ("side not certain", "сторона не точно"),
    "deviation": ("deviation", "отклонение"),
    "violation": ("VIOLATION", "НАРУШЕНИЕ"),
    "help_harm": (
        "a fault that the relay makes, such as 'drop B 2C nth=3' (several are fine; see docs/sniffer.md)",
        "помеха, которую создаёт ретрансляция, например 'drop B 2C nth=3' (можно несколько; см. docs/sniffer.md)",
    ),
    "help_harm_file": ("a file of such faults, one a line", "файл таких помех, по одной на строку"),
    "help_harm_seed": ("seed of the faults' lots", "начальное число для случайных помех"),
    "bad_harm": (
        "'{rule}' is no fault: '{word}' is none of {actions}",
        "«{rule}» - не помеха: «{word}» нет среди {actions}",
    ),
    "bad_harm_word": ("in the fault '{rule}' '{word}' is not understood", "в помехе «{rule}» непонятно «{word}»"),
    "harm_lacks": ("the fault '{rule}' lacks {what}", "в помехе «{rule}» не хватает {what}"),
    "harm_relays": ("faults are made in a relay between two ports", "помехи создаёт ретрансляция между двумя портами"),
    "harmed": ("our own fault: {rule}: {sent} instead of {was}", "наша помеха: {rule}: {sent} вместо {was}"),
    "harm_nothing": ("nothing", "ничего"),
    "doubt": ("something was lost here", "здесь что-то потеряно"),
    "follows": ("follows from #{number}", "следует из #{number}"),
    "maybe": ("{wrong} (unless a byte was changed on the way)", "{wrong} (если только байт не исказился по пути)"),
    "wrong": ("{verdict}: {what}: {why}", "{verdict}: {what}: {why}"),
    "wrong_answer": ("{why}: {answer}", "{why}: {answer}"),
    "contradicts": (
        "{cell} contradicts the answer for {other}: {answer}",
        "{cell} противоречит ответу на {other}: {answer}",
    ),
    "doubt_went_on": (
        "both go on as if it were right, so something before it was not heard, or not as it was",
        "обе стороны продолжают, как будто так и надо: что-то перед этим не расслышано или расслышано неверно",
    ),
    "doubt_command": ("the command that this answers was not heard", "команда, на которую это ответ, не расслышана"),
    "lack_missed": (
        "{who}: the answer to '{what}' was not heard, and both go on as if it had come",
        "{who}: ответ на «{what}» не расслышан, но обе стороны продолжают, как будто он пришёл",
    ),
    "more_follow": ("  following from this: {count:record}", "  из этого следует: {count:record}"),
    "in_state": ("{name} in state {state}", "{name} в состоянии {state}"),
    "must_wait": ("the {role} must wait for {name}", "{role} должен ждать {name}"),
    "allowed_in": ("allowed in {states}", "можно в {states}"),
    "fault_parity": ("parity error", "ошибка чётности"),
    "fault_framing": ("framing error", "ошибка кадра"),
    "fault_overrun": ("overrun", "переполнение"),
    "fault_break": ("break", "обрыв линии"),
    "fault_damaged": ("damaged", "повреждён"),
    # state
    "side_state": ("{who}: {state}", "{who}: {state}"),
    "state_unknown": ("state not known yet", "состояние пока неизвестно"),
    "turn_of": ("turn: {who}", "ход: {who}"),
    "field_of": ("field of {who}, {hits} hit", "поле: {who}, попаданий {hits}"),
    "counters": (
        "bytes {a}+{b}, frames {frames}, deviations {deviations}, violations {violations}, noise {noise},"
        " line errors {faults}, longest reply {reply}",
        "байт {a}+{b}, кадров {frames}, отклонений {deviations}, нарушений {violations}, помех {noise},"
        " ошибок линии {faults}, дольше всего ответ {reply}",
    ),
    # report
    "chat_seal": ("seals its field", "запечатывает своё поле"),
    "chat_seal_late": (
        "seals its field when that does not count any more",
        "запечатывает своё поле, когда это уже не в счёт",
    ),
    "chat_show": ("asks to see the other's field", "просит показать поле"),
    "chat_field": ("shows its field: {ships}", "показывает своё поле: {ships}"),
    "report_head": ("{files}: {duration}, {settings}", "{files}: {duration}, {settings}"),
    "report_side": (
        "{side} {name}: {role}, nick {nick}, {bytes:byte}, {frames:frame}",
        "{side} {name}: {role}, ник {nick}, {bytes:byte}, {frames:frame}",
    ),
    "report_game": (
        "game {number}: {parameters}, shots {a}:{b}, hits {hits_a}:{hits_b}, {result}",
        "партия {number}: {parameters}, выстрелов {a}:{b}, попаданий {hits_a}:{hits_b}, {result}",
    ),
    "report_no_game": ("no game", "партий нет"),
    "unknown_parameters": ("parameters not seen", "параметры не видны"),
    "how_shots": ("won by {who}", "победа: {who}"),
    "how_surrender": ("won by {who}, the other surrendered", "победа: {who}, соперник сдался"),
    "how_restart": ("restarted", "начата заново"),
    "how_goodbye": ("left by a goodbye", "прервана прощанием"),
    "how_timeout": ("ended by a timeout", "прервана по времени"),
    "how_accusation": ("ended by an accusation", "прервана обвинением"),
    "how_open": ("not finished", "не окончена"),
    "report_times": (
        "{count:reply}, mean {mean}, longest {longest} of {limit}; late {late}",
        "{count:reply}, в среднем {mean}, дольше всего {longest} из {limit}; опоздало {late}",
    ),
    "report_reply": (
        "  {name}: {count}, mean {mean}, longest {longest}",
        "  {name}: {count}, в среднем {mean}, дольше {longest}",
    ),
    "report_syncs": (
        "{count:sync}, longest gap {longest} of {limit}",
        "{count:sync}, самый долгий перерыв {longest} из {limit}",
    ),
    "report_faults": ("line errors: {faults}", "ошибки линии: {faults}"),
    "report_noise": (
        "{noise:noise_byte}, {cut:cut_frame}, {lost:gap}",
        "{noise:noise_byte}, {cut:cut_frame}, {lost:gap}",
    ),
    "report_verdict": (
        "{deviations:deviation}, {violations:violation}, {doubts:lost_place}",
        "{deviations:deviation}, {violations:violation}, {doubts:lost_place}",
    ),
    "report_guessed": (
        "the order of the two directions is a guess, there are no times",
        "порядок двух направлений угадан, времён нет",
    ),
    "report_unsure": ("{count:frame} whose side is not certain", "{count:frame} неизвестно чьей стороны"),
    "check_good": ("the session keeps the protocol", "сеанс не нарушает протокол"),
    "check_cannot": (
        "whether the session keeps the protocol cannot be said: {why}",
        "нарушен ли протокол, сказать нельзя: {why}",
    ),
    "cannot_noise": (
        "{bad} of {all} bytes make no sense; is the speed or parity right?",
        "{bad} из {all} байтов лишены смысла; верны ли скорость и чётность?",
    ),
    "cannot_one_side": ("nothing was heard from side {side}", "стороны {side} не слышно"),
    "cannot_no_session": (
        "the two sides never met: no command was answered",
        "стороны не встретились: ни на одну команду нет ответа",
    ),
    "unread": ("not understood: {what}, the first {place}", "не понято: {what}, впервые {place}"),
    "unread_at": ("in record {number} at {time} s", "в записи {number}, {time} с"),
    "unread_in": ("in record {number}", "в записи {number}"),
    "unread_none": ("everything was understood", "понято всё"),
    "unread_noise": ("{count:noise_byte}", "{count:noise_byte}"),
    "unread_cut": ("{count:cut_frame}", "{count:cut_frame}"),
    "unread_lost": ("{count:gap}", "{count:gap}"),
    "unread_unmatched": ("{count:reply} that nobody waited for", "никем не ожидавшихся ответов: {count}"),
    "unread_damage": ("{count:byte} marked as damaged", "помечено повреждёнными: {count:byte}"),
    "unread_doubt": ("something lost: {count:place}", "что-то потеряно: {count:place}"),
    "more_wrong": ("{count:record} more with something wrong", "{count:record} с ошибками сверх показанных"),
    "unread_unsure": ("{count:frame} whose side is a guess", "сторона угадана: {count:frame}"),
    "no_files": ("give a FILE, or pipe a capture into it", "укажите FILE или передайте запись по каналу"),
    "check_bad": ("the session broke the protocol: {count}", "сеанс нарушил протокол: {count}"),
    "none": ("none", "нет"),
    # replay
    "replay_same": (
        "the peer did as in the capture: {frames:frame} compared",
        "соперник повторил запись, сравнение: {frames:frame}",
    ),
    "replay_differs": (
        "first difference at frame {number}, {time} s: expected {expected}, got {got}",
        "первое расхождение в кадре {number}, {time} с: ожидалось {expected}, пришло {got}",
    ),
    "replay_nothing": ("nothing within {seconds:g} s", "ничего за {seconds:g} с"),
    "replay_no_side": (
        "{file} does not show who is {role}: no command in it tells",
        "в {file} не видно, кто {role}: ни одна команда этого не показывает",
    ),
    # installing
    "installed": ("written to {path}", "записано в {path}"),
    "cannot_install": ("cannot write {path}: {reason}", "не могу записать {path}: {reason}"),
    "wireshark_next": (
        "open a capture of --pcapng in Wireshark; filters begin with seabattle.",
        "откройте запись --pcapng в Wireshark; фильтры начинаются с seabattle.",
    ),
    "sigrok_next": (
        "stack it on uart: -P uart:rx=A:tx=B:baudrate=9600:parity=even,seabattle",
        "подключайте поверх uart: -P uart:rx=A:tx=B:baudrate=9600:parity=even,seabattle",
    ),
}
