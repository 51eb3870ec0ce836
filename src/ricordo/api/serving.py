"""What our servers ask on behalf of their clients: whose token it is, what an agent's key reaches, and which request
was answered already. It is not part of the public API: `ricordo.client.serving` returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from ricordo import accounts, idempotency, operations
from ricordo.accounts import Owned
from ricordo.api.checking import checked
from ricordo.idempotency import Claimed, KeptAnswer
from ricordo.models import ApiKey
from ricordo.opened import Opened

if TYPE_CHECKING:
    from ricordo.sync import Holding


@checked
class Serving:
    """The server's side of a user's memory. It reads no content and is not recorded in the access log."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def key_of_token(self, token: str) -> ApiKey | None:
        """Get the API key with this token, of any user; go on with `memory.of(key.user)`. None for an unknown token,
        and for a revoked or expired key."""
        return await accounts.key_of_token(self._opened.database, token)

    @property
    def synced_folder(self) -> Holding:
        """The folder of a synced memory that this server holds for the user. Its methods block."""
        from ricordo.sync import Holding  # 10 ms, which most servers need not pay

        return Holding(self._opened.database.settings, self._opened.user_id)

    async def zone(self) -> ZoneInfo:
        """Get the time zone whose days are the user's: the setting, else that of the process, else UTC."""
        async with self._opened.transaction() as tx:
            return await accounts.zone(tx)

    async def keys_exist(self) -> bool:
        """Whether any user of the store has an API key that is neither revoked nor expired."""
        return await accounts.keys_exist(self._opened.database)

    async def reaches(self, agent: UUID | str, what: Literal["memory", "profile"], id: UUID) -> bool:
        """Whether an agent may read a memory or a profile: its own, a shared one, or one opened by a grant. Raises
        NotFound for the agent."""
        async with self._opened.transaction() as tx:
            return await accounts.reaches(tx, (await accounts.agent(tx, agent)).id, what, id)

    async def owner_of(self, what: Literal[Owned, "operation"], id: UUID) -> UUID | None:
        """Get the agent that owns a memory, profile, run or proposal, or that started an operation; None for what is
        the user's. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await (operations.owner_of(tx, id) if what == "operation" else accounts.owner_of(tx, what, id))

    async def claim_request(self, key: str, fingerprint: bytes) -> Claimed:
        """Claim an idempotency key for a request; `fingerprint` is a hash of the request. If the key is new, execute
        the request, then `keep_answer`, or `release_request` if it failed."""
        async with self._opened.effect() as tx:
            claimed = await idempotency.claim(tx, self._opened.user_id, key, fingerprint)
        if claimed.state == "new":
            idempotency.begin_effect(key)
        return claimed

    async def keep_answer(self, key: str, answer: KeptAnswer) -> None:
        """Store the answer to a request for one day, or until a memory is redacted or forgotten."""
        async with self._opened.transaction() as tx:
            await idempotency.keep_answer(tx, self._opened.user_id, key, answer)

    async def release_request(self, key: str) -> None:
        """Release the key of a request that failed."""
        async with self._opened.transaction() as tx:
            await idempotency.release(tx, key)
