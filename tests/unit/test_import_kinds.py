"""Exports that came in wrong once, each with others of its kind: what is read of them, and what is said of the rest."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import zstandard

from chat_files import read_all, write_json, write_lines, write_zip
from ricordo.blocking import Memory

# --- compressed files


def codex_lines(*said: tuple[str, str], id: str = "0199-a") -> list[dict[str, Any]]:
    """The lines of a Codex session."""
    kinds = {"user": "input_text", "assistant": "output_text"}
    meta = {"type": "session_meta", "payload": {"id": id, "cwd": "/home/u/orchard"}}
    items = [
        {
            "timestamp": f"2026-03-01T10:{minute:02}:00Z",
            "type": "response_item",
            "payload": {"type": "message", "role": role, "content": [{"type": kinds[role], "text": text}]},
        }
        for minute, (role, text) in enumerate(said)
    ]
    return [meta, *items]


TALK = [("user", "Graft the pear onto quince stock."), ("assistant", "Grafting pear.")]


def packed(content: bytes, ending: str) -> bytes:
    """The content compressed; as zstd in two frames, as it is when a file is added to."""
    if ending == ".gz":
        return gzip.compress(content)
    middle = len(content) // 2
    return b"".join(zstandard.compress(part) for part in (content[:middle], content[middle:]))


@pytest.mark.parametrize("ending", [".zst", ".gz"])
def test_compressed_files_are_read_as_what_they_hold(tmp_path: Path, ending: str) -> None:
    session = "".join(json.dumps(line) + "\n" for line in codex_lines(*TALK)).encode()
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / f"rollout-1.jsonl{ending}").write_bytes(packed(session, ending))
    chat = b"Ada: The kiln reaches 1200 degrees.\nBen: Fire it on Tuesday.\nAda: Good.\n"
    (tmp_path / "sessions" / f"talk.txt{ending}").write_bytes(packed(chat, ending))
    found = read_all(tmp_path / "sessions")
    assert [each.id for each in found.conversations] == ["0199-a", "sessions/talk.txt"]
    assert [len(each.messages) for each in found.conversations] == [2, 3]
    assert found.problems == []
    write_zip(tmp_path / "all.zip", {f"x/rollout-1.jsonl{ending}": packed(session, ending)})
    assert len(read_all(tmp_path / "all.zip").turns) == 2


def test_a_session_that_was_compressed_since_adds_nothing(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    plain = write_lines(folder / "rollout-1.jsonl", *codex_lines(*TALK))
    assert memory.import_chats([folder]).stored == 2
    (folder / "rollout-1.jsonl.zst").write_bytes(zstandard.compress(plain.read_bytes()))
    plain.unlink()
    again = memory.import_chats([folder])
    assert (again.stored, again.duplicates, again.lost) == (0, 2, 0)


@pytest.mark.parametrize("content", [b"no zstd at all", zstandard.compress(b"x" * 10_000)[:20], b""])
def test_a_damaged_compressed_file_is_reported(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "damaged.jsonl.zst").write_bytes(content)
    found = read_all(tmp_path / "damaged.jsonl.zst")
    assert found.conversations == []
    assert found.problems


def test_what_unpacks_to_very_much_is_left_out(tmp_path: Path) -> None:
    line = json.dumps({"role": "user", "content": "x" * 1000}).encode() + b"\n"
    (tmp_path / "bomb.jsonl.zst").write_bytes(zstandard.compress(line * 150_000))
    found = read_all(tmp_path / "bomb.jsonl.zst")
    assert "unpacks to more than 200 times its size" in str(found.problems[-1])


# --- what assistants put into the user's mouth

INJECTED_BY_CODEX = [
    "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
    '<hook_prompt hook_run_id="7">run lint</hook_prompt>',
    "<hook_prompt>run lint</hook_prompt>",
    "<recommended_plugins>foo</recommended_plugins>",
    "<goal_context>g</goal_context>",
    '<codex_internal_context source="x">c</codex_internal_context>',
    "<external_project>body</external_project>",
    "<skill>\n<name>a</name>\n</skill>",
    "<subagent_notification>{}</subagent_notification>",
    "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>",
    "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command.",
    "Warning: The maximum number of unified exec processes you can keep open is 60.",
    "Warning: Your account was flagged for potentially high-risk cyber activity.",
    "Another language model started to solve this problem and produced a summary of its thinking process. You …",
    "<image>",
    "</image>",
    "<image name=[Image #1]>",
]


@pytest.mark.parametrize("text", INJECTED_BY_CODEX)
def test_what_codex_puts_in_is_no_turn(tmp_path: Path, text: str) -> None:
    path = write_lines(tmp_path / "rollout-1.jsonl", *codex_lines(("user", text), *TALK))
    assert [said for _, said in read_all(path).turns] == [said for _, said in TALK]


@pytest.mark.parametrize(
    "text",
    [
        "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nPrune the plum in August.",
        "# Files mentioned by the user:\n\n## a.py: /x/a.py\n\n## My request for Codex:\nPrune the plum in August.",
        "<environment_context>x</environment_context>\n\nPrune the plum in August.",
        "Prune the plum in August.\n<hook_prompt>lint</hook_prompt>",
    ],
)
def test_what_is_typed_beside_what_codex_puts_in_is_kept(tmp_path: Path, text: str) -> None:
    path = write_lines(tmp_path / "rollout-1.jsonl", *codex_lines(("user", text)))
    assert [said for _, said in read_all(path).turns] == ["Prune the plum in August."]


def test_an_assistants_words_about_such_texts_are_kept(tmp_path: Path) -> None:
    said = "<environment_context> is what Codex tells me.</environment_context>"
    path = write_lines(tmp_path / "rollout-1.jsonl", *codex_lines(("assistant", said)))
    assert [text for _, text in read_all(path).turns] == [said]


def claude_line(content: Any, uuid: str = "p1", session: str = "s5", **more: Any) -> dict[str, Any]:
    """A line of a Claude Code session."""
    return {
        "type": "user", "sessionId": session, "uuid": uuid, "parentUuid": None, "cwd": "/home/u/windmill",
        "timestamp": "2026-03-03T10:00:02.000Z", "message": {"role": "user", "content": content}, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("<system-reminder>be nice</system-reminder>\nDig the mill pond 3 m deep.", "Dig the mill pond 3 m deep."),
        ("Dig the mill pond.\n\n<system-reminder>\na\nb\n</system-reminder>", "Dig the mill pond."),
        ("<ide_opened_file>a</ide_opened_file><ide_selection>1\n2</ide_selection>\nUse clay.", "Use clay."),
        ("<user-prompt-submit-hook>ok</user-prompt-submit-hook>\nTest it.", "Test it."),
        (
            "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
            "<command-args>the sluice gate is 2 m wide, check it</command-args>",
            "the sluice gate is 2 m wide, check it",
        ),
        ("What does <system-reminder> mean in a prompt?", "What does <system-reminder> mean in a prompt?"),
        ("<div>the header</div> is too wide", "<div>the header</div> is too wide"),
        ("<system-reminder>be nice</system-reminder>", None),
        ("<system-reminder>never closed, so all of it", None),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", None),
        ("<command-name>/model</command-name>\n<command-args>opus</command-args>", None),
        ("<local-command-stdout>ok</local-command-stdout>", None),
        ("<bash-input>ls</bash-input>", None),
        ('<teammate-message teammate_id="lead">Dig.</teammate-message>', None),
        ("This session is being continued from a previous conversation that ran out of context. The …", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("as_blocks", [False, True])
def test_what_is_typed_beside_claude_codes_own_elements_is_kept(
    tmp_path: Path, content: str, kept: str | None, as_blocks: bool
) -> None:
    path = write_lines(tmp_path / "s.jsonl", claude_line([{"type": "text", "text": content}] if as_blocks else content))
    assert [text for _, text in read_all(path).turns] == ([] if kept is None else [kept])


def test_what_the_user_says_to_a_tool_of_claude_code_is_a_turn(tmp_path: Path) -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was …). "
        "To tell you how to proceed, the user said:\nUse oak.\nNot pine."
    )
    hint = "\n\nNote: The user's next message may contain a correction or preference."

    def result(uuid: str, text: str, told: Any) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": "t", "content": text}
        return claude_line([block], uuid, toolUseResult=told)

    asked = {"questions": [{"question": "Which wood?"}], "answers": {"Which wood?": "Elm", "How long?": "3 m"}}
    by_program = claude_line([{"type": "text", "text": "No response requested."}], "p9")
    by_program |= {"type": "assistant", "message": {**by_program["message"], "model": "<synthetic>"}}
    path = write_lines(
        tmp_path / "s.jsonl",
        result("p1", refusal, f"Error: {refusal}"),
        result("p2", refusal + hint, "Error"),
        result("p3", "User has answered your questions", asked),
        result("p4", "The user said:\nnothing", {"stdout": "x"}),
        by_program,
    )
    said = ("user", "Use oak.\nNot pine.")
    answers = [("assistant", "Which wood?"), ("user", "Elm"), ("assistant", "How long?"), ("user", "3 m")]
    assert read_all(path).turns == [said, said, *answers]


def test_what_a_forked_codex_session_repeats_belongs_to_its_origin(memory: Memory, tmp_path: Path) -> None:
    def stamped(lines: Sequence[dict[str, Any]], second: str) -> list[dict[str, Any]]:
        return [{**line, "timestamp": f"2026-03-02T10:00:{second}.{n:03}Z"} for n, line in enumerate(lines)]

    first = codex_lines(*TALK)
    own = {**first[0], "payload": {**first[0]["payload"], "id": "fork", "forked_from_id": first[0]["payload"]["id"]}}
    new = codex_lines(("user", "And the medlar?"))[1:]
    write_lines(tmp_path / "rollout-1.jsonl", *first)
    write_lines(tmp_path / "rollout-2.jsonl", *stamped([own, *first], "00"), *stamped(new, "07"))
    assert memory.import_chats([tmp_path]).stored == len(TALK) + 1
    [fork] = [each for each in read_all(tmp_path / "rollout-2.jsonl").conversations if each.id == "fork"]
    assert [each.content for each in fork.messages] == ["And the medlar?"]


# --- branches


def claude_ai(*messages: tuple[str, str | None, str], leaf: str | None = None) -> list[dict[str, Any]]:
    """A Claude.ai export of one conversation: (id, parent, text) of each message, alternately human and assistant."""
    return [
        {
            "uuid": "c", "name": "Wall", "current_leaf_message_uuid": leaf,
            "chat_messages": [
                {
                    "uuid": id, "parent_message_uuid": parent, "text": text,
                    "sender": "assistant" if id.endswith("'") else "human", "created_at": "2026-03-01T10:00:00Z",
                }
                for id, parent, text in messages
            ],
        }
    ]  # fmt: skip


ROOT = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize("root", [ROOT, None, "somewhere"])
@pytest.mark.parametrize(("leaf", "kept"), [(None, ["teal", "Teal."]), ("a'", ["ochre", "Ochre."])])
def test_of_a_first_prompt_that_was_edited_the_current_branch_is_read(
    tmp_path: Path, root: str | None, leaf: str | None, kept: list[str]
) -> None:
    messages = [("a", root, "ochre"), ("a'", "a", "Ochre."), ("b", root, "teal"), ("b'", "b", "Teal.")]
    found = read_all(write_json(tmp_path / "conversations.json", claude_ai(*messages, leaf=leaf)))
    assert [text for _, text in found.turns] == kept
    assert found.told == [(None, False, "skipped what is not a message: messages of branches that were given up (2)")]


def test_messages_without_parents_and_broken_ways_are_read_whole(tmp_path: Path) -> None:
    bare = claude_ai(("a", None, "one"), ("a'", None, "two"))
    for message in bare[0]["chat_messages"]:
        del message["parent_message_uuid"]
    broken = claude_ai(("a", ROOT, "one"), ("a'", "a", "two"), ("b", "lost", "three"))
    for number, (export, count) in enumerate([(bare, 2), (broken, 3)]):
        assert len(read_all(write_json(tmp_path / f"{number}.json", export)).turns) == count


def test_attached_files_of_claude_ai_are_counted(tmp_path: Path) -> None:
    export = claude_ai(("a", ROOT, "See the plan."))
    message = export[0]["chat_messages"][0]
    message["attachments"] = [{"file_name": "plan.txt", "extracted_content": "long"}]
    message["files"] = [{"file_name": "photo.png"}]
    message["content"] = [{"type": "text", "text": "See the plan."}, {"type": "image", "source": {}}]
    found = read_all(write_json(tmp_path / "conversations.json", export))
    assert [text for _, text in found.turns] == ["See the plan."]
    assert found.told == [(None, False, "skipped what is not a message: attached files and pictures (3)")]


# --- Slack


def slack(tmp_path: Path, *messages: dict[str, Any]) -> list[tuple[str, str]]:
    """What is read of a Slack export with these messages."""
    folder = tmp_path / "export"
    (folder / "general").mkdir(parents=True)
    write_json(folder / "users.json", [{"id": "U1", "name": "ada", "real_name": "Ada Berg"}])
    write_json(folder / "channels.json", [{"id": "C1", "name": "general"}])
    stamped = [{"type": "message", "ts": f"176000050{index}.0006", **each} for index, each in enumerate(messages)]
    write_json(folder / "general" / "2025-10-09.json", stamped)
    return read_all(folder).turns


def test_words_on_cards_and_in_blocks_are_kept(tmp_path: Path) -> None:
    bot = {"subtype": "bot_message", "bot_id": "B1", "username": "deploybot"}

    def rich(*elements: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"type": "rich_text", "elements": list(elements)}]

    def paragraph(*parts: dict[str, str]) -> dict[str, Any]:
        return {"type": "rich_text_section", "elements": list(parts)}

    section = paragraph({"type": "text", "text": "The chain is "}, {"type": "text", "text": "30 m & new."})
    paints = paragraph({"type": "user", "user_id": "U1"}, {"type": "text", "text": " paints"})
    items = {"type": "rich_text_list", "elements": [section, paints]}
    preview = {"from_url": "https://x.example", "text": "Preview"}
    turns = slack(
        tmp_path,
        {**bot, "text": "", "attachments": [{"fallback": "Deploy finished", "text": "Deploy of barge 7 finished"}]},
        {**bot, "text": "", "attachments": [{"fallback": "Only the fallback"}]},
        {**bot, "text": "Build 7", "attachments": [{"title": "Tests", "fields": [{"title": "Failed", "value": "2"}]}]},
        {"user": "U1", "text": "", "blocks": rich(section)},
        {"user": "U1", "blocks": rich(items)},
        {**bot, "text": "", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "*Disk* is full"}}]},
        {"user": "U1", "text": "See <https://x.example>", "attachments": [preview]},
        {"user": "U1", "text": "", "files": [{"name": "a.png"}]},
        {"user": "U9", "text": "From outside.", "user_profile": {"real_name": "Zoe Ext"}},
        {"user": "USLACKBOT", "text": "Reminder: ask <@U9>"},
    )  # fmt: skip
    assert [text for _, text in turns] == [
        "Deploy of barge 7 finished",
        "Only the fallback",
        "Build 7\nTests\nFailed: 2",
        "The chain is 30 m & new.",
        "The chain is 30 m & new.\n@Ada Berg paints",
        "*Disk* is full",
        "See https://x.example",
        "From outside.",
        "Reminder: ask @Zoe Ext",
    ]
    assert {speaker for speaker, _ in turns} == {"deploybot", "Ada Berg", "Zoe Ext", "Slackbot"}


# --- files beside chats


def test_geminis_log_of_prompts_is_no_loss(tmp_path: Path) -> None:
    folder = tmp_path / "gemini"
    folder.mkdir()
    prompt = {"sessionId": "s", "messageId": 0, "type": "user", "message": "hi", "timestamp": "2026-03-01T10:00:00Z"}
    write_json(folder / "logs.json", [prompt])
    message = {"id": "1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": "hi"}
    session = {"sessionId": "s", "projectHash": "x", "startTime": "2026-03-01T10:00:00Z", "messages": [message]}
    write_json(folder / "session-1.json", session)
    found = read_all(folder)
    assert [text for _, text in found.turns] == ["hi"]
    assert not any(problem.lost for problem in found.problems)
    assert "prompts of the sessions once more" in str(found.problems)


# --- the same talk in another place


def test_a_text_that_is_mined_from_above_copied_or_renamed_is_known(memory: Memory, tmp_path: Path) -> None:
    chats = tmp_path / "notes" / "chats"
    chats.mkdir(parents=True)
    talk = "Ada: The kiln reaches 1200 degrees.\nBen: Fire the kiln on Tuesday.\nAda: Good.\n"
    (chats / "talk.txt").write_text(talk)
    assert memory.import_chats([chats]).stored == 3
    for place in (tmp_path / "notes", chats / "talk.txt", tmp_path):
        assert (memory.import_chats([place]).stored, memory.import_chats([place]).duplicates) == (0, 3)
    (chats / "copy of talk.txt").write_text(talk)
    again = memory.import_chats([tmp_path])
    assert (again.stored, again.duplicates) == (0, 6)
    (chats / "talk.txt").unlink()
    (chats / "copy of talk.txt").rename(chats / "kiln.txt")
    (chats / "kiln.txt").write_text(f"{talk}Ben: Good.\n")
    assert memory.import_chats([chats]).stored == 1
    (chats / "other.txt").write_text("Ada: The kiln reaches 1200 degrees.\nBen: No, 1100.\nAda: Good.\n")
    assert memory.import_chats([chats]).stored == 3


def test_a_forked_session_adds_what_is_its_own(memory: Memory, tmp_path: Path) -> None:
    first = [claude_line(text, f"u{index}", "s1") for index, text in enumerate(["The axle is oak.", "Grease it."])]
    forked = [
        {**line, "sessionId": "s2", "forkedFrom": {"sessionId": "s1", "messageUuid": line["uuid"]}} for line in first
    ]
    own = claude_line("Use pine for the ladder.", "f9", "s2")
    a = write_lines(tmp_path / "s1.jsonl", *first)
    b = write_lines(tmp_path / "s2.jsonl", *forked, own)
    assert memory.import_chats([b]).stored == 3
    imported = memory.import_chats([a, b])
    assert (imported.stored, imported.duplicates) == (0, 5)
    [hit] = [each for each in memory.recall("axle oak").results if "axle" in each.text]
    assert hit.conversation == "s1"
    memory.entries.forget(hit.id)
    memory.import_chats([a, b])
    assert "axle" not in str(memory.recall("axle oak").results)


def test_a_session_that_was_copied_under_another_id_is_known_by_its_uuids(memory: Memory, tmp_path: Path) -> None:
    uuids = [str(UUID(int=index + 1, version=4)) for index in range(3)]
    first = [claude_line(f"Turn {index}", uuid, "s1") for index, uuid in enumerate(uuids[:2])]
    copied = [{**line, "sessionId": "s2"} for line in first]
    own = claude_line("The ladder is pine.", uuids[2], "s2")
    write_lines(tmp_path / "a.jsonl", *first)
    write_lines(tmp_path / "b.jsonl", *copied, own)
    imported = memory.import_chats([tmp_path])
    assert (imported.stored, imported.duplicates) == (3, 2)
    assert memory.import_chats([tmp_path]).stored == 0
