"""`memory.documents`: JSON documents stored by path and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import audit, memories, recall
from ricordo.api.acting import acting
from ricordo.api.checking import argument, checked
from ricordo.api.receipts import written
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import InvalidInput
from ricordo.memories import documents
from ricordo.models import Address, Change, Document, WriteReceipt
from ricordo.opened import Opened
from ricordo.telemetry import measured

#: Matches of a query that a condition is tried on before what the query says nothing about.
_MATCHES = 1_000


@checked
class Documents:
    """JSON objects in collections, each with a path (a list of texts) and a key, for the memory stores of frameworks.
    They are separate from notes, and `recall` does not search them.

    With `agent` (an id or a name), documents belong to that agent. Only its calls find them, and they are deleted with
    it. Without it, they are the user's. `run` is recorded in the access log. A value has up to 10 MB as JSON.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="document")
    async def write(
        self,
        collection: str,
        changes: Sequence[Change],
        *,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> WriteReceipt:
        """Write, change and delete documents, all or none. Old values stay in a document's history until it is deleted.
        The receipt has the outcome; its `id` is the document's id if there is only one change. Raises InvalidInput,
        NotFound for an unknown agent, and Changed if a document does not have the expected value."""
        async with self._opened.effect() as tx:
            who = await acting(tx, agent, run)
            return await documents.write(tx, self._opened.user_id, who.agent_id, collection, changes, who.actor)

    async def get(
        self,
        collection: str,
        addresses: Sequence[Address],
        *,
        keep_on: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Document | None]:
        """Read the document at each address, or None. `keep_on` restarts their expiry time.
        Raises InvalidInput, and NotFound for an unknown agent."""
        async with self._opened.transaction() as tx:
            who = await acting(tx, agent, run)
            ids = [documents.id_of(self._opened.user_id, who.agent_id, collection, each) for each in addresses]
            found = await documents.read(tx, self._opened.user_id, ids, who.actor)
            if keep_on and found:
                await documents.keep_on(tx, list(found))
        return [found.get(each) for each in ids]

    async def search(
        self,
        collection: str,
        prefix: Sequence[str] = (),
        *,
        query: str | None = None,
        where: Callable[[Mapping[str, Any]], bool] | None = None,
        limit: int | None = 10,
        offset: int = 0,
        keep_on: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Document]:
        """List documents whose path starts with `prefix` and whose value passes `where`, newest first. `limit=None`
        returns all. With a `query`, matches come first, sorted by their `score`. The other documents follow.
        Raises InvalidInput, and NotFound for an unknown agent."""
        limit = argument("limit", limit, int | None)
        if offset < 0 or (limit is not None and limit < 0):
            raise InvalidInput("limit", f"limit and offset must not be negative, not {limit} and {offset}")
        if where is not None and not callable(where):
            raise InvalidInput("where", f"must be a function of a value, not {type(where).__name__}")
        end = None if limit is None else offset + limit
        asked = (argument("query", query, str | None) or "").strip()
        meant = await recall.meaning_of(self._opened, asked) if asked and end != 0 else recall.Meaning()
        async with self._opened.effect() as tx:
            who = await acting(tx, agent, run)
            chosen = documents.chosen(collection, who.agent_id, prefix)
            found, matches = [], []
            if asked and end != 0:
                most = end if end is not None and where is None else _MATCHES
                matches = await recall.find(tx, self._opened.user_id, asked, meant, chosen, most)
                found = [documents.document(each.entry, each.score) for each in matches]
                found = [each for each in found if where is None or where(each.value)]
            if end is None or len(found) < end:
                seen = {each.id for each in found}
                enough = None if where is not None or end is None else end + len(seen)
                rest = [documents.document(each) for each in await memories.select(tx, chosen, "newest", enough)]
                found += [each for each in rest if each.id not in seen and (where is None or where(each.value))]
            page = found[offset:end]
            if asked and end != 0:
                scored = {each.id for each in page if each.score is not None}
                shown = [each for each in matches if each.entry.id in scored]
                await recall.record(tx, self._opened.user_id, who.actor, shown)
            await self._looked_at(tx, page, keep_on, who.actor)
        return page

    async def paths(
        self,
        collection: str,
        prefix: Sequence[str] = (),
        *,
        agent: UUID | str | None = None,
    ) -> list[tuple[str, ...]]:
        """List the distinct paths that start with `prefix`, in order. Raises InvalidInput and NotFound."""
        async with self._opened.transaction() as tx:
            who = await acting(tx, agent)
            return await documents.paths(tx, documents.chosen(collection, who.agent_id, prefix))

    async def _looked_at(self, tx: Transaction, page: Sequence[Document], keep_on: bool, actor: Actor) -> None:
        unlogged = [each.id for each in page if each.score is None]
        if unlogged:
            await audit.log(tx, self._opened.user_id, actor, "read", unlogged, {})
        if keep_on and page:
            await documents.keep_on(tx, [each.id for each in page])
