"""E11: traces and metrics for write, mine and recall, with OpenTelemetry's own SDK; nothing without one."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from http_server import Server, running
from mcp_clients import on_http
from ricordo import archive, telemetry
from ricordo.background import work_for_all
from ricordo.background.gauges import gauging
from ricordo.blocking import Memory
from ricordo.database import Database
from ricordo.database.embedded import ensure_running
from ricordo.errors import InvalidInput
from ricordo.jobs.worker import Worker
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY

SECRET = "swordfish"


@dataclass
class Heard:
    """What the SDK exported."""

    spans: InMemorySpanExporter
    reader: InMemoryMetricReader

    def span(self, name: str) -> ReadableSpan:
        """The one span of this name."""
        [found] = [each for each in self.spans.get_finished_spans() if each.name == name]
        return found

    def points(self) -> dict[str, list[Any]]:
        """The points of each metric."""
        read = self.reader.get_metrics_data()
        every = [
            each
            for of in (read.resource_metrics if read else ())
            for scope in of.scope_metrics
            for each in scope.metrics
        ]
        return {each.name: list(each.data.data_points) for each in every}

    def everything(self) -> str:
        """All that would leave the process."""
        read = self.reader.get_metrics_data()
        assert read is not None
        return read.to_json() + json.dumps([each.to_json() for each in self.spans.get_finished_spans()])


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    """Providers of the SDK for this test alone; the API's own setters take only the first of a process."""
    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracing, measuring = TracerProvider(), MeterProvider([reader])
    tracing.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: tracing)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", tracing)
    monkeypatch.setattr(metrics, "get_meter_provider", lambda: measuring)
    yield Heard(spans, reader)
    tracing.shutdown()
    measuring.shutdown()


def test_e11_write_mine_and_recall_are_traced_and_counted(heard: Heard, memory: Memory) -> None:
    memory.mine(BATTERY, conversation=SECRET)
    memory.mine(BATTERY, conversation=SECRET)
    found = memory.recall("Which cells should go into the e-foil?")
    agent = memory.agents.create(SECRET)
    memory.journal.save(agent.id, f"The {SECRET} is red.")
    memory.core.save(agent.id, f"The {SECRET} is red.")
    memory.notes.create(f"The {SECRET} is red.")
    [profile] = memory.profiles.list(agent.id)
    memory.entries.write(profile.id, f"The {SECRET} is red.")
    with pytest.raises(InvalidInput):
        memory.recall("a", max_tokens=-1, wing=5)  # type: ignore[arg-type]
    spans = heard.spans.get_finished_spans()
    assert [each.name for each in spans] == [
        *2 * ["ricordo.mine"],
        "ricordo.recall",
        *4 * ["ricordo.write"],
        "ricordo.recall",
    ]
    counts = {"ricordo.duplicates": 0, "ricordo.edited": 0, "ricordo.rejected": 0}
    assert dict(spans[0].attributes or {}) == {"ricordo.stored": 4, **counts}
    assert (spans[2].attributes or {})["ricordo.recalled"] == len(found)
    assert dict(spans[-1].attributes or {}) == {"error.type": "InvalidInput"}
    assert not spans[-1].events and spans[-1].status.description is None
    assert {(each.attributes or {})["ricordo.kind"] for each in spans[3:7]} == {"journal", "core", "note", "entry"}
    points = heard.points()
    counted = {
        (each.attributes["ricordo.operation"], each.attributes["ricordo.outcome"], each.attributes.get("ricordo.kind")):
        each.value for each in points["ricordo.memories"]
    }  # fmt: skip
    assert counted[("mine", "stored", None)] == counted[("mine", "duplicates", None)] == 4
    assert counted[("recall", "recalled", None)] == len(found)
    assert counted[("write", "stored", "note")] == 1
    durations = {
        (each.attributes["ricordo.operation"], each.attributes.get("error.type")): each
        for each in points["ricordo.operation.duration"]
        if each.attributes["ricordo.operation"] != "write"
    }
    assert durations[("mine", None)].count == 2 and durations[("mine", None)].sum > 0
    assert durations[("recall", "InvalidInput")].count == 1
    told = heard.everything()
    for secret in (SECRET, "e-foil", "Lindner", "ada", str(agent.id), str(profile.id)):
        assert not re.search(rf"\b{secret}\b", told, re.IGNORECASE), secret


