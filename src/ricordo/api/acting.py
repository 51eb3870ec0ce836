"""Who acts in a call with `agent=` and `run=`: the user or one of the user's agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from ricordo import accounts, memories
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.memories import Reach
from ricordo.models import Agent, Kind

ALL_KINDS: tuple[Kind, ...] = get_args(Kind)


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


async def actor(tx: Transaction, agent: UUID | str | None, run: UUID | None = None) -> Actor:
    """What the access log says of who acts in this call. Raises NotFound for an agent that does not exist."""
    return (await acting(tx, agent, run)).actor


async def actor_on(
    tx: Transaction, memory: UUID, agent: UUID | str | None, run: UUID | None = None, reach: Reach = "read"
) -> Actor:
    """The actor of a call about one memory. Raises NotFound for the agent, and for a memory out of its reach."""
    who = await acting(tx, agent, run)
    if who.agent is not None:
        await memories.get(tx, memory, ALL_KINDS, who.agent, reach)
    return who.actor
