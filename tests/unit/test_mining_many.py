"""Many conversations in one call: they end up as if each had been mined by itself, in far fewer statements."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from consistency import inconsistencies
from ricordo import formats
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, StoreError
from ricordo.models import Conversation
from ricordo.sample import chats
from ricordo.settings import Settings
from stores import connect

#: What two users must have alike, without ids and the times of storing.
_DERIVED = (
    "SELECT conversation, external_id, title, source, language FROM conversations",
    "SELECT wing, kind, name, slug, merged_into FROM wings",
    "SELECT key, wing FROM wing_keys",
    "SELECT room, wing, conversation, name, started_at, ended_at, drawers, terms FROM rooms",
    "SELECT room, closet, name, slug FROM closets",
    "SELECT room, drawer, closet, position, turn_key, text_hash, role, speaker, content, said_at FROM memories",
    "SELECT term, room, drawer, frequency, length FROM postings",
    "SELECT room, day, role, speaker, drawers FROM said_on",
    "SELECT room, drawer FROM unembedded",
    "SELECT room, drawer, slug, name, kind FROM mentions",
    "SELECT slug, name, kind, drawers FROM spellings",
    "SELECT room, drawer, subject, predicate, object, value, holds_since, holds_until, ended FROM facts",
    "SELECT name, kind FROM entities",
    "SELECT names, memories, terms, languages, last_conversation, last_wing, last_room FROM users",
)


def derived(memory: Memory, settings: Settings) -> list[list[tuple[Any, ...]]]:
    """What the tables hold of a user."""
    with connect(settings) as connection:
        assert inconsistencies(connection) == []
        mine = f"SELECT set_config('ricordo.user_id', '{memory.user_id}', false)"
        connection.execute(mine.encode())
        return [
            sorted(connection.execute(f"{query} WHERE user_id = '{memory.user_id}'".encode()).fetchall(), key=repr)
            for query in _DERIVED
        ]


def texts(memory: Memory, conversation: str) -> list[str]:
    """The texts of a conversation, which has one room."""
    pointer = memory.mine([], conversation=conversation).pointer
    return [each.text for each in memory.palace.show(pointer)] if pointer else []


def talk(id: str, *said: str, **told: Any) -> dict[str, Any]:
    return {"id": id, "messages": [{"role": "user", "content": each} for each in said], **told}


def test_mining_many_leaves_what_mining_each_does_in_a_fifth_of_the_statements(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversations = list(formats.read([chats()], lambda _: None))[:20]
    count = 0
    execute = psycopg.AsyncCursor.execute

    async def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        return await execute(self, *args, **kwargs)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", counted)
    with Memory(settings=settings, background=False) as memory:
        each, many = memory.of("reader-1"), memory.of("reader-2")
        for one in conversations:
            each.mine(one.messages, conversation=one.id, title=one.title, project=one.project, source=one.source)
        singly, count = count, 0
        receipts = many.mine_many(conversations)
        assert 5 * count < singly
        assert [(receipt.conversation, receipt.stored) for receipt in receipts] == [
            (one.id, len(one.messages)) for one in conversations
        ]
        assert all(receipt.id and receipt.pointer for receipt in receipts)
        assert derived(many, settings) == derived(each, settings)
        assert {receipt.status for receipt in many.mine_many(conversations)} == {"duplicate"}


def test_conversations_of_one_call_may_be_parts_copies_and_forks_of_each_other(memory: Memory) -> None:
    ids = [str(uuid4()) for _ in range(3)]
    said = [{"role": "user", "content": f"turn {number}", "id": id} for number, id in enumerate(ids)]

    async def coming() -> AsyncIterator[dict[str, Any]]:
        yield talk("pump", "Which pump?", "The blue one.")
        yield talk("valve", "Which valve?", title="Valves")
        yield talk("pump", "The blue one.", "It leaks.")

    receipts = memory.mine_many(coming())
    assert [(each.stored, each.duplicates) for each in receipts] == [(2, 0), (1, 0), (1, 1)]
    assert texts(memory, "pump") == ["Which pump?", "The blue one.", "It leaks."]
    many = memory.mine_many([{"id": "first", "messages": said}, {"id": "edited", "messages": [*said, said[0]]}])
    assert [each.stored for each in many] == [3, 3]  # a window takes ids for its own conversation's
    changed = [{**said[0], "content": "turn 0, as it is now"}, *said[1:]]
    many = memory.mine_many([{"id": "first", "messages": changed}, talk("new", "Hello.")])
    assert [(each.status, each.edited, each.stored) for each in many] == [("stored", 1, 0), ("stored", 0, 1)]
    assert texts(memory, "first")[0] == "turn 0, as it is now"


def test_a_forked_file_beside_the_one_that_it_is_a_copy_of_adds_only_what_is_new(
    memory: Memory, tmp_path: Path
) -> None:
    ids = [str(uuid4()) for _ in range(3)]
    for name, count in (("a", 2), ("b", 3)):
        turns = [{"role": "user", "content": f"turn {at}", "id": id} for at, id in enumerate(ids[:count])]
        (tmp_path / f"{name}.json").write_text(json.dumps({"id": name, "messages": turns}))
    assert memory.import_chats([tmp_path]).stored == 3
    (tmp_path / "c.md").write_text("User: Which pump?\n\nAssistant: The blue one.\n")
    (tmp_path / "d.md").write_text("User: Which pump?\n\nAssistant: The blue one.\n\nUser: Thanks.\n")
    assert memory.import_chats([tmp_path]).stored == 3  # a copy that has grown is the same talk


def test_wings_that_become_one_take_along_rooms_of_the_same_call(memory: Memory) -> None:
    people = [{"role": "user", "name": name, "content": f"Hello, {name} here."} for name in ("Mara", "Ben")]
    answered = [{"role": "user", "name": "Mara", "content": "I am Mara."}, {"role": "assistant", "content": "Hi."}]
    memory.mine_many([{"id": "two", "messages": people}, {"id": "me", "messages": answered}])
    found = {wing.name: [room.drawers for room in wing.rooms] for wing in memory.palace.tree()}
    assert found["Ben"] == [2]


def test_a_conversation_goes_on_in_the_wing_that_its_own_became(memory: Memory) -> None:
    def talk_of(*people: str, day: int = 1) -> list[dict[str, Any]]:
        at = f"2026-03-0{day}T10:00Z"
        return [{"role": "user", "name": name, "content": f"{name}, {day}", "at": at} for name in people]

    answered = [*talk_of("Mara"), {"role": "assistant", "content": "Hi."}]
    memory.mine(talk_of("ada", "Ben"), conversation="ours")
    memory.mine(talk_of("Mara", "Ben"), conversation="two")
    memory.mine_many([{"id": "me", "messages": answered}, {"id": "two", "messages": talk_of("Ben", day=9)}])
    found = {wing.name: [room.drawers for room in wing.rooms] for wing in memory.palace.tree()}
    assert sorted(found["Ben"]) == [1, 2, 2]


def test_what_cannot_be_stored_does_not_undo_what_came_before_it(memory: Memory, settings: Settings) -> None:
    with connect(settings) as connection:
        connection.execute("ALTER TABLE memories ADD CONSTRAINT no_poison CHECK (content <> 'poison')")
    conversations = [talk("a", "one", "two"), talk("b", "three", "poison"), talk("c", "four")]
    with pytest.raises(StoreError):
        memory.mine_many(conversations)
    assert [texts(memory, each) for each in "abc"] == [["one", "two"], [], []]
    with connect(settings) as connection:
        connection.execute("ALTER TABLE memories DROP CONSTRAINT no_poison")
    assert [each.stored for each in memory.mine_many(conversations)] == [0, 2, 1]
    assert [texts(memory, each) for each in "abc"] == [["one", "two"], ["three", "poison"], ["four"]]


def test_many_conversations_are_checked_like_one(memory: Memory) -> None:
    for wrong in ({"id": "a", "messages": []}, "text", [{"messages": []}], [{**talk("a", "one"), "user": "ada"}], [3]):
        with pytest.raises(InvalidInput, match="conversations"):
            memory.mine_many(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="conversation: must not be blank"):
        memory.mine_many([talk(" ", "one")])
    odd = Conversation(id="odd", messages=(), source="api")
    [none, some] = memory.mine_many([odd, talk("b", "", "said")])
    assert (none.status, none.reason) == ("rejected", "no messages: pass at least one")
    assert (some.stored, [each.index for each in some.rejected]) == (1, [0])
    memory.settings.update(auto_mine=False)
    [refused] = memory.mine_many([talk("c", "one")], automatic=True)
    assert (refused.status, refused.conversation) == ("rejected", "c")
    assert memory.mine_many([]) == []


@pytest.mark.parametrize("id", ["half \ud800", "a\0b"])
def test_a_conversation_whose_id_is_mended_gets_its_receipt(memory: Memory, id: str) -> None:
    """The turns are stored under the id as it can be stored, and so the receipt has to tell."""
    mended = id.replace("\ud800", "\ufffd").replace("\0", "\ufffd")
    for messages, status in ([], "rejected"), (["one"], "stored"), (["one"], "duplicate"), ([""], "rejected"):
        given = [{"role": "user", "content": text} for text in messages]
        for receipt in (memory.mine(given, conversation=id), *memory.mine_many([{"id": f"{id}2", "messages": given}])):
            assert receipt.status == status
            assert receipt.conversation.startswith(mended)
            assert (receipt.pointer is None) == (receipt.id is None) == (status == "rejected" and not messages)
