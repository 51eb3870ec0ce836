"""Phrases behind a verb: what is liked, what is owned, which trade, which day. English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ricordo.facts.naming import Names, written
from ricordo.facts.sentences import Sentence
from ricordo.text.english import CONSUMED, NO_NAMES, PHRASE_ENDS, PRODUCTS, THINGS, TRADES, word_set

_DETERMINERS = word_set(
    """
    best better most least more the this that these those my your his her our their its it me you him them us how
    when what where who why to a an some any all every everything anything nothing one ones there here being having
    so such no not i we he she they another watching seeing hearing knowing if as about doing
    """
)
#: Words that judge, and make of "a great teacher" no trade.
_JUDGING = word_set(
    """
    great good terrible bad huge amazing wonderful natural real true little bit total big better proud lucky perfect
    such fellow born
    """
)
_PLAIN = word_set(
    """
    current previous entire whole beloved trusty favorite favourite new old used second-hand secondhand nice
    beautiful small big large little cheap expensive red blue green black white cool great lovely brand-new brand
    vintage good shiny own first second fancy simple tiny couple decent solid pretty
    """
)
#: Words behind which a phrase that seemed over goes on.
_CONTINUING = frozenset(["who", "that", "your", "you", "of", "about", "being", "it"])
#: Doings that mean nothing alone.
_EMPTY = word_set("making getting doing being having going using escaping taking finding playing trying")
_SOFT_ENDS = word_set("at in on with to for my the of by from into up a an")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words `first` to before `last` of a sentence, as they should be shown."""

    first: int
    last: int
    text: str


def liked(sentence: Sentence, at: int) -> Phrase | None:
    """What is liked or preferred: a short phrase of nouns, or a doing ("working at night")."""
    words = sentence.words
    if at >= len(words) or words[at].key in _DETERMINERS or words[at].key in PHRASE_ENDS:
        return None
    doing = words[at].key.endswith("ing") and len(words[at].key) > 4
    last, most = at, 6 if doing else 4
    while last < len(words) and (last == at or _close(sentence, last)):
        word = words[last].key
        if word in PHRASE_ENDS and not (doing and word in _SOFT_ENDS and last > at):
            break
        last += 1
        if last - at > most:
            return None
    if last == at or words[last - 1].key in _DETERMINERS:
        return None
    if doing and (words[last - 1].key in _SOFT_ENDS or (last == at + 1 and words[at].key in _EMPTY)):
        return None
    if last == at + 1 and _is_adjective(sentence, last):
        return None
    if last < len(words) and _close(sentence, last):
        if words[last].key in _CONTINUING or (doing and words[last].key in _DETERMINERS):
            return None
        if words[last].key == "and" and last == at + 1 and not doing:
            last = _coordinated(sentence, last)
    return Phrase(at, last, _shown(sentence, at, last))


def _is_adjective(sentence: Sentence, behind: int) -> bool:
    """Whether a noun is still to come behind a word and a comma: "complex, atmospheric shows"."""
    words = sentence.words
    if behind + 1 >= len(words) or _close(sentence, behind) or not _close(sentence, behind + 1):
        return False
    comma = sentence.text[words[behind - 1].end - sentence.start :][:1] == ","
    return comma and all(
        each.key not in PHRASE_ENDS and each.key not in _DETERMINERS for each in words[behind : behind + 2]
    )


def _coordinated(sentence: Sentence, at: int) -> int:
    """Where a phrase ends whose "and" is at a word: "action and sci-fi movies" is one, "jazz and I dance" is not."""
    words, last = sentence.words, at + 1
    while last < len(words) and _close(sentence, last) and last - at < 4 and words[last].key not in PHRASE_ENDS:
        last += 1
    whole = last > at + 1 and (last == len(words) or not _close(sentence, last))
    return last if whole else at


