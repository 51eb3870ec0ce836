"""Receipts as every resource gives them out."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from ricordo import audit
from ricordo.models import Forgotten, RemovalReceipt, WriteReceipt
from ricordo.opened import Opened

_QUOTED = "Parts of it, {run} or more consecutive words, still occur where it was quoted or repeated: {places}."


def written(receipt: WriteReceipt) -> dict[str, int]:
    """What a write counts as in the metrics, as a conversation's turns do."""
    return {"duplicates" if receipt.status == "duplicate" else receipt.status: 1}


Removal = TypeVar("Removal", RemovalReceipt, Forgotten)


async def complete(opened: Opened, receipt: Removal, parts: audit.Parts | None) -> Removal:
    """The receipt, with where `parts` of it still stand, and with what the backups that were made before mean for it.
    Not for use within a transaction.

    An agent is told of no parts (None): its guesses at what others' memories hold would be answered.
    """
    if not receipt.done:
        return receipt
    from ricordo import archive, sync  # zips take 10 ms, which a recall should not pay

    remains: tuple[str, ...] = receipt.remains
    async with opened.transaction() as tx:
        logs = await sync.remains(tx)
    if logs is not None:
        remains += (logs,)
    quoted: dict[str, int] = {}
    if parts is not None:
        async with opened.transaction() as tx:
            quoted = await audit.quoted(tx, opened.user_id, parts)
    if quoted:
        places = ", ".join(f"{place} ({rows:,})" for place, rows in quoted.items())
        remains += (_QUOTED.format(run=audit.RUN, places=places),)
    told = await asyncio.to_thread(archive.earlier, opened.database.settings)
    return receipt.model_copy(update={"quoted": quoted, "remains": (*remains, told)})
