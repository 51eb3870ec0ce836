"""`memory.agents` and `memory.profiles`: the user's agents and their memory profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import accounts, memories
from ricordo.api.acting import acting
from ricordo.api.checking import checked
from ricordo.audit import Actor
from ricordo.models import Agent, Handling, Isolation, Profile, ReviewPolicy, Scope, Strategy
from ricordo.opened import Opened


@checked
class Agents:
    """The user's agents. Identify an agent by its id or name."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def create(self, name: str, *, system_prompt: str | None = None) -> Agent:
        """Create an agent with a default memory profile named `default`. Raises InvalidInput if the name is taken."""
        async with self._opened.effect() as tx:
            return await memories.create_agent(tx, self._opened.user_id, name, system_prompt)

    async def list(self) -> list[Agent]:
        """List agents, oldest first."""
        async with self._opened.transaction() as tx:
            return await accounts.agents(tx)

    async def get(self, agent: UUID | str) -> Agent:
        """Get an agent by id or name. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await accounts.agent(tx, agent)

    async def change(
        self,
        agent: UUID | str,
        *,
        name: str | None = None,
        system_prompt: str | None = None,
        memory_disabled: bool | None = None,
        version: str | None = None,
    ) -> Agent:
        """Update an agent. `memory_disabled` turns off recall for this agent, but not mining.

        Raises NotFound, InvalidInput, and Changed if `version` differs from the agent's `version_tag()`.
        """
        async with self._opened.effect() as tx:
            accounts.require_version(await accounts.agent(tx, agent, lock=True), version)
            return await memories.change_agent(tx, self._opened.user_id, agent, name, system_prompt, memory_disabled)

    async def delete(self, agent: UUID | str) -> None:
        """Delete an agent with its profiles, entries, journal, core memory and runs. Raises NotFound."""
        async with self._opened.effect() as tx:
            gone = await accounts.agent(tx, agent)
            await memories.delete_agent(tx, self._opened.user_id, gone.id, Actor())

    async def grant(self, from_agent: UUID | str, to_agent: UUID | str) -> bool:
        """Let an agent read another's global entries and get them in its prompts. False if it already could.
        Raises NotFound, and InvalidInput where both are one agent."""
        async with self._opened.effect() as tx:
            source, target = await accounts.agent(tx, from_agent), await accounts.agent(tx, to_agent)
            return await accounts.grant(tx, self._opened.user_id, source.id, target.id)

    async def revoke(self, from_agent: UUID | str, to_agent: UUID | str) -> bool:
        """Revoke this access, effective immediately. Returns False if there was none. Raises NotFound."""
        async with self._opened.effect() as tx:
            source, target = await accounts.agent(tx, from_agent), await accounts.agent(tx, to_agent)
            return await accounts.revoke(tx, source.id, target.id)

    async def grants(self) -> Sequence[tuple[UUID, UUID]]:
        """List the grants as pairs of agent ids: the owner of the entries, and the agent that can read them."""
        async with self._opened.transaction() as tx:
            return await accounts.grants(tx)


@checked
class Profiles:
    """Memory profiles: scope, retention, isolation and injection of an agent's entries."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def create(
        self,
        agent: UUID | str,
        name: str,
        *,
        scope: Scope = "project",
        retention_seconds: int | None = None,
        max_entries: int | None = None,
        isolation: Isolation = "private",
        injection_strategy: Strategy = "top_confidence",
        injection_limit: int = 5,
        injection_scopes: Sequence[Scope] = ("project",),
        seed_entries: Sequence[str | Mapping[str, Any]] = (),
        secrets: Handling | None = None,
        personal_data: Handling | None = None,
        review: ReviewPolicy | None = None,
        is_default: bool = False,
    ) -> Profile:
        """Create a profile of an agent and write its seed entries. ricordo.models.Profile describes the fields.

        Raises NotFound for an unknown agent, and InvalidInput with the field's name.
        """
        fields = {
            "scope": scope,
            "retention_seconds": retention_seconds,
            "max_entries": max_entries,
            "isolation": isolation,
            "injection_strategy": injection_strategy,
            "injection_limit": injection_limit,
            "injection_scopes": injection_scopes,
            "seed_entries": seed_entries,
            "secrets": secrets,
            "personal_data": personal_data,
            "review": review,
            "is_default": is_default,
        }
        async with self._opened.effect() as tx:
            owner = await accounts.agent(tx, agent)
            return await memories.create_profile(tx, self._opened.user_id, owner, name, fields, Actor())

    async def list(self, agent: UUID | str) -> list[Profile]:
        """List an agent's profiles, the default one first. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await memories.profiles_of(tx, (await accounts.agent(tx, agent)).id)

    async def get(self, profile: UUID, *, agent: UUID | str | None = None) -> Profile:
        """Get a profile by id. Raises NotFound, also if the acting `agent` has no access to it."""
        async with self._opened.transaction() as tx:
            return await memories.get_profile(tx, profile, (await acting(tx, agent)).agent)

    async def change(self, profile: UUID, *, version: str | None = None, **changes: Any) -> Profile:
        """Update a profile: `name` and the fields of `create`, except seed_entries. Pass `is_default=True` to make it
        the default. A lower `max_entries` takes effect at once, and entries past the retention are removed before
        another one is set. Raises NotFound, InvalidInput with the field's name, and Changed if `version` differs
        from the profile's `version_tag()`."""
        async with self._opened.effect() as tx:
            accounts.require_version(await memories.get_profile(tx, profile, lock=True), version)
            return await memories.change_profile(tx, self._opened.user_id, profile, changes, Actor())

    async def delete(self, profile: UUID) -> None:
        """Delete a profile with its entries. Raises NotFound, and InvalidInput for the default profile."""
        async with self._opened.effect() as tx:
            await memories.delete_profile(tx, self._opened.user_id, profile, Actor())
