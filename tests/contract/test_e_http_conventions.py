"""E6 and E7 over HTTP, and what operations have in common: problems, pages, versions, requests that are done once."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import requests

from gates import served
from http_server import Server, running
from llm_server import MODEL, serving
from ricordo.accounts import user_id_of
from ricordo.api import Serving
from ricordo.blocking import Memory
from stores import connect, settings_for
from talks import BATTERY, LISBON


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home), largest_body=200_000) as server:
        yield server


@pytest.fixture
def ada(server: Server) -> Server:
    """The server, asked by a user who has nothing yet."""
    return server.of(f"ada {uuid4()}")


def test_e6_a_context_has_no_more_tokens_than_were_asked_for_and_a_dry_run_costs_nothing(ada: Server) -> None:
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    question = {"question": "Which cells should go into the e-foil?"}
    assert ada.post("/v1/recall", {**question, "max_tokens": 70})["tokens"] <= 70
    assert ada.post("/v1/recall", {**question, "rerank": True, "dry_run": True})["results"]
    assert ada.get("/v1/usage/calls")["items"] == []


def test_e7_two_servers_and_a_library_on_one_store_lose_nothing(server: Server, ada: Server) -> None:
    with running(server.settings) as second, Memory(settings=replace(server.settings, user=_user(ada))) as memory:
        resources = [ada, replace(second, token=ada.token)]

        def write(number: int) -> None:
            resources[number % 2].post("/v1/notes", {"content": f"note {number}"})

        threads = [threading.Thread(target=write, args=[number]) for number in range(12)]
        for each in threads:
            each.start()
        memory.notes.create("note of the library")
        for each in threads:
            each.join()
        found = {each["content"] for each in resources[1].get("/v1/memories")["items"]}
    assert found == {"note of the library", *(f"note {number}" for number in range(12))}


def _user(server: Server) -> str:
    with Memory(settings=server.settings, background=False) as memory:
        key = served(memory).key_of_token(server.token)
    assert key is not None
    return str(key.user)


def test_a_request_with_an_idempotency_key_is_done_once(ada: Server) -> None:
    once = {"Idempotency-Key": "note-1"}
    first = ada.ask("POST", "/v1/notes", {"content": "only once"}, headers=once)
    again = ada.ask("POST", "/v1/notes", {"content": "only once"}, headers=once)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content and first.headers["ETag"] == again.headers["ETag"]
    assert again.headers["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first.headers
    assert ada.ask("POST", "/v1/notes", {"content": "other"}, headers=once).status_code == 422
    assert len(ada.get("/v1/memories")["items"]) == 1
    # What breaks a rule was not done, and may be mended.
    wrong = {"Idempotency-Key": "note-2"}
    assert ada.ask("POST", "/v1/notes", {"content": " "}, headers=wrong).status_code == 422
    assert ada.ask("POST", "/v1/notes", {"content": "mended"}, headers=wrong).status_code == 201


def test_requests_under_one_key_at_once_are_done_once(ada: Server) -> None:
    statuses: list[int] = []

    def write() -> None:
        answer = ada.ask("POST", "/v1/notes", {"content": "at once"}, headers={"Idempotency-Key": "at-once"})
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert set(statuses) <= {201, 409} and 201 in statuses
    assert len(ada.get("/v1/memories")["items"]) == 1


def test_what_a_crash_left_is_done_again_only_if_it_was_not_done(server: Server, ada: Server) -> None:
    for key in ("undone", "done"):
        ada.ask("POST", "/v1/notes", {"content": key}, headers={"Idempotency-Key": key})
    user = user_id_of(_user(ada))
    with connect(server.settings) as connection:
        connection.execute(
            "UPDATE answers SET body = NULL, claimed_at = now() - interval '1 hour' WHERE user_id = %s", [user]
        )
        first = "SELECT min(id) FROM answers WHERE user_id = %s"
        undone = connection.execute(f"UPDATE answers SET done_at = NULL WHERE id = ({first})", [user])
    assert undone.rowcount == 1
    answers = [
        ada.ask("POST", "/v1/notes", {"content": key}, headers={"Idempotency-Key": key}).status_code
        for key in ("undone", "done")
    ]
    # Done again, the write finds the note that the first one left: a duplicate, and nothing is stored twice.
    assert sorted(answers) == [200, 409]
    assert len(ada.get("/v1/memories")["items"]) == 2


def test_editing_is_known_to_be_done_when_the_server_dies_before_it_answers(
    ada: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: Any) -> None:
        raise OSError("the server dies here")

    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY, "title": "Battery talk"})
    ada.post("/v1/conversations", {"conversation": "l", "messages": LISBON})
    changes = [("/v1/palace/wings/W-001", {"name": "Cells"}), ("/v1/entities/Ines", {"alias": "Nes"})]
    for path, change in changes:
        with monkeypatch.context() as patched:
            patched.setattr(Serving, "keep_answer", dies)
            assert ada.ask("PATCH", path, change, headers={"Idempotency-Key": path}).status_code == 500
        again = ada.ask("PATCH", path, change, headers={"Idempotency-Key": path})
        assert (again.status_code, again.json()["type"]) == (409, "urn:ricordo:problem:done-before")


def test_one_key_pays_for_one_answer_whatever_dies(server_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _: "LiFePO4 [§ W-001/R-01/D-002].") as llm:
        settings = replace(settings_for(server_home), llm_url=llm.address, llm_model=MODEL)
        with running(settings) as server:
            ada = server.of("ada")
            ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})

            def ask(key: str) -> requests.Response:
                question = {"question": "Which cells should go into the e-foil?"}
                return ada.ask("POST", "/v1/ask", question, headers={"Idempotency-Key": key})

            def paid() -> int:
                sent = sum("Question: " in str(each["messages"]) for each in llm.requests)
                calls = [each for each in ada.get("/v1/usage/calls")["items"] if each["source"] == "memory_qa"]
                assert {each["outcome"] for each in calls} == {"answered"} and len(calls) == sent
                return sent

            first, again = ask("one"), ask("one")
            assert first.json() == again.json() and again.headers["Idempotency-Replayed"] == "true"
            assert paid() == 1

            async def dies(*_: Any) -> None:
                raise RuntimeError("the server dies")

            with monkeypatch.context() as patched:
                patched.setattr(Serving, "keep_answer", dies)
                assert ask("two").status_code == 500
            repeated = ask("two")
            assert (repeated.status_code, repeated.json()["type"]) == (409, "urn:ricordo:problem:done-before")
            assert paid() == 2


def test_a_kept_answer_goes_when_a_memory_is_forgotten(ada: Server) -> None:
    made = ada.post("/v1/notes", {"content": "swordfish"}, headers={"Idempotency-Key": "secret"})
    ada.good("DELETE", f"/v1/memories/{made['id']}")
    again = ada.ask("POST", "/v1/notes", {"content": "swordfish"}, headers={"Idempotency-Key": "secret"})
    assert (again.status_code, again.json()["type"]) == (409, "urn:ricordo:problem:done-before")
    with connect(ada.settings) as connection:
        rows = connection.execute("SELECT body FROM answers WHERE body IS NOT NULL").fetchall()
    assert not [each for each in rows if b"swordfish" in each[0]]


def test_a_change_that_rests_on_an_old_version_is_refused(ada: Server) -> None:
    agent = ada.post("/v1/agents", {"name": "coder"})
    profile = ada.get("/v1/agents/coder/profiles")["items"][0]
    entry = ada.post(f"/v1/profiles/{profile['id']}/entries", {"content": "one"})
    note = ada.post("/v1/notes", {"content": "one"})
    changes: list[tuple[str, dict[str, Any]]] = [
        (f"/v1/memories/{entry['id']}", {"content": "two"}),
        (f"/v1/notes/{note['id']}", {"content": "two"}),
        (f"/v1/agents/{agent['id']}", {"system_prompt": "two"}),
        (f"/v1/profiles/{profile['id']}", {"injection_limit": 2}),
        ("/v1/settings", {"top_k": 2}),
    ]
    for path, change in changes:
        tag = ada.ask("GET", path).headers["ETag"]
        changed = ada.ask("PATCH", path, change, headers={"If-Match": tag})
        assert changed.status_code == 200, (path, changed.text)
        assert ada.ask("PATCH", path, change, headers={"If-Match": tag}).status_code == 412, path
        assert ada.ask("PATCH", path, change, headers={"If-Match": changed.headers["ETag"]}).status_code == 200, path
        assert ada.ask("PATCH", path, change, headers={"If-Match": "*"}).status_code == 200, path


def test_a_tag_that_is_none_of_this_version_changes_nothing(ada: Server) -> None:
    note, other = (ada.post("/v1/notes", {"content": content}) for content in ("one", "another"))
    path = f"/v1/notes/{note['id']}"
    tag, others = (ada.ask("GET", f"/v1/notes/{each['id']}").headers["ETag"] for each in (note, other))
    wrong = {
        others: 412, '""': 412, '"x"': 412, f'"{tag[1:-1]}x"': 412, f'"{tag[1:-1].upper()}"': 412, '"*"': 412,
        "": 422, '"': 422, f"{tag}, {others}": 422, f"{tag},{tag}": 422, f"{tag}x": 422, "w/" + tag: 422, "**": 422,
    }  # fmt: skip
    for given, status in wrong.items():
        answer = ada.ask("PATCH", path, {"content": "two"}, headers={"If-Match": given})
        assert answer.status_code == status, (given, answer.text)
    assert ada.get(path)["content"] == "one"
    assert ada.ask("PATCH", path, {"content": "two"}, headers={"If-Match": f"W/{tag}"}).status_code == 200


def test_conditions_that_an_operation_does_not_look_at_are_refused(ada: Server) -> None:
    """Done without them, it would undo what came between. Of all operations that change something."""
    note = ada.post("/v1/notes", {"content": "one"})
    refused = ada.ask("DELETE", f"/v1/memories/{note['id']}", headers={"If-Match": '"old"'})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "header.If-Match")
    assert ada.get(f"/v1/memories/{note['id']}")["content"] == "one"
    tried = 0
    for path, operations in ada.get("/openapi.json")["paths"].items():
        for method, operation in operations.items():
            if method == "get" or operation.get("x-reads") or operation.get("x-access") == "person":
                continue
            if not path.startswith("/v1"):
                continue
            taken = {each["name"] for each in operation.get("parameters", ())}
            for name in {"If-Match", "If-None-Match"} - taken:
                answer = ada.ask(method.upper(), re.sub(r"\{\w+\}", str(uuid4()), path), {}, headers={name: "*"})
                assert answer.status_code == 422 and f"{name}: is not supported by this operation" in answer.text, (
                    method,
                    path,
                )
                tried += 1
    assert tried > 80
    assert ada.ask("GET", "/v1/settings", headers={"If-None-Match": "*", "If-Match": '"x"'}).status_code == 200


def test_of_changes_at_once_with_the_same_tag_one_is_done(ada: Server) -> None:
    agent = ada.post("/v1/agents", {"name": "coder"})
    profile = ada.get("/v1/agents/coder/profiles")["items"][0]
    entry = ada.post(f"/v1/profiles/{profile['id']}/entries", {"content": "one"})
    note = ada.post("/v1/notes", {"content": "one"})
    short = ada.post("/v1/notes", {"content": "one", "retention": "short_term", "session": "s"})
    changes: dict[str, tuple[str, Any]] = {
        f"/v1/memories/{entry['id']}": ("content", str), f"/v1/notes/{note['id']}": ("content", str),
        f"/v1/notes/{short['id']}": ("content", str), f"/v1/agents/{agent['id']}": ("system_prompt", str),
        f"/v1/profiles/{profile['id']}": ("injection_limit", int), "/v1/settings": ("top_k", int),
    }  # fmt: skip
    for path, (field, kind) in changes.items():
        tag = ada.ask("GET", path).headers["ETag"]
        with ThreadPoolExecutor(8) as threads:
            answers = list(
                threads.map(
                    lambda number, at=(path, field, kind, tag): ada.ask(
                        "PATCH", at[0], {at[1]: at[2](number)}, headers={"If-Match": at[3]}
                    ),
                    range(11, 19),
                )
            )
        assert sorted(each.status_code for each in answers) == [200] + [412] * 7, (path, answers)
        [done] = [each for each in answers if each.ok]
        assert ada.get(path)[field] == done.json()[field]
        assert ada.ask("GET", path).headers["ETag"] == done.headers["ETag"]


def test_a_change_with_a_tag_and_a_key_is_sent_again_and_done_once(ada: Server) -> None:
    note = ada.post("/v1/notes", {"content": "one"})
    path = f"/v1/notes/{note['id']}"
    headers = {"If-Match": ada.ask("GET", path).headers["ETag"], "Idempotency-Key": "k"}
    first = ada.ask("PATCH", path, {"content": "two"}, headers=headers)
    again = ada.ask("PATCH", path, {"content": "two"}, headers=headers)
    assert (first.status_code, again.status_code, again.headers["ETag"]) == (200, 200, first.headers["ETag"])
    failed = {**headers, "Idempotency-Key": "later"}
    assert ada.ask("PATCH", path, {"content": "three"}, headers=failed).status_code == 412  # nothing came of it:
    mended = {**failed, "If-Match": first.headers["ETag"]}
    assert ada.ask("PATCH", path, {"content": "three"}, headers=mended).status_code == 200


def test_a_new_key_is_kept_nowhere_for_a_repetition(server: Server) -> None:
    assert server.sessions is not None
    signed = server.ask("GET", f"/signin?token={server.sessions.link()}", token="")
    page = {"Cookie": signed.headers["Set-Cookie"].split(";")[0], "Origin": server.url, "Idempotency-Key": "key"}
    answers = [server.ask("POST", "/v1/keys", {"name": "new"}, token="", headers=page) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 409], answers[1].text
    assert answers[1].json()["type"] == "urn:ricordo:problem:done-before"
    with connect(server.settings) as connection:
        kept = connection.execute("SELECT body FROM answers WHERE body IS NOT NULL").fetchall()
    assert not [each for each in kept if answers[0].json()["token"].encode() in each[0]]


def test_a_page_of_an_allowed_origin_may_send_what_operations_take_and_read_refusals(server_home: Path) -> None:
    origin = {"Origin": "https://app.example"}
    with running(settings_for(server_home), origins=("https://app.example",), largest_body=1000) as server:
        taken = {
            parameter["name"]
            for operations in server.get("/openapi.json")["paths"].values()
            for operation in operations.values()
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "header"
        } | {"Authorization", "Content-Type", "Mcp-Protocol-Version"}
        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": ", ".join(sorted(taken))}
        assert server.ask("OPTIONS", "/v1/conversations", token="", headers={**origin, **asked}).status_code == 200
        large = {"content": "x" * 2000}
        for answer in (
            server.ask("POST", "/v1/notes", large, headers=origin),
            server.ask("POST", "/v1/notes", {}, headers={**origin, "Content-Encoding": "gzip"}),
            server.ask("GET", "/v1/settings", token="", headers=origin),
        ):
            assert answer.status_code in (401, 413, 415)
            assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example"


def test_pages_bring_everything_once_while_more_is_written(ada: Server) -> None:
    for number in range(7):
        ada.post("/v1/notes", {"content": f"note {number}"})
    seen: list[str] = []
    cursor = None
    while True:
        page = ada.get("/v1/memories", params={"limit": 3, **({"cursor": cursor} if cursor else {})})
        seen += [each["content"] for each in page["items"]]
        ada.post("/v1/notes", {"content": "newer"})
        cursor = page["cursor"]
        if cursor is None:
            break
    assert seen == [f"note {number}" for number in reversed(range(7))]
    assert ada.ask("GET", "/v1/memories?cursor=x").status_code == 422


def test_problems_tell_what_broke_and_nothing_that_was_sent(ada: Server) -> None:
    answer = ada.ask("POST", "/v1/notes", {"content": "x", "importance": "swordfish", "misspelt": 1})
    told = answer.json()
    assert answer.status_code == 422 and answer.headers["Content-Type"] == "application/problem+json"
    assert {each["field"] for each in told["errors"]} == {"body.importance", "body.misspelt"}
    problems = {each["field"]: each["problem"] for each in told["errors"]}
    assert problems["body.misspelt"] == "is not a field of this request"
    assert problems["body.importance"] == "must be an integer"
    assert "swordfish" not in answer.text
    assert told["request_id"] == answer.headers["X-Request-Id"]
    for path, expected in {
        "activity?limit=0": "query.limit: must be at least 1",
        "activity?limit=abc": "query.limit: must be an integer",
        "activity?since=32.13.2026": "query.since: invalid time '32.13.2026': expected ISO 8601",
        "memories/abc": "path.memory: must be a UUID, such as 01a22af0-",
    }.items():
        assert ada.ask("GET", f"/v1/{path}").json()["detail"].startswith(expected)
    of_type = ada.ask("GET", "/v1/activity?type=moon").json()["detail"]
    assert of_type.startswith("query.type.0: must be 'memory_mined'") and "literal[" not in of_type
    assert ada.ask("POST", "/v1/recall", [1]).json()["detail"] == "body: must be an object"
    outside = ada.ask("POST", "/v1/notes", {"content": "x", "importance": 11}).json()
    assert outside["errors"][0]["field"] == "importance"


def test_problems_say_what_where_and_what_to_do(ada: Server) -> None:
    def told(answer: requests.Response, status: int) -> Any:
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
        return answer.json()

    assert "GET /openapi.json" in told(ada.ask("GET", "/v1/memory"), 404)["detail"]
    refused = ada.ask("PUT", "/v1/settings")
    assert "header Allow" in told(refused, 405)["detail"] and "GET" in refused.headers["Allow"]
    headers = {"Content-Type": "application/json"}
    broken = told(ada.ask("POST", "/v1/notes", data=b'{"content": "x",}', headers=headers), 422)
    assert broken["errors"][0]["field"] == "body"
    assert broken["errors"][0]["problem"].startswith("is not valid JSON: ") and "at character 1" in broken["detail"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b"null", b'"text"', b"\xff\xfe", b'{"content": "\\ud800"}', b"[" * 5000]
)
def test_malformed_bodies_are_refused_and_the_server_lives(ada: Server, body: bytes) -> None:
    answer = requests.post(
        f"{ada.url}/v1/notes",
        data=body,
        headers={"Authorization": f"Bearer {ada.token}", "Content-Type": "application/json"},
        timeout=300,
    )
    assert answer.status_code in (400, 422), answer.text
    assert ada.get("/v1/memories")["items"] == []


def test_huge_bodies_and_other_types_are_refused(ada: Server) -> None:
    headers = {"Authorization": f"Bearer {ada.token}", "Content-Type": "application/json"}
    huge = json.dumps({"content": "x" * 300_000}).encode()
    for sent in (huge, iter([huge])):  # with its length, and in chunks without
        answer = requests.post(f"{ada.url}/v1/notes", data=sent, headers=headers, timeout=300)
        assert (answer.status_code, answer.json()["status"]) == (413, 413)
    form = requests.post(
        f"{ada.url}/v1/notes", data={"content": "x"}, headers={"Authorization": headers["Authorization"]}, timeout=300
    )
    assert form.status_code in (415, 422)
    assert ada.ask("PUT", "/v1/notes").status_code == 405
    for name in ("a%00b", "%ED%A0%80", "é" * 5000):
        assert ada.ask("GET", f"/v1/agents/{name}").status_code in (404, 414, 422), name


def test_too_many_requests_of_one_key_wait_and_those_of_another_do_not(server_home: Path) -> None:
    with running(settings_for(server_home), rate="3/minute") as server:
        statuses = [server.ask("GET", "/v1/settings").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        refused = server.ask("GET", "/v1/settings")
        assert 0 < int(refused.headers["Retry-After"]) <= 60
        assert server.of("bob").ask("GET", "/v1/settings").status_code == 200
