"""A memory that is closed by name, and one that is not closed before its process ends; and what an open one holds."""

from __future__ import annotations

import asyncio
import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from commands import Ran, environment
from ricordo.blocking import Memory
from ricordo.client import OPENED_TWICE, AsyncMemory
from ricordo.database.migrations import APP_ROLE
from ricordo.errors import InvalidInput, StoreUnavailable, forked
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY

#: Seconds in which a process that does next to nothing must have ended.
_SOON = 300


def test_a_memory_is_closed_by_name_as_by_its_block(settings: Settings) -> None:
    memory = Memory(settings=settings)
    memory.close()  # it was never open
    with memory:
        assert memory.pending() == 0
        memory.close()
        with pytest.raises(StoreUnavailable, match="with Memory"):
            memory.pending()
    with memory:
        assert memory.pending() == 0


def test_an_asynchronous_memory_is_closed_by_name_as_by_its_block(settings: Settings) -> None:
    async def use() -> None:
        memory = AsyncMemory(settings=settings)
        await memory.close()
        async with memory:
            assert await memory.pending() == 0
            await memory.close()
            with pytest.raises(StoreUnavailable, match="closed"):
                await memory.pending()

    asyncio.run(use())


def test_closing_the_memory_of_a_guest_closes_nothing(settings: Settings) -> None:
    async def use() -> None:
        async with AsyncMemory(settings=settings) as memory:
            await memory.of("bo").close()
            assert await memory.of("bo").pending() == await memory.pending() == 0

    asyncio.run(use())
    with Memory(settings=settings) as memory:
        memory.of("bo").close()
        assert memory.of("bo").pending() == memory.pending() == 0


def test_a_memory_that_is_open_is_not_opened_again_nor_is_that_of_a_guest(settings: Settings) -> None:
    async def use() -> None:
        memory = AsyncMemory(settings=settings)
        opened = await asyncio.gather(memory.__aenter__(), memory.__aenter__(), return_exceptions=True)
        assert [str(each) for each in opened if each is not memory] == [OPENED_TWICE]
        with pytest.raises(StoreUnavailable, match="without a `with` block"):
            await memory.of("bo").__aenter__()
        assert await memory.of("bo").pending() == await memory.pending() == 0
        await memory.close()
        async with memory:
            assert await memory.pending() == 0

    asyncio.run(use())
    with Memory(settings=settings) as memory:
        with pytest.raises(StoreUnavailable, match="without a `with` block"):
            memory.of("bo").__enter__()
        assert memory.of("bo").pending() == memory.pending() == 0


def test_a_run_is_begun_once(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        memory.agents.create("coder")
        block = memory.run("coder", "Write.")
        with block as run:
            with pytest.raises(InvalidInput, match="has begun already"):
                block.__enter__()
            run.output("node", {})
        with pytest.raises(InvalidInput, match="has begun already"):
            block.__enter__()
        assert [each.status for each in memory.runs.list("coder")] == ["completed"]


@pytest.mark.parametrize("takes", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_memory_is_neither_pickled_nor_copied(settings: Settings, takes: Callable[[object], object]) -> None:
    with Memory(settings=settings) as memory:
        for each in (memory, memory.of("bo"), AsyncMemory(settings=settings)):
            with pytest.raises(TypeError, match="open one in each process"):
                takes(each)


OPENED = """
import os, sys
from ricordo import Memory
memory = Memory().__enter__()
memory.pending()
"""
FORKED = """
if os.fork() == 0:
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.wait()[1]), memory.pending())
"""
ASYNCHRONOUS = """
import asyncio
from ricordo import AsyncMemory
async def use():
    memory = await AsyncMemory().__aenter__()
    await memory.pending()
    return memory
memory = asyncio.run(use())
"""


#: Uses a memory and closes it in a fork, where asyncio knows of no loop yet.
FORKED_IN_LOOP = """
import asyncio, os, sys
from ricordo import AsyncMemory
async def use():
    memory = AsyncMemory()
    async with memory:
        await memory.pending()
        if os.fork() == 0:
            for call in (lambda: memory.pending(), lambda: memory.of("bo").pending(), lambda: memory.close()):
                try:
                    asyncio.run(call())
                    print("done", flush=True)
                except Exception as error:
                    print(type(error).__name__, error, flush=True)
            os._exit(0)
        os.wait()
        print(await asyncio.gather(*(memory.pending() for _ in range(8))))
asyncio.run(use())
"""


def ended(settings: Settings, program: str) -> Ran:
    command = [sys.executable, "-X", "dev", "-c", program]
    done = subprocess.run(command, env=environment(settings), capture_output=True, text=True, timeout=_SOON)
    # asyncio's debug mode tells of each step that took long, as any does on a busy machine.
    told = [line for line in done.stderr.splitlines(keepends=True) if not re.match(r"Executing <.* took ", line)]
    return Ran(done.returncode, done.stdout, "".join(told))


@pytest.mark.parametrize("program", [OPENED, OPENED + "del memory", ASYNCHRONOUS])
def test_a_memory_that_was_never_left_lets_its_process_end(settings: Settings, program: str) -> None:
    assert ended(settings, program + "\nprint('end')") == (0, "end\n", "")


def test_an_exception_ends_the_process_of_an_open_memory(settings: Settings) -> None:
    done = ended(settings, OPENED + "raise KeyError('why')")
    assert (done.code, done.out, done.err.splitlines()[-1]) == (1, "", "KeyError: 'why'")


@pytest.mark.slow
def test_a_memory_that_embeds_lets_its_process_end_and_loses_nothing(with_vectors: Settings) -> None:
    turns = f"{BATTERY!r} * 200"
    done = ended(with_vectors, OPENED + f"print(memory.mine({turns}, conversation='c').stored)")
    assert (done.code, done.out) == (0, f"{len(BATTERY) * 200}\n"), done.err[-3000:]
    assert "Traceback" not in done.err
    with Memory(settings=with_vectors, background=False) as memory:
        assert len(memory.palace.tree()) == 1


def test_a_fork_ends_and_leaves_the_memory_to_its_parent(settings: Settings) -> None:
    done = ended(settings, OPENED + FORKED)
    assert (done.code, done.out) == (0, "7 0\n")
    assert "Traceback" not in done.err


def test_a_fork_does_not_use_the_connections_of_an_asynchronous_memory(settings: Settings) -> None:
    done = ended(settings, FORKED_IN_LOOP)
    told = f"StoreUnavailable {forked()}"
    assert (done.code, done.out.splitlines()) == (0, [told, told, "done", str([0] * 8)]), done


def test_a_memory_that_one_caller_uses_has_one_connection(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        memory.mine([{"role": "user", "content": "The canoe is orange."}], conversation="boats")
        memory.recall("Which color is the canoe?")
        with connect(settings) as owner:
            query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = %s"
            assert owner.execute(query, [APP_ROLE]).fetchone() == (1,)
