"""An LLM's answer from what was recalled, and which turns it is based on: only those that were there."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput
from ricordo.llm import Budget, quoted
from ricordo.models import Answer, CostEstimate, Hit, RecallResult
from ricordo.palace import Pointer

if TYPE_CHECKING:
    from ricordo.llm import LLM

_TOKENS, _TRIES = 1000, 2
_UNKNOWN = "NOT KNOWN"
_TASK = (
    "You answer a question from lines of earlier conversations, and from nothing else. {data} Where lines contradict "
    "each other, the later one holds. Name behind each statement the pointer of the line that it rests on, as it is "
    "written there, such as [§ W-001/R-01/D-001]. Work out dates from today, {today}. Answer briefly, in the language "
    "of the question. If the lines do not hold the answer, reply with the words {unknown} alone."
)
#: A pointer to a drawer as a model writes it, with what encloses it.
_POINTER = re.compile(r"§?\s*W-?\d{1,9}\s*/\s*R-?\d{1,9}\s*/\s*D-?\d{1,9}", re.IGNORECASE | re.ASCII)
_EMPTY = re.compile(r"\s*[\[(][\s,;]*[\])]")
NOTHING = "No stored turn matches the question."
_NOT_THERE = "The LLM cited turns that it was not given; these citations were removed: {}"
_NO_CITATION = "The answer cites no turn."


async def answer(llm: LLM, question: str, recalled: RecallResult, today: datetime) -> Answer:
    """The LLM's answer to the question. Without anything recalled, nothing is asked and nothing known.

    Raises ModelUnavailable, ReplyUnusable and CapReached.
    """
    if not recalled.context:
        return Answer(text="", known=False, recalled=recalled, cost=Decimal(0), notes=(NOTHING,))
    budget = Budget(llm.seconds, _TOKENS, _TRIES)
    reply = await llm.text("memory_qa", _messages(question, recalled, today), budget)
    if reply.said.upper().strip(" .\"'*`").startswith(_UNKNOWN):
        return Answer(text="", known=False, recalled=recalled, cost=reply.cost)
    text, citations, invented = _cited(reply.said, recalled)
    notes = [_NOT_THERE.format(", ".join(invented))] if invented else []
    if not citations:
        notes.append(_NO_CITATION)
    return Answer(text=text, known=True, citations=citations, recalled=recalled, cost=reply.cost, notes=tuple(notes))


async def estimate(llm: LLM, question: str, recalled: RecallResult, today: datetime) -> CostEstimate:
    """What `answer` would take at most. Nothing is sent."""
    asked = [_messages(question, recalled, today)] if recalled.context else []
    return await llm.estimate(asked, Budget(llm.seconds, _TOKENS))


def _messages(question: str, recalled: RecallResult, today: datetime) -> list[dict[str, str]]:
    lines, is_data = quoted(recalled.context)
    task = _TASK.format(data=is_data, today=f"{today:%Y-%m-%d}", unknown=_UNKNOWN)
    return [{"role": "system", "content": task}, {"role": "user", "content": f"{lines}\n\nQuestion: {question}"}]


def _cited(said: str, recalled: RecallResult) -> tuple[str, tuple[Hit, ...], list[str]]:
    """An answer without the pointers that were not in the context, the lines that it cites, and those pointers."""
    there = {hit.pointer: hit for hit in recalled if f'"{hit.pointer}"' in recalled.context}
    cited: dict[str, Hit] = {}
    invented: dict[str, None] = {}

    def checked(match: re.Match[str]) -> str:
        pointer = _written(match.group())
        if pointer in there:
            cited[pointer] = there[pointer]
            return pointer
        invented[pointer] = None
        return ""

    text = _EMPTY.sub("", _POINTER.sub(checked, said)) if _POINTER.search(said) else said
    return text.strip(), tuple(cited.values()), list(invented)


def _written(pointer: str) -> str:
    try:
        return str(Pointer.parse(pointer))
    except InvalidInput:
        return pointer.strip()
