"""`python -m bench assistants` measures the hooks themselves, and leaves nothing behind."""

from __future__ import annotations

import asyncio

import pytest

from bench.assistants import measure
from bench.assistants_tasks import PLAIN, TASKS, TOPICS
from ricordo.settings import Settings
from stores import connect


def test_there_is_enough_to_measure() -> None:
    assert len(TASKS) >= 12
    assert len(TOPICS) >= 39
    assert len(set(PLAIN)) == 100
    texts = [text for task in TASKS for text in task]
    assert len(set(texts)) == len(texts)


@pytest.mark.slow
def test_decisions_are_told_and_little_else(with_vectors: Settings) -> None:
    told: list[str] = []
    measured = asyncio.run(measure(with_vectors, told.append, timed=3))
    assert (measured.tasks, measured.plain) == (len(TASKS), len(PLAIN))
    assert measured.within >= 0.8 * measured.tasks
    assert measured.first <= measured.within
    assert measured.injected <= 5
    assert 0 < measured.begin_tokens < 1_500
    assert measured.begin_tokens < measured.session_tokens
    assert 0 < measured.hook_p50 <= measured.hook_p95
    assert sum(each.startswith("injected for nothing") for each in told) == measured.injected
    assert sum(each.startswith("missed") for each in told) == measured.tasks - measured.within
    with connect(with_vectors) as owner:
        left = owner.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'bench_%'").fetchone()
    assert left == (0,)
    assert list((with_vectors.home / "tmp").glob("bench-*")) == []
