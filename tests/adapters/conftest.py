"""What every test of an adapter needs: frameworks that send nothing anywhere."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No framework traces to its maker."""
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
