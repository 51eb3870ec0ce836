"""What a person decides about a fact: to confirm, correct or reject it, and to undo that.

A decision is written to the facts of all turns that state the value. They stay when turns are read again, and what is
read then does not go against them (`relations.as_decided`). They go with their turns: a forgotten turn leaves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from ricordo import ids
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.facts import entity_store, graph, graph_store, walking
from ricordo.facts.graph_store import Stated
from ricordo.facts.relations import Span, spans
from ricordo.models import Decision, EntityKind, Relation


async def get(tx: Transaction, fact: UUID) -> Relation:
    """A fact. Raises NotFound."""
    root, _ = await _span(tx, fact)
    return await walking.relation_of(tx, fact, root)


async def confirm(tx: Transaction, fact: UUID, own_names: Sequence[str]) -> Relation:
    """Confirm a fact. Raises NotFound."""
    root, span = await _span(tx, fact)
    await graph_store.decide(tx, [each.id for each in span.said], "confirmed")
    await graph.identify(tx, own_names)
    return await walking.relation_of(tx, fact, root)


async def reject(tx: Transaction, fact: UUID, own_names: Sequence[str]) -> Relation:
    """Reject a fact; returns it as it was. Raises NotFound."""
    root, span = await _span(tx, fact)
    was = await walking.relation_of(tx, fact, root)
    await graph_store.decide(tx, [each.id for each in span.said], "rejected")
    await graph.identify(tx, own_names)
    return was


async def correct(
    tx: Transaction,
    user_id: UUID,
    fact: UUID,
    value: str | None,
    kind: EntityKind | None,
    since: datetime | None,
    own_names: Sequence[str],
) -> Relation:
    """Replace the object of a fact, or since when it is true, in every turn that states it; returns what it is now.

    Raises NotFound and InvalidInput.
    """
    root, span = await _span(tx, fact)
    first = span.said[0]
    if value is None:
        value, object = first.value, (await graph_store.slugs_of(tx, [first.id]))[first.id][1]
    else:
        value, object = await graph.named_object(tx, user_id, value, kind)
    slugs = await graph_store.slugs_of(tx, [each.id for each in span.said])
    until = max((each.until or each.said_at for each in span.said if each.ended), default=None)
    if since is not None and until is not None and since > until:
        raise InvalidInput("since", f"is after the end of this fact ({until.isoformat()}): give an earlier time")
    made = [
        Stated(
            ids.new_id(), each.room, each.drawer, slugs[each.id][0], each.predicate, object, value, each.said_at,
            each.since if each.ended else since or each.since, each.until, each.ended, "manual", "confirmed", each.id,
        )
        for each in span.said
    ]  # fmt: skip
    await graph_store.decide(tx, [each.id for each in span.said], "rejected")
    await graph_store.add_facts(tx, user_id, made)
    await graph.identify(tx, own_names)
    return await walking.relation_of(tx, made[0].id, root)


async def undo(tx: Transaction, fact: UUID, own_names: Sequence[str]) -> Relation:
    """Take back the last decision about a fact, which may be a rejected one; returns what it is now. Raises NotFound,
    and InvalidInput where nobody decided about it."""
    slot = await graph_store.slot_of(tx, fact)
    if slot is None:
        raise _unknown(fact)
    root, _, _, decided_at = slot
    if decided_at is None:
        raise InvalidInput("fact", f"fact {fact} was neither confirmed, corrected nor rejected")
    corrected = await graph_store.corrected_by(tx, fact)
    touched = await graph_store.undo(tx, decided_at)
    await entity_store.sweep(tx, touched)
    await graph.identify(tx, own_names)
    return await walking.relation_of(tx, corrected or fact, root)


@dataclass(frozen=True)
class Decided:
    """What was decided about a fact on another device; a decision that is None was undone."""

    decision: Decision | None
    decided_at: datetime | None = None
    #: The fact as it was stated there, at its place here; None for one that a person entered.
    fact: Stated | None = None
    #: What it was corrected to, and what that was corrected to.
    corrections: Sequence[Stated] = ()
    #: The names of their slugs, with their kinds.
    names: Mapping[str, tuple[str, EntityKind]] = field(default_factory=dict)


async def put(tx: Transaction, user_id: UUID, ids: Sequence[UUID], decided: Decided, own_names: Sequence[str]) -> None:
    """Let this be decided about a fact, which has these ids here. One that was not found here is written: a decision
    stays when turns are read again, and what is read then does not go against it."""
    touched = await graph_store.put_decision(tx, ids, decided.decision, decided.decided_at)
    if decided.decision is not None:
        await graph.name_entities(tx, user_id, decided.names)
        if not ids and decided.fact is not None:
            ids = [graph.fact_id(decided.fact)]
            stated = replace(decided.fact, id=ids[0], decision=decided.decision, decided_at=decided.decided_at)
            await graph_store.add_facts(tx, user_id, [stated])
        if ids:
            corrects = [ids[0], *(each.id for each in decided.corrections)]
            made = [replace(each, corrects=of) for each, of in zip(decided.corrections, corrects, strict=False)]
            await graph_store.add_facts(tx, user_id, made)
    await entity_store.sweep(tx, touched)
    await graph.identify(tx, own_names)


async def _span(tx: Transaction, fact: UUID) -> tuple[int, Span]:
    """The entity that a fact is about, and all that was stated of its value. Raises NotFound."""
    slot = await graph_store.slot_of(tx, fact)
    if slot is not None:
        root, _, decision, _ = slot
        for span in spans(await graph_store.facts(tx, [root])):
            if fact in {each.id for each in span.said}:
                return root, span
        if decision == "rejected":
            raise NotFound(f"fact {fact} was rejected or corrected: run `ricordo fact undo {fact}` first")
    raise _unknown(fact)


def _unknown(fact: UUID) -> NotFound:
    return NotFound(f"fact {fact} not found: list facts with `ricordo fact list`")
