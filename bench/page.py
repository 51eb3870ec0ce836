"""How long the web page's requests take on a large store: each request of the page Memory, asked of `ricordo serve` on
the loopback."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from statistics import quantiles
from urllib.parse import urlencode

from bench import filling
from bench.filling import Filler
from ricordo import accounts, embedding, vectors
from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.database import owner
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

_USER, _TIMES = "page", 30
#: Seconds for the server to start, and for one answer.
_PATIENCE = 60.0
_TABLES = ("memories", "postings", "embeddings", "rooms", "closets", "wings", "conversations", "said_on")
#: What the page asks for as it is opened, beside the search.
_BESIDE = ("top", "largest wings", "speakers", "histogram")


@dataclass(frozen=True)
class Asked:
    """A request: method, path with its query, and what is sent."""

    method: str
    path: str
    body: object = None


@dataclass(frozen=True)
class Taken:
    """Milliseconds until a kind of request was answered: the median and the 95th percentile."""

    request: str
    p50: float
    p95: float


async def measure_page(settings: Settings, memories: int, progress: Callable[[str], None]) -> list[Taken]:
    """Fill a schema of its own with one user's talk, serve it, ask as the page does, and drop it.

    The settings must be those of the environment, which the server reads. Raises StoreError and ModelUnavailable.
    """
    filler = await asyncio.to_thread(lambda: Filler(embedding.load(settings)))
    async with own_schema(settings) as own, _filled(replace(own, user=_USER), filler, memories, progress) as key:
        progress("asking")
        return await asyncio.to_thread(_measure, own, key, memories)


@asynccontextmanager
async def _filled(
    settings: Settings, filler: Filler, memories: int, progress: Callable[[str], None]
) -> AsyncIterator[str]:
    """A store of so many memories of one user, as it is once its background work was done; and a key of it."""
    async with AsyncMemory(settings=settings, background=False) as memory:
        key = await memory.keys.create("page", read_only=True)
        progress(f"filling to {memories:,} memories")
        async with owner(settings) as connection:
            await filling.go_to(connection, settings.schema)
            await filler.fill(connection, _USER, memories)
            for table in _TABLES:
                await connection.execute(f"VACUUM ANALYZE {table}".encode())
        await vectors.tend_near_index(memory._database, accounts.user_id_of(_USER))
        yield key.token


def _measure(settings: Settings, key: str, memories: int) -> list[Taken]:
    with _serving(settings) as port, ThreadPoolExecutor(len(_BESIDE)) as pool:
        asker = _Asker(port, key)
        found: list[Taken] = []
        kinds = _kinds(memories)
        for kind in kinds:
            asker.milliseconds(kinds[kind](0))  # connections and plans are made
            found.append(_taken(kind, [asker.milliseconds(kinds[kind](number)) for number in range(1, _TIMES)]))
        whole: list[float] = []
        for number in range(_TIMES, 2 * _TIMES):
            others = [pool.submit(_Asker(port, key).milliseconds, kinds[kind](number)) for kind in _BESIDE]
            whole.append(asker.milliseconds(kinds["search"](number)))
            for each in others:
                each.result()
        return [*found, _taken("search while the whole page loads", whole)]


def _taken(kind: str, milliseconds: Sequence[float]) -> Taken:
    cuts = quantiles(milliseconds, n=20)
    return Taken(kind, cuts[9], cuts[18])


def _kinds(memories: int) -> dict[str, Callable[[int], Asked]]:
    """The requests of the page Memory, each for the time that it is made."""
    said, rooms = filling.sentences(), memories // filling.TURNS
    chance = random.Random(0)
    questions = [" ".join(chance.choice(said).split()[:6]) for _ in range(2 * _TIMES)]

    def get(path: str, **query: object) -> Asked:
        return Asked("GET", f"/v1/palace/{path}?{urlencode(query)}")

    def room(number: int) -> int:
        return 1 + number * 131 % rooms

    def wing(number: int) -> str:
        return f"W-{filling.wing_of(room(number)):03}"

    def at(number: int) -> str:
        return f"{wing(number)}/R-{room(number):02}"

    return {
        "top": lambda _: get("wings", limit=100, order="newest"),
        "wing": lambda number: get(f"wings/{wing(number)}/rooms", limit=100),
        "room": lambda number: get(f"rooms/{at(number)}/closets", limit=100),
        "closet": lambda number: get(f"rooms/{at(number)}/drawers", limit=100, closet=1),
        "drawer in its conversation": lambda number: get(f"around/{at(number)}/D-012", before=12, after=12),
        "largest wings": lambda _: get("wings", limit=50, order="largest"),
        "speakers": lambda _: get("speakers", limit=200),
        "histogram": lambda _: get("histogram"),
        "histogram of a wing": lambda number: get("histogram", wing=wing(number)),
        "histogram of a speaker": lambda _: get("histogram", speaker="mara"),
        "search": lambda number: Asked(
            "POST",
            "/v1/recall",
            {"question": f"What about {questions[number]}?", "top_k": 10, "max_tokens": 2000, "dry_run": False},
        ),
    }


class _Asker:
    """A connection that is kept."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def milliseconds(self, asked: Asked) -> float:
        """How long until all of the answer is there. Raises StoreUnavailable for one that is not good."""
        body = None if asked.body is None else json.dumps(asked.body)
        begin = time.perf_counter()
        self._connection.request(asked.method, asked.path, body, self._headers)
        answer = self._connection.getresponse()
        said = answer.read()
        taken = 1000 * (time.perf_counter() - begin)
        if answer.status != 200:
            raise StoreUnavailable(f"{asked.path} was answered {answer.status}: {said[:300]!r}")
        return taken


@contextmanager
def _serving(settings: Settings) -> Iterator[int]:
    """`ricordo serve` on these settings' schema, and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ricordo", "serve", "--port", str(port), "--no-sign-in", "--rate", "100000/minute"]
    changed = {"RICORDO_SCHEMA": settings.schema, "RICORDO_HOME": str(settings.home)}
    with subprocess.Popen(command, env={**os.environ, **changed}, stderr=subprocess.DEVNULL) as server:
        try:
            _await_listening(server, port)
            yield port
        finally:
            server.terminate()


def _await_listening(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise StoreUnavailable(f"`ricordo serve` did not listen at port {port} within {_PATIENCE:.0f} s")
