"""Which questions call for preferences, and which sentences state one, in four languages."""

from __future__ import annotations

import numpy as np
import pytest

from growth import grows_gently
from ricordo.recall.preference import asks_for_preference, preferences
from ricordo.text.terms import fold


def firmness(*texts: str, rooms: list[int] | None = None) -> list[float]:
    found: list[float] = preferences(texts, np.array(rooms or range(len(texts)))).tolist()
    return found


@pytest.mark.parametrize(
    "question",
    [
        "Can you recommend a film for tonight?",
        "Any tips for my trip?",
        "What does Ben like to eat?",
        "What is Ben's favourite colour?",
        "Should I paint the boat?",
        "Kannst du mir ein Buch empfehlen?",
        "Was mag Ines am liebsten?",
        "Was soll ich kochen?",
        "Quel film me conseilles-tu ?",
        "¿Qué libro me recomiendas?",
        "¿Qué le gusta a Ana?",
    ],
)
def test_questions_that_call_for_preferences(question: str) -> None:
    assert asks_for_preference(fold(question))


@pytest.mark.parametrize(
    "question",
    ["When did we buy the boat?", "Who fixed the mast?", "Wann war der Termin?", "Où est la clé ?", "¿Cuándo llegó?"],
)
def test_questions_that_call_for_none(question: str) -> None:
    assert not asks_for_preference(fold(question))


@pytest.mark.parametrize(
    "text",
    [
        "I prefer oat milk.",
        "Honestly I really love the sea.",
        "I can’t stand horror films",
        "I've always taken the train.",
        "My favourite is the red one!",
        "We usually cook at home.",
        "I'm allergic to nuts.",
        "Ich esse am liebsten Suppe.",
        "Sellerie mag ich nicht.",
        "Meine Lieblingsfarbe ist Grün.",
        "J’aime le théâtre.",
        "C'est mon film préféré.",
        "Me encanta bailar.",
        "Siempre tomo el tren.",
    ],
)
def test_statements_of_a_liking_a_habit_or_a_choice(text: str) -> None:
    assert firmness(text)[0] > 0


@pytest.mark.parametrize(
    "text", ["", "The boat is red.", "It looks like rain.", "Ben said so.", "Das Boot ist rot.", "猫が好き"]
)
def test_statements_of_something_else_or_in_a_language_without_rules(text: str) -> None:
    assert firmness(text) == [0.0]


def test_a_matter_that_comes_back_in_several_conversations_counts_more_than_one_remark() -> None:
    again = ["I prefer oat milk.", "I love oat cakes.", "I always take oat milk.", "I like pine."]
    apart, together = firmness(*again), firmness(*again, rooms=[1, 1, 1, 1])
    assert apart[0] > apart[3] > 0
    assert together[0] == together[3] == apart[3]
    assert max(firmness(*["I prefer oat milk."] * 20)) == 1.0


def test_long_texts_are_read_at_once() -> None:
    assert grows_gently(lambda words: firmness(*["i " + "very " * words] * 50), 20_000)
    assert grows_gently(lambda words: firmness(*["ich " * words] * 50), 25_000)
