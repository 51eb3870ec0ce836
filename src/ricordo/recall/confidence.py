"""The probability that the lines found answer the question, from 0 to 1.

A question without an answer also finds lines: those that share a word with it or are about something similar. Unlike
an answer, many of them are about equally good. So two things count: the best line's score minus half of the tenth
best, and how close the best line is in meaning, in any language. The subtraction also keeps large stores from
appearing too certain.

If a question names a person, and the best line about somebody else is better than the best line about that person
(ricordo.recall.about), confidence falls. This alone never brings it below the limit under which nothing is returned.

The constants were set by hand on questions written for Ricordo, half of which nothing answers, and checked on the data
that `docs/performance.md` names. `all` is exact to about a tenth there, where questions with and without an answer are
equally many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

#: Below this, nothing comes back. 99 of 100 questions that have an answer reach more.
LEAST = 0.1
#: The place whose score tells what lines without an answer get.
_USUAL = 10
#: What half a point of likeness in meaning counts.
_MEANING = 2.0
#: The lead that the best line about the person should have over the best line about somebody else, and what each
#: missing point costs. Set on questions with swapped names that were written for Ricordo (docs/lab/recall.md).
_AHEAD, _PERSON = 0.25, 2.0
#: What `wording` gives to an answer, added where the question is one whose words it does not count.
_WORDING = 1.2


@dataclass(frozen=True)
class _Curve:
    """Evidence → probability: one half at `middle`."""

    middle: float
    slope: float

    def at(self, evidence: float) -> float:
        return round(1 / (1 + math.exp(-self.slope * (evidence - self.middle))), 3)


#: Of all lines together, and of one; by meaning and words, and by words only.
_ALL, _ONE = _Curve(4.4, 1.5), _Curve(6.4, 1.1)
_ALL_BY_WORDS, _ONE_BY_WORDS = _Curve(1.5, 2.0), _Curve(3.2, 1.5)
#: The signals that are read beside the score. Being recent makes no turn an answer.
READ = ("semantic", "translation", "recent")


@dataclass(frozen=True)
class Confidence:
    """How likely the lines of one question answer it."""

    #: That some of them do.
    all: float
    #: For one line, by its evidence, to which `shift` is added; None where each is as sure as all.
    one: _Curve | None = None
    shift: float = 0.0

    @property
    def by_words(self) -> bool:
        """Whether only words were compared."""
        return self.one is _ONE_BY_WORDS

    def of(self, given: Mapping[str, float]) -> float:
        """How likely one line does, by what each signal gave to it."""
        if self.one is None:
            return self.all
        near = max(given["semantic"], given["translation"])
        return self.one.at(sum(given.values()) - given["recent"] + _MEANING * near + self.shift)


NONE, CERTAIN = Confidence(0.0), Confidence(1.0)


def confidence(
    totals: np.ndarray, given: Mapping[str, np.ndarray], counted: float | None, lead: float | None = None
) -> Confidence:
    """The confidence in lines with these scores, best first, and what the signals of `READ` gave to each; `counted` is
    what share of `wording` counts for the question, None where only words are compared. `lead` is that of the lines
    about the person that the question names, or None."""
    if not len(totals):
        return NONE
    scores = np.sort(totals - given["recent"])[::-1]
    usual = float(scores[_USUAL - 1]) if len(scores) >= _USUAL else 0.0
    all, one = (_ALL_BY_WORDS, _ONE_BY_WORDS) if counted is None else (_ALL, _ONE)
    shift = -usual / 2 + (0.0 if counted is None else (1 - counted) * _WORDING)
    near = float(np.maximum(given["semantic"], given["translation"])[:_USUAL].max())
    evidence = float(scores[0]) + _MEANING * near + shift
    behind = 0.0 if lead is None else _PERSON * max(0.0, _AHEAD - lead)
    least = min(all.at(evidence), LEAST)
    return Confidence(max(all.at(evidence - behind), least), one, shift - behind)
