"""Long work over HTTP: begun, followed, cancelled; and the files that come for it."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
import requests

from http_server import Server, running
from ricordo.accounts import user_id_of
from stores import connect, settings_for
from talks import BATTERY, LISBON

TEXT = b"Ada: Is the pack here?\nBen: It came this morning.\nAda: Good.\n"
NOBODY = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home), largest_body=200_000, largest_upload=3_000_000) as server:
        yield server


@pytest.fixture
def ada(server: Server) -> Server:
    return server.of(f"ada {uuid4()}")


def _ended(server: Server, operation: dict[str, Any]) -> dict[str, Any]:
    """The operation once it is over."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        told: dict[str, Any] = server.get(f"/v1/operations/{operation['id']}")
        if told["ended_at"] is not None:
            return told
        time.sleep(0.05)
    raise AssertionError(f"it does not end: {told}")


def _put(server: Server, upload: dict[str, Any], name: str, body: Any) -> requests.Response:
    return server.ask("PUT", f"/v1/uploads/{upload['id']}/files", params={"name": name}, data=body)


def test_a_conversation_is_mined_in_the_background_where_that_is_preferred(ada: Server) -> None:
    talk = {"conversation": "c", "messages": BATTERY, "title": "Battery talk"}
    later = {"Prefer": "wait=5, respond-async", "Idempotency-Key": "later"}
    answer = ada.ask("POST", "/v1/conversations", talk, headers=later)
    begun = answer.json()
    assert (answer.status_code, answer.headers["Location"]) == (202, f"/v1/operations/{begun['id']}")
    assert ada.ask("POST", "/v1/conversations", talk, headers=later).json() == begun
    ended = _ended(ada, begun)
    assert (ended["kind"], ended["state"], ended["done"], ended["total"]) == ("mine", "done", 4, 4)
    assert (ended["result"]["status"], ended["result"]["stored"]) == ("stored", 4)
    assert [each["id"] for each in ada.get("/v1/operations?state=done")["items"]] == [begun["id"]]
    assert ada.get("/v1/operations?state=running")["items"] == []
    with connect(ada.settings) as owner:
        assert owner.execute("SELECT count(*) FROM upload_chunks").fetchone() == (0,)
    automatic = ada.ask("POST", "/v1/conversations", {**talk, "automatic": True}, headers={"Prefer": "respond-async"})
    assert automatic.status_code == 422


def test_an_agent_follows_what_it_began_and_nothing_else(ada: Server) -> None:
    for name in ("coder", "writer"):
        ada.post("/v1/agents", {"name": name})
    user = _user(ada)
    coder, writer = (ada.of(user, agent=name, palace=True) for name in ("coder", "writer"))
    later = {"Prefer": "respond-async"}
    begun = coder.ask("POST", "/v1/conversations", {"conversation": "c", "messages": BATTERY}, headers=later).json()
    assert _ended(coder, begun)["state"] == "done"
    assert writer.ask("GET", f"/v1/operations/{begun['id']}").status_code == 404
    assert writer.ask("POST", f"/v1/operations/{begun['id']}/cancel").status_code == 404
    assert coder.ask("GET", "/v1/operations").status_code == 404
    own = ada.ask("POST", "/v1/conversations", {"conversation": "d", "messages": LISBON}, headers=later).json()
    assert coder.ask("GET", f"/v1/operations/{own['id']}").status_code == 404


def _user(server: Server) -> str:
    return str(server.get("/v1/user")["user"])


