"""Which language a conversation is in, so that its words are stemmed by the right rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: Below this much text or certainty nothing is claimed, and words stay as they are.
_CHARACTERS = 60
_CERTAINTY = 0.95
#: Enough text to be sure by; more only costs time.
_ENOUGH = 6000
#: Languages that the multilingual model reads (ricordo.embedding.multilingual).
_READ = ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"]
#: Certainty and characters by which a short text's language is told. On 240 sentences in eleven languages that were
#: written for this all are right, and of 2,760 turns of LoCoMo none is taken for another language.
_LIKELY, _LONGEST = 0.4, 500
#: Words of English that no other of these languages has. They spare most questions the model, which takes long to load.
_ENGLISH = re.compile(
    r"\b(the|what|where|when|who|which|how|why|did|does|my|and|with|have|our|you|your|this|that|are|they|she)\b",
    re.IGNORECASE | re.ASCII,
)


def detect(texts: Iterable[str]) -> str:
    """The ISO 639-1 code of the language of these texts; '' where it is not certain."""
    sample = ""
    for text in texts:
        sample += text[:1000] + "\n"
        if len(sample) >= _ENOUGH:
            break
    if len(sample) < _CHARACTERS:
        return ""
    return _language(sample)


@lru_cache(maxsize=2)  # a conversation is asked for as a whole, and for its closets
def _language(sample: str) -> str:
    code, certainty = _identifier().classify(sample)
    return str(code) if certainty >= _CERTAINTY else ""


def closest(text: str) -> str:
    """The ISO 639-1 code of the language that a text, however short, is most likely in: one of those that the
    multilingual model reads. '' where it is not even likely."""
    if _ENGLISH.search(text):
        return "en"
    code, certainty = _multilingual().classify(text[:_LONGEST])
    return str(code) if certainty >= _LIKELY else ""


@cache
def _multilingual() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_READ)
    return identifier


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
