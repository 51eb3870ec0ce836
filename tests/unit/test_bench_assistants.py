"""`python -m bench assistants` measures the hooks themselves, and leaves nothing behind."""

from __future__ import annotations

import asyncio

import pytest

from bench.assistants import PROJECTS, measure
from ricordo.settings import Settings
from stores import connect


def test_there_is_enough_to_measure() -> None:
    for project in PROJECTS.values():
        assert len(project.tasks) >= 12
        assert len(project.topics) >= 39
        assert len(set(project.plain)) == 100
        texts = [text for task in project.tasks for text in (task.asked, task.decided, task.prompt)]
        assert len(set(texts)) == len(texts)


@pytest.mark.slow
def test_decisions_are_told_and_little_else(with_vectors: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    for name in list(PROJECTS)[2:]:  # two are enough to see that it measures
        monkeypatch.delitem(PROJECTS, name)
    measured = asyncio.run(measure(with_vectors, told.append, timed=3))
    added = [measured.projects[name] for name in PROJECTS]
    for each, project in zip(added, PROJECTS.values(), strict=True):
        assert (each.tasks, each.plain) == (len(project.tasks), len(project.plain))
        assert each.first <= each.within
        assert each.injected <= 8
        assert 0 < each.begin_tokens < 2_000
        assert each.at_start >= 0.9 * each.tasks
        assert each.begin_tokens < each.session_tokens
        assert each.most_tokens <= 400
    assert added[0].within >= 0.95 * added[0].tasks
    assert sum(each.within for each in added) >= 0.9 * sum(each.tasks for each in added)
    assert sum(each.injected for each in added) <= 0.06 * sum(each.plain for each in added)
    assert 0 < measured.hook_p50 <= measured.hook_p95
    assert sum(each.startswith("injected for nothing") for each in told) == sum(each.injected for each in added)
    assert sum(each.startswith("missed") for each in told) == sum(each.tasks - each.within for each in added)
    with connect(with_vectors) as owner:
        left = owner.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'bench_%'").fetchone()
    assert left == (0,)
    assert list((with_vectors.home / "tmp").glob("bench-*")) == []