def test_e11_requests_are_traced_below_the_span_of_their_client(heard: Heard, settings: Settings) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with running(replace(settings, user="ada")) as server:
        heard.spans.clear()
        server.post("/v1/conversations", {"conversation": SECRET, "messages": BATTERY}, headers={"traceparent": parent})
        assert server.ask("GET", f"/v1/agents/{SECRET}?x={SECRET}", headers={"X-Secret": SECRET}).status_code == 422
        assert server.ask("GET", f"/v1/agents/{SECRET}/grants").status_code == 404
        assert server.ask("GET", f"/{SECRET}").status_code == 404
    request, mining = heard.span("POST /v1/conversations"), heard.span("ricordo.mine")
    assert request.parent is not None and mining.parent is not None
    assert f"{request.parent.trace_id:032x}-{request.parent.span_id:016x}" == parent[3:-3]
    assert mining.parent.span_id == request.context.span_id
    assert dict(request.attributes or {}) == {
        "http.request.method": "POST",
        "url.scheme": "http",
        "http.route": "/v1/conversations",
        "http.response.status_code": 201,
    }
    assert (heard.span("GET /v1/agents/{agent}").attributes or {})["http.response.status_code"] == 422
    points = heard.points()["http.server.request.duration"]
    assert {each.attributes["http.response.status_code"] for each in points} >= {201, 404}
    assert SECRET not in heard.everything()


