"""An agent's journal and core: saving, listing, the block for its prompts, carrying it from store to store.

A journal entry is in prompts for exactly one week from its creation, which is decided when it is read: nothing is
stored about it, and an edit does not make it younger. Core is always in prompts. Every function is bound to its agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, get_args
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor, log_read
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, memory_not_found
from ricordo.memories import journal_store, loose_store, memory, writing
from ricordo.memories.loose_store import Chosen
from ricordo.models import JOURNAL_WEEK, Agent, Entry, JournalEntry, JournalKind, WriteReceipt
from ricordo.review import policies
from ricordo.text import budget, tokens_in, written_out
from ricordo.times import parsed, within

BOTH: tuple[JournalKind, ...] = get_args(JournalKind)
_TITLE, _CORE, _JOURNAL = "# Your Private Memory", "## Core Memories (permanent)", "## Recent Journal Entries"


async def save(
    tx: Transaction,
    user_id: UUID,
    agent: Agent,
    kind: JournalKind,
    content: str,
    actor: Actor,
    source: str = "agent",
    *,
    moved: bool = False,
) -> WriteReceipt:
    """Write a memory into an agent's journal or core; `moved` where it comes from another store. Raises InvalidInput
    for the content, and for what a tool says about who the agent is."""
    if kind == "core" and source == "tool":
        raise InvalidInput("source", "memories from tools cannot be core memories: save this to the journal")
    fields = {"agent_id": agent.id, "source": rules.source(source)}
    return await writing.write(tx, user_id, kind, content, agent.name, fields, actor, settled=moved)


async def get(tx: Transaction, agent: Agent, id: UUID) -> JournalEntry:
    """A memory of this agent's journal or core. Raises NotFound, also where it is another agent's."""
    entry = await memory.get(tx, id, BOTH)
    if entry.agent_id != agent.id:
        raise memory_not_found(id)
    return remembered(entry, await journal_store.now(tx))


async def listed(
    tx: Transaction,
    user_id: UUID,
    agent: Agent,
    kinds: Sequence[str],
    limit: int,
    include_expired: bool,
    text: str | None,
    actor: Actor,
) -> list[JournalEntry]:
    """An agent's memories that are not redacted, newest first; with `text` those that hold it, case ignored."""
    chosen = chosen_of(agent, kinds, include_expired, text)
    found = await memory.read(tx, user_id, chosen, "newest", rules.limit(limit), actor)
    now = await journal_store.now(tx)
    return [remembered(each, now) for each in found]


async def counts(tx: Transaction, agent: Agent) -> dict[str, int]:
    """How many `{core, journal}` memories an agent has, faded ones too."""
    return {kind: await loose_store.count(tx, chosen_of(agent, [kind], True, None)) for kind in ("core", "journal")}


async def context(
    tx: Transaction, user_id: UUID, agent: Agent, actor: Actor, max_tokens: int | None = None
) -> str | None:
    """The block for an agent's prompt (seed 002), None where there is nothing: core, then the week's journal, oldest
    first. With `max_tokens` only as many whole memories as have room: core before journal, the newest of each first.
    The read is logged. Raises InvalidInput."""
    most, zone = budget(max_tokens), await accounts.zone(tx)
    found = await loose_store.select(tx, chosen_of(agent, BOTH, False, None), "oldest", None)
    if most is not None:
        found = _fitting(found, most, zone)
    await log_read(tx, user_id, actor, [each.id for each in found], {"context": True})
    return render(found, zone)


def _fitting(found: Sequence[Entry], max_tokens: int, zone: tzinfo) -> list[Entry]:
    """Those of the memories that have room in a block of so many tokens, in their order."""
    left, kept = max_tokens - tokens_in(_TITLE), set()
    for kind, head in (("core", _CORE), ("journal", _JOURNAL)):
        opening = tokens_in(f"\n\n{head}")
        for each in reversed([each for each in found if each.kind == kind]):
            cost = opening + tokens_in(f"\n{_line(each, zone)}")
            if cost <= left:
                kept.add(each.id)
                left, opening = left - cost, 0
    return [each for each in found if each.id in kept]


def render(found: Sequence[Entry], zone: tzinfo) -> str | None:
    """Seed 002's block of these memories, in their order; dates are those of the zone.

    Each memory is one line, word for word, its line breaks written out: no memory can pass as a heading or as another
    memory.
    """
    core = [_line(each, zone) for each in found if each.kind == "core"]
    journal = [_line(each, zone) for each in found if each.kind == "journal"]
    sections = ["\n".join([head, *lines]) for head, lines in ((_CORE, core), (_JOURNAL, journal)) if lines]
    return "\n\n".join([_TITLE, *sections]) if sections else None


