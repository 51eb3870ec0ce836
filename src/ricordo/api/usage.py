"""`memory.usage`: what calls of paid models took and cost, what caps stopped, and the prices that a user sets."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import get_args

from ricordo import accounts, rules
from ricordo.api.checking import checked
from ricordo.models import CostEstimate, ModelCall, ModelPrice, Usage, UsageBy
from ricordo.opened import Opened


@checked
class UsageResource:
    """Calls of LLMs and hosted embedding models, each with its tokens and what it cost in US dollars, exactly.

    The caps are among the settings (`cap_conversation`, `cap_month`). A call that could go beyond one is not made, and
    is counted as stopped; what it was for goes on without it.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def report(
        self, by: UsageBy = "source", *, since: datetime | None = None, until: datetime | None = None
    ) -> Usage:
        """What was spent between two moments, by `source`, `model` or `day`; and this month, beside its cap.

        Raises InvalidInput.
        """
        rules.one_of("by", by, get_args(UsageBy))
        async with self._opened.transaction() as tx:
            return await accounts.usage(tx, by, since, until)

    async def calls(self, limit: int = 100) -> list[ModelCall]:
        """The newest calls, newest first, also those that failed or were stopped. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await accounts.calls(tx, rules.limit(limit))

    async def estimate_extraction(self, conversation: str | None = None) -> CostEstimate:
        """What it would cost at most to let the LLM read a conversation, or all of them, as far as none has. Nothing
        is sent. Raises ModelUnavailable where no LLM is set up."""
        from ricordo import facts  # 10 ms, which others should not pay

        async with self._opened.transaction() as tx:
            chosen = await accounts.user_settings(tx)
        llm = await self._opened.llms.get(chosen.extract_model)
        return await facts.estimate_extraction(self._opened.database, self._opened.user_id, llm, conversation)

    async def prices(self) -> list[ModelPrice]:
        """What the user has set; other models cost what their providers publish, as far as that is known."""
        async with self._opened.transaction() as tx:
            return await accounts.prices(tx)

    async def set_price(self, model: str, *, input: Decimal | float | str, output: Decimal | float | str) -> ModelPrice:
        """Let a model cost so many US dollars for a million tokens, from its next call on: 0 for one that runs at home.

        Raises InvalidInput.
        """
        async with self._opened.effect() as tx:
            return await accounts.set_price(tx, self._opened.user_id, model, input, output)

    async def remove_price(self, model: str) -> bool:
        """Go back to the published price of a model; False where none was set."""
        async with self._opened.effect(first=False) as tx:
            return await accounts.remove_price(tx, model)
