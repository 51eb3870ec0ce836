"""Reading chat files in tests: everything that comes out, and the exports that go in."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ricordo.formats import read
from ricordo.models import Conversation, Problem


class Found(NamedTuple):
    """What reading brought."""

    conversations: list[Conversation]
    problems: list[Problem]

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The speaker (the name, else the role) and the text of every turn."""
        return [(turn.name or turn.role, turn.content) for each in self.conversations for turn in each.messages]

    @property
    def told(self) -> list[tuple[int | None, bool, str]]:
        """Line, loss and text of every problem."""
        return [(problem.line, problem.lost, problem.what) for problem in self.problems]


def read_all(*paths: Path) -> Found:
    """Everything that `paths` hold."""
    problems: list[Problem] = []
    return Found(list(read(paths, problems.append)), problems)


def write_json(path: Path, value: Any) -> Path:
    """Writes a JSON file; lone surrogates stay escapes."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, *values: Any) -> Path:
    """Writes JSON Lines; a text is written as it is."""
    lines = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def write_zip(path: Path, members: Mapping[str, bytes | str]) -> Path:
    """Writes a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def neutral(*texts: str, id: str = "talk", **fields: Any) -> dict[str, Any]:
    """A conversation in the neutral JSON, spoken in turn by user and assistant."""
    roles = ("user", "assistant")
    messages = [{"role": roles[number % 2], "content": text} for number, text in enumerate(texts)]
    return {"id": id, "messages": messages, **fields}


def chatgpt(*messages: dict[str, Any], id: str = "gpt-1", **fields: Any) -> dict[str, Any]:
    """A ChatGPT conversation whose messages follow one another; each is what `gpt_message` makes."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for message in messages:
        key = f"node-{message['id']}"
        mapping[parent]["children"].append(key)
        mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        parent = key
    return {"conversation_id": id, "title": "A talk", "mapping": mapping, "current_node": parent, **fields}


def gpt_message(id: str, role: str, text: str, **fields: Any) -> dict[str, Any]:
    """A message of a ChatGPT conversation."""
    return {
        "id": id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1741111320.5,
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
        "weight": 1.0,
        "metadata": {},
        **fields,
    }


def claude(*messages: dict[str, Any], id: str = "claude-1", **fields: Any) -> dict[str, Any]:
    """A Claude.ai conversation; each message is what `claude_message` makes."""
    return {"uuid": id, "name": "A talk", "chat_messages": list(messages), **fields}


def claude_message(id: str, sender: str, *texts: str, **fields: Any) -> dict[str, Any]:
    """A message of a Claude.ai conversation."""
    return {
        "uuid": id,
        "sender": sender,
        "text": " ".join(texts),
        "content": [{"type": "text", "text": text} for text in texts],
        "created_at": "2025-03-04T18:02:00.123456Z",
        **fields,
    }


def session_line(kind: str, id: str, content: Any, **fields: Any) -> dict[str, Any]:
    """A line of a Claude Code session."""
    return {
        "type": kind,
        "uuid": id,
        "sessionId": "session-1",
        "cwd": "/home/ada/garden",
        "isSidechain": False,
        "timestamp": "2025-03-04T18:02:00.000Z",
        "message": {"role": kind, "content": content},
        **fields,
    }
