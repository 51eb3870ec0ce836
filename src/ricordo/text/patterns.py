"""Regular expressions that are compiled when first used, because most processes never read a conversation."""

from __future__ import annotations

import re
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


def any_of(*patterns: re.Pattern[str]) -> re.Pattern[str]:
    """One pattern that matches where any of these does, much faster than trying each. It has no named groups."""
    return lazy(
        "|".join(f"(?{'i' if each.flags & re.IGNORECASE else ''}:{unnamed(each.pattern)})" for each in patterns)
    )


def unnamed(pattern: str) -> str:
    """A pattern with its named groups made unnamed, so that it can be combined with others."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
