"""What hosted embedding models cost, in the same record as LLMs' calls. An embedding model on this machine costs
nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from uuid import UUID

from ricordo import accounts, embedding
from ricordo.database import Database
from ricordo.embedding import Call, EmbeddingModel
from ricordo.llm import Ledger, Price


@asynccontextmanager
async def paid_embedding(
    database: Database, user_id: UUID, embedding_model: EmbeddingModel, texts: Sequence[str]
) -> AsyncIterator[None]:
    """Around the embedding of texts, which takes a connection of its own where it is paid: one row for all requests
    that it takes. Raises CapReached, before anything is sent, where it could go beyond a cap of the user's."""
    settings = database.settings
    if not embedding_model.hosted or settings.embedding_url is None or settings.embedding_model is None:
        yield
        return
    most = sum(len(text.encode()) for text in texts) // 3 + len(texts)
    call = Ledger(database, user_id).call("memory_embed", settings.embedding_model, settings.embedding_url, most, 0)
    made: list[Call] = []
    async with call as record:
        try:
            with embedding.metered(made.append):
                yield
        finally:
            if made:
                record.outcome, record.tokens_out = "answered", 0
                counts = [each.tokens for each in made]
                record.tokens_in = sum(counts) if all(counts) else None


async def note_embedding(database: Database, user_id: UUID, calls: Sequence[Call]) -> None:
    """Write down what a hosted embedding model was asked beside texts of the user's, too short to be held up for a
    cap."""
    async with database.tenant(user_id) as tx:
        for each in calls:
            price = Price(each.model, each.url, await accounts.price(tx, each.model))
            id = await accounts.add_call(tx, user_id, "memory_embed", each.model, None, Decimal(0), "open")
            cost = price.cost(each.tokens, 0) if each.tokens else None
            tokens_in, tokens_out = (each.tokens, 0) if each.tokens else (None, None)
            await accounts.end_call(tx, id, "answered", each.seconds, tokens_in, tokens_out, cost)
