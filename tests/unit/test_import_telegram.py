"""Telegram exports: one chat and a whole account, read as a stream; and Instagram's and Facebook's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat_files import read_all, write_json, write_zip
from ricordo.formats import detect
from ricordo.formats.elements import ELEMENT_BYTES
from ricordo.formats.outline import members, outline
from ricordo.formats.problems import Reporter
from ricordo.formats.source import Source


def message(id: int, who: str, text: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": id,
        "type": "message",
        "date": "2018-12-05T10:39:10",
        "date_unixtime": "1544006350",
        "from": who,
        "from_id": f"user{id}",
        "text": text,
        **fields,
    }


def chat(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"name": "Garden", "type": "private_group", "id": 42, "messages": list(messages), **fields}


TALK = chat(
    {"id": 1, "type": "service", "actor": "Ada", "action": "phone_call", "date_unixtime": "1544006300"},
    message(2, "Ada", ["see ", {"type": "bold", "text": "this"}, ":", {"type": "link", "text": "https://x.org"}]),
    message(3, "Ben", "", photo="(File not included)"),
    message(4, "Ben", "so it is", forwarded_from="Cy"),
    message(6, "Ben", ["by ", {"type": "text_link", "text": "the map", "href": "https://x.org/m"}]),
    message(7, "Ada", "", poll={"question": "Where?", "answers": [{"text": "Texel", "voters": 1}, {"text": "Urk"}]}),
    message(5, "Ben", "no clock", date_unixtime=None, date="2018-12-05T10:39:10"),
)
TURNS = [("Ada", "see this: https://x.org"), ("Ben", "[forwarded from Cy] so it is")]
TURNS += [("Ben", "by the map (https://x.org/m)"), ("Ada", "Where?\n- Texel\n- Urk"), ("Ben", "no clock")]


def test_a_chat_keeps_names_ids_times_and_counts_what_is_no_speech(tmp_path: Path) -> None:
    found = read_all(write_json(tmp_path / "result.json", TALK))
    [talk] = found.conversations
    assert (talk.id, talk.title, talk.source) == ("telegram:42", "Garden", "telegram")
    assert found.turns == TURNS
    assert [turn.id for turn in talk.messages] == ["2", "4", "6", "7", "5"]
    assert talk.messages[0].at == talk.messages[-1].at == datetime(2018, 12, 5, 10, 39, 10, tzinfo=UTC)
    what = (
        "skipped what is not a message: calls, joins and other events (1), pictures, voice or files without words (1)"
    )
    assert found.told == [(None, False, what)]


def test_an_account_gives_each_of_its_chats(tmp_path: Path) -> None:
    account = {
        "about": "Here is the data you requested.",
        "personal_information": {"user_id": 1},
        "contacts": {"list": [{"first_name": "Ada"}]},
        "chats": {"about": "…", "list": [TALK, chat(), chat(message(1, "Cy", "note"), id=7, type="saved_messages")]},
        "left_chats": {"list": [chat(message(1, "Di", "bye"), id=8, name="Old")]},
    }
    del account["chats"]["list"][2]["name"]  # type: ignore[index]
    found = read_all(write_json(tmp_path / "result.json", account))
    assert [(each.id, each.title, len(each.messages)) for each in found.conversations] == [
        ("telegram:42", "Garden", 5),
        ("telegram:7", "Saved messages", 1),
        ("telegram:8", "Old", 1),
    ]


def test_a_cut_export_keeps_what_was_whole(tmp_path: Path) -> None:
    raw = json.dumps(TALK)
    for end in (raw.index("so it is"), raw.index("[forwarded") if "[forwarded" in raw else len(raw) - 3):
        (tmp_path / "result.json").write_text(raw[:end], encoding="utf-8")
        found = read_all(tmp_path / "result.json")
        assert found.turns == TURNS[: len(found.turns)]
        assert found.turns
        assert any(lost and what.startswith("the file ends inside its JSON") for _, lost, what in found.told)


def test_odd_messages_are_told_and_the_others_read(tmp_path: Path) -> None:
    deep = "[" * 30_000 + "]" * 30_000
    raw = json.dumps(chat(7, message(2, "Ada", {"a": 1}), "DEEP", message(4, "Ada", "kept")))
    (tmp_path / "a.json").write_text(raw.replace('"DEEP"', deep), encoding="utf-8")
    found = read_all(tmp_path / "a.json")
    assert found.turns == [("Ada", "kept")]
    assert [lost for _, lost, _ in found.told] == [True, True, True]
    assert "messages.3: not readable JSON (nested too deeply)" in [what for _, _, what in found.told]


def test_an_object_larger_than_is_parsed_at_once_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    with path.open("w", encoding="utf-8") as file:
        file.write('{"name": "Long", "id": 1, "messages": [')
        count = 0
        while file.tell() < ELEMENT_BYTES + 1_000_000:
            count += 1
            file.write(json.dumps(message(count, "Ada", f"{count} " + "word " * 40_000)) + ",")
        file.write(json.dumps(message(0, "Ben", "the end")) + "]}")
    known = detect(path)
    assert known is not None
    assert known.name == "telegram"
    found = read_all(path)
    assert sum(len(each.messages) for each in found.conversations) == count + 1
    assert found.problems == []


# --- the stream


class _Pieces(Source):
    """A source whose content comes in pieces of three bytes."""

    def chunks(self) -> Iterator[bytes]:
        raw = self.path.read_bytes()
        yield from (raw[start : start + 3] for start in range(0, len(raw), 3))


@pytest.mark.parametrize("indent", [None, 2])
def test_members_are_found_whatever_the_pieces(tmp_path: Path, indent: int | None) -> None:
    value = {"a": [1, {"b": ['x"\\', "]}", None, -1.5e3]}, []], 'k"\\': {"c": {}}, "d": True}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value, indent=indent), encoding="utf-8")
    told: list[str] = []
    reporter = Reporter("x", lambda problem: told.append(problem.what))
    found = [tuple(each) for each in members(_Pieces(path, "x", "x"), [("a", "*", "b", "*")], reporter)]
    inside = ['x"\\', "]}", None, -1500.0]
    assert found == [
        (("a", 0), 1),
        *((("a", 1, "b", number), each) for number, each in enumerate(inside)),
        (('k"\\',), {"c": {}}),
        (("d",), True),
    ]
    assert told == []


def test_an_outline_holds_what_is_whole() -> None:
    raw = json.dumps({"a": 1, "b": [{"c": "x, y"}, {"c": "z"}]}).encode()
    assert outline(raw[: raw.index(b"z")]) == {"a": 1, "b": [{"c": "x, y"}, {}]}
    assert outline(raw[:8]) == {"a": 1}
    assert outline(b"no json") is None


def test_what_a_bot_says_in_the_chat_with_it_is_an_assistants(tmp_path: Path) -> None:
    said = [message(1, "Ada", "How tall is it?"), message(2, "Guide", "324 m"), message(3, "Guide", "more")]
    said[2]["from_id"] = "user2"
    for kind, roles in (("bot_chat", ["user", "assistant", "assistant"]), ("personal_chat", ["user"] * 3)):
        [talk] = read_all(write_json(tmp_path / "result.json", chat(*said, type=kind, id=2))).conversations
        assert [each.role for each in talk.messages] == roles


def test_a_checklist_and_what_a_deleted_account_wrote_are_not_taken_for_less(tmp_path: Path) -> None:
    title, item = [{"type": "plain", "text": "Pack"}], {"id": 1, "text": [{"type": "plain", "text": "rope"}]}
    found = read_all(
        write_json(
            tmp_path / "result.json",
            chat(
                message(1, "Ada", "", todo_list={"title": title, "answers": [item]}),
                message(2, "Ada", "I moved to Urk.", forwarded_from=None),
            ),
        )
    )
    assert found.turns == [("Ada", "Pack\n- rope"), ("Ada", "[forwarded from a deleted account] I moved to Urk.")]
    assert found.problems == []


# --- Instagram and Facebook


def test_messages_of_instagram_are_in_order_and_in_their_letters(tmp_path: Path) -> None:
    talk = {
        "participants": [{"name": "Ada"}, {"name": "Zo\u00c3\u00ab"}],
        "messages": [
            {"sender_name": "Zo\u00c3\u00ab", "timestamp_ms": 1579294140000, "content": "Caf\u00c3\u00a9?"},
            {"sender_name": "Ada", "timestamp_ms": 1577186580000, "content": "Hello"},
            {"sender_name": "Ada", "timestamp_ms": 1577186570000, "photos": [{}]},
        ],
        "title": "Zo\u00c3\u00ab",
        "thread_path": "inbox/zoe_1",
    }
    found = read_all(write_json(tmp_path / "message_1.json", talk))
    assert found.turns == [("Ada", "Hello"), ("Zoë", "Café?")]
    [conversation] = found.conversations
    assert (conversation.id, conversation.title) == ("messenger:inbox/zoe_1", "Zoë")
    assert conversation.messages[0].at == datetime(2019, 12, 24, 11, 23, tzinfo=UTC)
    assert found.told == [
        (None, False, "skipped what is not a message: calls, pictures, shares, reactions or unsent messages (1)")
    ]


@pytest.mark.parametrize("in_zip", [False, True])
def test_the_parts_of_a_conversation_come_from_the_oldest_on(tmp_path: Path, in_zip: bool) -> None:
    folder = "inbox/ada_1"
    parts = {
        f"{folder}/message_{number}.json": json.dumps(
            {
                "messages": [{"sender_name": "Ada", "timestamp_ms": 1577186580000 - number, "content": f"{number}"}],
                "thread_path": folder,
            }
        )
        for number in range(1, 12)
    }
    if in_zip:
        found = read_all(write_zip(tmp_path / "facebook.zip", parts))
    else:
        (tmp_path / folder).mkdir(parents=True)
        for name, text in parts.items():
            (tmp_path / name).write_text(text)
        found = read_all(tmp_path)
    assert [text for _, text in found.turns] == [str(number) for number in range(11, 0, -1)]


def test_what_the_app_writes_for_a_reaction_is_nobodys_words(tmp_path: Path) -> None:
    by_app = ["Reacted \u00f0\u009f\u0091\u008d to your message ", "Liked a message", "Ada sent an attachment."]
    said = ["Reacted badly to your message", "I liked a message", "Ben sent an attachment."]
    talk = {
        "messages": [
            {"sender_name": "Ada", "timestamp_ms": 1577186580000 - number, "content": text}
            for number, text in enumerate([*by_app, *said])
        ],
        "thread_path": "inbox/ada_1",
    }
    found = read_all(write_json(tmp_path / "message_1.json", talk))
    assert sorted(text for _, text in found.turns) == sorted(said)
    assert found.told == [
        (None, False, "skipped what is not a message: calls, pictures, shares, reactions or unsent messages (3)")
    ]


def test_an_encrypted_chat_of_facebook_is_read(tmp_path: Path) -> None:
    fields = {"media": [], "reactions": [], "type": "text"}
    talk = {
        "participants": ["Ada", "Zoë"],
        "threadName": "Zoë_5",
        "messages": [
            {"isUnsent": False, "senderName": "Zoë", "text": "Café?", "timestamp": 1579294140000, **fields},
            {"isUnsent": True, "senderName": "Zoë", "text": "", "timestamp": 1579294130000, **fields},
            {"isUnsent": False, "senderName": "Ada", "text": "Hello", "timestamp": 1577186580000, **fields},
        ],
    }
    found = read_all(write_json(tmp_path / "Zoë_5.json", talk))
    assert found.turns == [("Ada", "Hello"), ("Zoë", "Café?")]
    [conversation] = found.conversations
    assert (conversation.id, conversation.title) == ("messenger:Zoë_5", "Zoë")
    assert conversation.messages[0].at == datetime(2019, 12, 24, 11, 23, tzinfo=UTC)
    assert found.told == [
        (None, False, "skipped what is not a message: calls, pictures, shares, reactions or unsent messages (1)")
    ]
