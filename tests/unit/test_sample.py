"""The bundled sample holds together: files parse, times ascend, and each question has exactly one home.

It reads the files on its own, by the formats' plain rules, so that a fault of an importer cannot hide one of
the sample.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(str(files("ricordo"))) / "sample"
KINDS = {
    "single",
    "time",
    "update",
    "paraphrase",
    "preference",
    "assistant-said",
    "names",
    "other-language",
    "multi",
}
MARKDOWN_TURN = re.compile(r"^\*\*(\w+)\*\* \((\d{4}-\d\d-\d\d \d\d:\d\d)\): ", re.MULTILINE)
TEXT_TURN = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d)\] (\w+): ", re.MULTILINE)


@dataclass(frozen=True)
class Turn:
    at: datetime
    speaker: str
    text: str


@dataclass(frozen=True)
class Chat:
    id: str
    title: str
    format: str
    turns: tuple[Turn, ...]


def neutral(path: Path) -> Iterator[Chat]:
    chat = json.loads(path.read_text("utf-8"))
    assert set(chat) == {"id", "title", "messages"}
    assert chat["id"] == path.stem
    for message in chat["messages"]:
        assert set(message) == {"role", "name", "content", "at"}
        assert message["role"] in {"user", "assistant"}
    turns = tuple(Turn(datetime.fromisoformat(m["at"]), m["name"] or m["role"], m["content"]) for m in chat["messages"])
    yield Chat(chat["id"], chat["title"], "json", turns)


def chatgpt(path: Path) -> Iterator[Chat]:
    """Each conversation from its current node up to the root: an edited-away branch is no part of it."""
    for chat in json.loads(path.read_text("utf-8")):
        mapping = chat["mapping"]
        for key, node in mapping.items():
            assert node["id"] == key
            assert all(mapping[child]["parent"] == key for child in node["children"])
        node, turns = mapping[chat["current_node"]], []
        while node["parent"] is not None:
            assert node["id"] in mapping[node["parent"]]["children"]
            said = node["message"]
            if said["author"]["role"] != "system":
                at = datetime.fromtimestamp(said["create_time"], UTC)
                turns.append(Turn(at, said["author"]["role"], "".join(said["content"]["parts"])))
            node = mapping[node["parent"]]
        assert chat["id"] == chat["conversation_id"]
        yield Chat(chat["id"], chat["title"], "chatgpt", tuple(reversed(turns)))


def claude_code(path: Path) -> Iterator[Chat]:
    summary, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert summary["type"] == "summary"
    assert summary["leafUuid"] == lines[-1]["uuid"]
    assert lines[0]["parentUuid"] is None
    assert all(after["parentUuid"] == before["uuid"] for before, after in pairwise(lines))
    assert len({line["sessionId"] for line in lines}) == 1
    turns = []
    for line in lines:
        content = line["message"]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        if text:
            turns.append(Turn(datetime.fromisoformat(line["timestamp"]), line["type"], text))
    yield Chat(lines[0]["sessionId"], summary["summary"], "claude_code", tuple(turns))


def markdown(path: Path) -> Iterator[Chat]:
    first, rest = path.read_text("utf-8").split("\n", 1)
    assert first.startswith("# ")
    lead, *parts = MARKDOWN_TURN.split(rest)
    assert not lead.strip()
    turns = zip(parts[1::3], parts[0::3], parts[2::3], strict=True)
    yield Chat(path.stem, first[2:], "markdown", tuple(wall_clock(*turn) for turn in turns))


def plain_text(path: Path) -> Iterator[Chat]:
    lead, *parts = TEXT_TURN.split(path.read_text("utf-8"))
    assert not lead
    turns = zip(parts[0::3], parts[1::3], parts[2::3], strict=True)
    yield Chat(path.stem, path.stem, "text", tuple(wall_clock(*turn) for turn in turns))


def wall_clock(at: str, speaker: str, text: str) -> Turn:
    return Turn(datetime.strptime(at, "%Y-%m-%d %H:%M").replace(tzinfo=UTC), speaker, text.strip())


@cache
def chats() -> tuple[Chat, ...]:
    readers = {".json": neutral, ".jsonl": claude_code, ".md": markdown, ".txt": plain_text}
    return tuple(
        chat
        for path in sorted((SAMPLE / "chats").iterdir())
        for chat in (chatgpt if path.name == "conversations.json" else readers[path.suffix])(path)
    )


def questions() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((SAMPLE / "questions.json").read_text("utf-8"))
    return read


def test_the_chats_have_the_size_and_the_formats_that_the_readme_tells() -> None:
    formats = Counter(chat.format for chat in chats())
    assert formats == {"json": 30, "chatgpt": 4, "claude_code": 1, "markdown": 6, "text": 3}
    assert 450 <= sum(len(chat.turns) for chat in chats()) <= 650


def test_ids_and_titles_of_chats_are_unique() -> None:
    for values in (Counter(chat.id for chat in chats()), Counter(chat.title for chat in chats())):
        assert not [value for value, times in values.items() if times > 1]


@pytest.mark.parametrize("chat", chats(), ids=lambda chat: chat.id)
def test_a_chat_is_of_natural_length_and_its_times_ascend(chat: Chat) -> None:
    assert 6 <= len(chat.turns) <= 30
    assert len({turn.speaker for turn in chat.turns}) >= 2
    assert all(turn.text.strip() and turn.at.tzinfo for turn in chat.turns)
    assert all(before.at < after.at for before, after in pairwise(chat.turns))
    first, last = datetime(2025, 9, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)
    assert first <= chat.turns[0].at < chat.turns[-1].at < last


def test_one_chat_has_an_abandoned_branch_that_is_not_part_of_it() -> None:
    raw = json.loads((SAMPLE / "chats" / "conversations.json").read_text("utf-8"))
    forks = [c["id"] for c in raw if any(len(node["children"]) > 1 for node in c["mapping"].values())]
    assert len(forks) == 1
    (chat,) = (chat for chat in chats() if chat.id == forks[0])
    assert not any("11:05" in turn.text for turn in chat.turns)
    assert "11:05" in json.dumps(raw)


def test_the_questions_are_many_of_every_kind_and_five_lead_the_demo() -> None:
    asked = questions()
    assert len(asked) >= 40
    assert len({each["question"] for each in asked}) == len(asked)
    assert {each["kind"] for each in asked} == KINDS
    assert [each.get("demo", False) for each in asked] == [True] * 5 + [False] * (len(asked) - 5)


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked["question"])
def test_a_question_is_answered_by_its_conversation_and_by_no_other(asked: dict[str, Any]) -> None:
    assert set(asked) - {"demo"} == {"question", "now", "expect", "conversation", "kind"}
    assert asked["expect"] and all(asked["expect"])
    homes = {chat.id for chat in chats() if any(all(e in t.text for e in asked["expect"]) for t in chat.turns)}
    (chat,) = (chat for chat in chats() if chat.id == asked["conversation"])
    if asked["kind"] == "multi":
        assert len(asked["expect"]) > 1
        assert all(any(e in turn.text for turn in chat.turns) for e in asked["expect"])
        assert not homes, "one turn holds it all: the kind is not multi"
    else:
        assert homes == {chat.id}
    assert chat.turns[0].at < datetime.fromisoformat(asked["now"])
