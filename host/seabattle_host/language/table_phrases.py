"""What is said around the games at one screen: names, levels, leaving, going on; and commands in other words."""

from __future__ import annotations

COMMANDS = {
    "surrender": "withdraw",
    "resign": "withdraw",
    "сдаюсь": "withdraw",
    "сдаться": "withdraw",
    "поле": "board",
    "помощь": "help",
    "выйти": "quit",
    "выход": "quit",
    "готов": "ready",
    "готово": "ready",
    "готова": "ready",
    "наугад": "random",
    "снять все": "clear",
    "раунды": "record",
    "показать": "show",
    "пропустить": "skip",
}
"""Other words for what is typed in the games, Russian ones among them."""

TABLE: dict[str, tuple[str, str]] = {
    # names, leaving and going on
    "help_names": (
        "names of the players, with commas: Anna,Boris",
        "имена игроков через запятую: Анна,Борис",
    ),
    "help_game_level": (
        "how well the computers play: random, hunt, density or sharp (default sharp)",
        "сила компьютеров: random, hunt, density или sharp (по умолчанию sharp)",
    ),
    "help_away": (
        "who has not moved for so many minutes may be skipped (default: nobody)",
        "кого не было столько минут, того можно пропустить (по умолчанию никого)",
    ),
    "bad_minutes": (
        "'{value}' is no number of minutes from 0 to {most}",
        "'{value}' - не число минут от 0 до {most}",
    ),
    "names_many": (
        "{count} names for {most} players: leave some out",
        "имён {count}, а игроков {most}: уберите лишние",
    ),
    "name_bad": (
        "'{name}' is no name here: 1..{most} letters, without digits and colons",
        "'{name}' - не имя: 1..{most} букв, без цифр и двоеточий",
    ),
    "name_twice": (
        "the name '{name}' would be that of two players: choose another",
        "имя '{name}' было бы у двоих: выберите другое",
    ),
    "resume_about": (
        "Go on with a game that was left, or whose terminal was closed.",
        "Продолжить партию, которую оставили или терминал которой закрылся.",
    ),
    "help_resume_number": (
        "which one of the list (default: the newest)",
        "которую из списка (по умолчанию последнюю)",
    ),
    "help_resume_list": ("list the games that can be gone on with", "перечислить партии, которые можно продолжить"),
    "help_resume_discard": (
        "give the game up: it stays in the history as unfinished, with all ships",
        "отказаться от партии: она останется в истории неоконченной, со всеми кораблями",
    ),
    "resume_none": ("there is no game to go on with", "продолжать нечего"),
    "resume_no_number": (
        "there is no game {number} to go on with: 1..{most}, see 'seabattle resume --list'",
        "партии {number} для продолжения нет: 1..{most}, смотрите 'seabattle resume --list'",
    ),
    "resume_open": (
        "this game is being played in another program: end that one first",
        "эта партия идёт в другой программе: сначала закройте ту",
    ),
    "resume_unreadable": (
        "{file} is no game of this version that can be gone on with: remove it",
        "{file} - не партия этой версии, продолжить её нельзя: удалите файл",
    ),
    "resume_differs": (
        "game {number} cannot be gone on with: its moves are not those of this version of the program",
        "партию {number} не продолжить: её ходы не от этой версии программы",
    ),
    "resume_not_kept": (
        "this game cannot be gone on with once it is left: {why}",
        "эту партию нельзя будет продолжить: {why}",
    ),
    "resume_by_chat": (", by chat", ", в чате"),
    "resumed": ("the game goes on", "партия продолжается"),
    "resume_discarded": ("given up: {what}", "оставлена: {what}"),
    "left_to_resume": (
        "the game was left unfinished; 'seabattle resume' goes on with it",
        "игра прервана; продолжить: 'seabattle resume'",
    ),
    "skip_never": (
        "nobody is skipped in this game: --away MINUTES agrees on it",
        "в этой игре никого не пропускают: --away МИНУТЫ",
    ),
    "skip_not_yet": (
        "{name} may be skipped in {seconds:second}",
        "игрока {name} можно пропустить через {seconds:second}",
    ),
    "skip_self": ("it is you who is waited for", "ждут как раз вас"),
    "skipped": ("{name} is away and skipped", "игрока {name} нет, ход пропущен"),
    "melee_left": (
        "{name} gives up and is out; the ships are open to all",
        "игрок {name} сдаётся и выбывает; корабли открыты всем",
    ),
    "fleet_whole": (
        "the fleet is whole: 'ready' begins, 'random' places all anew, 'remove' takes a ship back, 'clear' all",
        "флот стоит: 'ready' (готов) - начать, 'random' - расставить заново, 'remove' - снять, 'clear' - снять все",
    ),
    "word_ready": ("ready", "готов"),
    "word_again_random": ("all anew", "заново"),
    "not_straight": (
        "{first} and {last} are not the ends of a straight ship",
        "{first} и {last} - не концы прямого корабля",
    ),
    "bad_length": (
        "{name} has {length:deck}, and from {first} to {last} there are {count}",
        "{name}: {length:deck}, а от {first} до {last} - {count}",
    ),
    "left_of": ("left of {name}: {ships}", "осталось у {name}: {ships}"),
    "left_none": ("none", "ничего"),
    "left_out": ("out", "вне игры"),
    "salvo_fired_wait": ("fired; {name} is still aiming", "залп дан; {name} ещё целится"),
    "salvo_fired_before": ("you have fired in this round", "в этом раунде вы уже стреляли"),
    "salvo_abandoned": (
        "the program has failed: the game ends without a winner",
        "ошибка программы: партия окончена без победителя",
    ),
    "move_of": ("a ship of {owner}", "корабль игрока {owner}"),
    "melee_left_short": ("then {name} gives up", "затем {name} сдаётся"),
    "move_out": ("{name} is out", "{name} выбывает"),
    "menu_names": ("names, with commas:", "имена через запятую:"),
    "menu_first": ("begins:", "начинает:"),
    "menu_by_lot": ("by lot", "жребий"),
    "menu_level": ("computers:", "компьютеры:"),
    "menu_away": ("skip after, minutes:", "пропуск через, мин.:"),
    "key_resume": ("go on with the game left", "продолжить партию"),
    "key_skip": ("skip {name}", "пропустить {name}"),
    "record_title": ("all rounds", "все раунды"),
}
"""Messages in English and in Russian, a part of those of `games_phrases`."""
