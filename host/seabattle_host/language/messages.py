"""All texts of the program by key: `tr("port_lost", url=url)`, in the language chosen with `use`.

The texts are in the catalogues under `locale`. In a text `{url}` is replaced by a field, `{shots:shot}` by the number
in the field `shots` and the matching form of the noun `shot`. A text missing in a language is shown in English.
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
"""Overrides `_language`, in a thread with its own language."""

_COUNTED = re.compile(r"\{(\w+):([a-z_]{2,})\}")
_NOUN = "noun"
_ARGPARSE = "argparse"
_PAGE = "page"


def use(language: str | None) -> None:
    """Set the language of all texts from now on, one of LANGUAGES; None for the environment's choice.

    Raises UserError for a catalogue that cannot be read.
    """
    global _language
    chosen = language or environment()
    catalogue.load(chosen)
    _language = chosen


def environment() -> str:
    """Return the language that the environment asks for, English if it has no catalogue."""
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not wanted and os.name == "nt":
        wanted = locale.getlocale()[0] or ""
        wanted = "ru" if wanted.lower().startswith("russian") else wanted
    wanted = re.split("[.@]", wanted)[0].lower()
    known = {name.lower(): name for name in LANGUAGES}
    return known.get(wanted) or known.get(wanted.split("_")[0]) or catalogue.ENGLISH


def use_here(language: str) -> None:
    """Set the language of this thread or task, whatever `use` sets for the others."""
    catalogue.load(language)
    _here.set(language)


def language() -> str:
    """Return the current language."""
    return _here.get() or _language


def next_language() -> str:
    """Return the language after the current one, for a key that cycles through all."""
    return LANGUAGES[(LANGUAGES.index(language()) + 1) % len(LANGUAGES)]


def russian() -> bool:
    """Return whether the language is Russian, whose columns have their own letters."""
    return language() == "ru"


def tr(key: str, **fields: object) -> str:
    """Return the message with its fields filled in."""
    text = template(key)
    if ":" in text:
        text = _COUNTED.sub(lambda found: count(int(str(fields[found[1]])), found[2]), text)
    return text.format(**fields)


def template(key: str, language: str = "") -> str:
    """Return the message as in the catalogue of a language, by default the current one."""
    found = _catalogue(language).gettext(key)
    return found if found != key else _catalogue(catalogue.ENGLISH).gettext(key)


def of_page(language: str) -> dict[str, str]:
    """Return the texts of the club's pages in a language, by key; missing ones in English."""
    texts = {}
    for wanted in (catalogue.ENGLISH, language):
        entries = vars(catalogue.load(wanted))["_catalog"]
        begin = f"{_PAGE}\x04"
        texts.update({key[len(begin) :]: text for key, text in entries.items() if str(key).startswith(begin) and text})
    return texts


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    form = _catalogue().npgettext(_NOUN, noun, "", number)
    if form in (noun, ""):
        form = _catalogue(catalogue.ENGLISH).npgettext(_NOUN, noun, "", number)
    return f"{number} {form}"


def of_argparse(english: str) -> str:
    """Return a text of argparse in the current language."""
    return _catalogue().pgettext(_ARGPARSE, english)


def _catalogue(wanted: str = "") -> GNUTranslations:
    return catalogue.load(wanted or language())
