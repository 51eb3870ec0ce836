"""Giving stored memories their vectors, in batches that any number of processes share: the first ones, and those of
the embedding model that a user's vectors are being changed to.

A batch's claim, its vectors and the end of the claim are one transaction: killed anywhere, the memories wait for the
next worker, and no vector is written twice. While a hosted embedding model makes the vectors no transaction is open,
and no connection taken: the batch is held for a while instead, and one whose worker is killed waits that long. A memory
that an embedding model fails at is found by halving the batch, and waits for a while by itself; an embedding model that
fails at everything stops the worker, and its memories wait for that.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import numpy as np
from anyio import CancelScope, to_thread

from ricordo import keywords
from ricordo.database import Database, Transaction
from ricordo.embedding import EmbeddingModel, TokenModel, choose
from ricordo.errors import ModelUnavailable
from ricordo.vectors import paid, space_store, vector_store
from ricordo.vectors.signs import signs_of
from ricordo.vectors.space_store import Space, Spaces
from ricordo.vectors.vector_store import Signs, Unembedded

#: Memories and characters that one transaction claims: about a second's work, so that a kill loses little and
#: closing waits for little.
_BATCH = 128
_CHARACTERS = 60_000
#: Seconds that a batch is looked through for memories that an embedding model fails at; the rest of it is left for the
#: next.
_SEARCH = 30.0
#: Seconds that a cancelled batch waits for its thread.
_THREAD_WAIT = 10.0
#: Seconds that a batch is held while a hosted embedding model has it: longer than that may take, the search included.
_HELD = 120.0
#: What every embedding model that works has a vector for.
_PLAIN = "hello"

log = logging.getLogger("ricordo")


@dataclass(frozen=True)
class Batch:
    """What became of a batch; false where there was none to be had."""

    #: Memories that got their vector, and those that the embedding model failed at.
    made: int = 0
    failed: int = 0

    def __bool__(self) -> bool:
        return self.made + self.failed > 0


@dataclass
class _Encoded:
    """The vectors of some of the texts, by index, and why others have none."""

    vectors: dict[int, np.ndarray] = field(default_factory=dict)
    #: What the multilingual model beside it makes of each text; empty where there is none.
    signs: list[Signs] = field(default_factory=list)
    #: The packed vectors of the word pieces of those texts, None where the model gives none.
    tokens: dict[int, bytes | None] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    #: What is wrong with the embedding model itself.
    down: ModelUnavailable | None = None


async def embed_batch(database: Database, user_id: UUID, embedding_model: EmbeddingModel) -> Batch:
    """Embed one batch of the user's memories that have no vector, if their vectors are to be of this embedding model.

    Raises ModelUnavailable where the embedding model does not serve; what was made before that is kept.
    """
    if embedding_model.hosted:
        return await _elsewhere(database, user_id, embedding_model, renewal=False) or Batch()
    async with database.tenant(user_id) as tx:
        await keywords.index_waiting(tx, user_id)
        held = await space_store.hold_spaces(tx)
        claimed = await vector_store.claim_unembedded(tx, _BATCH, _CHARACTERS)
        if not claimed:
            return Batch()
        if held is None:
            held = await _first(database, tx, user_id, embedding_model.name, embedding_model.dimension)
        if held.current.name != embedding_model.name:
            return Batch()
        encoded = await _in_thread(embedding_model, claimed, held.current.dimension)
        made = await _keep(tx, user_id, held.current.model, claimed, encoded, renewal=False)
        if held.next is not None and made:
            await vector_store.await_renewal(tx, user_id, made)
    return _outcome(encoded)


async def renew_batch(database: Database, user_id: UUID, embedding_model: EmbeddingModel) -> Batch | None:
    """Give one batch of the user's memories the vectors that they are being changed to; None where no change to this
    embedding model is under way (any more). Raises as `embed_batch` does."""
    if embedding_model.hosted:
        return await _elsewhere(database, user_id, embedding_model, renewal=True)
    async with database.tenant(user_id) as tx:
        held = await space_store.hold_spaces(tx)
        if held is None or held.next is None or held.next.name != embedding_model.name:
            return None
        claimed = await vector_store.claim_renewals(tx, held.current.model, _BATCH, _CHARACTERS)
        if not claimed:
            return Batch()
        encoded = await _in_thread(embedding_model, claimed, held.next.dimension)
        await _keep(tx, user_id, held.next.model, claimed, encoded, renewal=True)
    return _outcome(encoded)


async def _elsewhere(database: Database, user_id: UUID, embedding_model: EmbeddingModel, renewal: bool) -> Batch | None:
    """Let a hosted embedding model make the vectors of one batch. None where the user's vectors are not to be of it."""
    async with database.tenant(user_id) as tx:
        if not renewal:
            await keywords.index_waiting(tx, user_id)
        spaces = await space_store.hold_spaces(tx)
        wanted = _wanted(spaces, renewal)
        if (wanted is None and (renewal or spaces)) or (wanted and wanted.name != embedding_model.name):
            return None
        if renewal and spaces:
            claimed = await vector_store.claim_renewals(tx, spaces.current.model, _BATCH, _CHARACTERS)
        else:
            claimed = await vector_store.claim_unembedded(tx, _BATCH, _CHARACTERS)
        if not claimed:
            return Batch()
        await vector_store.hold(tx, claimed, renewal, _HELD)
    encoded = _Encoded()
    try:
        async with paid.paid_embedding(database, user_id, embedding_model, [each.text for each in claimed]):
            # Who closes a memory does not wait for a server that is elsewhere.
            dimension = wanted.dimension if wanted else None
            encoded = await to_thread.run_sync(_encoded, embedding_model, claimed, dimension, abandon_on_cancel=True)
    finally:
        with CancelScope(shield=True):
            await _keep_held(database, user_id, embedding_model, claimed, encoded, renewal)
    return _outcome(encoded)


