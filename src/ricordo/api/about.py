"""`memory.about`: what is known about the user or an entity now."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from ricordo import accounts, audit, facts
from ricordo.api.acting import acting
from ricordo.api.checking import argument
from ricordo.database import retried
from ricordo.errors import InvalidInput
from ricordo.models import SELF, About
from ricordo.opened import Opened
from ricordo.text import budget


async def about(
    opened: Opened, name: str | None, agent: UUID | str | None, now: datetime | None, max_tokens: int
) -> About:
    """What is known about the entity of this name or id, or about the user. Raises NotFound and InvalidInput."""
    wanted = argument("name", str(name) if isinstance(name, UUID) else name, str | None)
    moment = argument("now", now, datetime | None) or datetime.now(UTC)
    most = budget(max_tokens)
    if most is None:
        raise InvalidInput("max_tokens", "must be a whole number of at least 1")
    return await retried(lambda: _about(opened, wanted, agent, moment, most))


async def _about(opened: Opened, name: str | None, agent: UUID | str | None, now: datetime, max_tokens: int) -> About:
    async with opened.transaction() as tx:
        who = await acting(tx, agent)
        if who.agent and (who.agent.memory_disabled or not (await accounts.user_settings(tx)).enabled):
            return About(name=name or SELF, kind="topic" if name else "person", is_user=name is None, text="", tokens=0)
        names = [opened.user, *await accounts.own_names(tx, opened.user_id)]
        page, cited = await facts.about(tx, name, names, now, max_tokens)
        if cited:
            await audit.log_read(tx, opened.user_id, who.actor, cited, {"about": str(page.entity_id)})
    return page
