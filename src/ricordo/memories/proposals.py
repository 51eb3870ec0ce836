"""Consolidation: journal entries that recur or stay relevant are proposed for core. Nothing changes until a proposal
is accepted, and what that did can be undone.

An entry recurs where another one of the journal, faded or not, says nearly the same: by its search terms or, where
both have vectors, by these. It stays relevant where searches found it again and again and its week is nearly over;
that it stood in prompts says nothing, since every entry of the week does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from itertools import combinations
from uuid import UUID

import numpy as np

from ricordo import accounts, rules
from ricordo.audit import Actor, log
from ricordo.blas import one_thread
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.ids import new_id
from ricordo.memories import journal_store, loose_store, memory, proposal_store, writing
from ricordo.memories.journal import save
from ricordo.memories.loose_store import Chosen, count, select
from ricordo.memories.proposal_store import every as every
from ricordo.memories.proposal_store import put as put
from ricordo.models import JOURNAL_WEEK, Agent, Entry, EventType, JournalKind, Proposal
from ricordo.review import queue
from ricordo.text import terms

#: Who reads and writes in the log.
JOB = Actor("job:consolidation")
#: The newest journal entries that are looked at.
_LOOK = 500
#: What is told of a decision.
_DECIDED: Mapping[str, EventType] = {
    "accepted": "proposal_accepted",
    "rejected": "proposal_rejected",
    "undone": "proposal_undone",
}
#: Two entries say nearly the same from this share of common terms (Jaccard), or this cosine, on: measured with
#: MiniLM, paraphrases of one sentence have .81 to .91 and sentences that differ in their object .76 and less.
_COMMON, _COSINE = 0.7, 0.8
#: From this share of common terms on, core says it already, or it was proposed before.
_SAME = 0.8
#: How often searches must have found an entry, and how much of its week is left then.
_SEARCHES, _LAST_DAYS = 3, timedelta(days=2)


@dataclass(frozen=True)
class _Candidate:
    newest: Entry
    entries: Sequence[Entry]
    reason: str


async def propose(tx: Transaction, user_id: UUID, agent: Agent) -> list[Proposal]:
    """Propose what recurs in an agent's journal or stays relevant; returns the new proposals.

    What was proposed before, whatever was decided, is not proposed again, and neither is what core says already.
    """
    await journal_store.lock_agent(tx, agent.id)
    earlier = await proposal_store.of_agent(tx, agent.id, None)
    # What tools said is no candidate: it would become what the agent is.
    entries = [each for each in await select(tx, _of(agent, "journal"), "newest", _LOOK) if each.source != "tool"]
    core = await select(tx, _of(agent, "core"), "newest", None)
    # Not by memories.read, which would make this transaction's writes wait for no disk.
    await log(tx, user_id, JOB, "read", [each.id for each in (*entries, *core)], {"consolidation": True})
    known = [_terms(text) for text in [*(each.content for each in core), *(each.content for each in earlier)]]
    used = {id for each in earlier for id in each.memory_ids}
    repeats = await proposal_store.repeats(tx, [each.id for each in entries])
    found = _recurring(entries, await _near(tx, entries), repeats)
    taken = {each.id for candidate in found for each in candidate.entries}
    found += await _relevant(tx, [each for each in entries if each.id not in taken])
    made = []
    for each in found:
        own = _terms(each.newest.content)
        if any(entry.id in used for entry in each.entries) or any(_overlap(own, other) >= _SAME for other in known):
            continue
        id = new_id()
        ids = [entry.id for entry in each.entries]
        if len(await loose_store.hold(tx, ids)) < len(ids):  # forgotten since they were read
            continue
        await proposal_store.insert(tx, user_id, id, agent.id, ids, each.newest.content, each.reason)
        made.append(id)
        known.append(own)
    if made:
        await accounts.tell(tx, user_id, "proposals_made", {"proposals": len(made)}, agent=agent.id)
    return [each for each in await proposal_store.of_agent(tx, agent.id, "proposed") if each.id in made]


async def listed(tx: Transaction, agent: Agent, status: str | None) -> list[Proposal]:
    """An agent's proposals, newest first. Raises InvalidInput for an unknown status."""
    allowed = ("proposed", "accepted", "rejected", "undone")
    return await proposal_store.of_agent(
        tx, agent.id, None if status is None else rules.one_of("status", status, allowed)
    )


