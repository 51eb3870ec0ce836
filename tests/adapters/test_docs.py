"""Row E10 of the contract: the examples in docs/adapters.md print what stands below them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import scripted
from ricordo.settings import Settings

_DOC = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
#: (title, code, what it prints) of each example.
_EXAMPLES = [
    (section.partition("\n")[0], *example)
    for section in _DOC.split("\n## ")[1:]
    for example in re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", section, re.S)
]


@contextmanager
def _claude() -> Iterator[dict[str, Any]]:
    script = [("memory", {"command": "create", "path": "/memories/boat.md", "file_text": "The boat is called Dido."})]
    with scripted.anthropic_client([*script, "Noted."]) as client:
        yield {"client": client}


_ANSWERS = ["A fine name.", "Dido."]


@contextmanager
def _given(**given: Any) -> Iterator[dict[str, Any]]:
    yield given


#: What an example takes from elsewhere: its model, which here follows a script.
_GIVEN = {
    "Anthropic's memory tool": _claude,
    "OpenAI Agents SDK": lambda: _given(model=scripted.openai_model(_ANSWERS)),
    "Pydantic AI": lambda: _given(model=scripted.pydantic_ai_model(_ANSWERS)[0]),
    "LangChain": lambda: _given(model=scripted.langchain_model(_ANSWERS)),
    "Google ADK": lambda: _given(model=scripted.adk_model(_ANSWERS)),
    "Microsoft Agent Framework": lambda: _given(client=scripted.agent_framework_client(_ANSWERS)),
}


@pytest.mark.parametrize(("title", "code", "printed"), _EXAMPLES, ids=[title for title, _, _ in _EXAMPLES])
def test_e10_the_example_prints_what_stands_below_it(
    title: str,
    code: str,
    printed: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RICORDO_HOME", str(settings.home))
    monkeypatch.setenv("RICORDO_DATABASE", settings.database)
    monkeypatch.setenv("RICORDO_SCHEMA", settings.schema)
    monkeypatch.setenv("RICORDO_MODEL_DIR", str(settings.model_dir))
    with _GIVEN.get(title, _given)() as given:
        # Compiled under its title, so that a traceback tells which example it is.
        exec(compile(code, f"<{title}>", "exec", dont_inherit=True), {"__name__": "example", **given})
    assert capsys.readouterr().out == printed


def test_e10_every_section_has_an_example_that_runs() -> None:
    assert [title for title, _, _ in _EXAMPLES] == re.findall(r"^## (.+)$", _DOC, re.M)