def trade(sentence: Sentence, at: int) -> Phrase | None:
    """A role: up to five words that end in a trade."""
    words, last = sentence.words, at
    found = None
    while last < len(words) and last - at < 5 and (last == at or _close(sentence, last)):
        word = words[last].key
        if word in PHRASE_ENDS or word in _JUDGING or words[last].text.endswith(("'s", "’s")):
            break
        last += 1
        if word in TRADES:
            found = last
    if found is None:
        return None
    if found < len(words) and _close(sentence, found) and words[found].key not in PHRASE_ENDS:
        return None
    return Phrase(at, found, _shown(sentence, at, found))


def thing(sentence: Sentence, at: int, names: Names, product: bool = False, bought: bool = False) -> Phrase | None:
    """Something that can be owned; with `product` also one that only its capital shows ("bought a Zorki").

    With `bought` the verb says that it is a thing, whatever it is called ("bought a bandsaw").
    """
    words, last = sentence.words, at
    while last < len(words) and last - at < 6 and (last == at or _close(sentence, last)):
        if words[last].key in PHRASE_ENDS:
            break
        last += 1
        if words[last - 1].text.endswith(("'s", "’s")):
            break
    first = at
    while first < last and words[first].key in _PLAIN:
        first += 1
    for end in range(last, first, -1):
        if words[end - 1].key in THINGS and end - first <= 4 and end == last:
            return Phrase(first, end, _shown(sentence, first, end))
    run = names.run(sentence, first) if first < last else first
    if first < run == last and (
        _is_product(sentence, first, run, names) if product else _is_make(sentence, first, names)
    ):
        return Phrase(first, run, written(words[first:run]))
    if bought and 0 < last - first <= 2 and _is_ware(sentence, first, last):
        return Phrase(first, last, _shown(sentence, first, last))
    return None


def _is_ware(sentence: Sentence, first: int, last: int) -> bool:
    """Whether a phrase of one or two plain words can be a thing that is kept."""
    return all(
        word.text.isalpha() and word.text.islower() and len(word.text) > 2 and word.key not in CONSUMED
        for word in sentence.words[first:last]
    )


def _is_product(sentence: Sentence, first: int, last: int, names: Names) -> bool:
    word = sentence.words[first].text
    if word.isupper() and word.isalpha() and len(word) < 5:
        return False
    kind = names.kind(sentence, first, last)
    return first > 0 and kind in (None, "item") and sentence.words[first].key not in NO_NAMES


def _is_make(sentence: Sentence, first: int, names: Names) -> bool:
    """Whether a capitalised word is a make or product that is well known, or known to the palace as an item."""
    return sentence.words[first].key in PRODUCTS or names.kind(sentence, first, first + 1) == "item"


def words_behind(sentence: Sentence, at: int, most: int) -> Phrase | None:
    """Up to `most` words, up to where the phrase ends."""
    words, last = sentence.words, at
    while last < len(words) and (last == at or _close(sentence, last)) and words[last].key not in PHRASE_ENDS:
        last += 1
        if last - at > most:
            return None
    return Phrase(at, last, _shown(sentence, at, last)) if last > at else None


def day(text: str) -> str | None:
    """The date at the beginning of a text, as it is written."""
    match = _date().match(text)
    return match.group().rstrip(" ,.") if match else None


@cache
def _date() -> re.Pattern[str]:
    month = (
        "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
        "|nov(?:ember)?|dec(?:ember)?)"
    )
    number = r"\d{1,2}(?:st|nd|rd|th)?"
    year = r"(?:,?\s(?:19|20)\d\d)?"
    return re.compile(
        rf"(?:{month}\.?\s{number}\b{year}|{number}\s(?:of\s)?{month}\b{year}|(?:19|20)\d\d-\d\d-\d\d"
        rf"|\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d\d|(?:19|20)\d\d\b)",
        re.IGNORECASE,
    )


def _shown(sentence: Sentence, first: int, last: int) -> str:
    words = sentence.words
    text = sentence.text[words[first].start - sentence.start : words[last - 1].end - sentence.start]
    return " ".join(text.split()).removesuffix("'s").removesuffix("’s")


def _close(sentence: Sentence, at: int) -> bool:
    """Whether nothing but a space stands before a word."""
    return sentence.words[at].start - sentence.words[at - 1].end == 1
