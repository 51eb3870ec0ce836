"""What docs/palace.md shows of the sample is what mining the sample makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import in_process
from ricordo import sample
from ricordo.settings import Settings

DOC = Path(__file__).parents[2] / "docs" / "palace.md"


@pytest.mark.slow
def test_the_tree_in_the_documentation_is_the_samples(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(settings, monkeypatch, capsys)
    run("mine", str(sample.chats()), "--user", "mara")
    shown = DOC.read_text(encoding="utf-8").split("```\n")[1]
    assert run("palace", "tree", "--user", "mara").out == shown
