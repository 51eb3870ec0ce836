"""A memory that stays open while its server dies, its calls are cancelled, or Ctrl-C is pressed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from consistency import inconsistencies
from homes import temporary_home
from miners import environment, lost, talk
from models import model_folder
from ricordo import embedding, vectors
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.database.embedded import status, stop
from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreError, StoreUnavailable
from ricordo.settings import Settings
from stores import connect, settings_for
from talks import BATTERY

SEED = 20261128


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A home whose server may be killed."""
    with temporary_home() as home:
        yield home


@pytest.fixture
def settings(home: Path) -> Settings:
    return settings_for(home)


@pytest.fixture
def with_vectors(settings: Settings) -> Settings:
    return replace(settings, model_dir=model_folder())


def kill_server(settings: Settings) -> None:
    postmaster = status(settings).pid
    assert postmaster is not None
    os.kill(postmaster, signal.SIGKILL)


def kill_server_and_its_children(settings: Settings) -> None:
    """Kill the server, and wait until its last process has noticed: until then one may still begin to answer."""
    kill_server(settings)
    with Layout.of(settings).alive_lock.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)


def sound(settings: Settings) -> None:
    with connect(settings) as owner:
        assert inconsistencies(owner) == []


@pytest.mark.parametrize("end", [stop, kill_server_and_its_children])
def test_an_idle_memory_goes_on_when_its_server_has_ended(settings: Settings, end: object) -> None:
    assert callable(end)
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="battery")
        for _ in range(2):
            end(settings)
            begin = time.monotonic()
            assert len(memory.recall("Lindner pack")) > 0
            assert time.monotonic() - begin < 5
        end(settings)
        assert memory.mine(talk(1), conversation="talk-1").stored == len(talk(1))
    sound(settings)


def test_a_server_that_dies_in_mid_call_fails_that_call_once(settings: Settings) -> None:
    async def main() -> None:
        async with AsyncMemory(settings=settings) as memory:
            await memory.mine(BATTERY, conversation="battery")
            owner = connect(settings)
            # The call waits for this lock until the server is killed.
            owner.execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
            call = asyncio.create_task(memory.mine(talk(1), conversation="talk-1"))
            await asyncio.sleep(0.3)
            kill_server(settings)
            with pytest.raises(StoreUnavailable, match="try again") as raised:
                await call
            owner.close()
            assert "\n" not in str(raised.value)
            begin = time.monotonic()
            assert (await memory.mine(talk(1), conversation="talk-1")).stored == len(talk(1))
            assert time.monotonic() - begin < 5

    asyncio.run(main())
    sound(settings)


@pytest.mark.parametrize("end", [stop, kill_server_and_its_children])
def test_the_background_embeds_what_waits_after_its_server_died(with_vectors: Settings, end: object) -> None:
    assert callable(end)
    with Memory(settings=with_vectors) as memory:
        memory.mine(talk(19), conversation="talk-19")  # 450 turns: some seconds of embedding
        time.sleep(0.3)
        end(with_vectors)
        deadline = time.monotonic() + 60
        while pending(with_vectors):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    sound(with_vectors)


def pending(settings: Settings) -> int:
    with connect(settings) as owner:
        row = owner.execute("SELECT count(*) FROM unembedded").fetchone()
    return row[0] if row else 0


def test_the_background_takes_over_what_another_had_claimed(settings: Settings, with_vectors: Settings) -> None:
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="battery")
    with connect(with_vectors) as other:
        other.execute("BEGIN; SELECT FROM unembedded FOR UPDATE")  # before there is a background that could take them
        with Memory(settings=with_vectors) as memory:
            memory.mine(talk(2), conversation="talk-2")
            deadline = time.monotonic() + 60
            while memory.pending() > len(BATTERY):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert memory.pending() == len(BATTERY)
            other.execute("ROLLBACK")
            while memory.pending():
                assert time.monotonic() < deadline
                time.sleep(0.1)
    sound(with_vectors)


def test_closing_does_not_wait_for_a_store_that_is_stuck(with_vectors: Settings) -> None:
    with connect(with_vectors) as other:
        with Memory(settings=with_vectors) as memory:
            other.execute("BEGIN; LOCK TABLE embeddings IN ACCESS EXCLUSIVE MODE")
            memory.mine(BATTERY, conversation="battery")
            time.sleep(0.5)
            begin = time.monotonic()
        assert time.monotonic() - begin < 4
        other.execute("ROLLBACK")
        assert pending(with_vectors) == len(BATTERY)
    sound(with_vectors)


