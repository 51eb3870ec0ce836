"""`python -m bench growth`: a store of many users and a large one, filled, measured, drawn and dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import filling, growth, speed
from commands import instrument
from ricordo import vectors
from ricordo.settings import Settings
from ricordo.vectors import near_index
from stores import connect


def test_growth_from_sizes_to_a_chart(
    with_vectors: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    for module, name, small in (
        (filling, "_TEXTS", 40),
        (filling, "_RARE_WORDS", 500),
        (growth, "ORDINARY", 100),
        (growth, "_WRITTEN", 2),
        (speed, "_QUESTIONS", 4),
        (near_index, "LARGE", 900),
        (vectors, "LARGE", 900),
    ):
        monkeypatch.setattr(module, name, small)
    chart = tmp_path / "growth.svg"
    ran = instrument(with_vectors, monkeypatch, capsys)(
        "growth", "--size", "2000", "--size", "1000", "--share", "0.9", "--chart", chart, "--json"
    )
    assert ran.code == 0, ran.err
    first, second = ran.json
    assert (first["memories"], first["of_large"]) == (1000, 900)
    assert (second["memories"], second["of_large"]) == (2000, 1800)
    for each in (first, second):
        assert 0 < each["large_p50"] <= each["large_p95"]
        assert 0 < each["words_p50"] <= each["words_p95"]
        assert 0 < each["ordinary_p50"] <= each["ordinary_p95"]
        assert each["written"] > 0 and each["indexing"] > 0
        assert each["disk"] > 1000
    drawn = chart.read_text()
    assert "<svg" in drawn and "one large user" in drawn
    with connect(with_vectors) as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bench%'").fetchall()
    assert found == []
