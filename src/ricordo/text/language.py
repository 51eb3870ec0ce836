"""Which language a conversation is in, so that its words are stemmed by the right rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ricordo.text.patterns import lazy

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
_ENGLISH = lazy(
    r"\b(the|what|where|when|who|which|how|why|did|does|my|and|with|have|our|you|your|this|that|are|they|she)\b",
    re.IGNORECASE | re.ASCII,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words by which the language of a text is told that is too short for statistics.
_FUNCTION_WORDS = {
    "en": _words(
        """
        the a an and is my i you to of that it was for at am not with have i'm we our are this be has been from your
        he she they what where who how do does did don't can't i've we're it's as by or if about will would there which
        than his her their me us just now on works lives likes loves has called moved am isn't doesn't named since
        """
    ),
    "de": _words(
        """
        der die das und ich ist nicht ein eine mein meine mit wir du bei heiße sie es den dem des zu auf für im am bin
        sind hat habe wird wohne wohnt wohnen unser unsere jetzt auch noch seit von vom zum zur nach mag arbeite kein
        keine einen einem einer er ihr uns mich dich mir dir aber oder wenn dass war wie wo wer heißt haben hast wurde
        ab gegen arbeitet spiele fahre lebe trinke esse gern gerne schon nur sehr als bis mein meinen meiner meinem
        bist seid dein deine kann will muss was warum wann
        """
    ),
    "es": _words(
        """
        a el la los y que mi de en es no con un una por me vivo trabajo soy se del al las lo le su mis tengo para como
        pero más ya está estoy somos yo tú muy hay ahora desde vive trabaja llama tiene años he ha hemos conduzco toco
        tomo bebo mis juego estudio estoy usamos tenemos nuestro nuestra nuestros vivimos trabajamos aprendo aprendiendo
        cambiamos nos quien también estudié trabajé compré dejé cambié empecé mudé llegué terminé
        """
    ),
    "fr": _words(
        """
        a le la les par et je est mon ma de un une pas en que j'habite suis avec à chez vis du des au aux j'ai ne ce
        cette mes il elle nous vous on sur dans pour plus mais très où qui ai as ont sont travaille s'appelle maintenant
        depuis c'est n'est notre nos votre conduis joue parle étudie habite utilisons sommes avons j'apprends apprends
        passés mange bois prends aime adore s'appellent
        """
    ),
}  # fmt: skip
_LANGUAGES_OF = {
    word: tuple(language for language, own in _FUNCTION_WORDS.items() if word in own)
    for word in frozenset().union(*_FUNCTION_WORDS.values())
}
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Letters that only one of these languages has.
_LETTERS = {
    "de": lazy("[äöüß]", re.I),
    "es": lazy("[ñ¿¡áíóú]", re.I),
    "fr": lazy("[èêçœû]|\\b[jlndcsm]['’]", re.I),
}


def of_words(texts: Iterable[str]) -> str:
    """The language of short texts by their function words: English, German, Spanish, French, or '' where they do not
    tell."""
    text = "\n".join(each[:500] for each in list(texts)[:20]).replace("’", "'")
    scores = dict.fromkeys(_FUNCTION_WORDS, 0.0)
    for word in _WORD.findall(text.lower()):
        for language in _LANGUAGES_OF.get(word, ()):
            scores[language] += 1
    for language, letters in _LETTERS.items():
        if not text.isascii() or (language == "fr" and "'" in text):  # of French, an elision is a mark too
            scores[language] += 0.5 * min(3, len(letters.findall(text)))
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=scores.__getitem__) if best > second and best >= 1 else ""


def detect(texts: Iterable[str]) -> str:
    """The ISO 639-1 code of the language of these texts; '' where it is not certain."""
    sample = ""
    for text in texts:
        sample += text[:1000] + "\n"
        if len(sample) >= _ENOUGH:
            break
    if len(sample) < _CHARACTERS:
        return of_words([sample]) if len(_WORD.findall(sample)) > 2 else ""
    return _language(sample)


@lru_cache(maxsize=128)  # each of the conversations that are mined together is asked for again, for its closets
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
    identifier = copy(_identifier())
    identifier.set_languages(_READ)
    return identifier


@cache
def _identifier() -> LanguageIdentifier:
    """The model with all its languages. Unpacking its file takes half a second, so it is done once in a process."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
