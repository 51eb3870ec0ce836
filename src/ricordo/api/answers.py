"""`memory.answers`: idempotency keys, for servers."""

from __future__ import annotations

from ricordo import idempotency
from ricordo.idempotency import Claimed, KeptAnswer
from ricordo.opened import Opened


class Answers:
    """Idempotency keys of clients and the stored responses."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def claim(self, key: str, fingerprint: bytes) -> Claimed:
        """Claim a key for a request; `fingerprint` is a hash of the request. If the key is new, execute the request,
        then `keep` its response, or `release` the key if it failed."""
        async with self._opened.effect() as tx:
            claimed = await idempotency.claim(tx, self._opened.user_id, key, fingerprint)
        if claimed.state == "new":
            idempotency.begin_effect(key)
        return claimed

    async def keep(self, key: str, answer: KeptAnswer) -> None:
        """Store a response for one day, or until a memory is redacted or forgotten."""
        async with self._opened.transaction() as tx:
            await idempotency.keep_answer(tx, self._opened.user_id, key, answer)

    async def release(self, key: str) -> None:
        """Release a key whose request failed."""
        async with self._opened.transaction() as tx:
            await idempotency.release(tx, key)
