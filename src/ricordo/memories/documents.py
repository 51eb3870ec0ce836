"""Documents: JSON objects that programs keep under a collection, a path and a key.

A document's id follows from its user, owner and place, so that one place holds one document, whoever writes at the same
time. What stood there before is in its history until it is removed. Paths are found by tags, one for each beginning.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from ricordo import rules
from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.errors import Changed, InvalidInput, PolicyRefused, quoted
from ricordo.memories import document_store, loose_store, memory, writing
from ricordo.memories.document_store import keep_on as keep_on
from ricordo.memories.document_store import paths as paths
from ricordo.memories.loose_store import Chosen
from ricordo.models import ANYTHING, Address, Change, Document, Entry, WriteReceipt
from ricordo.review import policies

#: The largest value, in bytes of JSON, and the longest time, in minutes (a century).
_LARGEST, _LONGEST = 10_000_000, 52_560_000
_LEVELS = 64


def chosen(collection: str, owner: UUID | None, prefix: Sequence[str] = ()) -> Chosen:
    """The documents of a collection whose path begins so. Raises InvalidInput."""
    name, path = _collection(collection), _path(prefix)
    return Chosen(
        ["document"],
        project=name,
        agents=None if owner is None else [owner],
        unowned=owner is None,
        tags=[_tag(path)] if path else None,
    )


def id_of(user_id: UUID, owner: UUID | None, collection: str, address: Address) -> UUID:
    """The id of what stands at an address, there or not. Raises InvalidInput."""
    if not isinstance(address, Sequence) or isinstance(address, str | bytes) or len(address) != 2:
        raise InvalidInput("addresses", f"must contain pairs of path and key, not {quoted(address)}")
    path, key = address
    if not isinstance(key, str) or not key:
        raise InvalidInput("key", f"must be non-empty text, not {str(key)[:50]!r}")
    place = [str(owner), _collection(collection), *_path(path), rules.text("key", key)]
    return uuid5(user_id, json.dumps(place))


async def write(
    tx: Transaction, user_id: UUID, owner: UUID | None, collection: str, changes: Sequence[Change], actor: Actor
) -> WriteReceipt:
    """Write the changes, of which the last one of a place counts, all or none. The receipt names the document where
    there is only one.

    Raises InvalidInput, and Changed where a place does not hold what is expected.
    """
    for change in changes:
        if not isinstance(change, Change):
            raise InvalidInput("changes", f"must contain Change objects, not {quoted(change)}")
    by_id = {id_of(user_id, owner, collection, (each.path, each.key)): each for each in changes}
    columns = {id: _columns(owner, collection, each) for id, each in by_id.items()}
    if actor.is_agent and any(columns.values()) and (await policies(tx)).holds_of(actor):
        reason = "agent: writes of this agent need a review, which documents do not support: write as the user"
        return WriteReceipt(status="rejected", kind="document", reason=reason)
    try:
        async with tx.transaction():  # a savepoint: a refused document takes the others along
            stored, removed = await _apply(tx, user_id, by_id, columns, actor)
    except PolicyRefused as error:
        return WriteReceipt(status="rejected", kind="document", reason=str(error))
    done = f"{stored} stored, {removed} removed" if removed else None
    only = next(iter(by_id)) if len(by_id) == 1 else None
    return WriteReceipt(status="stored", id=only, kind="document", reason=done)


async def _apply(
    tx: Transaction, user_id: UUID, by_id: Mapping[UUID, Change], columns: Mapping[UUID, dict[str, Any]], actor: Actor
) -> tuple[int, int]:
    """Write each change; returns how many documents were stored and how many removed."""
    await document_store.lock(tx, list(by_id))
    stored = await loose_store.select(tx, Chosen(["document"], ids=list(by_id), live=False), "newest", None)
    live = {each.id: each for each in stored if _is_live(each)}
    for id, change in by_id.items():
        if not _as_expected(change, live.get(id)):
            raise Changed(f"document {quoted(change.key, 100)} was changed in the meantime: read it again and retry")
    gone = [each.id for each in stored if each.id not in live or by_id[each.id].value is None]
    for each in gone:
        await memory.forget(tx, user_id, each, None, actor)
    written = [(id, change) for id, change in by_id.items() if change.value is not None]
    for id, change in written:
        if id in live:
            await writing.edit(tx, user_id, id, columns[id], actor)
        else:
            fields = dict(columns[id])
            text = fields.pop("content")
            receipt = await writing.write(tx, user_id, "document", text, actor.name, fields, actor, id=id)
            if receipt.status == "rejected":
                raise writing.refusal(receipt)
        if change.text is None or not change.text.strip():
            await document_store.unindex(tx, id)
    return len(written), sum(1 for each in gone if by_id[each].value is None)


async def read(tx: Transaction, user_id: UUID, ids: Sequence[UUID], actor: Actor) -> dict[UUID, Document]:
    """Those of these documents that are there, with one `read` in the log."""
    found = await loose_store.select(tx, Chosen(["document"], ids=ids), "newest", None)
    if found:
        await log(tx, user_id, actor, "read", [each.id for each in found], {})
    return {each.id: document(each) for each in found}


def document(entry: Entry, score: float | None = None) -> Document:
    """A stored document as its program sees it."""
    return Document(
        id=entry.id,
        collection=entry.project_id or "",
        path=tuple(entry.metadata["path"]),
        key=entry.metadata["key"],
        value=entry.metadata["value"],
        created_at=entry.created_at,
        updated_at=entry.updated_at or entry.created_at,
        expires_at=entry.expires_at,
        score=score,
    )


def _columns(owner: UUID | None, collection: str, change: Change) -> dict[str, Any]:
    if change.value is None:
        return {}
    path = _path(change.path)
    value = rules.metadata(change.value, "value", _LARGEST)
    metadata: dict[str, Any] = {"path": path, "key": change.key, "value": value}
    expires_at = None
    if change.minutes is not None:
        metadata["minutes"] = _minutes(change.minutes)
        expires_at = datetime.now(UTC) + timedelta(minutes=metadata["minutes"])
    if change.text is not None and not isinstance(change.text, str):
        raise InvalidInput("text", f"must be text, not {quoted(change.text)}")
    text = "" if change.text is None else rules.text("text", change.text).strip()
    label = "/".join([_collection(collection), *path, change.key])
    return {
        "content": (text or label)[: rules.LONGEST],
        "agent_id": owner,
        "project_id": _collection(collection),
        "tags": [_tag(path[: end + 1]) for end in range(len(path))],
        "metadata": metadata,
        "expires_at": expires_at,
        "source": "program",
    }


def _as_expected(change: Change, stored: Entry | None) -> bool:
    if change.expected is ANYTHING:
        return True
    return change.expected == (None if stored is None else stored.metadata["value"])


def _is_live(entry: Entry) -> bool:
    return not entry.is_redacted and (entry.expires_at is None or entry.expires_at > datetime.now(UTC))


def _tag(path: Sequence[str]) -> str:
    """What marks a document below a path: its hash, as a path may be longer than a tag."""
    return hashlib.sha256(json.dumps(list(path)).encode()).hexdigest()[:32]


def _collection(collection: object) -> str:
    return rules.name("collection", collection, 500)


def _path(path: object) -> list[str]:
    if isinstance(path, str) or not isinstance(path, Sequence) or not all(isinstance(each, str) for each in path):
        raise InvalidInput("path", f"must be a list of texts, not {str(path)[:50]!r}")
    if len(path) > _LEVELS:
        raise InvalidInput("path", f"has {len(path):,} levels; the maximum is {_LEVELS}")
    return [rules.text("path", each) for each in path]


def _minutes(minutes: object) -> float:
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not math.isfinite(minutes):
        raise InvalidInput("minutes", f"must be a number, not {str(minutes)[:50]!r}")
    if not 0 < minutes <= _LONGEST:
        raise InvalidInput("minutes", f"must be between 0 and {_LONGEST:,}, not {minutes}")
    return float(minutes)
