"""Calls of paid models with their costs, and answers of LLMs. Amounts are exact and in US dollars."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from ricordo.models.base import ApiModel
from ricordo.models.palace import Hit, RecallResult

#: What a call was for.
UsageSource = Literal["memory_embed", "memory_extract", "memory_rerank", "memory_qa", "memory_summary"]
#: How a call ended. `answered` and `unusable` (not what was asked for) are paid; `refused` (an error from the endpoint)
#: and `unreached` are not; what `lost` (sent, and no whole answer came) cost is not known, nor that of one that is
#: `open`: under way, or cut off with its process. The others were not made: they could have gone beyond a cap, or, with
#: a cap, cost an amount that is not known (`unpriced`).
CallOutcome = Literal[
    "open", "answered", "unusable", "refused", "unreached", "lost", "cap_conversation", "cap_month", "unpriced"
]
UsageBy = Literal["source", "model", "day"]


class ModelCall(ApiModel):
    """A call of a paid model, or one that a cap stopped. It contains no text."""

    id: UUID
    source: UsageSource
    model: str
    conversation_id: str | None = None
    began_at: datetime
    seconds: float | None = None
    #: What the endpoint counted; None where it did not tell.
    tokens_in: int | None = None
    tokens_out: int | None = None
    #: None where the price or the tokens are not known.
    cost: Decimal | None = None
    outcome: CallOutcome


class Spending(ApiModel):
    """Totals of calls. Calls stopped by a cap count only in `stopped`."""

    #: What they have in common: a source, a model or a day (UTC); empty for all of them.
    name: str = ""
    calls: int = 0
    #: Calls among them that brought nothing of use.
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    #: The sum of what is known, and how many calls there are whose cost is not.
    cost: Decimal = Decimal(0)
    unknown: int = 0
    stopped: int = 0


class Usage(ApiModel):
    """Spending in total and by source, model or day, and the state of the caps."""

    by: UsageBy
    rows: tuple[Spending, ...]
    total: Spending
    #: Since the first of this month (UTC).
    month: Spending
    #: What counts against the month's cap: `month.cost`, and the most that calls of unknown cost may have cost.
    counted: Decimal
    cap_month: Decimal | None = None
    cap_conversation: Decimal | None = None


class ModelPrice(ApiModel):
    """The user's price of a model, in US dollars per million tokens."""

    model: str
    input: Decimal
    output: Decimal


class CostEstimate(ApiModel):
    """The maximum cost of calls of a model. Nothing was sent."""

    model: str
    calls: int
    #: Tokens that would be sent, about; and the most that would come back.
    tokens_in: int
    tokens_out: int
    #: None where the price is not known.
    cost: Decimal | None


class UnreadTurns(ApiModel):
    """Turns that no LLM has read yet. Rules have read all of them."""

    conversations: int = 0
    turns: int = 0
    #: Number of these conversations with a waiting or running job.
    queued: int = 0
    #: Turns for which the LLM gave no usable reply. They are not included in `turns`.
    unusable: int = 0
    #: Why they are unread; None if nothing is unread.
    reason: str | None = None
    #: Whether an LLM is configured in this process.
    has_llm: bool = False


class ExtractionReport(ApiModel):
    """The result of extracting facts with an LLM from unread turns."""

    #: Unread conversations and turns before the call.
    conversations: int
    turns: int
    #: Conversations for which a job was queued.
    queued: int = 0
    #: Turns read during the call, turns still unread at its end, and the reason for these.
    read: int = 0
    left: int = 0
    reason: str | None = None
    #: Turns for which the LLM gave no usable reply, at the end. They are not included in `left`.
    unusable: int = 0
    #: Maximum cost, for a dry run; None if no LLM is configured.
    estimate: CostEstimate | None = None
    dry_run: bool = False


class Answer(ApiModel):
    """An LLM's answer from recalled turns."""

    #: Empty where nothing is known, and for a dry run.
    text: str
    #: Whether what was recalled holds an answer.
    known: bool
    #: The turns that the answer cites, in its order; all of them were recalled.
    citations: tuple[Hit, ...] = ()
    recalled: RecallResult
    #: Of the LLM's calls for this answer; None where it is not known.
    cost: Decimal | None
    #: What the caller should know, such as that the LLM cited a turn that was not there.
    notes: tuple[str, ...] = ()
    #: What asking would take, for a dry run.
    estimate: CostEstimate | None = None
