"""Benchmarks from file to figures, on a real store with the real embedding model; and what they leave behind."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from bench import speed
from benchmarks import beam_record, locomo_sample, longmemeval_record, realmem_person, write
from commands import command, environment, in_process, instrument
from forking import Program
from ricordo.settings import Settings
from stores import connect


def _schemas(settings: Settings) -> list[str]:
    with connect(settings) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bench%'").fetchall()
    return [row[0] for row in rows]


@pytest.mark.parametrize("pooled", [(), ("--pooled",)], ids=["single", "pooled"])
def test_locomo_from_file_to_figures(
    with_vectors: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pooled: tuple[str, ...],
) -> None:
    # Other words in the second, since recall brings back what is told twice only once.
    other = json.dumps(locomo_sample(sample_id="conv-2"))
    for mine, theirs in (("dog", "parrot"), ("paniel", "tabby"), ("Lovely", "Great"), ("sister", "aunt")):
        other = other.replace(mine, theirs)
    file = write(tmp_path, [locomo_sample(), json.loads(other)])
    run = in_process(with_vectors, monkeypatch, capsys)
    ran = run("bench", "locomo", file, "--json", *pooled)
    assert ran.code == 0, ran.err
    told = ran.json
    assert told["turns"] == 6
    assert told["questions"] == {
        "all": {"turn": 4, "session": 4},
        "single-hop": {"turn": 2, "session": 2},
        "multi-hop": {"turn": 2, "session": 2},
    }
    assert told["figures"]["all"]["session"]["any@10"][0] == 1.0
    mean, low, high = told["figures"]["single-hop"]["turn"]["mrr@10"]
    assert 0 <= low <= mean <= high <= 1 and mean > 0.3
    assert told["recall_ms"]["p95"] >= told["recall_ms"]["p50"] > 0
    assert told["missed"] == []
    assert "conv-1" in ran.err or pooled
    assert _schemas(with_vectors) == []


def test_longmemeval_as_a_table(
    with_vectors: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unmarked = longmemeval_record(question_id="q2", question_type="multi-session")
    del unmarked["haystack_sessions"][0][1]["has_answer"]  # evidence by session only
    ran = in_process(with_vectors, monkeypatch, capsys)(
        "bench", "longmemeval", "at-once", write(tmp_path, [longmemeval_record(), unmarked])
    )
    assert ran.code == 0, ran.err
    by_turn, by_session = ran.out.split("By session")
    assert "single-session-user" in by_turn and "multi-session" not in by_turn
    assert "multi-session" in by_session
    assert "100.0 [20.7, 100.0]" in by_session
    assert ran.out.splitlines()[-1].startswith("mined 8 turns in ")


def test_beam_and_realmem_from_file_to_figures_with_versions(
    with_vectors: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(with_vectors, monkeypatch, capsys)
    beam = run("bench", "beam", write(tmp_path, [beam_record()]), "--json").json
    assert beam["turns"] == 3 and beam["questions"]["all"] == {"turn": 1, "session": 1}
    assert beam["figures"]["multi_session"]["turn"]["share@10"][0] == 1.0
    assert set(beam["versions"]) == {
        "ricordo", "python", "postgresql", "pgvector", "embedding_model", "numpy", "onnxruntime",
    }  # fmt: skip
    assert all(beam["versions"].values())
    people = [tmp_path / f"{name}.json" for name in ("ada", "grace")]
    for person in people:
        person.write_text(json.dumps(realmem_person()), encoding="utf-8")
    realmem = run("bench", "realmem", *people, "--json").json
    # The dialogue of the query is not stored when it is asked: otherwise the query itself would come first.
    assert realmem["turns"] == 4 and realmem["questions"]["Static"] == {"turn": 2, "session": 2}
    assert realmem["figures"]["all"]["turn"]["any@1"][0] == 1.0
    assert _schemas(with_vectors) == []


@pytest.mark.parametrize("benchmark", [("locomo",), ("longmemeval", "at-once")], ids=["locomo", "longmemeval"])
def test_a_broken_file_is_one_sentence_and_makes_no_schema(
    with_vectors: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    benchmark: tuple[str, ...],
) -> None:
    file = write(tmp_path, [{"question_id": "x", "sample_id": "x"}])
    ran = in_process(with_vectors, monkeypatch, capsys)("bench", *benchmark, file, "--json")
    assert (ran.code, ran.out) == (7, "")
    assert ran.err.startswith(f"ricordo: {file}, record 1: ") and ran.err.count("\n") == 1
    assert _schemas(with_vectors) == []


def test_without_an_embedding_model_nothing_is_mined(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(settings, monkeypatch, capsys)
    ran = run("bench", "locomo", write(tmp_path, [locomo_sample()]), "--json")
    assert (ran.code, ran.out) == (6, "")
    assert "ricordo models install" in ran.err and ran.err.count("\n") == 1


@pytest.mark.slow
def test_the_speed_of_a_small_store(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speed, "_QUESTIONS", 20)
    told = instrument(with_vectors, monkeypatch, capsys)("speed", "--memories", "100", "--json").json
    assert told["memories"] == 100
    assert all(value > 0 for value in told.values())
    assert told["recall_p95"] >= told["recall_p50"] and told["keyword_p95"] >= told["keyword_p50"]
    assert _schemas(with_vectors) == []


def test_the_speed_of_many_conversations(
    with_vectors: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = instrument(with_vectors, monkeypatch, capsys)
    file = write(tmp_path, [locomo_sample()])
    told = run("bulk", file, "--json").json
    assert told["turns"] == 3
    assert all(value > 0 for value in told.values())
    assert "stored in one call, with vectors: " in run("bulk", file).out
    assert _schemas(with_vectors) == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_an_interrupted_run_drops_its_schema(with_vectors: Settings, tmp_path: Path, sent: signal.Signals) -> None:
    process = Program(
        command(
            "bench", "locomo", write(tmp_path, [locomo_sample(sample_id=f"conv-{number}") for number in range(300)])
        ),
        env=environment(with_vectors),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not _schemas(with_vectors):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.02)
    process.send_signal(sent)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (128 + sent, "")
    assert err.splitlines()[-1].startswith("ricordo: interrupted") and "Traceback" not in err
    assert _schemas(with_vectors) == []
