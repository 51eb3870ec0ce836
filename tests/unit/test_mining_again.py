"""Conversations that come again, one exchange at a time, whole, or edited: what the palace holds then."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from consistency import inconsistencies
from forking import run
from miners import environment
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.settings import Settings
from stores import connect

Told = dict[str, Any]


def held(memory: Memory, conversation: str) -> list[str]:
    """The texts of a conversation of one room in the palace, in order."""
    room = memory.mine([], conversation=conversation).pointer
    assert room is not None
    return [each.text for each in memory.palace.show(room)]


def sound(settings: Settings) -> bool:
    """Whether the tables of the store fit together."""
    with connect(settings) as connection:
        assert inconsistencies(connection) == []
    return True


@st.composite
def histories(draw: st.DrawFn) -> list[Told]:
    """Turns with repetitions, as a caller has them."""
    timed, with_ids, minute = draw(st.booleans()), draw(st.booleans()), 0
    turns: list[Told] = []
    for number in range(draw(st.integers(2, 10))):
        minute += draw(st.integers(0, 1))
        text = draw(st.sampled_from(["yes", "ok", "which pump?"]))
        turn: Told = {"role": ("user", "assistant")[number % 2], "content": text}
        if timed:
            turn["at"] = f"2026-03-01T12:{minute:02}:00Z"
        if with_ids:
            turn["id"] = f"m{number}"
        turns.append(turn)
    return turns


@pytest.mark.slow
def test_the_palace_holds_exactly_the_history_however_it_was_mined(memory: Memory) -> None:
    count = 0

    @given(histories(), st.sampled_from(["append", "append with keys", "growing", "whole", "bare again"]))
    @profile(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    def mined(history: list[Told], way: str) -> None:
        nonlocal count
        count += 1
        conversation = f"c{count}"
        exchanges = [history[start : start + 2] for start in range(0, len(history), 2)]
        if way.startswith("append"):
            for number, each in enumerate(exchanges):
                key = f"k{number}" if "keys" in way else None
                for _ in range(2 if key else 1):
                    memory.mine(each, conversation=conversation, append=True, key=key)
        elif way == "growing":
            for end in range(1, len(history) + 1):
                memory.mine(history[:end], conversation=conversation)
        else:
            memory.mine(history, conversation=conversation)
        if way == "bare again":
            bare = [{"role": each["role"], "content": each["content"]} for each in history]
            assert memory.mine(bare, conversation=conversation).stored == 0
        assert held(memory, conversation) == [each["content"] for each in history]

    mined()


@pytest.mark.slow
def test_one_exchange_at_a_time_nothing_is_lost_over_the_command_line(settings: Settings, tmp_path: Path) -> None:
    def mine(number: int, *options: str) -> dict[str, Any]:
        talk = [{"role": "user", "content": "yes"}, {"role": "assistant", "content": "noted"}]
        file = tmp_path / "latest.json"
        file.write_text(json.dumps({"id": "c", "messages": talk}))
        command = [sys.executable, "-m", "ricordo", "mine", str(file), "--json", "--no-vectors", *options]
        done = run(command, env=environment(settings), text=True)
        assert done.returncode == 0, done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    told = [mine(number, "--append", "--key", f"k{number}") for number in (1, 2, 2)]
    assert [each["stored"] for each in told] == [2, 2, 0]
    with Memory(settings=settings, background=False) as memory:
        assert held(memory, "c") == ["yes", "noted", "yes", "noted"]


def test_a_key_without_append_and_a_key_for_other_messages_are_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="key: is an idempotency key for append=True"):
        memory.mine([{"content": "a"}], conversation="c", key="1")
    memory.mine([{"content": "a"}], conversation="c", append=True, key="1")
    with pytest.raises(InvalidInput, match="was used with other messages"):
        memory.mine([{"content": "b"}], conversation="c", append=True, key="1")


def test_an_edited_turn_is_found_by_what_it_says_now(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        first = [
            {"content": "Book the ferry for Tuesday.", "id": "m1", "at": "2026-03-01T10:00:00Z"},
            {"role": "assistant", "content": "Booking the", "id": "m2", "at": "2026-03-01T10:00:05Z"},
            {"content": "Thanks, Marlene will be glad.", "id": "m3", "at": "2026-03-01T10:01:00Z"},
        ]
        memory.mine(first, conversation="c")
        memory.embed_pending()
        edited = [{**each} for each in first]
        edited[0]["content"] = "Book the ferry for Thursday, not Tuesday. Marlene lives in Genoa."
        edited[1]["content"] = "Booking the ferry for Thursday, 14:00, confirmation QX7."
        receipt = memory.mine(edited, conversation="c")
        assert (receipt.status, receipt.stored, receipt.edited, receipt.duplicates) == ("stored", 0, 2, 1)
        assert edited[1]["content"] in [each.text for each in memory.recall("confirmation QX7").results]
        memory.embed_pending()
        [hit] = [each for each in memory.recall("confirmation QX7").results if "QX7" in each.text]
        assert [each.content for each in memory.entries.history(hit.id)] == ["Booking the", edited[1]["content"]]
        assert "Genoa" in str(memory.entities.relations("Marlene"))
        assert sound(with_vectors)
        for text in (first, edited):  # the older text is an older version, and the newer one is stored
            again = memory.mine(text, conversation="c")
            assert (again.status, again.edited, again.duplicates) == ("duplicate", 0, 3)
        assert held(memory, "c") == [each["content"] for each in edited]
        memory.entries.forget(hit.id)
        assert memory.mine(edited, conversation="c").duplicates == 3
        assert "QX7" not in str(held(memory, "c"))
        assert sound(with_vectors)


def slack(text: str) -> dict[str, str]:
    """The files of a Slack export with one message of this text."""
    message = {"type": "message", "user": "U1", "text": text, "ts": "1760000500.000600"}
    other = {"type": "message", "user": "U1", "text": "Bring the rope.", "ts": "1760000600.000600"}
    return {
        "users.json": json.dumps([{"id": "U1", "name": "ada", "real_name": "Ada Berg"}]),
        "channels.json": json.dumps([{"id": "C1", "name": "general"}]),
        "general/2025-10-09.json": json.dumps([message, other]),
    }


def telegram(text: str) -> dict[str, str]:
    """Telegram Desktop's export of a chat with one message of this text."""
    message = {"id": 1, "type": "message", "date_unixtime": "1760000500", "from": "Ada", "text": text}
    other = {"id": 2, "type": "message", "date_unixtime": "1760000600", "from": "Ben", "text": "Bring the rope."}
    chat = {"name": "Ben", "type": "personal_chat", "id": 7, "messages": [message, other]}
    return {"result.json": json.dumps(chat)}


