"""Phrases that can name a thing, cut out of a text by rules: what a noun stands behind, and how words are written.

No parser and no model: where a language's rules are not known, a phrase is a run of words that are not plain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ricordo.text import NAMELESS, WORD, fold, stem
from ricordo.text.plain import (
    BEFORE_VERBS,
    DETERMINERS,
    OPENERS,
    PLAIN,
    PLAIN_GERMAN,
    PLAIN_PAIRS,
    SHELLS,
    plain_english,
)

#: How much of a long text is looked at: what it is about is said early.
_LOOK = 4_000
#: Every alternative begins with a character or class, so that most places of a text are ruled out at once.
_SENTENCE = re.compile(
    r"\s(?<=[.!?…]\s)\s*|\n\n*|\s[-–—]+\s|[,;:()\[\]{}\"“”„«»/|*•]\s*|https?\S+|www\S+|`[^`\n]*`|[。、！？，：；]"
)
#: Square brackets, but no link: its text is said.
_ASIDE = re.compile(r"\[[^\[\]]*\](?!\()")
_TOKEN = re.compile(rf"{WORD}(?:['’.\-]{WORD})*")
#: The same of ASCII.
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:['.\-][A-Za-z0-9]+)*")
#: Runs of one kind of sign in writing without spaces.
_RUN = re.compile("[\u4e00-\u9fff々]{2,}|[\u30a1-\u30f4ー]{2,}|[\uac00-\ud7af]+")
_HAN = re.compile("[\u4e00-\u9fff々]+")
_PARTICLE = re.compile("(?<=[\uac00-\ud7af]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|에|의|로|와|과|도)$")
#: Languages whose nouns are told by the words before them.
_ARTICLED = frozenset(["en", "fr", "es", "it", "pt", "nl", "ca"])
_LONGEST_PHRASE = 3
#: Endings of English words that go with a noun and are none.
_ADJECTIVAL = ("ful", "ous", "able", "ible", "less", "ient")


class Word(NamedTuple):
    """A word as it is written, the stem that it counts under, and whether it has a capital."""

    surface: str
    stem: str
    capital: bool = False


Phrase = tuple[Word, ...]


class Found(NamedTuple):
    """A phrase, and whether the place that it stands in shows that it is a noun's or a name's."""

    phrase: Phrase
    sure: bool
    #: The word before it in its part of a sentence, folded; "" where it begins one.
    before: str = ""


def phrases(text: str, language: str) -> tuple[Found, ...]:
    """The phrases of a text in their order, without what only stands in square brackets beside it: "[a photo of …]"."""
    return tuple(_found(text[:_LOOK], language))


def _found(read: str, language: str) -> Iterator[Found]:
    unspaced = not read.isascii() and _RUN.search(read)
    said = _ASIDE.sub("\n", read)
    for part in _SENTENCE.split(said if any(map(str.isalpha, said)) else read):
        if part and not part.isspace():
            yield from _unspaced(part) if unspaced and _RUN.search(part) else _of_sentence(part, language)


def nouns(found: Sequence[Found]) -> set[str]:
    """The stems that stand surely as nouns at the end of a phrase."""
    sure = [each.phrase for each in found if each.sure]
    ends = {phrase[-1].stem for phrase in sure}
    alone = {phrase[-1].stem for phrase in sure if len(phrase) == 1 or not _verbal(phrase[-1])}
    # "The mast bends" is no compound if masts are spoken of and bends are not.
    return {phrase[-1].stem for phrase in sure if phrase[-1].stem in alone or phrase[-2].stem not in ends}


def _verbal(word: Word) -> bool:
    return not word.capital and word.surface.endswith(("s", "ing", "e"))


def names(found: Sequence[Found]) -> set[str]:
    """The stems that are written with a capital inside sentences, and hardly ever without one."""
    capital: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for each in found:
        for index, word in enumerate(each.phrase):
            if index or each.before:
                (capital if word.capital else plain)[word.stem] += 1
    return {each for each, count in capital.items() if count > 3 * plain[each]}


def _of_sentence(sentence: str, language: str) -> Iterator[Found]:
    tokens = (_ASCII_TOKEN if sentence.isascii() else _TOKEN).findall(sentence)
    before, first = "", True
    run: list[Word] = []
    for index, token in enumerate(tokens):
        read = _read(token, language, index == 0)
        if read.word is not None:
            if not run:
                first = index == 0
            run.append(read.word)
            if not read.closes:
                continue
        if run:
            if read.folded not in SHELLS or before not in DETERMINERS:
                yield from _cut(run, before, first, language)
            run = []
        if not (read.describes and before in DETERMINERS):
            before = read.folded
    if run:
        yield from _cut(run, before, first, language)


class _Token(NamedTuple):
    folded: str
    #: It as a word of a phrase, None for one that ends it.
    word: Word | None
    #: Whether no compound goes on behind it: a possessive, or an English plural ("students succeed").
    closes: bool
    #: Whether behind a determiner it only describes what follows: in "your small torque wrench" the noun stands behind
    #: "your".
    describes: bool


@lru_cache(maxsize=65536)
def _read(token: str, language: str, first: bool) -> _Token:
    folded = fold(token)
    word = _word(token, language, first)
    possessive = token.endswith(("'s", "’s"))
    return _Token(
        folded,
        word,
        closes=possessive or (word is not None and language == "en" and _plural(word)),
        describes=folded in PLAIN and folded not in NAMELESS and folded not in SHELLS,
    )


def _plural(word: Word) -> bool:
    return word.surface.endswith("s") and word.surface[-2:] not in ("ss", "us", "is") and not word.capital


def _word(token: str, language: str, first: bool) -> Word | None:
    base = token.removesuffix("'s").removesuffix("’s")
    folded = fold(base)
    letters = sum(each.isalpha() for each in folded)
    if letters < 3 or letters < len(folded) / 2 or folded[0].isdigit() or "'" in base or "’" in base:
        return None
    capital = base[:1].isupper() and not first and not (len(base) > 5 and base.isupper())
    if folded in PLAIN or folded in OPENERS or (language == "de" and folded in PLAIN_GERMAN):
        return None
    if language == "en" and not capital and plain_english(folded):
        return None
    if language == "de" and not base[:1].isupper():
        return None
    return Word(base, stem(folded, language), base[:1].isupper())


def _cut(run: list[Word], before: str, first: bool, language: str) -> Iterator[Found]:
    """The phrase of a run of words, as far as what stands before it tells."""
    if language in _ARTICLED:
        if before in BEFORE_VERBS and not run[0].capital:
            run = run[1:]  # "I tried silicone wire": what comes after a verb is its object
        if len(run) > 1 and run[0].surface.endswith("ing") and before not in DETERMINERS:
            run = run[1:]  # "for promoting art", not "the baking trays"
        while run and language == "en" and fold(run[-1].surface).endswith(_ADJECTIVAL):
            run.pop()
        if not run:
            return
        sure = before in OPENERS or (before == "to" and run[0].capital)
    elif language == "de":
        # Nouns stand side by side by chance ("im Frühling Tomaten pflanzen"), and any word begins a sentence.
        sure = not first
        run = run[1:] if first and len(run) > 1 else run
        if len(run) > 1:
            yield from (Found((word,), True, before) for word in run)
            sure = False
    else:
        sure = False
    named = run[-1].capital and not (first and len(run) == 1)
    yield Found(tuple(run[-_LONGEST_PHRASE:]), sure or (named and language != "de"), before)


def _unspaced(part: str) -> Iterator[Found]:
    """Words of Chinese, Japanese and Korean: runs of one kind of sign, long ones of Han in pairs."""
    for run in _RUN.findall(part):
        if not _HAN.fullmatch(run):
            word = _PARTICLE.sub("", run)
            if len(word) > 1:
                yield Found((Word(word, word, word[:1].isupper()),), True)
        elif len(run) <= 4 and run not in PLAIN_PAIRS:
            yield Found((Word(run, run),), True)
        else:
            for start in range(len(run) - 1):
                if (pair := run[start : start + 2]) not in PLAIN_PAIRS:
                    yield Found((Word(pair, pair),), False)
