"""Callers who do the same to the same objects at once: each is done, or refused in plain words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound, RicordoError
from ricordo.settings import Settings
from stores import connect

WRITES = "__lf_memory_writes"


def _without_one_default(settings: Settings) -> list[Any]:
    with connect(settings) as owner:
        return owner.execute(
            "SELECT a.name FROM agents a LEFT JOIN profiles p ON (p.user_id, p.agent_id) = (a.user_id, a.id) "
            "AND p.is_default GROUP BY a.user_id, a.id HAVING count(p.id) <> 1"
        ).fetchall()


@dataclass
class Crowd:
    """Callers who all do one thing at the same moment."""

    memory: Memory
    size: int = 6

    def at_once(self, *works: Callable[[Memory], object]) -> tuple[list[Any], list[RicordoError]]:
        """What they were given, and what was refused."""
        barrier = threading.Barrier(len(works))

        def one(work: Callable[[Memory], object]) -> tuple[bool, Any]:
            barrier.wait()
            try:
                return True, work(self.memory)
            except RicordoError as error:
                return False, error

        with ThreadPoolExecutor(len(works)) as threads:
            ended = list(threads.map(one, works))
        return [each for good, each in ended if good], [each for good, each in ended if not good]


@pytest.fixture
def crowd(memory: Memory) -> Crowd:
    memory.agents.create("coder")
    return Crowd(memory)


def test_callers_who_move_the_default_profile_leave_one(crowd: Crowd, settings: Settings) -> None:
    profiles = [crowd.memory.profiles.create("coder", f"p{each}").id for each in range(crowd.size)]
    for _ in range(5):
        moved, refused = crowd.at_once(
            *(lambda m, id=id: m.profiles.change(id, is_default=True) for id in profiles)  # type: ignore[misc]
        )
        assert refused == [] and len(moved) == crowd.size
        assert _without_one_default(settings) == []


def test_of_callers_who_take_one_name_one_gets_it(crowd: Crowd) -> None:
    memory = crowd.memory
    agents = [memory.agents.create(f"a{each}").id for each in range(crowd.size)]
    profiles = [memory.profiles.create("coder", f"p{each}").id for each in range(crowd.size)]

    def everybody(new: str) -> list[list[Callable[[Memory], object]]]:
        return [
            [lambda m, id=id: m.agents.change(id, name=new) for id in agents],  # type: ignore[misc]
            [lambda m, id=id: m.profiles.change(id, name=new) for id in profiles],  # type: ignore[misc]
            [lambda m: m.agents.create(f"{new}-made")] * crowd.size,
            [lambda m: m.profiles.create("coder", f"{new}-made", is_default=True)] * crowd.size,
            [lambda m: m.whiteboards.create(new, ["coder"])] * crowd.size,
        ]

    for number in range(3):
        for works in everybody(f"taken-{number}"):
            given, refused = crowd.at_once(*works)
            assert len(given) == 1 and {type(each) for each in refused} == {InvalidInput}, refused
            assert {each.field for each in refused} == {"name"}  # type: ignore[attr-defined]


def test_a_run_that_is_completed_many_times_at_once_is_completed_once(crowd: Crowd) -> None:
    memory = crowd.memory
    for number in range(4):
        run = memory.runs.start("coder", "What is the figure?")
        memory.runs.output(run.id, "n", {WRITES: [{"content": f"Figure {number} of the report"}]})
        given, refused = crowd.at_once(*[lambda m: m.runs.complete(run.id)] * crowd.size)  # noqa: B023
        assert len(given) == 1 and len(given[0].written) == 1 and given[0].problems == ()
        assert all(isinstance(each, InvalidInput) and "has ended (completed)" in str(each) for each in refused), refused
        assert [each.event for each in memory.runs.events(run.id)] == ["memory_injected", "memory_committed"][
            -1 - (number > 0) :
        ]


def test_a_run_is_ended_one_way_only(crowd: Crowd) -> None:
    memory = crowd.memory
    for number in range(4):  # of each its own text, since a second completed run would only find a duplicate
        run = memory.runs.start("coder", "What is the figure?")
        memory.runs.output(run.id, "n", {WRITES: [{"content": f"never {number}"}]})
        ends: list[Callable[[Memory], object]] = [
            lambda m: m.runs.complete(run.id),  # noqa: B023
            lambda m: m.runs.fail(run.id, "a test"),  # noqa: B023
            lambda m: m.runs.cancel(run.id),  # noqa: B023
        ]
        given, refused = crowd.at_once(*ends * 2)
        [ended] = given
        assert len(refused) == 5 and all("has ended" in str(each) for each in refused), refused
        told = [each.event for each in memory.runs.events(run.id) if each.event != "memory_injected"]
        assert (
            told
            == {
                "completed": ["memory_committed"],
                "failed": ["run_failed", "memory_dropped"],
                "cancelled": ["run_cancelled", "memory_dropped"],
            }[ended.run.status]
        )
        assert memory.runs.get(run.id).status == ended.run.status


def test_a_run_that_others_ended_says_so_when_its_block_is_left(crowd: Crowd) -> None:
    memory = crowd.memory
    with pytest.raises(InvalidInput, match=r"has ended \(completed\)"), memory.run("coder", "What is it?") as run:
        run.output("n", {WRITES: [{"content": "never"}]})
        memory.runs.complete(run.id)
    assert run.written == () and "memory_dropped" not in [each.event for each in memory.runs.events(run.id)]
    assert memory.runs.get(run.id).status == "completed"


def test_writers_beside_a_deletion_are_told_that_it_is_gone(crowd: Crowd) -> None:
    memory = crowd.memory
    for number in range(4):
        name = f"gone-{number}"
        memory.agents.create(name)
        [profile] = memory.profiles.list(name)
        run = memory.runs.start(name, "What is the figure?")
        memory.runs.output(run.id, "n", {WRITES: [{"content": "Figure 1 of the report"}]})
        works: list[Callable[[Memory], object]] = [
            lambda m: m.agents.delete(name),  # noqa: B023
            lambda m: m.entries.write(profile.id, "The ferry leaves at seven."),  # noqa: B023
            lambda m: m.journal.save(name, "The ferry leaves at eight."),  # noqa: B023
            lambda m: m.profiles.create(name, "another"),  # noqa: B023
            lambda m: m.runs.complete(run.id),  # noqa: B023
            lambda m: m.runs.start(name, "And now?"),  # noqa: B023
        ]
        _, refused = crowd.at_once(*works)
        assert all(isinstance(each, NotFound) for each in refused), refused
        with pytest.raises(NotFound):
            memory.agents.get(name)
    assert memory.audit.sound().sound
