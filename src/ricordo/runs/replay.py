"""What a run saw, read again from the record: each memory as it was then, and why it was chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from ricordo import audit, memories
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.models import Access, Kind, Run, SeenMemory, Version

#: What is told of a memory that is there no more.
_FORGOTTEN = "[forgotten]"


async def seen(tx: Transaction, user_id: UUID, run: Run, actor: Actor) -> list[SeenMemory]:
    """The memories that a run read, in the order of the record; and a `read` of them by who looks at that now. Of the
    candidates that an LLM put in order, those that came back."""
    told: dict[UUID, tuple[Kind | None, list[Version]]] = {}
    found = []
    for access in await audit.accesses_of_run(tx, run.id):
        if access.action != "read" or access.context.get("candidates"):
            continue
        for rank, id in enumerate(access.memory_ids, 1):
            if id not in told:
                told[id] = await _told(tx, id)
            kind, versions = told[id]
            why, at = _why(access, id, rank), access.accessed_at
            said = [_said(kind, each) for each in _then(versions, access)] or [_FORGOTTEN]
            found += [SeenMemory(memory_id=id, kind=kind, text=text, at=at, why=why) for text in said]
    if there := [id for id, (kind, _) in told.items() if kind is not None]:
        await audit.log_read(tx, user_id, actor, there, {"replay": str(run.id)})
    return found


async def _told(tx: Transaction, id: UUID) -> tuple[Kind | None, list[Version]]:
    try:
        entry, _, _ = await memories.locked(tx, id, shared=True)
        return entry.kind, await memories.versions(tx, id)
    except NotFound:
        return None, []


def _then(versions: list[Version], access: Access) -> list[Version]:
    """The version that was read, or that of the moment that was asked for; all until then, where the history was."""
    asked = access.context.get("as_of")
    moment = access.accessed_at if asked is None else datetime.fromisoformat(asked)
    older = [each for each in versions if each.valid_from <= moment] or versions[:1]
    return older if access.context.get("history") else older[-1:]


def _said(kind: Kind | None, version: Version) -> str:
    """What a version said: a document its value, unless it is redacted."""
    told = version.fields.get("metadata")
    return json.dumps(told["value"], ensure_ascii=False) if kind == "document" and told else version.content


def _why(access: Access, id: UUID, rank: int) -> dict[str, Any]:
    """What the record tells of the choice: the strategy or search, the place in its order, and each signal's part."""
    chosen: Mapping[str, Any] = access.context.get("chosen", {})
    rest = {name: value for name, value in access.context.items() if name != "chosen"}
    return {**rest, "rank": rank, **({"signals": chosen[str(id)]} if str(id) in chosen else {})}
