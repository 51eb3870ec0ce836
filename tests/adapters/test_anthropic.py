"""Row E10 of the contract: Anthropic's memory tool, called as the SDK's tool runner calls it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anthropic.lib.tools import ToolError

from ricordo.adapters.anthropic import COLLECTION, AsyncMemoryTool, MemoryTool
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput
from ricordo.settings import Settings

NOTES = "/memories/trip/notes.md"


@pytest.fixture
def tool(memory: Memory) -> MemoryTool:
    return MemoryTool(memory, "navigator")


def view(tool: MemoryTool, path: str = "/memories", *view_range: int) -> list[str]:
    command: dict[str, Any] = {"command": "view", "path": path}
    if view_range:
        command["view_range"] = list(view_range)
    return [line.strip() for line in str(tool.call(command)).splitlines()[1:]]


def create(tool: MemoryTool, path: str, text: str) -> str:
    return str(tool.call({"command": "create", "path": path, "file_text": text}))


def replace(tool: MemoryTool, path: str, old: str, new: str) -> str:
    return str(tool.call({"command": "str_replace", "path": path, "old_str": old, "new_str": new}))


def insert(tool: MemoryTool, path: str, line: int, text: str) -> str:
    return str(tool.call({"command": "insert", "path": path, "insert_line": line, "insert_text": text}))


def delete(tool: MemoryTool, path: str) -> str:
    return str(tool.call({"command": "delete", "path": path}))


def rename(tool: MemoryTool, old: str, new: str) -> str:
    return str(tool.call({"command": "rename", "old_path": old, "new_path": new}))


def test_e10_anthropic_a_file_is_made_read_changed_moved_and_deleted(tool: MemoryTool) -> None:
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    assert view(tool) == ["0B\t/memories"]
    assert create(tool, NOTES, "one\ntwo\nthree\n") == f"File created successfully at: {NOTES}"
    assert view(tool, NOTES) == ["1\tone", "2\ttwo", "3\tthree", "4"]
    assert view(tool, NOTES, 2, -1) == ["2\ttwo", "3\tthree", "4"]
    assert view(tool, NOTES, 2, 2) == ["2\ttwo"]
    assert "2\t2" in replace(tool, NOTES, "two", "2")
    insert(tool, NOTES, 0, "zero\n")
    insert(tool, NOTES, 4, "four")
    assert view(tool, NOTES) == ["1\tzero", "2\tone", "3\t2", "4\tthree", "5\tfour", "6"]
    rename(tool, NOTES, "/memories/old/sub/deep/notes.md")
    create(tool, "/memories/.hidden", "x")
    create(tool, "/memories/a.txt", "é" * 1_024)
    assert view(tool) == [
        "2.0K\t/memories",
        "2K\t/memories/a.txt",
        "22B\t/memories/old/",
        "22B\t/memories/old/sub/",
    ]
    rename(tool, "/memories/old/sub", "/memories/new")
    assert view(tool, "/memories/new") == [
        "22B\t/memories/new",
        "22B\t/memories/new/deep/",
        "22B\t/memories/new/deep/notes.md",
    ]
    delete(tool, "/memories/new")
    assert view(tool) == ["2.0K\t/memories", "2K\t/memories/a.txt"]
    assert tool.clear_all_memory() == "All memory cleared"
    assert view(tool) == ["0B\t/memories"]


def test_e10_anthropic_what_cannot_be_done_is_told_and_changes_nothing(tool: MemoryTool) -> None:
    create(tool, NOTES, "tea\ntea\n")
    for act, told in (
        (lambda: create(tool, NOTES, "again"), "already exists"),
        (lambda: create(tool, "/memories/trip", "file in place of a directory"), "already exists"),
        (lambda: create(tool, f"{NOTES}/below.txt", "x"), "is a file"),
        (lambda: create(tool, "/memories", "x"), "is not a file path"),
        (lambda: create(tool, "/memories/nul", "\0"), "NUL"),
        (lambda: create(tool, "/memories/a\nb", "x"), "control character"),
        (lambda: create(tool, f"/memories/{'x' * 256}", "x"), "longer than 255 characters"),
        (lambda: view(tool, "/memories/none"), "does not exist"),
        (lambda: view(tool, NOTES, 9, 10), "view_range"),
        (lambda: view(tool, NOTES, 1), "view_range"),
        (lambda: replace(tool, NOTES, "coffee", "x"), "did not appear"),
        (lambda: replace(tool, NOTES, "", "x"), "did not appear"),
        (lambda: replace(tool, NOTES, "tea", "x"), "in lines: 1, 2"),
        (lambda: replace(tool, "/memories/trip", "tea", "x"), "not a file"),
        (lambda: replace(tool, "/memories/none", "tea", "x"), "does not exist"),
        (lambda: insert(tool, NOTES, 3, "x"), r"\[0, 2\]"),
        (lambda: insert(tool, NOTES, -1, "x"), r"\[0, 2\]"),
        (lambda: delete(tool, "/memories"), "itself"),
        (lambda: delete(tool, "/memories/none"), "does not exist"),
        (lambda: rename(tool, "/memories", "/memories/x"), "itself"),
        (lambda: rename(tool, "/memories/trip", "/memories/trip/in"), "inside it"),
        (lambda: rename(tool, "/memories/none", "/memories/x"), "does not exist"),
        (lambda: rename(tool, NOTES, NOTES), "the same as"),
    ):
        with pytest.raises(ToolError, match=told):
            act()
    assert view(tool) == ["8B\t/memories", "8B\t/memories/trip/", "8B\t/memories/trip/notes.md"]
    assert view(tool, NOTES) == ["1\ttea", "2\ttea", "3"]


def test_e10_anthropic_what_claude_asks_for_in_no_form_that_there_is_is_told(memory: Memory, tool: MemoryTool) -> None:
    create(tool, NOTES, "tea\n")
    odd: list[tuple[Any, str]] = [
        (None, "command: must be one of view, create, "),
        ([1], "command: must be one of"),
        ({"path": NOTES}, "command: must be one of"),
        ({"command": ["view"], "path": NOTES}, "command: must be one of"),
        ({"command": "chmod", "path": NOTES}, "not 'chmod'"),
        ({"command": "view"}, "view: path: Field required"),
        ({"command": "view", "path": 5}, "view: path: "),
        ({"command": "view", "path": NOTES, "view_range": "12"}, "view_range"),
        ({"command": "view", "path": NOTES, "view_range": [None, 2]}, "view_range"),
        ({"command": "create", "path": "/memories/new", "file_text": None}, "create: file_text: "),
        ({"command": "str_replace", "path": NOTES, "old_str": "tea"}, "str_replace: new_str: "),
        ({"command": "insert", "path": NOTES, "insert_line": 1.5, "insert_text": "x"}, "insert: insert_line: "),
    ]
    for asked, told in odd:
        with pytest.raises(ToolError, match=told):
            tool.call(asked)
    assert view(tool, NOTES) == ["1\ttea", "2"]
    with pytest.raises(InvalidInput, match="agent"):
        MemoryTool(memory, None)  # type: ignore[arg-type]


def test_e10_anthropic_a_text_that_stands_everywhere_is_soon_told(tool: MemoryTool) -> None:
    create(tool, NOTES, "ab\n" * 500_000)
    with pytest.raises(ToolError, match=r"in lines: 1, 2, 3, .*, 20, …\. Please") as refused:
        replace(tool, NOTES, "ab", "x")
    assert len(str(refused.value)) < 300
    create(tool, "/memories/overlap", "aaa")
    with pytest.raises(ToolError, match="in lines: 1, 1"):
        replace(tool, "/memories/overlap", "aa", "x")


def test_e10_anthropic_no_path_leads_out_of_the_tree(tool: MemoryTool) -> None:
    create(tool, NOTES, "x")
    for path in (
        "/etc/passwd", "memories/a", "/memoriesx/a", "/memories/../etc/passwd", "/memories/a/../../b", "/memories/..",
        "/memories/./a", "/memories/%2e%2e/a", "/memories/%252e%252e/a", "/memories/..\\a", "/memories/..%2fa", "",
        "/memories/.. /a", "..",
    ):  # fmt: skip
        for act in (
            lambda path=path: view(tool, path),
            lambda path=path: create(tool, path, "x"),
            lambda path=path: replace(tool, path, "x", "y"),
            lambda path=path: insert(tool, path, 0, "y"),
            lambda path=path: delete(tool, path),
            lambda path=path: rename(tool, path, "/memories/y"),
            lambda path=path: rename(tool, NOTES, path),
        ):
            with pytest.raises(ToolError, match=r"must start|escape"):
                act()
    assert view(tool, NOTES) == ["1\tx"]


def test_e10_anthropic_each_agent_has_a_tree_of_its_own(memory: Memory, tool: MemoryTool) -> None:
    other = MemoryTool(memory, "cook")
    create(tool, NOTES, "the navigator's")
    create(other, NOTES, "the cook's")
    replace(tool, NOTES, "the navigator's", "the navigator's own")
    assert view(other, NOTES) == ["1\tthe cook's"]
    assert view(MemoryTool(memory.of("bo"), "navigator")) == ["0B\t/memories"]
    assert memory.notes.search() == []
    [file] = memory.documents.search(COLLECTION, agent="navigator", query="navigator")
    assert {each.actor for each in memory.audit.of_memory(file.id)} == {"agent:navigator"}
    assert [each.fields["metadata"]["value"]["text"] for each in memory.entries.history(file.id)] == [
        "the navigator's",
        "the navigator's own",
    ]
    memory.agents.delete("cook")
    assert view(MemoryTool(memory, "cook")) == ["0B\t/memories"]


def test_e10_anthropic_edits_at_the_same_time_are_all_kept(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            tool = AsyncMemoryTool(memory, "swarm")
            await tool.call({"command": "create", "path": NOTES, "file_text": ""})
            insertions = [
                tool.call({"command": "insert", "path": NOTES, "insert_line": 0, "insert_text": f"line {number}"})
                for number in range(5)
            ]
            await asyncio.gather(*insertions)
            shown = str(await tool.call({"command": "view", "path": NOTES}))
            assert all(f"line {number}" in shown for number in range(5))

    asyncio.run(scenario())
