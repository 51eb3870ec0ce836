"""Memory profiles and their entries: creation with seeds, retention, isolation, reading and the summary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, counted, quoted
from ricordo.ids import new_id
from ricordo.memories import loose_store, memory, note_store, profile_store, writing
from ricordo.memories.loose_store import Chosen
from ricordo.models import Agent, Entry, Handling, Isolation, Profile, ReviewPolicy, Scope, Strategy, WriteReceipt
from ricordo.review import Screen, queue, screen_for, screen_of

#: The profile that every agent starts with.
DEFAULT_NAME = "default"
#: The most seed entries of a profile.
_SEEDS = 100
#: Entries that one transaction of the sweep removes at most.
_BATCH = 1_000


async def create_agent(tx: Transaction, user_id: UUID, name: object, system_prompt: str | None) -> Agent:
    """A new agent with its default profile. Raises InvalidInput."""
    id, screen = new_id(), await screen_for(tx)
    prompt = None if system_prompt is None else _prompt(screen, system_prompt)
    await accounts.add_agent(tx, user_id, id, screen.name("name", rules.name("name", name)), prompt)
    agent = await accounts.agent(tx, id)
    await create_profile(tx, user_id, agent, DEFAULT_NAME, {"is_default": True}, Actor())
    await accounts.tell(tx, user_id, "agent_created", {}, "user_action", agent=id)
    return agent


async def change_agent(
    tx: Transaction,
    user_id: UUID,
    who: UUID | str,
    name: object,
    system_prompt: str | None,
    memory_disabled: bool | None,
) -> Agent:
    """Change what is given of an agent. Raises NotFound and InvalidInput."""
    agent = await accounts.agent(tx, who)
    screen = await screen_for(tx)
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = screen.name("name", rules.name("name", name))
    if system_prompt is not None:
        changes["system_prompt"] = _prompt(screen, system_prompt)
    if memory_disabled is not None:
        changes["memory_disabled"] = memory_disabled
    changed = agent.model_copy(update=changes)
    await accounts.change_agent(tx, changed)
    told = {"fields": sorted(changes)}
    await accounts.tell(tx, user_id, "agent_changed", told, "user_action", agent=agent.id)
    return changed


async def delete_agent(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> None:
    """Remove an agent with everything that is its own; one `forget` in the log names its memories. Raises NotFound."""
    await accounts.agent(tx, id, lock=True)
    chosen = Chosen(["entry", "journal", "core", "document"], agents=[id], live=False)
    await _forget_all(tx, user_id, chosen, actor, "its agent was deleted")
    await accounts.remove_agent(tx, id)
    await accounts.tell(tx, user_id, "agent_deleted", {}, "user_action", agent=id)


async def create_profile(
    tx: Transaction, user_id: UUID, agent: Agent, name: object, fields: Mapping[str, Any], actor: Actor
) -> Profile:
    """A new profile of an agent, with its seed entries written. `fields` are those of ricordo.models.Profile.

    A profile that is made the default takes that from the one that had it. Raises InvalidInput.
    """
    checked = _checked(fields)
    screen = screen_of(checked, await screen_for(tx))
    seeds = [
        {**each, "content": screen.text("seed_entries", each["content"])} for each in checked.pop("seed_entries", [])
    ]
    default = bool(checked.pop("is_default", False))
    first = not await profile_store.of_agent(tx, agent.id)
    called = screen.name("name", rules.name("name", name))
    row = {"id": new_id(), "agent_id": agent.id, "name": called, "is_default": first, **checked}
    if not await profile_store.insert(tx, user_id, {**row, "seed_entries": seeds}):
        raise InvalidInput("name", f"agent {agent.name!r} already has a profile {row['name']!r}: choose another name")
    profile = await get_profile(tx, row["id"])
    if default and not first:
        await profile_store.make_default(tx, profile)
        profile = await get_profile(tx, profile.id)
    for seed in seeds:
        writing.id_of(await write_entry(tx, user_id, agent, profile, seed["content"], seed, actor))
    return profile


async def get_profile(tx: Transaction, id: UUID, reader: Agent | None = None, lock: bool = False) -> Profile:
    """A profile, with `lock` kept from changing until the transaction ends. Raises NotFound where it isn't the user's,
    or is private and not the reader's."""
    found = await profile_store.find(tx, id, lock)
    if found is None or not _open_to(reader, found):
        raise _not_found(id)
    return found


async def get_profile_and_agent(tx: Transaction, id: UUID, reader: Agent | None) -> tuple[Profile, Agent]:
    """A profile and the agent that it belongs to. Raises NotFound as `get_profile` does."""
    found = await profile_store.find_with_agent(tx, id)
    if found is None or not _open_to(reader, found[0]):
        raise _not_found(id)
    return found


