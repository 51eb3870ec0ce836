"""What a variant makes of a question's lines, and the command from file to table."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from bench.ablation import _orders
from benchmarks import locomo_sample, write
from commands import instrument
from ricordo.models import Hit
from ricordo.recall import REFINING, WEIGHTS
from ricordo.settings import Settings


def hit(drawer: int, **signals: float) -> Hit:
    given = dict.fromkeys((*WEIGHTS, *REFINING), 0.0) | signals
    return Hit(
        id=uuid4(),
        pointer=f"§ W-001/R-{drawer:02}/D-001",
        text="",
        speaker="",
        at=datetime(2026, 1, drawer, tzinfo=UTC),
        conversation=str(drawer),
        title=None,
        position=0,
        score=sum(given.values()),
        signals=given,
    )


def test_each_variant_orders_by_what_it_keeps_and_equals_by_age() -> None:
    hits = [hit(1, keyword=1.0, semantic=0.1), hit(2, keyword=0.2, semantic=0.8), hit(3, keyword=0.2)]
    orders = _orders(hits)
    assert orders["whole"] == orders["without topic"] == [0, 1, 2]
    assert orders["without keyword"] == orders["semantic alone"] == [1, 0]
    assert orders["keyword alone"] == [0, 2, 1]
    assert orders["speaker alone"] == []


def test_a_conversation_counts_by_what_is_left() -> None:
    hits = [hit(1, keyword=0.5), hit(2, semantic=0.5), hit(2, semantic=0.3), hit(2, semantic=0.3)]
    assert _orders(hits)["whole"][0] == 1
    assert _orders(hits)["without semantic"] == [0]


def test_the_table_tells_the_whole_and_the_differences(
    with_vectors: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = instrument(with_vectors, monkeypatch, capsys)
    ran = run("ablation", "locomo", write(tmp_path, [locomo_sample()]))
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "| ranking | turn any@1 | turn any@10 | session any@5 | session all@5 |"
    assert lines[2].startswith("| everything | ") and len(lines) == 3 + 2 * len((*WEIGHTS, *REFINING)) - 1
    told = run("ablation", "locomo", write(tmp_path, [locomo_sample()]), "--json").json
    assert told["whole"]["turn any@10"][1:] == [0, 0, 0]
