"""Questions in another language than the turn that answers them: sixty pairs in ten languages, written for this."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from ricordo import bench
from ricordo.bench.datasets import Asked, History
from ricordo.models import Conversation, Message

_PAIRS = Path(__file__).parent / "data" / "languages.jsonl"
#: What else is remembered: so many turns of LoCoMo.
_OTHERS = 440
_TOLD, _ASKED = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def histories(locomo: Path) -> Iterator[History]:
    """One history whose turns are in ten languages and whose questions are in English, and one the other way round.

    Raises UnreadableSource for a file that is not LoCoMo's.
    """
    pairs = [json.loads(line) for line in _PAIRS.read_text(encoding="utf-8").splitlines()]
    others = _others(locomo)
    for name, turn, question in (
        ("asked in English", "turn", "question_en"),
        ("told in English", "turn_en", "question"),
    ):
        told, questions = [], []
        for number, pair in enumerate(pairs):
            message = Message(role="user", content=pair[turn], at=_TOLD)
            told.append(Conversation(id=f"{number}", messages=(message,), source="bench"))
            place = frozenset({(f"{number}", 0)}), frozenset({f"{number}"})
            questions.append(Asked(f"{number}", pair[question], name, _ASKED, *place))
        yield History(name, (*others, *told), tuple(questions))


def _others(locomo: Path) -> tuple[Conversation, ...]:
    """The first turns of LoCoMo, some of each conversation."""
    found = list(bench.locomo(locomo))
    share = _OTHERS // len(found)
    chosen = []
    for number, history in enumerate(found):
        turns = islice(((each, message) for each in history.conversations for message in each.messages), share)
        by_session: dict[str, list[Message]] = {}
        for conversation, message in turns:
            by_session.setdefault(f"{number}-{conversation.id}", []).append(message)
        chosen += [Conversation(id=id, messages=tuple(messages), source="bench") for id, messages in by_session.items()]
    return tuple(chosen)
