"""Memory has every method of AsyncMemory, with the same signature and the same kind of answer."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from ricordo import AsyncMemory, Memory, StoreUnavailable
from ricordo.settings import Settings
from talks import BATTERY


def _public(of: type) -> dict[str, inspect.Signature]:
    """The signatures by name; a block of `with` in the place of one of `async with`."""
    methods = inspect.getmembers(of, inspect.isfunction)
    found = {name: inspect.signature(each) for name, each in methods if not name.startswith("_") or name == "__init__"}
    return {
        name: each.replace(return_annotation=str(each.return_annotation).replace("AbstractAsync", "Abstract"))
        for name, each in found.items()
    }


def test_both_doors_have_the_same_methods_and_signatures() -> None:
    assert _public(Memory) == _public(AsyncMemory)


def test_every_public_method_says_what_it_does() -> None:
    for name in _public(AsyncMemory):
        if name != "__init__":
            assert len(inspect.getdoc(getattr(AsyncMemory, name)) or "") > 60, name


def test_threads_share_one_memory(memory: Memory) -> None:
    def mine(number: int) -> None:
        memory.mine(BATTERY, conversation=f"c{number}")

    threads = [threading.Thread(target=mine, args=[number]) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sum(wing.drawers for wing in memory.palace_tree()) == 8 * len(BATTERY)


def test_a_closed_memory_says_so(settings: Settings) -> None:
    memory = Memory(settings=settings)
    with pytest.raises(StoreUnavailable, match="with Memory"):
        memory.recall("anything")
    with memory:
        assert memory.pending() == 0
    with pytest.raises(StoreUnavailable, match="with Memory"):
        memory.recall("anything")


def test_a_failed_opening_leaves_no_thread(settings: Settings) -> None:
    before = threading.active_count()
    nowhere = replace(settings, database_url="postgresql://nobody@127.0.0.1:1/nothing", connect_timeout=2)
    with pytest.raises(StoreUnavailable), Memory(settings=nowhere):
        raise AssertionError("it must not open")
    assert threading.active_count() <= before


def test_the_stubs_of_memory_are_what_its_doors_have_now() -> None:
    root = Path(__file__).resolve().parents[2]
    stale = subprocess.run([sys.executable, root / "script" / "stubs", "--check"], check=False).returncode
    assert not stale, "run script/stubs"
