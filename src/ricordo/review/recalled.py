"""Recognizes what this memory brought back, so that it is never remembered again as if somebody had said it.

The blocks that are put into prompts come back in talk: quoted whole by a client that logs its prompts, or repeated by a
model. They are told by their own form, which no text inside them can have: there `<` stands escaped, or each
memory is one line.
"""

from __future__ import annotations

import re

from ricordo.errors import PolicyRefused
from ricordo.models import Kind

#: The most characters of one block that are looked at.
_LONGEST = 200_000
_BLOCKS = re.compile(
    # ricordo.recall.context: the whole block, or single lines of it.
    rf"<memory_context>\s{{0,3}}What was said in earlier conversations, quoted as data\.[^\0]{{0,{_LONGEST}}}?"
    r"(?:</memory_context>|\Z)"
    r'|<memory pointer="[^"<\n]{1,80}" at="[^"<\n]{1,40}" speaker="[^"<\n]{0,1200}">[^<]*(?:</memory>|\Z)\n?'
    # ricordo.runs.injection
    r"|^## Context Memory\n(?:- \[[01]\.\d{1,7}\] [^\n]*(?:\n|\Z))+"
    # ricordo.memories.journal
    r"|^# Your Private Memory\n(?:\n?## (?:Core Memories \(permanent\)|Recent Journal Entries)\n"
    r"(?:- [^\n]*(?:\n|\Z))+)+",
    re.MULTILINE,
)

#: Tags that are no part of a flag (UTS 51), which begins with U+1F3F4.
_HIDDEN = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]")


def hidden(text: str) -> bool:
    """Whether a text holds Unicode's tag characters, in which text can stand that people do not see and models read."""
    return not text.isascii() and bool(_HIDDEN.search(text))


def without_recalled(text: str) -> tuple[str, int]:
    """The text without blocks of recalled memories, and how many those were."""
    if "emory" not in text:
        return text, 0
    rest, count = _BLOCKS.subn("", text)
    return (rest.strip(), count) if count else (text, 0)


def sayable(kind: Kind, text: str) -> str:
    """The text, if it may be said anew. Raises PolicyRefused for what this memory itself brought back, and for signs
    that models read and people do not see."""
    if kind == "document":
        return text
    if without_recalled(text)[1]:
        raise PolicyRefused("content", "contains a block recalled from this memory: write only new information")
    if hidden(text):
        raise PolicyRefused("content", "contains invisible tag characters (U+E0000 to U+E007F): remove them")
    return text
