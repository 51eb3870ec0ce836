"""C11 over HTTP: a key opens one user's memory or one agent's part of it, and nothing else anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from http_server import Server, running
from ricordo import Memory
from stores import connect, settings_for
from talks import BATTERY


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        yield server


def _belongings(server: Server, user: str) -> dict[str, dict[str, str]]:
    """Two agents of a user with one of everything: the ids by agent and by their names in paths."""
    found: dict[str, dict[str, str]] = {}
    with Memory(settings=replace(server.settings, user=user), background=False) as memory:
        receipt = memory.mine(BATTERY, conversation="c")
        note = memory.notes.create("kept")
        for name in ("coder", "writer"):
            agent = memory.agents.create(name)
            [profile] = memory.profiles.list(agent.id)
            entry = memory.entries.write(profile.id, f"{name} deploys on Thursdays")
            for _ in range(3):
                memory.journal.save(agent.id, "The user wants short answers every time.")
            memory.proposals.propose(agent.id)  # unless the server's own work was faster
            [proposal, *_] = memory.proposals.list(agent.id)
            board = memory.whiteboards.create(f"{name}'s", [agent.id])
            with memory.run(agent.id, "do it") as run:
                pass
            found[name] = {
                "agent": str(agent.id),
                "to_agent": str(agent.id),
                "profile": str(profile.id),
                "memory": str(entry),
                "note": str(note.id),
                "run": str(run.id),
                "proposal": str(proposal.id),
                "whiteboard": str(board.id),
                "key": str(memory.keys.create("k", agent=agent.id).key.id),
                "pointer": receipt.pointer or "",
                "wing": "W-001",
                "room": "W-001/R-01",
                "closet": "1",
                "entity": "Ada",
                "session": "default",
                "job": "1",
            }
    return found


def _paths(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/v1")
    ]


def _filled(path: str, ids: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], path)


def _body(operation: dict[str, Any], document: dict[str, Any]) -> Any:
    """A body that fits the operation's schema, as far as its fields are needed."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    name = content["schema"]["$ref"].rpartition("/")[2]
    schema = document["components"]["schemas"][name]
    return {field: _value(schema["properties"][field]) for field in schema.get("required", [])}


def _value(schema: dict[str, Any]) -> Any:
    return [] if schema.get("type") == "array" else "something"


def test_c11_another_users_and_another_agents_ids_are_not_found_on_any_path(server: Server) -> None:
    ada, bob = _belongings(server, "ada of c11"), _belongings(server, "bob of c11")
    document = server.get("/openapi.json", token="")
    user_key, agent_key = server.key("ada of c11"), server.key("ada of c11", agent="coder", palace=True)
    asked = 0
    before = _rows(server)
    for method, path, operation in _paths(document):
        names = re.findall(r"\{(\w+)\}", path)
        body = _body(operation, document)
        if not names or names == ["session"]:
            continue
        if operation.get("x-access") == "palace":
            assert {*names} <= {"pointer", "wing", "room"}, f"{path}: whose is it?"  # the palace is the user's
            continue
        if not {"pointer", "wing", "room", "closet", "entity", "session", "job"} & {*names}:
            answer = server.ask(method, _filled(path, bob["coder"]), body, token=user_key)
            assert answer.status_code == 404, (
                f"{method} {path} with another user's ids: {answer.status_code} {answer.text}"
            )
            asked += 1
        for whose, ids in (("agent", ada["writer"]), ("user", bob["coder"])):
            answer = server.ask(method, _filled(path, ids), body, token=agent_key)
            told = f"{method} {path} with another {whose}'s: {answer.status_code} {answer.text}"
            assert answer.status_code == 404, told
            asked += 1
    assert asked > 60
    assert _rows(server) == before


def _rows(server: Server) -> list[Any]:
    with connect(server.settings) as connection:
        query = "SELECT id, content, is_redacted FROM memories WHERE kind <> 'drawer' ORDER BY id"
        return connection.execute(query).fetchall()


def test_c11_an_agents_key_reaches_its_own_and_the_palace_only_where_that_was_said(server: Server) -> None:
    ids = _belongings(server, "ada own")["coder"]
    own, with_palace = server.of("ada own", agent="coder"), server.of("ada own", agent="coder", palace=True)
    document = server.get("/openapi.json", token="")
    for method, path, operation in _paths(document):
        if method == "GET" and operation.get("x-access") == "agent":
            own.get(_filled(path, ids))
            own.get(_filled(path, {**ids, "agent": "coder"}))
    question = {"question": "Which cells should go into the e-foil?"}
    assert own.ask("POST", "/v1/recall", question).status_code == 404
    assert with_palace.post("/v1/recall", question)["results"]
    assert own.ask("GET", "/v1/memories").status_code == 404
    own.post(f"/v1/agents/{ids['agent']}/core", {"content": "mine"})
    with Memory(settings=replace(server.settings, user="ada own"), background=False) as memory:
        memory.agents.change("coder", memory_disabled=True)
    assert not with_palace.post("/v1/recall", question)["results"]


