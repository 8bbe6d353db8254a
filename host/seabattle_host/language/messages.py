"""Everything the program says, by its key: `tr("port_lost", url=url)`, in the language that `use` chose.

The texts are in the catalogues under `locale`. In a text `{url}` stands for a field, `{shots:shot}` for the number in
the field `shots` and the form of the noun `shot` that goes with it. A text that a language lacks is shown in English.
"""

from __future__ import annotations

import locale
import os
import re
from contextvars import ContextVar
from gettext import GNUTranslations

from seabattle_host.language import catalogue

LANGUAGES = catalogue.languages()

_language = catalogue.ENGLISH

_here: ContextVar[str] = ContextVar("language of this thread or task", default="")
"""Instead of `_language`, where a thread speaks a language of its own."""

_COUNTED = re.compile(r"\{(\w+):([a-z_]{2,})\}")
_NOUN = "noun"
_ARGPARSE = "argparse"
_PAGE = "page"


def use(language: str | None) -> None:
    """Choose the language of everything said from now on, one of LANGUAGES; None is what the environment asks for.

    Raises UserError for a catalogue that cannot be read.
    """
    global _language
    chosen = language or environment()
    catalogue.load(chosen)
    _language = chosen


def environment() -> str:
    """The language that the environment asks for, English if there is no catalogue of it."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not asked and os.name == "nt":
        asked = locale.getlocale()[0] or ""
        asked = "ru" if asked.lower().startswith("russian") else asked
    asked = re.split("[.@]", asked)[0].lower()
    known = {name.lower(): name for name in LANGUAGES}
    return known.get(asked) or known.get(asked.split("_")[0]) or catalogue.ENGLISH


def use_here(language: str) -> None:
    """Choose the language of what this thread or task says, whatever `use` chooses for the others."""
    catalogue.load(language)
    _here.set(language)


def language() -> str:
    """The language in use."""
    return _here.get() or _language


def next_language() -> str:
    """The one after that in use, for a key that goes through all."""
    return LANGUAGES[(LANGUAGES.index(language()) + 1) % len(LANGUAGES)]


def russian() -> bool:
    """Whether that is Russian, whose columns have letters of their own."""
    return language() == "ru"


def tr(key: str, **fields: object) -> str:
    """The message with its fields filled in."""
    text = template(key)
    if ":" in text:
        text = _COUNTED.sub(lambda found: count(int(str(fields[found[1]])), found[2]), text)
    return text.format(**fields)


def template(key: str, language: str = "") -> str:
    """The message as it stands in the catalogue of a language, usually of that in use."""
    found = _catalogue(language).gettext(key)
    return found if found != key else _catalogue(catalogue.ENGLISH).gettext(key)


def of_page(language: str) -> dict[str, str]:
    """The words of the club's pages in a language, by their keys; what it does not have is in English."""
    texts = {}
    for wanted in (catalogue.ENGLISH, language):
        entries = vars(catalogue.load(wanted))["_catalog"]
        begin = f"{_PAGE}\x04"
        texts.update({key[len(begin) :]: text for key, text in entries.items() if str(key).startswith(begin) and text})
    return texts


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    form = _catalogue().npgettext(_NOUN, noun, "", number)
    if form in (noun, ""):
        form = _catalogue(catalogue.ENGLISH).npgettext(_NOUN, noun, "", number)
    return f"{number} {form}"


def of_argparse(english: str) -> str:
    """A text of argparse's own in the language in use."""
    return _catalogue().pgettext(_ARGPARSE, english)


def _catalogue(wanted: str = "") -> GNUTranslations:
    return catalogue.load(wanted or language())
