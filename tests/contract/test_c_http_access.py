"""C11 over HTTP: a key opens one user's memory or one agent's part of it, and nothing else anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from http_server import Server, running
from ricordo.blocking import Memory
from ricordo.http import access
from ricordo.models import Change
from stores import connect, settings_for
from talks import BATTERY


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        yield server


def _mark(user: str, agent: str) -> str:
    """A text that stands in all that is an agent's, and nowhere else."""
    return f"mark of {agent} of {user}"


def _belongings(server: Server, user: str) -> dict[str, dict[str, str]]:
    """Two agents of a user with one of everything: the ids by agent and by their names in paths, queries and bodies."""
    found: dict[str, dict[str, str]] = {}
    with Memory(settings=replace(server.settings, user=user), background=False) as memory:
        talk = {"role": "user", "content": f"I told Ada the {_mark(user, 'palace')}."}
        receipt = memory.mine([*BATTERY, talk], conversation=f"talk of {user}")
        note = memory.notes.create("kept").memory
        memory.entities.add_relation("Ada", "likes", "tea")
        [fact, *_] = memory.facts.list()
        for name in ("coder", "writer"):
            mark = _mark(user, name)
            agent = memory.agents.create(name, system_prompt=mark)
            [profile] = memory.profiles.list(agent.id)
            entry = memory.entries.write(profile.id, f"{mark} deploys on Thursdays").id
            for _ in range(3):
                memory.journal.save(agent.id, f"The user wants the {mark} every time.")
            memory.proposals.propose(agent.id)  # unless the server's own work was faster
            [proposal, *_] = memory.proposals.list(agent.id)
            board = memory.whiteboards.create(f"{name}'s", [agent.id])
            memory.whiteboards.write(board.id, mark, agent.id)
            memory._call(memory._inner.documents.write, "kept", [Change((mark,), "k", {"v": mark})], agent=agent.id)
            run = memory.runs.start(agent.id, f"do the {mark}")
            operation = memory.operations.mine(BATTERY, conversation=f"later of {user}", agent=agent.id)
            upload = memory.operations.create_upload()
            memory.profiles.change(profile.id, review="agents")
            memory.entries.write(profile.id, f"{mark} waits", source="agent")
            [held, *_] = memory.review.list()
            memory.profiles.change(profile.id, review="nothing")
            found[name] = {
                "agent": str(agent.id),
                "from_agent": str(agent.id),
                "to_agent": str(agent.id),
                "agents": str(agent.id),
                "profile": str(profile.id),
                "memory": str(entry),
                "note": str(note.id),
                "fact": str(fact.id),
                "run": str(run.id),
                "proposal": str(proposal.id),
                "whiteboard": str(board.id),
                "key": str(memory.keys.create("k", agent=agent.id).key.id),
                "operation": str(operation.id),
                "upload": str(upload.id),
                "held": str(held.id),
                "pointer": receipt.pointer or "",
                "wing": "W-001",
                "room": "W-001/R-01",
                "closet": "1",
                "entity": "Ada",
                "session": "default",
                "job": "1",
                "collection": "kept",
                "device": str(uuid4()),
                "number": "1",
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


def _query(operation: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """What must be in the query, and every id that may be."""
    parameters = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
    return {
        each["name"]: _value(each["name"], each["schema"], ids)
        for each in parameters
        if each.get("required") or each["name"] in ids
    }


def _body(operation: dict[str, Any], document: dict[str, Any], ids: dict[str, str]) -> Any:
    """A body that fits the operation's schema: what must be in it, and every id that may be."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    name = content["schema"]["$ref"].rpartition("/")[2]
    schema = document["components"]["schemas"][name]
    wanted = {*schema.get("required", []), *(schema["properties"].keys() & ids.keys())}
    return {field: _value(field, schema["properties"][field], ids) for field in sorted(wanted)}


_GOOD = {
    "moment": "2026-03-01T18:00:00Z", "kind": "person", "messages": [{"content": "Hello."}], "payload": {},
    "input": "1", "output": "1", "model": "m", "name": "something", "changes": [], "places": [], "items": [],
}  # fmt: skip


def _value(name: str, schema: dict[str, Any], ids: dict[str, str]) -> Any:
    is_list = "array" in [each.get("type") for each in (schema, *schema.get("anyOf", ()))]
    value = ids.get(name) or _GOOD.get(name, "something")
    return [value] if is_list and not isinstance(value, list) else value


#: Names in paths that mean the same for each user: another's are simply not there.
_NUMBERED = {
    "pointer", "wing", "room", "closet", "entity", "session", "job", "collection", "device", "number",
}  # fmt: skip


def _leaks(server: Server, one: str, other: str) -> Iterator[str]:
    """What keys reach that they should not: a user's key what is another user's, an agent's what is another agent's or
    another user's, by ids in the path, in the query and in the body."""
    ada, bob = _belongings(server, one), _belongings(server, other)
    document = server.get("/openapi.json", token="")
    keys = {"user": server.key(one), "agent": server.key(one, agent="coder", palace=True)}
    tries = [("user", ada["coder"], bob["coder"], [_mark(other, name) for name in ("coder", "writer", "palace")])]
    for others, names in ((ada["writer"], []), (bob["coder"], ["palace"])):
        marks = [_mark(one, "writer"), *(_mark(other, name) for name in ("coder", "writer", *names))]
        tries.append(("agent", ada["coder"], others, marks))
    before = _rows(server)
    for method, path, operation in _paths(document):
        if (method, path) == ("DELETE", "/v1/user"):
            continue  # it removes what the other tries need
        inside = {*re.findall(r"\{(\w+)\}", path)}
        for whose, own, foreign, marks in tries:
            for ids in (foreign, own):
                query, body = _query(operation, foreign), _body(operation, document, foreign)
                if ids is own and (method == "DELETE" or "upload" in inside):
                    continue
                answer = server.ask(method, _filled(path, ids), body, token=keys[whose], params=query)
                told = f"{method} {path} by the {whose}'s key with {'foreign' if ids is foreign else 'own'} ids in it"
                if answer.status_code >= 500 and "no LLM" not in answer.text:
                    yield f"{told}: {answer.status_code}"
                yield from (f"{told} tells the {each}" for each in marks if each in answer.text)
                is_theirs = inside - _NUMBERED if whose == "user" or operation.get("x-access") == "palace" else inside
                if ids is foreign and is_theirs - {"session", "collection"} and answer.status_code != 404:
                    yield f"{told}: {answer.status_code} {answer.text[:200]}"
    own_entries, after = {UUID(ada["coder"]["memory"]), UUID(ada["coder"]["run"])}, _rows(server)
    yield from (f"{each} was changed" for each in before if each[0] not in own_entries and each not in after)


def _rows(server: Server) -> list[Any]:
    """What stands in the marked memories, which nobody here may change, and who did what in whose run."""
    with connect(server.settings) as connection:
        entries = connection.execute(
            "SELECT id, content, is_redacted FROM memories WHERE kind <> 'drawer' AND content LIKE '%mark of%'"
        )
        runs = "SELECT l.run_id, array_agg(DISTINCT l.actor ORDER BY l.actor) FROM access_log l JOIN runs r "
        runs += "ON r.user_id = l.user_id AND r.id = l.run_id GROUP BY 1"
        return [*entries.fetchall(), *connection.execute(runs).fetchall()]


def test_c11_another_users_and_another_agents_ids_are_not_found_on_any_path(server: Server) -> None:
    leaks = list(_leaks(server, "ada of c11", "bob of c11"))
    assert not leaks, "\n".join(leaks)


def test_c11_a_gate_that_lets_other_agents_ids_pass_is_noticed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def anybody(caller: Any, agent: Any, name: str, value: str) -> Any:
        return agent

    monkeypatch.setattr(access, "_owner", anybody)
    leaks = _leaks(server, "ada of the open gate", "bob of the open gate")
    assert any("tells the mark of writer" in each for each in leaks)


def test_c11_an_agents_key_reaches_its_own_and_the_palace_only_where_that_was_said(server: Server) -> None:
    ids = _belongings(server, "ada own")["coder"]
    own, with_palace = server.of("ada own", agent="coder"), server.of("ada own", agent="coder", palace=True)
    document = server.get("/openapi.json", token="")
    for method, path, operation in _paths(document):
        if method == "GET" and operation.get("x-access") == "agent":
            query = {name: value for name, value in _query(operation, {}).items() if name == "moment"}
            query = query and {"moment": "2099-01-01T00:00:00Z"}
            own.get(_filled(path, ids), params=query)
            own.get(_filled(path, {**ids, "agent": "coder"}), params=query)
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
        assert server.ask("GET", "/v1/settings", token=made.token).status_code == 401
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
