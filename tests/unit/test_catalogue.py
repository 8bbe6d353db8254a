"""The message catalogues: every language has every message, none is unused, and a third language needs no Python."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import socket
import string
import subprocess
import sys
from functools import cache
from pathlib import Path

import polib
import pytest

import seabattle_host
from seabattle_host import cli
from seabattle_host.club.web import page_file, page_texts
from seabattle_host.errors import UserError
from seabattle_host.language import catalogue, messages, system
from seabattle_host.language.text import transliterate

PACKAGE = Path(seabattle_host.__file__).parent
LOCALE = PACKAGE / "language" / "locale"
BOARD = ("board", "board local")
"""The contexts of the boards' messages."""


@cache
def entries(language: str) -> dict[tuple[str | None, str], polib.POEntry]:
    found = polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "seabattle.po"), check_for_duplicates=True)
    return {(entry.msgctxt, entry.msgid): entry for entry in found}


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def fields(text: str, context: str | None) -> set[str]:
    if context == "argparse":
        return set(re.findall(r"%\(?\w+\)?", text))
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def called(node: ast.Call) -> str:
    """Return the name of a function or method that is called."""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


@cache
def said() -> tuple[set[str], list[re.Pattern[str]], set[str]]:
    """Return, from the package's sources: all strings, the keys put together from parts, the keys of plain calls."""
    constants: set[str] = set()
    families: list[re.Pattern[str]] = []
    calls: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
                if re.fullmatch("(event|reason)_", node.value):
                    families.append(re.compile(node.value + ".+"))
            if isinstance(node, ast.Call) and node.args and re.search("(^|_)(tr|template)$", called(node)):
                key = node.args[0]
                families += [pattern(part) for part in ast.walk(key) if isinstance(part, ast.JoinedStr)]
                if isinstance(key, ast.Constant) and called(node) in ("tr", "template"):
                    calls.add(key.value)
            if isinstance(node, ast.DictComp) and isinstance(node.value, ast.JoinedStr):
                families.append(pattern(node.value))
    return constants, families, calls


def pattern(key: ast.JoinedStr) -> re.Pattern[str]:
    parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in key.values)
    return re.compile("".join(parts))


@pytest.mark.parametrize("language", sorted(set(messages.LANGUAGES) - {"en"}))
def test_a_language_says_everything_and_with_the_same_fields(language: str):
    english, other = entries("en"), entries(language)
    assert english.keys() == other.keys()
    for key, entry in other.items():
        assert all(texts(entry)) and not entry.fuzzy, key
        assert entry.comment == english[key].comment, key
        if key[0] not in BOARD and key[1] != "statistics":  # a line of it has no room for all in Russian
            assert fields(texts(entry)[0], key[0]) == fields(texts(english[key])[0], key[0]), key


def test_english_is_english_and_russian_is_russian():
    for (context, key), entry in entries("en").items():
        cyrillic = set(re.findall("[А-яЁё]+", "".join(texts(entry))))
        assert cyrillic <= {"ИМЯ", "ШИРИНА", "ВЫСОТА", "Б"}, key
        if context == "noun" or key.startswith(("reason_", "event_", "state_", "club_ending_")):
            russian = "".join(texts(entries("ru")[context, key]))
            assert re.search("[А-яЁё]", russian) or russian == texts(entry)[0] == "{chat}", key


@pytest.mark.parametrize(
    ("page", "files"),
    [("club", ("index.html", "club.js")), ("play", ("play.html", "play.js", "serial.js", "virtual.js"))],
)
def test_the_words_of_a_page_are_there_and_used(page: str, files: tuple[str, ...]):
    # the stages of a game are named in the store
    stages = (PACKAGE / "club" / "store.py").read_text(encoding="utf-8")
    source = "".join((stages, *map(page_file, files)))
    assert "<!-- part:" not in source
    kept = {key.split("/")[1] for context, key in entries("en") if context == "page" and key.startswith(f"{page}/")}
    asked = {first or second for first, second in re.findall(r"""\bw\("(\w+)"\)|data-words="(\w+)\"""", source)}
    assert asked <= kept
    assert not {word for word in kept if not re.search(rf"\b{word}\b", source)}


