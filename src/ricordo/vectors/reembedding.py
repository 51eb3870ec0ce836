"""Changing the vectors of an open memory to another embedding model, beside all other work.

The next embedding model's vectors are written beside the old ones, by which searches go until every memory has both;
then one small transaction switches, and the old vectors go. All that is done stays done: whoever asks for the same
change again goes on with it, and several processes share it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from ricordo import accounts, embedding
from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.models import Estimate, Progress, ReembedReport, Vectors
from ricordo.vectors import paid, space_store, vector_store
from ricordo.vectors.encoding import Encoding
from ricordo.vectors.space_store import Spaces

#: Seconds between two looks at what others have at hand, and after which it is counted what they have done.
_LOOK_AGAIN, _COUNT = 0.05, 2.0
#: Seconds to wait when an embedding model does not serve, one after the other; then it is given up.
_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
#: Seconds in which searches that had begun with the old vectors come to their end.
_GRACE = 1.0
#: Vectors that one transaction removes.
_REMOVED = 5000
#: Memories that an estimate tries the embedding model at.
_SAMPLE = 64
#: Characters that count as a token where nobody has counted them, as in English.
_CHARACTERS_A_TOKEN = 4

log = logging.getLogger("ricordo")


@dataclass(frozen=True)
class Reembedding:
    """The vectors of one user, and their change."""

    database: Database
    user: str
    user_id: UUID
    encoding: Encoding
    #: Says that something was written that waits for its vector.
    wake: Callable[[], None]

    async def state(self) -> Vectors:
        """What the user's vectors are of, how many there are, how many memories wait, and why."""
        async with self.database.tenant(self.user_id) as tx:
            spaces = await space_store.spaces(tx)
            waiting, _ = await space_store.renewals(tx)
            return Vectors(
                model=spaces.current.name if spaces else None,
                dimension=spaces.current.dimension if spaces else None,
                next_model=spaces.next.name if spaces and spaces.next else None,
                embedded=await space_store.embedded(tx, spaces.current.model) if spaces else 0,
                pending=await vector_store.pending(tx),
                renewing=waiting,
                problems=await vector_store.problems(tx),
            )

    async def estimate(self, model: str) -> Estimate:
        """What a change to this embedding model would take. A local one is tried at some memories, a hosted one is not
        asked.

        Raises InvalidInput and ModelUnavailable.
        """
        embedding_model = await asyncio.to_thread(embedding.load, self.database.settings, model)
        async with self.database.tenant(self.user_id) as tx:
            texts, memories, characters = await vector_store.sample(tx, _SAMPLE)
        tokens = round(characters / _CHARACTERS_A_TOKEN)
        if embedding_model.hosted:
            return Estimate(model=embedding_model.name, memories=memories, tokens=tokens)
        begin = time.monotonic()
        await asyncio.to_thread(embedding_model.encode, texts)
        rate = len(texts) / max(time.monotonic() - begin, 1e-6)
        return Estimate(model=embedding_model.name, memories=memories, seconds=memories / rate if texts else 0.0)

    async def run(self, model: str, progress: Progress | None) -> ReembedReport:
        """Change the vectors to this embedding model; see AsyncMemory.reembed."""
        embedding_model = await asyncio.to_thread(embedding.load, self.database.settings, model)
        dimension = await self._dimension(embedding_model)
        before = await self._begin(embedding_model.name, dimension)
        made = await self._renew(embedding_model, progress) if before is not None else 0
        self.encoding.look_again()
        await self._tidy()
        after = await self.state()
        return ReembedReport(
            model=embedding_model.name,
            dimension=dimension,
            previous=before if before != embedding_model.name else None,
            made=made,
            pending=after.pending,
        )

    async def _dimension(self, embedding_model: EmbeddingModel) -> int:
        """How long an embedding model's vectors are; a hosted one may be asked for that, by one word."""
        calls: list[embedding.Call] = []
        with embedding.metered(calls.append):
            dimension = await asyncio.to_thread(lambda: embedding_model.dimension)
        if calls:
            await paid.note_embedding(self.database, self.user_id, calls)
        return dimension

    async def _begin(self, name: str, dimension: int) -> str | None:
        """Set out for this embedding model, or join who is on the way; returns the name of the one before, None where
        there is nothing to change. Raises InvalidInput where the way leads to yet another."""
        async with self.database.tenant(self.user_id) as tx:
            spaces = await space_store.lock_spaces(tx)
            number = await space_store.model_number(tx, name, dimension)
            if spaces is None or not await space_store.embedded(tx, spaces.current.model):
                await accounts.ensure(tx, self.user_id, self.user)
                await space_store.set_space(tx, self.user_id, number)
                return None
            if spaces.current.name == name:
                if spaces.next is not None:
                    await space_store.end_renewal(tx, switch=False)
                return None
            if spaces.next is None:
                await space_store.begin_renewal(tx, self.user_id, number)
            elif spaces.next.name != name:
                raise InvalidInput(
                    "model",
                    f"a switch from {spaces.current} to {spaces.next} is in progress: finish it first "
                    f"(ricordo reembed --model {spaces.next.name}), or cancel it "
                    f"(ricordo reembed --model {spaces.current.name})",
                )
            return spaces.current.name

    async def _renew(self, embedding_model: EmbeddingModel, progress: Progress | None) -> int:
        """Make vectors until the switch; returns how many were made here."""
        from ricordo.vectors import embedding  # 10 ms, which a recall should not pay

        made, counter, pauses = 0, _Counter(self.database, self.user_id, progress), list(_PAUSES)
        while True:
            await counter.show(made)
            try:
                batch = await embedding.renew_batch(self.database, self.user_id, embedding_model)
            except ModelUnavailable as error:
                if not pauses:
                    raise
                log.warning("vectors postponed: %s", error)
                await asyncio.sleep(pauses.pop(0))
                continue
            if batch:
                made, pauses = made + batch.made, list(_PAUSES)
            elif batch is None or await self._switch(embedding_model.name):
                await counter.show(made, last=True)
                return made
            else:
                await asyncio.sleep(_LOOK_AGAIN)

    async def _switch(self, name: str) -> bool:
        """Let searches go by the new vectors if no memory is left that others have at hand; whether that is done."""
        async with self.database.tenant(self.user_id) as tx:
            spaces = await space_store.hold_spaces(tx)
            if not _on_the_way(spaces, name):
                return True
            assert spaces is not None and spaces.next is not None
            await space_store.settle_renewal(tx, spaces.current.model, spaces.next.model)
        async with self.database.tenant(self.user_id) as tx:
            spaces = await space_store.lock_spaces(tx)
            if not _on_the_way(spaces, name):
                return True
            _, at_hand = await space_store.renewals(tx)
            if at_hand:
                return False
            told = {"from": spaces.current.name, "to": spaces.next.name} if spaces and spaces.next else {}
            await space_store.end_renewal(tx, switch=True)
            await accounts.tell(tx, self.user_id, "memory_reembedded", told, "system")
        self.wake()
        return True

    async def _tidy(self) -> None:
        """Remove the vectors that nothing goes by any more."""
        async with self.database.tenant(self.user_id) as tx:
            if not await space_store.tidy(tx, 1):
                return
        await asyncio.sleep(_GRACE)
        await self.tidy()

    async def tidy(self) -> int:
        """Remove the vectors of embedding models that are not in use any more, as a re-embedding that was killed has
        left them; returns how many went."""
        removed = 0
        while True:
            async with self.database.tenant(self.user_id) as tx:
                found = await space_store.tidy(tx, _REMOVED)
            removed += found
            if not found:
                return removed


class _Counter:
    """Tells how far the change is, other processes' part included."""

    def __init__(self, database: Database, user_id: UUID, progress: Progress | None) -> None:
        self._database = database
        self._user_id = user_id
        self._progress = progress
        self._counted = float("-inf")
        self._base = self._total = self._made = 0

    async def show(self, made: int, last: bool = False) -> None:
        """`made` were made here so far."""
        if self._progress is None:
            return
        if last:
            self._base, self._made = self._total, made
        elif time.monotonic() - self._counted >= _COUNT:
            async with self._database.tenant(self._user_id) as tx:
                spaces = await space_store.spaces(tx)
                self._total = await space_store.embedded(tx, spaces.current.model) if spaces else 0
                waiting, _ = await space_store.renewals(tx)
            self._base, self._made, self._counted = max(0, self._total - waiting), made, time.monotonic()
        self._progress(min(self._base + made - self._made, self._total), self._total)


def _on_the_way(spaces: Spaces | None, name: str) -> bool:
    return spaces is not None and spaces.next is not None and spaces.next.name == name
