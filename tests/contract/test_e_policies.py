"""E12: secrets and personal data are stored, redacted or rejected, before anything is written anywhere."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Any

import psycopg
import pytest

from commands import in_process
from gates import served
from http_server import running
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.idempotency import KeptAnswer
from ricordo.models import Change
from ricordo.review import Screen, find
from ricordo.settings import Settings
from stores import connect, sql_client

CARD, KEY = "4532 0151 1283 0366", "ghp_n8Kq2ZrT5vWx9YbC3dFgH6jLmP0sQaE4uI7o"
TEXT = f"Pay with {CARD}, and push with {KEY}."
SAFE = "Pay with [redacted: payment card], and push with [redacted: GitHub token]."
_LABELED = Path(__file__).resolve().parents[1] / "support" / "labeled" / "sensitive.jsonl"


@pytest.fixture
def ada(settings: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        memory.agents.create("coder")
        yield memory


def _everything(settings: Settings) -> str:
    """All rows of all tables of the store."""
    with connect(settings) as owner:
        tables = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [settings.schema]).fetchall()
        return "\n".join(row[0] for (name,) in tables for row in owner.execute(f"SELECT t::text FROM {name} t"))


def _write_everywhere(ada: Memory) -> None:
    """Try to have the text remembered by every way there is; what is refused is passed over."""
    [profile] = ada.profiles.list("coder")
    safe = ada.entries.write(profile.id, "nothing special").id.__str__()
    held = ada.notes.create("for now", retention="short_term").memory
    run = ada.runs.start("coder", TEXT)
    ways: list[Any] = [
        lambda: ada.entries.write(profile.id, TEXT, metadata={"told": TEXT}),
        lambda: ada.entries.edit(safe, TEXT),  # type: ignore[arg-type]
        lambda: ada.journal.save("coder", TEXT),
        lambda: ada.core.save("coder", TEXT),
        lambda: ada.journal.import_(
            "coder", [{"memory_type": "core", "content": TEXT, "created_at": "2026-01-01T00:00:00+00:00"}]
        ),
        lambda: ada.notes.create(TEXT, tags=[CARD], context={"told": [TEXT]}),
        lambda: ada.notes.create(TEXT, retention="medium_term", expires_at=datetime.now(UTC) + timedelta(days=1)),
        lambda: ada.notes.update(held.id, content=TEXT),
        lambda: ada.notes.update(held.id, content="harmless", retention="long_term"),
        lambda: ada.whiteboards.create("board", ["coder"]),
        lambda: ada.whiteboards.write("board", TEXT, "coder"),
        lambda: ada.documents.write("values", [Change(("path",), "key", {"told": TEXT}, TEXT)]),
        lambda: ada.mine([{"role": "user", "content": TEXT, "name": CARD}], conversation="talk", title=TEXT),
        lambda: ada.operations.mine([{"role": "user", "content": TEXT, "name": KEY}], conversation="later"),
        lambda: ada.operations.create_upload(),
        lambda: ada.profiles.create("coder", "seeded", seed_entries=[TEXT]),
        lambda: ada.entities.add_relation("Tom", "pays_with", TEXT),
        lambda: ada.runs.output(run.id, "node", {"__lf_memory_writes": [{"content": TEXT}]}),
        lambda: ada.runs.complete(run.id),
        lambda: ada.runs.fail(ada.runs.start("coder", "go").id, TEXT),
        lambda: ada.entries.redact(ada.entries.write(profile.id, "gone soon").id, TEXT),
        lambda: ada.tools.call("coder", "save_to_core", {"content": TEXT}),
        lambda: served(ada).claim_request("request", b"it"),
        lambda: served(ada).keep_answer("request", KeptAnswer(200, {}, TEXT.encode())),
    ]
    for each in ways:
        try:
            each()
        except InvalidInput as error:
            assert CARD not in str(error) and KEY not in str(error)


@pytest.mark.parametrize("handling", ["redact", "reject"])
def test_e12_nothing_of_it_is_written_anywhere(
    ada: Memory, settings: Settings, handling: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ada.settings.update(secrets=handling, personal_data=handling)
    _write_everywhere(ada)
    written = _everything(settings) + caplog.text
    written += "".join(
        each.read_text(errors="replace") for each in (settings.home / "logs").rglob("*") if each.is_file()
    )
    for part in (CARD, KEY, CARD.replace(" ", "")):
        assert part not in written
    assert ("[redacted: GitHub token]" in written) == (handling == "redact") or handling == "reject"
    assert ada.audit.absent(KEY).absent


def test_e12_without_a_policy_all_is_kept_word_for_word(ada: Memory) -> None:
    ada.mine([{"role": "user", "content": TEXT}], conversation="talk")
    assert [each.text for each in ada.recall("push")] == [TEXT]


def test_e12_a_redaction_is_told_and_leaves_the_rest(ada: Memory) -> None:
    ada.settings.update(secrets="redact", personal_data="redact")
    receipt = ada.mine([{"role": "user", "content": TEXT}], conversation="talk")
    assert (receipt.stored, receipt.left_out[0].what) == (1, "GitHub token, payment card")
    assert [each.text for each in ada.recall("push")] == [SAFE]
    assert ada.mine([{"role": "user", "content": TEXT}], conversation="talk").status == "duplicate"
    assert ada.notes.create(TEXT).memory.content == SAFE


def test_e12_a_refusal_names_what_it_is_and_not_what_it_says(ada: Memory) -> None:
    ada.settings.update(secrets="reject", personal_data="redact")
    receipt = ada.mine([{"role": "user", "content": TEXT}, {"role": "user", "content": "Hello."}], conversation="talk")
    assert (receipt.stored, receipt.rejected[0].index) == (1, 0)
    assert "contains GitHub token, which the policy of this profile does not allow" in receipt.rejected[0].reason
    refused = ada.notes.create(TEXT)
    assert (refused.status, refused.id, "content: contains GitHub token" in refused.reason) == ("rejected", None, True)
    assert ada.notes.create(f"Pay with {CARD}").memory.content == "Pay with [redacted: payment card]"


def test_e12_a_profile_has_a_policy_of_its_own(ada: Memory, settings: Settings) -> None:
    ada.settings.update(secrets="reject")
    open_, closed = (
        ada.profiles.create("coder", name, secrets=handling) for name, handling in (("a", "store"), ("b", "redact"))
    )
    assert ada.entries.get(ada.entries.write(open_.id, KEY).id).content == KEY
    assert ada.entries.get(ada.entries.write(closed.id, KEY).id).content == "[redacted: GitHub token]"
    refused = ada.entries.write(ada.profiles.list("coder")[0].id, KEY)
    assert refused.status == "rejected" and "GitHub token" in (refused.reason or "")
    ada.profiles.change(closed.id, secrets=None)
    assert ada.entries.write(closed.id, KEY).status == "rejected"


def test_e12_a_run_is_sent_its_prompt_and_recorded_without_it(ada: Memory) -> None:
    ada.settings.update(secrets="reject", personal_data="reject")
    with ada.run("coder", TEXT) as run:
        run.output("node", {"__lf_memory_writes": [{"content": TEXT}]})
    assert run.prompt == TEXT
    assert run.written == () and "contains" in run.problems[0].reason
    assert ada.runs.get(run.id).prompt == SAFE
    started = ada.runs.start("coder", TEXT)
    assert started.prompt == TEXT
    assert ada.runs.get(started.id).prompt == SAFE
    with pytest.raises(InvalidInput, match="__lf_memory_writes: contains"):
        ada.runs.output(started.id, "node", {"__lf_memory_writes": [{"content": TEXT}]})


def test_e12_over_http_by_commands_and_not_past_it_by_sql(
    ada: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [profile] = ada.profiles.list("coder")
    with running(settings) as server:
        server.good("PATCH", "/v1/settings", {"secrets": "redact", "personal_data": "reject"})
        refused = server.ask("POST", "/v1/notes", {"content": TEXT})
        assert (refused.status_code, refused.json()["status"]) == (422, "rejected")
        assert "payment card" in refused.json()["reason"] and CARD not in refused.text
        assert server.post("/v1/notes", {"content": KEY})["memory"]["content"] == "[redacted: GitHub token]"
        started = server.post("/v1/agents/coder/runs", {"template": TEXT}, headers={"Idempotency-Key": "once"})
        assert started["prompt"] == TEXT
        changed = server.good("PATCH", f"/v1/profiles/{profile.id}", {"secrets": "reject"})
        assert changed["secrets"] == "reject"
    run = in_process(replace(settings, user="ada"), monkeypatch, capsys)
    written = run("memory", "write-entry", "--profile", str(profile.id), "--content", KEY)
    assert (written.code, written.out.startswith("rejected: content: contains GitHub token")) == (1, True)
    assert KEY not in written.out + written.err
    assert run("memory", "change-profile", str(profile.id), "--secrets", "redact", "--json").json["secrets"] == "redact"
    assert run("memory", "write-entry", "--profile", str(profile.id), "--content", KEY).code == 0
    assert run("settings", "set", "secrets=store", "personal_data=store", "--json").json["secrets"] == "store"
    assert run("memory", "change-profile", str(profile.id), "--secrets", "user").code == 0
    assert KEY not in _everything(settings) and CARD not in _everything(settings)
    write = "SELECT fn_write_memory_entry(%s, 'project', 'user', 'plain')"
    with sql_client(settings, "ada") as client:
        client.execute(write, [profile.id])
        ada.settings.update(secrets="redact")
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="p_content: must be checked for secrets"):
            client.execute(write, [profile.id])
        ada.profiles.change(profile.id, secrets="store")
        client.execute(write, [profile.id])


def _labeled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _LABELED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("part", ["all", "held out"])
def test_e12_precision_and_recall_on_the_labeled_lines(part: str) -> None:
    """Spans must be exact. Lines that are held out were written after the rules, which were not changed for them."""
    lines = [each for each in _labeled() if part == "all" or each.get("held_out")]
    assert len(lines) >= (300 if part == "all" else 49)
    right = wrong = missed = 0
    for each in lines:
        found = Counter((one.kind, each["text"][one.start : one.end]) for one in find(each["text"]))
        wanted = Counter((kind, text) for kind, text in each["found"])
        right += sum((found & wanted).values())
        wrong += sum((found - wanted).values())
        missed += sum((wanted - found).values())
    precision, recall = right / (right + wrong), right / (right + missed)
    print(f"{part}: {len(lines)} lines, precision {precision:.3f}, recall {recall:.3f}")
    assert precision >= 0.99 and recall >= 0.95


@pytest.mark.parametrize(
    "text",
    ["1" * 500_000, "-----BEGIN PRIVATE KEY-----" * 18_000, "password=" * 50_000, "a.a@a." * 80_000, "+1 (" * 120_000,
     "eyJaaaaaaaa.aaaa." * 30_000, "http://a:" * 50_000, "aws" + "x" * 500_000],
)  # fmt: skip
def test_e12_no_text_takes_the_search_long(text: str) -> None:
    began = process_time()
    find(text)
    assert process_time() - began < 5


def test_e12_a_screen_redacts_values_at_any_depth() -> None:
    screen = Screen("redact", "redact")
    assert screen.value("value", {"a": [TEXT, {CARD: 1}]}) == {"a": [SAFE, {"[redacted: payment card]": 1}]}
    assert screen.text("content", "no\u00a0secret 4532\u200b015112830366") == "no\u00a0secret [redacted: payment card]"
    with pytest.raises(InvalidInput, match="value: contains payment card"):
        Screen("store", "reject").value("value", [CARD])