def test_the_page_has_words_for_every_end_of_a_game():
    known = {key for _, key in entries("en")}
    endings = {key.removeprefix("club_ending_") for key in known if key.startswith("club_ending_")}
    with_winner = endings - {"open", "unmet", "killed", "idle", "closed", "ended"} | {"proof"}
    assert with_winner and not {f"play/how/{how}/{end}" for how in ("won", "lost") for end in with_winner} - known
    assert not {f"play/how/none/{end}" for end in endings - {"open", "unmet", "killed"} | {"left"}} - known


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_console_that_lacks_a_sign_has_a_likeness_of_it(language: str):
    said = ((key, text) for key, entry in entries(language).items() for text in texts(entry))
    assert not [key for key, text in said if not transliterate(text).isascii()]


def counted(language: str) -> set[str]:
    """Return the nouns that messages count."""
    found = " ".join(entry.msgstr for (context, _), entry in entries(language).items() if context is None)
    return set(re.findall(r"\{\w+:([a-z_]{2,})\}", found))


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_noun_has_the_forms_of_its_language(language: str):
    forms = int(catalogue.load(language).info()["plural-forms"].split("nplurals=")[1][0])
    nouns = {key: entry for (context, key), entry in entries(language).items() if context == "noun"}
    assert all(sorted(entry.msgstr_plural) == list(range(forms)) for entry in nouns.values())
    assert counted(language) <= nouns.keys()


def test_what_is_said_is_there_and_what_is_there_is_said():
    constants, families, calls = said()
    keys = {key for context, key in entries("en") if context is None}
    assert calls <= keys
    unused = {key for key in keys - constants if not any(family.fullmatch(key) for family in families)}
    assert not unused
    nouns = {key for context, key in entries("en") if context == "noun"}
    assert nouns <= constants.union(*map(counted, messages.LANGUAGES))


@pytest.mark.usefixtures("english")
def test_a_number_takes_the_form_of_its_noun_also_in_a_message():
    numbers = (0, 1, 2, 5, 11, 12, 21, 23, 111)
    assert [messages.count(n, "deck").split()[1] for n in numbers] == ["decks", "deck", *["decks"] * 7]
    assert "1 deck on 36 cells; 0 of 1 ship " in messages.tr("params_fit", decks=1, cells=36, wall=0, ships=1)
    messages.use("ru")
    in_russian = "0 палуб, 1 палуба, 2 палубы, 5 палуб, 11 палуб, 12 палуб, 21 палуба, 23 палубы, 111 палуб"
    assert ", ".join(messages.count(n, "deck") for n in numbers) == in_russian
    told = messages.tr("params_fit", decks=21, cells=100, wall=0, ships=1)
    assert told.startswith("Помещается: 21 палуба на 100 клетках; ") and "0 из 1 корабля." in told


# An added language.

ESPERANTO = r"""
msgid ""
msgstr ""
"Language: eo\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "play_no_games"
msgstr "ankoraŭ neniu ludo: ludu per 'seabattle play'"

msgid "fleet_no_room"
msgstr ""

msgid "language_name"
msgstr "Esperanto"

msgctxt "page"
msgid "club/wins"
msgstr "venkis {name}"

msgctxt "noun"
msgid "shot"
msgid_plural "shots"
msgstr[0] "pafo"
msgstr[1] "pafoj"
"""


@pytest.fixture
def more(tmp_path: Path) -> Path:
    """A folder of catalogues with an additional language."""
    source = tmp_path / "locale" / "eo" / "LC_MESSAGES" / "seabattle.po"
    source.parent.mkdir(parents=True)
    source.write_text(ESPERANTO, encoding="utf-8")
    return tmp_path / "locale"


