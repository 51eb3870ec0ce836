"""Memory has every method of AsyncMemory, with the same signature and the same kind of answer."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, StoreUnavailable
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


def test_both_resources_have_the_same_methods_and_signatures() -> None:
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
    assert sum(wing.drawers for wing in memory.palace.tree()) == 8 * len(BATTERY)


def test_a_generator_is_read_where_it_was_made_and_may_use_the_memory(memory: Memory) -> None:
    here = threading.get_ident()

    def told() -> Iterator[Mapping[str, object]]:
        for each in BATTERY:
            assert threading.get_ident() == here
            assert memory.pending() == 0
            yield each

    assert memory.mine(told(), conversation="c").stored == len(BATTERY)


def test_an_asynchronous_generator_is_read_too(memory: Memory) -> None:
    async def told() -> AsyncIterator[Mapping[str, object]]:
        for each in BATTERY:
            yield each

    assert memory.mine(told(), conversation="c").stored == len(BATTERY)


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


def test_the_stubs_of_memory_are_what_its_resources_have_now() -> None:
    root = Path(__file__).resolve().parents[2]
    stale = subprocess.run([sys.executable, root / "script" / "stubs", "--check"], check=False).returncode
    assert not stale, "run script/stubs"


def test_arguments_of_a_wrong_type_are_named(memory: Memory) -> None:
    wrong: list[tuple[str, dict[str, object]]] = [
        ("top_k", {"top_k": "5"}),
        ("top_k", {"top_k": True}),
        ("max_tokens", {"max_tokens": 1.5}),
        ("now", {"now": "2026-01-01"}),
        ("as_of", {"as_of": date(2026, 1, 1)}),
        ("wing", {"wing": 5}),
    ]
    memory.mine(BATTERY, conversation="c")
    for field, arguments in wrong:
        with pytest.raises(InvalidInput, match=f"^{field}: must be"):
            memory.recall("battery", **arguments)  # type: ignore[arg-type]
    for field, named in (("conversation", {"conversation": 5}), ("title", {"conversation": "c", "title": 5})):
        with pytest.raises(InvalidInput, match=f"^{field}: must be text"):
            memory.mine(BATTERY, **named)  # type: ignore[arg-type]


def test_an_open_memory_is_not_opened_again(memory: Memory) -> None:
    with pytest.raises(StoreUnavailable, match="already open"), memory:
        raise AssertionError("it must not open")
    assert memory.pending() == 0


def test_a_fork_is_told_to_open_its_own(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(StoreUnavailable, match="before this process was forked"):
        memory.pending()
