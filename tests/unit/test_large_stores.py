"""Recall from stores that are large: by an index of vectors, and by the words that tell most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from bench import filling
from bench.filling import Filler
from ricordo import embedding, vectors
from ricordo.accounts import Corpus, user_id_of
from ricordo.client import AsyncMemory
from ricordo.database import owner
from ricordo.recall import lexical, store
from ricordo.recall.question import parse
from ricordo.recall.store import ROOM, Postings
from ricordo.settings import Settings
from ricordo.text.terms import term_hash
from ricordo.vectors import near_index
from stores import connect

pytestmark = pytest.mark.anyio
CORPUS = Corpus(memories=100_000, terms=1_000_000, languages=("en",), pending=0)


@pytest.fixture
def filler(with_vectors: Settings, monkeypatch: pytest.MonkeyPatch) -> Filler:
    for name, small in (("_TEXTS", 40), ("_RARE_WORDS", 500)):
        monkeypatch.setattr(filling, name, small)
    return Filler(embedding.load(with_vectors))


async def _filled(settings: Settings, filler: Filler, users: dict[str, int]) -> None:
    async with AsyncMemory(settings=settings, background=False):
        pass  # makes the schema
    async with owner(settings) as connection:
        await filling.go_to(connection, settings.schema)
        for user, memories in users.items():
            await filler.fill(connection, user, memories)


def _indexes(settings: Settings) -> list[str]:
    with connect(settings) as connection:
        rows = connection.execute("SELECT indexname FROM pg_indexes WHERE indexname LIKE 'embeddings_near%'").fetchall()
    return [row[0] for row in rows]


async def test_a_large_users_vectors_get_an_index_that_finds_the_same(
    with_vectors: Settings, filler: Filler, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _filled(with_vectors, filler, {"large": 500, "small": 50})
    asked = ["What about " + " ".join(each.content.split()[:7]) for each in filler._texts[:6]]

    async def answers(settings: Settings) -> list[Sequence[object]]:
        async with AsyncMemory(settings=replace(settings, user="large"), background=False) as memory:
            return [[hit.id for hit in await memory.recall(each, top_k=5)] for each in asked]

    exact = await answers(with_vectors)
    assert all(exact)
    for module in (near_index, vectors):
        monkeypatch.setattr(module, "LARGE", 400)
    async with AsyncMemory(settings=with_vectors, background=False) as memory:
        for user, large in (("small", False), ("large", True), ("large", True)):
            assert await vectors.tend_near_index(memory._database, user_id_of(user)) is large
    name = near_index.store.name(user_id_of("large"), 1)
    assert _indexes(with_vectors) == [name]
    assert await answers(with_vectors) == exact
    # What was broken off is made anew, and what nothing goes by any more is removed.
    with connect(with_vectors) as connection:
        connection.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [name])
        connection.execute(f"CREATE INDEX {name}0 ON embeddings (user_id)")
    async with AsyncMemory(settings=with_vectors, background=False) as memory:
        assert await vectors.tend_near_index(memory._database, user_id_of("large"))
        with connect(with_vectors) as connection:
            valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass"
            assert connection.execute(valid, [name]).fetchone() == (True,)
        assert _indexes(with_vectors) == [name]
    async with AsyncMemory(settings=replace(with_vectors, user="large"), background=False) as memory:
        await memory.delete_user()
    assert _indexes(with_vectors) == []


async def test_a_very_common_word_is_looked_for_among_the_newest(
    with_vectors: Settings, filler: Filler, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _filled(with_vectors, filler, {"large": 500})
    mara = term_hash("mara")
    async with AsyncMemory(settings=replace(with_vectors, user="large"), background=False) as memory:
        async with memory._database.tenant(memory.user_id) as tx:
            everywhere = (await store.postings(tx, [mara], store.Narrowing()))[mara]
            assert len(everywhere.places) == 240 and everywhere.common is None
            monkeypatch.setattr(store, "_MOST", 60)
            newest = await store.postings(tx, [mara, term_hash("absent")], store.Narrowing())
        assert list(newest) == [mara]
        assert newest[mara].places.tolist() == everywhere.places[-60:].tolist()
        assert 200 <= (newest[mara].common or 0) <= 300
        assert (await memory.recall("Mara?")).results  # with nothing else to go by


def _postings(places: np.ndarray, common: int | None = None) -> Postings:
    return Postings(places, np.ones(len(places), np.int32), np.full(len(places), 10, np.int32), common)


def test_a_common_word_beside_others_only_weighs() -> None:
    asked = parse("boat Mara", ("en",), date(2026, 7, 15))
    boat, mara = _postings(np.array([ROOM + 5])), _postings(np.arange(ROOM + 1, ROOM + 9), common=50_000)
    matched = lexical.lexical(asked, {term_hash("boat"): boat, term_hash("mara"): mara}, CORPUS)
    assert matched is not None
    assert matched.places.tolist() == [ROOM + 4, ROOM + 5, ROOM + 6]
    alone = lexical.lexical(asked, {term_hash("mara"): mara}, CORPUS)
    assert alone is not None and ROOM + 8 in alone.places.tolist()


def test_of_many_places_the_promising_are_those_that_score_best() -> None:
    source = np.random.default_rng(3)
    asked = parse("boat harbour glacier", ("en",), date(2026, 7, 15))
    found = {
        term_hash(word): _postings(np.sort(source.choice(60_000, count, replace=False)) + ROOM)
        for word, count in (("boat", 9_000), ("harbour", 4_000), ("glacier", 700))
    }
    every = lexical.lexical(asked, found, CORPUS)
    assert every is not None
    scores = every.keyword + every.neighbors
    best, whole = lexical.best(asked, found, CORPUS, 100)
    assert whole is None and len(best) == 100
    least = np.sort(scores)[-100]
    assert set(every.places[scores > least].tolist()) <= set(best.tolist())
    again = lexical.lexical(asked, found, CORPUS, np.sort(best))
    assert again is not None
    for name, one, other in zip(("keyword", "neighbors"), again.of(best), every.of(best), strict=True):
        assert np.allclose(one, other), name
