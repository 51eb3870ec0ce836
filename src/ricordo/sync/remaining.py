"""What a receipt of a redaction or a forgetting says about the logs of a synced memory."""

from __future__ import annotations

from ricordo.database import Transaction
from ricordo.sync import sync_store as store
from ricordo.sync.syncing import COMPACT_HOURS


async def remains(tx: Transaction) -> str | None:
    """Where the text stands on until when; None where the memory is not synced."""
    if await store.synced(tx) is None:
        return None
    names = ", ".join(each.name for each in await store.devices(tx))
    return (
        f"The stores and encrypted logs of the devices {names}: each removes it from its store at its next sync, and "
        f"from its log within {COMPACT_HOURS:.0f} hours after that, or at once by `ricordo sync now --compact`."
    )
