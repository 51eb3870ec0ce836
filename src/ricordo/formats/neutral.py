"""The neutral JSON of chats, for whatever has no format of its own here.

    {"id": "…", "title": "…", "project": "…",
     "messages": [{"role": "user", "name": "Ada", "content": "hello", "at": "2025-03-04T18:02:00Z", "id": "…"}]}

A file holds one such object, a list of them, or one a line (JSON Lines). Or it holds just messages, as a list
or one a line: they are one conversation, whose id comes from the file's name. Only `content` is needed, and
`role` or `name`; roles go by many names (`human`, `ai`, `model` …). `content` may also be a list of blocks
`{"type": "text", "text": "…"}`, of which the text is taken. `at` is ISO 8601 (without a zone: UTC) or an
epoch in seconds, milliseconds or microseconds. A conversation without an id gets the file's, with the number
of its element or line where there are more. If `at` is missing, `timestamp` or `created_at` is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.models import SELF, Conversation, role_of

#: Fields for the time of a message, in Ricordo's JSON and in that of others.
_TIMES = ("at", "timestamp", "created_at")


def _recognises(sample: Sample) -> bool:
    return any(_is_loose_message(each) or _holds_messages(each) for each in sample.objects)


def _holds_messages(value: dict[str, object]) -> bool:
    messages = value.get("messages")
    return isinstance(messages, list) and any(
        isinstance(each, dict)
        and isinstance(each.get("content"), str | list)
        and (isinstance(each.get("role"), str) or isinstance(each.get("name"), str))
        for each in messages
    )


def _is_loose_message(value: dict[str, object]) -> bool:
    """Stricter than inside a conversation: `name` and `content` alone may be anything, such as files."""
    role = value.get("role")
    spoken_by = isinstance(role, str) and role_of(role) is not None
    spoken_at = isinstance(value.get("name"), str) and "at" in value
    return isinstance(value.get("content"), str | list) and (spoken_by or spoken_at)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    loose = Draft(report, source=FORMAT.name, id=source.id)
    for number, value in values(source, shape, report):
        if isinstance(value, dict) and "messages" in value:
            yield from _conversation(source, value, number, report)
        else:
            loose.take_in(value, number, _add_turn)
            if loose.full:
                yield from loose.take()
    yield from loose.take()


def _conversation(
    source: Source, value: dict[str, object], number: int | None, report: Reporter
) -> Iterator[Conversation]:
    messages = value["messages"]
    if not isinstance(messages, list):
        report(f"the messages of a conversation are {kind(messages)}, not a list", where=number)
        return
    draft = Draft(
        report,
        source=FORMAT.name,
        id=identifier(value.get("id")) or source.id_of(number),
        title=value.get("title"),
        project=value.get("project"),
    )
    yield from draft.fill(messages, number, _add_turn)


def _add_turn(draft: Draft, message: dict[str, object], where: Where, report: Reporter) -> None:
    if "content" not in message:
        report("a message without content", where=where)
    else:
        draft.add(
            _spoken(message["content"]),
            role=message.get("role"),
            name=None if message.get("name") == SELF else message.get("name"),
            at=next((message[key] for key in _TIMES if message.get(key) is not None), None),
            id=message.get("id"),
            where=where,
        )


def _spoken(content: object) -> object:
    if not isinstance(content, list):
        return content
    texts = [block.get("text") if isinstance(block, dict) else block for block in content]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())


FORMAT = Format("json", "JSON or JSON Lines of messages", _recognises, _read)
