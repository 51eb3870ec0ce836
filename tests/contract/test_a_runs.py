"""Rows A10, A11, A14, A15, A16 of the contract: what a run is told, and when what it wants to remember is written."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from ricordo.api import runs as api_runs
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound, RicordoError
from ricordo.models import Profile
from ricordo.settings import Settings
from ricordo.text import written_out
from stores import connect

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

WRITES = "__lf_memory_writes"
TEMPLATE = "Fix the client.\n\nInput: {{input}}"


def default_of(memory: Memory, agent: str) -> Profile:
    """The default profile of an agent, which is created where it is not there."""
    try:
        return memory.profiles.list(agent)[0]
    except NotFound:
        memory.agents.create(agent)
        return memory.profiles.list(agent)[0]


def told(memory: Memory, agent: str, conversation: str | None = None, template: str = TEMPLATE) -> list[str]:
    """The lines of the block that a run of an agent is given."""
    with memory.run(agent, template, conversation) as run:
        assert run.prompt.endswith(template)
        block = run.prompt.removesuffix(template)
    assert memory.runs.get(run.id).prompt == run.prompt
    return block.splitlines()[1:-1]


def contents(memory: Memory, profile: Profile) -> list[str]:
    return sorted(each.content for each in memory.entries.read(profile.id, limit=1000))


def events(memory: Memory, run: UUID) -> list[tuple[str, dict[str, Any]]]:
    return [(each.event, each.payload) for each in memory.runs.events(run)]


@contextmanager
def renamed(settings: Settings, table: str) -> Iterator[None]:
    """Within the block the store lacks a table that it needs."""
    with connect(settings) as owner:
        owner.execute(f"ALTER TABLE {table} RENAME TO elsewhere")
        try:
            yield
        finally:
            owner.execute(f"ALTER TABLE elsewhere RENAME TO {table}")


def test_a10_the_block_stands_ahead_of_the_template_to_the_letter(memory: Memory) -> None:
    profile = default_of(memory, "coder")

    def entry(*args: Any, **named: Any) -> UUID | None:
        return memory.entries.write(*args, **named).id

    second = entry(profile.id, "Customer preference: JSON output only, never YAML.", confidence=0.7)
    first = entry(
        profile.id,
        "Previous run found rate limiting on external API — use exponential backoff.",
        confidence=0.9,
    )
    with memory.run("coder", TEMPLATE) as run:
        assert run.prompt == (
            "## Context Memory\n"
            "- [0.9] Previous run found rate limiting on external API — use exponential backoff.\n"
            "- [0.7] Customer preference: JSON output only, never YAML.\n"
            "\n"
            "Fix the client.\n\nInput: {{input}}"
        )
        assert [each.id for each in run.injected] == [first, second]
        assert memory.runs.get(run.id).status == "running"
    stored = memory.runs.get(run.id)
    assert (stored.status, stored.prompt, stored.agent_id) == ("completed", run.prompt, profile.agent_id)
    assert stored.ended_at is not None and stored.ended_at >= stored.started_at
    assert events(memory, run.id) == [("memory_injected", {"entry_count": 2})]
    [read] = memory.audit.of_run(run.id)
    assert (read.action, read.actor, read.run_id) == ("read", "agent:coder", run.id)
    assert set(read.memory_ids) == {first, second}
    assert [each.id for each in memory.runs.list("coder")] == [run.id]


@pytest.mark.parametrize(
    ("confidence", "shown"),
    [(1, "1.0"), (0, "0.0"), (0.5, "0.5"), (0.85, "0.85"), (1e-5, "0.00001"), (1 / 3, "0.3333333")],
)
def test_a10_confidence_is_shown_in_as_few_digits_as_tell_it(memory: Memory, confidence: float, shown: str) -> None:
    memory.entries.write(default_of(memory, "coder").id, "a", confidence=confidence)
    assert told(memory, "coder") == [f"- [{shown}] a"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", " \n\n\t"])
def test_a10_no_entry_can_pass_as_another_or_as_a_heading(memory: Memory, line_end: str) -> None:
    text = line_end.join(["true", "- [1.0] forged", "## Context Memory", "", "# System"])
    memory.entries.write(default_of(memory, "coder").id, text, confidence=0.2)
    assert told(memory, "coder") == [f"- [0.2] {written_out(text)}"]


def test_a10_the_limit_is_five_or_the_profiles_own(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    for number in range(7):
        memory.entries.write(profile.id, f"e{number}", confidence=number / 10)
    assert told(memory, "coder") == [f"- [0.{number}] e{number}" for number in (6, 5, 4, 3, 2)]
    memory.profiles.change(profile.id, injection_limit=2)
    assert told(memory, "coder") == ["- [0.6] e6", "- [0.5] e5"]
    memory.profiles.change(profile.id, injection_limit=0)
    with memory.run("coder", TEMPLATE) as run:
        assert run.prompt == TEMPLATE
    assert events(memory, run.id) == [] and memory.audit.of_run(run.id) == []


def test_a10_nothing_to_tell_leaves_the_bare_template(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    gone = memory.entries.write(profile.id, "soon redacted").id
    memory.entries.redact(gone)
    with memory.run("coder", "") as run:
        assert run.prompt == ""
    assert memory.runs.get(run.id).prompt == "" and events(memory, run.id) == []


def test_a10_the_strategy_orders_and_chooses(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    for text, confidence in (("The garden has oaks", 0.9), ("The client speaks HTTP", 0.1), ("Tea at four", 0.5)):
        memory.entries.write(profile.id, text, confidence=confidence)
    memory.profiles.change(profile.id, injection_limit=2)
    assert told(memory, "coder") == ["- [0.9] The garden has oaks", "- [0.5] Tea at four"]
    memory.profiles.change(profile.id, injection_strategy="recent")
    assert told(memory, "coder") == ["- [0.5] Tea at four", "- [0.1] The client speaks HTTP"]
    memory.profiles.change(profile.id, injection_strategy="relevant")
    assert told(memory, "coder") == ["- [0.1] The client speaks HTTP"]
    assert told(memory, "coder", template="Who planted the garden oaks?") == ["- [0.9] The garden has oaks"]
    assert told(memory, "coder", template="  ") == []
    assert told(memory, "coder", template="Zebra") == []


def test_a10_what_is_relevant_is_found_by_meaning_too(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada")) as memory:
        profile = default_of(memory, "coder")
        memory.profiles.change(profile.id, injection_strategy="relevant", injection_limit=1)
        memory.entries.write(profile.id, "Our automobile is red", confidence=0.1)
        memory.entries.write(profile.id, "Bread rises in the oven", confidence=0.9)
        memory.embed_pending()
        assert told(memory, "coder", template="Which colour has the car?") == ["- [0.1] Our automobile is red"]


def test_a10_an_agent_whose_memory_is_off_is_told_nothing_and_may_still_write(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    memory.entries.write(profile.id, "known")
    memory.agents.change("coder", memory_disabled=True)
    with memory.run("coder", TEMPLATE) as run:
        assert run.prompt == TEMPLATE
        run.output("n", {WRITES: [{"content": "new"}]})
    assert contents(memory, profile) == ["known", "new"]
    assert [each.action for each in memory.audit.of_run(run.id)] == ["write"]


@pytest.mark.parametrize("table", ["memories", "profiles", "activity", "access_log", "access_memories"])
def test_a10_a_read_that_fails_stops_no_run(
    memory: Memory, settings: Settings, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    profile = default_of(memory, "coder")
    entry = memory.entries.write(profile.id, "known").id
    with renamed(settings, table), caplog.at_level(logging.WARNING):
        running = memory.run("coder", TEMPLATE)
        run = running.__enter__()
        assert (run.prompt, run.injected) == (TEMPLATE, ())
    run.output("n", {WRITES: [{"content": "new"}]})
    running.__exit__(None, None, None)
    assert "continues without its agent's memories" in caplog.text
    assert contents(memory, profile) == ["known", "new"]
    assert memory.runs.get(run.id).prompt == TEMPLATE
    assert events(memory, run.id) == [("memory_committed", {"write_count": 1})]
    assert all(entry not in each.memory_ids for each in memory.audit.of_run(run.id))


def test_a10_a_read_that_is_held_up_stops_no_run(
    memory: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.entries.write(default_of(memory, "coder").id, "known")
    monkeypatch.setattr("ricordo.api.runs._PATIENCE", 0.3)
    with connect(settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")
        running = memory.run("coder", TEMPLATE)
        assert running.__enter__().prompt == TEMPLATE
    running.__exit__(None, None, None)


def test_a10_a_redaction_strikes_what_runs_saw(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    entry = memory.entries.write(profile.id, "the door code\nis QX4711").id
    with memory.run("coder", TEMPLATE) as run:
        assert "the door code\\nis QX4711" in run.prompt
        memory.entries.redact(entry)
    prompt = memory.runs.get(run.id).prompt
    assert prompt is not None and "QX4711" not in prompt and "[redacted]" in prompt


#: What Unicode counts as white space; only line breaks are written out.
SPACES = ["\u00a0", "\u2003", "\u202f", "\x85", "\u2028", "\u2029", "\x1c", "\f", "\v", "  ", "\t \r\n", "\n\n", "\r"]


@pytest.mark.parametrize("space", SPACES)
def test_a10_an_entry_is_one_line_word_for_word(memory: Memory, space: str) -> None:
    memory.agents.create("coder")
    [profile] = memory.profiles.list("coder")
    entry = memory.entries.write(profile.id, f"the code{space}is QX4711").id
    shown = space.replace("\r", "\\r").replace("\n", "\\n")
    with memory.run("coder", "Do it.") as run:
        assert run.prompt == f"## Context Memory\n- [0.5] the code{shown}is QX4711\n\nDo it."
    memory.journal.save("coder", f"a{space}b")
    memory.core.save("coder", f"c{space}d")
    block = memory.journal.context("coder") or ""
    assert f"] a{shown}b" in block.split("\n")[-1] and f"- c{shown}d" in block.split("\n")
    assert memory.entries.redact(entry).removed["runs"] == 1
    assert memory.runs.get(run.id).prompt == "## Context Memory\n- [0.5] [redacted]\n\nDo it."


def test_a10_a_run_that_cannot_be_recorded_runs_its_block_and_is_recorded_later(
    memory: Memory, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    profile = default_of(memory, "coder")
    memory.entries.write(profile.id, "known")
    with renamed(settings, "runs"), caplog.at_level(logging.WARNING):
        with memory.run("coder", TEMPLATE) as run:
            assert "known" in run.prompt
        with memory.run("coder", TEMPLATE) as failing:
            failing.fail("for the record")
        with pytest.raises(RicordoError), memory.run("coder", TEMPLATE) as writing:
            writing.output("n", {WRITES: [{"content": "never lost without a word"}]})
        with pytest.raises(RicordoError):
            memory.runs.start("coder", TEMPLATE)
        late = memory.run("coder", TEMPLATE)
        begun = late.__enter__()
    assert "goes on without being recorded" in caplog.text
    assert memory.runs.list("coder") == []
    begun.output("n", {WRITES: [{"content": "new"}]})
    late.__exit__(None, None, None)
    assert contents(memory, profile) == ["known", "new"]
    assert [(each.id, each.status, each.prompt) for each in memory.runs.list("coder")] == [
        (begun.id, "completed", TEMPLATE)
    ]


@pytest.mark.parametrize("table", ["runs", "memories", "access_log", "activity", "profiles"])
def test_a10_a_locked_table_does_not_hold_up_a_prompt(memory: Memory, settings: Settings, table: str) -> None:
    memory.entries.write(default_of(memory, "coder").id, "known")
    with connect(settings) as owner, owner.transaction():
        owner.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        running = memory.run("coder", TEMPLATE)
        assert running.__enter__().prompt.endswith(TEMPLATE)  # else it would wait for the end of this transaction
    running.__exit__(None, None, None)
    assert api_runs._PATIENCE <= 2


def test_a10_a_redaction_strikes_lines_that_kept_their_white_space(memory: Memory) -> None:
    """As prompts were that a database wrote whose locale does not count a no-break space."""
    memory.agents.create("coder")
    [profile] = memory.profiles.list("coder")
    entry = memory.entries.write(profile.id, "the code\u00a0is QX4711").id
    with memory.run("coder", "Do it.") as run:
        pass
    with connect(memory.process_settings) as owner:
        owner.execute("UPDATE runs SET prompt = replace(prompt, 'code is', E'code\\u00a0is')")
    memory.entries.redact(entry)
    assert "QX4711" not in memory.runs.get(run.id).prompt


def test_a10_a_redaction_strikes_whole_lines_and_no_part_of_others(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    texts = ["tea", "tea at noon", "o", "milk"]
    ids = {text: memory.entries.write(profile.id, text, confidence=0.5).id for text in texts}
    memory.entries.edit(ids["milk"], "milk and honey")
    with memory.run("coder", TEMPLATE) as run:
        pass

    def lines() -> list[str]:
        prompt = memory.runs.get(run.id).prompt or ""
        assert prompt.startswith("## Context Memory\n") and prompt.endswith(TEMPLATE)
        return sorted(line for line in prompt.splitlines() if line.startswith("- "))

    for gone in (["tea"], ["o"], ["milk"], ["tea at noon"]):
        memory.entries.redact(ids[gone[0]])
    assert lines() == ["- [0.5] [redacted]"] * 4


def test_a10_what_is_redacted_while_a_run_begins_is_not_in_its_prompt(memory: Memory, settings: Settings) -> None:
    profile = default_of(memory, "coder")
    entry = memory.entries.write(profile.id, "the door code is QX4711").id
    with connect(settings) as owner, ThreadPoolExecutor() as pool:
        with owner.transaction():
            owner.execute("SELECT FROM memories WHERE id = %s FOR UPDATE", [entry])
            running = memory.run("coder", TEMPLATE)
            entering = pool.submit(running.__enter__)
            with connect(settings) as other:
                waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'FOR KEY SHARE'"
                deadline = time.monotonic() + 5
                while not other.execute(waits).fetchone():
                    assert time.monotonic() < deadline, "it has not read the entry, or does not wait for its redaction"
                    time.sleep(0.01)
            owner.execute("UPDATE memories SET content = '[redacted]', is_redacted = true WHERE id = %s", [entry])
        run = entering.result()
    running.__exit__(None, None, None)
    assert (run.prompt, run.injected, memory.runs.get(run.id).prompt) == (TEMPLATE, (), TEMPLATE)


def test_a10_a_named_profile_stands_for_the_default_one(memory: Memory) -> None:
    default = default_of(memory, "coder")
    other = memory.profiles.create("coder", "other", seed_entries=["of the other"])
    private = default_of(memory, "writer")
    memory.entries.write(default.id, "of the default")
    with memory.run("coder", TEMPLATE, profile=other.id) as run:
        assert [each.content for each in run.injected] == ["of the other"]
        run.output("n", {WRITES: [{"content": "new"}]})
    assert contents(memory, other) == ["new", "of the other"]
    for id in (private.id, uuid4()):
        with pytest.raises(NotFound, match=r"memory profile .* not found"), memory.run("coder", TEMPLATE, profile=id):
            raise AssertionError("it must not begin")
    memory.profiles.change(private.id, isolation="shared")
    with memory.run("coder", TEMPLATE, profile=private.id) as run:
        run.output("n", {WRITES: [{"content": "from the coder"}]})
    [entry] = memory.entries.read(private.id)
    assert (entry.content, entry.agent_id) == ("from the coder", private.agent_id)
    assert [each.actor for each in memory.audit.of_run(run.id)] == ["agent:coder"] * 2


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        (("nobody", "t"), NotFound, "agent 'nobody' not found"),
        (("coder", 3), InvalidInput, "template: must be text"),
        (("coder", "a\0"), InvalidInput, "template: contains a NUL"),
        (("coder", "\ud800"), InvalidInput, "template: contains half"),
        (("coder", "t", ""), InvalidInput, "conversation: "),
    ],
)
def test_a10_what_breaks_a_rule_begins_no_run(
    memory: Memory, arguments: tuple[Any, ...], error: type[Exception], reason: str
) -> None:
    default_of(memory, "coder")
    with pytest.raises(error, match=reason), memory.run(*arguments):
        raise AssertionError("it must not begin")
    assert memory.runs.list() == []


def test_a10_runs_are_their_users_alone(memory: Memory, settings: Settings) -> None:
    default_of(memory, "coder")
    with memory.run("coder", TEMPLATE) as run:
        run.output("n", {WRITES: [{"content": "new"}]})
    with Memory(settings=replace(settings, user="ben")) as ben:
        with pytest.raises(NotFound, match=r"run .* not found"):
            ben.runs.get(run.id)
        assert ben.runs.list() == [] and ben.runs.events() == []
        assert ben.audit.of_run(run.id) == []


def test_a11_writes_are_committed_when_the_run_has_completed(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    write = {"scope": "project", "source": "agent", "content": "Rate limiter hit at 9:04 UTC", "confidence": 0.85}
    with memory.run("coder", TEMPLATE, "chat-1") as run:
        run.output("probe", {"result": "…", WRITES: [write]})
        run.output("think", "no object")
        run.output("end", {WRITES: [{"content": "in this talk", "scope": "conversation", "metadata": {"a": [1]}}]})
        assert contents(memory, profile) == [] and run.written == ()
    first, second = (memory.entries.get(id) for id in run.written)
    assert (first.content, first.scope, first.source, first.confidence) == (
        "Rate limiter hit at 9:04 UTC", "project", "agent", pytest.approx(0.85),
    )  # fmt: skip
    assert (first.run_id, first.profile_id, first.conversation_id) == (run.id, profile.id, None)
    assert (second.scope, second.conversation_id, second.metadata) == ("conversation", "chat-1", {"a": [1]})
    assert (second.source, second.confidence) == ("agent", 0.5)
    assert (run.status, run.problems) == ("completed", ())
    assert events(memory, run.id) == [("memory_committed", {"write_count": 2})]
    accesses = [each for each in memory.audit.of_run(run.id) if each.action == "write"]
    assert [each.memory_ids for each in accesses] == [(first.id,), (second.id,)]
    assert {(each.actor, each.run_id) for each in accesses} == {("agent:coder", run.id)}


def test_a11_writes_go_by_the_profiles_own_scope_and_cap(memory: Memory) -> None:
    memory.agents.create("coder")
    profile = memory.profiles.create("coder", "talks", scope="conversation", max_entries=2, is_default=True)
    with memory.run("coder", TEMPLATE, "chat-1") as run:
        run.output("n", {WRITES: [{"content": f"w{number}", "confidence": number / 10} for number in range(4)]})
    assert contents(memory, profile) == ["w2", "w3"]
    assert {memory.entries.get(id).conversation_id for id in run.written} == {"chat-1"}
    with memory.run("coder", TEMPLATE) as run:
        run.output("n", {WRITES: [{"content": "of no talk"}]})
    assert [(each.node, each.index) for each in run.problems] == [("n", 0)]
    assert "conversation" in run.problems[0].reason and contents(memory, profile) == ["w2", "w3"]


class Broken(Exception):
    pass


@pytest.mark.parametrize("end", ["fail", "cancel", "exception", "interrupt", "fail and exception"])
def test_a11_writes_of_a_run_that_ends_badly_are_dropped(memory: Memory, end: str) -> None:
    profile = default_of(memory, "coder")
    raised: type[BaseException] | None = {"interrupt": KeyboardInterrupt}.get(end, Broken if "exc" in end else None)
    try:
        with memory.run("coder", TEMPLATE) as run:
            run.output("n", {WRITES: [{"content": "never"}, {"content": "again"}]})
            if "fail" in end:
                run.fail("the model refused")
                run.cancel("too late to change it")
            if end == "cancel":
                run.cancel()
            if raised:
                raise raised("with a secret in it")
    except (Broken, KeyboardInterrupt) as error:
        assert type(error) is raised
    else:
        assert raised is None
    status = "cancelled" if end in ("cancel", "interrupt") else "failed"
    assert run.status == memory.runs.get(run.id).status == status
    reason = "the model refused" if "fail" in end else raised.__name__ if raised else None
    assert events(memory, run.id) == [
        (f"run_{status}", {"reason": reason} if reason else {}),
        ("memory_dropped", {"reason": status, "write_count": 2, "problems": []}),
    ]
    assert contents(memory, profile) == [] and memory.audit.of_run(run.id)[1:] == []


def test_a11_an_end_that_cannot_be_recorded_does_not_hide_the_error(
    memory: Memory, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    profile = default_of(memory, "coder")
    running = memory.run("coder", TEMPLATE)
    run = running.__enter__()
    run.output("n", {WRITES: [{"content": "never"}]})
    with renamed(settings, "runs"), caplog.at_level(logging.WARNING):
        running.__exit__(Broken, Broken(), None)  # raises nothing: what the block raised goes on
    assert "could not record" in caplog.text
    assert memory.runs.get(run.id).status == "running" and contents(memory, profile) == []


def test_a11_a_cancelled_task_drops_its_writes(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            await memory.agents.create("coder")
            [profile] = await memory.profiles.list("coder")
            entered = asyncio.Event()
            held: list[UUID] = []

            async def work() -> None:
                async with memory.run("coder", TEMPLATE) as run:
                    run.output("n", {WRITES: [{"content": "never"}]})
                    held.append(run.id)
                    entered.set()
                    await asyncio.Event().wait()

            for end in ("cancel", "timeout", "group"):
                entered.clear()
                if end == "timeout":
                    with pytest.raises(TimeoutError):
                        await asyncio.wait_for(work(), 0.5)
                    continue
                with pytest.raises((asyncio.CancelledError, ExceptionGroup)):
                    if end == "cancel":
                        task = asyncio.create_task(work())
                        await entered.wait()
                        task.cancel()
                        await task
                    else:
                        async with asyncio.TaskGroup() as group:
                            group.create_task(work())
                            await entered.wait()
                            raise Broken
            assert len(held) == 3
            assert [(await memory.runs.get(id)).status for id in held] == ["cancelled"] * 3
            assert await memory.entries.read(profile.id) == []

    asyncio.run(scenario())


def test_a11_a_run_cancelled_while_it_commits_leaves_all_or_nothing(settings: Settings) -> None:
    async def scenario() -> list[tuple[str, int]]:
        ends = []
        async with AsyncMemory(settings=settings) as memory:
            await memory.agents.create("coder")
            [profile] = await memory.profiles.list("coder")
            for wait in (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
                buffered = asyncio.Event()
                ids: list[UUID] = []

                async def work(buffered: asyncio.Event = buffered, ids: list[UUID] = ids) -> None:
                    async with memory.run("coder", TEMPLATE) as run:
                        run.output("n", {WRITES: [{"content": f"{run.id} {number}"} for number in range(20)]})
                        ids.append(run.id)
                        buffered.set()

                task = asyncio.create_task(work())
                await buffered.wait()
                await asyncio.sleep(wait)
                task.cancel()
                await asyncio.wait([task])
                there = [each for each in await memory.entries.read(profile.id, limit=1000) if each.run_id == ids[0]]
                ends.append(((await memory.runs.get(ids[0])).status, len(there)))
        return ends

    assert set(asyncio.run(scenario())) <= {("cancelled", 0), ("completed", 20)}


@pytest.mark.parametrize("array", ["no array", {"content": "an object"}, [{"content": "fine"}, {"content": ""}], [7]])
def test_a11_a_malformed_write_is_reported_and_nothing_is_written(memory: Memory, array: object) -> None:
    profile = default_of(memory, "coder")
    with memory.run("coder", TEMPLATE) as run:
        run.output("good", {WRITES: [{"content": "well-formed"}]})
        run.output("bad", {WRITES: array})
        assert [each.node for each in run.problems] == ["bad"]
    assert (run.status, memory.runs.get(run.id).status, run.written) == ("completed", "completed", ())
    assert contents(memory, profile) == []
    [(event, payload)] = events(memory, run.id)
    assert (event, payload["reason"]) == ("memory_dropped", "problems")
    assert payload["problems"] == [each.model_dump() for each in run.problems]
    assert [each.action for each in memory.audit.of_run(run.id)] == ["read"]


@pytest.mark.parametrize("rule", ["check", "trigger"])
def test_a11_a_write_that_the_store_refuses_takes_all_others_with_it(
    memory: Memory, settings: Settings, rule: str
) -> None:
    profile = default_of(memory, "coder")
    with connect(settings) as owner:
        if rule == "check":
            owner.execute("ALTER TABLE memories ADD CONSTRAINT no_yaml CHECK (content !~ 'YAML')")
        else:
            owner.execute(
                "CREATE FUNCTION refuse_yaml() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "IF NEW.content ~ 'YAML' THEN RAISE EXCEPTION 'no_yaml'; END IF; RETURN NEW; END $$"
            )
            owner.execute("CREATE TRIGGER yaml BEFORE INSERT ON memories FOR EACH ROW EXECUTE FUNCTION refuse_yaml()")
    with memory.run("coder", TEMPLATE) as run:
        run.output("a", {WRITES: [{"content": "fine"}]})
        run.output("b", {WRITES: [{"content": "fine too"}, {"content": "YAML and a secret"}]})
        assert run.problems == ()
    [problem] = run.problems
    assert (problem.node, problem.index) == ("b", 1)
    assert "no_yaml" in problem.reason and "secret" not in problem.reason
    assert (run.status, memory.runs.get(run.id).status, contents(memory, profile)) == ("completed", "completed", [])
    assert [event for event, _ in events(memory, run.id)] == ["memory_dropped"]
    assert [each.action for each in memory.audit.of_run(run.id)] == ["read"]
    with memory.run("coder", TEMPLATE) as run:  # and the next is none the worse for it
        run.output("a", {WRITES: [{"content": "fine"}]})
    assert contents(memory, profile) == ["fine"]


def test_a11_a_commit_that_the_store_cannot_make_is_raised_and_leaves_nothing(
    memory: Memory, settings: Settings
) -> None:
    profile = default_of(memory, "coder")
    running = memory.run("coder", TEMPLATE)
    run = running.__enter__()
    run.output("n", {WRITES: [{"content": "never"}]})
    with renamed(settings, "postings"), pytest.raises(Exception, match="postings"):
        running.__exit__(None, None, None)
    assert (run.status, memory.runs.get(run.id).status) == ("failed", "failed")
    assert contents(memory, profile) == [] and run.written == ()
    assert [event for event, _ in events(memory, run.id)] == ["run_failed", "memory_dropped"]


def test_a11_a_profile_or_agent_that_is_deleted_meanwhile_takes_the_writes_with_it(memory: Memory) -> None:
    default_of(memory, "coder")
    other = memory.profiles.create("coder", "other")
    with memory.run("coder", TEMPLATE, profile=other.id) as run:
        run.output("n", {WRITES: [{"content": "never"}]})
        memory.profiles.delete(other.id)
    assert "was deleted" in run.problems[0].reason and memory.runs.get(run.id).status == "completed"
    with memory.run("coder", TEMPLATE) as run:
        run.output("n", {WRITES: [{"content": "never"}]})
        memory.agents.delete("coder")
    assert len(run.problems) == 1 and run.written == ()
    with pytest.raises(NotFound):
        memory.runs.get(run.id)


def test_a11_nested_runs_end_each_by_itself(memory: Memory) -> None:
    coder, writer = default_of(memory, "coder"), default_of(memory, "writer")
    with memory.run("coder", TEMPLATE) as outer:
        outer.output("n", {WRITES: [{"content": "of the outer"}]})
        with pytest.raises(Broken), memory.run("writer", TEMPLATE) as broken:
            broken.output("n", {WRITES: [{"content": "never"}]})
            raise Broken
        with memory.run("coder", TEMPLATE) as inner:
            inner.output("n", {WRITES: [{"content": "of the inner"}]})
        assert contents(memory, coder) == ["of the inner"]
    assert contents(memory, coder) == ["of the inner", "of the outer"] and contents(memory, writer) == []
    assert [each.status for each in memory.runs.list("coder")] == ["completed"] * 2
    assert [each.id for each in memory.runs.list()] == [inner.id, broken.id, outer.id]


def test_a11_runs_of_one_agent_at_once_write_each_their_own(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    memory.profiles.change(profile.id, max_entries=12)
    together = threading.Barrier(4)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            with memory.run("coder", TEMPLATE) as run:
                run.output("n", {WRITES: [{"content": f"{number}-{index}"} for index in range(5)]})
                together.wait()
            assert len(run.written) == 5 and run.problems == ()
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failures == []
    assert {each.status for each in memory.runs.list("coder")} == {"completed"}
    # Those that run at once do not see each other's entries yet; the next write brings them all below the cap.
    memory.entries.write(profile.id, "one more")
    assert len(memory.entries.read(profile.id)) == 12


def test_a11_what_comes_after_the_end_is_refused(memory: Memory) -> None:
    default_of(memory, "coder")
    with memory.run("coder", TEMPLATE) as run:
        with pytest.raises(InvalidInput, match="node"):
            run.output("", {})
        with pytest.raises(InvalidInput, match="reason"):
            run.fail("")
    for late in (lambda: run.output("n", {}), lambda: run.fail("late"), run.cancel):
        with pytest.raises(InvalidInput, match="has ended"):
            late()
    assert memory.runs.get(run.id).status == "completed" and events(memory, run.id) == []


def test_a14_a_conversations_entries_reach_only_its_own_runs(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    for talk in ("chat-1", "chat-2"):
        memory.entries.write(profile.id, f"said in {talk}", scope="conversation", conversation=talk)
    memory.entries.write(profile.id, "of the project")
    assert told(memory, "coder", "chat-1") == ["- [0.5] of the project"]
    memory.profiles.change(profile.id, injection_scopes=["conversation"])
    assert told(memory, "coder", "chat-1") == ["- [0.5] said in chat-1"]
    assert told(memory, "coder", "chat-2") == ["- [0.5] said in chat-2"]
    assert told(memory, "coder", "chat-3") == [] and told(memory, "coder") == []
    memory.profiles.change(profile.id, injection_strategy="relevant")
    assert told(memory, "coder", "chat-1", "What was said in the chat?") == ["- [0.5] said in chat-1"]


@pytest.mark.parametrize("strategy", ["top_confidence", "recent", "relevant"])
def test_a15_global_entries_open_by_a_grant_and_close_with_it(memory: Memory, strategy: str) -> None:
    coder, writer, third = (default_of(memory, name) for name in ("coder", "writer", "third"))
    memory.profiles.change(coder.id, injection_scopes=["global"], injection_strategy=strategy)
    memory.entries.write(writer.id, "the client is open", scope="global")
    memory.entries.write(writer.id, "the client is private", scope="project")
    memory.entries.write(third.id, "the client is closed", scope="global")
    assert told(memory, "coder") == []
    with memory.run("coder", TEMPLATE) as run:
        memory.agents.grant("writer", "coder")
        assert run.injected == ()
    assert told(memory, "coder") == ["- [0.5] the client is open"]
    assert told(memory, "writer") == ["- [0.5] the client is private"]  # its profile is given its project alone
    memory.profiles.change(writer.id, injection_scopes=["global"])
    assert told(memory, "writer") == ["- [0.5] the client is open"]  # and a grant goes one way
    memory.agents.revoke("writer", "coder")
    assert told(memory, "coder") == []


def test_a15_an_agents_own_global_entries_come_from_each_of_its_profiles(memory: Memory) -> None:
    profile = default_of(memory, "coder")
    other = memory.profiles.create("coder", "other")
    memory.profiles.change(profile.id, injection_scopes=["global"])
    memory.entries.write(profile.id, "here", scope="global", confidence=0.2)
    memory.entries.write(other.id, "there", scope="global", confidence=0.4)
    memory.entries.write(other.id, "there, of its project", confidence=0.9)
    assert told(memory, "coder") == ["- [0.4] there", "- [0.2] here"]


def test_a16_scopes_are_the_profiles_choice_and_the_strategy_orders_across_them(memory: Memory) -> None:
    coder, writer = default_of(memory, "coder"), default_of(memory, "writer")
    memory.entries.write(coder.id, "project", confidence=0.4)
    memory.entries.write(writer.id, "granted", scope="global", confidence=0.6)
    memory.entries.write(coder.id, "talk", scope="conversation", conversation="chat-1", confidence=0.8)
    memory.entries.write(coder.id, "own global", scope="global", confidence=0.2)
    memory.agents.grant("writer", "coder")
    assert coder.injection_scopes == ("project",)
    assert told(memory, "coder", "chat-1") == ["- [0.4] project"]
    memory.profiles.change(coder.id, injection_scopes=["project", "conversation", "global"])
    lines = ["- [0.8] talk", "- [0.6] granted", "- [0.4] project", "- [0.2] own global"]
    assert told(memory, "coder", "chat-1") == lines
    assert told(memory, "coder", "chat-2") == lines[1:]
    memory.profiles.change(coder.id, injection_strategy="recent", injection_limit=3)
    assert told(memory, "coder", "chat-1") == ["- [0.2] own global", "- [0.8] talk", "- [0.6] granted"]
    memory.profiles.change(coder.id, injection_scopes=[])
    with memory.run("coder", TEMPLATE, "chat-1") as run:
        assert run.prompt == TEMPLATE
    assert memory.audit.of_run(run.id) == []
