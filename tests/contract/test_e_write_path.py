"""Row E1 of the contract: every write of every interface takes the one write path, whatever else happens meanwhile."""

from __future__ import annotations

import ast
import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import click
import pytest

import ricordo
from ricordo.blocking import Memory
from ricordo.cli.main import root
from ricordo.errors import NotFound
from ricordo.mcp.tools import TOOLS
from ricordo.memories.writing import WRITES, Write
from ricordo.models import Change, WriteReceipt
from ricordo.settings import Settings
from stores import connect

KEY = "ghp_n8Kq2ZrT5vWx9YbC3dFgH6jLmP0sQaE4uI7o"
SOURCE = Path(ricordo.__file__).parent

#: What answers with a receipt of each write, by interface. A new one that is not declared here fails.
PYTHON = {
    "entries.write": "entry",
    "journal.save": "journal",
    "core.save": "core",
    "notes.create": "note",
    "whiteboards.write": "whiteboard note",
    "documents.write": "document",
}
HTTP = {
    "write_entry": "entries.write",
    "save_to_journal": "journal.save",
    "save_to_core": "core.save",
    "create_note": "notes.create",
    "write_on_whiteboard": "whiteboards.write",
    "write_documents": "documents.write",
    "mine": "mine",
}
COMMANDS = {
    "memory write-entry": "entries.write",
    "whiteboard write": "whiteboards.write",
    "memory add": "notes.create",
    "journal add": "journal.save",
    "core add": "core.save",
}
MCP = {"add_memory": ("notes.create", "journal.save", "core.save"), "mine_conversation": ("mine",)}
#: Where the library itself calls the write path.
CALLERS = {"profiles", "journal", "notes", "whiteboards", "documents", "accepting", "arriving"}


@pytest.fixture
def ada(settings: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        memory.agents.create("coder")
        memory.whiteboards.create("plan", ["coder"])
        yield memory


def _writes(ada: Memory, capped: bool = False) -> dict[Write, Callable[[str], WriteReceipt]]:
    """One call for each declared write."""
    profile = ada.profiles.create("coder", "capped", max_entries=1) if capped else ada.profiles.list("coder")[0]
    return {
        "entry": lambda text: ada.entries.write(profile.id, text, agent="coder"),
        "journal": lambda text: ada.journal.save("coder", text),
        "core": lambda text: ada.core.save("coder", text),
        "note": lambda text: ada.notes.create(text, agent="coder"),
        "whiteboard note": lambda text: ada.whiteboards.write("plan", text, "coder"),
        "document": lambda text: ada.documents.write("c", [Change(("a",), text, {"t": text}, text)], agent="coder"),
    }


def test_e1_each_declared_write_has_policy_review_parents_log_and_receipt(ada: Memory, settings: Settings) -> None:
    assert set(WRITES) == set(get_args(Write)) == set(_writes(ada)) == set(PYTHON.values())
    for name, write in _writes(ada, capped=True).items():
        stored = write(f"Stored {name}.")
        assert (stored.status, stored.kind) == ("stored", WRITES[name].kind)
        assert stored.id is not None
        assert [each.action for each in ada.audit.of_memory(stored.id)] == ["write"]
        more = write(f"More {name}.")
        expired = [each.action for each in ada.audit.of_memory(stored.id)] + [
            each.action for each in ada.audit.of_memory(more.id or UUID(int=0))
        ]
        assert ("expire" in expired) == WRITES[name].is_capped, name
    ada.settings.update(secrets="reject")
    for name, write in _writes(ada).items():
        assert (write(f"Use {KEY}").status, write(f"Use {KEY}").id) == ("rejected", None), name
    ada.settings.update(review="agents", secrets="store")
    for name, write in _writes(ada).items():  # documents cannot wait
        assert write(f"Held {name}.").status == ("rejected" if name == "document" else "held")
    with connect(settings) as owner:
        for word in ("Held%", "%ghp_%"):
            assert owner.execute("SELECT count(*) FROM memories WHERE content LIKE %s", [word]).fetchone() == (0,)


def test_e1_every_write_operation_of_every_interface_is_declared(ada: Memory) -> None:
    library = set()
    for name in dir(ada):
        resource = getattr(ada, name) if not name.startswith("_") else None
        for method in dir(resource) if type(resource).__name__ == "Blocking" else ():
            hints = getattr(getattr(resource, method), "__annotations__", {})
            if str(hints.get("return", "")).endswith("WriteReceipt"):
                library.add(f"{name}.{method}")
    assert library == set(PYTHON)
    schema = '"#/components/schemas/'
    paths = json.loads((SOURCE.parent.parent / "docs" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    made = {
        re.sub("_v1_.*", "", operation["operationId"])
        for methods in paths.values()
        for operation in methods.values()
        if f'{schema}WriteReceipt"' in json.dumps(operation) or f'{schema}Receipt"' in json.dumps(operation)
    }
    assert made == set(HTTP)
    context = click.Context(root)
    groups = {name: root.get_command(context, name) for name in root.list_commands(context)}
    printing = {
        f"{group} {name}"
        for group, commands in groups.items()
        for name, command in (commands.commands if isinstance(commands, click.Group) else {}).items()
        if command.callback is not None and "print_receipt" in command.callback.__code__.co_names
    }
    assert printing == set(COMMANDS)
    assert set(MCP) == {each.name for each in TOOLS if each.name.startswith(("add", "mine"))}


def test_e1_only_the_write_path_inserts_memories() -> None:
    inserting, calling = set(), set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = ast.unparse(node.func)
                inserting |= {path.stem} if of == "loose_store.insert" else set()
                calling |= {path.stem} if of == "writing.write" else set()
    assert inserting == {"writing"}
    assert calling == CALLERS


@pytest.mark.parametrize("parent", ["agent", "profile", "whiteboard"])
def test_e1_a_write_beside_the_deletion_of_its_parent_is_stored_or_logged_as_forgotten(
    ada: Memory, settings: Settings, parent: str
) -> None:
    profile = ada.profiles.create("coder", "other")
    write: Callable[[str], Any] = {
        "agent": lambda text: ada.core.save("coder", text),
        "profile": lambda text: ada.entries.write(profile.id, text),
        "whiteboard": lambda text: ada.whiteboards.write("plan", text, "coder"),
    }[parent]
    delete: Callable[[], Any] = {
        "agent": lambda: ada.agents.delete("coder"),
        "profile": lambda: ada.profiles.delete(profile.id),
        "whiteboard": lambda: ada.whiteboards.delete("plan"),
    }[parent]
    barrier = threading.Barrier(5)

    def writer(number: int) -> list[UUID]:
        ids = []
        barrier.wait()
        for each in range(100):
            try:
                ids.append(write(f"{number}.{each}").id)
            except NotFound:
                break
        return ids

    def deleter() -> None:
        barrier.wait()
        delete()

    with ThreadPoolExecutor(5) as threads:
        writers = [threads.submit(writer, number) for number in range(4)]
        threads.submit(deleter).result()
        acknowledged = [id for each in writers for id in each.result()]
    with connect(settings) as owner:
        left = owner.execute("SELECT count(*) FROM memories WHERE kind <> 'drawer'").fetchone()
        assert left == (0,)
        for table in ("postings", "unembedded", "unindexed", "embeddings", "memory_history", "held_writes"):
            assert owner.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    for id in acknowledged:
        assert [each.action for each in ada.audit.of_memory(id)] == ["write", "forget"]
