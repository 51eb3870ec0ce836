"""A turn's text → sentences and words with their places, and what may not be taken at its word. Not for meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ricordo.facts.known import key
from ricordo.text import lazy

#: Only so much of a turn is read: more is a file that was pasted, and no talk. In characters.
READ = 20_000
#: The longest word and the longest gap between two of a sentence, in characters; the most words of a sentence.
#: What goes beyond is no talk, and the bounds keep every rule's time in proportion to the text.
_LETTERS = 60
_GAP = 20
_WORDS = 80
_WORD = lazy(r"([^\W_]\w*(?:['’&.+-]\w+){0,5})")
#: Dots behind these end no sentence.
_ABBREVIATED = frozenset(
    ["dr", "mr", "mrs", "ms", "prof", "st", "mt", "vs", "etc", "fr", "inc", "corp", "ltd", "co", "jr", "sr"]
)
#: What begins a sentence behind a figure: "we're on Vue 3. It works".
_STARTS = lazy(
    r"(?:I|We|He|She|It|They|You|The|My|Our|His|Her|Their|This|That|There|And|But|So|Also|Ich|Wir|Er|Sie|Es|Der|Die|Das|Meine?|Unsere?|Seine?|Ihre?|Und|Aber)\b"
)
_FENCE = lazy(r"```.{0,20000}?(?:```|\Z)|`[^`\n]{1,300}`|https?://\S{1,500}|\S{1,100}@\S{1,100}", re.DOTALL)
_QUOTED = lazy(
    r"\"[^\"\n]{2,2000}\"|“[^”\n]{2,2000}”|„[^“”\n]{2,2000}[“”]|«[^»\n]{2,2000}»|(?<!\w)['‘][^'’\n]{2,300}['’](?!\w)"
)


@dataclass(slots=True)
class Word:
    """A word of a sentence: its place in the turn, as written and folded."""

    start: int
    end: int
    text: str
    key: str
    capital: bool


@dataclass(slots=True)
class Sentence:
    """A sentence of a turn; `start` and `end` are places in the turn's text."""

    text: str
    start: int
    end: int
    words: list[Word]
    #: The folded words, to see quickly which rules may apply.
    keys: frozenset[str] = field(default_factory=frozenset)
    #: Whether nothing in it can be a fact: a question, a quotation.
    idle: bool = False
    #: Whether capitals tell nothing: it is written in them.
    shouted: bool = False
    #: The rules that match it, once they were looked for (`english.matches`): a turn is read several times.
    rules: tuple[Any, ...] | None = None


def sentences(text: str) -> list[Sentence]:
    """The sentences of a turn, without code, addresses and what stands behind READ characters."""
    whole = text[:READ]
    if "`" in whole or "://" in whole or "@" in whole:
        whole = _FENCE.sub(lambda match: " " * len(match.group()), whole)
    found: list[Sentence] = []
    words: list[Word] = []
    last = 0
    cut = False
    parts = _WORD.split(whole)
    for between, written in zip(parts[::2], parts[1::2], strict=False):
        start = last + len(between)
        end = start + len(written)
        long = end - start > _LETTERS
        if words:
            full = long or len(words) >= _WORDS
            if full or between == "\n" or (len(between) > 1 and _ends(between, whole, start, words[-1])):
                found.append(_sentence(whole, words, start, cut))
                words, cut = [], full
        last = end
        if not long:
            words.append(Word(start, end, written, key(written), written[0].isupper()))
    if words:
        found.append(_sentence(whole, words, len(whole), cut))
    return found


def quotations(text: str) -> list[tuple[int, int]]:
    """Where a turn repeats someone's words in quotation marks."""
    if not any(mark in text for mark in "\"“„«'‘"):
        return []
    return [match.span() for match in _QUOTED.finditer(text[:READ])]


def _ends(between: str, text: str, start: int, before: Word) -> bool:
    """Whether a sentence ends `between` two words that more than one character parts; the second begins at `start`."""
    if len(between) > _GAP:
        return True
    if "\n" in between or "!" in between or "?" in between or "…" in between or "¿" in between:
        return True
    if "." not in between:
        return False
    # "Dr. Patel", "J. Smith", "3. Oktober"
    if before.key == "no":
        return not text[start].isdigit()  # "no. 5", but "Oh no. We are late"
    ordinal = before.key.isdigit() and len(before.key) < 3 and not _STARTS.match(text, start)
    return not (before.key in _ABBREVIATED or is_initial(before) or ordinal)


def is_initial(word: Word) -> bool:
    """Whether a word is the beginnings of names: the J of "J. Smith", the R.R of "R.R. Martin"."""
    return word.capital and all(len(part) == 1 for part in word.text.split("."))


def _sentence(text: str, words: list[Word], stop: int, cut: bool) -> Sentence:
    """The sentence of these words; with `cut` it is the rest of one, whose beginning may have made it unreal."""
    start, end = words[0].start, words[-1].end
    tail = text[end : min(stop, end + 40)]
    before = text[max(0, start - 4) : start]
    tall = [word.text.isupper() for word in words if len(word.text) > 1]
    shouted = len(tall) > 2 and sum(tall) > 0.6 * len(tall)
    idle = cut or "?" in tail.split("\n")[0] or ">" in before or "¿" in before
    return Sentence(
        text[start:end], start, end, words, frozenset([word.key for word in words]), idle=idle, shouted=shouted
    )
