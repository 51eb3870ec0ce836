"""What each tool does: its arguments → the client → text. Checks and rules are behind the client's resources."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

from ricordo.client import AsyncMemory, in_project, serving, showing
from ricordo.errors import InvalidInput, NotFound, RicordoError, counted, memory_not_found
from ricordo.mcp import rendering
from ricordo.mcp.arguments import checked, moment
from ricordo.mcp.caller import Caller, speaker
from ricordo.mcp.rendering import DEFAULT_TOKENS
from ricordo.mcp.tools import BY_NAME
from ricordo.models import Agent, Entry, HeldWrite, JournalKind, Relation

#: What saved memories are searched and listed by, where the call does not say: how many of each kind.
_FOUND, _ENTITIES = 10, 20
#: Arguments that only notes know.
_OF_NOTES = ("tags", "project", "importance")
Arguments = dict[str, Any]


class NothingStored(RicordoError):
    """A write of which nothing was stored; the message is the tool's answer."""


async def call(caller: Caller, name: str, given: Mapping[str, Any] | None) -> str:
    """What the tool of this name answers. Raises RicordoError; NotFound for a tool that is closed to the caller."""
    tool = BY_NAME[name]
    if not caller.may(tool):
        raise NotFound(f"{'a subagent' if caller.is_subagent else 'this key'} has no access to {name}")
    arguments = checked(tool, given)
    return await _ACTS[name](await caller.memory(), caller, arguments)


