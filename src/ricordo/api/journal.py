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
from ricordo.api.receipts import written
from ricordo.audit import Actor
from ricordo.memories import journal
from ricordo.models import JournalEntry, JournalKind, Source, WriteReceipt
from ricordo.opened import Opened
from ricordo.recall import Match
from ricordo.telemetry import measured


@checked
class Journal:
    """An agent's journal, whose entries are in its prompts for one week, and operations on journal and core memory."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="journal")
    async def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt:
        """Add a journal entry of 1 to 10,000 characters. The receipt has the outcome. `source` is the origin of the
        entry. Raises NotFound for an unknown agent, and InvalidInput."""
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
        """List journal entries, newest first; `kinds` can include core memories. `expired` marks entries older than one
        week. `text` filters by a part of the text. Raises NotFound and InvalidInput."""
        return await _listed(self._opened, agent, kinds, limit, include_expired, text)

    async def counts(self, agent: UUID | str) -> dict[str, int]:
        """Count the agent's memories by kind, including expired ones: `{core, journal}`. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await journal.counts(tx, await accounts.agent(tx, agent))

    async def context(self, agent: UUID | str, *, max_tokens: int | None = None, run: UUID | None = None) -> str | None:
        """Get the block `# Your Private Memory` for the agent's prompt, or None without memories: core memories, then
        the journal of the last week, oldest first. `max_tokens` limits the block to whole memories: core before
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
        """Get `{"role": "system", "content": …}`: the agent's system prompt (or `You are NAME.`), its memory, and the
        group's other `participants`. `max_tokens` limits the memory block. Raises NotFound and InvalidInput."""
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
        """Search the agent's memories by words and by meaning, best match first, with the signals of each result.
        Raises NotFound and InvalidInput."""
        asked, most = rules.text("query", query, rules.LONGEST), rules.limit(limit)
        meant = await recall.meaning_of(self._opened, asked)
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            chosen = journal.chosen_of(who, kinds, include_expired, None)
            return await recall.search(tx, self._opened.user_id, asked, meant, chosen, most, acting_as(who, run).actor)

    async def export(self, agent: UUID | str) -> Sequence[dict[str, str]]:
        """Export the agent's journal and core memory, oldest first, as JSON values with `memory_type`, `content` and
        `created_at`. Raises NotFound."""
        async with self._opened.transaction() as tx:
            who = await accounts.agent(tx, agent)
            return await journal.export(tx, self._opened.user_id, who, Actor())

    async def import_(
        self, agent: UUID | str, items: Sequence[Mapping[str, Any]], *, by_agent: bool = False
    ) -> dict[str, int]:
        """Import the result of `export`. Importing it again adds nothing. Memories keep their times, so old journal
        entries stay expired. `by_agent` records the agent as the actor instead of the user. Returns `{stored,
        duplicates}`. Raises NotFound, and InvalidInput for an invalid item or an agent whose writes need a review; then
        nothing is written."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            actor = acting_as(who, None).actor if by_agent else Actor()
            return await journal.import_(tx, self._opened.user_id, who, items, actor)


@checked
class Core:
    """An agent's core memories, which are always in its prompts. Search them with `memory.journal`; edit and
    forget them with `memory.entries`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @measured("write", written, kind="core")
    async def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt:
        """Add a core memory of 1 to 10,000 characters. The receipt has the outcome. Raises NotFound for an unknown
        agent, and InvalidInput, also for the `source` tool."""
        return await _save(self._opened, agent, "core", content, run, source)

    async def list(self, agent: UUID | str, limit: int = 100, text: str | None = None) -> list[JournalEntry]:
        """List core memories, newest first. `text` filters by a part of the text. Raises NotFound and InvalidInput."""
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
