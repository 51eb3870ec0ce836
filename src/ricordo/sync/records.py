"""Records of a log: what one says of an object, as JSON, and how objects are named on all devices.

A record is a state and not a step: the latest one about an object says all of it. docs/sync-format.md lists them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ricordo import palace
from ricordo.database import Transaction
from ricordo.memories import TurnVersion
from ricordo.sync import sync_store as store
from ricordo.sync.sync_store import Note

#: A record: `t` says of what kind.
Record = Mapping[str, Any]
#: Kinds of records of which the latest one about an object counts, in the order in which a log is written anew: what
#: others belong to comes before them.
DECISIONS = (
    "agent", "profile", "whiteboard", "setting", "proposal", "wing", "room", "closets", "entity", "fact", "decision"
)  # fmt: skip


@dataclass(frozen=True)
class Noticed:
    """A record for the log (None where nothing is to be written), and what is to be known of its objects then."""

    record: Record | None
    notes: Sequence[Note]
    #: Whether a text is gone, so that the log is to be rewritten.
    takes_back: bool = False
    #: A turn that is to be redacted here.
    remove: UUID | None = None


@dataclass(frozen=True)
class Current:
    """An object about which the latest decision counts, as it is here now."""

    key: str
    local: UUID | None
    value: dict[str, Any]
    #: What tells the decision from others, where that is not the whole value.
    short: bytes | None = None
    #: When it was changed last, where the store says so; otherwise that counts as the moment when it is noticed.
    changed_at: datetime | None = None

    @property
    def digest(self) -> bytes:
        return self.short or digest(self.value)


def line(record: Record) -> str:
    """A record as a line of JSON; moments in UTC."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_plain)


def digest(value: object) -> bytes:
    """What tells a value from every other one."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).digest()


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def versions_of(turn: Mapping[str, Any]) -> list[TurnVersion]:
    """The versions of a stored turn, oldest first."""
    earlier = turn["earlier"] or []
    found = [TurnVersion(moment(since), text) for since, _, text in earlier]
    return [*found, TurnVersion(moment(earlier[-1][1]) if earlier else turn["created_at"], turn["content"])]


def turn_key(conversation: str, key: int) -> str:
    """What identifies a turn, or a room by its first turn, on all devices."""
    return f"{key}:{conversation}"


def parted(key: str) -> tuple[str, int]:
    """The conversation and the turn's key in such a key."""
    number, _, conversation = key.partition(":")
    return conversation, int(number)


def identified(turn: dict[str, Any]) -> dict[str, Any]:
    """A stored turn under the conversation's id and the key by which the logs name it: a forgotten one lost them."""
    if turn["synced_as"] is None:
        return turn
    conversation, key = parted(turn["synced_as"])
    return {**turn, "external_id": conversation, "turn_key": key}


def document_key(agent: str | None, collection: str, path: Sequence[str], key: str) -> str:
    """What identifies a document on all devices: whose it is, and its place."""
    return "document:" + digest([agent, collection, list(path), key]).hex()


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is in no record")


@dataclass
class Names:
    """How agents, profiles and whiteboards are called on all devices, and here."""

    keys: dict[tuple[str, UUID], str] = field(default_factory=dict)
    locals: dict[tuple[str, str], UUID] = field(default_factory=dict)

    @classmethod
    async def load(cls, tx: Transaction) -> Names:
        names = cls()
        for kind in ("agent", "profile", "whiteboard"):
            for key, known in sorted((await store.known(tx, kind)).items()):
                if known.local is not None and known.state == "live":
                    names.add(kind, key, known.local)
        return names

    def add(self, kind: str, key: str, local: UUID) -> None:
        self.keys.setdefault((kind, local), key)
        self.locals[kind, key] = local

    def key(self, kind: str, local: UUID | str | None) -> str | None:
        """The key of a local object; its own id where it was not synced yet."""
        if local is None:
            return None
        id = UUID(str(local))
        return self.keys.get((kind, id), str(id))

    def local(self, kind: str, key: str | None) -> UUID | None:
        return None if key is None else self.locals.get((kind, key))


@dataclass(frozen=True)
class Wings:
    """The wings of the palace: which keys lead to which, and where a merged one leads."""

    rows: Mapping[int, Mapping[str, Any]]

    @classmethod
    async def load(cls, tx: Transaction) -> Wings:
        return cls({each["wing"]: each for each in await store.wings(tx)})

    def root(self, wing: int) -> int:
        return self.rows[wing]["merged_into"] or wing

    def told(self, wing: int) -> dict[str, Any]:
        """A wing as a record names it."""
        row = self.rows[wing]
        return {"keys": row["keys"], "name": row["name"], "kind": row["kind"]}

    def every_key(self, wing: int) -> list[str]:
        """The keys that lead to a wing, those of wings that were merged into it too."""
        return [key for each in self.rows.values() if self.root(each["wing"]) == wing for key in each["keys"]]

    def of_key(self, key: str) -> int | None:
        """The wing that a key is of, merged or not."""
        return next((number for number, each in self.rows.items() if key in each["keys"]), None)

    def found(self, told: Mapping[str, Any]) -> int | None:
        """The wing, merged ones followed, that a record names; None where there is none yet."""
        for key in told["keys"]:
            if (number := self.of_key(key)) is not None:
                return self.root(number)
        return None


#: How a record names a wing that takes no part.
NAMELESS: Mapping[str, Any] = {"keys": [], "name": "", "kind": "topic"}


@dataclass(frozen=True)
class SyncScope:
    """Which part of the memory is synced. What names nothing takes in everything, but for settings."""

    wings: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> SyncScope:
        return cls(**{name: tuple(value) for name, value in told.items()})

    def told(self) -> dict[str, Any]:
        return {name: list(value) for name, value in vars(self).items() if value}

    @property
    def is_whole(self) -> bool:
        """Whether all turns take part."""
        return not (self.wings or self.sources)

    def takes_turns(self, source: str, wing_keys: Sequence[str]) -> bool:
        """Whether turns of a source in a wing take part."""
        if self.sources and source not in self.sources:
            return False
        return self.takes_wing(wing_keys)

    def takes_wing(self, keys: Sequence[str]) -> bool:
        """Whether a wing of these keys takes part."""
        wanted = {key for name in self.wings for key in palace.keys(name)}
        return not self.wings or bool(wanted & set(keys))

    def takes_agent(self, name: str | None) -> bool:
        """Whether what belongs to an agent takes part; what belongs to none always does."""
        return not self.agents or name is None or name in self.agents
