"""Benchmark files → conversations to mine and questions to ask. The files are the user's own; none is ours."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ricordo.errors import UnreadableSource
from ricordo.nouns import Conversation, Message

#: A turn of a history: (its conversation's id, its position there).
Place = tuple[str, int]

LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True)
class Asked:
    """A question, the moment when it is asked, and where its evidence stands."""

    id: str
    text: str
    category: str
    now: datetime
    turns: frozenset[Place]
    sessions: frozenset[str]


@dataclass(frozen=True)
class History:
    """What one user has said before the questions come."""

    id: str
    conversations: tuple[Conversation, ...]
    questions: tuple[Asked, ...]


def locomo(path: Path) -> Iterator[History]:
    """LoCoMo's file (snap-research/LoCoMo): each session is a conversation; a shared picture's caption is part
    of its turn, as in the authors' own retrieval. Categories 1 to 4; 5 has no evidence to be found."""
    for sample in _read(path):
        talk = sample["conversation"]
        numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key))
        places: dict[str, Place] = {}
        conversations = []
        for number in numbers:
            id = f"{sample['sample_id']}/session_{number}"
            at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            turns = talk[f"session_{number}"]
            places.update({turn["dia_id"]: (id, position) for position, turn in enumerate(turns)})
            messages = tuple(Message(name=turn["speaker"], content=_with_caption(turn), at=at) for turn in turns)
            conversations.append(Conversation(id=id, messages=messages, source="locomo"))
            last = at
        questions = []
        for index, each in enumerate(sample["qa"]):
            named = [f"D{a}:{b}" for a, b in re.findall(r"D:?(\d+):(\d+)", " ".join(each["evidence"]))]
            turns_ = frozenset(places[name] for name in named if name in places)
            if turns_ and each["category"] in (1, 2, 3, 4):
                questions.append(
                    Asked(
                        f"{sample['sample_id']}/{index}", each["question"], LOCOMO_CATEGORIES[each["category"]], last,
                        turns_, frozenset(session for session, _ in turns_),
                    )
                )  # fmt: skip
        yield History(sample["sample_id"], tuple(conversations), tuple(questions))


def longmemeval(path: Path) -> Iterator[History]:
    """LongMemEval's records (xiaowu0162/LongMemEval): one history and one question each. Questions that have no
    answer (`_abs`) are left out, as the authors do for retrieval."""
    for record in _read(path):
        if record["question_id"].endswith("_abs"):
            continue
        conversations, evidence = [], set()
        sessions = zip(
            record["haystack_session_ids"], record["haystack_dates"], record["haystack_sessions"], strict=True
        )
        for id, date, turns in sessions:
            said = [turn for turn in turns if turn["content"].strip()]
            at = _moment(date)
            conversations.append(
                Conversation(
                    id=id,
                    messages=tuple(Message(role=turn["role"], content=turn["content"], at=at) for turn in said),
                    source="longmemeval",
                )
            )
            evidence |= {(id, position) for position, turn in enumerate(said) if turn.get("has_answer")}
        asked = Asked(
            record["question_id"], record["question"], record["question_type"], _moment(record["question_date"]),
            frozenset(evidence), frozenset(record["answer_session_ids"]),
        )  # fmt: skip
        yield History(record["question_id"], tuple(conversations), (asked,))


def pooled(histories: Iterator[History]) -> Iterator[History]:
    """All histories as one: what a single person would have after years."""
    conversations: dict[str, Conversation] = {}
    questions: list[Asked] = []
    for history in histories:
        conversations.update({each.id: each for each in history.conversations})
        questions += history.questions
    yield History("pooled", tuple(conversations.values()), tuple(questions))


def _with_caption(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shares {caption}]" if caption else str(turn["text"])


def _moment(text: str) -> datetime:
    return datetime.strptime(re.sub(r"\s*\(\w+\)\s*", " ", text), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            read = json.load(file)
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"{path} cannot be read as a benchmark's JSON file: {error}") from error
    if not isinstance(read, list):
        raise UnreadableSource(f"{path} holds no list of records")
    return read
