"""`memory.journal` and `memory.core`: what agents remember for themselves, private to each.

`agent` is an agent's id or name, and no call reaches another agent's memories. `run` is the run that it happens in; it
goes into the access log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import accounts, recall, rules
from ricordo.api.acting import acting_as
from ricordo.api.checking import checked
from ricordo.api.receipts import complete, written
from ricordo.audit import Actor
from ricordo.memories import journal
from ricordo.models import JournalEntry, JournalKind, RemovalReceipt, Source, WriteReceipt
from ricordo.opened import Opened
from ricordo.recall import Match
from ricordo.telemetry import measured


@checked
class Journal:
    """An agent's journal, which is in its prompts for a week, and what is done with journal and core together."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="journal")
    async def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt:
        """Write a journal entry: 1 to 10,000 characters. The receipt says what became of it. `source`
        is who says it. Raises NotFound for the agent, and InvalidInput."""
        return await _save(self._opened, agent, "journal", content, run, source)

    async def list(
        self,
        agent: UUID | str,
        limit: int = 100,
        include_expired: bool = True,
        text: str | None = None,
        *,
        kinds: Sequence[JournalKind] = ("journal",),
    ) -> list[JournalEntry]:
        """The newest journal entries (with `kinds`, core memories too), newest first; `expired` marks those whose week
        is over. With `text`, those that hold it. Raises NotFound and InvalidInput."""
        return await _listed(self._opened, agent, kinds, limit, include_expired, text)

    async def edit(self, agent: UUID | str, memory: UUID, content: str) -> JournalEntry:
        """Change what one of the agent's memories says; it keeps its age, and its history. Raises NotFound and
        InvalidInput."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            return await journal.edit(tx, self._opened.user_id, who, memory, content, Actor())

    async def forget(self, agent: UUID | str, memory: UUID, reason: str | None = None) -> RemovalReceipt:
        """Remove one of the agent's memories and all that is derived from it. Raises NotFound."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            receipt = await journal.forget(tx, self._opened.user_id, who, memory, reason, Actor())
        return await complete(self._opened, receipt, None)

    async def counts(self, agent: UUID | str) -> dict[str, int]:
        """How many memories of each kind the agent has, faded ones too: `{core, journal}`. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await journal.counts(tx, await accounts.agent(tx, agent))

    async def context(self, agent: UUID | str, *, max_tokens: int | None = None, run: UUID | None = None) -> str | None:
        """The block `# Your Private Memory` for the agent's prompt, or None where it remembers nothing: core, then the
        journal of the last week, oldest first. With `max_tokens` only as many whole memories as have room: core before
        journal, the newest of each first. Raises NotFound and InvalidInput."""
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            return await journal.context(tx, self._opened.user_id, who, acting_as(who, run).actor, max_tokens)

    async def system_message(
        self,
        agent: UUID | str,
        participants: Sequence[str] | None = None,
        *,
        max_tokens: int | None = None,
        run: UUID | None = None,
    ) -> dict[str, str]:
        """`{"role": "system", "content": …}`: the agent's system prompt (or `You are NAME.`), its memory, and, where
        `participants` names others, the lines of the group. `max_tokens` bounds the memory's block. Raises NotFound and
        InvalidInput."""
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            actor = acting_as(who, run).actor
            return await journal.system_message(tx, self._opened.user_id, who, participants, actor, max_tokens)

    async def search(
        self,
        agent: UUID | str,
        query: str,
        *,
        kinds: Sequence[JournalKind] = ("journal", "core"),
        limit: int = 10,
        include_expired: bool = True,
        run: UUID | None = None,
    ) -> Sequence[Match]:
        """The agent's memories that answer a query best, by words and by meaning, best first, with what each signal
        gave. Raises NotFound and InvalidInput."""
        asked, most = rules.content(query, "query"), rules.limit(limit)
        meant = await recall.meaning_of(self._opened, asked)
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            chosen = journal.chosen_of(who, kinds, include_expired, None)
            return await recall.search(tx, self._opened.user_id, asked, meant, chosen, most, acting_as(who, run).actor)

    async def export(self, agent: UUID | str) -> Sequence[dict[str, str]]:
        """The agent's journal and core, oldest first, as values that JSON can hold: `memory_type`, `content` and
        `created_at`. Raises NotFound."""
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            return await journal.export(tx, self._opened.user_id, who, Actor())

    async def import_(
        self, agent: UUID | str, items: Sequence[Mapping[str, Any]], *, by_agent: bool = False
    ) -> dict[str, int]:
        """Write what `export` gave; doing it again adds nothing. Each memory keeps its time, so that an old journal
        entry stays faded. `by_agent`: the agent does it, and not the user. Returns `{stored, duplicates}`. Raises
        NotFound, and InvalidInput naming the item, or for an agent whose writes wait for a review, with nothing
        written."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            actor = acting_as(who, None).actor if by_agent else Actor()
            return await journal.import_(tx, self._opened.user_id, who, items, actor)


@checked
class Core:
    """An agent's core memories, which are always in its prompts. `memory.journal` edits, forgets and searches them."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="core")
    async def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt:
        """Write a core memory: 1 to 10,000 characters. The receipt says what became of it. Raises
        NotFound for the agent, and InvalidInput, also for what a tool says (`source`)."""
        return await _save(self._opened, agent, "core", content, run, source)

    async def list(self, agent: UUID | str, limit: int = 100, text: str | None = None) -> list[JournalEntry]:
        """The newest core memories, newest first; with `text`, those that hold it. Raises NotFound and
        InvalidInput."""
        return await _listed(self._opened, agent, ("core",), limit, True, text)


async def _save(
    opened: Opened, agent: UUID | str, kind: JournalKind, content: str, run: UUID | None, source: Source
) -> WriteReceipt:
    async with opened.effect() as tx:
        who = await accounts.agent(tx, agent)
        return await journal.save(tx, opened.user_id, who, kind, content, acting_as(who, run).actor, source)


async def _listed(
    opened: Opened,
    agent: UUID | str,
    kinds: Sequence[JournalKind],
    limit: int,
    include_expired: bool,
    text: str | None,
) -> list[JournalEntry]:
    async with opened.transaction() as tx:
        who = await accounts.agent(tx, agent)
        return await journal.listed(tx, opened.user_id, who, kinds, limit, include_expired, text, Actor())
