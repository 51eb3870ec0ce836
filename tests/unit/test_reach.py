"""Every public method of a resource is reached over HTTP and from the command line, save those that are named here."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from ricordo.client import AsyncMemory

_SOURCE = Path(__file__).resolve().parents[2] / "src" / "ricordo"

#: What has no operation of its own, and why.
_NOT_OVER_HTTP = {
    "another method does the same, and has one": [
        "memory.pending",
    ],
    "a key and a folder belong to the machine": [
        "sync.init", "sync.join", "sync.leave", "sync.now", "sync.rotate", "sync.status",
    ],
    "the server does it by itself": ["jobs.finish", "memory.embed_pending", "memory.worker_for_all", "notes.sweep"],
    "a request stores one conversation, an upload many": ["memory.mine_many"],
    "an operation does it": [
        "archive.check", "archive.load", "archive.save", "audit.sound", "memory.import_chats", "memory.reembed",
    ],
    "the steps of a run have their own": ["memory.run"],
    "it is for agents in the same process, or over MCP": ["tools.call"],
    "it is the server's own life": ["memory.close", "memory.of"],
    "folders and files are those of a person's machine": ["archive.absent", "memory.watch"],
}  # fmt: skip

#: What no command does, and why.
_NOT_FROM_THE_COMMAND_LINE = {
    "servers ask it": ["memory.close", "memory.of"],
    "a command waits for it instead": [
        "operations.add_file", "operations.cancel", "operations.create_upload", "operations.examine",
        "operations.export", "operations.file", "operations.get", "operations.get_upload", "operations.import_",
        "operations.list", "operations.load",
        "operations.mine", "operations.reembed", "operations.remove_upload", "operations.survey",
    ],
    "programs do it, step by step": [
        "documents.get", "documents.paths", "documents.search", "documents.write", "journal.system_message",
        "memory.mine", "memory.mine_many", "memory.run",
        "runs.cancel", "runs.complete", "runs.fail", "runs.output", "runs.start", "tools.call",
    ],
    "another command tells the same": [
        "entries.forget",
        "agents.get", "archive.absent", "archive.check", "entries.page",
        "facts.get",
        "journal.counts", "journal.search", "notes.delete", "notes.get",
        "palace.closets", "palace.drawers", "palace.rooms", "palace.wings", "profiles.get",
    ],
    "it is done on the page": [
        "palace.conversations", "palace.imports",
        "agents.grants", "entities.merged", "notes.clear", "palace.around", "palace.histogram",
        "palace.speakers",
        "proposals.accept", "proposals.reject", "proposals.undo",
        "usage.estimate_extraction", "whiteboards.members",
    ],
    "upkeep does it by itself": ["notes.sweep"],
    "`ricordo worker` is that": ["memory.worker_for_all"],
}  # fmt: skip


def _methods() -> set[str]:
    memory = AsyncMemory(user="ada")
    resources = {
        name: each
        for name, each in vars(memory).items()
        if type(each).__module__.startswith(("ricordo.api.", "ricordo.toolkit."))
    }
    found = {f"memory.{name}" for name, _ in inspect.getmembers(AsyncMemory, inspect.isfunction) if name[0] != "_"}
    for resource, each in resources.items():
        if not resource.startswith("_"):
            names = dict(inspect.getmembers(type(each), inspect.iscoroutinefunction))
            found |= {f"{resource}.{name}" for name in names if name[0] != "_"}
    return found


def _reached(folder: str) -> set[str]:
    """Attributes of memories and of their resources that the modules of an interface name."""
    return {each for path in (_SOURCE / folder).rglob("*.py") for each in _named(ast.parse(path.read_text()))}


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            match node.value:
                case ast.Name(id="memory") | ast.Attribute(attr="memory"):
                    yield f"memory.{node.attr}"
                case ast.Attribute(attr=resource):
                    yield f"{resource}.{node.attr}"


@pytest.mark.parametrize(
    ("folder", "left_out"), [("http", _NOT_OVER_HTTP), ("cli", _NOT_FROM_THE_COMMAND_LINE)], ids=["http", "cli"]
)
def test_every_method_is_reached_or_left_out_for_a_reason(folder: str, left_out: dict[str, list[str]]) -> None:
    methods, named = _methods(), {each for names in left_out.values() for each in names}
    reached = _reached(folder)
    assert len(methods) > 100
    assert methods - reached - named == set(), "a new method needs an operation and a command, or a reason here"
    assert named - methods == set(), "these are there no more"
    if folder == "cli":
        assert named & reached == set(), "these are reached by now"
