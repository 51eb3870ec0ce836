"""A question as it is asked → what to look for: words, a span of time, and whose words are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from ricordo.entries.stopwords import ENGLISH
from ricordo.entries.terms import fold, stem, term_hash, variants, words
from ricordo.recall.anchor import Anchor, anchor_of
from ricordo.recall.preference import asks_for_preference
from ricordo.recall.when import Span, span_of

#: Words that ask for a service and do not say what about.
_REQUEST = frozenset(
    [
        "advice", "ago", "any", "chat", "chats", "checking", "conversation", "conversations", "currently",
        "different", "give", "going", "idea", "ideas", "know", "last", "lately", "many", "mentioned", "need",
        "number", "past", "please", "previous", "previously", "recommend", "recommendation", "recommendations",
        "recommended", "remind", "some", "suggest", "suggested", "suggestion", "suggestions", "thinking", "times",
        "tip", "tips", "total", "wanted", "wondering",
    ]
)  # fmt: skip
_TOLD = (
    r"(?:suggest|told|mention|said|recommend|provid|list|gave|describ|explain|help|identif|came up|shar|creat|wr[io]t)"
)
#: What asks for an assistant's own words; "can you suggest" asks for new ones.
_SAID_BY_ASSISTANT = re.compile(
    rf"\b(?<!can )(?<!could )(?<!will )(?<!would )(?<!should )you {_TOLD}|"
    r"\bremind me\b(?! to\b)|\bour (?:previous|last|earlier) (?:chat|conversation|discussion)|"
    r"\bassistant (?:said|suggest|recommend|told|advise|propos|explain|list)|"
    r"\bdid (?:you|the assistant) (?:suggest|recommend|say|tell|mention|advise|propose|list)|"
    r"\bhast du (?:[^.?!]{0,80} )?(?:gesagt|vorgeschlagen|empfohlen|geraten|genannt|erklart|geschrieben)\b"
)
#: What asks how things are at present: where they changed, the newer counts.
_PRESENT = re.compile(
    r"\b(?:currently|now|nowadays|these days|at the moment|still|latest|newest|current|most recent|"
    r"aktuell\w*|derzeit|jetzt|zurzeit|momentan|neuest\w*|actuellement|maintenant|actualmente|ahora)\b"
)
#: Names that are function words too; they are meant where they have a capital behind another word.
_NAMED = re.compile(r"(?<=[\w,] )(?:Will|Don|May)\b")
#: The longest part of a question that is looked at, and the most words of it that are looked for.
LOOK = 8_000
_WORDS = 48


@dataclass(frozen=True)
class Question:
    """What to look for."""

    text: str
    #: For each word that is looked for, the hashes of the forms that it may have in the index.
    words: dict[str, frozenset[int]]
    span: Span | None
    #: An event that the time is told by, and the forms of its words; where no date is named.
    anchor: Anchor | None
    event: dict[str, frozenset[int]]
    #: The day when it is asked.
    today: date
    #: Whether it asks how things are at present.
    of_present: bool
    #: Whether the question is about what an assistant said, and not about what people said.
    of_assistant: bool
    #: Whether it asks for advice, or for what somebody likes.
    of_preference: bool
    #: Words of other names of the people in it.
    called: frozenset[str] = frozenset()

    def names(self, speaker: str) -> bool:
        """Whether the question speaks of this person by a name or a part of it."""
        return speaker not in ("user", "assistant") and not (self.words.keys() | self.called).isdisjoint(words(speaker))


def parse(text: str, languages: tuple[str, ...], today: date) -> Question:
    """Read a question of a user whose conversations are in `languages` (ISO 639-1 codes).

    Words of request are looked for only where there are no others, and function words where there are none else.
    """
    text = text[:LOOK]
    folded, span = fold(text), span_of(text, today)
    anchor = None if span else anchor_of(folded)
    of_assistant = _SAID_BY_ASSISTANT.search(folded) is not None
    return Question(
        text=text,
        words=_forms(text, languages),
        span=span,
        anchor=anchor,
        event=_forms(anchor.event, languages) if anchor else {},
        today=today,
        of_present=_PRESENT.search(folded) is not None,
        of_assistant=of_assistant,
        of_preference=not of_assistant and asks_for_preference(folded),
    )


def _forms(text: str, languages: tuple[str, ...]) -> dict[str, frozenset[int]]:
    """The words of a text that are worth looking for, each with the hashes of its forms."""
    names = {fold(name) for name in _NAMED.findall(text)}
    said = list(dict.fromkeys(words(text)))
    content = [word for word in said if word not in ENGLISH or word in names]
    wanted = [word for word in content if word not in _REQUEST] or content or said
    forms: dict[str, tuple[str, set[int]]] = {}
    for word in wanted[:_WORDS]:  # two spellings of one stem are one word
        _, hashes = forms.setdefault(stem(word, languages[0] if languages else "en"), (word, set()))
        hashes.update(map(term_hash, variants(word, (*languages, "en"))))
    return {word: frozenset(hashes) for word, hashes in forms.values()}
