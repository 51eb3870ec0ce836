"""Pronouns for the speaker and the person spoken to, by language. Other languages are not covered."""

from __future__ import annotations

from functools import lru_cache

from ricordo.text.english import word_set

#: Folded, as `ricordo.text.words` gives them: "I'm" is two words. Left out is what has another meaning as well, such as
#: German "ihr" and "Sie".
_FIRST = {
    "en": word_set("i me my mine myself we us our ours ourselves im ive"),
    "de": word_set(
        """
        ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer unseres
        """
    ),
    "fr": word_set("je j me m moi mon ma mes nous notre nos"),
    "es": word_set("yo me mi mis conmigo nosotros nosotras nos nuestro nuestra nuestros nuestras"),
}
_SECOND = {
    "en": word_set("you your yours yourself yourselves youre youve ya u ur"),
    "de": word_set("du dich dir dein deine deinen deinem deiner deines euch euer eure euren eurem eurer eures"),
    "fr": word_set("tu te t toi ton ta tes vous votre vos"),
    "es": word_set("tu te ti tus contigo usted ustedes vosotros vosotras vuestro vuestra vuestros vuestras"),
}


@lru_cache(32)
def first_person(languages: tuple[str, ...]) -> frozenset[str]:
    """The words for "I", "my", "we" and the like in these languages (ISO 639-1) and in English."""
    return _FIRST["en"].union(*(_FIRST.get(each, frozenset()) for each in languages))


@lru_cache(32)
def second_person(languages: tuple[str, ...]) -> frozenset[str]:
    """The words for "you", "your" and the like in these languages (ISO 639-1) and in English."""
    return _SECOND["en"].union(*(_SECOND.get(each, frozenset()) for each in languages))