def whatsapp(text: str) -> dict[str, str]:
    """WhatsApp's export of a chat with one message of this text."""
    mark = "" if "Tuesday" in text else " <This message was edited>"
    lines = [
        f"12/31/21, 22:01 - Ada: {text}{mark}",
        "12/31/21, 22:01 - Ben: Bring the rope.",
        "12/31/21, 22:02 - Ada: ok",
    ]
    return {"WhatsApp Chat with Ben.txt": "\n".join(lines)}


def claude_ai(text: str) -> dict[str, str]:
    """A Claude.ai export with one message of this text."""
    messages = [
        {"uuid": "a1", "sender": "human", "text": text, "created_at": "2026-03-01T10:00:00Z"},
        {"uuid": "a2", "sender": "assistant", "text": "Bring the rope.", "created_at": "2026-03-01T10:01:00Z"},
    ]
    return {"conversations.json": json.dumps([{"uuid": "c", "name": "Ferry", "chat_messages": messages}])}


@pytest.mark.parametrize("export", [slack, telegram, whatsapp, claude_ai])
def test_a_message_that_was_edited_comes_in_with_the_next_export(memory: Memory, tmp_path: Path, export: Any) -> None:
    folders = []
    for name, text in (("first", "The ferry goes on Tuesday."), ("second", "The ferry goes on Thursday, not Tuesday.")):
        folders.append(tmp_path / name)
        for file, content in export(text).items():
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_text(content)
    first = memory.import_chats([folders[0]])
    assert memory.import_chats([folders[1]]).edited == 1
    [hit] = [each for each in memory.recall("When does the ferry go?").results if "ferry" in each.text]
    assert hit.text == "The ferry goes on Thursday, not Tuesday."
    again = memory.import_chats(folders)
    assert (again.stored, again.edited, again.duplicates) == (0, 0, 2 * first.stored)


@pytest.mark.parametrize("export", [slack, telegram, whatsapp, claude_ai])
def test_a_conversation_that_was_forgotten_stays_so_when_its_file_comes_again(
    memory: Memory, tmp_path: Path, export: Any
) -> None:
    for file, content in export("The ferry goes on Tuesday.").items():
        (tmp_path / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / file).write_text(content)
    count = memory.import_chats([tmp_path / "in"]).stored
    [room] = memory.palace.rooms(memory.palace.wings().items[0].pointer).items
    for each in memory.palace.show(room.pointer):
        memory.entries.forget(each.id)
    for file, content in export("The ferry goes on Thursday.").items():  # and it grew: the edit comes as well
        (tmp_path / "in" / file).write_text(content)
    imported = memory.import_chats([tmp_path / "in"])
    assert (imported.stored, imported.edited, imported.duplicates, imported.forgotten) == (0, 0, 0, count)
    [note] = [each for each in imported.problems if "forgotten" in each.what]
    assert note.what.startswith(f"{count} turns stayed forgotten")
    assert not note.lost
    assert "ferry" not in str(memory.recall("ferry").results)
    again = memory.import_chats([tmp_path / "in"], again=True)
    assert (again.stored, again.forgotten) == (count, 0)
    assert "Thursday" in str(memory.recall("ferry").results)
    for last in (memory.import_chats([tmp_path / "in"]), memory.import_chats([tmp_path / "in"], again=True)):
        assert (last.stored, last.duplicates, last.forgotten) == (0, count, 0)


def test_of_a_conversation_that_goes_on_only_the_forgotten_turns_stay_out(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("Ada: The code is 4711.\nBen: Noted.\nAda: Good.\n")
    memory.import_chats([file])
    [hit] = [each for each in memory.recall("code 4711").results if "4711" in each.text]
    memory.entries.forget(hit.id)
    file.write_text("Ada: The code is 4711.\nBen: Noted.\nAda: Good.\nBen: Until tomorrow.\n")
    imported = memory.import_chats([file])
    assert (imported.stored, imported.duplicates, imported.forgotten) == (1, 2, 1)
    assert not any("4711" in each.text for each in memory.recall("code 4711").results)
