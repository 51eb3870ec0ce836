"""`memory.keys`: the keys by which programs reach the user's memory over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from ricordo import accounts, ids, review, rules
from ricordo.api.checking import checked
from ricordo.models import ApiKey, NewKey
from ricordo.opened import Opened


@checked
class Keys:
    """API keys. A key gives access to one user's memory, or to one agent's part of it."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def create(
        self,
        name: str,
        *,
        agent: UUID | str | None = None,
        palace: bool = False,
        read_only: bool = False,
        expires_at: datetime | None = None,
    ) -> NewKey:
        """Create an API key, named after the program or person that uses it. Its `token` is shown only here.

        With `agent`, the key gives access only to that agent's journal, core, profiles, entries, runs and whiteboards.
        `palace` also allows recall and mining in the user's palace. A `read_only` key cannot change anything.
        Raises NotFound for an unknown agent, and InvalidInput.
        """
        checked = rules.name("name", name)
        until = None if expires_at is None else rules.future("expires_at", expires_at)
        async with self._opened.effect() as tx:
            (await review.screen_for(tx)).name("name", checked)
            return await accounts.create_key(
                tx,
                self._opened.user_id,
                self._opened.user,
                ids.new_id(),
                checked,
                agent=agent,
                palace=palace,
                read_only=read_only,
                expires_at=until,
            )

    async def list(self) -> Sequence[ApiKey]:
        """List the user's keys, oldest first, including revoked and expired ones. Tokens are never shown."""
        async with self._opened.transaction() as tx:
            return await accounts.keys(tx)

    async def revoke(self, key: UUID) -> ApiKey:
        """Revoke a key. It stays in the list. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await accounts.revoke_key(tx, self._opened.user_id, key)
