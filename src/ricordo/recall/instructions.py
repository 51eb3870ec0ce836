"""Standing instructions with the requests that they govern: which ones come, and where they stand among the hits.

One that always applies comes with any request. One with a scope ("when I ask about taxes, …") comes where the request
shares the scope's words or is near to it in meaning. At most three come, in the last places of the first ten hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ricordo import facts
from ricordo.accounts import Corpus
from ricordo.database import Transaction
from ricordo.models import SELF, Hit
from ricordo.recall import store
from ricordo.recall.question import Question
from ricordo.recall.standing import Fetch, Place, falling, place_of
from ricordo.recall.store import Meant, Narrowing
from ricordo.text import of_words, stem, words

#: The most that come, and the hits among which they come: the last of the first ten, or of as many as are wanted.
_MOST, FIRST = 3, 10
#: How many with a scope come, and the part of the best one's likeness that another must have to come beside it.
_SCOPED, _BESIDE = 2, 0.9
#: The share of a scope's words that a request must have, or how near to the instruction's turn it must be.
_WORDS, _NEAR = 0.5, 0.35


@dataclass(frozen=True)
class Instructions:
    """The instructions that hold, and the turns of those that govern a request, the most important first."""

    #: Their words, by the place of their turn.
    texts: Mapping[Place, str] = field(default_factory=dict)
    governing: Sequence[Hit] = ()

    def placed(self, hits: Sequence[Hit], keep: int) -> list[Hit]:
        """At most `keep` hits with the governing instructions among the first, each instruction marked."""
        most = min(_MOST, keep * _MOST // FIRST)
        return [self._marked(hit) for hit in placed(hits, self.governing, keep, most, "instruction")]

    def _marked(self, hit: Hit) -> Hit:
        text = self.texts.get(place_of(hit)) if self.texts else None
        return hit if text is None else hit.model_copy(update={"instruction": text})


def placed(hits: Sequence[Hit], coming: Sequence[Hit], keep: int, most: int, signal: str) -> list[Hit]:
    """At most `keep` hits, among the first of them the first `most` of those that are `coming`: in the last places,
    where they are not there anyway."""
    first, coming = min(keep, FIRST), coming[:most]
    there = {hit.pointer for hit in hits[:first]}
    missing = [hit for hit in coming if hit.pointer not in there]
    if missing:
        wanted = {hit.pointer for hit in coming}
        others = [hit for hit in hits if hit.pointer not in {each.pointer for each in missing}]
        head, rest = others[:first], others[first:]
        while head and len(head) + len(missing) > first:
            out = max((at for at, hit in enumerate(head) if hit.pointer not in wanted), default=len(head) - 1)
            rest.insert(0, head.pop(out))
        hits = falling([*head, *missing, *rest], signal)
    return list(hits[:keep])


async def instructions(
    tx: Transaction, question: Question, corpus: Corpus, meant: Meant | None, narrowing: Narrowing,
    hits: Sequence[Hit], fetch: Fetch, moment: datetime,
) -> Instructions:  # fmt: skip
    """The user's instructions that hold, and those of them that govern a request. What filters leave out does not.
    Turns that are not among the hits are fetched."""
    names = sorted({SELF, *map(facts.slug_of, corpus.own_names)})
    texts = await facts.instructions(tx, names, moment)
    if not texts:
        return Instructions()
    near = dict.fromkeys(map(_number, texts), 0.0)
    if narrowing.conditions or any(facts.understood(text).scope for text in texts.values()):
        near = await store.likeness(tx, list(near), meant, narrowing)
    asked = tuple(words(question.text))
    always: list[Place] = []
    scoped: list[tuple[float, Place]] = []
    for place, text in texts.items():
        likeness = near.get(_number(place))
        if likeness is None:
            continue
        scope = facts.understood(text).scope
        share = _share(scope, text, asked)
        if not scope:
            always.append(place)
        elif share >= _WORDS or likeness >= _NEAR:
            scoped.append((share + likeness, place))
    scoped.sort(reverse=True)
    best = [place for likeness, place in scoped[:_SCOPED] if likeness >= _BESIDE * scoped[0][0]]
    chosen = [*best, *always][:_MOST]
    known = {place_of(hit): hit for hit in hits}
    known |= await fetch(missing) if (missing := [place for place in chosen if place not in known]) else {}
    return Instructions(texts, [known[place] for place in chosen if place in known])


def _share(scope: frozenset[str], text: str, asked: Sequence[str]) -> float:
    """The share of a scope's words that a request has, in the language of the instruction."""
    language = of_words([text]) or "en"
    return len(scope.intersection(stem(word, language) for word in asked)) / max(1, len(scope))


def _number(place: Place) -> int:
    return place[0] * store.ROOM + place[1]
