"""What a recall's confidence is worth, measured with questions that a history answers and questions that it does not.

Questions without an answer are of three kinds: questions about other histories, with their speakers' names replaced by
names from this one; questions about the wrong person; and BEAM's questions about details that nobody ever mentioned.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from bench.facts import cases
from ricordo import formats, sample
from ricordo.bench.datasets import Asked, History, Place, beam, locomo
from ricordo.bench.records import Record, read
from ricordo.bench.runner import mine, own_schema
from ricordo.client import AsyncMemory
from ricordo.models import Conversation, Message
from ricordo.settings import Settings

#: Questions about the right and the wrong person, written for this test; the file explains its format.
SWAPPED = Path(__file__).parent / "data" / "swapped.txt"
_PAIR = re.compile(r"\{(.+?)\|(.+?)\}")

#: Questions of other histories that each is asked.
_OTHERS = 100
#: The share of answerable questions that is kept where silence is measured, and the bins of confidence.
_KEPT, _BINS = 0.95, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
#: LoCoMo's category of questions about what the other person said or did.
_ADVERSARIAL = 5
#: The evidence of a question that is asked only for the confidence of its results.
_NOWHERE: tuple[frozenset[Place], frozenset[str]] = (frozenset(), frozenset())


@dataclass
class Measured:
    """The confidence in answers to questions that have one, and to those that have none."""

    answered: list[float] = field(default_factory=list)
    unanswered: list[float] = field(default_factory=list)
    #: How many of each bring nothing by default.
    silent: list[int] = field(default_factory=lambda: [0, 0])

    def __add__(self, other: Measured) -> Measured:
        silent = [one + two for one, two in zip(self.silent, other.silent, strict=True)]
        return Measured(self.answered + other.answered, self.unanswered + other.unanswered, silent)

    @property
    def auc(self) -> float:
        """The chance that a question with an answer is surer than one without; 0.5 is a coin."""
        one, other = np.array(self.answered)[:, None], np.array(self.unanswered)[None]
        return float(np.mean((one > other) + 0.5 * (one == other)))

    @property
    def silence(self) -> float:
        """The share of questions without an answer that return nothing, if 95 % of the others return something."""
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


@dataclass(frozen=True)
class Trial:
    """A history, with questions that it answers and questions that it does not."""

    history: History
    unanswered: Sequence[str]


def of_others(path: Path | None) -> list[Trial]:
    """Each history of LoCoMo's file, or else of `bench facts`, with its own questions and some of the others'."""
    every = list(_own(cases.HALVES) if path is None else locomo(path))
    source, trials = random.Random(0), []
    for history in every:
        others = [
            _as_of(asked.text, other, history)
            for other in every
            if _kind(other) != _kind(history)
            for asked in other.questions
        ]
        trials.append(Trial(history, source.sample(others, min(_OTHERS, len(others)))))
    return trials


def of_person(path: Path | None) -> list[Trial]:
    """Questions about the right and the wrong person: those of `SWAPPED`, or those of LoCoMo's file."""
    if path is not None:
        return _labeled(path, locomo(path), "qa", lambda question: question.number("category") == _ADVERSARIAL)
    every, trials = {each.id: each for each in (*_own(cases.PARTS), _sample())}, []
    for name, lines in swapped().items():
        now = max(message.at for each in every[name].conversations for message in each.messages if message.at)
        right = [_PAIR.sub(r"\1", line) for line in lines]
        asked = [Asked(f"{name}/{number}", text, "right", now, *_NOWHERE) for number, text in enumerate(right)]
        trials.append(Trial(replace(every[name], questions=tuple(asked)), [_PAIR.sub(r"\2", line) for line in lines]))
    return trials


def of_details(path: Path) -> list[Trial]:
    """BEAM's chats with their questions and their abstention questions."""
    return _labeled(path, beam(path), "questions", lambda question: question.text("type") == "abstention")


def swapped() -> dict[str, list[str]]:
    """The lines of `SWAPPED` by the history that they ask about."""
    found: dict[str, list[str]] = {}
    for line in SWAPPED.read_text("utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = lines = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


def _labeled(
    path: Path, histories: Iterable[History], field: str, is_unanswered: Callable[[Record], bool]
) -> list[Trial]:
    """The histories of a file that labels its unanswered questions."""
    return [
        Trial(history, [each.text("question") for each in record.records(field) if is_unanswered(each)])
        for history, record in zip(histories, read(path), strict=True)
    ]


def _sample() -> History:
    return History("sample", tuple(formats.read([sample.chats()], lambda problem: None)), ())


def _own(parts: Iterable[str]) -> Iterator[History]:
    """The labeled conversations of `bench facts` with their questions."""
    for part in parts:
        for case in cases.cases(part):
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
            yield History(f"{case.name}.{part}", conversations, tuple(questions))


def _message(turn: cases.Turn) -> Message:
    name = None if turn.role == "assistant" else turn.speaker
    return Message(role=turn.role, name=name, content=turn.text, at=turn.at)


async def measure(settings: Settings, trials: Iterable[Trial], progress: Callable[[str], None]) -> dict[str, Measured]:
    """Ask both kinds of questions of each history, and measure by history. Raises StoreError and ModelUnavailable."""
    found: dict[str, Measured] = {}
    async with own_schema(settings) as schema:
        for trial in trials:
            history = trial.history
            progress(f"{history.id}: {len(history.questions)} and {len(trial.unanswered)} questions")
            measured = found[history.id] = Measured()
            async with AsyncMemory(settings=replace(schema, user=history.id), background=False) as memory:
                await mine(memory, history.conversations)
                now = history.questions[0].now
                asked = [each.text for each in history.questions]
                for number, texts in enumerate((asked, trial.unanswered)):
                    for text in texts:
                        recalled = await memory.recall(text, now=now)
                        (measured.unanswered if number else measured.answered).append(recalled.confidence)
                        measured.silent[number] += not len(recalled)
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
