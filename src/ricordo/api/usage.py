"""`memory.usage`: calls of paid models with their costs, calls stopped by caps, and the user's prices."""

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
    """Calls of LLMs and hosted embedding models, with their tokens and exact costs in US dollars.

    The caps are in the settings (`cap_conversation`, `cap_month`). A call that could exceed a cap is not made and
    counts as stopped; the task continues without it.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def report(
        self, by: UsageBy = "source", *, since: datetime | None = None, until: datetime | None = None
    ) -> Usage:
        """Get the spending in a period by `source`, `model` or `day`, and this month's total with its cap.

        Raises InvalidInput.
        """
        rules.one_of("by", by, get_args(UsageBy))
        rules.period(since, until)
        async with self._opened.transaction() as tx:
            return await accounts.usage(tx, by, since, until)

    async def calls(self, limit: int = 100) -> list[ModelCall]:
        """List the latest calls, newest first, including failed and stopped ones. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await accounts.calls(tx, rules.limit(limit))

    async def estimate_extraction(self, conversation: str | None = None) -> CostEstimate:
        """Estimate the maximum cost of extracting facts with an LLM from one or all conversations not yet read by it.
        Nothing is sent. Raises ModelUnavailable if no LLM is configured."""
        from ricordo import facts  # 10 ms, which others should not pay

        async with self._opened.transaction() as tx:
            chosen = await accounts.user_settings(tx)
        llm = await self._opened.llms.get(chosen.extract_model)
        return await facts.estimate_extraction(self._opened.database, self._opened.user_id, llm, conversation)

    async def prices(self) -> list[ModelPrice]:
        """List the user's own prices. Other models use published prices, where known."""
        async with self._opened.transaction() as tx:
            return await accounts.prices(tx)

    async def set_price(self, model: str, *, input: Decimal | float | str, output: Decimal | float | str) -> ModelPrice:
        """Set the price of a model in US dollars per million tokens, for future calls. Use 0 for a model that you run
        yourself.

        Raises InvalidInput.
        """
        async with self._opened.effect() as tx:
            return await accounts.set_price(tx, self._opened.user_id, model, input, output)

    async def remove_price(self, model: str) -> bool:
        """Remove the user's price of a model and use the published one. Returns False if there was none."""
        async with self._opened.effect(first=False) as tx:
            return await accounts.remove_price(tx, model)
