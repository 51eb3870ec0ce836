"""Giving stored memories their vectors, in batches that any number of processes share."""

from __future__ import annotations

from uuid import UUID

from anyio import to_thread

from ricordo import entries
from ricordo.database import Database
from ricordo.encoders import Encoder

#: Memories and characters that one transaction claims: about a second's work, so that a kill loses little and
#: closing waits for little.
_BATCH = 128
_CHARACTERS = 60_000


async def embed_batch(database: Database, user_id: UUID, encoder: Encoder) -> int:
    """Embed one batch of the user's memories that have no vector; returns how many, 0 when none is free.

    The claim, the vectors and the end of the claim are one transaction: killed anywhere, the memories wait for
    the next worker, and no vector is written twice.
    """
    async with database.tenant(user_id) as tx:
        await entries.index_waiting(tx, user_id)
        claimed = await entries.claim_unembedded(tx, _BATCH, _CHARACTERS)
        if claimed:
            model = await entries.model_number(tx, encoder.name, encoder.dimension)
            vectors = await to_thread.run_sync(encoder.encode, [each.content for each in claimed])
            await entries.add_vectors(tx, user_id, model, claimed, vectors)
        return len(claimed)
