"""`memory.entries`: entries of memory profiles, and operations on memories of any kind."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from ricordo import accounts, audit, cursors, memories, palace, rules
from ricordo.api.acting import ALL_KINDS, acting, actor_of, require_parent
from ricordo.api.checking import checked
from ricordo.api.receipts import complete, written
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.facts import forgetting
from ricordo.llm import MOST_ENTRIES, estimate_summary, summarize
from ricordo.memories import Chosen, Wanted
from ricordo.models import Entry, Forgotten, Kind, Page, RemovalReceipt, Scope, Source, Version, WriteReceipt
from ricordo.opened import Opened
from ricordo.telemetry import measured

log = logging.getLogger("ricordo")

_LISTED: tuple[Kind, ...] = ("entry", "journal", "core", "note", "document")
#: Texts up to which a receipt says where parts of them are quoted.
_MOST_QUOTED = 200


@checked
class Entries:
    """Entries of profiles. `get`, `edit`, `redact`, `forget`, `history` and `as_of` accept memories of every kind.

    `agent` is the acting agent (id or name); by default the user acts. An agent reads and changes its own memories,
    those in shared profiles and on its whiteboards, and those that belong to no agent. It also reads the global
    entries of agents that granted them to it. All other memories raise NotFound, and are not listed.
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

        `scope` is by default the profile's. The scope `conversation` requires `conversation`. Raises NotFound for an
        unknown profile, and InvalidInput with the field's name."""
        fields = {
            "scope": scope,
            "source": source,
            "confidence": confidence,
            "expires_at": expires_at,
            "conversation_id": conversation,
            "metadata": metadata,
        }
        async with self._opened.effect(first=False) as tx:
            who = await acting(tx, agent, run)
            into, owner = await memories.get_profile_and_agent(tx, profile, who.agent)
            return await memories.write_entry(tx, self._opened.user_id, owner, into, content, fields, who.actor)

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
            who = await acting(tx, agent, run)
            return await memories.read_entries(
                tx, self._opened.user_id, profile, who.agent, scope, conversation, limit, who.actor
            )

    async def summarize(
        self, profile: UUID, *, dry_run: bool = False, agent: UUID | str | None = None
    ) -> dict[str, Any]:
        """Get `{count, scopes, last_written_at}` of a profile's entries. If an LLM is configured, also get `summary` of
        the first 100 entries and `proposed_duplicates`, lists of ids of similar entries. Both are missing if the LLM
        fails. With `dry_run`, get `estimate` (a CostEstimate) instead. Raises NotFound."""
        async with self._opened.transaction() as tx:
            told = await memories.summarize(tx, profile, (await acting(tx, agent)).agent)
        if not told["count"] or not self._opened.llms.configured():
            return told
        if dry_run:
            async with self._opened.transaction() as tx:  # nobody gets to see these: no read
                chosen = Chosen(["entry"], profiles=[profile])
                said = await memories.select(tx, chosen, "confidence", MOST_ENTRIES)
            llm = await self._opened.llms.get()
            return {**told, "estimate": await estimate_summary(llm, [each.content for each in said])}
        read = await self.read(profile, limit=MOST_ENTRIES, agent=agent)
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
            actor = await actor_of(tx, agent, run, memory=memory)
            return await memories.look_up(tx, self._opened.user_id, memory, ALL_KINDS, actor)

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
    ) -> Page[Entry]:
        """List memories of these kinds, newest first. The other arguments filter them: by the agent `owner`, profile,
        scopes, source, conversation, or a text that they contain. `tags` must all match. Pass a page's `cursor` to get
        the next page.

        The list does not contain drawers (see `memory.palace`), nor notes of whiteboards and sessions. Documents are
        included only with the kind `document`, and redacted memories only with `include_expired`. The page is recorded
        as one `read` in the access log. Raises NotFound for an unknown agent, and InvalidInput.
        """
        most = rules.limit(limit)
        wanted = [cast(Kind, rules.one_of("kinds", each, _LISTED)) for each in kinds]
        async with self._opened.transaction() as tx:
            who = await acting(tx, agent, run)
            chosen = Chosen(
                wanted,
                reader=who.agent_id,
                agents=None if owner is None else [(await accounts.agent(tx, owner)).id],
                profiles=None if profile is None else [profile],
                scopes=None if scopes is None else [rules.scope(each) for each in scopes],
                source=None if source is None else rules.name("source", source, 200),
                tags=rules.tags(tags) or None,
                conversation=None if conversation is None else rules.name("conversation", conversation, 500),
                text=None if text is None else rules.text("text", text),
                live=not include_expired,
            )
            listed = ("memories", chosen)
            if cursor is not None:
                chosen = replace(chosen, behind=cursors.place(cursor, listed, datetime, UUID))
            found = await memories.select(tx, chosen, "newest", most + 1)
            page = found[:most]
            if page:
                await audit.log(tx, self._opened.user_id, who.actor, "read", [each.id for each in page], {})
        more = cursors.made(listed, page[-1].created_at, page[-1].id) if len(found) > most else None
        return Page(items=tuple(page), cursor=more)

    async def edit(
        self,
        memory: UUID,
        content: str,
        *,
        version: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Entry:
        """Edit a memory. The old version stays in its history. Raises NotFound, InvalidInput for drawers and documents,
        and Changed if `version` is given and differs from the memory's `version_tag()`."""
        async with self._opened.effect(first=False) as tx:
            actor = await actor_of(tx, agent, run, memory=memory, reach="change")
            found = await memories.get(tx, memory, ALL_KINDS)
            if found.kind == "document":
                raise InvalidInput("id", f"memory {memory} is a document: change it with memory.documents.write")
            return await memories.edit(tx, self._opened.user_id, memory, {"content": content}, actor, version)

    async def history(self, memory: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Version]:
        """List all versions of a memory, oldest first. Raises NotFound."""
        async with self._opened.transaction() as tx:
            actor = await actor_of(tx, agent, run, memory=memory)
            return await memories.history(tx, self._opened.user_id, memory, actor)

    async def as_of(
        self, memory: UUID, moment: datetime, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> Version:
        """Get a memory as it was at a moment. Raises NotFound if it was not written yet."""
        async with self._opened.transaction() as tx:
            actor = await actor_of(tx, agent, run, memory=memory)
            return await memories.as_of(tx, self._opened.user_id, memory, moment, actor)

    async def redact(
        self,
        memory: UUID | str,
        reason: str | None = None,
        *,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> RemovalReceipt:
        """Permanently replace the text of a memory by `[redacted]`, and remove everything derived from it. Pass the
        memory's id or a turn's pointer. Raises NotFound and InvalidInput.

        `quoted` of the receipt shows where parts of the text are still quoted; only the user gets it, and no agent.
        """
        return await self._take_away("redact", memory, reason, agent, run)

    async def forget(
        self,
        memory: UUID | str,
        reason: str | None = None,
        *,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> RemovalReceipt:
        """Remove a memory and everything derived from it. Pass the memory's id or a turn's pointer. Only the text of a
        turn is removed; its place stays. Raises NotFound and InvalidInput.

        `quoted` of the receipt shows where parts of the text are still quoted; only the user gets it, and no agent.
        """
        return await self._take_away("forget", memory, reason, agent, run)

    async def forget_all(
        self,
        what: Sequence[str] = (),
        *,
        conversation: str | None = None,
        source: str | None = None,
        import_id: UUID | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: Sequence[Kind] = ("drawer", "entry", "journal", "core", "note", "document"),
        reason: str | None = None,
        dry_run: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Forgotten:
        """Remove many memories, with everything derived from them, in one transaction and with one receipt.

        `what` lists pointers of turns, rooms and wings, and ids of memories and conversations. The other arguments
        filter these, or all memories if there is no `what`. They are a `conversation` (its id when it was mined), a
        `source`, an import, a time span from `since` to `until`, and `kinds`.

        With `dry_run`, nothing changes, and the receipt counts what would be removed. Rooms, conversations and wings
        that become empty lose their names and are no longer listed.

        Raises NotFound, and InvalidInput if nothing is selected.
        """
        for name, text in (("conversation", conversation), ("source", source)):
            if text is not None:
                rules.text(name, text)
        rules.period(since, until)
        places, ids = _named(what)
        if not (places or ids or conversation or source or import_id or since or until):
            raise InvalidInput(
                "what", "nothing is selected: give ids, pointers, a conversation, source, import or time span"
            )
        async with self._opened.effect(first=False) as tx:
            who = await acting(tx, agent, run)
            require_parent(who.actor)
            wanted = Wanted(
                kinds=[cast(Kind, rules.one_of("kinds", each, ALL_KINDS)) for each in kinds],
                ids=ids,
                places=[await _standing(tx, each) for each in places],
                conversation=conversation,
                source=source,
                import_id=import_id,
                since=since,
                until=until,
                reader=who.agent_id,
            )
            if dry_run:
                return await forgetting.count(tx, wanted)
            receipt, texts = await forgetting.forget_all(
                tx, self._opened.user_id, self._opened.user, wanted, reason, who.actor
            )
        known = agent is None and len(texts) <= _MOST_QUOTED
        return await complete(self._opened, receipt, audit.Parts(texts) if known else None)

    async def _take_away(
        self,
        action: Literal["redact", "forget"],
        memory: UUID | str,
        reason: str | None,
        agent: UUID | str | None,
        run: UUID | None,
    ) -> RemovalReceipt:
        opened = self._opened
        async with opened.effect(first=False) as tx:
            id = memory if isinstance(memory, UUID) else await _id_at(tx, memory)
            actor = await actor_of(tx, agent, run, memory=id, reach="change")
            said = await memories.get(tx, id, ALL_KINDS)
            parts = await audit.parts(tx, id) if agent is None else None
            receipt = await forgetting.take_away(tx, opened.user_id, opened.user, said, action, reason, actor)
        return await complete(opened, receipt, parts)


def _named(what: Sequence[str]) -> tuple[list[palace.Pointer], list[UUID]]:
    """The pointers and the ids that are named. Raises InvalidInput."""
    places, ids = [], []
    for each in what:
        try:
            ids.append(UUID(each))
            continue
        except ValueError:
            pass  # a pointer
        try:
            places.append(palace.Pointer.parse(each))
        except InvalidInput:
            raise InvalidInput(
                "id",
                f"invalid id or pointer {each[:80]!r}: expected the id of a memory or conversation, "
                "or a pointer such as § W-042/R-11/D-007",
            ) from None
    return places, ids


async def _standing(tx: Transaction, pointer: palace.Pointer) -> tuple[int | None, int | None, int | None]:
    """(wing, room, drawer) of a pointer as the palace stands now. Raises NotFound."""
    if pointer.room is None:
        return int((await palace.find_wing(tx, str(pointer))).wing), None, None
    place = await palace.find_room(tx, pointer)
    return place.wing, place.room, pointer.drawer


async def _id_at(tx: Transaction, memory: str) -> UUID:
    """The id of a memory that is named by its id or a turn's pointer. Raises InvalidInput and NotFound."""
    places, ids = _named([memory])
    if ids:
        return ids[0]
    if places[0].drawer is None:
        raise InvalidInput(
            "memory",
            f"invalid turn {str(places[0])!r}: expected an id or a turn's pointer; use forget_all for rooms and wings",
        )
    return (await palace.show(tx, places[0]))[0].id
