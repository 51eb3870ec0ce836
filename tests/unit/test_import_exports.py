"""ChatGPT and Claude.ai exports, as lists, lone conversations and zips, whole and broken."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat_files import chatgpt, claude, claude_message, gpt_message, read_all, write_json, write_zip

# --- ChatGPT


def test_a_chatgpt_export_keeps_ids_titles_and_times(tmp_path: Path) -> None:
    talk = chatgpt(gpt_message("m1", "user", "hello"), gpt_message("m2", "assistant", "hi, Ada"))
    found = read_all(write_json(tmp_path / "conversations.json", [talk]))
    [conversation] = found.conversations
    assert (conversation.id, conversation.title, conversation.source) == ("gpt-1", "A talk", "chatgpt")
    assert [(turn.id, turn.role, turn.content) for turn in conversation.messages] == [
        ("m1", "user", "hello"),
        ("m2", "assistant", "hi, Ada"),
    ]
    assert conversation.messages[0].at == datetime(2025, 3, 4, 18, 2, 0, 500000, tzinfo=UTC)
    assert found.problems == []


def test_only_the_current_branch_of_a_chatgpt_conversation_is_read(tmp_path: Path) -> None:
    talk = chatgpt(gpt_message("m1", "user", "hello"), gpt_message("m2", "assistant", "old answer"))
    talk["mapping"]["new"] = {
        "id": "new",
        "parent": "node-m1",
        "children": [],
        "message": gpt_message("m3", "assistant", "new answer", create_time=1741111400),
    }
    talk["current_node"] = "new"
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    assert found.turns == [("user", "hello"), ("assistant", "new answer")]
    assert found.problems == []


def test_without_a_current_node_the_newest_branch_is_read(tmp_path: Path) -> None:
    talk = chatgpt(gpt_message("m1", "user", "hello"), gpt_message("m2", "assistant", "new answer", create_time=2e9))
    talk["mapping"]["old"] = {
        "id": "old",
        "parent": "node-m1",
        "children": [],
        "message": gpt_message("m3", "assistant", "old answer"),
    }
    for current in ({}, {"current_node": "gone"}, {"current_node": 7}):
        talk.pop("current_node", None)
        found = read_all(write_json(tmp_path / "a.json", [talk | current]))
        assert found.turns == [("user", "hello"), ("assistant", "new answer")]
        assert (1, False, "a conversation's current_node is missing; read its newest branch") in found.told


def test_a_broken_tree_keeps_what_can_be_reached(tmp_path: Path) -> None:
    dangling = chatgpt(gpt_message("m1", "user", "lost"), gpt_message("m2", "assistant", "kept"), id="dangling")
    dangling["mapping"]["node-m2"]["parent"] = "gone"
    circle = chatgpt(gpt_message("m1", "user", "one"), gpt_message("m2", "assistant", "two"), id="circle")
    circle["mapping"]["root"]["parent"] = "node-m2"
    found = read_all(write_json(tmp_path / "a.json", [dangling, circle]))
    assert found.turns == [("assistant", "kept"), ("user", "one"), ("assistant", "two")]
    what = "a conversation's tree is broken; skipped the turns before the break"
    assert found.told == [(1, True, what), (2, True, what)]


def test_what_chatgpt_did_not_say_is_no_turn(tmp_path: Path) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    talk = chatgpt(
        gpt_message("1", "system", "You are a helpful assistant."),
        gpt_message("2", "user", "", content={"content_type": "user_editable_context", "user_profile": "I am Ada"}),
        gpt_message("3", "user", "look it up"),
        gpt_message("4", "assistant", '{"query": "it"}', recipient="browser"),
        gpt_message("5", "tool", "hidden result", metadata=hidden),
        gpt_message("6", "assistant", "", content={"content_type": "thoughts", "thoughts": []}),
        gpt_message("7", "assistant", "", content={"content_type": "reasoning_recap", "content": "Thought for 2 s"}),
        gpt_message("8", "assistant", "weightless", weight=0.0),
        gpt_message("9", "assistant", "   "),
        gpt_message("10", "assistant", "here it is"),
    )
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    assert found.turns == [("user", "look it up"), ("assistant", "here it is")]
    assert found.problems == []


def test_marks_in_an_answer_of_chatgpt_are_what_it_shows(tmp_path: Path) -> None:
    cite, begin, between, end = "\ue200cite\ue202turn0search0\ue202turn1news3\ue201", "\ue200", "\ue202", "\ue201"
    entity = f'{begin}entity{between}["place","Texel","island"]{end}'
    url = f"{begin}url{between}the map{between}turn0search2{end}"
    said = f"A mill stands on {entity} {cite}, see {url}. It turns【6:1†source】 {begin}entity{between}broken{end}."
    found = read_all(write_json(tmp_path / "a.json", [chatgpt(gpt_message("1", "assistant", said))]))
    assert found.turns == [("assistant", "A mill stands on Texel, see the map. It turns broken.")]


def test_a_visible_result_of_a_tool_keeps_its_role_and_name(tmp_path: Path) -> None:
    output = {"content_type": "execution_output", "text": "42"}
    message = gpt_message("2", "tool", "", author={"role": "tool", "name": "python"}, content=output)
    talk = chatgpt(gpt_message("1", "user", "6 * 7?"), message)
    [conversation] = read_all(write_json(tmp_path / "a.json", [talk])).conversations
    assert [(turn.role, turn.name, turn.content) for turn in conversation.messages] == [
        ("user", None, "6 * 7?"),
        ("tool", "python", "42"),
    ]


def test_pictures_are_passed_over_and_transcripts_of_speech_are_text(tmp_path: Path) -> None:
    parts: list[Any] = [
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://1"},
        "what is this?",
        {"content_type": "audio_transcription", "text": "spoken words"},
    ]
    message = gpt_message("1", "user", "", content={"content_type": "multimodal_text", "parts": parts})
    found = read_all(write_json(tmp_path / "a.json", [chatgpt(message)]))
    assert found.turns == [("user", "what is this?\nspoken words")]
    assert found.problems == []


def test_odd_fields_of_a_chatgpt_message_are_told_with_its_number(tmp_path: Path) -> None:
    talk = chatgpt(
        gpt_message("1", "user", "hello"),
        gpt_message("2", "assistant", "", content={"content_type": "hologram", "parts": ["x"]}),
        gpt_message("3", "assistant", "", content={"content_type": ["text"], "parts": ["x"]}),
        gpt_message("4", "assistant", "", content="text"),
        gpt_message("5", "assistant", "", content={"content_type": "text", "parts": "text"}),
        gpt_message("6", "assistant", "no author", author=None),
        gpt_message("7", "assistant", "bad time", create_time="soon"),
        gpt_message("8", "assistant", "bye", create_time=None),
    )
    talk["mapping"]["node-8"]["message"] = None
    talk["mapping"]["extra"] = 7
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    assert found.turns == [("user", "hello"), ("assistant", "text"), ("user", "no author"), ("assistant", "bad time")]
    assert found.told == [
        (1, True, "1 nodes of a conversation are not objects"),
        (1, True, "message 2: unknown content_type 'hologram'"),
        (1, True, "message 3: unknown content_type \"['text']\""),
        (1, True, "message 4: its content is text"),
        (1, False, "message 6: a turn has no role; stored as user"),
        (1, False, "message 7: the time 'soon' is invalid; the turn was stored without a time"),
    ]


def test_messages_in_the_form_of_another_program_are_told_and_not_passed_over(tmp_path: Path) -> None:
    talk = chatgpt(gpt_message("1", "user", "hello"), gpt_message("2", "assistant", "hi"))
    for node in talk["mapping"].values():
        if node["message"]:
            node["message"] = {"model": "another", "fragments": [{"type": "REQUEST", "content": "hello"}]}
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    assert found.turns == []
    assert found.told == [(1, True, "message 1: it has no content"), (1, True, "message 2: it has no content")]


def test_elements_that_are_no_conversation_are_told_and_the_others_read(tmp_path: Path) -> None:
    nameless = chatgpt(gpt_message("1", "user", "hello"))
    del nameless["conversation_id"]
    found = read_all(write_json(tmp_path / "a.json", [{"mapping": {}}, 7, {"mapping": []}, nameless]))
    assert found.turns == [("user", "hello")]
    assert found.conversations[0].id == f"{tmp_path.name}/a.json#4"
    assert [(line, lost) for line, lost, _ in found.told] == [(1, False), (2, True), (3, True), (4, False)]


def test_one_chatgpt_conversation_by_itself_is_read(tmp_path: Path) -> None:
    found = read_all(write_json(tmp_path / "a.json", chatgpt(gpt_message("1", "user", "hello"))))
    assert found.turns == [("user", "hello")]


@pytest.mark.parametrize("name", ["conversations.json", "export/conversations-000.json"])
def test_a_chatgpt_export_is_read_from_its_zip(tmp_path: Path, name: str) -> None:
    export = json.dumps([chatgpt(gpt_message("1", "user", "hello"))])
    path = write_zip(tmp_path / "export.zip", {name: export, "user.json": "{}"})
    found = read_all(path)
    assert found.turns == [("user", "hello")]
    assert found.conversations[0].source == "chatgpt"


# --- Claude.ai


def test_a_claude_export_keeps_ids_titles_projects_and_times(tmp_path: Path) -> None:
    talk = claude(
        claude_message("m1", "human", "hello"),
        claude_message("m2", "assistant", "hi", "how are you?"),
        project={"uuid": "p", "name": "Garden"},
    )
    found = read_all(write_json(tmp_path / "conversations.json", [talk]))
    [conversation] = found.conversations
    assert (conversation.id, conversation.title) == ("claude-1", "A talk")
    assert (conversation.source, conversation.project) == ("claude_ai", "Garden")
    assert [(turn.id, turn.role, turn.content) for turn in conversation.messages] == [
        ("m1", "user", "hello"),
        ("m2", "assistant", "hi\n\nhow are you?"),
    ]
    assert conversation.messages[0].at == datetime(2025, 3, 4, 18, 2, 0, 123456, tzinfo=UTC)
    assert found.problems == []


def test_the_flat_text_of_a_claude_message_is_used_where_there_are_no_blocks(tmp_path: Path) -> None:
    talk = claude(
        claude_message("1", "human", content=None, text="no blocks"),
        claude_message("2", "assistant", content=[], text="empty blocks"),
        {"uuid": "3", "sender": "human", "text": "an old export"},
        claude_message("4", "assistant", content="a text", text="flat 4"),
        claude_message("5", "assistant", content=[{"type": "text", "text": None}], text="flat 5"),
        claude_message("6", "assistant", content=[{"type": "hologram"}, 7], text="flat 6"),
    )
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    texts = [text for _, text in found.turns]
    assert texts == ["no blocks", "empty blocks", "an old export", "flat 4", "flat 5", "flat 6"]
    assert [(line, lost, what.partition(":")[0]) for line, lost, what in found.told] == [
        (1, False, "message 4"),
        (1, False, "message 5"),
        (1, False, "message 6"),
        (1, False, "message 6"),
    ]


def test_thinking_and_tools_of_claude_are_no_turns(tmp_path: Path) -> None:
    marks = "```\nThis block is not supported on your current device yet.\n```"
    talk = claude(
        claude_message("1", "human", "plan my garden"),
        claude_message(
            "2",
            "assistant",
            text=marks,
            content=[{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "artifacts", "input": {}}],
        ),
        claude_message(
            "3",
            "assistant",
            text=f"{marks} done",
            content=[
                {"type": "tool_result", "content": []},
                {"type": "server_tool_use", "name": "web_search"},
                {"type": "web_search_tool_result", "content": []},
                {"type": "compaction", "content": "so far"},
                {"type": "text", "text": "done"},
            ],
        ),
    )
    found = read_all(write_json(tmp_path / "a.json", [talk]))
    assert found.turns == [("user", "plan my garden"), ("assistant", "done")]
    assert found.problems == []


def test_only_the_current_branch_of_a_claude_conversation_is_read(tmp_path: Path) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    messages = [
        claude_message("1", "human", "hello", parent_message_uuid=root),
        claude_message("2", "assistant", "old answer", parent_message_uuid="1"),
        claude_message("3", "assistant", "new answer", parent_message_uuid="1"),
    ]
    last = read_all(write_json(tmp_path / "a.json", [claude(*messages)]))
    assert last.turns == [("user", "hello"), ("assistant", "new answer")]
    named = read_all(write_json(tmp_path / "a.json", [claude(*messages, current_leaf_message_uuid="2")]))
    assert named.turns == [("user", "hello"), ("assistant", "old answer")]


@pytest.mark.parametrize(
    "parents",
    [["x", "y", "1"], ["3", "1", "2"], ["x", 7, "1"]],
    ids=["roots", "circle", "type"],
)
def test_claude_messages_that_form_no_tree_are_all_read(tmp_path: Path, parents: list[Any]) -> None:
    messages = [claude_message(str(n + 1), "human", f"turn {n}", parent_message_uuid=p) for n, p in enumerate(parents)]
    found = read_all(write_json(tmp_path / "a.json", [claude(*messages)]))
    assert [text for _, text in found.turns] == ["turn 0", "turn 1", "turn 2"]


def test_broken_claude_conversations_are_told_and_the_others_read(tmp_path: Path) -> None:
    talk = claude(claude_message("1", "human", "hello"), id="good")
    broken = claude("no message", claude_message("2", "ghost", "boo"))  # type: ignore[arg-type]
    found = read_all(write_json(tmp_path / "a.json", [talk, {"chat_messages": {}}, None, broken]))
    assert found.turns == [("user", "hello"), ("ghost", "boo")]
    assert found.told == [
        (2, True, "an object, not a Claude.ai conversation"),
        (3, True, "null, not a Claude.ai conversation"),
        (4, True, "message 1: text where a message should be"),
        (4, False, "message 2: unknown role 'ghost'; stored as user"),
    ]


def test_a_claude_export_is_read_from_its_zip_and_by_itself(tmp_path: Path) -> None:
    talk = claude(claude_message("1", "human", "hello"))
    members = {"conversations.json": json.dumps([talk]), "users.json": "[{}]", "projects.json": "[]"}
    assert read_all(write_zip(tmp_path / "data.zip", members)).turns == [("user", "hello")]
    assert read_all(write_json(tmp_path / "a.json", talk)).turns == [("user", "hello")]
