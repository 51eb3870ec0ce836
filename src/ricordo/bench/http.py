"""Load on a server's recall: many connections, each asking for a user of its own choice, for some seconds.

It serves nothing itself: the server runs beside it (`ricordo serve`), on the same store.
"""

from __future__ import annotations

import http.client
import json
import random
import time
from dataclasses import dataclass
from statistics import quantiles
from threading import Thread
from urllib.parse import urlsplit

from ricordo import transfer
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput
from ricordo.sample import chats
from ricordo.settings import Settings

#: Talks of the bundled sample that each user has.
_TALKS = 3


@dataclass(frozen=True)
class Load:
    """What was measured."""

    requests: int
    errors: int
    per_second: float
    #: Milliseconds.
    p50: float
    p99: float


async def prepare(settings: Settings, users: int) -> list[str]:
    """Users with some talk each, vectors included where there is an encoder; returns a key of each."""
    talks = list(transfer.read([chats()], lambda problem: None))
    keys: list[str] = []
    async with AsyncMemory(settings=settings) as memory:
        for number in range(users):
            user = memory.of(f"load {number}")
            for talk in random.Random(number).sample(talks, _TALKS):
                await user.mine(talk.messages, conversation=talk.id, title=talk.title)
            keys.append((await user.keys.create("load", read_only=True)).token)
    return keys


def measure(url: str, keys: list[str], connections: int, seconds: float) -> Load:
    """Ask from so many connections for so long. Raises InvalidInput for what is no http URL."""
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise InvalidInput("url", f"{url[:50]!r} is no http URL of a server that runs here")
    times: list[float] = []
    errors: list[int] = []
    end = time.perf_counter() + seconds

    def ask(seed: int) -> None:
        chosen = random.Random(seed)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=30)
        while time.perf_counter() < end:
            body = json.dumps({"question": f"What did we say about the plan number {chosen.randrange(10_000)}?"})
            headers = {"Authorization": f"Bearer {chosen.choice(keys)}", "Content-Type": "application/json"}
            begin = time.perf_counter()
            connection.request("POST", "/v1/recall", body, headers)
            answer = connection.getresponse()
            answer.read()
            times.append(1000 * (time.perf_counter() - begin))
            if answer.status != 200:
                errors.append(answer.status)
        connection.close()

    threads = [Thread(target=ask, args=[seed]) for seed in range(connections)]
    begin = time.perf_counter()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    cuts = quantiles(times, n=100)
    return Load(len(times), len(errors), len(times) / (time.perf_counter() - begin), cuts[49], cuts[98])
