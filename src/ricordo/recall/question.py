"""A question as it is asked → what to look for: words, a span of time, and whose words are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from ricordo.entries.stopwords import ENGLISH
from ricordo.entries.terms import fold, stem, term_hash, variants, words
from ricordo.recall.when import Span, span_of

#: Words that ask for a service and do not say what about.
_REQUEST = frozenset(
    [
        "advice",
        "ago",
        "any",
        "chat",
        "chats",
        "checking",
        "conversation",
        "conversations",
        "currently",
        "different",
        "give",
        "going",
        "idea",
        "ideas",
        "know",
        "last",
        "lately",
        "many",
        "mentioned",
        "need",
        "number",
        "past",
        "please",
        "previous",
        "previously",
        "recommend",
        "recommendation",
        "recommendations",
        "recommended",
        "remind",
        "some",
        "suggest",
        "suggested",
        "suggestion",
        "suggestions",
        "thinking",
        "times",
        "tip",
        "tips",
        "total",
        "wanted",
        "wondering",
    ]
)
_SAID_BY_ASSISTANT = re.compile(
    r"\b(?:you (?:suggest|told|mention|said|recommend|provid|list|gave|describ|explain|help|identif|came up|"
    r"shar|creat|wr[io]t)\w*|remind me|our (?:previous|last|earlier) (?:chat|conversation|discussion)|"
    r"(?:the )?assistant (?:said|suggest|recommend|told|advise|propos|explain|list)\w*|"
    r"did (?:you|the assistant) (?:suggest|recommend|say|tell|mention|advise|propose|list)\w*)",
    re.IGNORECASE,
)
#: The longest part of a question that is looked at, and the most words of it that are looked for.
_LOOK = 8_000
_WORDS = 48


@dataclass(frozen=True)
class Question:
    """What to look for."""

    text: str
    #: For each word that is looked for, the hashes of the forms that it may have in the index.
    words: dict[str, frozenset[int]]
    span: Span | None
    #: Whether the question is about what an assistant said, and not about what people said.
    of_assistant: bool


def parse(text: str, languages: tuple[str, ...], today: date) -> Question:
    """Read a question of a user whose conversations are in `languages` (ISO 639-1 codes).

    Function words are not looked for, and words of request only where there are no others.
    """
    text = text[:_LOOK]
    said = dict.fromkeys(words(text))
    content = [word for word in said if word not in ENGLISH]
    wanted = [word for word in content if word not in _REQUEST] or content
    forms: dict[str, tuple[str, set[int]]] = {}
    for word in wanted[:_WORDS]:  # two spellings of one stem are one word
        _, hashes = forms.setdefault(stem(word, languages[0] if languages else "en"), (word, set()))
        hashes.update(map(term_hash, variants(word, (*languages, "en"))))
    return Question(
        text=text,
        words={word: frozenset(hashes) for word, hashes in forms.values()},
        span=span_of(text, today),
        of_assistant=_SAID_BY_ASSISTANT.search(fold(text)) is not None,
    )
