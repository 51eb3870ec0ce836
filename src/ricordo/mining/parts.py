"""Conversations as callers of `mine_many` give them → parts that are mined together."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from typing import Any

from ricordo import palace
from ricordo.errors import InvalidInput, quoted
from ricordo.mining.mine import PIECE, Part
from ricordo.mining.turns import gathered
from ricordo.models import Conversation

_FIELDS = frozenset(["id", "messages", "title", "project", "source"])
_EXAMPLE = "such as {'id': 'chat-1', 'messages': [{'role': 'user', 'content': 'Hello'}]}"


async def parts(conversations: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[list[Part]]:
    """The conversations in lists of about as many turns as one transaction stores. Raises InvalidInput."""
    some: list[Part] = []
    size = 0
    async for each in _each(conversations):
        part = await _part(each)
        some.append(part)
        size += len(part.messages)
        if size >= PIECE:
            yield some
            some, size = [], 0
    if some:
        yield some


async def _each(conversations: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[Any]:
    if isinstance(conversations, AsyncIterable):
        async for each in conversations:
            yield each
        return
    if isinstance(conversations, (str, bytes, Mapping, Conversation)) or not isinstance(conversations, Iterable):
        raise InvalidInput("conversations", f"must be a list of conversations, {_EXAMPLE}")
    for each in conversations:
        yield each


async def _part(each: object) -> Part:
    if isinstance(each, Conversation):
        origin = palace.Origin(each.id, each.title, each.project, each.source)
        return Part(origin, await gathered(each.messages))
    if not isinstance(each, Mapping) or not {"id", "messages"} <= each.keys():
        raise InvalidInput("conversations", f"must hold Conversations or mappings with `id` and `messages`, {_EXAMPLE}")
    if unknown := sorted(map(str, each.keys() - _FIELDS)):
        raise InvalidInput(
            "conversations", f"unknown field {quoted(unknown[0])}: expected {', '.join(sorted(_FIELDS))}"
        )
    origin = palace.Origin(each["id"], each.get("title"), each.get("project"), each.get("source", "api"))
    return Part(origin, await gathered(each["messages"]))
