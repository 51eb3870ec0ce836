"""Requests that are done once, however often they are sent: a key of the client's, what it came with, and the answer.

A request claims its key before it begins. The transaction that does what it asks for notes so in the claim, so that
after a crash it is known whether it was done. Then its answer is kept, for a day, or until a memory is redacted or
forgotten, whose text might stand in it.
"""

from __future__ import annotations

import hashlib
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID

from ricordo.database import Transaction
from ricordo.idempotency import claim_store as store
from ricordo.review import find

#: How long a key is known, and after what time a claim that nothing came of is taken over: its process is dead.
KEPT, LEASE = timedelta(days=1), timedelta(minutes=5)

#: The claim of the request that is being done.
_claim: ContextVar[bytes | None] = ContextVar("claim", default=None)


@dataclass(frozen=True)
class KeptAnswer:
    """What was answered."""

    status: int
    headers: dict[str, str]
    #: None where it is nobody's to keep.
    body: bytes | None


@dataclass(frozen=True)
class Claimed:
    """What a key stands for: `new` is this request's to do; `busy` is being done; `other` came with something else;
    `done` was done, and `answer` is what was answered, as far as that is still kept."""

    state: Literal["new", "busy", "other", "done"]
    answer: KeptAnswer | None = None


async def claim(tx: Transaction, user_id: UUID, key: str, fingerprint: bytes) -> Claimed:
    """Claim a key for a request with this fingerprint; where it is new, `begin_effect` follows the transaction."""
    id = _id(key)
    await store.forget_old(tx, KEPT)
    if await store.insert(tx, user_id, id, fingerprint):
        return Claimed("new")
    found = await store.lock(tx, id)
    if found is None or found.fingerprint != fingerprint:
        return Claimed("other")
    if found.done:
        answer = None if found.body is None else KeptAnswer(found.status or 200, found.headers or {}, found.body)
        return Claimed("done", answer)
    if not await store.take_over(tx, id, LEASE):
        return Claimed("busy")
    return Claimed("new")


def begin_effect(key: str) -> None:
    """What follows in this context is the effect of the request that claimed this key."""
    _claim.set(_id(key))


async def note_done(tx: Transaction) -> None:
    """Note in the claim, if there is one, that what it stands for is done once this transaction commits."""
    id = _claim.get()
    if id is not None:
        await store.note_done(tx, id)


async def keep_answer(tx: Transaction, user_id: UUID, key: str, answer: KeptAnswer) -> None:
    """Keep what was answered, unless it holds what a policy of the user's keeps out of the store, or may hold what was
    redacted or forgotten meanwhile."""
    body = answer.body
    if body is not None and not await store.keeps_everything(tx) and find(body.decode(errors="replace")):
        body = None
    await store.keep(tx, user_id, _id(key), answer.status, answer.headers, body)
    _claim.set(None)


async def release(tx: Transaction, key: str) -> None:
    """Give a claim back of which nothing came."""
    await store.release(tx, _id(key))
    _claim.set(None)


def _id(key: str) -> bytes:
    return hashlib.sha256(key.encode(errors="replace")).digest()
