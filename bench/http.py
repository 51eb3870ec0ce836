"""Load on a server's recall: many connections, each asking for a user of its own choice, for some seconds.

It serves nothing itself: the server runs beside it (`ricordo serve`), on the same store.
"""

from __future__ import annotations

import json
import random
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from threading import Thread
from urllib.parse import urlsplit

from ricordo import formats
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
    #: Megabytes of the server in memory before, halfway and afterwards; None where the system does not tell.
    memory_before: float | None = None
    memory_halfway: float | None = None
    memory_after: float | None = None


async def prepare(settings: Settings, users: int) -> list[str]:
    """Users with some talk each, vectors included where there is an embedding model; returns a key of each."""
    talks = list(formats.read([chats()], lambda problem: None))
    keys: list[str] = []
    async with AsyncMemory(settings=settings) as memory:
        for number in range(users):
            user = memory.of(f"load {number}")
            for talk in random.Random(number).sample(talks, _TALKS):
                await user.mine(talk.messages, conversation=talk.id, title=talk.title)
            keys.append((await user.keys.create("load", read_only=True)).token)
    return keys


def measure(url: str, keys: list[str], connections: int, seconds: float) -> Load:
    """Ask from so many connections for so long, once each key has asked once. Raises InvalidInput for what is no http
    URL of a server that runs here."""
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise InvalidInput("url", f"invalid URL {url[:50]!r}: expected the http URL of a local server")
    address = (parts.hostname, parts.port or 80)
    with closing(HTTPConnection(*address, timeout=30)) as connection:
        failed = [each for each in keys if not _ask(connection, each, 0)]
    if failed:
        raise InvalidInput("url", f"{url[:50]!r} answers {len(failed)} of {len(keys)} users with an error")
    server = _process_at(address[1])
    memory = [_resident(server)]
    answers: list[tuple[float, bool]] = []
    end = time.perf_counter() + seconds
    threads = [Thread(target=_keep_asking, args=[address, keys, seed, end, answers]) for seed in range(connections)]
    begin = time.perf_counter()
    for each in threads:
        each.start()
    time.sleep(seconds / 2)
    memory.append(_resident(server))
    for each in threads:
        each.join()
    memory.append(_resident(server))
    rate = len(answers) / (time.perf_counter() - begin)
    cuts = quantiles([each for each, _ in answers], n=100)
    errors = sum(not good for _, good in answers)
    return Load(len(answers), errors, rate, cuts[49], cuts[98], *memory)


def _keep_asking(
    address: tuple[str, int], keys: list[str], seed: int, end: float, answers: list[tuple[float, bool]]
) -> None:
    chosen = random.Random(seed)
    connection = HTTPConnection(*address, timeout=30)
    while (begin := time.perf_counter()) < end:
        good = _ask(connection, chosen.choice(keys), chosen.randrange(10_000))
        answers.append((1000 * (time.perf_counter() - begin), good))
        if not good:
            connection.close()  # it opens itself anew
    connection.close()


def _ask(connection: HTTPConnection, key: str, number: int) -> bool:
    """Recall something; whether that went well."""
    body = json.dumps({"question": f"What did we say about the plan number {number}?"})
    try:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/recall", body, headers)
        answer = connection.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return False
    return answer.status == 200


def _process_at(port: int) -> Path | None:
    """What the system tells of the process that listens at a port, where it is Linux and the process is one's own."""
    try:
        lines = [each.split() for name in ("tcp", "tcp6") for each in Path("/proc/net", name).read_text().splitlines()]
    except OSError:
        return None
    listens = "0A"
    sockets = {f"socket:[{each[9]}]" for each in lines if each[1].endswith(f":{port:04X}") and each[3] == listens}
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if str(descriptor.readlink()) in sockets:
                return descriptor.parent.parent
    return None


def _resident(process: Path | None) -> float | None:
    """Megabytes of a process that are in memory."""
    if process is None:
        return None
    status = dict(each.split(":", 1) for each in (process / "status").read_text().splitlines())
    return round(int(status["VmRSS"].split()[0]) / 1024, 1)
