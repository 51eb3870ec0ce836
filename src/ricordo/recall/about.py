"""Whether the best lines are about the person that a question asks about.

"Where does Kofi live?" also finds what Rosa says about her own flat. A sentence is about its speaker if it says "I",
about its listener if it says "you", and about a third person if it names that person. In each line, only the sentences
that share most words with the question count.

This can only lower the confidence: a best line about the right person does not necessarily answer the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ricordo.recall.question import Question
from ricordo.text import ENGLISH, term_hash, variants, words
from ricordo.text.pronouns import first_person, second_person

#: Lines that are compared. More change nothing on LoCoMo.
LINES = 10
#: How certain the subject is of a sentence without "I" and "you": a statement is about the speaker, a question about
#: the listener.
_IMPLIED = 0.5
_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]*")
_ASKS = frozenset("?？")


@dataclass(frozen=True)
class Asked:
    """The person that a question asks about: the names of this speaker, and their words in the question."""

    speakers: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True)
class _Line:
    text: str
    speaker: str
    #: Whether the person asked about speaks in the same room, and whether "you" may mean that person.
    takes_part: bool
    is_addressed: bool


def asked_about(question: Question, speakers: Iterable[str]) -> Asked | None:
    """The one speaker that a question names, or None if it names none of them or several."""
    if question.with_asker or question.is_message:
        return None
    called = {each: question.names_of(each) for each in set(speakers)}
    named = {each: names for each, names in called.items() if names}
    shared = frozenset[str].intersection(*named.values()) if named else frozenset()
    return Asked(frozenset(named), frozenset().union(*named.values())) if shared else None


def lead(
    question: Question,
    asked: Asked,
    speakers: Mapping[int, str],
    lines: Sequence[tuple[int, str, float]],
    languages: tuple[str, ...],
) -> float:
    """The lead of the best line about the person over the best line about somebody else; negative if that is better.

    A line is its place, its text, and its score without what its speaker's name added. `speakers` are those of all
    candidates by place. A line gains 1 if it is certainly about the person, and loses 1 if it certainly is not.
    """
    rooms: dict[int, set[str]] = {}
    for place, speaker in speakers.items():
        rooms.setdefault(place >> 32, set()).add(speaker)
    reading = _Reading(question, asked, languages)
    about = []
    for place, text, _ in lines:
        present = rooms[place >> 32]
        takes_part = not asked.speakers.isdisjoint(present)
        may_hear = len(present) == 2 or speakers.get(place - 1) in asked.speakers
        about.append(reading.about(_Line(text, speakers[place], takes_part, takes_part and may_hear)))
    scores = np.array([score for _, _, score in lines])
    return float((scores + about).max() - (scores - about).max())


class _Reading:
    """Judges whom lines are about."""

    def __init__(self, question: Question, asked: Asked, languages: tuple[str, ...]) -> None:
        self._asked, self._languages = asked, {*languages, "en"}
        self._wanted = [forms for word, forms in question.words.items() if word not in asked.names]
        self._first, self._second = first_person(languages), second_person(languages)

    def about(self, line: _Line) -> float:
        """From 1 for a line about the person to -1 for a line about somebody else."""
        sentences = [(frozenset(words(each)), each) for each in _SENTENCE.findall(line.text)]
        if not line.takes_part and any(not self._asked.names.isdisjoint(said) for said, _ in sentences):
            return 1.0
        shared = [self._shared(said) for said, _ in sentences]
        most = max(shared, default=0)
        best = [each for each, count in zip(sentences, shared, strict=True) if count == most]
        return max((self._toward(said, text.rstrip()[-1] in _ASKS, line) for said, text in best if said), default=0.0)

    def _shared(self, said: frozenset[str]) -> int:
        forms = {term_hash(form) for word in said - ENGLISH for form in variants(word, self._languages)}
        return sum(not forms.isdisjoint(each) for each in self._wanted)

    def _toward(self, said: frozenset[str], asks: bool, line: _Line) -> float:
        first, second = not self._first.isdisjoint(said), not self._second.isdisjoint(said)
        implied = -_IMPLIED if asks else _IMPLIED
        if line.speaker in self._asked.speakers:
            return first - second if first or second else implied
        if not self._asked.names.isdisjoint(said):
            return 0.0 if first else 1.0
        if not line.takes_part:
            return -float(first)
        second = second and line.is_addressed
        return second - first if first or second else -implied
