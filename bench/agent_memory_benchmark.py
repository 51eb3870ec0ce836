"""Ricordo as a memory provider of the Agent Memory Benchmark (https://github.com/vectorize-io/agent-memory-benchmark).

In a clone of the benchmark, with a key of the language model that answers and judges:

    uv pip install ricordo && uv run ricordo models install
    GEMINI_API_KEY=… uv run python FILE run --dataset locomo --split locomo10 --memory ricordo
    GEMINI_API_KEY=… uv run python FILE run --dataset beam --split 100k --memory ricordo

FILE is this file; everything after it goes to the benchmark's own command. Each conversation is a user of its own. The
store lies in the benchmark's folder for the run and is removed when the next run begins. Ricordo uses no language
model here: it returns stored turns, as many as fit into 4,000 tokens.

Written for the benchmark of November 2026 (its `MemoryProvider` and `Document`).
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_bench.memory import REGISTRY
from memory_bench.memory.base import MemoryProvider
from memory_bench.models import Document

from ricordo import Memory
from ricordo.database import stop
from ricordo.settings import Settings

#: Tokens of the turns that a question gets.
_TOKENS = 4_000
#: A turn in the text of a document: perhaps its date and number, then who says it.
_SPOKEN = re.compile(r"(?:\[(?:[^\]]*\bTurn \d+|\w+-\d+-\d+)\] )?(?P<name>[A-Z][a-z]+): ?")
#: The user of documents that belong to nobody.
_NOBODY = "everyone"


class RicordoProvider(MemoryProvider):  # type: ignore[misc]
    """Stores each document as a conversation, and answers with the turns that recall finds."""

    name = "ricordo"
    description = "Verbatim turns in PostgreSQL, found by words, vectors, time and facts; no language model."
    kind = "local"

    def prepare(self, store_dir: Path, unit_ids: set[str] | None = None, reset: bool = True) -> None:
        own = Settings.from_environment()
        settings = replace(own, home=Path(store_dir) / "ricordo", model_dir=own.models, database_url=None)
        if reset and settings.home.exists():
            stop(settings)
            shutil.rmtree(settings.home)
        self._memory = Memory(settings=settings).__enter__()

    def cleanup(self) -> None:
        settings = self._memory.process_settings
        self._memory.close()
        stop(settings)

    def ingest(self, documents: list[Document]) -> None:
        for document in documents:
            memory = self._memory.of(document.user_id or _NOBODY)
            memory.mine(list(turns(document)), conversation=document.id, title=document.context)
        for user in {document.user_id or _NOBODY for document in documents}:
            self._memory.of(user).embed_pending()

    def retrieve(
        self,
        query: str,
        k: int = 10,
        user_id: str | None = None,
        query_timestamp: str | None = None,
        filters: Mapping[str, Any] | None = None,
    ) -> tuple[list[Document], dict[str, Any] | None]:
        now = datetime.fromisoformat(query_timestamp) if query_timestamp else None
        found = self._memory.of(user_id or _NOBODY).recall(query, max_tokens=_TOKENS, now=now)
        return [
            Document(
                id=hit.conversation,
                content=f"[{hit.at:%Y-%m-%d}] {hit.speaker}: {hit.text}",
                user_id=user_id,
                timestamp=hit.at.isoformat(),
            )
            for hit in found.results
        ], None


def turns(document: Document) -> Iterator[dict[str, Any]]:
    """The turns of a document: its messages where it has some, else what its text lists or shows as spoken."""
    at = {"at": document.timestamp} if document.timestamp else {}
    listed = document.messages or _listed(document.content)
    if listed is not None:
        for each in listed:
            text = str(each.get("content") or each.get("text") or "")
            if photo := each.get("blip_caption"):
                text = f"{text} [shares a photo of {photo}]".strip()
            if text.strip():
                who = {"role": each["role"]} if "role" in each else {"name": str(each.get("speaker", "unknown"))}
                yield {**who, "content": text, **at}
        return
    for name, text in _spoken(document.content):
        role = name.lower()
        yield {**({"role": role} if role in ("user", "assistant", "system") else {"name": name}), "content": text, **at}


def _listed(content: str) -> list[dict[str, Any]] | None:
    """The turns of a text that is a JSON list of them."""
    if not content.startswith("["):
        return None
    try:
        listed = json.loads(content)
    except ValueError:
        return None
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else None


def _spoken(content: str) -> Iterator[tuple[str, str]]:
    """Who says what in a text whose paragraphs begin with a name or a role; one turn where none does."""
    name = "user"
    said: list[str] = []
    for paragraph in content.split("\n\n"):
        begin = _SPOKEN.match(paragraph)
        if begin:
            if said:
                yield name, "\n\n".join(said)
            name, said = begin["name"], []
            paragraph = paragraph[begin.end() :]
        said.append(paragraph)
    if said and "".join(said).strip():
        yield name, "\n\n".join(said)


def main() -> None:
    """Run the benchmark's command with Ricordo among its providers."""
    REGISTRY["ricordo"] = RicordoProvider
    from memory_bench.cli import app

    sys.exit(app())


if __name__ == "__main__":
    main()