async def _keep_held(
    database: Database,
    user_id: UUID,
    embedding_model: EmbeddingModel,
    held: Sequence[Unembedded],
    encoded: _Encoded,
    renewal: bool,
) -> None:
    """Write what came of a batch that was held, as far as it still waits for that, and let go of the rest. What is not
    written goes from `encoded`."""
    async with database.tenant(user_id) as tx:
        spaces = await space_store.hold_spaces(tx)
        if spaces is None and encoded.vectors and not renewal:
            dimension = len(next(iter(encoded.vectors.values())))
            spaces = await _first(database, tx, user_id, embedding_model.name, dimension)
        wanted = _wanted(spaces, renewal)
        waiting = await vector_store.claim_held(tx, held, renewal)
        await vector_store.hold(tx, waiting, renewal, 0)
        unchanged = set(waiting)
        still = {index for index, each in enumerate(held) if each in unchanged}
        fits = wanted is not None and wanted.name == embedding_model.name
        encoded.vectors = {
            index: vector
            for index, vector in encoded.vectors.items()
            if fits and wanted and index in still and len(vector) == wanted.dimension
        }
        encoded.problems = {index: problem for index, problem in encoded.problems.items() if index in still}
        made = await _keep(tx, user_id, wanted.model if wanted else 0, held, encoded, renewal)
        if spaces and spaces.next is not None and made and not renewal:
            await vector_store.await_renewal(tx, user_id, made)


def _wanted(spaces: Spaces | None, renewal: bool) -> Space | None:
    """What vectors are to be of, as far as that is known."""
    return (spaces.next if renewal else spaces.current) if spaces else None


async def _first(database: Database, tx: Transaction, user_id: UUID, name: str, dimension: int) -> Spaces:
    """Let the user's vectors be of this embedding model, unless another worker came first; returns what they are of.
    Where the settings name it, processes whose settings name none choose it too for new users."""
    settings = database.settings
    if settings.embedding_model is not None and choose(settings).space == name:
        await space_store.set_default(tx, name, dimension)
    await space_store.first_space(tx, user_id, await space_store.model_number(tx, name, dimension))
    held = await space_store.hold_spaces(tx)
    assert held is not None
    return held


async def _keep(
    tx: Transaction, user_id: UUID, model: int, claimed: Sequence[Unembedded], encoded: _Encoded, renewal: bool
) -> list[Unembedded]:
    """Write what came of a batch; returns the memories that have their vector now."""
    made = sorted(encoded.vectors)
    if made:
        vectors = np.stack([encoded.vectors[each] for each in made])
        signs = [encoded.signs[each] if encoded.signs else None for each in made]
        tokens = [encoded.tokens[each] for each in made]
        await vector_store.add_vectors(
            tx, user_id, model, [claimed[each] for each in made], vectors, tokens, signs, renewal
        )
    for index, problem in encoded.problems.items():
        await vector_store.postpone(tx, [claimed[index]], problem, renewal, alone=True)
    if encoded.down is not None:
        waiting = [each for index, each in enumerate(claimed) if index not in encoded.vectors.keys() | encoded.problems]
        await vector_store.postpone(tx, waiting, str(encoded.down), renewal, alone=False)
    return [claimed[each] for each in made]