def test_e2_nothing_of_what_is_forgotten_was_in_spans_metrics_or_logs(
    heard: Heard, settings: Settings, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    with running(replace(settings, user="ada")) as server:
        server.post("/v1/agents", {"name": "coder"})
        turns = [{"role": "user", "name": SECRET.title(), "content": f"The {SECRET} swims."}]
        server.post("/v1/conversations", {"conversation": SECRET, "title": SECRET, "messages": turns})
        server.post("/v1/agents/coder/core", {"content": f"The {SECRET} is red."})
        server.post("/v1/recall", {"question": f"Where is the {SECRET}?"})
        server.post("/v1/agents/coder/runs", {"template": SECRET})
        server.ask("POST", "/v1/agents/coder/core", {"content": f"{SECRET} " * 10_000})
        server.ask("POST", "/v1/recall", {"question": 5, SECRET: SECRET})
        for each in server.get("/v1/memories")["items"]:
            server.good("DELETE", f"/v1/memories/{each['id']}?reason={SECRET}")
        assert server.post("/v1/audit/absence", {"text": f"the {SECRET}"})["places"]
        asyncio.run(_over_mcp(server))
    assert SECRET not in heard.everything().lower()
    assert SECRET not in (caplog.text + "".join(capfd.readouterr())).lower()
    assert "ricordo.write" in {each.name for each in heard.spans.get_finished_spans()} and caplog.records


async def _over_mcp(server: Server) -> None:
    async with on_http(f"{server.url}/mcp", server.token) as call:
        saved = (await call("add_memory", content=f"The {SECRET} again.")).split()[-1]
        await call("recall", query=SECRET)
        await call("forget", id=saved, reason=SECRET)
        assert (await call.answer("forget", id=SECRET)).failed
        assert (await call.answer("recall", query=SECRET, wing=SECRET, **{SECRET: 1})).failed


@dataclass(frozen=True)
class Gauges:
    """What the gauges show at one export."""

    jobs: dict[str, int]
    others: dict[str, float]

    @classmethod
    def of(cls, heard: Heard) -> Gauges:
        points = {name: each for name, each in heard.points().items() if name in telemetry.GAUGES}
        jobs = {each.attributes["ricordo.state"]: each.value for each in points.pop("ricordo.jobs", [])}
        assert all(dict(each.attributes) == {} for [each] in points.values())
        return cls(jobs, {name: each.value for name, [each] in points.items()})


async def _once(heard: Heard, shows: Callable[[Gauges], object]) -> Gauges:
    """What the gauges show once that fits."""
    for found in iter(lambda: Gauges.of(heard), None):
        if shows(found):
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("the gauges are not exported")


def _fill(settings: Settings) -> dict[str, int]:
    """Writes of two users that wait for vectors and reviews, and dead jobs; returns how many jobs are in each state."""
    states: dict[str, int] = {"due": 0, "scheduled": 0, "running": 0, "dead": 0}
    for user in ("ada", "ben"):
        with Memory(settings=replace(settings, user=user), background=False) as memory:
            memory.mine(BATTERY, conversation=SECRET)
    with connect(settings) as owner:
        owner.execute(
            "INSERT INTO held_writes (user_id, id, kind, content, fields, speaker, actor) "
            "SELECT user_id, gen_random_uuid(), 'note', 'held', '{}', 'user', 'user' FROM users"
        )
        owner.execute(
            "UPDATE procrastinate_jobs SET status = 'failed' "
            "WHERE id IN (SELECT min(id) FROM procrastinate_jobs GROUP BY user_id)"
        )
        rows = owner.execute(
            "SELECT CASE WHEN status = 'failed' THEN 'dead' WHEN scheduled_at > now() THEN 'scheduled' ELSE 'due' END "
            "FROM procrastinate_jobs"
        )
        for (state,) in rows:
            states[state] += 1
    return states


def test_e11_gauges_count_what_waits_of_all_users(heard: Heard, settings: Settings, tmp_path: Path) -> None:
    settings = replace(settings, backup_dir=tmp_path)
    states = _fill(settings)
    assert states["dead"] == 2
    begun = time.time()
    asyncio.run(archive.backup_into(settings))

    async def exported() -> tuple[Gauges, Gauges]:
        async with Database(settings) as database:
            async with gauging(database):
                shown = await _once(heard, lambda each: each.jobs)
            return shown, Gauges.of(heard)

    shown, after = asyncio.run(exported())
    assert shown.jobs == states
    assert shown.others["ricordo.vectors.pending"] == 2 * len(BATTERY)
    assert shown.others["ricordo.reviews.held"] == 2
    assert 0 <= shown.others["ricordo.backup.age"] <= time.time() - int(begun)
    assert after == Gauges({}, {})
    assert SECRET not in heard.everything()


def test_e11_a_role_that_policies_bind_shows_no_false_zero(heard: Heard, settings: Settings) -> None:
    states = _fill(settings)
    with connect(settings) as owner:
        owner.execute("DO $$ BEGIN CREATE ROLE bound LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
        owner.execute(f"GRANT USAGE ON SCHEMA {settings.schema} TO bound")
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {settings.schema} TO bound")
        owner.execute("CREATE POLICY bound ON procrastinate_jobs TO bound USING (true)")
    server = ensure_running(settings)
    restricted = replace(settings, database_url=server.conninfo(), database_owner_url=server.conninfo("bound"))

    async def exported() -> Gauges:
        async with Database(restricted) as database, gauging(database):
            return await _once(heard, lambda each: each.jobs)

    assert asyncio.run(exported()) == Gauges(states, {})


def test_e11_a_store_that_cannot_be_read_hides_the_gauges_and_holds_up_no_export(
    heard: Heard, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telemetry, "export_interval", lambda: 0.05)

    async def exported() -> None:
        async with Database(settings) as database, gauging(database):
            await _once(heard, lambda each: each.jobs)
            await database.__aexit__(None)  # what is asked of it from now on raises StoreUnavailable
            await _once(heard, lambda each: not each.jobs)
            await database.__aenter__()
            await _once(heard, lambda each: each.jobs)

    asyncio.run(exported())


def test_e11_servers_and_workers_export_the_gauges(heard: Heard, settings: Settings) -> None:
    with running(replace(settings, user="ada")):
        asyncio.run(_once(heard, lambda each: each.jobs))
    assert Gauges.of(heard) == Gauges({}, {})

    async def worked() -> None:
        workers: list[Worker] = []
        working = asyncio.create_task(work_for_all(settings, workers.append, 1, once=False))
        await _once(heard, lambda each: each.jobs)
        workers[0].stop()
        await working

    asyncio.run(worked())
    assert Gauges.of(heard) == Gauges({}, {})


def test_e11_durations_are_told_apart_below_a_second(heard: Heard, memory: Memory) -> None:
    memory.recall("What is the battery?")
    [point] = heard.points()["ricordo.operation.duration"]
    assert sum(bound < 1 for bound in point.explicit_bounds) >= 5


def test_e11_without_anybody_who_listens_the_api_is_not_even_imported() -> None:
    code = (
        "import asyncio, sys\n"
        "from ricordo import AsyncMemory\n"
        "from ricordo.telemetry import measured\n"
        "async def seven(): return 7\n"
        "assert asyncio.run(measured('recall', lambda _: 1/0)(seven)()) == 7\n"
        "print([each for each in sys.modules if each.startswith('opentelemetry')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def test_e11_with_the_api_and_no_sdk_nothing_is_measured_until_one_is_set_up() -> None:
    code = (
        "import opentelemetry.metrics, opentelemetry.trace\n"
        "from ricordo import telemetry\n"
        "assert not telemetry.is_heard()\n"
        "if sys.argv[1] == 'trace':\n"
        "    from opentelemetry.sdk.trace import TracerProvider\n"
        "    opentelemetry.trace.set_tracer_provider(TracerProvider())\n"
        "else:\n"
        "    from opentelemetry.sdk.metrics import MeterProvider\n"
        "    opentelemetry.metrics.set_meter_provider(MeterProvider())\n"
        "assert telemetry.is_heard()\n"
    )
    for kind in ("trace", "metrics"):
        ran = subprocess.run([sys.executable, "-c", f"import sys\n{code}", kind], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_e11_with_the_api_and_no_sdk_everything_works(memory: Memory) -> None:
    assert memory.mine(BATTERY, conversation="c").stored == 4
    assert memory.recall("Which cells should go into the e-foil?").results
