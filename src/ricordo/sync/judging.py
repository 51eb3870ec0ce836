"""What a person decided about entities, and the facts that a person entered: noticing it, and carrying it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import accounts
from ricordo.database import Transaction
from ricordo.facts import graph
from ricordo.sync import sync_store as store
from ricordo.sync.records import Current, digest, moment
from ricordo.sync.sync_store import Known


async def current_entities(tx: Transaction) -> list[Current]:
    """The decisions about each entity, for each of its names, since devices may know others."""
    rows = {each["entity"]: each for each in await store.entities(tx)}
    found = []
    for row in rows.values():
        into = rows[row["merged_into"]]["slugs"] if row["merged_into"] is not None else []
        by_hand = row["merged_by"] == "manual"
        for slug in row["slugs"]:
            others = [each for each in row["slugs"] if each not in row["by_hand"]]
            value = {
                "name": row["chosen_name"],
                "kind": row["chosen_kind"],
                "into": into if by_hand else [],
                "apart": by_hand and row["merged_into"] is None,
                "alias": row["by_hand"].get(slug),
                "of": others if slug in row["by_hand"] else [],
            }
            if any(value.values()):
                short = digest([*(value[name] for name in ("name", "kind", "apart", "alias")), value["into"][:1]])
                found.append(Current(slug, None, value, short))
    return found


async def current_facts(tx: Transaction) -> list[Current]:
    """The facts that a person entered."""
    return [Current(str(each["id"]), each["id"], each, changed_at=each["said_at"]) for each in await store.facts(tx)]


async def entity(tx: Transaction, user_id: UUID, slug: str, value: Mapping[str, Any]) -> bool:
    """Carry out a decision about an entity; False where it, or the one that it is to be, has not arrived."""
    own = await _own_names(tx, user_id)
    this = await store.entity_of(tx, [slug])
    if this is None and value["alias"] is not None:
        holder = await store.entity_of(tx, value["of"])
        if holder is None:
            return False
        await graph.add_alias(tx, user_id, holder["id"], value["alias"], own)
        this = await store.entity_of(tx, [slug])
    if this is None:
        return False
    if value["into"]:
        target = await store.entity_of(tx, value["into"])
        if target is None:
            return False
        if target["root"] != this["root"]:
            await graph.merge(tx, this["id"], target["id"], own)
    elif value["apart"] and this["merged_into"] is not None:
        await graph.unmerge(tx, this["id"], own)
    if (value["name"], value["kind"]) != (this["chosen_name"], this["chosen_kind"]) and (
        value["name"] or value["kind"]
    ):
        await graph.rename(tx, user_id, this["id"], value["name"], value["kind"], own)
    return True


async def fact(tx: Transaction, user_id: UUID, key: str, value: Mapping[str, Any]) -> bool:
    """Enter a fact that a person entered on another device."""
    if UUID(key) in {each["id"] for each in await store.facts(tx)}:
        return True
    since, until = (None if value[name] is None else moment(value[name]) for name in ("holds_since", "holds_until"))
    names = {slug: (name, kind) for slug, (name, kind) in value["names"].items()}
    entered = graph.Entered(
        UUID(key), value["subject"], value["predicate"], value["object"], value["value"], moment(value["said_at"]),
        since, until, value["ended"], names,
    )  # fmt: skip
    await graph.put(tx, user_id, entered, await _own_names(tx, user_id))
    return True


async def carry_out(tx: Transaction, user_id: UUID, known: Known) -> bool:
    """Carry out a decision; False where what it is about has not arrived."""
    assert known.value is not None
    done = entity if known.kind == "entity" else fact
    return await done(tx, user_id, known.key, known.value)


async def _own_names(tx: Transaction, user_id: UUID) -> Sequence[str]:
    user = await accounts.name_of(tx, user_id)
    account = await accounts.lock(tx, user_id, user or "")
    return [user or "", *account.names]
