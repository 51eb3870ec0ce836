"""Which language a conversation is in, so that its words are stemmed by the right rules."""

from __future__ import annotations

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


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