def test_c11_every_operation_says_to_whom_it_is_open_and_what_its_ids_are(server: Server) -> None:
    document = server.get("/openapi.json", token="")
    for method, path, operation in _paths(document):
        names = re.findall(r"\{(\w+)\}", path)
        if operation.get("x-access") == "agent":
            assert names, f"{method} {path} is open to agents' keys and names nothing that could be the agent's"
        assert operation["security"], f"{method} {path} needs no key"


def test_c11_a_read_only_key_changes_nothing(server: Server) -> None:
    reader = server.of("ada reads", read_only=True)
    for method, path, operation in _paths(server.get("/openapi.json", token="")):
        if method != "GET" and not operation.get("x-reads"):
            filled = re.sub(r"\{(\w+)\}", "00000000-0000-0000-0000-000000000000", path)
            assert reader.ask(method, filled, {}).status_code == 403, f"{method} {path}"
    assert reader.post("/v1/recall", {"question": "anything"})["results"] == []


def test_c11_a_key_is_shown_once_kept_as_a_hash_and_opens_nothing_once_revoked_or_expired(server: Server) -> None:
    with Memory(settings=replace(server.settings, user="ada keys"), background=False) as memory:
        made = memory.keys.create("notebook", expires_at=datetime.now(UTC) + timedelta(hours=1))
        secret = made.token[-43:]
        assert memory.audit.absent(secret).absent
        assert server.ask("GET", "/v1/settings", token=made.token).status_code == 200
        assert memory.keys.list()[0].last_used_at is not None
        wrong = made.token[:-1] + ("A" if made.token[-1] != "A" else "B")
        for token in (wrong, made.token + "A", "rk_", "x" * 89, "é", "a.b.c"):
            assert (
                server.ask(
                    "GET", "/v1/settings", headers={"Authorization": b"Bearer " + token.encode()}, token=""
                ).status_code
                == 401
            )
        with connect(server.settings) as connection:
            connection.execute("SET ricordo.user_id = ''")
            connection.execute("UPDATE api_keys SET expires_at = now() WHERE id = %s", [made.key.id])
        other = memory.keys.create("phone")
        assert server.ask("GET", "/v1/settings", token=other.token).status_code == 200
        memory.keys.revoke(other.key.id)
        assert server.ask("GET", "/v1/settings", token=other.token).status_code == 401
    assert server.ask("POST", "/v1/keys", {"name": "more"}).status_code == 404


def test_c11_keys_of_a_deleted_agent_go_with_it(server: Server) -> None:
    with Memory(settings=replace(server.settings, user="ada agents"), background=False) as memory:
        memory.agents.create("coder")
        token = memory.keys.create("bot", agent="coder").token
        assert server.ask("GET", "/v1/agents/coder", token=token).status_code == 200
        memory.agents.delete("coder")
        assert server.ask("GET", "/v1/agents/coder", token=token).status_code == 401


def test_c11_other_hosts_and_other_sites_pages_are_refused(server: Server) -> None:
    assert server.ask("GET", "/v1/settings", headers={"Host": "evil.example"}).status_code == 421
    assert server.ask("GET", "/healthz", headers={"Host": "evil.example:80"}, token="").status_code == 421
    assert server.sessions is not None
    link = server.sessions.link()
    assert server.ask("GET", "/signin?token=wrong", token="").status_code == 401
    signed = server.ask("GET", f"/signin?token={link}", token="")
    assert signed.status_code == 303
    assert server.ask("GET", f"/signin?token={link}", token="").status_code == 401
    cookie = signed.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    jar = {"Cookie": cookie.partition(";")[0]}
    assert server.ask("GET", "/v1/settings", token="", headers=jar).status_code == 200
    page = {**jar, "Origin": server.url}
    assert server.ask("PATCH", "/v1/settings", {"top_k": 6}, token="", headers=jar).status_code == 403
    assert (
        server.ask(
            "PATCH", "/v1/settings", {"top_k": 6}, token="", headers={**jar, "Origin": "http://evil.example"}
        ).status_code
        == 403
    )
    assert (
        server.ask(
            "PATCH", "/v1/settings", {"top_k": 6}, token="", headers={**page, "Sec-Fetch-Site": "cross-site"}
        ).status_code
        == 403
    )
    assert server.ask("PATCH", "/v1/settings", {"top_k": 6}, token="", headers=page).status_code == 200
    preflight = server.ask(
        "OPTIONS",
        "/v1/settings",
        token="",
        headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "GET"},
    )
    assert "access-control-allow-origin" not in {name.lower() for name in preflight.headers}
    assert server.ask("POST", "/signout", token="", headers=page).status_code == 200
    assert server.ask("GET", "/v1/settings", token="", headers=jar).status_code == 401
