"""Messages to an agent, asked as they are: what tells them from questions, and what helps to read them.

A question asks and nothing else. A message also tells something: "I booked the flight. What is next on our list?" It
goes on with what was talked about lately, most often with what the agent itself proposed, so that its words match many
turns. Sentences are told apart without a language, but for the abbreviations that do not end one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.text import ENGLISH, words

#: What may end a sentence, with the quotation marks and brackets behind it. A row of marks is looked at once, from its
#: beginning: from each of its marks, thousands of them would take seconds.
_END = re.compile(r"(?<![.!?…؟])[.!?…؟]++[\"'”’»)\]*]*+\s+|[。！？]+|\n+")
_LAST_WORD = re.compile(r"[^\s(\[\"'„“«]+\Z")
#: A dot behind these ends no sentence.
_ABBREVIATED = frozenset(
    [
        "approx", "bzw", "ca", "dr", "etc", "evtl", "ggf", "inkl", "jr", "mlle", "mme", "mr", "mrs", "ms", "mt", "nr",
        "prof", "sr", "sra", "st", "str", "usw", "vgl", "vs",
    ]
)  # fmt: skip
#: "J." in a name, "3." before a month or in a list, "z.B." and "U.S.".
_INITIALS = re.compile(r"\w|\d{1,2}|(?:\w\.)+\w")
_ASKS = ("?", "？", "؟")
_AFTER_MARK = " \t\n\"'”’»)]*"
#: A sentence of fewer words tells nothing, as "Hi there." does.
_FEWEST = 3
#: What helps to read a short text that refers back: the end of the turn before it, this many characters. A text that is
#: longer than the second says by itself what it is about, and so does a question with so many words of its own.
_BEFORE, _SHORT, _OWN_WORDS = 200, 250, 2


def sentences(text: str) -> list[str]:
    """The sentences of a text, and the lines of it that are none."""
    return [each for each in (piece.strip() for piece in _pieces(text)) if each]


def is_message(text: str) -> bool:
    """Whether a text tells something beside what it asks."""
    found = sentences(text)
    return len(found) > 1 and any(not _asks(each) and len(list(words(each))) >= _FEWEST for each in found)


def with_context(text: str, context: str | None) -> str:
    """The text that says what a question means, where the turn before it is known."""
    before = (context or "").strip()[-_BEFORE:].strip()
    return f"{before} {text}" if before and _refers_back(text) else text


def _refers_back(text: str) -> bool:
    own = sum(word not in ENGLISH for word in words(text[:_SHORT]))
    return len(text) <= _SHORT and (own < _OWN_WORDS or is_message(text))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        if not (match.group().startswith(".") and _goes_on(text[start : match.start()])):
            yield text[start : match.end()]
            start = match.end()
    yield text[start:]


def _goes_on(before: str) -> bool:
    """Whether a sentence goes on behind a dot after these words."""
    last = _LAST_WORD.search(before[-20:])
    return last is not None and (last.group().lower() in _ABBREVIATED or _INITIALS.fullmatch(last.group()) is not None)


def _asks(sentence: str) -> bool:
    return sentence.rstrip(_AFTER_MARK).endswith(_ASKS)
