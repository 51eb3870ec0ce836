"""One talk, written as each program exports it: what comes out of an importer can be compared with what went in."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

from chat_files import (
    chatgpt,
    claude,
    claude_message,
    gpt_message,
    neutral,
    session_line,
    write_json,
    write_lines,
    write_zip,
)


class Said(NamedTuple):
    """A turn of the talk."""

    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True)
class Expected:
    """What an export of the talk holds; programs tell more or less of it."""

    conversations: int
    turns: int
    speakers: frozenset[str]
    first: datetime | None
    last: datetime | None


BEGAN = datetime(2025, 3, 4, 18, 0, tzinfo=UTC)
_WORDS = ("garden", "battery", "harbour", "violin", "compiler", "glacier", "recipe")


def talk(number: int, turns: int = 6, speakers: tuple[str, str] = ("user", "assistant")) -> list[Said]:
    """Talk `number`: two who speak by turns, a minute apart; talks begin a day after each other."""
    start = BEGAN + timedelta(days=number)
    return [
        Said(
            speakers[turn % 2],
            f"About the {_WORDS[(number + turn) % len(_WORDS)]} of talk {number}: this is turn {turn}, is it not?",
            start + timedelta(minutes=turn),
        )
        for turn in range(turns)
    ]


def expected(talks: Sequence[Sequence[Said]], *, conversations: int | None = None, timed: bool = True) -> Expected:
    """What the talks come to; `conversations` where a program joins them."""
    turns = [turn for each in talks for turn in each]
    moments = [turn.at for turn in turns] if timed else []
    return Expected(
        len(talks) if conversations is None else conversations,
        len(turns),
        frozenset(turn.speaker for turn in turns),
        min(moments, default=None),
        max(moments, default=None),
    )


Written = tuple[Path, Expected]
PEOPLE = ("Ada Byron", "Ben Nagel")
AGENTS = [talk(0), talk(1)]
FRIENDS = [talk(0, 6, PEOPLE), talk(1, 6, PEOPLE)]


def _chatgpt(folder: Path) -> Written:
    talks = [
        chatgpt(
            *(
                gpt_message(f"{number}-{turn}", said.speaker, said.text, create_time=said.at.timestamp())
                for turn, said in enumerate(each)
            ),
            id=f"gpt-{number}",
        )
        for number, each in enumerate(AGENTS)
    ]
    members = {"conversations.json": json.dumps(talks), "chat.html": "<html></html>", "user.json": "{}"}
    return write_zip(folder / "chatgpt.zip", members), expected(AGENTS)


def _claude_ai(folder: Path) -> Written:
    talks = [
        claude(
            *(
                claude_message(
                    f"{number}-{turn}",
                    {"user": "human"}.get(said.speaker, said.speaker),
                    said.text,
                    created_at=said.at.isoformat(),
                )
                for turn, said in enumerate(each)
            ),
            id=f"claude-{number}",
        )
        for number, each in enumerate(AGENTS)
    ]
    return write_zip(folder / "claude.zip", {"conversations.json": json.dumps(talks)}), expected(AGENTS)


def _claude_code(folder: Path) -> Written:
    folder.joinpath("projects").mkdir()
    for number, each in enumerate(AGENTS):
        lines = [
            session_line(
                said.speaker,
                f"{number}-{turn}",
                said.text,
                sessionId=f"session-{number}",
                timestamp=said.at.isoformat(),
            )
            for turn, said in enumerate(each)
        ]
        tool = session_line("user", f"{number}-tool", [{"type": "tool_result", "content": "ok"}], toolUseResult={})
        aside = session_line("user", f"{number}-aside", "look for it", isSidechain=True)
        write_lines(folder / "projects" / f"{number}.jsonl", *lines[:2], tool, aside, *lines[2:])
    return folder / "projects", expected(AGENTS)


def _codex(folder: Path) -> Written:
    folder.joinpath("sessions").mkdir()
    for number, each in enumerate(AGENTS):
        meta = {"timestamp": each[0].at.isoformat(), "type": "session_meta", "payload": {"id": f"codex-{number}"}}
        items = [
            {
                "timestamp": said.at.isoformat(),
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": said.speaker,
                    "content": [
                        {"type": "output_text" if said.speaker == "assistant" else "input_text", "text": said.text}
                    ],
                },
            }
            for said in each
        ]
        write_lines(folder / "sessions" / f"rollout-{number}.jsonl", meta, *items)
    return folder / "sessions", expected(AGENTS)


def _gemini_cli(folder: Path) -> Written:
    folder.joinpath("chats").mkdir()
    for number, each in enumerate(AGENTS):
        messages = [
            {
                "id": f"{number}-{turn}",
                "timestamp": said.at.isoformat(),
                "type": "gemini" if said.speaker == "assistant" else "user",
                "content": said.text,
            }
            for turn, said in enumerate(each)
        ]
        session = {"sessionId": f"gemini-{number}", "projectHash": "0", "startTime": each[0].at.isoformat()}
        write_json(folder / "chats" / f"session-{number}.json", {**session, "messages": messages})
    return folder / "chats", expected(AGENTS)


def _slack(folder: Path) -> Written:
    users = [{"id": f"U{index}", "name": name.lower(), "real_name": name} for index, name in enumerate(PEOPLE)]
    members: dict[str, bytes | str] = {
        "users.json": json.dumps(users),
        "channels.json": json.dumps([{"id": f"C{number}", "name": f"room-{number}"} for number in range(2)]),
    }
    for number, each in enumerate(FRIENDS):
        said = [
            {
                "type": "message",
                "user": f"U{PEOPLE.index(turn.speaker)}",
                "text": turn.text,
                "ts": f"{turn.at.timestamp():.6f}",
            }
            for turn in each
        ]
        joined = {
            "type": "message",
            "subtype": "channel_join",
            "user": "U0",
            "text": "joined",
            "ts": "1741111200.000900",
        }
        members[f"room-{number}/{each[0].at:%Y-%m-%d}.json"] = json.dumps([joined, *said])
    return write_zip(folder / "slack.zip", members), expected(FRIENDS)


def _whatsapp(folder: Path) -> Written:
    folder.joinpath("whatsapp").mkdir()
    for number, each in enumerate(FRIENDS):
        lines = [f"{turn.at:%d/%m/%Y, %H:%M} - {turn.speaker}: {turn.text}" for turn in each]
        notice = f"{each[0].at:%d/%m/%Y, %H:%M} - Messages and calls are end-to-end encrypted."
        path = folder / "whatsapp" / f"WhatsApp Chat with Talk {number}.txt"
        # A date that can be read in one way only tells how the others are to be read.
        sure = f"28/02/2025, 09:00 - {PEOPLE[0]}: "
        path.write_text("\n".join([sure, notice, *lines]), encoding="utf-8")
    return folder / "whatsapp", expected(FRIENDS)


def _telegram(folder: Path) -> Written:
    chats = [
        {
            "id": number,
            "name": f"Talk {number}",
            "type": "private_group",
            "messages": [
                {
                    "id": turn,
                    "type": "message",
                    "date_unixtime": str(int(said.at.timestamp())),
                    "from": said.speaker,
                    "from_id": f"user{PEOPLE.index(said.speaker)}",
                    "text": said.text,
                }
                for turn, said in enumerate(each)
            ],
        }
        for number, each in enumerate(FRIENDS)
    ]
    return write_json(folder / "result.json", {"chats": {"list": chats}}), expected(FRIENDS)


def _signal(folder: Path) -> Written:
    folder.joinpath("signal").mkdir()
    for number, each in enumerate(FRIENDS):
        text = "\n".join(f"[{turn.at:%Y-%m-%d, %H:%M}] {turn.speaker}: {turn.text}" for turn in each)
        (folder / "signal" / f"talk-{number}.txt").write_text(text + "\n", encoding="utf-8")
    return folder / "signal", expected(FRIENDS)


def _signal_export(folder: Path) -> Written:
    folder.joinpath("signal-backup").mkdir()
    lines: list[Any] = [{"version": "1"}, {"recipient": {"id": "0", "self": {}}}]
    lines += [
        {"recipient": {"id": f"{number}", "contact": {"aci": f"aci-{number}", "systemGivenName": name}}}
        for number, name in enumerate(PEOPLE, start=1)
    ]
    for number in range(len(FRIENDS)):
        group = {"masterKey": f"key-{number}", "snapshot": {"title": {"title": f"Talk {number}"}}}
        lines += [{"recipient": {"id": f"1{number}", "group": group}}]
        lines += [{"chat": {"id": f"{number}", "recipientId": f"1{number}"}}]
    for number, each in enumerate(FRIENDS):
        for turn in each:
            item = {"chatId": f"{number}", "authorId": f"{PEOPLE.index(turn.speaker) + 1}", "incoming": {}}
            item |= {"dateSent": f"{int(turn.at.timestamp() * 1000)}", "standardMessage": {"text": {"body": turn.text}}}
            lines.append({"chatItem": item})
    write_lines(folder / "signal-backup" / "main.jsonl", *lines)
    return folder / "signal-backup", expected(FRIENDS)


def _messenger(folder: Path) -> Written:
    for number, each in enumerate(FRIENDS):
        (folder / "inbox" / f"talk_{number}").mkdir(parents=True)
        messages = [
            {"sender_name": turn.speaker, "timestamp_ms": int(turn.at.timestamp() * 1000), "content": turn.text}
            for turn in reversed(each)
        ]
        export = {"participants": [{"name": name} for name in PEOPLE], "messages": messages}
        export |= {"title": f"Talk {number}", "thread_path": f"inbox/talk_{number}"}
        write_json(folder / "inbox" / f"talk_{number}" / "message_1.json", export)
    return folder / "inbox", expected(FRIENDS)


def _markdown(folder: Path) -> Written:
    folder.joinpath("notes").mkdir()
    for number, each in enumerate(FRIENDS):
        turns = "\n\n".join(f"**{turn.speaker}** ({turn.at:%Y-%m-%d %H:%M}): {turn.text}" for turn in each)
        (folder / "notes" / f"{number}.md").write_text(f"# Talk {number}\n\n{turns}\n", encoding="utf-8")
    return folder / "notes", expected(FRIENDS)


def _text(folder: Path) -> Written:
    folder.joinpath("logs").mkdir()
    for number, each in enumerate(FRIENDS):
        turns = "\n".join(f"{turn.speaker}: {turn.text}" for turn in each)
        (folder / "logs" / f"{number}.txt").write_text(turns + "\n", encoding="utf-8")
    return folder / "logs", expected(FRIENDS, timed=False)


def _mem0(folder: Path) -> Written:
    talks = [[turn for turn in each if turn.speaker == "user"] for each in AGENTS]
    memories = [
        {
            "id": f"{number}-{turn}",
            "memory": said.text,
            "hash": "0",
            "created_at": said.at.isoformat(),
            "updated_at": None,
            "user_id": f"owner-{number}",
        }
        for number, each in enumerate(talks)
        for turn, said in enumerate(each)
    ]
    return write_json(folder / "mem0.json", {"results": memories}), expected(talks)


def _mempalace(folder: Path) -> Written:
    palace = folder / "palace"
    palace.mkdir()
    talks = [[turn for turn in each if turn.speaker == "user"] for each in AGENTS]
    with closing(sqlite3.connect(palace / "chroma.sqlite3")) as database:
        database.executescript(
            "CREATE TABLE collections (id TEXT, name TEXT);"
            "CREATE TABLE segments (id TEXT, type TEXT, scope TEXT, collection TEXT);"
            "CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT, seq_id BLOB,"
            " created_at TIMESTAMP);"
            "CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT, int_value INTEGER,"
            " float_value REAL, bool_value INTEGER);"
            "INSERT INTO collections VALUES ('c', 'mempalace_drawers');"
            "INSERT INTO segments VALUES ('m', 'x', 'METADATA', 'c');"
        )
        row = 0
        for number, each in enumerate(talks):
            for turn, said in enumerate(each):
                row += 1
                database.execute(
                    "INSERT INTO embeddings VALUES (?, 'm', ?, ?, ?)", (row, f"drawer_{number}_{turn}", b"", "")
                )
                metadata = {
                    "chroma:document": said.text,
                    "wing": f"wing-{number}",
                    "room": "talks",
                    "source_file": f"talk-{number}.txt",
                    "filed_at": said.at.isoformat(),
                }
                for key, value in metadata.items():
                    database.execute(
                        "INSERT INTO embedding_metadata VALUES (?, ?, ?, NULL, NULL, NULL)", (row, key, value)
                    )
                database.execute(
                    "INSERT INTO embedding_metadata VALUES (?, 'chunk_index', NULL, ?, NULL, NULL)", (row, turn)
                )
        database.commit()
    return palace, expected(talks)


def _neutral(folder: Path) -> Written:
    talks = []
    for number, each in enumerate(FRIENDS):
        whole: dict[str, Any] = neutral(*(said.text for said in each), id=f"talk-{number}")
        for message, said in zip(whole["messages"], each, strict=True):
            message |= {"name": said.speaker, "at": said.at.isoformat()}
        talks.append(whole)
    return write_json(folder / "talks.json", talks), expected(FRIENDS)


def _discord(folder: Path) -> Written:
    root = folder / "discord"
    root.mkdir()
    for number, each in enumerate(FRIENDS):
        messages = [
            {
                "id": f"{number}{turn}",
                "type": "Default",
                "timestamp": said.at.isoformat(),
                "content": said.text,
                "author": {"id": said.speaker, "name": said.speaker.lower(), "nickname": said.speaker, "isBot": False},
            }
            for turn, said in enumerate(each)
        ]
        channel = {"id": str(number), "type": "GuildTextChat", "name": f"talk-{number}"}
        whole = {"guild": {"id": "7", "name": "Friends"}, "channel": channel, "messages": messages}
        write_json(root / f"Friends - talk-{number}.json", whole)
    return root, expected(FRIENDS)


def _gemini(folder: Path) -> Written:
    entries = []
    for each in AGENTS:
        for asked, answered in zip(each[::2], each[1::2], strict=True):
            entry = {"header": "Gemini Apps", "title": f"Prompted {asked.text}", "time": asked.at.isoformat()}
            entries.append(entry | {"products": ["Gemini Apps"], "safeHtmlItem": [{"html": f"<p>{answered.text}</p>"}]})
    # One moment for both.
    talks = [[said._replace(at=each[turn // 2 * 2].at) for turn, said in enumerate(each)] for each in AGENTS]
    return write_json(folder / "MyActivity.json", entries[::-1]), expected(talks)


def _mbox(folder: Path) -> Written:
    mails = []
    for number, each in enumerate(FRIENDS):
        for turn, said in enumerate(each):
            address = f"{said.speaker} <{said.speaker.split()[0].lower()}@x.example>"
            headers = [
                f"From: {address}",
                f"Date: {format_datetime(said.at)}",
                f"Message-ID: <{number}.{turn}@x.example>",
            ]
            headers += [f"References: <{number}.0@x.example>"] if turn else []
            subject = f"Subject: {'Re: ' if turn else ''}Talk {number}"
            mails.append("\n".join(["From x@y Tue Mar 04 18:00:00 2025", *headers, subject, "", said.text, "", ""]))
    path = folder / "All mail.mbox"
    path.write_text("".join(mails), encoding="utf-8")
    return path, expected(FRIENDS)


def _opencode(folder: Path) -> Written:
    storage = folder / "storage"
    for number, each in enumerate(AGENTS):
        session = f"ses_{number}"
        files: dict[str, Any] = {f"session/p/{session}": {"id": session, "title": f"Talk {number}", "directory": "/p"}}
        for turn, said in enumerate(each):
            message = f"msg_{number}{turn}"
            created = {"created": int(said.at.timestamp() * 1000)}
            files[f"message/{session}/{message}"] = {"id": message, "role": said.speaker, "time": created}
            files[f"part/{message}/prt_{number}{turn}"] = {"type": "text", "text": said.text}
        for name, value in files.items():
            (storage / name).parent.mkdir(parents=True, exist_ok=True)
            write_json(storage / f"{name}.json", value)
    return storage, expected(AGENTS)


def _cursor(folder: Path) -> Written:
    path = folder / "state.vscdb"
    with closing(sqlite3.connect(path)) as database:
        for table in ("ItemTable", "cursorDiskKV"):
            database.execute(f"CREATE TABLE {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        for number, each in enumerate(AGENTS):
            headers = [{"bubbleId": str(turn), "type": turn % 2 + 1} for turn in range(len(each))]
            rows: dict[str, Any] = {
                f"composerData:{number}": {"composerId": str(number), "fullConversationHeadersOnly": headers}
            }
            for turn, said in enumerate(each):
                bubble = {"type": turn % 2 + 1, "text": said.text, "createdAt": said.at.isoformat()}
                rows[f"bubbleId:{number}:{turn}"] = bubble
            for key, value in rows.items():
                database.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", [key, json.dumps(value)])
        database.commit()
    return path, expected(AGENTS)


def _windsurf(folder: Path) -> Written:
    for number, each in enumerate(AGENTS):
        steps = [
            {"type": "user_input", "status": "done", "user_input": {"user_response": said.text}}
            if turn % 2 == 0
            else {"type": "planner_response", "status": "done", "planner_response": {"response": said.text}}
            for turn, said in enumerate(each)
        ]
        (folder / f"{number}.jsonl").write_text("\n".join(map(json.dumps, steps)), encoding="utf-8")
    return folder, expected(AGENTS, timed=False)


#: How each format is written into an empty folder, by the name of the format.
WRITERS: dict[str, Callable[[Path], Written]] = {
    "chatgpt": _chatgpt,
    "claude_ai": _claude_ai,
    "claude_code": _claude_code,
    "codex": _codex,
    "gemini_cli": _gemini_cli,
    "slack": _slack,
    "whatsapp": _whatsapp,
    "telegram": _telegram,
    "signal": _signal,
    "signal_export": _signal_export,
    "messenger": _messenger,
    "markdown": _markdown,
    "text": _text,
    "mem0": _mem0,
    "mempalace": _mempalace,
    "json": _neutral,
    "discord": _discord,
    "gemini": _gemini,
    "mbox": _mbox,
    "opencode": _opencode,
    "cursor": _cursor,
    "windsurf": _windsurf,
}