def test_files_are_uploaded_surveyed_and_imported(ada: Server) -> None:
    upload = ada.post("/v1/uploads")
    neutral = [{"id": "n1", "title": "Battery talk", "messages": BATTERY}]
    for name, body in (
        ("chats/a.json", json.dumps(neutral).encode()),
        ("chats/b.txt", b"Ada: cut"),
        ("notes.bin", b"\x00\x01\x02"),
    ):
        assert _put(ada, upload, name, body).status_code == 200
    again = _put(ada, upload, "chats/b.txt", iter([TEXT[:9], TEXT[9:]])).json()
    assert [(each["name"], each["bytes"]) for each in again["files"]][1] == ("chats/b.txt", len(TEXT))
    survey = _ended(ada, ada.post(f"/v1/uploads/{upload['id']}/survey"))
    found = survey["result"]
    assert (survey["state"], found["conversations"], found["turns"]) == ("done", 2, 7)
    assert {each["format"] for each in found["formats"]} == {"json", "text"}
    assert found["seconds"] >= 0 and found["first"].startswith("2026-03-01")
    [left_out] = found["problems"]
    assert "notes.bin" in left_out["what"] and "tmp" not in json.dumps(found)
    assert ada.get("/v1/palace/wings")["items"] == []
    imported = _ended(ada, ada.post(f"/v1/uploads/{upload['id']}/import"))
    assert (imported["state"], imported["result"]["stored"], imported["done"], imported["total"]) == ("done", 7, 7, 7)
    assert ada.ask("GET", f"/v1/uploads/{upload['id']}").status_code == 404
    # The same files again bring nothing new.
    second = ada.post("/v1/uploads")
    _put(ada, second, "chats/a.json", json.dumps(neutral).encode())
    _put(ada, second, "chats/b.txt", TEXT)
    again = _ended(ada, ada.post(f"/v1/uploads/{second['id']}/import"))["result"]
    assert (again["stored"], again["duplicates"]) == (0, 7)


def test_what_is_wrong_with_an_upload_is_told(ada: Server) -> None:
    upload = ada.post("/v1/uploads")
    assert ada.ask("POST", f"/v1/uploads/{upload['id']}/import").status_code == 422
    for name in ("", "/etc/passwd", "../x", "a/../b", "a//b", "a\\b", "x" * 300, "a/" * 30 + "b", "a\nb"):
        assert _put(ada, upload, name, b"x").status_code == 422, name
    assert _put(ada, upload, "large", b"x" * 3_000_001).status_code == 413
    assert _put(ada, upload, "large", iter([b"x" * 1_000_000] * 4)).status_code in (413, 422)
    assert _put(ada, upload, "half", b"x" * 2_000_000).status_code == 200
    assert _put(ada, upload, "other", b"x" * 2_000_000).status_code == 422
    assert [each["name"] for each in ada.get(f"/v1/uploads/{upload['id']}")["files"]] == ["half"]
    with connect(ada.settings) as owner:
        query = "SELECT coalesce(sum(length(body)), 0) FROM upload_chunks WHERE user_id = %s"
        assert owner.execute(query, [user_id_of(_user(ada))]).fetchone() == (2_000_000,)
    assert _put(ada, {"id": NOBODY}, "x", b"x").status_code == 404
    assert ada.ask("DELETE", f"/v1/uploads/{upload['id']}").status_code == 204
    for _ in range(20):
        ada.post("/v1/uploads")
    assert ada.ask("POST", "/v1/uploads").status_code == 422


def test_a_file_and_a_folder_of_one_name_fail_with_the_reason(ada: Server) -> None:
    upload = ada.post("/v1/uploads")
    for name in ("a", "a/b"):
        _put(ada, upload, name, b"Ada: Hello.\nBen: Hello.\n")
    ended = _ended(ada, ada.post(f"/v1/uploads/{upload['id']}/survey"))
    assert ended["state"] == "failed" and "cannot prepare the uploaded files" in ended["problem"]


