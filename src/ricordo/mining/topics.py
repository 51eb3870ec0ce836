"""What is talked about: naming a piece of conversation by its own words, and cutting a conversation where its words
change.

No language model: counting the phrases (ricordo.mining.phrases) of the conversation itself. A name depends on nothing
else, so that it is the same in whichever order talks are mined.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from ricordo.mining.phrases import Found, Phrase, Word, names, nouns, phrases
from ricordo.palace import accents, is_loud, slug
from ricordo.text import fold, stem
from ricordo.text.plain import SOFT
from ricordo.text.spelled import spelled

#: Turns on each side that are compared, and the fewest that make a segment.
_WINDOW = 3
_SHORTEST = 4
#: A valley less deep than this, in cosine, is no change of vocabulary.
_SHALLOW = 0.1
#: From so many turns on no part may be more than half of a conversation.
_LONG = 24
#: The longest name, in characters.
_LONGEST = 48
#: Words in capitals up to this length may be short for something.
_SHORT = 4
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


class _Body(NamedTuple):
    """A phrase without the words at its end that are no nouns: what may name something."""

    key: Key
    #: Without the capitals that only begin a sentence.
    spelled: Phrase
    #: Whether it is the whole of a phrase that surely is a noun's.
    sure: bool


@dataclass(frozen=True)
class Talk:
    """The phrases of some turns, turn by turn, and the stems that are names in them."""

    turns: tuple[tuple[Found, ...], ...]
    #: What may name something, turn by turn, and how much each turn says of the nouns in it: of each once.
    bodies: tuple[tuple[_Body, ...], ...]
    said: tuple[Mapping[str, float], ...]
    #: How much the whole says of each noun.
    whole: Mapping[str, float]
    #: The stems that are names.
    names: frozenset[str]
    #: How much each turn counts.
    weights: tuple[float, ...]

    @classmethod
    def of(cls, texts: Sequence[str], language: str, speakers: Sequence[str] = ()) -> Talk:
        """Read turns. What an assistant says counts less than what people do: it is long and answers them."""
        return _talk(tuple(texts), language, tuple(speakers))

    def counts(self, part: range) -> Mapping[str, float]:
        """How much a part of the turns says of each noun."""
        return self.whole if len(part) == len(self.turns) else _added(self.said[part.start : part.stop])


@lru_cache(maxsize=2)  # a conversation is read for its wing, and again for its closets
def _talk(texts: tuple[str, ...], language: str, speakers: tuple[str, ...]) -> Talk:
    people = {stem(fold(part), language) for each in speakers for part in each.split()}
    read = [phrases(text, language) for text in texts]
    called = {each for each in {found.phrase[0].stem for turn in read for found in turn} if _called(each, people)}
    turns = tuple(tuple(each for each in turn if each.phrase[0].stem not in called) for turn in read)
    weights = tuple(0.5 if speaker == "assistant" else 1.0 for speaker in speakers) or (1.0,) * len(texts)
    found = [each for turn in turns for each in turn]
    small = {word.stem for each in found for word in each.phrase if not word.capital}
    named = frozenset(names(found))
    known = nouns(found)
    bodies = tuple(tuple(_bodies(turn, known, small - named)) for turn in turns)
    said = tuple(
        dict.fromkeys((each for body in turn for each in body.key), weight)
        for turn, weight in zip(bodies, weights, strict=False)
    )
    return Talk(turns, bodies, said, _added(said), named, weights)


def _added(said: Sequence[Mapping[str, float]]) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for turn in said:
        for each, weight in turn.items():
            found[each] += weight
    return found


def _bodies(turn: Sequence[Found], known: Collection[str], lowered: Collection[str]) -> Iterator[_Body]:
    """What may name something in a turn: with the nouns that are known, and what is no name and written small too."""
    for each in turn:
        end = len(each.phrase)
        while end and each.phrase[end - 1].stem not in known:
            end -= 1
        body = each.phrase[:end] if end or known else each.phrase
        if body:
            spelled = tuple(
                word._replace(surface=word.surface.lower(), capital=False)
                if word.capital and word.stem in lowered
                else word
                for word in body
            )
            yield _Body(tuple(word.stem for word in body), spelled, each.sure and len(body) == len(each.phrase))


def subject(talk: Talk) -> str | None:
    """What a whole conversation is about, in a phrase: what it begins with, if it comes back to that. None where it is
    about nothing in particular."""
    whole = range(len(talk.turns))
    first = {word.stem for each in talk.turns[0] for word in each.phrase} if talk.turns else set()
    if _leading(talk, whole, (), first) is None:
        return None
    return _title(_things(talk, whole, (), first, 1))


def name_of(talk: Talk, part: range, avoid: Collection[str] = (), prefer: Collection[str] = ()) -> str | None:
    """A short name for a part of a conversation: what it speaks of more than the rest does, one thing or two.

    Stems in `avoid` count half, as the wing says them already, and those in `prefer` more. None where no word can name
    anything.
    """
    things = _things(talk, part, avoid, prefer, 2)
    return _title(things) if things else None


def topics(
    talk: Talk, parts: Sequence[range], avoid: Collection[str] = (), prefer: Collection[str] = ()
) -> list[tuple[str, range]]:
    """The parts of a conversation with their names, fewer than they were where one has no name of its own, or its
    neighbor's.

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