async def _recall(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    most = given.get("max_tokens", DEFAULT_TOKENS)
    async with showing(memory) as shown:
        found = await memory.recall(
            given["query"],
            top_k=given.get("limit"),
            agent=await _who(memory, caller),
            wing=given.get("wing"),
            project=caller.project,
            speaker=given.get("speaker"),
            since=moment("since", given.get("since")),
            until=moment("until", given.get("until"), whole_day=True),
            max_tokens=given.get("max_tokens"),
            min_confidence=given.get("min_confidence"),
        )
        zone = await serving(memory).zone() if rendering.is_cut(found, most) else None
        text, ids = rendering.recalled(found, most, zone)
        shown.update(ids)
    if not found.results and caller.project is not None:
        text += f"\nNote: only {caller.project} and what the setting across_projects lets in was searched."
    return text


async def _search(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    kind, limit = given.get("kind"), given.get("limit", _FOUND)
    query = (given.get("query") or "").strip()
    narrowing = {name: given[name] for name in _OF_NOTES if name in given}
    if kind in ("journal", "core"):
        _require_none(narrowing, kind)
    found: list[Entry] = []
    agent, zone = await _who(memory, caller), await serving(memory).zone()
    if kind == "held":
        _require_none(narrowing, kind)
        held = await memory.review.list(limit, agent=agent) if agent else []
        fitting = [each for each in held if query.lower() in each.content.lower()]
        return rendering.held(fitting, given.get("max_tokens", DEFAULT_TOKENS), zone)
    async with showing(memory) as shown:
        if kind in (None, "note") and not caller.agent_only:
            found += await memory.notes.search(query, limit=limit, agent=agent, **narrowing)
        if agent and kind != "note" and not narrowing:
            kinds: tuple[JournalKind, ...] = (kind,) if kind else ("core", "journal")
            if query:
                found += [each.entry for each in await memory.journal.search(agent, query, kinds=kinds, limit=limit)]
            else:
                found += await memory.journal.list(agent, limit, kinds=kinds)
        text, ids = rendering.memories(found, given.get("max_tokens", DEFAULT_TOKENS), zone)
        shown.update(ids)
    return text


async def _add(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    kind = given.get("kind", "note")
    fields = {name: given[name] for name in _OF_NOTES if name in given}
    if kind != "note":
        _require_none(fields, kind)
        agent = await _agent(memory, caller)
        resource = memory.core if kind == "core" else memory.journal
        saved = await resource.save(agent.id, given["content"])
    elif caller.agent_only:
        raise InvalidInput(
            "kind", "this key is limited to an agent: use journal or core; only a user's key can save notes"
        )
    else:
        agent = await _agent(memory, caller)
        saved = await memory.notes.create(given["content"], agent=agent.id, **fields)
    match saved.status:
        case "stored":
            note = f" ({saved.reason})" if saved.reason else ""
            return f"Stored as {kind} {saved.id}{note}"
        case "duplicate":
            return f"Duplicate: already stored as {kind} {saved.id}"
        case "rejected":
            raise NothingStored(f"Rejected; nothing was stored: {saved.reason}")
        case _:
            return f"Held: the {kind} {saved.id} is not stored yet; it is in the review queue"


async def _update(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    id = _id(given["id"])
    agent = (await _agent(memory, caller)).id  # who writes is known, also where it never wrote before
    if fact := await _fact(memory, caller, id):
        zone = await serving(memory).zone()
        if " ".join(given["content"].split()) == fact.object:
            return f"Confirmed: {rendering.fact(await memory.facts.confirm(id, agent=agent), zone)}"
        corrected = await memory.facts.correct(id, object=given["content"], agent=agent)
        return f"Corrected: {rendering.fact(corrected, zone)}"
    if (held := await _held(memory, id, agent)) is not None:
        if given["content"].strip() != held.content.strip():
            raise InvalidInput("content", "differs from the held write: pass its text to accept it, or call forget")
        return f"Accepted: stored as {(await memory.review.accept(id, agent=agent)).kind} {id}"
    await _require_open(memory, caller, id)
    await memory.entries.edit(id, given["content"], agent=agent)
    return f"Changed {id}; the old text is in its history"


async def _forget(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    agent, dry_run = await _who(memory, caller), given.get("dry_run", False)
    if agent and (held := await _held(memory, given["id"], agent)) is not None:
        if not dry_run:
            await memory.review.reject(held.id, agent=agent)
        return f"{'Would reject' if dry_run else 'Rejected'}: the held {held.kind} {held.id}"
    if caller.agent_only:
        await _require_open(memory, caller, _id(given["id"]))
    if fact := await _fact(memory, caller, given["id"]):
        zone = await serving(memory).zone()
        if dry_run:
            return f"Would reject: {rendering.fact(fact, zone)}. Nothing was changed."
        return f"Rejected: {rendering.fact(await memory.facts.reject(fact.id, agent=agent), zone)}"
    await _require_within(memory, caller, given["id"])
    told = await memory.entries.forget_all([given["id"]], reason=given.get("reason"), dry_run=dry_run, agent=agent)
    what = ", ".join(f"{count} {kind}" for kind, count in told.memories.items()) or "nothing"
    if dry_run:
        return f"Would forget {given['id']} ({what}). Nothing was changed."
    removed = ", ".join(f"{count} {name}" for name, count in told.removed.items())
    return f"Forgotten: {given['id']} ({what}; removed: {removed or 'nothing'}). Backups made before may hold it."


async def _mine(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    receipt = await memory.mine(
        given["messages"],
        conversation=given["conversation_id"],
        title=given.get("title"),
        project=given.get("project") or caller.project,
        source="mcp",
        append=given.get("append", False),
        key=given.get("key"),
    )
    counted = f"{receipt.stored} stored, {receipt.duplicates} already stored, {len(receipt.rejected)} rejected"
    if receipt.edited:
        counted += f", {receipt.edited} edited"
    lines = [f"{receipt.status}: {receipt.pointer or receipt.conversation} ({counted})"]
    if receipt.reason:
        lines.append(receipt.reason)
    lines += [f"messages[{each.index}]: {each.reason}" for each in receipt.rejected]
    told = rendering.bounded("\n".join(lines), DEFAULT_TOKENS)
    if receipt.status == "rejected":
        raise NothingStored(told)
    return told


async def _show(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    await in_project(memory, caller.project).require_open(given["pointer"])
    zone = await serving(memory).zone()
    async with showing(memory) as shown:
        found = await memory.palace.show(given["pointer"], agent=await _who(memory, caller))
        text, ids = rendering.drawers(found, given.get("max_tokens", DEFAULT_TOKENS), zone)
        shown.update(ids)
    return text


async def _tree(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    wings = await in_project(memory, caller.project).tree(given.get("wing"))
    zone = await serving(memory).zone()
    return rendering.tree(wings, given.get("max_tokens", DEFAULT_TOKENS), zone, closets="wing" in given)


async def _entities(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    within = in_project(memory, caller.project)
    if "name" in given:
        as_of = moment("as_of", given.get("as_of"), whole_day=True)
        return rendering.entity(*await within.entity(given["name"], as_of), await serving(memory).zone())
    if "as_of" in given:
        raise InvalidInput("as_of", "works only with name: pass the name of an entity")
    limit = given.get("limit", _ENTITIES)
    return rendering.entities(await within.entities(given.get("kind"), given.get("search"), limit))


async def _status(memory: AsyncMemory, caller: Caller, given: Arguments) -> str:
    lines = []
    if caller.palace:
        wings, vectors = await memory.palace.tree(), await memory.vectors()
        rooms, turns = sum(len(each.rooms) for each in wings), sum(each.drawers for each in wings)
        lines.append(f"Palace: {counted(len(wings), 'wing')}, {counted(rooms, 'room')}, {counted(turns, 'turn')}")
        meaning = (
            f"{counted(vectors.embedded, 'memory')} with a vector from {vectors.model}"
            if vectors.model
            else "no vectors yet"
        )
        lines.append(f"Search by meaning: {meaning}, {vectors.pending} without a vector")
    agent = await speaker(memory, caller)
    if agent is not None:
        counts = await memory.journal.counts(agent.id)
        lines.append(f"Agent {agent.name}: {counts['core']} core, {counts['journal']} journal")
    else:
        lines.append(f"Agent {caller.agent}: nothing saved yet")
    if not (await memory.settings.get()).enabled:
        lines.append("Memory is turned off in the user's settings; recall returns nothing.")
    return "\n".join(lines)


async def _agent(memory: AsyncMemory, caller: Caller) -> Agent:
    """The agent that speaks, made where none of its name is there yet."""
    found = await speaker(memory, caller)
    if found is not None:
        return found
    if isinstance(caller.agent, UUID):
        raise NotFound(f"agent {caller.agent} not found")
    try:
        return await memory.agents.create(caller.agent)
    except InvalidInput:  # another client of the same name was faster; or the name is none, which this tells again
        return await memory.agents.get(caller.agent)


async def _who(memory: AsyncMemory, caller: Caller) -> UUID | None:
    """By whom the record says that things are read and changed: the agent that speaks, or the user where there is
    none of its name yet."""
    agent = await speaker(memory, caller)
    return agent.id if agent else None


async def _fact(memory: AsyncMemory, caller: Caller, id: UUID | str) -> Relation | None:
    """The fact of this id; None where it is the id of something else, or the key is limited to an agent. Raises
    InvalidInput for a fact from outside of the caller's project."""
    try:
        fact = UUID(str(id))
        return None if caller.agent_only or not caller.palace else await in_project(memory, caller.project).fact(fact)
    except (NotFound, ValueError):
        return None


async def _held(memory: AsyncMemory, id: UUID | str, agent: UUID) -> HeldWrite | None:
    """The write with this id, if it waits for the agent's review."""
    try:
        return await memory.review.get(_id(str(id)), agent=agent)
    except (NotFound, InvalidInput):
        return None


async def _require_open(memory: AsyncMemory, caller: Caller, id: UUID) -> None:
    """Raise NotFound for a memory that belongs to no agent, or to one that does not share it, with an agent's key."""
    if caller.agent_only and not await serving(memory).reaches(caller.agent, "memory", id):
        raise memory_not_found(id)


async def _require_within(memory: AsyncMemory, caller: Caller, id: str) -> None:
    """Raise InvalidInput if `id` is neither an id nor a pointer, or names what is outside of the caller's project."""
    try:
        UUID(id)
    except ValueError:
        if "W" not in id.upper():
            told = f"invalid id or pointer {id[:60]!r}: find ids with search_memories, and pointers with recall"
            raise InvalidInput("id", told) from None
    await in_project(memory, caller.project).require_open(id)


def _require_none(of_notes: Arguments, kind: str) -> None:
    """Raise InvalidInput for what only notes have."""
    for name in of_notes:
        raise InvalidInput(name, f"applies to notes only, not to {kind}")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput("id", f"invalid memory id {text[:60]!r}: find ids with search_memories") from None


_ACTS: Mapping[str, Callable[[AsyncMemory, Caller, Arguments], Awaitable[str]]] = {
    "recall": _recall,
    "search_memories": _search,
    "add_memory": _add,
    "update_memory": _update,
    "forget": _forget,
    "mine_conversation": _mine,
    "show": _show,
    "palace_tree": _tree,
    "entities": _entities,
    "status": _status,
}
