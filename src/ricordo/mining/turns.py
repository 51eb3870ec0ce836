"""Messages as callers give them → turns that can be stored, and the reasons why the others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from pydantic import ValidationError

from ricordo.errors import InvalidInput
from ricordo.models import Message, Omission, Rejection, role_of
from ricordo.review import Screen, refusal, told, without_recalled
from ricordo.rules import mended

#: Lets everything through.
OPEN = Screen()
#: The longest turn, in characters. More is a file and no talk.
LONGEST = 1_000_000
#: How far ahead of our clock a turn may claim to be.
_AHEAD = timedelta(days=1)
_FIELDS = ("role", "name", "at", "id")
#: Where a message holds its text: `parts` is Google's word for it.
_CONTENT = ("content", "parts")
#: What is said of a message that was mended.
_UNSTORABLE = "NUL characters or half surrogates, each of which became U+FFFD"
#: The types of parts whose `text` was said; that of others was thought, or read somewhere.
_SAID = (None, "text", "input_text", "output_text")


@dataclass(frozen=True)
class Turn:
    """A message that can be stored, and its index among those that were given."""

    index: int
    role: str
    speaker: str
    content: str
    at: datetime | None
    id: str | None
    #: Of a turn that another device stored: whether `at` is what its source says, when it was stored there first, and
    #: the hash of a text that was redacted, by which it is recognized.
    has_time: bool = True
    stored_at: datetime | None = None
    text_hash: int | None = None


@dataclass(frozen=True)
class Accepted:
    """What became of the messages: each is a turn or a rejection; `left_out` says what a turn is without."""

    turns: list[Turn] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    left_out: list[Omission] = field(default_factory=list)


async def gathered(messages: Iterable[Any] | AsyncIterable[Any]) -> list[Any]:
    """The messages in a list, whatever gives them out. Raises InvalidInput for what gives none, and for a set."""
    if isinstance(messages, AsyncIterable):
        return [each async for each in messages]
    alone = any(hasattr(messages, name) for name in _CONTENT)  # one of pydantic's can be iterated too
    if alone or isinstance(messages, (str, bytes, bytearray, Mapping, Set)) or not isinstance(messages, Iterable):
        raise InvalidInput("messages", "must be a list of messages, such as [{'role': 'user', 'content': 'Hello'}]")
    return list(messages)


def accept(messages: Iterable[Any], now: datetime, screen: Screen = OPEN) -> Accepted:
    """Sort messages into turns and rejections, by the policies on secrets and personal data too.

    A message is a Message, a mapping, or an object with the attributes that chat SDKs give theirs: `role` (or, as
    LangChain has it, `type`) and `content`, which may be a list of parts. What else it has is passed over.
    """
    accepted = Accepted()
    for index, each in enumerate(messages):
        message, left_out = (each, "") if isinstance(each, Message) else _read(each)
        message, note = (message, "") if isinstance(message, str) else _mended(message)
        problem = message if isinstance(message, str) else _problem(message, left_out, now)
        if isinstance(message, Message) and problem is None:
            said, recalled = without_recalled(message.content)
            content, refused, redacted = screen.screened(said)
            speaker, in_name, _ = screen.screened((message.name or "").strip() or message.role)
            if not said:
                problem = "contains only text recalled from this memory"
            elif refused or in_name:
                problem = f"{'content' if refused else 'name'} {refusal(refused or in_name)}"
            else:
                accepted.turns.append(Turn(index, message.role, speaker, content, _utc(message.at), message.id))
                lost = redacted + Counter({"recalled text": recalled})
                left_out = ", ".join(each for each in (left_out, told(lost), note) if each)
        if problem is not None:
            accepted.rejections.append(Rejection(index=index, reason=problem))
        elif left_out:
            accepted.left_out.append(Omission(index=index, what=left_out))
    return accepted


def _mended(message: Message) -> tuple[Message, str]:
    """The message as it can be stored, and what was mended in it for that; as it is done for files."""
    given = {"content": message.content, "name": message.name, "id": message.id}
    changed = {name: whole for name, text in given.items() if text is not None and (whole := mended(text)) != text}
    return (message.model_copy(update=changed), _UNSTORABLE) if changed else (message, "")


def _read(each: object) -> tuple[Message | str, str]:
    """The message in a mapping or an object, or what is wrong with it; and which parts of it are no text."""
    if not isinstance(each, Mapping) and not any(hasattr(each, name) for name in _CONTENT):
        return f"a message must be a mapping or an object with 'role' and 'content', not {type(each).__name__}", ""
    get = _getter(each)
    fields = {name: value for name in _FIELDS if (value := get(name)) is not None}
    content = next((value for name in _CONTENT if (value := get(name)) is not None), "")
    fields["role"] = _role(fields.get("role"), get("type"))
    left_out = ""
    if isinstance(content, (list, tuple)):
        content, left_out = _joined(content)
    if isinstance(content, (bytes, bytearray)):
        return "content: contains bytes: decode them to text first", ""
    try:
        return Message.model_validate({**fields, "content": content}), left_out
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}", ""


def _getter(each: object) -> Callable[[str], Any]:
    """Gives what a mapping or an object has under a name; None where it has nothing."""
    return each.get if isinstance(each, Mapping) else lambda name: getattr(each, name, None)


def _role(role: object, kind: object) -> object:
    """The role that is meant; what names none stays as it is. A message that has none is the user's."""
    if role is None:
        return (role_of(kind) if isinstance(kind, str) else None) or "user"
    word = role.value if isinstance(role, Enum) else role
    return (role_of(word) if isinstance(word, str) else None) or word


def _joined(parts: list[object] | tuple[object, ...]) -> tuple[str, str]:
    """The text of a message's parts, and what the other parts are: `image_url, input_audio (2)`."""
    said: list[str] = []
    others: Counter[str] = Counter()
    for part in parts:
        get = _getter(part)
        kind = get("type")
        text = part if isinstance(part, str) else get("text")
        if isinstance(text, str) and kind in _SAID and get("thought") is not True:
            said.append(text)
        else:
            named = isinstance(kind, str) and kind.isascii() and kind.isidentifier()
            others[str(kind)[:50] if named else type(part).__name__] += 1
    told = [name if count == 1 else f"{name} ({count})" for name, count in others.items()]
    return "\n".join(said), ", ".join(told)


def _problem(message: Message, left_out: str, now: datetime) -> str | None:
    """Why a message cannot be stored, or None where it can."""
    if not message.is_speech:
        return f"a {message.role} message is not part of the conversation and is not mined"
    if not message.content.strip():
        return f"contains no text, but {left_out}" if left_out else "contains no text"
    if len(message.content) > LONGEST:
        return f"content has {len(message.content):,} characters; the maximum is {LONGEST:,}"
    if len(message.name or "") > 200:
        return "name has more than 200 characters"
    try:
        at = _utc(message.at)
    except OverflowError:
        return f"at: {message.at} is outside the years 1 to 9999"
    if at is not None and at > now + _AHEAD:
        return f"at: {at.isoformat()} is in the future"
    return None


def _utc(at: datetime | None) -> datetime | None:
    """The time in UTC, so that one moment told in two zones is the same; without a zone it is taken as UTC."""
    if at is None:
        return None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
