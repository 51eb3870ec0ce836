"""What a person decided about entities and facts, and entered as facts: noticing it, and carrying it out.

Facts are derived, and each device derives its own. A fact that turns state is named by its turn, its subject,
predicate and object, and whether it is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ricordo import accounts
from ricordo.database import Transaction
from ricordo.facts import Stated, deciding, graph, stated_at
from ricordo.review import Screen
from ricordo.sync import sync_store as store
from ricordo.sync.records import Current, SyncScope, Wings, digest, moment, parted, turn_key
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


async def current_decisions(tx: Transaction) -> list[Current]:
    """What a person decided about each fact: of the turn that states it, or one that a person entered."""
    rows = await store.decided_facts(tx)
    there = {each["id"] for each in rows}
    corrected = {each["corrects"]: each for each in reversed(rows) if each["corrects"] is not None}
    found: dict[str, Current] = {}
    for row in rows:
        if row["corrects"] in there:
            continue
        chain = [row]
        while (following := corrected.get(chain[-1]["id"])) is not None:
            chain.append(following)
        key, turn = f"{_ENTERED}:{row['id']}", None
        if row["turn_key"] is not None:
            turn = row["synced_as"] or turn_key(row["external_id"], row["turn_key"])
            key = _fact_key(turn, *(row[name] for name in ("subject", "predicate", "object", "value", "ended")))
        names = {slug: name for each in chain for slug, name in each["names"].items()}
        told = [{name: each[name] for name in _TOLD} for each in chain]
        value = {"decision": row["decision"], "decided_at": row["decided_at"], "facts": told, "names": names}
        # Of the fact itself, which devices may have found a little differently, only the decision tells.
        short = digest([row["decision"], row["decided_at"], told[1:]])
        decided_at = max(each["decided_at"] for each in chain)
        found.setdefault(key, Current(key, None, value, short, decided_at))
    return list(found.values())


async def undone(
    tx: Transaction, known: Mapping[str, Known], standing: Iterable[Current]
) -> tuple[list[Known], list[str]]:
    """Decisions that were taken back here, and the keys of those whose turns are gone."""
    here = {each.key for each in standing}
    left = [each for each in known.values() if each.key not in here and each.value is None]
    turns = await store.known(tx, "turn", [turn for each in left if (turn := turn_of(each.key))])
    gone = [each.key for each in left if (turn := turn_of(each.key)) and turn in turns and turns[turn].state != "live"]
    return [each for each in left if each.digest is not None and each.key not in gone], gone


async def taking_part(tx: Transaction, standing: Sequence[Current], scope: SyncScope) -> list[Current]:
    """The decisions about facts of turns that take part, and about those that a person entered where all turns do."""
    turns = [turn for each in standing if (turn := turn_of(each.key))]
    wings = await Wings.load(tx)
    there = await store.standing_turns(tx, turns)
    taken = {key for key, source, wing in there if scope.takes_turns(source, wings.every_key(wings.root(wing)))}
    return [each for each in standing if (scope.is_whole if (turn := turn_of(each.key)) is None else turn in taken)]


def screened(screen: Screen, kind: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A decision about a fact, or a fact that a person entered, as it may be stored here."""
    if screen.is_open or kind not in ("decision", "fact"):
        return value
    if kind == "decision":
        told = value.get("facts", [])
        facts = [screened(screen, "fact", each) for each in told]
        if told and facts[0]["value"] != told[0]["value"]:
            return {"decision": None}  # the fact itself is not stored here
        value = {**value, "facts": facts}
    else:
        text = screen.text("value", value["value"])
        value = {**value, "value": text, "object": value["object"] if text == value["value"] else None}
    names = {slug: name for slug, name in value.get("names", {}).items() if screen.text("name", name[0]) == name[0]}
    return {**value, "names": names}


async def decision(tx: Transaction, user_id: UUID, key: str, value: Mapping[str, Any]) -> bool:
    """Carry out a decision about a fact; False where its turn, or the fact that a person entered, has not arrived."""
    turn = turn_of(key)
    place: Place = (None, None, None)
    if turn is None:
        ids = [UUID(key.partition(":")[2])]
        if ids[0] not in {each["id"] for each in await store.facts(tx)}:
            return False
    else:
        conversation, number = parted(turn)
        row = (await store.turns_by_key(tx, conversation, [number])).get(number)
        if row is None:
            known = (await store.known(tx, "turn", [turn])).get(turn)
            return known is not None and known.state != "live"  # it never comes
        if row["is_redacted"]:
            return True
        place = row["room"], row["drawer"], row["said_at"]
        stated = await stated_at(tx, row["room"], row["drawer"])
        ids = [each[0] for each in stated if _fact_key(turn, *each[1:]) == key]
    await deciding.put(tx, user_id, ids, _decided(value, place), await _own_names(tx, user_id))
    return True


#: Room, drawer and time of a turn.
Place = tuple[int | None, int | None, datetime | None]
_ENTERED = "entered"
#: What a decision says of the fact, and of each correction.
_TOLD = ("id", "subject", "predicate", "object", "value", "said_at", "holds_since", "holds_until", "ended", "found_by",
         "decision", "decided_at")  # fmt: skip


def _fact_key(turn: str, subject: str, predicate: str, object: str | None, value: str, ended: bool) -> str:
    what = object if object is not None else " ".join(value.casefold().split())
    return f"{digest([subject, predicate, object is not None, what, ended]).hex()}:{turn}"


def turn_of(key: str) -> str | None:
    """The turn in such a key; None for a fact that a person entered."""
    kind, _, turn = key.partition(":")
    return None if kind == _ENTERED else turn


def _decided(value: Mapping[str, Any], place: Place) -> deciding.Decided:
    if value["decision"] is None:
        return deciding.Decided(None)
    first, *corrections = (_stated(each, place) for each in value["facts"])
    names = {slug: (name, kind) for slug, (name, kind) in value["names"].items()}
    return deciding.Decided(
        value["decision"], moment(value["decided_at"]), None if place[0] is None else first, corrections, names
    )


def _stated(told: Mapping[str, Any], place: Place) -> Stated:
    room, drawer, said_at = place
    since, until, decided_at = (
        None if told[name] is None else moment(told[name]) for name in ("holds_since", "holds_until", "decided_at")
    )
    return Stated(
        UUID(told["id"]), room, drawer, told["subject"], told["predicate"], told["object"], told["value"],
        said_at or moment(told["said_at"]), since, until, told["ended"], told["found_by"], told["decision"], None,
        decided_at,
    )  # fmt: skip


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
    carry = {"entity": entity, "fact": fact, "decision": decision}[known.kind]
    return await carry(tx, user_id, known.key, known.value)


async def _own_names(tx: Transaction, user_id: UUID) -> Sequence[str]:
    user = await accounts.name_of(tx, user_id)
    account = await accounts.lock(tx, user_id, user or "")
    return [user or "", *account.names]