def test_an_operation_is_cancelled_and_its_files_go(ada: Server) -> None:
    upload = ada.post("/v1/uploads")
    talks = _talks(400)
    _put(ada, upload, "many.json", json.dumps(talks).encode())
    begun = ada.post(f"/v1/uploads/{upload['id']}/import")
    waiting = ada.post(f"/v1/uploads/{upload['id']}/survey")  # one after the other
    assert ada.post(f"/v1/operations/{waiting['id']}/cancel")["state"] == "cancelled"
    _until(lambda: ada.get(f"/v1/operations/{begun['id']}")["done"] > 0)
    assert ada.ask("DELETE", f"/v1/uploads/{upload['id']}").status_code == 422
    ada.post(f"/v1/operations/{begun['id']}/cancel")
    ended = _ended(ada, begun)
    assert ended["state"] == "cancelled" and 0 < ended["done"] < 8_000
    assert ada.post(f"/v1/operations/{begun['id']}/cancel")["state"] == "cancelled"
    kept = sum(each["drawers"] for each in ada.get("/v1/palace/wings?limit=1000")["items"])
    assert kept >= ended["done"]
    assert ada.ask("GET", f"/v1/uploads/{upload['id']}").status_code == 404


def _talks(count: int) -> list[dict[str, Any]]:
    """Conversations of 20 turns."""
    return [
        {
            "id": f"c{number}",
            "title": f"Talk {number}",
            "messages": [{"role": "user", "content": f"Word {number} {turn}."} for turn in range(20)],
        }
        for number in range(count)
    ]


def _until(holds: Any) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_an_operation_whose_server_stops_goes_on_in_the_next(server: Server, ada: Server) -> None:
    upload = ada.post("/v1/uploads")
    talks = _talks(60)
    _put(ada, upload, "many.json", json.dumps(talks).encode())
    with connect(ada.settings) as owner:  # as it is when a worker was killed in the middle of it
        begun = ada.post(f"/v1/uploads/{upload['id']}/import")
        _until(lambda: ada.get(f"/v1/operations/{begun['id']}")["state"] == "running")
        owner.execute("UPDATE operations SET done = 7 WHERE id = %s", [begun["id"]])
    ended = _ended(ada, begun)
    assert (ended["state"], ended["result"]["stored"]) == ("done", 1_200)


def test_reembedding_is_begun_or_refused_at_once(ada: Server) -> None:
    assert ada.ask("POST", "/v1/vectors/reembed", {"model": "no such embedding model"}).status_code == 422
    assert ada.ask("GET", "/v1/vectors/estimate?model=no+such+model").status_code == 422


def test_files_come_from_many_at_once(ada: Server) -> None:
    upload = ada.post("/v1/uploads")

    def put(number: int) -> None:
        _put(ada, upload, f"f{number % 3}", bytes([number]) * 1_500)

    threads = [threading.Thread(target=put, args=[number]) for number in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [each["bytes"] for each in ada.get(f"/v1/uploads/{upload['id']}")["files"]] == [1_500] * 3
    with connect(ada.settings) as owner:
        query = "SELECT count(*) FROM upload_chunks WHERE upload = %s"
        assert owner.execute(query, [upload["id"]]).fetchone() == (3,)


@contextmanager
def _noting_what_tells_nothing(owner: psycopg.Connection) -> Iterator[None]:
    """Note in a table `untold` which operations are done, for anybody to see, before they tell how much they did."""
    owner.execute("CREATE TABLE untold (id uuid)")
    owner.execute(
        """
        CREATE FUNCTION note_untold() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
        BEGIN
            IF NEW.state = 'done' AND NEW.total IS NULL THEN INSERT INTO untold VALUES (NEW.id); END IF;
            RETURN NEW;
        END $$
        """
    )
    owner.execute("CREATE TRIGGER untold BEFORE UPDATE ON operations FOR EACH ROW EXECUTE FUNCTION note_untold()")
    yield
    owner.execute("DROP TRIGGER untold ON operations; DROP FUNCTION note_untold; DROP TABLE untold")


def test_a_memory_is_exported_and_loaded_for_another_user(server: Server, ada: Server) -> None:
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY, "title": "Battery talk"})
    begun = ada.post("/v1/export")
    ended = _ended(ada, begun)
    assert (ended["state"], ended["result"]["manifest"]["files"]["memories.jsonl"]["rows"]) == ("done", 4)
    assert ended["done"] == ended["total"] > 4
    file = ada.ask("GET", f"/v1/operations/{begun['id']}/file")
    assert (file.status_code, file.headers["Content-Type"]) == (200, "application/octet-stream")
    assert len(file.content) == ended["result"]["size"]
    bob = server.of(f"bob {uuid4()}")
    assert bob.ask("GET", f"/v1/operations/{begun['id']}/file").status_code == 404
    upload = bob.post("/v1/uploads")
    _put(bob, upload, "ricordo.zip", file.content)
    checked = _ended(bob, bob.post(f"/v1/uploads/{upload['id']}/load?dry_run=true"))
    assert checked["state"] == "done" and bob.get("/v1/palace/wings")["items"] == []
    with connect(server.settings) as owner, _noting_what_tells_nothing(owner):
        loaded = _ended(bob, bob.post(f"/v1/uploads/{upload['id']}/load"))
        assert owner.execute("SELECT * FROM untold").fetchall() == []
    assert (loaded["state"], loaded["result"]["rows"]["memories.jsonl"]) == ("done", 4)
    assert loaded["done"] == loaded["total"] > ended["result"]["size"] / 2
    assert bob.get("/v1/palace") == ada.get("/v1/palace")
    again = ada.post("/v1/uploads")
    _put(ada, again, "x.zip", b"no archive")
    assert _ended(ada, ada.post(f"/v1/uploads/{again['id']}/load"))["state"] == "failed"


