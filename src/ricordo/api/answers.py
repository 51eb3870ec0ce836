"""`memory.answers`: for servers, requests that are done once, however often they are sent."""

from __future__ import annotations

from ricordo import idempotency
from ricordo.idempotency import Claimed, KeptAnswer
from ricordo.opened import Opened


class Answers:
    """Keys of clients, such as those of the header Idempotency-Key, and what was answered under them."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def claim(self, key: str, fingerprint: bytes) -> Claimed:
        """Claim a key for a request, of which `fingerprint` is a hash. Where it is new, do the request in this context,
        then `keep` its answer, or `release` the key where nothing came of it."""
        async with self._opened.effect() as tx:
            claimed = await idempotency.claim(tx, self._opened.user_id, key, fingerprint)
        if claimed.state == "new":
            idempotency.begin_effect(key)
        return claimed

    async def keep(self, key: str, answer: KeptAnswer) -> None:
        """Keep what was answered, for a day, or until a memory is redacted or forgotten, be it before this."""
        async with self._opened.transaction() as tx:
            await idempotency.keep_answer(tx, self._opened.user_id, key, answer)

    async def release(self, key: str) -> None:
        """Give a key back of which nothing came."""
        async with self._opened.transaction() as tx:
            await idempotency.release(tx, key)
