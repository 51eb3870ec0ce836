"""Every peer gets the same texts and the same questions, in a process and a folder of its own, and is scored alike."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from ricordo import embedding
from ricordo.bench.datasets import History
from ricordo.bench.peers.environments import python_of
from ricordo.bench.scoring import Figure, figure, measures
from ricordo.database import Database
from ricordo.errors import ModelUnavailable, StoreError
from ricordo.models import Message
from ricordo.settings import Settings
from ricordo.text import tokens_in

_DRIVERS = files("ricordo.bench.peers") / "drivers"
_DEPTH = 100
#: Turns that an LLM is given.
_READ = 10


@dataclass(frozen=True)
class Peer:
    """A system to compare with. `environment` names its requirements; None is Ricordo itself."""

    name: str
    environment: str | None
    variant: str


PEERS = (
    Peer("Ricordo", None, "hybrid"),
    Peer("Ricordo, words only", None, "words"),
    Peer("BM25", "plain", "bm25"),
    Peer("nearest vectors", "plain", "dense"),
    Peer("Chroma 1.5.9", "chroma", ""),
    Peer("LangGraph store 1.2.24", "langgraph", ""),
    Peer("mem0 2.2.1, no inference", "mem0", ""),
    Peer("MemPalace 3.11.0, vector", "mempalace", "vector"),
    Peer("MemPalace 3.11.0, union", "mempalace", "union"),
)


@dataclass
class Result:
    """What one peer reached. `failure` says why there is nothing."""

    peer: str
    failure: str | None = None
    #: By level and measure, such as ("turn", "any@10").
    values: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    turns: int = 0
    #: Seconds that adding took, and each search for as many turns as an LLM is given.
    adding: float = 0.0
    searches: list[float] = field(default_factory=list)
    #: About how many tokens the ten best turns of each question have, which an LLM would be given.
    tokens: list[int] = field(default_factory=list)
    #: Bytes: the most that a process held (Ricordo's is its client's), and what one history took on disk.
    memory: int = 0
    disk: int = 0

    @property
    def figures(self) -> dict[tuple[str, str], Figure]:
        """The means with their intervals."""
        return {key: figure(values) for key, values in self.values.items()}

    def as_object(self) -> dict[str, Any]:
        """The JSON form."""
        shown = {f"{level} {name}": [f.mean, f.low, f.high] for (level, name), f in self.figures.items()}
        return {
            "peer": self.peer,
            "failure": self.failure,
            "questions": len(self.tokens),
            "figures": shown,
            "add_turns_per_second": self.turns / self.adding if self.adding else None,
            "search_ms": 1000 * median(self.searches) if self.searches else None,
            "tokens_of_ten": median(self.tokens) if self.tokens else None,
            "memory_bytes": self.memory,
            "disk_bytes_per_turn": self.disk / self.turns if self.turns else None,
        }


def compare(
    settings: Settings, histories: Sequence[History], peers: Iterable[Peer], progress: Callable[[str], None]
) -> list[Result]:
    """Let each peer keep each history and answer its questions. What a peer cannot do is its result's `failure`.

    Raises StoreError and ModelUnavailable for Ricordo's own.
    """
    [model] = [each.path for each in embedding.installed(settings) if each.name == embedding.DEFAULT]
    results = []
    for peer in peers:
        result = Result(peer.name)
        results.append(result)
        try:
            python = python_of(peer.environment, settings.home / "peers") if peer.environment else Path(sys.executable)
            for history in histories:
                progress(f"{peer.name}: {history.id}")
                _run(peer, python, settings, model, history, result)
        except (ModelUnavailable, _Failed) as error:
            if peer.environment is None:
                raise StoreError(str(error)) from error
            result.failure = str(error)
            progress(f"{peer.name}: {error}")
    return results


def whole(histories: Iterable[History]) -> Result:
    """What it costs to have no memory and to give an LLM all of a history with each question."""
    result = Result("no memory: all of it")
    for history in histories:
        tokens = sum(tokens_in(item["text"]) for item in _items(history))
        result.tokens += [tokens] * len(history.questions)
    return result


class _Failed(Exception):
    """A driver ended before it was asked to end."""


def _run(peer: Peer, python: Path, settings: Settings, model: Path, history: History, result: Result) -> None:
    places = {
        f"{conversation.id}#{position}": (conversation.id, position)
        for conversation in history.conversations
        for position in range(len(conversation.messages))
    }
    items = {each["id"]: each for each in _items(history)}
    with _driver(peer, python, settings, model) as ask:
        result.adding += ask({"add": list(items.values())})["seconds"]
        result.turns += len(places)
        ask({"search": "warm up", "limit": 1, "now": history.questions[0].now.isoformat()})
        for asked in history.questions:
            search = {"search": asked.text, "now": asked.now.isoformat()}
            result.searches.append(ask({**search, "limit": _READ})["seconds"])
            answer = ask({**search, "limit": _DEPTH})
            result.tokens.append(sum(tokens_in(items[id]["text"]) for id in answer["ids"][:_READ]))
            found = [places[id] for id in answer["ids"]]
            sessions = list(dict.fromkeys(conversation for conversation, _ in found))
            for level, ranked, gold in (("turn", found, asked.turns), ("session", sessions, asked.sessions)):
                for name, value in measures(ranked, gold).items() if gold else ():
                    result.values.setdefault((level, name), []).append(value)
        end = ask({"end": True})
    result.memory = max(result.memory, end["memory"])
    result.disk += end["disk"]


def _items(history: History) -> Iterator[dict[str, Any]]:
    """The turns of a history: as text for those who keep only that, and as they are for Ricordo."""
    for conversation in history.conversations:
        for position, message in enumerate(conversation.messages):
            yield {
                "id": f"{conversation.id}#{position}",
                "text": _told(message),
                "conversation": conversation.id,
                "message": message.model_dump(mode="json"),
            }


@contextmanager
def _driver(
    peer: Peer, python: Path, settings: Settings, model: Path
) -> Iterator[Callable[[dict[str, Any]], dict[str, Any]]]:
    """A process of the peer's, with an empty folder of its own: what is called with a question gives its answer.

    Raises _Failed where the process ends before it has answered.
    """
    schema = f"bench_{secrets.token_hex(6)}"
    own = {"RICORDO_HOME": str(settings.home), "RICORDO_SCHEMA": schema} if peer.environment is None else {}
    program = (
        [str(_DRIVERS / f"{peer.environment}_driver.py")] if peer.environment else ["-m", "ricordo.bench.peers.own"]
    )
    with tempfile.TemporaryDirectory(prefix="ricordo-peer-") as folder, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(python), *program, folder, str(model), peer.variant],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8",
            env={**os.environ, "ORT_DISABLE_TELEMETRY": "1", **own},
        )  # fmt: skip
        assert process.stdin is not None and process.stdout is not None

        def ask(question: dict[str, Any]) -> dict[str, Any]:
            with suppress(BrokenPipeError):
                print(json.dumps(question), file=process.stdin, flush=True)
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                process.wait()
                errors.seek(0)
                last = errors.read().decode("utf-8", "replace").strip().splitlines()[-1:] or ["it told nothing"]
                raise _Failed(f"its process ended with code {process.returncode}: {last[0]}")
            answer: dict[str, Any] = json.loads(line)
            return answer

        try:
            yield ask
        finally:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
            if peer.environment is None:
                asyncio.run(Database(replace(settings, schema=schema)).drop_schema())


def _told(message: Message) -> str:
    """A turn as those get it who keep only text: with its day and its speaker."""
    day = f"[{message.at:%Y-%m-%d}] " if message.at else ""
    return f"{day}{message.name or message.role}: {message.content}"
