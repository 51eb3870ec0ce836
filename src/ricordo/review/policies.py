"""Which policies hold for a write: what becomes of secrets and personal data in it, and whether it waits for a review.

A profile's own choice goes before the user's settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.models import Handling, Kind, Profile, ReviewPolicy
from ricordo.review.screen import Screen

#: Sources whose writes a policy holds back until they are reviewed.
_HELD: Mapping[str, frozenset[str]] = {
    "nothing": frozenset(),
    "tools": frozenset(["tool"]),
    "agents": frozenset(["tool", "agent", "eval"]),
}


@dataclass(frozen=True)
class Policies:
    """The policies of one write."""

    screen: Screen
    review: ReviewPolicy

    def holds(self, source: str) -> bool:
        """Whether what comes from this source waits for a review."""
        return source in _HELD[self.review]

    def holds_of(self, actor: Actor, source: str = "") -> bool:
        """Whether a write waits for a review: an agent's by the agent, whatever source it claims; a subagent's always,
        for that of its parent."""
        return self.holds(source) or actor.is_subagent or (actor.is_agent and self.holds("agent"))


async def policies(tx: Transaction, profile: UUID | None = None) -> Policies:
    """What holds for a write into this profile, or for one of the user's that goes into none."""
    cursor = await tx.execute(
        """
        SELECT coalesce(p.secrets, s.secrets, 'store'), coalesce(p.personal_data, s.personal_data, 'store'),
               coalesce(p.review, s.review, 'nothing')
        FROM (SELECT) one LEFT JOIN settings s ON true LEFT JOIN profiles p ON p.id = %s
        """,
        [profile],
    )
    row = await cursor.fetchone()
    assert row is not None
    return Policies(Screen(row[0], row[1]), row[2])


async def screen_for(tx: Transaction, profile: UUID | None = None) -> Screen:
    """What is done with secrets and personal data in such a write."""
    return (await policies(tx, profile)).screen


async def screen_of_run(tx: Transaction, agent: UUID, profile: UUID | None) -> Screen:
    """What is redacted in the record of a run, by its agent's default profile where none is named. A run goes on
    whatever is wrong with the memory: where the policies cannot be read, all is redacted that any could want."""
    try:
        async with tx.transaction():  # a savepoint
            cursor = await tx.execute("SELECT id FROM profiles WHERE agent_id = %s AND is_default", [agent])
            default = await cursor.fetchone()
            return (await screen_for(tx, profile or (default[0] if default else None))).redacting()
    except psycopg.Error:
        return Screen("redact", "redact")


def screen_of(profile: Profile | Mapping[str, Any], user: Screen) -> Screen:
    """The same for a profile that is not stored yet."""
    given = profile if isinstance(profile, Mapping) else profile.model_dump()
    secrets: Handling = given.get("secrets") or user.secrets
    personal: Handling = given.get("personal_data") or user.personal_data
    return Screen(secrets, personal)


def screened(screen: Screen, kind: Kind, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a memory as they may be kept. Ids, addresses and names of projects are no part of what is said.
    Raises PolicyRefused."""
    kept = dict(fields)
    if screen.is_open:
        return kept
    if kept.get("tags") and kind != "document":
        kept["tags"] = [screen.text("tags", each) for each in kept["tags"]]
    if kept.get("metadata"):
        told = kept["metadata"]
        kept["metadata"] = (
            {**told, "value": screen.value("value", told.get("value"))}
            if kind == "document"
            else screen.value("metadata", told)
        )
    return kept