async def system_message(
    tx: Transaction,
    user_id: UUID,
    agent: Agent,
    participants: Sequence[str] | None,
    actor: Actor,
    max_tokens: int | None = None,
) -> dict[str, str]:
    """Seed 002's system message: the system prompt (or `You are NAME.`), the memory, the lines of the group.

    `participants` are the names of the others in the conversation; with none there is no group and no line of it.
    `max_tokens` bounds the memory's block. Raises InvalidInput, also for a name that cannot be one.
    """
    if isinstance(participants, str):
        raise InvalidInput("participants", "must be a list of names, not a single text")
    names = [rules.name("participants", each) for each in participants or ()]
    others = [each for each in names if each != agent.name]
    parts = [agent.system_prompt if agent.system_prompt and agent.system_prompt.strip() else f"You are {agent.name}."]
    block = await context(tx, user_id, agent, actor, max_tokens)
    if block is not None:
        parts.append(block)
    if others:
        parts += ["You are participating in a group conversation.", f"Other participants: {', '.join(others)}."]
    return {"role": "system", "content": "\n\n".join(parts)}


async def export(tx: Transaction, user_id: UUID, agent: Agent, actor: Actor) -> list[dict[str, str]]:
    """An agent's journal and core as plain values, oldest first: memory_type, content, created_at (ISO 8601, UTC)."""
    found = await memory.read(tx, user_id, chosen_of(agent, BOTH, True, None), "oldest", None, actor, {"export": True})
    return [
        {
            "memory_type": each.kind,
            "content": each.content,
            "created_at": each.created_at.astimezone(UTC).isoformat(),
        }
        for each in found
    ]


async def import_(
    tx: Transaction, user_id: UUID, agent: Agent, items: Sequence[Mapping[str, Any]], actor: Actor
) -> dict[str, int]:
    """Write what `export` gave into an agent's journal and core; returns how many were `stored` and `duplicates`.

    Each keeps its time, so that an old journal entry does not come back into prompts. A memory of the same kind, time
    and content is there already, and so is one of that kind and time that was redacted. All are written or none.
    Raises InvalidInput, naming the item, and for an agent whose writes wait for a review.
    """
    await journal_store.lock_agent(tx, agent.id)
    now = await journal_store.now(tx)
    if isinstance(items, str | Mapping) or not isinstance(items, Sequence):
        raise InvalidInput("items", f"must be a list of memories, not {type(items).__name__}")
    found = await policies(tx)
    if found.holds_of(actor):
        raise InvalidInput("agent", "writes of this agent need a review: save the memories one by one")
    checked = [
        (kind, created_at, found.screen.text(f"items[{index}].content", content))
        for index, (kind, created_at, content) in enumerate(_item_of(*each, now) for each in enumerate(items))
    ]
    there = await loose_store.select(tx, Chosen(BOTH, agents=[agent.id], live=False), "oldest", None)
    known = {(each.kind, each.created_at, each.content) for each in there if not each.is_redacted}
    redacted = {(each.kind, each.created_at) for each in there if each.is_redacted}
    stored = 0
    for kind, created_at, content in checked:
        if (kind, created_at, content) in known or (kind, created_at) in redacted:
            continue
        known.add((kind, created_at, content))
        saved = await save(tx, user_id, agent, kind, content, actor, "manual", moved=True)
        await journal_store.date_back(tx, writing.id_of(saved), created_at)
        stored += 1
    return {"stored": stored, "duplicates": len(checked) - stored}


def remembered(entry: Entry, now: datetime) -> JournalEntry:
    """The memory with its mark: expired is a journal entry whose week is over."""
    expired = entry.kind == "journal" and entry.created_at < now - JOURNAL_WEEK
    return JournalEntry(**entry.model_dump(), expired=expired)


def chosen_of(agent: Agent, kinds: Sequence[str], include_expired: bool, text: str | None) -> Chosen:
    """An agent's memories of these kinds. Raises InvalidInput for other kinds."""
    if isinstance(kinds, str) or not kinds:
        raise InvalidInput("kinds", f"must be a list of {' and '.join(BOTH)}")
    named = {rules.one_of("kinds", each, BOTH) for each in kinds}
    return Chosen(
        [kind for kind in BOTH if kind in named],
        agents=[agent.id],
        text=None if text is None else rules.text("text", text),
        journal_within=None if include_expired else JOURNAL_WEEK,
    )


def _line(entry: Entry, zone: tzinfo) -> str:
    dated = f"[{within(entry.created_at, zone):%Y-%m-%d}] " if entry.kind == "journal" else ""
    return f"- {dated}{written_out(entry.content)}"


def _item_of(index: int, item: object, now: datetime) -> tuple[JournalKind, datetime, str]:
    """An exported memory, checked."""
    where = f"items[{index}]"
    if not isinstance(item, Mapping) or set(item) != {"memory_type", "content", "created_at"}:
        raise InvalidInput(where, "must be an object with memory_type, content and created_at, as returned by `export`")
    kind: JournalKind = (
        "core" if rules.one_of(f"{where}.memory_type", item["memory_type"], BOTH) == "core" else "journal"
    )
    created_at = parsed(f"{where}.created_at", str(item["created_at"]))
    if created_at > now:
        raise InvalidInput(f"{where}.created_at", f"{created_at.isoformat()} is in the future")
    return kind, created_at, rules.text(f"{where}.content", item["content"], rules.LONGEST)
