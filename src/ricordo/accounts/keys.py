"""API keys: what one looks like, what is kept of it, and whose it is.

A key is `rk_`, 43 characters that name it (base64url of the user's id and its own, which are no secret), and 43 that
are its secret (256 random bits). Whose it is stands in the key, so that it is looked up within that user's rows: there
is no way by which one user's keys could be found among another's. Only the secret's sha256 is kept; for a secret that
cannot be guessed nothing slower is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from ricordo.accounts import keys_store as store
from ricordo.accounts.activity_store import tell
from ricordo.accounts.agent_store import agent as find_agent
from ricordo.accounts.store import ensure
from ricordo.database import Database, Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import ApiKey, NewKey

_PREFIX = "rk_"
#: How exactly it is known when a key was used last.
_TO_THE_MINUTE = timedelta(minutes=1)
_FORM = re.compile(r"rk_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{43})")


@dataclass(frozen=True)
class _Token:
    user_id: UUID
    id: UUID
    secret: str

    @classmethod
    def read(cls, text: str) -> _Token | None:
        """The parts of what may be a key."""
        match = _FORM.fullmatch(text)
        if match is None:
            return None
        ids = urlsafe_b64decode(match[1] + "=")
        return cls(UUID(bytes=ids[:16]), UUID(bytes=ids[16:]), match[2])

    def __str__(self) -> str:
        return f"{_PREFIX}{_base64(self.user_id.bytes + self.id.bytes)}{self.secret}"

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.secret.encode()).digest()


async def create_key(
    tx: Transaction,
    user_id: UUID,
    user: str,
    id: UUID,
    name: str,
    *,
    agent: UUID | str | None,
    palace: bool,
    read_only: bool,
    expires_at: datetime | None,
) -> NewKey:
    """A new key. Raises NotFound for the agent, and InvalidInput."""
    if palace and agent is None:
        raise InvalidInput("palace", "only applies to an agent's key: a user's key always includes the palace")
    await ensure(tx, user_id, user)
    of = None if agent is None else (await find_agent(tx, agent)).id
    token = _Token(user_id, id, _base64(secrets.token_bytes(32)))
    await store.add(tx, user_id, id, token.digest, name, of, palace, read_only, expires_at)
    await tell(tx, user_id, "key_created", {"key": str(id)}, "user_action", agent=of)
    return NewKey(key=await key(tx, id), token=str(token))


async def keys(tx: Transaction) -> Sequence[ApiKey]:
    """The user's keys, oldest first, also those that open nothing any more."""
    return await store.every(tx)


async def key(tx: Transaction, id: UUID) -> ApiKey:
    """The user's key of this id. Raises NotFound."""
    found = await store.find(tx, id)
    if found is None:
        raise NotFound(f"key {id} not found: list keys with `ricordo key list`")
    return found


async def revoke_key(tx: Transaction, user_id: UUID, id: UUID) -> ApiKey:
    """Let a key open nothing from now on. Raises NotFound."""
    before = await key(tx, id)
    if before.revoked_at is None:
        await store.revoke(tx, id)
        await tell(tx, user_id, "key_revoked", {"key": str(id)}, "user_action", agent=before.agent_id)
    return await key(tx, id)


async def key_of_token(database: Database, token: str) -> ApiKey | None:
    """The key that a token is, of whichever user; None for what is none, or opens nothing any more."""
    given = _Token.read(token)
    if given is None:
        return None
    found = await store.opening(database, given.user_id, given.id)
    if not hmac.compare_digest(given.digest, found[0] if found else bytes(32)) or found is None:
        return None
    last = found[1].last_used_at
    if last is None or datetime.now(UTC) - last > _TO_THE_MINUTE:  # so that not every request writes
        async with database.tenant(given.user_id) as tx:
            await store.touch(tx, given.id)
    return found[1]


async def keys_exist(database: Database) -> bool:
    """Whether any user has a key that opens something now."""
    async with database.tenant(UUID(int=0)) as tx:
        return await store.exist(tx)


def _base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
