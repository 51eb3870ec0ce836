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
    """API keys. One key opens one user's memory, or one agent's part of it; nothing opens that of several users."""

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
        """A new key, named for the one who holds it. Its `token` is shown here and never again.

        With `agent` it reaches that agent's journal, core, profiles, entries, runs and whiteboards and nothing else;
        with `palace` also recall and mining, which are the user's. With `read_only` it changes nothing.
        Raises NotFound for the agent, and InvalidInput.
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
        """Every key of the user, oldest first, also those that are revoked or expired; never their tokens."""
        async with self._opened.transaction() as tx:
            return await accounts.keys(tx)

    async def revoke(self, key: UUID) -> ApiKey:
        """Let a key open nothing from now on; it stays in the list. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await accounts.revoke_key(tx, self._opened.user_id, key)
