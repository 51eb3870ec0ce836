"""Regular expressions that are compiled when first used, because most processes never read a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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


#: A sign of a pattern: something escaped, a class, or a character.
_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\\\]])*\]|.", re.DOTALL)
#: A letter that a match must begin with.
_LETTER = re.compile(r"[A-Za-z](?![?*+{])")
#: The longest text behind a group that is repeated behind each of the group's alternatives, in characters.
_LONGEST_TAIL = 100


def any_of(*patterns: re.Pattern[str]) -> re.Pattern[str]:
    """One pattern that matches where any of these does, much faster than trying each. It has no named groups, and where
    several match, it does not tell which does.

    Alternatives are grouped by their first letters, so that one look at a text's letter rules out most of them.
    """
    groups: dict[tuple[str, str], dict[str, list[str]]] = {}
    for each in patterns:
        flag = "i" if each.flags & re.IGNORECASE else ""
        for anchor, alternative in _alternatives(_SIGN.findall(unnamed(each.pattern))):
            letter = alternative[:1] if _LETTER.match(alternative) else ""
            by_letter = groups.setdefault((anchor, flag), {})
            by_letter.setdefault(letter, []).append(alternative.removeprefix(letter))
    return lazy(
        "|".join(
            f"{anchor}(?{flag}:" + "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in by_letter.items()) + ")"
            for (anchor, flag), by_letter in groups.items()
        )
    )


def _alternatives(signs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The alternatives of a pattern: what each is anchored at, if anything, and the rest of it."""
    depth = 0
    found: list[list[str]] = [[]]
    for sign in signs:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            found.append([])
        else:
            found[-1].append(sign)
    for each in found:
        anchor = each.pop(0) if each[:1] in (["^"], [r"\b"]) else ""
        end = _end_of_group(each)
        tail = "".join(each[end:])
        if end and len(tail) <= _LONGEST_TAIL and tail[:1] not in ("?", "*", "+", "{"):
            for own, alternative in _alternatives(each[3 : end - 1]):
                yield anchor or own, (own if anchor else "") + alternative + tail
        else:
            yield anchor, "".join(each)


def _end_of_group(signs: Sequence[str]) -> int:
    """The number of signs of the group that a pattern begins with, or 0 if it begins with none."""
    depth = 0
    for index, sign in enumerate(signs if signs[:3] == ["(", "?", ":"] else ()):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return index + 1
    return 0


def unnamed(pattern: str) -> str:
    """A pattern with its named groups made unnamed, so that it can be combined with others."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
