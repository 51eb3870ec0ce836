"""ricordo reembed and ricordo models status: what they print, for people and for programs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commands import in_process
from models import OTHER
from ricordo.blocking import Memory
from ricordo.settings import Settings
from talks import BATTERY

DEFAULT = "all-MiniLM-L6-v2"


def test_reembed_tells_what_it_would_do_and_what_it_did(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(with_vectors, monkeypatch, capsys)
    assert run("models", "status").out == "No memory has a vector yet.\n0 memories without a vector yet\n"
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(BATTERY, conversation="battery")
        memory.embed_pending()
        memory.mine([{"role": "user", "content": "And a spare one."}], conversation="spare")
    assert run("models", "status").out == (
        f"4 memories with a vector from {DEFAULT} (384 dimensions)\n1 memory without a vector yet\n"
    )
    assert run("models", "status", "--json").json["embedded"] == 4
    ran = run("reembed", "--model", OTHER, "--dry-run")
    assert ran.out == (
        f"5 memories would get new vectors from {OTHER}, in about 0:00:01 on this machine, at no cost. "
        "Nothing was changed.\n"
    )
    assert run("reembed", "--model", OTHER, "--dry-run", "--json").json["memories"] == 5
    ran = run("reembed", "--model", OTHER)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"Switched the vectors from {DEFAULT} to {OTHER} (256 dimensions); computed 4 here.\n"
    assert run("reembed", "--model", OTHER).out == f"The vectors already use {OTHER} (256 dimensions).\n"
    again = run("reembed", "--model", "all-MiniLM-L6-v2-int8", "--json").json
    assert again == {"model": DEFAULT, "dimension": 384, "previous": OTHER, "made": 5, "pending": 0}


def test_an_embedding_model_that_is_unknown_or_absent_is_said(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = in_process(with_vectors, monkeypatch, capsys)("reembed", "--model", "gpt-9")
    assert ran.code == 2
    assert ran.err.startswith(
        "ricordo: --model: embedding model 'gpt-9' is not available here: expected one of all-MiniLM"
    )
    bare = replace(with_vectors, model_dir=with_vectors.home / "none")
    ran = in_process(bare, monkeypatch, capsys)("reembed", "--model", OTHER)
    assert ran.code == 6
    assert f"ricordo models install {OTHER}" in ran.err


def test_doctor_tells_of_vectors_whose_embedding_model_is_missing(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(BATTERY, conversation="battery")
        memory.embed_pending()
    said = in_process(with_vectors, monkeypatch, capsys)("doctor").out
    assert f"{DEFAULT} (384 dimensions); 0 memories without a vector yet" in said
    bare = replace(with_vectors, model_dir=with_vectors.home / "none")
    said = in_process(bare, monkeypatch, capsys)("doctor").out
    assert f"{DEFAULT} (384 dimensions), which local's vectors need, is not available" in said
    assert "ricordo reembed --model NAME" in said
