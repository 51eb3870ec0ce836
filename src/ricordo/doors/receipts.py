"""Receipts of what was redacted or forgotten, as every door gives them out."""

from __future__ import annotations

import asyncio

from ricordo.doors.opened import Opened
from ricordo.nouns import Receipted


async def with_backups(opened: Opened, receipt: Receipted) -> Receipted:
    """The receipt, with what the backups that were made before mean for it. Not for use within a transaction."""
    if not receipt.done:
        return receipt
    from ricordo import archive  # zips take 10 ms, which a recall should not pay

    told = await asyncio.to_thread(archive.earlier, opened.database.settings)
    return receipt.model_copy(update={"remains": (*receipt.remains, told)})
