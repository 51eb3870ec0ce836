"""What must hold of the terms of any text: nothing crashes, and what is stored can be asked for."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ricordo.text.stopwords import ENGLISH
from ricordo.text.terms import fold, term_hash, terms, variants, words

#: Every character there is, with half surrogates, and letters of many scripts more often.
character = st.characters() | st.sampled_from("aeSZßüéİıЙйёאبाक्ต้がカ漢字한글ﬁ①²'’-_ \0\ud800🔋\u0301\u3099")
text = st.text(character, max_size=30)
language = st.sampled_from(["", "en", "de", "fr", "ru", "hi", "ta", "tr", "ar", "el", "ja", "zh", "xx"])


@given(text)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(text)
def test_neither_case_nor_composition_matters(text: str) -> None:
    assert fold(text.casefold()) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@given(text)
def test_words_are_words_of_the_folded_text(text: str) -> None:
    folded = fold(text)
    for word in words(text):
        assert word and word in folded
        assert list(words(word)) == [word]


@given(text, language)
def test_every_word_asked_for_alone_is_found(text: str, language: str) -> None:
    index = {term_hash(term) for term in terms(text, language)}
    for word in words(text):
        if language != "en" or word not in ENGLISH:
            assert index & {term_hash(form) for form in variants(word, (language,))}


@given(text, text, language)
def test_terms_of_two_texts_are_those_of_each(one: str, other: str, language: str) -> None:
    assert sorted(terms(f"{one}\n{other}", language)) == sorted(terms(one, language) + terms(other, language))
