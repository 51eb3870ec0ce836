"""What changed in the store since the last sync, as records for this device's log.

Nothing reports changes to sync: it compares the store with what it knows. So a change by any way of writing, SQL too,
is noticed, and a kill at any moment loses none.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from ricordo import accounts, memories
from ricordo.database import Transaction, whole_tables
from ricordo.memories import proposals, whiteboards
from ricordo.models import Profile
from ricordo.review import queue
from ricordo.sync import judging
from ricordo.sync import sync_store as store
from ricordo.sync.records import (
    DECISIONS,
    NAMELESS,
    Current,
    Names,
    Noticed,
    SyncScope,
    Wings,
    digest,
    document_key,
    identified,
    parted,
    turn_key,
    versions_of,
)
from ricordo.sync.sync_store import Known, Note

#: Turns, and memories, that are looked at in one transaction.
BATCH = 2_000
#: Fields of a profile that travel: the policies of each device stay its own, and seeds are entries by now.
PROFILE = (
    "name",
    "scope",
    "retention_seconds",
    "max_entries",
    "isolation",
    "injection_strategy",
    "injection_limit",
    "injection_scopes",
    "is_default",
)
#: What a record says of a decision about a fact that was taken back.
UNDONE = {"decision": None}
#: Columns of a memory that no edit changes.
_FIXED = ("source", "conversation_id", "project_id")


async def notice(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """Up to some thousand changes; none where the log is up to date."""
    found = await _owners(tx, scope)
    async with whole_tables(tx):
        rows = await store.new_turns(tx, BATCH)
        changed = await store.changed_memories(tx, BATCH)
    found += await _turns(tx, scope, rows)
    found += await _memories(tx, scope, changed)
    if len(found) < BATCH:
        found += await _gone(tx)
    if not found:  # what is about the others comes last
        names = await Names.load(tx)
        for kind in ("proposal", "setting"):
            found += await _others(tx, scope, kind, names)
        found += await _wings(tx, scope)
        found += await _rooms(tx, scope)
        found += await _judgements(tx, scope)
    return found


async def everything(tx: Transaction, scope: SyncScope) -> AsyncIterator[Noticed]:
    """All that this device's log holds, as it is now: what a log that is rewritten begins with. What takes no part any
    more is left out."""
    names = await Names.load(tx)
    out = await _kept_back(tx, scope, names)
    for kind in DECISIONS:
        standing = await current(tx, kind, names)
        here = {each.key for each in standing}
        taken = {each.key: each for each in await _taking_part(tx, kind, standing, scope, out)}
        for known in await store.mine(tx, kind):
            if known.state == "forgotten":
                yield Noticed(_register(kind, known.key, None, known.stamp), [])
            elif known.key in taken and known.stamp is not None:
                yield Noticed(_register(kind, known.key, taken[known.key].value, known.stamp), [])
            elif kind == "decision" and known.key not in here and known.stamp is not None and known.value is None:
                yield Noticed(_register(kind, known.key, UNDONE, known.stamp), [])
    wings = await Wings.load(tx)
    async for batch in store.my_turns(tx, BATCH):
        for each in _grouped([identified(row) for row in batch], wings, scope, None):
            yield Noticed(each.record, [])
    for kind in ("turn", "memory"):
        for known in await store.mine(tx, kind):
            if known.state == "forgotten":
                yield Noticed(_forgotten(known, known.stamp), [])
            elif known.state in ("live", "held", "redacted") and kind == "memory" and known.local is not None:
                record = await _memory_record(tx, known.key, known.local, names)
                if record is not None and (record.get("redacted") or out.isdisjoint(_owners_of(record))):
                    yield Noticed(record, [])


async def _kept_back(tx: Transaction, scope: SyncScope, names: Names) -> set[str | None]:
    """The keys of agents that take no part, and of whiteboards that only such ones share."""
    every = await accounts.agents(tx)
    out = {names.key("agent", each.id) for each in every if not scope.takes_agent(each.name)}
    if out:
        boards = await whiteboards.every(tx)
        alone = [each for each in boards if all(names.key("agent", agent) in out for agent in each.agents)]
        out |= {names.key("whiteboard", each.id) for each in alone}
    return out


async def _taking_part(
    tx: Transaction, kind: str, standing: Sequence[Current], scope: SyncScope, out: set[str | None]
) -> Sequence[Current]:
    """Those of the objects of a kind about which this device tells the others; `out` are keys that take no part."""
    match kind:
        case "agent" | "profile" | "whiteboard" | "proposal":
            return [each for each in standing if each.key not in out and each.value.get("agent") not in out]
        case "setting":
            return [each for each in standing if each.key in scope.settings]
        case "wing":
            return [each for each in standing if scope.takes_turns("", [each.key]) or not scope.wings]
        case "room":
            wings = await Wings.load(tx)
            return [
                each for each in standing if scope.takes_wing(wings.every_key(wings.found(each.value["wing"]) or 0))
            ]
        case "closets":
            return standing if scope.takes_turns("", []) else []
        case "entity" | "fact":
            return standing if scope.is_whole else []
        case "decision":
            return await judging.taking_part(tx, standing, scope)
    raise AssertionError(kind)


# Turns ---------------------------------------------------------------------------------------------------------------


async def _turns(tx: Transaction, scope: SyncScope, rows: Sequence[dict[str, Any]]) -> list[Noticed]:
    if not rows:
        return []
    rows = [identified(each) for each in rows]
    keys = {each["id"]: turn_key(each["external_id"], each["turn_key"]) for each in rows}
    known = await store.known(tx, "turn", list(keys.values()))
    back = [id for id, key in keys.items() if key in known and known[key].state in ("redacted", "forgotten")]
    # Mined here again after another device had it redacted: it is redacted here too.
    found = [Noticed(None, [_as_it_was(known[keys[id]], id)], remove=id) for id in back]
    fresh = [each for each in rows if each["id"] not in back]
    return found + _grouped(fresh, await Wings.load(tx), scope, await store.now(tx))


def _as_it_was(known: Known, local: UUID) -> Note:
    return Note(known.kind, known.key, local, known.state, known.stamp)


def _grouped(rows: Sequence[Mapping[str, Any]], wings: Wings, scope: SyncScope, now: datetime | None) -> list[Noticed]:
    """A record for the turns of each conversation that stand in one wing.

    Of what takes no part, removals are told where other devices may hold it: it took part before it was moved or lost
    its wing's name, or before this device chose what takes part. Edits of it are noted as this device's own, which its
    log holds once it takes part again."""
    found = []
    for (conversation, wing), group in groupby(rows, lambda row: (row["external_id"], row["wing"])):
        turns = list(group)
        first = turns[0]
        takes = scope.takes_turns(first["source"], wings.every_key(wing))
        sent = {each["id"]: each for each in turns if takes or (each["is_redacted"] and each["synced_as"])}
        told = {name: first[name] for name in ("title", "project", "source", "language")}
        told |= {} if takes else {"title": None, "project": None}
        record = {
            "t": "turns",
            "conversation": {"id": conversation, "forgotten": first["is_forgotten"], **told},
            "wing": {"number": wing, **(wings.told(wing) if takes else NAMELESS)},
            "turns": [_turn(each) for each in sent.values()],
        }
        notes = [
            Note(
                "turn",
                turn_key(conversation, each["turn_key"]),
                each["id"],
                ("redacted" if each["is_redacted"] else "live") if takes or each["synced_as"] else "refused",
                now,
                touched=each["updated_at"],
                mine=takes or each["synced_as"] is not None,
            )
            for each in turns
        ]
        takes_back = any(each["is_redacted"] for each in turns)
        found.append(Noticed(record if sent else None, notes, takes_back))
    return found


def _turn(row: Mapping[str, Any]) -> dict[str, Any]:
    told = {"key": row["turn_key"], "role": row["role"], "speaker": row["speaker"], "at": row["said_at"]}
    told |= {"place": [row["room"], row["drawer"]], "has_id": row["has_id"], "has_time": row["has_time"]}
    if row["is_redacted"]:
        return {**told, "redacted": True, "hash": row["text_hash"]}
    return {**told, "versions": [{"at": each.at, "text": each.text} for each in versions_of(row)]}


# Memories of other kinds ---------------------------------------------------------------------------------------------


async def _memories(
    tx: Transaction, scope: SyncScope, changed: Sequence[tuple[UUID, datetime | None, str | None]]
) -> list[Noticed]:
    found: list[Noticed] = []
    names = await Names.load(tx)
    out = await _kept_back(tx, scope, names)
    for id, updated_at, synced_as in changed:
        row = await store.memory_row(tx, id)
        assert row is not None
        key = synced_as or _key(row, names)
        takes = out.isdisjoint(names.key(kind, row[f"{kind}_id"]) for kind in ("agent", "whiteboard"))
        if not takes and synced_as is None:
            found.append(Noticed(None, [Note("memory", key, id, "refused")]))
            continue
        told = takes or row["is_redacted"]  # removals are told of what took part before
        record = await _memory_record(tx, key, id, names) if told else None
        state: store.State = "redacted" if row["is_redacted"] else "live"
        # An edit of what takes no part is this device's own as well: its log holds it once it takes part again.
        note = Note("memory", key, id, state, await store.now(tx), touched=updated_at, mine=True)
        found.append(Noticed(record, [note], row["is_redacted"]))
    for id in await store.new_held(tx):
        record = await _memory_record(tx, str(id), id, names)
        if record is not None and out.isdisjoint(_owners_of(record)):
            found.append(Noticed(record, [Note("memory", str(id), id, "held", await store.now(tx), mine=True)]))
        else:
            found.append(Noticed(None, [Note("memory", str(id), id, "refused")]))
    return found


def _owners_of(record: Mapping[str, Any]) -> set[str | None]:
    """The keys of the agent and the whiteboard that a memory belongs to."""
    return {record["agent"], record["whiteboard"]} - {None}


def _key(row: Mapping[str, Any], names: Names) -> str:
    if row["kind"] != "document" or row["metadata"] is None:
        return str(row["id"])
    place = row["metadata"]
    return document_key(names.key("agent", row["agent_id"]), row["project_id"], place["path"], place["key"])


async def _memory_record(tx: Transaction, key: str, id: UUID, names: Names) -> dict[str, Any] | None:
    """What a log says of a memory, or of a write that waits for a review."""
    row = await store.memory_row(tx, id)
    if row is None:
        return await _held_record(tx, id, names)
    entry = await memories.get(tx, id, [row["kind"]])
    record = {
        "t": "memory",
        "id": key,
        "kind": row["kind"],
        "speaker": row["speaker"],
        "agent": names.key("agent", row["agent_id"]),
        "profile": names.key("profile", row["profile_id"]),
        "whiteboard": names.key("whiteboard", row["whiteboard_id"]),
        "run": row["run_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        **{name: row[name] for name in _FIXED},
    }
    if row["is_redacted"]:
        kept = ("scope", "confidence", "importance", "retention", "expires_at")
        return {**record, "redacted": True, "fields": entry.model_dump(mode="json", include=set(kept))}
    versions = [
        {"at": each.at, "text": each.content, "fields": each.fields, "by": each.by}
        for each in await memories.editions(tx, entry)
    ]
    return {**record, "searched": row["is_searched"] or row["kind"] != "document", "versions": versions}


async def _held_record(tx: Transaction, id: UUID, names: Names) -> dict[str, Any] | None:
    waiting = await queue.waiting(tx, [id])
    if not waiting:
        return None
    held = await queue.get(tx, id)
    fields = dict(held.fields)
    owners = {kind: names.key(kind, fields.pop(f"{kind}_id", None)) for kind in ("agent", "profile", "whiteboard")}
    told = {"speaker": held.speaker, "actor": held.actor, "run": held.run_id, "fields": fields}
    return {"t": "held", "id": str(id), "kind": held.kind, "text": held.content, **told, **owners}


async def _gone(tx: Transaction) -> list[Noticed]:
    """What was forgotten, deleted, expired or rejected here."""
    found = []
    for known in [*await store.gone(tx, "memory"), *await store.gone(tx, "turn")]:
        now = await store.now(tx)
        note = Note(known.kind, known.key, known.local, "forgotten", now, mine=True)
        found.append(Noticed(_forgotten(known, now), [note], takes_back=True))
    return found


def _forgotten(known: Known, at: datetime | None) -> dict[str, Any]:
    return {"t": "forgotten", "kind": known.kind, "id": known.key, "at": at}


# Decisions: the latest one about an object counts --------------------------------------------------------------------


async def current(tx: Transaction, kind: str, names: Names) -> list[Current]:
    """Every object of a kind about which the latest decision counts, as it is here now."""
    match kind:
        case "agent":
            changed = await store.agents_changed(tx)
            return [
                Current(
                    names.key("agent", each.id) or "",
                    each.id,
                    each.model_dump(include=AGENT),
                    changed_at=max(each.created_at, changed.get(each.id, each.created_at)),
                )
                for each in await accounts.agents(tx)
            ]
        case "profile":
            profiles = [
                each for agent in await accounts.agents(tx) for each in await memories.profiles_of(tx, agent.id)
            ]
            return [Current(names.key("profile", each.id) or "", each.id, _profile(each, names)) for each in profiles]
        case "whiteboard":
            return [
                Current(
                    names.key("whiteboard", each.id) or "",
                    each.id,
                    {"name": each.name, "agents": sorted(names.key("agent", agent) or "" for agent in each.agents)},
                )
                for each in await whiteboards.every(tx)
            ]
        case "setting":
            chosen = (await accounts.user_settings(tx)).model_dump(mode="json")
            since = await store.settings_changed(tx)
            return [Current(name, None, {"value": chosen[name]}, changed_at=at) for name, at in since.items()]
        case "proposal":
            return [
                Current(str(each["id"]), each["id"], {**each, "agent": names.key("agent", each.pop("agent_id"))})
                for each in map(dict, await proposals.every(tx))
            ]
        case "wing":
            return _current_wings(await Wings.load(tx))
        case "room":
            return await _current_rooms(tx)
        case "closets":
            return await _current_closets(tx)
        case "entity":
            return await judging.current_entities(tx)
        case "fact":
            return await judging.current_facts(tx)
        case "decision":
            return await judging.current_decisions(tx)
    raise AssertionError(kind)


AGENT = {"name", "system_prompt", "memory_disabled"}


def _profile(profile: Profile, names: Names) -> dict[str, Any]:
    return {"agent": names.key("agent", profile.agent_id), **profile.model_dump(mode="json", include=set(PROFILE))}


def _register(kind: str, key: str, value: Mapping[str, Any] | None, at: datetime | None) -> dict[str, Any]:
    """A record of a decision; without a value that the object was deleted."""
    return {"t": kind, "id": key, "at": at, **({"gone": True} if value is None else {"value": value})}


def _following(record: dict[str, Any], last: Known | None) -> dict[str, Any]:
    """A record of a decision that was just made, with the time of the one that it replaces."""
    return {**record, "after": None if last is None else last.stamp}


async def _decisions(
    tx: Transaction, kind: str, standing: Iterable[Current], known: Mapping[str, Known]
) -> list[Noticed]:
    """Records of what is otherwise than it was synced last."""
    latest: dict[UUID, Known] = {}
    for row in sorted(known.values(), key=lambda row: row.stamp or _NEVER):
        if row.local is not None and row.state == "live":
            latest[row.local] = row
    found = []
    for each in standing:
        last = latest.get(each.local) if each.local is not None else known.get(each.key)
        last = last or known.get(each.key)
        told = each.digest
        if last is not None and last.state == "live" and last.digest == told:
            continue
        at = each.changed_at or await store.now(tx)
        if last is not None and last.stamp is not None and last.stamp >= at:
            # It came after: what it was changed to is older, or the other device's clock is ahead.
            at = max(await store.now(tx), last.stamp + timedelta(microseconds=1))
        note = Note(kind, each.key, each.local, "live", at, digest=told, mine=True)
        found.append(Noticed(_following(_register(kind, each.key, each.value, at), last), [note]))
    return found


_NEVER = datetime.fromisoformat("0001-01-01T00:00:00+00:00")


async def _owners(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """Agents, profiles and whiteboards: those that changed, and those that were deleted."""
    found: list[Noticed] = []
    names = await Names.load(tx)
    out = await _kept_back(tx, scope, names)
    for kind in ("agent", "profile", "whiteboard"):
        standing = await current(tx, kind, names)
        known = await store.known(tx, kind)
        taken = await _taking_part(tx, kind, standing, scope, out)
        found += await _decisions(tx, kind, taken, known)
        for gone in known.values():
            if gone.state == "live" and gone.local not in {each.local for each in standing}:
                now = await store.now(tx)
                note = Note(kind, gone.key, gone.local, "forgotten", now, mine=True)
                found.append(Noticed(_register(kind, gone.key, None, now), [note], takes_back=True))
    return found


async def _others(tx: Transaction, scope: SyncScope, kind: str, names: Names) -> list[Noticed]:
    """Decisions about objects whose deletion is told of by what they belong to, or that are never deleted."""
    standing = await current(tx, kind, names)
    taken = await _taking_part(tx, kind, standing, scope, await _kept_back(tx, scope, names))
    return await _decisions(tx, kind, taken, await store.known(tx, kind))


# The palace ----------------------------------------------------------------------------------------------------------


async def _wings(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """Names that a person chose, and merges. They are told for each key of a wing, since devices may know others."""
    known = await store.known(tx, "wing")
    wings = await Wings.load(tx)
    edited = [
        each
        for each in _current_wings(wings)
        if each.key in known or each.value["name"] is not None or each.value["into"] is not None
    ]
    return await _decisions(tx, "wing", await _taking_part(tx, "wing", edited, scope, set()), known)


def _current_wings(wings: Wings) -> list[Current]:
    found = []
    for number, row in wings.rows.items():
        into = row["merged_into"]
        value = {
            "name": row["name"] if row["edited"] and into is None else None,
            "kind": row["kind"],
            "into": None if into is None else wings.told(into),
        }
        # A wing gets further keys by itself, and none of them is an edit.
        told = digest([value["name"], None if into is None else min(wings.rows[into]["keys"], default="")])
        found += [Current(key, None, value, told) for key in wings.rows[number]["keys"]]
    return found


async def _rooms(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """Rooms that a person moved to another wing than the one that their talk led to, and closets that one changed."""
    wings = await Wings.load(tx)
    known = await store.known(tx, "room")
    found: list[Noticed] = []
    moved = []
    for each in await _current_rooms(tx):
        before = known.get(each.key)
        if before is None:  # its turns tell where it is
            found.append(Noticed(None, [Note("room", each.key, digest=each.digest)]))
            continue
        keys = wings.every_key(wings.found(each.value["wing"]) or 0)
        if before.digest not in [key_digest(key) for key in keys] and scope.takes_wing(keys):
            moved.append(each)
    turns = await store.known(tx, "turn", [each.key for each in moved])
    kept_back = [each for each in moved if each.key in turns and turns[each.key].state == "refused"]
    for each in kept_back:  # what it says takes part from now on, and tells where it is
        await store.forget_refused_in(tx, *parted(each.key))
        found.append(Noticed(None, [Note("room", each.key, digest=each.digest)]))
    back = {each.key for each in kept_back}
    found += await _decisions(tx, "room", [each for each in moved if each.key not in back], known)
    return found + await _others(tx, scope, "closets", Names())


def wing_digest(wing: Mapping[str, Any]) -> bytes:
    """What tells where a room stands, without the name."""
    return key_digest(min(wing["keys"]))


def key_digest(key: str) -> bytes:
    return digest(["wing", key])


async def _current_rooms(tx: Transaction) -> list[Current]:
    wings = await Wings.load(tx)
    # A wing whose names were all redacted has no key, and only its own device knows it.
    rooms = [each for each in await store.rooms(tx) if wings.rows[each["wing"]]["keys"]]
    return [
        Current(turn_key(each["external_id"], each["turn_key"]), None, {"wing": told}, wing_digest(told))
        for each in rooms
        for told in [wings.told(each["wing"])]
    ]


async def _current_closets(tx: Transaction) -> list[Current]:
    found = []
    for each in await store.rooms(tx):
        if each["edited"]:
            closets = [{"name": name, "turns": keys} for name, keys, _ in await store.closets(tx, each["room"])]
            found.append(Current(turn_key(each["external_id"], each["turn_key"]), None, {"closets": closets}))
    return found


async def _judgements(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """What a person said of entities and facts, and entered as facts: where the whole memory takes part, or the turn
    that states the fact does."""
    found: list[Noticed] = []
    for kind in ("entity", "fact"):
        found += await _others(tx, scope, kind, Names())
    return found + await _fact_decisions(tx, scope)


async def _fact_decisions(tx: Transaction, scope: SyncScope) -> list[Noticed]:
    """Decisions about facts, and those that were taken back. What is known of those whose turns are gone goes too."""
    standing, known = await judging.current_decisions(tx), await store.known(tx, "decision")
    undone, gone = await judging.undone(tx, known, standing)
    found = await _decisions(tx, "decision", await judging.taking_part(tx, standing, scope), known)
    await store.forget_objects(tx, "decision", gone)
    for each in undone:
        at = await store.now(tx)
        if each.stamp is not None:
            at = max(at, each.stamp + timedelta(microseconds=1))
        note = Note("decision", each.key, None, "live", at, mine=True)
        found.append(Noticed(_following(_register("decision", each.key, UNDONE, at), each), [note]))
    return found
