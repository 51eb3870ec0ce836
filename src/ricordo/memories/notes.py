"""Notes: memories in three retentions (seed 004), and how one moves between them.

`short_term` is held by this process alone (ricordo.memories.session); `medium_term` is stored and needs `expires_at`,
after which it is never read and soon swept away; `long_term` is stored until it is deleted. A memory keeps its id,
its age, its history and its context wherever it moves; only `expires_at` is medium_term's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, get_args
from uuid import UUID

from ricordo import rules
from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, memory_not_found
from ricordo.memories import loose_store, memory, note_store, writing
from ricordo.memories.loose_store import Chosen
from ricordo.memories.session import Held, version_of
from ricordo.models import Entry, RemovalReceipt, Retention, Version, WriteReceipt
from ricordo.review import policies

SHORT: Retention = "short_term"
#: What an update can empty.
_CLEARABLE = ("tags", "context")
#: Notes that one transaction of the sweep removes at most.
_BATCH = 1_000
#: Fields that a memory takes along when it moves into the store.
_MOVED = ("project_id", "tags", "importance", "source", "metadata", "retention", "expires_at")


@dataclass(frozen=True)
class Wanted:
    """Which notes a search is about; what is None does not narrow."""

    project: str | None
    tags: Sequence[str]
    retentions: Sequence[str]
    least_importance: int | None
    source: str | None
    limit: int
    include_expired: bool

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Wanted:
        """The filters as a caller gives them, checked. No retention is every retention. Raises InvalidInput."""
        allowed, least = get_args(Retention), given["minimum_importance"]
        return cls(
            project=_project(given["project"]),
            tags=rules.tags(given["tags"]),
            retentions=given["retentions"] or allowed,
            least_importance=None if least is None else _importance("minimum_importance", least),
            source=None if given["source"] is None else rules.name("source", given["source"], 100),
            limit=rules.limit(given["limit"]),
            include_expired=given["include_expired"],
        )

    def fits(self, entry: Entry) -> bool:
        """Whether a memory of the session is meant; the same conditions as `chosen` sets for the stored."""
        return (
            SHORT in self.retentions
            and (self.project is None or entry.project_id == self.project)
            and set(self.tags) <= set(entry.tags)
            and (self.least_importance is None or (entry.importance or 0) >= self.least_importance)
            and (self.source is None or entry.source == self.source)
        )

    def chosen(self) -> Chosen | None:
        """The stored memories that are meant; None where only the session's are."""
        retentions = [each for each in self.retentions if each != SHORT]
        if not retentions:
            return None
        return Chosen(
            ["note"],
            project=self.project,
            tags=self.tags or None,
            retentions=retentions,
            least_importance=self.least_importance,
            source=self.source,
            live=not self.include_expired,
            redacted=False,
        )


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a new note as columns (see ricordo.models.Entry). Raises InvalidInput, naming the field."""
    retention = rules.one_of("retention", given["retention"], get_args(Retention))
    return {
        "content": rules.text("content", given["content"], rules.LONGEST),
        "retention": retention,
        "expires_at": _expiry(retention, given["expires_at"], None),
        "project_id": _project(given["project"]),
        "tags": rules.tags(given["tags"]),
        "importance": rules.importance(given["importance"]),
        "source": rules.name("source", given["source"], 100),
        "metadata": rules.metadata({} if given["context"] is None else given["context"], "context"),
    }


def changes(entry: Entry, given: Mapping[str, Any], clear: Sequence[str]) -> dict[str, Any]:
    """What an update changes of a note, as columns; empty where it changes nothing. What is None stays as it is.

    `clear` empties `tags` or `context` before what is given for them goes in. Raises InvalidInput.
    """
    empty = [rules.one_of("clear", each, _CLEARABLE) for each in clear]
    wanted: dict[str, Any] = {}
    if given["content"] is not None:
        wanted["content"] = rules.text("content", given["content"], rules.LONGEST)
    if given["tags"] is not None or "tags" in empty:
        wanted["tags"] = tuple(rules.tags(given["tags"] or ()))
    if given["importance"] is not None:
        wanted["importance"] = rules.importance(given["importance"])
    if given["context"] is not None or "context" in empty:
        added = {} if given["context"] is None else rules.metadata(given["context"], "context")
        wanted["metadata"] = rules.metadata({**({} if "context" in empty else entry.metadata), **added}, "context")
    retention = entry.retention if given["retention"] is None else given["retention"]
    wanted["retention"] = rules.one_of("retention", retention, get_args(Retention))
    wanted["expires_at"] = _expiry(wanted["retention"], given["expires_at"], entry.expires_at)
    return {name: value for name, value in wanted.items() if value != getattr(entry, name)}


async def create(tx: Transaction, user_id: UUID, fields: Mapping[str, Any], actor: Actor) -> WriteReceipt:
    """Store a note of checked fields."""
    columns = {name: fields[name] for name in _MOVED}
    return await writing.write(tx, user_id, "note", fields["content"], fields["source"], columns, actor)


async def find(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> Entry:
    """A stored note that is neither expired nor redacted, logged as read. Raises NotFound."""
    return _own(id, await memory.read(tx, user_id, _live(id), "newest", 1, actor))


async def held_fast(tx: Transaction, id: UUID) -> Entry:
    """A stored note that is neither expired nor redacted, locked until the transaction ends. Raises NotFound."""
    await memory.locked(tx, id)
    return _own(id, await loose_store.select(tx, _live(id), "newest", 1))


async def is_stored(tx: Transaction, id: UUID) -> bool:
    """Whether the store holds a note of this id, in whatever state."""
    return bool(await loose_store.select(tx, Chosen(["note"], ids=[id], live=False), "newest", 1))


async def forget(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> RemovalReceipt:
    """Remove a stored note, expired or not. Raises NotFound."""
    _own(id, [await memory.get(tx, id, ["note"])])
    return await memory.forget(tx, user_id, id, None, actor)


async def settle(tx: Transaction, user_id: UUID, held: Held, fields: Mapping[str, Any], actor: Actor) -> Entry:
    """Store a memory of the session, as `fields` change it, under its id and with its history."""
    entry = held.entry
    if held.maybe_stored and await is_stored(tx, entry.id):
        await memory.forget(tx, user_id, entry.id, "moved to the session", actor)
    columns = {name: getattr(entry, name) for name in _MOVED} | dict(fields)
    columns["tags"] = list(columns["tags"])
    found = await policies(tx)
    if found.holds_of(actor, columns["source"]):
        raise InvalidInput(
            "retention",
            f"notes from {entry.source!r} need a review and cannot be promoted from {SHORT}: create a new note",
        )
    text = columns.pop("content", entry.content)
    moved = await writing.write(tx, user_id, "note", text, columns["source"], columns, actor, id=entry.id, settled=True)
    if moved.status == "rejected":
        raise writing.refusal(moved)
    versions = [*held.versions, version_of(entry, len(held.versions) + 1, actor.name, datetime.now(UTC))]
    screen = found.screen.redacting()
    versions = [
        each.model_copy(
            update={"content": screen.text("content", each.content), "fields": screen.value("fields", each.fields)}
        )
        for each in versions
    ]
    await note_store.add_versions(tx, user_id, entry.id, versions)
    await loose_store.update(tx, entry.id, {"created_at": entry.created_at, "run_id": entry.run_id})
    return await memory.get(tx, entry.id, ["note"])


async def release(tx: Transaction, user_id: UUID, entry: Entry, actor: Actor, moment: datetime) -> list[Version]:
    """Remove a stored note that the session takes over at a moment; returns all that it has said till then."""
    *earlier, _ = await memory.versions(tx, entry.id)
    await memory.forget(tx, user_id, entry.id, "moved to the session", actor)
    return [*earlier, version_of(entry, len(earlier) + 1, actor.name, moment)]


async def sweep(begin: Callable[[], AbstractAsyncContextManager[Transaction]], user_id: UUID) -> int:
    """Remove notes past their moment with all that is derived from them, logged as `expire`, in as many transactions as
    it takes; returns how many went."""
    removed, more = 0, True
    while more:
        async with begin() as tx:
            swept = await _sweep_some(tx, user_id)
        removed, more = removed + swept, swept == _BATCH
    return removed


async def _sweep_some(tx: Transaction, user_id: UUID) -> int:
    if not await note_store.any_expired(tx):
        return 0
    claimed = await note_store.claim_expired(tx, _BATCH)
    if claimed:
        await note_store.remove(tx, claimed)
        await log(tx, user_id, Actor("job:sweep"), "expire", [id for id, _ in claimed], {})
    return len(claimed)


def _own(id: UUID, found: Sequence[Entry]) -> Entry:
    """The note that was found, unless it is a whiteboard's, which is its agents' own. Raises NotFound."""
    if not found or found[0].whiteboard_id is not None:
        raise memory_not_found(id)
    return found[0]


def _live(id: UUID) -> Chosen:
    return Chosen(["note"], ids=[id])


def _expiry(retention: str, moment: object, kept: datetime | None) -> datetime | None:
    """When a memory of this retention expires: at `moment`, else as before. Raises InvalidInput."""
    if retention != "medium_term":
        if moment is not None:
            raise InvalidInput(
                "expires_at",
                f"requires the retention medium_term, not {retention}: change the retention, or leave out expires_at",
            )
        return None
    if moment is None:
        if kept is None:
            raise InvalidInput("expires_at", "missing expiry time, which the retention medium_term requires")
        return kept
    return rules.future("expires_at", moment)


def _project(project: object) -> str | None:
    return None if project is None else rules.name("project", project, 500)


def _importance(field: str, value: object) -> int:
    try:
        return rules.importance(value)
    except InvalidInput as error:
        raise InvalidInput(field, str(error).partition(": ")[2]) from None
