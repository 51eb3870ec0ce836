"""`memory.entries`: entries of memory profiles, and operations on memories of any kind."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from ricordo import accounts, audit, cursors, memories, palace, rules
from ricordo.api.checking import checked
from ricordo.api.receipts import complete, written
from ricordo.audit import Actor, receipts
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, ModelUnavailable, NotFound
from ricordo.facts import graph
from ricordo.llm import MOST_ENTRIES, estimate_summary, summarize
from ricordo.memories import Chosen, whiteboards
from ricordo.models import Access, Entry, Kind, Page, RemovalReceipt, Scope, Source, Version, WriteReceipt
from ricordo.opened import Opened
from ricordo.telemetry import measured

log = logging.getLogger("ricordo")

_LISTED: tuple[Kind, ...] = ("entry", "journal", "core", "note", "document")
_KINDS: tuple[Kind, ...] = ("drawer", *_LISTED)


@checked
class Entries:
    """Entries of profiles; `get`, `edit`, `redact`, `forget`, `history` and `accesses` take memories of every kind.

    `agent` is the acting agent (id or name), which cannot access private profiles of other agents; None is the user.
    `run` is the run of the call. Both are recorded in the access log.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="entry")
    async def write(
        self,
        profile: UUID,
        content: str,
        *,
        scope: Scope | None = None,
        source: Source = "agent",
        confidence: float = 0.5,
        expires_at: datetime | None = None,
        conversation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> WriteReceipt:
        """Write an entry. The receipt's `status` is `stored`, `duplicate` (already stored), `held` (in the review
        queue, memory.review) or `rejected` (by a policy). `id` is the id of the entry.

        `scope` is the profile's where none is given; `conversation` goes with the scope `conversation`. Raises NotFound
        for the profile, and InvalidInput naming the field."""
        fields = {
            "scope": scope,
            "source": source,
            "confidence": confidence,
            "expires_at": expires_at,
            "conversation_id": conversation,
            "metadata": metadata,
        }
        async with self._opened.effect(first=False) as tx:
            reader = None if agent is None else await accounts.agent(tx, agent)
            into, owner = await memories.get_profile_and_agent(tx, profile, reader)
            actor = Actor(f"agent:{reader.name}" if reader else "user", run)
            return await memories.write_entry(tx, self._opened.user_id, owner, into, content, fields, actor)

    async def read(
        self,
        profile: UUID,
        *,
        scope: Scope | None = None,
        conversation: str | None = None,
        limit: int = 50,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Entry]:
        """List a profile's active entries by confidence, then newest first. Recorded as one `read` in the access log.
        Raises NotFound and InvalidInput."""
        async with self._opened.transaction() as tx:
            reader = None if agent is None else await accounts.agent(tx, agent)
            source = await memories.get_profile(tx, profile, reader)
            actor = Actor(f"agent:{reader.name}" if reader else "user", run)
            return await memories.read_entries(tx, self._opened.user_id, source, scope, conversation, limit, actor)

    async def summarize(self, profile: UUID, *, dry_run: bool = False) -> dict[str, Any]:
        """Get `{count, scopes, last_written_at}` of a profile's entries. If an LLM is configured, also get `summary` of
        the first 100 entries and `proposed_duplicates`, lists of ids of similar entries; both are missing if the LLM
        fails. With `dry_run`, get `estimate` (a CostEstimate) instead. Raises NotFound."""
        async with self._opened.transaction() as tx:
            told = await memories.summarize(tx, profile)
        if not told["count"] or not self._opened.llms.configured():
            return told
        if dry_run:
            async with self._opened.transaction() as tx:  # nobody gets to see these: no read
                chosen = Chosen(["entry"], profiles=[profile])
                said = await memories.select(tx, chosen, "confidence", MOST_ENTRIES)
            llm = await self._opened.llms.get()
            return {**told, "estimate": await estimate_summary(llm, [each.content for each in said])}
        read = await self.read(profile, limit=MOST_ENTRIES)
        try:
            llm = await self._opened.llms.get()
            summary = await summarize(llm, [each.content for each in read])
        except ModelUnavailable as error:
            log.warning("summarized profile %s without an LLM: %s", profile, error)
            return told
        duplicates = [[read[index].id for index in group] for group in summary.duplicates]
        return {**told, "summary": summary.text, "proposed_duplicates": duplicates}

    async def get(self, memory: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> Entry:
        """Get a memory by id, even if it is expired or redacted. This, `history` and `as_of` are recorded as `read` in
        the access log. Raises NotFound."""
        async with self._opened.transaction() as tx:
            actor = await _actor(tx, memory, agent, run)
            return await memories.look_up(tx, self._opened.user_id, memory, _KINDS, actor)

    async def page(
        self,
        kinds: Sequence[Kind] = ("entry", "journal", "core", "note"),
        *,
        owner: UUID | str | None = None,
        profile: UUID | None = None,
        scopes: Sequence[Scope] | None = None,
        source: str | None = None,
        tags: Sequence[str] = (),
        conversation: str | None = None,
        text: str | None = None,
        include_expired: bool = False,
        limit: int = 100,
        cursor: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Page:
        """Memories of these kinds, newest first: those of the agent `owner`, of a profile, of some scopes, from a
        source, with every one of the tags, of a conversation, or with a text in them. Give a page's `cursor` to go on
        behind it.

        Drawers are in the palace, and notes of whiteboards and of sessions are not in this list; documents are only
        with the kind `document`. Redacted memories are
        only in it with `include_expired`. One `read` in the access log names the page's memories.
        Raises NotFound for an agent, and InvalidInput.
        """
        most = rules.limit(limit)
        wanted = [cast(Kind, rules.one_of("kinds", each, _LISTED)) for each in kinds]
        async with self._opened.transaction() as tx:
            chosen = Chosen(
                wanted,
                agents=None if owner is None else [(await accounts.agent(tx, owner)).id],
                profiles=None if profile is None else [profile],
                scopes=None if scopes is None else [rules.scope(each) for each in scopes],
                source=None if source is None else rules.name("source", source, 200),
                tags=rules.tags(tags) or None,
                conversation=None if conversation is None else rules.name("conversation", conversation, 500),
                text=None if text is None else rules.storable("text", text),
                live=not include_expired,
            )
            listed = ("memories", chosen)
            if cursor is not None:
                chosen = replace(chosen, behind=cursors.place(cursor, listed, datetime, UUID))
            reader = None if agent is None else await accounts.agent(tx, agent)
            actor = Actor(f"agent:{reader.name}" if reader else "user", run)
            found = await memories.select(tx, chosen, "newest", most + 1)
            page = found[:most]
            if page:
                await audit.log(tx, self._opened.user_id, actor, "read", [each.id for each in page], {})
        more = cursors.made(listed, page[-1].created_at, page[-1].id) if len(found) > most else None
        return Page(memories=tuple(page), cursor=more)

    async def edit(
        self,
        memory: UUID,
        content: str,
        *,
        version: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Entry:
        """Change what a memory says, keeping what it said. Raises NotFound, InvalidInput for drawers and documents, and
        Changed where `version` is given and is not the memory's `version_tag()`."""
        async with self._opened.effect(first=False) as tx:
            actor = await _actor(tx, memory, agent, run)
            found = await memories.get(tx, memory, _KINDS)
            if found.kind == "document":
                raise InvalidInput("id", f"memory {memory} is a document: change it with memory.documents.write")
            return await memories.edit(tx, self._opened.user_id, memory, {"content": content}, actor, version)

    async def history(self, memory: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Version]:
        """Every version of a memory, oldest first. Raises NotFound."""
        async with self._opened.transaction() as tx:
            actor = await _actor(tx, memory, agent, run)
            return await memories.history(tx, self._opened.user_id, memory, actor)

    async def as_of(
        self, memory: UUID, moment: datetime, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> Version:
        """What a memory said at a moment. Raises NotFound where it was not written yet."""
        async with self._opened.transaction() as tx:
            actor = await _actor(tx, memory, agent, run)
            return await memories.as_of(tx, self._opened.user_id, memory, moment, actor)

    async def redact(
        self, memory: UUID, reason: str | None = None, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> RemovalReceipt:
        """Replace a memory's text by `[redacted]` for ever and remove all that is derived from it. Raises NotFound.

        The receipt tells the user (and no agent) where a part of it still stands (`quoted`).
        """
        async with self._opened.effect(first=False) as tx:
            actor = await _actor(tx, memory, agent, run)
            said = await memories.get(tx, memory, _KINDS)
            parts = await audit.parts(tx, memory) if agent is None else None
            receipt = await memories.redact(tx, self._opened.user_id, memory, reason, actor)
            receipt = await self._without_names(tx, said, receipt)
        return await complete(self._opened, receipt, parts)

    async def forget(
        self, memory: UUID, reason: str | None = None, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> RemovalReceipt:
        """Remove a memory and all that is derived from it (a drawer is redacted). Raises NotFound.

        The receipt tells the user (and no agent) where a part of it still stands (`quoted`).
        """
        async with self._opened.effect(first=False) as tx:
            actor = await _actor(tx, memory, agent, run)
            said = await memories.get(tx, memory, _KINDS)
            parts = await audit.parts(tx, memory) if agent is None else None
            receipt = await memories.forget(tx, self._opened.user_id, memory, reason, actor)
            receipt = await self._without_names(tx, said, receipt)
        return await complete(self._opened, receipt, parts)

    async def accesses(self, memory: UUID) -> list[Access]:
        """Every access to a memory with actor, run, context and time, oldest first; also to one that is gone. Raises
        NotFound for one that never was."""
        async with self._opened.transaction() as tx:
            found = await audit.accesses_of_memory(tx, memory)
            if not found:
                await memories.get(tx, memory, _KINDS)
            return found

    async def accesses_of_run(self, run: UUID) -> list[Access]:
        """Every access of a run: which memories it read, and which it wrote."""
        async with self._opened.transaction() as tx:
            return await audit.accesses_of_run(tx, run)

    async def _without_names(self, tx: Transaction, said: Entry, receipt: RemovalReceipt) -> RemovalReceipt:
        """The receipt, after the names and relations that only a redacted drawer accounts for are gone too."""
        if said.kind != "drawer" or not receipt.done:
            return receipt
        account = await accounts.lock(tx, self._opened.user_id, self._opened.user)
        names = await palace.forget_names(tx, said.id, said.content)
        drawn = await graph.forget(tx, said.id, [self._opened.user, *account.names])
        _, room, drawer = await memories.locked(tx, said.id)
        left = await receipts.checked(tx, said.id, room, drawer)
        return receipt.model_copy(update={"removed": {**receipt.removed, **names, **drawn}, "checked": left})


async def _actor(tx: Transaction, memory: UUID, agent: UUID | str | None, run: UUID | None) -> Actor:
    """Who looks at a memory, or changes it. Raises NotFound for the agent, and for a memory that is closed to it."""
    if agent is None:
        return Actor("user", run)
    reader = await accounts.agent(tx, agent)
    entry = await memories.get(tx, memory, _KINDS)
    try:
        if entry.profile_id is not None:
            await memories.get_profile(tx, entry.profile_id, reader)
        elif entry.whiteboard_id is not None:
            await whiteboards.get(tx, entry.whiteboard_id, reader)
        elif entry.agent_id not in (None, reader.id):
            raise NotFound("another agent's own")
    except NotFound:
        raise NotFound(f"memory {memory} not found") from None
    return Actor(f"agent:{reader.name}", run)
