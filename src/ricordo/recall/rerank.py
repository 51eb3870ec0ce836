"""The best candidates put in order by an LLM: it may only choose among them, and never holds a recall up for long."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from ricordo.errors import ModelUnavailable
from ricordo.llm import Budget, Form, LLMs, quoted
from ricordo.models import CostEstimate, Hit

#: Candidates that the LLM sees (seed 003), and characters of each.
CANDIDATES = 20
_CHARACTERS = 700
_TOKENS = 300
_TASK = (
    "You choose which remembered lines answer a question. {data} Each of these lines has a number `n`. Reply with one "
    'JSON object such as {{"best": [3, 0, 7]}}: the numbers of the lines that help most to answer the question, the '
    "best first, at most {wanted}; an empty list if none does."
)

log = logging.getLogger("ricordo.recall")


class _Best(Form):
    best: list[int]


@dataclass(frozen=True)
class Reranker:
    """How a recall's candidates are put in order. `wanted` overrides what the user's settings say; a dry run only says
    what it would take."""

    llms: LLMs
    wanted: bool | None = None
    dry_run: bool = False

    def asks(self, model: str | None) -> bool:
        """Whether there is an LLM that gets to see the lines."""
        return not self.dry_run and self.llms.configured(model)

    async def order(self, question: str, hits: Sequence[Hit], keep: int, model: str | None) -> tuple[list[Hit], str]:
        """The best `keep` of the hits, of which the LLM put the first 20 in order; and a note where it did not, for
        whatever reason: then they are in the order in which they came."""
        if len(hits) < 2:
            return list(hits[:keep]), ""
        messages, budget = _messages(question, hits, keep), Budget(self.llms.rerank_seconds, _TOKENS)
        try:
            llm = await self.llms.get(model)
            if self.dry_run:
                return list(hits[:keep]), _would_take(await llm.estimate([messages], budget, _Best))
            reply = await llm.complete("memory_rerank", messages, _Best, budget)
        except ModelUnavailable as error:
            log.info("reranking failed, using the original order: %s", error)
            return list(hits[:keep]), f"Results were not reranked: {error}"
        numbers = [each for each in dict.fromkeys(reply.said.best) if 0 <= each < min(len(hits), CANDIDATES)]
        rest = [each for each in range(len(hits)) if each not in set(numbers)]
        return [hits[each] for each in [*numbers, *rest][:keep]], ""


def _would_take(estimate: CostEstimate) -> str:
    cost = "an unknown cost" if estimate.cost is None else f"at most {estimate.cost:f} USD"
    return f"A dry run: {estimate.model} would get about {estimate.tokens_in:,} tokens for reranking, at {cost}."


def _messages(question: str, hits: Sequence[Hit], keep: int) -> list[dict[str, str]]:
    lines, is_data = quoted(
        {"n": number, "at": f"{hit.at:%Y-%m-%d}", "speaker": hit.speaker, "text": hit.text[:_CHARACTERS]}
        for number, hit in enumerate(hits[:CANDIDATES])
    )
    task = _TASK.format(data=is_data, wanted=min(keep, CANDIDATES))
    return [{"role": "system", "content": task}, {"role": "user", "content": f"{lines}\n\nQuestion: {question[:2000]}"}]
