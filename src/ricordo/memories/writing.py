"""The one write path: every write and every edit of a memory that stands in no room goes through this module.

check → policy → lock the parents → review queue → duplicates → insert with terms and vector queue → cap → access log
→ receipt. What a kind of memory has of its own is its declaration in `WRITES`; no declaration can leave a step out.
The parents are locked before the review queue too, so that nothing is held for an agent that is being deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, PolicyRefused
from ricordo.ids import new_id
from ricordo.keywords import Indexed
from ricordo.memories import drawer_store, loose_store, memory
from ricordo.memories.loose_store import Draft, Parent
from ricordo.models import Entry, HeldWrite, Kind, WriteReceipt
from ricordo.review import Policies, hold, policies, sayable, screened
from ricordo.text import loose_terms

Write = Literal["entry", "journal", "core", "note", "whiteboard note", "document"]


@dataclass(frozen=True)
class Declaration:
    """How the writes of one kind differ from those of another."""

    kind: Kind
    #: What a write belongs to, from the outside in: it goes with each of these. A parent that it has not is skipped.
    parents: tuple[Parent, ...]
    #: The columns that make two memories of the same text the same memory; None where the id says what is the same.
    same: tuple[str, ...] | None
    #: Whether the profile's `max_entries` applies.
    is_capped: bool = False
    #: Whether a live memory of this kind fades from prompts, after which the same text is new again.
    fades: bool = False


WRITES: Mapping[Write, Declaration] = {
    "entry": Declaration(
        "entry",
        ("agent", "profile"),
        ("profile_id", "scope", "conversation_id", "source", "confidence", "expires_at", "metadata"),
        is_capped=True,
    ),
    "journal": Declaration("journal", ("agent",), ("agent_id", "source"), fades=True),
    "core": Declaration("core", ("agent",), ("agent_id", "source")),
    "note": Declaration(
        "note",
        (),
        ("whiteboard_id", "project_id", "tags", "importance", "source", "metadata", "retention", "expires_at"),
    ),
    "whiteboard note": Declaration("note", ("whiteboard",), ("whiteboard_id", "source", "metadata")),
    "document": Declaration("document", ("agent",), None),
}


async def write(
    tx: Transaction,
    user_id: UUID,
    what: Write,
    text: object,
    speaker: str,
    fields: Mapping[str, Any],
    actor: Actor,
    *,
    id: UUID | None = None,
    settled: bool = False,
) -> WriteReceipt:
    """Write a memory; the receipt says what became of it. `fields` are checked columns of its kind.

    `id` is the id that it gets; otherwise a new one. `settled`: it is to be a memory of its own, since the user
    accepted it from the review queue or it comes from elsewhere. Then it is neither held nor compared with others.
    Raises InvalidInput for the text, and NotFound for a parent that is gone.
    """
    declared = WRITES[what]
    said = rules.text("content", text, rules.LONGEST)
    found = await policies(tx, fields.get("profile_id"))
    redacted: Counter[str] = Counter()
    try:
        said, kept = _screened(found, declared.kind, said, fields, redacted)
    except PolicyRefused as error:
        return WriteReceipt(status="rejected", kind=declared.kind, reason=str(error))
    await _lock_parents(tx, declared.parents, kept)
    most = await _cap(tx, kept["profile_id"]) if declared.is_capped else None
    told: dict[str, Any] = {"kind": declared.kind, "redacted": dict(redacted)}
    if not settled and found.holds_of(actor, str(fields.get("source"))):
        await loose_store.lock_text(tx, user_id, declared.kind, said)
        held = await hold(tx, user_id, declared.kind, said, kept, speaker, actor)
        return WriteReceipt(status="held", id=held.id, reason=_reason(redacted, held), **told)
    if declared.same is not None and not settled:
        same = await _identical(tx, user_id, declared, said, kept)
        if same is not None:
            # Saying it again is on record, by which consolidation tells what recurs.
            await log(tx, user_id, actor, "write", [same.id], {"kind": declared.kind, "duplicate": True})
            reason = f"identical to the stored {declared.kind} {same.id}"
            return WriteReceipt(status="duplicate", id=same.id, reason=reason, memory=same, **told)
    draft = Draft(id or new_id(), declared.kind, said, loose_terms(said), speaker, {**kept, "run_id": actor.run_id})
    entry = await loose_store.insert(tx, user_id, draft)
    await log(tx, user_id, actor, "write", [entry.id], {"kind": declared.kind})
    if most is not None:
        await expire_beyond(tx, user_id, kept["profile_id"], most, actor)
    return WriteReceipt(status="stored", id=entry.id, reason=_reason(redacted), memory=entry, **told)


async def edit(
    tx: Transaction, user_id: UUID, id: UUID, changes: Mapping[str, Any], actor: Actor, version: str | None = None
) -> Entry:
    """Change a memory's text (`content`) or fields, keeping what it said before. `changes` are checked columns.

    Raises NotFound, Changed where it is not at `version`, PolicyRefused, and InvalidInput for a drawer's text, a
    redacted memory, and an agent whose writes wait for a review.
    """
    # The parents first, as whoever deletes them takes them first too: their memories cannot go while one changes.
    await _lock_parents(tx, ("agent", "profile", "whiteboard"), (await memory.find(tx, id)).model_dump())
    entry, room, drawer = await memory.locked(tx, id)
    accounts.require_version(entry, version)
    if entry.is_redacted:
        raise InvalidInput("id", f"memory {id} is redacted and cannot be changed")
    if entry.kind == "drawer":
        raise InvalidInput("id", f"memory {id} is a turn of a conversation, whose text cannot be changed")
    found = await policies(tx, entry.profile_id)
    if found.holds_of(actor):
        raise InvalidInput("agent", "writes of this agent need a review, so it cannot change a memory: write a new one")
    said = rules.text("content", changes["content"], rules.LONGEST) if "content" in changes else None
    text, columns = _screened(found, entry.kind, said, changes, Counter())
    if text is not None:
        columns["content"] = text
    fields = entry.model_dump(mode="json", include=set(memory.VERSIONED))
    await loose_store.keep_version(tx, user_id, id, entry.content, fields, entry.created_at, actor.name)
    if text is not None and text != entry.content:
        await loose_store.unindex(tx, room, drawer)
        await drawer_store.index(tx, user_id, [Indexed(room, drawer, loose_terms(text))])
    await loose_store.update(tx, id, columns)
    await log(tx, user_id, actor, "edit", [id], {"fields": sorted(columns)})
    return await memory.get(tx, id, [entry.kind])


def id_of(receipt: WriteReceipt) -> UUID:
    """The id that a receipt names. Raises InvalidInput for a rejected write, with its reason."""
    if receipt.id is None:
        raise refusal(receipt)
    return receipt.id


def refusal(receipt: WriteReceipt) -> PolicyRefused:
    """A rejected write as the error of a caller that can go no further without it."""
    field, _, problem = (receipt.reason or "").partition(": ")
    return PolicyRefused(field, problem)


def _screened(
    found: Policies, kind: Kind, said: Any, fields: Mapping[str, Any], redacted: Counter[str]
) -> tuple[Any, dict[str, Any]]:
    """The text and the columns as they may be stored, and in `redacted` what was taken out. Raises PolicyRefused."""
    screen = found.screen.counting(redacted)
    text = None if said is None else screen.text("content", sayable(kind, said))
    return text, screened(screen, kind, {name: value for name, value in fields.items() if name != "content"})


async def _cap(tx: Transaction, profile: UUID) -> int | None:
    """How many live entries a locked profile may have. Writers who share a cap exclude each other from here on.

    It is read under the lock, which excludes whoever changes it: no writer goes by a cap that was lowered meanwhile.
    """
    most = await loose_store.max_entries(tx, profile)
    if most is not None:
        await loose_store.lock_parent(tx, "profile", profile, alone=True)
    return most


async def _lock_parents(tx: Transaction, parents: tuple[Parent, ...], fields: Mapping[str, Any]) -> None:
    """Keep the parents from being deleted or changed until the transaction ends. Raises NotFound for one that is gone.

    Writers exclude deleters and not each other.
    """
    for parent in parents:
        id = fields.get(f"{parent}_id")
        if id is not None and not await loose_store.lock_parent(tx, parent, id, alone=False):
            raise NotFound(f"{'memory profile' if parent == 'profile' else parent} {id} not found")


async def _identical(
    tx: Transaction, user_id: UUID, declared: Declaration, said: str, fields: Mapping[str, Any]
) -> Entry | None:
    """The live memory that says the same in every respect; two that write it at once come here one after the other."""
    same = {name: fields.get(name) for name in declared.same or ()}
    await loose_store.lock_text(tx, user_id, declared.kind, said)
    return await loose_store.identical(tx, declared.kind, said, same, declared.fades)


async def expire_beyond(tx: Transaction, user_id: UUID, profile: UUID, most: int, actor: Actor) -> None:
    """Let the entries of a locked profile expire that go beyond its cap."""
    expired = await loose_store.expire_beyond(tx, profile, most)
    if expired:
        await log(tx, user_id, actor, "expire", expired, {"max_entries": most})


def _reason(redacted: Mapping[str, int], held: HeldWrite | None = None) -> str | None:
    parts = []
    if held is not None:
        parts.append(f"held for review because of the review policy (written by {held.actor})")
    if redacted:
        parts.append(f"redacted: {', '.join(f'{count} {name}' for name, count in sorted(redacted.items()))}")
    return "; ".join(parts) or None
