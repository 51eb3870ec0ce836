"""Who a clause is about, and whether it says that something holds: not asked, wished, supposed, reported or denied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ricordo.facts.sentences import Sentence
from ricordo.models import EntityKind, Mention
from ricordo.text.english import NOT, UNREAL, word_set

_SELF = word_set("i i'm i've im ive we we're we've")
_BETWEEN = word_set(
    """
    am are is was have has had been be now currently just still also really actually recently always absolutely
    finally even both 'm do does totally honestly personally truly genuinely officially only already myself so very
    did mostly usually mainly kinda originally definitely deeply got started began longer used to
    """
)
_BOUND = word_set("of with to for at near by like from than that who about and's")
_ANYMORE = ("any more", "anymore", "any longer")


@dataclass(frozen=True, slots=True)
class Subject:
    """Who it is about; `ended` where it holds no more."""

    name: str
    kind: EntityKind
    ended: bool = False
    #: Whether it is the speaker.
    first_person: bool = False


def subject(sentence: Sentence, verb: int, speaker: str, mentions: Sequence[Mention]) -> Subject | None:
    """Whom the verb at that word is said of; None where it isn't sure, or isn't said to hold."""
    words = sentence.words
    passed: list[str] = []
    at = verb - 1
    while at >= 0 and len(passed) < 5 and (words[at].key in _BETWEEN or words[at].key in NOT):
        passed.append(words[at].key)
        at -= 1
    if at < 0:
        return None
    ended = ("longer" in passed and "no" in passed) or ("used" in passed and "to" in passed)
    negated = any(word in NOT for word in passed) and "longer" not in passed
    if "to" in passed and not ended:
        return None
    if negated:
        ended = is_over(sentence, verb)
        if not ended:
            return None
    if not holds(sentence, at):
        return None
    if words[at].key in _SELF:
        return Subject(speaker, "person", ended, True)
    start = words[at].end - (2 if words[at].text.endswith(("'s", "’s")) else 0)
    for mention in mentions:
        if mention.kind == "person" and mention.end == start:
            before = next((word.key for word in reversed(words[:at]) if word.end <= mention.start), "")
            if before in _BOUND or (before == "and" and "me" in sentence.keys):  # "me and Eva play"
                return None
            return Subject(mention.name, "person", ended)
    return None


def is_over(sentence: Sentence, verb: int) -> bool:
    """Whether "any more" stands behind a verb."""
    tail = sentence.text[sentence.words[verb].start - sentence.start :][:80].lower()
    return any(each in tail for each in _ANYMORE)


def holds(sentence: Sentence, before: int) -> bool:
    """Whether nothing before that word makes what follows a wish, a report, a supposition or a denial."""
    if sentence.idle:
        return False
    for word in reversed(sentence.words[:before]):
        if word.key == "but":
            return True
        if word.key in UNREAL or word.key in NOT:
            return False
    return True