def test_e13_an_archive_meets_the_policies_of_who_loads_it_unless_it_is_trusted(server: Server) -> None:
    dora, eve = server.of(f"dora {uuid4()}"), server.of(f"eve {uuid4()}")
    dora.post("/v1/agents", {"name": "coder"})
    dora.post("/v1/agents/coder/core", {"content": "I obey."})
    file = _exported(dora)
    eve.good("PATCH", "/v1/settings", {"review": "tools"})
    for query, state in (("", "failed"), ("?trusted=true", "done")):
        upload = eve.post("/v1/uploads")
        _put(eve, upload, "ricordo.zip", file)
        ended = _ended(eve, eve.post(f"/v1/uploads/{upload['id']}/load{query}"))
        assert ended["state"] == state
        assert ended["problem"] is None or "would bypass the review" in ended["problem"]
    assert [each["content"] for each in eve.get("/v1/agents/coder/core")["items"]] == ["I obey."]


def test_e13_an_archive_brings_settings_only_where_it_is_trusted(server: Server) -> None:
    fay, gus = server.of(f"fay {uuid4()}"), server.of(f"gus {uuid4()}")
    fay.good("PATCH", "/v1/settings", {"top_k": 3, "cap_month": "100"})
    file = _exported(fay)
    for query, left_out, top_k in (("", {"settings.jsonl": 1}, 5), ("?trusted=true", {}, 3)):
        upload = gus.post("/v1/uploads")
        _put(gus, upload, "ricordo.zip", file)
        ended = _ended(gus, gus.post(f"/v1/uploads/{upload['id']}/load{query}"))
        assert (ended["state"], ended["result"]["left_out"]) == ("done", left_out)
        assert gus.get("/v1/settings")["top_k"] == top_k


def _exported(who: Server) -> bytes:
    begun = who.post("/v1/export")
    assert _ended(who, begun)["state"] == "done"
    return who.ask("GET", f"/v1/operations/{begun['id']}/file").content


@pytest.fixture(scope="module")
def exported(server_home: Path) -> Iterator[tuple[Server, str, int]]:
    """A server with one connection to its store, the path of a file of some megabytes that it has, and its size."""
    with running(replace(settings_for(server_home), pool_size=1)) as server:
        turns = [{"role": "user", "content": random.Random(number).randbytes(7_000).hex()} for number in range(600)]
        server.post("/v1/conversations", {"conversation": "long", "messages": turns})
        made = _ended(server, server.post("/v1/export"))
        assert made["result"]["size"] > 3 << 20
        yield server, f"/v1/operations/{made['id']}/file", made["result"]["size"]