async def accept(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> Proposal:
    """Make the core memory that is proposed; the journal entries stay as they are. Raises NotFound and InvalidInput."""
    proposal = await _locked(tx, id, "proposed")
    if proposal.content == memory.REDACTED:
        raise InvalidInput("id", f"the entry of proposal {id} was redacted or forgotten: reject the proposal")
    owner = await accounts.agent(tx, proposal.agent_id)
    core = await save(tx, user_id, owner, "core", proposal.content, actor)
    if core.status == "rejected":
        raise writing.refusal(core)
    made = None if core.status == "duplicate" else core.id  # undoing takes back only what accepting made
    return await _decided(tx, user_id, await proposal_store.decide(tx, id, "accepted", made))


async def reject(tx: Transaction, user_id: UUID, id: UUID) -> Proposal:
    """Decide against a proposal; it is not made again. Raises NotFound and InvalidInput."""
    await _locked(tx, id, "proposed")
    return await _decided(tx, user_id, await proposal_store.decide(tx, id, "rejected"))


async def undo(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> Proposal:
    """Remove the core memory that accepting made, if it is still there, so that all is as before. Raises NotFound and
    InvalidInput."""
    proposal = await _locked(tx, id, "accepted")
    decided = await proposal_store.decide(tx, id, "undone")
    if proposal.core_id is None:
        return await _decided(tx, user_id, decided)
    if proposal.core_id in await queue.waiting(tx, [proposal.core_id]):
        await queue.reject(tx, user_id, proposal.core_id)
    if await count(tx, Chosen(["core"], ids=[proposal.core_id], live=False)):
        await memory.forget(tx, user_id, proposal.core_id, f"proposal {id} was undone", actor)
    return await _decided(tx, user_id, decided)


async def _decided(tx: Transaction, user_id: UUID, proposal: Proposal) -> Proposal:
    """Tell what was decided; returns the proposal."""
    told = {"proposal_id": str(proposal.id)}
    event = _DECIDED[proposal.status]
    await accounts.tell(tx, user_id, event, told, "user_action", agent=proposal.agent_id)
    return proposal


async def _locked(tx: Transaction, id: UUID, status: str) -> Proposal:
    """A proposal that has this status, locked."""
    found = await proposal_store.lock(tx, id)
    if found is None:
        raise NotFound(f"proposal {id} not found: list proposals with `ricordo proposal list AGENT`")
    if found.status != status:
        raise InvalidInput("id", f"proposal {id} is {found.status}: this decision requires the status {status}")
    return found


def _of(agent: Agent, kind: JournalKind) -> Chosen:
    return Chosen([kind], agents=[agent.id])


def _recurring(entries: Sequence[Entry], near: np.ndarray, repeats: Mapping[UUID, int]) -> list[_Candidate]:
    """The newest entry of each group that is near to it, or that was written again; no entry is in two groups."""
    found = []
    free = np.ones(len(entries), bool)
    for index in range(len(entries)):
        group = np.flatnonzero(near[index] & free).tolist()
        members = [entries[each] for each in group]
        times = len(members) + sum(repeats.get(each.id, 0) for each in members)
        if free[index] and times > 1:
            free[group] = False
            since = members[-1].created_at.astimezone(UTC)
            found.append(_Candidate(members[0], members, f"written {times} times since {since:%Y-%m-%d}"))
    return found


async def _relevant(tx: Transaction, entries: Sequence[Entry]) -> list[_Candidate]:
    """Entries whose week is nearly over and that searches found again and again."""
    now = await journal_store.now(tx)
    ending = [each for each in entries if timedelta() <= each.created_at + JOURNAL_WEEK - now <= _LAST_DAYS]
    searches = await proposal_store.searches(tx, [each.id for each in ending])
    return [
        _Candidate(each, [each], f"found by {times} searches in its week, which is about to end")
        for each in ending
        if (times := searches.get(each.id, 0)) >= _SEARCHES
    ]


async def _near(tx: Transaction, entries: Sequence[Entry]) -> np.ndarray:
    """Whether each two entries say nearly the same; each is near to itself."""
    near = np.eye(len(entries), dtype=bool)
    own = [_terms(each.content) for each in entries]
    for one, other in combinations(range(len(entries)), 2):
        near[one, other] = near[other, one] = _overlap(own[one], own[other]) >= _COMMON
    index = {each.id: number for number, each in enumerate(entries)}
    stored = await proposal_store.vectors(tx, list(index))
    for model in {each[0] for each in stored}:
        at = np.array([index[id] for embedding_model, id, _ in stored if embedding_model == model])
        vectors = np.array([vector for embedding_model, _, vector in stored if embedding_model == model])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with one_thread:
            near[np.ix_(at, at)] |= vectors @ vectors.T >= _COSINE
    return near


def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text, "en")) or frozenset([text])


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's share of common terms."""
    return len(one & other) / len(one | other)
