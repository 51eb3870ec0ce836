"""Pronouns for the speaker and the person spoken to, by language. Other languages are not covered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Folded, as `ricordo.text.words` gives them: "I'm" is two words. Left out is what has another meaning as well, such as
#: German "ihr" and "Sie".
_FIRST = {
    "en": _words("i me my mine myself we us our ours ourselves im ive"),
    "de": _words(
        """
        ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer unseres
        """
    ),
    "fr": _words("je j me m moi mon ma mes nous notre nos"),
    "es": _words("yo me mi mis conmigo nosotros nosotras nos nuestro nuestra nuestros nuestras"),
}
_SECOND = {
    "en": _words("you your yours yourself yourselves youre youve ya u ur"),
    "de": _words("du dich dir dein deine deinen deinem deiner deines euch euer eure euren eurem eurer eures"),
    "fr": _words("tu te t toi ton ta tes vous votre vos"),
    "es": _words("tu te ti tus contigo usted ustedes vosotros vosotras vuestro vuestra vuestros vuestras"),
}


@lru_cache(32)
def first_person(languages: Iterable[str]) -> frozenset[str]:
    """The words for "I", "my", "we" and the like in these languages (ISO 639-1) and in English."""
    return _FIRST["en"].union(*(_FIRST.get(each, frozenset()) for each in languages))


@lru_cache(32)
def second_person(languages: Iterable[str]) -> frozenset[str]:
    """The words for "you", "your" and the like in these languages (ISO 639-1) and in English."""
    return _SECOND["en"].union(*(_SECOND.get(each, frozenset()) for each in languages))