def balanced(
    talk: Talk, found: Sequence[tuple[str, range]], said: Sequence[Sequence[str]], avoid: Collection[str] = ()
) -> list[tuple[str, range]]:
    """The named parts of a conversation, none of them more than half of it, where it is long and a half of the largest
    part can have a name of its own. Each is cut where its words, `said` turn by turn, change most."""
    found = list(found)
    while len(talk.turns) >= _LONG:
        at = max(range(len(found)), key=lambda each: len(found[each][1]))
        name, part = found[at]
        halves = _halves(part, said) if 2 * len(part) > len(talk.turns) else None
        named = None if halves is None else _named_apart(talk, halves, name, {slug(each) for each, _ in found}, avoid)
        if named is None:
            break
        found[at : at + 1] = named
    return found


def _halves(part: range, said: Sequence[Sequence[str]]) -> tuple[range, range] | None:
    """A part in two, neither much shorter than the other, cut where the words before and after have least in common."""
    room = range(part.start + max(_SHORTEST, len(part) // 4), part.stop - max(_SHORTEST, len(part) // 4) + 1)
    if not room:
        return None

    def likeness(cut: int) -> float:
        before = said[max(part.start, cut - 2 * _WINDOW) : cut]
        return _cosine(_Window.of(before), _Window.of(said[cut : min(part.stop, cut + 2 * _WINDOW)]))

    cut = min(room, key=lambda each: (round(likeness(each), 6), abs(2 * each - part.start - part.stop)))
    return range(part.start, cut), range(cut, part.stop)


def _named_apart(
    talk: Talk, halves: tuple[range, range], name: str, taken: Collection[str], avoid: Collection[str]
) -> list[tuple[str, range]] | None:
    """Two halves of a part with names that no other part has; None where they cannot be told apart."""
    named: list[tuple[str, range]] = []
    others = {each for each in taken if each != slug(name)}
    for half in halves:
        used = {word for each, _ in named for word in _folded(each)}
        own = name_of(talk, half, {*avoid, *used})
        if own is None or slug(own) in others or used & set(_folded(own)):
            return None
        named.append((own, half))
        others.add(slug(own))
    return named


def _folded(name: str) -> list[str]:
    """The words of a name, folded."""
    return [fold(each) for each in name.replace("&", " ").split()]


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
    if _soft(ranked[0]):  # half of all conversations is about it: something else says more
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
    """How well each stem tells this part of the conversation from the rest."""
    here, whole = talk.counts(part), talk.whole
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
        for each in talk.bodies[index]:
            ways.setdefault(each.key, Counter())[each.spelled] += 1
            if each.sure:
                sure.add(each.key)
    worth = {}
    for key in ways:
        parts = sorted((weight[each] for each in key), reverse=True)
        several = sum(value * share for value, share in zip(parts, _SHARES, strict=False))
        once = sum(ways[key].values()) == 1 and parts[0] < _TWICE
        worth[key] = several * (1.0 if key in sure or len(key) == 1 else _UNSURE) * (0.8 if once else 1.0)
    return ways, worth


def _usual(ways: Counter[Phrase]) -> Phrase:
    """The best way in which a phrase is written: not in capitals alone, with its accents, and the most frequent."""

    def rank(way: Phrase) -> tuple[bool, int, int]:
        written = " ".join(word.surface for word in way)
        return not (is_loud(written) and len(written) > _SHORT), accents(written), ways[way]

    return max(sorted(ways, key=str), key=rank)


def _soft(key: Key) -> bool:
    return len(key) == 1 and key[0] in _SOFT


def _gerund(word: Word) -> bool:
    """Whether an English word may be what somebody does, and no thing."""
    return word.surface.endswith("ing") and not word.capital


def _called(word: str, people: Collection[str]) -> bool:
    """Whether a word is one of these names, or short for one."""
    return any(word == each or (len(word) > 2 and each.startswith(word)) for each in people)


def _title(things: Sequence[Phrase]) -> str:
    return spelled(" & ".join(" ".join(word.surface for word in thing) for thing in things))[:80]


def segments(talk: Sequence[Sequence[str]]) -> list[range]:
    """Cut turns, each a list of terms, where the vocabulary changes.

    Compares the words of the turns before and after each gap and cuts at the deepest valleys. Source of the
    idea: Hearst, "TextTiling" (1997).
    """
    if len(talk) < 2 * _SHORTEST:
        return [range(len(talk))]
    edges = [(max(0, gap - _WINDOW), gap, min(len(talk), gap + _WINDOW)) for gap in range(1, len(talk))]
    windows = {window: _Window.of(talk[slice(*window)]) for edge in edges for window in (edge[:2], edge[1:])}
    likeness = [_cosine(windows[first, gap], windows[gap, last]) for first, gap, last in edges]
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


class _Window(NamedTuple):
    """How often each term stands in some turns, and the length of that as a vector."""

    counts: Counter[str]
    length: float

    @classmethod
    def of(cls, turns: Iterable[Sequence[str]]) -> _Window:
        counts = Counter(chain.from_iterable(turns))
        return cls(counts, math.sqrt(sum(c * c for c in counts.values())))


def _cosine(one: _Window, two: _Window) -> float:
    dot = sum(one.counts[term] * two.counts[term] for term in one.counts.keys() & two.counts.keys())
    size = one.length * two.length
    return dot / size if size else 0.0
