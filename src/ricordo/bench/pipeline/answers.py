"""LongMemEval's second half: an LLM answers from what was retrieved, and a judge says whether it is right.

The answers' log is what the benchmark's own evaluation reads, and the judgements' what it writes. A judge that is
easily pleased makes every system look good, so it is also asked about answers that are known to be wrong; how many of
those it accepts stands beside the score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ricordo import accounts
from ricordo.bench.datasets import ABSTENTION
from ricordo.bench.pipeline.logs import RunFiles
from ricordo.bench.runner import own_schema
from ricordo.bench.scoring import Figure, figure
from ricordo.database import Database
from ricordo.errors import NotFound
from ricordo.llm import Budget, LLMs
from ricordo.models import Progress
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.llm.llm import Completion


#: Sends a system message and a prompt to a language model; the number is the most tokens of its answer. What comes back
#: tells what it cost in USD, as far as the price is known.
Ask = Callable[[str, str, int], Awaitable["Completion[str]"]]

#: Seconds for one call, and how often one that failed is tried.
_SECONDS, _TRIES = 120.0, 4

_READ = (
    "You answer a person's question from excerpts of their earlier chats with an assistant. Each excerpt has its date. "
    "Where excerpts contradict each other the later one holds. Work out dates from the day on which the question is "
    "asked. If the excerpts do not hold the answer, say that you do not know it. Answer briefly."
)
_JUDGE = "You grade answers. Reply with one word: yes or no."
_ASKED: Mapping[str, str] = {
    "temporal-reasoning": "Does the answer say the same as the reference? A count of days, weeks or months that is off "
    "by one still counts as the same.",
    "knowledge-update": "Does the answer give the reference as what holds now? It may mention what held before.",
    "single-session-preference": "The reference describes what a good answer takes into account about this person. "
    "Does the answer make correct use of what it knows about the person? It need not cover every point.",
}
_SAME = "Does the answer say the same as the reference, with nothing of it missing?"
_UNANSWERABLE = (
    "The question cannot be answered from what is known; the reference explains why. Does the answer recognise that?"
)
_ANSWER_TOKENS, _VERDICT_TOKENS = 500, 10


@asynccontextmanager
async def asking(settings: Settings, model: str | None) -> AsyncIterator[tuple[Ask, str]]:
    """A way to ask the LLM of these settings, or another model at its endpoint, and the model's name. The record of
    calls is kept in a schema that is dropped at the end. Raises ModelUnavailable where no LLM is set up."""
    async with own_schema(settings) as own, Database(own) as database:
        user_id = accounts.user_id_of(own.user)
        async with database.tenant(user_id) as tx:
            await accounts.ensure(tx, user_id, own.user)
        llms = LLMs(own, database, user_id)
        try:
            llm = await llms.get(model)

            async def ask(system: str, prompt: str, tokens: int) -> Completion[str]:
                messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
                return await llm.text("memory_qa", messages, Budget(_SECONDS, tokens, tries=_TRIES))

            yield ask, llm.model
        finally:
            await llms.close()


async def answer(files: RunFiles, ask: Ask, model: str, top_k: int, progress: Progress) -> None:
    """Let the LLM answer every question that was retrieved and is not answered yet, from its first `top_k` turns.

    Raises NotFound where nothing was retrieved, and what `ask` raises.
    """
    lines = files.retrieved.required("retrieve")
    done = files.generated.done()
    for number, line in enumerate(lines):
        progress(number, len(lines))
        if line["question_id"] in done:
            continue
        reply = await ask(_READ, _prompt(line, top_k), _ANSWER_TOKENS)
        files.generated.add(
            {
                "question_id": line["question_id"],
                "hypothesis": reply.said,
                "model": model,
                "cost": None if reply.cost is None else float(reply.cost),
            }
        )
    progress(len(lines), len(lines))


async def judge(files: RunFiles, ask: Ask, model: str, progress: Progress) -> None:
    """Let the judge grade every answer that is not graded yet, and beside it an answer that is known to be wrong: the
    reference of another question of the same kind.

    Raises NotFound where nothing was answered, and what `ask` raises.
    """
    asked = {line["question_id"]: line for line in files.retrieved.required("retrieve")}
    answered = files.generated.required("qa")
    log = files.judged(model)
    done = log.done()
    wrong = _wrong_answers(list(asked.values()))
    for number, line in enumerate(answered):
        progress(number, len(answered))
        name = line["question_id"]
        if name in done:
            continue
        if name not in asked:
            raise NotFound(f"{name} was answered but is not in {files.retrieved.path}: was that log replaced?")
        right = await _accepted(ask, asked[name], line["hypothesis"])
        fooled = await _accepted(ask, asked[name], wrong[name]) if name in wrong else None
        log.add(line | {"autoeval_label": {"model": model, "label": right}, "accepts_wrong_answer": fooled})
    progress(len(answered), len(answered))


@dataclass(frozen=True)
class Score:
    """How many answers the judge took for right, by kind of question and of all; and how many of the wrong ones."""

    accuracy: dict[str, Figure]
    counts: dict[str, int]
    false_positives: Figure
    wrong_answers: int
    #: In USD, of the answers; None where a price is not known.
    cost: float | None


def score(files: RunFiles, model: str) -> Score:
    """The figures of a judged run. Raises NotFound where nothing was judged."""
    kinds = {line["question_id"]: line["question_type"] for line in files.retrieved.lines()}
    right: defaultdict[str, list[float]] = defaultdict(list)
    fooled: list[float] = []
    costs: list[float | None] = []
    for line in files.judged(model).required("score-qa"):
        for kind in (kinds[line["question_id"]], "all"):
            right[kind].append(float(line["autoeval_label"]["label"]))
        if line["accepts_wrong_answer"] is not None:
            fooled.append(float(line["accepts_wrong_answer"]))
        costs.append(line.get("cost"))
    known = [each for each in costs if each is not None]
    return Score(
        {kind: figure(values) for kind, values in right.items()},
        {kind: len(values) for kind, values in right.items()},
        figure(fooled),
        len(fooled),
        sum(known) if len(known) == len(costs) else None,
    )


async def _accepted(ask: Ask, asked: Mapping[str, Any], answered: str) -> bool:
    abstains = asked["question_id"].endswith(ABSTENTION)
    task = _UNANSWERABLE if abstains else _ASKED.get(asked["question_type"], _SAME)
    prompt = f"Question: {asked['question']}\nReference: {asked['answer']}\nAnswer: {answered}\n\n{task}"
    reply = await ask(_JUDGE, prompt, _VERDICT_TOKENS)
    return "yes" in reply.said.lower()


def _prompt(line: Mapping[str, Any], top_k: int) -> str:
    """The first turns of a ranking in the order of their time, and the question."""
    items = line["retrieval_results"]["ranked_items"][:top_k]
    items = sorted(items, key=lambda each: each["timestamp"])
    excerpts = "\n\n".join(f"[{each['timestamp']}] {each['speaker']}: {each['text']}" for each in items)
    return f"Excerpts:\n\n{excerpts}\n\nAsked on {line['question_date']}: {line['question']}"


def _wrong_answers(asked: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """For each question the reference of the next one of its kind, where that is another."""
    kinds: defaultdict[tuple[str, bool], list[Mapping[str, Any]]] = defaultdict(list)
    for line in asked:
        kinds[line["question_type"], line["question_id"].endswith(ABSTENTION)].append(line)
    wrong = {}
    for (_, abstains), lines in kinds.items():
        for index, line in enumerate(lines):
            other = str(lines[(index + 1) % len(lines)]["answer"])
            if not abstains and other != str(line["answer"]):
                wrong[line["question_id"]] = other
    return wrong
