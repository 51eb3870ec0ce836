"""Row E1 of the contract: every write says whether it was stored, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from commands import in_process
from http_server import running
from ricordo.blocking import Memory
from ricordo.errors import Changed, NotFound
from ricordo.models import Change, WriteReceipt
from ricordo.settings import Settings
from stores import sql_client

KEY = "ghp_n8Kq2ZrT5vWx9YbC3dFgH6jLmP0sQaE4uI7o"


@pytest.fixture
def ada(settings: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        memory.agents.create("coder")
        yield memory


def _writes(ada: Memory) -> dict[str, Any]:
    """Every write of the library that is held for review and checked for duplicates, by its name."""
    [profile] = ada.profiles.list("coder")
    if not ada.whiteboards.list():
        ada.whiteboards.create("plan", ["coder"])
    return {
        "entry": lambda text: ada.entries.write(profile.id, text),
        "journal": lambda text: ada.journal.save("coder", text),
        "core": lambda text: ada.core.save("coder", text),
        "note": lambda text: ada.notes.create(text, tags=["x"]),
        "whiteboard note": lambda text: ada.whiteboards.write("plan", text, "coder"),
    }


def test_e1_an_identical_memory_is_a_duplicate_and_is_not_written_again(ada: Memory) -> None:
    for name, write in _writes(ada).items():
        first, again = write(f"Said by {name}."), write(f"  Said by {name}. ")
        assert (first.status, first.reason, first.memory.content) == ("stored", None, f"Said by {name}.")
        assert (again.status, again.id, again.kind) == ("duplicate", first.id, first.kind)
        assert again.reason == f"identical to the stored {first.kind} {first.id}"
        assert write(f"Said by {name}!").status == "stored"
        ada.entries.forget(first.id)
        assert write(f"Said by {name}.").status == "stored"


def test_e1_what_differs_in_a_field_is_no_duplicate(ada: Memory) -> None:
    [profile] = ada.profiles.list("coder")
    for fields in ({}, {"scope": "global"}, {"scope": "conversation", "conversation": "c"}, {"confidence": 0.9}):
        assert ada.entries.write(profile.id, "The same.", **fields).status == "stored"
    for fields in ({}, {"tags": ["a"]}, {"importance": 9}, {"project": "p"}, {"context": {"a": 1}}):
        assert ada.notes.create("The same.", **fields).status == "stored"
    other = ada.profiles.create("coder", "other")
    assert ada.entries.write(other.id, "The same.").status == "stored"
    assert ada.entries.write(profile.id, "The same.", confidence=0.9).status == "duplicate"


def test_e1_a_held_write_says_so_and_is_not_stored(ada: Memory) -> None:
    ada.settings.update(review="agents")
    for name, write in _writes(ada).items():
        receipt = write(f"Held {name}.")
        assert (receipt.status, receipt.memory) == ("held", None) and "review" in receipt.reason
        with pytest.raises(NotFound):
            ada.entries.get(receipt.id)
        assert ada.review.accept(receipt.id).id == receipt.id


def test_e1_a_write_that_waits_already_waits_once(ada: Memory, settings: Settings) -> None:
    """Models often send a write again: the user is not asked about it twice, and it does not come in twice."""
    ada.settings.update(review="agents")
    [profile] = ada.profiles.list("coder")
    writes = _writes(ada)
    held = {name: write("The same.") for name, write in writes.items()}
    assert len({each.id for each in held.values()}) == len(writes)
    for name, write in writes.items():
        again = write(" The same. ")
        assert (again.status, again.id) == ("held", held[name].id)
    with sql_client(settings, "ada") as client:
        statement = "SELECT fn_write_memory_entry(%s, 'project', 'agent', 'The same.', p_confidence => %s)"
        ids = [client.execute(statement, [profile.id, sure]).fetchone() for sure in (0.5, 0.5, 0.9, None)]
        assert len({*ids}) == 2 and ids[0] == ids[1] == ids[3]
    waiting = ada.review.list()
    assert len(waiting) == len(writes) + 2
    assert len(ada.activity.list(["memory_held"]).items) == len(waiting)
    ada.review.reject(held["core"].id)
    assert writes["core"]("The same.").id != held["core"].id, "what was rejected can be asked for anew"


def test_e1_a_rejected_or_redacted_write_says_why_and_not_what(ada: Memory) -> None:
    ada.settings.update(secrets="reject")
    for write in _writes(ada).values():
        receipt: WriteReceipt = write(f"Use {KEY}")
        assert (receipt.status, receipt.id, receipt.memory) == ("rejected", None, None)
        assert "GitHub token" in (receipt.reason or "") and KEY not in str(receipt)
    ada.settings.update(secrets="redact")
    for write in _writes(ada).values():
        receipt = write(f"Use {KEY}")
        assert (receipt.status, receipt.redacted) == ("stored", {"GitHub token": 1})
        assert receipt.reason == "redacted: 1 GitHub token" and KEY not in str(receipt)


def test_e1_documents_say_what_became_of_them(ada: Memory) -> None:
    def write(value: Any, **named: Any) -> WriteReceipt:
        return ada.documents.write("files", [Change(("a",), "key", value, **named)])

    first = write({"n": 1})
    assert (first.status, first.kind) == ("stored", "document") and ada.entries.get(first.id).kind == "document"
    assert write({"n": 2}).id == first.id
    with pytest.raises(Changed):
        write({"n": 3}, expected={"n": 1})
    ada.settings.update(secrets="reject")
    refused = write({"n": KEY})
    assert refused.status == "rejected" and KEY not in str(refused)
    assert ada.documents.get("files", [(("a",), "key")])[0].value == {"n": 2}
    gone = write(None)
    assert (gone.status, gone.reason) == ("stored", "0 stored, 1 removed")


def test_e1_over_http_the_status_says_whether_something_was_stored(ada: Memory, settings: Settings) -> None:
    [profile] = ada.profiles.list("coder")
    ada.whiteboards.create("plan", ["coder"])
    paths = (
        f"/v1/profiles/{profile.id}/entries", "/v1/notes", "/v1/agents/coder/journal", "/v1/agents/coder/core",
        "/v1/whiteboards/plan/agents/coder/notes",
    )  # fmt: skip
    with running(settings) as server:

        def post(path: str, text: str) -> tuple[int, str]:
            answer = server.ask("POST", path, {"content": text})
            return answer.status_code, answer.json()["status"]

        for path in paths:
            assert post(path, "Plain.") == (201, "stored")
            assert post(path, "Plain.") == (200, "duplicate")
        ada.settings.update(review="agents", secrets="reject")
        for path in paths:
            assert post(path, "Held.") == (202, "held")
            assert post(path, KEY) == (422, "rejected")
        turn = {"role": "assistant", "content": "  "}
        empty = server.ask("POST", "/v1/conversations", {"conversation": "s1", "messages": [turn]})
        assert (empty.status_code, empty.json()["status"]) == (422, "rejected")
        turn["content"] = "Hello."
        for status in (201, 200):
            told = server.ask("POST", "/v1/conversations", {"conversation": "s1", "messages": [turn]})
            assert told.status_code == status


def test_e1_commands_print_what_became_of_a_write(
    ada: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [profile] = ada.profiles.list("coder")
    run = in_process(replace(settings, user="ada"), monkeypatch, capsys)
    commands = (
        ("memory", "write-entry", "--profile", str(profile.id), "--source", "agent", "--content"),
        ("journal", "add", "coder"), ("core", "add", "coder"), ("memory", "add", "--source", "agent"),
    )  # fmt: skip
    for command in commands:
        [stored, id] = run(*command, "Plain.").out.split()
        assert stored == "stored" and run("memory", "get", id).code == 0
        again = run(*command, "Plain.")
        assert (again.code, again.out.startswith(f"duplicate {id}: identical")) == (0, True)
    ada.settings.update(review="agents", secrets="reject")
    for command in commands:
        held = run(*command, "Held.")
        id = held.out.split()[1].rstrip(":")
        assert (held.code, held.out) == (0, f"held {id}: waiting for review (ricordo review accept {id})\n")
        assert f"ricordo review accept {id}" in run("memory", "get", id).err
        refused = run(*command, KEY)
        assert (refused.code, refused.out.startswith("rejected: content: ")) == (1, True)
        told = run(*command, KEY, "--json")
        assert (told.code, told.json["status"], told.json["id"]) == (1, "rejected", None)


def test_e1_sql_takes_the_same_steps(ada: Memory, settings: Settings) -> None:
    [profile] = ada.profiles.list("coder")
    ada.core.save("coder", "I am careful.")
    ada.entries.write(profile.id, "Deploys happen on Thursdays.")
    own = ada.runs.start("coder", "Go.")
    foreign = ada.of("grace")
    foreign.agents.create("coder")
    write = "SELECT fn_write_memory_entry(%s, 'project', 'agent', %s, p_team_run_id => %s)"
    with sql_client(settings, "ada") as client:
        first = client.execute(write, [profile.id, "Said.", own.id]).fetchone()
        assert client.execute(write, [profile.id, " Said. ", None]).fetchone() == first
        assert ada.entries.write(profile.id, "Said.").status == "duplicate"
        assert client.execute(write, [profile.id, "Deploys happen on Thursdays.", None]).fetchone() == (
            ada.entries.write(profile.id, "Deploys happen on Thursdays.").id,
        )
        for run in (foreign.runs.start("coder", "Go.").id, profile.id):
            with pytest.raises(psycopg.errors.NoDataFound, match="p_team_run_id: "):
                client.execute(write, [profile.id, "Never.", run])
        blocks = [ada.journal.context("coder"), ada.runs.start("coder", "Go.").prompt]
        assert all(blocks)
        for block in blocks:
            with pytest.raises(psycopg.errors.InvalidParameterValue, match="p_content: contains a block"):
                client.execute(write, [profile.id, f"Noted:\n{block}", None])
    assert "Never." not in [each.content for each in ada.entries.read(profile.id)]
