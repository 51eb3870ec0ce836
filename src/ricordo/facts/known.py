"""The names that a palace has already, so that a later bare mention of one is recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ricordo.models import EntityKind
from ricordo.text import fold

#: More words than any name has.
_LONGEST_NAME = 8


class Known:
    """Names and aliases, folded → the entity's own name and kind.

    Build it from rows (name, kind, aliases), the entity that is spoken of most first: of two with the same name the
    first counts. Building costs about 1 µs for each name; it never changes and may be kept and shared among threads.
    """

    __slots__ = ("_by_first", "_names")

    def __init__(self, rows: Iterable[tuple[str, EntityKind, Sequence[str]]] = ()) -> None:
        self._names: dict[tuple[str, ...], tuple[str, EntityKind]] = {}
        self._by_first: dict[str, int] = {}
        for name, kind, aliases in rows:
            for each in (name, *aliases):
                self._add(each, name, kind)

    def _add(self, spelling: str, name: str, kind: EntityKind) -> None:
        words = tuple(key(word) for word in spelling.split())
        if words and len(words) <= _LONGEST_NAME and all(words):
            self._names.setdefault(words, (name, kind))
            self._by_first[words[0]] = max(self._by_first.get(words[0], 0), len(words))

    def begins(self, word: str) -> bool:
        """Whether some name begins with a word, folded as `key` does."""
        return word in self._by_first

    def at(self, words: Sequence[str], first: int) -> tuple[int, str, EntityKind] | None:
        """The longest name that begins at words[first], folded as `key` does: how many words, name, kind."""
        longest = self._by_first.get(words[first])
        if longest is None:
            return None
        for count in range(min(longest, len(words) - first), 0, -1):
            found = self._names.get(tuple(words[first : first + count]))
            if found is not None:
                return count, *found
        return None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and tuple(key(word) for word in name.split()) in self._names

    def __iter__(self) -> Iterator[tuple[str, EntityKind]]:
        return iter(dict.fromkeys(self._names.values()))

    def __len__(self) -> int:
        return len(self._names)


@lru_cache(maxsize=65536)
def key(word: str) -> str:
    """A word as names are compared: folded, without a possessive ending and without marks at its edges."""
    bare = fold(word).replace("’", "'").strip(".,;:!?\"'()[]*_")
    return bare.removesuffix("'s")
