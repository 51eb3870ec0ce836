"""LongMemEval's first half: histories into the store, questions asked, rankings scored.

The lines of the log have the fields, the ids of turns and the measures of the benchmark's own retrieval
(xiaowu0162/LongMemEval, src/retrieval), so that its scripts read them.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from ricordo.bench.datasets import ABSTENTION, History, longmemeval_history
from ricordo.bench.pipeline.logs import RunFiles
from ricordo.bench.records import Record
from ricordo.bench.scoring import Figure, figure
from ricordo.client import AsyncMemory
from ricordo.database import Database
from ricordo.models import Hit, Progress
from ricordo.settings import Settings

#: The cuts of the benchmark's own scripts.
CUTS = (1, 3, 5, 10, 30, 50)
_FIELDS = (
    "question_id", "question_type", "question", "answer", "question_date", "haystack_dates", "haystack_sessions",
    "haystack_session_ids", "answer_session_ids",
)  # fmt: skip


async def ingest(settings: Settings, files: RunFiles, records: Sequence[Record], progress: Progress) -> None:
    """Mine the history of each record as a user of its own, in the run's schema; what is there already is left.

    Raises StoreError, UnreadableSource and ModelUnavailable.
    """
    done = files.ingested.done()
    for number, record in enumerate(records):
        progress(number, len(records))
        history = longmemeval_history(record)
        if history.id in done:
            continue
        start, turns = time.perf_counter(), 0
        async with _memory(settings, files, history) as memory:
            for each in history.conversations:
                receipt = await memory.mine(each.messages, conversation=each.id, source=each.source)
                turns += receipt.stored + receipt.duplicates
            await memory.embed_pending()
        seconds = round(time.perf_counter() - start, 3)
        files.ingested.add({"question_id": history.id, "turns": turns, "seconds": seconds})
    progress(len(records), len(records))


async def retrieve(settings: Settings, files: RunFiles, records: Sequence[Record], progress: Progress) -> None:
    """Ask the question of each record that was ingested and is not in the log, and write what came back.

    Raises StoreError and UnreadableSource.
    """
    done = files.retrieved.done()
    if {record.text("question_id") for record in records} <= done:
        return
    ingested = {each["question_id"] for each in files.ingested.required("ingest")}
    for number, record in enumerate(records):
        progress(number, len(records))
        history = longmemeval_history(record)
        if history.id in done or history.id not in ingested:
            continue
        [asked] = history.questions
        async with _memory(settings, files, history) as memory:
            start = time.perf_counter()
            found = await memory.recall(asked.text, top_k=CUTS[-1], now=asked.now)
            seconds = time.perf_counter() - start
        results = _results(record, asked.text, found.results) | {"seconds": round(seconds, 4)}
        files.retrieved.add({name: record.value.get(name) for name in _FIELDS} | {"retrieval_results": results})
    progress(len(records), len(records))


async def drop(settings: Settings, files: RunFiles) -> None:
    """Remove the run's schema, and with it the note of what was ingested there. Raises StoreError."""
    await Database(replace(settings, schema=files.schema)).drop_schema()
    files.ingested.clear()


def score(files: RunFiles) -> dict[str, dict[str, Figure]]:
    """Means by kind of question, and of all, of every measure in the log; questions without an answer are left out,
    as the benchmark does. Keys of the inner mapping are such as `session recall_any@5`.

    Raises NotFound where nothing was retrieved.
    """
    values: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in files.retrieved.required("retrieve"):
        if line["question_id"].endswith(ABSTENTION):
            continue
        for level, measures in line["retrieval_results"]["metrics"].items():
            for name, value in measures.items():
                values[line["question_type"]][f"{level} {name}"].append(value)
                values["all"][f"{level} {name}"].append(value)
    return {kind: {name: figure(each) for name, each in measured.items()} for kind, measured in values.items()}


def questions(files: RunFiles) -> dict[str, int]:
    """How many questions are behind the figures, by kind."""
    kinds = [line["question_type"] for line in files.retrieved.lines() if not line["question_id"].endswith(ABSTENTION)]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))} | {"all": len(kinds)}


def _memory(settings: Settings, files: RunFiles, history: History) -> AsyncMemory:
    return AsyncMemory(settings=replace(settings, schema=files.schema, user=history.id), background=False)


def _results(record: Record, question: str, hits: Sequence[Hit]) -> dict[str, Any]:
    """What came back, and how good that is by turn and by session."""
    dates = dict(zip(record.texts("haystack_session_ids"), record.texts("haystack_dates"), strict=True))
    numbers = _numbers(record)
    items = [(numbers[hit.conversation][hit.position], hit) for hit in hits]
    ids = [_turn_id(hit.conversation, number, evident) for (number, evident), hit in items]
    gold_turns = {
        _turn_id(session, number, True) for session, turns in numbers.items() for number, evident in turns if evident
    }
    sessions = list(dict.fromkeys(hit.conversation for hit in hits))
    metrics = {"session": _measures(sessions, set(record.texts("answer_session_ids")))}
    if gold_turns:
        metrics["turn"] = _measures(ids, gold_turns)
    return {
        "query": question,
        "ranked_items": [
            {"corpus_id": id, "text": hit.text, "speaker": hit.speaker, "timestamp": dates[hit.conversation]}
            for id, (_, hit) in zip(ids, items, strict=True)
        ],
        "metrics": metrics,
    }


def _numbers(record: Record) -> dict[str, list[tuple[int, bool]]]:
    """By session, the number (from 1) of each turn that was mined, and whether it holds evidence."""
    return {
        session: [
            (number, bool(turn.value.get("has_answer")))
            for number, turn in enumerate(record.records("haystack_sessions", index), 1)
            if turn.text("content").strip()
        ]
        for index, session in enumerate(record.texts("haystack_session_ids"))
    }


def _turn_id(session: str, number: int, evident: bool) -> str:
    """The benchmark's own id of a turn: those of an evidence session that hold none themselves are marked."""
    return f"{session if evident else session.replace('answer', 'noans')}_{number}"


def _measures(ranked: Sequence[Hashable], gold: set[Any]) -> dict[str, float]:
    """recall_any, recall_all and ndcg_any at each cut, by the benchmark's own definitions: its gain discounts the
    third place and later by the logarithm to base 2 of one less than the place."""
    gains = [each in gold for each in ranked]
    measures = {}
    for cut in CUTS:
        found = len(gold & set(ranked[:cut]))
        measures[f"recall_any@{cut}"] = float(found > 0)
        measures[f"recall_all@{cut}"] = float(found == len(gold))
        measures[f"ndcg_any@{cut}"] = _gain(gains[:cut]) / _gain([True] * min(len(gold), cut)) if gold else 0.0
    return measures


def _gain(relevant: Sequence[bool]) -> float:
    return sum(each / math.log2(max(2, place)) for place, each in enumerate(relevant, 1))
