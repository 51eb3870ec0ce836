"""Who acts in a call with `agent=` and `run=`: the user or one of the user's agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from ricordo import accounts, memories
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import InvalidInput
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

    @property
    def agent_id(self) -> UUID | None:
        return None if self.agent is None else self.agent.id


async def acting(tx: Transaction, agent: UUID | str | None, run: UUID | None = None) -> Acting:
    """Who acts in this call. Raises NotFound for an agent that does not exist."""
    return acting_as(None if agent is None else await accounts.agent(tx, agent), run)


def acting_as(agent: Agent | None, run: UUID | None = None) -> Acting:
    """This agent, or the user, as the one who acts."""
    return Acting(agent, Actor("user" if agent is None else f"agent:{agent.name}", run))


def require_parent(actor: Actor) -> None:
    """Raise InvalidInput for a subagent: it may only add memories, and its parent reviews them."""
    if actor.is_subagent:
        raise InvalidInput(
            "agent", f"{actor.name!r} is a subagent, which cannot change or remove memories: let its parent do it"
        )


async def actor_of(
    tx: Transaction,
    agent: UUID | str | None,
    run: UUID | None = None,
    *,
    memory: UUID | None = None,
    reach: Reach = "read",
) -> Actor:
    """What the access log says of who acts in this call, which may be about one memory. Raises NotFound for an agent
    that does not exist, and for a memory out of its reach."""
    who = await acting(tx, agent, run)
    if reach == "change":
        require_parent(who.actor)
    if memory is not None and who.agent is not None:
        await memories.get(tx, memory, ALL_KINDS, who.agent, reach)
    return who.actor
