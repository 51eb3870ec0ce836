"""Text → search terms, the same for what is stored and what is asked, in every language.

A term is a word without case and accents, cut to its stem by Snowball where the language is known. Runs of
Chinese, Japanese, Thai and other writing without spaces become pairs of characters. Function words of a text
in English are no terms. Postings hold a term's 32-bit hash, not its letters.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache

import Stemmer

from ricordo.text.decisions import DECISION, may_decide
from ricordo.text.patterns import lazy
from ricordo.text.stopwords import ENGLISH

#: ISO 639-1 codes of the languages that Snowball stems, with its names for them.
STEMMED = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

#: Marks that are no accents, and that `\w` leaves out: the vowel signs of Asia's scripts, and kana's voicing.
_MARKS = frozenset(
    each for each in map(chr, [*range(0x900, 0x1D00), 0x3099, 0x309A]) if unicodedata.category(each).startswith("M")
)
#: A run of letters, digits and such marks, as a regular expression.
WORD = rf"(?:[^\W_]|[{''.join(sorted(_MARKS))}])+"
#: The same in text without underscores, which takes half the time.
_WORD = lazy(rf"[\w{''.join(sorted(_MARKS))}]+")
#: The same in folded text that is all ASCII, which takes a third of the time.
_ASCII_WORD = lazy("[a-z0-9]+")
#: Scripts that put no spaces between words: Han, kana, Hangul, Thai, Lao, Myanmar, Khmer.
_UNSPACED = lazy(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003134f]+"
)
#: Those of them in which one character may be a word: Han and Hangul.
_SYLLABLE = lazy("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]")
#: Letters that Unicode does not take apart into a base and an accent.
_FOLDED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_MONTHS = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip


def fold(text: str) -> str:
    """The text without case, accents and compatibility forms (full-width letters, ligatures)."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    apart = apart.replace("и\u0306", "й")  # a letter of its own, and Snowball's Russian endings need it
    # A text has few different characters, and mostly no mark at all.
    marks = [each for each in set(apart) if unicodedata.combining(each) and each not in _MARKS]
    bare = apart.translate(dict.fromkeys(map(ord, marks))) if marks else apart
    return unicodedata.normalize("NFC", bare).translate(_FOLDED)


def words(text: str) -> Iterator[str]:
    """The folded words of a text in their order; unspaced writing as overlapping pairs of characters."""
    folded = fold(text)
    return iter(_ASCII_WORD.findall(folded)) if folded.isascii() else _words(folded)


def _words(folded: str) -> Iterator[str]:
    for word in _WORD.findall(folded.replace("_", " ")):
        if word.isascii():
            yield word
            continue
        rest = 0
        for run in _UNSPACED.finditer(word):
            if run.start() > rest:
                yield word[rest : run.start()]
            yield from _pairs(run.group())
            rest = run.end()
        if rest < len(word):
            yield word[rest:]


def is_indexed(word: str, language: str) -> bool:
    """Whether a word of a text is a term: English function words are none."""
    return language != "en" or word not in ENGLISH


def terms(text: str, language: str) -> list[str]:
    """The terms of a stored text, with repetition. `language` is an ISO 639-1 code or ''.

    They are its words, and the single characters of unspaced writing that may be asked for alone.
    """
    found = [stem(word, language) for word in words(text) if is_indexed(word, language)]
    if not text.isascii():
        for run in _UNSPACED.findall(fold(text)):
            if len(run) > 1:
                found += _SYLLABLE.findall(run)
    return found


def variants(word: str, languages: Iterable[str]) -> frozenset[str]:
    """Every form that `word`, asked for, may have in the index of a user who speaks `languages`."""
    return frozenset([word, *(stem(word, language) for language in languages)])


def memory_terms(content: str, speaker: str, said_at: datetime, language: str) -> list[str]:
    """The terms of a memory: its text, who said it and the day when, so that both can be asked for, and DECISION where
    it may decide something.

    Function words are names here: a speaker may be called Will.
    """
    day = f"{said_at.day} {_MONTHS[said_at.month - 1]} {said_at.year}"
    found = terms(content, language) + [stem(each, language) for each in words(f"{speaker} {day}")]
    return [*found, DECISION] if may_decide(content) else found


def term_count(terms: Sequence[str]) -> int:
    """How many terms a memory has, of those that `memory_terms` or `loose_terms` gave: DECISION does not count."""
    return len(terms) - (DECISION in terms[-1:])


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """The Snowball stem where the language has one, else the word. Source: snowballstem.org."""
    algorithm = STEMMED.get(language)
    return word if algorithm is None else str(_stemmer(algorithm).stemWord(word))


@lru_cache(maxsize=65536)
def term_hash(term: str) -> int:
    """A term as PostgreSQL's integer: CRC-32, signed. Two of a user's 50,000 terms collide by chance .3 times."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) - 0x80000000


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


@cache
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm)


#: Memories that stand in no room are too short to tell a language by; questions look for English stems in any case.
_LOOSE_LANGUAGE = "en"


def loose_terms(text: str) -> list[str]:
    """The search terms of a memory that stands in no room, with repetition."""
    return terms(text, _LOOSE_LANGUAGE)
