"""Devices of one synced memory, each with a store of its own, and what their stores hold in a form that compares."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from http_server import Server
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import settings_for


class Devices:
    """Open memories of one user, joined through a folder. The first one holds the key."""

    def __init__(
        self, home: Path, folder: Path, names: list[str], user: str = "ada", server: Server | None = None
    ) -> None:
        """With a server, the folder is the one that it holds for the user."""
        self.folder = held_by(server, user) if server else folder
        self.address: Path | str = server.url if server else folder
        self.server_key = server.token if server else None
        self._stack = ExitStack()
        self.settings: dict[str, Settings] = {}
        self.memories: dict[str, Memory] = {}
        self.words = ""
        for name in names:
            self.add(home, name, user)

    def add(self, home: Path, name: str, user: str = "ada", **scope: Any) -> Memory:
        """One more device, on an empty store."""
        settings = replace(settings_for(home), user=user)
        memory = self._stack.enter_context(Memory(settings=settings, background=False))
        self.settings[name], self.memories[name] = settings, memory
        if not self.words:
            self.words = memory.sync.init(self.address, name=name, server_key=self.server_key, **scope).words
        else:
            self.join(memory, name=name, **scope)
        return memory

    def join(self, memory: Memory, words: str | None = None, **scope: Any) -> None:
        memory.sync.join(self.address, words or self.words, server_key=self.server_key, **scope)

    def __getitem__(self, name: str) -> Memory:
        return self.memories[name]

    def sync(self, rounds: int = 2) -> None:
        """Let every device sync until none has anything more to tell."""
        for _ in range(rounds * 3):
            reports = [memory.sync.now() for memory in self.memories.values()]
            assert not any(each.problems for each in reports), reports
            if not any(each.sent or each.turns or each.memories or each.decisions or each.removed for each in reports):
                return
        raise AssertionError(f"they do not come to rest: {reports}")

    def close(self) -> None:
        self._stack.close()


def held_by(server: Server, user: str) -> Path:
    """The folder on a server's disk in which it holds a user's synced memory."""
    settings = server.settings
    return settings.synced_folders / f"{settings.database}.{settings.schema}.{user_id_of(user)}"


@contextmanager
def devices(home: Path, folder: Path, names: list[str], server: Server | None = None) -> Iterator[Devices]:
    made = Devices(home, folder, names, server=server)
    try:
        yield made
    finally:
        made.close()


def exported(memory: Memory) -> dict[str, Any]:
    """What an export holds, by what identifies it on all devices: without numbers and ids that each store gives, times
    at which something came here, and the access log."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "archive.zip"
        memory.archive.save(file)
        return comparable(file)


def comparable(file: Path) -> dict[str, Any]:
    """What an export's file holds, in the same form."""
    with zipfile.ZipFile(file) as archive:
        rows = {
            name.removesuffix(".jsonl"): [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
            if name.endswith(".jsonl")
        }
    return _canonical(rows)


def _canonical(rows: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    conversations = {each["conversation"]: _forgotten_id(each["external_id"]) for each in rows["conversations"]}
    assert len(conversations) == len(set(conversations.values()))
    agents = {each["id"]: each["name"] for each in rows["agents"]}
    profiles = {each["id"]: (agents[each["agent_id"]], each["name"]) for each in rows["profiles"]}
    boards = {each["id"]: each["name"] for each in rows["whiteboards"]}
    roots = {each["wing"]: each["merged_into"] or each["wing"] for each in rows["wings"]}
    names = {each["wing"]: each["name"] for each in rows["wings"]}
    rooms = {each["room"]: each for each in rows["rooms"]}
    versions: defaultdict[str, list[list[Any]]] = defaultdict(list)
    for each in rows["memory_history"]:
        versions[each["memory_id"]].append([each[name] for name in ("version", "content", "valid_from", "valid_to")])
    drawers = {each["id"] for each in rows["memories"] if each["kind"] == "drawer"}
    told = ("turn_key", "role", "content", "said_at", "is_redacted", "has_id", "has_time")
    turns = [
        {
            "conversation": conversations[each["conversation"]],
            # These go with the last text of a room, which came to be empty on one device and perhaps not on others.
            "wing": None if each["is_redacted"] else names[roots[rooms[each["room"]]["wing"]]],
            "speaker": None if each["is_redacted"] else each["speaker"],
            "versions": sorted(versions[each["id"]]),
            "created_at": None if each["is_redacted"] else each["created_at"],
            **{name: each[name] for name in told},
        }
        for each in rows["memories"]
        if each["kind"] == "drawer"
    ]
    local = ("room", "drawer", "closet", "conversation", "position", "turn_key", "run_id")
    others = [
        {
            **{name: value for name, value in each.items() if name not in local},
            "agent_id": agents.get(each["agent_id"]),
            "profile_id": profiles.get(each["profile_id"]),
            "whiteboard_id": boards.get(each["whiteboard_id"]),
            "tags": each["tags"] or None,
            "metadata": each["metadata"] or None,
        }
        for each in rows["memories"]
        if each["kind"] != "drawer"
    ]
    places = {
        each["id"]: f"{each['agent_id']}: {each['project_id']} {each['metadata']['path']} {each['metadata']['key']}"
        for each in others
        if each["kind"] == "document" and each["metadata"] is not None
    }
    for each in others:
        each["id"] = places.get(each["id"], each["id"])  # a document's id follows from its agent's, which is local
        if each["is_redacted"]:
            each["updated_at"] = None  # when it was redacted here
    return {
        "turns": _sorted(turns),
        "memories": _sorted(others),
        "history": _sorted(
            [
                {**each, "memory_id": places.get(each["memory_id"], each["memory_id"])}
                for each in rows["memory_history"]
                if each["memory_id"] not in drawers
            ]
        ),
        "agents": _sorted([{**each, "id": None, "created_at": None} for each in rows["agents"]]),
        "profiles": _sorted(
            [
                {**each, "id": None, "created_at": None, "agent_id": agents[each["agent_id"]], "seed_entries": None}
                for each in rows["profiles"]
            ]
        ),
        "whiteboards": _sorted(
            [
                {"name": each["name"], "agents": sorted(agents.get(agent, "") for agent in each["agents"])}
                for each in rows["whiteboards"]
            ]
        ),
        "held_writes": _sorted(
            [{**each, "created_at": None, "agent_id": None, "fields": None} for each in rows["held_writes"]]
        ),
        "proposals": _sorted([{**each, "agent_id": agents[each["agent_id"]]} for each in rows["proposals"]]),
    }


def _forgotten_id(conversation: str) -> str:
    """A conversation's id as the store keeps it once the conversation is forgotten: devices where it got further turns
    meanwhile still have the id itself."""
    if conversation.startswith("forgotten:"):
        return conversation
    return f"forgotten:{hashlib.sha256(conversation.encode()).hexdigest()}"


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
