"""Short-term memories: kept in this process only, by session, and gone with it. Nothing here reaches the disk.

One Sessions belongs to one open memory, so that it holds one user's memories and shares them with nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ricordo import rules
from ricordo.errors import InvalidInput, StoreUnavailable
from ricordo.models import Entry, Version
from ricordo.text import fold, term_hash, terms

#: The session of those who name none.
DEFAULT = "default"
#: The texts of a session at most, earlier versions counted, and the sessions that hold any.
LARGEST = 10_000
_SESSIONS = 1_000
#: The columns whose earlier values are kept with an earlier text, as for stored memories.
VERSIONED = ("importance", "confidence", "retention", "expires_at", "tags", "metadata", "scope")


@dataclass
class Held:
    """A short-term memory, and what it said before."""

    entry: Entry
    versions: list[Version] = field(default_factory=list)
    #: Whether the store may hold it too: a move between the two is under way, or its end was not seen.
    maybe_stored: bool = False

    def __post_init__(self) -> None:
        self.index()

    def index(self) -> None:
        """Make what the text is found by: how often it holds each term (by hash), how many there are, and itself
        without case and accents."""
        found = terms(self.entry.content, "en")
        self.terms: Mapping[int, int] = Counter(map(term_hash, found))
        self.length = len(found)
        self.folded = fold(" ".join(self.entry.content.split()))


class Sessions:
    """The sessions of one open memory. Ids are unique across them."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[UUID, Held]] = {}
        #: How many texts each session holds, earlier versions counted.
        self._texts: Counter[str] = Counter()
        self._open = False

    def open(self) -> None:
        """Let memories in."""
        self._open = True

    def close(self) -> None:
        """Drop everything, and let nothing in any more."""
        self._open = False
        self._sessions.clear()
        self._texts.clear()

    def __bool__(self) -> bool:
        """Whether any memory is held."""
        return bool(self._sessions)

    def add(self, session: object, entry: Entry, versions: Sequence[Version] = (), maybe_stored: bool = False) -> Held:
        """Hold a memory in a session. Raises InvalidInput for a name that is none, and where there is no room."""
        held = Held(entry, list(versions), maybe_stored)
        name = _name(session)
        more = 1 + len(held.versions)
        members = self._opened().get(name, {})
        self._require_room(name, more)
        if name not in self._sessions and len(self._sessions) >= _SESSIONS:
            raise InvalidInput("session", f"too many sessions; the maximum is {_SESSIONS:,}: clear some")
        self._sessions.setdefault(name, members)[entry.id] = held
        self._texts[name] += more
        return held

    def of(self, session: object) -> list[Held]:
        """The memories of a session, oldest first. Raises InvalidInput for a name that is none."""
        return list(self._opened().get(_name(session), {}).values())

    def find(self, id: UUID) -> Held | None:
        """The memory of this id in any session."""
        return next((members[id] for members in self._opened().values() if id in members), None)

    def change(self, id: UUID, changes: Mapping[str, Any], actor: str) -> Entry:
        """Change a memory that is here by checked fields of Entry, keeping what it said before.

        Raises InvalidInput where there is no room for another version.
        """
        [(name, members)] = [each for each in self._opened().items() if id in each[1]]
        held = members[id]
        self._require_room(name, 1)
        now = datetime.now(UTC)
        held.versions.append(version_of(held.entry, len(held.versions) + 1, actor, now))
        held.entry = changed(held.entry, changes, now)
        held.index()
        self._texts[name] += 1
        return held.entry

    def drop(self, id: UUID) -> None:
        """Forget the memory of this id, where one is here."""
        for name, members in list(self._sessions.items()):
            held = members.pop(id, None)
            if held is not None:
                self._texts[name] -= 1 + len(held.versions)
            if not members:
                del self._sessions[name]

    def clear(self, session: object) -> int:
        """Forget all memories of a session; returns how many there were."""
        name = _name(session)
        del self._texts[name]
        return len(self._opened().pop(name, {}))

    def _require_room(self, name: str, more: int) -> None:
        if self._texts[name] + more > LARGEST:
            raise InvalidInput(
                "session",
                f"{name!r} has {LARGEST:,} short-term texts, including earlier versions, which is the maximum: "
                "clear it, or store important notes as medium_term or long_term",
            )

    def _opened(self) -> dict[str, dict[UUID, Held]]:
        if not self._open:
            raise StoreUnavailable("the memory is closed or was never opened: use it inside `with Memory() as memory:`")
        return self._sessions


def changed(entry: Entry, changes: Mapping[str, Any], moment: datetime) -> Entry:
    """The memory with these fields changed at a moment."""
    return Entry.model_validate({**entry.model_dump(), **changes, "updated_at": moment})


def version_of(entry: Entry, number: int, actor: str, moment: datetime) -> Version:
    """What a memory says until a moment, as a version that `actor` ends then."""
    return Version(
        version=number,
        content=entry.content,
        fields=entry.model_dump(mode="json", include=set(VERSIONED)),
        valid_from=entry.updated_at or entry.created_at,
        valid_to=moment,
        actor=actor,
    )


def _name(session: object) -> str:
    return DEFAULT if session is None else rules.name("session", session)
