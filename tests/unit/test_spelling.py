"""Which spellings are one name, and which names only look alike."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.palace import keys, slug
from ricordo.palace.spelling import best_first


def one(first: str, second: str, language: str = "", proper: bool = False) -> bool:
    return bool({*keys(first, language, proper=proper)} & {*keys(second, language, proper=proper)})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Café Müller", "cafe MUELLER"),
        ("Straße", "Strasse"),
        ("E-Foil", "e foil"),
        ("The Efoil project", "efoil"),
        ("Projekt Haus", "haus"),
        ("Ｅ-Foil", "efoil"),
        ("Jürgen", "Juergen"),
    ],
)
def test_case_accents_umlauts_hyphens_and_articles_make_no_difference(first: str, second: str) -> None:
    assert one(first, second, proper=True)


@pytest.mark.parametrize(
    ("first", "second", "language"),
    [("Tax", "taxes", ""), ("Battery", "batteries", "en"), ("Katze", "Katzen", "de"), ("Boxes", "box", "")],
)
def test_things_are_one_in_the_plural_but_proper_names_are_not(first: str, second: str, language: str) -> None:
    assert one(first, second, language)
    assert not one(first, second, language, proper=True)


def test_names_that_look_alike_are_several() -> None:
    names = [
        "Joy",
        "Joey",
        "Michael",
        "Michal",
        "Andrea",
        "Andreas",
        "Sue",
        "Su",
        "Bauer",
        "Baur",
        "🔋",
        "🚗",
        "हिन्दी",
        "हद",
    ]
    assert not [pair for pair in combinations(names, 2) if one(*pair, proper=True)]


def test_the_plural_of_a_thing_never_meets_a_proper_name() -> None:
    assert not {*keys("Andreas")} & {*keys("Andrea", proper=True)}
    assert {*keys("Andreas")} & {*keys("Andreas", proper=True)}


def test_a_slug_is_readable_and_never_empty() -> None:
    assert (slug("The Café Müller"), slug("🔋"), slug(" "), slug("the")) == ("cafe-muller", "🔋", "unnamed", "the")


@given(st.text(max_size=40), st.booleans())
def test_every_name_has_keys_and_is_like_itself(name: str, proper: bool) -> None:
    assert all(keys(name, proper=proper)) and one(name, name.upper().lower(), proper=proper) | (not name.isascii())


@pytest.mark.parametrize(("first", "second"), [("Andrea", "Andreas"), ("Marc birthday", "Marcs birthday")])
@pytest.mark.parametrize("language", ["", "en", "de"])
def test_given_names_keep_their_endings_in_topics_too(first: str, second: str, language: str) -> None:
    assert not one(first, second, language)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Efoil Rebuild", "EFOIL REBUILD"),
        ("Müller", "Muller"),
        ("Müller", "Mueller"),
        ("Marc", "MARC"),
        ("Efoil", "EFOIL"),
        ("E-Foil", "EFOIL"),
        ("Lisbon", "lisbon"),
        ("efoil", "The Efoil project"),
        ("Zoë", "ZOE"),
    ],
)
def test_the_spelling_to_be_shown_has_its_accents_and_is_not_in_capitals(better: str, worse: str) -> None:
    assert min([worse, better], key=best_first) == better


@given(st.lists(st.text("aAäÄéBbß- ", min_size=1, max_size=6), min_size=1, max_size=6), st.randoms())
def test_the_best_spelling_is_the_same_in_whichever_order_they_come(names: list[str], chance: Random) -> None:
    shuffled = chance.sample(names, len(names))
    assert min(names, key=best_first) == min(shuffled, key=best_first)