async def default_profile(tx: Transaction, agent: Agent) -> Profile:
    """An agent's default profile, which the database makes sure of."""
    return (await profile_store.of_agent(tx, agent.id))[0]


async def change_profile(tx: Transaction, user_id: UUID, id: UUID, changes: Mapping[str, Any], actor: Actor) -> Profile:
    """Change a profile's fields. A cap that is lowered takes effect at once, and what is past the retention is removed
    before another one is set, so that it does not come back. Raises NotFound and InvalidInput."""
    profile = await get_profile(tx, id, lock=True)
    checked = _checked(changes)
    if "seed_entries" in checked:
        raise InvalidInput("seed_entries", "cannot be changed after the profile was created")
    if "name" in changes:
        screen = screen_of(profile, await screen_for(tx))
        checked["name"] = screen.name("name", rules.name("name", changes["name"]))
    if "is_default" in checked:
        if not checked.pop("is_default"):
            raise InvalidInput(
                "is_default", "an agent needs a default profile: make another profile the default instead"
            )
        await profile_store.make_default(tx, profile)
    if checked.get("retention_seconds", profile.retention_seconds) != profile.retention_seconds:
        await _remove_past(tx, user_id, id, None, actor)
    if checked and not await profile_store.update(tx, id, checked):
        raise InvalidInput("name", f"the agent already has a profile {checked['name']!r}: choose another name")
    if checked.get("max_entries") is not None:
        await writing.expire_beyond(tx, user_id, id, checked["max_entries"], actor)
    return await get_profile(tx, id)


async def sweep(begin: Callable[[], AbstractAsyncContextManager[Transaction]], user_id: UUID) -> int:
    """Remove entries that are past the retention of their profile, with all that is derived from them, logged as
    `expire`, in as many transactions as it takes; returns how many went."""
    removed, more = 0, True
    while more:
        async with begin() as tx:
            swept = await _remove_past(tx, user_id, None, _BATCH, Actor("job:sweep"))
        removed, more = removed + swept, swept == _BATCH
    return removed


async def _remove_past(tx: Transaction, user_id: UUID, profile: UUID | None, most: int | None, actor: Actor) -> int:
    """Remove entries of a profile, or of all, that are past its retention; returns how many."""
    past = await profile_store.claim_past(tx, profile, most)
    if past:
        await log(tx, user_id, actor, "expire", [id for id, _ in past], {"retention": True})
        await note_store.remove(tx, past)
    return len(past)


