"""What a recall's confidence is worth: questions that a history answers, and questions of other histories, with the
names of their speakers replaced by its own, which it does not answer."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from bench.facts import cases
from ricordo.bench.datasets import Asked, History
from ricordo.bench.runner import mine, own_schema
from ricordo.client import AsyncMemory
from ricordo.models import Conversation, Message
from ricordo.settings import Settings

#: Questions of other histories that each is asked.
_OTHERS = 100
#: The share of answerable questions that is kept where silence is measured, and the bins of confidence.
_KEPT, _BINS = 0.95, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass
class Measured:
    """The confidence in answers to questions that have one, and to those that have none."""

    answered: list[float] = field(default_factory=list)
    unanswered: list[float] = field(default_factory=list)
    #: How many of each bring nothing by default.
    silent: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def auc(self) -> float:
        """The chance that a question with an answer is surer than one without; 0.5 is a coin."""
        one, other = np.array(self.answered)[:, None], np.array(self.unanswered)[None]
        return float(np.mean((one > other) + 0.5 * (one == other)))

    @property
    def silence(self) -> float:
        """The share of questions without an answer that bring nothing where 95 % of the others bring something."""
        return float(np.mean(np.array(self.unanswered) < np.quantile(self.answered, 1 - _KEPT)))

    def right(self) -> Iterator[tuple[float, float, float]]:
        """For each bin of confidence its ends, and the share of questions in it that have an answer, if as many
        questions have one as have none."""
        for low, high in pairwise(_BINS):
            within = [
                np.mean([low <= each < high or each == high == 1.0 for each in several])
                for several in (self.answered, self.unanswered)
            ]
            if sum(within):
                yield low, high, float(within[0] / sum(within))


def own() -> Iterator[History]:
    """The labelled conversations of `bench facts` with their questions."""
    for half in cases.HALVES:
        for case in cases.cases(half):
            told = {f"{case.name}/{session}": turns for session, turns in case.sessions.items()}
            places = {turn.mark: (id, place) for id, turns in told.items() for place, turn in enumerate(turns)}
            conversations = tuple(
                Conversation(id=id, messages=tuple(map(_message, turns)), source="bench") for id, turns in told.items()
            )
            now = max(turn.at for turn in case.turns)
            questions = []
            for number, each in enumerate(case.questions):
                turns = frozenset(places[mark] for mark in each.best)
                gold = turns, frozenset(conversation for conversation, _ in turns)
                questions.append(Asked(f"{case.name}/{number}", each.text, each.sort, now, *gold))
            yield History(f"{case.name}.{half}", conversations, tuple(questions))


def _message(turn: cases.Turn) -> Message:
    name = None if turn.role == "assistant" else turn.speaker
    return Message(role=turn.role, name=name, content=turn.text, at=turn.at)


async def measure(settings: Settings, histories: Iterable[History], progress: Callable[[str], None]) -> Measured:
    """Ask each history its own questions and some of the others'. Raises StoreError and ModelUnavailable."""
    every, found, source = list(histories), Measured(), random.Random(0)
    async with own_schema(settings) as schema:
        for history in every:
            progress(f"{history.id}: {len(history.conversations)} conversations, {len(history.questions)} questions")
            others = [
                _as_of(asked.text, other, history)
                for other in every
                if _kind(other) != _kind(history)
                for asked in other.questions
            ]
            others = source.sample(others, min(_OTHERS, len(others)))
            async with AsyncMemory(settings=replace(schema, user=history.id), background=False) as memory:
                await mine(memory, history.conversations)
                now = history.questions[0].now
                for number, texts in enumerate(([each.text for each in history.questions], others)):
                    for text in texts:
                        sure = (await memory.recall(text, now=now, min_confidence=0)).confidence
                        (found.unanswered if number else found.answered).append(sure)
                        found.silent[number] += not len(await memory.recall(text, now=now))
    return found


def _kind(history: History) -> str:
    """What histories about similar matters have in common, so that none is asked of another: "person2" and "person"."""
    return re.sub(r"\d*\..*", "", history.id)


def _as_of(text: str, other: History, history: History) -> str:
    for theirs, ours in zip(_speakers(other), _speakers(history), strict=False):
        text = re.sub(rf"\b{re.escape(theirs)}\b", ours, text)
    return text


def _speakers(history: History) -> Sequence[str]:
    said = (message.name for each in history.conversations for message in each.messages if message.name)
    return list(dict.fromkeys(said))
