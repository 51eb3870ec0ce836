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
        assert len(project.topics) + len(project.talks) >= 26
        assert len(set(project.plain)) in (50, 100)
        texts = [text for task in project.tasks for text in (task.asked, task.decided, task.prompt)]
        assert len(set(texts)) == len(texts)


@pytest.mark.slow
def test_decisions_are_told_and_little_else(with_vectors: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    for name in list(PROJECTS)[1:]:  # one is enough to see that it measures
        monkeypatch.delitem(PROJECTS, name)
    measured = asyncio.run(measure(with_vectors, told.append, timed=3))
    [(name, added)] = measured.projects.items()
    assert (added.tasks, added.plain) == (len(PROJECTS[name].tasks), len(PROJECTS[name].plain))
    assert added.first <= added.within <= added.in_session
    assert added.within >= 0.9 * added.tasks
    assert added.injected_in_session <= added.injected <= 5
    assert 0 < added.begin_tokens < added.session_tokens < 2_400
    assert added.most_tokens <= 400
    assert 0 < measured.hook_p50 <= measured.hook_p95
    assert sum(each.startswith("injected for nothing") for each in told) == added.injected
    assert sum(each.startswith("missed") for each in told) == added.tasks - added.within
    with connect(with_vectors) as owner:
        left = owner.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'bench_%'").fetchone()
    assert left == (0,)
    assert list((with_vectors.home / "tmp").glob("bench-*")) == []
