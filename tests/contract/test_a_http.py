"""The rows of A, B, C and D over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from http_server import Server, running
from stores import settings_for
from talks import BATTERY

_WRITES = {"__lf_memory_writes": [{"content": "Deploys happen on Thursdays.", "confidence": 0.9}]}


@pytest.fixture(scope="module")
def running_server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        yield server


@pytest.fixture
def server(running_server: Server) -> Server:
    """The server, asked by a user who has nothing yet but the agent `coder`."""
    server = running_server.of(f"ada {uuid4()}")
    server.post("/v1/agents", {"name": "coder"})
    return server


def test_a1_to_a7_profiles_and_entries(server: Server) -> None:
    profile = server.post("/v1/agents/coder/profiles", {"name": "research", "seed_entries": [{"content": "seed"}]})
    entries = f"/v1/profiles/{profile['id']}/entries"
    sure = server.post(entries, {"content": "sure", "confidence": 0.9})
    assert [each["content"] for each in server.get(entries)["items"]] == ["sure", "seed"]
    assert server.get(f"/v1/profiles/{profile['id']}/summary")["count"] == 2
    receipt = server.post(f"/v1/memories/{sure['id']}/redact", {"reason": "asked for"})
    assert receipt["done"] and server.get(f"/v1/memories/{sure['id']}")["content"] == "[redacted]"
    actions = [each["action"] for each in server.get(f"/v1/memories/{sure['id']}/accesses")["items"]]
    assert actions[0] == "write" and "redact" in actions and "read" in actions
    assert server.ask("DELETE", f"/v1/profiles/{profile['id']}").status_code == 204
    assert server.ask("GET", entries).status_code == 404


def test_a10_and_a11_a_run_goes_on_in_another_server_and_writes_when_it_completes(server: Server) -> None:
    run = server.post("/v1/agents/coder/runs", {"template": "How do we deploy?"})
    assert (run["status"], run["prompt"]) == ("running", "How do we deploy?")
    with running(server.settings) as second:
        other = replace(second, token=server.token)
        assert other.ask("POST", f"/v1/runs/{run['id']}/outputs", {"node": "n", "payload": _WRITES}).status_code == 204
    assert server.get("/v1/memories?kind=entry")["items"] == []
    ended = server.post(f"/v1/runs/{run['id']}/complete")
    assert ended["run"]["status"] == "completed" and len(ended["written"]) == 1 and not ended["problems"]
    assert server.ask("POST", f"/v1/runs/{run['id']}/complete").status_code == 422
    again = server.post("/v1/agents/coder/runs", {"template": "How do we deploy?"})
    assert again["prompt"].startswith("## Context Memory") and "[0.9] Deploys" in again["prompt"]
    server.ask("POST", f"/v1/runs/{again['id']}/outputs", {"node": "n", "payload": _WRITES})
    assert server.post(f"/v1/runs/{again['id']}/fail", {"reason": "tests"})["run"]["status"] == "failed"
    third = server.post("/v1/agents/coder/runs", {"template": "x"})
    bad = {"__lf_memory_writes": [{"content": "good"}, {"content": "a\0b"}]}
    server.ask("POST", f"/v1/runs/{third['id']}/outputs", {"node": "n", "payload": bad})
    assert server.post(f"/v1/runs/{third['id']}/complete")["problems"][0]["index"] == 1
    assert len(server.get("/v1/memories?kind=entry")["items"]) == 1
    events = [each["event"] for each in server.get(f"/v1/runs/{again['id']}/events")["items"]]
    assert "memory_injected" in events and "run_failed" in events


def test_b1_to_b7_journal_core_proposals_and_whiteboards(server: Server) -> None:
    for _ in range(3):
        receipt = server.ask("POST", "/v1/agents/coder/journal", {"content": "Ada wants short answers every time."})
    assert (receipt.status_code, receipt.json()["status"]) == (200, "duplicate")
    server.post("/v1/agents/coder/core", {"content": "I am careful."})
    context = server.get("/v1/agents/coder/context")["context"]
    assert context.index("I am careful.") < context.index("short answers")
    assert server.get("/v1/agents/coder/counts") == {"core": 1, "journal": 1}
    message = server.post("/v1/agents/coder/system-message", {"participants": ["writer"]})
    assert message["role"] == "system" and "You are coder." in message["content"]
    server.post("/v1/agents/coder/proposals")  # unless the server's own work was faster
    proposal = server.get("/v1/agents/coder/proposals")["items"][0]
    assert server.post(f"/v1/proposals/{proposal['id']}/accept")["status"] == "accepted"
    assert server.post(f"/v1/proposals/{proposal['id']}/undo")["status"] == "undone"
    assert server.post("/v1/agents/coder/search", {"query": "short answers"})["items"][0]["signals"]
    exported = server.get("/v1/agents/coder/export")
    assert server.post("/v1/agents/coder/import", exported)["stored"] == 0
    board = server.post("/v1/whiteboards", {"name": "launch", "agents": ["coder"]})
    server.post(f"/v1/whiteboards/{board['id']}/agents/coder/notes", {"content": "on it"})
    [note] = server.get("/v1/whiteboards/launch/agents/coder/notes")["items"]
    assert note["content"] == "on it"


def test_c1_to_c12_the_palace_recall_and_what_happened(server: Server) -> None:
    receipt = server.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    assert (receipt["status"], receipt["stored"]) == ("stored", len(BATTERY))
    again = server.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    assert (again["status"], again["duplicates"]) == ("duplicate", len(BATTERY))
    recalled = server.post("/v1/recall", {"question": "Which cells should go into the e-foil?"})
    hit = recalled["results"][0]
    assert recalled["context"].startswith("<memory_context>") and hit["signals"]
    [drawer] = server.get(f"/v1/palace/pointers/{hit['pointer'].removeprefix('§ ')}")["items"]
    assert drawer["text"] == hit["text"]
    assert server.get("/v1/palace")["items"][0]["rooms"]
    server.good("PATCH", "/v1/palace/wings/W-001", {"name": "E-foil"})
    assert server.get("/v1/palace?wing=E-foil")["items"][0]["name"] == "E-foil"
    server.good("PATCH", "/v1/settings", {"enabled": False})
    assert server.post("/v1/recall", {"question": "cells"})["results"] == []
    events = [each["event"] for each in server.get("/v1/activity")["items"]]
    assert "memory_mined" in events and "settings_changed" in events
    absent = server.post("/v1/audit/absence", {"text": "LiFePO4"})
    assert any(each["rows"] for each in absent["places"])
    assert server.get("/v1/entities")["items"] is not None


def test_d1_to_d7_notes_in_three_retentions(server: Server) -> None:
    assert server.ask("POST", "/v1/notes", {"content": "x", "retention": "medium_term"}).status_code == 422
    short = server.post("/v1/notes", {"content": "short apples", "retention": "short_term"})
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    server.post("/v1/notes", {"content": "medium apples", "retention": "medium_term", "expires_at": later})
    server.post("/v1/notes", {"content": "long apples", "importance": 9, "tags": ["fruit"]})
    assert len(server.post("/v1/search", {"query": "apples"})) == 3
    assert [each["content"] for each in server.post("/v1/search", {"tags": ["fruit"]})] == ["long apples"]
    moved = server.good("PATCH", f"/v1/notes/{short['id']}", {"retention": "long_term", "context": {"a": 1}})
    assert (moved["retention"], moved["metadata"]) == ("long_term", {"a": 1})
    assert server.good("DELETE", f"/v1/notes/{short['id']}")["done"]
    assert server.ask("GET", f"/v1/notes/{short['id']}").status_code == 404
