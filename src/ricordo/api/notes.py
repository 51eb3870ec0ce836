"""`memory.notes`: memories in three retentions, `short_term`, `medium_term` and `long_term` (seed 004)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from anyio import CancelScope

from ricordo import accounts, audit, ids, memories, recall
from ricordo.api.acting import actor_of
from ricordo.api.checking import checked
from ricordo.api.receipts import complete, written
from ricordo.errors import NotFound, StoreError
from ricordo.memories import Held, Sessions, changed, notes
from ricordo.models import Entry, RemovalReceipt, Retention, WriteReceipt
from ricordo.opened import Opened
from ricordo.recall import Match
from ricordo.telemetry import measured

Found = TypeVar("Found")


@checked
class Notes:
    """Notes of the user. The retention of a note decides how long it is stored:

    short_term    only in this process, for a session; never written to disk; found by text
    medium_term   stored until `expires_at`, which is required
    long_term     stored until it is deleted

    The parameters are those of the source document: `retention` is its retentionType, `expires_at` expiresAt (a
    datetime, or ISO 8601 text), `project` projectId, `minimum_importance` minImportance, `retentions` retentionTypes,
    `include_expired` includeExpired; content, tags, importance, source, context, query and limit have the same
    names. Its userId is the user of this memory and not a parameter. In an Entry, `project_id` is the project and
    `metadata` the context.

    `session` is the session of a short-term note, by default one for each open memory. `agent` is the acting agent (id
    or name; by default the user acts), and `run` is the run of the call. Both are recorded in the access log, which
    covers stored notes and not those of sessions.
    """

    def __init__(self, opened: Opened, sessions: Sessions) -> None:
        self._opened = opened
        self._sessions = sessions
        #: Held while a memory changes, so that each is changed, moved or deleted by one call at a time.
        self._changing = asyncio.Lock()
        #: Counts the beginnings and the ends of moves between the session and the store.
        self._moves = 0

    @measured("write", written, kind="note")
    async def create(
        self,
        content: str,
        *,
        retention: Retention = "long_term",
        expires_at: datetime | str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        importance: int = 5,
        source: str = "agent",
        context: Mapping[str, Any] | None = None,
        session: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> WriteReceipt:
        """Create a note of 1 to 10,000 characters. `importance` is 1 to 10; `context` is any JSON object. The receipt
        has the outcome, and the stored note as `memory`.

        Raises InvalidInput with the field's name, and NotFound for an unknown agent.
        """
        fields = notes.checked(
            {
                "content": content, "retention": retention, "expires_at": expires_at, "project": project,
                "tags": tags, "importance": importance, "source": source, "context": context,
            }
        )  # fmt: skip
        if fields["retention"] == notes.SHORT:
            entry = Entry(id=ids.new_id(), kind="note", run_id=run, created_at=datetime.now(UTC), **fields)
            held = self._sessions.add(session, entry).entry
            return WriteReceipt(status="stored", id=held.id, kind="note", memory=held)
        async with self._opened.effect() as tx:
            return await notes.create(tx, self._opened.user_id, fields, await actor_of(tx, agent, run))

    async def get(self, id: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> Entry:
        """Get a note by id. Raises NotFound, also for an expired note."""

        async def look() -> Entry:
            held = self._sessions.find(id)
            if held is not None:
                return held.entry
            async with self._opened.effect() as tx:
                return await notes.find(tx, self._opened.user_id, id, await actor_of(tx, agent, run))

        return await self._steadily(look)

    async def update(
        self,
        id: UUID,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        retention: Retention | None = None,
        expires_at: datetime | str | None = None,
        importance: int | None = None,
        context: Mapping[str, Any] | None = None,
        clear: Sequence[str] = (),
        session: str | None = None,
        version: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Entry:
        """Update a note. The old version stays in its history. `context` is merged by name.

        `clear` lists fields to empty first: `tags`, `context` or both. A different `retention` moves the note with its
        id, age, history and context. medium_term requires `expires_at`; short_term moves the note to `session`. If a
        move fails, the note stays unchanged. Raises NotFound, InvalidInput with the field's name, and Changed if
        `version` differs from the note's `version_tag()`.
        """
        given = {
            "content": content, "tags": tags, "retention": retention, "expires_at": expires_at,
            "importance": importance, "context": context,
        }  # fmt: skip
        async with self._changing:
            held = self._sessions.find(id)
            if held is not None:
                accounts.require_version(held.entry, version)
                return await self._update_held(held, notes.changes(held.entry, given, clear), agent, run)
            return await self._update_stored(id, given, clear, session, version, agent, run)

    async def delete(self, id: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> RemovalReceipt:
        """Delete a note and the data derived from it. The receipt lists what was deleted. Raises NotFound."""
        async with self._changing:
            held = self._sessions.find(id)
            if held is None:
                async with self._opened.effect() as tx:
                    parts = await audit.parts(tx, id) if agent is None else None
                    receipt = await notes.forget(tx, self._opened.user_id, id, await actor_of(tx, agent, run))
                return await complete(self._opened, receipt, parts)
            removed: dict[str, int] = {}
            if held.maybe_stored:
                async with self._opened.effect() as tx:
                    if await notes.is_stored(tx, id):
                        actor = await actor_of(tx, agent, run)
                        removed = (await notes.forget(tx, self._opened.user_id, id, actor)).removed
            self._sessions.drop(id)
            return RemovalReceipt(id=id, action="forget", done=True, removed={"session": 1, **removed})

    async def search(
        self,
        query: str | None = None,
        *,
        project: str | None = None,
        tags: Sequence[str] = (),
        retentions: Sequence[Retention] = (),
        minimum_importance: int | None = None,
        source: str | None = None,
        limit: int = 10,
        include_expired: bool = False,
        session: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Entry]:
        """Search stored notes and notes of the session together.

        With a `query`, the best matches come first: stored notes by meaning and by words, session notes by words (see
        ricordo.recall.held for the scores). Without one, the most important notes come first, then the newest. `tags`
        must all match. Without `retentions`, all three are searched. `include_expired` includes expired medium-term
        notes that are not deleted yet. Raises InvalidInput with the field's name, and NotFound for an unknown agent.
        """
        wanted = notes.Wanted.of(
            {
                "project": project, "tags": tags, "retentions": retentions, "source": source, "limit": limit,
                "minimum_importance": minimum_importance, "include_expired": include_expired,
            }
        )  # fmt: skip
        asked = (query or "").strip()

        async def look() -> list[Entry]:
            held = {each.entry.id: each for each in self._sessions.of(session) if wanted.fits(each.entry)}
            if asked:
                return await self._found(asked, wanted, held, agent, run)
            return await self._listed(wanted, held, agent, run)

        return await self._steadily(look)

    async def clear(self, session: str | None = None) -> int:
        """Delete all short-term notes of a session (default: this memory's session), and return their number. Raises
        InvalidInput for an invalid name."""
        async with self._changing:
            return self._sessions.clear(session)

    async def sweep(self) -> int:
        """Delete expired medium-term notes and the data derived from them, and return their number.

        A background job does this every 15 minutes. Other processes can share the work.
        """
        return await notes.sweep(self._opened.transaction, self._opened.user_id)

    async def _update_held(
        self, held: Held, changes: Mapping[str, Any], agent: UUID | str | None, run: UUID | None
    ) -> Entry:
        """Change a short-term note, or store it first and drop it from the session then."""
        if "retention" not in changes:
            who = "user" if agent is None else f"agent:{agent}"
            return self._sessions.change(held.entry.id, changes, who) if changes else held.entry
        held.maybe_stored = True
        self._moves += 1
        try:
            async with self._opened.effect() as tx:
                actor = await actor_of(tx, agent, run)
                entry = await notes.settle(tx, self._opened.user_id, held, changes, actor)
            self._sessions.drop(entry.id)
            return entry
        finally:
            self._moves += 1

    async def _update_stored(
        self,
        id: UUID,
        given: Mapping[str, Any],
        clear: Sequence[str],
        session: str | None,
        version: str | None,
        agent: UUID | str | None,
        run: UUID | None,
    ) -> Entry:
        """Change a stored note, or take it into the session, from which it goes again if the store keeps it."""
        try:
            async with self._opened.effect() as tx:
                entry = await notes.held_fast(tx, id)
                accounts.require_version(entry, version)
                changes = notes.changes(entry, given, clear)
                if not changes:
                    return entry
                actor = await actor_of(tx, agent, run)
                if changes.get("retention") != notes.SHORT:
                    return await memories.edit(tx, self._opened.user_id, id, _columns(changes), actor)
                self._moves += 1
                now = datetime.now(UTC)
                versions = await notes.release(tx, self._opened.user_id, entry, actor, now)
                held = self._sessions.add(session, changed(entry, changes, now), versions, maybe_stored=True)
        except BaseException:
            await self._undo_move(id)
            raise
        finally:
            self._moves += 1
        held.maybe_stored = False
        return held.entry

    async def _undo_move(self, id: UUID) -> None:
        """After a move into the session that failed: where the store has the note still, the session has it not."""
        if self._sessions.find(id) is None:
            return
        with CancelScope(shield=True):
            try:
                async with self._opened.transaction() as tx:
                    stored = await notes.is_stored(tx, id)
            except StoreError:
                return  # it stays in both, and whoever moves or deletes it looks again
        if stored:
            self._sessions.drop(id)

    async def _steadily(self, look: Callable[[], Awaitable[Found]]) -> Found:
        """What a look finds in both tiers; where a note moved meanwhile, which the look may have missed, it looks again
        while none can move."""
        before = self._moves
        try:
            found = await look()
        except NotFound:
            if self._moves == before:
                raise
        else:
            if self._moves == before:
                return found
        async with self._changing:
            return await look()

    async def _found(
        self, query: str, wanted: notes.Wanted, held: dict[UUID, Held], agent: UUID | str | None, run: UUID | None
    ) -> list[Entry]:
        """What answers a query, of both tiers, by score, then the newest first."""
        chosen = wanted.chosen()
        if chosen is None:
            found = recall.search_held(query, list(held.values()), 0, False)
            return [each.entry for each in _best(found)[: wanted.limit]]
        meant = await recall.meaning_of(self._opened, query)
        async with self._opened.effect() as tx:
            actor = await actor_of(tx, agent, run)
            stored = await recall.find(tx, self._opened.user_id, query, meant, chosen, wanted.limit)
            count = await memories.count(tx, chosen) if held else 0
            found = recall.search_held(query, list(held.values()), count, meant.vector is not None)
            shown = _best([*found, *(each for each in stored if each.entry.id not in held)])[: wanted.limit]
            read = [each for each in shown if each.entry.id not in held]
            await recall.record(tx, self._opened.user_id, actor, read)
        return [each.entry for each in shown]

    async def _listed(
        self, wanted: notes.Wanted, held: dict[UUID, Held], agent: UUID | str | None, run: UUID | None
    ) -> list[Entry]:
        """The most important first, then the newest, of both tiers."""
        chosen = wanted.chosen()
        if chosen is None:
            return _foremost([each.entry for each in held.values()])[: wanted.limit]
        async with self._opened.effect() as tx:
            actor = await actor_of(tx, agent, run)
            stored = await memories.select(tx, chosen, "importance", wanted.limit)
            both = {each.id: each for each in stored} | {id: each.entry for id, each in held.items()}
            shown = _foremost([*both.values()])[: wanted.limit]
            read = [each.id for each in shown if each.id not in held]
            await audit.log_read(tx, self._opened.user_id, actor, read, {})
        return shown


def _best(found: Sequence[Match]) -> list[Match]:
    return sorted(found, key=lambda each: (each.score, each.entry.created_at, each.entry.id), reverse=True)


def _foremost(found: Sequence[Entry]) -> list[Entry]:
    return sorted(found, key=lambda each: (each.importance or 0, each.created_at, each.id), reverse=True)


def _columns(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changes.items()}
