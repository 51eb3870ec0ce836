"""The files of a LongMemEval run: one JSON object a line, each durable when it is written, so that a run that was
stopped goes on where it was."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput, NotFound, UnreadableSource


@dataclass(frozen=True)
class RunFiles:
    """Where a run keeps what it has done; the names are those of the benchmark's own scripts."""

    folder: Path
    run: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9_]{1,40}", self.run):
            raise InvalidInput("run", f"{self.run!r} must be 1 to 40 of a-z, 0-9 and _: it names a schema and files")

    @property
    def schema(self) -> str:
        """The schema of the run's own, which is dropped when its questions have been asked."""
        return f"longmemeval_{self.run}"

    @property
    def ingested(self) -> Log:
        """Which histories are in the store: `question_id`, `turns`, `seconds`."""
        return Log(self.folder / "ingest_logs" / f"{self.run}.jsonl")

    @property
    def retrieved(self) -> Log:
        """The records with `retrieval_results`, as the benchmark's own retrieval writes them."""
        return Log(self.folder / "retrieval_logs" / f"{self.run}.jsonl")

    @property
    def generated(self) -> Log:
        """The LLM's answers: `question_id`, `hypothesis`, and what each cost."""
        return Log(self.folder / "generation_logs" / f"{self.run}.jsonl")

    def judged(self, model: str) -> Log:
        """The answers with `autoeval_label`, as the benchmark's own evaluation writes them."""
        name = re.sub(r"[^\w.-]+", "-", model)
        return Log(self.folder / "generation_logs" / f"{self.run}.jsonl.eval-results-{name}")


@dataclass(frozen=True)
class Log:
    """Lines that are only ever added. A line that a kill cut short is taken away before the next one is written."""

    path: Path

    def lines(self) -> Iterator[dict[str, Any]]:
        """The whole lines, in their order; none where the file is not there. Raises UnreadableSource."""
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    return
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise UnreadableSource(f"{self.path}, line {number}: invalid JSON: {error}") from error

    def done(self) -> set[str]:
        """The questions that the log has."""
        return {each["question_id"] for each in self.lines()}

    def required(self, made_by: str) -> list[dict[str, Any]]:
        """The lines. Raises NotFound where there are none, naming the command that makes them."""
        found = list(self.lines())
        if not found:
            raise NotFound(f"{self.path} is empty or missing: run `ricordo bench longmemeval {made_by}` first")
        return found

    def add(self, line: dict[str, Any]) -> None:
        """Write one line; it is on disk when this returns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            _cut_to_whole_lines(file.fileno(), self.path)
            file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def clear(self) -> None:
        """Begin anew."""
        self.path.unlink(missing_ok=True)


def _cut_to_whole_lines(descriptor: int, path: Path) -> None:
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        whole = path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(descriptor, whole)
