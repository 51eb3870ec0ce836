"""Operations: begun by a request, done by a job, followed by whoever began them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from ricordo import jobs
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.models import (
    ApiModel,
    ArchiveFile,
    ImportReport,
    LoadReceipt,
    Operation,
    OperationKind,
    OperationState,
    Receipt,
    ReembedReport,
    Soundness,
    UploadSurvey,
)
from ricordo.operations import store

#: How long it is told what became of an operation, and how long files wait for somebody to import them.
_KEPT, _UPLOADS_KEPT = timedelta(days=7), timedelta(days=1)

#: What comes of each kind.
_RESULTS: dict[OperationKind, type[ApiModel]] = {
    "mine": Receipt,
    "survey": UploadSurvey,
    "import": ImportReport,
    "reembed": ReembedReport,
    "export": ArchiveFile,
    "load": LoadReceipt,
    "examine": Soundness,
}

_DIED = "its job failed repeatedly; run `ricordo jobs list` for details"


async def start(
    tx: Transaction,
    user_id: UUID,
    kind: OperationKind,
    request: Mapping[str, Any],
    *,
    upload: UUID | None = None,
    agent: UUID | None = None,
) -> Operation:
    """A new operation, and the job that does it once this transaction commits. A user's operations are done one after
    the other."""
    id = await store.insert(tx, user_id, kind, request, upload, agent)
    job = await jobs.enqueue(tx, "operate", {"operation": id}, lock=f"operate {user_id}")
    await store.set_job(tx, id, job)
    return await find(tx, id)


async def under_way(tx: Transaction, user_id: UUID, kind: OperationKind) -> Operation | None:
    """The operation of a kind that has not ended, if there is one. Until this transaction ends, no other one looks."""
    await store.lock_kind(tx, user_id, kind)
    id = await store.under_way(tx, kind)
    return None if id is None else await find(tx, id)


async def find(tx: Transaction, id: UUID) -> Operation:
    """An operation. Raises NotFound."""
    return _operation(await _row(tx, id))


async def owner_of(tx: Transaction, id: UUID) -> UUID | None:
    """The agent whose key began an operation; None for the user's. Raises NotFound."""
    agent: UUID | None = (await _row(tx, id))["agent_id"]
    return agent


async def upload_of(tx: Transaction, id: UUID) -> UUID | None:
    """The files that an operation works on, or made. Raises NotFound."""
    upload: UUID | None = (await _row(tx, id))["upload"]
    return upload


async def listed(tx: Transaction, state: OperationState | None, limit: int) -> list[Operation]:
    """The newest operations, newest first."""
    return [_operation(each) for each in await store.listed(tx, state, limit)]


async def begin(tx: Transaction, id: UUID) -> Mapping[str, Any] | None:
    """Take up an operation: its row, which also tells what earlier tries did. None where it is over, or is to be."""
    row = await store.find(tx, id, lock=True)
    if row is None or row["ended_at"] is not None:
        return None
    if row["cancelled"]:
        await store.end(tx, id, "cancelled", None, None)
        return None
    await store.begin(tx, id)
    return row


async def go_on(tx: Transaction, id: UUID, done: int, total: int | None) -> bool:
    """Tell how far an operation is; False where it is to end."""
    return await store.go_on(tx, id, done, total)


async def note_stored(id: UUID, tx: Transaction, count: int) -> None:
    """Tell, in the transaction that stores them, that an operation has stored so many more turns."""
    await store.note_stored(tx, id, count)


async def stored(tx: Transaction, id: UUID) -> int:
    """How many turns an operation has stored so far, in all its tries."""
    return await store.stored(tx, id)


async def end(
    tx: Transaction, id: UUID, state: OperationState, result: ApiModel | None = None, problem: str | None = None
) -> None:
    """Tell what became of an operation."""
    await store.end(tx, id, state, None if result is None else result.model_dump(mode="json"), problem)


async def ask_to_cancel(tx: Transaction, id: UUID) -> Operation:
    """Let an operation end, as soon as it notices. What it did stays. Raises NotFound."""
    await _row(tx, id)
    await store.cancel(tx, id)
    return await find(tx, id)


async def tidy(tx: Transaction) -> None:
    """Remove what nobody needs any more."""
    await store.tidy(tx, _KEPT, _UPLOADS_KEPT)


async def _row(tx: Transaction, id: UUID) -> Mapping[str, Any]:
    row = await store.find(tx, id)
    if row is None:
        raise NotFound(f"operation {id} not found: finished operations are stored for {_KEPT.days} days")
    return row


def _operation(row: Mapping[str, Any]) -> Operation:
    died = row["state"] == "failed" and row["ended_at"] is None
    names = ("id", "kind", "state", "done", "total", "created_at", "began_at", "ended_at")
    told = {name: row[name] for name in names} | {"problem": _DIED if died else row["problem"]}
    if row["result"] is not None:
        told["result"] = _RESULTS[row["kind"]].model_validate(row["result"])
    return Operation(**told)