def test_a_batch_of_long_memories_is_small(with_vectors: Settings) -> None:
    turns = [{"role": "user", "content": f"Chapter {number}. " + "It rained in Lisbon. " * 600} for number in range(12)]

    async def main() -> list[int]:
        async with AsyncMemory(settings=with_vectors, background=False) as memory:
            await memory.mine(turns, conversation="novel")
            embedding_model = embedding.load(with_vectors)
            batches = []
            while batch := await vectors.embed_batch(memory._database, memory.user_id, embedding_model):
                batches.append(batch.made)
            return batches

    assert asyncio.run(main()) == [4, 4, 4]
    sound(with_vectors)


@pytest.mark.parametrize("way", ["asyncio", "anyio"])
def test_calls_that_are_cancelled_leave_nothing_behind(settings: Settings, way: str) -> None:
    chance = random.Random(SEED)

    async def limited(call: object, seconds: float) -> bool:
        try:
            if way == "asyncio":
                await asyncio.wait_for(call, seconds)  # type: ignore[arg-type]
            else:
                with anyio.fail_after(seconds):
                    await call  # type: ignore[misc]
        except TimeoutError:
            return False
        return True

    async def main() -> list[int]:
        done = []
        async with AsyncMemory(settings=replace(settings, pool_size=2)) as memory:
            for number in range(40):
                # On a busy machine calls take longer: every fourth is left alone, whatever the time.
                spared = number % 4 == 0
                calls = [
                    limited(
                        memory.mine(talk(number), conversation=f"talk-{number}"),
                        60 if spared else chance.uniform(0, 0.06),
                    ),
                    limited(memory.recall("garden and glacier"), chance.uniform(0, 0.02)),
                    limited(memory.recall("recipe, harbour"), chance.uniform(0, 0.02)),
                ]
                mined, *_ = await asyncio.gather(*calls)
                if mined:
                    done.append(number)
            other = AsyncMemory(settings=replace(settings, user="ben"))
            other._database = other._encoding._database = memory._database  # the same connections
            assert (await other.recall("garden and glacier")).results == ()
            assert await other.pending() == 0
            # All connections are still to be had.
            await asyncio.wait_for(asyncio.gather(*(memory.pending() for _ in range(8))), 10)
        return done

    done = asyncio.run(main())
    assert 10 <= len(done) < 40, "the limits are to cut off some calls and not all"
    with connect(settings) as owner:
        assert inconsistencies(owner) == []
        assert lost(owner, done) == []


def test_a_recall_that_is_cancelled_does_not_take_the_embedding_model_from_the_next(with_vectors: Settings) -> None:
    async def main() -> None:
        async with AsyncMemory(settings=with_vectors, background=False) as memory:
            await memory.mine(BATTERY, conversation="battery")
            for call in (memory.recall("cells"), memory.embed_pending()):
                task = asyncio.create_task(call)  # type: ignore[arg-type,var-annotated]
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert await memory.embed_pending() == len(BATTERY)
            assert (await memory.recall("cells")).notes == ()

    asyncio.run(main())


#: Programs that use a memory, and what they come to: Ctrl-C, or an exception of their own.
_PROGRAMS = {
    "busy": """
        for number in range(10**6):
            memory.mine(talk(number), conversation=f"talk-{number}")
    """,
    "idle": "time.sleep(60)",
    "failing": "memory.mine(talk(19), conversation='talk-19'); raise ValueError('mine')",
}


@pytest.mark.parametrize("background", [False, True])
@pytest.mark.parametrize("what", _PROGRAMS)
def test_a_program_that_is_interrupted_ends_at_once(with_vectors: Settings, what: str, background: bool) -> None:
    program = (
        "import time\nfrom miners import talk\nfrom ricordo import Memory\n"
        f"with Memory(background={background}) as memory:\n    print('open', flush=True)\n"
        + textwrap.indent(textwrap.dedent(_PROGRAMS[what]), "    ")
    )
    env = environment(with_vectors) | {"PYTHONPATH": str(Path(__file__).parents[1] / "programs")}
    with subprocess.Popen(
        [sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            if what != "failing":
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=300 if what == "failing" else 8)
        finally:
            process.kill()
    assert said.strip().splitlines()[-1] == ("ValueError: mine" if what == "failing" else "KeyboardInterrupt")
    assert said.count("Traceback") == 1, said
    sound(with_vectors)


def test_ctrl_c_ends_the_call_and_not_the_memory(settings: Settings) -> None:
    with Memory(settings=settings) as memory, connect(settings) as owner:
        memory.mine(BATTERY, conversation="battery")
        owner.execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            with pytest.raises(KeyboardInterrupt):
                memory.mine(talk(1), conversation="talk-1")
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        owner.execute("ROLLBACK")
        assert len(memory.recall("Lindner")) > 0
        with connect(settings) as check:
            assert check.execute("SELECT count(*) FROM conversations").fetchone() == (1,)


def test_a_closed_memory_says_so(settings: Settings) -> None:
    memory = Memory(settings=settings)
    with memory:
        memory.mine(BATTERY, conversation="battery")
    with pytest.raises(StoreError, match="closed"):
        memory.recall("cells")
