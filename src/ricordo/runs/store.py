"""The SQL of runs, of their events, and of which entries a run may be given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from psycopg import errors, sql
from psycopg.rows import class_row

from ricordo import memories
from ricordo.database import Transaction
from ricordo.models import Run, RunStatus

_RUN = "id, agent_id, conversation_id, status, prompt, started_at, ended_at"
#: What the database raises where a row breaks one of its rules by itself, whatever others do.
Refused = (errors.CheckViolation, errors.NotNullViolation, errors.DataError, errors.RaiseException)


@dataclass(frozen=True)
class Injectable(memories.Chosen):
    """What a run of `agent` on `profile` in the conversation `of` may be given, of the scopes `injected`."""

    profile: UUID | None = None
    agent: UUID | None = None
    of: str | None = None
    injected: Sequence[str] = ()

    @property
    def possible(self) -> bool:
        """Whether any entry can be among them."""
        return "project" in self.injected or "global" in self.injected or self._talk

    @property
    def _talk(self) -> bool:
        return "conversation" in self.injected and self.of is not None

    def conditions(self) -> tuple[sql.Composed, dict[str, Any]]:
        narrowed, parameters = super().conditions()
        own = [sql.SQL("m.scope = 'project'")] if "project" in self.injected else []
        own += [sql.SQL("m.scope = 'conversation' AND m.conversation_id = %(run_talk)s")] if self._talk else []
        ways: list[sql.Composable] = []
        if own:
            ways.append(sql.SQL("m.profile_id = %(run_profile)s AND ({})").format(sql.SQL(" OR ").join(own)))
        if "global" in self.injected:
            ways.append(
                sql.SQL(
                    "m.scope = 'global' AND (m.profile_id = %(run_profile)s OR m.agent_id = %(run_agent)s "
                    "OR m.agent_id IN (SELECT from_agent FROM grants WHERE to_agent = %(run_agent)s))"
                )
            )
        fits = sql.SQL(" OR ").join(ways) if ways else sql.SQL("false")
        more = {"run_profile": self.profile, "run_agent": self.agent, "run_talk": self.of}
        return sql.SQL("{} AND ({})").format(narrowed, fits), {**parameters, **more}


async def insert(tx: Transaction, user_id: UUID, id: UUID, agent: UUID, conversation: str | None, prompt: str) -> None:
    """A run that begins."""
    await tx.execute(
        "INSERT INTO runs (user_id, id, agent_id, conversation_id, prompt) VALUES (%s, %s, %s, %s, %s)",
        [user_id, id, agent, conversation, prompt],
    )


async def set_prompt(tx: Transaction, id: UUID, prompt: str) -> None:
    """Keep what the run saw."""
    await tx.execute("UPDATE runs SET prompt = %s WHERE id = %s", [prompt, id])


async def finish(tx: Transaction, id: UUID, status: RunStatus) -> bool:
    """End a run; False where it is not running (any more), or gone with its agent."""
    cursor = await tx.execute(
        "UPDATE runs SET status = %s, ended_at = %s WHERE id = %s AND status = 'running'",
        [status, datetime.now(UTC), id],
    )
    return cursor.rowcount == 1


async def hold(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, str]:
    """What those of these memories say that are not redacted, on one line, line breaks written out. None will
    be redacted until the transaction ends, so that a redaction finds what this transaction writes of them."""
    cursor = await tx.execute(
        # In the form in which erase_traces looks for a redacted text in prompts.
        "SELECT id, written_out(content) FROM memories WHERE id = ANY(%s) AND NOT is_redacted "
        "ORDER BY id FOR KEY SHARE",
        [list(ids)],
    )
    return dict(await cursor.fetchall())


async def find(tx: Transaction, id: UUID, lock: Literal["", " FOR SHARE", " FOR NO KEY UPDATE"] = "") -> Run | None:
    """A run; with a lock, as it is once nobody who ends it is at work, and as it stays until the transaction ends."""
    async with tx.cursor(row_factory=class_row(Run)) as cursor:
        await cursor.execute(f"SELECT {_RUN} FROM runs WHERE id = %s{lock}", [id])
        return await cursor.fetchone()


async def listed(tx: Transaction, agent: UUID | None, limit: int) -> list[Run]:
    """The newest runs, of one agent or of all, newest first."""
    async with tx.cursor(row_factory=class_row(Run)) as cursor:
        await cursor.execute(
            f"SELECT {_RUN} FROM runs WHERE %(agent)s::uuid IS NULL OR agent_id = %(agent)s "
            "ORDER BY started_at DESC, id DESC LIMIT %(limit)s",
            {"agent": agent, "limit": limit},
        )
        return await cursor.fetchall()


async def set_profile(tx: Transaction, id: UUID, profile: UUID) -> None:
    """Keep which profile was named for a run."""
    await tx.execute("UPDATE runs SET profile_id = %s WHERE id = %s", [profile, id])


async def profile_of(tx: Transaction, id: UUID) -> UUID | None:
    """The profile that was named for a run."""
    cursor = await tx.execute("SELECT profile_id FROM runs WHERE id = %s", [id])
    row = await cursor.fetchone()
    return None if row is None else row[0]


async def add_output(tx: Transaction, user_id: UUID, run: UUID, id: UUID, node: str, payload: str) -> None:
    """Hold a node's output, as JSON."""
    await tx.execute(
        "INSERT INTO run_outputs (user_id, run_id, id, node, payload) VALUES (%s, %s, %s, %s, %s)",
        [user_id, run, id, node, payload],
    )


async def outputs(tx: Transaction, run: UUID) -> list[tuple[str, str]]:
    """The nodes of a run and their outputs, in their order."""
    cursor = await tx.execute("SELECT node, payload FROM run_outputs WHERE run_id = %s ORDER BY id", [run])
    return [(row[0], row[1]) async for row in cursor]


async def drop_outputs(tx: Transaction, run: UUID) -> None:
    """Hold nothing of a run any more."""
    await tx.execute("DELETE FROM run_outputs WHERE run_id = %s", [run])