def run(more: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    home = more.parent
    return subprocess.run(
        [sys.executable, "-m", "seabattle_host", *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "HOME": str(home), "SEABATTLE_LOCALE": str(more), "PYTHONUTF8": "1", **environment},
        check=False,
    )


def test_a_new_language_needs_a_folder_and_no_python(more: Path):
    """The only test here that uses the command line: the option, the environment, the fallback."""
    told = run(more, "history", LC_ALL="eo.UTF-8")
    assert "ankoraŭ neniu ludo" in told.stdout + told.stderr
    told = run(more, "bot", "--port", "x", "--size", "6", "--fleet", "1,2,5,9", "--lang", "eo")
    assert told.returncode == 2 and "try fewer ships" in told.stderr


def test_a_catalogue_with_a_fault_is_one_line(more: Path):
    source = more / "eo" / "LC_MESSAGES" / "seabattle.po"
    for wrong in (ESPERANTO + '\noops "x"\n', ESPERANTO.replace("(n != 1)", "n ! 1")):
        source.write_text(wrong, encoding="utf-8")
        told = run(more, "history", "--lang", "eo")
        assert told.returncode == 2 and told.stderr.count("\n") == 1
        assert str(source) in told.stderr


@pytest.fixture
def fresh(more: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEABATTLE_LOCALE", str(more))
    catalogue.languages.cache_clear()
    catalogue.load.cache_clear()
    yield more / "eo" / "LC_MESSAGES"
    monkeypatch.undo()
    catalogue.languages.cache_clear()
    catalogue.load.cache_clear()


def test_the_clubs_pages_speak_a_new_language_too(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(messages, "LANGUAGES", catalogue.languages())
    names, texts, columns = (json.loads(line.split(" = ", 1)[1].rstrip(";")) for line in page_texts().splitlines())
    assert columns["eo"] == "ABCDEFGHIJ" and columns["ru"] == "АБВГДЕЖЗИК"
    assert names == {"en": "English", "eo": "Esperanto", "ru": "Русский"}
    assert texts["eo"]["club/wins"] == "venkis {name}" and texts["eo"]["club/queue"] == "Queue"
    assert texts["ru"]["club/queue"] == "Очередь" and texts["ru"].keys() == texts["en"].keys() == texts["eo"].keys()


def test_a_changed_catalogue_is_compiled_anew_and_an_unchanged_one_is_not(fresh: Path):
    assert catalogue.languages() == ("en", "eo", "ru")
    assert "ankoraŭ" in catalogue.load("eo").gettext("play_no_games")
    made = (fresh / "seabattle.mo").stat()
    catalogue.load.cache_clear()
    catalogue.load("eo")
    assert (fresh / "seabattle.mo").stat() == made
    (fresh / "seabattle.po").write_text(ESPERANTO.replace("ankoraŭ", "gxis nun"), encoding="utf-8")
    catalogue.load.cache_clear()
    assert "gxis nun" in catalogue.load("eo").gettext("play_no_games")
    assert sorted(os.listdir(fresh)) == ["seabattle.mo", "seabattle.po"]


def test_a_compiled_catalogue_that_is_damaged_is_made_anew_or_where_it_cannot_be_written_read(fresh: Path, monkeypatch):
    (fresh / "seabattle.mo").write_bytes(b"\xde\x12\x04\x95" + bytes(10))
    assert "ankoraŭ" in catalogue.load("eo").gettext("play_no_games")
    (fresh / "seabattle.mo").unlink()
    catalogue.load.cache_clear()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    assert "ankoraŭ" in catalogue.load("eo").gettext("play_no_games")
    assert os.listdir(fresh) == ["seabattle.po"]


def test_what_cannot_be_compiled_says_which_package_it_needs(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "polib", None)
    with pytest.raises(UserError, match="pip install polib"):
        catalogue.load("eo")


# Messages of the operating system.


@pytest.mark.usefixtures("english")
def test_what_the_system_refuses_is_said_in_the_language_in_use():
    refused = PermissionError(errno.EACCES, "Permission denied")
    strange = OSError(errno.EL2HLT, "Level 2 halted")
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert [system.why(error) for error in (refused, strange)] == ["Permission denied", "Level 2 halted"]
    messages.use("ru")
    assert system.why(refused) == "нет прав доступа"
    assert system.why(strange) == "Level 2 halted (EL2HLT)"
    assert system.why(unknown) == "имя или адрес неизвестны"
    assert system.why(ValueError("bad bytes")) == "bad bytes" and system.why(OSError()) == "OSError"


def test_no_module_prints_the_words_of_the_system_by_itself():
    own = [path for path in PACKAGE.rglob("*.py") if re.search(r"(?<!os)\.strerror", path.read_text("utf-8"))]
    assert [path.name for path in own] == ["catalogue.py"]


@pytest.mark.usefixtures("english")
def test_a_file_that_is_not_there_is_named_in_russian(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for command in (["decode"], ["jury"]):
        assert cli.main([*command, str(tmp_path / "none"), "--lang", "ru"]) == 2
        assert "нет такого файла или папки" in capsys.readouterr().err