def test_readers_that_take_a_byte_at_a_time_hold_up_nobody(exported: tuple[Server, str, int]) -> None:
    server, path, size = exported
    address = urlsplit(server.url)
    with ExitStack() as open:
        readers = [open.enter_context(socket.create_connection((address.hostname, address.port))) for _ in range(12)]
        for each in readers:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.sendall(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode()
            )
        for _ in range(20):
            assert all(len(each.recv(1)) == 1 for each in readers)
        assert server.get("/v1/settings")  # the one connection to the store is free
        whole = server.ask("GET", path)
        assert len(whole.content) == size == int(whole.headers["Content-Length"])
    assert server.get("/v1/settings")


def test_a_file_that_is_removed_while_it_is_read_is_not_taken_for_whole(exported: tuple[Server, str, int]) -> None:
    server, path, size = exported
    headers = {"Authorization": f"Bearer {server.token}"}
    with requests.get(f"{server.url}{path}", headers=headers, stream=True, timeout=300) as answer:
        begun = len(answer.raw.read(1000))
        with connect(server.settings) as owner:
            owner.execute("DELETE FROM upload_chunks WHERE number > 0")
        with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
            for piece in answer.iter_content(1 << 16):
                begun += len(piece)
        assert begun < size


def test_an_examination_is_an_operation_and_one_of_a_user_is_under_way_at_a_time(ada: Server) -> None:
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    with connect(ada.settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")  # so that it cannot end
        begun = ada.ask("POST", "/v1/audit/soundness")
        assert (begun.status_code, begun.headers["Location"]) == (202, f"/v1/operations/{begun.json()['id']}")
        assert ada.post("/v1/audit/soundness")["id"] == begun.json()["id"]
    ended = _ended(ada, begun.json())
    assert (ended["kind"], ended["state"], ended["result"]["found"]) == ("examine", "done", [])
    assert ended["done"] == ended["total"] == ended["result"]["rules"]
    assert ada.post("/v1/audit/soundness")["id"] != begun.json()["id"]


def test_an_examination_ends_at_its_bound_and_says_so(ada: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ricordo.background.operating._LONGEST_EXAMINATION", 0.2)
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    with connect(ada.settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE postings IN ACCESS EXCLUSIVE MODE")
        ended = _ended(ada, ada.post("/v1/audit/soundness"))
    assert ended["state"] == "failed" and "took longer than" in ended["problem"]


def test_a_check_that_walks_through_all_rows_is_one_at_a_time_and_bounded(
    ada: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    answers: list[requests.Response] = []
    with connect(ada.settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE memory_history IN ACCESS EXCLUSIVE MODE")
        walking = threading.Thread(
            target=lambda: answers.append(ada.ask("POST", "/v1/audit/absence", {"text": "nowhere"}))
        )
        walking.start()
        while _waiting(ada) == 0:
            time.sleep(0.02)
        second = ada.ask("POST", "/v1/audit/absence", {"text": "nowhere"})
        assert (second.status_code, second.headers["Retry-After"]) == (429, "5")
        assert second.json()["type"] == "urn:ricordo:problem:busy"
    walking.join(30)
    assert [each.status_code for each in answers] == [200]
    monkeypatch.setattr("ricordo.http.access.LONGEST_WALK", 0.2)
    with connect(ada.settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE memory_history IN ACCESS EXCLUSIVE MODE")
        late = ada.ask("POST", "/v1/audit/absence", {"text": "nowhere"})
    assert (late.status_code, late.json()["type"]) == (503, "urn:ricordo:problem:too-long")


def test_no_statement_of_a_request_takes_longer_than_its_bound(
    ada: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
    monkeypatch.setattr("ricordo.http.middleware._LONGEST_STATEMENT", 0.2)
    with connect(ada.settings) as owner, owner.transaction():
        owner.execute("LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE")
        late = ada.ask("GET", "/v1/palace/wings")
    assert late.status_code == 503 and "canceling statement due to statement timeout" in caplog.text


def _waiting(server: Server) -> int:
    """How many statements wait for a lock."""
    with connect(server.settings) as owner:
        row = owner.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone()
    return int(row[0]) if row else 0
