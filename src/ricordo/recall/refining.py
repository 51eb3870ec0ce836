"""Rereads the best candidates: compares their wording with the question's, and checks whether they state anything.

What this adds to a turn's score, for the best candidates only:

wording       how similar the turn's word pieces are to the question's, each to its best match
              (ricordo.embedding.tokens): in the turn, and in the turn together with a short previous one, since
              people leave out what was just said
telling       the turn has names, numbers or words such as "last Friday", which are often what the question asks for;
              they count less in long turns, which always have some

Both count less for a long question, such as a message to an assistant: most of its words are not what is asked for.
They count nothing for questions about advice or likings, because people express likings in other words than the
request. A turn that only asks the same question counts half: it is not an answer.

The weights were set by hand and checked on the data that `docs/performance.md` names; none was trained.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ricordo.embedding import TOKEN_BYTES, matches
from ricordo.recall.question import Question
from ricordo.text import ENGLISH, fold, term_hash, variants, words

#: The names of the signals.
SIGNALS = ("wording", "telling")
#: Candidates that are read once more. More change nothing on LoCoMo.
CANDIDATES = 50
#: The weight of `wording`, once for the turn alone and once for the turn with the previous one, and the similarity that
#: any turn has: only what exceeds it counts.
WORDING, COMMON = 2.0, 0.2
#: Number of word pieces up to which `wording` counts fully, and what it loses with each e-fold more: more pieces have
#: more matches. A previous turn with more pieces is not used: it would match any question.
_USUAL, _LONG = 24, 0.1
#: What names, numbers and relative times add. Three names and two times are as good as more.
NAMES, NUMBERS, TIMES = 0.4, 0.4, 0.25
_MOST_NAMES, _MOST_TIMES = 3, 2
#: Words of a question up to which both signals count whole.
_WORDS = 10
#: Characters of a turn up to which what it has counts whole.
_SHORT = 250
#: Characters of a turn that are read.
READ = 400
#: What an earlier asking counts, and how many words of its own it may have, as in "Hey, where is it again?".
_ASKED_BEFORE, _OWN_WORDS = 0.5, 2

_WORD_OR_END = re.compile(r"[A-Za-z]+|[.!?]")
_ENDS = frozenset(".!?")
_NUMBER = re.compile(r"\d")
#: Words that count from the day of the conversation.
_RELATIVE = frozenset(
    [
        "yesterday", "today", "tomorrow", "last", "next", "ago", "week", "weekend", "month", "year", "monday",
        "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tonight", "recently", "just",
    ]
)  # fmt: skip
_ONLY_ASKS = re.compile(r"[^.!。！\n]*[?？؟]\s*")


#: How many turns in another language are sure of a place among the first, down to which place, and what `translation`
#: must have given them: their words are not in the question's language, so that other signals give them little.
_LIFTED, _PLACE, _LIKELY = 3, 5, 0.6
_ABOVE = 0.001


def lift(given: Mapping[str, np.ndarray]) -> np.ndarray:
    """What the likeliest turns in another language need on top of what signals gave them, so that they stand among the
    first lines, without outdoing the best of those in the question's language."""
    translation = given["translation"]
    added = np.zeros(len(translation), np.float32)
    likely = np.argsort(-translation, kind="stable")[:_LIFTED]
    likely = likely[translation[likely] >= _LIKELY]
    totals = np.sum(list(given.values()), axis=0)
    if len(likely) and len(totals) >= _PLACE:
        bar = np.sort(totals)[-_PLACE]
        added[likely] = np.maximum(bar + _ABOVE - totals[likely], 0)
    return added


def focus(question: Question) -> float:
    """What both signals count for a question, by how long it is and what it asks for."""
    if question.of_preference:
        return 0.0
    return min(1.0, _WORDS / max(1, len(question.words)))


def wording(question: np.ndarray | None, tokens: Sequence[bytes | None], places: np.ndarray) -> np.ndarray:
    """What the signal adds to each turn, by the vectors of its word pieces and of the previous turn's, if that is a
    candidate too. Adds nothing if the question has no such vectors."""
    if question is None or not len(question) or not len(tokens):
        return np.zeros(len(tokens), np.float32)
    lengths = np.array([len(each or b"") // TOKEN_BYTES for each in tokens])
    own = matches(question, tokens)
    before, here = _pairs(places)
    short = lengths[before] <= _USUAL
    both = own.copy()
    both[here[short]] = np.maximum(own[here[short]], own[before[short]])
    found = sum(WORDING * np.maximum(each.mean(axis=1) - COMMON, 0) for each in (own, both))
    found = found - _LONG * np.log(np.maximum(lengths, _USUAL) / _USUAL)
    worth: np.ndarray = np.maximum(found, 0).astype(np.float32)
    return worth


def _pairs(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The turns at these places that directly precede another of them, and those that they precede."""
    order = np.argsort(places)
    after = np.flatnonzero(np.diff(places[order]) == 1)
    return order[after], order[after + 1]


def telling(texts: Sequence[str], lengths: np.ndarray) -> np.ndarray:
    """What the signal adds to each turn, by the beginnings of their texts and their whole lengths."""
    found = np.array([_told(text) for text in texts], np.float32)
    dense: np.ndarray = found * np.minimum(1, _SHORT / np.maximum(lengths, 1)).astype(np.float32)
    return dense


def asked_before(question: Question, texts: Sequence[str], languages: tuple[str, ...]) -> np.ndarray:
    """What the signals of each turn count: less where it only asks what is asked now."""
    asked = frozenset[int]().union(*question.words.values())
    return np.array([_ASKED_BEFORE if _only_asks(text, asked, languages) else 1.0 for text in texts], np.float32)


@lru_cache(maxsize=4096)
def _told(text: str) -> float:
    """What names, numbers and relative times of a text add; the same turns are candidates of many questions."""
    parts = _WORD_OR_END.findall(text)
    names = min(len(_names(parts)), _MOST_NAMES) / _MOST_NAMES
    times = min(sum(part.lower() in _RELATIVE for part in parts), _MOST_TIMES) / _MOST_TIMES
    return NAMES * names + NUMBERS * (_NUMBER.search(text) is not None) + TIMES * times


def _names(parts: Sequence[str]) -> list[str]:
    """Words with a capital that do not begin a sentence."""
    return [part for before, part in pairwise(parts) if part.istitle() and len(part) > 1 and before not in _ENDS]


def _only_asks(text: str, asked: frozenset[int], languages: tuple[str, ...]) -> bool:
    if len(text) >= READ or not _ONLY_ASKS.fullmatch(text):
        return False
    own = [word for word in words(text) if not _is_asked(word, asked, languages) and word not in ENGLISH]
    telling = {fold(name) for name in _names(_WORD_OR_END.findall(text))}
    return len(own) <= _OWN_WORDS and not any(word in telling or not word.isalpha() for word in own)


def _is_asked(word: str, asked: frozenset[int], languages: tuple[str, ...]) -> bool:
    return not asked.isdisjoint(map(term_hash, variants(word, (*languages, "en"))))
