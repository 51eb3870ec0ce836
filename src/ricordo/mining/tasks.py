"""The background work that mining leaves."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from uuid import UUID

from ricordo import accounts
from ricordo.errors import CapReached, ModelUnavailable
from ricordo.facts import conversation_to_read, extract_conversation, queue_reading
from ricordo.jobs import Task, Work
from ricordo.llm import LLMs
from ricordo.vectors import embed_batch

#: How long a conversation waits for a process that has an LLM; one that starts brings it forward.
LATER = timedelta(hours=1)

log = logging.getLogger("ricordo")


async def embed(work: Work) -> None:
    """Give the user's memories their vectors; without an embedding model that serves they go on waiting, for the next
    upkeep. A batch is its own transaction, which takes what it does off the list of what waits: run again, it goes on
    there."""
    embedding_model = await work.embedding_model()
    try:
        while embedding_model and await embed_batch(work.database, work.user_id, embedding_model):
            pass
    except ModelUnavailable as error:
        log.warning("vectors postponed: %s", error)


async def extract(work: Work) -> None:
    """Let an LLM read the turns of a conversation that none has read. Where none is set up here, the job waits for a
    process that has one. Where the user's caps do not allow it, what rules found serves until the month is over, the
    caps or prices are changed, or there are new turns. A window is its own transaction: run again, it goes on there."""
    id = UUID(work.args["conversation"])
    llms = LLMs(work.database.settings, work.database, work.user_id)
    async with work.transaction() as tx:
        chosen = await accounts.user_settings(tx)
        conversation = await conversation_to_read(tx, id)
    if conversation is None:
        return
    if not llms.configured(chosen.extract_model):
        async with work.transaction() as tx:
            await queue_reading(tx, id, at=datetime.now(UTC) + LATER)
        return
    try:
        llm = await llms.get(chosen.extract_model)
        await extract_conversation(work.database, work.user_id, conversation, llm)
    except CapReached as error:
        log.info("extracting facts with rules only until the LLM is available: %s", error)
        async with work.transaction() as tx:
            await queue_reading(tx, id, at=accounts.next_month(datetime.now(UTC)))
    finally:
        await llms.close()


TASKS: dict[str, Task] = {"embed": embed, "extract": extract}
