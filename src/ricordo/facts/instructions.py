"""Standing instructions: how a person tells the assistant to behave from now on.

"Always show units", "Never call me before ten", "When I ask about X, always Y". Each is a fact about who says it, with
the predicate `instruction` and the sentence as its value. Its scope, what it is about and what it replaces follow from
that sentence, so that one which a person enters or corrects works like one that was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from ricordo.facts import instruction_rules as rules
from ricordo.facts.sentences import Sentence, quotations
from ricordo.models import SELF, Fact
from ricordo.text import NAMELESS, fold, lazy, of_words, stem, words

PREDICATE = "instruction"
#: A turn longer than this is a text that was pasted, and a sentence no instruction; in characters.
_LONGEST_TURN, _LONGEST = 1_000, 300
#: What introduces a text that was pasted: a colon before it, in the same turn; or else words (`rules.HANDED_OVER`).
_INTRODUCES = lazy(r":\s*(?:\n|[\"“„«]|$)")
#: The share of the words of the shorter that two instructions must have in common to be about the same.
_THE_SAME = 2 / 3


@dataclass(frozen=True)
class Instruction:
    """An instruction as it is understood."""

    #: The words that name when it applies, stemmed; empty where it always does.
    scope: frozenset[str]
    #: What kind of thing it settles, such as the language of answers; '' where no rule names it.
    aspect: str
    #: The other words of what it asks for, stemmed.
    deed: frozenset[str]

    def replaces(self, other: Instruction) -> bool:
        """Whether a later instruction of this kind is about the same as an earlier one."""
        if self.scope != other.scope:
            return False
        if self.aspect or other.aspect:
            return self.aspect == other.aspect
        fewer = min(len(self.deed), len(other.deed))
        return fewer > 0 and len(self.deed & other.deed) >= _THE_SAME * fewer


def found(turn: int, speaker: str, text: str, sentences: Sequence[Sentence], played: bool) -> Iterator[Fact]:
    """The instructions of a person's turn. `played` says that it asks for a text or a part to play: then only what
    asks for it within an instruction counts."""
    if len(text) > _LONGEST_TURN:
        return
    quoted = quotations(text)
    for sentence in sentences:
        if len(sentence.text) > _LONGEST or any(a <= sentence.start < b for a, b in quoted):
            continue
        before, after = text[: sentence.start], text[sentence.end : sentence.end + 2]
        if ">" in before[-4:] or _is_pasted(before) or (played and before.strip()):
            continue
        read = _read(sentence.text, after.startswith("?") or "?" in after)
        if read is not None:
            yield Fact(
                turn=turn, subject=speaker, subject_kind="person", predicate=PREDICATE, object=sentence.text.strip(),
                ended=read == "ends",
            )  # fmt: skip


def addresses_assistant(speaker: str, roles: Sequence[str]) -> bool:
    """Whether what a person says is said to an assistant: not in talk among people."""
    return speaker == SELF or "assistant" in roles


def _is_pasted(before: str) -> bool:
    """Whether what stands before a sentence introduces a text to work on, and no list of instructions."""
    said = fold(before)
    match = _INTRODUCES.search(said) or rules.HANDED_OVER.search(said)
    return match is not None and rules.INTRODUCED.search(said[: match.end()]) is None


@lru_cache(maxsize=4096)
def _read(sentence: str, asks: bool) -> str | None:
    """What a sentence does: "gives" an instruction or "ends" one; None for any other."""
    text = rules.LEAD.sub("", " ".join(fold(sentence.replace("’", "'")).split()), count=1)
    ends = not asks and rules.ENDED.match(text) is not None
    given = (rules.ASKED,) if asks else rules.GIVEN
    if not (ends or any(rule.match(text) for rule in given)) or rules.NOT_MEANT.search(text):
        return None
    if not ends and rules.POINTS.match(text):
        return None
    return "ends" if ends else "gives"


@lru_cache(maxsize=4096)
def understood(value: str) -> Instruction:
    """What an instruction's sentence means: when it applies, what it settles, and by which words."""
    text = rules.LEAD.sub("", " ".join(fold(value.replace("’", "'")).split()), count=1)
    language = of_words([value]) or "en"
    match = next((match for rule in rules.SCOPES if (match := rule.search(text))), None)
    scope = "" if match is None else match["scope"]
    deed = text if match is None else f"{text[: match.start()]} {text[match.end() :]}"
    aspect = next((name for name, rule in rules.ASPECTS.items() if rule.search(deed)), "")
    return Instruction(_content(scope, language), aspect, _content(deed, language))


def _content(text: str, language: str) -> frozenset[str]:
    """The words of a text that name something, stemmed."""
    return frozenset(stem(word, language) for word in words(text) if word not in NAMELESS and word not in rules.GENERIC)


def matters(values: Sequence[str]) -> list[int]:
    """For each instruction the number of its matter: those that replace one another have the same."""
    read = [understood(value) for value in values]
    matter = list(range(len(values)))
    for one, other in combinations(range(len(values)), 2):
        if matter[one] != matter[other] and read[other].replaces(read[one]):
            old, new = matter[other], matter[one]
            matter = [new if each == old else each for each in matter]
    return matter
