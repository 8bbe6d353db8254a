"""Numbers with their nouns, in both languages."""

import pytest

from seabattle_host.language import words
from seabattle_host.language.counts import NOUNS, count
from seabattle_host.language.phrases import say


@pytest.mark.parametrize(
    ("number", "english", "russian"),
    [
        (0, "0 decks", "0 палуб"),
        (1, "1 deck", "1 палуба"),
        (2, "2 decks", "2 палубы"),
        (5, "5 decks", "5 палуб"),
        (11, "11 decks", "11 палуб"),
        (12, "12 decks", "12 палуб"),
        (21, "21 decks", "21 палуба"),
        (23, "23 decks", "23 палубы"),
        (111, "111 decks", "111 палуб"),
    ],
)
def test_a_number_takes_the_form_of_its_noun(number: int, english: str, russian: str):
    assert count(number, "deck", "en") == english
    assert count(number, "deck", "ru") == russian


def test_every_noun_has_as_many_forms_as_its_language():
    assert all(len(forms["en"]) == 2 and len(forms["ru"]) == 3 for forms in NOUNS.values())


def test_a_message_counts_what_it_names():
    words.use("ru")
    try:
        assert say("params_fit", decks=21, cells=100, wall=0, ships=1).startswith(
            "Помещается: 21 палуба на 100 клетках; "
        )
        assert "0 из 1 корабля." in say("params_fit", decks=1, cells=36, wall=0, ships=1)
    finally:
        words.use("en")
    assert "1 deck on 36 cells; 0 of 1 ship " in say("params_fit", decks=1, cells=36, wall=0, ships=1)
