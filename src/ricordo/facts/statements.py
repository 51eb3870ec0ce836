"""What a rule of grammar works on and gives: a clause of a sentence, and what it states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ricordo.facts.clauses import Subject, subject
from ricordo.facts.naming import Names
from ricordo.facts.sentences import Sentence
from ricordo.models import EntityKind, Mention


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact before its turn and time are known; `first` and `last` are the object's words, where it is an entity."""

    subject: str
    subject_kind: EntityKind
    predicate: str
    object: str
    object_kind: EntityKind | None = None
    ended: bool = False
    first: int = 0
    last: int = 0
    #: The verb's word, behind which since when is told; -1 where no time belongs to it.
    verb: int = -1


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule's match: the verb's word, the word at which the object begins."""

    sentence: Sentence
    verb: int
    object: int
    speaker: str
    mentions: Sequence[Mention]
    names: Names
    match: re.Match[str]

    @property
    def adjacent(self) -> bool:
        """Whether the object stands right behind the verb, with nothing like a dash or a bracket between."""
        words, end = self.sentence.words, self.match.end() + self.sentence.start
        return self.object < len(words) and words[self.object].start == end

    def about(self) -> Subject | None:
        return subject(self.sentence, self.verb, self.speaker, self.mentions)

    def says(
        self, who: Subject, predicate: str, what: str, kind: EntityKind | None = None,
        first: int = 0, last: int = 0, ended: bool | None = None,
    ) -> Stated:  # fmt: skip
        over = who.ended if ended is None else ended
        return Stated(who.name, who.kind, predicate, what, kind, over, first, last, self.verb)


Handler = Callable[[Clause], Iterator[Stated]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of a verb up to its object, and what reads the clause."""

    pattern: re.Pattern[str]
    handler: Handler
    #: What a capitalised object is, whether or not the sentence holds.
    shows: EntityKind | None = None
