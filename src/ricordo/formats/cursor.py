"""Cursor's chats: `state.vscdb` in `globalStorage`, and older ones in the `workspaceStorage` of a project.

The database is a table of keys and JSON. `composerData:ID` is a chat, with its `name` and its messages in order:
`fullConversationHeadersOnly` names them, each `bubbleId:CHAT:ID`; older chats have them inside, in `conversation`. A
message has `type` (1 the user, 2 the assistant), `text` and `createdAt`, where it is known. Still older ones are in
`workbench.panel.aichat.view.aichat.chatdata`, with `tabs` of `bubbles`. These are not turns: the chats of subagents,
and tool calls and thoughts, which are counted.

For hooks, Cursor writes a chat as `~/.cursor/projects/PROJECT/agent-transcripts/ID/ID.jsonl`: one message a line, with
`role` and `message.content`. Only parts of `type` `text` are stored. The user's text is in `user_query`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from ricordo.formats.draft import Draft, folder, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.sqlite import opened, tables
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

if TYPE_CHECKING:
    from sqlite3 import Connection

_CHATS, _STATE = "cursorDiskKV", "ItemTable"
_OLD_CHATS = "workbench.panel.aichat.view.aichat.chatdata"
_ROLES = {1: "user", 2: "assistant", "user": "user", "ai": "assistant"}
_TYPED = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
#: What a transcript contains instead of thoughts.
_THOUGHTS = "[REDACTED]"

Object = dict[str, object]


def _recognises(sample: Sample) -> bool:
    return (_STATE in sample.tables and sample.suffix == ".vscdb") or any(map(_is_message, sample.objects))


def _is_message(value: Object) -> bool:
    """Whether an object is a line of a transcript. Lines of Claude Code also have a `type` and a session."""
    message = value.get("message")
    return (
        value.get("role") in ("user", "assistant")
        and value.keys().isdisjoint({"type", "sessionId", "content"})
        and isinstance(message, dict)
        and isinstance(message.get("content"), list)
    )


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    if shape != "binary":
        yield from _transcript(source, shape, report)
        return
    unspoken = Unspoken(report)
    with opened(source) as database:
        if _CHATS in tables(source):
            keys = database.execute(
                f"SELECT key FROM {_CHATS} WHERE key GLOB 'composerData:*' ORDER BY rowid"
            ).fetchall()
            for (key,) in keys:
                chat = _value(database, _CHATS, key)
                yield from _chat(chat, key.partition(":")[2], database, unspoken, report)
        yield from _old_chats(_value(database, _STATE, _OLD_CHATS), unspoken, report)
    unspoken.close()


def _transcript(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    draft = Draft(report, source=FORMAT.name, id=f"cursor:{PurePath(source.name).stem}")
    for number, line in values(source, shape, report):
        if not isinstance(line, dict):
            report(f"{kind(line)}, not a message", where=number)
            continue
        if not _is_message(line):
            continue  # such as the end of a turn
        message = line["message"]
        assert isinstance(message, dict)
        said = []
        for part in message["content"]:
            if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
                said.append(part["text"])
            else:
                unspoken.note("calls of tools and other parts")
        text = "\n".join(said)
        typed = "\n\n".join(each.strip() for each in _TYPED.findall(text)) if line["role"] == "user" else ""
        text = (typed or text).strip().removesuffix(_THOUGHTS).rstrip()
        if text:
            draft.add(text, role=line["role"], where=number)
        if draft.full:
            yield from draft.take()
    yield from draft.take()
    unspoken.close()


def _chat(chat: Object, id: str, database: Connection, unspoken: Unspoken, report: Reporter) -> Iterator[Conversation]:
    if chat.get("subagentInfo"):
        return
    place = chat.get("workspaceIdentifier")
    uri = place.get("uri") if isinstance(place, dict) else None
    path = uri.get("fsPath") or uri.get("path") if isinstance(uri, dict) else None
    draft = Draft(
        report,
        source=FORMAT.name,
        id=f"cursor:{identifier(chat.get('composerId')) or id}",
        title=chat.get("name"),
        project=folder(path),
    )
    before = chat.get("createdAt")
    for bubble in _bubbles(chat, id, database):
        before = _add_turn(draft, bubble, before, unspoken)
        if draft.full:
            yield from draft.take()
    yield from draft.take()


def _bubbles(chat: Object, id: str, database: Connection) -> Iterator[Object]:
    """The messages of a chat, in their order."""
    headers, inside = chat.get("fullConversationHeadersOnly"), chat.get("conversation")
    if isinstance(headers, list) and headers:
        for header in headers:
            if isinstance(header, dict) and isinstance(header.get("bubbleId"), str):
                bubble = _value(database, _CHATS, f"bubbleId:{id}:{header['bubbleId']}")
                yield {"type": header.get("type"), "bubbleId": header["bubbleId"], **bubble}
    for bubble in inside if isinstance(inside, list) else []:
        if isinstance(bubble, dict):
            yield bubble


def _add_turn(draft: Draft, bubble: Object, before: object, unspoken: Unspoken) -> object:
    """Adds a message; returns its time, which is that of the message before it where it has none."""
    if bubble.get("toolFormerData"):
        unspoken.note("calls of tools and their outputs")
    if bubble.get("thinking"):
        unspoken.note("thoughts")
    kind = bubble.get("type")
    role = _ROLES.get(kind) if isinstance(kind, int | str) else None
    text = bubble.get("text") or bubble.get("rawText") or _rich(bubble.get("richText"))
    times = bubble.get("timingInfo")
    started = times.get("clientStartTime") if isinstance(times, dict) else None
    # Times since the start of the program are no moments.
    started = started if isinstance(started, int | float) and started > 1e12 else None
    at = bubble.get("createdAt") or started or before
    if role is not None:
        draft.add(text, role=role, at=at, id=bubble.get("bubbleId") or bubble.get("id"))
    return at


def _rich(text: object) -> str:
    """The words of a text as Cursor's editor holds it, a paragraph on each line."""
    try:
        root = _object(text).get("root")
        paragraphs = root.get("children") if isinstance(root, dict) else None
        return "\n".join(map(_words, paragraphs)) if isinstance(paragraphs, list) else ""
    except RecursionError:
        return ""


