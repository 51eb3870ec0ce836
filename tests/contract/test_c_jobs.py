"""C2's queue: what mining leaves is queued with it, done in the background once, tried again, and told when dead."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn
from uuid import UUID

import pytest
from psycopg import errors

from commands import Command, command, environment, in_process
from forking import Program
from ricordo import jobs
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.database import Database
from ricordo.database.migrations import Migration, migrations
from ricordo.errors import InvalidInput, NotFound, StoreIncompatible, StoreUnavailable
from ricordo.jobs import Abilities, Task, Work
from ricordo.jobs.worker import Worker
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY, LISBON

SECRET = "the fridge code is 4711"


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return in_process(replace(settings, user="ada"), monkeypatch, capsys)


@pytest.fixture
def still(settings: Settings) -> Iterator[Memory]:
    """A memory of `ada` without a background."""
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        yield memory


async def _no_embedding_model(_: UUID) -> None:
    return None


def with_tasks(
    settings: Settings, tasks: dict[str, Task], do: Callable[[Worker, Database, UUID], Awaitable[Any]]
) -> Any:
    """What `do` comes to with a worker of the user's own that knows just these tasks."""

    async def work() -> Any:
        async with AsyncMemory(settings=settings, background=False) as memory:
            await memory.settings.update(top_k=6)  # so that there is such a user
            async with Database(settings) as database, database.tenant(memory.user_id) as tx:
                await tx.execute("DELETE FROM procrastinate_jobs")
            async with Database(settings) as database:
                return await do(Worker(database, tasks, _no_embedding_model, memory.user_id), database, memory.user_id)

    return asyncio.run(work())


async def queued(database: Database, user_id: UUID, task: str, **options: Any) -> int:
    async with database.tenant(user_id) as tx:
        return await jobs.enqueue(tx, task, **options)


def waits(memory: Memory) -> list[str]:
    return [each.kind for each in memory.jobs.list("waiting") if each.due_at is None]


# --- queued durably, in the transaction that makes it necessary ---


def test_c2_what_mining_leaves_is_queued_with_it(still: Memory, settings: Settings) -> None:
    still.mine(BATTERY, conversation="talk")
    still.mine(LISBON, conversation="other")
    assert sorted(waits(still)) == ["consolidate", "embed", "upkeep"]
    still.jobs.finish()
    assert waits(still) == []
    still.mine(BATTERY, conversation="talk")  # nothing is new
    assert waits(still) == []


def test_c2_a_job_is_there_if_and_only_if_its_transaction_commits(settings: Settings) -> None:
    async def do(worker: Worker, database: Database, user_id: UUID) -> tuple[int, int]:
        with pytest.raises(ZeroDivisionError):
            async with database.tenant(user_id) as tx:
                await jobs.enqueue(tx, "task")
                raise ZeroDivisionError
        async with database.tenant(user_id) as tx:
            before = len(await jobs.listed(tx, None, 10))
        await queued(database, user_id, "task")
        async with database.tenant(user_id) as tx:
            return before, len(await jobs.listed(tx, None, 10))

    assert with_tasks(settings, {}, do) == (0, 1)


def test_c2_one_job_waits_for_the_same_thing_and_comes_no_later(settings: Settings) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)

    async def do(worker: Worker, database: Database, user_id: UUID) -> list[int]:
        return [
            await queued(database, user_id, "task", args={"number": 1}),
            await queued(database, user_id, "task", args={"number": 1}),
            await queued(database, user_id, "task", args={"number": 2}),
            await queued(database, user_id, "later", at=tomorrow),
            await queued(database, user_id, "later"),
            await queued(database, user_id, "later", at=tomorrow),
        ]

    first, again, second, later, now, after = with_tasks(settings, {}, do)
    assert first == again and len({first, second, later, now}) == 4
    assert after in (later, now)


@pytest.mark.parametrize("content", ["some text", 1.5, None, ["list"]])
def test_c2_arguments_are_ids_and_never_content(settings: Settings, content: Any) -> None:
    async def do(worker: Worker, database: Database, user_id: UUID) -> None:
        with pytest.raises(ValueError, match="hexadecimal"):
            await queued(database, user_id, "task", args={"text": content})

    with_tasks(settings, {}, do)


