"""Regular expressions that are compiled when first used, because most processes never read a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast


class _Lazy:
    """A placeholder for a pattern. From its first use on, it has the methods of the compiled pattern."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self.flags)
        for each in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Like `re.compile`, but compiles the pattern when it is first used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))


class Caseless:
    """A pattern in lower case for text of any case, compiled when it is first used. It takes a third of the time of
    `re.IGNORECASE`, under which the first letter of an alternative cannot rule it out at once."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled = lazy(pattern)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match; its text is in lower case."""
        return self._compiled.search(text.lower())


#: A sign of a pattern: the beginning of a group, a bar, or a character or class with how often it is repeated.
_SIGN = lazy(
    r"\((?:\?(?:[a-z-]*:|<?[=!]))?|\||"
    r"(?:\\(?:x..|u.{4}|U.{8}|.)|\[\^?\]?(?:\\.|[^\\\]])*\]|.)(?:[?*+]|\{\d*,?\d*\})?[?+]?",
    re.DOTALL,
)
#: The longest text behind a group, in signs, that is repeated behind each of the group's alternatives.
_LONGEST = 100


def any_of(*patterns: re.Pattern[str]) -> re.Pattern[str]:
    """One pattern that matches where any of these does, much faster than trying each. It has no named groups, and where
    several match, it does not tell which does.

    Raises ValueError for flags other than IGNORECASE; and, when it is first used, for flags within a pattern and for
    references to groups."""
    for each in patterns:
        others = each.flags & ~(re.IGNORECASE | re.UNICODE)
        if others:
            raise ValueError(f"cannot join patterns with {re.RegexFlag(others)!r}: {each.pattern!r}")
    return cast("re.Pattern[str]", _AnyOf(patterns))


class _AnyOf(_Lazy):
    """What alternatives begin with is tried once for all that begin with it. Most begin with a letter, so that one look
    at a text's letter rules out most of them."""

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        self._patterns, self.flags = patterns, re.NOFLAG

    def __getattr__(self, name: str) -> Any:
        if name == "pattern":
            self.pattern = self._joined()
            return self.pattern
        return super().__getattr__(name)

    def _joined(self) -> str:
        groups: dict[tuple[str, str], dict[str, list[str]]] = {}
        for each in self._patterns:
            flag = "i" if each.flags & re.IGNORECASE else ""
            for anchor, signs in _alternatives(_signs(each.pattern)):
                first = _first(signs)
                by_first = groups.setdefault((anchor, flag), {})
                by_first.setdefault("".join(signs[:first]), []).append("".join(signs[first:]))
        return "|".join(
            f"{anchor}(?{flag}:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items()) + ")"
            for (anchor, flag), by_first in groups.items()
        )


def _signs(pattern: str) -> list[str]:
    signs = _SIGN.findall(unnamed(pattern))
    for sign, after in pairwise(signs):
        if (sign == "(" and after.startswith("?")) or re.match(r"\\[1-9]", after):
            raise ValueError(f"cannot join a pattern that has {sign + after!r} with others: {pattern!r}")
    return signs


def _alternatives(signs: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The alternatives of a pattern: what each is anchored at, if anything, and the rest of it."""
    depth = 0
    found: list[list[str]] = [[]]
    for sign in signs:
        depth += sign.startswith("(") - sign.startswith(")")
        if sign == "|" and not depth:
            found.append([])
        else:
            found[-1].append(sign)
    for each in found:
        anchor = each.pop(0) if each[:1] in (["^"], [r"\b"]) else ""
        first = _first(each)
        tail = each[first:]
        is_of_words = each[:1] == ["(?:"] and not each[1].startswith("[") and each[first - 1] == ")"
        if is_of_words and len(tail) <= _LONGEST:
            for own, alternative in _alternatives(each[1 : first - 1]):
                yield anchor or own, [*([own] if anchor and own else []), *alternative, *tail]
        else:
            yield anchor, each


def _first(signs: Sequence[str]) -> int:
    """How many signs the first character, class or group of a pattern has."""
    depth = 0
    for index, sign in enumerate(signs):
        depth += sign.startswith("(") - sign.startswith(")")
        if not depth:
            return index + 1
    return 0


def unnamed(pattern: str) -> str:
    """A pattern with its named groups made unnamed, so that it can be combined with others."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
