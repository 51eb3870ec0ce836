"""What is talked about: naming a piece of talk by its own words, and cutting a talk where its words change.

No language model: counting the phrases (ricordo.mining.phrases) of the talk itself. A name depends on nothing else, so
that it is the same in whichever order talks are mined.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ricordo.entries.terms import fold, stem
from ricordo.mining.phrases import Found, Phrase, Word, names, nouns, phrases
from ricordo.mining.plain import SOFT

#: Turns on each side that are compared, and the fewest that make a segment.
_WINDOW = 3
_SHORTEST = 4
#: A valley less deep than this, in cosine, is no change of vocabulary.
_SHALLOW = 0.1
#: The longest name, in characters.
_LONGEST = 48
#: What was said by two people, or by one and three times by assistants, was not dropped in passing.
_TWICE = 1.5


#: How much the best, the second and the third word of a phrase add to its worth.
_SHARES = (1.0, 0.7, 0.3)
#: What a phrase is worth that may be words side by side, as a part of the worth of its words.
_UNSURE = 0.58
#: What something must be worth, as a part of the best, to stand beside it in a name.
_BESIDE = 0.6
_SOFT = frozenset(form for each in SOFT for form in (each, stem(each, "en"), stem(each, "de")))

Key = tuple[str, ...]


@dataclass(frozen=True)
class Talk:
    """The phrases of some turns, turn by turn, and the stems that are nouns in them."""

    turns: tuple[tuple[Found, ...], ...]
    nouns: frozenset[str]
    #: The stems that are names.
    names: frozenset[str]
    #: The stems that are written small somewhere.
    small: frozenset[str]
    #: How much each turn counts.
    weights: tuple[float, ...]

    @classmethod
    def of(cls, texts: Sequence[str], language: str, speakers: Sequence[str] = ()) -> Talk:
        """Read turns. What an assistant says counts less than what people do: it is long and answers them."""
        turns = tuple(tuple(phrases(text, language)) for text in texts)
        people = {stem(fold(part), language) for each in speakers for part in each.split()}
        turns = tuple(tuple(each for each in turn if not _called(each.phrase[0].stem, people)) for turn in turns)
        weights = tuple(0.5 if speaker == "assistant" else 1.0 for speaker in speakers) or (1.0,) * len(texts)
        found = [each for turn in turns for each in turn]
        small = {word.stem for each in found for word in each.phrase if not word.capital}
        return cls(turns, frozenset(nouns(found)), frozenset(names(found)), frozenset(small), weights)

    def counts(self, part: range | None = None) -> dict[str, float]:
        """How much is said of each noun, in a part of the turns or in all; in one turn once."""
        found: defaultdict[str, float] = defaultdict(float)
        for index in part if part is not None else range(len(self.turns)):
            for each in {word.stem for said in self.turns[index] for word in self.body(said.phrase)}:
                found[each] += self.weights[index]
        return found

    def spelled(self, phrase: Phrase) -> Phrase:
        """A phrase without the capitals that only begin a sentence."""
        return tuple(
            replace(word, surface=word.surface.lower())
            if word.capital and word.stem in self.small and word.stem not in self.names
            else word
            for word in phrase
        )

    def body(self, phrase: Phrase) -> Phrase:
        """A phrase without the words at its end that are no nouns; whole where none is known to be one."""
        end = len(phrase)
        while end and phrase[end - 1].stem not in self.nouns:
            end -= 1
        return phrase[:end] if end else (phrase if not self.nouns else ())


def subject(talk: Talk) -> str | None:
    """What a whole talk is about, in a phrase: what it begins with, if it comes back to that. None where it is about
    nothing in particular."""
    whole = range(len(talk.turns))
    first = {word.stem for each in talk.turns[0] for word in each.phrase} if talk.turns else set()
    if _leading(talk, whole, (), first) is None:
        return None
    return _title(_things(talk, whole, (), first, 1))


def name_of(talk: Talk, part: range, avoid: Collection[str] = (), prefer: Collection[str] = ()) -> str | None:
    """A short name for a part of a talk: what it speaks of more than the rest does, one thing or two.

    Stems in `avoid` count half, as the wing says them already, and those in `prefer` more. None where no word can name
    anything.
    """
    things = _things(talk, part, avoid, prefer, 2)
    return _title(things) if things else None


def topics(
    talk: Talk, parts: Sequence[range], avoid: Collection[str] = (), prefer: Collection[str] = ()
) -> list[tuple[str, range]]:
    """The parts of a talk with their names, fewer than they were where one has no name of its own, or its neighbour's.

    Where nothing can be named at all it is one part, "General".
    """
    found = list(parts)
    while len(found) > 1:
        leading = [_leading(talk, part, avoid, prefer) for part in found]
        joint = next((at for at in range(1, len(found)) if leading[at] in (None, leading[at - 1])), None)
        if joint is None:
            if leading[0] is not None:
                break
            joint = 1
        found[joint - 1 : joint + 1] = [range(found[joint - 1].start, found[joint].stop)]
    return [(name_of(talk, part, avoid, prefer) or "General", part) for part in found]


def _leading(talk: Talk, part: range, avoid: Collection[str], prefer: Collection[str]) -> Key | None:
    """The stems of what a part is most about; None where that is but a word that was dropped once."""
    things = _things(talk, part, avoid, prefer, 1)
    if not things:
        return None
    key = tuple(word.stem for word in things[0])
    said = talk.counts(part)
    passing = len(key) == 1 and (said[key[0]] < _TWICE or key[0] in _SOFT)
    return None if passing else key


def _things(talk: Talk, part: range, avoid: Collection[str], prefer: Collection[str], most: int) -> list[Phrase]:
    weight = _weights(talk, part, avoid, prefer)
    if not weight:
        return []
    ways, worth = _worths(talk, part, weight)
    order = {key: place for place, key in enumerate(ways)}
    ranked = sorted(ways, key=lambda key: (-round(worth[key], 6), order[key]))
    if _soft(ranked[0]):  # half of all talk is about it: something else says more
        better = (key for key in ranked if not _soft(key) and worth[key] >= _BESIDE * worth[ranked[0]])
        ranked.sort(key=next(better, ranked[0]).__ne__)
    said = talk.counts(part)
    chosen = [_usual(ways[ranked[0]])]
    used = set(ranked[0])
    for key in ranked[1:] if most > 1 else ():
        if worth[key] < _BESIDE * worth[ranked[0]]:
            break
        second = _usual(ways[key])
        # One word must not stand for what somebody does, nor for what was dropped once.
        once = key[0] not in prefer and said[key[0]] < min(_TWICE, said[ranked[0][0]])
        if len(key) == 1 and (_soft(key) or _gerund(second[0]) or once):
            continue
        if not used & set(key) and worth[key] >= _TWICE and len(_title([*chosen, second])) <= _LONGEST:
            chosen.append(second)
            break
    return chosen


def _weights(talk: Talk, part: range, avoid: Collection[str], prefer: Collection[str]) -> dict[str, float]:
    """How well each stem tells this part of the talk from the rest."""
    here, whole = talk.counts(part), talk.counts()
    rest = max(0.0, sum(talk.weights) - sum(talk.weights[each] for each in part))
    return {
        each: count
        * math.log(2 + (1 + rest) / (1 + whole[each] - count))
        * (0.5 if each in avoid else 1.4 if each in prefer else 1.0)
        * (0.7 if each in talk.names else 1.0)
        * (0.4 if each in _SOFT else 1.0)
        for each, count in here.items()
    }


def _worths(
    talk: Talk, part: range, weight: Mapping[str, float]
) -> tuple[dict[Key, Counter[Phrase]], dict[Key, float]]:
    """The phrases of a part by their stems, with the ways in which each is written, and what it is worth as a name.

    A phrase of several words says more than its best word does, where it surely is one.
    """
    ways: dict[Key, Counter[Phrase]] = {}
    sure: set[Key] = set()
    for index in part:
        for each in talk.turns[index]:
            body = talk.body(each.phrase)
            if body:
                key = tuple(word.stem for word in body)
                ways.setdefault(key, Counter())[talk.spelled(body)] += 1
                if each.sure and body == each.phrase:
                    sure.add(key)
    worth = {}
    for key in ways:
        parts = sorted((weight[each] for each in key), reverse=True)
        several = sum(value * share for value, share in zip(parts, _SHARES, strict=False))
        once = sum(ways[key].values()) == 1 and parts[0] < _TWICE
        worth[key] = several * (1.0 if key in sure or len(key) == 1 else _UNSURE) * (0.8 if once else 1.0)
    return ways, worth


def _usual(ways: Counter[Phrase]) -> Phrase:
    return max(sorted(ways, key=str), key=lambda each: ways[each])


def _soft(key: Key) -> bool:
    return len(key) == 1 and key[0] in _SOFT


def _gerund(word: Word) -> bool:
    """Whether an English word may be what somebody does, and no thing."""
    return word.surface.endswith("ing") and not word.capital


def _called(word: str, people: Collection[str]) -> bool:
    """Whether a word is one of these names, or short for one."""
    return any(word == each or (len(word) > 2 and each.startswith(word)) for each in people)


def _title(things: Sequence[Phrase]) -> str:
    name = " & ".join(" ".join(word.surface for word in thing) for thing in things)
    return (name[:1].upper() + name[1:])[:80]


def segments(talk: Sequence[Sequence[str]]) -> list[range]:
    """Cut turns, each a list of terms, where the vocabulary changes.

    Compares the words of the turns before and after each gap and cuts at the deepest valleys. Source of the
    idea: Hearst, "TextTiling" (1997).
    """
    if len(talk) < 2 * _SHORTEST:
        return [range(len(talk))]
    likeness = [
        _cosine(
            Counter(term for turn in talk[max(0, gap - _WINDOW) : gap] for term in turn),
            Counter(term for turn in talk[gap : gap + _WINDOW] for term in turn),
        )
        for gap in range(1, len(talk))
    ]
    depth = [
        max(likeness[max(0, at - _WINDOW) : at + 1]) + max(likeness[at : at + _WINDOW + 1]) - 2 * likeness[at]
        for at in range(len(likeness))
    ]
    mean = sum(depth) / len(depth)
    enough = max(_SHALLOW, mean + math.sqrt(sum((each - mean) ** 2 for each in depth) / len(depth)))
    cuts = [0, len(talk)]
    for at in sorted(range(len(depth)), key=lambda each: -depth[each]):
        if depth[at] >= enough and min(abs(at + 1 - cut) for cut in cuts) >= _SHORTEST:
            cuts.append(at + 1)
    return [range(first, last) for first, last in pairwise(sorted(cuts))]


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    dot = sum(count * two[term] for term, count in one.items())
    size = math.sqrt(sum(c * c for c in one.values())) * math.sqrt(sum(c * c for c in two.values()))
    return dot / size if size else 0.0