def test_c2_a_user_sees_and_runs_their_own_jobs_alone(still: Memory, settings: Settings) -> None:
    still.mine(BATTERY, conversation="talk")
    [mine] = [each for each in still.jobs.list() if each.kind == "embed"]
    with Memory(settings=replace(settings, user="bob"), background=False) as other:
        assert other.jobs.list() == []
        with pytest.raises(NotFound):
            other.jobs.get(mine.id)
        with pytest.raises(NotFound):
            other.jobs.retry(mine.id)
        assert other.jobs.finish() == 0
        other.mine(LISBON, conversation="talk")
        assert len(other.jobs.list()) == 3
    assert len(still.jobs.list()) == 3
    with connect(settings, "ricordo_app") as app:
        for table in ("procrastinate_jobs", "procrastinate_events", "job_outcomes"):
            assert app.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
        app.execute(f"SET ricordo.user_id = '{user_id_of(still.user)}'")
        assert app.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (3,)
        with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
            app.execute("INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES (gen_random_uuid(), 'embed')")


# --- done in the background ---


def test_c2_an_open_memory_does_its_users_work_by_itself(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(BATTERY, conversation="talk")
        assert memory.pending() == len(BATTERY)
    with Memory(settings=with_vectors) as memory:
        assert within(15, lambda: not waits(memory) and memory.pending() == 0)


def test_c2_finishing_says_how_far_it_is(still: Memory) -> None:
    still.mine(BATTERY, conversation="talk")
    seen: list[tuple[int, int]] = []
    assert still.jobs.finish(lambda done, total: seen.append((done, total))) == 3
    assert seen[0] == (0, 3) and seen[-1] == (3, 3)
    assert still.jobs.finish() == 0


def test_c2_mine_waits_for_the_background_where_it_is_told_to(run: Command, settings: Settings, tmp_path: Any) -> None:
    (tmp_path / "talk.md").write_text("User: Which battery?\n\nAssistant: The big one.\n")
    assert run("mine", tmp_path, "--wait", "--json").json["stored"] == 2
    assert [each["kind"] for each in run("jobs", "list", "--json").json] == ["upkeep", "consolidate"]


def test_c2_upkeep_queues_itself_anew_once(still: Memory, settings: Settings) -> None:
    still.mine(BATTERY, conversation="talk")
    for _ in range(3):
        still.jobs.finish()
        with connect(settings) as owner:
            owner.execute("UPDATE procrastinate_jobs SET scheduled_at = now()")
    assert sorted(each.kind for each in still.jobs.list()) == ["consolidate", "upkeep"]


def test_b7_c2_the_background_proposes_for_core_and_tells(still: Memory, settings: Settings) -> None:
    agent = still.agents.create("coder")
    still.agents.create("silent")
    for _ in range(2):
        still.journal.save("coder", "The user prefers small commits with tests")
    still.jobs.finish()
    [proposal] = still.proposals.list("coder")
    [event] = still.activity.list(["proposals_made"])
    assert (event.agent_id, event.payload) == (agent.id, {"proposals": 1})
    assert still.audit.of_memory(proposal.memory_ids[0])[-1].actor == "job:consolidation"
    with connect(settings) as owner:
        owner.execute("UPDATE procrastinate_jobs SET scheduled_at = now()")
    still.jobs.finish()
    assert still.proposals.list("coder") == [proposal]
    assert len(still.activity.list(["proposals_made"])) == 1


# --- one effect, tried again, dead ---


def test_c2_what_is_done_once_is_not_done_again_when_a_later_step_fails(settings: Settings) -> None:
    tries, effects = [], []

    async def task(work: Work) -> None:
        tries.append(work.id)
        async with work.once() as tx:
            if tx:
                effects.append(work.id)
        if len(tries) < 3:
            raise ZeroDivisionError

    async def do(worker: Worker, database: Database, user_id: UUID) -> None:
        await queued(database, user_id, "task")
        for _ in range(3):
            await worker.drain()
            async with database.tenant(user_id) as tx:
                await tx.execute("UPDATE procrastinate_jobs SET scheduled_at = now()")

    with_tasks(settings, {"task": task}, do)
    assert (len(tries), len(effects)) == (3, 1)


def test_c2_an_effect_that_is_rolled_back_is_done_by_the_next_try(settings: Settings) -> None:
    effects = []

    async def task(work: Work) -> None:
        async with work.once() as tx:
            assert tx is not None
            if not effects:
                effects.append("rolled back")
                raise ZeroDivisionError
            effects.append("done")

    async def do(worker: Worker, database: Database, user_id: UUID) -> None:
        await queued(database, user_id, "task")
        await worker.drain()
        async with database.tenant(user_id) as tx:
            await tx.execute("UPDATE procrastinate_jobs SET scheduled_at = now()")
        await worker.drain()

    with_tasks(settings, {"task": task}, do)
    assert effects == ["rolled back", "done"]


def test_c2_a_job_that_fails_is_tried_later_and_later_and_then_is_dead(
    settings: Settings, run: Command, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(work: Work) -> NoReturn:
        raise StoreUnavailable("no answer") if len(pauses) % 2 else ValueError(SECRET)

    pauses: list[float] = []

    async def do(worker: Worker, database: Database, user_id: UUID) -> None:
        job = await queued(database, user_id, "task", args={"number": 7})
        while True:
            await worker.drain()
            async with database.tenant(user_id) as tx:
                found = await jobs.find(tx, job)
                assert found is not None
                assert (found.failures, found.attempts) == (len(pauses) + 1, len(pauses) + 1)
                if found.state == "dead":
                    return
                assert found.due_at is not None and found.failed_at is not None
                pauses.append((found.due_at - found.failed_at).total_seconds())
                await tx.execute("UPDATE procrastinate_jobs SET scheduled_at = now()")

    settings = replace(settings, user="ada")
    with_tasks(settings, {"task": fail}, do)
    assert pauses == pytest.approx([5, 20, 80, 320, 1280, 3600, 3600], abs=1)
    assert SECRET not in "".join(record.getMessage() for record in caplog.records)
    [dead] = run("jobs", "list", "--state", "dead", "--json").json
    assert (dead["kind"], dead["args"], dead["error"]) == ("task", {"number": 7}, "StoreUnavailable: no answer")
    assert "failed 8×: StoreUnavailable: no answer" in run("jobs", "list").out
    assert run("jobs", "show", str(dead["id"]), "--json").json == dead
    assert run("jobs", "retry", str(dead["id"]), "--json").json == {"retried": 1}
    [again] = run("jobs", "list", "--json").json
    assert (again["state"], again["failures"], again["attempts"], again["due_at"]) == ("waiting", 0, 0, None)
    refused = run("jobs", "retry", str(dead["id"]))
    assert (refused.code, "only dead jobs can be retried" in refused.err) == (2, True)
    assert run("jobs", "retry", "--all", "--json").json == {"retried": 0}
    assert run("jobs", "retry").code == 2
    assert run("jobs", "show", "999999").code == 3
    with connect(settings) as owner:
        kept = owner.execute("SELECT string_agg(t::text, ' ') FROM job_outcomes t").fetchone()
    assert kept is not None and SECRET not in kept[0]


def test_c2_a_job_whose_user_is_deleted_while_it_runs_has_no_effect(settings: Settings) -> None:
    effects: list[object] = []

    async def task(work: Work) -> None:
        async with AsyncMemory(settings=settings, background=False) as memory:
            await memory.delete_user()
        async with work.once() as tx:
            effects.append(tx)

    async def do(worker: Worker, database: Database, user_id: UUID) -> None:
        await queued(database, user_id, "task")
        await worker.drain()

    with_tasks(settings, {"task": task}, do)
    assert effects == [None]


# --- the worker of all users ---


@contextmanager
def working(settings: Settings, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`ricordo worker` as a program."""
    variables = environment(settings) | {"RICORDO_WORKER_HEARTBEAT": "0.5"}
    process = Program(
        command("worker", *options), env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold in this time."""
    patience = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > patience:
            return False
        time.sleep(0.05)
    return True


def test_c2_e7_one_worker_does_the_work_of_all_users_and_stops_when_asked(with_vectors: Settings) -> None:
    with working(with_vectors) as process:
        assert process.stderr is not None and "The worker is running" in process.stderr.readline()
        for name in ("ada", "bob"):
            with Memory(settings=replace(with_vectors, user=name), background=False) as memory:
                memory.mine(BATTERY, conversation="talk")
                assert within(20, lambda memory=memory: memory.pending() == 0 and not waits(memory))  # type: ignore[misc]
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (0, "6 jobs done\n", "")


def test_c2_work_can_be_done_once_and_for_all_users(settings: Settings, run: Command) -> None:
    for name in ("ada", "bob"):
        with Memory(settings=replace(settings, user=name), background=False) as memory:
            memory.mine(BATTERY, conversation="talk")
    assert run("worker", "--once").out == "6 jobs done\n"
    assert run("worker", "--once").out == "0 jobs done\n"


def test_c2_a_dead_workers_jobs_are_taken_up(still: Memory, settings: Settings) -> None:
    still.mine(BATTERY, conversation="talk")
    with connect(settings) as owner:
        owner.execute("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute')")
        owner.execute(
            "UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM procrastinate_workers)"
        )
    assert [each.state for each in still.jobs.list()] == ["running"] * 3
    assert still.jobs.finish() == 3


# --- the queue's schema ---


def test_the_schema_of_the_queue_is_the_one_that_the_migration_names() -> None:
    [of_jobs] = [each for each in migrations() if each.name == "tables"]
    assert "CREATE TABLE procrastinate_jobs" in of_jobs.whole
    for package in ("procrastinate/sql/queries.sql", "procrastinate/sql/nothing.sql", "nothing/schema.sql"):
        with pytest.raises(StoreIncompatible, match="install the version"):
            _ = Migration(1, "other", f"-- include {package} sha256={'0' * 64}\n").whole


def test_a_worker_refuses_another_release_of_the_queue(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ricordo.jobs.worker.version", lambda _: "3.11.0")
    with pytest.raises(StoreIncompatible, match=r"3\.11\.0"):
        Worker(Database(settings), {}, _no_embedding_model)


def test_a_state_that_is_none_is_named(still: Memory) -> None:
    with pytest.raises(InvalidInput, match="waiting"):
        still.jobs.list("done")  # type: ignore[arg-type]


def test_a_job_is_given_only_to_a_worker_whose_process_can_do_it(settings: Settings) -> None:
    done: list[str] = []

    async def note(work: Work) -> None:
        done.append(str(work.args["name"]))

    async def do(_: Worker, database: Database, user_id: UUID) -> None:
        for number, task in enumerate(["extract", "embed", "upkeep"]):
            await queued(database, user_id, task, args={"name": number})

        def worker(**able: tuple[str, ...]) -> Worker:
            tasks = dict.fromkeys(["extract", "embed", "upkeep"], note)
            return Worker(database, tasks, _no_embedding_model, user_id, abilities=lambda: Abilities(**able))

        async def unfinished(**able: tuple[str, ...]) -> int:
            async with database.tenant(user_id) as tx:
                return await jobs.unfinished(tx, able.get("lacking", ()), able.get("models", ()))

        async with database.tenant(user_id) as tx:
            await tx.execute("SELECT register_model('far', 3)")
            await tx.execute("INSERT INTO user_models SELECT %s, model FROM models WHERE name = 'far'", [user_id])
        assert await worker(lacking=("extract",), models=("near",)).drain() == 1 and done == ["2"]
        assert await unfinished(lacking=("extract",), models=("near",)) == 0
        assert await unfinished(models=("far",)) == 2
        assert await worker(models=("near",)).drain() == 1 and done == ["2", "0"]
        assert await worker(lacking=("extract",), models=("near", "far")).drain() == 1 and done == ["2", "0", "1"]

    with_tasks(settings, {}, do)


def test_the_worker_of_all_users_leaves_vectors_to_who_has_the_users_model(settings: Settings) -> None:
    async def work() -> None:
        done: list[UUID] = []

        async def note(work: Work) -> None:
            done.append(work.user_id)

        async with AsyncMemory(settings=replace(settings, user="ada"), background=False) as memory:
            bob = memory.of("bob")
            for each, name in ((memory, "near"), (bob, "far")):
                await each.mine([{"role": "user", "content": "Zora sails."}], conversation="talk")
                async with memory._database.tenant(each.user_id) as tx:
                    await tx.execute("SELECT register_model(%s, 3)", [name])
                    await tx.execute("INSERT INTO user_models SELECT %s, max(model) FROM models", [each.user_id])
            tasks = {"embed": note, **dict.fromkeys(["upkeep", "consolidate", "extract"], _nothing)}
            able = Abilities(models=("near",))
            await Worker(memory._database, tasks, _no_embedding_model, abilities=lambda: able).drain()
            assert done == [memory.user_id]
            assert [each.kind for each in await bob.jobs.list() if each.due_at is None] == ["embed"]

    asyncio.run(work())


async def _nothing(_: Work) -> None:
    pass