def _outcome(encoded: _Encoded) -> Batch:
    if encoded.down is not None:
        raise encoded.down
    return Batch(len(encoded.vectors), len(encoded.problems))


async def _in_thread(embedding_model: EmbeddingModel, claimed: list[Unembedded], dimension: int) -> _Encoded:
    """Encode in a thread. If cancelled, waits for the thread first: it cannot be stopped, and a network that still runs
    when the process ends aborts it."""
    work = asyncio.ensure_future(to_thread.run_sync(_with_signs, embedding_model, claimed, dimension))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work], timeout=_THREAD_WAIT)
        raise


def _with_signs(embedding_model: EmbeddingModel, claimed: list[Unembedded], dimension: int) -> _Encoded:
    """The vectors of what the memories say, and their signs, which are made beside them."""
    signs: Callable[[], list[Signs]] = partial(signs_of, embedding_model, [each.content for each in claimed])
    with ThreadPoolExecutor(1, "ricordo-signs") as beside:
        with suppress(RuntimeError):  # the interpreter is ending, and starts no thread any more
            signs = partial(beside.submit(signs).result, None)
        encoded = _encoded(embedding_model, claimed, dimension)
        encoded.signs = signs()
    return encoded


def _encoded(embedding_model: EmbeddingModel, claimed: Sequence[Unembedded], dimension: int | None) -> _Encoded:
    """The vectors of the texts, as far as the embedding model has some; None where it is the first to say how long they
    are."""
    encoded = _Encoded()
    try:
        _add(encoded, range(len(claimed)), *_checked(embedding_model, claimed, dimension))
    except ModelUnavailable as error:
        if error.at_texts:
            _search(embedding_model, claimed, dimension, encoded)
        else:
            encoded.down = error
    return encoded


def _add(encoded: _Encoded, indexes: Sequence[int], vectors: np.ndarray, tokens: Sequence[bytes | None]) -> None:
    encoded.vectors |= dict(zip(indexes, vectors, strict=True))
    encoded.tokens |= dict(zip(indexes, tokens, strict=True))


def _search(
    embedding_model: EmbeddingModel, claimed: Sequence[Unembedded], dimension: int | None, encoded: _Encoded
) -> None:
    """Find the texts that an embedding model fails at, by halving; they failed together. It stops when the embedding
    model does not serve, or after a while."""
    try:
        _checked(embedding_model, [Unembedded(0, 0, _PLAIN, 0, _PLAIN)], dimension)
    except ModelUnavailable as error:
        encoded.down = error
        return
    deadline = time.monotonic() + _SEARCH
    parts = [range(len(claimed))]  # each has failed, or is a half of one that has
    while parts and time.monotonic() < deadline:
        part = parts.pop()
        try:
            made = _checked(embedding_model, [claimed[index] for index in part], dimension)
        except ModelUnavailable as error:
            if not error.at_texts:
                encoded.down = error
                return
            if len(part) == 1:
                encoded.problems[part[0]] = str(error)
            else:
                parts += [part[len(part) // 2 :], part[: len(part) // 2]]
        else:
            _add(encoded, part, *made)


def _checked(
    embedding_model: EmbeddingModel, claimed: Sequence[Unembedded], dimension: int | None
) -> tuple[np.ndarray, list[bytes | None]]:
    """The texts' vectors, and those of their word pieces where the model gives any. Raises ModelUnavailable, also where
    they are not what the store expects of this embedding model."""
    texts = [each.text for each in claimed]
    try:
        if isinstance(embedding_model, TokenModel):
            vectors, tokens = embedding_model.encode_with_tokens(texts, [each.own for each in claimed])
        else:
            vectors, tokens = embedding_model.encode(texts), [None] * len(texts)
    except ModelUnavailable:
        raise
    except Exception as error:  # the edge of a worker: what a model's libraries raise at one text must not stop others
        log.exception("%s failed at %d texts", embedding_model.name, len(texts))
        raise ModelUnavailable(
            f"{embedding_model.name} failed ({type(error).__name__}: {error})", at_texts=True
        ) from error
    if vectors.shape != (len(texts), dimension or vectors.shape[-1]):
        raise ModelUnavailable(
            f"{embedding_model.name} computed vectors with {vectors.shape[-1]} dimensions, "
            f"but its stored vectors have {dimension}: "
            "it is a different model with the same name; rename it",
            at_texts=True,
        )
    if not np.isfinite(vectors).all():
        raise ModelUnavailable(f"{embedding_model.name} computed vectors that are not finite", at_texts=True)
    return vectors, tokens
