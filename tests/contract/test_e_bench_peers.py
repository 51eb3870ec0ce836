"""E15: other systems beside Ricordo: a real one in an environment of its own, and one that cannot be installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import locomo_sample, write
from commands import in_process, instrument
from ricordo.settings import Settings

Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


@pytest.mark.slow
def test_e15_a_peer_is_installed_and_scored_on_the_same_questions(
    with_vectors: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.setenv("PIP_NO_COMPILE", "1")  # of what is installed little is used
    file = write(tmp_path, [locomo_sample()])
    run = in_process(with_vectors, monkeypatch, capsys)
    peers = ("--peer", "ricordo", "--peer", "bm25", "--peer", "nearest")
    ran = run("bench", "peers", "--locomo", file, *peers, "--json")
    assert ran.code == 0, ran.err
    ours, words, bm25, dense, whole = ran.json
    assert [each["failure"] for each in ran.json] == [None] * 5
    assert [each["questions"] for each in ran.json] == [2] * 5
    assert 0 < ours["tokens_of_ten"] <= whole["tokens_of_ten"]
    measured, chart = tmp_path / "peers.json", tmp_path / "peers.svg"
    measured.write_text(ran.out)
    assert instrument(with_vectors, monkeypatch, capsys)("chart-peers", measured, chart).code == 0
    drawn = chart.read_text()
    assert ours["peer"] in drawn and dense["peer"] in drawn and whole["peer"] not in drawn
    assert ours["figures"]["session any@5"][0] == bm25["figures"]["session any@5"][0] == 1.0
    assert ours["disk_bytes_per_turn"] > words["disk_bytes_per_turn"] > 0
    assert dense["memory_bytes"] > bm25["memory_bytes"] > 0
    assert ours["add_turns_per_second"] > 0 and dense["search_ms"] > 0


def test_e15_a_peer_that_cannot_be_installed_is_named_with_its_error(
    with_vectors: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    file = write(tmp_path, [locomo_sample()])
    ran = in_process(with_vectors, monkeypatch, capsys)("bench", "peers", "--locomo", file, "--peer", "mem0", "--json")
    assert ran.code == 0, ran.err
    mem0, _ = ran.json
    assert mem0["failure"].startswith("mem0 could not be installed: ")
    assert mem0["questions"] == 0


def test_which_talk_is_to_be_given(settings: Settings, monkeypatch: Patch, capsys: Capture) -> None:
    ran = in_process(settings, monkeypatch, capsys)("bench", "peers")
    assert ran.code == 2
    assert "pass either --locomo FILE or --longmemeval FILE" in ran.err
