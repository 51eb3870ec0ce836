"""Who acts in a call with `agent=` and `run=`: the user or one of the user's agents."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from ricordo import accounts
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.models import Agent


@dataclass(frozen=True)
class Acting:
    """Who acts. What an agent may reach is decided by `memories.reach`, and never by the caller."""

    #: None is the user.
    agent: Agent | None
    #: What the access log says.
    actor: Actor


async def acting(tx: Transaction, agent: UUID | str | None, run: UUID | None = None) -> Acting:
    """Who acts in this call. Raises NotFound for an agent that does not exist."""
    if agent is None:
        return Acting(None, Actor("user", run))
    return acting_as(await accounts.agent(tx, agent), run)


def acting_as(agent: Agent, run: UUID | None = None) -> Acting:
    """This agent as the one who acts."""
    return Acting(agent, Actor(f"agent:{agent.name}", run))
