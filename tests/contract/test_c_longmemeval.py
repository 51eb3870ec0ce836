"""C14: the LongMemEval pipeline from file to score, in steps that go on where they were stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import longmemeval_record, write
from commands import in_process
from hubs import Hub, serving
from llm_server import MODEL, last
from llm_server import serving as serving_llm
from ricordo.settings import Settings
from stores import connect

Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving() as hub:
        yield hub


def _schemas(settings: Settings) -> list[str]:
    with connect(settings) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'longmemeval%'").fetchall()
    return [row[0] for row in rows]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _records() -> list[dict[str, Any]]:
    second = longmemeval_record(question_id="q2", question_type="multi-session", question="When are pears pruned?")
    second["answer_session_ids"] = ["s2"]
    second["haystack_sessions"][0][1].pop("has_answer")
    second["haystack_sessions"][1][1]["has_answer"] = True
    return [longmemeval_record(), second, longmemeval_record(question_id="q3_abs", question="Which boat do I sail?")]


def test_c14_ingest_retrieve_and_score_leave_the_benchmarks_own_logs_and_no_schema(
    with_vectors: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    file = write(tmp_path, _records())
    run = in_process(with_vectors, monkeypatch, capsys)
    told = ("--run", "r1", "--folder", str(tmp_path))
    assert run("bench", "longmemeval", "ingest", file, *told).code == 0
    assert _schemas(with_vectors) == ["longmemeval_r1"]
    assert [line["turns"] for line in _lines(tmp_path / "ingest_logs" / "r1.jsonl")] == [4, 4, 4]

    asked = run("bench", "longmemeval", "retrieve", file, *told)
    assert asked.code == 0, asked.err
    assert _schemas(with_vectors) == []
    first, second, third = _lines(tmp_path / "retrieval_logs" / "r1.jsonl")
    assert {name: first[name] for name in _records()[0]} == _records()[0]
    results = first["retrieval_results"]
    assert results["query"] == "Which car do I drive?"
    assert results["ranked_items"][0] == {
        "corpus_id": "s1_2", "text": "I drive a blue Saab.", "speaker": "user", "timestamp": "2023/05/20 (Sat) 02:21",
    }  # fmt: skip
    assert results["metrics"]["turn"]["recall_any@1"] == results["metrics"]["session"]["ndcg_any@5"] == 1.0
    assert set(second["retrieval_results"]["metrics"]) == {"session", "turn"}
    assert third["question_id"] == "q3_abs"

    scored = run("bench", "longmemeval", "score-retrieval", *told, "--json")
    assert scored.json["questions"] == {"multi-session": 1, "single-session-user": 1, "all": 2}
    assert scored.json["figures"]["all"]["session recall_any@5"][0] == 1.0
    table = run("bench", "longmemeval", "score-retrieval", *told)
    assert "session recall_any@5: 100.0; the pipeline's target is 96" in table.out


def test_c14_a_step_that_was_stopped_goes_on_where_it_was(
    with_vectors: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    run = in_process(with_vectors, monkeypatch, capsys)
    told = ("--run", "r2", "--folder", str(tmp_path))
    file = write(tmp_path, _records()[:1])
    assert run("bench", "longmemeval", "ingest", file, *told).code == 0
    assert run("bench", "longmemeval", "retrieve", file, *told, "--keep").code == 0
    log = tmp_path / "retrieval_logs" / "r2.jsonl"
    before = log.read_bytes()
    log.write_bytes(before + b'{"question_id": "q2", "cut sho')  # killed while it wrote

    file = write(tmp_path, _records())
    behind = run("bench", "longmemeval", "retrieve", file, *told)
    assert "2 records are not ingested yet" in behind.err
    assert run("bench", "longmemeval", "ingest", file, *told).code == 0
    assert run("bench", "longmemeval", "retrieve", file, *told).code == 0
    assert log.read_bytes().startswith(before)
    assert [line["question_id"] for line in _lines(log)] == ["q1", "q2", "q3_abs"]
    assert _schemas(with_vectors) == []
    # all is done: nothing is asked, and nothing is missing
    assert run("bench", "longmemeval", "retrieve", file, *told).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("score-retrieval", "--run", "none"), 3, "run `ricordo bench longmemeval retrieve` first"),
        (("score-retrieval", "--run", "../up"), 2, "must be 1 to 40 of a-z, 0-9 and _"),
        (("smoke", "FILE"), 2, "confirm with --yes or RUN_LONGMEMEVAL=1"),
    ],
)
def test_c14_what_cannot_be_done_is_one_sentence(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: Patch,
    capsys: Capture,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    file = str(write(tmp_path, _records()))
    ran = in_process(settings, monkeypatch, capsys)(
        "bench", "longmemeval", *(file if each == "FILE" else each for each in arguments), "--folder", str(tmp_path)
    )
    assert ran.code == code
    assert message in ran.err


def test_c14_files_are_fetched_in_pieces_and_taken_up_again(
    settings: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture, hub: Hub
) -> None:
    hub.files["longmemeval_oracle.json"] = b"[" + b" " * 100_000 + b"]"
    run = in_process(settings, monkeypatch, capsys)
    told = ("--folder", str(tmp_path), "--source", hub.address)
    hub.breaks_after = 30_000
    broken = run("bench", "longmemeval", "download", "longmemeval_oracle.json", *told)
    assert broken.code == 7 and "Run the command again to go on" in broken.err
    hub.breaks_after = None
    fetched = run("bench", "longmemeval", "download", "longmemeval_oracle.json", *told)
    assert fetched.code == 0, fetched.err
    assert (tmp_path / "longmemeval_oracle.json").read_bytes() == hub.files["longmemeval_oracle.json"]
    assert hub.ranges == [None, "bytes=30000-"]
    missing = run("bench", "longmemeval", "download", "longmemeval_x.json", *told)
    assert missing.code == 7 and "it answers 404" in missing.err


def test_c14_an_llm_answers_and_a_judge_grades_beside_answers_that_are_wrong(
    with_vectors: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    def behave(request: dict[str, Any]) -> str:
        asked = last(request)
        if "grade" not in request["messages"][0]["content"]:
            return "You drive a Saab." if "Saab" in asked else "I do not know it."
        if "unanswerable" in asked.lower() or "cannot be answered" in asked:
            return "Yes" if "do not know" in asked else "No"
        reference = asked.split("Reference: ")[1].splitlines()[0].removeprefix("a ")
        return "Yes." if reference in asked.split("Answer: ")[1] else "no"

    records = _records()
    records.append(longmemeval_record(question_id="q4", answer="a bicycle"))
    file = write(tmp_path, records)
    told = ("--run", "r3", "--folder", str(tmp_path))
    with serving_llm(behave) as endpoint:
        settings = replace(with_vectors, llm_url=endpoint.address, llm_model=MODEL)
        monkeypatch.setenv("RICORDO_LLM_URL", endpoint.address)
        monkeypatch.setenv("RICORDO_LLM_MODEL", MODEL)
        run = in_process(settings, monkeypatch, capsys)
        done = run("bench", "longmemeval", "full", file, *told, "--top-k", "3")
        assert done.code == 0, done.err
        assert _schemas(with_vectors) == []
        asked = len(endpoint.requests)
        again = run("bench", "longmemeval", "qa", *told)
        scored = run("bench", "longmemeval", "score-qa", *told, "--json")
        assert (again.code, scored.code) == (0, 0)
        assert len(endpoint.requests) == asked  # all of it was done before
    lines = _lines(tmp_path / "generation_logs" / "r3.jsonl")
    assert (lines[0]["question_id"], lines[0]["hypothesis"]) == ("q1", "You drive a Saab.")
    judged = _lines(tmp_path / "generation_logs" / "r3.jsonl.eval-results-test-LLM-1")
    assert judged[0]["autoeval_label"] == {"model": MODEL, "label": True}
    assert scored.json["questions"]["all"] == 4
    # q1's wrong answer is "a bicycle", q4's is "a Saab": neither is accepted
    assert scored.json["wrong_answers"] == 2 and scored.json["judge_accepts_wrong_answers"][0] == 0.0
    assert "the judge accepts" in done.out and "cost of the answers: unknown" in done.out


def test_c14_without_an_llm_the_last_steps_say_what_is_missing(
    settings: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    log = tmp_path / "retrieval_logs" / "r4.jsonl"
    log.parent.mkdir()
    log.write_text(json.dumps({"question_id": "q"}) + "\n", encoding="utf-8")
    ran = in_process(settings, monkeypatch, capsys)(
        "bench", "longmemeval", "qa", "--run", "r4", "--folder", str(tmp_path)
    )
    assert ran.code == 6 and "RICORDO_LLM_URL" in ran.err
