"""Messages as callers give them → turns that can be stored, and the reasons why the others cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from ricordo.entries.rules import unstorable
from ricordo.errors import InvalidInput
from ricordo.nouns import Message, Rejection

#: The longest turn, in characters. More is a file and no talk.
LONGEST = 1_000_000
#: How far ahead of our clock a turn may claim to be.
_AHEAD = timedelta(days=1)
_FIELDS = ("role", "name", "content", "at", "id")


@dataclass(frozen=True)
class Turn:
    """A message that can be stored, and its index among those that were given."""

    index: int
    role: str
    speaker: str
    content: str
    at: datetime | None
    id: str | None


def accept(messages: Sequence[Message | Mapping[str, Any]], now: datetime) -> tuple[list[Turn], list[Rejection]]:
    """Sort messages into turns and rejections; blank ones are passed over, as nothing was said.

    A mapping may be a Message's fields or a chat message of the OpenAI form (its `content` may be a list of
    parts; keys that tell nothing of the talk are passed over). Raises InvalidInput where `messages` is no list.
    """
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence):
        raise InvalidInput("messages", "must be a list of messages, such as [{'role': 'user', 'content': 'Hello'}]")
    turns: list[Turn] = []
    rejections: list[Rejection] = []
    for index, each in enumerate(messages):
        message = each if isinstance(each, Message) else _read(each)
        problem = message if isinstance(message, str) else _problem(message, now)
        if problem is not None:
            rejections.append(Rejection(index=index, reason=problem))
        elif isinstance(message, Message) and message.content.strip():
            speaker = (message.name or "").strip() or message.role
            turns.append(Turn(index, message.role, speaker, message.content, _utc(message.at), message.id))
    return turns, rejections


def _read(each: object) -> Message | str:
    """The message of a mapping, or what is wrong with it."""
    if not isinstance(each, Mapping):
        return f"a message must be a mapping with 'role' and 'content', not {type(each).__name__}"
    fields = {name: each[name] for name in _FIELDS if each.get(name) is not None}
    content = fields.get("content", "")
    if isinstance(content, (list, tuple)):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        content = "\n".join(part for part in parts if isinstance(part, str))
    if isinstance(content, (bytes, bytearray)):
        return "content: holds bytes; decode them to text first"
    fields["content"] = content
    try:
        return Message.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _problem(message: Message, now: datetime) -> str | None:
    if message.role in ("system", "tool"):
        return f"a {message.role} message is no talk and is not mined"
    if len(message.content) > LONGEST:
        return f"content has {len(message.content):,} characters; a turn may have {LONGEST:,}"
    for name, text in (("content", message.content), ("name", message.name or ""), ("id", message.id or "")):
        if (problem := unstorable(text)) is not None:
            return f"{name} {problem}"
    if len(message.name or "") > 200:
        return "name has more than 200 characters"
    try:
        at = _utc(message.at)
    except OverflowError:
        return f"at: {message.at} lies outside the calendar, which begins with year 1 and ends with 9999"
    if at is not None and at > now + _AHEAD:
        return f"at: {at.isoformat()} lies in the future"
    return None


def _utc(at: datetime | None) -> datetime | None:
    """The time in UTC, so that one moment told in two zones is the same; without a zone it is taken as UTC."""
    if at is None:
        return None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
