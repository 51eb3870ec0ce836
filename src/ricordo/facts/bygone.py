"""Whether what a clause says was so once, or would have been: only the clause counts, not the whole sentence."""

from __future__ import annotations

import re

from ricordo.text import lazy

#: Words that put a clause in another time. "My kids are growing up" is of now.
_TIMES = (
    r"back then|in those days|at the time|years ago|as an? (?:kid|child|teenager|teen|student|boy|girl|baby|toddler)|"
    r"(?<!are )(?<!is )(?<!am )(?<!'re )(?<!'s )growing up"
)
#: What is told of another time: only what it says is over holds.
TOLD = lazy(
    rf"\b(?:{_TIMES}|when (?:I|we|he|she) (?:was|were) (?:a|an|in|at|little|young|younger|small|\d+)\b)", re.IGNORECASE
)
#: Whom such a clause names need not be anybody's now.
NAMED = lazy(
    rf"\b(?:{_TIMES}|used to be|was called|was named|had (?:I|we|he|she|they) had|"
    r"(?:would|['’]d|could|might) have|"
    r"(?:wanted|wants?|going|considered|considering) (?:to )?(?:name|call|naming|calling|get|adopt)|"
    r"(?:this |so |came )close to \w+ing|(?:almost|nearly) (?:adopted|bought|got|named|called))\b",
    re.IGNORECASE,
)
#: Where another clause begins, or words that tell when. One about "they" or "it" goes on with the clause before.
_CLAUSES = lazy(
    r";|:|\s[-–—]\s|, (?=(?:(?:and|but|so) )?(?:I|we|my|our|now|still|when|as an?|growing up|back then|"
    r"years ago|in those days|at the time)\b)|\s(?:and|but|so|because|while) (?=(?:I|we|my|our|now)\b)",
    re.IGNORECASE,
)
_SUBJECT = lazy(r"\b(?:I|we|my|our|he|she|they|it|was|were|is|are|had|have)\b", re.IGNORECASE)
#: What began long ago lasts.
_BEGAN = lazy(r"\b(?:moved|joined|emigrated|relocated|settled)\b", re.IGNORECASE)
_STILL = lazy(r"\b(?:and|but) still (?:am|are|is|do|does|have|has)\b", re.IGNORECASE)


def is_bygone(text: str, at: int, words: re.Pattern[str] = TOLD) -> bool:
    """Whether the clause of a sentence at that place is of another time by these words."""
    found = words.search(text)
    if found is None or _STILL.search(text, found.end()):
        return False
    starts = [0, *(match.end() for match in _CLAUSES.finditer(text))]
    ends = [*starts[1:], len(text)]
    own = max(index for index, start in enumerate(starts) if start <= at)
    while found is not None:
        its = max(index for index, start in enumerate(starts) if start <= found.start())
        if not (found.group().lower() == "years ago" and _BEGAN.search(text, starts[its], found.start())):
            rest = text[starts[its] : found.start()] + text[found.end() : ends[its]]
            alone = len(starts) > 1 and len(rest.split()) < 4 and _SUBJECT.search(rest) is None
            last = its == len(starts) - 1
            # "Growing up, we had a goat", "we had a goat, years ago": words that only tell when.
            if own == its or (alone and (own > its or (last and own == its - 1))):
                return True
        found = words.search(text, found.end())
    return False
