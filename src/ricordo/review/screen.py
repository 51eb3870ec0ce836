"""Screening: what is about to be kept is searched for secrets and personal data, and kept, redacted or refused.

Nothing here writes or logs. Messages tell kinds and counts, never what was found.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ricordo.errors import PolicyRefused
from ricordo.models import Handling

Group = Literal["secrets", "personal_data"]
#: Signs that stand for others: dashes and spaces of all kinds.
_LIKE = {**dict.fromkeys("‐‑‒–—―−﹣－", "-"), **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
         "\u2008\u2009\u200a\u202f\u205f\u3000", " "), "＠": "@", "．": ".", "＋": "+"}  # fmt: skip
#: Letters of scripts that put no space between words (Thai to Khmer, Hangul, kana, ideographs): what stands beside one
#: of them is not a part of its word.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x11FF), (0x1780, 0x17FF), (0x3040, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF))
#: Signs that nobody sees, between the digits of a number.
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


@dataclass(frozen=True)
class Finding:
    """Something found, and where it stands in the text."""

    group: Group
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Screen:
    """What is done with each group."""

    secrets: Handling = "store"
    personal_data: Handling = "store"
    #: Counts what is redacted, by kind, where somebody wants to know.
    redacted: Counter[str] | None = field(default=None, compare=False)

    def counting(self, redacted: Counter[str]) -> Screen:
        """The same screen, which counts there what it redacts."""
        return replace(self, redacted=redacted)

    @property
    def is_open(self) -> bool:
        """Whether everything is kept as it is."""
        return self.secrets == self.personal_data == "store"

    def text(self, field: str, text: str) -> str:
        """The text as it may be kept. Raises PolicyRefused, naming the field, where it may not."""
        kept, rejected, redacted = self.screened(text)
        if rejected:
            raise PolicyRefused(field, refusal(rejected))
        if self.redacted is not None:
            self.redacted.update(redacted)
        return kept

    def screened(self, text: str) -> tuple[str, Counter[str], Counter[str]]:
        """The text as it may be kept; what keeps it from being kept at all; what was redacted in it. By kinds."""
        rejected: Counter[str] = Counter()
        redacted: Counter[str] = Counter()
        if self.is_open:
            return text, rejected, redacted
        parts, end = [], 0
        for each in find(text):
            handling = self.secrets if each.group == "secrets" else self.personal_data
            if handling == "reject":
                rejected[each.kind] += 1
            elif handling == "redact":
                redacted[each.kind] += 1
                parts += [text[end : each.start], f"[redacted: {each.kind}]"]
                end = each.end
        return "".join([*parts, text[end:]]), rejected, redacted

    def value(self, field: str, value: Any) -> Any:
        """A value of JSON with each text in it, names too, as it may be kept. Raises PolicyRefused."""
        if self.is_open:
            return value
        if isinstance(value, str):
            return self.text(field, value)
        if isinstance(value, Mapping):
            return {self.text(field, str(name)): self.value(field, each) for name, each in value.items()}
        return [self.value(field, each) for each in value] if isinstance(value, list | tuple) else value

    def name(self, field: str, name: str) -> str:
        """A name, in which nothing is redacted, since others could not be told from it. Raises PolicyRefused where
        something would be."""
        _, rejected, redacted = self.screened(name)
        if found := rejected + redacted:
            raise PolicyRefused(field, refusal(found))
        return name

    def remark(self, text: str | None) -> str | None:
        """A remark, such as a reason, as it may be kept: what would be refused elsewhere is redacted, since what is
        remarked on must not fail for it."""
        return None if text is None else self.redacting().text("reason", text)

    def redacting(self) -> Screen:
        """The screen that redacts what this one redacts or refuses."""
        return Screen(
            "store" if self.secrets == "store" else "redact", "store" if self.personal_data == "store" else "redact"
        )


def find(text: str) -> list[Finding]:
    """What of a text is a secret or personal data, in order and without overlaps; a secret goes before what is found
    inside it."""
    plain, places = _plain(text)
    found: list[Finding] = []  # in order of their places, and so of their ends
    for each in (*_secrets(plain), *_personal(plain)):
        place = bisect_left(found, each.end, key=lambda other: other.start)
        if not place or found[place - 1].end <= each.start:
            found.insert(place, each)
    if places is None:
        return found
    return [Finding(each.group, each.kind, places[each.start], places[each.end - 1] + 1) for each in found]


def refusal(kinds: Mapping[str, int]) -> str:
    """What is wrong with a text that holds these."""
    return f"contains {told(kinds)}, which the policy of this profile does not allow: remove it"


def told(kinds: Mapping[str, int]) -> str:
    """Kinds and how often each, such as `e-mail address, phone number (2)`."""
    return ", ".join(kind if count == 1 else f"{kind} ({count})" for kind, count in sorted(kinds.items()))


def _secrets(text: str) -> Iterator[Finding]:
    from ricordo.review import (
        secrets as keys,  # its patterns and those of `personal` take 15 ms, which a recall need not pay
    )

    for kind, pattern, holds in keys.RULES:
        for match in pattern.finditer(text):
            group = "it" if "it" in pattern.groupindex else 0
            if holds(match[group]):
                yield Finding("secrets", kind, *match.span(group))


def _personal(text: str) -> Iterator[Finding]:
    from ricordo.review import personal

    for rule in personal.RULES:
        for match in rule.pattern.finditer(text):
            if rule.holds(match[0]) and rule.is_named(text, match.start()):
                yield Finding("personal_data", rule.kind, *match.span())


def _plain(text: str) -> tuple[str, Sequence[int] | None]:
    """The text with digits, dashes and spaces of every script as those of ASCII, letters of scripts without spaces as
    commas, and without what nobody sees; with where each character stood, None where all stand as they did."""
    if text.isascii():
        return text, None
    kept = [(place, _like(each)) for place, each in enumerate(text) if each not in _UNSEEN]
    return "".join(each for _, each in kept), [place for place, _ in kept]


def _like(character: str) -> str:
    if character.isascii():
        return character
    digit = unicodedata.digit(character, None)
    if digit is None and any(first <= ord(character) <= last for first, last in _UNSPACED):
        return "、"
    return _LIKE.get(character, character) if digit is None else str(digit)