async def delete_profile(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> None:
    """Remove a profile with its entries, which one `forget` in the log names. Raises NotFound, and InvalidInput for the
    default one."""
    profile = await get_profile(tx, id, lock=True)
    if profile.is_default:
        raise InvalidInput(
            "id", f"profile {profile.name!r} is the agent's default: make another profile the default first"
        )
    await _forget_all(tx, user_id, Chosen(["entry"], profiles=[id], live=False), actor, "its profile was deleted")
    await queue.drop_of(tx, "profile_id", id)
    await profile_store.delete(tx, id)


async def write_entry(
    tx: Transaction,
    user_id: UUID,
    agent: Agent,
    profile: Profile,
    content: str,
    fields: Mapping[str, Any],
    actor: Actor,
) -> WriteReceipt:
    """Write an entry into a profile.

    `fields`: scope (the profile's by default), source, confidence, expires_at, conversation_id, metadata.
    Raises InvalidInput, naming the field.
    """
    scope = rules.scope(fields.get("scope") or profile.scope)
    conversation = fields.get("conversation_id")
    if (scope == "conversation") != (conversation is not None):
        raise InvalidInput(
            "conversation", "is required with the scope 'conversation', and not allowed with other scopes"
        )
    given: dict[str, Any] = {
        "agent_id": agent.id,
        "profile_id": profile.id,
        "scope": scope,
        "source": rules.source(fields.get("source") or "agent"),
        "confidence": rules.confidence(0.5 if fields.get("confidence") is None else fields["confidence"]),
        "conversation_id": None if conversation is None else rules.name("conversation", conversation, 500),
    }
    if fields.get("expires_at") is not None:
        given["expires_at"] = rules.future("expires_at", fields["expires_at"])
    if fields.get("metadata") is not None:
        given["metadata"] = rules.metadata(fields["metadata"])
    return await writing.write(tx, user_id, "entry", content, agent.name, given, actor)


async def read_entries(
    tx: Transaction,
    user_id: UUID,
    id: UUID,
    reader: Agent | None,
    scope: str | None,
    conversation: str | None,
    limit: int,
    actor: Actor,
) -> list[Entry]:
    """A profile's live entries, the surest first, then the newest (seed 000). Of a private profile of an agent that
    opened its global entries to the reader, these. Raises NotFound and InvalidInput."""
    profile = await get_profile(tx, id)
    if not _open_to(reader, profile) and not (reader and await accounts.is_granted(tx, profile.agent_id, reader.id)):
        raise _not_found(id)
    chosen = Chosen(
        ["entry"],
        reader=reader.id if reader else None,
        profiles=[profile.id],
        scopes=None if scope is None else [rules.scope(scope)],
        conversation=conversation,
    )
    context = {"profile_id": str(profile.id), "scope": scope}
    return await memory.read(tx, user_id, chosen, "confidence", rules.limit(limit), actor, context)


async def summarize(
    tx: Transaction, id: UUID, reader: Agent | None = None
) -> dict[str, int | list[str] | datetime | None]:
    """`{count, scopes, last_written_at}` of a profile's live entries (seed 000). Raises NotFound."""
    await get_profile(tx, id, reader)
    count, scopes, last = await profile_store.summary(tx, id)
    return {"count": count, "scopes": scopes, "last_written_at": last}


def _prompt(screen: Screen, text: str) -> str:
    """An agent's system prompt as it may be kept. Raises InvalidInput."""
    return screen.text("system_prompt", rules.text("system_prompt", text))


def _open_to(reader: Agent | None, profile: Profile) -> bool:
    """Whether an agent, or the user where there is none, may read and write a profile."""
    return reader is None or profile.isolation == "shared" or profile.agent_id == reader.id


async def _forget_all(tx: Transaction, user_id: UUID, chosen: Chosen, actor: Actor, reason: str) -> None:
    """Remove what is derived from memories that are about to go with their owner, and log that they go."""
    going = await loose_store.select(tx, chosen, "oldest", None)
    for entry in going:
        await loose_store.erase_traces(tx, entry.id)
    if going:
        await log(tx, user_id, actor, "forget", [each.id for each in going], {"reason": reason})


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a profile but its name, each checked. Raises InvalidInput."""
    checked: dict[str, Any] = {}
    for field, value in fields.items():
        match field:
            case "scope":
                checked[field] = rules.scope(value)
            case "isolation":
                checked[field] = rules.one_of(field, value, get_args(Isolation))
            case "injection_strategy":
                checked[field] = rules.one_of(field, value, get_args(Strategy))
            case "injection_scopes":
                checked[field] = [rules.one_of(field, each, get_args(Scope)) for each in _sequence(field, value)]
            case "retention_seconds" | "max_entries":
                checked[field] = None if value is None else _whole(field, value, 1)
            case "injection_limit":
                checked[field] = _whole(field, value, 0, 1000)
            case "seed_entries":
                checked[field] = _seeds(value)
            case "secrets" | "personal_data":
                checked[field] = None if value is None else rules.one_of(field, value, get_args(Handling))
            case "review":
                checked[field] = None if value is None else rules.one_of(field, value, get_args(ReviewPolicy))
            case "is_default":
                checked[field] = bool(value)
            case "name":
                pass
            case _:
                raise InvalidInput(field, "unknown field of a memory profile")
    return checked


def _seeds(value: object) -> list[dict[str, Any]]:
    """Seed entries as mappings; a bare text is one with the defaults."""
    seeds = []
    for each in _sequence("seed_entries", value):
        seed: Mapping[str, Any] = {"content": each} if isinstance(each, str) else each
        if not isinstance(seed, Mapping) or set(seed) - {"content", "scope", "source", "confidence"}:
            raise InvalidInput(
                "seed_entries", "must contain texts or objects with content, scope, source and confidence"
            )
        seeds.append({"source": "manual", **seed, "content": rules.text("content", seed.get("content"), rules.LONGEST)})
    if len(seeds) > _SEEDS:
        raise InvalidInput("seed_entries", f"has {counted(len(seeds), 'entry')}; the maximum is {_SEEDS}")
    return seeds


def _sequence(field: str, value: object) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(field, f"must be a list, not {type(value).__name__}")
    return value


def _whole(field: str, value: object, least: int, most: int = 2**31 - 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(field, f"must be a whole number from {least} to {most:,}, not {quoted(value)}")
    return value


def _not_found(id: UUID) -> NotFound:
    return NotFound(f"memory profile {id} not found: list profiles with `ricordo memory list-profiles --agent AGENT`")
