"""Whether the best lines are about the person whom a question asks about.

"Where does Kofi live?" finds what Rosa says of her own flat, too. A sentence is about its speaker if it says "I", about
its listener if it says "you", and about a third person if it names that person. Of each line the sentences count that
have most words of the question.

This only lowers the confidence. That the best line is about the right person does not mean that it answers.
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
#: How sure it is whom a sentence is about that says neither "I" nor "you": a statement is about the speaker, a question
#: about the listener.
_IMPLIED = 0.5
_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]*")
_ASKS = frozenset("?？")


@dataclass(frozen=True)
class Asked:
    """Whom a question asks about: the names that this person speaks under, and the words of these in the question."""

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
    """The one person among these speakers whom a question names; None if it names none of them or several."""
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
    """By how much the best line about the person asked about outdoes the best one about somebody else; below 0 if the
    latter is better.

    A line is its place, its text and its score without what it got for its speaker's name. `speakers` are those of all
    candidates by place. That a line is surely about the person counts one for it, and that it surely is not, one
    against it.
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
    """Lines read as to whom they are about."""

    def __init__(self, question: Question, asked: Asked, languages: tuple[str, ...]) -> None:
        self._asked, self._languages = asked, {*languages, "en"}
        self._wanted = [forms for word, forms in question.words.items() if word not in asked.names]
        self._first, self._second = first_person(languages), second_person(languages)

    def about(self, line: _Line) -> float:
        """From 1, where a line is about the person, to -1, where it is about somebody else."""
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
