"""What is talked about: naming a piece of talk by its own words, and cutting a talk where its words change.

No language model: counting, function words and the spelling that the speakers use.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ricordo.entries.stopwords import NAMELESS
from ricordo.entries.terms import WORD, fold, stem

#: Turns on each side that are compared, and the fewest that make a segment.
_WINDOW = 3
_SHORTEST = 4
#: A valley less deep than this, in cosine, is no change of vocabulary.
_SHALLOW = 0.1
#: How much of a long text is looked at for a name.
_LOOK = 20_000
_SURFACE = re.compile(rf"{WORD}(?:['’.\-]{WORD})*")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+|[,;:()\"“”]\s*")


@dataclass(frozen=True)
class Word:
    """A word as it is written, and the stem that it counts under."""

    surface: str
    stem: str

    @property
    def names(self) -> bool:
        """Whether it can name a topic: no function word, no number, no single letter."""
        folded = fold(self.surface)
        return len(folded) > 2 and folded not in NAMELESS and not any(each.isdigit() for each in folded)


def chunks(text: str, language: str) -> Iterator[list[Word]]:
    """The runs of words that can name something, cut at punctuation and at all other words."""
    for sentence in _SENTENCE.split(text[:_LOOK]):
        run: list[Word] = []
        for surface in _SURFACE.findall(sentence):
            base = surface.removesuffix("'s").removesuffix("’s")
            word = Word(base, stem(fold(base), language))
            if word.names and not ("'" in base or "’" in base):
                run.append(word)
            elif run:
                yield run
                run = []
        if run:
            yield run


def slug(name: str, language: str = "en") -> str:
    """What two spellings of one name have in common: its stems, folded and joined; a name of signs is its own."""
    stems = [stem(fold(each), language) for each in _SURFACE.findall(name)]
    return "-".join(stems) or "".join(fold(name).split()) or "unnamed"


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


def vocabulary(texts: Sequence[str], language: str) -> Counter[str]:
    """How often each stem that can name something stands in these texts."""
    return Counter(word.stem for text in texts for chunk in chunks(text, language) for word in chunk)


def name_of(texts: Sequence[str], whole: Counter[str], language: str) -> str | None:
    """A short name for what `texts` are about, by words that they use more than the rest of the talk does.

    `whole` is the vocabulary of all the talk, `texts` among it. A pair of neighbouring words that comes twice
    beats single words, and of equal words the first; None where no word can name anything.
    """
    here, pairs, spelling = _counts(texts, language)
    if not here:
        return None
    total = whole.total() - here.total()
    weight = {
        each: count * math.log(2 + total / (1 + whole[each] - count)) * _proper(spelling[each])
        for each, count in here.items()
    }
    best = max(weight, key=weight.__getitem__)
    together = [pair for pair, count in pairs.items() if count > 1 and best in pair]
    if together:
        pair = max(together, key=lambda each: (pairs[each], weight[each[0]] + weight[each[1]]))
        return _title([_usual(spelling[each]) for each in pair])
    others = [each for each in weight if each != best and here[each] > 1 and weight[each] > 0.6 * weight[best]]
    second = max(others, key=weight.__getitem__, default=None)
    return _title([_usual(spelling[each]) for each in (best, second) if each is not None], " & ")


def _counts(
    texts: Sequence[str], language: str
) -> tuple[Counter[str], Counter[tuple[str, str]], dict[str, Counter[str]]]:
    """How often each stem and each pair of neighbours stands in the texts, and how the stems are written."""
    singles: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    spelling: dict[str, Counter[str]] = {}
    for text in texts:
        for chunk in chunks(text, language):
            for word in chunk:
                singles[word.stem] += 1
                spelling.setdefault(word.stem, Counter())[word.surface] += 1
            pairs.update((one.stem, two.stem) for one, two in pairwise(chunk) if one.stem != two.stem)
    return singles, pairs, spelling


def _proper(spellings: Counter[str]) -> float:
    """Words mostly written with a capital are likely names of something."""
    capital = sum(count for surface, count in spellings.items() if surface[:1].isupper())
    return 1.5 if capital > 0.8 * spellings.total() else 1.0


def _usual(spellings: Counter[str]) -> str:
    return max(spellings, key=lambda each: (spellings[each], each))


def _title(words: Sequence[str], joint: str = " ") -> str:
    name = joint.join(words)
    return (name[:1].upper() + name[1:])[:80]


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    dot = sum(count * two[term] for term, count in one.items())
    size = math.sqrt(sum(c * c for c in one.values())) * math.sqrt(sum(c * c for c in two.values()))
    return dot / size if size else 0.0