def _words(node: object) -> str:
    if not isinstance(node, dict):
        return ""
    if node.get("type") == "linebreak":
        return "\n"
    text, inside = node.get("text"), node.get("children")
    return (text if isinstance(text, str) else "") + "".join(map(_words, inside if isinstance(inside, list) else []))


def _old_chats(state: Object, unspoken: Unspoken, report: Reporter) -> Iterator[Conversation]:
    tabs = state.get("tabs")
    for tab in tabs if isinstance(tabs, list) else []:
        if not isinstance(tab, dict) or identifier(tab.get("tabId")) is None:
            continue
        draft = Draft(report, source=FORMAT.name, id=f"cursor:{tab['tabId']}", title=tab.get("chatTitle"))
        bubbles = tab.get("bubbles")
        for bubble in bubbles if isinstance(bubbles, list) else []:
            if isinstance(bubble, dict):
                _add_turn(draft, bubble, tab.get("lastSendTime"), unspoken)
        yield from draft.take()


def _value(database: Connection, table: str, key: str) -> Object:
    """The object under a key; empty where there is none."""
    row = database.execute(f"SELECT value FROM {table} WHERE key = ?", (key,)).fetchone()
    return _object(row[0] if row else None)


def _object(data: object) -> Object:
    """The object in a text of JSON; an empty one for other values."""
    try:
        value = json.loads(data) if isinstance(data, str | bytes) else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


FORMAT = Format("cursor", "Cursor chats", _recognises, _read)
