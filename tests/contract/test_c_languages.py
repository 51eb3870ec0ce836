"""C: a question finds turns in other languages, where the multilingual model is installed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from py3langid.langid import LanguageIdentifier

from ricordo.blocking import Memory
from ricordo.settings import Settings
from ricordo.text import closest, language

OTHERS = [
    "We drove to the coast on Saturday and it rained all day.",
    "The new printer at the office is out of toner again.",
    "I finished the second season of that detective series.",
    "Lunch was soup and bread, nothing special.",
]


def _tell(memory: Memory, *texts: str) -> None:
    for number, text in enumerate(texts):
        memory.mine([{"role": "user", "content": text}], conversation=f"{text[:10]}-{number}")
    memory.embed_pending()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Mein Zahnarzt heißt Doktor Weber und hat seine Praxis am Markt.", "What is the name of my dentist?"),
        ("У меня аллергия на орехи, особенно на фундук.", "What am I allergic to?"),
        ("I left the cellar keys with the neighbor downstairs.", "Où sont les clés de la cave ?"),
        ("The rent is fifteen thousand lira a month.", "Kira ne kadar?"),
    ],
)
def test_c_a_question_finds_a_turn_in_another_language(with_vectors: Settings, told: str, asked: str) -> None:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        _tell(memory, *OTHERS, told)
        hit = next(iter(memory.recall(asked)))
        assert hit.text == told and hit.signals["translation"] > 0


def test_c_turns_in_the_language_of_the_question_are_compared_as_before(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        _tell(memory, *OTHERS)
        assert all(hit.signals["translation"] == 0 for hit in memory.recall("What did I do on Saturday?"))


def test_c_redacted_turns_are_not_found_by_translation(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        _tell(memory, *OTHERS, "Mein Zahnarzt heißt Doktor Weber.")
        hit = next(iter(memory.recall("What is the name of my dentist?")))
        memory.entries.redact(hit.id)
        assert all("Weber" not in each.text for each in memory.recall("What is the name of my dentist?"))
        assert memory.audit.sound().found == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [("Bye!", ""), ("Where is it?", "en"), ("Wo ist es?", "de"), ("我妹妹在上海工作。", "zh"), ("¿Dónde está?", "es")],
)
def test_c_the_language_of_a_short_text(text: str, language: str) -> None:
    assert closest(text) == language


def test_the_model_of_languages_is_read_once_for_both_of_its_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    read, from_file = [], LanguageIdentifier.from_model_file
    monkeypatch.setattr(LanguageIdentifier, "from_model_file", lambda *a, **k: read.append(a) or from_file(*a, **k))
    monkeypatch.setattr(language, "_identifier", cache(language._identifier.__wrapped__))
    monkeypatch.setattr(language, "_multilingual", cache(language._multilingual.__wrapped__))
    basque = "Kaixo, nire izena Ane da eta Bilbon bizi naiz, ibaiaren ondoan dagoen etxe batean."
    for _ in range(2):  # the second use is of fewer languages, and leaves the first as it was
        assert (language.detect([basque]), language.closest("Wo liegt das Ersatzteil?")) == ("eu", "de")
        assert language.closest(basque) != "eu"
        language._language.cache_clear()
    assert len(read) == 1
